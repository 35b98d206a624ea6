/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of dgb against its golden model on barriers: groups of nodes in which each node waits for the whole previous
 * group. They deadlock the paper's buffer at its own sizes: 128 nodes, 512 edges and 64 updates. */
#include "equiv/dgb_lockstep.h"

static const char OURS[] = "k20c", PAPERS[] = "k20c+DgbPaper=1";

enum { LATENCY = 20, PATIENCE = 1000000 };

/* `before` nodes, and `after` nodes that wait for all of them. */
static void lay_barrier(unsigned before, unsigned after) {
  struct hd_deplinks d = row_of(before + after);
  for (unsigned p = 0; p < before; p++)
    for (unsigned c = 0; c < after; c++) assert_int_equal(hd_deplinks_add(&d, p, before + c), HD_DEPLINKS_OK);
  lay(&d);
}

/* Runs the graph to its end; a TB is done in the cycle after its hand-out. Returns how many ran. They must run in the
 * order of their ids, which are the VIDs here, and those behind the barrier only when all before it are done. */
static unsigned run(unsigned before) {
  unsigned ran = 0, smx = 0;
  begin();
  for (unsigned t = 0; !out.finish_valid; t++) {
    if (t == PATIENCE) fail_msg("no end after %u cycles, %u nodes ran", t, ran);
    in.dats_node_ready = 1;
    in.dats_node_smx = (uint8_t)smx;
    cycle();
    if (!out.node_valid) continue;
    assert_int_equal(out.node.cta, ran);
    assert_int_equal(out.node.level, ran >= before);
    ran++;
    ends(out.node.index, smx);
    smx = (smx + 1) % cfg.num_smx;
  }
  return ran;
}

static void end(void) {
  in.dats_finish_ready = 1;
  cycle();
}

/* Runs it twice: both runs must be identical, and memory must then equal the original image. */
static void runs(unsigned before, unsigned after, bool through_pub, bool through_memory) {
  unsigned took[2], to_pub[2], to_memory[2];
  open_as(OURS, LATENCY);
  lay_barrier(before, after);
  for (unsigned k = 0; k < 2; k++) {
    const unsigned began = now;
    pubs = earlies = 0;
    assert_int_equal(run(before), before + after);
    assert_int_equal(out.finish.code, HD_GCODE_FINE);
    took[k] = now - began;
    to_pub[k] = pubs;
    to_memory[k] = earlies;
    end();
    assert_memory_equal(bytes, laid, size);
  }
  print_message("%u by %u: %u cycles, %u updates in the PUB, %u in memory\n", before, after, took[0], pubs, earlies);
  assert_int_equal(took[0], took[1]);
  assert_int_equal(to_pub[0], to_pub[1]);
  assert_int_equal(to_memory[0], to_memory[1]);
  assert_int_equal(to_pub[0] != 0, through_pub);
  assert_int_equal(to_memory[0] != 0, through_memory);
  close_all();
}

TEST(barriers_run) {
  runs(64, 64, false, false); /* all of it is in the LNA */
  runs(64, 128, true, true);
  runs(257, 257, true, true); /* more edges than the oracle tracks: only the order of the offers is checked */
}

/* The paper's rules: the watchdog reports the deadlock and the node at which the window waits, DgbQuiet cycles after
 * the last progress. */
static void deadlocks(unsigned before, unsigned after) {
  open_as(PAPERS, LATENCY);
  lay_barrier(before, after);
  const unsigned ran = run(before);
  assert_int_equal(out.finish.code, HD_GCODE_STUCK);
  assert_true(ran < before + after);
  assert_int_equal(out.finish.vid, arch()->tail);
  assert_int_equal(earlies, 0);
  print_message("%u by %u, the paper's rules: stuck at node %u, %u ran, %u updates in the PUB, after %u cycles\n",
                before, after, out.finish.vid, ran, pubs, now);
  end();
  close_all();
}

TEST(paper_deadlocks) {
  deadlocks(64, 64);
  assert_int_equal(pubs, cfg.pub); /* full */
  deadlocks(257, 257);
  assert_int_equal(pubs, 0); /* the head rule: no node ever ran */
}

TEST_MAIN("dgb_barriers", NULL, NULL)
