/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rows: a text file as rows of text, for workloads that work on tables: a row is a line, or a stanza (lines up to one
 * that is blank, as those of package lists are). Rows without text are left out. */
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

/* Reads a file, plain or gzip'ed. False: err holds one line, *r is empty. */
bool hd_rows_read(const char *name, bool stanzas, struct hd_rows *r, char *err, size_t err_size);
void hd_rows_free(struct hd_rows *r);

#endif
