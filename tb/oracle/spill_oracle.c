/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/spill_oracle.h"

#include "env/common/memory.h"
#include "env/common/rings.h"
#include "gen/hd_spill_ports.h"
#include "oracle/ring_book.h"

/* REQUEST: cycles from the choice of a read, in which its places are reserved, to its request. PATIENCE: cycles within
 * which a possible request follows. */
enum { NO_BANK = -1, REQUEST = 3, PATIENCE = 8, BEATS = HD_RING_BEATS };

struct oracle_group {
  struct hd_info info;
  uint8_t bank, kdei;
};

struct oracle_burst {
  uint32_t entry; /* of a write */
  uint16_t queue;
  uint8_t n; /* groups of a read */
};

struct oracle {
  struct hd_cfg cfg;
  uint64_t now;
  struct hd_ring_book book;
  struct oracle_group group[HD_RING_ENTRIES];                             /* by entry of the book */
  struct oracle_group put[HD_MAX_SPILL_DEPTH], back[HD_MAX_SPILL_FLIGHT]; /* oldest first */
  uint32_t puts, backs;
  struct oracle_burst write[HD_MEMORY_FLIGHT], read[HD_MEMORY_FLIGHT]; /* open bursts, oldest first */
  uint32_t writes, reads;
  uint32_t out[HD_MAX_RING_QUEUES]; /* groups requested that are not in their bank, and places to be given up */
  uint32_t outs;                    /* all of them, those of a read from its choice on */
  uint32_t kept[HD_MAX_NUM_BANK];   /* reserved places */
  uint8_t held[HD_MAX_RING_QUEUES]; /* expected in this cycle */
  int chosen;                       /* bank of a read that is chosen and not requested yet */
  uint64_t since;                   /* cycle of the choice */
  uint32_t turn;                    /* next bank in the round robin */
  uint8_t asked;                    /* a request is not accepted yet: */
  struct hd_memreq stands;
  uint8_t data;                     /* the beats of put[0] are due */
  uint8_t written;                  /* its write is requested */
  uint32_t entry;                   /* .. as this entry */
  uint8_t beat;                     /* of put[0] */
  uint8_t got, half, error;         /* of the oldest read: groups that have arrived; half of one has; with an error */
  uint16_t spare, spare_of;         /* places given up in this cycle, of this queue */
  uint8_t gone;                     /* a group was lost in the previous cycle, .. */
  uint16_t gone_of;                 /* .. of this queue */
  uint8_t may_close, closed;        /* no room since a group was lost: possibly, certainly */
  uint32_t lost[HD_MAX_NUM_KDE];    /* lost groups that are not reported */
  int reports;                      /* kernel of the loss that is reported in this cycle */
  uint8_t room[HD_MAX_RING_QUEUES]; /* as reported in the previous cycle */
  uint32_t was_count;               /* size of the region in the previous cycle */
  uint32_t put_waits, get_waits;
};

size_t hd_spill_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

void hd_spill_oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct oracle *o = o_;
  memset(o, 0, sizeof *o);
  o->cfg = o->book.cfg = *cfg;
  o->chosen = NO_BANK;
  o->reports = -1;
}

static unsigned queue_of(const struct oracle *o, unsigned bank, unsigned level) {
  return bank * o->cfg.max_level + level - 1;
}

static unsigned bank_of(const struct oracle *o, unsigned queue) {
  return queue / o->cfg.max_level;
}

/* ---- the choice of a read ---- */

/* Returns true if the bank certainly has a group that could be read. */
static bool readable(const struct oracle *o, const struct hd_spill_in *in, unsigned bank) {
  if (!in->laperm_place[bank]) return false;
  for (unsigned level = 1; level <= o->cfg.max_level; level++)
    if (hd_ring_written(&o->book, queue_of(o, bank, level), o->now, false)) return true;
  return false;
}

/* Places are reserved: a read of that bank is chosen. Which queue it reads shows at its request. */
static const char *watch_choice(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out,
                                bool data) {
  const uint8_t *at = memchr(out->reserve, 1, o->cfg.num_bank);
  if (!at) return NULL;
  const unsigned bank = (unsigned)(at - out->reserve);
  if (memchr(at + 1, 1, o->cfg.num_bank - bank - 1)) return "places of two banks are reserved at once";
  if (o->chosen != NO_BANK || out->mem.valid || data) return "places are reserved while another request is made";
  if (!in->laperm_place[bank]) return "places are reserved in a bank that has none";
  if (o->outs + o->cfg.spill_line > o->cfg.spill_flight) return "too many groups are in flight";
  for (; o->turn != bank; o->turn = (o->turn + 1) % o->cfg.num_bank)
    if (readable(o, in, o->turn)) return "the banks are not served round robin";
  o->turn = (bank + 1) % o->cfg.num_bank;
  o->chosen = (int)bank;
  o->since = o->now;
  o->outs += o->cfg.spill_line;
  o->kept[bank] += o->cfg.spill_line;
  return NULL;
}

/* ---- requests ---- */

static uint64_t distance(const struct oracle *o, const struct hd_spill_in *in, const struct hd_memreq *req) {
  return (req->addr - (uint64_t)in->regs_config.spill_base * 256) & hd_memory_mask(&o->cfg);
}

static uint64_t place(const struct oracle *o, const struct hd_spill_in *in, unsigned queue, uint64_t index) {
  return hd_rings_place(&o->cfg, in->regs_config.spill_count, queue, index) * HD_RING_BYTES;
}

/* A read in the first cycle of its request. How many groups it reads was decided in the cycle before. */
static const char *begin_read(struct oracle *o, const struct hd_spill_in *in, const struct hd_memreq *req) {
  const int order = hd_rings_order(&o->cfg, in->regs_config.spill_count);
  const unsigned queue = (unsigned)(distance(o, in, req) / HD_RING_BYTES >> order), n = (req->len + 1u) / BEATS;
  if (o->chosen == NO_BANK || o->now != o->since + REQUEST)
    return "a read is not requested three cycles after its places were reserved";
  if (bank_of(o, queue) != (unsigned)o->chosen) return "a group is read of another bank than places are reserved in";
  if (distance(o, in, req) != place(o, in, queue, hd_ring_first(&o->book, queue)))
    return "a group is read that is not the oldest of its queue";
  if (!hd_ring_written(&o->book, queue, o->since, true)) return "a group is requested before it is written";
  for (unsigned k = queue + 1; k < (bank_of(o, queue) + 1) * o->cfg.max_level; k++)
    if (hd_ring_written(&o->book, k, o->since, false)) return "a group is requested before one of a higher level";
  const char *rule = hd_ring_check_get(&o->book, queue, n, o->now - 1);
  if (rule) return rule;
  hd_ring_get(&o->book, queue, n);
  o->read[o->reads++] = (struct oracle_burst){.queue = (uint16_t)queue, .n = (uint8_t)n};
  o->out[queue] += o->cfg.spill_line;
  o->spare = (uint16_t)(o->cfg.spill_line - n);
  o->spare_of = (uint16_t)queue;
  o->chosen = NO_BANK;
  return NULL;
}

static const char *begin_write(struct oracle *o, const struct hd_spill_in *in, const struct hd_memreq *req) {
  if (!o->puts || o->written) return "a burst writes though no group waits";
  const unsigned queue = queue_of(o, o->put[0].bank, o->put[0].info.level);
  const char *rule;
  if (o->chosen != NO_BANK) return "a write is requested before the read that was chosen";
  if (distance(o, in, req) != place(o, in, queue, o->book.queue[queue].put))
    return "a group is not written to its place in the ring";
  if (o->writes == o->cfg.spill_flight) return "too many writes are in flight";
  o->entry = hd_ring_put(&o->book, queue, in->regs_config.spill_count, &rule);
  if (rule) return rule;
  o->group[o->entry] = o->put[0];
  o->write[o->writes++] = (struct oracle_burst){.entry = o->entry};
  o->written = 1;
  return NULL;
}

static const char *begin(struct oracle *o, const struct hd_spill_in *in, const struct hd_memreq *req) {
  const uint64_t at = distance(o, in, req), bytes = hd_rings_bytes(&o->cfg, in->regs_config.spill_count);
  const unsigned n = (req->len + 1u) / BEATS;
  if (o->data) return "a request is sent before the data of a write is complete";
  if (at % HD_RING_BYTES || at + n * HD_RING_BYTES > bytes || req->addr > hd_memory_mask(&o->cfg))
    return "a burst outside the region";
  if ((req->len + 1u) % BEATS || !n || n > (req->write ? 1 : o->cfg.spill_line))
    return "a burst is not of whole records, or of too many";
  return req->write ? begin_write(o, in, req) : begin_read(o, in, req);
}

static const char *watch_request(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  o->spare = 0;
  if (!out->mem.valid) {
    if (o->asked) return "a request is withdrawn";
    const bool due = o->chosen != NO_BANK && o->now >= o->since + REQUEST;
    return due ? "a read is not requested three cycles after its places were reserved" : NULL;
  }
  const bool same =
      out->mem.req.addr == o->stands.addr && out->mem.req.write == o->stands.write && out->mem.req.len == o->stands.len;
  if (o->asked && !same) return "a request changes before it is accepted";
  const char *rule = o->asked ? NULL : begin(o, in, &out->mem.req);
  o->stands = out->mem.req;
  o->asked = !in->mem.ready;
  o->data = in->mem.ready && out->mem.req.write;
  return rule;
}

static const char *watch_data(struct oracle *o, const struct hd_spill_out *out) {
  const struct hd_info *g = &o->put[0].info;
  const uint64_t word[2 * BEATS] = {g->ctas | (uint64_t)g->grid_x << 32 | (uint64_t)g->grid_y << 48, g->grid_z,
                                    g->param, o->put[0].kdei};
  if (out->mem.wbeat.lo != word[2 * o->beat] || out->mem.wbeat.hi != word[2 * o->beat + 1] ||
      out->mem.wbeat.strb != 0xffff)
    return "a group is written to memory changed";
  o->beat = !o->beat;
  if (o->beat) return NULL;
  o->data = o->written = 0;
  memmove(o->put, o->put + 1, --o->puts * sizeof *o->put);
  return NULL;
}

/* ---- groups that return ---- */

/* Places of the bank, in the order: reserved ones that a request does not need, and those of groups that were lost. */
static const char *watch_release(struct oracle *o, const struct hd_spill_out *out) {
  for (unsigned b = 0; b < o->cfg.num_bank; b++) {
    const unsigned want =
        (o->spare && bank_of(o, o->spare_of) == b ? o->spare : 0u) + (o->gone && bank_of(o, o->gone_of) == b ? 1u : 0u);
    if (out->release[b] != want) return "release is not the number of places that no group needs any more";
    o->kept[b] -= want;
  }
  return NULL;
}

static const char *watch_back(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const struct oracle_group g = o->back[0];
  if (out->back.valid != (o->backs > 0)) return "back_valid does not show whether a group has returned";
  if (!out->back.valid) return NULL;
  if (out->back.bank != g.bank) return "a group returns to another bank";
  if (out->back.kdei != g.kdei) return "a group returns with another kernel";
  if (memcmp(&out->back.info, &g.info, sizeof g.info) != 0) return "a group returns changed";
  if (!in->laperm_back_ready) return NULL;
  if (!o->kept[g.bank]) return "a group returns for which no place is reserved";
  o->kept[g.bank]--;
  return NULL;
}

/* Groups and places leave at the end of the cycle. */
static void leave(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  o->out[o->spare_of] -= o->spare;
  o->outs -= o->spare;
  if (o->gone) {
    o->out[o->gone_of]--;
    o->outs--;
  }
  o->gone = 0;
  if (!out->back.valid || !in->laperm_back_ready) return;
  o->out[queue_of(o, o->back[0].bank, o->back[0].info.level)]--;
  o->outs--;
  memmove(o->back, o->back + 1, --o->backs * sizeof *o->back);
}

static void arrive(struct oracle *o, unsigned queue) {
  const uint32_t e = o->book.queue[queue].reading;
  const bool lost = o->book.at[e].bad || o->error;
  if (lost) {
    o->gone = 1;
    o->gone_of = (uint16_t)queue;
    o->lost[o->group[e].kdei]++;
  } else {
    o->back[o->backs++] = o->group[e];
  }
  o->error = 0;
  hd_ring_leave(&o->book, queue);
}

static const char *watch_beat(struct oracle *o, const struct hd_spill_in *in) {
  if (!in->mem.r_valid) return NULL;
  if (!o->reads || o->got == o->read[0].n) return "beats arrive without a read";
  o->error |= in->mem.r.error;
  if (o->half) {
    arrive(o, o->read[0].queue);
    o->got++;
  }
  o->half = !o->half;
  if (!in->mem.r.last) return NULL;
  if (o->half || o->got != o->read[0].n) return "a read ends before its last group";
  o->book.queue[o->read[0].queue].ended += o->got;
  o->got = 0;
  memmove(o->read, o->read + 1, --o->reads * sizeof *o->read);
  return NULL;
}

static const char *watch_answer(struct oracle *o, const struct hd_spill_in *in) {
  if (!in->mem.b_valid) return NULL;
  if (!o->writes) return "an answer without a write";
  const char *rule = hd_ring_answer(&o->book, o->write[0].entry, o->now, in->mem.b_error);
  memmove(o->write, o->write + 1, --o->writes * sizeof *o->write);
  return rule;
}

/* ---- losses ---- */

static const char *watch_lost(const struct oracle *o, const struct hd_spill_out *out) {
  if (out->lost.valid != (o->reports >= 0))
    return "a loss is not reported when all groups have returned, or another time";
  return out->lost.kdei != (o->reports >= 0 ? o->reports : 0) ? "a loss is reported with a wrong kernel" : NULL;
}

/* Finds what is reported in the next cycle, from the state at the start of this one. */
static void find_report(struct oracle *o, const struct hd_spill_in *in) {
  const bool returned = !in->laperm_put.valid && !o->puts && !o->outs && !o->book.used && !o->gone;
  const bool fails = hd_ring_failing(&o->book, o->now, false), may_fail = hd_ring_failing(&o->book, o->now, true);
  o->reports = -1;
  for (unsigned k = 0; k < o->cfg.num_kde && returned && o->closed && o->reports < 0; k++)
    if (o->lost[k]) o->reports = (int)k;
  if (o->reports >= 0)
    o->lost[o->reports]--;
  else if (returned)
    o->may_close = o->closed = 0;
  o->closed |= fails || o->gone;
  o->may_close |= may_fail || o->gone;
}

/* ---- room ---- */

static const char *watch_room(const struct oracle *o, const struct hd_spill_out *out) {
  const int order = hd_rings_order(&o->cfg, o->was_count);
  const bool none = o->closed || hd_ring_failing(&o->book, o->now, false);
  const bool maybe_none = o->may_close || hd_ring_failing(&o->book, o->now, true);
  if (out->rows != o->cfg.spill_depth - o->puts) return "rows is not the number of free rows";
  for (unsigned q = 0; q < o->cfg.ring_queues; q++) {
    const bool ring = order >= 0 && o->book.queue[q].waits + o->cfg.ring_margin <= UINT64_C(1) << order;
    if (out->room[q] && (none || !ring)) return "room is set though there is no room";
    if (!out->room[q] && !maybe_none && ring) return "room is clear though there is room";
    if (out->held[q] != o->held[q]) return "output held is wrong";
  }
  return NULL;
}

/* Finds what is held in the next cycle, from the state at the start of this one. */
static void find_held(struct oracle *o, const struct hd_spill_in *in) {
  for (unsigned q = 0; q < o->cfg.ring_queues; q++) o->held[q] = o->book.queue[q].waits > 0 || o->out[q] > 0;
  for (unsigned k = 0; k < o->puts; k++) o->held[queue_of(o, o->put[k].bank, o->put[k].info.level)] = 1;
  if (in->laperm_put.valid) o->held[queue_of(o, in->laperm_put.bank, in->laperm_put.info.level)] = 1;
}

/* While nothing else proceeds, possible writes and reads are requested within PATIENCE cycles. */
static const char *watch_patience(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const bool busy = out->mem.valid || o->data || o->chosen != NO_BANK || o->now < o->book.counted;
  const bool put = o->puts && !o->written && o->writes < o->cfg.spill_flight;
  bool get = false;
  for (unsigned b = 0; b < o->cfg.num_bank && !busy && !get; b++)
    get = o->outs + o->cfg.spill_line <= o->cfg.spill_flight && readable(o, in, b);
  o->put_waits = put && !busy ? o->put_waits + 1 : 0;
  o->get_waits = get ? o->get_waits + 1 : 0;
  if (o->put_waits > PATIENCE) return "a group is not written though nothing else proceeds";
  return o->get_waits > PATIENCE ? "a group does not return though its bank has places" : NULL;
}

static const char *follow_put(struct oracle *o, const struct hd_spill_in *in) {
  const unsigned queue = queue_of(o, in->laperm_put.bank, in->laperm_put.info.level);
  if (!o->room[queue]) return "a group is put without room";
  if (o->puts == o->cfg.spill_depth) return "a group is put without a free row";
  o->put[o->puts++] =
      (struct oracle_group){.info = in->laperm_put.info, .bank = in->laperm_put.bank, .kdei = in->laperm_put.kdei};
  return NULL;
}

const char *hd_spill_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_spill_in *in = in_;
  const struct hd_spill_out *out = out_;
  const bool data = o->data;
  (void)cycle;
  const char *rule = watch_request(o, in, out);
  if (!rule) rule = watch_room(o, out);
  if (!rule) rule = watch_lost(o, out);
  if (!rule) rule = watch_patience(o, in, out);
  if (!rule) rule = watch_release(o, out);
  if (!rule) rule = watch_back(o, in, out);
  find_held(o, in);
  find_report(o, in);
  if (!rule) rule = watch_choice(o, in, out, data);
  if (!rule) leave(o, in, out);
  if (!rule && data && in->mem.take) rule = watch_data(o, out);
  if (!rule) rule = watch_answer(o, in);
  if (!rule) rule = watch_beat(o, in);
  if (!rule && in->laperm_put.valid) rule = follow_put(o, in);
  memcpy(o->room, out->room, o->cfg.ring_queues);
  o->was_count = in->regs_config.spill_count;
  o->now++;
  return rule;
}
