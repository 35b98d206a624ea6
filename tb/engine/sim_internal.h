/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sim_internal: declarations shared by the files of the engine (sim.c runs, compare.c compares, failure.c and
 * diagnose.c explain, shrink.c shortens, wave_model.c records waveforms). */
#ifndef HD_SIM_INTERNAL_H
#define HD_SIM_INTERNAL_H

#include <stdio.h>

#include "engine/block_driver.h"
#include "engine/fields.h"
#include "engine/rtl_api.h"
#include "engine/sim.h"

struct hd_wave_model;

struct hd_span {
  size_t offset, bytes;
};

struct hd_span_list {
  struct hd_span *span;
  unsigned n;
};

/* A table: the location of its rows in the arch structs. */
struct hd_rows {
  const struct hd_wrote *wrote; /* the row that the model wrote last */
  uint32_t times;               /* number of rows that the model had written at the last check */
  uint32_t group, count;
  size_t offset, stride;
};

struct hd_state_group {
  const void *raw_now; /* the model's state (block_driver.h: raw) */
  void *raw;           /* its copy at the last compare of the group; NULL: not known */
  size_t raw_bytes;
  struct hd_span_list state, table;
  unsigned tables, first_table; /* number of tables; index of the first in hd_sim.rows */
  bool known;                   /* last_arch holds the model's state at the last compare of the group */
};

struct hd_sim {
  struct hd_sim_opts o;
  const struct hd_block_driver *driver;
  const struct hd_field_table *table;
  struct hd_field_list list;
  struct hd_span_list outs, inner;
  struct hd_state_group *group;
  struct hd_rows *rows; /* tables of all groups */
  unsigned tables;
  void *lib;
  const struct hd_rtl_api *rtl;
  void *m;            /* the Verilated instance */
  FILE *rtl_log;      /* what the RTL prints; NULL if there is no RTL */
  unsigned rtl_lines; /* lines printed by the RTL in this run */
  void *model;
  void *last;                  /* data of hd_sim_is_idle() about the model */
  void *stepped, *stepped_out; /* reference model and outputs of hd_sim_skip(); or NULL */
  void *oracle;                /* or NULL */
  void *no_in;                 /* all-zero inputs, used to compare the inner outputs at the end */
  void *rtl_inner, *model_inner;
  void *rtl_out, *model_out, *rtl_arch, *model_arch, *last_arch;
  void *shown_arch; /* hd_sim_state(); or NULL */
  int32_t *written; /* per table: the row that the RTL wrote at the edge, or -1 */
  struct hd_record *record;
  uint64_t cycle, compared;
  enum hd_verdict verdict;
  uint64_t fail_cycle;
  struct hd_wave_model *overlaps; /* the open waveform; or NULL */
  bool model_leads;               /* the model has taken an edge that the RTL has not taken yet */
  bool after_reset;               /* after a reset: compare everything */
  enum hd_field_kind fail_in;     /* OUT, INNER or STATE */
  char rule[256];
};

/* compare.c: hd_compare_plan() runs once, after the model is created. The compare functions return true if RTL and
 * model differ. `everything` compares all registers and rows, whether or not they changed. */
void hd_compare_plan(struct hd_sim *s);
void hd_compare_free(struct hd_sim *s);
bool hd_compare_outputs(const struct hd_sim *s);
bool hd_compare_inner(struct hd_sim *s);
bool hd_compare_state(struct hd_sim *s, bool everything);

/* Let the RTL settle, or take the rising edge, with the current inputs. Messages of its assertions go to stderr with
 * the cycle number: stdout is for results. */
void hd_rtl_settle(const struct hd_sim *s);
void hd_rtl_edge(const struct hd_sim *s);

/* failure.c: calls fn for each differing value of the failed compare (element i of instance j of a field), at most max
 * times. Returns the number of differing values found. */
typedef void hd_difference(struct hd_sim *s, const struct hd_field *f, unsigned i, unsigned j, void *ctx);
unsigned hd_sim_differences(struct hd_sim *s, hd_difference *fn, void *ctx, unsigned max);

/* Sets the verdict HD_STUCK. `what` names the overdue work in the report. */
void hd_sim_stuck(struct hd_sim *s, const char *what);

/* Runs the RTL for n more cycles after the end of a run, so that the waveform does not stop at the failure. All inputs
 * are 0: holding those of the last cycle would be illegal (a held grant would fill an SMX). The model does not run. */
void hd_sim_run_on(struct hd_sim *s, unsigned n);

#endif
