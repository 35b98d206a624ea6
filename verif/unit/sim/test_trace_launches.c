/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Traces of version 2: names, kernels that wait for others, lists of durations, launches from the device; rejections;
 * and the workload's reports to the loop. */
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "test_list.h"
#include "unit/sim/trace_text.h"

#define V "heddle-trace 2\n"
#define K "kernel k 0 0 10 1 1 64 1 1 16 0 7\n" /* of 10 TBs of two warps */

TEST(test_refused) {
  is_bad(V "0 0 1 1 1 32 1 1 0 0 7\n", ":2: the line begins with '0'; kernel, after or launch would be accepted");
  is_bad(V "kernel k 0 0 1 1 1 32 1 1 0 0 7 8\n", "field 11, duration, is '7 8'");
  is_bad(V "kernel\n", "the kernel's name is missing");
  char text[400];
  snprintf(text, sizeof text, V "kernel %0256d 0 0 1 1 1 32 1 1 0 0 7\n", 1);
  is_bad(text, "more than 255 characters");
  is_bad(V "kernel k x 0 1 1 1 32 1 1 0 0 7\n", "field 1, arrival, is 'x'");
  is_bad(V "after k\n", ":2: 'after' before any kernel");
  is_bad(V K "after k\n", ":3: no kernel above this one is called 'k'");
  is_bad(V "launch 0 1 1 1 32 1 1 0 0 7\n", ":2: 'launch' before any kernel");
  is_bad(V K "launch 10 1 1 1 32 1 1 0 0 7\n",
         ":3: field 1, TBs, is '10'; FIRST, FIRST-LAST or FIRST-LAST/STEP, up to 9");
  is_bad(V K "launch 3-2 1 1 1 32 1 1 0 0 7\n", "field 1, TBs, is '3-2'");
  is_bad(V K "launch 0-9/0 1 1 1 32 1 1 0 0 7\n", "field 1, TBs, is '0-9/0'");
  is_bad(V K "launch -1 1 1 1 32 1 1 0 0 7\n", "field 1, TBs, is '-1'");
  is_bad(V K "launch 0 1 33 1 32 1 1 0 0 7\n", "field 3, threads, is '33'");
  is_bad(V K "launch 0 1 1 0 32 1 1 0 0 7\n", "field 4, grid, is '0'; a whole number from 1 to 65535");
  is_bad(V K "launch 0 1 1 1 64 64 1 0 0 7\n", "fields 5 to 7, TB, make 4096 threads");
  is_bad(V K "launch 0 1 1 1 32 1 1 0 0 each(7)\n", "field 11, duration, is 'each(7)'");
  is_bad(V K "launch 0 1 1 1 32 1 1 0\n", "field 9, shared memory, is missing; TBs, cycles, threads, grid");
  is_bad(V K "launch 0 1 1 1 32 1 1 0 0 7\nlaunch 1 1 1 1 32 1 1 0 0 7\nlaunch 2 1 1 1 32 1 1 0 0 7\n",
         ":5: more launches than the kernel's TBs have warps");
}

TEST(test_lists) {
  struct hd_trace t =
      good(V "kernel k 0 0 5 2 1 64 1 1 16 0 each( 50*4 , 7,30 * 5 )  # ten\nkernel l 0 0 1 1 1 32 1 1 0 0 each(9)\n");
  struct hd_work w = hd_trace_work(&t);
  struct hd_launch l;
  static const uint64_t cycles[10] = {50, 50, 50, 50, 7, 30, 30, 30, 30, 30};
  assert_true(w.next(w.ctx, 0, &l) && w.next(w.ctx, 0, &l));
  for (uint32_t i = 0; i < 10; i++) assert_int_equal(w.duration(w.ctx, 0, i), cycles[i]);
  assert_int_equal(w.duration(w.ctx, 1, 0), 9);
  assert_null(w.device);
  hd_trace_free(&t);
#define TEN V "kernel k 0 0 10 1 1 64 1 1 16 0 "
  is_bad(TEN "each(5*9)\n", ":2: field 11, duration, lists a number of TBs other than the kernel's 10");
  is_bad(TEN "each(5*11)\n", "lists a number of TBs other than the kernel's 10");
  is_bad(TEN "each(5*10)x\n", "lists a number of TBs other than");
  is_bad(TEN "each(5*10\n", "field 11, duration, is not a list");
  is_bad(TEN "each()\n", "is not a list");
  is_bad(TEN "each(0*10)\n", "is not a list");
  is_bad(TEN "each(5*0,6*10)\n", "is not a list");
  is_bad(TEN "each(1.5*10)\n", "is not a list");
  is_bad(TEN "each(5*4294967297)\n", "is not a list");
  is_bad("heddle-trace 1\n0 0 1 1 1 32 1 1 0 0 each(5)\n", "field 11, duration, is 'each(5)'");
}

/* b of HWQ 1 waits for a; c, behind b in its HWQ, waits with it; d of HWQ 2 does not. */
TEST(test_after) {
  struct hd_trace t = good(V
                           "kernel a 5 0 1 1 1 32 1 1 0 0 7\n"
                           "kernel b 0 1 1 1 1 32 1 1 0 0 7\nafter a\n"
                           "kernel c 3 1 1 1 1 64 1 1 0 0 7\n"
                           "kernel d 9 2 1 1 1 32 1 1 0 0 7\n");
  struct hd_work w = hd_trace_work(&t);
  struct hd_launch l;
  uint64_t at;
  assert_true(w.next_at(w.ctx, &at) && at == 5);
  assert_false(w.next(w.ctx, 4, &l));
  assert_true(w.next(w.ctx, 5, &l) && l.hwq == 0);
  assert_true(!w.next(w.ctx, 8, &l) && w.next_at(w.ctx, &at) && at == 9);
  assert_true(w.next(w.ctx, 9, &l) && l.hwq == 2);
  assert_false(w.next_at(w.ctx, &at) || w.next(w.ctx, 99, &l) || w.finished(w.ctx));
  w.kernel_done(w.ctx, 100, 1); /* d, the second that was handed over */
  assert_false(w.next(w.ctx, 100, &l));
  w.kernel_done(w.ctx, 101, 0); /* known in the cycle after it */
  assert_true(w.next(w.ctx, 102, &l) && l.hwq == 1 && l.threads == 32);
  assert_true(w.next(w.ctx, 102, &l) && l.threads == 64 && w.finished(w.ctx));
  hd_trace_free(&t);
}

/* A kernel that waits for a later one of its HWQ, directly or through others. */
TEST(test_waits_for_itself) {
  is_bad(V "kernel a 5 0 1 1 1 32 1 1 0 0 7\nkernel b 0 0 1 1 1 32 1 1 0 0 7\nafter a\n",
         ":3: kernel b waits for a kernel");
  is_bad(V
         "kernel a 5 0 1 1 1 32 1 1 0 0 7\nkernel b 5 1 1 1 1 32 1 1 0 0 7\n"
         "kernel c 0 0 1 1 1 32 1 1 0 0 7\nafter b\nkernel d 0 1 1 1 1 32 1 1 0 0 7\nafter a\n",
         "waits for a kernel");
  struct hd_trace t = good(V
                           "kernel a 0 0 1 1 1 32 1 1 0 0 7\nkernel a 0 0 1 1 1 32 1 1 0 0 7\n"
                           "kernel b 0 0 1 1 1 32 1 1 0 0 7\nafter a a\n");
  assert_int_equal(t.after[0], 1); /* the latest of that name */
  hd_trace_free(&t);
}

TEST(test_launches) {
  struct hd_trace t = good(V "kernel z 9 0 1 1 1 32 1 1 0 0 7\n" K
                             "launch 1-7/3 200 2 3 48 1 1 8 300 uniform(10,20)\nlaunch 4 50 1 2 32 2 1 0 0 5\n");
  struct hd_work w = hd_trace_work(&t);
  struct hd_launch l;
  struct hd_work_warp c;
  assert_true(w.next(w.ctx, 0, &l) && w.next(w.ctx, 9, &l));
  assert_non_null(w.device);
  for (uint32_t tb = 0; tb < 10; tb++) {
    const bool first = tb == 1 || tb == 4 || tb == 7;
    assert_int_equal(w.device->warp(w.ctx, 0, tb, 0, &c), first);
    assert_int_equal(w.device->warp(w.ctx, 0, tb, 1, &c), tb == 4);
    assert_false(w.device->warp(w.ctx, 0, tb, 2, &c) || w.device->warp(w.ctx, 1, 0, 0, &c));
  }
  assert_true(w.device->warp(w.ctx, 0, 7, 0, &c));
  assert_true(c.warp == 0 && c.before == 200 && c.calls == 2 && c.call[1].lane == 1 && c.call[1].ctas == 3);
  assert_true(c.child->cta.x == 48 && c.child->regs == 8 && c.child->smem_bytes == 512);
  assert_true(c.call[0].item == 4 && c.call[1].item == 5); /* behind those of TBs 1 and 4 */
  uint64_t sum = 0;
  for (uint32_t tb = 0; tb < 3; tb++) {
    const uint64_t cycles = w.device->duration(w.ctx, 0, 5, tb);
    assert_in_range(cycles, 10, 20);
    sum += cycles;
  }
  assert_int_equal(c.call[1].alone, sum);
  assert_true(w.device->warp(w.ctx, 0, 4, 1, &c));
  assert_true(c.warp == 1 && c.call[0].item == 6 && c.child->cta.y == 2);
  assert_int_equal(w.device->duration(w.ctx, 0, 6, 1), 5);
  hd_trace_free(&t);
}

TEST(test_fits) {
  struct hd_cfg tiny;
  assert_true(hd_cfg_find("tiny", &tiny));
  struct hd_trace t = good(V K "launch 0 1 1 1 256 1 1 0 0 7\n");
  assert_false(hd_trace_fits(&t, "f", &tiny, err, sizeof err));
  assert_non_null(strstr(err, "f:3: a TB of 256 threads does not fit"));
  hd_trace_free(&t);
}

TEST_MAIN("trace_launches", temp_setup, temp_teardown)
