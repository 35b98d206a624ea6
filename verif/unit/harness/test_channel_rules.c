/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The rules of a channel: the paper's example step by step; actions that each rule forbids; and legal random runs in
 * which no element is lost or duplicated and the control array never holds more than 2C - 1 offsets. */
#include "oracle/channel_rules.h"
#include "unit/util.h"

static struct hd_channel_rules c;

static void fine(const char *rule) {
  if (rule) fail_msg("'%s' is named", rule);
}

static void names(const char *rule, const char *want) {
  if (!rule || strcmp(rule, want) != 0) fail_msg("'%s' is named, not '%s'", rule ? rule : "nothing", want);
}

static void channel(uint32_t capacity, uint32_t grain) {
  hd_channel_rules_init(&c, capacity, grain);
}

/* Moves n elements from `base` on through all their states, up to a given one. */
static void until(uint32_t base, uint32_t n, enum hd_ce state) {
  const uint32_t start = c.dispatched & (2 * c.capacity - 1);
  fine(hd_channel_reserve(&c, base, n));
  if (state >= HD_CE_SENT) fine(hd_channel_enqueue(&c, base, n));
  if (state >= HD_CE_READY) fine(hd_channel_publish(&c, n));
  if (state >= HD_CE_DISPATCHED) fine(hd_channel_dispatch(&c, start, n));
  if (state >= HD_CE_DONE) fine(hd_channel_done(&c, base, n));
}

static void elements(const char *states) {
  for (uint32_t k = 0; states[k]; k++)
    if ("arsRdD"[c.element[k]] != states[k]) fail_msg("element %u is %c, not %c", k, "arsRdD"[c.element[k]], states[k]);
}

/* ---- figure 4 of channels-isca2014 ---- */

/* Two wavefronts of four: 0 reserves first, 1 is published and dispatched first, and done first; its space is freed
 * only with that of 0. Each element has a done count of its own. */
TEST(test_figure_4) {
  channel(8, 1);
  fine(hd_channel_reserve(&c, 0, 4)); /* t1 */
  elements("rrrraaaa");
  fine(hd_channel_reserve(&c, 4, 4)); /* t2, t3 */
  elements("rrrrrrrr");
  fine(hd_channel_enqueue(&c, 4, 4)); /* t4, t5 */
  elements("rrrrssss");
  fine(hd_channel_publish(&c, 4)); /* t6 */
  elements("rrrrRRRR");
  assert_int_equal(hd_channel_ready(&c), 4);
  fine(hd_channel_dispatch(&c, 0, 4)); /* t7 */
  elements("rrrrdddd");
  assert_int_equal(hd_channel_place(&c, 0), 4);
  fine(hd_channel_enqueue(&c, 0, 4)); /* t8 */
  fine(hd_channel_publish(&c, 4));
  elements("RRRRdddd");
  fine(hd_channel_dispatch(&c, 4, 4)); /* t9 */
  fine(hd_channel_done(&c, 4, 4));
  elements("ddddDDDD");
  assert_int_equal(hd_channel_place(&c, 4), 0);
  assert_false(hd_channel_fits(&c, 1));
  fine(hd_channel_done(&c, 0, 4));     /* t10 */
  assert_true(hd_channel_fits(&c, 8)); /* t11 */
  assert_true(hd_channel_empty(&c));
}

/* ---- forbidden actions ---- */

TEST(test_grants) {
  channel(8, 1);
  names(hd_channel_reserve(&c, 6, 3), "a grant is empty or not contiguous");
  names(hd_channel_reserve(&c, 8, 1), "a grant is empty or not contiguous");
  until(0, 5, HD_CE_RESERVED);
  names(hd_channel_reserve(&c, 6, 1), "a grant starts neither at the tail nor at place 0");
  names(hd_channel_reserve(&c, 0, 2), "elements are granted that are not free");
  fine(hd_channel_reserve(&c, 5, 3));
  names(hd_channel_reserve(&c, 0, 1), "elements are granted that are not free");
  assert_false(hd_channel_fits(&c, 1));
}

/* The places skipped by a grant at place 0 are done at once; they are freed when all before them are. */
TEST(test_skip) {
  channel(8, 1);
  until(0, 4, HD_CE_DONE);
  until(4, 3, HD_CE_DISPATCHED);
  assert_true(hd_channel_fits(&c, 4));
  assert_false(hd_channel_fits(&c, 5));
  until(0, 4, HD_CE_RESERVED);
  elements("rrrrdddD");
  assert_false(hd_channel_fits(&c, 1));
  fine(hd_channel_done(&c, 4, 3));
  assert_true(hd_channel_fits(&c, 4));
  fine(hd_channel_reserve(&c, 4, 4));
}

/* An empty channel has room for all places, at any position of its tail. */
TEST(test_empty) {
  channel(8, 4);
  until(0, 3, HD_CE_DONE);
  assert_true(hd_channel_empty(&c));
  assert_true(hd_channel_fits(&c, 8));
  until(0, 8, HD_CE_DISPATCHED);
}

/* Places are freed in whole grains. */
TEST(test_grains) {
  channel(8, 4);
  until(0, 4, HD_CE_DISPATCHED);
  until(4, 4, HD_CE_DISPATCHED);
  fine(hd_channel_done(&c, 0, 3));
  assert_false(hd_channel_fits(&c, 1));
  fine(hd_channel_done(&c, 3, 1));
  assert_true(hd_channel_fits(&c, 4));
}

TEST(test_lives) {
  channel(8, 1);
  names(hd_channel_enqueue(&c, 0, 1), "an element is enqueued that is not reserved");
  names(hd_channel_publish(&c, 1), "more is published than was enqueued");
  names(hd_channel_dispatch(&c, 0, 1), "an element is dispatched before it is published");
  names(hd_channel_done(&c, 0, 1), "an element is done that is not dispatched");
  until(0, 2, HD_CE_SENT);
  names(hd_channel_enqueue(&c, 1, 1), "an element is enqueued that is not reserved");
  names(hd_channel_dispatch(&c, 0, 1), "an element is dispatched before it is published");
  fine(hd_channel_publish(&c, 2));
  names(hd_channel_publish(&c, 1), "more is published than was enqueued");
  names(hd_channel_done(&c, 0, 1), "an element is done that is not dispatched");
  names(hd_channel_dispatch(&c, 1, 1), "elements are dispatched twice, or skipped");
  fine(hd_channel_dispatch(&c, 0, 1));
  names(hd_channel_dispatch(&c, 0, 1), "elements are dispatched twice, or skipped");
  names(hd_channel_dispatch(&c, 1, 2), "an element is dispatched before it is published");
  fine(hd_channel_done(&c, 0, 1));
  names(hd_channel_done(&c, 0, 1), "an element is done that is not dispatched");
}

/* ---- the control array ---- */

/* The last of the first C elements is enqueued first and done last: C - 1 others follow it twice. */
TEST(test_widest) {
  channel(8, 1);
  until(0, 8, HD_CE_RESERVED);
  fine(hd_channel_enqueue(&c, 7, 1));
  fine(hd_channel_enqueue(&c, 0, 7));
  fine(hd_channel_publish(&c, 8));
  fine(hd_channel_dispatch(&c, 0, 8));
  fine(hd_channel_done(&c, 0, 7));
  fine(hd_channel_reserve(&c, 0, 7));
  fine(hd_channel_enqueue(&c, 0, 7));
  assert_int_equal(c.span, 15);
}

/* ---- random ---- */

struct batch {
  uint32_t base, n, control;
  enum hd_ce state;
};

/* Batches of up to `most` elements that advance in any order; `base` is the start of a grant that fits. */
static void run(uint64_t seed, uint32_t capacity, uint32_t grain, uint32_t most) {
  struct batch b[64] = {{0}};
  uint32_t entered = 0, left = 0;
  channel(capacity, grain);
  for (unsigned t = 0; t < 20000; t++) {
    struct batch *x = &b[ut_below(&seed, 64)];
    const uint32_t n = 1 + (uint32_t)ut_below(&seed, most), tail = (c.head + c.used) & (capacity - 1);
    switch (x->state) {
      case HD_CE_AVAILABLE:
        if (!hd_channel_fits(&c, n)) break;
        *x = (struct batch){tail + n > capacity || hd_channel_empty(&c) ? 0 : tail, n, 0, HD_CE_RESERVED};
        fine(hd_channel_reserve(&c, x->base, n));
        entered += n;
        break;
      case HD_CE_RESERVED:
        x->control = c.reserved;
        fine(hd_channel_enqueue(&c, x->base, x->n));
        fine(hd_channel_publish(&c, x->n));
        x->state = HD_CE_READY;
        break;
      case HD_CE_READY:
        if (x->control != c.dispatched) break;
        assert_int_equal(hd_channel_place(&c, x->control), x->base);
        fine(hd_channel_dispatch(&c, x->control & (2 * capacity - 1), x->n));
        x->state = HD_CE_DISPATCHED;
        break;
      default:
        fine(hd_channel_done(&c, x->base, x->n));
        left += x->n;
        *x = (struct batch){0};
    }
    assert_true(entered >= left && entered - left <= capacity);
  }
  assert_true(left > 4 * capacity);
}

TEST(test_random) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    run(seed, 8, 1, 4);
    run(seed, 16, 4, 16);
    run(seed, 64, 64, 64);
    run(seed, 256, 64, 64);
  }
}

TEST_MAIN("channel_rules", NULL, NULL)
