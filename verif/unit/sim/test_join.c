/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Joins, run without a plane: known pairs of rows of a file; the distribution of generated keys; files of rows. */
#include <stddef.h>
#include <stdint.h>

#include "test_list.h"
#include "unit/temp.h"
#include "work/join.h"

static char err[500];

static struct hd_rounds *solve(const struct hd_rounds_data *data) {
  const struct hd_rounds_opts o = {.problems = 2, .block_size = 4, .num_hwq = 1};
  struct hd_rounds *r = hd_rounds_new(&hd_join, data, &o);
  assert_non_null(r);
  const struct hd_work w = hd_rounds_work(r);
  uint32_t kernel = 0, wrong = 1;
  for (; !w.finished(w.ctx); kernel++) {
    struct hd_launch l = {0};
    assert_true(w.next(w.ctx, kernel, &l));
    for (uint32_t b = l.ctas; b-- > 0;) w.cta_done(w.ctx, kernel, b);
    w.kernel_done(w.ctx, kernel, kernel);
  }
  assert_int_equal(kernel, 4);
  assert_true(hd_rounds_check(r, &wrong));
  assert_int_equal(wrong, 0);
  return r;
}

/* R: b a b c, S: a b b. */
TEST(test_pairs) {
  struct hd_rows rows;
  const char *path = temp_text("k.txt", "b\na\n\na\r\nb\nb\nb\nc");
  if (!hd_rows_read(path, false, &rows, err, sizeof err)) fail_msg("%s", err);
  assert_int_equal(rows.n, 7);
  const struct hd_rounds_data data = {.rows = &rows};
  struct hd_rounds *r = solve(&data);
  const uint64_t one = UINT64_C(1) << 32, wanted[] = {1, 2, one, 2 * one + 1, 2 * one + 2}, *pair;
  assert_int_equal(hd_join_pairs(r, 1, &pair), 5);
  assert_memory_equal(pair, wanted, sizeof wanted);
  hd_rounds_free(r);
  hd_rows_free(&rows);
}

static uint64_t most(bool uniform) {
  const struct hd_rounds_data data = {.made = {.rows = 4096, .uniform = uniform, .seed = 1}};
  struct hd_rounds_found f;
  struct hd_rounds *r = solve(&data);
  hd_join.found(hd_rounds_state(r), &f);
  assert_int_equal(f.count[0].value, 2 * 4096);
  hd_rounds_free(r);
  return f.count[2].value;
}

/* The most frequent of n keys is in n^(2/3) = 256 rows, or in a few. */
TEST(test_made) {
  assert_in_range(most(false), 180, 340);
  assert_in_range(most(true), 3, 15);
}

TEST(test_rows) {
  struct hd_rows rows;
  const char *path = temp_text("s.txt", "\n\na: 1\n b\n \nc\n\n");
  assert_true(hd_rows_read(path, true, &rows, err, sizeof err));
  assert_int_equal(rows.n, 2);
  assert_string_equal(rows.text + rows.at[0], "a: 1\n b\n");
  assert_string_equal(rows.text + rows.at[1], "c\n");
  assert_int_equal(rows.at[2] - rows.at[1], 3);
  hd_rows_free(&rows);
  assert_false(hd_rows_read(temp_text("n.txt", " \n\n"), true, &rows, err, sizeof err));
  assert_non_null(strstr(err, "n.txt: no text; at least one row"));
  assert_false(hd_rows_read("none.txt", true, &rows, err, sizeof err));
}

TEST_MAIN("join", temp_setup, temp_teardown)
