/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The rates that the plane promises under the policies of LaPerm, counted in cycles of the RTL, and the paper's example
 * on it, in lockstep with the model and under its oracle. */
#include "equiv/dev_lockstep.h"

enum { SMXS = 13 };

/* A memory that accepts requests and beats at random times. */
static const struct hd_axi_profile slow = {
    .name = "slow", .latency_min = 200, .latency_max = 200, .sink = 16, .source = 16};

/* Launches kernel 0 with this many TBs; 208 fill the machine, with TB n in slot n / 13 of SMX n % 13. */
static void full_machine(unsigned policy, uint32_t ctas) {
  begin("k20c", &fast);
  set_policy(policy);
  host_kernel(0, 0, ctas);
  until(&tbs, 208, 300);
  ticks(10);
}

/* Group g of kernel 0, of any number. */
static struct hd_devlaunch *launch(unsigned smx, unsigned g, uint32_t ctas) {
  struct hd_devlaunch *l = launch_group(smx, 0, g, ctas, 0, 0);
  l->desc.pc = desc_of(0, 1).pc;
  return l;
}

/* Groups from `first` on, of this many TBs each: n of them in each bank, banks round robin. */
static void fill_banks(unsigned first, unsigned n, uint32_t ctas) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned s = 0; s < SMXS; s++) launch(s, first + k * SMXS + s, ctas);
  until(&answers, n * SMXS, 2 * n * SMXS + 20);
  ticks(5);
}

/* The TBs of the first filling, from slot `first` of each SMX on, end in the next cycles, as fast as they can; all
 * others run for 60 cycles. */
static void make_room(unsigned first) {
  episode = 60;
  for (unsigned n = first * SMXS; n < 208; n++) slot[tb[n].smx][tb[n].d.slot].ends = now + 1;
}

/* All banks hold entries, and there is room: one TB in every cycle. */
static void one_tb_per_cycle(unsigned policy) {
  const unsigned groups = 5, ctas = 40, all = groups * SMXS * ctas;
  full_machine(policy, 208);
  fill_banks(1, groups, ctas);
  make_room(0);
  until(&tbs, 208 + all, all + 100);
  assert_int_equal(tb[tbs - 1].cycle - tb[208].cycle, all - 1);
  print_message("policy %u: %u TBs from 13 banks in %u cycles\n", policy, all, all);
  for (unsigned n = 208; policy == HD_POLICY_SMX_BIND && n < tbs; n++) /* and round robin */
    assert_int_equal(tb[n].smx, (tb[208].smx + n - 208) % SMXS);
  end();
}

TEST(one_tb_per_cycle_from_13_banks) {
  for (unsigned p = HD_POLICY_TB_PRI; p <= HD_POLICY_ADAPTIVE_BIND; p++) one_tb_per_cycle(p);
}

/* The same with 132 banks, for 132 SMXs of one slot each: the first entry and the SMX that takes it, in every cycle. */
TEST(one_tb_per_cycle_from_132_banks) {
  const unsigned smxs = 132, ctas = 8, all = smxs * ctas;
  for (unsigned p = HD_POLICY_TB_PRI; p <= HD_POLICY_ADAPTIVE_BIND; p++) {
    begin("tiny+NumSmx=132+CtasPerSmx=1", &fast);
    set_policy(p);
    host_kernel(0, 0, smxs);
    until(&tbs, smxs, smxs + 100);
    for (unsigned s = 0; s < smxs; s++) launch(s, 1 + s, ctas);
    until(&answers, smxs, 2 * smxs + 20);
    ticks(5);
    episode = 100;
    for (unsigned n = 0; n < smxs; n++) slot[tb[n].smx][0].ends = now + 1;
    until(&tbs, smxs + all, all + 100);
    assert_int_equal(tb[tbs - 1].cycle - tb[smxs].cycle, all - 1);
    print_message("policy %u: %u TBs from 132 banks in %u cycles\n", p, all, all);
    for (unsigned n = smxs; n < tbs; n++) assert_int_equal(tb[n].smx, (tb[smxs].smx + n - smxs) % smxs);
    end();
  }
}

/* A slot is refilled as fast as under rr: completed in t, the next TB is offered in t + 2; if 13 end in one cycle, one
 * is offered in each cycle from then on. From banks, or (rr) from queue 0. */
static void refill_in_two_cycles(unsigned policy) {
  full_machine(policy, policy == HD_POLICY_RR ? 300 : 208);
  if (policy != HD_POLICY_RR) fill_banks(1, 3, 1);
  slot[4][7].ends = now + 1;
  uint64_t at = now + 1;
  until(&tbs, 209, 10);
  assert_int_equal(tb[208].cycle - at, 2);
  assert_int_equal(tb[208].smx, 4);
  assert_int_equal(tb[208].d.slot, 7);
  ticks(10);
  for (unsigned s = 0; s < SMXS; s++) slot[s][3].ends = now + 1;
  at = now + 1;
  until(&tbs, 209 + SMXS, 30);
  for (unsigned k = 0; k < SMXS; k++) {
    assert_int_equal(tb[209 + k].cycle - at, 2 + k);
    assert_int_equal(tb[209 + k].d.group, policy != HD_POLICY_RR);
  }
  end();
}

TEST(a_freed_slot_is_refilled_in_two_cycles) {
  for (unsigned p = HD_POLICY_RR; p <= HD_POLICY_ADAPTIVE_BIND; p++) refill_in_two_cycles(p);
}

/* 1000 groups in commands of 32, distributed over all SMXs. */
static void deal_out(unsigned first) {
  for (unsigned g = 0; g < 1000; g++) launch(g / 32 % SMXS, first + g, 1)->last = g % 32 == 31 || g == 999;
}

/* Cycles in which the first and the last of them were accepted; `before`: earlier launches of each SMX. */
static void taken_in(unsigned before, uint64_t *first, uint64_t *last) {
  *first = NEVER;
  *last = 0;
  for (unsigned s = 0; s < SMXS; s++) {
    if (port[s].taken_at[before] < *first) *first = port[s].taken_at[before];
    if (port[s].taken_at[port[s].n - 1] > *last) *last = port[s].taken_at[port[s].n - 1];
  }
}

/* One group is accepted in each of 1000 cycles, and goes into its bank. */
static void groups_per_cycle(unsigned policy) {
  uint64_t first, last;
  full_machine(policy, 208);
  deal_out(1);
  until(&answers, 1000, 1100);
  taken_in(0, &first, &last);
  assert_int_equal(last - first, 999);
  for (unsigned n = 0; n < 1000; n++) assert_int_equal(answer[n].a.code, HD_CODE_ACCEPTED);
  for (unsigned n = 1; n < 1000; n++) assert_int_equal(answer[n].cycle, answer[0].cycle + n);
  assert_int_equal(COUNT(DEV_GROUPS), 1000);
  print_message("policy %u: 1000 groups of 13 SMXs in %llu cycles\n", policy, (unsigned long long)(last - first + 1));
  episode = 60;
  end();
  for (unsigned n = 208; n < tbs; n++) assert_int_equal(tb[n].d.group && !tb[n].d.age_valid, 1);
  assert_int_equal(tbs, 1208);
}

TEST(a_group_in_every_cycle) {
  for (unsigned p = HD_POLICY_TB_PRI; p <= HD_POLICY_ADAPTIVE_BIND; p++) groups_per_cycle(p);
}

/* Launches of SMX 0 that have to wait: groups for its full bank, or kernels behind many others. Meanwhile SMX 1
 * launches 100 groups, for which its bank has room: in each cycle a beat of one of the two is accepted, and each group
 * of SMX 1 is answered four cycles later. */
static void full_rate_overlapping(unsigned kind, unsigned busy) {
  const unsigned groups = 100;
  begin("tiny+PqDepth=128", &slow);
  apb(HD_REG_SPILL_BASE, true, 0x80000);
  apb(HD_REG_SPILL_COUNT, true, cfg.ring_queues << (cfg.ring_order_min + 3));
  set_policy(HD_POLICY_SMX_BIND);
  host_kernel(0, 0, cfg.num_smx * cfg.ctas_per_smx);
  until(&tbs, cfg.num_smx * cfg.ctas_per_smx, 100);
  for (unsigned g = 1; g <= busy + 12; g++) {
    if (kind == HD_KIND_GROUP)
      launch(0, g, 1);
    else
      launch_kernel(0, 0, g, 1, 0);
    if (g == busy) until(&answers, busy, 3000);
  }
  const unsigned before = port[0].taken;
  const uint64_t start = now;
  for (unsigned g = 0; g < groups; g++) launch(1, 200 + g, 1)->last = g % 32 == 31;
  while (port[1].taken < groups && now - start < 1000) tick();
  const unsigned others = port[0].taken - before, cycles = (unsigned)(port[1].taken_at[groups - 1] - start + 1);
  print_message("%u groups in %u cycles, beside %u of 12 %s that wait\n", groups, cycles, others,
                kind == HD_KIND_GROUP ? "groups of a full bank" : "kernels");
  assert_in_range(others, 0, 11);
  assert_in_range(cycles, groups, groups + others + 4);
  episode = 30;
  end();
  unsigned n = 0;
  for (unsigned a = 0; a < answers; a++)
    if (answer[a].smx == 1) assert_int_equal(answer[a].cycle, port[1].taken_at[n++] + 4);
  assert_int_equal(n, groups);
}

TEST(a_full_bank_blocks_no_client) {
  full_rate_overlapping(HD_KIND_GROUP, 128);
  full_rate_overlapping(HD_KIND_KERNEL, 8);
}

/* In each of 1000 cycles one entry arrives and another one leaves, while all banks hold some. */
static void in_and_out_per_cycle(unsigned policy) {
  const unsigned backlog = 40;
  uint64_t first, last;
  full_machine(policy, 208);
  fill_banks(1, backlog, 1);
  make_room(1);
  deal_out(1 + backlog * SMXS);
  until(&answers, backlog * SMXS + 1000, 1200);
  taken_in(backlog, &first, &last);
  assert_int_equal(last - first, 999);
  unsigned in_time = 0; /* in A2 two cycles after its acceptance, in the bank at the end of the next one */
  for (unsigned n = 208; n < tbs; n++) in_time += tb[n].cycle >= first + 3 && tb[n].cycle <= last + 3;
  assert_int_equal(in_time, 1000);
  for (unsigned n = 0; n < answers; n++) assert_int_equal(answer[n].a.code, HD_CODE_ACCEPTED);
  end();
  assert_int_equal(tbs, 208 + backlog * SMXS + 1000);
}

TEST(one_in_and_one_out_in_every_cycle) {
  for (unsigned p = HD_POLICY_TB_PRI; p <= HD_POLICY_ADAPTIVE_BIND; p++) in_and_out_per_cycle(p);
}

/* Returns the number of cycles from the launch to the first TB in an idle plane. */
static unsigned first_tb(unsigned policy, unsigned kind) {
  begin("k20c", &fast);
  set_policy(policy);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  ticks(10);
  if (kind == HD_KIND_GROUP)
    launch_group(0, 0, 1, 1, 0, 0);
  else
    launch_kernel(0, 0, 1, 1, 0);
  until(&tbs, 2, 60);
  assert_int_equal(answer[0].cycle, port[0].taken_at[0] + 4);
  unsigned cycles = (unsigned)(tb[1].cycle - port[0].taken_at[0]);
  end();
  return cycles;
}

/* Group accepted in t: its first TB is offered in t + 9 under rr, where it is linked, marks its kernel, and passes
 * through agt; in t + 5 from a bank. Group of a device kernel: in t + 11 either way. */
TEST(launch_to_dispatch) {
  for (unsigned p = HD_POLICY_RR; p <= HD_POLICY_ADAPTIVE_BIND; p++) {
    unsigned group = first_tb(p, HD_KIND_GROUP), kernel = first_tb(p, HD_KIND_KERNEL);
    print_message("policy %u: %u cycles from a group's launch to its first TB; %u of a kernel\n", p, group, kernel);
    assert_int_equal(group, p == HD_POLICY_RR ? 9 : 5);
    assert_int_equal(kernel, 11);
  }
}

TEST(the_papers_example) {
  for (unsigned policy = HD_POLICY_RR; policy <= HD_POLICY_ADAPTIVE_BIND; policy++)
    for (unsigned kind = HD_KIND_KERNEL; kind <= HD_KIND_GROUP; kind++) {
      begin("k20c", &fast);
      expect_the_papers_example(kind, policy, papers_rows[policy]);
      end();
    }
}

TEST_MAIN("policy_rates", NULL, NULL)
