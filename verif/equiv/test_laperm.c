/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of laperm against its golden model, also in a configuration whose numbers run out, and its rates and latencies,
 * counted in cycles of the RTL. The parameter address of a group is its number. */
/* clang-format off */
#include "equiv/cases.h"
#include "gen/hd_laperm_ports.h"
/* clang-format on */

/* Built as in verif/test_odd_sizes.sh: more than one other bank, and levels that close. */
#define FEW_NUMBERS "tiny+NumSmx=3+NumKde=5+ArrivalW=4"

static struct hd_sim *sim;
static struct hd_laperm_in in;
static const struct hd_laperm_out *out; /* outputs of the previous cycle */
static struct hd_laperm_out now;        /* outputs of the next cycle */
static unsigned groups;                 /* groups that were in A2 */
static unsigned first_put;              /* the oldest group in memory */

static void begin(const char *config, unsigned policy) {
  char err[512];
  struct hd_sim_opts o = {.block = "laperm", .cfg = hd_case_cfg(config), .seed = 1, .test = "directed"};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  in = (struct hd_laperm_in){.regs_config.policy = (uint8_t)policy};
  groups = 0;
  hd_sim_now(sim, &in, &now);
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Runs one cycle with the present inputs, then clears pushes and takes. */
static void cycle(void) {
  const void *shown;
  uint8_t policy = in.regs_config.policy;
  assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
  out = shown;
  in = (struct hd_laperm_in){.regs_config.policy = policy};
  hd_sim_now(sim, &in, &now);
}

/* A group of one TB is in A2. */
static void group(unsigned smx, unsigned level) {
  in.devq_group.valid = 1;
  in.devq_group.smx = (uint8_t)smx;
  in.devq_group.info = (struct hd_info){.ctas = 1, .param = groups++, .level = (uint8_t)level};
}

static void kernel(unsigned smx, unsigned level) {
  in.kmu_offer.valid = in.kd_free.valid = 1;
  in.kmu_offer.kernel.origin.smx = (uint8_t)smx;
  in.kmu_offer.kernel.level = (uint8_t)level;
  in.kmu_offer.kernel.ctas = 1;
}

/* The SMX takes its offered TB. */
static void take(unsigned smx) {
  assert_true(now.bound_valid[smx] || now.spare_valid[smx]);
  in.sched_take.valid = 1;
  in.sched_grant.smx = (uint8_t)smx;
  in.sched_take.spare = !now.bound_valid[smx];
  in.sched_take.bank = now.bound_valid[smx] ? now.bound_bank[smx] : now.spare_bank[smx];
  in.sched_take_banks[in.sched_take.bank] = 1;
}

/* Numbers that run out, and backups among three banks: every cover point is hit. */
TEST(few_numbers_random) {
  hd_case("laperm", FEW_NUMBERS, 200000);
}

TEST(few_numbers_gates) {
  hd_case_gates("laperm", FEW_NUMBERS, "netlist", 100000);
}

TEST(few_numbers_profiles) {
  hd_case_profiles("laperm", FEW_NUMBERS, 20000);
}

/* One group in and one TB out in each of 1000 cycles, through a bank in which this many entries plus one wait. */
static void one_in_and_one_out(unsigned waiting) {
  begin("k20c", HD_POLICY_SMX_BIND);
  for (unsigned n = 0; n < waiting + 2; n++) {
    group(0, 1);
    cycle();
  }
  for (unsigned n = 0; n < 1000; n++) {
    group(0, 1);
    take(0);
    assert_int_equal(now.bank_front[0].param, n);
    cycle();
    assert_true(out->push.valid && out->bank_valid[0] && !out->full);
  }
  end();
}

/* An almost empty bank, and one with only the two free places that the groups in A2 and A3 need. */
TEST(one_bank_one_in_and_one_out_per_cycle) {
  one_in_and_one_out(1);
  one_in_and_one_out(125);
}

/* The same through all banks round robin under TbPri: out in order of arrival, each to another SMX. */
TEST(all_banks_one_in_and_one_out_per_cycle) {
  begin("k20c", HD_POLICY_TB_PRI);
  for (unsigned n = 0; n < 40; n++) {
    group(n * 5 % 13, 1);
    cycle();
  }
  for (unsigned n = 0; n < 2000; n++) {
    group((n + 40) * 5 % 13, 1);
    take(n % 13);
    assert_int_equal(in.sched_take.bank, n * 5 % 13);
    assert_int_equal(now.bank_front[in.sched_take.bank].param, n);
    cycle();
    assert_true(out->push.valid && out->bound_valid[n % 13]);
  }
  end();
}

/* All banks are full. Then each cycle another SMX takes one TB, round robin, until all banks are empty. */
static void drain_full_banks(unsigned policy) {
  const unsigned all = 13 * 128;
  begin("k20c", policy);
  for (unsigned n = 0; n < all; n++) {
    group(n % 13, 1 + n % 4);
    cycle();
  }
  group(0, 4);
  cycle();
  cycle();
  assert_true(out->full);
  for (unsigned n = 0; n < all; n++) {
    take(n % 13);
    cycle();
  }
  for (unsigned b = 0; b < 13; b++) assert_int_equal(now.bank_valid[b], 0);
  end();
}

TEST(full_banks_one_offer_per_cycle) {
  drain_full_banks(HD_POLICY_TB_PRI);
  drain_full_banks(HD_POLICY_SMX_BIND);
  drain_full_banks(HD_POLICY_ADAPTIVE_BIND);
}

/* One SMX empties all banks: its own, then the others, each to the end. */
TEST(one_smx_empties_all) {
  begin("k20c", HD_POLICY_ADAPTIVE_BIND);
  for (unsigned n = 0; n < 13 * 20; n++) {
    group(n % 13, 1);
    cycle();
  }
  cycle();
  for (unsigned n = 0; n < 13 * 20; n++) {
    take(4);
    assert_int_equal(in.sched_take.bank, (4 + n / 20) % 13);
    assert_int_equal(in.sched_take.spare, n >= 20);
    cycle();
  }
  end();
}

/* A group in A2 in t is a bank head in t + 2; a kernel that enters in t is one in t + 1. */
TEST(latencies) {
  begin("k20c", HD_POLICY_SMX_BIND);
  group(3, 2);
  cycle();
  assert_int_equal(now.push.valid && !now.bank_valid[3], 1);
  cycle();
  assert_int_equal(now.bank_valid[3] && now.bound_valid[3], 1);
  kernel(4, 1);
  cycle();
  assert_int_equal(out->enter.bank, 1);
  assert_int_equal(now.bank_valid[4] && now.bound_valid[4], 1);
  cycle();
  assert_true(out->bank_valid[3] && out->bank_valid[4]);
  end();
}

/* A group, a kernel and a take in each of 100 cycles. */
TEST(group_kernel_and_take_per_cycle) {
  begin("k20c", HD_POLICY_SMX_BIND);
  group(0, 1);
  cycle();
  group(0, 1);
  cycle();
  for (unsigned n = 0; n < 100; n++) {
    group(0, 1);
    kernel(1, 1);
    take(0);
    cycle();
    assert_true(out->push.valid && out->enter.bank && out->bound_valid[0]);
  }
  for (unsigned n = 0; n < 100; n++) {
    take(1);
    cycle();
  }
  assert_int_equal(now.bank_valid[1], 0);
  end();
}

/* A level closes when its numbers run out, and opens again after it has been empty for a cycle. */
TEST(level_closes_and_opens) {
  begin(FEW_NUMBERS, HD_POLICY_SMX_BIND);
  unsigned taken = 0, pushed = 0;
  for (unsigned n = 0; !now.full; n++) { /* there is always another entry when one leaves */
    assert_true(n < 20);
    group(0, 1);
    if (n > 4) {
      take(0);
      taken++;
    }
    cycle();
    pushed += out->push.valid;
  }
  for (; taken < pushed; taken++) {
    take(0);
    cycle();
  }
  cycle(); /* the number is still the previous one */
  group(0, 1);
  cycle();
  assert_int_equal(now.push.valid && !now.full, 1);
  end();
}

/* ---- groups in memory ---- */

enum { LINE = 4, LEVELS = 4 };

/* Groups of that bank and level are in memory in this cycle. */
static void hold(unsigned bank, unsigned level) {
  in.spill_held[bank * LEVELS + level - 1] = 1;
}

static void have_room(unsigned bank, unsigned level) {
  in.spill_room[bank * LEVELS + level - 1] = 1;
}

/* The oldest group in memory, of one TB, returns. */
static void back(unsigned bank, unsigned level) {
  in.spill_back.valid = 1;
  in.spill_back.bank = (uint8_t)bank;
  in.spill_back.info = (struct hd_info){.ctas = 1, .param = first_put++, .level = (uint8_t)level};
}

/* Levels 1 to n of bank 0 are in memory in this cycle. */
static void hold_first(unsigned n) {
  for (unsigned level = 1; level <= n && level <= LEVELS; level++) hold(0, level);
}

/* All but `room` places of bank 0 are used. */
static void fill(unsigned room) {
  for (unsigned n = 0; n < 128 - room; n++) {
    group(0, 1);
    cycle();
  }
  cycle();
}

/* Bank 0 has `room` free places, and `n` groups of the level that were sent to memory. */
static void fill_and_put(unsigned room, unsigned level, unsigned n) {
  fill(0);
  for (unsigned k = 0; k < n; k++) {
    if (k > 1) hold(0, level);
    group(0, level);
    have_room(0, level);
    cycle();
  }
  first_put = groups - n;
  for (unsigned k = 0; k < room; k++) {
    hold(0, level);
    take(0);
    cycle();
  }
}

/* A group whose queue has room in the cycle in which it is in A2 is sent to memory in the next one, whatever that queue
 * has then; without room it is refused. */
TEST(memory_is_judged_in_a2) {
  begin("k20c", HD_POLICY_SMX_BIND);
  fill(0);
  for (unsigned n = 0; n < 20; n++) {
    const unsigned level = 1 + n % LEVELS;
    hold_first(n);
    group(0, level);
    if (n % 2) have_room(0, level);
    if (!(n % 2)) have_room(0, 1 + level % LEVELS); /* of another level */
    cycle();
    assert_int_equal(now.put.valid, n % 2);
    assert_int_equal(now.full, !(n % 2));
    hold_first(n);
    if (n % 3) have_room(0, level);
    cycle();
    assert_int_equal(out->put.valid, n % 2);
    assert_int_equal(out->full, !(n % 2));
  }
  end();
}

/* While groups of the bank are in memory a group leaves the places of a line, and a kernel one more. */
TEST(places_of_a_line_stay_free) {
  for (unsigned room = 0; room < 8; room++) {
    begin("k20c", HD_POLICY_SMX_BIND);
    fill_and_put(room, 1, 1);
    assert_int_equal(now.place[0], room >= LINE);
    hold(0, 1);
    group(0, 2);
    cycle();
    assert_int_equal(now.full, room <= LINE);
    hold(0, 1);
    cycle();
    const unsigned left = room - (room > LINE);
    hold(0, 1);
    kernel(0, 3);
    cycle();
    assert_int_equal(out->enter.bank, left >= LINE + 2);
    assert_int_equal(out->bank_room[0], 0);
    end();
  }
}

/* Reserved places are no room, until they are released or used. */
TEST(a_line_is_reserved) {
  begin("k20c", HD_POLICY_SMX_BIND);
  fill_and_put(6, 2, 1);
  assert_int_equal(now.bank_room[0], 6);
  hold(0, 2);
  in.spill_reserve[0] = 1;
  cycle();
  assert_int_equal(now.bank_room[0], 2);
  assert_int_equal(now.place[0], 0);
  hold(0, 2);
  in.spill_release[0] = 3;
  cycle();
  assert_int_equal(now.bank_room[0], 5);
  assert_int_equal(now.place[0], 1);
  hold(0, 2);
  back(0, 2);
  cycle();
  assert_int_equal(out->back_ready, 1);
  assert_int_equal(now.bank_room[0], 5);
  assert_int_equal(now.bank_front[0].level, 2);
  end();
}

/* A line of four groups is reserved in every fourth cycle, one returns and one TB leaves in each of 1000 cycles,
 * through an almost full bank. */
TEST(one_back_and_one_out_per_cycle) {
  begin("k20c", HD_POLICY_SMX_BIND);
  fill_and_put(6, 1, 1000);
  for (unsigned n = 0; n < 1001; n++) {
    hold(0, 1);
    in.spill_reserve[0] = n % LINE == 0;
    if (n) back(0, 1), take(0);
    cycle();
    assert_int_equal(out->back_ready, n > 0);
    if (n % LINE == 0) assert_int_equal(out->place[0], 1);
  }
  end();
}

/* A group enters another bank in each cycle in which one returns. */
TEST(one_in_and_one_back_per_cycle) {
  begin("k20c", HD_POLICY_SMX_BIND);
  fill_and_put(128, 1, 100);
  hold(0, 1);
  group(1, 1);
  cycle();
  for (unsigned n = 0; n < 101; n++) {
    hold(0, 1);
    in.spill_reserve[0] = n % LINE == 0;
    group(1, 1);
    if (n) back(0, 1);
    cycle();
    assert_int_equal(out->back_ready, n > 0);
    assert_int_equal(out->push.valid, 1);
  }
  for (unsigned n = 0; n < 100; n++) {
    take(n % 2);
    cycle();
    assert_int_equal(out->bank_front[n % 2].arrival, n % 2 == 0 ? n + 2 : n > 1 ? n - 2 : 0);
  }
  end();
}

TEST_MAIN("laperm", NULL, NULL)
