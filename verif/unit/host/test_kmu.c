/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Management Unit: HWQs, order, latencies. */
#include "unit/host/kmu_fixture.h"

/* After reset no kernel is offered and a launch is accepted. */
TEST_F(test_idle_after_reset) {
  cycle();
  assert_int_equal(out.host_launch_ready, 1);
  assert_int_equal(out.host_answer_valid, 0);
  assert_int_equal(out.offer.valid, 0);
  const struct hd_kernel none = {0};
  assert_memory_equal(&out.offer.kernel, &none, sizeof none);
}

/* Taken in t, judged in t+1, picked in t+2, offered to the KD in t+3. */
TEST_F(test_launch_latency) {
  offer(ut_launch(5, 42));
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.offer.valid, 0);
  }
  cycle();
  assert_int_equal(out.offer.valid, 1);
  const struct hd_kernel want = ut_kernel(5, 42);
  assert_memory_equal(&out.offer.kernel, &want, sizeof want);
}

/* HwqDepth launches queue behind the one in the KD; the next is refused, and other HWQs still take theirs. */
TEST_F(test_full_hwq_refuses) {
  assert_int_equal(answer_to(ut_launch(7, 0)), HD_CODE_ACCEPTED);
  assert_int_equal(next_kernel(), 0); /* the first has left for the KD: the queue is empty and closed */
  for (unsigned i = 1; i <= cfg.hwq_depth; i++) assert_int_equal(answer_to(ut_launch(7, i)), HD_CODE_ACCEPTED);
  assert_int_equal(answer_to(ut_launch(7, 8)), HD_CODE_REFUSED);
  assert_int_equal(answer_to(ut_launch(8, 9)), HD_CODE_ACCEPTED);
}

/* Full stays full though the head leaves in the same cycle (T3). */
TEST_F(test_full_judged_at_the_start) {
  answer_to(ut_launch(0, 0));
  assert_int_equal(next_kernel(), 0);
  for (unsigned i = 1; i <= cfg.hwq_depth; i++) answer_to(ut_launch(0, i));
  offer(ut_launch(0, 9));
  cycle();
  in.kd_reopen[0] = 1; /* the cycle of the judgement: the head is picked in it */
  cycle();
  cycle();
  assert_int_equal(out.host_answer.code, HD_CODE_REFUSED);
  assert_int_equal(out.offer.kernel.origin.tag, 1);
}

/* A HWQ whose kernel is in the KD is closed until it reopens; then the next is offered in the cycle after. */
TEST_F(test_closed_until_reopened) {
  answer_to(ut_launch(3, 1));
  answer_to(ut_launch(3, 2));
  assert_int_equal(next_kernel(), 1);
  assert_int_equal(next_kernel(), -1);
  in.kd_reopen[3] = 1;
  cycle();
  assert_int_equal(out.offer.valid, 0);
  cycle();
  assert_int_equal(out.offer.valid, 1);
  assert_int_equal(out.offer.kernel.origin.tag, 2);
}

/* Reopened and picked in one cycle: closed again. */
TEST_F(test_pick_closes_what_reopens) {
  for (unsigned i = 1; i <= 3; i++) answer_to(ut_launch(3, i));
  assert_int_equal(next_kernel(), 1);
  in.kd_reopen[3] = 1;
  assert_int_equal(next_kernel(), 2);
  assert_int_equal(next_kernel(), -1);
}

/* Launches of one HWQ leave in the order in which they came, around the ring more than once. */
TEST_F(test_hwq_order) {
  answer_to(ut_launch(1, 0));
  assert_int_equal(next_kernel(), 0);
  for (unsigned i = 1; i <= 11; i++) {
    answer_to(ut_launch(1, i));
    if (i < 3) continue;
    in.kd_reopen[1] = 1;
    assert_int_equal(next_kernel(), i - 2);
  }
}

/* Open heads are served round robin: after HWQ 2 come 4, then 0, although 0 arrived first. */
TEST_F(test_round_robin_over_hwqs) {
  answer_to(ut_launch(2, 20));
  assert_int_equal(next_kernel(), 20); /* pointer 3 */
  answer_to(ut_launch(31, 99));
  in.kd_entry.valid = 0; /* 99 is in the output stage, the pointer wraps to 0 */
  cycle();
  cycle();
  answer_to(ut_launch(4, 40));
  answer_to(ut_launch(0, 10));
  answer_to(ut_launch(1, 11));
  assert_int_equal(next_kernel(), 99);
  assert_int_equal(next_kernel(), 10);
  assert_int_equal(next_kernel(), 11);
  assert_int_equal(next_kernel(), 40);
}

/* The pointer moves past the winner: a HWQ that has just reopened waits for the others. */
TEST_F(test_pointer_is_winner_plus_one) {
  answer_to(ut_launch(2, 20));
  answer_to(ut_launch(2, 21));
  assert_int_equal(next_kernel(), 20);
  in.kd_entry.valid = 0;
  answer_to(ut_launch(9, 90)); /* is in the output stage */
  answer_to(ut_launch(1, 10));
  answer_to(ut_launch(9, 91));
  in.kd_reopen[2] = in.kd_reopen[9] = 1;
  in.kd_entry.valid = 1;
  cycle();
  assert_int_equal(out.offer.kernel.origin.tag, 90);
  in.kd_entry.valid = 0;
  cycle();
  assert_int_equal(out.offer.kernel.origin.tag, 10); /* from 10 on, around: 1 before 2 before 9 */
  assert_int_equal(next_kernel(), 10);
  assert_int_equal(next_kernel(), 21);
  assert_int_equal(next_kernel(), 91);
}

/* An offer stays until it is taken, and so does the pointer. */
TEST_F(test_output_holds) {
  in.kd_entry.valid = 0;
  answer_to(ut_launch(0, 1));
  answer_to(ut_launch(1, 2));
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.offer.valid, 1);
    assert_int_equal(out.offer.kernel.origin.tag, 1);
  }
  assert_int_equal(next_kernel(), 1);
  assert_int_equal(next_kernel(), 2);
}

/* One launch and one kernel per cycle, sustained over all HWQs. */
TEST_F(test_one_per_cycle) {
  in.kd_entry.valid = 1;
  for (unsigned t = 0; t < cfg.num_hwq + 3; t++) {
    if (t < cfg.num_hwq) offer(ut_launch(t, t));
    cycle();
    assert_int_equal(out.host_launch_ready, 1);
    assert_int_equal(out.offer.valid, t >= 3);
    if (t >= 3) assert_int_equal(out.offer.kernel.origin.tag, t - 3);
  }
}

/* Answers that are not taken fill two places and the launch register; then a launch must wait. None is lost. */
TEST_F(test_answer_back_pressure) {
  unsigned taken = 0;
  in.host_answer_ready = 0;
  for (int t = 0; t < 10; t++) {
    offer(ut_launch(taken, 100 + taken));
    cycle();
    taken += out.host_launch_ready;
  }
  assert_int_equal(taken, 3);
  in.host_answer_ready = 1;
  for (unsigned i = 0; i < 3; i++) {
    cycle();
    assert_int_equal(out.host_answer_valid, 1);
    assert_int_equal(out.host_answer.tag, 100 + i);
  }
  cycle();
  assert_int_equal(out.host_answer_valid, 0);
}

/* A HWQ also reopens when its kernel's children are done, in either way. */
TEST_F(test_reopened_by_the_last_child) {
  for (unsigned i = 1; i <= 3; i++) answer_to(ut_launch(3, i));
  assert_int_equal(next_kernel(), 1);
  assert_int_equal(next_kernel(), -1);
  in.kin_reopen[3] = 1;
  assert_int_equal(next_kernel(), 2);
  in.kin_reopen[4] = 1; /* another's */
  assert_int_equal(next_kernel(), -1);
  in.kd_reopen[3] = 1;
  assert_int_equal(next_kernel(), 3);
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_kmu *fresh = ut_new(hd_kmu_size(&cfg));
  hd_kmu_init(fresh, &cfg);
  for (unsigned i = 0; i < 9; i++) {
    offer(ut_launch(i % 3, i));
    cycle();
  }
  assert_memory_not_equal(m, fresh, hd_kmu_size(&cfg));
  hd_kmu_reset(m);
  assert_memory_equal(m, fresh, hd_kmu_size(&cfg));
  free(fresh);
}

/* When all kernels have left, the state differs from reset only in pointers and closed bits: unused rows are clear. */
TEST_F(test_unused_rows_are_clear) {
  static struct hd_kmu_arch a;
  answer_to(ut_launch(1, 1));
  answer_to(ut_launch(1, 2));
  assert_int_equal(next_kernel(), 1);
  hd_kmu_arch(m, &a, true);
  assert_int_equal(a.hwq_count[1], 1);
  assert_int_equal(a.hwq_first[1], 1);
  assert_int_equal(a.hwq_closed[1], 1);
  for (unsigned i = 0; i < cfg.num_hwq * cfg.hwq_depth; i++) {
    assert_int_equal(a.hwq_row_valid[i], i == cfg.hwq_depth + 1);
    assert_int_equal(a.hwq_row[i].tag, i == cfg.hwq_depth + 1 ? 2 : 0);
  }
}

/* Random launches, backpressure and reopening: each accepted launch leaves once, in the order of its HWQ. */
TEST_F(test_conservation) {
  uint64_t seed = 0x5eed;
  unsigned sent = 0, accepted = 0, left = 0;
  int last[32];
  bool in_kd[32] = {false};
  for (int h = 0; h < 32; h++) last[h] = -1;
  for (int t = 0; t < 20000; t++) {
    if (t < 19000) offer(ut_launch(ut_below(&seed, 32), sent));
    in.kd_entry.valid = ut_below(&seed, 2) == 0;
    in.host_answer_ready = ut_below(&seed, 3) != 0;
    unsigned h = ut_below(&seed, 32);
    in.kd_reopen[h] = in_kd[h];
    in_kd[h] = false;
    bool offered = in.host_launch_valid;
    cycle();
    sent += offered && out.host_launch_ready;
    accepted += out.host_answer_valid && in.host_answer_ready && out.host_answer.code == HD_CODE_ACCEPTED;
    if (!out.offer.valid || !in.kd_entry.valid) continue;
    assert_false(in_kd[out.offer.kernel.origin.hwq]);
    assert_true(out.offer.kernel.origin.tag > last[out.offer.kernel.origin.hwq]);
    last[out.offer.kernel.origin.hwq] = out.offer.kernel.origin.tag;
    in_kd[out.offer.kernel.origin.hwq] = true;
    left++;
  }
  assert_true(accepted > 500 && sent > accepted);
  assert_int_equal(left, accepted);
}

TEST_MAIN("kmu", NULL, NULL)
