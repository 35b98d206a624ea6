/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sim_internal: what the parts of the engine share (sim.c runs, diagnose.c explains, shrink.c shortens). */
#ifndef HD_SIM_INTERNAL_H
#define HD_SIM_INTERNAL_H

#include "fields.h"
#include "rtl_api.h"
#include "sim.h"
#include "twin.h"

struct hd_span {
  size_t offset, bytes;
  unsigned group;
};

struct hd_span_list {
  struct hd_span *span;
  unsigned n;
};

enum { HD_RAW = 2048 };

struct hd_state_group {
  unsigned char raw[HD_RAW]; /* the model's state as it was when the group was last compared (twin.h: raw) */
  struct hd_span_list state, table;
  struct hd_span grow,
      shift;  /* bytes that tell when a row of the tables is written (fields.h: guard); none if 0 bytes */
  bool known; /* last_arch holds the model's state as it was when the group was last compared */
};

struct hd_sim {
  struct hd_sim_opts o;
  const struct hd_twin *twin;
  const struct hd_field_table *table;
  struct hd_field_list list;
  struct hd_span_list outs;
  struct hd_state_group *group;
  void *lib;
  const struct hd_rtl_api *rtl;
  void *m; /* the Verilated instance */
  void *model;
  void *oracle; /* or NULL */
  void *rtl_out, *model_out, *rtl_arch, *model_arch, *last_arch;
  struct hd_record *record;
  uint64_t cycle, compared;
  enum hd_verdict verdict;
  uint64_t fail_cycle;
  bool fresh; /* after a reset: compare everything */
  bool fail_state;
  char rule[256];
};

#endif
