/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the dgb tests: graphs in a memory, and SMXs that take and complete nodes. The TB id of a node is its
 * number plus CTA. */
#ifndef HD_DGB_FIXTURE_H
#define HD_DGB_FIXTURE_H

#include "env/graph/dgb_neighbours.h"
#include "graph/dgb.h"
#include "unit/util.h"

enum { BASE = 0x10000, IMAGE = 1 << 18, CTA = 0x4000, MOST = 4096 };
enum { NODES_AT = BASE, IDS_AT = BASE + 0x8000, EARLY_AT = BASE + 0xc000, EDGES_AT = BASE + 0x10000 };

static struct hd_cfg cfg;
static struct hd_dgb *m;
static struct hd_dgb_in in;
static struct hd_dgb_out out;
static struct hd_dgb_graph graph;
static struct hd_dgbstart where;
static struct hd_memory_bursts port; /* accepts every request at once and answers port.latency cycles later */
static uint8_t bytes[IMAGE];
static uint64_t fail_at; /* the beat read from this address is an error; 0: none */
static bool fail_answer; /* the next answer is an error too */
static unsigned now, pubs, earlies, bigs;
/* Nodes that were handed out, in order, and their SMXs. */
static uint16_t ran[MOST], smx_of[MOST];
static unsigned runs;

static inline void start_of(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_dgb_size(&cfg));
  hd_dgb_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&port, 0, sizeof port);
  memset(bytes, 0, sizeof bytes);
  port.latency = 1;
  fail_at = 0;
  fail_answer = false;
  now = pubs = earlies = bigs = runs = 0;
  hd_dgb_graph_clear(&graph);
}

static inline int setup(void **state) {
  (void)state;
  start_of(ut_cfg("k20c"));
  return 0;
}

static inline int setup_tiny(void **state) {
  (void)state;
  start_of(ut_cfg_with("tiny", "Pub", 8)); /* LNA of 4, chunks of 2, LEA of 16 */
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline const struct hd_dgb_arch *arch(void) {
  static struct hd_dgb_arch a;
  memset(&a, 0, sizeof a);
  hd_dgb_arch(m, &a, true);
  return &a;
}

/* Runs one cycle; then `out` holds its outputs. */
static inline void cycle(void) {
  hd_memory_drive_bursts(&port, NULL, NULL, &out.mem, bytes, BASE, sizeof bytes);
  in.mem = port.pins;
  if (in.mem.r_valid) {
    const struct hd_memory_burst *r =
        &port.read[(port.first_read + HD_MEMORY_FLIGHT - in.mem.r.last) % HD_MEMORY_FLIGHT];
    if (r->addr - 16 == fail_at) in.mem.r.error = 1;
  }
  in.mem.b_error = in.mem.b_valid && fail_answer;
  if (in.mem.b_valid) fail_answer = false;
  hd_dgb_eval(m, &in, &out);
  pubs += out.events.pub;
  earlies += out.events.early;
  bigs += out.events.big;
  if (out.node_valid && in.dats_node_ready && runs < MOST) {
    smx_of[runs] = in.dats_node_smx;
    ran[runs++] = (uint16_t)(out.node.cta - CTA);
  }
  hd_dgb_tick(m, &in);
  now++;
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

/* ---- Graphs ---- */

static inline void node(unsigned level) {
  hd_dgb_graph_node(&graph, level);
}

static inline void edge(unsigned from, unsigned to) {
  hd_dgb_graph_edge(&graph, from, to);
}

static inline void set_where(void) {
  where.nodes = NODES_AT;
  where.ids = IDS_AT;
  where.early = EARLY_AT;
  where.edges = EDGES_AT;
}

/* Writes the graph made with node() and edge() to memory. */
static inline void lay(void) {
  set_where();
  hd_dgb_graph_sort(&graph);
  for (unsigned v = 0; v < graph.nodes; v++) graph.cta[v] = (uint16_t)(v + CTA);
  hd_dgb_graph_lay(&graph, &where, bytes, BASE);
}

static inline void relay(void) {
  hd_dgb_graph_lay(&graph, &where, bytes, BASE);
}

/* a nodes, each a parent of each of b nodes; any size. */
static inline void lay_barrier(unsigned a, unsigned b) {
  set_where();
  where.node_count = (uint16_t)(a + b);
  where.edge_count = a * b;
  for (unsigned v = 0; v < a + b; v++) {
    hd_memory_put(bytes + NODES_AT - BASE + 8u * v, 4, v < a ? v * b : a * b);
    hd_memory_put(bytes + NODES_AT - BASE + 8u * v + 4, 2, v < a ? 0 : a);
    hd_memory_put(bytes + NODES_AT - BASE + 8u * v + 6, 2, v >= a);
    hd_memory_put(bytes + IDS_AT - BASE + 2u * v, 2, v + CTA);
  }
  for (unsigned e = 0; e < a * b; e++) hd_memory_put(bytes + EDGES_AT - BASE + 2u * e, 2, a + e % b);
}

/* The wavefront of the paper's figure 7. */
static inline void lay_figure7(void) {
  static const uint8_t levels[9] = {0, 1, 1, 2, 2, 2, 3, 3, 4};
  static const uint8_t edges[12][2] = {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 4}, {2, 5},
                                       {3, 6}, {4, 6}, {4, 7}, {5, 7}, {6, 8}, {7, 8}};
  for (unsigned v = 0; v < 9; v++) node(levels[v]);
  for (unsigned e = 0; e < 12; e++) edge(edges[e][0], edges[e][1]);
  lay();
}

/* ---- Single steps ---- */

static inline void begin(unsigned policy, unsigned bound) {
  in.dats_start_valid = 1;
  in.dats_start = where;
  in.dats_start.policy = (uint8_t)policy;
  in.dats_start.bound = (uint16_t)bound;
  cycle();
  assert_int_equal(out.start_ready, 1);
  in.dats_start_valid = 0;
  memset(&in.dats_start, 0, sizeof in.dats_start);
}

/* Outputs of the next cycle, as far as they do not depend on its inputs. */
static inline const struct hd_dgb_out *next(void) {
  static struct hd_dgb_out o;
  hd_dgb_eval(m, &in, &o);
  return &o;
}

/* Runs until that node is offered. */
static inline void await(unsigned vid) {
  for (unsigned t = 0; t < 2000 && !next()->node_valid; t++) cycle();
  assert_int_equal(next()->node_valid, 1);
  assert_int_equal(next()->node.cta, CTA + vid);
  assert_int_equal(next()->node.index, vid % cfg.lna);
}

static inline void take(unsigned vid, unsigned smx) {
  await(vid);
  in.dats_node_ready = 1;
  in.dats_node_smx = (uint8_t)smx;
  cycle();
  in.dats_node_ready = 0;
}

/* Completes the node in the next cycle, together with other nodes that were passed before it. */
static inline void ends(unsigned vid, unsigned smx) {
  in.sched_node_done[smx] = 1;
  in.sched_node_place[smx] = vid % cfg.lna;
}

static inline void step(void) {
  cycle();
  memset(in.sched_node_done, 0, sizeof in.sched_node_done);
  memset(in.sched_node_place, 0, sizeof in.sched_node_place);
}

static inline void done(unsigned vid, unsigned smx) {
  ends(vid, smx);
  step();
}

static inline void expect_end(unsigned code, unsigned vid) {
  for (unsigned t = 0; t < 5000 && !out.finish_valid; t++) cycle();
  assert_int_equal(out.finish_valid, 1);
  assert_int_equal(out.finish.code, code);
  assert_int_equal(out.finish.vid, vid);
  in.dats_finish_ready = 1;
  cycle();
  in.dats_finish_ready = 0;
  cycle();
  assert_int_equal(out.start_ready, 1);
  assert_int_equal(out.finish_valid || out.finish.code || out.finish.vid, 0);
}

/* ---- Whole graphs ---- */

/* Takes each node when it is offered, on the SMXs round robin, and completes one running node per cycle: the oldest, or
 * the youngest. Stops at the end of the graph without removing it. */
static inline unsigned run(bool youngest) {
  unsigned running = 0, began = now, smx = 0;
  static uint16_t index[HD_MAX_LNA];
  static uint8_t on[HD_MAX_LNA];
  in.dats_node_ready = 1;
  for (unsigned t = 0; t < 400000; t++) {
    in.dats_node_smx = (uint8_t)smx;
    if (running) {
      unsigned k = youngest ? running - 1 : 0;
      in.sched_node_done[on[k]] = 1;
      in.sched_node_place[on[k]] = index[k];
      memmove(index + k, index + k + 1, (running - k - 1) * sizeof *index);
      memmove(on + k, on + k + 1, running - k - 1);
      running--;
    }
    step();
    if (out.node_valid) {
      index[running] = out.node.index;
      on[running++] = (uint8_t)smx;
      smx = (smx + 1) % cfg.num_smx;
    }
    if (out.finish_valid) break;
  }
  in.dats_node_ready = 0;
  assert_int_equal(out.finish_valid, 1);
  assert_int_equal(running, 0);
  return now - began;
}

/* Checks that all nodes ran, each once. */
static inline void all_ran(unsigned nodes) {
  static uint8_t seen[MOST];
  memset(seen, 0, sizeof seen);
  assert_int_equal(runs, nodes);
  for (unsigned k = 0; k < runs; k++) {
    assert_true(ran[k] < nodes);
    assert_int_equal(seen[ran[k]]++, 0);
  }
}

/* Returns the position of a node in the order of hand-outs. */
static inline unsigned turn_of(unsigned vid) {
  unsigned k = 0;
  while (k < runs && ran[k] != vid) k++;
  assert_true(k < runs);
  return k;
}

static inline bool early_is_clear(unsigned nodes) {
  for (unsigned v = 0; v < (nodes + 7) / 8 * 8; v++)
    if (hd_memory_get(bytes + EARLY_AT - BASE + 2u * v, 2)) return false;
  return true;
}

#define TINY(NAME) TEST_WITH(NAME, setup_tiny, teardown)

#endif
