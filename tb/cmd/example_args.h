/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* example: parts that the examples of `heddle example` share: command line, simulation and verdict, output files. */
#ifndef HD_EXAMPLE_ARGS_H
#define HD_EXAMPLE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/run_args.h"
#include "engine/sim.h"

struct hd_example_args {
  const char *example;
  bool one; /* --policy was given: run only this policy */
  struct hd_json_to json;
  enum hd_policy policy;
  enum hd_engine engine;
  const char *wave;
  const char *against; /* hidden: the paper's other policy, or step, with which to compare; NULL */
};

/* The result of a run. */
struct hd_example_result {
  enum hd_verdict verdict;
  uint64_t compared; /* cycles */
  char text[1200];   /* what is wrong */
};

/* Runs an example on the block and compares the engines. play() returns its own verdict and, if that is not PASS, a
 * reason in `text` (size bytes). The waveform of args->wave is either complete, with a view next to it, or absent.
 * Returns false after a line on stderr if the example could not run. */
bool hd_example_play(const struct hd_example_args *a, const char *block, const struct hd_cfg *cfg, const char *test,
                     enum hd_verdict (*play)(struct hd_sim *sim, void *ctx, char *text, size_t size), void *ctx,
                     struct hd_example_result *r);

/* Prints how many cycles were compared. */
void hd_example_print_compared(const struct hd_example_args *a, uint64_t cycles, enum hd_verdict verdict);

/* The examples; they return the exit code. */
int hd_example_laperm(const struct hd_example_args *a);
int hd_example_wireframe(const struct hd_example_args *a);
int hd_example_channels(const struct hd_example_args *a);

#endif
