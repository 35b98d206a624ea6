/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The device runtime: owners of records and buffers. */
#include "unit/api/device_fixture.h"

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

/* Every answer but Kept returns the record; a number is reused only after all others were used. */
TEST(test_answers) {
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

/* Kept: it is returned by record_done, once. */
TEST(test_kept) {
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

/* Kept by a kernel that failed: free again when the plane is idle, and those of answered launches before that. */
TEST(test_idle) {
  struct hd_device *d = make("k20c");
  struct hd_devlaunch b[8];
  for (unsigned k = 0; k < 8; k++) {
    b[k] = launch_one(d);
    assert_int_equal(answer(d, &b[k], k % 2 ? HD_CODE_KEPT : HD_CODE_ACCEPTED), HD_DEVICE_OK);
  }
  assert_int_equal(hd_device_record_done(d, b[3].record), HD_DEVICE_OK);
  assert_int_equal(hd_device_records_out(d), 3);
  assert_int_equal(hd_device_idle(d), 3);
  assert_int_equal(hd_device_records_out(d), 0);
  assert_int_equal(hd_device_idle(d), 0);
  assert_int_equal(hd_device_record_done(d, b[1].record), HD_DEVICE_BAD_RECORD);
  for (unsigned k = 0; k < 8; k++) launch_one(d);
  assert_int_equal(hd_device_records_out(d), 8);
  free(d);
}

/* record_done may be seen before the answer that keeps the record. */
TEST(test_returned_early) {
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
TEST(test_other_answer) {
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

/* Buffers: all requested or none; freed once. */
TEST(test_buffers) {
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

/* Many at random against a list: never one number twice, and all are returned. */
TEST(test_many) {
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

TEST_MAIN("device_records", NULL, NULL)
