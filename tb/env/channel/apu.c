/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* apu: golden model, random environment and cover points. The environment is a host that puts elements into channel 0,
 * wavefronts that reserve, publish, free what they took and end, or yield, and a memory. */
#include "channel/apu.h"

#include "engine/rng.h"
#include "env/common/model.h"

HD_TWIN_MODEL(apu)

enum { SLOTS = HD_MAX_CHAN_SLOTS, CUS = HD_MAX_NUM_CU, CHANS = HD_MAX_NUM_CHAN, STRIDE = 4096, CAP = 9, BURSTS = 64 };

enum part { PART_CHAN = 1, PART_DCOUNT, PART_AGG, PART_YREC, PART_MEMARB };

static void apu_arch(const void *m_, unsigned group, void *arch, bool tables) {
  const struct hd_apu *m = m_;
  struct hd_apu_arch *a = arch;
  if (group == PART_CHAN) hd_chan_arch(&m->chan, &a->chan, tables);
  if (group == PART_DCOUNT) hd_dcount_arch(&m->dcount, &a->dcount, tables);
  if (group == PART_AGG) hd_agg_arch(&m->agg, &a->agg, tables);
  if (group == PART_YREC) hd_yrec_arch(&m->yrec, &a->yrec, tables);
  if (group == PART_MEMARB) hd_memarb_arch(&m->memarb, &a->memarb, tables);
}

static const struct hd_wrote *apu_wrote(const void *m_, unsigned group) {
  const struct hd_apu *m = m_;
  const struct hd_wrote *const wrote[] = {NULL, m->chan.wrote, m->dcount.wrote, m->agg.wrote, m->yrec.wrote, NULL};
  return wrote[group];
}

static void apu_row(const void *m_, unsigned group, unsigned row, void *arch) {
  const struct hd_apu *m = m_;
  struct hd_apu_arch *a = arch;
  if (group == PART_CHAN) hd_chan_arch_row(&m->chan, row, &a->chan);
  if (group == PART_DCOUNT) hd_dcount_arch_row(&m->dcount, row, &a->dcount);
  if (group == PART_AGG) hd_agg_arch_row(&m->agg, row, &a->agg);
  if (group == PART_YREC) hd_yrec_arch_row(&m->yrec, row, &a->yrec);
}

static void apu_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_apu_show_inner(m, in, inner);
}

/* A wavefront: it reserves n of `to` (if n is not 0), publishes them, frees what it took, and ends. */
enum step { NONE, RESERVE, YIELD, PUBLISH, FREE, END, ENDING };

struct wave {
  uint8_t step, own, to, asked;
  uint16_t start, count, n, base;
};

struct burst {
  uint64_t addr;
  uint8_t id, beats, complete;
};

struct stim {
  struct hd_cfg cfg;
  uint8_t began, errors, chans, next, cap[CHANS], level[CHANS], levels;
  uint8_t host, host_slot; /* of CU 0: RESERVE, PUBLISH */
  uint16_t host_n, host_base;
  uint8_t turn[CUS], busy[CUS]; /* slot that asks; an operation is under way */
  struct wave wave[SLOTS], waits[SLOTS * 4];
  uint64_t base;
  struct burst write[BURSTS], read[BURSTS];
  uint8_t writes, reads, filled; /* filled: write bursts whose data is here */
  uint8_t bytes[CHANS * STRIDE];
};

HD_TWIN_STIM

/* ---- memory ---- */

static uint8_t *at(struct stim *s, uint64_t addr) {
  const uint64_t k = addr - s->base;
  return s->bytes + (k < sizeof s->bytes - 16 ? k : 0);
}

static void follow_memory(struct stim *s, const struct hd_apu_in *in, const struct hd_apu_out *out) {
  if (in->bvalid) {
    memmove(s->write, s->write + 1, --s->writes * sizeof *s->write);
    s->filled--;
  }
  if (in->rvalid && !--s->read[0].beats)
    memmove(s->read, s->read + 1, --s->reads * sizeof *s->read);
  else if (in->rvalid)
    s->read[0].addr += 16;
  if (out->awvalid && in->awready)
    s->write[s->writes++] = (struct burst){out->awaddr, out->awid, (uint8_t)(out->awlen + 1), 0};
  if (out->arvalid && in->arready)
    s->read[s->reads++] = (struct burst){out->araddr, out->arid, (uint8_t)(out->arlen + 1), 0};
  if (!out->wvalid || !in->wready) return;
  struct burst *w = &s->write[s->filled];
  for (unsigned k = 0; k < 16; k++)
    if (out->wstrb >> k & 1) at(s, w->addr)[k] = (uint8_t)((k < 8 ? out->wdata_lo : out->wdata_hi) >> 8 * (k % 8));
  w->addr += 16;
  s->filled = (uint8_t)(s->filled + out->wlast);
}

static uint64_t word(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v |= (uint64_t)p[k] << 8 * k;
  return v;
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_apu_in *in) {
  in->awready = s->writes < BURSTS - 2 && hd_rng_p(rng, p->sink);
  in->wready = s->writes > s->filled && hd_rng_p(rng, p->sink);
  in->arready = s->reads < BURSTS - 2 && hd_rng_p(rng, p->sink);
  in->bvalid = s->filled && hd_rng_p(rng, p->sink / 4);
  in->bid = in->bvalid ? s->write[0].id : 0;
  in->bresp = in->bvalid && s->errors && !hd_rng_below(rng, 200) ? 2 : 0;
  in->rvalid = s->reads && hd_rng_p(rng, p->sink / 4);
  in->rid = in->rvalid ? s->read[0].id : 0;
  in->rlast = in->rvalid && s->read[0].beats == 1;
  in->rdata_lo = in->rvalid ? word(at(s, s->read[0].addr)) : 0;
  in->rdata_hi = in->rvalid ? word(at(s, s->read[0].addr) + 8) : 0;
  in->rresp = in->rvalid && s->errors && !hd_rng_below(rng, 50) ? 2 : 0;
}

/* ---- wavefronts ---- */

static void follow_go(struct stim *s, struct hd_rng *rng, const struct hd_chango *g) {
  struct wave *w = &s->wave[g->cu * s->cfg.waves_per_cu + g->slot];
  if (g->restart) {
    struct wave *was = &s->waits[g->ctx % (SLOTS * 4)];
    *w = *was;
    was->step = NONE;
    w->base = g->base;
    w->step = g->code == HD_CHCODE_OK ? PUBLISH : FREE;
    return;
  }
  *w = (struct wave){.step = RESERVE, .own = g->own, .start = g->start, .count = g->count};
  w->to = (uint8_t)(g->own + 1 + hd_rng_below(rng, 3));
  if (w->to >= s->chans || s->level[w->to] == s->level[g->own] || hd_rng_p(rng, 40)) w->step = FREE;
  if (w->step == RESERVE) {
    const unsigned c = 1u << s->cap[w->to], most = 2u * g->count;
    w->n = (uint16_t)(1 + hd_rng_below(rng, most < c ? most : c));
  }
}

static void follow_answer(struct stim *s, unsigned cu, const struct hd_chananswer *a) {
  s->busy[cu] = 0;
  if (a->slot >= s->cfg.waves_per_cu) {
    s->host = a->kind == HD_CHOP_TALLOC && a->code == HD_CHCODE_OK ? PUBLISH : NONE;
    s->host_base = a->base;
    return;
  }
  struct wave *w = &s->wave[cu * s->cfg.waves_per_cu + a->slot];
  const bool ok = a->code == HD_CHCODE_OK;
  if (a->kind == HD_CHOP_TALLOC) {
    w->base = a->base;
    w->step = ok ? PUBLISH : a->code == HD_CHCODE_NO_ROOM ? YIELD : FREE;
  } else if (a->kind == HD_CHOP_YIELD) {
    if (ok) {
      s->waits[w->asked] = *w;
      w->step = NONE;
    } else {
      w->step = FREE;
    }
  } else if (a->kind == HD_CHOP_ENQ) {
    w->step = FREE;
  } else if (!--w->count) {
    w->step = END;
  } else {
    w->start++;
  }
}

static bool make_op(struct stim *s, struct hd_rng *rng, unsigned cu, struct hd_chanop *op) {
  const unsigned slot = s->turn[cu] = (uint8_t)((s->turn[cu] + 1u) % s->cfg.waves_per_cu);
  struct wave *w = &s->wave[cu * s->cfg.waves_per_cu + slot];
  *op = (struct hd_chanop){.slot = (uint8_t)slot, .chan = w->to, .n = w->n, .off = 0};
  if (cu == 0 && s->next == s->chans && (s->host == PUBLISH || hd_rng_p(rng, 20))) {
    op->slot = s->host_slot;
    op->chan = 0;
    if (s->host == NONE) s->host_n = (uint16_t)(1 + hd_rng_below(rng, s->cfg.wave_lanes));
    if (s->host_n > 1u << s->cap[0]) s->host_n = 1;
    op->kind = s->host == PUBLISH ? HD_CHOP_ENQ : HD_CHOP_TALLOC;
    op->off = s->host == PUBLISH ? s->host_base : 0;
    op->n = s->host_n;
    return true;
  }
  if (w->step == RESERVE) return op->kind = HD_CHOP_TALLOC, true;
  if (w->step == PUBLISH) return op->kind = HD_CHOP_ENQ, op->off = w->base, true;
  if (w->step == YIELD) {
    unsigned k = 0;
    while (k < 255 && s->waits[k].step) k++;
    if (k == 255) return false;
    w->asked = (uint8_t)k;
    s->waits[k].step = YIELD;
    return op->kind = HD_CHOP_YIELD, op->ctx = k, true;
  }
  if (w->step != FREE) return false;
  const uint32_t place = w->start & ((2u << s->cap[w->own]) - 1);
  const uint8_t *e = s->bytes + w->own * STRIDE + 2 * place;
  *op = (struct hd_chanop){.kind = HD_CHOP_TFREE, .slot = (uint8_t)slot, .chan = w->own, .n = 1};
  op->off = (uint16_t)(e[0] | e[1] << 8);
  return true;
}

static void drive_cus(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_apu_out *out,
                      struct hd_apu_in *in) {
  for (unsigned u = 0; u < s->cfg.num_cu; u++) {
    if (in->end_valid[u] && out->end_ready[u]) {
      s->wave[u * s->cfg.waves_per_cu + in->end_slot[u]].step = NONE;
      in->end_valid[u] = in->end_slot[u] = 0;
    }
    for (unsigned k = 0; k < s->cfg.waves_per_cu && !in->end_valid[u]; k++) {
      if (s->wave[u * s->cfg.waves_per_cu + k].step != END) continue;
      in->end_valid[u] = 1;
      in->end_slot[u] = (uint8_t)k;
    }
    if (in->op_valid[u] && !out->op_ready[u]) continue;
    in->op_valid[u] = !s->busy[u] && hd_rng_p(rng, p->source) && make_op(s, rng, u, &in->op[u]);
    if (!in->op_valid[u]) memset(&in->op[u], 0, sizeof in->op[u]);
    s->busy[u] |= in->op_valid[u];
  }
}

static void set_up(struct stim *s, struct hd_rng *rng, struct hd_apu_in *in) {
  const unsigned least = (unsigned)__builtin_ctz(s->cfg.done_grain);
  in->set_valid = s->next < s->chans;
  memset(&in->set, 0, sizeof in->set);
  if (!in->set_valid) return;
  const unsigned c = s->next++, most = s->cfg.chan_cap < CAP ? s->cfg.chan_cap : CAP;
  if (c) s->level[c] = (uint8_t)(s->level[c - 1] + hd_rng_p(rng, 180));
  s->cap[c] = (uint8_t)(least + hd_rng_below(rng, most - least + 1));
  in->set = (struct hd_chanset){.chan = (uint8_t)c, .cap = s->cap[c], .level = s->level[c]};
  in->set.levelized = hd_rng_p(rng, 80);
  in->set.threshold = (uint8_t)(1 + hd_rng_below(rng, s->cfg.wave_lanes));
  in->set.control = (s->base + c * STRIDE) / 128;
  in->set.done = (s->base + c * STRIDE + STRIDE / 2) / 128;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_apu_in *in = in_;
  const struct hd_apu_out *out = out_;
  (void)now;
  if (!s->began) {
    s->began = 1;
    s->errors = p->bad > 40 || hd_rng_p(rng, 80);
    s->chans = (uint8_t)(1 + hd_rng_below(rng, s->cfg.num_chan));
    s->base = hd_rng_bits(rng, s->cfg.addr_w - 1) & ~(uint64_t)4095;
    s->host_slot = (uint8_t)((1u << s->cfg.wave_w) - 1);
  }
  follow_memory(s, in, out);
  if (out->go_valid) follow_go(s, rng, &out->go);
  for (unsigned u = 0; u < s->cfg.num_cu; u++)
    if (out->answer_valid[u]) follow_answer(s, u, &out->answer);
  drive_memory(s, rng, p, in);
  drive_cus(s, rng, p, out, in);
  set_up(s, rng, in);
}

static const char *const covers[] = {"event", "begins", "goes_on", "ok", "no_room", "write_error", NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_apu_in *in = in_;
  const struct hd_apu_out *out = out_;
  const struct stim *s = s_;
  const bool any = memchr(out->answer_valid, 1, s->cfg.num_cu) != NULL;
  hits[0] += out->go_valid;
  hits[1] += out->go_valid && !out->go.restart;
  hits[2] += out->go_valid && out->go.restart;
  hits[3] += any && out->answer.code == HD_CHCODE_OK;
  hits[4] += any && out->answer.code == HD_CHCODE_NO_ROOM;
  hits[5] += in->bvalid && in->bresp;
}

/* Oracle: nobody hears of a slot in which nothing runs. */
struct oracle {
  struct hd_cfg cfg;
};

HD_TWIN_ORACLE

static const char *watch(void *o, uint64_t cycle, const void *in, const void *out_) {
  const struct hd_apu_out *out = out_;
  (void)o, (void)cycle, (void)in;
  return out->bad ? "an end or a yield of what does not run" : NULL;
}

const struct hd_twin hd_twin_apu = {
    HD_TWIN_MODEL_FIELDS(apu), HD_TWIN_ROWS_FIELDS(apu),         .inner_size = sizeof(struct hd_apu_inner),
    .inner = apu_inner,        HD_TWIN_STIM_FIELDS(struct stim), HD_TWIN_ORACLE_FIELDS};
