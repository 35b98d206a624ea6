/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* What the searches have found, and whether it is right. */
#include <stdlib.h>
#include <string.h>

#include "work/bfs_inside.h"

uint32_t hd_bfs_sources(const struct hd_bfs *b) {
  return b->o.sources;
}

const uint32_t *hd_bfs_distances(const struct hd_bfs *b, uint32_t search) {
  return b->search[search].distance;
}

uint32_t hd_bfs_source(const struct hd_bfs *b, uint32_t search) {
  return b->search[search].source;
}

struct hd_bfs_found hd_bfs_found(const struct hd_bfs *b) {
  struct hd_bfs_found f = {0};
  for (uint32_t k = 0; k < b->o.sources; k++)
    for (uint32_t v = 0; v < b->g->nodes; v++) {
      uint32_t distance = b->search[k].distance[v];
      if (distance == HD_BFS_UNREACHED) continue;
      f.vertices++;
      f.edges += hd_graph_degree(b->g, v);
      if (distance > f.levels) f.levels = distance;
    }
  return f;
}

bool hd_bfs_reference(const struct hd_graph *g, uint32_t source, uint32_t *distance) {
  uint32_t *queue = malloc(g->nodes * sizeof *queue);
  if (queue == NULL) return false;
  for (uint32_t v = 0; v < g->nodes; v++) distance[v] = HD_BFS_UNREACHED;
  uint32_t head = 0, tail = 0;
  distance[source] = 0;
  queue[tail++] = source;
  while (head < tail) {
    uint32_t v = queue[head++];
    for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
      if (distance[g->col[e]] == HD_BFS_UNREACHED) {
        distance[g->col[e]] = distance[v] + 1;
        queue[tail++] = g->col[e];
      }
  }
  free(queue);
  return true;
}

bool hd_bfs_check(const struct hd_bfs *b, uint32_t *wrong) {
  uint32_t *distance = malloc(b->g->nodes * sizeof *distance);
  bool good = distance != NULL;
  *wrong = 0;
  for (uint32_t k = 0; good && k < b->o.sources; k++) {
    good = hd_bfs_reference(b->g, b->search[k].source, distance);
    *wrong += good && memcmp(distance, b->search[k].distance, b->g->nodes * sizeof *distance) != 0;
  }
  free(distance);
  return good;
}
