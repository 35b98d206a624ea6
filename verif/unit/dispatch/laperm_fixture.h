/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the laperm tests: pushes groups and kernels, takes TBs, reads bank heads and the winner. Entries are
 * identified by their kernel. */
#ifndef HD_LAPERM_FIXTURE_H
#define HD_LAPERM_FIXTURE_H

#include "dispatch/laperm.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_laperm *m;
static struct hd_laperm_in in;
static struct hd_laperm_out out; /* outputs in the next cycle with the present inputs */

/* `config` with these parameters and numbers of that many bits. */
static inline void start_clusters(const char *config, unsigned smxs, unsigned per_cluster, unsigned depth,
                                  unsigned arrival_w) {
  char err[300];
  free(m);
  cfg = ut_cfg(config);
  assert_true(hd_cfg_set(&cfg, "NumSmx", smxs, err, sizeof err) && hd_cfg_set(&cfg, "PqDepth", depth, err, sizeof err));
  assert_true(hd_cfg_set(&cfg, "SmxPerCluster", per_cluster, err, sizeof err));
  assert_true(hd_cfg_set(&cfg, "ArrivalW", arrival_w, err, sizeof err) && hd_cfg_derive(&cfg, err, sizeof err));
  m = ut_new(hd_laperm_size(&cfg));
  hd_laperm_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  for (unsigned k = 0; k < cfg.num_kde; k++) in.kd_need[k] = (struct hd_need){.warps = (uint8_t)(1 + k), .regs = 5};
  in.regs_config.policy = HD_POLICY_SMX_BIND;
}

/* One bank for each SMX. */
static inline void start(const char *config, unsigned smxs, unsigned depth, unsigned arrival_w) {
  start_clusters(config, smxs, 1, depth, arrival_w);
}

/* Four SMXs, banks of six entries, 20-bit numbers. */
static inline int setup(void **state) {
  (void)state;
  start("k20c", 4, 6, 20);
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
  return 0;
}

static inline void look(void) {
  hd_laperm_eval(m, &in, &out);
}

/* Runs one cycle with the present inputs, then clears pushes, takes and changes of kept places. Keeps the policy, the
 * content of memory and its room. */
static inline void cycle(void) {
  static struct hd_laperm_in was;
  hd_laperm_tick(m, &in);
  if (in.kmu_offer.valid && in.kd_free.valid) in.kd_need[in.kd_free.kdei] = in.kmu_offer.kernel.need;
  was = in;
  memset(&in, 0, sizeof in);
  memcpy(in.kd_need, was.kd_need, sizeof in.kd_need);
  memcpy(in.spill_held, was.spill_held, sizeof in.spill_held);
  in.regs_config.policy = was.regs_config.policy;
  memcpy(in.spill_room, was.spill_room, sizeof in.spill_room);
  look();
}

static inline void set_policy(unsigned policy) {
  in.regs_config.policy = (uint8_t)policy;
  look();
}

/* A group of a kernel is in A2 in the next cycle. */
static inline void group(unsigned kdei, unsigned smx, unsigned level, unsigned ctas) {
  in.devq_group.valid = 1;
  in.devq_group.kdei = (uint8_t)kdei;
  in.devq_group.smx = (uint8_t)smx;
  in.devq_group.info = (struct hd_info){.grid_x = (uint16_t)ctas, .grid_y = 1, .grid_z = 1, .param = 0x100 + kdei};
  in.devq_group.info.ctas = ctas;
  in.devq_group.info.level = (uint8_t)level;
}

/* Offers a kernel in the next cycle, with the KD ready. */
static inline void kernel(unsigned kdei, unsigned smx, unsigned level, unsigned ctas) {
  in.kmu_offer.valid = in.kd_free.valid = 1;
  in.kd_free.kdei = (uint8_t)kdei;
  in.kmu_offer.kernel.origin.smx = (uint8_t)smx;
  in.kmu_offer.kernel.level = (uint8_t)level;
  in.kmu_offer.kernel.ctas = ctas;
  in.kmu_offer.kernel.need = in.kd_need[kdei];
  look();
}

/* Pushes a group into its bank: two cycles. */
static inline void push(unsigned kdei, unsigned smx, unsigned level, unsigned ctas) {
  group(kdei, smx, level, ctas);
  cycle();
  cycle();
}

/* The SMX takes the next TB of the head of this bank in the next cycle. */
static inline void takes(unsigned smx, unsigned bank, bool spare) {
  in.sched_take.valid = 1;
  in.sched_grant.smx = (uint8_t)smx;
  in.sched_take.bank = (uint8_t)bank;
  in.sched_take.spare = spare;
}

static inline void take(unsigned smx, unsigned bank, bool spare) {
  takes(smx, bank, spare);
  cycle();
}

/* A TB of the kernel in the SSCR is granted to the SMX in the next cycle. */
static inline void grants(unsigned smx, unsigned level) {
  in.sched_grant.valid = 1;
  in.sched_grant.level = (uint8_t)level;
  in.sched_grant.smx = (uint8_t)smx;
}

/* Sets whether memory has room for groups of every bank and level; for those of one. */
static inline void room(bool has) {
  memset(in.spill_room, has, cfg.ring_queues);
  look();
}

static inline void room_for(unsigned bank, unsigned level, bool has) {
  in.spill_room[bank * cfg.max_level + level - 1] = has;
  look();
}

/* Sets whether memory holds groups of the bank and level. */
static inline void hold(unsigned bank, unsigned level, bool held) {
  in.spill_held[bank * cfg.max_level + level - 1] = held;
  look();
}

/* Places of the bank for a line of groups are reserved at the end of the next cycle; n of them are given up. */
static inline void reserves(unsigned bank) {
  in.spill_reserve[bank] = 1;
  look();
}

static inline void releases(unsigned bank, unsigned n) {
  in.spill_release[bank] = (uint8_t)n;
  look();
}

static inline void reserve(unsigned bank) {
  reserves(bank);
  cycle();
}

/* A group returns from memory in the next cycle, into a place that was reserved. */
static inline void back(unsigned kdei, unsigned bank, unsigned level, unsigned ctas) {
  in.spill_back.valid = 1;
  in.spill_back.bank = (uint8_t)bank;
  in.spill_back.kdei = (uint8_t)kdei;
  in.spill_back.info = (struct hd_info){.grid_x = (uint16_t)ctas, .grid_y = 1, .grid_z = 1, .param = 0x200 + kdei};
  in.spill_back.info.ctas = ctas;
  in.spill_back.info.level = (uint8_t)level;
  look();
}

static inline struct hd_laperm_arch *arch(void) {
  static struct hd_laperm_arch a;
  hd_laperm_arch(m, &a, true);
  return &a;
}

/* Checks that the head of the bank is of that kernel, with that next TB. */
static inline void front(unsigned bank, unsigned kdei, unsigned nextbl) {
  assert_int_equal(out.bank_valid[bank], 1);
  assert_int_equal(out.bank_front[bank].kdei, kdei);
  assert_int_equal(out.bank_nextbl[bank], nextbl);
  assert_int_equal(out.bank_last[bank], nextbl + 1 == out.bank_front[bank].ctas);
}

static inline void winner_is(int bank) {
  assert_int_equal(arch()->winner_valid ? arch()->winner : -1, bank);
}

#endif
