/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Collecting edges: mapping functions, lists, barriers, patterns. Sets are in deplinks_sets.c, building in
 * deplinks_build.c. */
#include "api/deplinks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/deplinks_inside.h"

/* ---- Shared by the files ---- */

struct hd_dim3 hd_dep_at(struct hd_dim3 grid, uint32_t tb) {
  return (struct hd_dim3){tb % grid.x, tb / grid.x % grid.y, tb / grid.x / grid.y};
}

struct hd_dep_name hd_dep_name(struct hd_dim3 grid, uint32_t tb) {
  struct hd_dim3 at = hd_dep_at(grid, tb);
  struct hd_dep_name name;
  snprintf(name.s, sizeof name.s, "TB %u (%u, %u, %u)", (unsigned)tb, (unsigned)at.x, (unsigned)at.y, (unsigned)at.z);
  return name;
}

enum hd_deplinks_code hd_dep_refuse(struct hd_deplinks *d, enum hd_deplinks_code code, uint32_t tb, const char *fmt,
                                    ...) {
  va_list ap;
  if (d->code != HD_DEPLINKS_OK) return d->code;
  d->code = code;
  d->tb = tb;
  if (tb != HD_DEPLINKS_NO_TB) d->at = hd_dep_at(d->grid, tb);
  va_start(ap, fmt);
  vsnprintf(d->text, sizeof d->text, fmt, ap);
  va_end(ap);
  return code;
}

static void *heap(void *ctx, void *p, size_t bytes) {
  (void)ctx;
  if (bytes != 0) return realloc(p, bytes);
  free(p);
  return NULL;
}

void *hd_dep_take(const struct hd_deplinks_memory *m, size_t count, size_t size) {
  if (count > SIZE_MAX / size) return NULL;
  return m->resize(m->ctx, NULL, count != 0 ? count * size : size);
}

void hd_dep_release(const struct hd_deplinks_memory *m, void *p) {
  if (p != NULL) m->resize(m->ctx, p, 0);
}

bool hd_dep_room(struct hd_deplinks *d, uint32_t tb, void **array, size_t *room, size_t want, size_t size) {
  if (want <= *room) return true;
  size_t more = *room < 32 ? 64 : 2 * *room;
  if (more < want) more = want;
  void *p = more <= SIZE_MAX / 2 / size ? d->memory.resize(d->memory.ctx, *array, more * size) : NULL;
  if (p == NULL) {
    hd_dep_refuse(d, HD_DEPLINKS_MEMORY, tb, "out of memory at %s, after %zu edges", hd_dep_name(d->grid, tb).s,
                  d->edges);
    return false;
  }
  *array = p;
  *room = more;
  return true;
}

bool hd_dep_edges_room(struct hd_deplinks *d, uint32_t tb, size_t more) {
  void *array = d->pair;
  bool good = hd_dep_room(d, tb, &array, &d->pair_room, d->edges + more, sizeof *d->pair);
  d->pair = array;
  return good;
}

/* ---- A grid ---- */

enum hd_deplinks_code hd_deplinks_init(struct hd_deplinks *d, struct hd_dim3 grid,
                                       const struct hd_deplinks_memory *memory) {
  memset(d, 0, sizeof *d);
  d->grid = grid;
  d->memory = memory != NULL ? *memory : (struct hd_deplinks_memory){heap, NULL};
  d->tb = d->current = HD_DEPLINKS_NO_TB;
  if (!grid.x || !grid.y || !grid.z)
    return hd_dep_refuse(d, HD_DEPLINKS_ZERO_DIM, HD_DEPLINKS_NO_TB, "the grid of %u x %u x %u has no TB",
                         (unsigned)grid.x, (unsigned)grid.y, (unsigned)grid.z);
  uint64_t xy = (uint64_t)grid.x * grid.y;
  if (xy > HD_DEPLINKS_NODES || xy * grid.z > HD_DEPLINKS_NODES)
    return hd_dep_refuse(d, HD_DEPLINKS_NODES_OVER, HD_DEPLINKS_NODES,
                         "the grid of %u x %u x %u has more than %d TBs: the first excess one is %s", (unsigned)grid.x,
                         (unsigned)grid.y, (unsigned)grid.z, HD_DEPLINKS_NODES, hd_dep_name(grid, HD_DEPLINKS_NODES).s);
  d->nodes = (uint32_t)(xy * grid.z);
  return HD_DEPLINKS_OK;
}

void hd_deplinks_free(struct hd_deplinks *d) {
  hd_dep_sets_free(d);
  hd_dep_release(&d->memory, d->pair);
  hd_dep_release(&d->memory, d->item);
  hd_dep_release(&d->memory, d->cycle);
  d->pair = NULL;
  d->item = NULL;
  d->cycle = NULL;
  d->edges = d->pair_room = d->items = d->item_room = 0;
}

enum hd_deplinks_code hd_deplinks_set_policy(struct hd_deplinks *d, enum hd_deplinks_policy policy, uint32_t bound) {
  if ((unsigned)policy > HD_DEPLINKS_LVL_BIND)
    return hd_dep_refuse(d, HD_DEPLINKS_BAD_POLICY, HD_DEPLINKS_NO_TB,
                         "policy %u does not exist; 0 to 2 would be accepted", (unsigned)policy);
  if (policy != HD_DEPLINKS_LRR && bound > HD_DEPLINKS_BOUND)
    return hd_dep_refuse(d, HD_DEPLINKS_BAD_POLICY, HD_DEPLINKS_NO_TB,
                         "the bound is %u levels; up to %d would be accepted", (unsigned)bound, HD_DEPLINKS_BOUND);
  if (d->code != HD_DEPLINKS_OK) return d->code;
  d->policy = policy;
  d->bound = policy == HD_DEPLINKS_LRR ? 0 : bound;
  return HD_DEPLINKS_OK;
}

/* ---- Edges ---- */

/* Requires both TBs in the grid, and room. */
static void put(struct hd_deplinks *d, uint32_t parent, uint32_t child) {
  d->steps++;
  d->pair[d->edges++] = child << 16 | parent;
}

static enum hd_deplinks_code no_tb(struct hd_deplinks *d, uint32_t tb) {
  return hd_dep_refuse(d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "there is no TB %u in the grid of %u TBs",
                       (unsigned)tb, (unsigned)d->nodes);
}

enum hd_deplinks_code hd_deplinks_add(struct hd_deplinks *d, uint32_t parent, uint32_t child) {
  if (d->code != HD_DEPLINKS_OK) return d->code;
  if (parent >= d->nodes) return no_tb(d, parent);
  if (child >= d->nodes) return no_tb(d, child);
  if (parent == child)
    return hd_dep_refuse(d, HD_DEPLINKS_SELF, child, "%s is its own parent", hd_dep_name(d->grid, child).s);
  if (hd_dep_edges_room(d, child, 1)) put(d, parent, child);
  return d->code;
}

enum hd_deplinks_code hd_deplinks_add_list(struct hd_deplinks *d, const struct hd_deplinks_edge *list, size_t n) {
  for (size_t k = 0; k < n && d->code == HD_DEPLINKS_OK; k++) hd_deplinks_add(d, list[k].parent, list[k].child);
  return d->code;
}

/* ---- Mapping functions ---- */

static bool mapping(struct hd_deplinks *d, const char *what) {
  if (d->code == HD_DEPLINKS_OK && d->current == HD_DEPLINKS_NO_TB)
    hd_dep_refuse(d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "%s was called outside of a mapping function", what);
  return d->code == HD_DEPLINKS_OK;
}

void hd_deplinks_parent(struct hd_deplinks *d, struct hd_dim3 parent) {
  if (!mapping(d, "hd_deplinks_parent")) return;
  if (parent.x >= d->grid.x || parent.y >= d->grid.y || parent.z >= d->grid.z)
    d->ignored++;
  else
    hd_deplinks_add(d, parent.x + d->grid.x * (parent.y + d->grid.y * parent.z), d->current);
}

void hd_deplinks_depend(struct hd_deplinks *d, enum hd_deplinks_kind kind, uint64_t key) {
  if (!mapping(d, "hd_deplinks_depend")) return;
  void *array = d->item;
  bool good = hd_dep_room(d, d->current, &array, &d->item_room, d->items + 1, sizeof *d->item);
  d->item = array;
  if (good) d->item[d->items++] = (struct hd_deplinks_item){key, kind};
}

enum hd_deplinks_code hd_deplinks_each(struct hd_deplinks *d,
                                       void (*map)(struct hd_deplinks *d, struct hd_dim3 block, void *ctx), void *ctx) {
  for (uint32_t tb = 0; tb < d->nodes && d->code == HD_DEPLINKS_OK; tb++) {
    d->steps++;
    d->current = tb;
    d->items = 0;
    map(d, hd_dep_at(d->grid, tb), ctx);
    if (d->items != 0) hd_deplinks_task(d, tb, d->item, d->items);
  }
  d->current = HD_DEPLINKS_NO_TB;
  return d->code;
}

/* ---- Barriers ---- */

enum hd_deplinks_code hd_deplinks_barrier(struct hd_deplinks *d, const uint32_t *before, size_t n,
                                          const uint32_t *after, size_t m) {
  for (size_t c = 0; c < m; c++)
    for (size_t p = 0; p < n && d->code == HD_DEPLINKS_OK; p++) hd_deplinks_add(d, before[p], after[c]);
  return d->code;
}

enum hd_deplinks_code hd_deplinks_phases(struct hd_deplinks *d, uint32_t phase, uint32_t group) {
  if (d->code != HD_DEPLINKS_OK) return d->code;
  if (phase == 0 || group == 0)
    return hd_dep_refuse(d, HD_DEPLINKS_BAD_SIZE, HD_DEPLINKS_NO_TB, "a %s of 0 TBs", phase == 0 ? "phase" : "group");
  if (phase >= d->nodes) return HD_DEPLINKS_OK; /* only one phase */
  for (uint32_t tb = phase; tb < d->nodes; tb++) {
    uint32_t before = tb / phase * phase - phase, first = tb % phase / group * group;
    uint32_t count = first + group > phase ? phase - first : group;
    if (!hd_dep_edges_room(d, tb, count)) break;
    for (uint32_t k = 0; k < count; k++) put(d, before + first + k, tb);
  }
  return d->code;
}
