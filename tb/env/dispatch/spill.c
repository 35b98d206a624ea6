/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* spill: golden model, random environment and cover points; the oracle is spill_oracle. The environment puts groups of
 * all queues, of one bank or of one queue; in phases it fills the region, drains it, and leaves banks without room.
 * Each bank has a few places, which other entries occupy and leave, except the last one while spill holds a group of
 * the bank. The environment is also the memory, and changes unused bits of records before they are read back. */
#include "dispatch/spill.h"

#include "env/common/memory.h"
#include "env/common/model.h"
#include "oracle/spill_oracle.h"

HD_BLOCK_DRIVER_MODEL(spill)

static void spill_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_spill_arch *a = arch;
  if (group) {
    hd_memq_arch(hd_spill_memq(m), &a->memq, tables);
    return;
  }
  hd_spill_arch_own(m, a, tables);
}

static const struct hd_wrote *spill_wrote(const void *m, unsigned group) {
  return group ? hd_spill_memq(m)->wrote : ((const struct hd_spill *)m)->wrote;
}

static void spill_row(const void *m, unsigned group, unsigned row, void *arch) {
  struct hd_spill_arch *a = arch;
  if (group)
    hd_memq_arch_row(hd_spill_memq(m), row, &a->memq);
  else
    hd_spill_arch_row(m, row, a);
}

static void spill_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_spill_show_inner(m, in, inner);
}

enum { REGION = HD_MAX_SPILLQ_PLACES * HD_SPILL_BYTES, MOST_ROOM = 6 };

/* Which queues are put to, by phase. */
enum { ALL, ONE_BANK, ONE_QUEUE, MODES };

/* A group, for cover points: its number, from 1 on; 0: none. */
struct note {
  uint32_t number;
  uint8_t bank, level;
};

struct stim {
  struct hd_cfg cfg;
  uint32_t base, count;
  uint8_t started;
  uint8_t idle;                  /* cycles without a group in spill, up to 2 */
  unsigned left;                 /* remaining cycles of this phase */
  unsigned put, back;            /* phase: factors (of 256) on the profile's probabilities */
  unsigned enter, leave, closed; /* phase: probabilities (of 256) that a place of a bank is occupied, is freed, is not
                                  * reported */
  uint8_t mode, bank, level;     /* phase: which queues */
  uint8_t room[HD_MAX_NUM_BANK]; /* free places of the banks */
  struct hd_memory_bursts port;
  /* For cover points: groups waiting to be written, oldest first; groups by place in memory; the number of groups
   * requested, of groups read completely, of groups that left, of all groups put. */
  struct note wait[HD_MAX_SPILL_DEPTH], at[HD_MAX_SPILLQ_PLACES];
  unsigned waiting, out, back_n, gone;
  uint32_t number;
  uint8_t beat, wanted, was_here, was_put;
  uint8_t bytes[REGION];
};

HD_BLOCK_DRIVER_STIM

/* Sets base and size of the region after reset, and sometimes again while spill is empty; often small. The region does
 * not wrap around the end of the address space, but address bits of `base` beyond the width are ignored. */
static bool set_region(struct stim *s, struct hd_rng *rng) {
  const uint32_t all = s->cfg.spillq_places;
  const uint32_t counts[] = {0, 1, 2, 3, 5, 12, 40, all - 1, all, all, all + 7, hd_huge_count(rng)};
  if (s->started && !(s->idle == 2 && !hd_rng_below(rng, 30))) return false;
  s->started = 1;
  s->count = counts[hd_rng_below(rng, sizeof counts / sizeof *counts)];
  s->base = (uint32_t)hd_rng_bits(rng, 32);
  if ((((uint64_t)s->base * 256) & hd_memory_mask(&s->cfg)) + REGION - 1 > hd_memory_mask(&s->cfg))
    s->base -= REGION / 256;
  return true;
}

static void choose_phase(struct stim *s, struct hd_rng *rng) {
  /* random, fill, drain, pass through, slow banks, banks that fill and drain */
  static const struct {
    uint16_t put, back, enter, leave;
  } weights[] = {{0, 0, 0, 0},       {256, 60, 60, 4},   {10, 256, 2, 80},
                 {256, 256, 2, 200}, {200, 12, 20, 100}, {220, 200, 100, 100}};
  if (s->left--) return;
  const unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights);
  s->put = k ? weights[k].put : hd_rng_below(rng, 257);
  s->back = k ? weights[k].back : hd_rng_below(rng, 257);
  s->enter = k ? weights[k].enter : hd_rng_below(rng, 100);
  s->leave = k ? weights[k].leave : hd_rng_below(rng, 100);
  s->closed = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 257);
  s->mode = (uint8_t)(hd_rng_p(rng, 100) ? ALL : hd_rng_below(rng, MODES));
  s->bank = (uint8_t)hd_rng_below(rng, s->cfg.num_bank);
  s->level = (uint8_t)(1 + hd_rng_below(rng, s->cfg.max_level));
  s->left = 20 + hd_rng_below(rng, 600);
}

static uint64_t place_of(const struct stim *s, const struct hd_memreq *req) {
  const uint64_t mask = hd_memory_mask(&s->cfg);
  return ((req->addr - (uint64_t)s->base * 256) & mask) / HD_SPILL_BYTES;
}

/* A burst was requested and accepted. */
static void note_burst(struct stim *s, const struct hd_memreq *req) {
  const uint64_t place = place_of(s, req);
  if (place >= HD_MAX_SPILLQ_PLACES) return;
  s->at[place] = req->write ? s->wait[0] : (struct note){0};
  s->out += !req->write;
}

/* Processes the previous cycle. */
static void account(struct stim *s, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const bool taken = out->back.valid && in->laperm_back_ready;
  s->was_here = memchr(out->held, 1, s->cfg.spillq_queues) != NULL;
  s->was_put = in->laperm_put.valid;
  if (out->mem.valid && in->mem.ready) note_burst(s, &out->mem.req);
  if (in->mem.take) {
    s->beat ^= 1;
    if (!s->beat) memmove(s->wait, s->wait + 1, --s->waiting * sizeof *s->wait);
  }
  if (in->laperm_put.valid && s->waiting < s->cfg.spill_depth)
    s->wait[s->waiting++] = (struct note){++s->number, in->laperm_put.bank, in->laperm_put.info.level};
  s->out -= (unsigned)taken + out->lost.valid;
  s->back_n += in->mem.r_valid && in->mem.r.last;
  s->back_n -= (unsigned)taken + out->lost.valid;
  s->gone += taken;
  if (taken && s->room[out->back.bank]) s->room[out->back.bank]--;
}

static struct hd_info random_group(const struct stim *s, struct hd_rng *rng) {
  struct hd_info g;
  memset(&g, 0, sizeof g);
  g.grid_x = (uint16_t)hd_rng_bits(rng, s->cfg.group_xw);
  g.grid_y = (uint16_t)hd_rng_bits(rng, s->cfg.group_yw);
  g.grid_z = (uint8_t)hd_rng_bits(rng, s->cfg.group_zw);
  g.ctas = (uint32_t)hd_rng_bits(rng, s->cfg.ctas_w);
  g.param = hd_rng_bits(rng, s->cfg.param_units_w);
  g.level = s->mode == ONE_QUEUE ? s->level : (uint8_t)(1 + hd_rng_below(rng, s->cfg.max_level));
  return g;
}

/* put_bank, put_kdei and put_info are driven even without put_valid. */
static void drive_put(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_spill_out *now,
                      bool region_new, struct hd_spill_in *in) {
  s->wanted = !region_new && hd_rng_p(rng, p->source * s->put / 256);
  in->laperm_put.valid = s->wanted && now->put_ready;
  in->laperm_put.bank = s->mode == ALL ? (uint8_t)hd_rng_below(rng, s->cfg.num_bank) : s->bank;
  in->laperm_put.kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  in->laperm_put.info = random_group(s, rng);
}

static bool here(const struct stim *s, const struct hd_spill_out *now, unsigned bank) {
  return memchr(now->held + bank * s->cfg.max_level, 1, s->cfg.max_level) != NULL;
}

/* A place is reserved for a returning group while spill holds a group of the bank. */
static void drive_banks(struct stim *s, struct hd_rng *rng, const struct hd_spill_out *now, struct hd_spill_in *in) {
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    if (s->room[b] > here(s, now, b) && hd_rng_p(rng, s->enter)) s->room[b]--;
    if (s->room[b] < MOST_ROOM && hd_rng_p(rng, s->leave)) s->room[b]++;
    in->laperm_place[b] = s->room[b] && !(s->closed && hd_rng_p(rng, s->closed));
  }
}

/* A record is about to be read: sometimes the bits beyond its fields become random. */
static void damage(const struct hd_cfg *cfg, struct hd_rng *rng, uint8_t *at) {
  if (!hd_rng_p(rng, 60)) return;
  const uint64_t beyond[] = {
      (uint64_t)(UINT32_MAX & ~(UINT32_MAX >> (32 - cfg->ctas_w))) |
          (uint64_t)(UINT16_MAX & ~(UINT16_MAX >> (16 - cfg->group_xw))) << 32 |
          (uint64_t)(UINT16_MAX & ~(UINT16_MAX >> (16 - cfg->group_yw))) << 48,
      ~(UINT64_MAX >> (64 - cfg->group_zw)),
      ~(UINT64_MAX >> (64 - cfg->param_units_w)),
      UINT64_MAX,
  };
  for (unsigned k = 0; k < 4; k++) {
    uint64_t word = hd_memory_get(at + 8 * k, 8);
    hd_memory_put(at + 8 * k, 8, word ^ (hd_rng_next(rng) & beyond[k]));
  }
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_spill_out *out,
                         struct hd_spill_in *in) {
  const uint64_t base = ((uint64_t)s->base * 256) & hd_memory_mask(&s->cfg);
  const bool taken = out->mem.valid && s->port.pins.ready;
  if (taken && !out->mem.req.write && place_of(s, &out->mem.req) < HD_MAX_SPILLQ_PLACES)
    damage(&s->cfg, rng, s->bytes + place_of(s, &out->mem.req) * HD_SPILL_BYTES);
  hd_memory_drive_bursts(&s->port, rng, p, &out->mem, s->bytes, base, sizeof s->bytes);
  in->mem = s->port.pins;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_spill_in *in = in_;
  const struct hd_spill_out *out = out_, *now = now_;
  account(s, in, out);
  if (memchr(now->held, 1, s->cfg.spillq_queues))
    s->idle = 0;
  else if (s->idle < 2)
    s->idle++;
  drive_memory(s, rng, p, out, in);
  choose_phase(s, rng);
  const bool region_new = set_region(s, rng);
  in->regs_config.spill_base = s->base;
  in->regs_config.spill_count = s->count;
  drive_put(s, rng, p, now, region_new, in);
  drive_banks(s, rng, now, in);
  in->laperm_back_ready = hd_rng_p(rng, p->sink * s->back / 256);
}

/* ---- cover points ---- */

static const char *const covers[] = {"event",           "full",         "no_region",      "last_place",
                                     "emptied",         "several_out",  "all_out",        "overtakes",
                                     "write_error",     "read_error",   "lost",           "back_waits",
                                     "several_back",    "put_and_back", "puts_wrap",      "backs_wrap",
                                     "request_stalled", "beat_stalled", "several_writes", NULL};

/* Returns true if a group is read while an older one of a lower level of its bank is in memory. */
static bool overtakes(const struct stim *s, const struct hd_memreq *req) {
  const uint64_t place = place_of(s, req);
  if (place >= s->cfg.spillq_places) return false;
  const struct note *n = &s->at[place];
  for (unsigned k = 0; k < s->cfg.spillq_places; k++) {
    const struct note *other = &s->at[k];
    if (other->number && other->number < n->number && other->bank == n->bank && other->level < n->level) return true;
  }
  return false;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_spill_in *in = in_;
  const struct hd_spill_out *out = out_;
  const struct hd_cfg *c = &s->cfg;
  const bool taken = out->back.valid && in->laperm_back_ready, asked = out->mem.valid && in->mem.ready;
  const unsigned back = s->back_n - out->lost.valid;
  hits[0] += (unsigned)in->laperm_put.valid + taken + out->lost.valid;
  hits[1] += s->wanted && in->regs_config.spill_count && !out->put_ready;
  hits[2] += s->wanted && !in->regs_config.spill_count;
  hits[3] += s->was_put && !out->put_ready;
  hits[4] += s->was_here && !memchr(out->held, 1, c->spillq_queues);
  hits[5] += s->out > 1;
  hits[6] += s->out == (c->num_bank < c->spill_flight ? c->num_bank : c->spill_flight);
  hits[7] += asked && !out->mem.req.write && overtakes(s, &out->mem.req);
  hits[8] += in->mem.b_valid && in->mem.b_error;
  hits[9] += in->mem.r_valid && in->mem.r.error;
  hits[10] += out->lost.valid;
  hits[11] += out->back.valid && !in->laperm_back_ready;
  hits[12] += back > 1;
  hits[13] += taken && in->laperm_put.valid && in->laperm_put.bank == out->back.bank &&
              in->laperm_put.info.level == out->back.info.level;
  hits[14] += in->laperm_put.valid && s->waiting && s->number && s->number % c->spill_depth == 0;
  hits[15] += back > 1 && s->gone % c->spill_flight == c->spill_flight - 1;
  hits[16] += out->mem.valid && !in->mem.ready;
  hits[17] += s->beat && !in->mem.take;
  hits[18] += s->port.writes > 1;
}

const struct hd_block_driver hd_block_driver_spill = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(spill),         HD_BLOCK_DRIVER_ROWS_FIELDS(spill),
    .inner_size = sizeof(struct hd_spill_inner), .inner = spill_inner,
    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),    HD_BLOCK_ORACLE_FIELDS(spill)};
