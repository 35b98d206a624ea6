/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cilk: Cilk programs on channels (channels-isca2014 sections 5 and 7), translated as it has them: a stack of
 * channels for what is spawned, a levelized stack for what goes on after a sync. Each answer is compared with that of a
 * plain program. They run without time (api/channels.h), or on CUs (sim/cus.h). */
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
  struct hd_cus_opts cus; /* if it is */
  struct hd_cost *cost;   /* if it is; else NULL */
};

struct hd_cilk_run {
  uint64_t answer, plain; /* what the two programs found */
  bool right;             /* they agree, in all that they computed */
  struct hd_channels_counts all, spawned, joined;
  enum hd_verdict verdict;  /* HD_CONFIG: it was refused */
  struct hd_cus_result cus; /* if it was timed */
};

struct hd_cilk_program {
  const char *name, *what;
  uint32_t size, least, most; /* that of the paper; those that are accepted */
  uint32_t width;             /* of a channel, in the paper */
  uint32_t paper;             /* wavefronts dispatched, in the paper */
  uint32_t context;           /* bytes of a wavefront's, in the paper */
  /* False: err holds one line. `size` is from least to most. */
  bool (*run)(const struct hd_cilk_opts *o, struct hd_cilk_run *r, char *err, size_t err_size);
};

extern const struct hd_cilk_program hd_cilk_fib, hd_cilk_queens, hd_cilk_sort, hd_cilk_multiply;

/* A program by its name; NULL: there is none. */
const struct hd_cilk_program *hd_cilk_program(const char *name);

/* A node in a set of them. */
#define HD_CILK_NODE(node) ((node) >= 0 ? UINT64_C(1) << (node) : 0)

/* Executes, fills in the counts of all, and of two sets of channel nodes, and gives the graph back. */
bool hd_cilk_finish(struct hd_channels *g, uint64_t spawned, uint64_t joined, const struct hd_cilk_opts *o,
                    struct hd_cilk_run *r, char *err, size_t err_size);

#endif
