/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/fit.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t units_per_warp(const struct hd_cfg *cfg, uint32_t regs) {
  return (regs * 32 + cfg->reg_unit - 1) / cfg->reg_unit;
}

bool hd_fit_cta(const struct hd_cfg *cfg, uint32_t threads, uint32_t regs, uint32_t smem_units, uint32_t *most,
                char *text, size_t text_size) {
  uint32_t warps = hd_fit_warps(threads), units = units_per_warp(cfg, regs);
  uint32_t room = cfg->warps_per_smx;
  if (units != 0 && cfg->reg_units_per_smx / units < room) room = cfg->reg_units_per_smx / units;
  *most = smem_units > cfg->smem_units_per_smx ? 0 : room * 32;
  if (*most > HD_CTA_THREADS_MAX) *most = HD_CTA_THREADS_MAX;
  if (smem_units > cfg->smem_units_per_smx)
    snprintf(text, text_size, "a TB needs %" PRIu32 " bytes of shared memory, and an SMX of %s has %" PRIu32,
             smem_units * 256, cfg->name, cfg->smem_per_smx);
  else if (threads > HD_CTA_THREADS_MAX)
    snprintf(text, text_size, "a TB of %" PRIu32 " threads is over the limit of %u", threads, HD_CTA_THREADS_MAX);
  else if (warps > cfg->warps_per_smx)
    snprintf(text, text_size, "a TB of %" PRIu32 " threads does not fit: an SMX of %s has room for %" PRIu32 " threads",
             threads, cfg->name, cfg->threads_per_smx);
  else if (warps > room)
    snprintf(text, text_size,
             "a TB of %" PRIu32 " threads with %" PRIu32 " registers each does not fit: an SMX of %s has %" PRIu32
             " registers",
             threads, regs, cfg->name, cfg->regs_per_smx);
  else
    return true;
  return false;
}

uint32_t hd_fit_regs(const struct hd_cfg *cfg) {
  uint32_t regs = cfg->reg_units_per_smx / cfg->warps_per_smx * cfg->reg_unit / 32;
  return regs > 32 ? 32 : regs;
}

bool hd_fit_widths(const struct hd_cfg *cfg, const struct hd_launch *l, char *text, size_t text_size) {
  const struct {
    const char *field, *parameter;
    uint64_t value;
    uint32_t width;
  } fields[] = {
      {"PC", "PcW", l->desc.pc, cfg->pc_w},
      {"parameter address", "ParamW", l->desc.param, cfg->param_w},
      {"grid dimension x", "GridXW", l->desc.grid_x, cfg->grid_xw},
      {"grid dimension y", "GridYW", l->desc.grid_y, cfg->grid_yw},
      {"grid dimension z", "GridZW", l->desc.grid_z, cfg->grid_zw},
      {"TB dimension x", "CtaXW", l->desc.cta_x, cfg->cta_xw},
      {"TB dimension y", "CtaYW", l->desc.cta_y, cfg->cta_yw},
      {"TB dimension z", "CtaZW", l->desc.cta_z, cfg->cta_zw},
      {"TB size", "ThreadsW", l->threads, cfg->threads_w},
      {"number of registers per thread", "RegsW", l->regs, cfg->regs_w},
      {"shared memory unit count", "SmemW", l->smem, cfg->smem_w},
      {"HWQ number", "HwqIdW", l->hwq, cfg->hwq_id_w},
      {"TB count", "CtasW", l->ctas, cfg->ctas_w},
  };
  for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (fields[i].width >= 64 || fields[i].value >> fields[i].width == 0) continue;
    snprintf(text, text_size, "the %s %" PRIu64 " does not fit the configuration's %" PRIu32 " bits (%s)",
             fields[i].field, fields[i].value, fields[i].width, fields[i].parameter);
    return false;
  }
  return true;
}
