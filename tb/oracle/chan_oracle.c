/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/chan_oracle.h"

#include "gen/hd_chan_ports.h"
#include "oracle/channel_rules.h"

enum { CHANS = HD_MAX_NUM_CHAN, NOBODY = 255 };
enum { FILLED = 64 + 8 }; /* cycles after which a line is full, or nothing comes into it, and on its way */

struct oracle {
  struct hd_cfg cfg;
  uint64_t control[CHANS];
  struct hd_chanop op[2]; /* taken one and two cycles ago */
  uint8_t taken[2];       /* by 1 + the client; 0: none */
  uint64_t addr;          /* of the beat that is written next */
  uint32_t written[CHANS];
  uint8_t beats, silent; /* of a burst that are still to come; cycles in which something could be sent and is not */
  uint16_t bursts;       /* without an answer */
  uint32_t unwritten;    /* elements that are enqueued and not written, of all channels */
  uint8_t waits[HD_MAX_CHAN_CLIENTS]; /* cycles in which its operation had room and another was taken */
  struct hd_channel_rules chan[];     /* as many as the configuration has: they are large */
};

HD_BLOCK_ORACLE_STATE_AND(chan, cfg->num_chan * sizeof(struct hd_channel_rules))

/* ---- answers ---- */

static const char *follow(struct oracle *o, const struct hd_chanop *op, const struct hd_chananswer *a) {
  struct hd_channel_rules *c = &o->chan[op->chan];
  if (a->kind != op->kind || a->slot != op->slot) return "an answer to something else";
  if (a->code != HD_CHCODE_OK) return NULL;
  if (!c->capacity) return "a channel that is not set up does something";
  switch (op->kind) {
    case HD_CHOP_TALLOC:
      return hd_channel_reserve(c, a->base, op->n);
    case HD_CHOP_ENQ:
      o->unwritten += op->n;
      return hd_channel_enqueue(c, op->off, op->n);
    case HD_CHOP_TFREE:
      return hd_channel_done(c, op->off, op->n);
    default:
      return NULL;
  }
}

static const char *watch_answer(struct oracle *o, const struct hd_chan_out *out) {
  for (unsigned k = 0; k < o->cfg.chan_clients; k++)
    if (out->answer_valid[k] != (o->taken[1] == k + 1)) return "an answer too much, or one that does not come";
  return o->taken[1] ? follow(o, &o->op[1], &out->answer) : NULL;
}

static const char *watch_taken(struct oracle *o, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  unsigned n = 0;
  o->op[1] = o->op[0];
  o->taken[1] = o->taken[0];
  o->taken[0] = 0;
  for (unsigned k = 0; k < o->cfg.chan_clients; k++) {
    if (!in->op_valid[k] || !out->op_ready[k]) continue;
    o->op[0] = in->op[k];
    o->taken[0] = (uint8_t)(k + 1);
    n++;
  }
  return n > 1 ? "two operations in one cycle" : NULL;
}

/* ---- who waits ---- */

/* What this kind of operation needs surely has room: each run that waits has an element that is not written. */
static bool has_room(const struct oracle *o, const struct hd_chan_in *in, unsigned kind) {
  if (in->set_valid) return false;
  if (kind == HD_CHOP_ENQ) return o->unwritten + 3 <= o->cfg.chan_runs;
  return kind == HD_CHOP_YIELD || in->done_room;
}

/* One with room waits for one operation of each other client at most. */
static const char *watch_waits(struct oracle *o, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  const char *rule = NULL;
  for (unsigned k = 0; k < o->cfg.chan_clients; k++) {
    if (!in->op_valid[k] || out->op_ready[k]) {
      o->waits[k] = 0;
    } else if (has_room(o, in, in->op[k].kind) && ++o->waits[k] == o->cfg.chan_clients) {
      o->waits[k] = 0;
      rule = "an operation that has room is not taken";
    }
  }
  return rule;
}

/* ---- control arrays ---- */

static unsigned channel_at(const struct oracle *o, uint64_t addr) {
  for (unsigned c = 0; c < o->cfg.num_chan; c++)
    if (o->chan[c].capacity && addr - 128 * o->control[c] < 4u * o->chan[c].capacity) return c;
  return NOBODY;
}

static const char *watch_beat(struct oracle *o, const struct hd_membeat *b) {
  const unsigned chan = channel_at(o, o->addr);
  if (chan == NOBODY) return "a write outside the control arrays";
  const struct hd_channel_rules *c = &o->chan[chan];
  for (unsigned k = 0; k < 8; k++) {
    const uint32_t place = (uint32_t)(o->addr - 128 * o->control[chan]) / 2 + k;
    const uint16_t value = (uint16_t)((k < 4 ? b->lo : b->hi) >> 16 * (k % 4)), strb = b->strb >> 2 * k & 3;
    if (!strb) continue;
    if (strb != 3 || place != (o->written[chan] & (2 * c->capacity - 1)))
      return "control places are written out of order";
    if (o->written[chan]++ == c->reserved) return "a control place is written that was not given away";
    o->unwritten--;
    if (value != hd_channel_place(c, place)) return "another offset is written than was enqueued";
  }
  o->addr += 16;
  return NULL;
}

/* What is enqueued is written as soon as the memory takes it: when the port is free, no line waits for longer than it
 * takes to fill it. */
static const char *watch_port(struct oracle *o, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  const bool can = o->unwritten && !out->req_valid && !o->beats && o->bursts < o->cfg.chan_flight;
  o->silent = (uint8_t)(can ? o->silent + 1 : 0);
  if (out->req_valid && in->req_ready) {
    o->addr = out->req.addr;
    o->beats = (uint8_t)(out->req.len + 1);
    o->bursts++;
  }
  o->beats = (uint8_t)(o->beats - in->wbeat_take);
  o->bursts = (uint16_t)(o->bursts - in->b_valid);
  if (o->silent < FILLED) return NULL;
  o->silent = 0;
  return "nothing is sent while something waits to be";
}

static const char *watch_pub(struct oracle *o, const struct hd_chan_out *out) {
  struct hd_channel_rules *c = &o->chan[out->pub_chan];
  if (!out->pub_valid) return NULL;
  if (out->pub_count > o->written[out->pub_chan] - c->published) return "something is published that is not written";
  return hd_channel_publish(c, out->pub_count);
}

/* All that is published may be dispatched at once. */
static void dispatch_all(struct hd_channel_rules *c) {
  hd_channel_dispatch(c, c->dispatched & (2 * c->capacity - 1), hd_channel_ready(c));
}

const char *hd_chan_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_chan_in *in = in_;
  const struct hd_chan_out *out = out_;
  (void)cycle;
  const char *waits = watch_waits(o, in, out); /* by what there was at the start of the cycle */
  const char *rule = watch_answer(o, out), *pub = watch_pub(o, out);
  if (!rule) rule = waits ? waits : pub;
  if (out->pub_valid && !rule) dispatch_all(&o->chan[out->pub_chan]);
  if (in->wbeat_take && !rule) rule = watch_beat(o, &out->wbeat);
  const char *port = watch_port(o, in, out);
  if (!rule) rule = port;
  if (!rule) rule = watch_taken(o, in, out);
  if (in->set_valid) {
    hd_channel_rules_init(&o->chan[in->set.chan], UINT32_C(1) << in->set.cap, o->cfg.done_grain);
    o->control[in->set.chan] = in->set.control;
  }
  return rule;
}
