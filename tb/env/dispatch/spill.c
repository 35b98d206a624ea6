/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* spill: golden model, random environment and cover points; the oracle is spill_oracle. The environment
 * looks at the room of a queue and puts a group in the next cycle: of all queues, of one bank or of one queue; in
 * phases it fills rings, drains them, and leaves banks without room. Each bank has a few places, which other entries
 * occupy and leave, except those that spill has reserved. The environment is also the memory, and changes unused
 * bits of records before they are read back. */
#include "dispatch/spill.h"

#include "env/common/memory.h"
#include "env/common/model.h"
#include "env/common/rings.h"
#include "oracle/spill_oracle.h"

HD_BLOCK_DRIVER_MODEL(spill)

static void spill_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_spill_arch *a = arch;
  if (group) {
    hd_memring_arch(hd_spill_memring(m), &a->memring, tables);
    return;
  }
  hd_spill_arch_own(m, a, tables);
}

static const struct hd_wrote *spill_wrote(const void *m, unsigned group) {
  return group ? hd_spill_memring(m)->wrote : ((const struct hd_spill *)m)->wrote;
}

static void spill_row(const void *m, unsigned group, unsigned row, void *arch) {
  struct hd_spill_arch *a = arch;
  if (group)
    hd_memring_arch_row(hd_spill_memring(m), row, &a->memring);
  else
    hd_spill_arch_row(m, row, a);
}

static void spill_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_spill_show_inner(m, in, inner);
}

/* Which queues are put to, by phase. */
enum { ALL, ONE_BANK, ONE_QUEUE, MODES };

/* A group, for cover points: its number, from 1 on; 0: none. */
struct note {
  uint32_t number;
  uint8_t bank, level;
};

struct stim {
  struct hd_cfg cfg;
  uint8_t started;
  uint8_t idle;                    /* cycles without a group in spill, up to 2 */
  uint8_t settling;                /* cycles since the region was set, up to 2 */
  unsigned left;                   /* remaining cycles of this phase */
  unsigned put, back;              /* phase: factors (of 256) on the profile's probabilities */
  unsigned enter, leave, closed;   /* phase: probabilities (of 256) that a place of a bank is occupied, is freed, is not
                                  * reported */
  uint16_t bad;                    /* phase: as in hd_profile, for the memory; 0 in some phases */
  uint8_t lose;                    /* phase: the memory answers once all writes are in flight: errors */
  uint8_t mode;                    /* phase: which queues, and .. */
  uint16_t queue;                  /* .. one of them */
  uint8_t room[HD_MAX_NUM_BANK];   /* free places of the banks that are not reserved */
  uint8_t kept[HD_MAX_NUM_BANK];   /* reserved ones */
  uint32_t entries[HD_RINGS_USED]; /* upper bound of the groups of a queue that are here */
  struct hd_memory_bursts port;
  struct hd_rings rings;
  /* For cover points: groups waiting to be written, oldest first; groups by place in memory; numbers of groups put, and
   * back in their banks; banks of the reads in flight, oldest first. */
  struct note wait[HD_MAX_SPILL_DEPTH], at[HD_RINGS_PLACES];
  unsigned waiting, back_n;
  uint32_t number;
  uint8_t read_of[HD_MEMORY_FLIGHT];
  unsigned reading;
  uint16_t wants;                                            /* queue of the group that is put or wanted */
  uint8_t beat, wanted, had_room;                            /* .. had room in the previous cycle */
  uint8_t was_here, was_shut, was_asked, was_back, was_lost; /* of the previous cycle */
  uint8_t lost_kdei;
};

HD_BLOCK_DRIVER_STIM

/* Sets the region after reset, and sometimes again while spill is empty. */
static void set_region(struct stim *s, struct hd_rng *rng) {
  const bool none = hd_rings_order(&s->cfg, s->rings.count) < 0;
  s->settling += s->settling < 2;
  if (s->started && !(s->idle == 2 && s->settling == 2 && !hd_rng_below(rng, none ? 30 : 200))) return;
  s->started = 1;
  s->settling = 0;
  hd_rings_choose(&s->rings, rng, &s->cfg);
  s->queue = s->rings.use[0];
}

static void choose_phase(struct stim *s, struct hd_rng *rng, const struct hd_profile *p) {
  /* random, fill, drain, pass through, slow banks, banks that fill and drain, a few pass through, lose */
  static const struct {
    uint16_t put, back, enter, leave;
  } weights[] = {{0, 0, 0, 0},       {256, 60, 60, 4},     {10, 256, 2, 80},  {256, 256, 2, 200},
                 {200, 12, 20, 100}, {220, 200, 100, 100}, {40, 256, 2, 200}, {256, 256, 2, 200}};
  if (s->lose && s->port.writes >= s->cfg.ring_flight) s->port.holds_answers = 0;
  if (s->left--) return;
  const unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights);
  s->put = k ? weights[k].put : hd_rng_below(rng, 257);
  s->back = k ? weights[k].back : hd_rng_below(rng, 257);
  s->enter = k ? weights[k].enter : hd_rng_below(rng, 100);
  s->leave = k ? weights[k].leave : hd_rng_below(rng, 100);
  s->closed = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 257);
  s->mode = (uint8_t)(hd_rng_p(rng, 100) ? ALL : hd_rng_below(rng, MODES));
  if (k == 1 && hd_rng_p(rng, 100)) s->mode = ONE_QUEUE;
  s->queue = s->rings.use[hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, s->rings.uses)];
  s->bad = (uint16_t)(hd_rng_p(rng, 100) ? 0 : hd_rng_p(rng, 128) ? 8 * p->bad : p->bad);
  s->left = k == 1 ? 16u << s->cfg.ring_order_min : 20 + hd_rng_below(rng, 600);
  s->lose = s->port.holds_answers = k == 7 && p->bad;
  if (!s->lose) return;
  s->bad = 12 * 256;
  s->closed = 256;
  s->left = 20 * s->cfg.ring_bad;
}

/* Returns the place of a burst, in entries stored, or their number. */
static uint64_t place_of(const struct stim *s, const struct hd_memreq *req) {
  return hd_rings_at(&s->rings, &s->cfg, req->addr) / HD_RING_BYTES;
}

/* A burst was requested and accepted. */
static void note_burst(struct stim *s, const struct hd_memreq *req) {
  const uint64_t place = place_of(s, req);
  const unsigned n = (req->len + 1u) / HD_RING_BEATS;
  if (place + n > HD_RINGS_PLACES) return;
  if (req->write) {
    s->at[place] = s->wait[0];
    return;
  }
  if (s->reading < HD_MEMORY_FLIGHT) s->read_of[s->reading++] = s->at[place].bank;
  for (unsigned k = 0; k < n; k++) s->at[place + k] = (struct note){0};
}

static unsigned queue_of(const struct stim *s, const struct hd_bankgroup *g) {
  return g->bank * s->cfg.max_level + g->info.level - 1u;
}

/* Places of the banks: SpillLine are reserved, some are given up, a group uses one. */
static void account_places(struct stim *s, const struct hd_spill_out *out, bool back) {
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    const int more = (out->reserve[b] ? (int)s->cfg.spill_line : 0) - out->release[b];
    s->room[b] = (uint8_t)(s->room[b] - more);
    s->kept[b] = (uint8_t)(s->kept[b] + more - (back && out->back.bank == b));
  }
}

static void account_put(struct stim *s, const struct hd_bankgroup *put) {
  const unsigned k = hd_rings_find(&s->rings, queue_of(s, put));
  if (s->waiting < s->cfg.spill_depth) s->wait[s->waiting++] = (struct note){++s->number, put->bank, put->info.level};
  s->entries[k]++;
}

/* Processes the previous cycle. */
static void account(struct stim *s, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const bool back = out->back.valid && in->laperm_back_ready;
  s->was_here = memchr(out->held, 1, s->cfg.ring_queues) != NULL;
  s->was_shut = !memchr(out->room, 1, s->cfg.ring_queues);
  s->was_asked = out->mem.valid && !in->mem.ready;
  s->was_back = back;
  s->was_lost = out->lost.valid;
  s->lost_kdei = out->lost.kdei;
  account_places(s, out, back);
  if (out->mem.valid && in->mem.ready) note_burst(s, &out->mem.req);
  if (in->mem.take) {
    s->beat ^= 1;
    if (!s->beat && s->waiting) memmove(s->wait, s->wait + 1, --s->waiting * sizeof *s->wait);
  }
  if (in->laperm_put.valid) account_put(s, &in->laperm_put);
  if (in->mem.r_valid && in->mem.r.last && s->reading) memmove(s->read_of, s->read_of + 1, --s->reading);
  s->back_n += back;
  const unsigned k = back ? hd_rings_find(&s->rings, queue_of(s, &out->back)) : s->rings.uses;
  if (k < s->rings.uses && s->entries[k]) s->entries[k]--;
}

/* Counts the cycles in which spill holds no group. */
static void count_idle(struct stim *s, const struct hd_spill_in *in, const struct hd_spill_out *now) {
  s->idle += s->idle < 2;
  if (memchr(now->held, 1, s->cfg.ring_queues) || in->laperm_put.valid) s->idle = 0;
  if (s->idle) memset(s->entries, 0, sizeof s->entries);
}

/* Returns the queue to put to. */
static unsigned choose_queue(const struct stim *s, struct hd_rng *rng) {
  const unsigned level = hd_rng_below(rng, s->cfg.max_level), q = s->queue - s->queue % s->cfg.max_level + level;
  if (s->mode == ALL) return s->rings.use[hd_rng_below(rng, s->rings.uses)];
  return s->mode == ONE_BANK && hd_rings_find(&s->rings, q) < s->rings.uses ? q : s->queue;
}

static struct hd_info random_group(const struct stim *s, struct hd_rng *rng, unsigned queue) {
  struct hd_info g;
  memset(&g, 0, sizeof g);
  g.grid_x = (uint16_t)hd_rng_bits(rng, s->cfg.group_xw);
  g.grid_y = (uint16_t)hd_rng_bits(rng, s->cfg.group_yw);
  g.grid_z = (uint8_t)hd_rng_bits(rng, s->cfg.group_zw);
  g.ctas = (uint32_t)hd_rng_bits(rng, s->cfg.ctas_w);
  g.param = hd_rng_bits(rng, s->cfg.param_units_w);
  g.level = (uint8_t)(1 + queue % s->cfg.max_level);
  return g;
}

/* A group was looked at in the previous cycle, and is put in this one. put_bank, put_kdei and put_info are driven even
 * without put_valid. */
static void drive_put(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_spill_out *out,
                      const struct hd_spill_out *now, struct hd_spill_in *in) {
  const unsigned queue = choose_queue(s, rng), k = hd_rings_find(&s->rings, queue);
  s->wanted = s->settling == 2 && hd_rng_p(rng, p->source * s->put / 256);
  s->wants = (uint16_t)queue;
  s->had_room = out->room[queue];
  const bool room = s->had_room && now->rows && hd_rings_stores(&s->rings, &s->cfg, s->entries[k] + 1);
  in->laperm_put.valid = s->wanted && room;
  in->laperm_put.bank = (uint8_t)(queue / s->cfg.max_level);
  in->laperm_put.kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  in->laperm_put.info = random_group(s, rng, queue);
}

/* Other entries enter banks and leave them. Reserved places stay free. */
static void drive_banks(struct stim *s, struct hd_rng *rng, struct hd_spill_in *in) {
  const unsigned most = 4 * s->cfg.spill_line;
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    if (s->room[b] && hd_rng_p(rng, s->enter)) s->room[b]--;
    if (s->room[b] < most && hd_rng_p(rng, s->leave)) s->room[b]++;
    in->laperm_place[b] = s->room[b] >= s->cfg.spill_line && !(s->closed && hd_rng_p(rng, s->closed));
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
      ~(UINT64_MAX >> (64 - cfg->kde_w)),
  };
  for (unsigned k = 0; k < 4; k++) {
    uint64_t word = hd_memory_get(at + 8 * k, 8);
    hd_memory_put(at + 8 * k, 8, word ^ (hd_rng_next(rng) & beyond[k]));
  }
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_spill_out *out,
                         struct hd_spill_in *in) {
  const struct hd_profile own = {p->name, p->source, p->sink, s->bad};
  const bool taken = out->mem.valid && s->port.pins.ready;
  struct hd_memup asked = out->mem;
  if (asked.valid) asked.req.addr = hd_rings_at(&s->rings, &s->cfg, out->mem.req.addr);
  const unsigned n = (out->mem.req.len + 1u) / HD_RING_BEATS;
  for (unsigned k = 0; taken && !asked.req.write && k < n; k++)
    if (asked.req.addr + (k + 1) * HD_RING_BYTES <= sizeof s->rings.bytes)
      damage(&s->cfg, rng, s->rings.bytes + asked.req.addr + k * HD_RING_BYTES);
  hd_memory_drive_bursts(&s->port, rng, &own, &asked, s->rings.bytes, 0, sizeof s->rings.bytes);
  in->mem = s->port.pins;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_spill_in *in = in_;
  const struct hd_spill_out *out = out_, *now = now_;
  account(s, in, out);
  count_idle(s, in, now);
  drive_memory(s, rng, p, out, in);
  set_region(s, rng);
  choose_phase(s, rng, p);
  in->regs_config.spill_base = s->rings.base;
  in->regs_config.spill_count = s->rings.count;
  drive_put(s, rng, p, out, now, in);
  drive_banks(s, rng, in);
  in->laperm_back_ready = hd_rng_p(rng, p->sink * s->back / 256);
}

/* ---- cover points ---- */

/* With lines of one group no place is given up; with groups of one line in flight there is one read; in a long ring
 * a put in the cycle in which its room falls is too rare. These count as hit. */
static const char *const covers[] = {"event",
                                     "full",
                                     "no_region",
                                     "region_too_small",
                                     "closed",
                                     "room_falls",
                                     "put_as_room_falls",
                                     "put_as_it_closes",
                                     "no_rows",
                                     "emptied",
                                     "lost",
                                     "several_lost",
                                     "lost_of_two_kernels",
                                     "opens_again",
                                     "whole_line",
                                     "places_given_up",
                                     "place_of_a_lost_one",
                                     "two_reads_of_a_bank",
                                     "reads_of_two_banks",
                                     "all_out",
                                     "no_place",
                                     "overtakes",
                                     "write_error",
                                     "read_error",
                                     "back_waits",
                                     "several_back",
                                     "put_and_back",
                                     "puts_wrap",
                                     "backs_wrap",
                                     "request_stalled",
                                     "beat_stalled",
                                     "several_writes",
                                     NULL};

static bool any(const uint8_t *v, unsigned n) {
  return memchr(v, 1, n) != NULL;
}

static void cover_room(const struct stim *s, const struct hd_spill_in *in, const struct hd_spill_out *out,
                       uint64_t *hits) {
  const bool rings = hd_rings_order(&s->cfg, s->rings.count) >= 0, wanted = s->wanted && s->settling == 2;
  const bool shut = !any(out->room, s->cfg.ring_queues);
  hits[0] += wanted && rings && !s->had_room && !s->was_shut;
  hits[1] += wanted && !s->rings.count;
  hits[2] += wanted && s->rings.count && !rings;
  hits[3] += wanted && rings && s->was_shut;
  hits[4] += rings && s->had_room && !out->room[s->wants] && !shut;
  hits[5] += s->cfg.ring_order_min > 5 || (in->laperm_put.valid && !out->room[s->wants] && !shut);
  hits[6] += in->laperm_put.valid && shut;
  hits[7] += wanted && !out->rows;
  hits[8] += s->was_here && !any(out->held, s->cfg.ring_queues);
  hits[9] += out->lost.valid;
  hits[10] += out->lost.valid && s->was_lost;
  hits[11] += out->lost.valid && s->was_lost && s->lost_kdei != out->lost.kdei;
  hits[12] += s->was_lost && !shut;
}

/* Returns true if a group is read while an older one of a lower level of its bank is in memory. */
static bool overtakes(const struct stim *s, const struct hd_memreq *req) {
  const uint64_t place = place_of(s, req);
  if (place >= HD_RINGS_PLACES) return false;
  const struct note *n = &s->at[place];
  for (unsigned k = 0; k < HD_RINGS_PLACES; k++) {
    const struct note *other = &s->at[k];
    if (other->number && other->number < n->number && other->bank == n->bank && other->level < n->level) return true;
  }
  return false;
}

static void cover_reads(const struct stim *s, const struct hd_spill_in *in, const struct hd_spill_out *out,
                        uint64_t *hits) {
  const unsigned line = s->cfg.spill_line, n = (out->mem.req.len + 1u) / HD_RING_BEATS;
  const bool read = out->mem.valid && !out->mem.req.write;
  const unsigned spare = read && !s->was_asked ? line - n : 0;
  unsigned release = 0, kept = 0, of_first = 0;
  for (unsigned b = 0; b < s->cfg.num_bank; b++) release += out->release[b], kept += s->kept[b];
  for (unsigned k = 0; k < s->reading; k++) of_first += s->read_of[k] == s->read_of[0];
  hits[0] += read && n == line;
  hits[1] += line == 1 || spare;
  hits[2] += release > spare;
  hits[3] += s->cfg.spill_flight == line || of_first > 1;
  hits[4] += s->cfg.spill_flight == line || s->reading > of_first;
  hits[5] += kept + line > s->cfg.spill_flight;
  hits[6] += any(out->held, s->cfg.ring_queues) && !any(in->laperm_place, s->cfg.num_bank);
  hits[7] += read && in->mem.ready && overtakes(s, &out->mem.req);
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_spill_in *in = in_;
  const struct hd_spill_out *out = out_;
  const struct hd_cfg *c = &s->cfg;
  const bool back = out->back.valid && in->laperm_back_ready, put = in->laperm_put.valid;
  hits[0] += (unsigned)put + back + out->lost.valid;
  cover_room(s, in, out, hits + 1);
  cover_reads(s, in, out, hits + 14);
  hits[22] += in->mem.b_valid && in->mem.b_error;
  hits[23] += in->mem.r_valid && in->mem.r.error;
  hits[24] += out->back.valid && !in->laperm_back_ready;
  hits[25] += s->was_back && out->back.valid;
  hits[26] += back && put && queue_of(s, &in->laperm_put) == queue_of(s, &out->back);
  hits[27] += put && s->waiting && s->number && s->number % c->spill_depth == 0;
  hits[28] += back && s->was_back && s->back_n % c->spill_flight == 0;
  hits[29] += out->mem.valid && !in->mem.ready;
  hits[30] += s->beat && !in->mem.take;
  hits[31] += s->port.writes > 1;
}

const struct hd_block_driver hd_block_driver_spill = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(spill),         HD_BLOCK_DRIVER_ROWS_FIELDS(spill),
    .inner_size = sizeof(struct hd_spill_inner), .inner = spill_inner,
    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),    HD_BLOCK_ORACLE_FIELDS(spill)};
