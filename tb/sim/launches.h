/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* launches: one row per launch of a run (kernels of the host, kernels and groups launched by TBs): when it was
 * launched, how long it waited for its first TB, when it ended, on how many SMXs its TBs ran; and the same per stream.
 *
 * The loop reports TBs while it runs, and at the end every launch that the plane has accepted. */
#ifndef HD_LAUNCHES_H
#define HD_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/array.h"

enum hd_launches_kind { HD_LAUNCHES_HOST, HD_LAUNCHES_KERNEL, HD_LAUNCHES_GROUP };

struct hd_launches_row {
  enum hd_launches_kind kind;
  uint32_t kernel; /* number of the host's kernel; for a child, the one whose TB launched it */
  uint32_t child;  /* 0, or the number of the launch from the device, from 1 */
  uint32_t stream; /* HWQ; for a device kernel its stream, 0: none */
  uint32_t ctas;   /* TBs of the launch; 0: the plane has not accepted it */
  uint32_t begun, ended, smxs;
  uint64_t queued;           /* as hd_resident.queued */
  uint64_t wait;             /* cycles from there to the first TB, or to the end of the run if none has begun */
  uint64_t dispatched, done; /* first TB, if begun; valid if all have ended: the host's report, a child's last TB */
};

/* The same over the launches of one kind and stream. */
struct hd_launches_stream {
  enum hd_launches_kind kind;
  uint32_t stream, launches;
  uint64_t ctas, wait_max;
  double wait_mean;
};

struct hd_launches;

/* Returns the name of a host kernel by its number. */
typedef const char *hd_kernel_name(const void *ctx, uint32_t kernel);

/* Returns NULL if out of memory. */
struct hd_launches *hd_launches_new(uint32_t num_smx);
void hd_launches_free(struct hd_launches *l);

/* An SMX takes a TB for the first time; a TB has ended; a host kernel is reported. Returns false if out of memory. */
bool hd_launches_begin(struct hd_launches *l, uint32_t smx, const struct hd_resident *r);
void hd_launches_end(struct hd_launches *l, uint64_t now, const struct hd_resident *r);
void hd_launches_reported(struct hd_launches *l, uint64_t now, uint32_t kernel);
/* Call at the end of the run, in cycle `now`: adds a launch that the plane has accepted. `about` has kind, kernel,
 * child, stream, ctas and queued; the rest is filled in. Returns false if out of memory. */
bool hd_launches_add(struct hd_launches *l, uint64_t now, const struct hd_launches_row *about);

/* Return the row of a host kernel or of a child; NULL if no TB of it has begun and it was not added. */
const struct hd_launches_row *hd_launches_host(const struct hd_launches *l, uint32_t kernel);
const struct hd_launches_row *hd_launches_child(const struct hd_launches *l, uint32_t child);

/* Returns all added rows: host first, then children, each by number. The caller frees the array. NULL with *n = 0, or
 * if out of memory. */
const struct hd_launches_row **hd_launches_all(const struct hd_launches *l, size_t *n);
/* The same, longest wait first. */
const struct hd_launches_row **hd_launches_longest(const struct hd_launches *l, size_t *n);
/* Returns the statistics by kind and stream, longest mean wait first. The caller frees the array. */
struct hd_launches_stream *hd_launches_streams(const struct hd_launches *l, size_t *n);

/* Returns "host", "kernel" or "group". */
const char *hd_launches_kind_name(enum hd_launches_kind k);

/* Writes the table as CSV, a line per launch. `name`: names of the host's kernels, or NULL. */
void hd_launches_csv(const struct hd_launches *l, hd_kernel_name *name, const void *named, FILE *f);

#endif
