/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/generate.h"

#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"

/* ---- graph500 ---- */

/* Draws a quarter of the matrix, then a quarter of that, down to a single entry. */
static struct hd_edge draw_edge(const struct hd_generate *o, uint64_t edge) {
  struct hd_edge e = {0};
  for (uint64_t half = o->nodes / 2, level = 0; half != 0; half /= 2, level++) {
    const double u = hd_mix_unit(hd_mix3(o->seed, edge, level));
    if (u >= 0.76) e.from += half;
    if ((u >= 0.57 && u < 0.76) || u >= 0.95) e.to += half;
  }
  return e;
}

static bool graph500(const struct hd_generate *o, struct hd_edges *e) {
  uint64_t *id = malloc(o->nodes * sizeof *id);
  bool good = id != NULL;
  for (uint32_t v = 0; good && v < o->nodes; v++) {
    const uint64_t other = hd_mix3(o->seed, UINT64_MAX, v) % (v + (uint64_t)1);
    id[v] = id[other];
    id[other] = v;
  }
  for (uint64_t k = 0; good && k < (uint64_t)o->nodes * o->degree; k++) {
    const struct hd_edge drawn = draw_edge(o, k);
    good = hd_edges_add(e, id[drawn.from], id[drawn.to]);
  }
  free(id);
  return good;
}

/* ---- banded ---- */

enum { BAND = 64, LEAST = 3, MOST = 47 };

struct band {
  struct hd_edges *e;
  uint32_t nodes;
  uint32_t *degree;
  uint32_t (*neighbour)[MOST];
};

static bool have_edge(const struct band *b, uint32_t v, uint32_t u) {
  for (uint32_t k = 0; k < b->degree[v]; k++)
    if (b->neighbour[v][k] == u) return true;
  return false;
}

/* Returns the number of neighbours that v should have. */
static uint32_t wanted(const struct hd_generate *o, uint32_t v) {
  return LEAST + (uint32_t)(hd_mix3(o->seed, v, 0) % (MOST - LEAST + 1));
}

/* Adds an edge from v to the vertex at distance `offset`, unless that has `most` neighbours. Returns false if out of
 * memory. */
static bool join(struct band *b, uint32_t v, int64_t offset, uint32_t most) {
  const int64_t at = (int64_t)v + offset;
  if (at == v || at < 0 || at >= (int64_t)b->nodes) return true;
  const uint32_t u = (uint32_t)at;
  if (b->degree[u] >= most || have_edge(b, v, u)) return true;
  b->neighbour[v][b->degree[v]++] = u;
  b->neighbour[u][b->degree[u]++] = v;
  return hd_edges_add(b->e, v, u);
}

static bool banded(const struct hd_generate *o, struct hd_edges *e) {
  struct band b = {.e = e, .nodes = o->nodes};
  b.degree = calloc(o->nodes, sizeof *b.degree);
  b.neighbour = malloc(o->nodes * sizeof *b.neighbour);
  bool good = b.degree != NULL && b.neighbour != NULL;
  for (uint32_t v = 0; good && v < o->nodes; v++) {
    for (uint32_t k = 1; good && k < 8 * MOST && b.degree[v] < wanted(o, v); k++) {
      const int64_t offset = (int64_t)(hd_mix3(o->seed, v, k) % (2 * BAND + 1)) - BAND;
      const int64_t u = v + offset;
      if (u >= 0 && u < o->nodes) good = join(&b, v, offset, wanted(o, (uint32_t)u));
    }
    for (int64_t near = 1; good && near <= BAND && b.degree[v] < LEAST; near++)
      good = join(&b, v, near, MOST) && join(&b, v, -near, MOST);
  }
  free(b.degree);
  free(b.neighbour);
  return good;
}

/* ---- road ---- */

static bool road(const struct hd_generate *o, struct hd_edges *e) {
  uint32_t width = 1;
  while ((uint64_t)(width + 1) * (width + 1) <= o->nodes) width++;
  bool good = true;
  for (uint32_t v = 0; good && v < o->nodes; v++) {
    const bool right = v % width + 1 < width && v + 1 < o->nodes && hd_mix3(o->seed, v, 0) % 6 != 0;
    const bool down = (uint64_t)v + width < o->nodes && hd_mix3(o->seed, v, 1) % 6 != 0;
    if (right) good = hd_edges_add(e, v, v + 1);
    if (good && down) good = hd_edges_add(e, v, v + width);
  }
  return good;
}

/* ---- */

static const struct {
  const char *name;
  bool (*make)(const struct hd_generate *o, struct hd_edges *e);
} generators[] = {{"graph500", graph500}, {"banded", banded}, {"road", road}};
enum { GENERATORS = sizeof generators / sizeof *generators };

static unsigned find(const char *name) {
  unsigned k = 0;
  while (k < GENERATORS && strcmp(generators[k].name, name) != 0) k++;
  return k;
}

const char *hd_generate_check(const struct hd_generate *o) {
  if (find(o->name) == GENERATORS) return "graph500, banded or road";
  if (o->nodes < BAND || o->nodes > (UINT32_C(1) << 26)) return "64 to 67108864 nodes";
  if (strcmp(o->name, "graph500") != 0) return NULL;
  return (o->nodes & (o->nodes - 1)) != 0 ? "a power of two as nodes" : NULL;
}

bool hd_generate(const struct hd_generate *o, struct hd_graph *g) {
  struct hd_edges e = {.direction = HD_UNDIRECTED};
  *g = (struct hd_graph){0};
  if (generators[find(o->name)].make(o, &e)) return hd_graph_build(g, &e);
  hd_edges_free(&e);
  return false;
}
