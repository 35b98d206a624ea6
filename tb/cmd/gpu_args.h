/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* gpu_args: options of `heddle run` for SMXs that run warps. */
#ifndef HD_GPU_ARGS_H
#define HD_GPU_ARGS_H

#include <argp.h>
#include <cjson/cJSON.h>
#include <stdbool.h>

#include "gpu/gpu.h"
#include "sim/loop.h"
#include "sim/warps.h"

struct hd_gpu_args {
  bool on; /* --smx gpu */
  struct hd_gpu_opts opts;
  const char *series;    /* a file, or NULL */
  uint64_t series_every; /* 0: not given */
  const char *warp;      /* policy of the plane's warp schedulers; NULL: the SMXs' own schedulers */
  struct hd_warps_opts warps;
  bool throttle;
  struct hd_loop_rule rule; /* of the throttle */
  const char *of_throttle;  /* the last option given about the throttle, or NULL */
  uint32_t schedulers;      /* 0: not given */
  const char *of_warp;      /* the last option given that needs --warp, or NULL */
  const char *of_unit;      /* the last option given about instructions that only a trace has, or NULL */
  const char *given;        /* the last option given about SMXs that run warps, or NULL */
};

/* The options. The parser's input is a struct hd_gpu_args, which it first sets to the defaults. */
extern const struct argp hd_gpu_argp;

/* Refuses options that contradict each other and derives the dependent values. */
void hd_gpu_args_done(struct hd_gpu_args *a, const struct argp_state *state);

/* All sizes, under the names of their options with _ for -. */
void hd_gpu_args_json(const struct hd_gpu_opts *o, cJSON *to);

#endif
