/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "api/runtime.h"

#define MAX_CTA_X 1024
#define MAX_CTA_Y 1024
#define MAX_CTA_Z 64
#define MAX_THREADS 1024
#define SMEM_UNIT 256
#define GRAPH_CTAS 65535
#define GRAPH_ALIGN 64

static bool any_zero(const struct hd_dim3 *d) {
  return !d->x || !d->y || !d->z;
}

static bool fits(uint64_t value, uint32_t width) {
  return width >= 64 || value >> width == 0;
}

/* Computes the number of elements. Returns false if it does not fit `width` (at most 32) bits. */
static bool product(const struct hd_dim3 *d, uint32_t width, uint32_t *n) {
  uint64_t xy = (uint64_t)d->x * d->y; /* cannot overflow; xy * z could, so xy is checked first */
  if (!fits(xy, width) || !fits(xy * d->z, width)) return false;
  *n = (uint32_t)(xy * d->z);
  return true;
}

/* Returns true if the arguments fit the fields of the launch. */
static bool in_fields(const struct hd_cfg *c, const struct hd_launch_args *a) {
  return fits(a->grid.x, c->grid_xw) && fits(a->grid.y, c->grid_yw) && fits(a->grid.z, c->grid_zw) &&
         fits(a->cta.x, c->cta_xw) && fits(a->cta.y, c->cta_yw) && fits(a->cta.z, c->cta_zw) &&
         fits(a->regs, c->regs_w) && fits(a->pc, c->pc_w) && fits(a->param, c->param_w) && fits(a->tag, c->tag_w);
}

/* Returns true if a kernel with a graph may have that many TBs, and its descriptor that address. */
static bool graph_fits(const struct hd_cfg *c, const struct hd_launch_args *a, uint32_t ctas) {
  return !a->graph || (ctas <= GRAPH_CTAS && a->param % GRAPH_ALIGN == 0 && fits(a->param, c->addr_w));
}

enum hd_code hd_launch_make(const struct hd_cfg *cfg, const struct hd_launch_args *args, struct hd_launch *out) {
  uint32_t ctas, threads;
  uint32_t smem = args->smem_bytes / SMEM_UNIT + (args->smem_bytes % SMEM_UNIT != 0);
  *out = (struct hd_launch){0};
  if (any_zero(&args->grid) || any_zero(&args->cta)) return HD_CODE_ZERO_DIM;
  if (!in_fields(cfg, args) || args->cta.x > MAX_CTA_X || args->cta.y > MAX_CTA_Y || args->cta.z > MAX_CTA_Z ||
      !product(&args->cta, cfg->threads_w, &threads) || threads > MAX_THREADS ||
      !product(&args->grid, cfg->ctas_w, &ctas) || !graph_fits(cfg, args, ctas)) {
    return HD_CODE_OVER_LIMIT;
  }
  if (smem > cfg->smem_units_per_smx) return HD_CODE_NEVER_FITS;
  if (args->hwq >= cfg->num_hwq || !fits(args->hwq, cfg->hwq_id_w)) return HD_CODE_UNKNOWN_HWQ;
  out->desc.pc = args->pc;
  out->desc.grid_x = args->grid.x;
  out->desc.grid_y = (uint16_t)args->grid.y;
  out->desc.grid_z = (uint16_t)args->grid.z;
  out->desc.cta_x = (uint16_t)args->cta.x;
  out->desc.cta_y = (uint16_t)args->cta.y;
  out->desc.cta_z = (uint8_t)args->cta.z;
  out->desc.param = args->param;
  out->threads = (uint16_t)threads;
  out->regs = (uint8_t)args->regs;
  out->smem = (uint16_t)smem;
  out->hwq = (uint8_t)args->hwq;
  out->ctas = ctas;
  out->tag = (uint16_t)args->tag;
  out->graph = args->graph;
  return HD_CODE_ACCEPTED;
}

bool hd_blkid_decode(const struct hd_desc *d, uint32_t blkid, struct hd_dim3 *at) {
  uint64_t row = d->grid_x, plane = row * d->grid_y;
  if (!plane || blkid / plane >= d->grid_z) return false;
  *at = (struct hd_dim3){
      .x = (uint32_t)(blkid % row),
      .y = (uint32_t)(blkid % plane / row),
      .z = (uint32_t)(blkid / plane),
  };
  return true;
}

const char *hd_code_text(unsigned code) {
  switch (code) {
    case HD_CODE_ACCEPTED:
      return "the launch was accepted";
    case HD_CODE_REFUSED:
      return "the table that would hold it is full";
    case HD_CODE_ZERO_DIM:
      return "a dimension or a count is zero";
    case HD_CODE_OVER_LIMIT:
      return "a dimension or a size is over its limit";
    case HD_CODE_NEVER_FITS:
      return "one TB needs more than an empty SMX has";
    case HD_CODE_UNKNOWN_HWQ:
      return "no such hardware work queue";
    case HD_CODE_EMPTY_SLOT:
      return "no TB runs in its slot";
    case HD_CODE_KEPT:
      return "the group was accepted and keeps its record for now";
    default:
      return "unknown code";
  }
}
