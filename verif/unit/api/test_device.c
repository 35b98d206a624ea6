/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The device runtime: latencies to the cycle, commands, records byte by byte. */
#include "unit/api/device_fixture.h"

/* ---- latencies ---- */

/* The paper's: a stream, a buffer, a launch, the way to the KD, one after the other. */
TEST(test_kernel_latency) {
  const struct hd_device_latency t = hd_device_latency_k20c(), ideal = {0};
  assert_int_equal(hd_device_kernel_cycles(&t, 1), 7165 + (8023 + 129) + (12187 + 1592) + 283);
  assert_int_equal(hd_device_kernel_cycles(&t, 32), 7165 + (8023 + 129 * 32) + (12187 + 1592 * 32) + 283);
  assert_int_equal(hd_device_kernel_cycles(&ideal, 32), 0);
}

/* A group: the buffer's alone, since the hardware's part ends with it. */
TEST(test_group_latency) {
  const struct hd_device_latency t = hd_device_latency_k20c(), ideal = {0};
  struct hd_cfg fast = ut_cfg("k20c"), slow = ut_cfg_with("k20c", "KdeSearchLanes", 1);
  assert_int_equal(hd_device_link_cycles(&fast, 1), 4);
  assert_int_equal(hd_device_link_cycles(&fast, 32), 35);
  assert_int_equal(hd_device_link_cycles(&slow, 32), 66);
  for (uint32_t x = 1; x <= 32; x++) {
    assert_int_equal(hd_device_group_cycles(&fast, &t, x) + hd_device_link_cycles(&fast, x), 8023 + 129 * x);
    assert_int_equal(hd_device_group_cycles(&slow, &t, x) + hd_device_link_cycles(&slow, x), 8023 + 129 * x);
  }
  assert_int_equal(hd_device_group_cycles(&fast, &ideal, 7), 0);
}

/* The slower of the two: with buffers as quick as that the hardware is the slower one, and no wait is added. */
TEST(test_slower_counts) {
  const struct hd_device_latency t = {.buffer = 10, .buffer_thread = 1};
  struct hd_cfg c = ut_cfg_with("k20c", "KdeSearchLanes", 1);
  assert_int_equal(hd_device_group_cycles(&c, &t, 4), 0);
}

/* ---- memory ---- */

/* Regions follow each other, begin at multiples of 256, and have the required sizes. */
TEST(test_place) {
  struct hd_cfg c = ut_cfg("k20c");
  struct hd_device_regions at;
  uint64_t end = hd_device_place(&c, 0x12345, &sizes, &at);
  assert_int_equal(at.n.buffer_bytes, 128);
  assert_int_equal(at.records, 0x12400);
  assert_int_equal(at.lists, 0x12400 + 512);
  assert_int_equal(at.kernels, at.lists + 4 * 2048 * c.num_list); /* 8 records, 1024 AGEs */
  assert_int_equal(at.suspended, at.kernels + 512);
  assert_int_equal(at.suspended % 256, 0);
  assert_true(at.spilled >= at.suspended + 2 * c.sus_stride && at.spilled % 256 == 0);
  assert_int_equal(at.buffers, at.spilled + 512);
  assert_int_equal(end, at.buffers + 6 * 128);
  assert_int_equal(hd_device_place(&c, UINT64_C(1) << 40, &sizes, &at), 0); /* beyond 40 bits of address */
}

/* A ring for each bank and level: the smallest power of two that leaves room for the groups, within limits. */
TEST(test_spilled) {
  static const struct {
    const char *config;
    uint32_t groups, ring, queues;
  } row[] = {
      {"tiny", 0, 0, 8},
      {"tiny", 1, 16, 8},
      {"tiny", 5, 16, 8},
      {"tiny", 6, 32, 8},
      {"tiny", 21, 32, 8},
      {"tiny", 22, 64, 8},
      {"tiny", 117, 128, 8},
      {"tiny", 2048, 128, 8},
      {"k20c", 1, 256, 52},
      {"k20c", 58, 256, 52},
      {"k20c", 59, 512, 52},
      {"k20c", 314, 512, 52},
      {"k20c", 315, 1024, 52},
      {"k20c", 2048, 4096, 52},
      {"k20c", 261946, 1 << 18, 52},
      {"k20c", UINT32_MAX, 1 << 18, 52},
      {"big", 1, 256, 528},
      {"big", 16186, 1 << 14, 528},
      {"big", 16187, 1 << 14, 528},
      {"k20c-dtbl", 2048, 0, 52},
  };
  for (unsigned k = 0; k < sizeof row / sizeof *row; k++) {
    const struct hd_cfg c = ut_cfg(row[k].config);
    assert_int_equal(hd_device_spilled(&c, row[k].groups), row[k].ring * row[k].queues);
    assert_int_equal(c.ring_queues, row[k].queues);
  }
}

/* Sizes that exceed the plane or the addresses are rejected, even if they wrap, and leave no regions. */
TEST(test_place_refused) {
  static const struct hd_device_regions none;
  struct hd_cfg k20c = ut_cfg("k20c"), wide = ut_cfg_but(ut_cfg_with("k20c", "AddrW", 64), "ParamW", 64);
  struct hd_device_regions at;
  struct hd_device_sizes n;
#define REFUSED(cfg, base, field, value)                      \
  n = sizes, n.field = (value), memset(&at, 0x5a, sizeof at); \
  assert_int_equal(hd_device_place(cfg, base, &n, &at), 0);   \
  assert_memory_equal(&at, &none, sizeof at)
  for (unsigned k = 0; k < 2; k++) {
    const struct hd_cfg *c = k != 0 ? &wide : &k20c;
    REFUSED(c, UINT64_MAX - 100, records, 8);        /* rounding up wraps to 0 */
    REFUSED(c, UINT64_MAX - 4096, records, 8);       /* adding wraps */
    REFUSED(c, 0, buffer_bytes, UINT32_MAX);         /* it rounds up to 2^32: 0 in 32 bits */
    REFUSED(c, UINT64_C(1) << 40, records, 8);       /* base registers have 32 bits of address / 256 */
    REFUSED(c, 0, records, (UINT32_C(1) << 31) + 1); /* RecW */
    REFUSED(c, 0, kernels, 1);
  }
#undef REFUSED
  struct hd_device *d = ut_new(hd_device_size(&none));
  hd_device_init(d, &k20c, &none);
  assert_int_equal(hd_device_put_buffer(d, 0), HD_DEVICE_BAD_BUFFER);
  free(d);
}

/* Seven words, each a setup and an access phase; under another policy than rr three more. */
TEST(test_apb) {
  struct hd_cfg c = ut_cfg("k20c");
  struct hd_device_regions at;
  struct hd_apb p;
  static const uint16_t addr[] = {HD_REG_REC_BASE,    HD_REG_REC_COUNT, HD_REG_DEV_BASE,  HD_REG_DEV_COUNT,
                                  HD_REG_SUS_BASE,    HD_REG_SUS_COUNT, HD_REG_LIST_BASE, HD_REG_SPILL_BASE,
                                  HD_REG_SPILL_COUNT, HD_REG_POLICY};
  hd_device_place(&c, 0x100000000, &sizes, &at);
  const uint32_t value[] = {(uint32_t)(at.records >> 8),
                            8,
                            (uint32_t)(at.kernels >> 8),
                            4,
                            (uint32_t)(at.suspended >> 8),
                            2,
                            (uint32_t)(at.lists >> 8),
                            (uint32_t)(at.spilled >> 8),
                            9,
                            HD_POLICY_SMX_BIND};
  for (unsigned other = 0; other < 2; other++) {
    at.policy = other ? HD_POLICY_SMX_BIND : HD_POLICY_RR;
    const uint32_t cycles = other ? 20 : 14;
    for (uint32_t t = 0; t < cycles; t++) {
      assert_true(hd_device_apb(&at, t, &p));
      assert_true(p.psel && p.pwrite && p.penable == t % 2 && p.pstrb == 15);
      assert_int_equal(p.paddr, addr[t / 2]);
      assert_int_equal(p.pwdata, value[t / 2]);
    }
    assert_false(hd_device_apb(&at, cycles, &p));
    assert_true(!p.psel && !p.penable);
  }
}

/* ---- commands ---- */

/* One beat for each thread, the last one marked; threads and TBs are multiplied here. */
TEST(test_kernels) {
  struct hd_device *d = make("k20c");
  const struct hd_device_call call[3] = {call_of(4), call_of(9), call_of(31)};
  struct hd_devlaunch b[3];
  assert_int_equal(hd_device_kernels(d, &warp, call, 3, b), HD_DEVICE_OK);
  for (unsigned k = 0; k < 3; k++) {
    assert_int_equal(b[k].kind, HD_KIND_KERNEL);
    assert_int_equal(b[k].last, k == 2);
    assert_int_equal(b[k].lane, call[k].lane);
    assert_int_equal(b[k].slot, 5);
    assert_int_equal(b[k].hwtid, 64 + call[k].lane);
    assert_int_equal(b[k].stream, call[k].lane);
    assert_int_equal(b[k].threads, 32);
    assert_int_equal(b[k].ctas, 14);
    assert_int_equal(b[k].smem, 2);
    assert_int_equal(b[k].regs, 20);
    assert_true(b[k].desc.pc == 0x2000 && b[k].desc.param == call[k].param && b[k].desc.grid_y == 2);
  }
  assert_int_equal(hd_device_records_out(d), 0);
  free(d);
}

/* A record in memory, byte by byte. */
TEST(test_record_bytes) {
  struct hd_device *d = make("k20c");
  struct hd_device_call call = call_of(9);
  struct hd_devlaunch b;
  struct hd_device_record r;
  call.pc = 0x1122334455;
  call.param = 0x66778899c0;
  call.grid = (struct hd_dim3){0x12345, 0x23, 0x4};
  assert_int_equal(hd_device_groups(d, &warp, &call, 1, &b, &r), HD_DEVICE_OK);
  const uint8_t want[64] = {0x55, 0x44, 0x33, 0x22, 0x11, 0, 0,    0,  0xc0, 0x99, 0x88, 0x77, 0x66, 0,  0,
                            0,    16,   0,    2,    0,    1, 0,    32, 0,    2,    0,    20,   2,    73, 0,
                            3,    0,    0x45, 0x23, 1,    0, 0x23, 0,  4,    0,    0xbc, 0x49, 0x9f, 0};
  assert_memory_equal(r.bytes, want, 64); /* 0x12345 * 0x23 * 4 = 0x9f49bc */
  assert_int_equal(r.addr, d->at.records);
  assert_true(b.kind == HD_KIND_GROUP && b.record == 0 && b.stream == 0);
  free(d);
}

/* The level in a record is that of the group's TBs, and ends at MaxLevel. */
TEST(test_record_level) {
  struct hd_device *d = make("k20c");
  const struct hd_device_call call = call_of(0);
  struct hd_devlaunch b;
  struct hd_device_record r;
  for (uint32_t level = 0; level <= 4; level++) {
    struct hd_device_warp w = warp;
    w.level = level;
    assert_int_equal(hd_device_groups(d, &w, &call, 1, &b, &r), HD_DEVICE_OK);
    assert_int_equal(r.bytes[27], level < 4 ? level + 1 : 4);
  }
  free(d);
}

TEST(test_save) {
  struct hd_device *d = make("k20c");
  struct hd_devlaunch b;
  assert_int_equal(hd_device_save(d, &warp, 0xabcdef0000, &b), HD_DEVICE_OK);
  assert_true(b.kind == HD_KIND_SAVE && b.last && b.slot == 5 && b.desc.param == 0xabcdef0000);
  assert_int_equal(hd_device_save(d, &warp, UINT64_C(1) << 40, &b), HD_DEVICE_OVER_LIMIT);
  free(d);
}

/* Each error of a call has its code, and takes no resources. */
TEST(test_bad_calls) {
  struct hd_device *d = make("tiny");
  const struct hd_device_warp good = {.smx = 1, .slot = 1, .hwtid = 96, .level = 4};
  struct hd_device_call call[40];
  struct hd_devlaunch b[40];
  struct hd_device_record r[40];
  for (uint32_t k = 0; k < 40; k++) call[k] = call_of(k);
  for (uint32_t k = 0; k < 40; k++) call[k].stream = 0;
#define EXPECT(code, w, n) assert_int_equal(hd_device_groups(d, &(w), call, n, b, r), code)
  EXPECT(HD_DEVICE_BAD_LANE, good, 0);
  EXPECT(HD_DEVICE_BAD_LANE, good, 33);
  EXPECT(HD_DEVICE_NO_RECORD, good, 9);
  struct hd_device_warp w = good;
  w.smx = 2;
  EXPECT(HD_DEVICE_BAD_WARP, w, 1);
  w = good, w.slot = 2;
  EXPECT(HD_DEVICE_BAD_WARP, w, 1);
  w = good, w.level = 5;
  EXPECT(HD_DEVICE_BAD_WARP, w, 1);
  w = good, w.hwtid = 97;
  EXPECT(HD_DEVICE_BAD_WARP, w, 32);
  call[1].lane = 0;
  EXPECT(HD_DEVICE_BAD_LANE, good, 2);
  call[1].lane = 1;
  call[1].grid.y = 0;
  EXPECT(HD_DEVICE_ZERO_DIM, good, 2);
  call[1].grid.y = 1u << 16;
  EXPECT(HD_DEVICE_OVER_LIMIT, good, 2);
  call[1].grid.y = 1;
  call[1].smem_bytes = 2000;
  EXPECT(HD_DEVICE_NEVER_FITS, good, 2);
  call[1].smem_bytes = 0;
  call[1].stream = 4;
  EXPECT(HD_DEVICE_BAD_STREAM, good, 2);
  call[1].stream = 3;
  assert_int_equal(hd_device_records_out(d), 0);
  EXPECT(HD_DEVICE_OK, good, 8);
  EXPECT(HD_DEVICE_NO_RECORD, good, 1);
#undef EXPECT
  free(d);
}

/* ---- streams, texts ---- */

/* No stream has two depths; no stream is returned where parent and child would share it. */
TEST(test_streams) {
  struct hd_cfg c = ut_cfg("k20c"), tiny = ut_cfg("tiny");
  for (uint32_t k = 0; k < 40; k++) {
    assert_in_range(hd_device_stream(&c, 0, k), 1, 7);
    for (uint32_t depth = 1; depth < 4; depth++)
      assert_in_range(hd_device_stream(&c, depth, k), 8 * depth, 8 * depth + 7);
    assert_int_equal(hd_device_stream(&c, 4, k), 0);
    assert_int_equal(hd_device_stream(&tiny, 0, k), 0);
    assert_int_equal(hd_device_stream(&tiny, 2, k), 2);
  }
}

TEST(test_texts) {
  for (unsigned i = 0; i <= HD_DEVICE_BAD_ANSWER; i++) {
    for (unsigned j = 0; j < i; j++) assert_string_not_equal(hd_device_text(i), hd_device_text(j));
    assert_string_not_equal(hd_device_text(i), "unknown code");
  }
  assert_string_equal(hd_device_text(HD_DEVICE_BAD_ANSWER + 1), "unknown code");
}

TEST_MAIN("device", NULL, NULL)
