/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Checks whether a graph is valid, and whether an order respects it. Shares no code with the builder. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/deplinks_inside.h"

struct verdict {
  const struct hd_deplinks_graph *g;
  char *text;
  size_t size;
  enum hd_deplinks_code code;
};

static bool wrong(struct verdict *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct verdict *v, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(v->text, v->size, fmt, ap);
  va_end(ap);
  v->code = HD_DEPLINKS_WRONG;
  return false;
}

/* Allocates zeros for each node; the caller frees them. */
static uint16_t *per_node(struct verdict *v) {
  uint16_t *p = hd_dep_take(&v->g->memory, v->g->nodes, sizeof *p);
  if (p == NULL) {
    snprintf(v->text, v->size, "out of memory to check %u TBs", (unsigned)v->g->nodes);
    v->code = HD_DEPLINKS_MEMORY;
    return NULL;
  }
  memset(p, 0, v->g->nodes * sizeof *p);
  return p;
}

static bool check_counts(struct verdict *v) {
  const struct hd_deplinks_graph *g = v->g;
  uint64_t xy = (uint64_t)g->grid.x * g->grid.y;
  if (g->nodes == 0 || g->nodes > HD_DEPLINKS_NODES)
    return wrong(v, "%u nodes; 1 to %d would be accepted", (unsigned)g->nodes, HD_DEPLINKS_NODES);
  if (xy == 0 || xy > HD_DEPLINKS_NODES || xy * g->grid.z != g->nodes)
    return wrong(v, "%u nodes for a grid of %u x %u x %u", (unsigned)g->nodes, (unsigned)g->grid.x, (unsigned)g->grid.y,
                 (unsigned)g->grid.z);
  return true;
}

static bool check_starts(struct verdict *v) {
  const struct hd_deplinks_graph *g = v->g;
  if (g->node[0].start != 0) return wrong(v, "the edges of VID 0 start at %u", (unsigned)g->node[0].start);
  for (uint32_t k = 0; k < g->nodes; k++)
    if (g->node[k + 1].start < g->node[k].start || g->node[k + 1].start > g->edges)
      return wrong(v, "the edges of VID %u start at %u and end at %u, of %u", (unsigned)k, (unsigned)g->node[k].start,
                   (unsigned)g->node[k + 1].start, (unsigned)g->edges);
  const struct hd_deplinks_node *closing = &g->node[g->nodes];
  if (closing->start != g->edges || closing->parents != 0 || closing->level != 0)
    return wrong(v, "the closing entry is {%u, %u, %u}, not {%u, 0, 0}", (unsigned)closing->start, closing->parents,
                 closing->level, (unsigned)g->edges);
  return true;
}

/* Each TB appears once; within a level, in ascending order. */
static bool check_names(struct verdict *v) {
  const struct hd_deplinks_graph *g = v->g;
  uint16_t *seen = per_node(v);
  bool good = seen != NULL;
  for (uint32_t k = 0; good && k < g->nodes; k++) {
    uint16_t level = g->node[k].level, before = k != 0 ? g->node[k - 1].level : 0;
    if (g->tb[k] >= g->nodes)
      good = wrong(v, "VID %u is TB %u, of %u", (unsigned)k, g->tb[k], (unsigned)g->nodes);
    else if (seen[g->tb[k]]++ != 0)
      good = wrong(v, "VID %u is %s, as an earlier VID is", (unsigned)k, hd_dep_name(g->grid, g->tb[k]).s);
    else if (level < before || level > before + 1u || (k == 0 && level != 0))
      good = wrong(v, "VID %u is on level %u, after level %u", (unsigned)k, level, before);
    else if (k != 0 && level == before && g->tb[k] < g->tb[k - 1])
      good = wrong(v, "VIDs %u and %u, of one level, are TBs %u and %u", (unsigned)(k - 1), (unsigned)k, g->tb[k - 1],
                   g->tb[k]);
  }
  hd_dep_release(&g->memory, seen);
  return good;
}

/* Checks the children of node k; accumulates parent counts, and the deepest parent's level + 1, in `count` and
 * `level`. */
static bool check_children(struct verdict *v, uint32_t k, uint16_t *count, uint16_t *level) {
  const struct hd_deplinks_graph *g = v->g;
  for (uint32_t e = g->node[k].start; e < g->node[k + 1].start; e++) {
    uint16_t child = g->edge[e];
    if (child >= g->nodes) return wrong(v, "VID %u has a child %u, of %u", (unsigned)k, child, (unsigned)g->nodes);
    if (e != g->node[k].start && child <= g->edge[e - 1])
      return wrong(v, "VID %u has child %u after child %u", (unsigned)k, child, g->edge[e - 1]);
    if (g->node[child].level <= g->node[k].level)
      return wrong(v, "VID %u, on level %u, has a child %u on level %u", (unsigned)k, g->node[k].level, child,
                   g->node[child].level);
    count[child]++;
    if (level[child] <= g->node[k].level) level[child] = (uint16_t)(g->node[k].level + 1);
  }
  return true;
}

static bool check_edges(struct verdict *v) {
  const struct hd_deplinks_graph *g = v->g;
  uint16_t *count = per_node(v), *level = per_node(v);
  bool good = count != NULL && level != NULL;
  for (uint32_t k = 0; good && k < g->nodes; k++) good = check_children(v, k, count, level);
  for (uint32_t k = 0; good && k < g->nodes; k++)
    if (g->node[k].parents != count[k] || g->node[k].level != level[k])
      good = wrong(v, "VID %u has %u parents and level %u; its edges give %u and %u", (unsigned)k, g->node[k].parents,
                   g->node[k].level, count[k], level[k]);
  hd_dep_release(&g->memory, count);
  hd_dep_release(&g->memory, level);
  return good;
}

enum hd_deplinks_code hd_deplinks_check(const struct hd_deplinks_graph *g, char *text, size_t size) {
  struct verdict v = {g, text, size, HD_DEPLINKS_OK};
  text[0] = '\0';
  if (check_counts(&v) && check_starts(&v) && check_names(&v)) check_edges(&v);
  return v.code;
}

/* Runs the TBs one after the other. left: parents that each VID waits for; UINT16_MAX, which is no possible count: has
 * run. */
static bool run(struct verdict *v, const uint16_t *tb, uint32_t n, const uint16_t *vid, uint16_t *left) {
  const struct hd_deplinks_graph *g = v->g;
  for (uint32_t k = 0; k < n; k++) {
    if (tb[k] >= g->nodes) return wrong(v, "place %u: there is no TB %u of %u", (unsigned)k, tb[k], (unsigned)g->nodes);
    uint16_t now = vid[tb[k]];
    if (left[now] == UINT16_MAX) return wrong(v, "place %u: %s again", (unsigned)k, hd_dep_name(g->grid, tb[k]).s);
    if (left[now] != 0)
      return wrong(v, "place %u: %s before %u of its %u parents", (unsigned)k, hd_dep_name(g->grid, tb[k]).s, left[now],
                   g->node[now].parents);
    left[now] = UINT16_MAX;
    for (uint32_t e = g->node[now].start; e < g->node[now + 1].start; e++) left[g->edge[e]]--;
  }
  for (uint32_t k = 0; k < g->nodes; k++)
    if (left[k] != UINT16_MAX) return wrong(v, "%s is missing", hd_dep_name(g->grid, g->tb[k]).s);
  return true;
}

enum hd_deplinks_code hd_deplinks_order(const struct hd_deplinks_graph *g, const uint16_t *tb, uint32_t n, char *text,
                                        size_t size) {
  struct verdict v = {g, text, size, HD_DEPLINKS_OK};
  text[0] = '\0';
  uint16_t *vid = per_node(&v), *left = per_node(&v);
  if (vid != NULL && left != NULL) {
    for (uint32_t k = 0; k < g->nodes; k++) {
      vid[g->tb[k]] = (uint16_t)k;
      left[k] = g->node[k].parents;
    }
    run(&v, tb, n, vid, left);
  }
  hd_dep_release(&g->memory, vid);
  hd_dep_release(&g->memory, left);
  return v.code;
}
