/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/read.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "graph/parse.h"

static const char *const names[] = {"auto", "edges", "mtx", "dimacs", "metis"};

bool hd_format_find(const char *name, enum hd_format *format) {
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      *format = (enum hd_format)i;
      return true;
    }
  return false;
}

const char *hd_format_name(enum hd_format format) {
  return names[format];
}

bool hd_parse_add(struct hd_lines *l, struct hd_edges *edges, uint64_t from, uint64_t to) {
  if (hd_edges_add(edges, from, to)) return true;
  if (edges->n >= HD_EDGES_MAX) return hd_lines_fail(l, "one more edge than the %zu that are accepted", HD_EDGES_MAX);
  return hd_lines_fail_file(l, "out of memory after %zu edges", edges->n);
}

bool hd_parse_id(struct hd_lines *l, struct hd_ids *ids, const char *field, uint64_t *id) {
  if (ids->n == 0) return hd_lines_fail(l, "an edge in a graph of no vertices; an end of file would be accepted");
  if (!hd_field_range(l, field, "vertex", ids->from_one, ids->n, id)) return false;
  if (*id == 0 && ids->zero_line == 0) ids->zero_line = l->number;
  if (*id == ids->n && ids->last_line == 0) ids->last_line = l->number;
  if (ids->zero_line == 0 || ids->last_line == 0) return true;
  uint64_t other = *id == 0 ? ids->last_line : ids->zero_line;
  return hd_lines_fail(l, "vertex %llu here and vertex %llu in line %llu; 1 to %llu or 0 to %llu would be accepted",
                       (unsigned long long)*id, (unsigned long long)(*id == 0 ? ids->n : 0), (unsigned long long)other,
                       (unsigned long long)ids->n, (unsigned long long)(ids->n - (ids->n != 0)));
}

bool hd_parse_weights(struct hd_lines *l, char **p, unsigned max, double *first) {
  double weight;
  if (first != NULL) *first = NAN;
  for (char *field; (field = hd_field(p)) != NULL; max--) {
    char shown[48];
    if (max == 0)
      return hd_lines_fail(l, "'%s' after the last field; an end of line would be accepted", hd_shown(shown, field));
    if (!hd_field_real(l, field, "the weight", &weight)) return false;
    if (first != NULL && isnan(*first)) *first = weight;
  }
  return true;
}

bool hd_parse_weigh(struct hd_lines *l, struct hd_edges *edges, double weight) {
  if (!edges->keep_weights || isnan(weight)) return true;
  if (weight < 0 || weight > FLT_MAX)
    return hd_lines_fail(l, "the weight is %g; 0 to %g would be accepted", weight, (double)FLT_MAX);
  hd_edges_weigh(edges, (float)weight);
  return true;
}

static enum hd_format by_content(const char *line) {
  if (strncasecmp(line, "%%MatrixMarket", 14) == 0) return HD_FORMAT_MTX;
  if (hd_parse_begins(line, 'p') || hd_parse_begins(line, 'c')) return HD_FORMAT_DIMACS;
  return HD_FORMAT_AUTO;
}

static enum hd_format by_extension(const char *name) {
  static const struct {
    const char *extension;
    enum hd_format format;
  } known[] = {{".mtx", HD_FORMAT_MTX},    {".mm", HD_FORMAT_MTX},      {".gr", HD_FORMAT_DIMACS},
               {".col", HD_FORMAT_DIMACS}, {".graph", HD_FORMAT_METIS}, {".metis", HD_FORMAT_METIS}};
  size_t n = strlen(name);
  if (n > 3 && strcasecmp(name + n - 3, ".gz") == 0) n -= 3;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    size_t m = strlen(known[i].extension);
    if (n > m && strncasecmp(name + n - m, known[i].extension, m) == 0) return known[i].format;
  }
  return HD_FORMAT_EDGES;
}

static enum hd_format find_format(struct hd_lines *l) {
  enum hd_format named = by_extension(l->name), told = HD_FORMAT_AUTO;
  bool more = hd_lines_next(l);
  /* Where the name leaves it open, comments of DIMACS may be those of an edge list: the line behind them tells. No
   * reader misses them. */
  while (more && named == HD_FORMAT_EDGES && (hd_parse_blank(l->line) || hd_parse_begins(l->line, 'c')))
    more = hd_lines_next(l);
  if (more) told = by_content(l->line);
  if (more) hd_lines_back(l);
  return told != HD_FORMAT_AUTO ? told : named;
}

static bool parse(struct hd_lines *l, enum hd_format format, enum hd_format *used, struct hd_edges *edges,
                  uint64_t *declared) {
  if (format == HD_FORMAT_AUTO) format = find_format(l);
  if (l->failed) return false;
  *used = format;
  switch (format) {
    case HD_FORMAT_MTX:
      return hd_parse_mtx(l, edges, declared);
    case HD_FORMAT_DIMACS:
      return hd_parse_dimacs(l, edges, declared);
    case HD_FORMAT_METIS:
      return hd_parse_metis(l, edges, declared);
    default:
      return hd_parse_edges(l, edges, declared);
  }
}

bool hd_graph_read(const char *name, const struct hd_read_opts *o, struct hd_graph *g, enum hd_format *used, char *err,
                   size_t err_size) {
  *g = (struct hd_graph){0};
  struct hd_lines l;
  struct hd_edges edges = {.keep_direction = o->directed, .keep_weights = o->weights};
  uint64_t declared = 0;
  enum hd_format found = o->format;
  bool good = hd_lines_open(&l, name, err, err_size) && parse(&l, o->format, &found, &edges, &declared);
  if (good && edges.n == 0) good = hd_lines_fail_file(&l, "no edge in it; a graph with at least one would be accepted");
  if (good && !hd_graph_build(g, &edges)) good = hd_lines_fail_file(&l, "out of memory");
  if (good && g->nodes == 0) good = hd_lines_fail_file(&l, "self loops only; an edge between two vertices is needed");
  hd_edges_free(&edges);
  hd_lines_close(&l);
  if (!good) hd_graph_free(g);
  g->declared = good ? declared : 0;
  if (used != NULL) *used = found;
  return good;
}
