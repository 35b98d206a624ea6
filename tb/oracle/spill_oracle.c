/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/spill_oracle.h"

#include "env/common/memory.h"
#include "gen/hd_spill_ports.h"

/* ASKED: cycles from the choice of a read to its request. FREED: a place counts as used for fewer than this many cycles
 * after its last beat. PATIENCE: cycles within which a possible request follows. */
enum { NO_CLIENT = -1, PATIENCE = 8, ASKED = 2, FREED = 3, BEATS = 2, PLACE = 16 * BEATS };

struct oracle_group {
  struct hd_info info;
  uint8_t bank, kdei;
};

struct oracle_entry {
  struct oracle_group group;
  uint64_t answered; /* cycle in which its write was answered */
  int32_t next;      /* place of the next group of its queue */
  uint8_t used, written, bad;
};

struct oracle {
  struct hd_cfg cfg;
  uint64_t now;
  struct oracle_group put[HD_MAX_SPILL_DEPTH], back[HD_MAX_SPILL_FLIGHT]; /* oldest first */
  uint32_t puts, backs;
  struct oracle_entry at[HD_MAX_SPILLQ_PLACES];
  int32_t first[HD_MAX_SPILLQ_QUEUES], last[HD_MAX_SPILLQ_QUEUES]; /* places of unrequested groups, if waits > 0 */
  uint32_t waits[HD_MAX_SPILLQ_QUEUES];                            /* groups in memory that are not requested */
  uint32_t held[HD_MAX_SPILLQ_QUEUES];
  uint16_t write[HD_MEMORY_FLIGHT], read[HD_MEMORY_FLIGHT]; /* places of open bursts, oldest first */
  uint32_t writes, reads, used;
  uint64_t freed;                            /* 1 + the cycle in which a place last became free */
  uint8_t out[HD_MAX_NUM_BANK];              /* a group of the bank was requested and has not returned */
  uint64_t gone[HD_MAX_NUM_BANK];            /* 1 + the cycle in which the last one returned or was lost */
  uint8_t place[ASKED + 1][HD_MAX_NUM_BANK]; /* in->place of this cycle and the ones before, a ring */
  uint32_t outs, turn;                       /* groups in flight; next bank in the round robin */
  uint8_t placed;                            /* the write of put[0] was requested */
  uint8_t data;                              /* .. and the request accepted: its beats are due */
  uint8_t asked;                             /* a request is not accepted yet */
  uint16_t stands;                           /* .. for this place */
  uint8_t beat, error, lost, lost_kdei;
  uint32_t put_waits, get_waits;
};

HD_BLOCK_ORACLE_STATE(spill)

static unsigned queue_of(const struct oracle *o, unsigned bank, unsigned level) {
  return bank * o->cfg.max_level + level - 1;
}

static uint32_t region(const struct oracle *o, const struct hd_spill_in *in) {
  return in->regs_config.spill_count < o->cfg.spillq_places ? in->regs_config.spill_count : o->cfg.spillq_places;
}

/* ---- requests ---- */

/* Returns true if the oldest group of the queue could be read in cycle `then`. */
static bool readable(const struct oracle *o, unsigned queue, uint64_t then) {
  if (!o->waits[queue]) return false;
  const struct oracle_entry *e = &o->at[o->first[queue]];
  return e->written && e->answered < then;
}

/* Returns true if a group of the bank could be requested in cycle `then`, at most ASKED cycles ago. */
static bool may(const struct oracle *o, unsigned bank, uint64_t then) {
  if (o->out[bank] || o->gone[bank] > then || !o->place[then % (ASKED + 1)][bank]) return false;
  for (unsigned level = 1; level <= o->cfg.max_level; level++)
    if (readable(o, queue_of(o, bank, level), then)) return true;
  return false;
}

static const char *watch_choice(struct oracle *o, const struct oracle_group *g, uint64_t then) {
  if (o->out[g->bank] || o->gone[g->bank] > then)
    return "a group is requested while another one of its bank is in flight";
  if (!o->place[then % (ASKED + 1)][g->bank]) return "a group is requested while its bank has no place";
  for (unsigned level = g->info.level + 1u; level <= o->cfg.max_level; level++)
    if (readable(o, queue_of(o, g->bank, level), then)) return "a group is requested before one of a higher level";
  uint32_t outs = o->outs;
  for (unsigned b = 0; b < o->cfg.num_bank; b++) outs += !o->out[b] && o->gone[b] > then;
  if (outs >= o->cfg.spill_flight) return "too many groups are in flight";
  for (; o->turn != g->bank; o->turn = (o->turn + 1) % o->cfg.num_bank)
    if (may(o, o->turn, then)) return "the banks are not served round robin";
  return NULL;
}

static const char *begin_read(struct oracle *o, unsigned place) {
  const struct oracle_entry *e = &o->at[place];
  const struct oracle_group *g = &e->group;
  if (!e->used || o->now < ASKED) return "a place is read that holds no group";
  const unsigned queue = queue_of(o, g->bank, g->info.level);
  const uint64_t then = o->now - ASKED;
  if (!o->waits[queue] || o->first[queue] != (int32_t)place)
    return "a group is read that is not the oldest of its queue";
  if (!readable(o, queue, then)) return "a group is requested before it is written";
  const char *rule = watch_choice(o, g, then);
  if (rule) return rule;
  o->first[queue] = e->next;
  o->waits[queue]--;
  o->read[o->reads++] = (uint16_t)place;
  o->out[g->bank] = 1;
  o->outs++;
  o->turn = (g->bank + 1u) % o->cfg.num_bank;
  return NULL;
}

static const char *begin_write(struct oracle *o, unsigned place) {
  struct oracle_entry *e = &o->at[place];
  if (!o->puts || o->placed) return "a burst writes though no pointer waits";
  if (e->used) return "a group is written to an occupied place";
  *e = (struct oracle_entry){.group = o->put[0], .next = NO_CLIENT, .used = 1};
  const unsigned queue = queue_of(o, e->group.bank, e->group.info.level);
  if (o->waits[queue]++)
    o->at[o->last[queue]].next = (int32_t)place;
  else
    o->first[queue] = (int32_t)place;
  o->last[queue] = (int32_t)place;
  o->write[o->writes++] = (uint16_t)place;
  o->used++;
  o->placed = 1;
  return NULL;
}

static const char *watch_request(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const uint64_t mask = hd_memory_mask(&o->cfg),
                 at = (out->mem.req.addr - (uint64_t)in->regs_config.spill_base * 256) & mask;
  const uint64_t place = at / PLACE;
  if (o->data) return "a request is sent before the data of a write is complete";
  if (at % PLACE || place >= region(o, in) || out->mem.req.len != BEATS - 1 || out->mem.req.addr > mask)
    return "a burst outside the region, or not of a whole record";
  if (o->asked && (place != o->stands || out->mem.req.write != o->placed))
    return "a request changes before it is accepted";
  const char *rule = o->asked             ? NULL
                     : out->mem.req.write ? begin_write(o, (unsigned)place)
                                          : begin_read(o, (unsigned)place);
  o->stands = (uint16_t)place;
  o->asked = !in->mem.ready;
  o->data = in->mem.ready && out->mem.req.write;
  return rule;
}

static const char *watch_data(struct oracle *o, const struct hd_spill_out *out) {
  const struct hd_info *g = &o->put[0].info;
  const uint64_t word[2 * BEATS] = {g->ctas | (uint64_t)g->grid_x << 32 | (uint64_t)g->grid_y << 48, g->grid_z,
                                    g->param};
  if (out->mem.wbeat.lo != word[2 * o->beat] || out->mem.wbeat.hi != word[2 * o->beat + 1] ||
      out->mem.wbeat.strb != 0xffff)
    return "a group is written to memory changed";
  o->beat = !o->beat;
  if (o->beat) return NULL;
  o->placed = o->data = 0;
  memmove(o->put, o->put + 1, --o->puts * sizeof *o->put);
  return NULL;
}

/* ---- groups that return ---- */

/* The group has returned to its bank, or is lost. */
static void gone(struct oracle *o, const struct oracle_group *g) {
  o->held[queue_of(o, g->bank, g->info.level)]--;
  o->out[g->bank] = 0;
  o->gone[g->bank] = o->now + 1;
  o->outs--;
}

static const char *watch_back(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const struct oracle_group g = o->back[0];
  if (out->lost.valid != o->lost) return "lost does not follow an error, or is set without one";
  if (out->lost.kdei != (o->lost ? o->lost_kdei : 0)) return "a loss is reported with a wrong kernel";
  o->lost = 0;
  if (out->back.valid != (o->backs > 0)) return "back_valid does not show whether a group has returned";
  if (!out->back.valid) return NULL;
  if (out->back.bank != g.bank) return "a group returns to another bank";
  if (out->back.kdei != g.kdei) return "a group returns with another kernel";
  if (memcmp(&out->back.info, &g.info, sizeof g.info) != 0) return "a group returns changed";
  if (!in->laperm_back_ready) return NULL;
  memmove(o->back, o->back + 1, --o->backs * sizeof *o->back);
  gone(o, &g);
  return NULL;
}

static const char *watch_beat(struct oracle *o, const struct hd_spill_in *in) {
  if (!in->mem.r_valid) return NULL;
  if (!o->reads) return "beats arrive without a read";
  struct oracle_entry *e = &o->at[o->read[0]];
  o->error |= in->mem.r.error;
  if (!in->mem.r.last) return NULL;
  o->lost = e->bad || o->error;
  o->lost_kdei = e->group.kdei;
  if (o->lost)
    gone(o, &e->group);
  else
    o->back[o->backs++] = e->group;
  e->used = o->error = 0;
  memmove(o->read, o->read + 1, --o->reads * sizeof *o->read);
  o->used--;
  o->freed = o->now + 1;
  return NULL;
}

static const char *watch_answer(struct oracle *o, const struct hd_spill_in *in) {
  if (!in->mem.b_valid) return NULL;
  if (!o->writes) return "an answer without a write";
  struct oracle_entry *e = &o->at[o->write[0]];
  e->bad = in->mem.b_error;
  e->written = 1;
  e->answered = o->now;
  memmove(o->write, o->write + 1, --o->writes * sizeof *o->write);
  return NULL;
}

/* ---- room ---- */

/* Returns true if the ring has room for one more group and `left` places suffice for all groups without a place. */
static bool room(const struct oracle *o, uint32_t left) {
  return o->puts < o->cfg.spill_depth && left > o->puts - o->placed;
}

/* Checks the reported room. A place that becomes free counts as used for up to FREED cycles. */
static const char *watch_room(const struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const uint32_t places = region(o, in), most = places > o->used ? places - o->used : 0;
  const bool recent = o->freed && o->now + 1 - o->freed < FREED;
  const uint32_t least = most > recent ? most - recent : 0;
  if (out->rows != o->cfg.spill_depth - o->puts) return "rows is not the number of free rows";
  if (out->put_ready && !room(o, most)) return "put_ready is set though there is no room";
  if (!out->put_ready && room(o, least)) return "put_ready is clear though there is room";
  for (unsigned q = 0; q < o->cfg.spillq_queues; q++)
    if (out->held[q] != (o->held[q] > 0)) return "output held is wrong";
  return NULL;
}

/* While nothing else proceeds, possible writes and reads are requested within PATIENCE cycles. */
static const char *watch_patience(struct oracle *o, const struct hd_spill_in *in, const struct hd_spill_out *out) {
  const bool busy = out->mem.valid || o->data;
  const bool put = o->puts && !o->placed && o->used < region(o, in) && o->writes < o->cfg.spill_flight;
  bool get = false;
  for (unsigned b = 0; b < o->cfg.num_bank && !busy && !get && o->outs < o->cfg.spill_flight; b++)
    get = may(o, b, o->now);
  o->put_waits = put && !busy ? o->put_waits + 1 : 0;
  o->get_waits = get ? o->get_waits + 1 : 0;
  if (o->put_waits > PATIENCE) return "a group is not written though a place is free";
  return o->get_waits > PATIENCE ? "a group does not return though its bank has a place" : NULL;
}

const char *hd_spill_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_spill_in *in = in_;
  const struct hd_spill_out *out = out_;
  const bool data = o->data;
  const char *rule = NULL;
  (void)cycle;
  memcpy(o->place[o->now % (ASKED + 1)], in->laperm_place, o->cfg.num_bank);
  if (out->mem.valid) rule = watch_request(o, in, out);
  if (!rule && o->asked && !out->mem.valid) rule = "a request is withdrawn";
  if (!rule) rule = watch_room(o, in, out);
  if (!rule) rule = watch_patience(o, in, out);
  if (!rule && data && in->mem.take) rule = watch_data(o, out);
  if (!rule) rule = watch_back(o, in, out);
  if (!rule) rule = watch_answer(o, in);
  if (!rule) rule = watch_beat(o, in);
  if (!rule && in->laperm_put.valid) {
    if (!out->put_ready) return "a group is put without room";
    o->put[o->puts++] =
        (struct oracle_group){.info = in->laperm_put.info, .bank = in->laperm_put.bank, .kdei = in->laperm_put.kdei};
    o->held[queue_of(o, in->laperm_put.bank, in->laperm_put.info.level)]++;
  }
  o->now++;
  return rule;
}
