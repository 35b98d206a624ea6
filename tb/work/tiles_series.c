/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads series of numbers. */
#include <stdlib.h>
#include <string.h>

#include "graph/lines.h"
#include "work/tiles_read.h"

enum { LONGEST = 1 << 24 };

/* The columns of a file, as read so far. */
struct columns {
  unsigned n; /* 0: no line yet */
  double *number[2];
  uint32_t count, room;
};

static bool room_for_one(struct hd_lines *l, struct columns *c) {
  if (c->count < c->room) return true;
  if (c->count >= LONGEST) return hd_lines_fail(l, "one number too many; %d would be accepted", LONGEST);
  const uint32_t room = c->room != 0 ? 2 * c->room : 1024;
  for (unsigned k = 0; k < 2; k++) {
    double *grown = realloc(c->number[k], room * sizeof *grown);
    if (grown == NULL) return hd_lines_fail_file(l, "out of memory");
    c->number[k] = grown;
  }
  c->room = room;
  return true;
}

static bool read_line(struct hd_lines *l, struct columns *c) {
  char *at = l->line, *field;
  double number[2] = {0};
  unsigned n = 0;
  l->line[strcspn(l->line, "#%")] = '\0';
  for (; (field = hd_field(&at)) != NULL; n++) {
    if (n == 2) return hd_lines_fail(l, "more than two numbers; one or two would be accepted");
    if (!hd_field_real(l, field, n == 0 ? "the first field" : "the second field", &number[n])) return false;
  }
  if (n == 0) return true;
  if (c->n != 0 && n != c->n)
    return hd_lines_fail(l, "%s, and the lines before have %s; the same number would be accepted",
                         n == 1 ? "one number" : "two numbers", c->n == 1 ? "one" : "two");
  c->n = n;
  if (!room_for_one(l, c)) return false;
  c->number[0][c->count] = number[0];
  c->number[1][c->count++] = number[1];
  return true;
}

static bool read_all(struct hd_lines *l, struct columns *c) {
  while (hd_lines_next(l))
    if (!read_line(l, c)) return false;
  if (l->failed) return false;
  return c->n != 0 || hd_lines_fail_file(l, "no numbers; one or two on each line would be accepted");
}

bool hd_tiles_read_series(struct hd_tiles_data *d, const char *file, unsigned *have, char *err, size_t err_size) {
  struct hd_lines l;
  struct columns c = {0};
  bool good = hd_lines_open(&l, file, err, err_size) && read_all(&l, &c);
  if (good && *have + c.n > 2) good = hd_lines_fail_file(&l, "a third series; two in all would be accepted");
  for (unsigned k = 0; good && k < c.n; k++) {
    *(*have == 0 ? &d->width : &d->height) = c.count;
    d->series[(*have)++] = c.number[k];
    c.number[k] = NULL;
  }
  hd_lines_close(&l);
  free(c.number[0]);
  free(c.number[1]);
  return good;
}
