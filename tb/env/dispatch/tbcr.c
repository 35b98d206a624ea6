/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tbcr: golden model, random environment and cover points. The environment is a scheduler that grants only TBs that
 * fit, a graph whose TBs belong to one kernel, and one SMX. */
#include "dispatch/tbcr.h"

#include "env/common/clients.h"
#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(tbcr)
HD_BLOCK_DRIVER_ROWS(tbcr)

struct stim {
  struct hd_cfg cfg;
  uint8_t used[HD_MAX_CTAS_PER_SMX]; /* slots whose TB the SMX runs, from the acceptance of its dispatch on */
  unsigned graph;                    /* the kernel whose TBs are nodes; NumKde: none */
  uint16_t runs;                     /* phase: probability (of 256) that the graph runs */
};

/* Chooses the needs of the kernel in each entry; they do not change while TBs run. */
static void new_needs(struct stim *s, struct hd_rng *rng, struct hd_tbcr_in *in) {
  bool small = hd_rng_p(rng, 128); /* small needs, so that slots are the limit */
  s->graph = hd_rng_below(rng, s->cfg.num_kde + 1);
  for (unsigned k = 0; k < s->cfg.num_kde; k++) {
    if (hd_rng_p(rng, 32)) { /* the whole SMX */
      in->need[k] = (struct hd_need){.warps = (uint8_t)s->cfg.warps_per_smx,
                                     .regs = (uint16_t)s->cfg.reg_units_per_smx,
                                     .smem = (uint16_t)s->cfg.smem_units_per_smx};
      continue;
    }
    in->need[k].warps = (uint8_t)(1 + hd_rng_below(rng, 1 + (s->cfg.warps_per_smx >> hd_rng_below(rng, 6))));
    in->need[k].regs = (uint16_t)hd_rng_below(rng, 1 + (s->cfg.reg_units_per_smx >> hd_rng_below(rng, 6)));
    in->need[k].smem = (uint16_t)hd_rng_below(rng, 1 + (s->cfg.smem_units_per_smx >> hd_rng_below(rng, 6)));
    if (in->need[k].warps > s->cfg.warps_per_smx) in->need[k].warps = (uint8_t)s->cfg.warps_per_smx;
    if (small)
      in->need[k] =
          (struct hd_need){.warps = 1, .regs = (uint16_t)hd_rng_below(rng, s->cfg.reg_units_per_smx / 32 + 1)};
  }
}

/* Returns true if no TB holds resources of the SMX. */
static bool empty(const struct stim *s, const struct hd_tbcr_out *now) {
  return !now->dispatch_valid && !now->retire_valid && now->free_warps == s->cfg.warps_per_smx &&
         now->free_regs == s->cfg.reg_units_per_smx && now->free_smem == s->cfg.smem_units_per_smx;
}

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
}

static void stim_reset(void *s_) {
  struct stim *s = s_;
  memset(s->used, 0, sizeof s->used);
}

/* A TB of a group, of a graph, a restarted one, or none of these. */
static void drive_kind(const struct stim *s, struct hd_rng *rng, struct hd_tbcr_in *in) {
  bool node = in->grant && in->grant_kdei == s->graph;
  in->grant_group = in->grant && !node && hd_rng_p(rng, 128);
  in->grant_age_valid = in->grant_group && hd_rng_p(rng, 200);
  in->grant_agei = (uint16_t)(in->grant_age_valid ? hd_rng_below(rng, s->cfg.num_age) : 0);
  if (node) in->grant_agei = (uint16_t)hd_rng_below(rng, s->cfg.lna);
  in->grant_level = (uint8_t)(in->grant && !node ? hd_rng_below(rng, s->cfg.max_level + 1) : 0);
  in->grant_restart = in->grant && !node && !in->grant_group && hd_rng_p(rng, 40);
}

/* While the graph does not run, run_kdei may have any value. */
static void drive_run(struct stim *s, struct hd_rng *rng, struct hd_tbcr_in *in) {
  if (!hd_rng_below(rng, 100)) s->runs = (uint16_t)(hd_rng_p(rng, 200) ? 240 : hd_rng_below(rng, 257));
  in->run_valid = s->graph < s->cfg.num_kde && hd_rng_p(rng, s->runs);
  in->run_kdei =
      (uint8_t)(s->graph < s->cfg.num_kde && (in->run_valid || hd_rng_p(rng, 128)) ? s->graph
                                                                                   : hd_rng_below(rng, s->cfg.num_kde));
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_tbcr_out *out = out_, *now = now_;
  struct hd_tbcr_in *in = in_;
  if (out->dispatch_valid && in->dispatch_ready) s->used[out->dispatch.slot] = 1;
  if (!in->need[0].warps || (empty(s, now) && hd_rng_p(rng, 32))) new_needs(s, rng, in);
  in->desc = in->grant ? hd_random_desc(rng) : (struct hd_desc){0};
  unsigned k = s->graph < s->cfg.num_kde && hd_rng_p(rng, 100) ? s->graph : hd_rng_below(rng, s->cfg.num_kde);
  const struct hd_need *n = &in->need[k];
  in->grant = now->slot_free && now->done_room && !now->dispatch_valid && n->warps <= now->free_warps &&
              n->regs <= now->free_regs && n->smem <= now->free_smem && hd_rng_p(rng, p->source);
  in->grant_kdei = (uint8_t)(in->grant ? k : 0);
  in->grant_need = in->grant ? *n : (struct hd_need){0};
  in->grant_blkid = in->grant ? (uint32_t)hd_rng_bits(rng, 32) : 0;
  drive_kind(s, rng, in);
  drive_run(s, rng, in);
  in->look_slot = (uint8_t)hd_rng_below(rng, 1u << s->cfg.slot_w); /* some do not exist */
  if (now->dispatch_valid && hd_rng_p(rng, 40)) in->look_slot = now->dispatch.slot;
  in->pop = now->retire_valid && hd_rng_p(rng, p->sink / 2);
  in->dispatch_ready = hd_rng_p(rng, p->sink);
  in->cta_done_valid = in->cta_done_slot = 0;
  if (hd_rng_p(rng, p->bad / 4)) {
    in->cta_done_valid = 1;
    in->cta_done_slot = (uint8_t)hd_rng_below(rng, s->cfg.ctas_per_smx);
  } else if (hd_rng_p(rng, p->source / 3)) {
    uint8_t slot = (uint8_t)hd_rng_below(rng, s->cfg.ctas_per_smx);
    in->cta_done_valid = s->used[slot];
    in->cta_done_slot = s->used[slot] ? slot : 0;
  }
  if (in->cta_done_valid) s->used[in->cta_done_slot] = 0;
}

static const char *const covers[] = {"event",      "slots_full",      "no_done_room",  "grant_and_done",
                                     "done_empty", "done_early",      "stalled",       "done_early_while_taken",
                                     "look_hit",   "look_nothing",    "group_retires", "node_done",
                                     "node_far",   "node_dispatched", "graph_is_over", "other_while_it_runs",
                                     NULL};

/* TBs of a graph, and other TBs at the same time. */
static void cover_nodes(const struct stim *s, const struct hd_tbcr_in *in, const struct hd_tbcr_out *out,
                        uint64_t *hits) {
  hits[0] += out->node_done;
  hits[1] += out->node_done && out->node_place >= s->cfg.lna / 2;
  hits[2] += out->dispatch_valid && in->dispatch_ready && out->dispatch.kdei == s->graph;
  hits[3] += in->cta_done_valid && !in->run_valid && in->run_kdei == s->graph;
  hits[4] += out->done_ok && in->run_valid && !out->node_done;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_tbcr_in *in = in_;
  const struct hd_tbcr_out *out = out_;
  const struct stim *s = s_;
  hits[0] += in->grant + in->pop + in->cta_done_valid + (out->dispatch_valid && in->dispatch_ready);
  hits[1] += !out->slot_free;
  hits[2] += !out->done_room;
  hits[3] += in->grant && in->cta_done_valid;
  hits[4] += out->done_empty;
  hits[5] += out->done_early;
  hits[6] += out->dispatch_valid && !in->dispatch_ready;
  hits[7] += out->dispatch_valid && in->dispatch_ready && in->cta_done_valid && in->cta_done_slot == out->dispatch.slot;
  hits[8] += out->look.valid;
  hits[9] += !out->look.valid;
  hits[10] += in->pop && out->retire.age_valid;
  cover_nodes(s, in, out, hits + 11);
}

/* Oracle:
 * 1. Free resources plus those of the TBs in the slots equal those of an empty SMX.
 * 2. A slot holds one TB at a time.
 * 3. Done entries leave in the order of completion, with kernel and AGE of their TB.
 * 4. A lookup finds the TB of a slot from its dispatch to its end.
 * 5. The end of a TB is reported with its place if it is a node of the running graph, and without one otherwise. */
struct oracle {
  struct hd_cfg cfg;
  struct hd_need held[HD_MAX_CTAS_PER_SMX];
  struct hd_dispatch cta[HD_MAX_CTAS_PER_SMX];
  uint16_t place[HD_MAX_CTAS_PER_SMX]; /* of a TB without AGE: that of its node */
  uint8_t valid[HD_MAX_CTAS_PER_SMX];  /* 1 offered, 2 running */
  struct hd_retire done[HD_MAX_DONE_DEPTH + 1];
  unsigned done_n;
  uint8_t granted;
  struct hd_dispatch granted_cta; /* without slot and descriptor */
  struct hd_need granted_need;
  uint16_t granted_place;
  struct hd_look look; /* expected in this cycle: the result of the lookup, .. */
  bool node_done;      /* .. and the report of a TB that was done */
  uint16_t node_place;
};

HD_BLOCK_DRIVER_ORACLE

static bool same_done(const struct hd_retire *a, const struct hd_retire *b) {
  return a->kdei == b->kdei && a->age_valid == b->age_valid && a->agei == b->agei;
}

/* The TB granted in the previous cycle is offered in this one. */
static const char *offered(struct oracle *o, const struct hd_dispatch *d, bool valid) {
  struct hd_dispatch want = o->granted_cta;
  want.slot = d->slot;
  want.desc = d->desc;
  if (!valid || memcmp(&want, d, sizeof want)) return "a granted TB is not offered in the next cycle";
  if (o->valid[d->slot]) return "a TB is given a slot that is in use";
  o->valid[d->slot] = 1;
  o->cta[d->slot] = *d;
  o->held[d->slot] = o->granted_need;
  o->place[d->slot] = o->granted_place;
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_tbcr_in *in = in_;
  const struct hd_tbcr_out *out = out_;
  (void)cycle;
  if (o->granted) {
    const char *rule = offered(o, &out->dispatch, out->dispatch_valid);
    if (rule) return rule;
  }
  if (memcmp(&o->look, &out->look, sizeof o->look)) return "the result of a lookup is wrong";
  if (out->node_done != o->node_done || out->node_place != o->node_place)
    return "node_done or node_place does not match the TB that ended";
  uint32_t warps = out->free_warps, regs = out->free_regs, smem = out->free_smem, resident = 0;
  for (unsigned j = 0; j < o->cfg.ctas_per_smx; j++)
    if (o->valid[j]) warps += o->held[j].warps, regs += o->held[j].regs, smem += o->held[j].smem, resident++;
  if (warps != o->cfg.warps_per_smx || regs != o->cfg.reg_units_per_smx || smem != o->cfg.smem_units_per_smx)
    return "free and held resources do not add up to those of an SMX";
  if (out->slot_free != (resident < o->cfg.ctas_per_smx))
    return "slot_free differs: it should be set if a slot is free";
  if (out->done_room != (resident + o->done_n < o->cfg.done_depth))
    return "done_room differs: it should be set if one more completion fits";
  if (out->retire_valid != (o->done_n > 0) || (o->done_n && !same_done(&out->retire, &o->done[0])))
    return "done entries are out of order";
  if (in->pop && o->done_n) memmove(o->done, o->done + 1, --o->done_n * sizeof *o->done);
  unsigned j = in->look_slot;
  o->look = (struct hd_look){0};
  if (o->valid[j] == 2) o->look = (struct hd_look){.valid = 1, .kdei = o->cta[j].kdei, .level = o->cta[j].level};
  j = in->cta_done_slot;
  o->node_done = in->cta_done_valid && j < o->cfg.ctas_per_smx && o->valid[j] == 2 && in->run_valid &&
                 o->cta[j].kdei == in->run_kdei;
  o->node_place = o->node_done ? o->place[j] : 0;
  if (in->cta_done_valid && j < o->cfg.ctas_per_smx && o->valid[j] == 2) {
    const struct hd_dispatch *d = &o->cta[j];
    if (o->done_n == o->cfg.done_depth) return "the done FIFO overflows";
    o->done[o->done_n++] = (struct hd_retire){.kdei = d->kdei, .age_valid = d->age_valid, .agei = d->agei};
    o->valid[j] = 0;
  }
  if (out->dispatch_valid && in->dispatch_ready) o->valid[out->dispatch.slot] = 2;
  o->granted = in->grant;
  o->granted_cta = (struct hd_dispatch){.kdei = in->grant_kdei,
                                        .group = in->grant_group,
                                        .age_valid = in->grant_age_valid,
                                        .agei = in->grant_age_valid ? in->grant_agei : (uint16_t)0,
                                        .level = in->grant_level,
                                        .restart = in->grant_restart,
                                        .blkid = in->grant_blkid};
  o->granted_need = in->grant_need;
  o->granted_place = in->grant_agei;
  return NULL;
}

const struct hd_block_driver hd_block_driver_tbcr = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(tbcr), HD_BLOCK_DRIVER_ROWS_FIELDS(tbcr), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
    HD_BLOCK_DRIVER_ORACLE_FIELDS};
