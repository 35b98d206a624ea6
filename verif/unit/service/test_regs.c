/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The register file behind APB4: map, transfers, configuration words, reads and writes of counters. */
#include "gen/hd_policies.h"
#include "unit/service/regs_fixture.h"

/* The constants report the configuration. */
TEST_F(test_constants) {
  assert_int_equal(read_word(HD_REG_ID), 0x4844444c);
  assert_int_equal(read_word(HD_REG_VERSION), 0x00020003);
  assert_int_equal(read_word(HD_REG_SMXS), 13 | 16 << 16);
  assert_int_equal(read_word(HD_REG_QUEUES), 32 | 32 << 16);
  assert_int_equal(read_word(HD_REG_SMX_THREADS), 2048);
  assert_int_equal(read_word(HD_REG_SMX_REGS), 65536);
  assert_int_equal(read_word(HD_REG_SMX_SMEM), 49152);
  assert_int_equal(read_word(HD_REG_AGT), 1024 | 209 << 16);
  assert_int_equal(read_word(HD_REG_DEVICE), 128 | 2048 << 16);
}

/* prdata is a register: the value as it was in the setup cycle, shown in the access cycle, 0 in all others. */
TEST_F(test_prdata_shows_one_cycle) {
  apb(false, HD_REG_ID, 0, 0);
  cycle();
  assert_int_equal(out.prdata, 0);
  access_cycle();
  assert_int_equal(out.prdata, 0x4844444c);
  cycle();
  assert_int_equal(out.prdata, 0);
}

/* Unmapped addresses: gaps, beyond the last counter, odd addresses. Reads return 0 and an error. */
TEST_F(test_unmapped) {
  static const uint16_t bad[] = {0x24, 0x3c, 0x48, 0x7c, 0xb4, 0xfc, 0x238, 0xffc, 0x001, 0x042, 0x082, 0x103};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(read_word(bad[i]), 0);
    assert_int_equal(out.pslverr, 1);
    assert_int_equal(write_word(bad[i], 0xffffffff), 1);
    cycle();
    assert_int_equal(out.pslverr, 0);
  }
}

/* Constants cannot be written: error, and the value stays. */
TEST_F(test_write_to_constant) {
  assert_int_equal(write_word(HD_REG_SMXS, 0), 1);
  assert_int_equal(read_word(HD_REG_SMXS), 13 | 16 << 16);
  assert_int_equal(out.pslverr, 0);
}

/* penable without a setup phase before it is ignored. */
TEST_F(test_access_without_setup) {
  apb(true, HD_REG_ACCEPTED_LO, 77, 0xf);
  access_cycle();
  assert_true(m->count[HD_COUNT_ACCEPTED] == 0);
  apb(true, HD_REG_ACCEPTED_LO, 77, 0xf);
  cycle();
  access_cycle();
  assert_true(m->count[HD_COUNT_ACCEPTED] == 77);
  apb(true, HD_REG_ACCEPTED_LO, 88, 0xf);
  access_cycle(); /* the setup before it was used up */
  assert_true(m->count[HD_COUNT_ACCEPTED] == 77);
}

/* CYCLES counts every cycle. */
TEST_F(test_cycles) {
  for (int t = 0; t < 10; t++) cycle();
  assert_int_equal(read_word(HD_REG_CYCLES_LO), 10);
  assert_int_equal(read_word(HD_REG_CYCLES_LO), 12);
}

/* Addresses of the regions cannot be changed while a kernel is in the KD or a device kernel is incomplete, and STATUS
 * reports the attempt; the policy can. */
TEST_F(test_regions_stay) {
  for (unsigned busy = 0; busy < 4; busy++) {
    for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) {
      bool stays = busy && n != HD_CONFIG_POLICY;
      uint32_t was = read_word(HD_REG_REC_BASE + 4 * n);
      in.kd_busy = busy & 1;
      in.kin_busy = busy >> 1;
      assert_int_equal(write_word(HD_REG_REC_BASE + 4 * n, 0x100 * busy + n), stays);
      assert_int_equal(read_word(HD_REG_REC_BASE + 4 * n), stays ? was : 0x100 * busy + n);
      assert_int_equal(read_word(HD_REG_STATUS), stays ? HD_STATUS_CONFIG_LOCKED : 0);
      write_word(HD_REG_STATUS, HD_STATUS_CONFIG_LOCKED);
    }
  }
}

/* The configuration word n at the output. */
static uint32_t config_word(unsigned n) {
  uint32_t word[HD_MAX_NUM_CONFIG];
#define GET(field, name) word[HD_CONFIG_##name] = out.config.field;
  HD_CONFIG_WORDS(GET)
#undef GET
  word[HD_CONFIG_POLICY] = out.config.policy;
  word[HD_CONFIG_THROTTLE] = out.config.throttle;
  return word[n];
}

/* Configuration words have the documented values after reset, are written by strobes at the end of the access phase,
 * and read back. */
TEST_F(test_config) {
  const uint32_t reset[] = HD_REG_CONFIG_VALUES(&cfg);
  assert_true(reset[HD_CONFIG_THROTTLE_EPOCH] == cfg.epoch && cfg.epoch);
  assert_true(reset[HD_CONFIG_THROTTLE_BAND] == cfg.dead_band && cfg.dead_band);
  for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) {
    assert_int_equal(read_word(HD_REG_REC_BASE + 4 * n), reset[n]);
    assert_int_equal(write_word(HD_REG_REC_BASE + 4 * n, 0x11223344 + n), 0);
    assert_int_equal(config_word(n), reset[n]); /* in the access phase */
    cycle();
    assert_int_equal(config_word(n), n == HD_CONFIG_POLICY     ? (0x11223344 + n) & HD_POLICY_MASK
                                     : n == HD_CONFIG_THROTTLE ? (0x11223344 + n) & 1
                                                               : 0x11223344 + n);
  }
  for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) assert_int_equal(read_word(HD_REG_REC_BASE + 4 * n), 0x11223344 + n);
  write_strb(HD_REG_DEV_COUNT, 0xaabbccdd, 0x5);
  assert_int_equal(read_word(HD_REG_DEV_COUNT), 0x11bb33dd);
  write_strb(HD_REG_DEV_COUNT, 0, 0);
  assert_int_equal(read_word(HD_REG_DEV_COUNT), 0x11bb33dd);
  hd_regs_reset(m);
  cycle();
  for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) assert_int_equal(config_word(n), reset[n]);
}

/* Counters can be preloaded; one that is written does not count in that cycle, the others do. */
TEST_F(test_preload) {
  in.sched_events.waiting = in.sched_events.slot_wait = 1;
  write_word(HD_REG_FETCH_WAIT_LO, 1000);
  assert_true(m->count[HD_COUNT_FETCH_WAIT] == 1000);
  assert_true(m->count[HD_COUNT_SLOT_WAIT] == 1);
  in.sched_events.waiting = 1;
  write_word(HD_REG_FETCH_WAIT_HI, 0xabcd1234);
  assert_true(m->count[HD_COUNT_FETCH_WAIT] == UINT64_C(0x1234000003e8));
  in.sched_events.waiting = 1;
  cycle();
  assert_true(m->count[HD_COUNT_FETCH_WAIT] == UINT64_C(0x1234000003e9));
}

/* 48 bits, then 0 again. */
TEST_F(test_wrap) {
  write_word(HD_REG_KERNELS_IN_LO, 0xffffffff);
  write_word(HD_REG_KERNELS_IN_HI, 0xffffffff);
  assert_true(m->count[HD_COUNT_KERNELS_IN] == UINT64_C(0xffffffffffff));
  in.kd_entry.valid = 1;
  cycle();
  in.kd_entry.valid = 0;
  cycle();
  assert_true(m->count[HD_COUNT_KERNELS_IN] == 0);
}

/* Thirteen at once across the end of the 48 bits. */
TEST_F(test_wrap_by_more_than_one) {
  write_word(HD_REG_CTAS_DONE_LO, 0xfffffffe);
  write_word(HD_REG_CTAS_DONE_HI, 0xffff);
  memset(in.sched_done_ok, 1, 13);
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_DONE] == 11);
}

/* Only strobed bytes of a counter change. */
TEST_F(test_byte_strobes) {
  write_word(HD_REG_ACCEPTED_LO, 0x11223344);
  write_word(HD_REG_ACCEPTED_HI, 0x5566);
  write_strb(HD_REG_ACCEPTED_LO, 0xaabbccdd, 0x6);
  assert_true(m->count[HD_COUNT_ACCEPTED] == UINT64_C(0x556611bbcc44));
  write_strb(HD_REG_ACCEPTED_HI, 0xeeffeeff, 0x2);
  assert_true(m->count[HD_COUNT_ACCEPTED] == UINT64_C(0xee6611bbcc44));
  write_strb(HD_REG_ACCEPTED_HI, 0xffffffff, 0xc);
  assert_true(m->count[HD_COUNT_ACCEPTED] == UINT64_C(0xee6611bbcc44));
}

/* Reading a low word latches the high half of the same cycle; the counter may go on counting in between. */
TEST_F(test_high_half_is_latched) {
  write_word(HD_REG_BLOCKED_LO, 0xffffffff);
  write_word(HD_REG_BLOCKED_HI, 7);
  in.sched_events.blocked = 1; /* it counts on and carries into the high half while it is being read */
  assert_int_equal(read_word(HD_REG_BLOCKED_LO), 0xffffffff);
  assert_int_equal(read_word(HD_REG_BLOCKED_HI), 7);
  assert_int_equal(read_word(HD_REG_BLOCKED_LO), 2);
  assert_int_equal(read_word(HD_REG_BLOCKED_HI), 8);
}

/* The latch is shared by all counters; writes and reads of other words do not change it. */
TEST_F(test_one_latch) {
  write_word(HD_REG_REFUSED_HI, 5);
  read_word(HD_REG_REFUSED_LO);
  write_word(HD_REG_REFUSED_LO, 9);
  read_word(HD_REG_STATUS);
  read_word(HD_REG_ID);
  assert_int_equal(read_word(HD_REG_ACCEPTED_HI), 5);
  read_word(HD_REG_ACCEPTED_LO);
  assert_int_equal(read_word(HD_REG_REFUSED_HI), 0);
}

/* Reset leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_regs *fresh = ut_new(hd_regs_size(&cfg));
  hd_regs_init(fresh, &cfg);
  answer(HD_CODE_REFUSED);
  read_word(HD_REG_CYCLES_LO);
  apb(false, HD_REG_ID, 0, 0);
  cycle();
  hd_regs_reset(m);
  assert_memory_equal(m, fresh, hd_regs_size(&cfg));
  free(fresh);
}

TEST_MAIN("regs", NULL, NULL)
