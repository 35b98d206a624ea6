/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/memq_oracle.h"

#include "env/common/memory.h"
#include "gen/hd_memq_ports.h"

enum { NO_CLIENT = -1, PATIENCE = 8, BEATS = 8, PLACE = 16 * BEATS };

struct oracle_entry {
  uint64_t word[2 * BEATS];
  int32_t next; /* place of the next entry of its queue */
  uint16_t side;
  uint16_t queue;
  uint8_t tag;
  uint8_t bad, used;
};

struct oracle {
  struct hd_cfg cfg;
  struct oracle_entry at[HD_MAX_MEMQ_PLACES];
  int32_t first[HD_MAX_MEMQ_QUEUES], last[HD_MAX_MEMQ_QUEUES];     /* entries not read yet; valid only if waits > 0 */
  uint32_t waits[HD_MAX_MEMQ_QUEUES], written[HD_MAX_MEMQ_QUEUES]; /* entries not read yet; written, no get accepted */
  uint16_t write[HD_MEMORY_FLIGHT], read[HD_MEMORY_FLIGHT];        /* places of open bursts, oldest first */
  uint32_t writes, reads;
  uint32_t used, freed; /* used places; cycles since one became free */
  uint8_t doing;        /* accepted, request not: 1 a get, 2 a put; 3: beats of a put; 0: idle */
  uint8_t asked;        /* the request is offered and not accepted */
  uint8_t last_taken;   /* 1 a get, 2 a put */
  uint16_t queue;       /* of the last accepted get or put */
  uint8_t tag;          /* of the last accepted get */
  uint16_t side, place;
  uint8_t beat, got_beat, error;
  uint32_t put_waits, get_waits, request_waits;
};

HD_BLOCK_ORACLE_STATE(memq)

static uint32_t region(const struct oracle *o, const struct hd_memq_in *in) {
  return in->count < o->cfg.memq_places ? in->count : o->cfg.memq_places;
}

static const char *begin_read(struct oracle *o, unsigned place) {
  struct oracle_entry *e = &o->at[place];
  if (!e->used || !o->waits[o->queue] || o->first[o->queue] != (int32_t)place)
    return "an entry is read that is not the oldest of the queue";
  o->first[o->queue] = e->next;
  o->waits[o->queue]--;
  e->tag = o->tag;
  o->read[o->reads++] = (uint16_t)place;
  return NULL;
}

static const char *begin_write(struct oracle *o, unsigned place) {
  struct oracle_entry *e = &o->at[place];
  if (e->used) return "an entry is written to an occupied place";
  *e = (struct oracle_entry){.next = NO_CLIENT, .side = o->side, .queue = o->queue, .used = 1};
  if (o->waits[o->queue]++)
    o->at[o->last[o->queue]].next = (int32_t)place;
  else
    o->first[o->queue] = (int32_t)place;
  o->last[o->queue] = (int32_t)place;
  o->write[o->writes++] = (uint16_t)place;
  o->used++;
  return NULL;
}

static const char *watch_request(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  uint64_t mask = hd_memory_mask(&o->cfg), at = (out->mem.req.addr - (uint64_t)in->base * 256) & mask,
           place = at / PLACE;
  if (o->doing != 1 && o->doing != 2) return "a burst is requested without a put or get";
  if (out->mem.req.write != (o->doing == 2)) return "a burst has the wrong direction";
  if (at % PLACE || place >= region(o, in) || out->mem.req.len != BEATS - 1 || out->mem.req.addr > mask)
    return "a burst outside the region, or not of a whole entry";
  if (o->asked && place != o->place) return "a request changes before it is accepted";
  const char *rule = o->asked             ? NULL
                     : out->mem.req.write ? begin_write(o, (unsigned)place)
                                          : begin_read(o, (unsigned)place);
  o->place = (uint16_t)place;
  o->asked = !in->mem.ready;
  if (in->mem.ready) o->doing = o->doing == 2 ? 3 : 0;
  return rule;
}

static const char *watch_data(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  bool done = in->mem.take && o->beat == BEATS - 1;
  if (out->put_done != done) return "put_done is not set with the last beat, or is set without it";
  if (!in->mem.take) return NULL;
  if (out->put_beat != o->beat) return "beats of an entry are taken out of order";
  if (memcmp(&out->mem.wbeat, &in->put_data, sizeof out->mem.wbeat)) return "an entry is written to memory changed";
  o->at[o->place].word[2 * o->beat] = in->put_data.lo;
  o->at[o->place].word[2 * o->beat + 1] = in->put_data.hi;
  o->beat = (o->beat + 1) % BEATS;
  if (done) o->doing = 0;
  return NULL;
}

/* Returns true if a put is offered and certainly could be accepted. A place that has just become free may count as
 * used. */
static bool can_put(const struct oracle *o, const struct hd_memq_in *in) {
  return in->put_valid && o->writes < o->cfg.memq_flight && o->used + (o->freed < 4) < region(o, in);
}

/* Checks the get or put accepted in this cycle. Requires o->doing as at the start of the cycle. */
static const char *watch_taken(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  bool get = in->get_valid && out->get_ready, put = in->put_valid && out->put_ready;
  if (!get && !put) return NULL;
  if (o->doing || (get && put)) return "a put or get is accepted while another is served";
  if (get && o->last_taken == 1 && can_put(o, in)) return "a put waits while get follows get";
  if (put && o->last_taken == 2 && in->get_valid && o->reads < o->cfg.memq_flight)
    return "a get waits while put follows put";
  o->last_taken = get ? 1 : 2;
  o->doing = get ? 1 : 2;
  o->queue = get ? in->get_queue : in->put_queue;
  o->tag = in->get_tag;
  o->side = in->put_side;
  if (get) o->written[o->queue]--;
  return NULL;
}

static const char *watch_got(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  if (out->got_beat_valid != in->mem.r_valid || out->got_valid != (in->mem.r_valid && in->mem.r.last))
    return "got_valid does not follow the last beat, or is set without it";
  if (!in->mem.r_valid) return NULL;
  if (!o->reads) return "beats arrive without a read";
  struct oracle_entry *e = &o->at[o->read[0]];
  if (out->got_beat != o->got_beat) return "got_beat is out of order";
  o->error |= in->mem.r.error;
  bool lost = e->bad || o->error;
  if (!lost && (e->word[2 * o->got_beat] != in->mem.r.lo || e->word[2 * o->got_beat + 1] != in->mem.r.hi))
    return "an entry returns changed";
  o->got_beat = (o->got_beat + 1) % BEATS;
  if (!out->got_valid) return NULL;
  if (out->got_tag != e->tag) return "an entry returns with another tag";
  if (out->got_side != e->side) return "an entry returns with another side";
  if (out->got_error != lost) return "got_error does not show whether the entry is lost";
  e->used = o->error = 0;
  memmove(o->read, o->read + 1, --o->reads * sizeof *o->read);
  o->used--;
  o->freed = 0;
  return NULL;
}

static const char *watch_answer(struct oracle *o, const struct hd_memq_in *in) {
  if (!in->mem.b_valid) return NULL;
  if (!o->writes) return "an answer without a write";
  struct oracle_entry *e = &o->at[o->write[0]];
  e->bad = in->mem.b_error;
  o->written[e->queue]++;
  memmove(o->write, o->write + 1, --o->writes * sizeof *o->write);
  return NULL;
}

/* A place that becomes free may count as used for a few cycles more; a place of a put counts from the search for it on.
 */
static const char *watch_counts(const struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  uint32_t places = region(o, in);
  for (unsigned q = 0; q < o->cfg.memq_queues; q++) {
    if (out->readable[q] != (o->written[q] > 0)) return "output readable is wrong";
    bool looked_up = o->doing && o->queue == q && !out->mem.valid;
    if (!looked_up && out->there[q] != (o->waits[q] > 0)) return "output there is wrong";
  }
  uint32_t used = o->used + (o->doing == 2 && !out->mem.valid);
  if (out->used < used || out->used > used + (o->freed < 4)) return "output used is wrong";
  if (out->left != (out->used < places ? places - out->used : 0)) return "output left is wrong";
  return NULL;
}

/* While nothing else proceeds, a get or put that could be accepted is accepted within PATIENCE cycles. */
static const char *watch_patience(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  bool busy = o->doing != 0;
  bool get = in->get_valid && !out->get_ready && !busy && o->reads < o->cfg.memq_flight;
  bool put = in->put_valid && !out->put_ready && !busy && o->writes < o->cfg.memq_flight && o->used < region(o, in);
  o->get_waits = get ? o->get_waits + 1 : 0;
  o->put_waits = put ? o->put_waits + 1 : 0;
  o->request_waits = (o->doing == 1 || o->doing == 2) && !out->mem.valid ? o->request_waits + 1 : 0;
  if (o->get_waits > PATIENCE) return "a get is not accepted though it could be";
  if (o->put_waits > PATIENCE) return "a put is not accepted though a place is free";
  return o->request_waits > PATIENCE ? "an accepted put or get is not sent to the memory" : NULL;
}

const char *hd_memq_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_memq_in *in = in_;
  const struct hd_memq_out *out = out_;
  const char *rule = watch_patience(o, in, out);
  uint8_t doing = o->doing;
  (void)cycle;
  o->freed += o->freed < 4;
  if (!rule && out->mem.valid) rule = watch_request(o, in, out);
  if (!rule) rule = watch_counts(o, in, out);
  if (!rule && doing == 3) rule = watch_data(o, in, out);
  if (!rule && doing != 3 && out->put_done) rule = "put_done without a put";
  if (!rule && !doing) rule = watch_taken(o, in, out);
  if (!rule && doing && ((in->get_valid && out->get_ready) || (in->put_valid && out->put_ready)))
    rule = "a put or get is accepted while another is served";
  if (!rule) rule = watch_answer(o, in);
  return rule ? rule : watch_got(o, in, out);
}
