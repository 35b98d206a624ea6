/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Traces of version 3: latencies of launches, events between streams, priorities; and the selection of kernels of a
   file. */
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "sim/driver.h"
#include "test_list.h"
#include "unit/sim/trace_text.h"
#include "work/select.h"

#define V "heddle-trace 3\n"
/* A kernel of a name and a HWQ, identified by its number of TBs. */
#define K(name, arrival, hwq, tbs) "kernel " name " " #arrival " " #hwq " " #tbs " 1 1 32 1 1 0 0 7\n"

/* The next kernel is due in exactly this cycle, and has this many TBs. */
static void is_next(const struct hd_work *w, uint64_t cycle, uint32_t tbs) {
  struct hd_launch l;
  uint64_t at = UINT64_MAX;
  assert_true(w->next_at(w->ctx, &at));
  assert_int_equal(at, cycle);
  assert_true(cycle == 0 || !w->next(w->ctx, cycle - 1, &l));
  assert_true(w->next(w->ctx, cycle, &l));
  assert_int_equal(l.ctas, tbs);
}

static void is_none(const struct hd_work *w) {
  struct hd_launch l;
  uint64_t at;
  assert_false(w->next_at(w->ctx, &at) || w->next(w->ctx, UINT64_MAX, &l));
}

TEST(test_refused) {
  is_bad("heddle-trace 4\n", ":1: field 2, version, is '4'; 1, 2 or 3 would be accepted");
  is_bad("heddle-trace 2\nrecord e 0 0\n", ":2: 'record' requires version 3; a first line 'heddle-trace 3' would be");
  is_bad(V "mark e 0 0\n",
         ":2: the line begins with 'mark'; kernel, after, launch, latency, record, wait, stream, program or warps");
  is_bad(V "latency 5\n", ":2: 'latency' before any kernel");
  is_bad(V K("a", 0, 0, 1) "latency\n", ":3: field 1, cycles, is missing; CYCLES would be accepted");
  is_bad(V K("a", 0, 0, 1) "latency -1\n", ":3: field 1, cycles, is '-1'; a whole number from 0 to 1099511627776");
  is_bad(V K("a", 0, 0, 1) "latency 5 6\n", ":3: '6' is one field too many; CYCLES would be accepted");
  is_bad(V K("a", 0, 0, 1) "latency 5\nlatency 5\n", ":4: a second 'latency' of the kernel above");
  is_bad(V "record\n", ":2: field 1, the event's name, is missing");
  is_bad(V "record e\n", ":2: field 2, arrival, is missing; EVENT, arrival and HWQ would be accepted");
  is_bad(V "wait e 0 256\n", ":2: field 3, HWQ, is '256'; a whole number from 0 to 255");
  is_bad(V "wait e 0 0 0\n", ":2: '0' is one field too many");
  is_bad(V "stream 0\n", ":2: field 2, priority, is ''; a whole number from -100, which goes first, to 100");
  is_bad(V "stream 0 -101\n", ":2: field 2, priority, is '-101'");
  is_bad(V "stream 0 --1\n", ":2: field 2, priority, is '--1'");
  is_bad(V "stream 0 -1\nstream 0 -2\n", ":3: HWQ 0 already has a priority, from line 2");
  is_bad(V "stream 256 0\n", ":2: field 1, HWQ, is '256'");
  is_bad(V K("a", 0, 0, 1) "wait e 0 1\nrecord e 0 0\n", ":3: no 'record' of the event 'e' precedes this wait");
  is_bad(V "record e 9 0\nwait e 8 1\n" K("a", 0, 0, 1), ":3: no 'record' of the event 'e'"); /* by arrival */
}

/* A configuration with too few HWQs. */
TEST(test_fits) {
  struct hd_cfg tiny;
  assert_true(hd_cfg_find("tiny", &tiny));
  struct hd_trace t = good(V K("a", 0, 0, 1) "record e 0 2\n");
  assert_false(hd_trace_fits(&t, "f", &tiny, err, sizeof err));
  assert_string_equal(err, "f:3: field 3, HWQ, is 2; tiny has 0 to 1");
  hd_trace_free(&t);
  t = good(V "stream 2 -1\n" K("a", 0, 0, 1));
  assert_false(hd_trace_fits(&t, "f", &tiny, err, sizeof err));
  assert_string_equal(err, "f:2: field 1, HWQ, is 2; tiny has 0 to 1");
  hd_trace_free(&t);
}

/* A launch arrives this many cycles after its call: its own latency, or the default of the trace. A HWQ keeps its
   order. */
TEST(test_latency) {
  struct hd_trace t = good(V K("a", 10, 0, 1) "latency 700\n" K("b", 20, 0, 2) "latency 0\n" K("c", 30, 1, 3)
                               K("d", 30, 2, 4) "latency 5\n");
  t.latency = 100;
  struct hd_work w = hd_trace_work(&t);
  is_next(&w, 35, 4);
  is_next(&w, 130, 3);
  is_next(&w, 710, 1);
  is_next(&w, 20, 2); /* it has waited in the HWQ, behind a: due at once */
  hd_trace_free(&t);
}

/* The host calls for a dependent kernel when it knows that the other one is done: the cycle after the report. Calls of
 * one HWQ are in order. */
TEST(test_latency_after) {
  struct hd_trace t = good(V K("a", 0, 0, 1) K("b", 0, 1, 2) "after a\nlatency 40\n" K("c", 0, 1, 3) "latency 40\n");
  struct hd_work w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  is_none(&w);
  w.kernel_done(w.ctx, 500, 0);
  is_next(&w, 541, 2);
  is_next(&w, 541, 3);
  hd_trace_free(&t);
}

/* A waiting stream already has the launch: latency and wait overlap. */
TEST(test_latency_event) {
  static const char text[] = V K("a", 0, 0, 1) "record e 0 0\nwait e 0 1\n" K("b", 0, 1, 2) "latency 40\n";
  struct hd_trace t = good(text);
  struct hd_work w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  is_none(&w);
  w.kernel_done(w.ctx, 500, 0);
  is_next(&w, 501, 2);
  hd_trace_free(&t);
  t = good(text);
  w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  w.kernel_done(w.ctx, 20, 0);
  is_next(&w, 40, 2);
  hd_trace_free(&t);
}

/* An event covers the kernels before its record, not those after; a wait delays later kernels of its HWQ, not earlier
 * ones. The last record before the wait counts. */
TEST(test_events) {
  struct hd_trace t = good(V K("a", 0, 0, 1) "record e 1 0\n" K("b", 2, 0, 2) "record e 3 0\n" K("c", 4, 0, 3)
                               K("d", 1, 1, 4) "wait e 2 1\n" K("f", 5, 1, 5) "wait e 6 2\n" K("g", 6, 2, 6));
  struct hd_work w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  is_next(&w, 1, 4); /* d is before the wait */
  is_next(&w, 2, 2);
  is_next(&w, 4, 3);
  is_none(&w);
  w.kernel_done(w.ctx, 100, 0); /* a: f goes, g waits for b, the later record */
  is_next(&w, 101, 5);
  is_none(&w);
  w.kernel_done(w.ctx, 200, 2); /* b, the third that was handed over */
  is_next(&w, 201, 6);
  assert_true(w.finished(w.ctx));
  hd_trace_free(&t);
}

/* A stream that waits and records passes its wait on, also without a kernel between. An event with no kernel before it
 * is reached at once. */
TEST(test_events_chain) {
  struct hd_trace t = good(V K(
      "a", 0, 0, 1) "record e 0 0\nwait e 0 1\nrecord f 0 1\nrecord n 0 3\nwait f 0 2\n"
                    "wait n 0 2\n" K("b", 0, 2, 2) "wait n 0 4\n" K("c", 0, 4, 3));
  struct hd_work w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  is_next(&w, 0, 3);
  is_none(&w);
  w.kernel_done(w.ctx, 50, 0);
  is_next(&w, 51, 2);
  hd_trace_free(&t);
}

/* Two streams, each waits for the other's first kernel. */
TEST(test_events_cross) {
  struct hd_trace t = good(V K("a", 0, 0, 1) K("b", 0, 1, 2) "record e 1 0\nrecord f 1 1\nwait f 2 0\nwait e 2 1\n" K(
      "c", 3, 0, 3) K("d", 3, 1, 4));
  struct hd_work w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  is_next(&w, 0, 2);
  is_none(&w);
  w.kernel_done(w.ctx, 70, 1); /* b */
  is_next(&w, 71, 3);
  w.kernel_done(w.ctx, 80, 0); /* a */
  is_next(&w, 81, 4);
  hd_trace_free(&t);
  is_bad(V K("a", 9, 0, 1) "record e 0 1\n" K("b", 0, 1, 1) "after a\nrecord f 1 1\nwait f 2 0\n",
         ":4: kernel b waits for a kernel that is launched after it"); /* b for a, a by f for b */
}

/* The driver offers the launch of the lowest number first, and keeps the order of equal ones. */
TEST(test_priorities) {
  struct hd_cfg k20c;
  assert_true(hd_cfg_find("k20c", &k20c));
  struct hd_trace t = good(V "stream 1 -5\nstream 3 2\n" K("a", 0, 3, 1) K("b", 0, 0, 2) K("c", 0, 2, 3) K("d", 0, 1, 4)
                               K("e", 0, 1, 5));
  struct hd_work w = hd_trace_work(&t);
  struct hd_driver *d = hd_driver_new(&k20c);
  struct hd_launch l;
  static const uint32_t order[] = {4, 5, 2, 3, 1};
  hd_driver_priorities(d, w.priority);
  while (w.next(w.ctx, 0, &l)) assert_true(hd_driver_add(d, &l, err, sizeof err));
  for (unsigned i = 0; i < 5; i++) {
    assert_int_equal(hd_driver_offer(d)->ctas, order[i]);
    hd_driver_taken(d, i);
  }
  assert_null(hd_driver_offer(d));
  hd_driver_free(d);
  hd_trace_free(&t);
}

#define THREE V K("gemm_a", 0, 0, 1) K("relu", 0, 0, 2) "after gemm_a\n" K("gemm_b", 0, 1, 3) "after relu\n"

TEST(test_only) {
  static const struct {
    const char *only;
    uint32_t n, first, last;
  } cases[] = {{"1-3", 3, 1, 3},   {"2", 1, 2, 2},      {"3,1", 2, 1, 3},
               {"gemm*", 2, 1, 3}, {"relu,3", 2, 2, 3}, {"*", 3, 1, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_trace t = some(THREE, cases[i].only);
    assert_int_equal(t.n, cases[i].n);
    assert_int_equal(t.left_out, 3 - cases[i].n);
    assert_int_equal(t.kernel[0].launch.ctas, cases[i].first);
    assert_int_equal(t.kernel[t.n - 1].launch.ctas, cases[i].last);
    hd_trace_free(&t);
  }
  is_bad_for(THREE, "4",
             ": --only 4: no kernel is number 4; 1 to 3, or of the names gemm_a, relu, gemm_b would be acc");
  is_bad_for(THREE, "1,5-9", "no kernel is number 5-9; 1 to 3");
  is_bad_for(THREE, "conv*", "no kernel is called 'conv*'; 1 to 3, or of the names gemm_a, relu, gemm_b");
  is_bad_for(THREE, "0", "'0' selects no kernel; numbers from 1, as 3,5-9, or patterns of names");
  is_bad_for(THREE, "3-2", "'3-2' selects no kernel");
  is_bad_for(THREE, "1,", "'' selects no kernel");
  is_bad_for("heddle-trace 1\n0 0 1 1 1 32 1 1 0 0 7\n", "2", "no kernel is number 2; 1 to 1 would be accepted");
}

/* Kernels that are not selected delay no other, and do not change the random draws of the others. */
TEST(test_only_waits) {
  struct hd_trace t = some(THREE, "3");
  struct hd_work w = hd_trace_work(&t);
  is_next(&w, 0, 3);
  hd_trace_free(&t);
  t = some(V K("a", 0, 0, 1) K("b", 0, 0, 2) "record e 0 0\nwait e 0 1\n" K("c", 0, 1, 3), "1,3");
  w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  is_none(&w); /* the event is that of a now */
  w.kernel_done(w.ctx, 9, 0);
  is_next(&w, 10, 3);
  hd_trace_free(&t);
#define DRAWN V "kernel a 0 0 1 1 1 32 1 1 0 0 7\nkernel b 0 1 1 1 1 32 1 1 0 0 uniform(1,1000000)\n"
  t = good(DRAWN);
  w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  is_next(&w, 0, 1);
  const uint64_t drawn = w.duration(w.ctx, 1, 0);
  hd_trace_free(&t);
  t = some(DRAWN, "b");
  w = hd_trace_work(&t);
  is_next(&w, 0, 1);
  assert_int_equal(w.duration(w.ctx, 0, 0), drawn);
  hd_trace_free(&t);
}

TEST_MAIN("trace_streams", temp_setup, temp_teardown)
