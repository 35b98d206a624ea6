/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* outfile: result files that are complete or do not exist.
 *
 * Data goes to a temporary file in the folder of the result; hd_out_commit() closes and renames it, hd_out_drop()
 * removes it. A symbolic link is followed and its target replaced. A path that is no regular file (a device, a FIFO, a
 * pipe of the shell) is written directly, without a temporary file. A name that ends in .gz is compressed, without name
 * and time in its header, so that equal contents give equal files. */
#ifndef HD_OUTFILE_H
#define HD_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hd_out {
  FILE *f; /* write here; NULL when not open */
  char *path;
  char *temporary;     /* file being written; NULL: path itself, which is no regular file */
  void *gz;            /* gzFile behind f, or NULL */
  struct hd_out *next; /* next open result file */
};

/* Opens a result file. o->path is `path` with symbolic links resolved. Blocks on a FIFO until it has a reader. Returns
 * false with one line in err if the file cannot be opened. */
bool hd_out_open(struct hd_out *o, const char *path, char *err, size_t err_size);
/* As hd_out_open, but accepts only a regular file: for writers that open o->temporary by name, as of a waveform. */
bool hd_out_open_file(struct hd_out *o, const char *path, char *err, size_t err_size);
/* Returns false on failure, with one line in err and the temporary file removed. */
bool hd_out_commit(struct hd_out *o, char *err, size_t err_size);
/* Discards the written data; does nothing if no file is open. */
void hd_out_drop(struct hd_out *o);
/* Returns true if a result can be written to `path`, without touching it: checks all paths before a long run. If false,
 * err holds one line. */
bool hd_out_try(const char *path, char *err, size_t err_size);
/* Removes the temporary files of all open results, and the `.hier` files of waveform writers. For the handler of a
 * signal that ends the program: the results must not be used afterwards. */
void hd_out_abandon(void);

/* Returns true if the name ends in `end` (such as ".csv"), in upper or lower case, and is longer than that. */
bool hd_out_ends_in(const char *path, const char *end);

/* Appends a field to a CSV row: a comma, then the text in quotation marks, since it may contain commas. */
void hd_out_quoted(FILE *f, const char *text);

#endif
