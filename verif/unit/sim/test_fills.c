/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Data of a run in its page: packed columns of numbers; samples of the occupancy of the tables. */
#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/hd_cfg.h"
#include "engine/pack.h"
#include "sim/fills.h"
#include "test_list.h"

/* The bytes of a column's text: base64, then inflated. */
static size_t bytes_of(const struct hd_pack *p, uint8_t *out, uLongf room) {
  char *text = NULL;
  size_t n;
  static uint8_t small[200000];
  FILE *f = open_memstream(&text, &n);
  assert_true(hd_pack_write(p, f));
  assert_int_equal(fclose(f), 0);
  assert_true(n / 4 * 3 <= sizeof small && n % 4 == 0);
  int length = EVP_DecodeBlock(small, (const unsigned char *)text, (int)n);
  for (size_t k = n; k > 0 && text[k - 1] == '='; k--) length--;
  assert_int_equal(uncompress(out, &room, small, (uLong)length), Z_OK);
  free(text);
  return room;
}

static void check_column(const uint64_t *value, size_t n) {
  static uint8_t bytes[200000];
  struct hd_pack p = {0};
  uint64_t last = 0;
  for (size_t k = 0; k < n; k++) hd_pack_add(&p, value[k]);
  const size_t length = bytes_of(&p, bytes, sizeof bytes);
  size_t at = 0;
  for (size_t k = 0; k < n; k++) {
    uint64_t by = 0;
    unsigned shift = 0;
    do by |= (uint64_t)(bytes[at] & 0x7f) << shift, shift += 7;
    while (bytes[at++] & 0x80);
    last += (by >> 1) ^ -(by & 1);
    assert_int_equal(last, value[k]);
  }
  assert_int_equal(at, length);
  hd_pack_free(&p);
}

TEST(test_edges_of_numbers) {
  const uint64_t value[] = {0, 0, 1, 0, 63, 0, 64, 0, 65, 0, UINT32_MAX, 5, (UINT64_C(1) << 53) - 1, 0, UINT64_MAX, 1};
  check_column(value, sizeof value / sizeof *value);
  check_column(value, 0);
}

/* More than one part of base64, and a length that three does not divide. */
TEST(test_long_column) {
  static uint64_t value[20000];
  uint64_t x = 1;
  for (size_t k = 0; k < sizeof value / sizeof *value; k++)
    value[k] = (x = x * UINT64_C(6364136223846793005) + 1) >> 40;
  for (size_t n = sizeof value / sizeof *value; n > sizeof value / sizeof *value - 4; n--) check_column(value, n);
}

/* The number of kernels in the KD is in table 1. */
static void sample(struct hd_fills *f, uint64_t now, const struct hd_cfg *c, uint32_t kernels) {
  static struct hd_top_arch a;
  memset(a.kd.valid, 0, sizeof a.kd.valid);
  for (uint32_t k = 0; k < kernels; k++) a.kd.valid[2 * k] = 1;
  hd_fills_add(f, now, &a, c);
}

TEST(test_every_cycle) {
  struct hd_cfg c;
  struct hd_fills f;
  assert_true(hd_cfg_find("k20c", &c) && hd_fills_open(&f, &c));
  assert_string_equal(f.table[1].block, "kd");
  assert_int_equal(f.table[1].of, c.num_kde);
  sample(&f, 0, &c, 3);
  sample(&f, 4, &c, 7); /* four cycles at once */
  assert_true(f.n == 5 && f.every == 1 && f.most[1] == 7);
  assert_true(f.sample[0][1] == 3 && f.sample[1][1] == 7 && f.sample[4][1] == 7);
  hd_fills_free(&f);
}

/* A peak of one cycle is in its interval, even after many merges of intervals. */
TEST(test_joined_intervals) {
  struct hd_cfg c;
  struct hd_fills f;
  const uint64_t end = 4 * HD_FILLS_MOST, peak = 7 * HD_FILLS_MOST / 3;
  assert_true(hd_cfg_find("k20c", &c) && hd_fills_open(&f, &c));
  for (uint64_t t = 0; t < end; t++) sample(&f, t, &c, t == peak ? 9 : t < end / 2 ? 1 : 2);
  assert_true(f.every == 4 && f.n == end / f.every && f.most[1] == 9);
  for (uint32_t k = 0; k < f.n; k++) assert_int_equal(f.sample[k][1], k == peak / f.every ? 9 : k < f.n / 2 ? 1 : 2);
  hd_fills_free(&f);
}

/* A run that is idle for longer than all samples reach. */
TEST(test_long_stillness) {
  struct hd_cfg c;
  struct hd_fills f;
  assert_true(hd_cfg_find("k20c", &c) && hd_fills_open(&f, &c));
  sample(&f, 0, &c, 1);
  sample(&f, 1000000, &c, 2);
  assert_true(f.every == 256 && f.n == 1000000 / 256 + 1);
  assert_true(f.sample[0][1] == 2 && f.sample[f.n - 1][1] == 2);
  hd_fills_free(&f);
}

TEST_MAIN("fills", NULL, NULL)
