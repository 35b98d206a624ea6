/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Aggregated Group Table: rows, the walk of a chain, change of kernel, failures. */
#include "unit/launch/agt_fixture.h"

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.group.valid, 0);
  assert_int_equal(out.over_pop, 0);
  assert_int_equal(out.succ, 0);
  check_cursor(HD_AGT_IDLE, 0);
}

/* Link event at 3, SSCR has the kernel at 4: tag at 4, read at 5, pushed at 6, offered at 7. */
TEST_F(test_first_group_latency) {
  in.devq_group.info = info(5);
  cycle(); /* 2 */
  link(1, 5);
  cycle(); /* 3 */
  current(1);
  for (unsigned t = 4; t < 7; t++) {
    cycle();
    assert_int_equal(out.group.valid, 0);
    assert_int_equal(arch()->gq_count, t == 6);
  }
  cycle();
  assert_int_equal(out.group.valid, 1);
  assert_int_equal(out.group.kdei, 1);
  assert_int_equal(out.group.group.self.index, 5);
  assert_int_equal(out.group.group.info.ctas, 6);
  assert_true(out.group.group.info.param == 105);
}

/* A backlog of 500 groups: one per cycle, in order of link. */
TEST_F(test_one_group_per_cycle) {
  for (unsigned k = 0; k < 500; k++) launch(2, k * 7 % 1024);
  current(2);
  for (unsigned t = 0; t < 5; t++) cycle();
  for (unsigned k = 0; k < 500; k++) {
    hd_agt_eval(m, &in, &out);
    assert_int_equal(out.group.valid, 1);
    assert_int_equal(out.group.group.self.index, k * 7 % 1024);
    in.sched_group_pop = 1;
    if (k) advance(2);
    cycle();
  }
  cycle();
  assert_int_equal(out.group.valid, 0);
  assert_int_equal(arch()->cursor, HD_AGT_TAIL);
}

/* The walk at the tail: each group is linked in a cycle, and offered three cycles later: one per cycle. */
TEST_F(test_rate_at_the_tail) {
  current(0);
  cycle();
  for (unsigned t = 0; t < 500; t++) {
    in.devq_group.info = info(t + 1);
    if (t) link(0, t);
    hd_agt_eval(m, &in, &out);
    assert_int_equal(out.group.valid, t >= 4);
    if (t >= 4) assert_int_equal(out.group.group.self.index, t - 3);
    if (t >= 4) assert_int_equal(out.group.group.info.ctas, t - 2);
    in.sched_group_pop = out.group.valid;
    if (t > 4) list_d[0].nagei = (uint16_t)(t - 3); /* the group taken in the cycle before is handed out */
    cycle();
  }
}

/* No more than three groups are read ahead of the scheduler. */
TEST_F(test_three_ahead) {
  for (unsigned k = 0; k < 6; k++) launch(0, k);
  current(0);
  for (unsigned t = 0; t < 10; t++) cycle();
  assert_int_equal(arch()->gq_count, 3);
  check_cursor(HD_AGT_AT, 3);
  for (int k = 0; k < 6; k++) assert_int_equal(take(), k);
  assert_int_equal(take(), -1);
}

/* A group linked in the same cycle in which the last row of the list is read is not lost. */
TEST_F(test_link_while_the_last_is_read) {
  for (unsigned at = 0; at < 8; at++) {
    hd_agt_reset(m);
    memset(list_d, 0, sizeof list_d);
    current(-1);
    cycle();
    launch(3, 10);
    in.devq_group.info = info(11);
    current(3);
    for (unsigned t = 0; t < 8; t++) {
      if (t == at) link(3, 11);
      cycle();
    }
    assert_int_equal(take(), 10);
    assert_int_equal(take(), 11);
    assert_int_equal(take(), -1);
  }
}

/* The successor of the current group is known before, while and after it is read. */
TEST_F(test_successor) {
  launch(0, 1);
  launch(0, 2);
  current(0);
  assert_int_equal(take(), 1);
  for (unsigned t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(out.succ, 2);
  }
  assert_int_equal(take(), 2);
  cycle();
  assert_int_equal(out.succ, 0);
}

/* It comes from the state register while the row is not read, then from the row that is read, then from the queue. */
TEST_F(test_successor_while_it_is_read) {
  launch(0, 4);
  current(0);
  static const unsigned want[] = {0, 4, 4, 4}; /* wk, read, rd_valid, queued */
  for (unsigned t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(out.succ, want[t]);
  }
  assert_int_equal(out.group.valid, 1);
}

/* The list was handed out to its end; the kernel stays and gets a new one. */
TEST_F(test_list_after_list) {
  current(0);
  launch(0, 4);
  assert_int_equal(take(), 4);
  advance(0);
  cycle();
  cycle();
  assert_int_equal(arch()->cursor, HD_AGT_IDLE);
  launch(0, 5);
  assert_int_equal(take(), 5);
}

/* The chain has been handed out, the walk is still at its tail, and a new one begins in that cycle. */
TEST_F(test_link_in_the_tail_of_an_ended_chain) {
  current(0);
  launch(0, 4);
  assert_int_equal(take(), 4);
  advance(0);
  in.devq_group.info = info(5);
  cycle();
  check_cursor(HD_AGT_TAIL, 0);
  link(0, 5);
  assert_int_equal(in.link_chained[0], 0);
  cycle();
  check_cursor(HD_AGT_AT, 5);
  assert_int_equal(take(), 5);
}

/* Link events of other kernels do not move the walk; their lists are available when their turn arrives. */
TEST_F(test_three_kernels) {
  for (unsigned n = 0; n < 12; n++) launch(n % 3, n);
  for (unsigned i = 0; i < 3; i++) {
    current((int)i);
    for (unsigned n = i; n < 12; n += 3) assert_int_equal(take(), n);
    assert_int_equal(take(), -1);
  }
}

/* Another kernel in the SSCR: groups read ahead are dropped; on return the walk starts at NAGEI. */
TEST_F(test_change_of_kernel) {
  for (unsigned n = 0; n < 4; n++) launch(0, n);
  launch(1, 9);
  current(0);
  assert_int_equal(take(), 0);
  for (unsigned t = 0; t < 5; t++) cycle();
  current(1);
  cycle();
  cycle();
  assert_int_equal(out.group.valid, 0);
  assert_int_equal(take(), 9);
  current(0); /* group 0 was not handed out completely */
  cycle();
  for (int n = 0; n < 4; n++) assert_int_equal(take(), n);
}

/* A row read in the cycle before the change does not join the next kernel's groups. */
TEST_F(test_change_while_a_row_is_read) {
  launch(0, 1);
  launch(0, 2);
  launch(1, 9);
  current(0);
  cycle();
  cycle();
  assert_int_equal(arch()->rd_valid, 1);
  current(1);
  cycle();
  assert_int_equal(arch()->gq_count, 0);
  assert_int_equal(take(), 9);
}

/* The kernel's first group is linked in the cycle in which the walk changes over to it. */
TEST_F(test_link_in_the_change) {
  in.devq_group.info = info(6);
  cycle();
  current(2);
  link(2, 6);
  cycle();
  assert_int_equal(arch()->cursor, HD_AGT_AT);
  assert_int_equal(take(), 6);
}

/* The same with one that is added to the list in memory: the walk stays idle. */
TEST_F(test_link_over_in_the_change) {
  in.devq_group.info = info(6);
  cycle();
  current(2);
  link_over(2, onchip(6));
  cycle();
  check_cursor(HD_AGT_IDLE, 0);
  assert_int_equal(take(), -1);
}

/* A group linked while the kernel waits, at the tail or idle, does not move it either; no Next is written for it. */
TEST_F(test_link_over) {
  current(0);
  launch_over(0, onchip(9));
  check_cursor(HD_AGT_IDLE, 0);
  launch(0, 4);
  assert_int_equal(take(), 4);
  launch_over(0, onchip(10));
  launch_over(0, record(11));
  check_cursor(HD_AGT_TAIL, 0);
  assert_int_equal(take(), -1);
  assert_int_equal(arch()->next_row_valid[4], 0);
  assert_int_equal(arch()->info_row[10].ctas, 11);
}

/* A fail event of the kernel from elsewhere drops the groups read ahead; one of another kernel does not. */
TEST_F(test_fail_events) {
  for (unsigned n = 0; n < 3; n++) launch(5, n);
  current(5);
  for (unsigned t = 0; t < 6; t++) cycle();
  in.fails[1].valid = 1;
  in.fails[1].kdei = 6;
  cycle();
  assert_int_equal(arch()->gq_count, 3);
  in.fails[0].valid = 1;
  in.fails[0].kdei = 5;
  memset(&list_d[5], 0, sizeof list_d[5]);
  cycle();
  assert_int_equal(arch()->gq_count, 0);
  assert_int_equal(take(), -1);
}

/* Rows are valid from their first write on. */
TEST_F(test_arch_tables) {
  launch(0, 3);
  launch(0, 77);
  launch_over(0, onchip(5));
  struct hd_agt_arch *a = arch();
  assert_int_equal(a->info_row_valid[3], 1);
  assert_int_equal(a->info_row[3].ctas, 4);
  assert_int_equal(a->next_row_valid[3], 1);
  assert_int_equal(a->next_row[3], 77);
  assert_int_equal(a->info_row_valid[5], 1);
  assert_int_equal(a->next_row_valid[77] || a->next_row_valid[5], 0);
  assert_int_equal(a->info_row_valid[4] || a->next_row_valid[4], 0);
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_agt *fresh = ut_new(hd_agt_size(&cfg));
  hd_agt_init(fresh, &cfg);
  launch(0, 3);
  launch(0, 4);
  current(0);
  idle(3);
  in.devq_group.info = info(6);
  cycle();
  assert_memory_not_equal(m, fresh, hd_agt_size(&cfg));
  hd_agt_reset(m);
  assert_memory_equal(m, fresh, hd_agt_size(&cfg));
  free(fresh);
}

TEST_MAIN("agt", NULL, NULL)
