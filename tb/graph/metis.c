/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads METIS: "% " comments, "VERTICES EDGES [FORMAT [CONSTRAINTS]]", then for each vertex a line: its size and
 * weights if the format says so, then its neighbours, each with a weight if the format says so. */
#include <stdio.h>
#include <string.h>

#include "graph/parse.h"

struct header {
  uint64_t edges;
  uint64_t before;   /* numbers before a vertex's neighbours: its size and weights */
  bool edge_weights; /* a number after each neighbour */
};

static bool next_line(struct hd_lines *l) {
  while (hd_lines_next(l))
    if (l->line[0] != '%') return true;
  return false;
}

static bool parse_header(struct hd_lines *l, struct header *h, uint64_t *declared) {
  char shown[48];
  do
    if (!next_line(l))
      return l->failed ? false : hd_lines_fail_file(l, "no header; 'VERTICES EDGES' would be accepted");
  while (hd_parse_blank(l->line));
  char *p = l->line;
  if (!hd_field_u64(l, hd_field(&p), "field 1, the number of vertices,", HD_NODES_MAX, declared) ||
      !hd_field_u64(l, hd_field(&p), "field 2, the number of edges,", UINT64_MAX / 4, &h->edges))
    return false;
  const char *format = hd_field(&p), *count = format != NULL ? hd_field(&p) : NULL;
  size_t digits = format != NULL ? strlen(format) : 0;
  if (digits > 3 || (digits != 0 && strspn(format, "01") != digits))
    return hd_lines_fail(l, "field 3, the format, is '%s'; up to three digits 0 or 1 would be accepted",
                         hd_shown(shown, format));
  h->edge_weights = digits >= 1 && format[digits - 1] == '1';
  bool weights = digits >= 2 && format[digits - 2] == '1', size = digits == 3 && format[0] == '1';
  uint64_t constraints = 1;
  if (count != NULL && !hd_field_u64(l, count, "field 4, the number of vertex weights,", 64, &constraints))
    return false;
  if (count != NULL && !weights && constraints != 0)
    return hd_lines_fail(
        l, "field 4, the number of vertex weights, is %s, but the format '%s' has none; 010 or 011 has", count, format);
  h->before = size + (weights ? constraints + (constraints == 0) : 0);
  return hd_parse_weights(l, &p, 5, 0, NULL, NULL);
}

/* Parses a vertex's line. */
static bool parse_vertex(struct hd_lines *l, const struct header *h, struct hd_ids *ids, uint64_t vertex,
                         struct hd_edges *edges) {
  char *p = l->line;
  double weight;
  unsigned n = 1; /* number of the next field */
  char called[48];
  for (; n <= h->before; n++) {
    const char *field = hd_field(&p);
    if (field == NULL) return hd_lines_fail(l, "field %u, a vertex weight, is missing; the header requires it", n);
    snprintf(called, sizeof called, "field %u, a vertex weight,", n);
    if (!hd_field_real(l, field, called, &weight)) return false;
    edges->ignored.vertex_weights++;
  }
  for (const char *field; (field = hd_field(&p)) != NULL;) {
    uint64_t neighbour;
    if (!hd_parse_id(l, ids, field, n++, "a neighbour", &neighbour)) return false;
    if (h->edge_weights) {
      const char *after = hd_field(&p);
      if (after == NULL)
        return hd_lines_fail(l, "field %u, the weight of the last neighbour, is missing; the header requires it", n);
      snprintf(called, sizeof called, "field %u, the edge weight,", n++);
      if (!hd_field_real(l, after, called, &weight)) return false;
    }
    if (!hd_parse_add(l, edges, vertex, neighbour)) return false;
    if (h->edge_weights && !hd_parse_weigh(l, edges, weight)) return false;
  }
  return true;
}

bool hd_parse_metis(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared) {
  struct header h = {0};
  if (!parse_header(l, &h, declared)) return false;
  edges->direction = HD_UNDIRECTED;
  struct hd_ids ids = {.n = *declared};
  for (uint64_t vertex = 1; vertex <= *declared; vertex++) {
    if (!next_line(l)) {
      if (l->failed) return false;
      return hd_lines_fail(l, "the file ends before the line of vertex %llu of %llu", (unsigned long long)vertex,
                           (unsigned long long)*declared);
    }
    if (!parse_vertex(l, &h, &ids, vertex, edges)) return false;
  }
  while (next_line(l))
    if (!hd_parse_blank(l->line))
      return hd_lines_fail(l, "a line after that of the last vertex, %llu", (unsigned long long)*declared);
  if (l->failed) return false;
  /* In files that number from 0, neighbours are numbered from 0, too. */
  for (size_t i = 0; ids.zero_line != 0 && i < edges->n; i++) edges->edge[i].from--;
  /* Writers differ in whether a self loop is counted once, twice or not at all. */
  size_t self = 0;
  for (size_t i = 0; i < edges->n; i++) self += edges->edge[i].from == edges->edge[i].to;
  if (edges->n == 2 * h.edges || edges->n - self == 2 * h.edges || edges->n + self == 2 * h.edges) return true;
  return hd_lines_fail(l, "%zu neighbours in total; twice the header's %llu edges would be accepted", edges->n,
                       (unsigned long long)h.edges);
}
