/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "host/check.h"

#include <stdbool.h>

/* CUDA's limits of a TB. */
#define MAX_CTA_X 1024
#define MAX_CTA_Y 1024
#define MAX_CTA_Z 64
#define MAX_THREADS 1024
#define THREADS_PER_WARP 32

struct hd_check_smx hd_check_smx(const struct hd_cfg *cfg) {
  return (struct hd_check_smx){.reg_unit = cfg->reg_unit,
                               .warps = cfg->warps_per_smx,
                               .reg_units = cfg->reg_units_per_smx,
                               .smem_units = cfg->smem_units_per_smx};
}

static bool zero_dim(const struct hd_desc *d, const struct hd_check_tbs *t) {
  return !d->grid_x || !d->grid_y || !d->grid_z || !d->cta_x || !d->cta_y || !d->cta_z || !t->threads || !t->ctas;
}

static bool over_limit(const struct hd_desc *d, const struct hd_check_tbs *t) {
  return d->cta_x > MAX_CTA_X || d->cta_y > MAX_CTA_Y || d->cta_z > MAX_CTA_Z || t->threads > MAX_THREADS;
}

enum hd_code hd_check(const struct hd_check_smx *smx, const struct hd_desc *desc, const struct hd_check_tbs *tbs,
                      struct hd_need *need) {
  uint32_t warps = (tbs->threads + THREADS_PER_WARP - 1u) / THREADS_PER_WARP;
  uint32_t units_per_warp = (tbs->regs * THREADS_PER_WARP + smx->reg_unit - 1) / smx->reg_unit;
  uint32_t regs = warps * units_per_warp;
  *need = (struct hd_need){.warps = (uint8_t)warps, .regs = (uint16_t)regs, .smem = (uint16_t)tbs->smem};
  if (zero_dim(desc, tbs)) return HD_CODE_ZERO_DIM;
  if (over_limit(desc, tbs)) return HD_CODE_OVER_LIMIT;
  if (warps > smx->warps || regs > smx->reg_units || tbs->smem > smx->smem_units) return HD_CODE_NEVER_FITS;
  return HD_CODE_ACCEPTED;
}
