/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* run_args: the command line of `heddle run`. */
#ifndef HD_RUN_ARGS_H
#define HD_RUN_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/gpu_args.h"
#include "cmd/options.h"
#include "cmd/rounds_args.h"
#include "cmd/tiles_args.h"
#include "engine/sim.h"
#include "sim/loop.h"
#include "work/kernels.h"

struct hd_run_args {
  const char *input, *trace, *only, *timeline, *kernels, *page, *wave, *report;
  struct hd_json_to json;
  bool quiet;
  bool named; /* the workload was given */
  const char *workload, *launch, *policy;
  bool device;                          /* TBs launch: cdp or dtbl */
  const struct hd_tiles_kind *kind;     /* of a tiled workload; or NULL */
  const struct hd_kernels_kind *kernel; /* of a stand-in for a kernel; or NULL */
  struct hd_rounds_args rounds;
  struct hd_tiles_args tiles;
  struct hd_gpu_args gpu;
  uint32_t given;       /* set of the options given: hd_run_has_option() */
  const char *of_timer; /* the last option given that sets how long a timer holds a TB, or NULL */
  enum hd_engine engine;
  enum hd_skip skip;
  struct hd_config_args config;
  uint32_t block_size, overhead, cycles_per_edge, jitter, smem, take_every, fault;
  uint32_t pending, memory_latency, context_cycles;
  uint32_t spill;          /* only with the option */
  bool spin;               /* TBs that wait for their children */
  bool ideal;              /* launches from the device take no time */
  int64_t regs;            /* per thread; -1: as many as still fill an SMX with threads */
  uint64_t launch_latency; /* for kernels whose trace gives none */
  uint64_t seed, max_cycles, patience, wave_cycles;
  uint32_t longest; /* number of longest-waiting launches in the report */
};

/* Exits with HD_CONFIG and one line on stderr when an argument is not accepted. */
void hd_run_args_parse(struct hd_run_args *a, int argc, char **argv);

/* Derives the values that depend on several options. Exits in the same way if options contradict each other. */
void hd_run_args_check(const struct argp_state *state, struct hd_run_args *a);

/* Returns true if this option was on the command line. Covers options of `heddle run` itself, not those of a kind of
 * workload or SMX. */
bool hd_run_has_option(const struct hd_run_args *a, const char *option);

const char *hd_engine_name(enum hd_engine e);
const char *hd_policy_name(enum hd_policy p);

/* Parse the values of --engine and --policy. Exit in the same way if the name is unknown. */
enum hd_engine hd_engine_arg(const struct argp_state *state, const char *arg);
enum hd_policy hd_policy_arg(const struct argp_state *state, const char *arg);

/* Returns the policy of this name. Requires a name that hd_policy_arg() accepts. */
enum hd_policy hd_run_policy(const char *name);

#endif
