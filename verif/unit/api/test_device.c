/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The device runtime: latencies to the cycle, commands, records byte by byte, and who has which record. */
#include "api/device.h"
#include "unit/util.h"

static const struct hd_device_warp warp = {.smx = 3, .slot = 5, .hwtid = 64, .level = 1};

static const struct hd_device_sizes sizes = {
    .records = 8, .kernels = 4, .suspended = 2, .buffers = 6, .buffer_bytes = 100};

static struct hd_device *make(const char *config) {
  struct hd_cfg c = ut_cfg(config);
  struct hd_device_regions at;
  assert_int_not_equal(hd_device_place(&c, 0x12345, &sizes, &at), 0);
  struct hd_device *d = ut_new(hd_device_size(&at));
  hd_device_init(d, &c, &at);
  return d;
}

/* A call of 7 x 2 TBs of 16 x 2 threads. */
static struct hd_device_call call_of(uint32_t lane) {
  return (struct hd_device_call){.lane = lane,
                                 .grid = {7, 2, 1},
                                 .cta = {16, 2, 1},
                                 .regs = 20,
                                 .smem_bytes = 300,
                                 .pc = 0x2000,
                                 .param = 0x40000 + 64 * lane,
                                 .stream = lane % 32};
}

/* ---- latencies ---- */

/* The paper's: a stream, a buffer, a launch, the way to the KD, one after the other. */
static void test_kernel_latency(void **state) {
  (void)state;
  const struct hd_device_latency t = hd_device_latency_k20c(), ideal = {0};
  assert_int_equal(hd_device_kernel_cycles(&t, 1), 7165 + (8023 + 129) + (12187 + 1592) + 283);
  assert_int_equal(hd_device_kernel_cycles(&t, 32), 7165 + (8023 + 129 * 32) + (12187 + 1592 * 32) + 283);
  assert_int_equal(hd_device_kernel_cycles(&ideal, 32), 0);
}

/* A group: the buffer's alone, since the hardware's part ends with it. */
static void test_group_latency(void **state) {
  (void)state;
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

/* The slower of the two: with buffers as quick as that the hardware is, and nothing is waited for. */
static void test_slower_counts(void **state) {
  (void)state;
  const struct hd_device_latency t = {.buffer = 10, .buffer_thread = 1};
  struct hd_cfg c = ut_cfg_with("k20c", "KdeSearchLanes", 1);
  assert_int_equal(hd_device_group_cycles(&c, &t, 4), 0);
}

/* ---- memory ---- */

/* Regions follow each other, begin at multiples of 256, and hold what they must. */
static void test_place(void **state) {
  (void)state;
  struct hd_cfg c = ut_cfg("k20c");
  struct hd_device_regions at;
  uint64_t end = hd_device_place(&c, 0x12345, &sizes, &at);
  assert_int_equal(at.n.buffer_bytes, 128);
  assert_int_equal(at.records, 0x12400);
  assert_int_equal(at.kernels, 0x12400 + 512);
  assert_int_equal(at.suspended, at.kernels + 512);
  assert_int_equal(at.suspended % 256, 0);
  assert_true(at.buffers >= at.suspended + 2 * c.sus_stride && at.buffers % 256 == 0);
  assert_int_equal(end, at.buffers + 6 * 128);
  assert_int_equal(hd_device_place(&c, UINT64_C(1) << 40, &sizes, &at), 0); /* beyond 40 bits of address */
}

/* Six words, each a setup and an access phase, to the plane's own model of the registers. */
static void test_apb(void **state) {
  (void)state;
  struct hd_cfg c = ut_cfg("k20c");
  struct hd_device_regions at;
  struct hd_apb p;
  static const uint16_t addr[6] = {HD_REG_REC_BASE,  HD_REG_REC_COUNT, HD_REG_DEV_BASE,
                                   HD_REG_DEV_COUNT, HD_REG_SUS_BASE,  HD_REG_SUS_COUNT};
  hd_device_place(&c, 0x100000000, &sizes, &at);
  const uint32_t value[6] = {(uint32_t)(at.records >> 8),   8, (uint32_t)(at.kernels >> 8), 4,
                             (uint32_t)(at.suspended >> 8), 2};
  for (uint32_t t = 0; t < 12; t++) {
    assert_true(hd_device_apb(&at, t, &p));
    assert_true(p.psel && p.pwrite && p.penable == t % 2 && p.pstrb == 15);
    assert_int_equal(p.paddr, addr[t / 2]);
    assert_int_equal(p.pwdata, value[t / 2]);
  }
  assert_false(hd_device_apb(&at, 12, &p));
  assert_true(!p.psel && !p.penable);
}

/* ---- commands ---- */

/* One beat for each thread, the last one marked; threads and TBs are multiplied here. */
static void test_kernels(void **state) {
  (void)state;
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

/* A record as it must lie in memory, byte by byte. */
static void test_record_bytes(void **state) {
  (void)state;
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
static void test_record_level(void **state) {
  (void)state;
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

static void test_save(void **state) {
  (void)state;
  struct hd_device *d = make("k20c");
  struct hd_devlaunch b;
  assert_int_equal(hd_device_save(d, &warp, 0xabcdef0000, &b), HD_DEVICE_OK);
  assert_true(b.kind == HD_KIND_SAVE && b.last && b.slot == 5 && b.desc.param == 0xabcdef0000);
  assert_int_equal(hd_device_save(d, &warp, UINT64_C(1) << 40, &b), HD_DEVICE_OVER_LIMIT);
  free(d);
}

/* Each thing that can be wrong with a call has its code, and takes nothing. */
static void test_bad_calls(void **state) {
  (void)state;
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

/* ---- records and buffers ---- */

static struct hd_devlaunch launch_one(struct hd_device *d) {
  const struct hd_device_call call = call_of(2);
  struct hd_devlaunch b;
  struct hd_device_record r;
  assert_int_equal(hd_device_groups(d, &warp, &call, 1, &b, &r), HD_DEVICE_OK);
  return b;
}

static enum hd_device_code answer(struct hd_device *d, const struct hd_devlaunch *b, enum hd_code code) {
  const struct hd_devanswer a = {.kind = b->kind, .lane = b->lane, .slot = b->slot, .code = (uint8_t)code};
  return hd_device_answered(d, b, &a);
}

/* Every answer but Kept gives the record back; a number rests until all others were used. */
static void test_answers(void **state) {
  (void)state;
  struct hd_device *d = make("k20c");
  static const enum hd_code codes[] = {HD_CODE_ACCEPTED,   HD_CODE_REFUSED,     HD_CODE_ZERO_DIM,  HD_CODE_OVER_LIMIT,
                                       HD_CODE_NEVER_FITS, HD_CODE_UNKNOWN_HWQ, HD_CODE_EMPTY_SLOT};
  for (uint32_t i = 0; i < 21; i++) {
    struct hd_devlaunch b = launch_one(d);
    assert_int_equal(b.record, i % 8);
    assert_int_equal(hd_device_records_out(d), 1);
    assert_int_equal(answer(d, &b, codes[i % 7]), HD_DEVICE_OK);
    assert_int_equal(hd_device_records_out(d), 0);
    assert_int_equal(answer(d, &b, HD_CODE_ACCEPTED), HD_DEVICE_BAD_RECORD); /* not twice */
  }
  free(d);
}

/* Kept: it comes back by record_done, once. */
static void test_kept(void **state) {
  (void)state;
  struct hd_device *d = make("k20c");
  struct hd_devlaunch b = launch_one(d);
  assert_int_equal(answer(d, &b, HD_CODE_KEPT), HD_DEVICE_OK);
  assert_int_equal(hd_device_records_out(d), 1);
  assert_int_equal(hd_device_record_done(d, b.record), HD_DEVICE_OK);
  assert_int_equal(hd_device_records_out(d), 0);
  assert_int_equal(hd_device_record_done(d, b.record), HD_DEVICE_BAD_RECORD);
  assert_int_equal(hd_device_record_done(d, 8), HD_DEVICE_BAD_RECORD);
  assert_int_equal(d->records_most, 1);
  free(d);
}

/* record_done may be seen before the answer that keeps the record. */
static void test_returned_early(void **state) {
  (void)state;
  struct hd_device *d = make("k20c");
  struct hd_devlaunch b = launch_one(d);
  assert_int_equal(hd_device_record_done(d, b.record), HD_DEVICE_OK);
  assert_int_equal(hd_device_record_done(d, b.record), HD_DEVICE_BAD_RECORD);
  assert_int_equal(hd_device_records_out(d), 1);
  assert_int_equal(answer(d, &b, HD_CODE_ACCEPTED), HD_DEVICE_BAD_ANSWER); /* a record on chip is not returned */
  assert_int_equal(answer(d, &b, HD_CODE_KEPT), HD_DEVICE_OK);
  assert_int_equal(hd_device_records_out(d), 0);
  free(d);
}

/* An answer names the kind, lane and slot of its beat; a kernel is never kept. */
static void test_other_answer(void **state) {
  (void)state;
  struct hd_device *d = make("k20c");
  struct hd_devlaunch b = launch_one(d), other = b;
  other.lane++;
  const struct hd_devanswer a = {.kind = b.kind, .lane = b.lane, .slot = b.slot};
  assert_int_equal(hd_device_answered(d, &other, &a), HD_DEVICE_BAD_ANSWER);
  other = b, other.kind = HD_KIND_KERNEL;
  assert_int_equal(answer(d, &other, HD_CODE_KEPT), HD_DEVICE_BAD_ANSWER);
  assert_int_equal(answer(d, &other, HD_CODE_REFUSED), HD_DEVICE_OK);
  assert_int_equal(hd_device_records_out(d), 1);
  free(d);
}

/* Buffers: all that were asked for or none; given back once. */
static void test_buffers(void **state) {
  (void)state;
  struct hd_device *d = make("k20c");
  uint64_t a[6], more;
  assert_int_equal(hd_device_get_buffers(d, 7, a), HD_DEVICE_NO_BUFFER);
  assert_int_equal(hd_device_get_buffers(d, 6, a), HD_DEVICE_OK);
  for (unsigned k = 0; k < 6; k++) assert_int_equal(a[k], d->at.buffers + 128 * k);
  assert_int_equal(hd_device_get_buffers(d, 1, &more), HD_DEVICE_NO_BUFFER);
  assert_int_equal(hd_device_put_buffer(d, a[3]), HD_DEVICE_OK);
  assert_int_equal(hd_device_put_buffer(d, a[3]), HD_DEVICE_BAD_BUFFER);
  assert_int_equal(hd_device_put_buffer(d, a[2] + 64), HD_DEVICE_BAD_BUFFER);
  assert_int_equal(hd_device_put_buffer(d, d->at.buffers - 128), HD_DEVICE_BAD_BUFFER);
  assert_int_equal(hd_device_put_buffer(d, d->at.buffers + 6 * 128), HD_DEVICE_BAD_BUFFER);
  assert_int_equal(hd_device_get_buffers(d, 1, &more), HD_DEVICE_OK);
  assert_int_equal(more, a[3]);
  free(d);
}

/* Many at random against a list: never one number twice, and all come back. */
static void test_many(void **state) {
  (void)state;
  struct hd_device *d = make("k20c");
  struct hd_devlaunch out[8];
  bool kept[8];
  uint64_t seed = 7;
  unsigned n = 0;
  for (unsigned i = 0; i < 20000; i++) {
    if (n < 8 && ut_below(&seed, 2)) {
      out[n] = launch_one(d);
      for (unsigned k = 0; k < n; k++) assert_int_not_equal(out[k].record, out[n].record);
      kept[n] = false;
      n++;
    } else if (n > 0) {
      unsigned k = ut_below(&seed, n);
      bool keep = !kept[k] && ut_below(&seed, 2);
      if (kept[k])
        assert_int_equal(hd_device_record_done(d, out[k].record), HD_DEVICE_OK);
      else
        assert_int_equal(answer(d, &out[k], keep ? HD_CODE_KEPT : HD_CODE_ACCEPTED), HD_DEVICE_OK);
      kept[k] = keep;
      if (!keep) n--, out[k] = out[n], kept[k] = kept[n];
    }
    assert_int_equal(hd_device_records_out(d), n);
  }
  free(d);
}

/* ---- streams, texts ---- */

/* No stream is named by two depths; none where parent and child would share it. */
static void test_streams(void **state) {
  (void)state;
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

static void test_texts(void **state) {
  (void)state;
  for (unsigned i = 0; i <= HD_DEVICE_BAD_ANSWER; i++) {
    for (unsigned j = 0; j < i; j++) assert_string_not_equal(hd_device_text(i), hd_device_text(j));
    assert_string_not_equal(hd_device_text(i), "unknown code");
  }
  assert_string_equal(hd_device_text(HD_DEVICE_BAD_ANSWER + 1), "unknown code");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernel_latency), cmocka_unit_test(test_group_latency), cmocka_unit_test(test_slower_counts),
      cmocka_unit_test(test_place),          cmocka_unit_test(test_apb),           cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_record_bytes),   cmocka_unit_test(test_record_level),  cmocka_unit_test(test_save),
      cmocka_unit_test(test_bad_calls),      cmocka_unit_test(test_answers),       cmocka_unit_test(test_kept),
      cmocka_unit_test(test_returned_early), cmocka_unit_test(test_other_answer),  cmocka_unit_test(test_buffers),
      cmocka_unit_test(test_many),           cmocka_unit_test(test_streams),       cmocka_unit_test(test_texts)};
  return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
