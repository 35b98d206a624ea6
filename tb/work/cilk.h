/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cilk: Cilk programs on channels, translated as in the paper (channels-isca2014 sections 5 and 7): a stack of channels
 * for spawned tasks, a levelized stack for continuations after a sync. Each answer is compared with that of a plain
 * program. They run untimed (api/channels.h), or on CUs (sim/cus.h). */
#ifndef HD_CILK_H
#define HD_CILK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/channels.h"
#include "sim/cus.h"

struct hd_cilk_opts {
  const struct hd_cfg *cfg;
  uint32_t size, width;
  bool timed;
  struct hd_cus_opts cus; /* if timed */
  struct hd_cost *cost;   /* if timed; otherwise NULL */
};

struct hd_cilk_run {
  uint64_t answer, plain; /* results of the channel program and of the plain program */
  bool right;             /* all values that they computed agree */
  struct hd_channels_counts all, spawned, joined;
  enum hd_verdict verdict;  /* HD_CONFIG: the run was refused */
  struct hd_cus_result cus; /* if timed */
};

struct hd_cilk_program {
  const char *name, *what;
  uint32_t size, least, most; /* the paper's size; the accepted range */
  uint32_t width;             /* elements per channel, in the paper */
  uint32_t paper;             /* wavefronts dispatched, in the paper */
  uint32_t context;           /* bytes of a wavefront's context, in the paper */
  /* Requires `size` from least to most. Returns false with one line in err. */
  bool (*run)(const struct hd_cilk_opts *o, struct hd_cilk_run *r, char *err, size_t err_size);
};

extern const struct hd_cilk_program hd_cilk_fib, hd_cilk_queens, hd_cilk_sort, hd_cilk_multiply;

/* Returns the program of that name, or NULL. */
const struct hd_cilk_program *hd_cilk_program(const char *name);

/* The set of channel nodes that contains `node` alone; empty if it is negative. */
#define HD_CILK_NODE(node) ((node) >= 0 ? UINT64_C(1) << (node) : 0)

/* Executes the graph, fills in the counts of all channels and of two sets of channel nodes, and frees the graph. */
bool hd_cilk_finish(struct hd_channels *g, uint64_t spawned, uint64_t joined, const struct hd_cilk_opts *o,
                    struct hd_cilk_run *r, char *err, size_t err_size);

#endif
