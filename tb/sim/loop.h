/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* loop: the plane in a closed loop: a workload launches kernels, the SMX array runs the TBs that the plane dispatches.
 *
 *   workload --launches--> plane --TBs--> SMX array --completions--> plane --kernel_done--> workload
 *                            ^--- launches of TBs, with the memory behind the plane: launcher.h
 *
 * The SMX array holds a TB for the cycles that the workload gives (array.h), or until its warps have run (gpu.h).
 *
 * The loop acts as the host's driver: it keeps the kernels of one HWQ in order, identifies launches by tags, and
 * retries a launch that was refused for a full queue after a completion on that HWQ. A launch whose HWQ might be full
 * is offered only after the HWQ's earlier launches have been answered, so none can overtake another.
 *
 * It checks the plane while it drives it. The run ends with HD_ORACLE if a TB is dispatched twice, belongs to no known
 * kernel or goes to an occupied slot, if a kernel is reported that was never launched or whose last TB has not ended,
 * or if a legal launch is refused for a wrong reason; with HD_STUCK if nothing moves though something should. */
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

/* Idle cycles of the model alone: skipped; simulated one by one; or both, with the states compared bit for bit. */
enum hd_skip { HD_SKIP, HD_SKIP_NEVER, HD_SKIP_CHECKED };

/* Parameters of the throttle that differ from the plane's reset values. */
struct hd_loop_rule {
  uint32_t epoch; /* cycles; 0: the reset value */
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
  uint64_t patience;   /* cycles without a transfer before the run is STUCK, in addition to those of running TBs */
  uint32_t take_every; /* an SMX accepts a TB in one cycle of this many; 1 = always ready */
  enum hd_skip skip;
  bool progress;                           /* print a progress line on stderr now and then */
  const volatile int *stop;                /* not 0: end the run as HD_LIMIT; or NULL */
  const struct hd_launcher_opts *launcher; /* for a workload whose TBs launch; or NULL */
  const struct hd_gpu_opts *gpu;     /* SMXs that run the workload's warps, which it must have; NULL: TBs are timed */
  const struct hd_warps_opts *warps; /* with `gpu`: the plane's warp schedulers on the SMXs; or NULL */
  bool throttle;            /* with `gpu`: the plane throttles, and receives the contention of the memory system */
  struct hd_loop_rule rule; /* with `throttle` */
  /* Called for each TB that an SMX takes, and at its end (r->dispatched is its begin); or NULL. */
  void (*taken)(void *ctx, uint32_t smx, const struct hd_resident *r);
  void (*left)(void *ctx, uint64_t now, uint32_t smx, const struct hd_resident *r);
  void *watcher; /* their ctx */
};

/* Registers GROUP_SPILLS, GROUP_REFILLS and INVERSIONS: groups written to memory because their bank was full; groups
 * read back into it; TBs handed out while a group that should have gone first waited in memory. */
struct hd_loop_counters {
  uint64_t group_spills, group_refills, inversions;
};

/* Activity of the dependency graph buffer for a kernel with a graph. Registers GRAPH_PUB, GRAPH_EARLY and GRAPH_BIG:
 * updates of nodes that went to the PUB; that went to memory; nodes with more edges than the LEA holds. */
struct hd_loop_graph {
  uint64_t pub_updates, early_updates, big_nodes;
  uint32_t pub_most; /* maximum of PUB rows in use */
  uint64_t
      bytes; /* bytes of all beats that the plane read and wrote: with a graph, those of the graph and its descriptor */
};

/* With the throttle: n is the number of open SMXs. */
struct hd_loop_throttle {
  uint64_t closes, opens; /* cycles in which n decreased; increased */
  uint64_t open_sum;      /* n summed over all cycles */
  uint32_t least;         /* minimum of n */
  uint64_t bound;         /* TBs that closed SMXs took because they are bound to them */
};

struct hd_loop_result {
  enum hd_verdict verdict;
  uint64_t skipped;       /* cycles of these that were skipped */
  uint64_t cycles;        /* from the first cycle to the report of the last kernel */
  uint64_t kernels, ctas; /* kernels of the host; all TBs */
  uint64_t refused;       /* launches that found their HWQ full and were retried */
  double wait_mean; /* cycles from acceptance of the launch (child: its offer) to the TB's start, mean over all TBs */
  uint64_t wait_max;
  double occupancy[HD_MAX_NUM_SMX]; /* 0 to 1 */
  struct hd_launch_stats device;    /* with a launcher */
  struct hd_axi_counts memory;
  struct hd_gpu_counts gpu; /* of SMXs that run warps */
  struct hd_memsys_counts gpu_memory;
  struct hd_footprint_shares footprint;
  uint64_t starved; /* with warp schedulers: warps issued because they had waited for WarpWait cycles */
  /* Warp schedulers, RTL and model: cycles compared, summed over the SMXs; 1 if they ever differed. */
  uint64_t warps_compared, warps_differ;
  struct hd_loop_throttle throttle;
  struct hd_loop_counters counters; /* the plane's own counters, read after a run that passed */
  struct hd_loop_graph graph;       /* for a workload with a graph; its counters are read then, too */
  char text[1024];                  /* reason of STUCK, LIMIT and ORACLE */
};

/* Runs the workload to its end on an open simulation of block "top". */
struct hd_loop_result hd_loop_run(struct hd_sim *sim, const struct hd_work *work, const struct hd_loop_opts *o);

#endif
