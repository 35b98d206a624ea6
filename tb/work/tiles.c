/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/tiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"
#include "work/tiles_inside.h"

#define NONE UINT32_MAX
#define PAGE ((uint64_t)4096)

/* ---- the graph ---- */

static void parents(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_parent(d, (struct hd_dim3){b.x - 1, b.y, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y - 1, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y, b.z - 1});
  hd_deplinks_parent(d, (struct hd_dim3){b.x + 1, b.y, b.z - 1});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y + 1, b.z - 1});
}

uint32_t hd_tiles_side(uint32_t nodes, uint32_t sweeps) {
  if (sweeps == 0 || nodes % sweeps != 0) return 0;
  uint32_t tiles = nodes / sweeps, side = 0;
  while ((uint64_t)side * side < tiles) side++;
  return (uint64_t)side * side == tiles ? side : 0;
}

/* Makes each TB wait for all TBs of the previous wave. Waves and VIDs stay those of the tiles' graph. */
static bool add_barriers(struct hd_deplinks *d, const struct hd_deplinks_graph *tiles) {
  uint32_t *tb = malloc(tiles->nodes * sizeof *tb);
  if (tb == NULL) return false;
  for (uint32_t v = 0; v < tiles->nodes; v++) tb[v] = tiles->tb[v];
  for (uint32_t before = 0, wave = 0, next; wave < tiles->nodes; before = wave, wave = next) {
    for (next = wave; next < tiles->nodes && tiles->node[next].level == tiles->node[wave].level;) next++;
    hd_deplinks_barrier(d, tb + before, wave - before, tb + wave, next - wave);
  }
  free(tb);
  return true;
}

/* Builds the graph of the tiles, or, with `tiles`, that of the barriers between its waves. */
static bool build_graph(const struct hd_tiles *t, const struct hd_deplinks_graph *tiles, struct hd_deplinks_graph *g,
                        char *err, size_t err_size) {
  struct hd_deplinks d;
  hd_deplinks_init(&d, (struct hd_dim3){t->side, t->side, t->d->sweeps}, NULL);
  hd_deplinks_set_policy(&d, t->o.order, t->o.bound);
  bool good = true;
  if (tiles == NULL)
    hd_deplinks_each(&d, parents, NULL);
  else
    good = add_barriers(&d, tiles);
  good = good && hd_deplinks_build(&d, g) == HD_DEPLINKS_OK;
  if (!good && d.code != HD_DEPLINKS_OK) snprintf(err, err_size, "the graph of the tiles: %s", d.text);
  hd_deplinks_free(&d);
  return good;
}

static bool make_graph(struct hd_tiles *t, char *err, size_t err_size) {
  struct hd_deplinks_graph tiles;
  if (t->o.launch != HD_TILES_BARRIERS) return build_graph(t, NULL, &t->graph, err, err_size);
  if (!build_graph(t, NULL, &tiles, err, err_size)) return false;
  bool good = build_graph(t, &tiles, &t->graph, err, err_size);
  hd_deplinks_graph_free(&tiles);
  return good;
}

static bool make_nodes(struct hd_tiles *t) {
  const struct hd_deplinks_graph *g = &t->graph;
  t->node = calloc(g->nodes, sizeof *t->node);
  t->wave = calloc(g->levels + 1, sizeof *t->wave);
  t->vid = calloc(g->nodes, sizeof *t->vid);
  t->running = calloc(g->levels, sizeof *t->running);
  if (t->node == NULL || t->wave == NULL || t->vid == NULL || t->running == NULL) return false;
  for (uint32_t v = 0; v < g->nodes; v++) {
    t->vid[g->tb[v]] = (uint16_t)v;
    t->node[v].parents = g->node[v].parents;
    t->wave[g->node[v].level + 1] = v + 1; /* VIDs go level by level */
  }
  return true;
}

/* Assigns addresses to the table and the data. */
static void place(struct hd_tiles *t) {
  const struct hd_tiles_data *d = t->d;
  t->table_at = PAGE;
  t->data_at[0] = (PAGE + (uint64_t)d->width * d->height * t->cell) / PAGE * PAGE + PAGE;
  t->data_at[1] =
      (t->data_at[0] + d->width * sizeof *d->series[0]) / PAGE * PAGE + PAGE; /* the second sequence or series */
}

uint64_t hd_tiles_delay(const struct hd_tiles *t) {
  const uint64_t late = t->o.seed != 0 ? hd_mix3(t->o.seed, t->next, 0) % ((uint64_t)t->o.jitter + 1) : 0;
  return t->o.host_latency + late;
}

struct hd_tiles *hd_tiles_new(const struct hd_tiles_data *d, const struct hd_tiles_opts *o, char *err,
                              size_t err_size) {
  struct hd_tiles *t = calloc(1, sizeof *t);
  snprintf(err, err_size, "out of memory");
  if (t == NULL) return NULL;
  *t = (struct hd_tiles){.d = d, .o = *o, .side = hd_tiles_side(o->nodes, d->sweeps), .cell = d->kind->item * d->bins};
  if (hd_tiles_fits(d, o->nodes, err, err_size) && make_graph(t, err, err_size) && make_nodes(t) &&
      hd_tiles_table_make(t)) {
    place(t);
    t->ready_at = hd_tiles_delay(t);
    return t;
  }
  hd_tiles_free(t);
  return NULL;
}

void hd_tiles_free(struct hd_tiles *t) {
  if (t == NULL) return;
  for (uint32_t v = 0; t->node != NULL && v < t->graph.nodes; v++) free(t->node[v].result);
  hd_deplinks_graph_free(&t->graph);
  free(t->node);
  free(t->wave);
  free(t->vid);
  free(t->running);
  hd_tiles_table_free(t);
  free(t);
}

/* ---- a TB ---- */

struct hd_dim3 hd_tiles_at(const struct hd_tiles *t, uint32_t vid) {
  const uint32_t tb = t->graph.tb[vid];
  return (struct hd_dim3){tb % t->side, tb / t->side % t->side, tb / t->side / t->side};
}

uint32_t hd_tiles_cut(uint32_t n, uint32_t k, uint32_t side) {
  return (uint32_t)((uint64_t)n * k / side);
}

struct hd_tiles_area hd_tiles_area(const struct hd_tiles *t, uint32_t vid) {
  const struct hd_dim3 b = hd_tiles_at(t, vid);
  const struct hd_tiles_data *d = t->d;
  return (struct hd_tiles_area){hd_tiles_cut(d->width, b.x, t->side), hd_tiles_cut(d->width, b.x + 1, t->side),
                                hd_tiles_cut(d->height, b.y, t->side), hd_tiles_cut(d->height, b.y + 1, t->side)};
}

uint64_t hd_tiles_cycles(const struct hd_tiles *t, uint32_t vid) {
  const struct hd_tiles_area a = hd_tiles_area(t, vid);
  const uint64_t steps = t->d->kind->steps(t->d, a.x1 - a.x0, a.y1 - a.y0, t->o.block_size, 0);
  const uint64_t held = t->o.overhead + steps * t->o.cycles_per_step;
  const uint64_t more = t->o.uneven != 0 ? hd_mix3(t->o.seed, 1, vid) % (t->o.uneven * UINT64_C(1000) + 1) : 0;
  return held != 0 ? held + held * more / 100000 : 1;
}

/* Returns a parent of v that has not ended. */
static uint32_t missing_parent(const struct hd_tiles *t, uint32_t v) {
  const struct hd_deplinks_graph *g = &t->graph;
  for (uint32_t p = 0; p < g->nodes; p++) {
    if (t->node[p].begun && t->node[p].result == NULL) continue;
    for (uint32_t e = g->node[p].start; e < g->node[p + 1].start; e++)
      if (g->edge[e] == v) return p;
  }
  return NONE;
}

static void describe(const struct hd_tiles *t, uint32_t v, char *text, size_t text_size) {
  const struct hd_dim3 b = hd_tiles_at(t, v);
  snprintf(text, text_size, "TB %u (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") of wave %u", t->graph.tb[v], b.x, b.y, b.z,
           t->graph.node[v].level);
}

static void note_broken(struct hd_tiles *t, uint32_t v) {
  char tb[80], parent[80] = "?";
  if (t->broken[0] != '\0') return;
  describe(t, v, tb, sizeof tb);
  if (t->node[v].begun) {
    snprintf(t->broken, sizeof t->broken, "%s began a second time", tb);
    return;
  }
  const uint32_t p = missing_parent(t, v);
  if (p != NONE) describe(t, p, parent, sizeof parent);
  snprintf(t->broken, sizeof t->broken, "%s began before its parent %s had ended", tb, parent);
}

static void level_begins(struct hd_tiles *t, uint32_t level) {
  const bool alone = t->running[t->lowest] == 0;
  t->running[level]++;
  if (alone || level < t->lowest) t->lowest = level;
  if (alone || level > t->highest) t->highest = level;
  if (t->highest - t->lowest > t->level_range) t->level_range = t->highest - t->lowest;
}

static void level_ends(struct hd_tiles *t, uint32_t level) {
  t->running[level]--;
  while (t->lowest < t->highest && t->running[t->lowest] == 0) t->lowest++;
  while (t->highest > t->lowest && t->running[t->highest] == 0) t->highest--;
}

/* The result is held separately until the TB ends. If out of memory, the tile is not computed, and the check of the
 * answer fails. */
void hd_tiles_begin(struct hd_tiles *t, uint32_t v) {
  struct hd_tiles_node *n = &t->node[v];
  if (n->begun || n->parents != 0) note_broken(t, v);
  if (n->begun) return;
  n->begun = true;
  n->result = hd_tiles_compute(t, v);
  if (n->result != NULL) level_begins(t, t->graph.node[v].level);
}

void hd_tiles_end(struct hd_tiles *t, uint32_t v) {
  struct hd_tiles_node *n = &t->node[v];
  const struct hd_deplinks_graph *g = &t->graph;
  if (n->result == NULL) return;
  hd_tiles_store(t, v, n->result);
  free(n->result);
  n->result = NULL;
  level_ends(t, g->node[v].level);
  t->done++;
  for (uint32_t e = g->node[v].start; e < g->node[v + 1].start; e++) t->node[g->edge[e]].parents--;
}

/* ---- results ---- */

const struct hd_deplinks_graph *hd_tiles_graph(const struct hd_tiles *t) {
  return &t->graph;
}
uint32_t hd_tiles_done(const struct hd_tiles *t) {
  return t->done;
}

uint32_t hd_tiles_level_range(const struct hd_tiles *t) {
  return t->level_range;
}

/* Return the bytes of a tile: of its data; of its cells in the table. */
static uint64_t data_bytes(const struct hd_tiles_data *d, uint64_t width, uint64_t height) {
  switch (d->kind->input) {
    case HD_TILES_SERIES:
      return (width + height) * sizeof *d->series[0];
    case HD_TILES_SEQUENCES:
      return (width + height) * sizeof *d->sequence[0];
    case HD_TILES_IMAGE:
      return width * height * sizeof *d->grey;
    case HD_TILES_NO_INPUT:
      break;
  }
  return 0;
}

static uint64_t cells_touched(const struct hd_tiles_data *d, const struct hd_tiles_area *a) {
  const bool in_place = d->kind->begin != NULL;
  const uint64_t width = a->x1 - a->x0, height = a->y1 - a->y0;
  uint64_t cells = width * height * (in_place ? 2 : 1);
  if (a->x0 > 0) cells += height;
  if (a->y0 > 0) cells += width;
  if (in_place && a->x1 < d->width) cells += height;
  if (in_place && a->y1 < d->height) cells += width;
  return cells + (!in_place && a->x0 > 0 && a->y0 > 0);
}

uint64_t hd_tiles_bytes(const struct hd_tiles *t) {
  uint64_t bytes = 0;
  for (uint32_t v = 0; v < t->graph.nodes; v++) {
    const struct hd_tiles_area a = hd_tiles_area(t, v);
    bytes += data_bytes(t->d, a.x1 - a.x0, a.y1 - a.y0) + cells_touched(t->d, &a) * t->cell;
  }
  return bytes;
}

const char *hd_tiles_broken(const struct hd_tiles *t) {
  return t->broken[0] != '\0' ? t->broken : NULL;
}
