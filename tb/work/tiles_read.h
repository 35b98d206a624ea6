/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles_read: reads data of the tiled workloads from files, plain or compressed with gzip.
 *
 *   dtw           two series: numbers in one or two columns, separated by blanks, commas or semicolons; a column is a
 *                 series; blank lines, and comments from # or % on, are skipped
 *   sw            two sequences in FASTA: '>' and a name, then lines of letters; small letters count as capitals; blank
 *                 lines are skipped
 *   hist, intimg  a grey image: PGM, plain (P2) or raw (P5), of up to 65535 grey values
 *
 * The two series or sequences are in one file or in a file each. An error message is one line, "FILE:LINE: .. was
 * found; .. would be accepted". */
#ifndef HD_TILES_READ_H
#define HD_TILES_READ_H

#include "work/tiles.h"

/* Returns the maximum number of input files of the workload; 0: no input. */
unsigned hd_tiles_files(const struct hd_tiles_kind *kind);

/* Reads the input of d->kind from n files, and sets width and height. Returns false with one line in err; the caller
 * frees the data in both cases. */
bool hd_tiles_read(struct hd_tiles_data *d, const char *const *file, unsigned n, char *err, size_t err_size);

/* The three readers. *have: number of series or sequences read so far; the reader adds those of the file. */
bool hd_tiles_read_series(struct hd_tiles_data *d, const char *file, unsigned *have, char *err, size_t err_size);
bool hd_tiles_read_fasta(struct hd_tiles_data *d, const char *file, unsigned *have, char *err, size_t err_size);
bool hd_tiles_read_pgm(struct hd_tiles_data *d, const char *file, char *err, size_t err_size);

#endif
