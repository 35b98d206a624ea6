/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of dgb against its golden model on a real graph, the package dependencies of Debian 12: the first 25000 packages
 * and the dependencies among them; with the argument `long` all of them, twice.
 *
 * The bundled file gives no direction and has cycles. Here an edge leads from the package of the smaller number to the
 * other, so there are no cycles and no edge is dropped: in all 60279 nodes and 258849 edges. */
#include "equiv/dgb_lockstep.h"
#include "graph/read.h"

enum { SLOTS = 16, SLOW = 200, PATIENCE = 2000000 };

static struct hd_graph debian;

static int load(void **state) {
  char err[512];
  const struct hd_read_opts o = {.format = HD_FORMAT_AUTO};
  (void)state;
  if (!hd_graph_read("tb/data/debian12.mtx.gz", &o, &debian, NULL, err, sizeof err)) fail_msg("%s", err);
  return 0;
}

static int unload(void **state) {
  (void)state;
  hd_graph_free(&debian);
  return 0;
}

/* Reference state of the nodes, by VID. */
static uint32_t waits_for[MOST]; /* parents not yet done */
static uint8_t handed[MOST];
static uint16_t vid_of[MOST]; /* by TB id */

/* Running TBs. */
struct tb {
  uint32_t due;
  uint16_t vid, index;
};
static struct tb running[64][SLOTS];
static unsigned on[64]; /* TBs on the SMX */
static unsigned ran, over;

/* Size and number of runs. */
static struct part {
  uint32_t nodes, edges;
  unsigned runs;
} part = {.nodes = 25000, .edges = 68930, .runs = 1};
static const struct part all = {.nodes = 60279, .edges = 258849, .runs = 2};

static void make(void) {
  struct hd_deplinks d = row_of(part.nodes);
  assert_int_equal(debian.nodes, all.nodes);
  for (uint32_t v = 0; v < part.nodes; v++)
    for (uint64_t e = debian.row[v]; e < debian.row[v + 1]; e++)
      if (debian.col[e] > v && debian.col[e] < part.nodes)
        assert_int_equal(hd_deplinks_add(&d, v, debian.col[e]), HD_DEPLINKS_OK);
  lay(&d);
  assert_int_equal(graph.nodes, part.nodes);
  assert_int_equal(graph.edges, part.edges);
}

static void forget(void) {
  memset(handed, 0, sizeof handed);
  memset(waits_for, 0, sizeof waits_for);
  memset(on, 0, sizeof on);
  ran = over = 0;
  for (uint32_t e = 0; e < graph.edges; e++) waits_for[graph.edge[e]]++;
  for (uint32_t v = 0; v < graph.nodes; v++) vid_of[graph.tb[v]] = (uint16_t)v;
}

/* The node that was handed out in the previous cycle must be new, and its parents done. */
static void follow(unsigned smx) {
  const uint16_t vid = vid_of[out.node.cta];
  assert_true(out.node.cta < graph.nodes);
  assert_int_equal(out.node.level, graph.node[vid].level);
  if (handed[vid]++) fail_msg("node %u is handed out twice", vid);
  if (waits_for[vid]) fail_msg("node %u is handed out before %u of its parents are done", vid, waits_for[vid]);
  running[smx][on[smx]++] = (struct tb){.due = now + 1 + hd_rng_below(&rng, SLOW), .vid = vid, .index = out.node.index};
  ran++;
}

/* At most one TB per SMX ends, any of those whose time is over. */
static void drive_done(void) {
  for (unsigned s = 0; s < cfg.num_smx; s++)
    for (unsigned k = 0; k < on[s]; k++) {
      struct tb *tb = &running[s][k];
      if (now < tb->due) continue;
      in.sched_node_done[s] = 1;
      in.sched_node_place[s] = tb->index;
      over++;
      for (uint32_t e = graph.node[tb->vid].start; e < graph.node[tb->vid + 1].start; e++) waits_for[graph.edge[e]]--;
      *tb = running[s][--on[s]];
      break;
    }
}

/* Returns an SMX with room, searching from that one on, or NumSmx. */
static unsigned room_from(unsigned smx) {
  for (unsigned k = 0; k < cfg.num_smx; k++)
    if (on[(smx + k) % cfg.num_smx] < SLOTS) return (smx + k) % cfg.num_smx;
  return cfg.num_smx;
}

/* Runs the graph, which must complete without error. */
static void run(void) {
  unsigned smx = 0, last = now;
  const unsigned began = now;
  forget();
  begin();
  while (!out.finish_valid) {
    const unsigned to = room_from(smx);
    drive_done();
    in.dats_node_ready = to < cfg.num_smx;
    in.dats_node_smx = (uint8_t)(to % cfg.num_smx);
    const bool ready = in.dats_node_ready;
    cycle();
    if (ready && out.node_valid) {
      follow(to);
      smx = to + 1;
      last = now;
    }
    if (now - last > PATIENCE) fail_msg("nothing is handed out any more after %u nodes", ran);
  }
  assert_int_equal(out.finish.code, HD_GCODE_FINE);
  assert_int_equal(out.finish.vid, 0);
  assert_int_equal(ran, graph.nodes);
  assert_int_equal(over, graph.nodes);
  in.dats_finish_ready = 1;
  cycle();
  print_message("%u nodes, %u edges, %u levels: %u cycles; updates: %u to the PUB, %u to memory; %u large nodes\n",
                graph.nodes, graph.edges, graph.levels, now - began, pubs, earlies, bigs);
}

/* Checks that memory is as DepLinks wrote it: the graph, and the early updates, which are 0. */
static void unchanged(void) {
  for (uint32_t v = 0; v < graph.nodes; v++)
    assert_int_equal(hd_memory_get(bytes + (where.early - BASE) + 2u * v, 2), 0);
  for (size_t k = 0; k < size; k++)
    if (bytes[k] != laid[k]) fail_msg("byte %zu of memory has changed", k);
}

/* The memory answers at random times. Updates take all paths. */
TEST(whole) {
  open_as("k20c", 0);
  assert_int_equal(cfg.lna, 128);
  make();
  for (unsigned k = 0; k < part.runs; k++) {
    pubs = earlies = bigs = 0;
    run();
    unchanged();
    assert_true(pubs && earlies && bigs);
  }
  close_all();
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "long")) part = all;
  return TEST_RUN("dgb_debian", load, unload);
}
