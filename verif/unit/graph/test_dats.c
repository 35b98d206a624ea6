/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A graph kernel from entry to completion: its phases cycle by cycle, its TBs, ages, ends. */
#include "unit/graph/dats_fixture.h"

/* ---- phases ---- */

/* A kernel with a graph starts when it enters the KD. */
TEST_F(test_enters) {
  in.kmu_offer.valid = in.kmu_offer.kernel.graph = 1;
  cycle();
  in.kmu_offer.valid = in.kd_entry.valid = 1;
  cycle();
  cycle();
  assert_false(out.busy || out.mem.valid);
  enter_as(KDEI, CTAS);
  cycle();
  assert_true(out.busy);
}

/* The descriptor is requested from the cycle after the entry until the request is accepted: three beats at 64 times
   `at`. */
TEST_F(test_asks) {
  enter_as(KDEI, CTAS);
  for (unsigned t = 0; t < 3; t++) {
    in.mem.ready = t == 2;
    cycle();
    assert_true(out.busy && out.mem.valid && !out.mem.req.write);
    assert_int_equal(out.mem.req.addr, (uint64_t)AT * 64);
    assert_int_equal(out.mem.req.len, 2);
    assert_int_equal(out.mem.wbeat.strb, 0);
  }
  cycle();
  assert_true(out.busy && !out.mem.valid && !out.mem.req.addr && !out.mem.req.len);
}

/* The buffer is started in the cycle after the last beat, with any gaps between beats, and until it accepts the
   graph. */
TEST_F(test_starts) {
  enter_as(KDEI, CTAS);
  ask();
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned t = 0; t < k; t++) cycle();
    assert_int_equal(arch()->beat, k);
    beat(k, false);
  }
  for (unsigned t = 0; t < 3; t++) {
    in.dgb_start_ready = t == 2;
    cycle();
    const struct hd_dgbstart *s = &out.start;
    assert_true(out.start_valid && !out.run.valid);
    assert_true(s->nodes == addr[0] && s->edges == addr[1] && s->ids == addr[2] && s->early == addr[3]);
    assert_true(s->node_count == CTAS && s->bound == LEVELS && s->policy == HD_GPOLICY_LVL && s->edge_count == EDGES);
  }
  cycle();
  assert_true(!out.start_valid && !out.start.nodes && !out.start.node_count && out.run.valid);
  assert_int_equal(out.run.kdei, KDEI);
}

/* The buffer ends in t, the kernel in t + 1, with its code and node. */
TEST_F(test_ends) {
  for (unsigned code = HD_GCODE_FINE; code <= HD_GCODE_STUCK; code++) {
    run();
    for (unsigned t = 0; t < code; t++) {
      cycle();
      assert_true(out.finish_ready && out.busy);
    }
    finish(code, code ? 0xfff0 + code : 0);
    over(code, code ? 0xfff0 + code : 0);
    assert_false(out.finish_ready || out.run.valid || out.run.kdei || out.run.need.regs);
  }
}

/* The next kernel enters in the first cycle in which none is here, and sees no state of the previous one. */
TEST_F(test_next) {
  in.fcfs_marked[1] = 1;
  enter_as(KDEI, CTAS + 1);
  ask();
  for (unsigned k = 0; k < 3; k++) beat(k, true);
  in.fcfs_marked[1] = 0;
  cycle();
  assert_true(out.over.valid);
  enter_as(KDEI, CTAS);
  const struct hd_dats_arch *a = arch();
  assert_int_equal(a->phase, HD_DATS_REQUEST);
  assert_true(!a->beat && !a->wrong && !a->error && !a->code && !a->vid);
  assert_true(!a->graph.nodes && !a->graph.early && !a->graph.node_count && !a->graph.edge_count);
  cycle();
  assert_int_equal(out.older[1], 0);
}

/* Reset in any phase: none is here. */
TEST_F(test_reset) {
  run();
  hd_dats_reset(m);
  cycle();
  assert_false(out.busy || out.run.valid || out.finish_ready);
  run();
  finish(0, 0);
  over(0, 0);
}

/* ---- TBs ---- */

static void offer(unsigned index, unsigned cta, unsigned smx) {
  in.dgb_node_valid = 1;
  in.dgb_node = (struct hd_dgbnode){.index = (uint16_t)index, .cta = (uint16_t)cta, .level = 9};
  in.dgb_wish.valid = 1;
  in.dgb_wish.smx = (uint8_t)smx;
}

/* A node passes in its cycle, and is taken in the same one: one per cycle. */
TEST_F(test_tbs) {
  run();
  cycle();
  assert_false(out.tb.valid || out.tb.index || out.tb.cta || out.node_ready);
  for (unsigned k = 0; k < 10; k++) {
    offer(k, 65535 - k, cfg.num_smx);
    in.sched_graph_take = k > 2;
    in.sched_grant.smx = (uint8_t)k;
    cycle();
    assert_true(out.tb.valid && !out.tb.wants && !out.tb.smx);
    assert_memory_equal(&out.run.need, &need, sizeof need);
    assert_true(out.run.kdei == KDEI && out.tb.index == k && out.tb.cta == 65535 - k);
    assert_true(out.node_ready == (k > 2) && out.node_smx == k);
  }
  finish(0, 0);
  over(0, 0);
}

/* Only lvl-bind has a preference, and only where the node names an SMX; also before the node may be handed out. */
TEST_F(test_wants) {
  for (unsigned policy = 0; policy < 3; policy++) {
    bytes[36] = (uint8_t)policy;
    run();
    for (unsigned smx = 0; smx <= cfg.num_smx; smx++) {
      const bool wants = policy == HD_GPOLICY_LVL_BIND && smx < cfg.num_smx;
      offer(1, 2, smx);
      in.dgb_node_valid = smx % 2 == 0;
      if (!in.dgb_node_valid) memset(&in.dgb_node, 0, sizeof in.dgb_node);
      cycle();
      assert_int_equal(out.tb.valid, smx % 2 == 0);
      assert_int_equal(out.tb.wants, wants);
      assert_int_equal(out.tb.smx, wants ? smx : 0);
    }
    finish(0, 0);
    over(0, 0);
  }
}

/* ---- ages ---- */

static void older(unsigned set) {
  cycle();
  for (unsigned k = 0; k < cfg.num_kde; k++) assert_int_equal(out.older[k], k < 32 ? set >> k & 1 : 0);
}

/* Kernels marked at its entry are older, until they are unmarked; kernels marked later are not. */
TEST_F(test_ages) {
  in.fcfs_marked[0] = in.fcfs_marked[1] = in.fcfs_marked[5] = 1;
  cycle();
  assert_int_equal(out.older[0], 0); /* no kernel is here */
  enter_as(KDEI, CTAS);
  in.fcfs_marked[2] = 1;
  older(0x23);
  in.fcfs_marked[1] = 0;
  older(0x23); /* it was marked in the cycle before */
  in.fcfs_marked[1] = 1;
  older(0x21);
  in.fcfs_marked[0] = in.fcfs_marked[1] = 0;
  older(0x21);
  older(0x20);
}

/* A rotated kernel becomes the youngest, also in the cycle of the entry. */
TEST_F(test_rotates) {
  in.fcfs_marked[0] = in.fcfs_marked[1] = in.fcfs_marked[5] = 1;
  in.sched_give_way = 1;
  in.sched_sscr.kdei = 5;
  enter_as(KDEI, CTAS);
  in.sched_sscr.kdei = 1; /* without rotate */
  older(0x03);
  in.sched_give_way = 1;
  older(0x03);
  older(0x02);
}

/* Ages are valid to the last cycle, in all entries. */
TEST_F(test_ages_last) {
  free(m);
  start_with(ut_cfg("big"));
  in.fcfs_marked[127] = in.fcfs_marked[64] = 1;
  read_as(1);
  cycle();
  assert_true(out.over.valid && out.older[127] && out.older[64] && !out.older[63]);
  cycle();
  assert_false(out.older[127] || out.older[64]);
}

TEST_MAIN("dats", NULL, NULL)
