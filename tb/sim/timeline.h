/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* timeline: one row for each TB of a run, for a spreadsheet or for a trace viewer.
 *
 * A file that ends in .csv has the columns kernel, id, smx, slot, queued, dispatched, done (cycles; `queued` is when
 * the launch was taken, or first offered by a TB), child (0, or the number of the launch from the device, from 1). A TB
 * that was saved has a row for each stay, from the second one on with its hand-out as `queued`. A file that ends in
 * .json is in the Chrome trace format (chrome.h). */
#ifndef HD_TIMELINE_H
#define HD_TIMELINE_H

#include <stdint.h>

#include "engine/outfile.h"
#include "sim/array.h"
#include "sim/chrome.h"
#include "sim/launches.h"
#include "sim/tbs.h"

struct hd_timeline {
  struct hd_out out;
  bool json, begun;
  hd_kernel_name *name; /* or NULL: kernels have none */
  const void *named;
  struct hd_chrome *chrome; /* of .json */
  struct hd_tbs *tbs;       /* told the same, file or not; or NULL */
};

/* False: err holds one line. */
bool hd_timeline_open(struct hd_timeline *t, const char *path, uint32_t num_smx, uint32_t ctas_per_smx, char *err,
                      size_t err_size);
/* Kernels have names: a last column of a .csv, and behind the letters of a .json. Before the first TB. */
void hd_timeline_names(struct hd_timeline *t, hd_kernel_name *name, const void *ctx);
/* Where launches are counted, which a .json tells of kernels and children; or NULL. */
void hd_timeline_launches(struct hd_timeline *t, const struct hd_launches *l);
/* A TB's end in cycle `done`; goes to t->tbs, and to the file that is open, if any. */
void hd_timeline_add(struct hd_timeline *t, uint32_t smx, uint32_t slot, const struct hd_resident *r, uint64_t done);
/* A kernel of the host is reported; all its TBs have ended. Of a .csv it is no part. */
void hd_timeline_kernel(struct hd_timeline *t, uint32_t kernel, uint32_t hwq, uint32_t ctas, uint64_t queued,
                        uint64_t done);
bool hd_timeline_commit(struct hd_timeline *t, char *err, size_t err_size);
void hd_timeline_drop(struct hd_timeline *t);

#endif
