/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory of CUs with channels: latencies and sizes of the paper's table 2, and coherent L1s. */
#include <stddef.h>
#include <stdint.h>

#include "sim/cus.h"
#include "test_list.h"

static struct hd_memsys *make(const struct hd_memsys_opts *o, uint32_t cus) {
  char text[200];
  struct hd_memsys *m = hd_memsys_new(o, cus, text, sizeof text);
  if (m == NULL) fail_msg("%s", text);
  return m;
}

/* Latency of a line, and the cycle after it. */
static uint64_t sends(struct hd_memsys *m, uint32_t cu, uint64_t *now, bool store, uint32_t line) {
  struct hd_memsys_sends s = {.store = store, .free = *now};
  const uint64_t began = *now;
  assert_true(hd_memsys_send(m, cu, *now, *now, &line, 1, &s));
  *now = s.slowest + 1;
  return s.slowest - began;
}

/* 256 lines fit in an L1, and as many again only in the L2. */
TEST(test_latencies) {
  const struct hd_memsys_opts o = hd_cus_memory();
  struct hd_memsys *m = make(&o, 1);
  uint64_t now = 0;
  for (uint32_t k = 0; k < 256; k++) assert_int_equal(sends(m, 0, &now, false, k), 46);
  for (uint32_t k = 0; k < 256; k++) assert_int_equal(sends(m, 0, &now, false, k), 4);
  for (uint32_t k = 256; k < 512; k++) assert_int_equal(sends(m, 0, &now, false, k), 46);
  for (uint32_t k = 0; k < 256; k++) assert_int_equal(sends(m, 0, &now, false, k), 16);
  hd_memsys_free(m);
}

/* A store removes its line from another's L1. */
TEST(test_coherent) {
  struct hd_memsys_opts o = hd_cus_memory();
  for (uint32_t coherent = 0; coherent < 2; coherent++) {
    o.coherent = coherent != 0;
    struct hd_memsys *m = make(&o, 2);
    uint64_t now = 0;
    sends(m, 0, &now, false, 5);
    sends(m, 1, &now, true, 5);
    now += 100;
    assert_int_equal(sends(m, 0, &now, false, 5), coherent != 0 ? 16 : 4);
    hd_memsys_free(m);
  }
}

TEST_MAIN("cus_memory", NULL, NULL)
