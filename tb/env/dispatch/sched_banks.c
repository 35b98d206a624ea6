/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "dispatch/laperm.h"
#include "env/dispatch/sched_parts.h"

static void push(struct hd_sched_bank *b, const struct hd_pqentry *e, uint32_t nextbl) {
  b->entry[b->n] = *e;
  b->nextbl[b->n++] = nextbl;
}

void hd_sched_banks_edge(struct hd_sched_neighbours *s, const struct hd_sched_out *out) {
  if (out->take.valid) {
    struct hd_sched_bank *b = &s->bank[out->take.bank];
    if (++b->nextbl[0] == b->entry[0].ctas) {
      memmove(b->entry, b->entry + 1, --b->n * sizeof *b->entry);
      memmove(b->nextbl, b->nextbl + 1, b->n * sizeof *b->nextbl);
    }
  }
  if (s->kd_in.laperm_push.valid) {
    const struct hd_info *i = &s->a3_group.info;
    const struct hd_pqentry e = {.kind = HD_UNIT_GROUP,
                                 .kdei = s->kd_in.laperm_push.kdei,
                                 .grid_x = i->grid_x,
                                 .grid_y = i->grid_y,
                                 .grid_z = i->grid_z,
                                 .param = i->param,
                                 .ctas = i->ctas,
                                 .level = i->level};
    push(&s->bank[s->queue_bank], &e, 0);
  }
  if (s->kd_in.kmu_offer.valid && s->kd_out.free.valid && s->kd_in.laperm_enter.bank) {
    const struct hd_kernel *k = &s->kd_in.kmu_offer.kernel;
    const struct hd_pqentry e = {
        .kind = HD_UNIT_NATIVE, .kdei = s->kd_out.entry.kdei, .ctas = k->ctas, .level = k->level};
    push(&s->bank[s->enter_bank], &e, k->progress.nextbl);
  }
}

/* Returns the first bank with an entry from bank `from` on, except bank `except`; -1: none. */
static int first_bank(const struct hd_sched_neighbours *s, unsigned from, int except) {
  for (unsigned k = 0; k < s->cfg.num_bank; k++) {
    unsigned b = (from + k) % s->cfg.num_bank;
    if (s->bank[b].n && (int)b != except) return (int)b;
  }
  return -1;
}

/* A TB whose kernel may have no place to save it is offered with a need above what any SMX has. */
static void offer(const struct hd_sched_neighbours *s, int bank, uint8_t *valid, uint8_t *which, struct hd_need *need) {
  *valid = bank >= 0;
  *which = (uint8_t)(bank < 0 ? 0 : bank);
  *need = (struct hd_need){0};
  if (bank < 0) return;
  const unsigned kdei = s->bank[bank].entry[0].kdei;
  *need = s->kd_out.sav_full[kdei] ? hd_laperm_above_all(&s->cfg) : s->kd_out.need[kdei];
}

static void show_banks(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  if (!hd_rng_below(rng, 300)) s->binds = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 257);
  if (!hd_rng_below(rng, 200)) s->policy = hd_rng_below(rng, HD_POLICY_ADAPTIVE_BIND + 1);
  int first = first_bank(s, 0, -1);
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    unsigned mine = k / s->cfg.smx_per_cluster;
    int own = s->bank[mine].n ? (int)mine : -1, bound = -1, spare = -1;
    if (s->policy == HD_POLICY_RR) spare = first;
    if (s->policy == HD_POLICY_TB_PRI) bound = first;
    if (s->policy >= HD_POLICY_SMX_BIND) bound = own;
    if (s->policy == HD_POLICY_ADAPTIVE_BIND) spare = first_bank(s, mine + 1, (int)mine);
    offer(s, bound, &in->laperm_bound_valid[k], &in->laperm_bound_bank[k], &in->laperm_bound_need[k]);
    offer(s, spare, &in->laperm_spare_valid[k], &in->laperm_spare_bank[k], &in->laperm_spare_need[k]);
  }
  for (unsigned k = 0; k < s->cfg.num_bank; k++) {
    const struct hd_sched_bank *b = &s->bank[k];
    in->laperm_bank_front[k] = b->n ? b->entry[0] : (struct hd_pqentry){0};
    if (b->n)
      in->laperm_bank_front[k].arrival = (uint32_t)hd_rng_bits(rng, s->cfg.arrival_w); /* the scheduler does not use it
                                                                                         * */
    in->laperm_bank_nextbl[k] = b->n ? b->nextbl[0] : 0;
    in->laperm_bank_last[k] = b->n && b->nextbl[0] + 1 == b->entry[0].ctas;
  }
}

/* Offers a need that may follow the first of all banks: a guess, right or wrong. */
static void show_then(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  const int first = first_bank(s, 0, -1);
  in->laperm_then.valid = s->cfg.choice_latency > 1 && first >= 0 && hd_rng_p(rng, 200);
  in->laperm_then.need = (struct hd_need){0};
  if (!in->laperm_then.valid) return;
  const struct hd_sched_bank *b = &s->bank[first];
  in->laperm_then.need = s->kd_out.need[b->n > 1 ? b->entry[1].kdei : hd_rng_below(rng, s->cfg.num_kde)];
}

void hd_sched_banks_show(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  show_banks(s, rng, in);
  show_then(s, rng, in);
}
