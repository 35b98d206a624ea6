/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/channel_figure.h"

#include <stdio.h>
#include <string.h>

#include "engine/config.h"
#include "gen/hd_apu_ports.h"
#include "gen/hd_types.h"

enum {
  ALL = HD_CHANNEL_FIGURE_ELEMENTS,
  WAVE = 4,
  LOG2_ALL = 3,
  BASE = 0x1000,
  CONTROL = BASE,
  DONE = BASE + 128,
  BYTES = 256,
  REST = 40,
  PATIENCE = 200,
  SLOT = 3
};

struct fixture {
  struct hd_sim *sim;
  struct hd_channel_figure *run;
  struct hd_apu_in in;
  struct hd_apu_out out; /* of the previous cycle */
  struct hd_chananswer answer;
  unsigned goes, entries; /* dispatches observed; entries written to the control array */
  char element[ALL + 1];
  uint64_t write_at, read_at;
  uint8_t write_id, read_id;
  bool answers, reads;
  uint8_t bytes[BYTES];
};

static void fail(struct fixture *r, const char *text) {
  if (r->run->verdict != HD_PASS) return;
  r->run->verdict = HD_ORACLE;
  snprintf(r->run->text, sizeof r->run->text, "%s", text);
}

/* ---- a memory that accepts one burst at a time and responds in the next cycle ---- */

static uint64_t word(const struct fixture *r, uint64_t at) {
  uint64_t w = 0;
  for (unsigned k = 0; k < 8; k++) w |= (uint64_t)r->bytes[(at - BASE + k) % BYTES] << 8 * k;
  return w;
}

static void drive_memory(struct fixture *r) {
  struct hd_apu_in *in = &r->in;
  in->awready = in->wready = in->arready = 1;
  in->bvalid = r->answers;
  in->bid = r->answers ? r->write_id : 0;
  in->rvalid = in->rlast = r->reads;
  in->rid = r->reads ? r->read_id : 0;
  in->rdata[0] = r->reads ? word(r, r->read_at) : 0;
  in->rdata[1] = r->reads ? word(r, r->read_at + 8) : 0;
  r->answers = r->reads = false;
}

static void follow_memory(struct fixture *r) {
  const struct hd_apu_out *o = &r->out;
  if (o->awvalid) {
    r->write_at = o->awaddr;
    r->write_id = o->awid;
  }
  for (unsigned k = 0; o->wvalid && k < 16; k++)
    if (o->wstrb >> k & 1)
      r->bytes[(r->write_at - BASE + k) % BYTES] = (uint8_t)((k < 8 ? o->wdata[0] : o->wdata[1]) >> 8 * (k % 8));
  if (o->wvalid) {
    r->write_at += 16;
    r->answers = o->wlast;
  }
  if (o->arvalid) {
    r->read_at = o->araddr;
    r->read_id = o->arid;
    r->reads = true;
  }
}

/* ---- steps ---- */

static unsigned entry(const struct fixture *r, unsigned place) {
  const uint8_t *e = r->bytes + (CONTROL - BASE) + 2 * (place % (2 * ALL));
  return e[0] + 256u * e[1];
}

/* The control array gives the elements of a dispatched wavefront. */
static void follow_go(struct fixture *r) {
  if (!r->out.go_valid) return;
  r->goes++;
  for (unsigned k = 0; k < r->out.go.count; k++) r->element[entry(r, r->out.go.start + k) % ALL] = 'D';
}

static void cycle(struct fixture *r) {
  const void *out = NULL;
  if (r->run->verdict != HD_PASS) return;
  drive_memory(r);
  r->run->verdict = hd_sim_cycle(r->sim, &r->in, &out);
  r->run->cycles++;
  if (r->run->verdict != HD_PASS) return;
  memcpy(&r->out, out, sizeof r->out);
  follow_memory(r);
  follow_go(r);
  for (unsigned u = 0; u < 2; u++)
    if (r->out.answer_valid[u]) r->answer = r->out.answer;
}

static void rest(struct fixture *r) {
  for (unsigned t = 0; t < REST; t++) cycle(r);
}

static void mark(struct fixture *r, unsigned from, unsigned n, char state) {
  for (unsigned k = from; k < from + n && k < ALL; k++) r->element[k] = state;
}

/* Performs an operation of wavefront w. */
static void op(struct fixture *r, unsigned w, enum hd_chop kind, unsigned off, unsigned n) {
  r->in.op[w] = (struct hd_chanop){.kind = (uint8_t)kind, .off = (uint16_t)off, .n = (uint16_t)n, .slot = SLOT};
  r->in.op_valid[w] = 1;
  unsigned t = 0;
  do cycle(r);
  while (!r->out.op_ready[w] && ++t < PATIENCE);
  r->in.op_valid[w] = 0;
  memset(&r->in.op[w], 0, sizeof r->in.op[w]);
  cycle(r);
  cycle(r);
}

static void reserve(struct fixture *r, unsigned w) {
  op(r, w, HD_CHOP_TALLOC, 0, WAVE);
  if (r->answer.code != HD_CHCODE_OK || r->answer.base != w * WAVE) fail(r, "no room, or room at another address");
  mark(r, r->answer.base, WAVE, 'r');
}

/* Publishes w's elements and waits until they are ready: until the write to the control array is acknowledged. */
static void publish(struct fixture *r, unsigned w) {
  op(r, w, HD_CHOP_ENQ, w * WAVE, WAVE);
  for (unsigned t = 0; t < PATIENCE && !r->in.bvalid; t++) cycle(r);
  if (!r->in.bvalid) fail(r, "the control array is not written");
  r->entries += WAVE;
  mark(r, w * WAVE, WAVE, 'R');
}

static void dispatch(struct fixture *r, unsigned goes) {
  for (unsigned t = 0; t < PATIENCE && r->goes < goes; t++) cycle(r);
  if (r->goes != goes) fail(r, "no wavefront was dispatched");
}

static void free_elements(struct fixture *r, unsigned w) {
  op(r, w, HD_CHOP_TFREE, w * WAVE, WAVE);
  mark(r, w * WAVE, WAVE, 'd');
}

static void play(struct fixture *r, unsigned step) {
  switch (step) {
    case 0:
    case 1:
      reserve(r, step);
      break;
    case 2:
      publish(r, 1);
      break;
    case 3:
      dispatch(r, 1);
      break;
    case 4:
      publish(r, 0);
      break;
    case 5:
      dispatch(r, 2);
      free_elements(r, 1);
      break;
    case 6:
      free_elements(r, 0);
      break;
    default:
      rest(r); /* the APU frees the space without a request */
  }
}

/* Steps at which the room is probed: when the elements of 1 are done, and at the end. */
enum { ONE_DONE = 5, END = HD_CHANNEL_FIGURE_STEPS - 1 };

static void look(struct fixture *r, unsigned step, struct hd_channel_figure_step *s) {
  s->cycle = r->run->cycles;
  for (unsigned k = 0; k < ALL; k++) s->control[k] = k < r->entries ? (char)('0' + entry(r, k) % 10) : '.';
  s->room = "-";
  if (step == ONE_DONE) rest(r);
  if (step == ONE_DONE || step == END) {
    op(r, 0, HD_CHOP_TALLOC, 0, ALL);
    const bool room = r->answer.code == HD_CHCODE_OK;
    if (room) mark(r, 0, ALL, '.');
    s->room = room ? "yes" : "no";
  }
  memcpy(s->element, r->element, sizeof s->element);
}

void hd_channel_figure_config(struct hd_cfg *cfg) {
  char err[200];
  hd_config_parse("tiny", cfg, err, sizeof err);
}

void hd_channel_figure_run(struct hd_sim *sim, struct hd_channel_figure *run) {
  struct fixture r = {.sim = sim, .run = run, .element = "........"};
  memset(run, 0, sizeof *run);
  r.in.set_valid = 1;
  r.in.set = (struct hd_chanset){.cap = LOG2_ALL, .threshold = WAVE, .control = CONTROL / 128, .done = DONE / 128};
  cycle(&r);
  r.in.set_valid = 0;
  memset(&r.in.set, 0, sizeof r.in.set);
  for (unsigned k = 0; k < HD_CHANNEL_FIGURE_STEPS; k++) {
    play(&r, k);
    if (run->verdict != HD_PASS) return;
    look(&r, k, &run->step[k]);
    if (run->verdict != HD_PASS) return;
    run->steps++;
  }
}

/* ---- the figure in the paper ---- */

static const struct {
  const char *time, *event, *element, *control, *room;
} figure[HD_CHANNEL_FIGURE_STEPS] = {{"t1", "0 reserves four", "rrrr....", "........", "-"},
                                     {"t2", "1 reserves four", "rrrrrrrr", "........", "-"},
                                     {"t4-t6", "1 publishes", "rrrrRRRR", "4567....", "-"},
                                     {"t7", "1 is dispatched", "rrrrDDDD", "4567....", "-"},
                                     {"t8", "0 publishes", "RRRRDDDD", "45670123", "-"},
                                     {"t9", "0 dispatched; 1 done", "DDDDdddd", "45670123", "no"},
                                     {"t10", "0 done", "dddddddd", "45670123", "-"},
                                     {"t11", "space is free", "........", "45670123", "yes"}};

const char *hd_channel_figure_event(unsigned step) {
  return figure[step].event;
}

const char *hd_channel_figure_time(unsigned step) {
  return figure[step].time;
}

bool hd_channel_figure_agrees(const struct hd_channel_figure_step *s, unsigned step, char *text, size_t text_size) {
  if (strcmp(s->element, figure[step].element) != 0) {
    snprintf(text, text_size, "elements %s; in the paper %s", s->element, figure[step].element);
    return false;
  }
  if (strcmp(s->control, figure[step].control) != 0) {
    snprintf(text, text_size, "control array %s; in the paper %s", s->control, figure[step].control);
    return false;
  }
  if (strcmp(s->room, figure[step].room) == 0) return true;
  snprintf(text, text_size, "room: %s; in the paper %s", s->room, figure[step].room);
  return false;
}
