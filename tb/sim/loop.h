/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* loop: the plane in a closed loop: a workload launches kernels, the SMX array runs the TBs that the plane hands out.
 *
 *   workload --launches--> plane --TBs--> SMX array --completions--> plane --kernel_done--> workload
 *                            ^--- launches of TBs, with the memory behind the plane: launcher.h
 *
 * The SMX array holds a TB for as many cycles as the workload names (array.h), or until its warps have run (gpu.h).
 *
 * The loop plays the host's driver: it keeps the kernels of one HWQ in order, offers a launch again after a completion
 * on that HWQ when it was refused for a full queue, and names launches by tags. A launch whose HWQ might be full is
 * offered only when the HWQ's launches before have been answered; so none can overtake another.
 *
 * It watches the plane while it drives it, and ends the run with HD_ORACLE when a TB is handed out twice, not of a
 * known kernel, or into a slot that is taken, when a kernel is reported before its last TB ended or never launched, or
 * an acceptable launch is refused for a wrong reason; with HD_STUCK when nothing moves though something should. */
#ifndef HD_LOOP_H
#define HD_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sim.h"
#include "gen/hd_types.h"
#include "gpu/gpu.h"
#include "sim/array.h"
#include "sim/fills.h"
#include "sim/launcher.h"
#include "sim/launches.h"
#include "sim/series.h"
#include "sim/timeline.h"
#include "sim/warps.h"
#include "sim/work.h"

/* Cycles in which nothing happens, of the model alone: passed over; one by one; or both, and compared bit for bit. */
enum hd_skip { HD_SKIP, HD_SKIP_NEVER, HD_SKIP_CHECKED };

/* What the throttle goes by, where it is not what the plane has after reset. */
struct hd_loop_rule {
  uint32_t epoch; /* cycles; 0: as it is */
  uint32_t band;  /* if `banded` */
  bool banded;
};

struct hd_loop_opts {
  const struct hd_cfg *cfg;
  struct hd_timeline *timeline; /* or NULL */
  struct hd_series *series;     /* or NULL; with `gpu` */
  struct hd_launches *launches; /* or NULL */
  struct hd_fills *fills;       /* or NULL */
  uint64_t max_cycles;          /* 0 = no limit */
  uint64_t patience;            /* cycles without a transfer before the run is STUCK, beyond those that TBs run */
  uint32_t take_every;          /* an SMX takes a TB in one cycle of this many; 1 = always ready */
  enum hd_skip skip;
  bool progress;                           /* a line on stderr now and then */
  const volatile int *stop;                /* not 0: end the run as HD_LIMIT; or NULL */
  const struct hd_launcher_opts *launcher; /* for a workload whose TBs launch; or NULL */
  const struct hd_gpu_opts *gpu;     /* SMXs that run the warps of the workload, which has some; NULL: TBs are timed */
  const struct hd_warps_opts *warps; /* with `gpu`: the plane's warp schedulers on them; or NULL */
  bool throttle;            /* with `gpu`: the plane throttles, and is told of the contention in its memory system */
  struct hd_loop_rule rule; /* with `throttle` */
  /* Told of each TB that an SMX takes, and of its end (r->dispatched tells when it began); or NULL. */
  void (*taken)(void *ctx, uint32_t smx, const struct hd_resident *r);
  void (*left)(void *ctx, uint64_t now, uint32_t smx, const struct hd_resident *r);
  void *watcher; /* their ctx */
};

/* Registers GROUP_SPILLS, GROUP_REFILLS and INVERSIONS: groups that went to memory since their bank was full, that came
 * back into it; TBs that were handed out while a higher level waited in memory. */
struct hd_loop_counters {
  uint64_t group_spills, group_refills, inversions;
};

/* What the dependency graph buffer did for a kernel with a graph. Registers GRAPH_PUB, GRAPH_EARLY and GRAPH_BIG:
 * updates of nodes that went to the PUB, that went to memory; nodes with more edges than the LEA takes. */
struct hd_loop_graph {
  uint64_t pub_updates, early_updates, big_nodes;
  uint32_t pub_most; /* rows of the PUB in use at once */
  uint64_t bytes;    /* of all beats that the plane read and wrote: with a graph that is its graph and descriptor */
};

/* With the throttle: n is how many SMXs are open. */
struct hd_loop_throttle {
  uint64_t closes, opens; /* n went down, n went up */
  uint64_t open_sum;      /* n, over all cycles */
  uint32_t least;         /* n */
  uint64_t bound;         /* TBs that closed SMXs took, being bound to them */
};

struct hd_loop_result {
  enum hd_verdict verdict;
  uint64_t skipped;       /* of the cycles, those that were passed over */
  uint64_t cycles;        /* from the first cycle to the one in which the last kernel was reported */
  uint64_t kernels, ctas; /* kernels of the host; all TBs */
  uint64_t refused;       /* launches that found their HWQ full and were repeated */
  double wait_mean;       /* from the launch being taken (of a child: offered) to the TB being taken, over all TBs */
  uint64_t wait_max;
  double occupancy[HD_MAX_NUM_SMX]; /* 0 to 1 */
  struct hd_launch_stats device;    /* with a launcher */
  struct hd_axi_counts memory;
  struct hd_gpu_counts gpu; /* of SMXs that run warps */
  struct hd_memsys_counts gpu_memory;
  struct hd_footprint_shares footprint;
  uint64_t starved; /* with warp schedulers: warps that issued since they had waited for WarpWait cycles */
  /* Of the warp schedulers, RTL and model: cycles compared, summed over the SMXs; whether they differed. */
  uint64_t warps_compared, warps_differ;
  struct hd_loop_throttle throttle;
  struct hd_loop_counters counters; /* what the plane itself has counted, read when the run has ended well */
  struct hd_loop_graph graph;       /* of a workload that has one; its counters likewise */
  char text[1024];                  /* what is wrong, for STUCK, LIMIT and ORACLE */
};

/* Runs the workload to its end on an open simulation of block "top". */
struct hd_loop_result hd_loop_run(struct hd_sim *sim, const struct hd_work *work, const struct hd_loop_opts *o);

#endif
