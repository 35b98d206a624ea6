/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/dpi_inside.h"
#include "common/bits.h"

/* Returns the graph being built; NULL if TBs cannot launch, or none was begun. */
static struct hd_deplinks *graph_of(const void *plane) {
  const struct hd_dpi *p = hd_dpi_at(plane);
  struct hd_deplinks *d = p != NULL && p->device != NULL ? hd_dpi_device_graph(p->device) : NULL;
  return d != NULL && d->nodes > 0 ? d : NULL;
}

uint32_t hd_dpi_graph(void *plane, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL || p->device == NULL) return HD_DEPLINKS_WRONG;
  struct hd_deplinks *d = hd_dpi_device_graph(p->device);
  hd_deplinks_free(d);
  memset(d, 0, sizeof *d);
  return hd_deplinks_init(d, (struct hd_dim3){grid_x, grid_y, grid_z}, NULL);
}

uint32_t hd_dpi_graph_order(void *plane, uint32_t order, uint32_t bound) {
  struct hd_deplinks *d = graph_of(plane);
  return d != NULL ? hd_deplinks_set_policy(d, (enum hd_deplinks_policy)order, bound) : HD_DEPLINKS_WRONG;
}

uint32_t hd_dpi_graph_edge(void *plane, uint32_t parent, uint32_t child) {
  struct hd_deplinks *d = graph_of(plane);
  return d != NULL ? hd_deplinks_add(d, parent, child) : HD_DEPLINKS_WRONG;
}

uint32_t hd_dpi_graph_pattern(void *plane, uint32_t pattern, uint32_t degree, uint64_t seed) {
  struct hd_deplinks *d = graph_of(plane);
  if (d == NULL) return HD_DEPLINKS_WRONG;
  return hd_deplinks_add_pattern(d, (enum hd_deplinks_pattern)pattern, degree, seed);
}

/* Writes the graph after the used part of memory. Returns its descriptor's address; 0 if out of memory. */
static uint64_t put(struct hd_dpi *p, const struct hd_deplinks_graph *g) {
  struct hd_dpi_memory *memory = hd_dpi_device_memory(p->device);
  uint64_t *end = hd_dpi_device_end(p->device);
  const uint64_t at = (*end + HD_DEPLINKS_ALIGN - 1) / HD_DEPLINKS_ALIGN * HD_DEPLINKS_ALIGN;
  struct hd_deplinks_regions regions;
  uint8_t descriptor[HD_DEPLINKS_DESCRIPTOR];
  if (!hd_deplinks_place(&p->cfg, g, at + HD_DEPLINKS_ALIGN, &regions)) return 0;
  const size_t bytes = (size_t)(regions.end - regions.node);
  uint8_t *image = malloc(bytes);
  if (image == NULL) return 0;
  hd_deplinks_image(g, &regions, image);
  hd_deplinks_describe(&regions, descriptor);
  const bool good = hd_dpi_memory_put(memory, regions.node, image, bytes) &&
                    hd_dpi_memory_put(memory, at, descriptor, sizeof descriptor);
  free(image);
  *end = regions.end;
  return good ? at : 0;
}

uint64_t hd_dpi_graph_end(void *plane, uint32_t *levels, uint32_t *edges) {
  struct hd_deplinks *d = graph_of(plane);
  struct hd_deplinks_graph g;
  *levels = *edges = 0;
  if (d == NULL || hd_deplinks_build(d, &g) != HD_DEPLINKS_OK) return 0;
  const uint64_t at = put(hd_dpi_at(plane), &g);
  *levels = g.levels;
  *edges = g.edges;
  hd_deplinks_graph_free(&g);
  if (at == 0) snprintf(d->text, sizeof d->text, "the memory behind the plane has no room for the graph");
  return at;
}

const char *hd_dpi_graph_text(const void *plane) {
  const struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL || p->device == NULL) return "TBs cannot launch yet: call hd_dpi_device() first";
  return hd_dpi_device_graph(p->device)->text;
}

/* ---- Occupancy of the tables ---- */

static uint32_t sum16(const uint16_t *number, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < n; k++) sum += number[k];
  return sum;
}

uint32_t hd_dpi_state(void *plane, uint32_t which) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL || which >= HD_DPI_TABLES) return 0;
  if (p->arch == NULL) p->arch = malloc(sizeof *p->arch);
  if (p->arch == NULL) return 0;
  const struct hd_cfg *c = &p->cfg;
  const struct hd_top_arch *a = p->arch;
  hd_top_arch(p->top, p->arch, false);
  uint32_t sum = 0;
  switch ((enum hd_dpi_table)which) {
    case HD_DPI_RESIDENT:
      for (uint32_t s = 0; s < c->num_smx; s++) sum += hd_bytes_sum(a->sched.tbcr[s].valid, c->ctas_per_smx);
      return sum;
    case HD_DPI_KERNELS:
      return hd_bytes_sum(a->kd.valid, c->num_kde);
    case HD_DPI_HOST:
      return hd_bytes_sum(a->kmu.hwq_count, c->num_hwq);
    case HD_DPI_POOL:
      return a->pool.waiting + hd_bytes_sum(a->pool.row_used, c->pool_depth);
    case HD_DPI_PARENTS:
      return hd_bytes_sum(a->kin.valid, c->num_kin);
    case HD_DPI_SUSPENDED:
      return hd_bytes_sum(a->kin.susp, c->num_kin);
    case HD_DPI_BANKS:
      return sum16(a->laperm.live, c->max_level);
    case HD_DPI_OVERFLOWED:
      for (uint32_t k = 0; k < c->num_kde; k++) sum += a->ovfq.count[k];
      return sum;
    case HD_DPI_RECORDS:
      return p->device != NULL ? hd_dpi_device_records(p->device) : 0;
    case HD_DPI_OPEN:
      return p->out.open_count;
    default:
      return 0;
  }
}
