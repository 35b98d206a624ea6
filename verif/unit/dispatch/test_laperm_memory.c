/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The banks of all SMXs: groups that overflow to memory and return. */
#include "unit/dispatch/laperm_fixture.h"

/* n groups of one TB, and of one level, go into the bank of this SMX. */
static void fill(unsigned smx, unsigned n) {
  for (unsigned k = 0; k < n; k++) push(k, smx, 1, 1);
}

/* A group in A2: in the next cycle it goes into its bank, to memory, or is refused. */
enum { TO_BANK, TO_MEMORY, REFUSED };
static void becomes(unsigned kdei, unsigned smx, unsigned level, unsigned what) {
  group(kdei, smx, level, 1);
  cycle();
  assert_int_equal(out.put.valid, what == TO_MEMORY);
  assert_int_equal(out.full, what == REFUSED);
  assert_int_equal(out.push.valid, what != REFUSED);
  assert_int_equal(out.push.kdei, what != REFUSED ? kdei : 0);
}

/* A group that finds its bank full goes to memory from A3, as it came, and not into the bank. */
TEST_F(test_put) {
  static const struct hd_info none;
  const struct hd_info want = {.grid_x = 4, .grid_y = 1, .grid_z = 1, .ctas = 4, .param = 0x107, .level = 3};
  room(true);
  fill(2, 6);
  group(7, 2, 3, 4);
  look();
  assert_int_equal(out.put.valid || out.put.bank || out.put.kdei, 0);
  assert_memory_equal(&out.put.info, &none, sizeof none);
  cycle();
  assert_int_equal(arch()->a3_valid && arch()->a3_put && !arch()->a3_full, 1);
  assert_int_equal(arch()->a3_bank == 2 && arch()->a3_kdei == 7, 1);
  assert_int_equal(out.put.valid && out.push.valid && !out.full, 1);
  assert_int_equal(out.put.bank, 2);
  assert_int_equal(out.put.kdei, 7);
  assert_int_equal(out.push.kdei, 7);
  assert_memory_equal(&out.put.info, &want, sizeof want);
  cycle();
  assert_int_equal(out.put.valid || out.put.bank || out.put.kdei || out.push.valid, 0);
  assert_memory_equal(&out.put.info, &none, sizeof none);
  assert_int_equal(arch()->live[2], 0);
  assert_int_equal(arch()->number[2], 0);
}

/* Room counts in the cycle in which the group is in A2, and only then. */
TEST_F(test_room_counts_in_a2) {
  fill(0, 6);
  group(7, 0, 1, 1);
  cycle();
  room(true);
  assert_int_equal(out.full && !out.put.valid && !out.push.valid, 1);
  assert_int_equal(out.push.kdei || out.put.kdei || out.put.info.ctas, 0);
  assert_int_equal(arch()->a3_valid && arch()->a3_full && !arch()->a3_put, 1);
  group(8, 0, 1, 1);
  cycle();
  room(false);
  assert_int_equal(!out.full && out.put.valid && out.push.valid, 1);
  assert_int_equal(out.push.kdei == 8 && out.put.kdei == 8, 1);
  cycle();
  assert_int_equal(out.full || out.put.valid || out.push.valid, 0);
}

/* .. that of its bank and level. */
TEST_F(test_room_of_its_queue) {
  for (unsigned bank = 0; bank < 4; bank++)
    for (unsigned level = 1; level <= 4; level++) hold(bank, level, true);
  for (unsigned k = 0; k < 16; k++) {
    room_for(k / 4, 1 + k % 4, true);
    for (unsigned q = 0; q < 16; q++) becomes(q, q / 4, 1 + q % 4, q == k ? TO_MEMORY : REFUSED);
    room_for(k / 4, 1 + k % 4, false);
  }
}

/* The room of a bank is its free places; none while a level of it is in memory, or a group goes there or is refused. */
TEST_F(test_room_of_banks) {
  look();
  for (unsigned n = 0; n < 7; n++) {
    assert_int_equal(out.bank_room[2], 6 - n);
    assert_int_equal(out.bank_room[1], 6);
    if (n < 6) fill(2, 1);
  }
  take(2, 2, false);
  assert_int_equal(out.bank_room[2], 1);
  hold(2, 4, true);
  assert_int_equal(out.bank_room[2], 0);
  assert_int_equal(out.bank_room[1], 6);
  hold(2, 4, false);
  fill(2, 1);
  group(9, 2, 1, 1); /* it finds the bank full, though a place is left in that cycle */
  takes(2, 2, false);
  cycle();
  assert_int_equal(out.full, 1);
  assert_int_equal(out.bank_room[2], 0);
  cycle();
  assert_int_equal(out.bank_room[2], 1);
  fill(2, 1);
  room(true);
  group(9, 2, 1, 1);
  takes(2, 2, false);
  cycle();
  assert_int_equal(out.put.valid, 1);
  assert_int_equal(out.bank_room[2], 0);
  cycle();
  assert_int_equal(out.bank_room[2], 1);
}

/* Places kept for groups from memory are no room: only these groups get them. */
TEST_F(test_kept_places) {
  fill(2, 1);
  reserve(2);
  assert_int_equal(arch()->pq[2].kept, 2);
  assert_int_equal(arch()->pq[1].kept, 0);
  assert_int_equal(out.bank_room[2], 3);
  assert_int_equal(out.bank_room[1], 6);
  fill(2, 2);
  kernel(8, 2, 1, 1);
  assert_int_equal(out.enter.mark && !out.enter.bank, 1); /* it needs two places */
  in.kmu_offer.valid = 0;
  fill(2, 1);
  becomes(9, 2, 1, REFUSED);
  back(7, 2, 1, 1);
  cycle();
  assert_int_equal(arch()->pq[2].kept, 1);
  assert_int_equal(arch()->pq[2].level_count[0], 5);
  becomes(9, 2, 1, REFUSED);
  releases(2, 1);
  cycle();
  assert_int_equal(arch()->pq[2].kept, 0);
  becomes(9, 2, 1, TO_BANK);
}

/* Places of several banks are reserved and given up in one cycle, also while entries enter and leave. */
TEST_F(test_kept_places_of_several_banks) {
  reserves(0);
  reserves(3);
  cycle();
  reserves(0);
  releases(0, 1);
  releases(3, 2);
  reserves(1);
  group(1, 1, 1, 1);
  cycle();
  assert_int_equal(arch()->pq[0].kept == 3 && arch()->pq[3].kept == 0, 1);
  assert_int_equal(arch()->pq[1].kept == 2 && arch()->pq[2].kept == 0, 1);
  releases(1, 1);
  cycle(); /* the group enters */
  assert_int_equal(arch()->pq[1].kept, 1);
  assert_int_equal(out.bank_room[1], 4);
  back(2, 1, 1, 1);
  takes(1, 1, false);
  reserves(1);
  cycle();
  assert_int_equal(arch()->pq[1].kept, 2);
  assert_int_equal(out.bank_room[1], 3);
  front(1, 2, 0);
}

/* No room is reported while a level has less than eight numbers. */
TEST_F(test_room_of_numbers) {
  start("k20c", 2, 20, 4);
  look();
  for (unsigned n = 0; n < 12; n++) {
    assert_int_equal(out.bank_room[0], n > 8 ? 0 : 7);
    assert_int_equal(out.bank_room[1], n > 8 ? 0 : 20 - n < 7 ? 20 - n : 7);
    fill(1, 1);
  }
}

/* A group that goes into its bank needs no room in memory. */
TEST_F(test_bank_needs_no_room) {
  becomes(1, 0, 1, TO_BANK);
  room(true);
  becomes(2, 0, 1, TO_BANK);
}

/* Under Rr no group is in A3. */
TEST_F(test_rr) {
  room(true);
  hold(0, 1, true);
  set_policy(HD_POLICY_RR);
  group(1, 0, 1, 1);
  cycle();
  assert_int_equal(out.put.valid || out.push.valid || out.full || arch()->a3_valid, 0);
}

/* Behind others of its bank and level in memory a group goes there too, though the bank is empty; those of another bank
 * or level are not behind them. */
TEST_F(test_behind_memory) {
  room(true);
  hold(1, 2, true);
  becomes(1, 1, 2, TO_MEMORY);
  becomes(2, 1, 1, TO_BANK);
  becomes(3, 1, 3, TO_BANK);
  becomes(4, 0, 2, TO_BANK);
  becomes(5, 2, 2, TO_BANK);
  hold(1, 2, false);
  becomes(6, 1, 2, TO_BANK);
  room(false);
  hold(1, 2, true);
  becomes(7, 1, 2, REFUSED);
}

/* .. also behind one that is in A3 and goes there in this cycle, before memory reports it. */
TEST_F(test_behind_a3) {
  room(true);
  hold(1, 2, true);
  group(1, 1, 2, 1);
  cycle();
  hold(1, 2, false); /* the last of those before has just left */
  becomes(2, 1, 2, TO_MEMORY);
  becomes(3, 1, 3, TO_BANK); /* another level */
  becomes(4, 1, 2, TO_BANK);
  hold(1, 2, true);
  group(5, 1, 2, 1);
  cycle();
  hold(1, 2, false);
  becomes(6, 2, 2, TO_BANK); /* another bank */
}

/* .. but not if that one is refused: it is gone. A kernel is not behind it either. */
TEST_F(test_not_behind_refused) {
  hold(1, 2, true);
  becomes(1, 1, 2, REFUSED);
  hold(1, 2, false);
  kernel(9, 1, 2, 1);
  assert_int_equal(out.enter.bank && !out.enter.wait_bank, 1);
  in.kmu_offer.valid = 0;
  becomes(2, 1, 2, TO_BANK);
  hold(1, 2, true);
  room(true);
  group(3, 1, 2, 1);
  cycle();
  hold(1, 2, false);
  room(false); /* it goes to memory nevertheless */
  kernel(9, 1, 2, 1);
  assert_int_equal(out.put.valid && out.enter.mark && !out.enter.bank, 1);
  in.kmu_offer.valid = 0;
  room(true);
  becomes(4, 1, 2, TO_MEMORY);
}

/* While groups of a bank are in memory, room for a line of them stays free. */
TEST_F(test_line_stays_free) {
  room(true);
  fill(0, 3);
  hold(0, 4, true);
  becomes(1, 0, 1, TO_BANK);
  becomes(2, 0, 1, TO_MEMORY); /* A3 takes the last one before the line */
  cycle();
  assert_int_equal(arch()->live[0], 4);
  becomes(3, 0, 2, TO_MEMORY);
  becomes(4, 1, 1, TO_BANK); /* not of another bank */
  hold(0, 4, false);
  becomes(5, 0, 1, TO_BANK);
}

/* .. also with lines of four, and with one whose places are kept already. */
TEST_F(test_next_line_stays_free) {
  start("k20c", 4, 16, 20);
  room(true);
  hold(0, 4, true);
  fill(0, 7);
  reserve(0);
  becomes(1, 0, 1, TO_BANK); /* 16 places: 7 used, 4 kept, 4 for the next line */
  becomes(2, 0, 1, TO_MEMORY);
  cycle();
  becomes(3, 0, 2, TO_MEMORY);
  take(0, 0, false);
  becomes(4, 0, 1, TO_BANK);
  cycle();
  becomes(5, 0, 1, TO_MEMORY);
  hold(0, 4, false);
  for (unsigned n = 0; n < 4; n++) becomes(n, 0, 2, TO_BANK);
  becomes(6, 0, 2, TO_MEMORY);
}

/* Place is reported as long as a line of places is free that A3 does not take. */
TEST_F(test_place) {
  fill(0, 3);
  for (unsigned b = 0; b < 4; b++) assert_int_equal(out.place[b], 1);
  group(4, 0, 1, 1);
  cycle();
  assert_int_equal(out.place[0], 1);
  group(5, 0, 1, 1);
  cycle();
  assert_int_equal(out.place[0], 0);
  assert_int_equal(out.place[1], 1);
  cycle();
  assert_int_equal(out.place[0], 0);
  takes(0, 0, false);
  look();
  assert_int_equal(out.place[0], 0); /* a place freed in this cycle does not count yet */
  cycle();
  assert_int_equal(out.place[0], 1);
  hold(0, 1, true);
  group(7, 0, 1, 1);
  cycle();
  assert_int_equal(out.full && out.place[0], 1); /* A3 holds one that does not go there */
  room(true);
  group(8, 0, 1, 1);
  cycle();
  assert_int_equal(out.put.valid && out.place[0], 1);
  reserves(0);
  assert_int_equal(out.place[0], 1);
  cycle();
  assert_int_equal(out.place[0], 0);
  releases(0, 1);
  assert_int_equal(out.place[0], 0);
  cycle();
  assert_int_equal(out.place[0], 0);
  releases(0, 1);
  cycle();
  assert_int_equal(out.place[0], 1);
}

/* .. of four, of eight places or more; of one, of three or fewer. */
TEST_F(test_place_of_other_lines) {
  start("k20c", 2, 8, 20);
  fill(0, 4);
  assert_int_equal(out.place[0], 1);
  fill(0, 1);
  assert_int_equal(out.place[0], 0);
  start("k20c", 2, 3, 20);
  fill(0, 2);
  assert_int_equal(out.place[0], 1);
  fill(0, 1);
  assert_int_equal(out.place[0], 0);
}

/* A group returns to its bank unchanged, from its first TB on, with the next number of its level; it is the head in the
 * next cycle. */
TEST_F(test_back) {
  push(1, 3, 2, 1);
  hold(3, 4, true);
  reserve(3);
  assert_int_equal(out.back_ready, 0);
  back(9, 3, 4, 2);
  assert_int_equal(out.back_ready, 1);
  cycle();
  const struct hd_pqentry want = {
      .kind = HD_UNIT_GROUP, .kdei = 9, .grid_x = 2, .grid_y = 1, .grid_z = 1, .param = 0x209, .ctas = 2, .level = 4};
  assert_memory_equal(&out.bank_front[3], &want, sizeof want);
  front(3, 9, 0);
  assert_int_equal(out.bound_need[3].warps, 10);
  assert_int_equal(arch()->number[3] == 1 && arch()->live[3] == 1, 1);
  winner_is(3);
  back(8, 3, 4, 1);
  takes(3, 3, false);
  cycle();
  take(3, 3, false);
  front(3, 8, 0);
  assert_int_equal(out.bank_front[3].arrival, 1);
  assert_int_equal(arch()->pq[3].kept, 0);
}

/* .. under any policy. */
TEST_F(test_back_under_rr) {
  hold(1, 1, true);
  reserve(1);
  set_policy(HD_POLICY_RR);
  back(2, 1, 1, 1);
  assert_int_equal(out.back_ready, 1);
  cycle();
  front(1, 2, 0);
}

/* It waits while A3 puts a group into the same bank; not for one that goes elsewhere, or to memory. */
TEST_F(test_back_waits_for_a3) {
  room(true);
  hold(1, 2, true);
  reserve(1);
  group(1, 1, 1, 1);
  cycle();
  back(9, 1, 2, 1);
  assert_int_equal(out.back_ready, 0);
  group(2, 2, 2, 1);
  cycle();
  assert_int_equal(arch()->live[1], 0);
  back(9, 1, 2, 1);
  assert_int_equal(out.back_ready, 1);
  group(3, 1, 2, 1);
  cycle();
  assert_int_equal(out.put.valid, 1);
  assert_int_equal(out.bank_front[2].arrival, 0); /* the group of A3 before the returning one */
  assert_int_equal(out.bank_front[1].arrival, 1);
  back(8, 1, 2, 1);
  assert_int_equal(out.back_ready, 1);
}

/* It waits until its level is open. */
TEST_F(test_back_waits_for_its_level) {
  start("k20c", 4, 16, 4);
  for (unsigned n = 0; n < 13; n++) push(n, 1, 1, 1);
  hold(0, 1, true);
  reserve(0);
  for (unsigned n = 0; n < 13; n++) {
    back(9, 0, 1, 1);
    assert_int_equal(out.back_ready, 0);
    take(1, 1, false);
  }
  back(9, 0, 1, 1);
  assert_int_equal(out.back_ready, 0); /* its number goes back in this cycle */
  back(9, 0, 2, 1);
  assert_int_equal(out.back_ready, 1); /* another one is open */
  back(9, 0, 1, 1);
  cycle();
  back(9, 0, 1, 1);
  assert_int_equal(out.back_ready, 1);
}

/* Numbers do not wrap: the group in A3, the returning group, the group in A2. */
TEST_F(test_numbers_do_not_go_round) {
  start("k20c", 4, 16, 4);
  for (unsigned n = 0; n < 12; n++) push(n, 0, 1, 1);
  hold(3, 1, true);
  reserve(3);
  group(12, 1, 1, 1);
  cycle();
  group(13, 2, 1, 1);
  back(14, 3, 1, 1); /* number 12 is shown */
  cycle();
  back(15, 3, 1, 1);
  assert_int_equal(out.push.valid && !out.back_ready, 1);
  cycle();
  assert_int_equal(arch()->number[0], 15);
  assert_int_equal(out.bank_front[1].arrival, 12);
  assert_int_equal(out.bank_front[3].arrival, 13);
  assert_int_equal(out.bank_front[2].arrival, 14);
}

TEST_MAIN("laperm_memory", NULL, NULL)
