/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* gpu_inside: shared by gpu.c (TBs, schedulers, events), gpu_clock.c, gpu_wait.c and gpu_unit.c (load/store units). */
#ifndef HD_GPU_INSIDE_H
#define HD_GPU_INSIDE_H

#include "gpu/choice.h"
#include "gpu/gpu.h"
#include "gpu/wheel.h"

enum { HD_GPU_WARPS_MAX = 64 }; /* per SMX; sets of warps are 64-bit words */

struct hd_gpu_warp {
  uint64_t age; /* smaller is older */
  uint64_t issued;
  uint64_t sent;          /* from this cycle on its unit has sent its lines */
  uint64_t free;          /* with a clock: the cycle in which it can issue again */
  uint32_t left;          /* with a clock: instructions of its operation not issued yet */
  uint32_t place, number; /* place of its TB; its number in the TB */
  bool barred;            /* at a barrier */
  bool waits, moves;      /* waits for its TB's launches; moves lines of the context .. */
  bool stores;            /* .. by stores (or loads): */
  uint32_t line, lines;
  struct hd_warp_op op;
};

struct hd_gpu_place {
  struct hd_warp_tb tb;
  uint32_t warps;
  uint32_t left;                  /* warps that have not ended */
  uint32_t barred;                /* .. of them at a barrier */
  uint32_t waits;                 /* .. of them waiting */
  uint32_t moving;                /* .. of the waiting ones, moving the context */
  uint8_t warp[HD_GPU_WARPS_MAX]; /* hardware warp by number; HD_GPU_WARPS_MAX: ended */
};

struct hd_gpu_scheduler {
  uint64_t ready; /* ready warps of the SMX */
  uint32_t warp;  /* the warp of its last or current issue */
  bool issues, listed;
};

/* A load/store unit: a queue of the warps whose operations wait for it or are in it. */
struct hd_gpu_unit {
  uint8_t queue[HD_GPU_WARPS_MAX];
  uint32_t first, n;
  struct hd_memsys_sends sends; /* of the head */
};

/* An SMX that runs cycle by cycle. Sets of warps. */
struct hd_gpu_clock {
  uint64_t valid, able, calls; /* not ended; ready but for a turn; waiting for a launch or at a barrier */
  uint8_t slot[HD_GPU_WARPS_MAX];
  uint32_t assigned; /* the slot assigned in this cycle, or HD_CHOICE_NO_SLOT */
};

struct hd_gpu {
  struct hd_gpu_opts o;
  uint32_t smxs, slots, warps, schedulers; /* per SMX, except the first */
  struct hd_memsys *memory;
  struct hd_footprint *footprint; /* or NULL */
  struct hd_warp_source source;
  void *ctx;
  struct hd_gpu_warp *warp;           /* by SMX and hardware warp */
  unsigned char *state;               /* in the same order, source.state bytes each */
  struct hd_gpu_place *place;         /* by SMX and slot */
  struct hd_gpu_scheduler *scheduler; /* by SMX and number */
  struct hd_gpu_unit *unit;           /* by SMX */
  uint64_t *busy;                     /* by SMX: allocated warps */
  struct hd_wheel wheel;              /* numbers: warps, then schedulers, then units */
  uint32_t *list, listed;             /* schedulers that may select a warp in this cycle */
  struct hd_gpu_notice *notice;       /* events; one per warp is the most in a cycle */
  uint32_t notice_n, notice_at;
  uint64_t taken;
  struct hd_gpu_clock *clock; /* by SMX; NULL: not cycle by cycle */
  struct hd_choice choice;    /* with a clock */
  uint64_t turns;             /* with a clock: warps of scheduler 0 */
  uint64_t clocked;           /* with a clock: the next cycle */
  bool assigned;              /* with a clock: a TB is assigned in the next cycle */
  struct hd_gpu_counts n;
};

/* Fetches the warp's next operation and counts it. */
void hd_gpu_fetch(struct hd_gpu *g, uint32_t warp);

/* Allocates a hardware warp as number `number` of the TB in that slot. Returns HD_GPU_NO_WARP if none is free. */
#define HD_GPU_NO_WARP UINT32_MAX
uint32_t hd_gpu_settle(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t number);

/* Makes the next operation of a warp that moves its share of a context; the last one is a wait. */
void hd_gpu_fetch_move(struct hd_gpu_warp *w);

/* With a clock: a TB is taken. Returns the cycle in which its warps become valid. */
uint64_t hd_gpu_clock_assign(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint64_t now);
/* The warp can continue. */
void hd_gpu_clock_wake(struct hd_gpu *g, uint32_t warp);
/* Simulates the cycle, after all its events. */
void hd_gpu_clock_step(struct hd_gpu *g);
/* Returns true if cycles without events change state. */
bool hd_gpu_clock_moves(const struct hd_gpu *g);

/* Enqueues the load or store of a warp at its SMX's unit. */
void hd_gpu_unit_add(struct hd_gpu *g, uint32_t warp);
/* Sends what can be sent up to now, and a little ahead; an event continues with the rest. */
void hd_gpu_unit_go_on(struct hd_gpu *g, uint32_t smx);

#endif
