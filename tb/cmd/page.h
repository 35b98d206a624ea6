/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* page: a run as one HTML page, for a browser without a server or a network: run.html of tb/page with the files that it
 * names inserted (the plotting library, too) and the data of the run.
 *
 * The data are a JSON object: `report`, as written by hd_report_json(); `plane`, its sizes; `tbs` (sim/tbs.h);
 * `launches`, one row per launch, with the columns of `heddle run --kernels` (kind: 0 host, 1 kernel, 2 group) and the
 * numbers of its TBs that have `begun` and `ended`; `names` of the host's kernels by number, if the trace has names;
 * `fills` (sim/fills.h). Columns are packed (engine/pack.h). */
#ifndef HD_PAGE_H
#define HD_PAGE_H

#include "cmd/report.h"
#include "engine/outfile.h"
#include "sim/fills.h"
#include "sim/series.h"
#include "sim/tbs.h"

/* All zero: no page. */
struct hd_page {
  struct hd_out out;
  struct hd_tbs tbs;     /* filled in by the run, as `fills` is */
  struct hd_fills fills; /* opened */
};

/* Opens a page for a run of the plane `c`. Requires that `path` ends in .html. Returns false with one line in err; if a
 * library is missing, the line names its package. */
bool hd_page_open(struct hd_page *p, const char *path, const struct hd_cfg *c, char *err, size_t err_size);
/* Writes the page if one is open; `series` may be NULL. Returns false with one line in err. */
bool hd_page_commit(struct hd_page *p, const struct hd_report *r, const struct hd_series *series, char *err,
                    size_t err_size);
/* Removes an unfinished file and frees the collected data. */
void hd_page_drop(struct hd_page *p);

#endif
