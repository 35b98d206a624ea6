/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The record of a kernel in memory, damaged records, memory errors, and the burst engine. */
#include "unit/family/pool_fixture.h"

/* Waits for a kernel that is reported as lost, and takes it. Returns its stream, or -1 if none is reported within 100
   cycles. */
static int take_lost(void) {
  for (int t = 0; t < 100; t++) {
    hd_pool_eval(m, &in, &out);
    in.kin_lost_ready = out.lost.valid;
    int s = out.lost.valid ? out.lost.stream : -1;
    cycle();
    if (s >= 0) return s;
  }
  return -1;
}

/* A write that fails: the kernel is reported as lost in its turn; the others continue. */
TEST_F(test_spill_error) {
  launch_all(1, 4, 0);
  write_fails = true;
  launch_all(5, 5, 2);
  launch_all(6, 6, 0);
  assert_int_equal(spills, 1);
  assert_int_equal(out.lost.valid, 0); /* it is in memory */
  assert_int_equal(in_memory(), 2);
  unsigned before = errors;
  expect(1, 4, 0);
  expect(6, 6, 0);
  for (int t = 0; t < 40 && !out.lost.valid; t++) cycle();
  assert_int_equal(errors - before, 1);
  assert_int_equal(out.head.valid, 0);
  assert_int_equal(out.lost.up, 5);
  assert_int_equal(out.lost.stream, 2);
  in.kin_lost_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.lost.valid || out.lost.up || out.lost.stream, 0);
  assert_int_equal(arch()->busy[2], 1);
}

/* A read that fails, in any of its beats: the same. */
TEST_F(test_refill_error) {
  for (unsigned beat = 0; beat < 8; beat++) {
    hd_pool_reset(m);
    launch_all(1, 6, 0);
    refills = 0;
    read_fails = beat + 1;
    expect(1, 4, 0);
    assert_int_equal(take_lost(), 0);
    assert_int_equal(take(), 6);
    assert_int_equal(refills, 1);
    cycle();
    assert_true(hd_pool_quiet(m));
  }
}

/* 1 runs, 2 is on chip, 3 is lost in memory, 4 behind it: 3 is reported after 2 has ended, 4 offered after 3 has. */
TEST_F(test_lost_in_a_stream) {
  launch_all(50, 52, 0);
  launch(1, 3);
  idle(3);
  write_fails = true;
  launch_all(3, 4, 3); /* no row is left for them */
  assert_int_equal(in_memory(), 2);
  expect(50, 50, 0);
  assert_int_equal(take(), 1);
  expect(51, 52, 0);
  assert_int_equal(take_lost(), -1);
  stream_done(3);
  assert_int_equal(take_lost(), 3);
  assert_int_equal(take(), -1);
  stream_done(3);
  assert_int_equal(take(), 4);
}

/* Stream and parent record in a record are ignored; an SMX that does not exist is 0. */
TEST_F(test_damaged_record) {
  cfg = ut_cfg_with("tiny", "NumSmx", 3);
  hd_pool_init(m, &cfg);
  launch_all(1, 4, 0);
  launch_all(5, 5, 2);
  memset(bytes + 29, 0xff, 3);
  memset(bytes + 44, 0xff, 84);
  expect(1, 4, 0);
  do cycle();
  while (!out.head.valid);
  struct hd_devk k = kernel(5, 2);
  k.smx = 0;
  assert_memory_equal(&out.head.kernel, &k, sizeof k);
}

/* Every field of a kernel record has its bytes; bits above a field are ignored. */
TEST_F(test_record) {
  struct hd_cfg k20c = ut_cfg("k20c");
  struct hd_krec_widths w = hd_krec_widths(&k20c);
  struct hd_kernel all, back;
  memset(&all, 0, sizeof all);
  all.desc = (struct hd_desc){.pc = 0x123456789a, .grid_x = 0x7fffffff, .grid_y = 0xfedc, .grid_z = 0xba98};
  all.desc.cta_x = 0x7ff;
  all.desc.cta_y = 0x555;
  all.desc.cta_z = 0x7f;
  all.desc.param = 0xa987654321;
  all.need = (struct hd_need){.warps = 0x41, .regs = 0x1ff, .smem = 0xff};
  all.ctas = 0xdeadbeef;
  all.level = 0x1f;
  all.kin = 0x7f;
  all.origin = (struct hd_origin){.host = 1, .tag = 0x8765, .hwq = 0x1f, .up = 0x55, .stream = 0x1e, .failed = 1};
  all.origin.smx = 0xc;
  all.progress = (struct hd_progress){.ndone = 1, .nextbl = 0xcafebabe, .sav_first = 0x81, .sav_count = 0x42};
  all.groups = (struct hd_list){.pending = 1, .chained = 1, .nagei = 77, .lagei = 0x3fe};
  all.over = (struct hd_memlist){.first = 0x1abcd, .count = 0x20001};
  uint64_t word[HD_KREC_WORDS];
  hd_krec_pack(&all, word);
  assert_true(word[0] == 0x123456789a && word[3] >> 48 == 0x55 && word[8] >> 48 == 0xc &&
              word[6] >> 16 == 0xcafebabe0101 && word[7] == UINT64_C(0x3fe0000004d) &&
              word[9] == UINT64_C(0x200010001abcd));
  for (unsigned k = 10; k < HD_KREC_WORDS; k++) assert_true(word[k] == 0);
  hd_krec_unpack(word, &w, &back);
  assert_memory_equal(&all, &back, sizeof all);
  word[0] |= UINT64_C(0xff) << 40;
  word[3] |= UINT64_C(0x80) << 48;
  word[8] |= UINT64_C(0xfff0) << 48;
  hd_krec_unpack(word, &w, &back);
  assert_memory_equal(&all, &back, sizeof all);
}

/* For any damaged record, the SMX that is read exists: 0 if it would not. */
TEST_F(test_record_of_no_smx) {
  static const char *const configs[] = {"tiny", "k20c", "big"}; /* 2, 13 and 132 SMXs */
  for (unsigned c = 0; c < 3; c++) {
    struct hd_cfg of = ut_cfg(configs[c]);
    struct hd_krec_widths w = hd_krec_widths(&of);
    for (unsigned byte = 0; byte < 256; byte++) {
      uint64_t word[HD_KREC_WORDS] = {[8] = (uint64_t)byte << 48};
      struct hd_kernel k;
      unsigned smx = byte & ((1u << of.smx_w) - 1);
      hd_krec_unpack(word, &w, &k);
      assert_int_equal(k.origin.smx, smx < of.num_smx ? smx : 0);
    }
  }
}

/* The burst engine alone: a write of one beat, then a read of two whose first beat is an error. */
TEST_F(test_burst) {
  struct hd_burst b = {.word = {7, 8}};
  struct hd_memdown p = {0};
  struct hd_memreq req;
  assert_true(hd_burst_idle(&b));
  hd_burst_start(&b, true, 0x40, 1, 0xff00);
  assert_true(hd_burst_req(&b, &req));
  assert_int_equal(req.len, 0);
  assert_true(hd_burst_wbeat(&b).lo == 7);
  p.ready = 1;
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_CONTINUES);
  assert_false(hd_burst_req(&b, &req));
  p = (struct hd_memdown){.take = 1};
  assert_int_equal(hd_burst_wbeat(&b).strb, 0xff00);
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_CONTINUES);
  assert_int_equal(hd_burst_wbeat(&b).strb, 0);
  p = (struct hd_memdown){.b_valid = 1};
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_DONE);
  hd_burst_start(&b, false, 0x80, 2, 0);
  assert_int_equal(hd_burst_wbeat(&b).lo, 0);
  p = (struct hd_memdown){.ready = 1};
  hd_burst_step(&b, &p);
  p = (struct hd_memdown){.r_valid = 1, .r = {.lo = 1, .error = 1}};
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_CONTINUES);
  p.r = (struct hd_memdata){.lo = 2, .last = 1};
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_FAILED);
  assert_true(hd_burst_idle(&b));
}

TEST_MAIN("pool_records", NULL, NULL)
