/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/cus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cus_inside.h"

enum { STILL = 200000 }; /* cycles without progress of any wavefront after which the run is stuck */

struct hd_memsys_opts hd_cus_memory(void) {
  return (struct hd_memsys_opts){.line = HD_COST_LINE,
                                 .coherent = true,
                                 .l1_kb = 16,
                                 .l1_ways = 16,
                                 .l1_latency = 4,
                                 .mshrs = 64,
                                 .merges = 64,
                                 .port_cycles = 1,
                                 .stores = 64,
                                 .l2_kb = 1024,
                                 .l2_ways = 16,
                                 .l2_parts = 8,
                                 .l2_latency = 16,
                                 .l2_cycles = 1,
                                 .dram_latency = 16 + 30,
                                 .dram_bandwidth = 20,
                                 .dram_queue = 32};
}

void hd_cus_fail(struct hd_cus *s, const char *text) {
  if (s->failed) return;
  s->failed = true;
  snprintf(s->err, s->err_size, "%s", text);
}

/* ---- the dispatch decisions of an ideal aggregator, which takes no time ---- */

static uint32_t threshold(const struct hd_cus *s, uint32_t chan) {
  const uint32_t capacity = s->g->node[s->g->chan[chan].node].capacity;
  return capacity < s->cfg.wave_lanes ? capacity : s->cfg.wave_lanes;
}

/* Returns true if a wavefront that may publish into channel c runs: one of a channel of a shallower level, or, if c is
 * levelized, of an earlier channel of its own level. */
static bool has_producer(const struct hd_cus *s, uint32_t c) {
  const struct hd_chn_channel *own = &s->g->chan[c];
  for (uint32_t d = 0; d < c; d++)
    if (s->chan[d].runs > 0 && (s->g->chan[d].level < own->level || s->g->node[own->node].levelized)) return true;
  return false;
}

uint64_t hd_cus_could_go(const struct hd_cus *s) {
  uint64_t n = 0;
  bool busy = false, deeper = false; /* work on this level or a deeper one; on a deeper one */
  for (uint32_t c = s->g->chans; c-- > 0;) {
    const struct hd_cus_chan *k = &s->chan[c];
    if (c + 1 < s->g->chans && s->g->chan[c].level != s->g->chan[c + 1].level) deeper = busy;
    busy = busy || k->live > 0 || k->alive > 0;
    if (deeper && s->g->node[s->g->chan[c].node].levelized) continue;
    n += k->ready / threshold(s, c);
    n += k->ready % threshold(s, c) > 0 && !has_producer(s, c);
  }
  return n;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Counts blocked CUs: a wavefront could be dispatched to them. */
static void account(struct hd_cus *s, const struct hd_apu_out *out) {
  uint64_t room = 0, empty = 0;
  for (uint32_t u = 0; u < s->cfg.num_cu; u++) {
    const bool goes = out->go_valid && out->go.cu == u;
    s->r->empty += s->cu[u].running == 0;
    empty += s->cu[u].running == 0 && !goes;
    room += s->cu[u].running < s->cfg.waves_per_cu && !goes;
  }
  s->r->blocked += least(room, s->could);
  s->r->idle += least(empty, s->could);
}

/* ---- the host ---- */

static void set_up(struct hd_cus *s) {
  struct hd_apu_in *in = &s->in;
  const uint32_t c = (uint32_t)s->now;
  in->set_valid = s->now < s->g->chans;
  memset(&in->set, 0, sizeof in->set);
  if (!in->set_valid) return;
  const struct hd_chn_node *n = &s->g->node[s->g->chan[c].node];
  in->set = (struct hd_chanset){.chan = (uint8_t)c,
                                .cap = (uint8_t)__builtin_ctz(n->capacity),
                                .level = (uint8_t)s->g->chan[c].level,
                                .levelized = n->levelized,
                                .threshold = (uint8_t)threshold(s, c),
                                .control = s->control[c] / 128,
                                .done = s->done[c] / 128};
}

/* Returns the number of operations that repeat the host's input: a reservation and a publication for each grant. */
static uint32_t host_ops(const struct hd_cus *s) {
  return 2 * s->g->host.granted;
}

static struct hd_chanop host_op(const struct hd_cus *s) {
  const struct hd_chn_grant *grant = &s->g->host.grant[s->host / 2];
  return (struct hd_chanop){.kind = s->host % 2 == 0 ? HD_CHOP_TALLOC : HD_CHOP_ENQ,
                            .chan = (uint8_t)grant->chan,
                            .off = (uint16_t)(s->host % 2 == 0 ? 0 : grant->place),
                            .n = (uint16_t)grant->n};
}

static void host_answer(struct hd_cus *s, const struct hd_chananswer *answer) {
  const struct hd_chn_grant *grant = &s->g->host.grant[s->host / 2];
  if (answer->code != HD_CHCODE_OK || (s->host % 2 == 0 && answer->base != grant->place))
    hd_cus_fail(s, "the host's input has no room, or another address");
  if (s->host % 2 == 0) s->chan[grant->chan].live += grant->n;
  s->host++;
}

static void host_publishes(struct hd_cus *s) {
  const struct hd_chn_grant *grant = &s->g->host.grant[s->host / 2];
  s->chan[grant->chan].ready += grant->n;
  s->unsent += grant->n;
  s->changed = true;
}

/* ---- operations and ends ---- */

static struct hd_cus_wave *first(const struct hd_cus *s, uint32_t u, const struct hd_cus_queue *q) {
  return &s->wave[hd_cus_number(s, u, q->slot[q->first])];
}

/* The host's operations come first, before any wavefront runs. `asked`: one was accepted and is not answered yet. */
static void drive(struct hd_cus *s, bool asked) {
  struct hd_apu_in *in = &s->in;
  set_up(s);
  for (uint32_t u = 0; u < s->cfg.num_cu; u++) {
    const struct hd_cus_cu *cu = &s->cu[u];
    in->op_valid[u] = cu->ops.n > 0;
    memset(&in->op[u], 0, sizeof in->op[u]);
    if (in->op_valid[u]) {
      const struct hd_cus_wave *w = first(s, u, &cu->ops);
      in->op[u] = w->chop[w->offered];
      in->op[u].slot = cu->ops.slot[cu->ops.first];
    }
    in->end_valid[u] = cu->ends.n > 0;
    in->end_slot[u] = in->end_valid[u] ? cu->ends.slot[cu->ends.first] : 0;
  }
  if (s->now > s->g->chans && s->host < host_ops(s) && !asked) {
    in->op_valid[0] = 1;
    in->op[0] = host_op(s);
  }
  hd_cus_memory_drive(s);
}

static void follow(struct hd_cus *s, const struct hd_apu_out *out, bool *asked) {
  const bool host = s->host < host_ops(s);
  for (uint32_t u = 0; u < s->cfg.num_cu; u++) {
    struct hd_cus_cu *cu = &s->cu[u];
    if (s->in.op_valid[u] && out->op_ready[u]) {
      s->r->ops++;
      if (host) {
        *asked = true;
        if (s->host % 2 == 1) host_publishes(s);
      } else {
        struct hd_cus_wave *w = first(s, u, &cu->ops);
        if (++w->offered == w->chops) hd_cus_pop(&cu->ops);
      }
    }
    if (s->in.end_valid[u] && out->end_ready[u]) hd_cus_pop(&cu->ends);
    if (!out->answer_valid[u]) continue;
    if (!host) {
      hd_cus_answer(s, u, &out->answer);
    } else {
      *asked = false;
      host_answer(s, &out->answer);
    }
  }
  hd_cus_memory_follow(s, out);
  if (out->go_valid) hd_cus_go(s, &out->go);
  if (out->bad) hd_cus_fail(s, "the apu received the end of an empty slot");
}

static void wake(struct hd_cus *s) {
  for (uint32_t k = hd_wheel_take(&s->wheel, s->now), next; k != HD_WHEEL_NONE; k = next) {
    next = hd_wheel_after(&s->wheel, k);
    if (s->wheel.cycle[k] > s->now)
      hd_wheel_add(&s->wheel, k, s->wheel.cycle[k]);
    else
      hd_cus_go_on(s, k / s->cfg.waves_per_cu, k % s->cfg.waves_per_cu);
  }
}

static bool over(const struct hd_cus *s) {
  bool ends = false;
  for (uint32_t u = 0; u < s->cfg.num_cu; u++) ends |= s->cu[u].ends.n > 0;
  return s->now > s->g->chans && s->host == host_ops(s) && s->running + s->waiting == 0 && s->unsent == 0 && !ends;
}

static enum hd_verdict loop(struct hd_cus *s) {
  uint64_t did = 0, instructions = 0;
  bool asked = false;
  enum hd_verdict v = HD_PASS;
  for (; v == HD_PASS && !s->failed && !over(s); s->now++) {
    const struct hd_apu_out *out = NULL;
    drive(s, asked);
    v = hd_cus_apu_cycle(s, &out);
    if (v != HD_PASS) break;
    account(s, out);
    follow(s, out, &asked);
    wake(s);
    hd_cus_units(s);
    hd_cus_issue(s);
    if (s->changed) s->could = hd_cus_could_go(s);
    s->changed = false;
    if (s->r->instructions != instructions) did = s->now;
    instructions = s->r->instructions;
    if (s->now - did > STILL) {
      hd_cus_fail(s, "no wavefront makes progress");
      return HD_STUCK;
    }
  }
  s->r->cycles = s->now;
  return s->failed ? HD_ORACLE : hd_cus_apu_finish(s, v);
}

/* ---- a run ---- */

static bool make(struct hd_cus *s) {
  char text[300];
  s->memory_opts = hd_cus_memory();
  s->memory = hd_memsys_new(&s->memory_opts, s->cfg.num_cu + 1, text, sizeof text);
  s->cu = calloc(s->cfg.num_cu, sizeof *s->cu);
  s->wave = calloc(s->cfg.chan_slots, sizeof *s->wave);
  if (s->memory == NULL || s->cu == NULL || s->wave == NULL || !hd_cus_place(s) ||
      !hd_wheel_init(&s->wheel, s->cfg.chan_slots))
    hd_cus_fail(s, "out of memory");
  return !s->failed && hd_cus_apu_open(s);
}

static void return_slot(struct hd_cus *s) {
  hd_cus_apu_close(s);
  for (uint32_t k = 0; s->wave != NULL && k < s->cfg.chan_slots; k++) {
    hd_cost_trace_free(&s->wave[k].trace);
    free(s->wave[k].chop);
  }
  hd_wheel_free(&s->wheel);
  hd_memsys_free(s->memory);
  free(s->bytes);
  free(s->wave);
  free(s->cu);
}

enum hd_verdict hd_cus_execute(struct hd_channels *g, const struct hd_cfg *cfg, const struct hd_cus_opts *o,
                               struct hd_cost *cost, struct hd_cus_result *r, char *err, size_t err_size) {
  enum hd_verdict v = HD_CONFIG;
  struct hd_cus *s = calloc(1, sizeof *s);
  *r = (struct hd_cus_result){0};
  if (s == NULL) {
    snprintf(err, err_size, "out of memory");
    return HD_CONFIG;
  }
  *s = (struct hd_cus){.g = g, .cfg = *cfg, .o = *o, .cost = cost, .r = r, .err = err, .err_size = err_size};
  hd_chn_drive(g);
  if (hd_channels_code(g) != HD_CHANNELS_OK)
    hd_cus_fail(s, hd_channels_text(g));
  else if (make(s)) {
    v = loop(s);
    r->memory = hd_memsys_counts(s->memory, s->now);
  }
  return_slot(s);
  free(s);
  return v;
}
