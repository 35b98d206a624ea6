/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* equiv: lockstep of one block under random inputs. */
#ifndef HD_EQUIV_H
#define HD_EQUIV_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sim.h"

enum { HD_MAX_COVERS = 96 };

struct hd_equiv_opts {
  const char *block;
  const char *variant;   /* as in hd_sim_opts */
  enum hd_engine engine; /* default: both; the oracle always checks */
  struct hd_cfg cfg;
  uint64_t seed;
  uint64_t cycles;
  unsigned fault;
  const char *profile;  /* name of a profile of equiv.c; NULL: several, changed every 100 to 1600 cycles */
  bool no_reset;        /* false: a reset (or a drain) every 500 to 20500 cycles, often with work in flight */
  const char *wave;     /* FST file to write, or NULL */
  const char *coverage; /* file for the coverage data of the variant "cov", or NULL */
  const char *vectors;  /* file for all inputs and outputs (vectors.h), or NULL; written only on success */
  uint64_t init_seed;   /* for the initial values of unreset flops; 0: equal to seed */
  const char *test;
  const char *out_dir;      /* NULL: a failure leaves no files */
  double shrink;            /* seconds to spend on shortening a failure */
  FILE *report;             /* receives the explanation of a failure; NULL: none */
  bool progress;            /* prints a line on stderr from time to time */
  const volatile int *stop; /* not 0: end the run as HD_LIMIT; or NULL */
};

struct hd_equiv_result {
  enum hd_verdict verdict;
  uint64_t cycles; /* compared */
  uint64_t events; /* transfers seen */
  unsigned covers_hit, covers_total;
  uint64_t hits[HD_MAX_COVERS]; /* by cover point */
  const char *const *covers;
  struct hd_failure failure;
  char replay[600];        /* file that repeats the failure, or empty */
  unsigned resets, drains; /* drains: resets before which all work in flight had completed */
  char error[256];         /* for HD_CONFIG */
};

struct hd_equiv_result hd_equiv(const struct hd_equiv_opts *o);

/* Returns HD_SEED of the environment if set, otherwise `fallback`. */
uint64_t hd_seed(uint64_t fallback);

#endif
