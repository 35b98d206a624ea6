/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* outfile: result files that are there as a whole or not at all.
 *
 * Everything is written to a temporary file beside the one asked for; hd_out_commit() closes and renames it,
 * hd_out_drop() removes it. A name that ends in .gz is compressed, without name and time, so that equal contents give
 * equal files. */
#ifndef HD_OUTFILE_H
#define HD_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hd_out {
  FILE *f; /* write here; NULL when not open */
  char *path;
  char *temporary;
  void *gz; /* gzFile behind f, or NULL */
};

/* False: err holds one line; nothing is open. */
bool hd_out_open(struct hd_out *o, const char *path, char *err, size_t err_size);
/* False: err holds one line and the temporary file is gone. */
bool hd_out_commit(struct hd_out *o, char *err, size_t err_size);
/* Removes what was written; does nothing when nothing is open. */
void hd_out_drop(struct hd_out *o);

#endif
