/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* lines: text files read a line at a time, plain or compressed (gzip, xz, bzip2, zstd), and refusals that name file and
 * line.
 *
 *     struct hd_lines l;
 *     if (!hd_lines_open(&l, "graph.txt.gz", err, sizeof err)) ...
 *     while (hd_lines_next(&l)) use(l.line);     // no end-of-line characters; l.number counts from 1
 *     bool good = !l.failed;                     // false: err holds one line "FILE:LINE: what; what would do"
 *     hd_lines_close(&l);
 *
 * A line ends in LF, CRLF or a lone CR; a byte order mark before the first line is skipped. A NUL byte, a line over
 * HD_LINE_MAX bytes and compressed data that end early are refused: what is held in memory is one line and one read
 * buffer. gzip is read by zlib, the others through the program of that name; from a pipe, only gzip. */
#ifndef HD_LINES_H
#define HD_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HD_LINE_MAX ((size_t)64 << 20)

struct hd_lines {
  const char *name; /* file name for messages */
  void *gz;         /* gzFile */
  char *line;       /* the current line; may be written to until the next call */
  uint64_t number;  /* its number, from 1 */
  bool failed;
  char *err;
  size_t err_size;
  char *buf; /* bytes [pos, len) were read and not consumed yet */
  size_t cap, pos, len;
  bool at_end;
  bool again;    /* return the current line once more */
  bool after_cr; /* a following LF belongs to the line before */
  pid_t child;   /* decompressor process, 0 = none */
  const char *unpacker;
};

/* Opens a file. `name` must outlive the reader. */
bool hd_lines_open(struct hd_lines *l, const char *name, char *err, size_t err_size);
/* The same on an open file descriptor, which the reader then owns. */
bool hd_lines_open_fd(struct hd_lines *l, int fd, const char *name, char *err, size_t err_size);
bool hd_lines_next(struct hd_lines *l);
/* Makes the next hd_lines_next() return this line again, unchanged if the caller did not write to it. */
void hd_lines_back(struct hd_lines *l);
void hd_lines_close(struct hd_lines *l);

/* Refuses the current line: writes "FILE:LINE: ..." to err. Always returns false, so that a reader can return it. */
bool hd_lines_fail(struct hd_lines *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Refuses the file as a whole: "FILE: ...". */
bool hd_lines_fail_file(struct hd_lines *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Cuts the next field out of *p (in place). Returns NULL at the end of the line. Fields are separated by blanks, tabs,
 * commas or semicolons; quotation marks around a field are dropped. */
char *hd_field(char **p);

/* Returns whether a field (or NULL) is a whole number, and sets *value. */
bool hd_whole(const char *field, uint64_t *value);

/* Reads a field as a whole number from `min` to `max`; otherwise refuses the line, calling the field `what`. */
bool hd_field_range(struct hd_lines *l, const char *field, const char *what, uint64_t min, uint64_t max,
                    uint64_t *value);
/* Reads a field as a whole number of at most `max`; otherwise refuses the line, calling the field `what`. */
bool hd_field_u64(struct hd_lines *l, const char *field, const char *what, uint64_t max, uint64_t *value);
/* Reads a field as any finite number (a weight). */
bool hd_field_real(struct hd_lines *l, const char *field, const char *what, double *value);

/* Makes a field printable: at most 40 characters, unprintable ones as '?'. `out` holds 48 bytes. */
const char *hd_shown(char *out, const char *field);

#endif
