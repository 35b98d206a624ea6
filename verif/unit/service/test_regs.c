/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The register file behind APB4: map, sticky status, configuration words, counters. */
#include "service/regs.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_regs *m;
static struct hd_regs_in in; /* events: in.answer.., in.enter.., set by a test for the cycle that it wants */
static struct hd_regs_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_regs_size(&cfg));
  hd_regs_init(m, &cfg);
  memset(&in, 0, sizeof in);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static void cycle(void) {
  hd_regs_eval(m, &in, &out);
  hd_regs_tick(m, &in);
}

static void no_events(void) {
  memset(&in.answer_valid, 0, sizeof in - offsetof(struct hd_regs_in, answer_valid));
}

static void apb(bool write, unsigned addr, uint32_t data, unsigned strb) {
  in.psel = 1;
  in.penable = 0;
  in.pwrite = write;
  in.paddr = (uint16_t)addr;
  in.pwdata = data;
  in.pstrb = (uint8_t)strb;
}

/* The access cycle that follows a setup cycle; leaves the bus idle. */
static void access_cycle(void) {
  in.penable = 1;
  cycle();
  in.psel = in.penable = 0;
}

static uint32_t read_word(unsigned addr) {
  apb(false, addr, 0, 0);
  cycle();
  access_cycle();
  assert_int_equal(out.pready, 1);
  return out.prdata;
}

/* Writes; events that the test has set happen in the access cycle. Returns pslverr. */
static unsigned write_strb(unsigned addr, uint32_t data, unsigned strb) {
  struct hd_regs_in events = in;
  no_events();
  in.kd_busy = events.kd_busy;
  in.kin_busy = events.kin_busy;
  apb(true, addr, data, strb);
  cycle();
  struct hd_regs_in bus = in;
  in = events;
  apb(bus.pwrite, addr, data, strb);
  access_cycle();
  no_events();
  return out.pslverr;
}

static unsigned write_word(unsigned addr, uint32_t data) {
  return write_strb(addr, data, 0xf);
}

static void answer(unsigned code) {
  in.answer_valid = in.answer_ready = 1;
  in.answer.code = (uint8_t)code;
}

/* The constants tell the configuration. */
static void test_constants(void **state) {
  (void)state;
  assert_int_equal(read_word(HD_REG_ID), 0x4844444c);
  assert_int_equal(read_word(HD_REG_VERSION), 0x00020000);
  assert_int_equal(read_word(HD_REG_SMXS), 13 | 16 << 16);
  assert_int_equal(read_word(HD_REG_QUEUES), 32 | 32 << 16);
  assert_int_equal(read_word(HD_REG_SMX_THREADS), 2048);
  assert_int_equal(read_word(HD_REG_SMX_REGS), 65536);
  assert_int_equal(read_word(HD_REG_SMX_SMEM), 49152);
  assert_int_equal(read_word(HD_REG_AGT), 1024 | 209 << 16);
  assert_int_equal(read_word(HD_REG_DEVICE), 128 | 2048 << 16);
}

/* prdata is a register: the value as it was in the setup cycle, shown in the access cycle, 0 in all others. */
static void test_prdata_shows_one_cycle(void **state) {
  (void)state;
  apb(false, HD_REG_ID, 0, 0);
  cycle();
  assert_int_equal(out.prdata, 0);
  access_cycle();
  assert_int_equal(out.prdata, 0x4844444c);
  cycle();
  assert_int_equal(out.prdata, 0);
}

/* What is not in the map: gaps, beyond the last counter, odd addresses. Reads give 0 and an error. */
static void test_unmapped(void **state) {
  (void)state;
  static const uint16_t bad[] = {0x24, 0x3c, 0x44, 0x7c, 0x9c, 0xfc, 0x200, 0xffc, 0x001, 0x042, 0x082, 0x103};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(read_word(bad[i]), 0);
    assert_int_equal(out.pslverr, 1);
    assert_int_equal(write_word(bad[i], 0xffffffff), 1);
    cycle();
    assert_int_equal(out.pslverr, 0);
  }
}

/* Constants cannot be written: error, and the value stays. */
static void test_write_to_constant(void **state) {
  (void)state;
  assert_int_equal(write_word(HD_REG_SMXS, 0), 1);
  assert_int_equal(read_word(HD_REG_SMXS), 13 | 16 << 16);
  assert_int_equal(out.pslverr, 0);
}

/* penable without a setup phase before it is nothing. */
static void test_access_without_setup(void **state) {
  (void)state;
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
static void test_cycles(void **state) {
  (void)state;
  for (int t = 0; t < 10; t++) cycle();
  assert_int_equal(read_word(HD_REG_CYCLES_LO), 10);
  assert_int_equal(read_word(HD_REG_CYCLES_LO), 12);
}

/* Answers are counted by their code, in the cycle in which they are taken; all but `accepted` leave a status bit. */
static void test_answers(void **state) {
  (void)state;
  for (unsigned code = 0; code <= HD_CODE_UNKNOWN_HWQ; code++) {
    answer(code);
    for (unsigned i = 0; i <= code; i++) cycle();
    in.answer_ready = 0;
    cycle();
    assert_true(m->count[HD_COUNT_ACCEPTED + code] == code + 1);
    assert_int_equal(m->status, (1u << code) - 1);
  }
}

/* Streams count on valid and ready; hand-outs and blocked cycles as they are. */
static void test_stream_events(void **state) {
  (void)state;
  in.enter_valid = in.kernel_done_valid = 1;
  cycle();
  in.enter_ready = in.kernel_done_ready = 1;
  cycle();
  in.enter_valid = 0;
  in.grant_valid = 1;
  cycle();
  in.grant_valid = 0;
  in.blocked = 1;
  cycle();
  assert_true(m->count[HD_COUNT_KERNELS_IN] == 1);
  assert_true(m->count[HD_COUNT_KERNELS_DONE] == 3);
  assert_true(m->count[HD_COUNT_CTAS_OUT] == 1);
  assert_true(m->count[HD_COUNT_BLOCKED] == 1);
}

/* Completions of all SMXs in one cycle are counted each; wrong ones leave their status bit. */
static void test_completions(void **state) {
  (void)state;
  for (unsigned s = 0; s < 13; s++) (s < 8 ? in.done_ok : s < 11 ? in.done_empty : in.done_early)[s] = 1;
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_DONE] == 8);
  assert_true(m->count[HD_COUNT_DONE_EMPTY] == 3);
  assert_true(m->count[HD_COUNT_DONE_EARLY] == 2);
  assert_int_equal(m->status, HD_STATUS_DONE_EMPTY | HD_STATUS_DONE_EARLY);
}

/* Status bits stay until a 1 is written to them. */
static void test_status_sticky(void **state) {
  (void)state;
  answer(HD_CODE_REFUSED);
  cycle();
  answer(HD_CODE_NEVER_FITS);
  cycle();
  no_events();
  assert_int_equal(read_word(HD_REG_STATUS), HD_STATUS_REFUSED | HD_STATUS_NEVER_FITS);
  assert_int_equal(write_word(HD_REG_STATUS, HD_STATUS_REFUSED), 0);
  assert_int_equal(read_word(HD_REG_STATUS), HD_STATUS_NEVER_FITS);
  assert_int_equal(write_strb(HD_REG_STATUS, 0xffffffff, 0xe), 0); /* byte 0 is not strobed */
  assert_int_equal(read_word(HD_REG_STATUS), HD_STATUS_NEVER_FITS);
}

/* Set and cleared in one cycle: set. */
static void test_status_set_wins(void **state) {
  (void)state;
  answer(HD_CODE_ZERO_DIM);
  cycle();
  answer(HD_CODE_ZERO_DIM);
  write_word(HD_REG_STATUS, 0x3fff);
  assert_int_equal(m->status, HD_STATUS_ZERO_DIM);
  write_word(HD_REG_STATUS, 0x3fff);
  assert_int_equal(m->status, 0);
}

/* Each code of a device launch sets its bit: the host's where the host has one. Those of the host are not counted. */
static void test_device_codes(void **state) {
  (void)state;
  static const struct {
    uint8_t code, kind;
    uint16_t bit;
  } row[] = {{HD_CODE_ACCEPTED, HD_KIND_KERNEL, 0},
             {HD_CODE_KEPT, HD_KIND_GROUP, 0},
             {HD_CODE_REFUSED, HD_KIND_KERNEL, HD_STATUS_DEV_REFUSED},
             {HD_CODE_REFUSED, HD_KIND_GROUP, HD_STATUS_DEV_REFUSED},
             {HD_CODE_REFUSED, HD_KIND_SAVE, HD_STATUS_SAVE_REFUSED},
             {HD_CODE_ZERO_DIM, HD_KIND_GROUP, HD_STATUS_ZERO_DIM},
             {HD_CODE_OVER_LIMIT, HD_KIND_GROUP, HD_STATUS_OVER_LIMIT},
             {HD_CODE_NEVER_FITS, HD_KIND_KERNEL, HD_STATUS_NEVER_FITS},
             {HD_CODE_UNKNOWN_HWQ, HD_KIND_KERNEL, HD_STATUS_UNKNOWN_HWQ},
             {HD_CODE_EMPTY_SLOT, HD_KIND_SAVE, HD_STATUS_EMPTY_SLOT}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    hd_regs_reset(m);
    in.dev_code = row[i].code;
    in.dev_kind = row[i].kind;
    cycle();
    no_events();
    assert_int_equal(read_word(HD_REG_STATUS), row[i].bit);
    for (unsigned c = 1; c < HD_NUM_COUNTERS; c++) assert_true(m->count[c] == 0);
  }
}

/* Each error of the memory has a bit. */
static void test_memory_errors(void **state) {
  (void)state;
  static const unsigned bit[] = {HD_STATUS_MEM_NEXT, HD_STATUS_MEM_RECORD, HD_STATUS_MEM_POOL, HD_STATUS_MEM_SUSPEND};
  unsigned all = 0;
  for (unsigned k = 0; k < 4; k++) {
    in.error[k] = 1;
    cycle();
    no_events();
    all |= bit[k];
    assert_int_equal(m->status, all);
  }
  assert_int_equal(read_word(HD_REG_STATUS), all);
  write_strb(HD_REG_STATUS, 0xffffffff, 0x2); /* they lie in byte 1 */
  assert_int_equal(m->status, 0);
}

/* Every event of device launches has its counter. */
static void test_device_events(void **state) {
  (void)state;
  uint8_t *const event[] = {&in.dev_event[0],
                            &in.dev_event[1],
                            &in.dev_event[2],
                            &in.dev_event[3],
                            &in.dev_event[4],
                            &in.dev_event[5],
                            &in.dev_event[6],
                            &in.searched,
                            &in.search,
                            &in.fetch,
                            &in.waiting,
                            &in.slot_wait,
                            NULL,
                            &in.spill,
                            &in.refill,
                            &in.suspend,
                            &in.resume,
                            &in.oldest_wait};
  const unsigned n = sizeof event / sizeof *event;
  assert_int_equal(HD_COUNT_DEV_KERNELS + n, HD_NUM_COUNTERS);
  for (unsigned k = 0; k < n; k++) {
    for (unsigned t = 0; t <= k; t++) {
      if (event[k])
        *event[k] = 1;
      else
        in.record_done_valid = in.record_done_ready = 1;
      cycle();
    }
    no_events();
  }
  for (unsigned k = 0; k < n; k++) assert_true(m->count[HD_COUNT_DEV_KERNELS + k] == k + 1);
}

/* A record is returned when it is taken. */
static void test_record_done_needs_ready(void **state) {
  (void)state;
  in.record_done_valid = 1;
  cycle();
  assert_true(m->count[HD_COUNT_RECORDS_DONE] == 0);
  in.record_done_ready = 1;
  cycle();
  assert_true(m->count[HD_COUNT_RECORDS_DONE] == 1);
}

/* Where the regions lie does not change while a kernel is in the KD or a device kernel incomplete; the policy does. */
static void test_regions_stay(void **state) {
  (void)state;
  for (unsigned busy = 0; busy < 4; busy++) {
    for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) {
      bool stays = busy && n != HD_CONFIG_POLICY;
      uint32_t was = read_word(HD_REG_REC_BASE + 4 * n);
      in.kd_busy = busy & 1;
      in.kin_busy = busy >> 1;
      assert_int_equal(write_word(HD_REG_REC_BASE + 4 * n, 0x100 * busy + n), stays);
      assert_int_equal(read_word(HD_REG_REC_BASE + 4 * n), stays ? was : 0x100 * busy + n);
    }
  }
}

/* Configuration words are 0 after reset, are written by strobes at the end of the access phase, and read back. */
static void test_config(void **state) {
  (void)state;
  for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) {
    assert_int_equal(read_word(HD_REG_REC_BASE + 4 * n), 0);
    assert_int_equal(write_word(HD_REG_REC_BASE + 4 * n, 0x11223344 + n), 0);
    assert_int_equal(out.config[n], 0); /* in the access phase */
    cycle();
    assert_int_equal(out.config[n], 0x11223344 + n);
  }
  for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) assert_int_equal(read_word(HD_REG_REC_BASE + 4 * n), 0x11223344 + n);
  write_strb(HD_REG_DEV_COUNT, 0xaabbccdd, 0x5);
  assert_int_equal(read_word(HD_REG_DEV_COUNT), 0x11bb33dd);
  write_strb(HD_REG_DEV_COUNT, 0, 0);
  assert_int_equal(read_word(HD_REG_DEV_COUNT), 0x11bb33dd);
  hd_regs_reset(m);
  cycle();
  for (unsigned n = 0; n < HD_MAX_NUM_CONFIG; n++) assert_int_equal(out.config[n], 0);
}

/* Counters can be preloaded; one that is written does not count in that cycle, the others do. */
static void test_preload(void **state) {
  (void)state;
  in.grant_valid = in.blocked = 1;
  write_word(HD_REG_CTAS_OUT_LO, 1000);
  assert_true(m->count[HD_COUNT_CTAS_OUT] == 1000);
  assert_true(m->count[HD_COUNT_BLOCKED] == 1);
  in.grant_valid = 1;
  write_word(HD_REG_CTAS_OUT_HI, 0xabcd1234);
  assert_true(m->count[HD_COUNT_CTAS_OUT] == UINT64_C(0x1234000003e8));
  in.grant_valid = 1;
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_OUT] == UINT64_C(0x1234000003e9));
}

/* 48 bits, then 0 again. */
static void test_wrap(void **state) {
  (void)state;
  write_word(HD_REG_KERNELS_IN_LO, 0xffffffff);
  write_word(HD_REG_KERNELS_IN_HI, 0xffffffff);
  assert_true(m->count[HD_COUNT_KERNELS_IN] == UINT64_C(0xffffffffffff));
  in.enter_valid = in.enter_ready = 1;
  cycle();
  assert_true(m->count[HD_COUNT_KERNELS_IN] == 0);
}

/* Thirteen at once across the end of the 48 bits. */
static void test_wrap_by_more_than_one(void **state) {
  (void)state;
  write_word(HD_REG_CTAS_DONE_LO, 0xfffffffe);
  write_word(HD_REG_CTAS_DONE_HI, 0xffff);
  memset(in.done_ok, 1, 13);
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_DONE] == 11);
}

/* Only strobed bytes of a counter change. */
static void test_byte_strobes(void **state) {
  (void)state;
  write_word(HD_REG_ACCEPTED_LO, 0x11223344);
  write_word(HD_REG_ACCEPTED_HI, 0x5566);
  write_strb(HD_REG_ACCEPTED_LO, 0xaabbccdd, 0x6);
  assert_true(m->count[HD_COUNT_ACCEPTED] == UINT64_C(0x556611bbcc44));
  write_strb(HD_REG_ACCEPTED_HI, 0xeeffeeff, 0x2);
  assert_true(m->count[HD_COUNT_ACCEPTED] == UINT64_C(0xee6611bbcc44));
  write_strb(HD_REG_ACCEPTED_HI, 0xffffffff, 0xc);
  assert_true(m->count[HD_COUNT_ACCEPTED] == UINT64_C(0xee6611bbcc44));
}

/* Reading a low word latches the high half of the same moment, whatever the counter does in between. */
static void test_high_half_is_latched(void **state) {
  (void)state;
  write_word(HD_REG_BLOCKED_LO, 0xffffffff);
  write_word(HD_REG_BLOCKED_HI, 7);
  in.blocked = 1; /* it counts on and carries into the high half while it is being read */
  assert_int_equal(read_word(HD_REG_BLOCKED_LO), 0xffffffff);
  assert_int_equal(read_word(HD_REG_BLOCKED_HI), 7);
  assert_int_equal(read_word(HD_REG_BLOCKED_LO), 3);
  assert_int_equal(read_word(HD_REG_BLOCKED_HI), 8);
}

/* The latch is one for all counters; writes and reads of other words leave it. */
static void test_one_latch(void **state) {
  (void)state;
  write_word(HD_REG_REFUSED_HI, 5);
  read_word(HD_REG_REFUSED_LO);
  write_word(HD_REG_REFUSED_LO, 9);
  read_word(HD_REG_STATUS);
  read_word(HD_REG_ID);
  assert_int_equal(read_word(HD_REG_ACCEPTED_HI), 5);
  read_word(HD_REG_ACCEPTED_LO);
  assert_int_equal(read_word(HD_REG_REFUSED_HI), 0);
}

/* Reset leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
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

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_constants),
      TEST(test_prdata_shows_one_cycle),
      TEST(test_unmapped),
      TEST(test_write_to_constant),
      TEST(test_access_without_setup),
      TEST(test_cycles),
      TEST(test_answers),
      TEST(test_stream_events),
      TEST(test_completions),
      TEST(test_status_sticky),
      TEST(test_status_set_wins),
      TEST(test_device_codes),
      TEST(test_memory_errors),
      TEST(test_device_events),
      TEST(test_record_done_needs_ready),
      TEST(test_regions_stay),
      TEST(test_config),
      TEST(test_preload),
      TEST(test_wrap),
      TEST(test_wrap_by_more_than_one),
      TEST(test_byte_strobes),
      TEST(test_high_half_is_latched),
      TEST(test_one_latch),
      TEST(test_reset),
  };
  return cmocka_run_group_tests_name("regs", tests, NULL, NULL);
}
