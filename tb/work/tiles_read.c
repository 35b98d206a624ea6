/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/tiles_read.h"

#include <stdio.h>

unsigned hd_tiles_files(const struct hd_tiles_kind *kind) {
  return kind->input == HD_TILES_NO_INPUT ? 0 : kind->input == HD_TILES_IMAGE ? 1 : 2;
}

static bool read_pair(struct hd_tiles_data *d, const char *const *file, unsigned n, char *err, size_t err_size) {
  const bool series = d->kind->input == HD_TILES_SERIES;
  unsigned have = 0;
  for (unsigned k = 0; k < n; k++)
    if (!(series ? hd_tiles_read_series : hd_tiles_read_fasta)(d, file[k], &have, err, err_size)) return false;
  if (have == 2) return true;
  snprintf(err, err_size, "%s: one %s; two would be accepted, in this file or in a second one", file[0],
           series ? "series" : "sequence");
  return false;
}

bool hd_tiles_read(struct hd_tiles_data *d, const char *const *file, unsigned n, char *err, size_t err_size) {
  const unsigned most = hd_tiles_files(d->kind);
  if (most == 0 || n == 0 || n > most) {
    snprintf(err, err_size, "%u files for %s; %s would be accepted", n, d->kind->name,
             most == 0   ? "none"
             : most == 1 ? "one"
                         : "one or two");
    return false;
  }
  if (d->kind->input == HD_TILES_IMAGE) return hd_tiles_read_pgm(d, file[0], err, err_size);
  return read_pair(d, file, n, err, err_size);
}
