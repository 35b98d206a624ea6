/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Regular expressions: the automaton against the C library's regexec() on random texts, rejected expressions, and known
 * matches in packets. */
#include <regex.h>
#include <stddef.h>
#include <stdint.h>

#include "test_list.h"
#include "unit/temp.h"
#include "work/regex.h"
#include "work/regx.h"

static char err[500];

/* Returns the position of the automaton's first match, or -1. */
static int place(const struct hd_regex *r, const char *text) {
  for (int begin = 0; text[begin] != '\0'; begin++) {
    uint32_t state = HD_REGEX_START;
    for (const char *t = text + begin; state != HD_REGEX_DEAD && !r->accepts[state]; t++)
      state = hd_regex_next(r, state, (unsigned char)*t);
    if (r->accepts[state]) return begin;
  }
  return -1;
}

static int plain_place(const regex_t *plain, const char *text) {
  regmatch_t match;
  return regexec(plain, text, 1, &match, 0) == 0 ? match.rm_so : -1;
}

TEST(test_automaton) {
  const char *const expressions[] = {"abc",        "a|bc",           "(ab)+c",      "a.c",         "[a-c]d?[^a]",
                                     "(a|b)*c",    "((ab|c)+|d)ee*", "a+b+c+",      "\\.a",        "(a|ab)(c|bcd)(d*)",
                                     "[]a-]b|[-]", "(a?b?c)+d",      "x|(a|)b(|c)", "a(b(c|d)*)+", HD_REGX_DEFAULT};
  uint32_t random = 1;
  unsigned matches = 0;
  for (unsigned k = 0; k < sizeof expressions / sizeof *expressions; k++) {
    struct hd_regex r;
    regex_t plain;
    if (!hd_regex_compile(expressions[k], &r, err, sizeof err)) fail_msg("%s", err);
    assert_int_equal(regcomp(&plain, expressions[k], REG_EXTENDED), 0);
    for (unsigned n = 0; n < 2000; n++) {
      char text[16];
      unsigned length = n % 15;
      for (unsigned i = 0; i < length; i++) {
        random = random * 1664525 + 1013904223;
        text[i] = "abcdefgh.-]\n"[(random >> 16) % (k % 2 == 0 ? 5 : 12)];
      }
      text[length] = '\0';
      const int wanted = plain_place(&plain, text);
      if (place(&r, text) != wanted)
        fail_msg("%s in '%s': at %d, not %d", expressions[k], text, place(&r, text), wanted);
      matches += wanted >= 0;
    }
    regfree(&plain);
    hd_regex_free(&r);
  }
  assert_in_range(matches, 3000, 27000);
}

static void refused(const char *expression, const char *says) {
  struct hd_regex r;
  assert_false(hd_regex_compile(expression, &r, err, sizeof err));
  if (strstr(err, says) == NULL) fail_msg("'%s' is not in: %s", says, err);
}

TEST(test_refused) {
  char text[80];
  refused("(a", "a '(' without");
  refused("a)", "a ')' without");
  refused("[a", "a '[' without");
  refused("[z-a]", "a range whose end is below its start");
  refused("[[:alpha:]]", "a class by name");
  refused("^a", "in a place that is not supported");
  refused("a{2}", "in a place that is not supported");
  refused("*", "in a place that is not supported");
  refused("a\\", "at its end");
  refused("", "the empty text");
  refused("(a|b?)", "the empty text");
  memset(text, 'a', 65);
  text[65] = '\0';
  refused(text, "too long");
  refused("(a|b)*a(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)", "more than 1024 states");
}

TEST(test_packets) {
  struct hd_rows rows;
  const char *path = temp_text("p.txt", "ab\ncd\n\n\nxxcde\nacd\n\nno\n\ncd");
  if (!hd_rows_read(path, true, &rows, err, sizeof err)) fail_msg("%s", err);
  const struct hd_rounds_data data = {.rows = &rows, .expression = "a?cd|b.c"};
  const struct hd_rounds_opts o = {.problems = 1, .block_size = 2, .num_hwq = 1, .cycles_per_element = 1};
  struct hd_rounds *r = hd_rounds_new(&hd_regx, &data, &o);
  assert_non_null(r);
  const struct hd_work w = hd_rounds_work(r);
  struct hd_launch l = {0};
  const uint32_t wanted[] = {1, 2, HD_REGX_NONE, 0};
  uint32_t wrong = 1;
  assert_true(w.next(w.ctx, 0, &l));
  assert_int_equal(l.ctas, 2);
  /* "no" and a line end: each a turn; "cd" and a line end: c and d, then one for d and one for the end. */
  assert_int_equal(w.duration(w.ctx, 0, 1), 4);
  for (uint32_t b = 0; b < 2; b++) w.cta_done(w.ctx, 0, b);
  w.kernel_done(w.ctx, 0, 0);
  assert_true(w.finished(w.ctx));
  assert_memory_equal(hd_regx_places(r, 0), wanted, sizeof wanted);
  assert_true(hd_rounds_check(r, &wrong));
  assert_int_equal(wrong, 0);
  hd_rounds_free(r);
  hd_rows_free(&rows);
}

TEST_MAIN("regx", temp_setup, temp_teardown)
