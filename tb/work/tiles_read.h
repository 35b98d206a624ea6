/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles_read: data of the tiled workloads from files, plain or gzip'ed, in place of generated ones.
 *
 *   dtw           two series: numbers in one or two columns, parted by blanks, commas or semicolons; a column is a
 *                 series; blank lines, and comments from # or % on, are skipped
 *   sw            two sequences in FASTA: '>' and a name, then lines of letters; small letters count as capitals; blank
 *                 lines are skipped
 *   hist, intimg  a grey image: PGM, plain (P2) or raw (P5), of up to 65535 grey values
 *
 * The two series or sequences are in one file or in a file each. What is refused is told in one line, "FILE:LINE: what
 * was found; what would be accepted". */
#ifndef HD_TILES_READ_H
#define HD_TILES_READ_H

#include "work/tiles.h"

/* Files of the workload, at most; 0: it takes none. */
unsigned hd_tiles_files(const struct hd_tiles_kind *kind);

/* Reads what d->kind takes from n files, and sets width and height by it. False: err holds one line; to be freed
 * nevertheless. */
bool hd_tiles_read(struct hd_tiles_data *d, const char *const *file, unsigned n, char *err, size_t err_size);

/* The three readers. *have: how many series or sequences there are so far; the reader adds those of the file. */
bool hd_tiles_read_series(struct hd_tiles_data *d, const char *file, unsigned *have, char *err, size_t err_size);
bool hd_tiles_read_fasta(struct hd_tiles_data *d, const char *file, unsigned *have, char *err, size_t err_size);
bool hd_tiles_read_pgm(struct hd_tiles_data *d, const char *file, char *err, size_t err_size);

#endif
