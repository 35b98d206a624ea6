/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool hd_edges_add(struct hd_edges *e, uint64_t from, uint64_t to) {
  if (e->n == e->cap) {
    if (e->cap >= HD_EDGES_MAX) return false;
    size_t cap = e->cap != 0 ? e->cap * 2 : 1024;
    struct hd_edge *grown = realloc(e->edge, cap * sizeof *grown);
    if (grown == NULL) return false;
    e->edge = grown;
    if (e->keep_weights) {
      float *weight = realloc(e->weight, cap * sizeof *weight);
      if (weight == NULL) return false;
      e->weight = weight;
    }
    e->cap = cap;
  }
  e->edge[e->n++] = (struct hd_edge){from, to};
  return true;
}

void hd_edges_weigh(struct hd_edges *e, float weight) {
  e->weight[e->n - 1] = weight;
  e->weighted++;
}

void hd_edges_free(struct hd_edges *e) {
  free(e->edge);
  free(e->weight);
  *e = (struct hd_edges){0};
}

/* Radix sort, a byte a pass; passes over bytes that are equal everywhere are skipped, so small numbers sort quickly. */
static bool sort_u64(uint64_t *a, size_t n) {
  uint64_t *other = malloc(n * sizeof *a + 1);
  if (other == NULL) return false;
  uint64_t *from = a, *to = other;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    size_t at[257] = {0};
    for (size_t i = 0; i < n; i++) at[((from[i] >> shift) & 255) + 1]++;
    if (n == 0 || at[((from[0] >> shift) & 255) + 1] == n) continue;
    for (unsigned b = 0; b < 256; b++) at[b + 1] += at[b];
    for (size_t i = 0; i < n; i++) to[at[(from[i] >> shift) & 255]++] = from[i];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != a) memcpy(a, from, n * sizeof *a);
  free(other);
  return true;
}

static size_t unique(uint64_t *a, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || a[kept - 1] != a[i]) a[kept++] = a[i];
  return kept;
}

static uint64_t place_of(const uint64_t *sorted, size_t n, uint64_t id) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (sorted[mid] < id)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* Lists the ids that occur in edges other than self loops, ascending. */
static bool number_ids(struct hd_graph *g, const struct hd_edges *e) {
  uint64_t *ids = malloc(2 * e->n * sizeof *ids + 1);
  if (ids == NULL) return false;
  size_t n = 0;
  for (size_t i = 0; i < e->n; i++) {
    if (e->edge[i].from == e->edge[i].to) continue;
    ids[n++] = e->edge[i].from;
    ids[n++] = e->edge[i].to;
  }
  g->id = ids;
  if (!sort_u64(ids, n)) return false;
  g->nodes = (uint32_t)unique(ids, n);
  return true;
}

/* Fills rows and columns from keys (source << 32 | target). Requires sorted, distinct keys. */
static bool fill_arcs(struct hd_graph *g, const uint64_t *key) {
  g->row = calloc((size_t)g->nodes + 1, sizeof *g->row);
  g->col = malloc(g->edges * sizeof *g->col + 1);
  if (g->row == NULL || g->col == NULL) return false;
  for (uint64_t i = 0; i < g->edges; i++) {
    g->row[(key[i] >> 32) + 1]++;
    g->col[i] = (uint32_t)key[i];
  }
  for (uint32_t v = 0; v < g->nodes; v++) g->row[v + 1] += g->row[v];
  return true;
}

/* Fills rows and columns from keys (smaller << 32 | larger). Requires sorted, distinct keys. */
static bool fill_rows(struct hd_graph *g, const uint64_t *key) {
  g->row = calloc((size_t)g->nodes + 2, sizeof *g->row);
  g->col = malloc(2 * g->edges * sizeof *g->col + 1);
  if (g->row == NULL || g->col == NULL) return false;
  /* Counts are stored two places up, so that after the sums row[v + 1] is the index for the next neighbour of v. */
  uint64_t *at = g->row + 1;
  for (uint64_t i = 0; i < g->edges; i++) {
    if ((key[i] >> 32) + 1 < g->nodes) at[(key[i] >> 32) + 1]++;
    if ((uint32_t)key[i] + 1 < g->nodes) at[(uint32_t)key[i] + 1]++;
  }
  for (uint32_t v = 1; v < g->nodes; v++) at[v] += at[v - 1];
  /* Smaller neighbours first, then larger ones: each pass in key order leaves every row ascending. */
  for (uint64_t i = 0; i < g->edges; i++) g->col[at[(uint32_t)key[i]]++] = (uint32_t)(key[i] >> 32);
  for (uint64_t i = 0; i < g->edges; i++) g->col[at[key[i] >> 32]++] = (uint32_t)key[i];
  return true;
}

/* Makes the keys of edges other than self loops: one per edge, or one per arc (`arcs` per edge). */
static size_t make_keys(const struct hd_graph *g, const struct hd_edges *e, size_t arcs, uint64_t *key) {
  size_t n = 0;
  for (size_t i = 0; i < e->n; i++) {
    if (e->edge[i].from == e->edge[i].to) continue;
    uint64_t a = place_of(g->id, g->nodes, e->edge[i].from);
    uint64_t b = place_of(g->id, g->nodes, e->edge[i].to);
    key[n++] = g->directed || a < b ? a << 32 | b : b << 32 | a;
    if (arcs == 2) key[n++] = b << 32 | a;
  }
  return n;
}

/* Lowers the weight of the arc from a to b to `weight`, if the arc exists and its weight is larger. */
static void weigh_arc(struct hd_graph *g, uint64_t a, uint64_t b, float weight) {
  uint64_t low = g->row[a], high = g->row[a + 1];
  while (low < high) {
    uint64_t mid = low + (high - low) / 2;
    if (g->col[mid] < b)
      low = mid + 1;
    else
      high = mid;
  }
  if (low < g->row[a + 1] && g->col[low] == b && weight < g->weight[low]) g->weight[low] = weight;
}

static bool fill_weights(struct hd_graph *g, const struct hd_edges *e) {
  if (e->n == 0 || e->weighted != e->n) return true;
  g->weight = malloc(g->row[g->nodes] * sizeof *g->weight + 1);
  if (g->weight == NULL) return false;
  for (uint64_t i = 0; i < g->row[g->nodes]; i++) g->weight[i] = INFINITY;
  for (size_t i = 0; i < e->n; i++) {
    if (e->edge[i].from == e->edge[i].to) continue;
    uint64_t a = place_of(g->id, g->nodes, e->edge[i].from);
    uint64_t b = place_of(g->id, g->nodes, e->edge[i].to);
    weigh_arc(g, a, b, e->weight[i]);
    if (!g->directed || g->input == HD_UNDIRECTED) weigh_arc(g, b, a, e->weight[i]);
  }
  return true;
}

bool hd_graph_build(struct hd_graph *g, struct hd_edges *e) {
  *g = (struct hd_graph){.read = e->n, .directed = e->keep_direction, .input = e->direction};
  size_t n = 0, arcs = g->directed && g->input == HD_UNDIRECTED ? 2 : 1;
  uint64_t *key = malloc(arcs * e->n * sizeof *key + 1);
  bool good = key != NULL && number_ids(g, e);
  if (good) n = make_keys(g, e, arcs, key);
  if (!e->keep_weights) hd_edges_free(e); /* frees memory for the next steps */
  if (good) good = sort_u64(key, n);
  if (good) {
    g->edges = unique(key, n);
    g->self_loops = g->read - n / arcs;
    g->duplicates = (n - g->edges) / arcs;
    good = g->directed ? fill_arcs(g, key) : fill_rows(g, key);
  }
  free(key);
  good = good && fill_weights(g, e);
  hd_edges_free(e);
  if (!good) hd_graph_free(g);
  return good;
}

bool hd_graph_without(const struct hd_graph *g, uint32_t max_degree, struct hd_graph *out) {
  struct hd_edges e = {0};
  bool good = true;
  for (uint32_t v = 0; good && v < g->nodes; v++) {
    if (hd_graph_degree(g, v) > max_degree) continue;
    for (uint64_t i = g->row[v]; good && i < g->row[v + 1]; i++) {
      uint32_t u = g->col[i];
      if (v < u && hd_graph_degree(g, u) <= max_degree) good = hd_edges_add(&e, g->id[v], g->id[u]);
    }
  }
  if (good) return hd_graph_build(out, &e);
  hd_edges_free(&e);
  *out = (struct hd_graph){0};
  return false;
}

void hd_graph_free(struct hd_graph *g) {
  free(g->row);
  free(g->col);
  free(g->weight);
  free(g->id);
  *g = (struct hd_graph){0};
}

uint32_t hd_graph_largest(const struct hd_graph *g) {
  uint32_t largest = 0;
  for (uint32_t v = 0; v < g->nodes; v++)
    if (hd_graph_degree(g, v) > largest) largest = hd_graph_degree(g, v);
  return largest;
}

bool hd_graph_top(const struct hd_graph *g, uint32_t k, uint32_t *out) {
  uint64_t *key = malloc(g->nodes * sizeof *key + 1);
  if (key == NULL) return false;
  /* The complement of the degree sorts the largest first and keeps the lower number first on ties. */
  for (uint32_t v = 0; v < g->nodes; v++) key[v] = (uint64_t)(~hd_graph_degree(g, v)) << 32 | v;
  bool good = sort_u64(key, g->nodes);
  for (uint32_t i = 0; good && i < k; i++) out[i] = (uint32_t)key[i];
  free(key);
  return good;
}
