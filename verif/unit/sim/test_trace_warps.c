/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Traces of version 3 with instructions of warps: accepted files, rejections, and the resulting operations. */
#include <stddef.h>
#include <stdint.h>

#include "test_list.h"
#include "unit/sim/trace_text.h"

#define V "heddle-trace 3\n"
#define P "program 2l:0,1x3 5s@7:8 1e\n"
#define K "kernel k 0 0 2 1 1 64 1 1 16 0 7\n" /* of 2 TBs of two warps */

TEST(test_refused) {
  static const char *const operations[] = {"2",           "l",      "2l",    "l:",    "l:x2",        "l:0x0",  "l:0x33",
                                           "l:1,",        "l:1x2y", "2q:1",  "m:1",   "e:1",         "l@33:1", "l@:1",
                                           "4294967295m", "-1m",    "l:3e9", "b@1@2", "l:4294967296"};
  char text[300];
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    snprintf(text, sizeof text, V "program m %s e\n" K, operations[i]);
    snprintf(err, sizeof err, ":2: operation 2 is '%s'; [INSTRUCTIONS]KIND[@THREADS][:LINES]", operations[i]);
    const char *says = strdup(err);
    is_bad(text, says);
    free((char *)says);
  }
  is_bad(V "program\n", ":2: the program's last operation is not an end; [INSTRUCTIONS]e would be accepted");
  is_bad(V "program m\n", "the program's last operation is not an end");
  is_bad(V "program e m\n", ":2: operation 2 follows the end");
  is_bad(V P "warps 0 0:1 0:1\n", ":3: 'warps' before any kernel");
  is_bad(V P K "warps\n", ":4: field 1, TB, is missing");
  is_bad(V P K "warps 2 0:1 0:1\n", ":4: field 1, TB, is '2'; a whole number from 0 to 1");
  is_bad(V P K "warps 0 0:1\n",
         ":4: field 3 is ''; PROGRAM:LINE or - for each of the 2 warps, of the 1 programs above");
  is_bad(V P K "warps 0 0:1 1:1\n", ":4: field 3 is '1:1'");
  is_bad(V P K "warps 0 0:1 0\n", ":4: field 3 is '0'");
  is_bad(V P K "warps 0 0:1 0:4294967296\n", ":4: field 3 is '0:4294967296'");
  is_bad(V P K "warps 0 0:1 - -\n", ":4: '-' is one field too many for 2 warps");
  is_bad(V P K "warps 0 - -\nwarps 0 - -\n", ":5: a second 'warps' of TB 0");
}

struct fixture {
  struct hd_trace t;
  struct hd_work w;
  const struct hd_warp_source *s;
  struct hd_warp_tb tb;
  uint64_t state[32];
};

static void begin(struct fixture *r, const char *text, uint32_t blkid, uint32_t warp) {
  struct hd_launch l;
  r->t = good(text);
  r->w = hd_trace_work(&r->t);
  r->s = hd_trace_source();
  r->tb = (struct hd_warp_tb){.blkid = blkid};
  assert_true(r->s->state <= sizeof r->state);
  while (r->w.next(r->w.ctx, UINT64_MAX, &l)) continue;
  r->s->begin(&r->t, &r->tb, warp, r->state);
}

static struct hd_warp_op next(struct fixture *r, uint32_t warp) {
  struct hd_warp_op op = {.kind = HD_WARP_LOAD, .lanes = HD_WARP_LANES};
  r->s->next(&r->t, &r->tb, warp, r->state, &op);
  return op;
}

static void is_op(const struct hd_warp_op *op, enum hd_warp_kind kind, uint32_t before, uint32_t lanes,
                  uint32_t lines) {
  assert_int_equal(op->kind, kind);
  assert_int_equal(op->instructions, before);
  assert_int_equal(op->lanes, lanes);
  assert_int_equal(op->lines, lines);
}

/* Lines are counted from the warp's first, then each from the previous one, from operation to operation. */
TEST(test_lines) {
  struct fixture r;
  begin(&r, V P K "warps 1 0:1000 0:2000\n", 1, 1);
  struct hd_warp_op op = next(&r, 1);
  is_op(&op, HD_WARP_LOAD, 2, 32, 4);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(op.line[i], 2000 + i);
  op = next(&r, 1);
  is_op(&op, HD_WARP_STORE, 5, 7, 1);
  assert_int_equal(op.line[0], 2011);
  op = next(&r, 1);
  is_op(&op, HD_WARP_END, 1, 32, 0);
  assert_int_equal(hd_trace_instructions(&r.t), 2 * (3 + 6 + 2) + 2); /* TB 0 is not listed: an end for each warp */
  hd_trace_free(&r.t);
}

TEST(test_kinds) {
  struct fixture r;
  begin(&r, V "program m f 3d t b@9 e\n" K "warps 0 0:0 -\n", 0, 0);
  static const enum hd_warp_unit units[] = {HD_WARP_SHARED, HD_WARP_SPECIAL, HD_WARP_DOUBLE, HD_WARP_TENSOR};
  for (unsigned i = 0; i < 4; i++) {
    const struct hd_warp_op op = next(&r, 0);
    is_op(&op, HD_WARP_DELAY, i == 2 ? 3 : 0, 32, 0);
    assert_int_equal(op.unit, units[i]);
  }
  struct hd_warp_op op = next(&r, 0);
  is_op(&op, HD_WARP_BARRIER, 0, 9, 0);
  op = next(&r, 0);
  is_op(&op, HD_WARP_END, 0, 32, 0);
  r.s->begin(&r.t, &r.tb, 1, r.state); /* without instructions */
  op = next(&r, 1);
  is_op(&op, HD_WARP_END, 0, 32, 0);
  hd_trace_free(&r.t);
}

/* An atomic is a store and a load of its lines; later lines are counted from them. */
TEST(test_atomic) {
  struct fixture r;
  begin(&r, V "program 4a@2:5,-2 l:1 e\n" K "warps 0 0:100 -\n", 0, 0);
  struct hd_warp_op op = next(&r, 0);
  is_op(&op, HD_WARP_STORE, 4, 2, 2);
  assert_true(op.line[0] == 105 && op.line[1] == 103);
  op = next(&r, 0);
  is_op(&op, HD_WARP_LOAD, 0, 2, 2);
  assert_true(op.line[0] == 105 && op.line[1] == 103);
  op = next(&r, 0);
  assert_int_equal(op.line[0], 104);
  assert_int_equal(hd_trace_instructions(&r.t), 4 + 2 + 1 + 1 + 3);
  hd_trace_free(&r.t);
}

/* Local memory: one line per word, the same for the same word, others for other warps; it changes no other line. */
TEST(test_local) {
  struct fixture r;
  begin(&r, V "program S:7,1 L:8 l:1 e\n" K "warps 0 0:100 0:100\n", 0, 0);
  const struct hd_warp_op store = next(&r, 0), load = next(&r, 0), other = next(&r, 0);
  is_op(&store, HD_WARP_STORE, 0, 32, 2);
  is_op(&load, HD_WARP_LOAD, 0, 32, 1);
  assert_int_equal(load.line[0], store.line[1]);
  assert_int_equal(other.line[0], 101);
  r.s->begin(&r.t, &r.tb, 1, r.state);
  const struct hd_warp_op second = next(&r, 1);
  assert_true(second.line[0] != store.line[0] && second.line[1] != store.line[1]);
  hd_trace_free(&r.t);
}

TEST(test_has) {
  struct hd_trace t = good(V P K "warps 0 - -\n" K);
  assert_false(hd_trace_has_instructions(&t, "f", err, sizeof err));
  assert_non_null(strstr(err, "f:5: no 'warps' lines follow"));
  hd_trace_free(&t);
  if (!hd_trace_read(temp_text("t.trace", V P K "warps 0 - -\n" K), "1", &t, err, sizeof err)) fail_msg("%s", err);
  assert_true(hd_trace_has_instructions(&t, "f", err, sizeof err));
  hd_trace_free(&t);
}

TEST_MAIN("trace_warps", temp_setup, temp_teardown)
