/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Graph kernels in the plane: alone, and together with other kernels. */
#include "unit/top/nodes_fixture.h"

static const struct hd_dim3 square = {4, 4, 1};

/* A wavefront of 16 TBs: each runs once, after its parents (checked by the oracle), and the kernel is done. */
TEST(test_wavefront) {
  begin("k20c");
  episode = 20;
  launch_pattern(0, 0, square, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LRR, 0);
  until(&ended_n, 1, 1000);
  expect_end(0, 0, false);
  assert_int_equal(tbs, 16);
  for (unsigned n = 0; n < 16; n++) {
    assert_int_equal(tb[n].d.level || tb[n].d.group || tb[n].d.age_valid || tb[n].d.agei || tb[n].d.restart, 0);
    assert_int_equal(tb[n].d.desc.param, desc_of(0, 1).param);
  }
  assert_int_equal(COUNT(GRAPHS), 1);
  assert_int_equal(COUNT(CTAS_OUT), 16);
  assert_int_equal(status() || graph_word(), 0);
  end();
}

/* The same graph again: memory has not changed. */
TEST(test_again) {
  begin("tiny");
  episode = 5;
  launch_pattern(0, 0, square, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LVL, 1);
  for (unsigned n = 1; n <= 3; n++) {
    until(&ended_n, n, 5000);
    expect_end(n - 1, 0, false);
    assert_int_equal(tbs, 16 * n);
    host.launch[host.n] = host.launch[0];
    if (n < 3) host.n++;
  }
  end();
}

/* From a TB's completion to the dispatch of a child that waited only for it: 6 cycles, decided in the fifth. */
TEST(test_from_parent_to_child) {
  begin("k20c");
  episode = 40;
  launch_pattern(0, 0, (struct hd_dim3){12, 1, 1}, HD_DEPLINKS_CHAIN, HD_DEPLINKS_LRR, 0);
  until(&ended_n, 1, 1000);
  for (unsigned n = 0; n < 12; n++) {
    expect_tb(n, 0, n);
    if (n) assert_int_equal(tb[n].cycle - (tb[n - 1].cycle + episode), 6);
  }
  end();
}

/* A TB in each cycle, to the SMXs round robin, once the first nodes are loaded. */
TEST(test_one_per_cycle) {
  begin("k20c");
  launch_flat(0, 0, 100);
  until(&tbs, 100, 400);
  for (unsigned n = 17; n < 100; n++) {
    assert_int_equal(tb[n].cycle, tb[n - 1].cycle + 1);
    assert_int_equal(tb[n].smx, n % 13);
  }
  end();
}

/* An older kernel hands out all its TBs before the graph does; a younger one continues while no node is ready. */
TEST(test_by_age) {
  begin("k20c");
  host_kernel(1, 1, 100);
  launch_pattern(0, 0, (struct hd_dim3){3, 1, 1}, HD_DEPLINKS_CHAIN, HD_DEPLINKS_LRR, 0);
  host_kernel(2, 2, 40);
  until(&tbs, 141, 400);
  for (unsigned n = 0; n < 100; n++) expect_tb(n, 1, n);
  unsigned node = 100;
  while (tb[node].d.desc.param != desc_of(0, 1).param) node++;
  expect_tb(node, 0, 0);
  assert_true(node < 110); /* its descriptor and nodes arrived meanwhile */
  ticks(20);
  assert_int_equal(tbs, 141);
  end_tb(tb[node].smx, tb[node].d.slot);
  until(&tbs, 142, 20);
  expect_tb(141, 0, 1);
  end();
}

/* A ready node that does not fit keeps younger kernels waiting. */
TEST(test_waits_for_room) {
  begin("tiny");
  host_kernel(1, 1, 4); /* all slots */
  until(&tbs, 4, 40);
  launch_flat(0, 0, 2);
  ticks(60); /* it is ready */
  host_kernel(2, 1, 2);
  ticks(60);
  for (unsigned n = 0; n < 4; n++) end_tb(tb[n].smx, tb[n].d.slot), ticks(10);
  until(&tbs, 8, 100);
  for (unsigned n = 0; n < 2; n++) assert_int_equal(tb[4 + n].d.desc.param, desc_of(0, 1).param);
  for (unsigned n = 0; n < 2; n++) expect_tb(6 + n, 2, n);
  end();
}

/* One graph at a time: the second waits at the head of its HWQ, kernels of other HWQs overtake. */
TEST(test_one_at_a_time) {
  begin("k20c");
  launch_flat(0, 0, 2);
  launch_flat(3, 1, 2);
  host_kernel(4, 1, 1); /* behind it in its HWQ */
  host_kernel(5, 2, 1);
  until(&tbs, 3, 200);
  ticks(100);
  assert_int_equal(tbs, 3);
  for (unsigned n = 0; n < 3; n++) {
    assert_int_not_equal(tb[n].d.desc.param, desc_of(3, 1).param);
    if (tb[n].d.desc.param == desc_of(0, 1).param) end_tb(tb[n].smx, tb[n].d.slot);
  }
  until(&tbs, 5, 200);
  expect_tb(3, 3, 0);
  expect_tb(4, 3, 1);
  ticks(50);
  for (unsigned n = 3; n < 5; n++) end_tb(tb[n].smx, tb[n].d.slot);
  until(&tbs, 6, 100);
  expect_tb(5, 4, 0);
  assert_int_equal(COUNT(GRAPHS), 2);
  end();
}

/* lvl-bind: a child runs where its parent ran. */
TEST(test_bind) {
  begin("k20c");
  episode = 30;
  host_kernel(1, 1, 5); /* the pointer is at 5 */
  until(&ended_n, 1, 200);
  launch_pattern(0, 0, (struct hd_dim3){9, 1, 1}, HD_DEPLINKS_CHAIN, HD_DEPLINKS_LVL_BIND, 4);
  until(&ended_n, 2, 1000);
  for (unsigned n = 5; n < 14; n++) assert_int_equal(tb[n].smx, 5);
  end();
}

/* TBs of a graph launch: a kernel, and a group that finds none to join; kernel_done waits for both. A save is
   refused. */
TEST(test_launches) {
  begin("k20c");
  launch_flat(0, 0, 1);
  until(&tbs, 1, 200);
  const unsigned smx = tb[0].smx;
  launch_kernel(smx, 0, 7, 1, 0);
  launch_group(smx, 0, 8, 1, 3, 9); /* of its own program */
  until(&answers, 2, 100);
  launch_save(smx, 0, 0x777);
  until(&answers, 3, 100);
  EXPECT_CODES(HD_CODE_ACCEPTED, HD_CODE_ACCEPTED, HD_CODE_REFUSED);
  assert_int_equal(COUNT(DEV_UNMATCHED), 1);
  until(&tbs, 3, 100);
  end_tb(smx, 0);
  ticks(100);
  assert_int_equal(ended_n, 0);
  end_tb(tb[1].smx, tb[1].d.slot);
  ticks(100);
  assert_int_equal(ended_n, 0);
  end_tb(tb[2].smx, tb[2].d.slot);
  until(&ended_n, 1, 100);
  expect_end(0, 0, false);
  end();
}

/* Under each policy of the scheduler: banks of groups together with the graph. */
TEST(test_policies) {
  for (unsigned policy = HD_POLICY_RR; policy <= HD_POLICY_ADAPTIVE_BIND; policy++) {
    begin("k20c");
    set_policy(policy);
    host_kernel(1, 1, 20);
    launch_pattern(0, 0, square, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LVL_BIND, 2);
    until(&tbs, 21, 200);
    episode = 30;
    for (unsigned g = 0; g < 20; g++) launch_group(tb[g].smx, tb[g].d.slot, 100 + g, 3, g, g);
    until(&answers, 20, 200);
    for (unsigned n = 0; n < 21; n++) end_tb(tb[n].smx, tb[n].d.slot);
    until(&ended_n, 2, 3000);
    assert_int_equal(tbs, 20 + 16 + 60);
    end();
  }
}

TEST_MAIN("graph_kernels", NULL, NULL)
