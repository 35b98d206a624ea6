/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The descriptor of a graph: each of its rules, and memory errors. */
#include "unit/graph/dats_fixture.h"

/* Reads it with `size` bytes at `at` changed: it is valid, or ends the kernel. */
static void judged(unsigned at, unsigned size, uint64_t value, bool right) {
  describe();
  hd_memory_put(bytes + at, size, value);
  read_as(CTAS);
  if (!right) {
    over(HD_GCODE_GRAPH, 0);
    return;
  }
  in.dgb_start_ready = 1;
  cycle();
  assert_true(out.start_valid);
  finish(0, 0);
  over(0, 0);
}

/* Addresses are multiples of 128 and fit AddrW bits. */
TEST_F(test_addresses) {
  for (unsigned at = 0; at < 32; at += 8) {
    judged(at, 8, 0, true);
    judged(at, 8, UINT64_C(0xffffffff80), true);
    for (unsigned bit = 0; bit < 64; bit++) judged(at, 8, UINT64_C(1) << bit, bit >= 7 && bit < cfg.addr_w);
  }
}

/* With 64 bits all fit, with 16 few. */
TEST_F(test_address_widths) {
  for (unsigned w = 16; w <= 64; w += 48) {
    free(m);
    start_with(ut_cfg_with("tiny", "AddrW", w));
    for (unsigned k = 0; k < 4; k++) hd_memory_put(bytes + 8 * k, 8, 128 << k);
    hd_memory_put(bytes, 8, w == 16 ? 0x10000 : UINT64_C(1) << 63);
    read_as(CTAS);
    cycle();
    assert_int_equal(out.start_valid, w == 64);
    assert_int_equal(out.over.valid, w == 16);
  }
}

/* As many nodes as TBs: all bits count. */
TEST_F(test_node_count) {
  judged(32, 2, CTAS + 1, false);
  judged(32, 2, CTAS - 1, false);
  for (unsigned bit = 0; bit < 16; bit++) judged(32, 2, CTAS ^ 1u << bit, false);
  describe();
  for (unsigned bit = 16; bit < 32; bit++) {
    read_as(CTAS | UINT32_C(1) << bit);
    over(HD_GCODE_GRAPH, 0);
  }
  hd_memory_put(bytes + 32, 2, 65535);
  read_as(65535);
  cycle();
  assert_true(out.start_valid);
}

/* Three policies; bits beyond them must be 0; any bound. */
TEST_F(test_policy) {
  for (unsigned policy = 0; policy < 256; policy++) judged(36, 1, policy, policy < 3);
  for (unsigned bit = 8; bit < 32; bit++) judged(36, 4, UINT64_C(1) << bit, false);
  judged(34, 2, 0, true);
  judged(34, 2, 65535, true);
}

/* 2^32 - 8 edges at most. */
TEST_F(test_edge_count) {
  judged(40, 8, 0, true);
  judged(40, 8, UINT32_C(0xfffffff8), true);
  for (uint32_t n = UINT32_C(0xfffffff9); n; n++) judged(40, 8, n, false);
  for (unsigned bit = 32; bit < 64; bit++) judged(40, 8, UINT64_C(1) << bit, false);
}

/* Each beat is checked on arrival, and stored in its full width. */
TEST_F(test_wrong_is_kept) {
  memset(bytes, 0xff, sizeof bytes);
  enter_as(KDEI, CTAS);
  ask();
  assert_int_equal(arch()->wrong, 0);
  beat(0, false);
  assert_int_equal(arch()->wrong, 1);
  beat(1, false);
  beat(2, false);
  const struct hd_dats_arch *a = arch();
  assert_true(a->graph.nodes == UINT64_MAX >> (64 - cfg.addr_w) && a->graph.nodes == a->graph.early);
  assert_true(a->graph.policy == 3 && a->graph.node_count == 65535 && a->graph.edge_count == UINT32_MAX);
  assert_int_equal(a->beat, 3);
  over(HD_GCODE_GRAPH, 0);
}

/* A memory error on any beat ends the kernel, with that code even if the descriptor is invalid too. */
TEST_F(test_errors) {
  for (unsigned errors = 1; errors < 16; errors++) {
    describe();
    bytes[37] = errors >> 3 & 1;
    enter_as(KDEI, CTAS);
    ask();
    for (unsigned k = 0; k < 3; k++) beat(k, errors >> k & 1);
    over(errors & 7 ? HD_GCODE_MEMORY : HD_GCODE_GRAPH, 0);
  }
}

TEST_MAIN("dats_descriptor", NULL, NULL)
