/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the dgb lockstep tests: a graph made by DepLinks in a memory, and SMXs that take and complete nodes. Every
 * cycle is compared. */
#ifndef HD_DGB_LOCKSTEP_H
#define HD_DGB_LOCKSTEP_H

#include <string.h>

/* clang-format off */
#include "equiv/cases.h"
#include "api/deplinks.h"
#include "env/common/memory.h"
#include "gen/hd_dgb_ports.h"
/* clang-format on */

enum { BASE = 0x10000, MOST = 65535, TABLES_EVERY = 4096 };

static struct hd_sim *sim;
static struct hd_cfg cfg;
static struct hd_dgb_in in;
static struct hd_dgb_out out; /* outputs of the previous cycle */
static struct hd_memory_bursts memory;
static struct hd_rng rng;
static struct hd_profile profile = {.name = "memory", .source = 200, .sink = 200};
static struct hd_deplinks_graph graph;
static struct hd_dgbstart where;
static uint8_t *bytes, *laid; /* the memory, and the image made by DepLinks */
static size_t size;
static unsigned now, pubs, earlies, bigs;

/* Opens RTL and model of a configuration. latency: that of the memory; 0: random. */
static inline void open_as(const char *config, unsigned latency) {
  char err[512];
  cfg = hd_case_cfg(config);
  const struct hd_sim_opts o = {.block = "dgb", .cfg = cfg, .seed = 1, .test = "directed", .table_every = TABLES_EVERY};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memory = (struct hd_memory_bursts){.latency = latency};
  rng.s = hd_seed(1);
  now = pubs = earlies = bigs = 0;
}

/* Writes the graph of *d to memory and frees d. */
static inline void lay(struct hd_deplinks *d) {
  struct hd_deplinks_regions at;
  if (hd_deplinks_build(d, &graph) != HD_DEPLINKS_OK) fail_msg("%s", d->text);
  hd_deplinks_free(d);
  assert_true(hd_deplinks_place(&cfg, &graph, BASE, &at));
  size = at.end - BASE;
  bytes = malloc(size);
  laid = malloc(size);
  assert_true(bytes && laid);
  hd_deplinks_image(&graph, &at, bytes);
  memcpy(laid, bytes, size);
  where = (struct hd_dgbstart){.nodes = at.node, .edges = at.edge, .ids = at.tb, .early = at.early};
  where.node_count = (uint16_t)at.nodes;
  where.edge_count = at.edges;
  where.policy = (uint8_t)at.policy;
  where.bound = (uint16_t)at.bound;
}

static inline void close_all(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
  hd_deplinks_graph_free(&graph);
  free(bytes);
  free(laid);
}

/* A grid of one row. */
static inline struct hd_deplinks row_of(unsigned nodes) {
  struct hd_deplinks d;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){nodes, 1, 1}, NULL), HD_DEPLINKS_OK);
  return d;
}

static inline const struct hd_dgb_arch *arch(void) {
  return hd_sim_state(sim);
}

/* Runs one cycle; inputs that the caller set in `in` apply to this cycle only. */
static inline void cycle(void) {
  const void *shown = NULL;
  hd_memory_drive_bursts(&memory, &rng, &profile, &out.mem, bytes, BASE, size);
  in.mem = memory.pins;
  if (hd_sim_cycle(sim, &in, &shown) != HD_PASS) {
    hd_sim_print_diff(sim, stderr);
    fail_msg("cycle %u: %s %s", now, hd_verdict_name(hd_sim_failure(sim).verdict), hd_sim_failure(sim).label);
  }
  memcpy(&out, shown, sizeof out);
  pubs += out.events.pub;
  earlies += out.events.early;
  bigs += out.events.big;
  in.dats_start_valid = in.dats_finish_ready = in.dats_node_ready = 0;
  memset(in.sched_node_done, 0, sizeof in.sched_node_done);
  memset(in.sched_node_place, 0, sizeof in.sched_node_place);
  now++;
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

static inline void begin(void) {
  in.dats_start_valid = 1;
  in.dats_start = where;
  cycle();
  assert_int_equal(out.start_ready, 1);
}

/* Hands out the next offered node. */
static inline void take(unsigned vid, unsigned smx) {
  for (unsigned t = 0; t < 2000 && !out.node_valid; t++) cycle();
  assert_int_equal(out.node_valid, 1);
  assert_int_equal(out.node.index, vid % cfg.lna);
  in.dats_node_ready = 1;
  in.dats_node_smx = (uint8_t)smx;
  cycle();
  out.node_valid = 0;
}

static inline void ends(unsigned vid, unsigned smx) {
  in.sched_node_done[smx] = 1;
  in.sched_node_place[smx] = (uint16_t)(vid % cfg.lna);
}

static inline void expect_fine(void) {
  for (unsigned t = 0; t < 5000 && !out.finish_valid; t++) cycle();
  assert_int_equal(out.finish_valid, 1);
  assert_int_equal(out.finish.code, HD_GCODE_FINE);
  in.dats_finish_ready = 1;
  cycle();
}

#endif
