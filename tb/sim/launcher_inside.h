/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* launcher_inside: what launcher.c (TBs, cycles), launcher_calls.c (what warps call) and launcher_waits.c (TBs that
 * wait for their children) share. */
#ifndef HD_LAUNCHER_INSIDE_H
#define HD_LAUNCHER_INSIDE_H

#include "sim/commands.h"
#include "sim/heap.h"
#include "sim/launcher.h"

#define HD_LAUNCHER_NONE UINT32_MAX

/* Parts of an event that are no call of a warp: a TB has nothing to do but to wait; its context is moved. */
#define HD_LAUNCHER_WAITS (UINT32_MAX - 1)
#define HD_LAUNCHER_MOVED UINT32_MAX

enum hd_launcher_state {
  HD_LAUNCHER_FREE, /* no TB */
  HD_LAUNCHER_RUNS,
  HD_LAUNCHER_IDLE,   /* waits for its children, in its slot */
  HD_LAUNCHER_STORES, /* its context */
  HD_LAUNCHER_ASKS,   /* whether it is saved */
  HD_LAUNCHER_LEAVES, /* it is, and is still in its slot */
  HD_LAUNCHER_AWAY,
  HD_LAUNCHER_LOADS /* its context: it was restarted */
};

/* A TB: in a slot, or saved. Its number tells where its context lies. */
struct hd_launcher_tb {
  enum hd_launcher_state state;
  uint32_t place; /* its slot, of all SMXs'; HD_LAUNCHER_NONE: it is away */
  struct hd_resident r;
  struct hd_desc desc; /* of its dispatch */
  uint32_t level;
  uint32_t left;  /* warps that have launched, or will, and are not done */
  uint64_t end;   /* the latest end of those that are */
  uint32_t turn;  /* HD_SYNC_EACH: calls that were made or are due */
  uint32_t open;  /* if it waits for them: children that have not ended, .. */
  uint64_t last;  /* .. and the end of the last one */
  uint32_t lines; /* of its context, once it has stored that */
  uint64_t since; /* in this state, of those that are counted */
  void *kept;     /* on SMXs that run warps, while it is away */
  uint8_t warps;
  uint8_t warp[32]; /* hardware warps that hold it */
};

/* A warp between its call and the last answer. */
struct hd_launcher_caller {
  uint32_t tb;    /* HD_LAUNCHER_NONE: free */
  uint32_t warp;  /* of its TB */
  uint32_t left;  /* answers to come */
  uint64_t after; /* cycles of work then */
};

struct hd_launcher {
  struct hd_devrt rt;
  struct hd_cfg cfg;
  const struct hd_work *work;
  struct hd_array *array;
  struct hd_gpu *gpu; /* or NULL: TBs are timed */
  struct hd_commands *commands;
  struct hd_children *children;
  struct hd_heap calls; /* what: TB, part: the k-th warp of it that launches, or one of those above */
  struct hd_launcher_tb *tb;
  uint32_t tbs, tbs_room, tbs_free;  /* the latter: the first one that may be free */
  uint32_t *tb_at;                   /* by place */
  struct hd_launcher_caller *caller; /* as many as there are hardware warps */
  uint32_t callers, caller_next;
  uint64_t *busy; /* by SMX: its hardware warps that are taken */
  uint64_t order;
  uint32_t apb_step;
  bool ready; /* the last word is written */
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

/* "what: why", until the next one. */
const char *hd_launcher_say(struct hd_launcher *l, const char *what, const char *why);

/* A TB was taken. How many of its warps launch, when is planned now. */
uint32_t hd_launcher_plan(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* A warp's call has run so far that its command goes out. */
const char *hd_launcher_call(struct hd_launcher *l, uint64_t now, uint32_t tb, uint32_t k);
/* All answers to a warp of the TB are there; it has `after` cycles left then. */
const char *hd_launcher_answered(struct hd_launcher *l, uint64_t now, uint32_t tb, uint32_t warp, uint64_t after);
/* On timers: all that a TB waited for has ended. */
const char *hd_launcher_go_on(struct hd_launcher *l, uint64_t now, uint32_t tb);

/* A TB is in a slot, with so many hardware warps, the lowest that are free. The plane has counted them; if it has not,
 * the loop's other rules tell. */
void hd_launcher_settle(struct hd_launcher *l, uint32_t tb, uint32_t place, uint32_t warps);

/* A TB waits for its children. */
const char *hd_launcher_wait(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* It has nothing else to do any more. */
const char *hd_launcher_idles(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* Its context is moved. */
const char *hd_launcher_moved(struct hd_launcher *l, uint64_t now, uint32_t tb);
/* The answer to its save. */
const char *hd_launcher_saved(struct hd_launcher *l, uint64_t now, uint32_t tb, const struct hd_devanswer *a);
/* A child of it has ended. */
const char *hd_launcher_child_ended(struct hd_launcher *l, uint64_t now, uint32_t tb);

#endif
