/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/wireframe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/deplinks.h"
#include "engine/config.h"
#include "env/common/memory.h"
#include "gen/hd_dgb_ports.h"

enum { SIDE = 3, BASE = 0x1000, BYTES = 512, LATENCY = 4, REST = 60, PATIENCE = 500, NOT_REPORTED = 0xffff };

struct fixture {
  struct hd_sim *sim;
  struct hd_wireframe_run *run;
  struct hd_dgb_in in;
  struct hd_dgb_out out; /* of the previous cycle */
  struct hd_memory_bursts memory;
  uint8_t bytes[BYTES];
};

static void fail(struct fixture *r, const char *text) {
  if (r->run->verdict != HD_PASS) return;
  r->run->verdict = HD_ORACLE;
  snprintf(r->run->text, sizeof r->run->text, "%s", text);
}

/* ---- the graph ---- */

static bool lay(struct fixture *r, const struct hd_cfg *cfg) {
  struct hd_deplinks d;
  struct hd_deplinks_graph g;
  struct hd_deplinks_regions at;
  hd_deplinks_init(&d, (struct hd_dim3){SIDE, SIDE, 1}, NULL);
  hd_deplinks_add_pattern(&d, HD_DEPLINKS_WAVEFRONT, 0, 0);
  bool good = hd_deplinks_build(&d, &g) == HD_DEPLINKS_OK && hd_deplinks_place(cfg, &g, BASE, &at);
  if (good) {
    hd_deplinks_image(&g, &at, r->bytes);
    r->in.dats_start = (struct hd_dgbstart){.nodes = at.node,
                                            .edges = at.edge,
                                            .ids = at.tb,
                                            .early = at.early,
                                            .node_count = (uint16_t)at.nodes,
                                            .edge_count = at.edges,
                                            .policy = (uint8_t)at.policy};
  }
  hd_deplinks_graph_free(&g);
  hd_deplinks_free(&d);
  return good;
}

/* ---- steps ---- */

/* Runs one cycle, then clears the pulses of the inputs. */
static void cycle(struct fixture *r) {
  const void *out = NULL;
  if (r->run->verdict != HD_PASS) return;
  hd_memory_drive_bursts(&r->memory, NULL, NULL, &r->out.mem, r->bytes, BASE, sizeof r->bytes);
  r->in.mem = r->memory.pins;
  r->run->verdict = hd_sim_cycle(r->sim, &r->in, &out);
  r->run->cycles++;
  if (r->run->verdict != HD_PASS) return;
  memcpy(&r->out, out, sizeof r->out);
  r->in.dats_start_valid = r->in.dats_node_ready = r->in.dats_finish_ready = 0;
  memset(r->in.sched_node_done, 0, sizeof r->in.sched_node_done);
  memset(r->in.sched_node_place, 0, sizeof r->in.sched_node_place);
}

static void rest(struct fixture *r) {
  for (unsigned t = 0; t < REST; t++) cycle(r);
}

/* Hands out the next node, which must be `vid`. */
static void take(struct fixture *r, unsigned vid, unsigned smx) {
  for (unsigned t = 0; t < PATIENCE && !r->out.node_valid; t++) cycle(r);
  if (!r->out.node_valid || r->out.node.index != vid % HD_WIREFRAME_LNA)
    fail(r, "the offered node is not the expected one, or no node is offered");
  if (r->run->ran < HD_WIREFRAME_NODES) r->run->cta[r->run->ran++] = r->out.node.cta;
  r->in.dats_node_ready = 1;
  r->in.dats_node_smx = (uint8_t)smx;
  cycle(r);
  r->out.node_valid = 0; /* the node that was just taken */
}

static void done(struct fixture *r, unsigned vid, unsigned smx) {
  r->in.sched_node_done[smx] = 1;
  r->in.sched_node_place[smx] = (uint8_t)(vid % HD_WIREFRAME_LNA);
  cycle(r);
}

static const struct hd_dgb_arch *state(struct fixture *r) {
  return hd_sim_state(r->sim);
}

/* Lets the memory respond until nodes 4 and 5 are loaded. */
static void load(struct fixture *r) {
  r->memory.holds_reads = 0;
  for (unsigned t = 0; t < PATIENCE && state(r)->here < 6; t++) cycle(r);
}

static void play(struct fixture *r, unsigned step) {
  switch (step) {
    case 0:
      r->in.dats_start_valid = 1;
      cycle(r);
      take(r, 0, 0);
      break;
    case 1:
      done(r, 0, 0);
      break;
    case 2:
      take(r, 1, 0);
      take(r, 2, 1);
      done(r, 2, 1);
      break;
    case 3:
      r->memory.holds_reads = 1;
      done(r, 1, 0);
      break;
    case 4:
      load(r);
      return;
    case 5:
      take(r, 3, 0);
      break;
    default:
      done(r, 3, 0);
  }
  rest(r);
}

/* Runs the remaining nodes: 4 and 5, 6 and 7, then 8. */
static void finish(struct fixture *r) {
  for (unsigned vid = 4; vid < HD_WIREFRAME_NODES; vid += 2) {
    const bool two = vid + 1 < HD_WIREFRAME_NODES;
    take(r, vid, 0);
    if (two) take(r, vid + 1, 1);
    done(r, vid, 0);
    if (two) done(r, vid + 1, 1);
  }
  for (unsigned t = 0; t < PATIENCE && !r->out.finish_valid; t++) cycle(r);
  if (!r->out.finish_valid || r->out.finish.code != HD_GCODE_FINE) fail(r, "the graph did not complete successfully");
  r->in.dats_finish_ready = 1;
  cycle(r);
}

/* ---- samples ---- */

static char letter(const struct hd_dgb_arch *a, unsigned place) {
  if (a->node_state[place] == HD_GSTATE_PROCESSING || a->node_state[place] == HD_GSTATE_FINISHED) return 'P';
  return a->parents[place] ? 'W' : 'R';
}

static void look(struct fixture *r, struct hd_wireframe_step *s) {
  const struct hd_dgb_arch *a = state(r);
  s->cycle = r->run->cycles;
  s->tail = a->tail;
  s->head = a->head;
  for (unsigned v = a->tail; v < a->here; v++) {
    const unsigned k = v % HD_WIREFRAME_LNA;
    const bool over = v < a->head && a->node_state[k] == HD_GSTATE_DONE;
    s->place[k] = (struct hd_wireframe_place){.there = true,
                                              .waits = v >= a->head,
                                              .state = over ? 'D' : letter(a, k),
                                              .vid = (uint8_t)v,
                                              .count = a->parents[k],
                                              .start = a->edge_start[k]};
  }
  for (unsigned v = 1; v < HD_WIREFRAME_NODES; v++)
    for (unsigned k = 0; k < HD_WIREFRAME_PUB; k++)
      if (a->pub[k] == v) s->pub[s->updates++] = (uint16_t)v;
}

void hd_wireframe_config(struct hd_cfg *cfg) {
  char err[200];
  hd_config_parse("tiny+Pub=4", cfg, err, sizeof err);
}

void hd_wireframe_run(struct hd_sim *sim, const struct hd_cfg *cfg, struct hd_wireframe_run *run) {
  struct fixture r = {.sim = sim, .run = run, .memory = {.latency = LATENCY}};
  memset(run, 0, sizeof *run);
  for (unsigned k = 0; k < HD_WIREFRAME_STEPS; k++)
    for (unsigned p = 0; p < HD_WIREFRAME_LNA; p++) run->step[k].place[p].state = ' ';
  if (!lay(&r, cfg)) fail(&r, "out of memory for the graph");
  for (unsigned k = 0; k < HD_WIREFRAME_STEPS; k++) {
    play(&r, k);
    if (run->verdict != HD_PASS) return;
    look(&r, &run->step[k]);
    run->steps++;
  }
  finish(&r);
}

/* ---- the figure in the paper ---- */

struct reported {
  const char *event, *paper;
  uint16_t tail;
  uint8_t nodes;
  struct {
    uint8_t vid, count;
    char state;
  } node[4];
  const char *pub;
};

/* Figure 7; it does not show the order of PUB entries. In step g node 3 still runs in the paper. Here node 5 can be
 * inserted only after node 6 is loaded, which marks the end of node 5's edges and needs the place that node 3 frees. */
static const struct reported figure[HD_WIREFRAME_STEPS] = {
    {"0 runs", "0 is processing; 1, 2, 3 wait", 0, 4, {{0, 0, 'P'}, {1, 1, 'W'}, {2, 1, 'W'}, {3, 1, 'W'}}, "-"},
    {"0 is done", "1 and 2 are ready; the tail moves to 1", 1, 3, {{1, 0, 'R'}, {2, 0, 'R'}, {3, 1, 'W'}}, "-"},
    {"1 and 2 run; 2 is done",
     "updates of 4 and 5 enter the PUB; 1 still runs",
     1,
     3,
     {{1, 0, 'P'}, {2, 0, 'D'}, {3, 1, 'W'}},
     "4 5"},
    {"1 is done", "3 is ready; an update of 4 enters the PUB; the tail moves to 3", 3, 1, {{3, 0, 'R'}}, "4 4 5"},
    {"a chunk arrives", "4 and 5 are loaded", 3, 2, {{4, 2, 'W'}, {5, 1, 'W'}}, "4 4 5"},
    {"3 runs", "4 takes two updates and is ready", 3, 2, {{3, 0, 'P'}, {4, 0, 'R'}}, "5"},
    {"3 is done", "5 takes one and is ready; 3 still runs", NOT_REPORTED, 2, {{4, 0, 'R'}, {5, 0, 'R'}}, "-"}};

const char *hd_wireframe_event(unsigned step) {
  return figure[step].event;
}

const char *hd_wireframe_paper(unsigned step) {
  return figure[step].paper;
}

void hd_wireframe_place_text(const struct hd_wireframe_place *p, char *text, size_t text_size) {
  if (!p->there)
    snprintf(text, text_size, "-");
  else
    snprintf(text, text_size, p->waits ? "(%u %c %u)" : "%u %c %u", p->vid, p->state, p->count);
}

void hd_wireframe_pub_text(const struct hd_wireframe_step *s, char *text, size_t text_size) {
  size_t at = 0;
  snprintf(text, text_size, "-");
  for (uint32_t k = 0; k < s->updates && at < text_size; k++)
    at += (size_t)snprintf(text + at, text_size - at, "%s%u", k ? " " : "", s->pub[k]);
}

bool hd_wireframe_agrees(const struct hd_wireframe_step *s, unsigned step, char *text, size_t text_size) {
  const struct reported *t = &figure[step];
  char pub[40], seen[24];
  for (unsigned k = 0; k < t->nodes; k++) {
    const struct hd_wireframe_place *p = &s->place[t->node[k].vid % HD_WIREFRAME_LNA];
    if (p->there && p->vid == t->node[k].vid && p->state == t->node[k].state && p->count == t->node[k].count) continue;
    hd_wireframe_place_text(p, seen, sizeof seen);
    snprintf(text, text_size, "place %d has %s; in the paper %u %c %u", t->node[k].vid % HD_WIREFRAME_LNA, seen,
             t->node[k].vid, t->node[k].state, t->node[k].count);
    return false;
  }
  hd_wireframe_pub_text(s, pub, sizeof pub);
  if (t->tail != NOT_REPORTED && s->tail != t->tail)
    snprintf(text, text_size, "the tail is at %u; in the paper at %u", s->tail, t->tail);
  else if (strcmp(pub, t->pub) != 0)
    snprintf(text, text_size, "the PUB has %s; in the paper %s", pub, t->pub);
  else
    return true;
  return false;
}

bool hd_wireframe_order(const struct hd_wireframe_run *run, char *text, size_t text_size) {
  static const uint16_t renamed[HD_WIREFRAME_NODES] = {0, 1, 3, 2, 4, 6, 5, 7, 8}; /* by diagonals */
  if (run->ran == HD_WIREFRAME_NODES && memcmp(run->cta, renamed, sizeof renamed) == 0) return true;
  snprintf(text, text_size, "%" PRIu32 " TBs ran, not the nine by diagonals", run->ran);
  return false;
}
