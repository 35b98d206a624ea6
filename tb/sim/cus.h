/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cus: CUs that run a graph of channels cycle by cycle, with an apu.
 *
 *   apu: go ------> slots of the CUs: kernels of the graph (api/channels.h), timed by costs (cost.h)
 *        op, end <---'   |   SIMDs, a load/store unit for each CU
 *        AXI4 --> [L2] <-+-- L1s: the SMX array's memory system (gpu/memsys.h)
 *
 * A kernel's results are computed when it is called; other wavefronts see them when they are published, which is timed.
 * Elements are at the places that the apu returns, in the order of the control arrays in the memory behind it. */
#ifndef HD_CUS_H
#define HD_CUS_H

#include "api/channels.h"
#include "engine/sim.h"
#include "gpu/memsys.h"
#include "sim/cost.h"

struct hd_cus_opts {
  enum hd_engine engine;
  bool padded;      /* no two elements share a line */
  bool per_lane;    /* each lane reserves, publishes and frees separately */
  uint32_t context; /* bytes saved by a wavefront that yields */
};

struct hd_cus_result {
  uint64_t cycles;
  uint64_t wave_cycles; /* cycles of all wavefronts from begin to end, except those in which they wait */
  /* CU cycles in which a wavefront could be dispatched, but the apu dispatches none: CUs with a free slot; CUs on which
   * nothing runs. A full wavefront counts from the cycle in which its producers offer to publish; a partial one once no
   * producer of its channel has a slot. */
  uint64_t blocked, idle;
  uint64_t empty;                     /* CU cycles without a running wavefront */
  uint64_t instructions, issue_slots; /* of the SIMDs */
  uint64_t ops;                       /* operations on channels */
  uint64_t compared; /* cycles in which RTL and golden model of the apu were compared; 0: only one engine ran */
  struct hd_memsys_counts memory;
};

/* Executes a graph that has the host's input. `cost` is the one that its kernels report to. On failure err holds one
 * line. */
enum hd_verdict hd_cus_execute(struct hd_channels *g, const struct hd_cfg *cfg, const struct hd_cus_opts *o,
                               struct hd_cost *cost, struct hd_cus_result *r, char *err, size_t err_size);

/* Returns the memory of the channels paper's table 2. */
struct hd_memsys_opts hd_cus_memory(void);

#endif
