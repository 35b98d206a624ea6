/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Traces: accepted files, rejections by line and field, drawn values; and the two formats of the timeline. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "sim/timeline.h"
#include "test_list.h"
#include "unit/sim/trace_text.h"

/* Comments, blank lines, tabs, CRLF; kernels come in the order of arrival, of lines among equals. */
TEST(test_read) {
  struct hd_trace t = good(
      "heddle-trace 1\r\n# comment\r\n\r\n"
      "500 1 2 3 4 8 4 2 16 257 uniform( 5 , 9 )  # a comment\r\n"
      "0\t0\t1 1 1 32 1 1 0 0 7\r\n"
      "500 0 1 1 1 1024 1 1 255 0 exp(2.5)");
  assert_int_equal(t.n, 3);
  assert_int_equal(t.kernel[0].arrival, 0);
  const struct hd_trace_kernel *k = &t.kernel[1];
  assert_int_equal(k->line, 4);
  assert_int_equal(k->launch.hwq, 1);
  assert_int_equal(k->launch.ctas, 24);
  assert_int_equal(k->launch.threads, 64);
  assert_int_equal(k->launch.regs, 16);
  assert_int_equal(k->launch.smem, 2); /* 257 bytes are two units */
  assert_int_equal(k->launch.desc.cta_z, 2);
  assert_int_equal(k->duration.kind, HD_DRAW_UNIFORM);
  assert_true(k->duration.a == 5 && k->duration.b == 9);
  assert_int_equal(t.kernel[2].duration.kind, HD_DRAW_EXP);
  hd_trace_free(&t);
}

#define V "heddle-trace 1\n"

TEST(test_refused) {
  is_bad("", "empty");
  is_bad("0 0 1 1 1 32 1 1 0 0 7\n", ":1: field 1 is '0'; a first line 'heddle-trace 3'");
  is_bad("heddle-trace 4\n", ":1: field 2, version, is '4'; 1, 2 or 3 would be accepted");
  is_bad("heddle-trace 2\n", "no kernel");
  is_bad("heddle-trace\n", "field 2, version, is ''");
  is_bad(V, "no kernel");
  is_bad(V "x 0 1 1 1 32 1 1 0 0 7\n", ":2: field 1, arrival, is 'x'");
  is_bad(V "-1 0 1 1 1 32 1 1 0 0 7\n", "field 1, arrival, is '-1'");
  is_bad(V "0 256 1 1 1 32 1 1 0 0 7\n", "field 2, HWQ, is '256'");
  is_bad(V "0 0 0 1 1 32 1 1 0 0 7\n", "field 3, grid x, is '0'; a whole number from 1 to");
  is_bad(V "0 0 1 65536 1 32 1 1 0 0 7\n", "field 4, grid y, is '65536'");
  is_bad(V "0 0 2147483647 65535 65535 32 1 1 0 0 7\n", "fields 3 to 5, grid, make more TBs");
  is_bad(V "0 0 1 1 1 32 33 1 0 0 7\n", "fields 6 to 8, TB, make 1056 threads");
  is_bad(V "0 0 1 1 1 32 1 65 0 0 7\n", "field 8, TB z, is '65'");
  is_bad(V "0 0 1 1 1 32 1 1 256 0 7\n", "field 9, registers, is '256'");
  is_bad(V "0 0 1 1 1 32 1 1 0 -1 7\n", "field 10, shared memory, is '-1'");
  is_bad(V "0 0 1 1 1 32 1 1 0\n", "field 10, shared memory, is missing");
  is_bad(V "0 0 1 1 1 32 1 1 0 0\n", "field 11, duration, is missing");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 0\n", "field 11, duration, is '0'");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 7 8\n", "field 11, duration, is '7 8'");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 uniform(9,5)\n", "field 11");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 uniform(9)\n", "field 11");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 exp(nan)\n", "field 11");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 exp(-5)\n", "field 11");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 normal(5,1\n", "field 11");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 exp(5)x\n", "field 11");
  is_bad(V "0 0 1 1 1 32 1 1 0 0 1e99999\n", "field 11");
}

/* Values that exceed the configuration are rejected with their line. */
TEST(test_fits) {
  struct hd_cfg tiny, k20c;
  assert_true(hd_cfg_find("tiny", &tiny) && hd_cfg_find("k20c", &k20c));
  struct hd_trace t = good(V "0 0 1 1 1 64 1 1 8 0 7\n0 1 1 1 1 256 1 1 8 0 7\n");
  assert_true(hd_trace_fits(&t, "f", &k20c, err, sizeof err));
  assert_false(hd_trace_fits(&t, "f", &tiny, err, sizeof err));
  assert_non_null(strstr(err, "f:3: a TB of 256 threads does not fit"));
  assert_non_null(strstr(err, "TBs of up to 128 threads would be accepted"));
  hd_trace_free(&t);
  t = good(V "0 2 1 1 1 32 1 1 8 0 7\n");
  assert_false(hd_trace_fits(&t, "f", &tiny, err, sizeof err));
  assert_string_equal(err, "f:2: field 2, HWQ, is 2; tiny has 0 to 1");
  hd_trace_free(&t);
  t = good(V "0 0 1 1 1 32 1 1 8 2000 7\n");
  assert_false(hd_trace_fits(&t, "f", &tiny, err, sizeof err));
  assert_non_null(strstr(err, "up to that would be accepted, or --set SmemPerSmx=2048"));
  hd_trace_free(&t);
}

/* The mean of many draws. */
static double mean(struct hd_draw d, uint64_t *low, uint64_t *high) {
  double sum = 0;
  *low = UINT64_MAX;
  *high = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    uint64_t v = hd_draw(&d, 3, 1, i);
    assert_int_equal(v, hd_draw(&d, 3, 1, i));
    sum += (double)v;
    *low = v < *low ? v : *low;
    *high = v > *high ? v : *high;
  }
  return sum / 20000;
}

TEST(test_draws) {
  uint64_t low, high;
  assert_true(mean((struct hd_draw){HD_DRAW_FIXED, 42, 0}, &low, &high) == 42);
  assert_true(fabs(mean((struct hd_draw){HD_DRAW_UNIFORM, 10, 19}, &low, &high) - 14.5) < 0.1);
  assert_true(low == 10 && high == 19);
  assert_true(fabs(mean((struct hd_draw){HD_DRAW_EXP, 500, 0}, &low, &high) - 500) < 15);
  assert_true(low >= 1 && high > 2500);
  assert_true(fabs(mean((struct hd_draw){HD_DRAW_NORMAL, 1000, 50}, &low, &high) - 1000) < 2);
  assert_true(low < 850 && low > 700 && high > 1150 && high < 1300);
  /* Never less than a cycle. */
  mean((struct hd_draw){HD_DRAW_NORMAL, 0, 5}, &low, &high);
  assert_int_equal(low, 1);
  struct hd_draw d = {HD_DRAW_UNIFORM, 1, 1e6};
  assert_true(hd_draw(&d, 3, 1, 0) != hd_draw(&d, 4, 1, 0));
  assert_true(hd_draw(&d, 3, 1, 0) != hd_draw(&d, 3, 2, 0));
}

/* Kernels are handed over when they are due, and the workload ends with the last. */
TEST(test_work) {
  struct hd_trace t = good(V "9 0 1 1 1 32 1 1 0 0 7\n3 1 1 1 1 32 1 1 0 0 5\n");
  struct hd_work w = hd_trace_work(&t);
  struct hd_launch l;
  uint64_t at;
  assert_true(w.next_at(w.ctx, &at) && at == 3);
  assert_false(w.next(w.ctx, 2, &l));
  assert_true(w.next(w.ctx, 3, &l) && l.hwq == 1);
  assert_int_equal(w.duration(w.ctx, 0, 0), 5);
  assert_false(w.finished(w.ctx) || w.next(w.ctx, 8, &l));
  assert_true(w.next(w.ctx, 9, &l) && w.finished(w.ctx) && !w.next_at(w.ctx, &at));
  hd_trace_free(&t);
}

/* Writes a timeline of one TB and reads the file back; `text` holds 4000 bytes. */
static void write_timeline(const char *name, char *text) {
  struct hd_timeline t;
  char path[512];
  const struct hd_resident r = {.kernel = 3, .blkid = 4, .warps = 8, .queued = 10, .dispatched = 15};
  snprintf(path, sizeof path, "%s/%s", temp_dir, name);
  assert_true(hd_timeline_open(&t, path, 1, 2, err, sizeof err));
  hd_timeline_add(&t, 0, 1, &r, 25);
  /* Until it is complete the file does not exist. */
  assert_int_not_equal(access(path, F_OK), 0);
  assert_true(hd_timeline_commit(&t, err, sizeof err));
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, 3999, f)] = '\0';
  fclose(f);
}

TEST(test_timeline) {
  char text[4000];
  struct hd_timeline t;
  write_timeline("t.csv", text);
  assert_string_equal(text, "kernel,id,smx,slot,queued,dispatched,done,child\n3,4,0,1,10,15,25,0\n");
  write_timeline("t.json", text);
  assert_non_null(strstr(text, "\"ph\":\"X\",\"ts\":15,\"dur\":10,\"pid\":0,\"tid\":1"));
  assert_false(hd_timeline_open(&t, "t.txt", 1, 2, err, sizeof err));
  assert_false(hd_timeline_open(&t, "/nonexistent/t.csv", 1, 2, err, sizeof err));
  /* Dropped: only the two files from above remain. */
  snprintf(text, sizeof text, "%s/u.csv", temp_dir);
  assert_true(hd_timeline_open(&t, text, 1, 2, err, sizeof err));
  hd_timeline_drop(&t);
  assert_int_not_equal(access(text, F_OK), 0);
}

TEST_MAIN("trace", temp_setup, temp_teardown)
