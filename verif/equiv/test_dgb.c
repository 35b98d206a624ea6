/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of dgb against its golden model: its rates, counted in cycles of the RTL. */
#include "equiv/dgb_lockstep.h"

/* The default; and a window four times as large, with one lane. */
static const char PAPER[] = "k20c", WIDE[] = "k20c+Lna=512+Lea=2048+ChildLanes=1";

/* ---- Children ---- */

enum { PARENTS = 8, CHILDREN = 64 };

/* Parents not yet done, over all children: each update subtracts one. */
static unsigned open_edges(void) {
  unsigned n = 0;
  for (unsigned v = PARENTS; v < PARENTS + CHILDREN; v++) n += arch()->parents[v];
  return n;
}

/* All parents are done at once. From the first update on, each cycle has as many updates as there are lanes, up to the
 * last update and also across parents. */
static void children(const char *config, unsigned lanes) {
  open_as(config, 1);
  assert_int_equal(cfg.child_lanes, lanes);
  struct hd_deplinks d = row_of(PARENTS + CHILDREN);
  for (unsigned e = 0; e < PARENTS * CHILDREN; e++) hd_deplinks_add(&d, e / CHILDREN, PARENTS + e % CHILDREN);
  lay(&d);
  begin();
  for (unsigned v = 0; v < PARENTS; v++) take(v, v);
  idle(300);
  for (unsigned v = 0; v < PARENTS; v++) ends(v, v);
  const unsigned all = PARENTS * CHILDREN, began = now;
  assert_int_equal(open_edges(), all);
  while (open_edges() == all) cycle();
  print_message("%s: the first update %u cycles after the end of its TB, then", config, now - 1 - began);
  const unsigned first = now;
  for (unsigned left = all - lanes; left; left -= lanes) {
    assert_int_equal(open_edges(), left);
    cycle();
  }
  assert_int_equal(open_edges(), 0);
  print_message(" %u in %u cycles\n", all, now - first + 1);
  for (unsigned v = PARENTS; v < PARENTS + CHILDREN; v++) {
    take(v, 0);
    ends(v, 0);
    cycle();
  }
  expect_fine();
  close_all();
}

TEST(rate_of_children) {
  children(PAPER, 4);
  children(WIDE, 1);
}

/* A child of many parents is offered in the cycle after D shows the update of the last parent; at the end of that cycle
 * its count is 0. */
TEST(ready_at_once) {
  open_as(PAPER, 1);
  struct hd_deplinks d = row_of(10);
  for (unsigned v = 0; v < 9; v++) hd_deplinks_add(&d, v, 9);
  lay(&d);
  begin();
  for (unsigned v = 0; v < 9; v++) take(v, v);
  idle(100);
  for (unsigned v = 8; v < 9; v--) {
    ends(v, v);
    const unsigned reported = now;
    cycle();
    while (!arch()->d_valid) cycle();
    assert_int_equal(now - reported, 3); /* D shows the update three cycles after the end */
    assert_int_equal(arch()->parents[9], v + 1);
    cycle();
    assert_int_equal(arch()->parents[9], v);
    assert_int_equal(out.node_valid, 0);
    if (v) continue;
    cycle();
    assert_int_equal(out.node_valid, 1);
    assert_int_equal(now - 1 - reported, 4); /* from the end of a TB to the offer of its child */
  }
  take(9, 0);
  ends(9, 0);
  expect_fine();
  close_all();
}

/* ---- Tail ---- */

enum { LINE = 100 };

/* The tail advances over one place in each cycle. */
TEST(rate_of_tail) {
  open_as(PAPER, 1);
  struct hd_deplinks d = row_of(LINE);
  lay(&d);
  begin();
  for (unsigned v = 0; v < LINE; v++) take(v, v % cfg.num_smx);
  for (unsigned v = 1; v < LINE; v++) {
    ends(v, v % cfg.num_smx);
    cycle();
  }
  idle(50);
  assert_int_equal(arch()->tail, 0);
  ends(0, 0);
  while (!arch()->tail) cycle();
  for (unsigned at = 1; at < LINE; at++) {
    assert_int_equal(arch()->tail, at);
    cycle();
  }
  assert_int_equal(arch()->tail, LINE);
  expect_fine();
  close_all();
}

/* ---- Loading ---- */

enum { FLAT = 4096, FROM = 1120, TO = 2912 };

/* Returns the cycles in which the nodes from FROM to TO of a graph without edges are loaded and handed out; a TB is
 * done in the cycle after its hand-out. */
static unsigned cycles_for(const char *config, unsigned latency) {
  unsigned first = 0, last = 0, ran = 0, smx = 0;
  open_as(config, latency);
  struct hd_deplinks d = row_of(FLAT);
  lay(&d);
  begin();
  for (unsigned t = 0; t < 4 * FLAT && ran < FLAT; t++) {
    in.dats_node_ready = 1;
    in.dats_node_smx = (uint8_t)smx;
    cycle();
    if (!out.node_valid) continue;
    ran++;
    if (ran == FROM) first = now;
    if (ran == TO) last = now;
    ends(out.node.index, smx);
    smx = (smx + 1) % cfg.num_smx;
  }
  assert_int_equal(ran, FLAT);
  cycle();
  expect_fine();
  close_all();
  return last - first;
}

static void loads(const char *config, unsigned latency, unsigned want) {
  const unsigned c = cycles_for(config, latency) * 100 / (TO - FROM);
  print_message("%-36s memory latency %3u: %u.%02u cycles for a node\n", config, latency, c / 100, c % 100);
  assert_in_range(c, want, want + 1);
}

/* One node per cycle, as long as window and bursts cover the latency: 128 nodes do not cover 120 cycles, 512 do. The 32
 * bursts in flight carry 256 nodes, which do not cover 400. */
TEST(rate_of_loading) {
  loads(PAPER, 1, 100);
  loads(PAPER, 40, 100);
  loads(PAPER, 80, 100);
  loads(PAPER, 120, 125);
  loads(WIDE, 120, 100);
  loads(WIDE, 200, 100);
  loads(WIDE, 400, 159);
}

/* The limit: a chunk is requested when all of its nodes have places, and the last node that arrived keeps its chunk
 * until the node behind it shows where its edges end. So all chunks but one turn over in the time from the request of a
 * chunk to the request for which its nodes make room: the latency plus FIXED cycles. */
enum { CHUNK = 16, FIXED = 20 };

TEST(window_turns_over) {
  static const unsigned LATENCIES[] = {92, 93, 120, 200, 400};
  for (unsigned i = 0; i < sizeof LATENCIES / sizeof *LATENCIES; i++) {
    const unsigned latency = LATENCIES[i], cycles = cycles_for(PAPER, latency), turns = (TO - FROM) / (cfg.lna - CHUNK);
    print_message("%s: memory latency %u: %u nodes in %u cycles, %u turns\n", PAPER, latency, TO - FROM, cycles, turns);
    assert_int_equal(cycles, turns * (latency + FIXED));
  }
}

/* Arrivals keep up with one node per cycle at any latency while places are free: an empty window fills in ten beats for
 * 16 nodes. */
TEST(window_fills) {
  open_as(PAPER, 120);
  struct hd_deplinks d = row_of(FLAT);
  lay(&d);
  begin();
  while (arch()->here == 0) cycle();
  const unsigned first = now, had = arch()->here;
  while (arch()->here < cfg.lna) cycle();
  print_message("%-36s memory latency 120: %u nodes in %u cycles\n", PAPER, cfg.lna - had, now - first);
  assert_int_equal(now - first, (cfg.lna - had) / CHUNK * 10);
  for (unsigned v = 0; v < FLAT; v++) {
    take(v, 0);
    ends(v, 0);
  }
  expect_fine();
  close_all();
}

TEST_MAIN("dgb", NULL, NULL)
