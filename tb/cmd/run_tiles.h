/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* run_tiles: a workload of tiles, as `heddle run` runs it. */
#ifndef HD_RUN_TILES_H
#define HD_RUN_TILES_H

#include "cmd/report.h"
#include "cmd/run_args.h"

struct hd_run_tiles {
  struct hd_tiles_data data;
  struct hd_tiles *tiles;
};

/* Reads or generates the data, builds the workload, and fills in their part of the report; `input` becomes the name of
 * the data. Returns false with the reason in err. The caller frees *t in both cases. */
bool hd_run_tiles_make(struct hd_run_tiles *t, const struct hd_run_args *a, uint32_t regs, struct hd_report *p,
                       char *input, size_t input_size, char *err, size_t err_size);
void hd_run_tiles_free(struct hd_run_tiles *t);

/* Judges the answer of a completed run: right if all cells agree with a plain program and no TB began too early. */
void hd_run_tiles_check(const struct hd_run_tiles *t, struct hd_report *p);

#endif
