/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles_args: what `heddle run` is told of the tiled workloads alone. */
#ifndef HD_TILES_ARGS_H
#define HD_TILES_ARGS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "work/tiles.h"

/* Their names, as messages have them. */
#define HD_TILES_NAMES "dtw heat2d hist intimg sor sw"

struct hd_tiles_args {
  uint32_t nodes;
  uint32_t size, sweeps, bins; /* 0: the workload's own */
  uint32_t cycles_per_step, uneven, host_latency;
  enum hd_deplinks_policy order;
  uint32_t bound;
  bool ordered; /* one of the last two is given */
  uint64_t data_seed;
  const char *input[2];
  unsigned inputs;
  const char *given;    /* the last of these options, or NULL */
  const char *of_timer; /* the last that says how long a timer holds a TB, or NULL */
};

/* The options. Its input is a struct hd_tiles_args, which it sets to the defaults first. */
extern const struct argp hd_tiles_argp;

/* Fills in what the workload has of its own, and refuses what does not go with it. */
void hd_tiles_args_done(struct hd_tiles_args *a, const struct hd_tiles_kind *kind, const struct argp_state *state);

#endif
