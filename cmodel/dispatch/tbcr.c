/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/tbcr.h"

#include <string.h>

size_t hd_tbcr_size(const struct hd_cfg *cfg) {
  return (sizeof(struct hd_tbcr) + (cfg->ctas_per_smx + cfg->done_depth) * sizeof(struct hd_retire) + 7) / 8 * 8;
}

void hd_tbcr_init(struct hd_tbcr *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_tbcr_size(cfg));
  m->cfg = (struct hd_tbcr_cfg){
      .size = (uint32_t)hd_tbcr_size(cfg),
      .slots = (uint8_t)cfg->ctas_per_smx,
      .done_depth = (uint8_t)cfg->done_depth,
      .warps = (uint8_t)cfg->warps_per_smx,
      .regs = (uint16_t)cfg->reg_units_per_smx,
      .smem = (uint16_t)cfg->smem_units_per_smx,
  };
  hd_tbcr_reset(m);
}

void hd_tbcr_reset(struct hd_tbcr *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
  m->free = (uint32_t)((UINT64_C(1) << m->cfg.slots) - 1);
  m->warps = m->cfg.warps;
  m->regs = m->cfg.regs;
  m->smem = m->cfg.smem;
}

void hd_tbcr_eval(const struct hd_tbcr *m, const struct hd_tbcr_in *in, struct hd_tbcr_out *out) {
  out->slot_free = m->free != 0;
  out->done_room = m->owed < m->cfg.done_depth;
  out->free_warps = m->warps;
  out->free_regs = m->regs;
  out->free_smem = m->smem;
  out->retire_valid = m->done_count > 0;
  out->retire = m->done_count > 0 ? *hd_tbcr_oldest(m) : (struct hd_retire){0};
  out->dispatch_valid = m->dispatch_valid;
  out->dispatch = m->dispatch;
  if (m->fresh) out->dispatch.desc = in->desc;
  out->done_ok = m->event == HD_DONE_OK;
  out->done_empty = m->event == HD_DONE_EMPTY;
  out->done_early = m->event == HD_DONE_EARLY;
  out->node_done = m->node_done;
  out->node_place = m->node_place;
  out->look = m->look;
}

struct hd_look hd_tbcr_look(const struct hd_tbcr *m, unsigned slot) {
  struct hd_look none = {0};
  if (slot >= m->cfg.slots || (m->free >> slot & 1) || (m->dispatch_valid && m->dispatch.slot == slot)) return none;
  return (struct hd_look){.valid = 1, .kdei = m->row[slot].kdei, .level = m->level[slot]};
}

/* Queues a completed TB for retirement; the place of a node is no longer needed then. */
static void push_done(struct hd_tbcr *m, struct hd_retire cta) {
  if (!cta.age_valid) cta.agei = 0;
  unsigned row = m->done_first + (unsigned)m->done_count;
  if (row >= m->cfg.done_depth) row -= m->cfg.done_depth;
  m->row[m->cfg.slots + row] = cta;
  hd_wrote(&m->wrote[0], row);
  m->done_count++;
}

enum hd_done hd_tbcr_complete(struct hd_tbcr *m, unsigned slot, const struct hd_need *need) {
  if (slot >= m->cfg.slots || (m->free >> slot & 1)) return HD_DONE_EMPTY;
  if (m->dispatch_valid && m->dispatch.slot == slot) return HD_DONE_EARLY;
  struct hd_retire cta = m->row[slot];
  m->row[slot] = (struct hd_retire){0};
  m->level[slot] = 0;
  m->free |= UINT32_C(1) << slot;
  m->warps = (uint8_t)(m->warps + need[cta.kdei].warps);
  m->regs = (uint16_t)(m->regs + need[cta.kdei].regs);
  m->smem = (uint16_t)(m->smem + need[cta.kdei].smem);
  push_done(m, cta);
  return HD_DONE_OK;
}

void hd_tbcr_dispatch(struct hd_tbcr *m, bool taken, const struct hd_desc *desc) {
  if (taken) {
    m->dispatch = (struct hd_dispatch){0};
    m->dispatch_valid = 0;
  } else if (m->fresh) {
    m->dispatch.desc = *desc;
  }
  m->fresh = 0;
}

void hd_tbcr_pop(struct hd_tbcr *m) {
  m->row[m->cfg.slots + m->done_first] = (struct hd_retire){0};
  m->done_first = (uint8_t)(m->done_first + 1u == m->cfg.done_depth ? 0 : m->done_first + 1);
  m->done_count--;
  m->owed--;
}

void hd_tbcr_grant(struct hd_tbcr *m, const struct hd_dispatch *cta, const struct hd_need *need) {
  m->free &= ~(UINT32_C(1) << cta->slot);
  m->row[cta->slot] = (struct hd_retire){.kdei = cta->kdei, .age_valid = cta->age_valid, .agei = cta->agei};
  m->level[cta->slot] = cta->level;
  m->warps = (uint8_t)(m->warps - need->warps);
  m->regs = (uint16_t)(m->regs - need->regs);
  m->smem = (uint16_t)(m->smem - need->smem);
  m->owed++;
  m->dispatch = *cta;
  if (!cta->age_valid) m->dispatch.agei = 0;
  m->dispatch_valid = 1;
  m->fresh = 1;
}

/* A completion, if the block runs alone: its result is output in the next cycle. */
static void report(struct hd_tbcr *m, const struct hd_tbcr_in *in) {
  int node = in->cta_done_valid ? hd_tbcr_node(m, in->cta_done_slot, in->run_valid ? in->run_kdei : -1) : -1;
  m->event = in->cta_done_valid ? (uint8_t)hd_tbcr_complete(m, in->cta_done_slot, in->need) : HD_DONE_NONE;
  m->node_done = node >= 0 && m->event == HD_DONE_OK;
  m->node_place = (uint16_t)(m->node_done ? node : 0);
}

void hd_tbcr_tick(struct hd_tbcr *m, const struct hd_tbcr_in *in) {
  struct hd_dispatch cta = {.kdei = in->grant_kdei,
                            .group = in->grant_group,
                            .age_valid = in->grant_age_valid,
                            .agei = in->grant_agei,
                            .level = in->grant_level,
                            .restart = in->grant_restart,
                            .blkid = in->grant_blkid};
  if (in->grant) cta.slot = (uint8_t)hd_tbcr_slot(m);
  m->look = hd_tbcr_look(m, in->look_slot);
  report(m, in);
  if (m->dispatch_valid) hd_tbcr_dispatch(m, in->dispatch_ready, &in->desc);
  if (in->pop) hd_tbcr_pop(m);
  if (in->grant) hd_tbcr_grant(m, &cta, &in->grant_need);
}

void hd_tbcr_arch_row(const struct hd_tbcr *m, unsigned row, struct hd_tbcr_arch *a) {
  unsigned behind_first = row < m->done_first ? row + m->cfg.done_depth - m->done_first : row - m->done_first;
  a->done_row[row] = m->row[m->cfg.slots + row];
  a->done_row_valid[row] = behind_first < m->done_count;
}

void hd_tbcr_arch(const struct hd_tbcr *m, struct hd_tbcr_arch *a, bool tables) {
  for (unsigned j = 0; j < m->cfg.slots; j++) {
    a->valid[j] = !(m->free >> j & 1);
    a->kdei[j] = m->row[j].kdei;
    a->age_valid[j] = m->row[j].age_valid;
    a->agei[j] = m->row[j].agei;
  }
  memcpy(a->level, m->level, m->cfg.slots);
  a->owed = m->owed;
  a->warps = m->warps;
  a->regs = m->regs;
  a->smem = m->smem;
  a->done_count = m->done_count;
  a->done_first = m->done_first;
  for (unsigned row = 0; tables && row < m->cfg.done_depth; row++) hd_tbcr_arch_row(m, row, a);
}
