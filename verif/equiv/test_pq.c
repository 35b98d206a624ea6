/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of pq against its golden model, and its rates, counted in cycles of the RTL. */
/* clang-format off */
#include "equiv/cases.h"
#include "gen/hd_pq_ports.h"
/* clang-format on */

static struct hd_sim *sim;
static struct hd_pq_in in;
static const struct hd_pq_out *out;
static unsigned taken; /* entries that the bank accepted; the parameter address of an entry is its number */

static void begin(const char *config) {
  char err[512];
  struct hd_sim_opts o = {.block = "pq", .cfg = hd_case_cfg(config), .seed = 1, .test = "directed"};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  in = (struct hd_pq_in){0};
  taken = 0;
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Runs a cycle in which an entry of one TB is offered at a level (0: none), and a TB is taken or not. Places are
 * reserved and released, and the entry uses a kept one, as set in `in`, which is cleared afterwards. */
static void cycle(unsigned level, bool take) {
  const void *shown;
  in.push_valid = level > 0;
  in.push = level ? (struct hd_pqentry){.param = taken, .ctas = 1, .level = (uint8_t)level} : (struct hd_pqentry){0};
  in.take = take;
  assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
  out = shown;
  taken += level && (out->push_ready || in.push_kept);
  in.push_kept = in.reserve = in.release = 0;
}

/* A bank with room for one more: one entry arrives and one leaves in each of 1000 cycles, in order of arrival. */
TEST(one_in_and_one_out_per_cycle) {
  begin("k20c");
  for (unsigned n = 0; n < 127; n++) cycle(1, false);
  for (unsigned n = 0; n < 1000; n++) {
    cycle(1, true);
    assert_true(out->push_ready && out->front_valid);
    assert_int_equal(out->front.param, n);
  }
  assert_int_equal(taken, 1127);
  end();
}

/* The same with entries of all levels round robin: each arrival has the level of the entry that leaves, or another. */
TEST(at_all_levels) {
  begin("k20c");
  for (unsigned n = 0; n < 100; n++) cycle(1 + n % 4, false);
  for (unsigned n = 0; n < 1000; n++) {
    cycle(1 + n * 7 % 4, true);
    assert_true(out->push_ready && out->front_valid);
  }
  for (unsigned n = 0; n < 100; n++) {
    cycle(0, true);
    assert_true(out->front_valid);
  }
  cycle(0, false);
  assert_false(out->front_valid);
  end();
}

/* An entry whose level is above all others is the head one cycle after its arrival; the overtaken entry is the head
 * again one cycle after it left. */
TEST(in_front_after_one_cycle) {
  begin("k20c");
  for (unsigned n = 0; n < 3; n++) cycle(1, false);
  for (unsigned level = 2; level <= 4; level++) {
    cycle(level, false);
    assert_int_equal(out->front.level, level - 1);
  }
  for (unsigned level = 4; level >= 1; level--) {
    cycle(0, true);
    assert_int_equal(out->front.level, level);
  }
  end();
}

/* Places for a line of four entries are reserved in every fourth cycle. An entry uses a kept place and one leaves in
 * each of 1000 cycles, while the other places are used. */
TEST(a_line_reserved_and_used_while_others_wait) {
  begin("k20c");
  for (unsigned n = 0; n < 120; n++) cycle(1, false);
  in.reserve = 1;
  cycle(0, false);
  for (unsigned n = 0; n < 1000; n++) {
    in.reserve = n % 4 == 3;
    in.push_kept = 1;
    cycle(1 + n % 4, true);
    assert_true(out->front_valid);
    assert_in_range(out->room, 4, 7); /* of 8: four are kept, those that left in the cycles before are free */
  }
  for (unsigned n = 0; n < 120; n++) {
    assert_true(out->front_valid);
    cycle(0, true);
  }
  end();
}

/* All places are kept: an entry is accepted only into a kept one. Released places are room from the next cycle on. */
TEST(kept_places_refuse_others) {
  begin("k20c");
  for (unsigned n = 0; n < 32; n++) {
    in.reserve = 1;
    cycle(0, false);
    assert_int_equal(out->room, n < 31 ? 7 : 4);
  }
  cycle(1, false);
  assert_int_equal(out->room || out->push_ready, 0);
  for (unsigned n = 0; n < 4; n++) {
    in.push_kept = 1;
    cycle(2, false);
    assert_int_equal(out->push_ready, 0);
  }
  in.release = 3;
  cycle(1, false); /* not yet */
  cycle(0, false);
  assert_int_equal(out->room, 3);
  for (unsigned n = 0; n < 4; n++) {
    cycle(1, false);
    assert_int_equal(out->room, 3 - n);
  }
  assert_int_equal(taken, 4 + 3);
  for (unsigned n = 0; n < 7; n++) {
    cycle(0, true);
    assert_int_equal(out->front.level, n < 4 ? 2 : 1);
  }
  cycle(0, false);
  assert_int_equal(out->front_valid, 0);
  end();
}

/* Places are reserved and released, an entry uses a kept one, and one leaves, in each of 100 cycles. */
TEST(all_of_it_per_cycle) {
  begin("k20c");
  for (unsigned n = 0; n < 60; n++) cycle(1, false);
  for (unsigned n = 0; n < 4; n++) {
    in.reserve = 1;
    cycle(0, false);
  }
  for (unsigned n = 0; n < 100; n++) { /* four more kept, three of them given up, one used */
    in.reserve = in.push_kept = 1;
    in.release = 3;
    cycle(1, true);
    assert_true(out->front_valid);
    assert_int_equal(out->room, 7);
  }
  for (unsigned n = 0; n < 16; n++) {
    in.push_kept = 1;
    cycle(1, true);
  }
  for (unsigned n = 0; n < 60; n++) cycle(0, true);
  cycle(0, false);
  assert_int_equal(out->front_valid, 0);
  end();
}

/* The need of a kernel becomes known with the push: it is shown with the entry, whether the entry becomes the head or
 * not. */
TEST(need_of_the_front) {
  const void *shown;
  begin("k20c");
  for (unsigned n = 1; n <= 4; n++) { /* each overtakes the previous one, except the last */
    in.push_valid = 1;
    in.push = (struct hd_pqentry){.kdei = (uint8_t)n, .ctas = 1, .level = (uint8_t)(n < 4 ? n : 1)};
    in.push_need = (struct hd_need){.warps = (uint8_t)(10 + n), .regs = (uint16_t)n, .smem = 3};
    assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
    in.need[n] = in.push_need;
  }
  static const uint8_t order[4] = {3, 2, 1, 4};
  for (unsigned n = 0; n < 4; n++) {
    cycle(0, true);
    assert_int_equal(out->front_need.warps, 10 + order[n]);
  }
  end();
}

TEST_MAIN("pq", NULL, NULL)
