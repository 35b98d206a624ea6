/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* timeline: one row per TB of a run, for a spreadsheet or a trace viewer.
 *
 * A .csv file has the columns kernel, id, smx, slot, queued, dispatched, done (cycles; `queued` is when the launch was
 * accepted, or first offered by a TB), child (0, or the number of the launch from the device, from 1). A TB that was
 * saved has a row per stay; from the second one on, `queued` is its restart's dispatch. A .json file is in the Chrome
 * trace format (chrome.h). */
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
  struct hd_chrome *chrome; /* for .json */
  struct hd_tbs *tbs;       /* receives the same rows, with or without a file; or NULL */
};

/* Returns false on failure; err then holds one line. */
bool hd_timeline_open(struct hd_timeline *t, const char *path, uint32_t num_smx, uint32_t ctas_per_smx, char *err,
                      size_t err_size);
/* Sets the names of kernels: a last column of a .csv, appended to the letters in a .json. Call it before the first
 * TB. */
void hd_timeline_names(struct hd_timeline *t, hd_kernel_name *name, const void *ctx);
/* Sets the source of the launches' rows for a .json; or NULL. */
void hd_timeline_launches(struct hd_timeline *t, const struct hd_launches *l);
/* Adds a TB that ended in cycle `done` to t->tbs, and to the open file, if any. */
void hd_timeline_add(struct hd_timeline *t, uint32_t smx, uint32_t slot, const struct hd_resident *r, uint64_t done);
/* Adds a host kernel that was reported; requires that all its TBs have ended. A .csv ignores it. */
void hd_timeline_kernel(struct hd_timeline *t, uint32_t kernel, uint32_t hwq, uint32_t ctas, uint64_t queued,
                        uint64_t done);
bool hd_timeline_commit(struct hd_timeline *t, char *err, size_t err_size);
void hd_timeline_drop(struct hd_timeline *t);

#endif
