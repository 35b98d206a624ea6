/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/deplinks_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/lines.h"

/* Limits of a file. */
enum { EDGES_MAX = 1 << 26 };

struct line {
  uint16_t parent, child;
  uint64_t number;
};

struct list {
  struct line *line;
  size_t n, room;
  uint32_t largest; /* TB id */
};

static bool is_comment(const char *s) {
  s += strspn(s, " \t");
  return *s == '#' || *s == '%' || (s[0] == '/' && s[1] == '/');
}

static bool keep(struct hd_lines *l, struct list *q, uint64_t parent, uint64_t child) {
  if (q->n == EDGES_MAX) return hd_lines_fail(l, "more than %d edges", EDGES_MAX);
  if (q->n == q->room) {
    size_t room = q->room != 0 ? 2 * q->room : 1024;
    struct line *grown = realloc(q->line, room * sizeof *grown);
    if (grown == NULL) return hd_lines_fail(l, "out of memory");
    q->line = grown;
    q->room = room;
  }
  q->line[q->n++] = (struct line){(uint16_t)parent, (uint16_t)child, l->number};
  if (parent > q->largest) q->largest = (uint32_t)parent;
  if (child > q->largest) q->largest = (uint32_t)child;
  return true;
}

static bool parse_line(struct hd_lines *l, struct list *q, uint32_t last) {
  char *p = l->line, shown[48];
  uint64_t parent, child;
  if (is_comment(p)) return true;
  const char *field = hd_field(&p);
  if (field == NULL) return true;
  if (!hd_field_u64(l, field, "field 1, the parent,", last, &parent)) return false;
  if (!hd_field_u64(l, hd_field(&p), "field 2, the child,", last, &child)) return false;
  field = hd_field(&p);
  if (field != NULL && !is_comment(field))
    return hd_lines_fail(l, "field 3 is '%s'; PARENT CHILD would be accepted", hd_shown(shown, field));
  return keep(l, q, parent, child);
}

static bool read_list(const char *path, uint32_t last, struct list *q, char *err, size_t err_size) {
  struct hd_lines l;
  bool good = hd_lines_open(&l, path, err, err_size);
  while (good && hd_lines_next(&l)) good = parse_line(&l, q, last);
  good = good && !l.failed;
  hd_lines_close(&l);
  return good;
}

/* Returns the line that closes the cycle. */
static uint64_t closing_line(const struct list *q, const struct hd_deplinks *d) {
  uint64_t line = 0;
  uint32_t *next = malloc(d->nodes * sizeof *next);
  if (next == NULL || d->cycle == NULL) {
    free(next);
    return 0;
  }
  for (uint32_t tb = 0; tb < d->nodes; tb++) next[tb] = HD_DEPLINKS_NO_TB;
  for (uint32_t k = 0; k < d->cycle_length; k++) next[d->cycle[k]] = d->cycle[(k + 1) % d->cycle_length];
  for (size_t k = 0; k < q->n; k++) {
    if (next[q->line[k].parent] != q->line[k].child) continue;
    next[q->line[k].parent] = HD_DEPLINKS_NO_TB; /* a repeated edge closes nothing */
    line = q->line[k].number;
  }
  free(next);
  return line;
}

/* Adds the edges to *d and builds the graph. *line: the line that was refused, or 0. */
static bool build(const struct list *q, struct hd_deplinks *d, struct hd_deplinks_graph *g, uint64_t *line) {
  for (size_t k = 0; k < q->n && d->code == HD_DEPLINKS_OK; k++) {
    *line = q->line[k].number;
    hd_deplinks_add(d, q->line[k].parent, q->line[k].child);
  }
  if (d->code != HD_DEPLINKS_OK) return false;
  *line = 0;
  if (hd_deplinks_build(d, g) == HD_DEPLINKS_CYCLE) *line = closing_line(q, d);
  return d->code == HD_DEPLINKS_OK;
}

bool hd_deplinks_read(const char *path, struct hd_dim3 grid, const struct hd_deplinks_memory *memory,
                      struct hd_deplinks *d, struct hd_deplinks_graph *g, char *err, size_t err_size) {
  struct list q = {0};
  uint64_t line = 0;
  bool reported = grid.x != 0;
  bool good = hd_deplinks_init(d, reported ? grid : (struct hd_dim3){1, 1, 1}, memory) == HD_DEPLINKS_OK;
  if (!good) {
    snprintf(err, err_size, "%s", d->text);
  } else if (!read_list(path, reported ? d->nodes - 1 : HD_DEPLINKS_NODES - 1, &q, err, err_size)) {
    good = false;
  } else if (q.n == 0 && !reported) {
    snprintf(err, err_size, "%s: no edge; lines of PARENT CHILD, or a grid, would be accepted", path);
    good = false;
  } else {
    if (!reported) hd_deplinks_init(d, (struct hd_dim3){q.largest + 1, 1, 1}, memory);
    good = build(&q, d, g, &line);
    if (!good && line != 0) snprintf(err, err_size, "%s:%" PRIu64 ": %s", path, line, d->text);
    if (!good && line == 0) snprintf(err, err_size, "%s: %s", path, d->text);
  }
  free(q.line);
  if (!good) hd_deplinks_free(d);
  return good;
}
