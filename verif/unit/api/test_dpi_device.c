/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The DPI-C functions for launches from TBs and for kernels with a graph, and hd_dpi_run(). */
#include "api/deplinks.h"
#include "api/device.h"
#include "api/dpi.h"
#include "gen/hd_types.h"
#include "unit/util.h"

/* A TB that launches holds its slot until its launches are answered. */
enum { LATENCY = 50, HELD = 40, LONG = 600, LEVELS = 3 };

static void *plane;

static int setup(void **state) {
  (void)state;
  plane = hd_dpi_new("k20c");
  assert_non_null(plane);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  hd_dpi_free(plane);
  return 0;
}

/* Results of a run. */
struct seen {
  uint64_t cycles;              /* to kernel_done */
  uint32_t tbs[LEVELS], groups; /* handed out, by level; of groups */
  uint32_t answers[8];          /* to launches of TBs, by code */
  uint32_t order[64], skipped;  /* blkids; cycles that one call of hd_dpi_run() took more than one of */
  uint32_t most[HD_DPI_TABLES]; /* maximum occupancy of the tables */
};

/* A TB that was handed out: the cycle in which it is done, 0: none. */
static uint64_t ends[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX];

static void launches(uint32_t smx, uint32_t slot, uint32_t kind, uint32_t children) {
  for (uint32_t k = 0; k < children; k++)
    assert_int_equal(hd_dpi_dev_launch(plane, smx, slot, kind, k, k + 1 == children, 0, 2, 1, 1, 64, 1, 1, 16, 0,
                                       kind == HD_KIND_GROUP ? 0x1000 : 0x3000, 0x40 * k),
                     HD_DEVICE_OK);
}

/* Runs the launches. Each TB of level 0 launches this many children of two TBs in the cycle after its hand-out.
 * `ticks`: cycle by cycle. */
static void follow(struct seen *s, uint32_t kind, uint32_t children, bool ticks) {
  const uint32_t smxs = hd_dpi_param(plane, "NumSmx"), slots = hd_dpi_param(plane, "CtasPerSmx");
  uint32_t tag, smx, slot, k, lane, code, kdei, blkid, group, level, restart, d[6], total = 0;
  uint64_t pc, param;
  memset(s, 0, sizeof *s);
  memset(ends, 0, sizeof ends);
  bool fresh[HD_MAX_NUM_SMX] = {false};
  uint32_t fresh_slot[HD_MAX_NUM_SMX] = {0};
  while (!hd_dpi_kernel_done(plane, &tag)) {
    uint64_t next = UINT64_MAX;
    assert_true(s->cycles < 200000);
    while (hd_dpi_dev_answer(plane, &smx, &slot, &k, &lane, &code)) {
      assert_int_equal(k, kind);
      s->answers[code]++;
    }
    for (uint32_t n = 0; n < smxs; n++) {
      bool one = false;
      if (fresh[n]) launches(n, fresh_slot[n], kind, children);
      fresh[n] = false;
      for (uint32_t i = 0; i < slots; i++) {
        if (ends[n][i] != 0 && ends[n][i] <= s->cycles && !one) {
          hd_dpi_cta_done(plane, n, i);
          ends[n][i] = 0;
          one = true;
        } else if (ends[n][i] != 0 && ends[n][i] < next) {
          next = ends[n][i];
        }
      }
    }
    for (uint32_t n = hd_dpi_dispatch_next(plane, 0); n < smxs; n = hd_dpi_dispatch_next(plane, n + 1)) {
      assert_int_equal(hd_dpi_dispatch(plane, n, &slot, &kdei, &blkid, &pc, &param), 1);
      assert_int_equal(hd_dpi_dispatch_more(plane, n, &group, &level, &restart, d, d + 1, d + 2, d + 3, d + 4, d + 5),
                       1);
      assert_true(level < LEVELS && d[3] == 64 && d[0] == (level == 0 ? d[0] : 2) && restart == 0);
      s->tbs[level]++;
      s->groups += group;
      if (total < 64) s->order[total] = blkid;
      total++;
      ends[n][slot] = s->cycles + (level == 0 ? LONG : HELD);
      if (ends[n][slot] < next) next = ends[n][slot];
      fresh[n] = level == 0 && children > 0;
      fresh_slot[n] = slot;
      if (fresh[n]) next = 0;
    }
    for (uint32_t t = 0; t < HD_DPI_TABLES; t++) {
      const uint32_t held = hd_dpi_state(plane, t);
      if (held > s->most[t]) s->most[t] = held;
    }
    uint64_t step = 1;
    if (ticks || next <= s->cycles + 1)
      hd_dpi_tick(plane);
    else
      step = hd_dpi_run(plane, next == UINT64_MAX ? 1000 : next - s->cycles);
    s->skipped += step > 1;
    s->cycles += step;
  }
  assert_int_equal(hd_dpi_kernel_failed(plane), 0);
}

static void launched(uint32_t kind, const char *policy, struct seen *s, bool ticks) {
  uint32_t number = 0;
  while (strcmp(hd_dpi_policy(number), policy) != 0) assert_string_not_equal(hd_dpi_policy(number++), "");
  assert_true(hd_dpi_device(plane, LATENCY, number) > 0);
  assert_int_equal(hd_dpi_launch(plane, 0, 7, 20, 1, 1, 64, 1, 1, 16, 0, 0x1000, 0), HD_CODE_ACCEPTED);
  follow(s, kind, 3, ticks);
  assert_int_equal(s->tbs[0], 20);
  assert_int_equal(s->tbs[1], 20 * 3 * 2);
  assert_int_equal(s->answers[HD_CODE_ACCEPTED] + s->answers[HD_CODE_KEPT], 20 * 3);
}

/* Groups and kernels, under each policy; skipping changes no result. */
TEST_F(test_launches) {
  for (uint32_t number = 0; hd_dpi_policy(number)[0] != 0; number++) {
    for (uint32_t kind = HD_KIND_KERNEL; kind <= HD_KIND_GROUP; kind++) {
      struct seen every, some;
      launched(kind, hd_dpi_policy(number), &every, true);
      launched(kind, hd_dpi_policy(number), &some, false);
      assert_int_equal(every.groups, kind == HD_KIND_GROUP ? 120 : 0);
      assert_true(some.skipped > 0 && every.most[HD_DPI_RESIDENT] > 20 && every.most[HD_DPI_KERNELS] > 0);
      assert_true((every.most[HD_DPI_PARENTS] > 0) == (kind == HD_KIND_KERNEL));
      assert_int_equal(every.most[HD_DPI_OPEN], 13);
      assert_int_equal(every.cycles, some.cycles);
      assert_memory_equal(every.order, some.order, sizeof every.order);
    }
  }
}

/* A wavefront: each TB runs after its neighbours, with the graph that was written to memory. */
TEST_F(test_graph) {
  struct seen s;
  uint32_t levels, edges, at[16];
  assert_true(hd_dpi_device(plane, LATENCY, HD_POLICY_RR) > 0);
  assert_int_equal(hd_dpi_graph(plane, 4, 4, 1), 0);
  assert_int_equal(hd_dpi_graph_order(plane, HD_DEPLINKS_LVL, 3), 0);
  assert_int_equal(hd_dpi_graph_pattern(plane, HD_DEPLINKS_WAVEFRONT, 0, 0), 0);
  assert_int_equal(hd_dpi_graph_edge(plane, 0, 15), 0);
  const uint64_t param = hd_dpi_graph_end(plane, &levels, &edges);
  assert_true(param != 0 && levels == 7 && edges == 25);
  assert_int_equal(hd_dpi_launch_graph(plane, 0, 7, 4, 4, 1, 64, 1, 1, 16, 0, 0x1000, param), HD_CODE_ACCEPTED);
  follow(&s, HD_KIND_GROUP, 0, false);
  assert_int_equal(s.tbs[0], 16);
  for (uint32_t k = 0; k < 16; k++) at[s.order[k]] = k;
  for (uint32_t tb = 0; tb < 16; tb++)
    assert_true((tb % 4 == 0 || at[tb - 1] < at[tb]) && (tb < 4 || at[tb - 4] < at[tb]));
}

TEST_F(test_refusals) {
  uint32_t n, levels, edges;
  assert_int_equal(hd_dpi_dev_launch(plane, 0, 0, 1, 0, 1, 0, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_BAD_WARP);
  assert_int_not_equal(hd_dpi_graph(plane, 4, 1, 1), 0);
  assert_int_equal(hd_dpi_graph_end(plane, &levels, &edges), 0);
  assert_string_equal(hd_dpi_graph_text(plane), "TBs cannot launch yet: call hd_dpi_device() first");
  assert_int_equal(hd_dpi_device(plane, 0, 0), 0);
  assert_int_equal(hd_dpi_device(plane, 1, 99), 0);
  assert_int_equal(hd_dpi_device(NULL, 1, 0), 0);
  assert_true(hd_dpi_device(plane, 1, 0) > 0);
  assert_int_equal(hd_dpi_dev_launch(plane, 13, 0, 1, 0, 1, 0, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_BAD_WARP);
  assert_int_equal(hd_dpi_dev_launch(plane, 0, 0, 1, 32, 1, 0, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_BAD_LANE);
  assert_int_equal(hd_dpi_dev_launch(plane, 0, 0, 1, 0, 1, 0, 0, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_ZERO_DIM);
  assert_int_equal(hd_dpi_dev_launch(plane, 0, 0, 1, 0, 0, 0, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_OK);
  assert_int_equal(hd_dpi_dev_launch(plane, 0, 1, 1, 1, 1, 0, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_BAD_LANE);
  /* A free slot: the plane rejects it. */
  assert_int_equal(hd_dpi_dev_launch(plane, 0, 0, 1, 0, 1, 0, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_OK);
  assert_true(hd_dpi_run(plane, 100) < 20);
  uint32_t code = 0;
  assert_int_equal(hd_dpi_dev_answer(plane, &n, &n, &n, &n, &code), 1);
  assert_int_equal(code, HD_CODE_EMPTY_SLOT);
  assert_int_equal(hd_dpi_graph(plane, 2, 1, 1), 0);
  assert_int_equal(hd_dpi_graph_edge(plane, 0, 1), 0);
  assert_int_equal(hd_dpi_graph_edge(plane, 1, 0), 0);
  assert_int_equal(hd_dpi_graph_end(plane, &levels, &edges), 0);
  assert_true(strstr(hd_dpi_graph_text(plane), "cycle") != NULL);
  assert_int_equal(hd_dpi_run(plane, 100), 100);
  assert_int_equal(hd_dpi_run(NULL, 100), 0);
  assert_int_equal(hd_dpi_state(plane, HD_DPI_TABLES), 0);
  assert_int_equal(hd_dpi_launch_cycles(plane, HD_KIND_KERNEL, 4), 7165 + 8023 + 4 * 129 + 12187 + 4 * 1592 + 283);
  assert_true(hd_dpi_launch_cycles(plane, HD_KIND_GROUP, 4) < 8023 + 4 * 129);
  assert_int_equal(hd_dpi_launch_cycles(plane, HD_KIND_GROUP, 33), 0);
  hd_dpi_reset(plane);
  assert_int_equal(hd_dpi_dev_launch(plane, 0, 0, 1, 0, 1, 0, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0), HD_DEVICE_BAD_WARP);
}

TEST_MAIN("dpi_device", NULL, NULL)
