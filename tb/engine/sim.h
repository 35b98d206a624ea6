/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sim: simulates one block as RTL, as golden model, or both in lockstep.
 *
 * A simulation is opened once, then driven a cycle at a time:
 *
 *     struct hd_sim *s = hd_sim_open(&opts, err, sizeof err);
 *     while (more) {
 *       ... fill in (a struct hd_<block>_in) from the outputs of earlier cycles ...
 *       enum hd_verdict v = hd_sim_cycle(s, &in, &out);   // out: this cycle's outputs under these inputs
 *       ... a transfer took place where valid and ready of (in, out) are both 1 ...
 *     }
 *     hd_sim_close(s);
 *
 * Order of events within hd_sim_cycle: inputs are applied to both sides, combinational logic settles, all outputs are
 * compared (those of inner blocks every `inner_every` cycles), the block's oracle checks (in, out), both sides
 * take the rising clock edge, and the architectural state is compared: registers in every cycle, a row of a table when
 * either side has written it, and tables as a whole every `table_every` cycles. The first difference ends the run: the
 * verdict is HD_MISMATCH from then on, and hd_sim_failure() returns the details. */
#ifndef HD_SIM_H
#define HD_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/hd_types.h"

enum hd_engine { HD_ENGINE_RTL = 1, HD_ENGINE_MODEL = 2, HD_ENGINE_BOTH = 3 };

/* How a run ended; also the exit code of the commands and the last word that they print. */
enum hd_verdict {
  HD_PASS = 0,     /* no difference, no failed assertion, oracle silent */
  HD_MISMATCH = 1, /* RTL and model differ */
  HD_CONFIG = 2,   /* bad usage, input or configuration: nothing was run */
  HD_ASSERT = 3,   /* an assertion in the RTL failed */
  HD_ORACLE = 4,   /* both sides agree, but break a rule */
  HD_STUCK = 5,    /* no progress for longer than the watchdog allows */
  HD_LIMIT = 6,    /* the cycle limit was reached first */
  HD_INTERNAL = 7  /* a fault of the harness itself */
};

struct hd_sim_opts {
  const char *block;     /* stem: "top", "kmu", .. */
  const char *variant;   /* build of the RTL: NULL = "rtl", or "fast", "netlist", "mapped", "cov", "fault" */
  struct hd_cfg cfg;     /* from hd_cfg_find() */
  enum hd_engine engine; /* default HD_ENGINE_BOTH */
  uint64_t seed;         /* for the random initial values of unreset flops; printed in reports */
  const char *test;      /* name shown in reports */
  const char *wave;      /* FST file to write, or NULL */
  bool waves;            /* use the build that can record waveforms even if `wave` is NULL */
  uint64_t wave_cycles;  /* number of cycles to record, from the start; 0 = all */
  const char *out_dir;   /* folder for replay and waveform of a failure, or NULL for none */
  unsigned table_every;  /* cycles between compares of whole tables; 0 = 256 */
  unsigned inner_every;  /* cycles between compares of the outputs of inner blocks; 0 = 1 up to 4 SMXs, else 8 */
  unsigned fault;        /* planted fault to switch on (variant "fault"), 0 = none */
  bool record;           /* keep all inputs, so that a failure can be replayed and shrunk */
  bool oracle;           /* run the block's oracle also with one side alone; in lockstep it always runs */
};

struct hd_sim;
struct hd_field;

/* Opens a simulation in the state after reset. Returns NULL on failure; err then says what is wrong and what to do. */
struct hd_sim *hd_sim_open(const struct hd_sim_opts *o, char *err, size_t err_size);
void hd_sim_close(struct hd_sim *s);

/* One clock cycle. *out is valid until the next call (a struct hd_<block>_out; RTL's when both run: they are equal). */
enum hd_verdict hd_sim_cycle(struct hd_sim *s, const void *in, const void **out);

/* Requires HD_ENGINE_MODEL and a call after each of at least two cycles with the same inputs. Returns true if the last
 * cycle changed nothing but counters of cycles; then later cycles change nothing else either until an input changes.
 * Returns false for blocks without this check. */
bool hd_sim_is_idle(struct hd_sim *s);

/* Requires that hd_sim_is_idle() has just returned true. Advances n cycles at once with the inputs `in` of the last
 * cycle. `check` also runs them one by one; returns false if the two results differ in any bit. */
bool hd_sim_skip(struct hd_sim *s, const void *in, uint64_t n, bool check);

/* Holds reset for n cycles (n >= 1) and leaves both sides in the state after reset. */
void hd_sim_reset(struct hd_sim *s, unsigned n);

/* Returns the simulation to cycle 0 in the state after reset, and clears verdict and record. */
void hd_sim_restart(struct hd_sim *s);

/* Compares all state once more and returns the verdict of the run. */
enum hd_verdict hd_sim_finish(struct hd_sim *s);

/* Returns the present state as a struct hd_<block>_arch without the rows of its RAMs; the RTL's if it runs, otherwise
 * the model's. Valid until the next call. Returns NULL for a netlist. */
const void *hd_sim_state(struct hd_sim *s);

/* The same for only the part that contains the named state item ("dgb.pub"): sim speed, for use in every cycle. */
unsigned hd_sim_part(const struct hd_sim *s, const char *name);
const void *hd_sim_part_state(struct hd_sim *s, unsigned part);

/* Stores in `out` the model's outputs in its present state under the inputs `in`: for clients that depend on them. */
void hd_sim_now(struct hd_sim *s, const void *in, void *out);

/* Returns true if the block's oracle has seen all work complete and has checked the rules that apply at the end. */
bool hd_sim_over(const struct hd_sim *s);

/* The first failure. For a mismatch: the first differing field with its values, and the names of all that differ. */
struct hd_failure {
  enum hd_verdict verdict;
  uint64_t cycle;
  bool in_state;                /* found in the state after the edge of that cycle, not in an output */
  const struct hd_field *field; /* NULL unless a mismatch */
  char label[256];              /* field with index; for HD_ORACLE the broken rule, for HD_STUCK the overdue work */
  char expected[64], actual[64];
  char all[512]; /* names of the differing fields, without indices */
};
struct hd_failure hd_sim_failure(struct hd_sim *s);

/* Prints the differing fields as a table with columns for RTL and model. */
void hd_sim_print_diff(struct hd_sim *s, FILE *f);

const char *hd_verdict_name(enum hd_verdict v);

uint64_t hd_sim_cycles(const struct hd_sim *s);   /* cycles since opening, without reset cycles */
uint64_t hd_sim_compared(const struct hd_sim *s); /* cycles in which both sides were compared */

#endif
