/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/clients.h"

#include "gen/hd_regs_map.h"

static uint32_t min_u32(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

struct hd_desc hd_random_desc(struct hd_rng *rng) {
  struct hd_desc d = {0};
  d.pc = hd_rng_bits(rng, 40);
  d.param = hd_rng_bits(rng, 40);
  d.grid_x = (uint32_t)hd_rng_bits(rng, 31);
  d.grid_y = (uint16_t)hd_rng_bits(rng, 16);
  d.grid_z = (uint16_t)hd_rng_bits(rng, 16);
  d.cta_x = (uint16_t)hd_rng_bits(rng, 11);
  d.cta_y = (uint16_t)hd_rng_bits(rng, 11);
  d.cta_z = (uint8_t)hd_rng_bits(rng, 7);
  return d;
}

struct hd_desc hd_numbered_desc(struct hd_rng *rng, uint32_t serial) {
  struct hd_desc d = hd_random_desc(rng);
  d.param = (d.param & ~(uint64_t)0xffffffff) | (uint32_t)(serial * 2654435761u);
  return d;
}

void hd_random_need(struct hd_rng *rng, const struct hd_cfg *cfg, struct hd_need *n) {
  n->warps = (uint8_t)(1 + hd_rng_below(rng, cfg->warps_per_smx));
  n->regs = (uint16_t)hd_rng_below(rng, cfg->reg_units_per_smx + 1);
  n->smem = (uint16_t)hd_rng_below(rng, cfg->smem_units_per_smx + 1);
}

void hd_any_need(struct hd_rng *rng, const struct hd_cfg *cfg, struct hd_need *n) {
  n->warps = (uint8_t)hd_rng_bits(rng, cfg->warps_w);
  n->regs = (uint16_t)hd_rng_bits(rng, cfg->reg_units_w);
  n->smem = (uint16_t)hd_rng_bits(rng, cfg->smem_units_w);
}

uint32_t hd_crossing_ctas(struct hd_rng *rng, unsigned width) {
  const unsigned low = 2 + hd_rng_below(rng, width - 2);
  const uint32_t n = (uint32_t)hd_rng_bits(rng, width) >> low;
  return ((n ? n : 1) << low) + hd_rng_below(rng, 4);
}

/* Makes a launch invalid in one or two ways, so that the order in which codes are checked is covered. */
static void spoil(struct hd_rng *rng, struct hd_launch *l, const struct hd_cfg *cfg) {
  unsigned n = 1 + hd_rng_below(rng, 2);
  while (n--) switch (hd_rng_below(rng, 14)) {
      case 0:
        l->desc.grid_x = 0;
        break;
      case 1:
        l->desc.grid_y = 0;
        break;
      case 2:
        l->desc.grid_z = 0;
        break;
      case 3:
        l->desc.cta_x = 0;
        break;
      case 4:
        l->desc.cta_y = 0;
        break;
      case 5:
        l->desc.cta_z = 0;
        break;
      case 6:
        if (hd_rng_p(rng, 128))
          l->ctas = 0;
        else
          l->threads = 0;
        break;
      case 7:
        l->desc.cta_x = (uint16_t)(1024 + hd_rng_below(rng, 1024));
        break;
      case 8:
        l->desc.cta_y = (uint16_t)(1024 + hd_rng_below(rng, 1024));
        break;
      case 9:
        l->desc.cta_z = (uint8_t)(64 + hd_rng_below(rng, 64));
        break;
      case 10:
        l->threads = (uint16_t)(1020 + hd_rng_below(rng, 1028));
        break;
      case 11:
        l->regs = (uint8_t)hd_rng_bits(rng, 8);
        l->threads = (uint16_t)(1 + hd_rng_below(rng, 1024));
        break;
      case 12:
        l->smem = (uint16_t)hd_rng_bits(rng, 10);
        break;
      default:
        l->hwq = (uint8_t)(cfg->num_hwq - 1 + hd_rng_below(rng, 256 - cfg->num_hwq + 1));
    }
}

struct hd_launch hd_random_launch(struct hd_rng *rng, const struct hd_profile *p, const struct hd_cfg *cfg,
                                  uint32_t serial, uint32_t max_ctas) {
  struct hd_launch l = {0};
  l.desc = hd_numbered_desc(rng, serial);
  if (!l.desc.grid_x) l.desc.grid_x = 1;
  if (!l.desc.grid_y) l.desc.grid_y = 1;
  if (!l.desc.grid_z) l.desc.grid_z = 1;
  l.desc.cta_x = (uint16_t)(1 + hd_rng_below(rng, 1024));
  l.desc.cta_y = (uint16_t)(1 + hd_rng_below(rng, 1024));
  l.desc.cta_z = (uint8_t)(1 + hd_rng_below(rng, 64));
  /* Sizes from one warp to a whole SMX, small ones more often. */
  uint32_t warps = min_u32(cfg->warps_per_smx, 32) >> hd_rng_below(rng, 6);
  l.threads = (uint16_t)(1 + hd_rng_below(rng, 32 * (warps ? warps : 1)));
  uint32_t unit_per_warp = cfg->reg_units_per_smx / ((l.threads + 31u) / 32u);
  uint32_t most = min_u32(unit_per_warp * cfg->reg_unit / 32, 255) >> hd_rng_below(rng, 5);
  l.regs = (uint8_t)hd_rng_below(rng, most + 1);
  l.smem =
      (uint16_t)(hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, (cfg->smem_units_per_smx >> hd_rng_below(rng, 6)) + 1));
  l.hwq = (uint8_t)hd_rng_below(rng, cfg->num_hwq);
  l.ctas = 1 + hd_rng_below(rng, max_ctas);
  if (!hd_rng_below(rng, 2048)) l.ctas = (uint32_t)hd_rng_bits(rng, 32) | 1; /* ends only by reset */
  /* All bits of the tag vary, from the first launches on. */
  l.tag = (uint16_t)(serial * 40503u);
  if (hd_rng_p(rng, p->bad)) spoil(rng, &l, cfg);
  return l;
}

/* Returns the address of a mapped word. Constants, configuration words and STATUS get weights of about their number of
 * words. */
static uint16_t mapped_address(struct hd_rng *rng) {
  const uint32_t config_at = HD_REG_CONSTS, status_at = config_at + 2 * HD_MAX_NUM_CONFIG, graph_at = status_at + 4,
                 counters_at = graph_at + 2;
  uint32_t w = hd_rng_below(rng, counters_at + 2 * HD_NUM_COUNTERS);
  if (w < config_at) return (uint16_t)(4 * w);
  if (w < status_at) return (uint16_t)(HD_REG_REC_BASE + 4 * ((w - config_at) / 2));
  if (w < graph_at) return HD_REG_STATUS;
  if (w < counters_at) return HD_REG_GRAPH;
  return (uint16_t)(HD_REG_CYCLES_LO + 4 * (w - counters_at));
}

void hd_random_apb(struct hd_apb_master *a, struct hd_rng *rng, const struct hd_profile *p, struct hd_apb_pins *pins) {
  if (a->busy) { /* access phase; sometimes the master aborts it, or skips the setup phase of its next transfer */
    a->busy = 0;
    pins->penable = 1;
    return;
  }
  pins->psel = 0;
  pins->penable = 0;
  if (!hd_rng_p(rng, p->source / 2 + 8)) return;
  pins->psel = 1;
  if (hd_rng_p(rng, p->bad)) {
    pins->paddr = (uint16_t)hd_rng_bits(rng, 12);
    pins->penable = hd_rng_p(rng, 100);
  } else {
    pins->paddr = mapped_address(rng);
  }
  pins->pwrite = hd_rng_p(rng, 100);
  pins->pstrb = hd_rng_p(rng, 160) ? 15 : (uint8_t)hd_rng_bits(rng, 4);
  pins->pwdata = hd_rng_p(rng, 128) ? 0xfffffff0u | (uint32_t)hd_rng_bits(rng, 4) : (uint32_t)hd_rng_bits(rng, 32);
  a->busy = !pins->penable;
}
