/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* run_rounds: a workload in rounds, as `heddle run` runs it. */
#ifndef HD_RUN_ROUNDS_H
#define HD_RUN_ROUNDS_H

#include "cmd/report.h"
#include "cmd/run_args.h"

struct hd_run_rounds {
  struct hd_graph graph;
  struct hd_rows rows;
  bool made; /* the data are generated, not read from a file */
  struct hd_rounds *rounds;
};

/* Reads or generates the data, builds the workload, and fills in their part of the report; `input` becomes the name of
 * the data. Returns false with the reason in err. The caller frees *r in both cases. */
bool hd_run_rounds_make(struct hd_run_rounds *r, const struct hd_run_args *a, const struct hd_cfg *cfg, uint32_t regs,
                        struct hd_report *p, char *input, size_t input_size, char *err, size_t err_size);
void hd_run_rounds_free(struct hd_run_rounds *r);

/* Judges the answer of a completed run: right if all problems agree with the plain program. */
void hd_run_rounds_check(const struct hd_run_rounds *r, struct hd_report *p);

#endif
