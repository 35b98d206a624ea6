/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* From added edges to the graph: counting sorts, a breadth-first walk for the levels, renaming, CSR. Each loop visits
 * each TB or edge once; `steps` counts the iterations. */
#include <string.h>

#include "api/deplinks_inside.h"

static bool no_memory(struct hd_deplinks *d) {
  hd_dep_refuse(d, HD_DEPLINKS_MEMORY, HD_DEPLINKS_NO_TB, "out of memory for a graph of %u TBs and %zu edges",
                (unsigned)d->nodes, d->edges);
  return false;
}

/* Allocates an array of zeros. */
static void *zeros(struct hd_deplinks *d, size_t count, size_t size) {
  void *p = hd_dep_take(&d->memory, count, size);
  if (p != NULL) memset(p, 0, count * size);
  return p;
}

static void release(const struct hd_deplinks *d, struct hd_dep_work *w) {
  hd_dep_release(&d->memory, w->in_row);
  hd_dep_release(&d->memory, w->in);
  hd_dep_release(&d->memory, w->out_row);
  hd_dep_release(&d->memory, w->out);
  hd_dep_release(&d->memory, w->left);
  hd_dep_release(&d->memory, w->level);
  hd_dep_release(&d->memory, w->queue);
}

/* Sorts the pairs by child: a row of parents for each, duplicates included. Element c + 1 of the row index first
 * counts, then holds the position of the next parent of c, and finally the end of the row. */
static bool sort_by_child(struct hd_deplinks *d, struct hd_dep_work *w) {
  w->in_row = zeros(d, (size_t)d->nodes + 2, sizeof *w->in_row);
  w->in = hd_dep_take(&d->memory, d->edges, sizeof *w->in);
  if (w->in_row == NULL || w->in == NULL) return no_memory(d);
  size_t *next = w->in_row + 1;
  for (size_t k = 0; k < d->edges; k++) next[(d->pair[k] >> 16) + 1]++;
  for (uint32_t c = 1; c <= d->nodes; c++) next[c] += next[c - 1];
  for (size_t k = 0; k < d->edges; k++) w->in[next[d->pair[k] >> 16]++] = (uint16_t)d->pair[k];
  d->steps += 2 * d->edges + d->nodes;
  return true;
}

/* Removes duplicate parents from each row. mark[p]: the last child (+ 1) that had parent p. */
static bool merge(struct hd_deplinks *d, struct hd_dep_work *w, struct hd_deplinks_graph *g) {
  uint32_t *mark = zeros(d, d->nodes, sizeof *mark);
  if (mark == NULL) return no_memory(d);
  size_t kept = 0, begin = 0;
  for (uint32_t c = 0; c < d->nodes; c++) {
    size_t end = w->in_row[c + 1];
    for (size_t k = begin; k < end; k++) {
      uint16_t parent = w->in[k];
      d->steps++;
      if (mark[parent] == c + 1) continue;
      mark[parent] = c + 1;
      w->in[kept++] = parent;
    }
    begin = end;
    w->in_row[c + 1] = kept;
  }
  g->merged = d->edges - kept;
  g->edges = (uint32_t)kept; /* at most 65535 x 65534 */
  hd_dep_release(&d->memory, mark);
  return true;
}

/* Sorts the same edges by parent. */
static bool sort_by_parent(struct hd_deplinks *d, struct hd_dep_work *w) {
  size_t edges = w->in_row[d->nodes];
  w->out_row = zeros(d, (size_t)d->nodes + 2, sizeof *w->out_row);
  w->out = hd_dep_take(&d->memory, edges, sizeof *w->out);
  if (w->out_row == NULL || w->out == NULL) return no_memory(d);
  uint32_t *next = w->out_row + 1;
  for (size_t k = 0; k < edges; k++) next[w->in[k] + 1]++;
  for (uint32_t p = 1; p <= d->nodes; p++) next[p] += next[p - 1];
  for (uint32_t c = 0; c < d->nodes; c++)
    for (size_t k = w->in_row[c]; k < w->in_row[c + 1]; k++) w->out[next[w->in[k]]++] = (uint16_t)c;
  d->steps += 2 * edges + 2 * d->nodes;
  return true;
}

/* Section 3.2.2: visits roots first, then each TB once its last parent was visited. So TBs are visited in level order,
 * and the last parent is the deepest. TBs that are not visited wait for a cycle. */
static bool find_levels(struct hd_deplinks *d, struct hd_dep_work *w) {
  uint32_t head = 0, tail = 0;
  w->left = hd_dep_take(&d->memory, d->nodes, sizeof *w->left);
  w->level = zeros(d, d->nodes, sizeof *w->level);
  w->queue = hd_dep_take(&d->memory, d->nodes, sizeof *w->queue);
  if (w->left == NULL || w->level == NULL || w->queue == NULL) return no_memory(d);
  for (uint32_t c = 0; c < d->nodes; c++) {
    w->left[c] = (uint16_t)(w->in_row[c + 1] - w->in_row[c]);
    if (w->left[c] == 0) w->queue[tail++] = (uint16_t)c;
  }
  while (head < tail) {
    uint16_t p = w->queue[head++];
    for (uint32_t k = w->out_row[p]; k < w->out_row[p + 1]; k++) {
      uint16_t c = w->out[k];
      d->steps++;
      if (--w->left[c] != 0) continue;
      w->level[c] = (uint16_t)(w->level[p] + 1);
      w->queue[tail++] = c;
    }
  }
  d->steps += 2 * d->nodes;
  return tail == d->nodes || hd_dep_cycle(d, w) == HD_DEPLINKS_OK;
}

/* Sorts TBs by level, then by linear id. vid, by TB, reuses the queue. */
static bool rename_tbs(struct hd_deplinks *d, struct hd_dep_work *w, struct hd_deplinks_graph *g) {
  uint32_t *first = zeros(d, (size_t)d->nodes + 1, sizeof *first);
  uint16_t *vid = w->queue;
  if (first == NULL) return no_memory(d);
  for (uint32_t tb = 0; tb < d->nodes; tb++) first[w->level[tb] + 1]++;
  for (uint32_t level = 0; level < d->nodes; level++) {
    uint32_t width = first[level + 1];
    if (width != 0) g->levels = level + 1;
    if (width > g->width) {
      g->width = width;
      g->widest = level;
    }
    first[level + 1] += first[level];
  }
  for (uint32_t tb = 0; tb < d->nodes; tb++) {
    vid[tb] = (uint16_t)first[w->level[tb]]++;
    g->tb[vid[tb]] = (uint16_t)tb;
  }
  d->steps += 3 * d->nodes;
  hd_dep_release(&d->memory, first);
  return true;
}

static void count_degrees(struct hd_deplinks *d, const struct hd_dep_work *w, struct hd_deplinks_graph *g) {
  for (uint32_t tb = 0; tb < d->nodes; tb++) {
    uint32_t in = (uint32_t)(w->in_row[tb + 1] - w->in_row[tb]), out = w->out_row[tb + 1] - w->out_row[tb];
    if (in > g->in_most) {
      g->in_most = in;
      g->in_tb = tb;
    }
    if (out > g->out_most) {
      g->out_most = out;
      g->out_tb = tb;
    }
  }
  d->steps += d->nodes;
}

/* Writes the CSR by VID. Children are added to the rows of their parents in the order of their VIDs, so that each row
 * ascends. */
static bool write_csr(struct hd_deplinks *d, const struct hd_dep_work *w, struct hd_deplinks_graph *g) {
  uint32_t *next = hd_dep_take(&d->memory, d->nodes, sizeof *next);
  uint32_t start = 0;
  if (next == NULL) return no_memory(d);
  for (uint32_t v = 0; v < d->nodes; v++) {
    uint16_t tb = g->tb[v];
    uint16_t parents = (uint16_t)(w->in_row[tb + 1] - w->in_row[tb]);
    g->node[v] = (struct hd_deplinks_node){start, parents, w->level[tb]};
    next[v] = start;
    start += w->out_row[tb + 1] - w->out_row[tb];
  }
  g->node[d->nodes] = (struct hd_deplinks_node){start, 0, 0};
  for (uint32_t v = 0; v < d->nodes; v++) {
    uint16_t tb = g->tb[v];
    for (size_t k = w->in_row[tb]; k < w->in_row[tb + 1]; k++) {
      d->steps++;
      g->edge[next[w->queue[w->in[k]]]++] = (uint16_t)v;
    }
  }
  d->steps += 2 * d->nodes;
  hd_dep_release(&d->memory, next);
  return true;
}

static bool take_arrays(struct hd_deplinks *d, struct hd_deplinks_graph *g) {
  g->node = hd_dep_take(&d->memory, (size_t)d->nodes + 1, sizeof *g->node);
  g->edge = hd_dep_take(&d->memory, g->edges, sizeof *g->edge);
  g->tb = hd_dep_take(&d->memory, d->nodes, sizeof *g->tb);
  return (g->node != NULL && g->edge != NULL && g->tb != NULL) || no_memory(d);
}

enum hd_deplinks_code hd_deplinks_build(struct hd_deplinks *d, struct hd_deplinks_graph *g) {
  struct hd_dep_work w = {0};
  *g = (struct hd_deplinks_graph){.memory = d->memory};
  if (d->code != HD_DEPLINKS_OK) return d->code;
  bool good = sort_by_child(d, &w) && merge(d, &w, g) && sort_by_parent(d, &w) && find_levels(d, &w) &&
              take_arrays(d, g) && rename_tbs(d, &w, g) && write_csr(d, &w, g);
  if (good) {
    count_degrees(d, &w, g);
    g->grid = d->grid;
    g->nodes = d->nodes;
    g->policy = d->policy;
    g->bound = d->bound;
  } else {
    hd_deplinks_graph_free(g);
  }
  release(d, &w);
  return d->code;
}

void hd_deplinks_graph_free(struct hd_deplinks_graph *g) {
  hd_dep_release(&g->memory, g->node);
  hd_dep_release(&g->memory, g->edge);
  hd_dep_release(&g->memory, g->tb);
  *g = (struct hd_deplinks_graph){.memory = g->memory};
}
