/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rows: reads a text file as rows, for workloads on tables. A row is a line, or a stanza (lines up to a blank line, as
 * in package lists). Empty rows are omitted. */
#ifndef HD_ROWS_H
#define HD_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_rows {
  uint32_t n;
  uint64_t *at; /* n + 1: row i is text[at[i]] to text[at[i + 1] - 2], then a NUL */
  char *text;
};

/* Reads a file, plain or compressed with gzip. Returns false with one line in err; *r is then empty. */
bool hd_rows_read(const char *name, bool stanzas, struct hd_rows *r, char *err, size_t err_size);
void hd_rows_free(struct hd_rows *r);

#endif
