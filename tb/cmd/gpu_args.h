/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* gpu_args: what `heddle run` is told of SMXs that run warps. */
#ifndef HD_GPU_ARGS_H
#define HD_GPU_ARGS_H

#include <argp.h>
#include <cjson/cJSON.h>
#include <stdbool.h>

#include "gpu/gpu.h"

struct hd_gpu_args {
  bool on; /* --smx gpu */
  struct hd_gpu_opts opts;
  const char *series;    /* a file, or NULL */
  uint64_t series_every; /* 0: not given */
  const char *given;     /* the last of the options about such SMXs, or NULL */
};

/* The options. Its input is a struct hd_gpu_args, which it sets to the defaults first. */
extern const struct argp hd_gpu_argp;

/* All sizes, under the names of their options with _ for -. */
void hd_gpu_args_json(const struct hd_gpu_opts *o, cJSON *to);

#endif
