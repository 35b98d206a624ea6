/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* example: what the examples of `heddle example` share: the command line, a simulation that is run and judged, and what
 * is left behind. */
#ifndef HD_EXAMPLE_ARGS_H
#define HD_EXAMPLE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/run_args.h"
#include "engine/sim.h"

struct hd_example_args {
  const char *example;
  bool one; /* one policy */
  struct hd_json_to json;
  enum hd_policy policy;
  enum hd_engine engine;
  const char *wave;
  const char *against; /* hidden: the paper's other policy, or step, with which to compare; NULL */
};

/* What came of a run. */
struct hd_example_result {
  enum hd_verdict verdict;
  uint64_t compared; /* cycles */
  char text[1200];   /* what is wrong */
};

/* Runs an example on the block, and judges the engines: play() returns the verdict of what it saw, with `text` (of
 * size bytes) if that is not PASS. A waveform of args->wave is there whole or not at all, its view beside it. False,
 * and a line on stderr: it could not be run. */
bool hd_example_play(const struct hd_example_args *a, const char *block, const struct hd_cfg *cfg, const char *test,
                     enum hd_verdict (*play)(struct hd_sim *sim, void *ctx, char *text, size_t size), void *ctx,
                     struct hd_example_result *r);

/* The line that tells how many cycles were compared. */
void hd_example_print_compared(const struct hd_example_args *a, uint64_t cycles, enum hd_verdict verdict);

/* The examples; they return the exit code. */
int hd_example_laperm(const struct hd_example_args *a);
int hd_example_wireframe(const struct hd_example_args *a);
int hd_example_channels(const struct hd_example_args *a);

#endif
