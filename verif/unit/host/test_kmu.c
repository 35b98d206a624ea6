/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Management Unit: judgement, HWQs, order, latencies. */
#include "host/kmu.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_kmu *m;
static struct hd_kmu_in in;
static struct hd_kmu_out out;

static void start(const char *config) {
  cfg = ut_cfg(config);
  m = ut_new(hd_kmu_size(&cfg));
  hd_kmu_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.host_answer_ready = 1;
}

static int setup(void **state) {
  (void)state;
  start("k20c");
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_kmu_eval(m, &in, &out);
  hd_kmu_tick(m, &in);
  in.host_launch_valid = 0;
  memset(in.reopen, 0, sizeof in.reopen);
  memset(in.reopen_kin, 0, sizeof in.reopen_kin);
}

static void offer(struct hd_launch l) {
  in.host_launch_valid = 1;
  in.host_launch = l;
}

/* Launches and returns the code of the answer, which must come two cycles later. */
static unsigned answer_to(struct hd_launch l) {
  offer(l);
  cycle();
  assert_int_equal(out.host_launch_ready, 1);
  cycle();
  assert_int_equal(out.host_answer_valid, 0);
  cycle();
  assert_int_equal(out.host_answer_valid, 1);
  assert_int_equal(out.host_answer.tag, l.tag);
  return out.host_answer.code;
}

/* Runs up to 8 cycles until a kernel is offered; returns its tag, or -1. Takes it. */
static int next_kernel(void) {
  for (int t = 0; t < 8; t++) {
    in.kernel_ready = 1;
    cycle();
    if (out.kernel_valid) return out.kernel.origin.tag;
  }
  return -1;
}

/* After reset nothing is offered and a launch may come. */
static void test_idle_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.host_launch_ready, 1);
  assert_int_equal(out.host_answer_valid, 0);
  assert_int_equal(out.kernel_valid, 0);
  const struct hd_kernel none = {0};
  assert_memory_equal(&out.kernel, &none, sizeof none);
}

/* Taken in t, judged in t+1, picked in t+2, offered to the KD in t+3. */
static void test_launch_latency(void **state) {
  (void)state;
  offer(ut_launch(5, 42));
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.kernel_valid, 0);
  }
  cycle();
  assert_int_equal(out.kernel_valid, 1);
  const struct hd_kernel want = ut_kernel(5, 42);
  assert_memory_equal(&out.kernel, &want, sizeof want);
}

/* Warps round up to 32 threads, registers of a warp up to RegUnit: 33 threads of 20 registers are 2 warps of 3 units.
 */
static void test_need_is_rounded_up(void **state) {
  (void)state;
  struct hd_launch l = ut_launch(0, 1);
  l.threads = 33;
  l.regs = 20; /* 640 registers a warp: 3 units of 256 */
  l.smem = 7;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  cycle();
  assert_int_equal(out.kernel.need.warps, 2);
  assert_int_equal(out.kernel.need.regs, 6);
  assert_int_equal(out.kernel.need.smem, 7);
}

/* Any of the six dimensions, the TB size or the TB count may be zero: each is told as such. */
static void test_zero_dim(void **state) {
  (void)state;
  for (unsigned i = 0; i < 8; i++) {
    struct hd_launch l = ut_launch(0, i);
    if (i == 0) l.desc.grid_x = 0;
    if (i == 1) l.desc.grid_y = 0;
    if (i == 2) l.desc.grid_z = 0;
    if (i == 3) l.desc.cta_x = 0;
    if (i == 4) l.desc.cta_y = 0;
    if (i == 5) l.desc.cta_z = 0;
    if (i == 6) l.threads = 0;
    if (i == 7) l.ctas = 0;
    assert_int_equal(answer_to(l), HD_CODE_ZERO_DIM);
  }
}

/* CUDA's limits of a TB: at the limit is accepted, one more is not. */
static void test_over_limit(void **state) {
  (void)state;
  for (unsigned over = 0; over < 2; over++) {
    for (unsigned i = 0; i < 4; i++) {
      struct hd_launch l = ut_launch(4 * over + i, i);
      if (i == 0) l.desc.cta_x = (uint16_t)(1024 + over);
      if (i == 1) l.desc.cta_y = (uint16_t)(1024 + over);
      if (i == 2) l.desc.cta_z = (uint8_t)(64 + over);
      if (i == 3) l.threads = (uint16_t)(1024 + over);
      assert_int_equal(answer_to(l), over ? HD_CODE_OVER_LIMIT : HD_CODE_ACCEPTED);
    }
  }
}

/* A TB that takes exactly an empty SMX is accepted; one register unit or 256 bytes more never fits. */
static void test_never_fits(void **state) {
  (void)state;
  struct hd_launch l = ut_launch(0, 1);
  l.threads = 1024;
  l.regs = 64; /* 32 warps of 8 units: all 256 */
  l.smem = 192;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  l.regs = 65;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
  l.regs = 64;
  l.smem = 193;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
}

/* On a small SMX the warps alone may be too many: tiny has 4. */
static void test_never_fits_by_warps(void **state) {
  (void)state;
  free(m);
  start("tiny");
  struct hd_launch l = ut_launch(0, 1);
  l.regs = 0;
  l.threads = 128;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  l.threads = 129;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
}

/* HWQ 31 is the last of 32. */
static void test_unknown_hwq(void **state) {
  (void)state;
  assert_int_equal(answer_to(ut_launch(31, 1)), HD_CODE_ACCEPTED);
  assert_int_equal(answer_to(ut_launch(32, 2)), HD_CODE_UNKNOWN_HWQ);
  assert_int_equal(answer_to(ut_launch(255, 3)), HD_CODE_UNKNOWN_HWQ);
}

/* All wrong at once: the errors come off in their order of precedence. */
static void test_precedence(void **state) {
  (void)state;
  struct hd_launch l = ut_launch(99, 1);
  l.desc.grid_x = 0;
  l.threads = 1025;
  l.smem = 1000;
  assert_int_equal(answer_to(l), HD_CODE_ZERO_DIM);
  l.desc.grid_x = 1;
  assert_int_equal(answer_to(l), HD_CODE_OVER_LIMIT);
  l.threads = 1024;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
  l.smem = 1;
  assert_int_equal(answer_to(l), HD_CODE_UNKNOWN_HWQ);
  l.hwq = 0;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
}

/* A refused launch leaves no trace: no kernel follows. */
static void test_refused_leaves_nothing(void **state) {
  (void)state;
  struct hd_launch l = ut_launch(0, 1);
  l.ctas = 0;
  assert_int_equal(answer_to(l), HD_CODE_ZERO_DIM);
  assert_int_equal(next_kernel(), -1);
}

/* HwqDepth launches queue behind the one in the KD; the next is refused, and other HWQs still take theirs. */
static void test_full_hwq_refuses(void **state) {
  (void)state;
  assert_int_equal(answer_to(ut_launch(7, 0)), HD_CODE_ACCEPTED);
  assert_int_equal(next_kernel(), 0); /* the first has left for the KD: the queue is empty and closed */
  for (unsigned i = 1; i <= cfg.hwq_depth; i++) assert_int_equal(answer_to(ut_launch(7, i)), HD_CODE_ACCEPTED);
  assert_int_equal(answer_to(ut_launch(7, 8)), HD_CODE_REFUSED);
  assert_int_equal(answer_to(ut_launch(8, 9)), HD_CODE_ACCEPTED);
}

/* Full stays full though the head leaves in the same cycle (T3). */
static void test_full_judged_at_the_start(void **state) {
  (void)state;
  answer_to(ut_launch(0, 0));
  assert_int_equal(next_kernel(), 0);
  for (unsigned i = 1; i <= cfg.hwq_depth; i++) answer_to(ut_launch(0, i));
  offer(ut_launch(0, 9));
  cycle();
  in.reopen[0] = 1; /* the cycle of the judgement: the head is picked in it */
  cycle();
  cycle();
  assert_int_equal(out.host_answer.code, HD_CODE_REFUSED);
  assert_int_equal(out.kernel.origin.tag, 1);
}

/* A HWQ whose kernel is in the KD is closed until it reopens; then the next is offered in the cycle after. */
static void test_closed_until_reopened(void **state) {
  (void)state;
  answer_to(ut_launch(3, 1));
  answer_to(ut_launch(3, 2));
  assert_int_equal(next_kernel(), 1);
  assert_int_equal(next_kernel(), -1);
  in.reopen[3] = 1;
  cycle();
  assert_int_equal(out.kernel_valid, 0);
  cycle();
  assert_int_equal(out.kernel_valid, 1);
  assert_int_equal(out.kernel.origin.tag, 2);
}

/* Reopened and picked in one cycle: closed again. */
static void test_pick_closes_what_reopens(void **state) {
  (void)state;
  for (unsigned i = 1; i <= 3; i++) answer_to(ut_launch(3, i));
  assert_int_equal(next_kernel(), 1);
  in.reopen[3] = 1;
  assert_int_equal(next_kernel(), 2);
  assert_int_equal(next_kernel(), -1);
}

/* Launches of one HWQ leave in the order in which they came, around the ring more than once. */
static void test_hwq_order(void **state) {
  (void)state;
  answer_to(ut_launch(1, 0));
  assert_int_equal(next_kernel(), 0);
  for (unsigned i = 1; i <= 11; i++) {
    answer_to(ut_launch(1, i));
    if (i < 3) continue;
    in.reopen[1] = 1;
    assert_int_equal(next_kernel(), i - 2);
  }
}

/* Open heads go round robin: after HWQ 2 come 4, then 0, although 0 came first. */
static void test_round_robin_over_hwqs(void **state) {
  (void)state;
  answer_to(ut_launch(2, 20));
  assert_int_equal(next_kernel(), 20); /* pointer 3 */
  answer_to(ut_launch(31, 99));
  in.kernel_ready = 0; /* 99 stands in the output stage, the pointer wraps to 0 */
  cycle();
  cycle();
  answer_to(ut_launch(4, 40));
  answer_to(ut_launch(0, 10));
  answer_to(ut_launch(1, 11));
  assert_int_equal(next_kernel(), 99);
  assert_int_equal(next_kernel(), 10);
  assert_int_equal(next_kernel(), 11);
  assert_int_equal(next_kernel(), 40);
}

/* The pointer goes past the winner: a HWQ that has just reopened waits for the others. */
static void test_pointer_is_winner_plus_one(void **state) {
  (void)state;
  answer_to(ut_launch(2, 20));
  answer_to(ut_launch(2, 21));
  assert_int_equal(next_kernel(), 20);
  in.kernel_ready = 0;
  answer_to(ut_launch(9, 90)); /* stands in the output stage */
  answer_to(ut_launch(1, 10));
  answer_to(ut_launch(9, 91));
  in.reopen[2] = in.reopen[9] = 1;
  in.kernel_ready = 1;
  cycle();
  assert_int_equal(out.kernel.origin.tag, 90);
  in.kernel_ready = 0;
  cycle();
  assert_int_equal(out.kernel.origin.tag, 10); /* from 10 on, around: 1 before 2 before 9 */
  assert_int_equal(next_kernel(), 10);
  assert_int_equal(next_kernel(), 21);
  assert_int_equal(next_kernel(), 91);
}

/* What is offered stays until it is taken, and the pointer with it. */
static void test_output_holds(void **state) {
  (void)state;
  in.kernel_ready = 0;
  answer_to(ut_launch(0, 1));
  answer_to(ut_launch(1, 2));
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.kernel_valid, 1);
    assert_int_equal(out.kernel.origin.tag, 1);
  }
  assert_int_equal(next_kernel(), 1);
  assert_int_equal(next_kernel(), 2);
}

/* One launch and one kernel per cycle, sustained over all HWQs. */
static void test_one_per_cycle(void **state) {
  (void)state;
  in.kernel_ready = 1;
  for (unsigned t = 0; t < cfg.num_hwq + 3; t++) {
    if (t < cfg.num_hwq) offer(ut_launch(t, t));
    cycle();
    assert_int_equal(out.host_launch_ready, 1);
    assert_int_equal(out.kernel_valid, t >= 3);
    if (t >= 3) assert_int_equal(out.kernel.origin.tag, t - 3);
  }
}

/* Answers that nobody takes fill two places and the launch register; then a launch must wait. Nothing is lost. */
static void test_answer_back_pressure(void **state) {
  (void)state;
  unsigned taken = 0;
  in.host_answer_ready = 0;
  for (int t = 0; t < 10; t++) {
    offer(ut_launch(taken, 100 + taken));
    cycle();
    taken += out.host_launch_ready;
  }
  assert_int_equal(taken, 3);
  in.host_answer_ready = 1;
  for (unsigned i = 0; i < 3; i++) {
    cycle();
    assert_int_equal(out.host_answer_valid, 1);
    assert_int_equal(out.host_answer.tag, 100 + i);
  }
  cycle();
  assert_int_equal(out.host_answer_valid, 0);
}

/* A HWQ also reopens when its kernel's children are done, in either way. */
static void test_reopened_by_the_last_child(void **state) {
  (void)state;
  for (unsigned i = 1; i <= 3; i++) answer_to(ut_launch(3, i));
  assert_int_equal(next_kernel(), 1);
  assert_int_equal(next_kernel(), -1);
  in.reopen_kin[3] = 1;
  assert_int_equal(next_kernel(), 2);
  in.reopen_kin[4] = 1; /* another's */
  assert_int_equal(next_kernel(), -1);
  in.reopen[3] = 1;
  assert_int_equal(next_kernel(), 3);
}

/* A device kernel as the pool offers it. */
static struct hd_devk device_kernel(unsigned n) {
  struct hd_devk d = {.desc = ut_launch(0, n).desc, .need = {.warps = 3, .regs = 5, .smem = 7}, .ctas = 11};
  d.level = 2;
  d.stream = 4;
  d.up = (uint16_t)n;
  d.smx = 12;
  return d;
}

/* A device kernel picked in t is offered to the KD in t+1, with the parent record that waits for it and the SMX that
 * launched it. */
static void test_device_kernel(void **state) {
  (void)state;
  in.dev_valid = 1;
  in.dev = device_kernel(77);
  cycle();
  assert_int_equal(out.dev_pop, 1);
  assert_int_equal(out.res_pop, 0);
  in.dev_valid = 0;
  cycle();
  assert_int_equal(out.dev_pop, 0);
  struct hd_kernel want = {.desc = in.dev.desc, .need = in.dev.need, .ctas = 11, .level = 2};
  want.origin.up = 77;
  want.origin.stream = 4;
  want.origin.smx = 12;
  assert_int_equal(out.kernel_valid, 1);
  assert_memory_equal(&out.kernel, &want, sizeof want);
}

/* A kernel that was suspended is offered as it was read back. */
static void test_resumed_kernel(void **state) {
  (void)state;
  in.res_valid = 1;
  in.res = ut_kernel(7, 70);
  in.res.resumed = 1;
  in.res.kin = 5;
  in.res.progress = (struct hd_progress){.nextbl = 3, .sav_first = 15, .sav_count = 2};
  in.res.groups.pending = 1;
  in.res.groups.nagei.index = 12;
  cycle();
  assert_int_equal(out.res_pop, 1);
  assert_int_equal(out.dev_pop, 0);
  in.res_valid = 0;
  cycle();
  assert_int_equal(out.res_pop, 0);
  assert_int_equal(out.kernel_valid, 1);
  assert_memory_equal(&out.kernel, &in.res, sizeof in.res);
}

/* Nothing is taken from pool or suspension while the KD does not take what is offered. */
static void test_no_pop_while_the_stage_holds(void **state) {
  (void)state;
  in.dev_valid = in.res_valid = 1;
  in.dev = device_kernel(1);
  in.res = ut_kernel(1, 1);
  cycle();
  assert_int_equal(out.dev_pop + out.res_pop, 1);
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.kernel_valid, 1);
    assert_int_equal(out.dev_pop + out.res_pop, 0);
  }
  in.kernel_ready = 1;
  cycle();
  assert_int_equal(out.dev_pop + out.res_pop, 1);
}

/* Host, device, suspended: the class after the last one picked is asked first; who has nothing is passed. */
static void test_classes_take_turns(void **state) {
  (void)state;
  in.dev = device_kernel(1);
  in.res = ut_kernel(1, 1);
  in.res.resumed = 1;
  for (unsigned h = 0; h < 4; h++)
    answer_to(ut_launch(h, h)); /* HWQ 0 stands in the output stage: the pointer is at 1 */
  in.kernel_ready = 1;
  static const struct {
    uint8_t dev, res, class; /* what is there beside the host's kernels; what is picked: 0 host 1 device 2 suspended */
  } turn[] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 0}, {0, 1, 2}, {1, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 0, 1}, {0, 1, 2}};
  for (unsigned i = 0; i < sizeof turn / sizeof *turn; i++) {
    in.dev_valid = turn[i].dev;
    in.res_valid = turn[i].res;
    cycle();
    assert_int_equal(out.dev_pop, turn[i].class == 1);
    assert_int_equal(out.res_pop, turn[i].class == 2);
    in.dev_valid = in.res_valid = 0;
    hd_kmu_eval(m, &in, &out);
    assert_int_equal(out.kernel_valid, 1);
    assert_int_equal(out.kernel.origin.host, turn[i].class != 1);
    assert_int_equal(out.kernel.resumed, turn[i].class == 2);
  }
  cycle();
  cycle();
  assert_int_equal(out.kernel_valid, 0);
  static struct hd_kmu_arch a;
  hd_kmu_arch(m, &a, false);
  assert_int_equal(a.class_ptr, 0);
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_kmu *fresh = ut_new(hd_kmu_size(&cfg));
  hd_kmu_init(fresh, &cfg);
  for (unsigned i = 0; i < 9; i++) {
    offer(ut_launch(i % 3, i));
    cycle();
  }
  assert_memory_not_equal(m, fresh, hd_kmu_size(&cfg));
  hd_kmu_reset(m);
  assert_memory_equal(m, fresh, hd_kmu_size(&cfg));
  free(fresh);
}

/* When all has left, the state differs from reset in pointers and closed bits only: rows that are not in use are clear.
 */
static void test_unused_rows_are_clear(void **state) {
  (void)state;
  static struct hd_kmu_arch a;
  answer_to(ut_launch(1, 1));
  answer_to(ut_launch(1, 2));
  assert_int_equal(next_kernel(), 1);
  hd_kmu_arch(m, &a, true);
  assert_int_equal(a.hwq_count[1], 1);
  assert_int_equal(a.hwq_first[1], 1);
  assert_int_equal(a.hwq_closed[1], 1);
  for (unsigned i = 0; i < cfg.num_hwq * cfg.hwq_depth; i++) {
    assert_int_equal(a.hwq_row_valid[i], i == cfg.hwq_depth + 1);
    assert_int_equal(a.hwq_row[i].tag, i == cfg.hwq_depth + 1 ? 2 : 0);
  }
}

/* Random launches, back-pressure and reopening: each accepted launch leaves once, in the order of its HWQ. */
static void test_conservation(void **state) {
  (void)state;
  uint64_t seed = 0x5eed;
  unsigned sent = 0, accepted = 0, left = 0;
  int last[32];
  bool in_kd[32] = {false};
  for (int h = 0; h < 32; h++) last[h] = -1;
  for (int t = 0; t < 20000; t++) {
    if (t < 19000) offer(ut_launch(ut_below(&seed, 32), sent));
    in.kernel_ready = ut_below(&seed, 2) == 0;
    in.host_answer_ready = ut_below(&seed, 3) != 0;
    unsigned h = ut_below(&seed, 32);
    in.reopen[h] = in_kd[h];
    in_kd[h] = false;
    bool offered = in.host_launch_valid;
    cycle();
    sent += offered && out.host_launch_ready;
    accepted += out.host_answer_valid && in.host_answer_ready && out.host_answer.code == HD_CODE_ACCEPTED;
    if (!out.kernel_valid || !in.kernel_ready) continue;
    assert_false(in_kd[out.kernel.origin.hwq]);
    assert_true(out.kernel.origin.tag > last[out.kernel.origin.hwq]);
    last[out.kernel.origin.hwq] = out.kernel.origin.tag;
    in_kd[out.kernel.origin.hwq] = true;
    left++;
  }
  assert_true(accepted > 500 && sent > accepted);
  assert_int_equal(left, accepted);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_idle_after_reset),
      TEST(test_launch_latency),
      TEST(test_need_is_rounded_up),
      TEST(test_zero_dim),
      TEST(test_over_limit),
      TEST(test_never_fits),
      TEST(test_never_fits_by_warps),
      TEST(test_unknown_hwq),
      TEST(test_precedence),
      TEST(test_refused_leaves_nothing),
      TEST(test_full_hwq_refuses),
      TEST(test_full_judged_at_the_start),
      TEST(test_closed_until_reopened),
      TEST(test_pick_closes_what_reopens),
      TEST(test_hwq_order),
      TEST(test_round_robin_over_hwqs),
      TEST(test_pointer_is_winner_plus_one),
      TEST(test_output_holds),
      TEST(test_one_per_cycle),
      TEST(test_answer_back_pressure),
      TEST(test_reopened_by_the_last_child),
      TEST(test_device_kernel),
      TEST(test_resumed_kernel),
      TEST(test_no_pop_while_the_stage_holds),
      TEST(test_classes_take_turns),
      TEST(test_reset),
      TEST(test_unused_rows_are_clear),
      TEST(test_conservation),
  };
  return cmocka_run_group_tests_name("kmu", tests, NULL, NULL);
}
