/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Linking: AGEs under the three hashes, chains, link and advance. */
#include "unit/launch/link_fixture.h"

static struct hd_link_arch *arch(void) {
  static struct hd_link_arch a;
  hd_link_arch(m, &a, true);
  return &a;
}

static void return_slot(unsigned index) {
  in.agc_free.valid = 1;
  in.agc_free.index = (uint16_t)index;
}

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.link.valid || out.link.over || out.link.next || out.kept || out.alloc.valid, 0);
  assert_int_equal(out.pending[0] || out.single[0] || out.chained[0] || out.list.pending, 0);
}

/* A2 in 2, link event in 3, in the list in 4. */
TEST_F(test_latency) {
  group(5, 70, 9);
  cycle(); /* 2 */
  assert_int_equal(out.link.valid, 0);
  assert_int_equal(arch()->valid[70], 1);
  assert_int_equal(arch()->a3_valid, 1);
  cycle(); /* 3 */
  assert_int_equal(out.alloc.valid, 1);
  check_first();
  assert_int_equal(out.link.kdei, 5);
  assert_int_equal(out.alloc.index, 70);
  check_ptr(out.link.ptr, true, 70);
  assert_int_equal(out.pending[5], 0);
  cycle(); /* 4 */
  assert_int_equal(out.link.valid, 0);
  assert_int_equal(out.pending[5] && out.single[5] && out.chained[5], 1);
  assert_int_equal(out.nagei[5], 70);
}

/* One group a cycle; each is linked behind the one before. */
TEST_F(test_one_per_cycle) {
  for (unsigned k = 0; k < 1000; k++) {
    group(1, k, 0);
    cycle();
    if (k) check_ptr(out.link.ptr, true, k - 1);
    if (k > 1) check_behind(k - 2);
  }
  cycle();
  check_list(1, true, 0, 999);
}

/* Hash of the paper: the hardware thread index modulo the entries, for any SMX. A group whose entry is taken stays in
 * its record. */
TEST_F(test_hash_hwtid) {
  launch(0, 1024 + 6, 1);
  check_ptr(out.link.ptr, true, 6);
  group(0, 6, 77);
  in.devq_group.smx = 9;
  cycle();
  cycle();
  assert_int_equal(out.kept, 1);
  assert_int_equal(out.alloc.valid || out.alloc.index, 0);
  check_ptr(out.link.ptr, false, 77);
  check_over();
}

/* Folded with the SMX: 1024 / 13 = 78 entries apart. */
TEST_F(test_hash_smx) {
  start("k20c", HD_AGT_HASH_SMX);
  for (unsigned s = 0; s < 13; s++) {
    group(0, 100, s);
    in.devq_group.smx = (uint8_t)s;
    cycle();
    cycle();
    check_ptr(out.link.ptr, true, (100 + 78 * s) % 1024);
  }
}

/* An entry that is freed in the cycle of A2 is still taken in it. */
TEST_F(test_freed_age) {
  launch(0, 6, 1);
  return_slot(6);
  group(0, 6, 2);
  cycle();
  group(0, 6, 3);
  cycle();
  assert_int_equal(out.kept, 1);
  cycle();
  assert_int_equal(out.kept, 0);
  check_ptr(out.link.ptr, true, 6);
}

/* Free list: entries never used first, 0, 1, 2 .., then in the order in which they were freed. */
TEST_F(test_free_list_order) {
  start("tiny", HD_AGT_HASH_FREELIST);
  launch(0, 3, 1);
  check_ptr(out.link.ptr, true, 0);
  launch(0, 3, 1);
  check_ptr(out.link.ptr, true, 1);
  assert_int_equal(arch()->fresh, 2);
  return_slot(1);
  cycle();
  return_slot(0);
  cycle();
  static const unsigned want[] = {2, 3, 1, 0};
  for (unsigned k = 0; k < 4; k++) {
    launch(0, 3, 1);
    check_ptr(out.link.ptr, true, want[k]);
  }
  assert_int_equal(arch()->fresh, 4);
  assert_int_equal(arch()->valid[0], 0);
  launch(0, 3, 88);
  check_ptr(out.link.ptr, false, 88);
}

/* Freed in t: found in t + 3, not before. */
TEST_F(test_free_list_latency) {
  for (unsigned wait = 1; wait <= 4; wait++) {
    start("tiny", HD_AGT_HASH_FREELIST);
    for (unsigned k = 0; k < 4; k++) launch(0, 0, 1);
    return_slot(2);
    for (unsigned t = 0; t < wait; t++) cycle();
    launch(0, 0, 9);
    assert_int_equal(out.link.ptr.onchip, wait >= 3);
    assert_int_equal(out.link.ptr.index, wait >= 3 ? 2 : 9);
  }
}

/* A full circle: one entry is freed and one is found in each cycle. */
TEST_F(test_free_list_rate) {
  start("k20c", HD_AGT_HASH_FREELIST);
  for (unsigned k = 0; k < 4; k++) launch(k, 0, 0);
  for (unsigned t = 0; t < 3000; t++) {
    return_slot(t % 1024);
    if (t >= 3) group(0, 0, 0);
    cycle();
    if (t > 3) check_ptr(out.link.ptr, true, t < 1024 ? t : t % 1024);
  }
}

/* The list of a kernel is handed out to its end and begins again. */
TEST_F(test_advance) {
  for (unsigned k = 1; k <= 3; k++) launch(2, k, 0);
  cycle();
  check_list(2, true, 1, 3);
  advance(2, 2);
  cycle();
  check_list(2, true, 2, 3);
  advance(2, 3);
  cycle();
  check_list(2, true, 3, 3);
  advance(2, 999); /* no group follows the last: the input from agt is ignored */
  cycle();
  check_list(2, false, 0, 0);
  launch(2, 8, 0);
  check_first();
  check_list(2, true, 8, 8);
}

/* The last TB of LAGEI is handed out in the cycle of a link event: the new group is first, the kernel stays pending. */
TEST_F(test_advance_and_link) {
  launch(2, 1, 0);
  group(2, 4, 0);
  cycle();
  advance(2, 999);
  cycle();
  check_behind(1);
  check_list(2, true, 4, 4);
  group(2, 5, 0); /* two groups: both move on */
  cycle();
  cycle();
  group(2, 6, 0);
  cycle();
  advance(2, 5);
  cycle();
  check_list(2, true, 5, 6);
}

/* A link event of another kernel does not stall the list of this one. */
TEST_F(test_advance_and_link_of_another) {
  launch(2, 1, 0);
  group(3, 4, 0);
  cycle();
  advance(2, 999);
  cycle();
  check_list(2, false, 0, 0);
  check_list(3, true, 4, 4);
}

/* A list that was handed out is not continued: the AGE of its last group may already belong to another kernel. */
TEST_F(test_stale_lagei) {
  launch(1, 3, 0);
  advance(1, 0);
  cycle();
  return_slot(3);
  cycle();
  launch(2, 3, 0);
  launch(1, 9, 0);
  check_first();
  check_list(1, true, 9, 9);
  check_list(2, true, 3, 3);
}

/* Three kernels interleaved: each list in order of arrival. */
TEST_F(test_three_kernels) {
  for (unsigned k = 0; k < 300; k++) {
    launch(k % 3, k, 0);
    if (k >= 3) check_behind(k - 3);
  }
  for (unsigned i = 0; i < 3; i++) check_list(i, true, i, 297 + i);
}

/* Reset with a group in A3 and a list being handed out: all state is cleared. */
TEST_F(test_reset) {
  start("tiny", HD_AGT_HASH_FREELIST);
  for (unsigned k = 0; k < 6; k++) launch(0, k, k);
  return_slot(2);
  group(1, 0, 5);
  in.kd_take.valid = 1;
  cycle();
  hd_link_reset(m);
  struct hd_link *fresh = ut_new(hd_link_size(&cfg));
  hd_link_init(fresh, &cfg);
  assert_memory_equal(m, fresh, hd_link_size(&cfg));
  free(fresh);
}

TEST_MAIN("link", NULL, NULL)
