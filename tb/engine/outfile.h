/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* outfile: result files that are there as a whole or not at all.
 *
 * Everything is written to a temporary file beside the one asked for; hd_out_commit() closes and renames it,
 * hd_out_drop() removes it. A symbolic link is followed: what it points to is replaced. What is no regular file (a
 * device, a FIFO, a pipe of the shell) is written through as it stands, and no temporary file is made. A name that ends
 * in .gz is compressed, without name and time, so that equal contents give equal files. */
#ifndef HD_OUTFILE_H
#define HD_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hd_out {
  FILE *f; /* write here; NULL when not open */
  char *path;
  char *temporary;     /* what is written to; NULL: path itself is, since it is no regular file */
  void *gz;            /* gzFile behind f, or NULL */
  struct hd_out *next; /* that is open too */
};

/* `path` may be followed to somewhere else: o->path. A FIFO is waited for until somebody reads it.
 * False: err holds one line; nothing is open. */
bool hd_out_open(struct hd_out *o, const char *path, char *err, size_t err_size);
/* As hd_out_open, but a regular file alone, for what is opened once more by its name, o->temporary, as a waveform is.
 */
bool hd_out_open_file(struct hd_out *o, const char *path, char *err, size_t err_size);
/* False: err holds one line and the temporary file is gone. */
bool hd_out_commit(struct hd_out *o, char *err, size_t err_size);
/* Removes what was written; does nothing when nothing is open. */
void hd_out_drop(struct hd_out *o);
/* Whether a result could be written there, without touching it: for trying every path before a long run. False: err
 * holds one line. */
bool hd_out_try(const char *path, char *err, size_t err_size);
/* Removes the temporary files of all that is open, and what a writer of waveforms keeps beside them (`.hier`). For a
 * signal that ends the program: nothing else of them may be used then. */
void hd_out_abandon(void);

/* Whether a name ends in `end` (".csv", say) and has something before it. */
bool hd_out_ends_in(const char *path, const char *end);

/* A further field of a table (.csv): a comma, and the text in quotation marks, as it may hold commas. */
void hd_out_quoted(FILE *f, const char *text);

#endif
