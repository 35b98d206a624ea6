/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/launch/devq_neighbours.h"

#include <string.h>

#include "env/common/clients.h"
#include "env/common/memory.h"

enum {
  LANES = 32,
  PLACES = 8 /* maximum entries of a bank, small so that banks fill */
};

static unsigned places(const struct hd_devq_neighbours *s) {
  return s->cfg.pq_depth < PLACES ? s->cfg.pq_depth : PLACES;
}

void hd_devq_neighbours_reset(struct hd_devq_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  memset(s->at.free, (int)places(s), cfg.num_bank);
}

static void change_phase(struct hd_devq_neighbours *s, struct hd_rng *rng) {
  const uint32_t counts[] = {0, 1, 40, 1000, 0x7fffffff, hd_huge_count(rng)};
  static const unsigned rooms[] = {256, 256, 200, 40};
  if (!s->busy) { /* after reset */
    s->rec_count = counts[2 + hd_rng_below(rng, 4)];
    s->sus_count = hd_rng_p(rng, 128) ? hd_huge_count(rng) : hd_rng_below(rng, s->cfg.num_kin + 1);
    if (hd_rng_p(rng, 64)) s->sus_count = UINT32_C(1) << hd_rng_below(rng, 32);
    if (hd_rng_p(rng, 20)) s->rec_count = counts[hd_rng_below(rng, 2)];
  } else if (hd_rng_below(rng, 400)) {
    return;
  }
  s->busy = hd_rng_p(rng, 128) ? 256 : 1 + hd_rng_below(rng, 64);
  s->groups = hd_rng_p(rng, 128) ? 250 : hd_rng_below(rng, 256);
  s->empty = hd_rng_p(rng, 60) ? 128 : 8;
  s->late = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 60);
  s->room = rooms[hd_rng_below(rng, 4)];
  s->full = hd_rng_p(rng, 40) ? 128 : 8;
  static const unsigned speeds[] = {0, 8, 64, 256};
  s->leave = speeds[hd_rng_below(rng, 4)];
  s->spill = speeds[hd_rng_below(rng, 4)];
  s->pool = speeds[hd_rng_below(rng, 4)];
  s->susp = speeds[hd_rng_below(rng, 4)];
  s->no_region = hd_rng_p(rng, 60);
}

/* ---- the SMXs ---- */

/* Returns registers of a thread with which a TB of this number of threads takes all units of an SMX, or one more for
 * each warp. */
static uint8_t registers_at_the_limit(const struct hd_devq_neighbours *s, struct hd_rng *rng, unsigned threads) {
  const unsigned warps = (threads + 31) / 32, units = s->cfg.reg_units_per_smx / (warps ? warps : 1);
  const unsigned regs = (units + hd_rng_below(rng, 2)) * s->cfg.reg_unit / 32;
  return (uint8_t)(regs < 255 ? regs : 255);
}

/* Starts a command: kernels, groups or a save. */
static void new_command(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_devq_client *c) {
  struct hd_launch l = hd_random_launch(rng, p, &s->cfg, ++s->serial, UINT32_MAX);
  struct hd_devlaunch *d = &c->like;
  *d = (struct hd_devlaunch){.desc = l.desc, .threads = l.threads, .regs = l.regs, .smem = l.smem, .ctas = l.ctas};
  if (hd_rng_p(rng, 8)) d->desc.grid_x = UINT32_C(1) << hd_rng_below(rng, 31);
  if (hd_rng_p(rng, 16)) d->regs = registers_at_the_limit(s, rng, d->threads);
  d->kind = hd_rng_p(rng, s->groups) ? HD_KIND_GROUP : hd_rng_p(rng, 180) ? HD_KIND_KERNEL : HD_KIND_SAVE;
  d->slot = (uint8_t)hd_rng_below(rng, s->cfg.ctas_per_smx);
  d->stream = (uint8_t)hd_rng_below(rng, s->cfg.num_streams);
  if (hd_rng_p(rng, p->bad / 4)) d->stream = (uint8_t)hd_rng_bits(rng, s->cfg.stream_id_w);
  if (hd_rng_p(rng, p->bad / 16)) d->kind = 3;
  if (hd_rng_p(rng, p->bad / 8)) d->slot = (uint8_t)hd_rng_bits(rng, s->cfg.slot_w);
  c->sent = 0;
  c->left = (uint8_t)(d->kind == HD_KIND_SAVE ? 1 : 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, LANES)));
  if (d->kind != HD_KIND_SAVE && hd_rng_p(rng, 8)) c->left = LANES;
  c->cut = hd_rng_p(rng, p->bad / 4);
  if (c->cut && hd_rng_p(rng, 100)) c->left = (uint8_t)(LANES + 1 + hd_rng_below(rng, 40));
}

/* Truncates a dimension to `bits` bits, keeping it non-zero unless it was 0. */
static uint32_t cut_to(uint32_t dim, unsigned bits) {
  uint32_t mask = (UINT32_C(1) << bits) - 1;
  return dim & mask ? dim & mask : dim != 0;
}

/* Returns the next beat. Most groups have dimensions and an address that fit an AGE. */
static struct hd_devlaunch next_beat(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                                     struct hd_devq_client *c) {
  struct hd_devlaunch d = c->like;
  c->left--;
  d.last = !c->left && !c->cut;
  d.lane = (uint8_t)hd_rng_bits(rng, s->cfg.lane_w);
  d.hwtid = (uint16_t)hd_rng_bits(rng, s->cfg.hwtid_w);
  d.record = hd_rng_below(rng, s->rec_count ? s->rec_count : 1) & 0x7fffffff;
  if (hd_rng_p(rng, p->bad / 8)) d.record = (s->rec_count + hd_rng_below(rng, 3) - 1) & 0x7fffffff;
  if (d.kind == HD_KIND_GROUP) {
    if (hd_rng_p(rng, 240)) d.desc.grid_x = cut_to(d.desc.grid_x, s->cfg.group_xw);
    if (hd_rng_p(rng, 240)) d.desc.grid_y = (uint16_t)cut_to(d.desc.grid_y, s->cfg.group_yw);
    if (hd_rng_p(rng, 240)) d.desc.grid_z = (uint16_t)cut_to(d.desc.grid_z, s->cfg.group_zw);
    if (hd_rng_p(rng, 240)) d.desc.param &= ~(uint64_t)63;
  }
  return d;
}

static void drive_client(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p, unsigned k,
                         const struct hd_devq_out *out, struct hd_devq_in *in) {
  struct hd_devq_client *c = &s->client[k];
  bool taken = in->dev_launch_valid[k] && out->dev_launch_ready[k];
  c->unanswered = (uint8_t)(c->unanswered + taken - (out->dev_answer_valid[k] && in->dev_answer_ready[k]));
  c->sent = (uint8_t)(c->sent + taken);
  if (!hd_rng_below(rng, 300)) c->deaf = hd_rng_p(rng, 30);
  in->dev_answer_ready[k] = !c->deaf && hd_rng_p(rng, p->sink);
  if (in->dev_launch_valid[k] && !taken) return;
  in->dev_launch_valid[k] = 0;
  in->dev_launch[k] = (struct hd_devlaunch){0};
  if (!c->left && hd_rng_p(rng, p->source) && hd_rng_p(rng, s->busy)) new_command(s, rng, p, c);
  if (c->left && hd_rng_p(rng, s->late)) {
    s->silent |= c->sent > 0;
    return;
  }
  if (!c->left) return;
  in->dev_launch_valid[k] = 1;
  in->dev_launch[k] = next_beat(s, rng, p, c);
}

/* ---- the plane ---- */

/* The result of a search, possibly delayed; it may change until it is accepted. */
static void drive_found(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_devq_out *now,
                        struct hd_devq_in *in) {
  in->match_found.valid = now->find.valid && hd_rng_p(rng, s->room + 40);
  in->match_found.hit = in->match_found.valid && hd_rng_p(rng, 200);
  in->match_found.kdei = in->match_found.hit ? (uint8_t)hd_rng_below(rng, s->cfg.num_kde) : 0;
}

/* Kernels: some have a parent record, and some of these have room for one more saved TB. */
static void drive_kernels(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_devq_out *out,
                          struct hd_devq_in *in) {
  if (out->birth.valid) {
    in->kd_kin_valid[out->birth.kdei] = 1;
    in->kd_kin[out->birth.kdei] = out->birth.kin;
  }
  unsigned k = hd_rng_below(rng, s->cfg.num_kde);
  if (!hd_rng_below(rng, 20)) in->kd_kin_valid[k] = in->kd_kin[k] = 0; /* another kernel */
  in->kd_save_ok[k] = in->kd_kin_valid[k] && hd_rng_p(rng, 220);
  in->kd_sav_count[k] = (uint16_t)hd_rng_below(rng, s->cfg.sav_max + !in->kd_save_ok[k]);
  in->kd_sav_first[k] = (uint16_t)hd_rng_below(rng, s->cfg.sav_max);
}

/* Processes the group in A3; the group in A2 moves there. */
static void follow_group(struct hd_devq_neighbours *s, const struct hd_devq_out *out) {
  struct hd_devq_places *p = &s->at;
  const unsigned bank = out->group.smx / s->cfg.smx_per_cluster;
  const bool into = p->a3_valid && !p->a3_put && !p->a3_full, put = p->a3_put;
  const bool behind = p->away[bank] || (put && p->a3_bank == bank);
  const bool takes = !behind && p->free[bank] > (into && p->a3_bank == bank);
  if (into) p->free[p->a3_bank]--;
  p->away[p->a3_bank] = (uint16_t)(p->away[p->a3_bank] + put);
  p->rows = (uint8_t)(p->rows + put);
  p->a3_valid = out->group.valid;
  p->a3_put = out->group.valid && !takes && !s->no_region;
  p->a3_full = out->group.valid && !takes && s->no_region;
  p->a3_bank = (uint8_t)(out->group.valid ? bank : 0);
}

/* A kernel occupies or leaves an entry of a bank; a group is fetched from memory, or is lost. */
static void stir_bank(struct hd_devq_neighbours *s, struct hd_rng *rng, unsigned bank) {
  struct hd_devq_places *p = &s->at;
  const unsigned into = p->a3_valid && !p->a3_put && !p->a3_full && p->a3_bank == bank;
  const unsigned line = p->away[bank] ? s->cfg.spill_line : 0;
  if (p->away[bank] && hd_rng_p(rng, s->spill / 2)) {
    const bool back = p->free[bank] > into;
    if (!back && !hd_rng_p(rng, 10)) return;
    p->away[bank]--;
    p->free[bank] = (uint8_t)(p->free[bank] - back);
  } else if (!into && p->free[bank] >= 2 + line && hd_rng_p(rng, 4)) {
    p->free[bank]--;
  }
  if (p->free[bank] < places(s) && hd_rng_p(rng, s->leave)) p->free[bank]++;
}

static void drive_places(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_devq_out *out,
                         struct hd_devq_in *in) {
  struct hd_devq_places *p = &s->at;
  follow_group(s, out);
  stir_bank(s, rng, hd_rng_below(rng, s->cfg.num_bank));
  if (p->rows && hd_rng_p(rng, s->spill)) p->rows--;
  if (p->kernels && hd_rng_p(rng, s->pool)) p->kernels--;
  if (p->saves && hd_rng_p(rng, s->susp)) p->saves--;
  p->kernels = (uint8_t)(p->kernels + out->push.valid);
  p->saves = (uint8_t)(p->saves + out->save.valid);
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    const bool none = p->away[b] || ((p->a3_put || p->a3_full) && p->a3_bank == b);
    in->laperm_bank_room[b] = none ? 0 : p->free[b] < 7 ? p->free[b] : 7;
  }
  in->spill_rows = (uint8_t)(s->cfg.spill_depth - p->rows);
  in->laperm_full = p->a3_full;
  in->pool_room.ready = p->kernels < 2;
  in->pool_room.two = p->kernels == 0;
  in->susp_save_room = p->saves < 2;
}

static void drive_room(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_devq_out *out,
                       struct hd_devq_in *in) {
  in->link_kept = out->group.valid && hd_rng_p(rng, 80);
  in->link_refused = out->group.valid && !in->link_kept && hd_rng_p(rng, 8);
  in->ovfq_room = hd_rng_p(rng, s->room);
  in->pool_room.full = hd_rng_p(rng, s->full);
  in->kin_free.valid = !hd_rng_p(rng, s->full);
  in->kin_free.kin = (uint16_t)(in->kin_free.valid ? hd_rng_below(rng, s->cfg.num_kin) : 0);
  for (unsigned k = 0; k < s->cfg.num_streams; k++) in->pool_stream_ok[k] = !k || !hd_rng_p(rng, s->full / 2);
  in->sched_look = (struct hd_look){0};
  if (hd_rng_p(rng, s->empty)) return;
  in->sched_look.valid = 1;
  in->sched_look.kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  in->sched_look.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
}

void hd_devq_neighbours_drive(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_devq_out *out, const struct hd_devq_out *now, struct hd_devq_in *in) {
  change_phase(s, rng);
  s->silent = 0;
  in->regs_config.rec_count = s->rec_count;
  in->regs_config.sus_count = s->sus_count;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) drive_client(s, rng, p, k, out, in);
  drive_found(s, rng, now, in);
  drive_kernels(s, rng, out, in);
  drive_places(s, rng, out, in);
  drive_room(s, rng, out, in);
}
