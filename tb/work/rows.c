/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/rows.h"

#include <stdlib.h>
#include <string.h>

#include "graph/lines.h"

struct reader {
  struct hd_rows *r;
  uint64_t used, text_cap;
  uint32_t row_cap;
};

static bool add_text(struct reader *q, const char *text, size_t n) {
  if (q->used + n > q->text_cap) {
    uint64_t cap = 2 * (q->used + n) + 4096;
    char *grown = realloc(q->r->text, cap);
    if (grown == NULL) return false;
    q->r->text = grown;
    q->text_cap = cap;
  }
  memcpy(q->r->text + q->used, text, n);
  q->used += n;
  return true;
}

/* Ends the current row if it contains text. */
static bool end_row(struct reader *q) {
  struct hd_rows *r = q->r;
  if (r->n + 2 > q->row_cap) {
    const uint32_t cap = 2 * q->row_cap + 1024;
    uint64_t *grown = realloc(r->at, cap * sizeof *grown);
    if (grown == NULL) return false;
    r->at = grown;
    q->row_cap = cap;
  }
  if (r->n == 0) r->at[0] = 0;
  if (q->used == r->at[r->n]) return true;
  if (!add_text(q, "", 1)) return false;
  r->at[++r->n] = q->used;
  return true;
}

static bool add_line(struct reader *q, const char *line, bool stanzas) {
  const bool blank = line[strspn(line, " \t")] == '\0';
  if (blank || !stanzas) return (blank || add_text(q, line, strlen(line))) && end_row(q);
  return add_text(q, line, strlen(line)) && add_text(q, "\n", 1);
}

bool hd_rows_read(const char *name, bool stanzas, struct hd_rows *r, char *err, size_t err_size) {
  struct hd_lines l;
  struct reader q = {.r = r};
  *r = (struct hd_rows){0};
  bool good = hd_lines_open(&l, name, err, err_size), room = true;
  while (good && room && hd_lines_next(&l)) room = add_line(&q, l.line, stanzas);
  if (good && room) room = end_row(&q);
  if (good && !room) good = hd_lines_fail_file(&l, "out of memory after %u rows", r->n);
  good = good && !l.failed;
  if (good && r->n == 0) good = hd_lines_fail_file(&l, "no text; at least one row would be accepted");
  hd_lines_close(&l);
  if (!good) hd_rows_free(r);
  return good;
}

void hd_rows_free(struct hd_rows *r) {
  free(r->at);
  free(r->text);
  *r = (struct hd_rows){0};
}
