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

/* Reads or generates the data, makes the workload, and fills in what a report tells of both; `input` becomes the name
 * of the data. False: err says why; to be freed nevertheless. */
bool hd_run_tiles_make(struct hd_run_tiles *t, const struct hd_run_args *a, uint32_t regs, struct hd_report *p,
                       char *input, size_t input_size, char *err, size_t err_size);
void hd_run_tiles_free(struct hd_run_tiles *t);

/* The answer of a run that ended well: right when each cell is as a plain program has it, and no TB began too early. */
void hd_run_tiles_judge(const struct hd_run_tiles *t, struct hd_report *p);

#endif
