/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/read.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool hd_parse_id(struct hd_lines *l, struct hd_ids *ids, const char *field, unsigned n, const char *what,
                 uint64_t *id) {
  char called[80];
  if (ids->n == 0) return hd_lines_fail(l, "an edge in a graph of no vertices; an end of file would be accepted");
  snprintf(called, sizeof called, "field %u, %s,", n, what);
  if (!hd_field_range(l, field, called, ids->from_one, ids->n, id)) return false;
  if (*id == 0 && ids->zero_line == 0) ids->zero_line = l->number;
  if (*id == ids->n && ids->last_line == 0) ids->last_line = l->number;
  if (ids->zero_line == 0 || ids->last_line == 0) return true;
  uint64_t other = *id == 0 ? ids->last_line : ids->zero_line;
  return hd_lines_fail(l, "vertex %llu here and vertex %llu in line %llu; 1 to %llu or 0 to %llu would be accepted",
                       (unsigned long long)*id, (unsigned long long)(*id == 0 ? ids->n : 0), (unsigned long long)other,
                       (unsigned long long)ids->n, (unsigned long long)(ids->n - (ids->n != 0)));
}

bool hd_parse_weights(struct hd_lines *l, char **p, unsigned n, unsigned max, double *first, unsigned *found) {
  double weight;
  unsigned k = 0;
  if (first != NULL) *first = NAN;
  for (char *field; (field = hd_field(p)) != NULL; k++) {
    char shown[48], called[48];
    if (k == max)
      return hd_lines_fail(l, "field %u, '%s', follows the last field; an end of line would be accepted", n + k,
                           hd_shown(shown, field));
    snprintf(called, sizeof called, "field %u, %s,", n + k, k == 0 ? "the weight" : "a number after the weight");
    if (!hd_field_real(l, field, called, &weight)) return false;
    if (first != NULL && k == 0) *first = weight;
  }
  if (found != NULL) *found = k;
  return true;
}

bool hd_parse_weigh(struct hd_lines *l, struct hd_edges *edges, double weight) {
  if (isnan(weight)) return true;
  if (!edges->keep_weights) {
    edges->ignored.weights++;
    return true;
  }
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
  } known[] = {{".mtx", HD_FORMAT_MTX},     {".mm", HD_FORMAT_MTX},      {".gr", HD_FORMAT_DIMACS},
               {".col", HD_FORMAT_DIMACS},  {".graph", HD_FORMAT_METIS}, {".metis", HD_FORMAT_METIS},
               {".mgraph", HD_FORMAT_METIS}};
  static const char *const packed[] = {".gz", ".xz", ".bz2", ".zst"};
  size_t n = strlen(name);
  for (unsigned i = 0; i < sizeof packed / sizeof *packed; i++) {
    const size_t m = strlen(packed[i]);
    if (n > m && strcasecmp(name + n - m, packed[i]) == 0) {
      n -= m;
      break;
    }
  }
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    size_t m = strlen(known[i].extension);
    if (n > m && strncasecmp(name + n - m, known[i].extension, m) == 0) return known[i].format;
  }
  return HD_FORMAT_EDGES;
}

static enum hd_format find_format(struct hd_lines *l) {
  enum hd_format named = by_extension(l->name), reported = HD_FORMAT_AUTO;
  bool more = hd_lines_next(l);
  /* If the name does not determine the format, DIMACS comments may be those of an edge list: the line after them
   * decides. Skipping them is harmless: every reader ignores them. */
  while (more && named == HD_FORMAT_EDGES && (hd_parse_blank(l->line) || hd_parse_begins(l->line, 'c')))
    more = hd_lines_next(l);
  if (more) reported = by_content(l->line);
  if (more) hd_lines_back(l);
  return reported != HD_FORMAT_AUTO ? reported : named;
}

static bool parse_as(struct hd_lines *l, enum hd_format format, bool guessed, struct hd_edges *edges,
                     uint64_t *declared) {
  switch (format) {
    case HD_FORMAT_MTX:
      return hd_parse_mtx(l, edges, declared);
    case HD_FORMAT_DIMACS:
      return hd_parse_dimacs(l, edges, declared);
    case HD_FORMAT_METIS:
      return hd_parse_metis(l, edges, declared);
    default:
      return hd_parse_edges(l, edges, declared, guessed);
  }
}

/* A file that can be read more than once. */
struct input {
  const char *name;
  int fd;
};

/* Opens the file; copies a pipe to an unnamed temporary file. */
static bool input_open(struct input *in, const char *name, char *err, size_t err_size) {
  struct stat st;
  char part[1 << 14];
  *in = (struct input){name, open(name, O_RDONLY | O_CLOEXEC)};
  if (in->fd < 0 || fstat(in->fd, &st) != 0) goto failed;
  if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) return true;
  FILE *kept = tmpfile();
  if (kept == NULL) goto failed;
  ssize_t n;
  while ((n = read(in->fd, part, sizeof part)) > 0)
    if (fwrite(part, 1, (size_t)n, kept) != (size_t)n) break;
  if (n != 0 || fflush(kept) != 0) {
    const int why = errno;
    fclose(kept);
    errno = why;
    goto failed;
  }
  close(in->fd);
  in->fd = fcntl(fileno(kept), F_DUPFD_CLOEXEC, 0);
  fclose(kept);
  if (in->fd >= 0) return true;
failed:
  snprintf(err, err_size, "%s: %s", name, strerror(errno));
  if (in->fd >= 0) close(in->fd);
  return false;
}

static bool input_lines(const struct input *in, struct hd_lines *l, char *err, size_t err_size) {
  const int fd = fcntl(in->fd, F_DUPFD_CLOEXEC, 0);
  if (fd >= 0) lseek(fd, 0, SEEK_SET);
  return hd_lines_open_fd(l, fd, in->name, err, err_size);
}

static int by_arc(const void *a, const void *b) {
  const struct hd_edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

/* Returns true if each vertex is a neighbour of its neighbours, as METIS requires; sorts the edges. */
static bool is_mutual(struct hd_edges *e) {
  bool mutual = true;
  qsort(e->edge, e->n, sizeof *e->edge, by_arc);
  for (size_t i = 0; mutual && i < e->n; i++) {
    const struct hd_edge back = {e->edge[i].to, e->edge[i].from};
    mutual = bsearch(&back, e->edge, e->n, sizeof *e->edge, by_arc) != NULL;
  }
  return mutual;
}

/* Returns true if a file whose name does not determine the format could be METIS: all of it conforms. Most edge lists
 * violate the format on their second line. */
static bool could_be_metis(const struct input *in) {
  char ignored[256];
  uint64_t declared;
  struct hd_lines l;
  struct hd_edges edges = {0};
  const bool could = input_lines(in, &l, ignored, sizeof ignored) && hd_parse_metis(&l, &edges, &declared) &&
                     edges.n != 0 && is_mutual(&edges);
  hd_edges_free(&edges);
  hd_lines_close(&l);
  return could;
}

/* Reads the file in the given format. */
static bool read_as(const struct input *in, const struct hd_read_opts *o, enum hd_format format, bool guessed,
                    struct hd_graph *g, char *err, size_t err_size) {
  struct hd_lines l;
  struct hd_edges edges = {.keep_direction = o->directed, .keep_weights = o->weights};
  uint64_t declared = 0;
  bool good = input_lines(in, &l, err, err_size) && parse_as(&l, format, guessed, &edges, &declared);
  if (good && edges.n == 0)
    good = hd_lines_fail_file(&l, "no edge in the file; a graph with at least one would be accepted");
  struct hd_ignored ignored = edges.ignored;
  if (edges.keep_weights && edges.weighted != edges.n) ignored.weights = edges.weighted;
  if (good && !hd_graph_build(g, &edges)) good = hd_lines_fail_file(&l, "out of memory");
  if (good && g->nodes == 0) good = hd_lines_fail_file(&l, "self loops only; an edge between two vertices is needed");
  hd_edges_free(&edges);
  hd_lines_close(&l);
  if (!good) hd_graph_free(g);
  if (!good) return false;
  g->declared = declared;
  g->ignored = ignored;
  return true;
}

static bool read_guessed(const struct input *in, const struct hd_read_opts *o, enum hd_format *used, struct hd_graph *g,
                         char *err, size_t err_size) {
  struct hd_lines l;
  const bool opened = input_lines(in, &l, err, err_size);
  const enum hd_format format = opened ? find_format(&l) : HD_FORMAT_AUTO;
  const bool failed = !opened || l.failed;
  hd_lines_close(&l);
  if (failed) return false;
  *used = format;
  const bool metis = format == HD_FORMAT_EDGES && could_be_metis(in);
  if (!read_as(in, o, format, true, g, err, err_size)) {
    if (!metis) return false;
    *used = HD_FORMAT_METIS;
    return read_as(in, o, HD_FORMAT_METIS, true, g, err, err_size);
  }
  if (!metis) return true;
  hd_graph_free(g);
  snprintf(err, err_size,
           "%s: could be edges (an edge list) or metis (each line the neighbours of a vertex); --format edges or "
           "--format metis decides",
           in->name);
  return false;
}

bool hd_graph_read(const char *name, const struct hd_read_opts *o, struct hd_graph *g, enum hd_format *used, char *err,
                   size_t err_size) {
  *g = (struct hd_graph){0};
  struct input in;
  enum hd_format found = o->format;
  if (!input_open(&in, name, err, err_size)) return false;
  const bool good = found == HD_FORMAT_AUTO ? read_guessed(&in, o, &found, g, err, err_size)
                                            : read_as(&in, o, found, false, g, err, err_size);
  close(in.fd);
  if (used != NULL) *used = found;
  return good;
}
