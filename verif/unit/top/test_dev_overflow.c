/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Groups without a free AGE: they stay in their records in memory, are fetched in their turn, counted in overflow
 * slots, and their records return. The paper states where such a group waits, but gives only AGT entries a count of
 * TBs: literal_counts() and literal_tbs() show the consequence. */
#include "unit/dev_model.h"

static const struct hd_axi_profile slow = {
    .name = "slow", .latency_min = 200, .latency_max = 200, .sink = 256, .source = 256};

/* Kernel k, whose only TB runs in slot 0 of SMX 0. */
static void lone_parent(unsigned k) {
  host_kernel(k, 0, 1);
  until(&tbs, 1, 20);
  ticks(10);
}

/* Last transfers on the memory port: cycles of an answer to a write, of an address, and of a last beat read. */
static uint64_t write_answered, read_requested, read_ended;

static void port_until(const unsigned *count, unsigned n, unsigned limit) {
  for (unsigned c = 0; *count < n; c++) {
    if (c == limit) fail_msg("cycle %llu: %u of %u", (unsigned long long)now, *count, n);
    tick();
    if (in.bvalid) write_answered = now;
    if (out.arvalid && in.arready) read_requested = now;
    if (in.rvalid && in.rlast) read_ended = now;
  }
}

/* Returns the TBs, from number `first` on, that a count in the AGT could observe: without one, the end of a group is
 * not detected, and its record is never returned. */
static unsigned literal_counts(unsigned first) {
  unsigned counted = 0;
  for (unsigned n = first; n < tbs; n++) counted += tb[n].d.age_valid && tb[n].d.agei < cfg.agt_size;
  return counted;
}

/* TBs that are handed out when groups in memory take no slot: all of them, however long their records are in use. */
static unsigned literal_tbs(unsigned first, unsigned groups) {
  return first + groups;
}

/* Groups of one hardware thread: the first has its AGE and keeps it, the others run from memory, in order. */
TEST(all_collide) {
  begin("tiny");
  lone_parent(0);
  launch_group(0, 0, 1, 1, 20, 0);
  until(&tbs, 2, 30);
  assert_int_equal(tb[1].d.agei, 0);
  episode = 2;
  for (unsigned g = 0; g < 9; g++) launch_group(0, 0, 2 + g, 3, 21 + g, 0);
  until(&tbs, 2 + 27, 2000);
  ticks(50);
  EXPECT_CODES(0, 7, 7, 7, 7, 7, 7, 7, 7, 7);
  for (unsigned n = 0; n < 27; n++) {
    const struct logged_tb *t = expect_tb(2 + n, 2 + n / 3, n % 3);
    assert_in_range(t->d.agei, cfg.agt_size, cfg.agt_size + cfg.ovf_slots - 1);
  }
  assert_int_equal(returneds, 9);
  assert_int_equal(literal_counts(2), 0);
  for (unsigned g = 0; g < 9; g++) assert_int_equal(returned[g].number, 21 + g);
  assert_int_equal(COUNT(FETCHES), 9);
  assert_int_equal(COUNT(RECORDS_DONE), 9);
  end();
}

/* A fetched group is handed out five cycles after the last beat is at the arbiter's output. */
TEST(cycles_of_a_fetch) {
  begin("tiny");
  lone_parent(0);
  launch_group(0, 0, 1, 1, 20, 0);
  until(&tbs, 2, 30); /* it stays in AGE 0 */
  ticks(10);
  launch_group(0, 0, 2, 1, 21, 0);
  port_until(&tbs, 3, 60);
  assert_int_equal(read_requested,
                   port[0].taken_at[1] + 3 + 6); /* linked; tag, begin, look, choice, request, address */
  assert_int_equal(tb[2].cycle, read_ended + 1 + 5);
  end();
}

/* On a full machine: a group in memory with one TB left when another is linked behind it. */
static void half_a_group(unsigned hwtid_behind) {
  begin_with(ut_cfg_hashed("tiny"), &slow);
  lone_parent(0);
  launch_group(0, 0, 1, 1, 20, 0);
  until(&tbs, 2, 30);
  launch_group(0, 0, 2, 3, 21, 0);
  until(&tbs, 4, 300);
  launch_group(0, 0, 3, 1, 22, hwtid_behind);
  until(&answers, 3, 20);
  end_tb(tb[2].smx, tb[2].d.slot);
  until(&tbs, 5, 20);
}

/* A place of a list is read when its pointer is in memory, not before. */
TEST(list_waits_for_its_writes) {
  begin_with(ut_cfg_hashed("tiny"), &slow);
  lone_parent(0);
  host_kernel(1000, 1, 4); /* three TBs run, one waits: this is the current kernel */
  until(&tbs, 4, 30);
  for (unsigned g = 0; g < 3; g++) launch_group(0, 0, 1 + g, 1, 20 + g, 0);
  until(&answers, 3, 30);
  EXPECT_CODES(0, 7, 7);
  episode = 1;
  for (unsigned n = 1; n < 4; n++) end_tb(tb[n].smx, tb[n].d.slot);
  port_until(&tbs, 7, 600);
  expect_tb(4, 1000, 3);
  expect_tb(5, 1, 0);
  expect_tb(6, 2, 0);
  assert_true(read_requested > write_answered);
  port_until(&tbs, 8, 600);
  expect_tb(7, 3, 0);
  end();
}

/* A kernel whose TBs are all done stays until the pointers of its list are written, though they are no longer
 * needed. */
TEST(kernel_waits_for_its_writes) {
  half_a_group(1); /* with an AGE: it is appended, and bypasses the list to the reader */
  episode = 1;
  for (unsigned n = 0; n < 5; n++)
    if (n != 2) end_tb(tb[n].smx, tb[n].d.slot);
  port_until(&ended_n, 1, 400);
  assert_int_equal(tbs, 6);
  assert_in_range(ended[0].cycle, write_answered + 1, write_answered + 8);
  assert_true(ended[0].cycle > tb[5].cycle + 100);
  end();
}

/* Records are not taken: the hand-out of overflowed groups waits for a slot, completions do not; then it continues. */
TEST(slots_exhausted) {
  begin("tiny");
  lone_parent(0);
  launch_group(0, 0, 1, 1, 20, 0);
  until(&tbs, 2, 30); /* it keeps AGE 0 */
  hold_records = true;
  episode = 1;
  for (unsigned g = 0; g < 10; g++) launch_group(0, 0, 2 + g, 1, 21 + g, 0);
  ticks(500);
  /* A record in the register of record_done has already left its slot. */
  assert_int_equal(tbs, 2 + cfg.ovf_slots + 1);
  assert_true(tbs < literal_tbs(2, 10));
  assert_int_equal(dones, cfg.ovf_slots + 1);
  assert_true(COUNT(SLOT_WAIT) > 100);
  hold_records = false;
  until(&returneds, 10, 500);
  for (unsigned g = 0; g < 10; g++) {
    expect_tb(2 + g, 2 + g, 0);
    assert_int_equal(returned[g].number, 21 + g);
  }
  end();
}

/* Groups on chip and in memory alternately, with a slow memory: in order of arrival. */
TEST(in_turn) {
  static const struct hd_axi_profile some = {
      .name = "some", .latency_min = 5, .latency_max = 60, .reorder = true, .sink = 200, .source = 200};
  begin_with(ut_cfg_hashed("k20c"), &some);
  lone_parent(0);
  launch_group(0, 0, 1, 1, 0, 0);
  until(&tbs, 2, 30); /* it keeps AGE 0 */
  episode = 3;
  for (unsigned g = 0; g < 60; g++) launch_group(0, 0, 2 + g, 1 + g % 4, 1 + g, g % 2 ? 0 : 2 + g);
  until(&tbs, 2 + 15 * (1 + 2 + 3 + 4), 8000);
  for (unsigned g = 0, n = 2; g < 60; g++) {
    assert_int_equal(answer[1 + g].a.code, g % 2 ? HD_CODE_KEPT : HD_CODE_ACCEPTED);
    for (unsigned b = 0; b < 1 + g % 4; b++, n++) expect_tb(n, 2 + g, b);
  }
  ticks(100);
  assert_int_equal(returneds, 30);
  end();
}

/* A group in memory behind one of many TBs on chip: fetched ahead it follows at once; otherwise its fetch latency is
   visible. */
static uint64_t gap(unsigned prefetch) {
  static const struct hd_axi_profile some = {
      .name = "some", .latency_min = 10, .latency_max = 10, .sink = 256, .source = 256};
  begin_with(ut_cfg_but(ut_cfg_hashed("k20c"), "PrefetchDepth", prefetch), &some);
  lone_parent(0);
  launch_group(0, 0, 1, 1, 0, 0);
  until(&tbs, 2, 30);
  launch_group(0, 0, 2, 100, 1, 1);
  launch_group(0, 0, 3, 1, 2, 0);
  until(&tbs, 103, 300);
  uint64_t cycles = tb[102].cycle - tb[101].cycle;
  end();
  return cycles;
}

TEST(fetched_ahead) {
  assert_int_equal(gap(1), 1);
  assert_in_range(gap(0), 10 + 3, 10 + 15);
}

/* There are more records than a list has places, and more groups overflow for a kernel that is not current: groups
 * without a place are refused, and all others run, once and in order. Afterwards there is room. */
TEST(list_is_full) {
  enum { PLACES = 128, MORE = 10 };
  begin_with(ut_cfg_but(ut_cfg_hashed("tiny"), "ListPosW", 7), &fast);
  lone_parent(0);
  host_kernel(1000, 1, 4); /* three TBs run, one waits: this is the current kernel */
  until(&tbs, 4, 30);
  launch_group(0, 0, 1, 1, 0, 0); /* it has AGE 0, and is not in the list */
  until(&answers, 1, 30);
  for (unsigned g = 0; g < PLACES + MORE; g++) launch_group(0, 0, 2 + g, 1, 1 + g, 0);
  launch_group(0, 0, 200, 1, 200, 1); /* an AGE is free for it, but no place behind the others */
  until(&answers, 1 + PLACES + MORE + 1, 2000);
  for (unsigned g = 0; g < PLACES + MORE + 1; g++)
    assert_int_equal(answer[1 + g].a.code, g < PLACES ? HD_CODE_KEPT : HD_CODE_REFUSED);
  assert_int_equal(COUNT(DEV_REFUSED), MORE + 1);
  assert_int_equal(status(), HD_STATUS_DEV_REFUSED);
  episode = 1;
  for (unsigned n = 1; n < 4; n++) end_tb(tb[n].smx, tb[n].d.slot);
  until(&tbs, 5 + 1 + PLACES, 3000);
  expect_tb(4, 1000, 3);
  for (unsigned g = 0; g < 1 + PLACES; g++) expect_tb(5 + g, 1 + g, 0);
  ticks(50);
  assert_int_equal(returneds, PLACES);
  for (unsigned k = 0; k < 8; k++) launch_group(0, 0, 210 + k, 1, PLACES + 1 + k, k);
  until(&tbs, 6 + PLACES + 8, 200);
  for (unsigned k = 0; k < 8; k++) expect_tb(6 + PLACES + k, 210 + k, 0);
  end();
}

/* Retired TBs in consecutive cycles: of one group, of the group that is being handed out, of three groups alternately,
 * and in the cycle in which a group ends. Each record is returned once, after the last. */
TEST(retired_back_to_back) {
  for (unsigned lives = 1; lives < 9; lives++) {
    begin("tiny");
    lone_parent(0);
    episode = lives;
    for (unsigned g = 0; g < 12; g++) launch_group(0, 0, 1 + g, 1 + g * lives % 7, 20 + g, g % 3);
    drain(400);
    unsigned kept = 0;
    for (unsigned g = 0; g < 12; g++) kept += answer[g].a.code == HD_CODE_KEPT;
    assert_int_equal(returneds, kept);
    script_end();
    free(m);
  }
}

TEST_MAIN("dev_overflow", NULL, NULL)
