/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* series: what SMXs that run warps did over time: a row for each interval of a run, for a spreadsheet.
 *
 * Columns: `cycle`, the last one of the interval; `tbs` and `warps` that are resident in it; and what was counted in
 * the interval: `instructions`, `loads`, `load_lines`, `load_wait`, `stores`, `store_lines`, `l1_hits`, `l1_merged`,
 * `l2_loads`, `l2_hits`, `l2_merged`, `dram_reads`, `dram_writes` (gpu.h, memsys.h). For a page they are packed. */
#ifndef HD_SERIES_H
#define HD_SERIES_H

#include "engine/outfile.h"
#include "engine/pack.h"
#include "gpu/gpu.h"

enum { HD_SERIES_COLUMNS = 16 };

struct hd_series {
  struct hd_out out;
  uint64_t every; /* cycles of an interval */
  uint64_t next;  /* the cycle of the next row; UINT64_MAX: there is none */
  struct hd_gpu_counts gpu;
  struct hd_memsys_counts memory; /* at the last row */
  bool packed;                    /* rows are kept for hd_series_json() */
  struct hd_pack column[HD_SERIES_COLUMNS];
  uint64_t rows;
};

/* A file whose name ends in .csv (or .csv.gz); NULL: none. `packed`: for hd_series_json(). False: err holds one line.
 */
bool hd_series_open(struct hd_series *s, const char *path, uint64_t every, bool packed, char *err, size_t err_size);
/* The row of cycle `now`, up to which the SMXs have run. */
void hd_series_add(struct hd_series *s, uint64_t now, uint32_t tbs, uint32_t warps, struct hd_gpu *gpu);
/* False: err holds one line. */
bool hd_series_commit(struct hd_series *s, char *err, size_t err_size);
/* A JSON object: `every`, `rows`, and `columns` by name. False: out of memory. */
bool hd_series_json(const struct hd_series *s, FILE *f);
/* Removes what was written and kept; does nothing when no file is open. */
void hd_series_drop(struct hd_series *s);

#endif
