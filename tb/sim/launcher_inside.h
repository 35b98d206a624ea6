/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* launcher_inside: declarations shared by launcher.c (TBs, cycles), launcher_calls.c (calls of warps) and
 * launcher_waits.c (TBs that wait for their children). */
#ifndef HD_LAUNCHER_INSIDE_H
#define HD_LAUNCHER_INSIDE_H

#include "sim/commands.h"
#include "sim/heap.h"
#include "sim/launcher.h"

#define HD_LAUNCHER_NONE UINT32_MAX

/* Values of hd_event.part for events that are not calls: a TB has no work left and waits; its context has been moved.
 */
#define HD_LAUNCHER_WAITS (UINT32_MAX - 1)
#define HD_LAUNCHER_MOVED UINT32_MAX

enum hd_launcher_state {
  HD_LAUNCHER_FREE, /* no TB */
  HD_LAUNCHER_RUNS,
  HD_LAUNCHER_IDLE,       /* waits for its children, in its slot */
  HD_LAUNCHER_STORES,     /* stores its context */
  HD_LAUNCHER_SAVE_QUERY, /* waits for the answer to its save */
  HD_LAUNCHER_LEAVES,     /* its save was accepted; it is still in its slot */
  HD_LAUNCHER_AWAY,
  HD_LAUNCHER_LOADS /* was restarted and loads its context */
};

/* A TB in a slot, or saved. Its number determines the address of its context. */
struct hd_launcher_tb {
  enum hd_launcher_state state;
  uint32_t place; /* index of its slot among those of all SMXs; HD_LAUNCHER_NONE: saved */
  struct hd_resident r;
  struct hd_desc desc; /* descriptor of its dispatch */
  uint32_t level;
  uint32_t left;  /* launching warps that have not ended */
  uint64_t end;   /* latest end of the others */
  uint32_t turn;  /* HD_SYNC_EACH: calls made or scheduled; otherwise: launching warps */
  uint32_t open;  /* if it waits for its children: those that have not ended .. */
  uint64_t last;  /* .. and the end of the last one */
  uint32_t lines; /* lines of its context, once stored */
  uint64_t since; /* first cycle in this state, for the statistics */
  void *kept;     /* state of its warps while it is saved, on SMXs that run warps */
  uint8_t warps;
  uint8_t warp[32]; /* hardware warps that hold it */
};

/* A warp between its call and the last answer. */
struct hd_launcher_caller {
  uint32_t tb;    /* HD_LAUNCHER_NONE: free */
  uint32_t warp;  /* its number in the TB */
  uint32_t left;  /* outstanding answers */
  uint64_t after; /* cycles of work after the last answer */
};

struct hd_launcher {
  struct hd_devrt rt;
  struct hd_cfg cfg;
  const struct hd_work *work;
  struct hd_array *array;
  struct hd_gpu *gpu; /* NULL: TBs are on timers */
  struct hd_commands *commands;
  struct hd_children *children;
  struct hd_heap calls; /* what: TB; part: k for the call of its k-th launching warp, or a value from above */
  struct hd_launcher_tb *tb;
  uint32_t tbs, tbs_room, tbs_free;  /* tbs_free: lower bound of the free numbers */
  uint32_t *tb_at;                   /* by place */
  struct hd_launcher_caller *caller; /* one per hardware warp */
  uint32_t callers, caller_next;
  uint64_t *busy; /* by SMX: set of occupied hardware warps */
  uint64_t order;
  uint32_t apb_step;
  bool ready; /* all registers of memory regions are written */
  uint64_t alone, refused;
  struct hd_save_stats save;
  char text[200];
};

static inline uint64_t hd_launcher_later(uint64_t x, uint64_t y) {
  return x > y ? x : y;
}

static inline uint32_t hd_launcher_smx(const struct hd_launcher *l, uint32_t tb) {
  return l->tb[tb].place / l->cfg.ctas_per_smx;
}

static inline uint32_t hd_launcher_slot(const struct hd_launcher *l, uint32_t tb) {
  return l->tb[tb].place % l->cfg.ctas_per_smx;
}

static inline bool hd_launcher_syncs(const struct hd_launcher *l) {
  return l->work->device != NULL && l->work->device->sync != HD_SYNC_NEVER;
}

/* Returns "what: why", valid until the next call. */
const char *hd_launcher_fail(struct hd_launcher *l, const char *what, const char *why);

/* A TB was taken: schedules the calls of its launching warps, and returns their number. */
uint32_t hd_launcher_plan(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* A warp's call has reached the point at which its command is sent. */
const char *hd_launcher_call(struct hd_launcher *l, uint64_t now, uint32_t tb, uint32_t k);
/* A warp of the TB has received all answers; it has `after` cycles of work left. */
const char *hd_launcher_answered(struct hd_launcher *l, uint64_t now, uint32_t tb, uint32_t warp, uint64_t after);
/* On timers: everything that a TB waited for has ended. */
const char *hd_launcher_go_on(struct hd_launcher *l, uint64_t now, uint32_t tb);

/* Places a TB in a slot, with the `warps` lowest free hardware warps. The plane guarantees that they are free; other
 * rules of the loop check that. */
void hd_launcher_settle(struct hd_launcher *l, uint32_t tb, uint32_t place, uint32_t warps);

/* A TB begins to wait for its children. */
const char *hd_launcher_wait(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* The TB has no other work left. */
const char *hd_launcher_idles(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* The TB's context has been moved. */
const char *hd_launcher_moved(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* The plane has answered the TB's save. */
const char *hd_launcher_saved(struct hd_launcher *l, uint64_t now, uint32_t tb, const struct hd_devanswer *a);
/* A child of the TB has ended. */
const char *hd_launcher_child_ended(struct hd_launcher *l, uint64_t now, uint32_t tb);

#endif
