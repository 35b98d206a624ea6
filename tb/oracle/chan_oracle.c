/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/chan_oracle.h"

#include "gen/hd_chan_ports.h"
#include "oracle/channel_rules.h"

enum { CHANS = HD_MAX_NUM_CHAN, NO_CLIENT = 255 };
enum { FILLED = 64 + 8 }; /* cycles after which a line is sent: it is full, or nothing was added to it */

struct burst {
  uint8_t chan, entries; /* written so far */
};

struct oracle {
  struct hd_cfg cfg;
  uint64_t control[CHANS];
  struct hd_chanop op[3];               /* accepted one and two cycles ago; three cycles ago, if it was executed */
  uint8_t taken[3];                     /* 1 + its client; 0: none */
  uint16_t head;                        /* head of the channel of op[1], in the cycle after its acceptance */
  uint32_t tail[CHANS], pending[CHANS]; /* elements granted or skipped since the setup; granted and not enqueued */
  uint8_t failed[CHANS], never[CHANS];
  uint64_t addr; /* address of the next beat to be written */
  uint32_t written[CHANS];
  uint8_t beats, silent; /* beats left in the current burst; cycles in which elements could be sent and are not */
  uint16_t bursts;       /* unanswered bursts */
  struct burst burst[HD_MAX_CHAN_FLIGHT + 1]; /* oldest first */
  struct burst lands;                         /* burst answered in the cycle before, to be published */
  uint32_t unwritten;                         /* enqueued and not written elements of all channels */
  uint8_t waits[HD_MAX_CHAN_CLIENTS];         /* cycles in which the client's operation had room and was not accepted */
  struct hd_channel_rules chan[];             /* NumChan: they are large */
};

HD_BLOCK_ORACLE_STATE_AND(chan, cfg->num_chan * sizeof(struct hd_channel_rules))

/* ---- the answer that is due (C4, C5) ---- */

/* Returns the number of elements from the head that chan has received to the tail. */
static uint32_t used(const struct oracle *o, const struct hd_chanop *op) {
  return (o->tail[op->chan] - o->cfg.done_grain * o->head) & ((1u << o->cfg.chan_pos_w) - 1);
}

/* Returns the elements from the tail to the end of the channel if the operation needs more than these, else 0. */
static uint32_t crossed(const struct oracle *o, const struct hd_chanop *op) {
  const uint32_t c = o->chan[op->chan].capacity, left = c - (o->tail[op->chan] & (c - 1));
  return op->n > left ? left : 0;
}

static bool fits(const struct oracle *o, const struct hd_chanop *op) {
  return used(o, op) + crossed(o, op) + op->n <= o->chan[op->chan].capacity;
}

/* Returns the number of elements to skip now. They are skipped once they are free, even without a grant; under the
 * paper's rule (chan_paper & 1) only together with a grant. */
static uint32_t skipped(const struct oracle *o, const struct hd_chanop *op) {
  const bool can = used(o, op) + crossed(o, op) <= o->chan[op->chan].capacity;
  return can && (fits(o, op) || !(o->cfg.chan_paper & 1)) ? crossed(o, op) : 0;
}

static unsigned due(const struct oracle *o, unsigned client, const struct hd_chanop *op) {
  const uint32_t c = op->chan < o->cfg.num_chan ? o->chan[op->chan].capacity : 0;
  const bool asks = op->kind == HD_CHOP_TALLOC || op->kind == HD_CHOP_YIELD;
  if (!c || !op->n || (op->kind == HD_CHOP_YIELD && client == o->cfg.num_cu)) return HD_CHCODE_BAD;
  if (asks && op->n > c) return HD_CHCODE_NEVER;
  if (!asks && op->off + (uint32_t)op->n > c) return HD_CHCODE_BAD;
  if (op->kind == HD_CHOP_ENQ && op->n > o->pending[op->chan]) return HD_CHCODE_BAD;
  if (op->kind == HD_CHOP_TFREE) return HD_CHCODE_OK;
  if (o->failed[op->chan]) return HD_CHCODE_FAILED;
  return op->kind == HD_CHOP_TALLOC && !fits(o, op) ? HD_CHCODE_NO_ROOM : HD_CHCODE_OK;
}

/* Returns the elements to be reported as done with the answer. */
static struct hd_donerun due_done(const struct oracle *o, const struct hd_chanop *op, unsigned code) {
  const bool room = code == HD_CHCODE_OK || code == HD_CHCODE_NO_ROOM;
  struct hd_donerun d = {.chan = op->chan};
  if (op->kind == HD_CHOP_TFREE && code == HD_CHCODE_OK) {
    d.off = op->off;
    d.n = op->n;
  } else if (op->kind == HD_CHOP_TALLOC && room) {
    d.off = (uint16_t)(o->tail[op->chan] & (o->chan[op->chan].capacity - 1));
    d.n = (uint16_t)skipped(o, op);
  }
  return d;
}

/* ---- answers ---- */

static const char *reserve(struct oracle *o, const struct hd_chanop *op, const struct hd_chananswer *a) {
  o->tail[op->chan] += skipped(o, op);
  if (a->code != HD_CHCODE_OK) return NULL;
  if (a->base != (o->tail[op->chan] & (o->chan[op->chan].capacity - 1))) return "a grant does not start at the tail";
  o->tail[op->chan] += op->n;
  o->pending[op->chan] += op->n;
  return hd_channel_reserve(&o->chan[op->chan], a->base, op->n);
}

static const char *follow(struct oracle *o, const struct hd_chanop *op, const struct hd_chananswer *a) {
  struct hd_channel_rules *c = &o->chan[op->chan];
  const bool ok = a->code == HD_CHCODE_OK;
  if (op->kind == HD_CHOP_TALLOC && (ok || a->code == HD_CHCODE_NO_ROOM)) return reserve(o, op, a);
  if (op->kind == HD_CHOP_TFREE && ok) return hd_channel_done(c, op->off, op->n);
  if (op->kind != HD_CHOP_ENQ || !ok) return NULL;
  o->unwritten += op->n;
  o->pending[op->chan] -= op->n;
  return hd_channel_enqueue(c, op->off, op->n);
}

static const char *judge(struct oracle *o, const struct hd_chan_out *out) {
  const struct hd_chanop *op = &o->op[1];
  const struct hd_chananswer *a = &out->answer;
  const unsigned code = due(o, o->taken[1] - 1u, op);
  if (a->kind != op->kind || a->slot != op->slot) return "an answer to another operation";
  if (a->code != code && code == HD_CHCODE_OK) return "an operation is refused that must be executed";
  if (a->code != code && a->code == HD_CHCODE_OK) return "an operation is executed that must be refused";
  if (a->code != code) return "an operation is refused with a wrong code";
  const struct hd_donerun d = due_done(o, op, code), *reported = &out->done;
  if (out->done_valid != (d.n != 0)) return "done does not report a skip or tfree, or reports other elements";
  if (d.n && (reported->chan != d.chan || reported->off != d.off || reported->n != d.n))
    return "done reports wrong elements";
  if (code == HD_CHCODE_NEVER) o->never[op->chan] = 1;
  if (code != HD_CHCODE_OK) o->taken[2] = 0;
  return follow(o, op, a);
}

static const char *watch_answer(struct oracle *o, const struct hd_chan_out *out) {
  o->op[2] = o->op[1];
  o->taken[2] = o->taken[1];
  for (unsigned k = 0; k < o->cfg.chan_clients; k++)
    if (out->answer_valid[k] != (o->taken[1] == k + 1)) return "an answer is missing, or is set without an operation";
  if (!o->taken[1]) return out->done_valid ? "done is set without an operation" : NULL;
  return judge(o, out);
}

/* Checks live and yield, which report an executed operation in the cycle after its answer. */
static const char *watch_reports(const struct oracle *o, const struct hd_chan_out *out) {
  const struct hd_chanop *op = &o->op[2];
  const struct hd_chanlive *l = &out->live;
  const struct hd_chanyield *y = &out->yield;
  const bool yields = op->kind == HD_CHOP_YIELD, lives = op->kind == HD_CHOP_TALLOC || op->kind == HD_CHOP_TFREE;
  if (out->live_valid != (o->taken[2] && lives)) return "live does not follow an answer, or is set without one";
  if (out->live_valid && (l->chan != op->chan || l->n != op->n || l->done != (op->kind == HD_CHOP_TFREE)))
    return "live reports wrong elements";
  if (out->yield_valid != (o->taken[2] && yields)) return "yield does not follow an answer, or is set without one";
  if (out->yield_valid &&
      (y->cu + 1 != o->taken[2] || y->slot != op->slot || y->chan != op->chan || y->n != op->n || y->ctx != op->ctx))
    return "yield shows another wavefront than was answered";
  return NULL;
}

/* An error of a burst and `fail` of dcount set `failed` in the next cycle. */
static const char *watch_failed(const struct oracle *o, const struct hd_chan_out *out) {
  if (memcmp(out->failed, o->failed, o->cfg.num_chan) != 0)
    return "failed does not follow an error, or is set without one";
  if (memcmp(out->never, o->never, o->cfg.num_chan) != 0)
    return "never does not follow an answer, or is set without one";
  return NULL;
}

/* The oldest burst is answered. It is published even if its channel fails in the same cycle. */
static void learn_answer(struct oracle *o, const struct hd_chan_in *in) {
  const struct burst b = o->burst[0];
  o->lands = (struct burst){0};
  if (in->mem.b_valid && o->bursts && b.chan < CHANS) {
    if (!in->mem.b_error && !o->failed[b.chan]) o->lands = b;
    o->failed[b.chan] |= in->mem.b_error;
  }
  for (unsigned c = 0; c < o->cfg.num_chan; c++) o->failed[c] |= in->fail[c];
}

static const char *watch_taken(struct oracle *o, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  unsigned n = 0;
  o->op[1] = o->op[0];
  o->taken[1] = o->taken[0];
  o->taken[0] = 0;
  o->head = o->taken[1] && o->op[1].chan < o->cfg.num_chan ? in->head[o->op[1].chan] : 0;
  for (unsigned k = 0; k < o->cfg.chan_clients; k++) {
    if (!in->op_valid[k] || !out->op_ready[k]) continue;
    o->op[0] = in->op[k];
    o->taken[0] = (uint8_t)(k + 1);
    n++;
  }
  return n > 1 ? "two operations in one cycle" : NULL;
}

/* ---- waiting operations ---- */

/* Returns true if this kind of operation certainly has room. Each waiting run of elements has at least one that is not
 * written. */
static bool has_room(const struct oracle *o, const struct hd_chan_in *in, unsigned kind) {
  if (in->set_valid) return false;
  if (kind == HD_CHOP_ENQ) return o->unwritten + 3 <= o->cfg.chan_runs;
  return kind == HD_CHOP_YIELD || in->done_room;
}

/* An operation with room waits for at most one operation of each other client. */
static const char *watch_waits(struct oracle *o, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  const char *rule = NULL;
  for (unsigned k = 0; k < o->cfg.chan_clients; k++) {
    if (!in->op_valid[k] || out->op_ready[k]) {
      o->waits[k] = 0;
    } else if (has_room(o, in, in->op[k].kind) && ++o->waits[k] == o->cfg.chan_clients) {
      o->waits[k] = 0;
      rule = "an operation that has room is not accepted";
    }
  }
  return rule;
}

/* ---- control arrays ---- */

static unsigned channel_at(const struct oracle *o, uint64_t addr) {
  for (unsigned c = 0; c < o->cfg.num_chan; c++)
    if (o->chan[c].capacity && addr - 128 * o->control[c] < 4u * o->chan[c].capacity) return c;
  return NO_CLIENT;
}

static const char *watch_beat(struct oracle *o, const struct hd_membeat *b) {
  const unsigned chan = channel_at(o, o->addr);
  if (chan == NO_CLIENT) return "a write outside the control arrays";
  const struct hd_channel_rules *c = &o->chan[chan];
  for (unsigned k = 0; k < 8; k++) {
    const uint32_t place = (uint32_t)(o->addr - 128 * o->control[chan]) / 2 + k;
    const uint16_t value = (uint16_t)((k < 4 ? b->lo : b->hi) >> 16 * (k % 4)), strb = b->strb >> 2 * k & 3;
    if (!strb) continue;
    if (strb != 3 || place != (o->written[chan] & (2 * c->capacity - 1)))
      return "control places are written out of order";
    if (o->written[chan]++ == c->reserved) return "a control place is written that was not assigned";
    o->unwritten--;
    if (value != hd_channel_place(c, place)) return "an offset is written that differs from the enqueued one";
  }
  if (o->bursts) o->burst[o->bursts - 1].entries += (uint8_t)(__builtin_popcount(b->strb) / 2);
  o->addr += 16;
  return NULL;
}

/* Enqueued elements are written as soon as the memory accepts them: while the port is free, no line waits longer than
 * FILLED cycles. */
static const char *watch_port(struct oracle *o, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  const bool can = o->unwritten && !out->mem.valid && !o->beats && o->bursts < o->cfg.chan_flight;
  o->silent = (uint8_t)(can ? o->silent + 1 : 0);
  if (in->mem.b_valid && o->bursts) memmove(o->burst, o->burst + 1, --o->bursts * sizeof *o->burst);
  if (out->mem.valid && in->mem.ready && o->bursts <= HD_MAX_CHAN_FLIGHT) {
    o->addr = out->mem.req.addr;
    o->beats = (uint8_t)(out->mem.req.len + 1);
    o->burst[o->bursts++] = (struct burst){.chan = (uint8_t)channel_at(o, o->addr)};
  }
  o->beats = (uint8_t)(o->beats - in->mem.take);
  if (o->silent < FILLED) return NULL;
  o->silent = 0;
  return "enqueued elements are not sent though the port is free";
}

static const char *watch_pub(struct oracle *o, const struct hd_chan_out *out) {
  struct hd_channel_rules *c = &o->chan[out->pub_chan];
  if (out->quiet != (!o->unwritten && !o->bursts))
    return "quiet is set while elements are in flight, or clear while none are";
  if (!out->pub_valid) return o->lands.entries ? "elements written to memory are not published" : NULL;
  if (out->pub_chan != o->lands.chan || out->pub_count != o->lands.entries)
    return "elements are published that were not written to memory";
  return hd_channel_publish(c, out->pub_count);
}

/* Dispatches all published elements at once, since dispatches do not show at the ports of chan. */
static void dispatch_all(struct hd_channel_rules *c) {
  hd_channel_dispatch(c, c->dispatched & (2 * c->capacity - 1), hd_channel_ready(c));
}

const char *hd_chan_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_chan_in *in = in_;
  const struct hd_chan_out *out = out_;
  (void)cycle;
  const char *waits = watch_waits(o, in, out); /* uses the state at the start of the cycle */
  const char *reported = watch_reports(o, out), *failed = watch_failed(o, out);
  const char *pub = watch_pub(o, out), *rule = watch_answer(o, out);
  if (!rule) rule = reported ? reported : failed ? failed : waits ? waits : pub;
  learn_answer(o, in);
  if (out->pub_valid && !rule) dispatch_all(&o->chan[out->pub_chan]);
  if (in->mem.take && !rule) rule = watch_beat(o, &out->mem.wbeat);
  const char *port = watch_port(o, in, out);
  if (!rule) rule = port;
  if (!rule) rule = watch_taken(o, in, out);
  if (in->set_valid) {
    hd_channel_rules_init(&o->chan[in->set.chan], UINT32_C(1) << in->set.cap, o->cfg.done_grain);
    o->control[in->set.chan] = in->set.control;
  }
  return rule;
}
