/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* gpu_inside: what gpu.c (TBs, schedulers, events) and gpu_unit.c (load/store units) share. */
#ifndef HD_GPU_INSIDE_H
#define HD_GPU_INSIDE_H

#include "gpu/choice.h"
#include "gpu/gpu.h"
#include "gpu/wheel.h"

enum { HD_GPU_WARPS_MAX = 64 }; /* of an SMX: sets of warps are words */

struct hd_gpu_warp {
  uint64_t age; /* the smaller, the older */
  uint64_t issued;
  uint64_t sent;          /* the cycle from which on its unit has sent what it loads or stores */
  uint64_t free;          /* with a clock: the cycle in which it can issue again */
  uint32_t left;          /* likewise: instructions of its operation that have not been issued */
  uint32_t place, number; /* of its TB; its own in it */
  bool barred;            /* it is at a barrier */
  bool waits, moves;      /* for what its TB has launched; lines of its TB's context .. */
  bool stores;            /* .. that it stores, or loads: */
  uint32_t line, lines;
  struct hd_warp_op op;
};

struct hd_gpu_place {
  struct hd_warp_tb tb;
  uint32_t warps;
  uint32_t left;                  /* warps that have not ended, */
  uint32_t barred;                /* of them those at a barrier, */
  uint32_t waits;                 /* those that wait, */
  uint32_t moving;                /* and of these those that move the context */
  uint8_t warp[HD_GPU_WARPS_MAX]; /* by number: its hardware warp; HD_GPU_WARPS_MAX: it has ended */
};

struct hd_gpu_scheduler {
  uint64_t ready; /* warps of the SMX that can issue */
  uint32_t warp;  /* that it issued of last, or is issuing of */
  bool issues, listed;
};

/* A load/store unit: warps whose operations wait for it or are in it, in order. */
struct hd_gpu_unit {
  uint8_t queue[HD_GPU_WARPS_MAX];
  uint32_t first, n;
  struct hd_memsys_sends sends; /* of the first one */
};

/* An SMX that runs cycle by cycle. Sets of warps. */
struct hd_gpu_clock {
  uint64_t valid, able,
      calls; /* not ended; that need nothing but a turn; that wait for what they launched, or at a barrier */
  uint8_t slot[HD_GPU_WARPS_MAX];
  uint32_t assigned; /* in this cycle, or HD_CHOICE_NO_SLOT */
};

struct hd_gpu {
  struct hd_gpu_opts o;
  uint32_t smxs, slots, warps, schedulers; /* per SMX but the first */
  struct hd_memsys *memory;
  struct hd_footprint *footprint; /* or NULL */
  struct hd_warp_source source;
  void *ctx;
  struct hd_gpu_warp *warp;           /* by SMX and hardware warp */
  unsigned char *state;               /* likewise, source.state bytes each */
  struct hd_gpu_place *place;         /* by SMX and slot */
  struct hd_gpu_scheduler *scheduler; /* by SMX and number */
  struct hd_gpu_unit *unit;           /* by SMX */
  uint64_t *busy;                     /* by SMX: warps that are taken */
  struct hd_wheel wheel;              /* numbers: warps, then schedulers, then units */
  uint32_t *list, listed;             /* schedulers that may choose a warp in this cycle */
  struct hd_gpu_told *told;           /* by warp, as many as can be told of one cycle */
  uint32_t told_n, told_at;
  uint64_t taken;
  struct hd_gpu_clock *clock; /* by SMX; NULL: not cycle by cycle */
  struct hd_choice choice;    /* with it */
  uint64_t turns;             /* with it: warps of scheduler 0 */
  uint64_t clocked;           /* with it: the next cycle */
  bool assigned;              /* with it: a TB is assigned in the next cycle */
  struct hd_gpu_counts n;
};

/* The warp's next operation is made, and counted. */
void hd_gpu_fetch(struct hd_gpu *g, uint32_t warp);

/* A hardware warp that is free becomes number `number` of the TB in that slot; HD_GPU_NO_WARP: none is. */
#define HD_GPU_NO_WARP UINT32_MAX
uint32_t hd_gpu_settle(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t number);

/* The next operation of a warp that moves its part of a context; the last one waits. */
void hd_gpu_fetch_move(struct hd_gpu_warp *w);

/* With a clock. A TB is taken: the cycle in which its warps become valid. */
uint64_t hd_gpu_clock_assign(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint64_t now);
/* The warp can go on. */
void hd_gpu_clock_wake(struct hd_gpu *g, uint32_t warp);
/* The cycle, after all that happens in it. */
void hd_gpu_clock_step(struct hd_gpu *g);
/* Whether cycles do something though nothing happens in them. */
bool hd_gpu_clock_moves(const struct hd_gpu *g);

/* The load or store of a warp comes to its SMX's unit. */
void hd_gpu_unit_add(struct hd_gpu *g, uint32_t warp);
/* Works off what can be sent up to now, and a little ahead; an event goes on with the rest. */
void hd_gpu_unit_go_on(struct hd_gpu *g, uint32_t smx);

#endif
