/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Management Unit: kernels with a graph. */
#include "unit/host/kmu_fixture.h"

static struct hd_launch graph_launch(unsigned hwq, unsigned tag) {
  struct hd_launch l = ut_launch(hwq, tag);
  l.graph = 1;
  l.desc.param = 0x4000 + 64 * tag;
  return l;
}

static struct hd_kmu_arch *arch(void) {
  static struct hd_kmu_arch a;
  hd_kmu_arch(m, &a, true);
  return &a;
}

/* Launched in t, picked in t+2, offered in t+3 with its bit, until it is taken. */
TEST_F(test_offered_with_its_bit) {
  offer(graph_launch(3, 7));
  cycle();
  cycle();
  assert_int_equal(arch()->hwq_graph[3 * cfg.hwq_depth], 1);
  assert_int_equal(arch()->kernel_graph, 0);
  cycle();
  assert_int_equal(out.offer.valid, 0);
  assert_int_equal(arch()->hwq_graph[3 * cfg.hwq_depth], 0);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.offer.valid && out.offer.kernel.graph, 1);
    assert_int_equal(out.offer.kernel.origin.tag, 7);
    assert_int_equal(arch()->kernel_graph, 1);
  }
  in.kd_entry.valid = 1;
  cycle();
  cycle();
  assert_int_equal(out.offer.valid || out.offer.kernel.graph, 0);
  assert_int_equal(arch()->kernel_graph, 0);
}

/* The row of a launch with a graph is like any other. */
TEST_F(test_row_has_no_bit) {
  answer_to(ut_launch(0, 1)); /* is in the output stage */
  answer_to(graph_launch(3, 7));
  const struct hd_launch l = graph_launch(3, 7);
  assert_memory_equal(&arch()->hwq_row[3 * cfg.hwq_depth].desc, &l.desc, sizeof l.desc);
  assert_int_equal(arch()->hwq_graph[3 * cfg.hwq_depth], 1);
}

/* Too many TBs; an address that is no multiple of 64. One that has neither is accepted at its limits. */
TEST_F(test_limits) {
  struct hd_launch l = graph_launch(1, 1);
  l.ctas = 65536;
  assert_int_equal(answer_to(l), HD_CODE_OVER_LIMIT);
  l.ctas = UINT32_C(1) << 31;
  assert_int_equal(answer_to(l), HD_CODE_OVER_LIMIT);
  l.graph = 0;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  l.graph = 1;
  l.ctas = 65535;
  l.desc.param = (UINT64_C(1) << 40) - 64;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  for (unsigned bit = 0; bit < 6; bit++) {
    l = graph_launch(2, 2);
    l.desc.param |= UINT64_C(1) << bit;
    assert_int_equal(answer_to(l), HD_CODE_OVER_LIMIT);
  }
}

/* An address that the memory does not have. */
TEST_F(test_address_beyond) {
  free(m);
  cfg = ut_cfg_with("k20c", "AddrW", 36);
  m = ut_new(hd_kmu_size(&cfg));
  hd_kmu_init(m, &cfg);
  struct hd_launch l = graph_launch(1, 1);
  for (unsigned bit = 36; bit < 40; bit++) {
    l.desc.param = 0x4000 | UINT64_C(1) << bit;
    assert_int_equal(answer_to(l), HD_CODE_OVER_LIMIT);
  }
  l.desc.param = (UINT64_C(1) << 36) - 64;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
}

/* The order of the codes: ZeroDim before, NeverFits and UnknownHwq behind. */
TEST_F(test_order_of_codes) {
  struct hd_launch l = graph_launch(200, 1);
  assert_int_equal(answer_to(l), HD_CODE_UNKNOWN_HWQ);
  l.smem = 193;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
  l.desc.param++;
  assert_int_equal(answer_to(l), HD_CODE_OVER_LIMIT);
  l.desc.grid_x = 0;
  assert_int_equal(answer_to(l), HD_CODE_ZERO_DIM);
}

/* While one is offered, and while one is in the KD, no other is picked; its HWQ waits, the others continue. */
TEST_F(test_one_at_a_time) {
  in.kd_entry.valid = 0;
  answer_to(graph_launch(0, 10));
  answer_to(graph_launch(1, 11));
  answer_to(ut_launch(1, 12));
  answer_to(ut_launch(2, 13));
  in.kd_entry.valid = 1;
  cycle();
  assert_int_equal(out.offer.kernel.origin.tag, 10); /* taken in this cycle, in which 13 is picked */
  in.dats_busy = 1;
  cycle();
  assert_int_equal(out.offer.valid, 1);
  assert_int_equal(out.offer.kernel.origin.tag, 13);
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.offer.valid, 0);
  }
  in.dats_busy = 0;
  cycle(); /* picked */
  cycle();
  assert_int_equal(out.offer.valid && out.offer.kernel.graph, 1);
  assert_int_equal(out.offer.kernel.origin.tag, 11);
  in.dats_busy = 1;
  in.kd_reopen[1] = 1;
  cycle();
  in.dats_busy = 0;
  cycle();
  assert_int_equal(out.offer.kernel.origin.tag, 12);
  assert_int_equal(out.offer.kernel.graph, 0);
}

/* Ends the graph of HWQ `before` (0: none) and returns the HWQ whose graph is taken next; launches another there. */
static unsigned next_graph(unsigned before) {
  in.dats_busy = 0;
  for (int t = 0; t < 8 && !in.dats_busy; t++) {
    cycle();
    in.dats_busy = out.offer.valid && out.offer.kernel.graph;
  }
  assert_int_equal(in.dats_busy, 1);
  const unsigned hwq = out.offer.kernel.origin.hwq;
  if (before) in.kd_reopen[before] = 1; /* the kernel of the graph before has ended meanwhile */
  answer_to(graph_launch(hwq, hwq));
  return hwq;
}

/* Graphs of HWQs 1 and 5 do not overtake that of HWQ 2 repeatedly, though the pointer moves with the kernels of HWQ 3
 * while no graph may be picked. */
TEST_F(test_a_graph_is_passed_by_few) {
  unsigned picked[6] = {0}, hwq = 0;
  in.kd_entry.valid = in.dats_busy = 1;
  answer_to(graph_launch(1, 1));
  answer_to(graph_launch(2, 2));
  answer_to(graph_launch(5, 5));
  for (unsigned n = 0; n < 42; n++) {
    hwq = next_graph(hwq);
    picked[hwq]++;
    if (hwq != 1) continue;
    answer_to(ut_launch(3, 3));
    cycle();
    in.kd_reopen[3] = 1;
    cycle();
  }
  assert_int_equal(picked[1], 14);
  assert_int_equal(picked[2], 14);
  assert_int_equal(picked[5], 14);
}

/* Kernels of the other classes do not wait, and have no graph. */
TEST_F(test_other_classes_go_on) {
  in.dats_busy = in.kd_entry.valid = 1;
  answer_to(graph_launch(0, 10));
  in.susp_head.kernel = ut_kernel(5, 50);
  in.susp_head.kernel.resumed = 1;
  in.susp_head.kernel.graph = 1; /* for any data from memory */
  in.pool_head.kernel.ctas = 3;
  in.pool_head.valid = in.susp_head.valid = 1;
  unsigned dev = 0, res = 0;
  for (int t = 0; t < 8; t++) {
    cycle();
    dev += out.pool_pop;
    res += out.susp_pop;
    assert_int_equal(out.offer.kernel.graph, 0);
  }
  assert_int_equal(dev, 4);
  assert_int_equal(res, 4);
}

/* Each position of a ring has its own bit; it goes with the launch. */
TEST_F(test_ring) {
  answer_to(ut_launch(31, 1)); /* is in the output stage */
  for (unsigned round = 0; round < 7; round++) {
    answer_to(round % 3 ? graph_launch(4, 100 + round) : ut_launch(4, 100 + round));
    answer_to(round % 2 ? graph_launch(4, 200 + round) : ut_launch(4, 200 + round));
    for (unsigned k = 0; k < 2; k++) {
      in.kd_reopen[4] = 1;
      in.kd_entry.valid = 1;
      cycle();
      in.kd_entry.valid = 0;
      cycle();
      const unsigned graph = k == 0 ? round % 3 != 0 : round % 2;
      assert_int_equal(out.offer.kernel.origin.tag, (k ? 200 : 100) + round);
      assert_int_equal(out.offer.kernel.graph, graph);
      if (!graph) continue;
      in.kd_entry.valid = 1; /* with a graph in the output stage no other is picked */
      cycle();
      in.kd_entry.valid = 0;
    }
  }
}

TEST_F(test_reset) {
  answer_to(graph_launch(0, 10));
  answer_to(graph_launch(0, 11));
  hd_kmu_reset(m);
  for (unsigned k = 0; k < cfg.num_hwq * cfg.hwq_depth; k++) assert_int_equal(arch()->hwq_graph[k], 0);
  assert_int_equal(arch()->kernel_graph, 0);
  in.kd_entry.valid = 1;
  assert_int_equal(answer_to(ut_launch(0, 12)), HD_CODE_ACCEPTED);
  assert_int_equal(next_kernel(), 12);
  assert_int_equal(out.offer.kernel.graph, 0);
}

TEST_MAIN("kmu_graph", NULL, NULL)
