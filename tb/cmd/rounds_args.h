/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rounds_args: options of `heddle run` for workloads in rounds only. */
#ifndef HD_ROUNDS_ARGS_H
#define HD_ROUNDS_ARGS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "graph/read.h"
#include "work/rounds.h"

struct hd_rounds_args {
  const struct hd_rounds_kind *kind; /* NULL: not a workload in rounds */
  uint32_t sources;                  /* problems at once */
  uint32_t threshold, child_size;
  bool sync;                /* TBs wait for the kernels that they launched */
  bool together;            /* threads of a warp walk an item together */
  struct hd_read_opts read; /* of a graph */
  struct hd_rounds_made made;
  const char *pattern;     /* or NULL */
  const char *given;       /* the last of these options, or NULL */
  const char *of_children; /* .. the last about launches from TBs */
  const char *of_graph;    /* .. the last about graphs */
  const char *of_made;     /* .. the last about generated data */
};

/* The options. The parser's input is a struct hd_rounds_args, which it first sets to the defaults. */
extern const struct argp hd_rounds_argp;

/* Selects the workload of this name if it runs in rounds, and refuses options that do not apply to it. */
void hd_rounds_args_done(struct hd_rounds_args *a, const char *workload, bool input, const struct argp_state *state);

#endif
