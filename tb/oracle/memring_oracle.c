/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/memring_oracle.h"

#include "env/common/memory.h"
#include "env/common/rings.h"
#include "gen/hd_memring_ports.h"
#include "oracle/ring_book.h"

/* REQUEST: cycles from an accepted put or get to its request. PATIENCE: cycles in which a put or get that could be
 * accepted may wait. */
enum { REQUEST = 3, PATIENCE = 2 };
enum { IDLE, GET, PUT, DATA };

struct oracle_burst {
  uint32_t entry; /* of a write */
  uint16_t queue;
  uint8_t n; /* entries of a read */
};

struct oracle {
  struct hd_cfg cfg;
  struct hd_ring_book book;
  uint64_t word[HD_RING_ENTRIES][2 * HD_RING_BEATS];
  uint64_t now;
  uint32_t was_count;                                                  /* size of the region in the cycle before */
  struct oracle_burst write[HD_MEMORY_FLIGHT], read[HD_MEMORY_FLIGHT]; /* without an answer, or their last beat */
  uint32_t writes, reads;
  uint64_t counts[HD_MEMORY_FLIGHT]; /* of answers that may not be counted yet: when they certainly are; oldest first */
  uint32_t uncounted;
  uint8_t doing, last; /* the operation; the last one that was accepted: GET or PUT */
  uint8_t asked;       /* the request is offered and not accepted */
  uint16_t of;         /* queue of the operation */
  uint64_t since;      /* cycle in which it was accepted */
  uint32_t entry;      /* of a put */
  uint8_t n;           /* entries of a get, as reported by `asked` */
  uint8_t beat, got_beat, error;
  uint8_t got_n; /* entries of the oldest read that have arrived */
  uint32_t put_waits, get_waits;
};

size_t hd_memring_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

void hd_memring_oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct oracle *o = o_;
  memset(o, 0, sizeof *o);
  o->cfg = o->book.cfg = *cfg;
}

/* ---- requests ---- */

static uint64_t address(const struct oracle *o, const struct hd_memring_in *in, uint64_t index) {
  return ((uint64_t)in->base * 256 + hd_rings_place(&o->cfg, in->count, o->of, index) * HD_RING_BYTES) &
         hd_memory_mask(&o->cfg);
}

static const char *begin_read(struct oracle *o) {
  o->read[o->reads++] = (struct oracle_burst){.queue = o->of, .n = o->n};
  hd_ring_get(&o->book, o->of, o->n);
  return NULL;
}

static const char *begin_write(struct oracle *o, const struct hd_memring_in *in) {
  const char *rule;
  o->entry = hd_ring_put(&o->book, o->of, in->count, &rule);
  if (!rule) o->write[o->writes++] = (struct oracle_burst){.entry = o->entry};
  return rule;
}

/* A request in its first cycle. */
static const char *begin(struct oracle *o, const struct hd_memring_in *in, const struct hd_memring_out *out) {
  const bool put = o->doing == PUT;
  if (o->doing != GET && o->doing != PUT) return "a burst is requested without a put or get";
  if (o->now != o->since + REQUEST) return "a put or get is not requested three cycles after it was accepted";
  if (hd_rings_order(&o->cfg, in->count) < 0) return "a burst is requested in a region without rings";
  if (out->mem.req.write != put) return "a burst has the wrong direction";
  if (out->mem.req.len + 1u != HD_RING_BEATS * (put ? 1u : o->n)) return "a burst has not the length of its entries";
  if (out->mem.req.addr != address(o, in, put ? o->book.queue[o->of].put : hd_ring_first(&o->book, o->of)))
    return put ? "an entry is not written to its place in the ring" : "a burst does not read the oldest entries";
  return put ? begin_write(o, in) : begin_read(o);
}

static const char *watch_request(struct oracle *o, const struct hd_memring_in *in, const struct hd_memring_out *out) {
  if (!out->mem.valid) {
    if (o->asked) return "a request is withdrawn";
    const bool due = (o->doing == GET || o->doing == PUT) && o->now >= o->since + REQUEST;
    return due ? "a put or get is not requested three cycles after it was accepted" : NULL;
  }
  const uint64_t index = o->doing == PUT ? o->book.queue[o->of].put - 1 : hd_ring_first(&o->book, o->of) - o->n;
  const char *rule = o->asked ? NULL : begin(o, in, out);
  if (o->asked && (out->mem.req.write != (o->doing == PUT) || out->mem.req.addr != address(o, in, index) ||
                   out->mem.req.len + 1u != HD_RING_BEATS * (o->doing == PUT ? 1u : o->n)))
    return "a request changes before it is accepted";
  o->asked = !in->mem.ready;
  if (in->mem.ready) o->doing = o->doing == PUT ? DATA : IDLE;
  return rule;
}

static const char *watch_data(struct oracle *o, const struct hd_memring_in *in, const struct hd_memring_out *out) {
  const bool done = in->mem.take && o->beat == HD_RING_BEATS - 1;
  uint64_t *word = o->word[o->entry];
  if (out->put_done != done) return "put_done is not set with the last beat, or is set without it";
  if (out->put_beat != o->beat) return "beats of an entry are taken out of order";
  if (!in->mem.take) return NULL;
  if (memcmp(&out->mem.wbeat, &in->put_data, sizeof out->mem.wbeat)) return "an entry is written to memory changed";
  word[2 * o->beat] = in->put_data.lo;
  word[2 * o->beat + 1] = in->put_data.hi;
  o->beat = (o->beat + 1) % HD_RING_BEATS;
  if (done) o->doing = IDLE;
  return NULL;
}

/* Checks the number of entries that a get requests, two cycles after it was accepted. */
static const char *watch_asked(struct oracle *o, const struct hd_memring_out *out) {
  if (o->doing != GET || o->now != o->since + REQUEST - 1)
    return out->asked ? "entries are requested without a get" : NULL;
  o->n = out->asked;
  return hd_ring_check_get(&o->book, o->of, o->n, o->now);
}

/* ---- what is accepted ---- */

static bool can_get(const struct oracle *o, const struct hd_memring_in *in) {
  return in->get_valid && o->reads < o->cfg.ring_flight;
}

static bool can_put(const struct oracle *o, const struct hd_memring_in *in) {
  return in->put_valid && o->writes < o->cfg.ring_flight;
}

/* Checks the get or put accepted in this cycle. `busy`: an operation was under way at its start. */
static const char *watch_taken(struct oracle *o, const struct hd_memring_in *in, const struct hd_memring_out *out,
                               bool busy) {
  const bool get = in->get_valid && out->get_ready, put = in->put_valid && out->put_ready;
  if (busy && (out->get_ready || out->put_ready)) return "a put or get is accepted while another is served";
  if (!get && !put) return NULL;
  if (get && put) return "a put and a get are accepted at once";
  if (get && !can_get(o, in)) return "more reads are in flight than fit";
  if (put && !can_put(o, in)) return "more writes are in flight than fit";
  const bool put_waits = can_put(o, in) && o->writes + o->uncounted < o->cfg.ring_flight;
  if (get && o->last == GET && put_waits) return "a put waits while get follows get";
  if (put && o->last == PUT && can_get(o, in)) return "a get waits while put follows put";
  o->last = o->doing = get ? GET : PUT;
  o->of = get ? in->get_queue : in->put_queue;
  o->since = o->now;
  return NULL;
}

/* While no operation and no answer is under way, a get or put that could be accepted is, within PATIENCE cycles. */
static const char *watch_patience(struct oracle *o, const struct hd_memring_in *in, const struct hd_memring_out *out) {
  const bool busy = o->doing != IDLE || o->now < o->book.counted;
  o->get_waits = can_get(o, in) && !out->get_ready && !out->put_ready && !busy ? o->get_waits + 1 : 0;
  o->put_waits = can_put(o, in) && !out->get_ready && !out->put_ready && !busy ? o->put_waits + 1 : 0;
  if (o->get_waits > PATIENCE) return "a get is not accepted though it could be";
  return o->put_waits > PATIENCE ? "a put is not accepted though it could be" : NULL;
}

/* ---- answers and beats ---- */

static const char *watch_answer(struct oracle *o, const struct hd_memring_in *in) {
  if (!in->mem.b_valid) return NULL;
  if (!o->writes) return "an answer without a write";
  const char *rule = hd_ring_answer(&o->book, o->write[0].entry, o->now, in->mem.b_error);
  o->counts[o->uncounted++] = o->book.counted;
  memmove(o->write, o->write + 1, --o->writes * sizeof *o->write);
  return rule;
}

static const char *watch_entry(struct oracle *o, const struct hd_memring_in *in, const struct hd_memring_out *out) {
  const unsigned queue = o->read[0].queue;
  const uint32_t e = o->book.queue[queue].reading;
  o->error |= in->mem.r.error;
  const bool lost = o->book.at[e].bad || o->error;
  if (!lost && (o->word[e][2 * o->got_beat] != in->mem.r.lo || o->word[e][2 * o->got_beat + 1] != in->mem.r.hi))
    return "an entry returns changed";
  if (!out->got_valid) return NULL;
  if (out->got_queue != queue) return "an entry returns with another queue";
  if (out->got_error != lost) return "got_error does not show whether the entry is lost";
  hd_ring_leave(&o->book, queue);
  o->error = 0;
  o->got_n++;
  return NULL;
}

static const char *watch_got(struct oracle *o, const struct hd_memring_in *in, const struct hd_memring_out *out) {
  const bool last = in->mem.r_valid && o->got_beat == HD_RING_BEATS - 1;
  if (out->got_beat_valid != in->mem.r_valid || out->got_valid != last)
    return "got_valid does not follow the last beat of an entry, or is set without it";
  if (!last && (out->got_queue || out->got_error)) return "got_queue or got_error is set without got_valid";
  if (!in->mem.r_valid) return out->got_beat ? "got_beat is out of order" : NULL;
  if (!o->reads || o->got_n == o->read[0].n) return "beats arrive without a read";
  if (out->got_beat != o->got_beat) return "got_beat is out of order";
  const char *rule = watch_entry(o, in, out);
  o->got_beat = (o->got_beat + 1) % HD_RING_BEATS;
  if (rule || !in->mem.r.last) return rule;
  if (o->got_n != o->read[0].n) return "a read ends before its last entry";
  o->book.queue[o->read[0].queue].ended += o->got_n;
  o->got_n = 0;
  memmove(o->read, o->read + 1, --o->reads * sizeof *o->read);
  return NULL;
}

/* ---- contents ---- */

static const char *watch_contents(const struct oracle *o, const struct hd_memring_out *out) {
  const int order = hd_rings_order(&o->cfg, o->was_count);
  for (unsigned k = 0; k < o->cfg.ring_queues; k++) {
    const uint32_t waits = o->book.queue[k].waits;
    if (out->there[k] != (waits > 0)) return "output there is wrong";
    if ((hd_ring_written(&o->book, k, o->now, out->readable[k]) > 0) != out->readable[k])
      return "output readable is wrong";
    if (out->room[k] != (order >= 0 && waits + o->cfg.ring_margin <= UINT64_C(1) << order))
      return "output room is wrong";
  }
  if (out->used != o->book.used) return "output used is wrong";
  return hd_ring_failing(&o->book, o->now, out->failing) == out->failing ? NULL : "output failing is wrong";
}

const char *hd_memring_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_memring_in *in = in_;
  const struct hd_memring_out *out = out_;
  const uint8_t doing = o->doing;
  (void)cycle;
  while (o->uncounted && o->counts[0] <= o->now) memmove(o->counts, o->counts + 1, --o->uncounted * sizeof *o->counts);
  const char *rule = watch_patience(o, in, out);
  if (!rule) rule = watch_asked(o, out);
  if (!rule) rule = watch_request(o, in, out);
  if (!rule) rule = watch_contents(o, out);
  if (!rule && doing == DATA) rule = watch_data(o, in, out);
  if (!rule && doing != DATA && out->put_done) rule = "put_done without a put";
  if (!rule && doing != DATA && out->put_beat) rule = "put_beat without a put";
  if (!rule) rule = watch_taken(o, in, out, doing != IDLE);
  if (!rule) rule = watch_answer(o, in);
  if (!rule) rule = watch_got(o, in, out);
  o->was_count = in->count;
  o->now++;
  return rule;
}
