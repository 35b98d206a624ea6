/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads DIMACS: "c" comments, one "p sp NODES ARCS" (or "p edge"), then "a FROM TO WEIGHT" (or "e FROM TO") lines. */
#include <string.h>

#include "graph/parse.h"

struct problem {
  bool given;
  struct hd_ids ids;
  uint64_t promised, seen;
  bool arcs; /* p sp: lines are arcs */
};

static bool parse_problem(struct hd_lines *l, struct problem *q, char *p) {
  char shown[48];
  if (q->given) return hd_lines_fail(l, "a second 'p' line; one would be accepted");
  const char *kind = hd_field(&p);
  if (kind == NULL || (strcmp(kind, "sp") != 0 && strncmp(kind, "edge", 4) != 0 && strcmp(kind, "col") != 0))
    return hd_lines_fail(l, "field 2, the problem, is '%s'; sp (shortest paths), edge or col would be accepted",
                         hd_shown(shown, kind ? kind : ""));
  q->given = true;
  q->arcs = strcmp(kind, "sp") == 0;
  return hd_field_u64(l, hd_field(&p), "field 3, the number of vertices,", HD_NODES_MAX, &q->ids.n) &&
         hd_field_u64(l, hd_field(&p), "field 4, the number of edges,", UINT64_MAX, &q->promised) &&
         hd_parse_weights(l, &p, 5, 0, NULL, NULL);
}

static bool parse_line(struct hd_lines *l, struct problem *q, const char *kind, char *p, struct hd_edges *edges) {
  char shown[48];
  uint64_t from, to;
  double weight;
  if (strcmp(kind, "p") == 0) return parse_problem(l, q, p);
  /* Colouring files may have lines for vertices, coordinates and parameters. */
  if (q->given && !q->arcs && strlen(kind) == 1 && strchr("ndvx", kind[0]) != NULL) {
    edges->ignored.lines++;
    return true;
  }
  if (strcmp(kind, "a") != 0 && strcmp(kind, "e") != 0)
    return hd_lines_fail(l, "a line that begins with '%s' in a DIMACS file; c, p, a or e would be accepted",
                         hd_shown(shown, kind));
  if (q->given && (kind[0] == 'a') != q->arcs)
    return hd_lines_fail(l, "a line that begins with '%s' below 'p %s'; %s would be accepted", kind,
                         q->arcs ? "sp" : "edge", q->arcs ? "a" : "e");
  if (!q->given) return hd_lines_fail(l, "an edge before the 'p' line; 'p sp VERTICES ARCS' would be accepted first");
  if (!hd_parse_id(l, &q->ids, hd_field(&p), 2, "the first vertex", &from) ||
      !hd_parse_id(l, &q->ids, hd_field(&p), 3, "the second vertex", &to))
    return false;
  q->seen++;
  return hd_parse_weights(l, &p, 4, 1, &weight, NULL) && hd_parse_add(l, edges, from, to) &&
         hd_parse_weigh(l, edges, weight);
}

bool hd_parse_dimacs(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared) {
  struct problem q = {0};
  while (hd_lines_next(l)) {
    if (l->line[0] == 'c') continue;
    char *p = l->line;
    const char *kind = hd_field(&p);
    if (kind != NULL && !parse_line(l, &q, kind, p, edges)) return false;
  }
  if (l->failed) return false;
  if (!q.given) return hd_lines_fail_file(l, "no 'p' line; 'p sp VERTICES ARCS' would be accepted");
  *declared = q.ids.n;
  edges->direction = q.arcs ? HD_DIRECTED : HD_UNDIRECTED;
  /* Colouring files write each edge once or twice under either count. */
  if (q.seen == q.promised || (!q.arcs && (q.seen == 2 * q.promised || 2 * q.seen == q.promised))) return true;
  return hd_lines_fail(l, "the file ends after %llu edges; %llu would be accepted, as its 'p' line declares",
                       (unsigned long long)q.seen, (unsigned long long)q.promised);
}
