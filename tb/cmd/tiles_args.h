/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles_args: options of `heddle run` for tiled workloads only. */
#ifndef HD_TILES_ARGS_H
#define HD_TILES_ARGS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "work/tiles.h"

/* Names of the workloads, for messages. */
#define HD_TILES_NAMES "dtw heat2d hist intimg sor sw"

struct hd_tiles_args {
  uint32_t nodes;
  uint32_t size, sweeps, bins; /* 0: the workload's own */
  uint32_t cycles_per_step, uneven, host_latency;
  enum hd_deplinks_policy order;
  uint32_t bound;
  bool ordered; /* --order or --bound is given */
  uint64_t data_seed;
  const char *input[2];
  unsigned inputs;
  const char *given;    /* the last of these options, or NULL */
  const char *of_timer; /* the last that says how long a timer holds a TB, or NULL */
};

/* The options. The parser's input is a struct hd_tiles_args, which it first sets to the defaults. */
extern const struct argp hd_tiles_argp;

/* Sets the workload's defaults and refuses options that do not apply to it. */
void hd_tiles_args_done(struct hd_tiles_args *a, const struct hd_tiles_kind *kind, const struct argp_state *state);

#endif
