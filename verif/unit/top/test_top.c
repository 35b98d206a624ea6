/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The whole plane: rates and latencies, worked examples, order. */
#include "unit/plane.h"

/* Returns the SMX that is offered a TB in this cycle, or -1; at most one new offer per cycle is possible, as all are
   accepted at once. */
static int dispatched(void) {
  int smx = -1;
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    if (!out.dispatch_valid[s]) continue;
    assert_int_equal(smx, -1);
    smx = (int)s;
  }
  return smx;
}

/* Launches a kernel in an idle plane and lets all of its TBs be dispatched. */
static void fill(uint32_t ctas, unsigned smem) {
  launch(0, 1, ctas, smem);
  for (uint32_t t = 0; t < ctas + 6; t++) cycle();
}

/* Returns the cycles until the tag of a completed kernel is reported, at most 40; -1 if none is. */
static int wait_for_kernel_done(unsigned tag) {
  for (int t = 0; t < 40; t++) {
    cycle();
    if (!out.kernel_done_valid) continue;
    assert_int_equal(out.kernel_done.tag, tag);
    assert_int_equal(out.kernel_done.failed, 0);
    return t;
  }
  return -1;
}

/* A launch taken in t reaches its first dispatch in t+5, in an idle machine. */
TEST_F(test_launch_to_dispatch_in_5) {
  launch(9, 77, 1, 1);
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(dispatched(), -1);
  }
  cycle();
  assert_int_equal(dispatched(), 0);
  assert_true(out.dispatch[0].desc.param == 0x10000 + 77);
  assert_int_equal(out.dispatch[0].blkid, 0);
}

/* With 13 empty SMXs TB n goes to SMX n mod 13, one each cycle. */
TEST_F(test_tb_n_to_smx_n_mod_13) {
  launch(0, 1, 208, 1);
  for (int t = 0; t < 5; t++) cycle();
  for (unsigned n = 0; n < 208; n++) {
    cycle();
    assert_int_equal(dispatched(), n % 13);
    assert_int_equal(out.dispatch[n % 13].blkid, n);
    assert_int_equal(out.dispatch[n % 13].slot, n / 13);
  }
}

/* One TB per cycle across a change of kernel. */
TEST_F(test_one_per_cycle_across_kernels) {
  for (unsigned k = 0; k < 10; k++) {
    launch(k, k, 1 + k % 3, 1);
    cycle();
  }
  unsigned n = 10 - 5, tbs = 0;
  for (unsigned k = 0; k < 10; k++) tbs += 1 + k % 3;
  for (; n < tbs; n++) {
    cycle();
    assert_int_equal(dispatched(), n % 13);
  }
  cycle();
  assert_int_equal(dispatched(), -1);
}

/* Round robin by an example: 13 SMXs, 3 TBs fill one; TB 39 waits; TB 17 on SMX 4 ends first; TB 39 goes to SMX 4. */
TEST_F(test_tb_39_goes_to_smx_4) {
  fill(40, 64);
  for (int t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(dispatched(), -1);
  }
  done(4, 1);
  cycle();
  cycle();
  cycle();
  assert_int_equal(dispatched(), 4);
  assert_int_equal(out.dispatch[4].blkid, 39);
}

/* A slot freed in t is dispatched again in t+2. */
TEST_F(test_refill_in_2) {
  fill(209, 1); /* 13 times 16 slots, one TB waits */
  done(7, 3);
  for (int t = 0; t < 2; t++) {
    cycle();
    assert_int_equal(dispatched(), -1);
  }
  cycle();
  assert_int_equal(dispatched(), 7);
  assert_int_equal(out.dispatch[7].slot, 3);
}

/* 13 completions in one cycle are all accepted, and refilled one per cycle. */
TEST_F(test_13_completions_at_once) {
  fill(208 + 13, 1);
  for (unsigned s = 0; s < 13; s++) {
    assert_int_equal(out.cta_done_ready[s], 1);
    done(s, s);
  }
  cycle();
  cycle();
  for (unsigned s = 0; s < 13; s++) {
    cycle();
    assert_int_equal(dispatched(), s);
    assert_int_equal(out.dispatch[s].slot, s);
  }
  assert_true(hd_top_regs(m)->count[HD_COUNT_CTAS_DONE] == 13);
}

/* Kernels of one HWQ run one after the other, those of different HWQs at the same time. */
TEST_F(test_hwqs_are_streams) {
  launch(0, 1, 1, 1);
  cycle();
  launch(0, 2, 1, 1);
  cycle();
  launch(1, 3, 1, 1);
  cycle();
  for (int t = 0; t < 20; t++) cycle();
  assert_true(hd_top_regs(m)->count[HD_COUNT_CTAS_OUT] == 2); /* tags 1 and 3 */
  assert_int_equal(hd_sched_tbcr(hd_top_sched(m), 0)->owed, 1);
  done(0, 0);
  assert_true(wait_for_kernel_done(1) >= 0);
  for (int t = 0; t < 5; t++) cycle();
  assert_true(hd_top_regs(m)->count[HD_COUNT_CTAS_OUT] == 3);
}

/* A kernel after its last TB ends in t: retired t+1, counted t+2, released t+3, picked for a report t+4, leaves the KD
 * t+5, reported t+6. */
TEST_F(test_kernel_done_latency) {
  fill(1, 1);
  done(0, 0);
  cycle();
  assert_int_equal(wait_for_kernel_done(1), 5);
  cycle();
  assert_int_equal(out.kernel_done_valid, 0);
}

/* A kernel is not done before the last of its TBs. */
TEST_F(test_kernel_waits_for_all_tbs) {
  fill(3, 1);
  done(0, 0);
  done(2, 0);
  assert_int_equal(wait_for_kernel_done(1), -1);
  done(1, 0);
  assert_true(wait_for_kernel_done(1) >= 0);
}

/* The same HWQ's next kernel after the last TB of the first ends in t: released t+3, reopened t+4, dispatched t+7. */
TEST_F(test_hwq_turnaround) {
  fill(1, 1);
  launch(0, 2, 1, 1);
  for (int t = 0; t < 8; t++) cycle();
  done(0, 0);
  for (int t = 0; t < 7; t++) {
    cycle();
    assert_int_equal(dispatched(), -1);
  }
  cycle();
  assert_int_equal(dispatched(), 1);
}

/* Launches that are answered with an error never reach an SMX; the status register shows each. */
TEST_F(test_errors_leave_status) {
  for (unsigned i = 0; i < 4; i++) {
    launch(i == 3 ? 200 : 0, i, 1, i == 2 ? 193 : 1);
    if (i == 0) in.host_launch.ctas = 0;
    if (i == 1) in.host_launch.threads = 1025;
    cycle();
  }
  for (int t = 0; t < 20; t++) {
    cycle();
    assert_int_equal(dispatched(), -1);
  }
  assert_int_equal(hd_top_regs(m)->status,
                   HD_STATUS_ZERO_DIM | HD_STATUS_OVER_LIMIT | HD_STATUS_NEVER_FITS | HD_STATUS_UNKNOWN_HWQ);
}

/* A kernel whose TB does not fit now waits, and runs once there is room. */
TEST_F(test_waits_for_room) {
  fill(13, 192);
  launch(1, 2, 1, 192);
  for (int t = 0; t < 30; t++) {
    cycle();
    assert_int_equal(dispatched(), -1);
  }
  done(11, 0);
  cycle();
  cycle();
  cycle();
  assert_int_equal(dispatched(), 11);
  assert_true(out.dispatch[11].desc.param == 0x10000 + 2);
}

/* An SMX that does not accept its TB delays neither the others nor the TB. */
TEST_F(test_one_smx_stalls) {
  in.dispatch_ready[5] = 0;
  fill(50, 1);
  for (int t = 0; t < 20; t++) {
    cycle();
    assert_int_equal(dispatched(), 5);
    assert_int_equal(out.dispatch[5].blkid, 5);
    assert_true(out.dispatch[5].desc.param == 0x10000 + 1);
  }
  assert_true(hd_top_regs(m)->count[HD_COUNT_CTAS_OUT] == 50);
}

/* The adversary of the done FIFOs: all SMXs fill theirs at one entry per cycle each, then SMX 0 alone turns TBs around
 * as fast as it can while the FIFOs drain at one entry per cycle in all. The FIFO grows past its slots, never past
 * DoneDepth, and no TB is lost. */
static void check_done_fifo_bound(uint32_t slack) {
  unsigned most = 0;
  start(ut_cfg_with("k20c", "DoneSlack", slack));
  fill(208 + 400, 1);
  memset(in.dispatch_ready + 1, 0, 12); /* from now on only SMX 0 takes TBs */
  for (unsigned t = 0; t < 600; t++) {
    for (unsigned s = 0; s < 13 && t < 16; s++) done(s, t);
    if (t >= 16) {
      uint32_t busy = ~hd_sched_tbcr(hd_top_sched(m), 0)->free & 0xffff;
      if (busy) done(0, hd_lowest(busy)); /* early, and ignored, if it was not accepted yet */
    }
    cycle();
    unsigned n = hd_sched_tbcr(hd_top_sched(m), 0)->done_count;
    if (n > most) most = n;
    assert_true(n <= 16 + slack);
  }
  assert_true(most > 16);
  const struct hd_regs *r = hd_top_regs(m);
  assert_true(r->count[HD_COUNT_CTAS_DONE] > 300);
  free(m);
}

/* The bound holds for the default slack and for a large one. */
TEST_F(test_done_fifo_bound) {
  free(m);
  check_done_fifo_bound(4);
  check_done_fifo_bound(20);
  m = NULL;
}

/* kernel_done is not taken: kernels continue to run until all tag rows and the two registers behind them are in use,
 * then the KD accepts no more; when reports are taken again, each kernel is reported once. */
TEST_F(test_kernel_done_back_pressure) {
  unsigned accepted = 0, ended[256] = {0}, tag = 0;
  in.kernel_done_ready = 0;
  for (int t = 0; t < 2000; t++) {
    launch(tag % 32, tag, 1, 1);
    for (unsigned s = 0; s < 13; s++) done(s, 0);
    cycle();
    tag += tag < 255 && out.host_launch_ready; /* the last tag is offered repeatedly, and may be refused */
  }
  uint64_t in_kd = hd_top_regs(m)->count[HD_COUNT_KERNELS_IN];
  assert_true(in_kd == 2 * 32 + 2);
  in.kernel_done_ready = 1;
  for (int t = 0; t < 2000; t++) {
    for (unsigned s = 0; s < 13; s++) done(s, 0);
    cycle();
    if (out.kernel_done_valid) ended[out.kernel_done.tag]++;
  }
  for (unsigned i = 0; i < 255; i++) accepted += ended[i];
  for (unsigned i = 0; i < 255; i++) assert_true(ended[i] <= 1);
  assert_true(accepted + ended[255] == hd_top_regs(m)->count[HD_COUNT_ACCEPTED]);
}

/* eval does not change the state, however often it is called. */
TEST_F(test_eval_changes_nothing) {
  fill(100, 1);
  void *before = ut_new(hd_top_size(&cfg));
  memcpy(before, m, hd_top_size(&cfg));
  done(3, 0);
  launch(4, 4, 4, 4);
  for (int t = 0; t < 3; t++) hd_top_eval(m, &in, &out);
  assert_memory_equal(m, before, hd_top_size(&cfg));
  free(before);
}

/* A snapshot is a copy: it continues as the original does. */
TEST_F(test_snapshot) {
  fill(300, 1);
  void *snapshot = ut_new(hd_top_size(&cfg)), *end = ut_new(hd_top_size(&cfg));
  memcpy(snapshot, m, hd_top_size(&cfg));
  for (int round = 0; round < 2; round++) {
    memcpy(m, snapshot, hd_top_size(&cfg));
    for (unsigned t = 0; t < 200; t++) {
      done(t % 13, t / 13 % 16);
      cycle();
    }
    if (round == 0) memcpy(end, m, hd_top_size(&cfg));
  }
  assert_memory_equal(m, end, hd_top_size(&cfg));
  free(snapshot);
  free(end);
}

/* The AXI4 side is idle as long as no TB launches; unexpected answers have no effect. */
TEST_F(test_memory_port_is_quiet) {
  in.bvalid = in.rvalid = 1;
  in.arready = in.awready = in.wready = 1;
  for (int t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.arvalid || out.awvalid || out.wvalid, 0);
    assert_int_equal(out.bready && out.rready, 1);
  }
}

/* The register file is reached through the plane's APB4 port. */
TEST_F(test_apb) {
  in.psel = 1;
  in.paddr = HD_REG_ID;
  cycle();
  in.penable = 1;
  cycle();
  assert_int_equal(out.pready, 1);
  assert_int_equal(out.prdata, 0x4844444c);
  assert_int_equal(out.pslverr, 0);
}

TEST_MAIN("top", NULL, NULL)
