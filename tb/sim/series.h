/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* series: activity of SMXs that run warps over time: a row per interval of a run, for a spreadsheet.
 *
 * Columns: `cycle`, the last one of the interval; resident `tbs` and `warps` in that cycle; and the counts of the
 * interval: `instructions`, `loads`, `load_lines`, `load_wait`, `stores`, `store_lines`, `l1_hits`, `l1_merged`,
 * `l2_loads`, `l2_hits`, `l2_merged`, `dram_reads`, `dram_writes` (gpu.h, memsys.h). For a page they are packed. */
#ifndef HD_SERIES_H
#define HD_SERIES_H

#include "engine/outfile.h"
#include "engine/pack.h"
#include "gpu/gpu.h"

enum { HD_SERIES_COLUMNS = 16 };

struct hd_series {
  struct hd_out out;
  uint64_t every; /* cycles per interval */
  uint64_t next;  /* the cycle of the next row; UINT64_MAX: none */
  struct hd_gpu_counts gpu;
  struct hd_memsys_counts memory; /* at the last row */
  bool packed;                    /* rows are kept for hd_series_json() */
  struct hd_pack column[HD_SERIES_COLUMNS];
  uint64_t rows;
};

/* Opens a file whose name ends in .csv (or .csv.gz); NULL: no file. `packed`: rows are kept for hd_series_json().
 * Returns false on failure; err then holds one line. */
bool hd_series_open(struct hd_series *s, const char *path, uint64_t every, bool packed, char *err, size_t err_size);
/* Adds the row of cycle `now`, up to which the SMXs were run. */
void hd_series_add(struct hd_series *s, uint64_t now, uint32_t tbs, uint32_t warps, struct hd_gpu *gpu);
/* Returns false on failure; err then holds one line. */
bool hd_series_commit(struct hd_series *s, char *err, size_t err_size);
/* Writes a JSON object: `every`, `rows`, and `columns` by name. Returns false if out of memory. */
bool hd_series_json(const struct hd_series *s, FILE *f);
/* Removes the file and the kept rows; does nothing if no file is open. */
void hd_series_drop(struct hd_series *s);

#endif
