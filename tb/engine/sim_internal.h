/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sim_internal: what the parts of the engine share (sim.c runs, compare.c compares, failure.c and diagnose.c explain,
 * shrink.c shortens, beside.c records). */
#ifndef HD_SIM_INTERNAL_H
#define HD_SIM_INTERNAL_H

#include <stdio.h>

#include "engine/fields.h"
#include "engine/rtl_api.h"
#include "engine/sim.h"
#include "engine/twin.h"

struct hd_beside;

struct hd_span {
  size_t offset, bytes;
};

struct hd_span_list {
  struct hd_span *span;
  unsigned n;
};

/* A table: its rows in the arch structs. */
struct hd_rows {
  const struct hd_wrote *wrote; /* what the model wrote last */
  uint32_t times;               /* how many rows it had written when it was last looked at */
  uint32_t group, count;
  size_t offset, stride;
};

struct hd_state_group {
  const void *raw_now; /* the model's state (twin.h: raw) .. */
  void *raw;           /* .. and what it was when the group was last compared; NULL: not known */
  size_t raw_bytes;
  struct hd_span_list state, table;
  unsigned tables, first_table; /* how many, and which of the plane's the first is */
  bool known;                   /* last_arch holds the model's state as it was when the group was last compared */
};

struct hd_sim {
  struct hd_sim_opts o;
  const struct hd_twin *twin;
  const struct hd_field_table *table;
  struct hd_field_list list;
  struct hd_span_list outs, inner;
  struct hd_state_group *group;
  struct hd_rows *rows; /* tables of all groups */
  unsigned tables;
  void *lib;
  const struct hd_rtl_api *rtl;
  void *m;       /* the Verilated instance */
  FILE *said;    /* what it prints; NULL without it */
  unsigned told; /* lines of that, in this run */
  void *model;
  void *last;                  /* what hd_sim_still() keeps of it */
  void *stepped, *stepped_out; /* what hd_sim_skip() compares it with; or NULL */
  void *oracle;                /* or NULL */
  void *no_in;                 /* inputs that are all 0: under these the outputs inside are compared at the end */
  void *rtl_inner, *model_inner;
  void *rtl_out, *model_out, *rtl_arch, *model_arch, *last_arch;
  void *shown_arch; /* hd_sim_state(); or NULL */
  int32_t *written; /* of each table: the row that the RTL wrote at the edge, or -1 */
  struct hd_record *record;
  uint64_t cycle, compared;
  enum hd_verdict verdict;
  uint64_t fail_cycle;
  struct hd_beside *beside;   /* of a waveform that is open; or NULL */
  bool ahead;                 /* the model has taken an edge that the RTL has not yet */
  bool fresh;                 /* after a reset: compare everything */
  enum hd_field_kind fail_in; /* OUT, INNER or STATE */
  char rule[256];
};

/* compare.c: what is compared is planned once, when the simulation is opened and has its model; each compare tells
 * whether RTL and model differ. `everything`: all registers and all rows, whether or not they changed. */
void hd_compare_plan(struct hd_sim *s);
void hd_compare_free(struct hd_sim *s);
bool hd_compare_outputs(const struct hd_sim *s);
bool hd_compare_inner(struct hd_sim *s);
bool hd_compare_state(struct hd_sim *s, bool everything);

/* The RTL settles, or takes the rising edge, under the inputs set. What its assertions say meanwhile goes to stderr,
 * with the cycle: stdout is for results. */
void hd_rtl_settle(const struct hd_sim *s);
void hd_rtl_edge(const struct hd_sim *s);

/* failure.c: calls fn for each number that differs in what failed, element i of instance j of a field; stops after max.
 * How many there were. */
typedef void hd_difference(struct hd_sim *s, const struct hd_field *f, unsigned i, unsigned j, void *ctx);
unsigned hd_sim_differences(struct hd_sim *s, hd_difference *fn, void *ctx, unsigned max);

/* What the block should have got on with long ago, as the client knows: the run is HD_STUCK from now on. */
void hd_sim_stuck(struct hd_sim *s, const char *what);

/* After the run has ended: n more cycles of the RTL, so that a waveform does not end with it, without inputs: those of
 * the last cycle, held, are none that a block may be given (a grant would fill an SMX), so the model stays as it is. */
void hd_sim_run_on(struct hd_sim *s, unsigned n);

#endif
