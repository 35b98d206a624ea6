/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm at its ports: outputs, the edge, and the architectural state. */
#include <string.h>

#include "dispatch/laperm.h"

/* Sets of queues. */
struct queues {
  uint64_t room[HD_WORDS(HD_MAX_RING_QUEUES)], held[HD_WORDS(HD_MAX_RING_QUEUES)];
};

/* Returns the inputs from spill. */
static struct hd_laperm_memory memory_of(const struct hd_laperm *m, const struct hd_laperm_in *in,
                                         struct queues *queues) {
  hd_bits_from_bytes(queues->room, in->spill_room, m->cfg.num_bank * m->cfg.max_level);
  hd_bits_from_bytes(queues->held, in->spill_held, m->cfg.num_bank * m->cfg.max_level);
  return (struct hd_laperm_memory){.room = queues->room,
                                   .held = queues->held,
                                   .reserve = in->spill_reserve,
                                   .release = in->spill_release,
                                   .back = in->spill_back.valid ? &in->spill_back.info : NULL,
                                   .back_kdei = in->spill_back.kdei,
                                   .back_bank = in->spill_back.bank};
}

static void show_banks(const struct hd_laperm *m, struct hd_laperm_out *out) {
  for (unsigned b = 0; b < m->cfg.num_bank; b++) {
    bool any = hd_laperm_holds(m, b);
    out->bank_valid[b] = any;
    out->bank_front[b] = any ? *hd_laperm_front(m, b) : (struct hd_pqentry){0};
    out->bank_nextbl[b] = any ? hd_laperm_nextbl(m, b) : 0;
    out->bank_last[b] = any && hd_laperm_last(m, b);
  }
}

/* Sets the three ports of an offer from a bank, or of none. */
static void show_offer(const struct hd_laperm *m, const struct hd_laperm_in *in, int bank, uint8_t *valid,
                       uint8_t *which, struct hd_need *need) {
  *valid = bank >= 0;
  *which = bank >= 0 ? (uint8_t)bank : 0;
  *need = (struct hd_need){0};
  if (bank < 0) return;
  const unsigned kdei = hd_laperm_front(m, (unsigned)bank)->kdei;
  *need = in->kd_sav_full[kdei] ? *hd_laperm_no_room(m) : in->kd_need[kdei];
}

static struct hd_laperm_kernel kernel_of(const struct hd_laperm_in *in) {
  return (struct hd_laperm_kernel){.progress = &in->kmu_offer.kernel.progress,
                                   .ctas = in->kmu_offer.kernel.ctas,
                                   .kdei = in->kd_free.kdei,
                                   .level = in->kmu_offer.kernel.level,
                                   .smx = in->kmu_offer.kernel.origin.smx,
                                   .pending = in->kmu_offer.kernel.groups.pending,
                                   .graph = in->kmu_offer.kernel.graph};
}

/* Sets the destination of the group in A3, and the outputs to spill. */
static void show_memory(const struct hd_laperm *m, const struct hd_laperm_memory *mem, struct hd_laperm_out *out) {
  const bool put = hd_laperm_puts(m);
  const int pushes = hd_laperm_pushes(m);
  out->full = hd_laperm_full(m);
  out->push.valid = pushes >= 0;
  out->push.kdei = pushes >= 0 ? (uint8_t)pushes : 0;
  out->put.valid = put;
  out->put.bank = put ? m->a3_bank : 0;
  out->put.kdei = put ? m->a3_kdei : 0;
  out->put.info = put ? m->a3_info : (struct hd_info){0};
  for (unsigned b = 0; b < m->cfg.num_bank; b++) {
    out->place[b] = hd_laperm_place(m, b);
    out->bank_room[b] = (uint8_t)hd_laperm_room(m, mem, b);
  }
  out->back_ready = hd_laperm_takes_back(m, mem);
  out->inversion = hd_laperm_inversion(m, mem);
}

void hd_laperm_eval(const struct hd_laperm *m, const struct hd_laperm_in *in, struct hd_laperm_out *out) {
  struct queues queues;
  const struct hd_laperm_kernel k = kernel_of(in);
  const struct hd_laperm_memory mem = memory_of(m, in, &queues);
  struct hd_laperm_entry to = {0};
  if (in->kmu_offer.valid) to = hd_laperm_enter(m, &mem, in->regs_config.policy, &k);
  show_memory(m, &mem, out);
  out->enter.wait_bank = to.wait;
  out->enter.bank = to.bank;
  out->enter.mark = to.mark;
  show_banks(m, out);
  const int then = hd_laperm_then(m);
  out->then.valid = then >= 0;
  out->then.need = then >= 0 ? in->kd_need[then] : (struct hd_need){0};
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const struct hd_laperm_order_offer o = hd_laperm_offer(m, in->regs_config.policy, s);
    show_offer(m, in, o.bound, &out->bound_valid[s], &out->bound_bank[s], &out->bound_need[s]);
    show_offer(m, in, o.spare, &out->spare_valid[s], &out->spare_bank[s], &out->spare_need[s]);
  }
}

void hd_laperm_tick(struct hd_laperm *m, const struct hd_laperm_in *in) {
  struct queues queues;
  const struct hd_laperm_kernel k = kernel_of(in);
  const struct hd_laperm_edge e = {.policy = in->regs_config.policy,
                                   .group = in->devq_group.valid ? &in->devq_group.info : NULL,
                                   .group_kdei = in->devq_group.kdei,
                                   .group_smx = in->devq_group.smx,
                                   .enter = in->kmu_offer.valid && in->kd_free.valid ? &k : NULL,
                                   .take_bank = in->sched_take.valid ? in->sched_take.bank : -1,
                                   .take_smx = in->sched_grant.smx,
                                   .take_spare = in->sched_take.spare,
                                   .grant = in->sched_grant.valid || in->sched_graph_take,
                                   .grant_level = in->sched_grant.level,
                                   .memory = memory_of(m, in, &queues)};
  hd_laperm_step(m, &e);
}

void hd_laperm_arch_own(const struct hd_laperm *m, struct hd_laperm_arch *a) {
  a->a3_valid = m->a3_valid;
  a->a3_put = m->a3_put;
  a->a3_full = m->a3_full;
  a->a3_kdei = m->a3_kdei;
  a->a3_bank = m->a3_bank;
  a->a3_info = m->a3_info;
  a->ran = m->ran;
  a->ran_any = m->ran_any;
  a->ran_bank = m->ran_bank;
  a->ran_level = m->ran_level;
  for (unsigned b = 0; b < m->cfg.num_bank; b++) a->passed[b] = b + 1 == m->passed_own || b + 1 == m->passed_backup;
  for (unsigned l = 0; l < m->cfg.max_level; l++) {
    a->number[l] = m->number[l];
    a->live[l] = m->live[l];
  }
  a->winner_valid = m->winner >= 0;
  a->winner = m->winner >= 0 ? (uint8_t)m->winner : 0;
  hd_bits_to_bytes(a->backup_valid, m->backup_valid, m->cfg.num_smx);
  memcpy(a->backup, m->backup, m->cfg.num_smx);
}

void hd_laperm_arch(const struct hd_laperm *m, struct hd_laperm_arch *a, bool tables) {
  hd_laperm_arch_own(m, a);
  for (unsigned b = 0; b < m->cfg.num_bank; b++) hd_pq_arch(hd_laperm_bank(m, b), &a->pq[b], tables);
}
