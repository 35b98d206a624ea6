/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The steps of a wavefront: it loads its elements; its kernel is called, and called again each time that requested room
 * is granted; it stores and publishes its new elements, frees its own elements and ends. If there is no room, it saves
 * its context and yields. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cus_inside.h"

enum { WORK_BEGIN = 16, WORK_OP = 4, PIECE = 16 }; /* instructions; PIECE: bytes that a lane loads or stores at once */

static struct hd_cus_wave *wave_of(struct hd_cus *s, uint32_t cu, uint32_t slot) {
  return &s->wave[hd_cus_number(s, cu, slot)];
}

/* The wavefront executes the reported work, then the step `then`. */
static void take(struct hd_cus *s, struct hd_cus_wave *w, enum hd_cus_then then) {
  hd_cost_take(s->cost, &w->trace);
  if (s->cost->out) hd_cus_fail(s, "out of memory");
  if (s->cost->unknown) hd_cus_fail(s, "a kernel accessed an address outside all known memory");
  w->op = 0;
  w->then = then;
}

static void ask(struct hd_cus *s, struct hd_cus_wave *w, struct hd_chanop op) {
  if (w->chops == w->chops_room) {
    const uint32_t room = w->chops_room == 0 ? 64 : 2 * w->chops_room;
    struct hd_chanop *p = realloc(w->chop, room * sizeof *p);
    if (p == NULL) {
      hd_cus_fail(s, "out of memory");
      return;
    }
    w->chop = p;
    w->chops_room = room;
  }
  w->chop[w->chops++] = op;
}

/* ---- loads and stores ---- */

/* Reports accesses to elements of a channel, one per lane. */
static void elements(struct hd_cus *s, uint32_t chan, const uint16_t *place, uint32_t n, bool store) {
  const struct hd_chn_channel *c = &s->g->chan[chan];
  const uint32_t bytes = s->g->node[c->node].bytes;
  for (uint32_t from = 0; from < bytes; from += PIECE) {
    const uint32_t upto = from + PIECE < bytes ? from + PIECE : bytes;
    for (uint32_t k = 0; k < n; k++) {
      hd_cost_touch(s->cost, c->data + (size_t)place[k] * bytes + from);
      hd_cost_touch(s->cost, c->data + (size_t)place[k] * bytes + upto - 1);
    }
    hd_cost_access(s->cost, store);
  }
}

static void context(struct hd_cus *s, uint32_t record, bool store) {
  const uint32_t lanes = s->cfg.wave_lanes;
  for (uint32_t at = 0; at < s->o.context; at += lanes * PIECE) {
    for (uint32_t k = at; k < at + lanes * PIECE && k < s->o.context; k += HD_COST_LINE)
      hd_cost_touch_address(s->cost, s->context + (uint64_t)record * s->o.context + k);
    hd_cost_access(s->cost, store);
  }
}

static void made(struct hd_cus *s, const struct hd_chn_grant *grant) {
  uint16_t place[HD_CUS_SLOTS];
  for (uint32_t at = 0; at < grant->n; at += s->cfg.wave_lanes) {
    uint32_t n = 0;
    for (; n < s->cfg.wave_lanes && at + n < grant->n; n++) place[n] = (uint16_t)(grant->place + at + n);
    elements(s, grant->chan, place, n, true);
  }
}

/* ---- start ---- */

static void begin(struct hd_cus *s, struct hd_cus_wave *w, const struct hd_chango *go) {
  const uint32_t mask = 2 * s->g->node[s->g->chan[go->own].node].capacity - 1;
  uint16_t place[HD_CUS_SLOTS];
  hd_cost_work(s->cost, WORK_BEGIN);
  for (uint32_t k = 0; k < go->count; k++) {
    place[k] = hd_cus_control(s, go->own, (go->start + k) & mask);
    hd_cost_touch_address(s->cost, s->control[go->own] + 2 * ((go->start + k) & mask));
  }
  hd_cost_access(s->cost, false);
  elements(s, go->own, place, go->count, false);
  w->record = hd_chn_begin(s->g, go->own, go->start, go->count, place);
  if (w->record == HD_CHN_NONE) hd_cus_fail(s, "more wavefronts than records");
  s->chan[go->own].ready -= go->count;
  s->chan[go->own].alive++;
  s->unsent -= go->count;
}

void hd_cus_go(struct hd_cus *s, const struct hd_chango *go) {
  struct hd_cus_wave *w = wave_of(s, go->cu, go->slot);
  w->chops = w->offered = w->answered = 0;
  w->stored = false;
  w->since = s->now;
  s->running++;
  s->cu[go->cu].running++;
  s->chan[go->own].runs++;
  s->changed = true;
  if (!go->restart) {
    begin(s, w, go);
  } else {
    s->waiting--;
    w->record = (uint32_t)go->ctx;
    if (go->code != HD_CHCODE_OK) hd_cus_fail(s, "a wavefront resumes before its wait is satisfied");
    s->chan[go->chan].live += s->g->wave[w->record].wants_n;
    hd_chn_deliver(s->g, w->record, go->base);
    hd_cost_work(s->cost, WORK_BEGIN);
    context(s, w->record, false);
  }
  if (s->failed) return;
  take(s, w, HD_CUS_CALL);
  hd_wheel_add(&s->wheel, hd_cus_number(s, go->cu, go->slot), s->now + 1);
}

/* ---- its kernel ---- */

static void want_room(struct hd_cus *s, struct hd_cus_wave *w) {
  const struct hd_channels_wave *of = &s->g->wave[w->record];
  hd_cost_work(s->cost, WORK_OP);
  take(s, w, HD_CUS_ROOM);
  ask(s, w, (struct hd_chanop){.kind = HD_CHOP_TALLOC, .chan = (uint8_t)of->wants, .n = (uint16_t)of->wants_n});
  for (uint32_t k = 1; k < of->count && s->o.per_lane; k++) /* requests of the other lanes, for timing: of 0 elements */
    ask(s, w, (struct hd_chanop){.kind = HD_CHOP_TALLOC, .chan = (uint8_t)of->wants});
}

static void publish(struct hd_cus *s, struct hd_cus_wave *w, const struct hd_chn_grant *grant) {
  const uint32_t lanes = s->o.per_lane ? s->g->wave[w->record].count : 1, each = (grant->n + lanes - 1) / lanes;
  for (uint32_t at = 0; at < grant->n; at += each)
    ask(s, w,
        (struct hd_chanop){.kind = HD_CHOP_ENQ,
                           .chan = (uint8_t)grant->chan,
                           .off = (uint16_t)(grant->place + at),
                           .n = (uint16_t)(at + each < grant->n ? each : grant->n - at)});
}

/* Frees the elements; adjacent ones in one operation. */
static void free_elements(struct hd_cus *s, struct hd_cus_wave *w) {
  const struct hd_channels_wave *of = &s->g->wave[w->record];
  for (uint32_t k = 0, n; k < of->count; k += n) {
    const uint32_t place = hd_chn_place(of, k);
    for (n = 1; !s->o.per_lane && k + n < of->count && hd_chn_place(of, k + n) == place + n;) n++;
    ask(s, w,
        (struct hd_chanop){.kind = HD_CHOP_TFREE, .chan = (uint8_t)of->own, .off = (uint16_t)place, .n = (uint16_t)n});
  }
}

static void finish(struct hd_cus *s, struct hd_cus_wave *w) {
  const struct hd_channels_wave *of = &s->g->wave[w->record];
  for (uint32_t k = 0; k < of->granted; k++) made(s, &of->grant[k]);
  hd_cost_work(s->cost, WORK_OP);
  take(s, w, HD_CUS_END);
  for (uint32_t turn = 0; turn < of->turns; turn++)
    for (uint32_t k = 0; k < of->granted; k++)
      if (of->grant[k].turn == turn) publish(s, w, &of->grant[k]);
  free_elements(s, w);
}

static void call(struct hd_cus *s, struct hd_cus_wave *w) {
  const bool over = hd_chn_call(s->g, w->record);
  if (hd_channels_code(s->g) != HD_CHANNELS_OK)
    hd_cus_fail(s, hd_channels_text(s->g));
  else if (over)
    finish(s, w);
  else
    want_room(s, w);
}

/* ---- answers about room ---- */

static void room(struct hd_cus *s, struct hd_cus_wave *w) {
  const struct hd_channels_wave *of = &s->g->wave[w->record];
  if (w->answer.code == HD_CHCODE_OK) {
    s->chan[of->wants].live += of->wants_n;
    hd_chn_deliver(s->g, w->record, w->answer.base);
    call(s, w);
  } else if (w->answer.code == HD_CHCODE_NO_ROOM) {
    hd_chn_count_yield(s->g, w->record);
    context(s, w->record, true);
    take(s, w, HD_CUS_LEAVE);
    ask(s, w,
        (struct hd_chanop){
            .kind = HD_CHOP_YIELD, .chan = (uint8_t)of->wants, .n = (uint16_t)of->wants_n, .ctx = w->record});
  } else {
    hd_cus_fail(s, "a wavefront requested more than a channel holds");
  }
}

static void leave(struct hd_cus *s, uint32_t cu, struct hd_cus_wave *w) {
  if (w->answer.code != HD_CHCODE_OK) hd_cus_fail(s, "a wavefront cannot yield");
  s->r->wave_cycles += s->now - w->since;
  s->chan[s->g->wave[w->record].own].runs--;
  s->running--;
  s->cu[cu].running--;
  s->waiting++;
  s->changed = true;
}

void hd_cus_answer(struct hd_cus *s, uint32_t cu, const struct hd_chananswer *answer) {
  struct hd_cus_wave *w = wave_of(s, cu, answer->slot);
  if (w->answered == 0) w->answer = *answer;
  if (answer->code != HD_CHCODE_OK && w->then == HD_CUS_END) hd_cus_fail(s, "elements cannot be published or freed");
  if (++w->answered < w->chops || s->failed) return;
  w->chops = w->offered = w->answered = 0;
  if (w->then == HD_CUS_LEAVE)
    leave(s, cu, w);
  else
    hd_wheel_add(&s->wheel, hd_cus_number(s, cu, answer->slot), s->now + 1);
}

/* ---- progress ---- */

/* Offers its operations from now on; an ideal aggregator would already know them. */
static void offer(struct hd_cus *s, uint32_t cu, uint32_t slot, const struct hd_cus_wave *w) {
  for (uint32_t k = 0; k < w->chops; k++) {
    struct hd_cus_chan *c = &s->chan[w->chop[k].chan];
    if (w->chop[k].kind == HD_CHOP_ENQ) {
      c->ready += w->chop[k].n;
      s->unsent += w->chop[k].n;
    }
    if (w->chop[k].kind == HD_CHOP_TFREE) c->live -= w->chop[k].n;
  }
  s->changed = true;
  hd_cus_push(&s->cu[cu].ops, slot);
}

static void end(struct hd_cus *s, uint32_t cu, uint32_t slot, const struct hd_cus_wave *w) {
  s->r->wave_cycles += s->now - w->since;
  s->chan[s->g->wave[w->record].own].alive--;
  s->chan[s->g->wave[w->record].own].runs--;
  hd_chn_end(s->g, w->record);
  s->running--;
  s->cu[cu].running--;
  s->changed = true;
  hd_cus_push(&s->cu[cu].ends, slot);
}

void hd_cus_go_on(struct hd_cus *s, uint32_t cu, uint32_t slot) {
  struct hd_cus_wave *w = wave_of(s, cu, slot);
  while (!s->failed) {
    if (w->op < w->trace.ops) {
      w->left = w->trace.op[w->op].work;
      w->line = 0;
      w->slowest = 0;
      s->cu[cu].ready |= UINT64_C(1) << slot;
      return;
    }
    if (w->chops > 0) {
      if (w->stored) /* the stores are in the L2 before the operations can be seen */
        hd_wheel_add(&s->wheel, hd_cus_number(s, cu, slot), s->now + s->memory_opts.l2_latency);
      else
        offer(s, cu, slot, w);
      w->stored = false;
      return;
    }
    if (w->then == HD_CUS_END) {
      end(s, cu, slot, w);
      return;
    }
    if (w->then == HD_CUS_CALL)
      call(s, w);
    else
      room(s, w);
  }
}

void hd_cus_access(struct hd_cus *s, uint32_t cu, uint32_t slot) {
  struct hd_cus_wave *w = wave_of(s, cu, slot);
  if (w->trace.op[w->op].lines != 0) {
    hd_cus_push(&s->cu[cu].unit, slot);
    return;
  }
  w->op++;
  hd_cus_go_on(s, cu, slot);
}
