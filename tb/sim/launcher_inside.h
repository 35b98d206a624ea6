/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* launcher_inside: what launcher.c (TBs, cycles) and launcher_calls.c (what warps call) share. */
#ifndef HD_LAUNCHER_INSIDE_H
#define HD_LAUNCHER_INSIDE_H

#include "sim/commands.h"
#include "sim/heap.h"
#include "sim/launcher.h"

#define HD_LAUNCHER_NONE UINT32_MAX

/* A TB in its slot. */
struct hd_launcher_place {
  uint32_t kernel, blkid, level, family;
  uint32_t left; /* warps that have launched, or will, and are not done */
  uint64_t end;  /* the latest end of those that are */
  /* In turn: calls that were made or are due, and children of the last one that have not ended. */
  uint32_t turn, open;
  uint8_t warps;
  uint8_t warp[32]; /* hardware warps that hold it */
};

/* A warp between its call and the last answer. */
struct hd_launcher_caller {
  uint32_t place; /* HD_LAUNCHER_NONE: free */
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
  struct hd_heap calls; /* what: place, part: the k-th warp of its TB that launches */
  struct hd_launcher_place *place;
  struct hd_launcher_caller *caller; /* as many as there are hardware warps */
  uint32_t callers, caller_next;
  uint64_t *busy; /* by SMX: its hardware warps that are taken */
  uint64_t order;
  uint32_t apb_step;
  bool ready; /* the last word is written */
  uint64_t alone, refused;
  char text[200];
};

static inline uint64_t hd_launcher_later(uint64_t x, uint64_t y) {
  return x > y ? x : y;
}

/* "what: why", until the next one. */
const char *hd_launcher_say(struct hd_launcher *l, const char *what, const char *why);

/* A TB was taken; its place is filled in but for its calls. How many of its warps launch, when is planned now. */
uint32_t hd_launcher_plan(struct hd_launcher *l, uint64_t now, uint32_t place);
/* A warp's call has run so far that its command goes out. */
const char *hd_launcher_call(struct hd_launcher *l, uint64_t now, uint32_t place, uint32_t k);
/* All answers to a warp of the TB are there; it has `after` cycles left then. */
const char *hd_launcher_answered(struct hd_launcher *l, uint64_t now, uint32_t place, uint32_t warp, uint64_t after);
/* A child of the TB has ended. */
const char *hd_launcher_child_ended(struct hd_launcher *l, uint64_t now, uint32_t place);

#endif
