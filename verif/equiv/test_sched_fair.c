/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of sched against its golden model with FairEvery, so that turns of queue 0 occur; and the rate with them. */
/* clang-format off */
#include <string.h>

#include "equiv/cases.h"
#include "gen/hd_sched_ports.h"
/* clang-format on */

TEST(turns_of_queue_0) {
  static const char *const covers[] = {"rare_sscr_in_its_turn", "rare_node_in_its_turn",
                                       "rare_turn_waits",       "rare_bank_on_a_closed_one_in_a_turn",
                                       "rare_stop_in_a_turn",   NULL};
  hd_case_rare("sched", "tiny+FairEvery=3", "random", 200000, covers);
}

/* All SMXs are bound to banks that never become empty, and queue 0 has a TB: three TBs of banks, one of queue 0, one in
 * each cycle, each to the next SMX. */
TEST(a_tb_in_every_cycle) {
  enum { SMXS = 5, TBS = 1000 };
  char err[512];
  struct hd_sim_opts o = {
      .block = "sched", .cfg = hd_case_cfg("tiny+NumSmx=5+FairEvery=3"), .seed = 1, .test = "directed"};
  struct hd_sim *sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  struct hd_sched_in in = {.kd_entry.valid = 1,
                           .laperm_enter.mark = 1,
                           .kmu_offer.kernel.need = {.warps = 1, .regs = 1},
                           .kmu_offer.kernel.ctas = TBS};
  in.kd_need[1] = in.kmu_offer.kernel.need; /* of the TBs of banks */
  memset(in.throttle_open, 1, sizeof in.throttle_open);
  memset(in.dispatch_ready, 1, sizeof in.dispatch_ready);
  for (unsigned s = 0; s < SMXS; s++) {
    in.laperm_bank_front[s] = (struct hd_pqentry){.kind = HD_UNIT_GROUP, .kdei = 1, .ctas = UINT32_MAX, .level = 1};
    in.laperm_bound_valid[s] = 1;
    in.laperm_bound_bank[s] = (uint8_t)s;
    in.laperm_bound_need[s] = in.kmu_offer.kernel.need;
  }
  unsigned own = 0, banks = 0;
  for (unsigned n = 0; n <= TBS; n++) {
    const void *shown;
    assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
    const struct hd_sched_out *out = shown;
    own += out->grant.valid;
    banks += out->take.valid;
    assert_int_equal(own + banks, n + 1);
    assert_int_equal(out->grant.smx, n % SMXS);
    assert_int_equal(own, n / 4);
    in.kd_entry.valid = 0;
    in.kd_need[0] = in.kmu_offer.kernel.need;
    in.kd_ctas[0] = TBS;
    in.fcfs_marked[0] = 1;
    for (unsigned s = 0; s < SMXS; s++) { /* a TB ends two cycles after it was offered */
      in.cta_done_valid[s] = out->dispatch_valid[s];
      in.cta_done_slot[s] = out->dispatch[s].slot;
    }
    if (out->take.valid) in.laperm_bank_nextbl[out->take.bank]++;
  }
  print_message("%u TBs of banks and %u of queue 0 in %u cycles\n", banks, own, TBS + 1);
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

TEST_MAIN("sched_fair", NULL, NULL)
