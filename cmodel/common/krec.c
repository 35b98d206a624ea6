/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "common/krec.h"

#include <string.h>

struct hd_krec_widths hd_krec_widths(const struct hd_cfg *cfg) {
  return (struct hd_krec_widths){
      .pc = (uint8_t)cfg->pc_w,
      .param = (uint8_t)cfg->param_w,
      .grid_x = (uint8_t)cfg->grid_xw,
      .grid_y = (uint8_t)cfg->grid_yw,
      .grid_z = (uint8_t)cfg->grid_zw,
      .cta_x = (uint8_t)cfg->cta_xw,
      .cta_y = (uint8_t)cfg->cta_yw,
      .cta_z = (uint8_t)cfg->cta_zw,
      .warps = (uint8_t)cfg->warps_w,
      .regs = (uint8_t)cfg->reg_units_w,
      .smem = (uint8_t)cfg->smem_units_w,
      .ctas = (uint8_t)cfg->ctas_w,
      .level = (uint8_t)cfg->level_w,
      .stream = (uint8_t)cfg->stream_w,
      .up = (uint8_t)cfg->kin_w,
      .hwq = (uint8_t)cfg->hwq_w,
      .tag = (uint8_t)cfg->tag_w,
      .sav_first = (uint8_t)cfg->sav_w,
      .sav_count = (uint8_t)cfg->sav_count_w,
      .age = (uint8_t)cfg->agt_w,
      .list_pos = (uint8_t)cfg->list_pos_w,
      .list_count = (uint8_t)cfg->list_count_w,
      .smx = (uint8_t)cfg->smx_w,
      .num_smx = (uint8_t)cfg->num_smx,
  };
}

/* Places a field at bit `at` of a word; get() extracts it. */
static uint64_t put(uint64_t value, unsigned at) {
  return value << at;
}

static uint64_t get(uint64_t word, unsigned at, unsigned width) {
  return word >> at & ((UINT64_C(1) << width) - 1);
}

void hd_krec_pack(const struct hd_kernel *k, uint64_t word[HD_KREC_WORDS]) {
  const struct hd_desc *d = &k->desc;
  const struct hd_origin *o = &k->origin;
  const struct hd_progress *p = &k->progress;
  memset(word, 0, HD_KREC_BYTES);
  word[0] = d->pc;
  word[1] = d->param;
  word[2] = put(d->cta_x, 0) | put(d->cta_y, 16) | put(d->cta_z, 32) | put(k->need.warps, 48);
  word[3] = put(k->need.regs, 0) | put(k->need.smem, 16) | put(k->level, 32) | put(o->stream, 40) | put(o->up, 48);
  word[4] = put(d->grid_x, 0) | put(d->grid_y, 32) | put(d->grid_z, 48);
  word[5] =
      put(k->ctas, 0) | put(o->hwq, 32) | put(o->failed, 40) | put(o->host, 41) | put(o->rest, 42) | put(o->tag, 48);
  word[6] = put(p->ndone, 8) | put(k->groups.pending, 16) | put(k->groups.chained, 24) | put(p->nextbl, 32);
  word[7] = put(k->groups.nagei, 0) | put(k->groups.lagei, 32);
  word[8] = put(p->sav_first, 0) | put(p->sav_count, 16) | put(k->kin, 32) | put(o->smx, 48);
  word[9] = put(k->over.first, 0) | put(k->over.count, 32);
}

void hd_krec_unpack(const uint64_t word[HD_KREC_WORDS], const struct hd_krec_widths *w, struct hd_kernel *k) {
  memset(k, 0, sizeof *k);
  k->desc.pc = get(word[0], 0, w->pc);
  k->desc.param = get(word[1], 0, w->param);
  k->desc.cta_x = (uint16_t)get(word[2], 0, w->cta_x);
  k->desc.cta_y = (uint16_t)get(word[2], 16, w->cta_y);
  k->desc.cta_z = (uint8_t)get(word[2], 32, w->cta_z);
  k->need.warps = (uint8_t)get(word[2], 48, w->warps);
  k->need.regs = (uint16_t)get(word[3], 0, w->regs);
  k->need.smem = (uint16_t)get(word[3], 16, w->smem);
  k->level = (uint8_t)get(word[3], 32, w->level);
  k->origin.stream = (uint8_t)get(word[3], 40, w->stream);
  k->origin.up = (uint16_t)get(word[3], 48, w->up);
  k->desc.grid_x = (uint32_t)get(word[4], 0, w->grid_x);
  k->desc.grid_y = (uint16_t)get(word[4], 32, w->grid_y);
  k->desc.grid_z = (uint16_t)get(word[4], 48, w->grid_z);
  k->ctas = (uint32_t)get(word[5], 0, w->ctas);
  k->origin.hwq = (uint8_t)get(word[5], 32, w->hwq);
  k->origin.failed = (uint8_t)get(word[5], 40, 1);
  k->origin.host = (uint8_t)get(word[5], 41, 1);
  k->origin.rest = (uint8_t)get(word[5], 42, 1);
  k->origin.tag = (uint16_t)get(word[5], 48, w->tag);
  k->progress.ndone = (uint8_t)get(word[6], 8, 1);
  k->groups.pending = (uint8_t)get(word[6], 16, 1);
  k->progress.nextbl = (uint32_t)get(word[6], 32, w->ctas);
  k->groups.chained = (uint8_t)get(word[6], 24, 1);
  k->groups.nagei = (uint16_t)get(word[7], 0, w->age);
  k->groups.lagei = (uint16_t)get(word[7], 32, w->age);
  k->over.first = (uint32_t)get(word[9], 0, w->list_pos);
  k->over.count = (uint32_t)get(word[9], 32, w->list_count);
  k->progress.sav_first = (uint16_t)get(word[8], 0, w->sav_first);
  k->progress.sav_count = (uint16_t)get(word[8], 16, w->sav_count);
  k->kin = (uint16_t)get(word[8], 32, w->up);
  k->origin.smx = (uint8_t)get(word[8], 48, w->smx);
  if (k->origin.smx >= w->num_smx) k->origin.smx = 0;
}
