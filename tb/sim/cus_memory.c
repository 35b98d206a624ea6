/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory behind the apu: the bytes of control arrays and done counts, accessed through the L2 like by another
 * SMX. */
#include <stdlib.h>
#include <string.h>

#include "sim/cus_inside.h"

/* ---- addresses of arrays ---- */

static uint64_t lay(struct hd_cus *s, uint64_t bytes) {
  uint64_t align = 128;
  while (align < bytes) align *= 2;
  const uint64_t at = (s->cost->end + align - 1) & ~(align - 1);
  s->cost->end = at + bytes;
  return at;
}

bool hd_cus_place(struct hd_cus *s) {
  struct hd_channels *g = s->g;
  for (uint32_t c = 0; c < g->chans; c++) s->control[c] = lay(s, 4ull * g->node[g->chan[c].node].capacity);
  for (uint32_t c = 0; c < g->chans; c++) {
    const uint64_t counts = g->node[g->chan[c].node].capacity / s->cfg.done_grain;
    s->done[c] = lay(s, counts < HD_AXI_BEAT ? HD_AXI_BEAT : counts);
  }
  s->size = s->cost->end - s->control[0];
  s->bytes = calloc(1, s->size + HD_COST_LINE);
  for (uint32_t c = 0; c < g->chans; c++) {
    const struct hd_chn_node *n = &g->node[g->chan[c].node];
    const uint32_t apart = (n->bytes + HD_COST_LINE - 1) / HD_COST_LINE * HD_COST_LINE;
    hd_cost_row(s->cost, g->chan[c].data, (size_t)n->capacity * n->bytes, n->bytes, s->o.padded ? apart : n->bytes,
                HD_COST_LINE);
  }
  s->context = lay(s, (uint64_t)s->cfg.chan_recs * s->o.context);
  return s->bytes != NULL;
}

static uint8_t *at(const struct hd_cus *s, uint64_t address) {
  const uint64_t k = address - s->control[0];
  return s->bytes + (k < s->size ? k : s->size);
}

uint16_t hd_cus_control(const struct hd_cus *s, uint32_t chan, uint32_t place) {
  const uint8_t *p = at(s, s->control[chan] + 2 * (uint64_t)place);
  return (uint16_t)(p[0] | p[1] << 8);
}

/* ---- bursts ---- */

static struct hd_cus_burst *burst(struct hd_cus_bursts *q, uint32_t k) {
  return &q->burst[(q->first + k) % HD_CUS_BURSTS];
}

static void push(struct hd_cus_bursts *q, struct hd_cus_burst b) {
  if (q->n > 0 && b.due < burst(q, q->n - 1)->due) b.due = burst(q, q->n - 1)->due;
  q->n++;
  *burst(q, q->n - 1) = b;
}

static void pop(struct hd_cus_bursts *q) {
  q->first = (q->first + 1) % HD_CUS_BURSTS;
  q->n--;
}

/* Returns the cycle in which all lines of a burst are in the L2 (stores) or have arrived (loads). */
static uint64_t move(struct hd_cus *s, uint64_t address, uint32_t beats, bool store) {
  const uint64_t first = address / HD_COST_LINE, last = (address + beats * HD_AXI_BEAT - 1) / HD_COST_LINE;
  struct hd_memsys_sends sends = {.store = store, .free = s->now};
  uint64_t due = s->now + 1;
  for (uint64_t line = first; line <= last; line++) {
    const uint32_t l = (uint32_t)line;
    sends.sent = 0;
    hd_memsys_send(s->memory, s->cfg.num_cu, s->now, UINT64_MAX, &l, 1, &sends);
    const uint64_t there = store ? sends.free - 1 + s->memory_opts.l2_latency : sends.slowest;
    if (there > due) due = there;
  }
  return due;
}

static uint64_t word(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v |= (uint64_t)p[k] << 8 * k;
  return v;
}

void hd_cus_memory_drive(struct hd_cus *s) {
  struct hd_apu_in *in = &s->in;
  const struct hd_cus_burst *w = burst(&s->write, 0), *r = burst(&s->read, 0);
  in->awready = s->write.n + s->filling.n < HD_CUS_BURSTS - 1;
  in->wready = s->filling.n > 0;
  in->arready = s->read.n < HD_CUS_BURSTS - 1;
  in->bvalid = s->write.n > 0 && w->due <= s->now;
  in->bid = in->bvalid ? w->id : 0;
  in->rvalid = s->read.n > 0 && r->due <= s->now;
  in->rid = in->rvalid ? r->id : 0;
  in->rlast = in->rvalid && r->beats == 1;
  in->rdata[0] = in->rvalid ? word(at(s, r->address)) : 0;
  in->rdata[1] = in->rvalid ? word(at(s, r->address) + 8) : 0;
}

static void put(struct hd_cus *s, const struct hd_apu_out *out) {
  struct hd_cus_burst *b = burst(&s->filling, 0);
  uint8_t *p = at(s, b->address + (uint64_t)b->beats * HD_AXI_BEAT);
  for (unsigned k = 0; k < HD_AXI_BEAT; k++)
    if (out->wstrb >> k & 1) p[k] = (uint8_t)((k < 8 ? out->wdata[0] : out->wdata[1]) >> 8 * (k % 8));
  b->beats++;
  if (!out->wlast) return;
  b->due = move(s, b->address, b->beats, true);
  push(&s->write, *b);
  pop(&s->filling);
}

void hd_cus_memory_follow(struct hd_cus *s, const struct hd_apu_out *out) {
  const struct hd_apu_in *in = &s->in;
  if (in->bvalid) pop(&s->write);
  if (in->rvalid) {
    struct hd_cus_burst *r = burst(&s->read, 0);
    r->address += HD_AXI_BEAT;
    if (--r->beats == 0) pop(&s->read);
  }
  if (out->wvalid && in->wready) put(s, out);
  if (out->awvalid && in->awready) push(&s->filling, (struct hd_cus_burst){out->awaddr, 0, out->awid, 0});
  if (out->arvalid && in->arready) {
    const uint8_t beats = (uint8_t)(out->arlen + 1);
    push(&s->read, (struct hd_cus_burst){out->araddr, move(s, out->araddr, beats, false), out->arid, beats});
  }
}
