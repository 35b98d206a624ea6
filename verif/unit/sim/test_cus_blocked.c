/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Counts of wavefronts for which a CU could be blocked: full wavefronts, and partial ones that are held back. Uses a
 * graph of three channels with wavefronts of 4: tasks of level 0, tasks of level 1, and sums of level 1, which wait for
 * deeper levels. */
#include "sim/cus_inside.h"
#include "unit/util.h"

enum { TASKS_0, TASKS_1, SUMS, CHANS };

static struct hd_cus *s;

static void none(struct hd_channels_wave *w, void *ctx) {
  (void)w;
  (void)ctx;
}

static int setup(void **state) {
  (void)state;
  s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->cfg = ut_cfg("tiny");
  s->g = hd_channels_new(&s->cfg);
  assert_non_null(s->g);
  const int tasks = hd_channels_stack(s->g, "tasks", 4, 16, 0, 2, false),
            sums = hd_channels_channel(s->g, "sums", 4, 16, 1, true);
  hd_channels_output(s->g, hd_channels_kernel(s->g, "task", tasks, none, NULL), tasks, 1, 2);
  hd_channels_kernel(s->g, "sum", sums, none, NULL);
  assert_int_equal(hd_channels_check(s->g), HD_CHANNELS_OK);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  hd_channels_free(s->g);
  free(s);
  return 0;
}

static void holds(unsigned chan, unsigned ready) {
  s->chan[chan].ready = s->chan[chan].live = ready;
}

TEST_F(test_whole) {
  holds(TASKS_1, 8);
  assert_int_equal(hd_cus_could_go(s), 2);
  s->chan[TASKS_0].runs = 1;
  assert_int_equal(hd_cus_could_go(s), 2);
}

/* A partial wavefront counts once no producer runs, whatever else does. */
TEST_F(test_partial) {
  holds(TASKS_1, 7);
  s->chan[TASKS_0].runs = 1;
  assert_int_equal(hd_cus_could_go(s), 1);
  s->chan[TASKS_0].runs = 0;
  s->chan[TASKS_1].runs = s->chan[SUMS].runs = 1;
  s->running = 2;
  assert_int_equal(hd_cus_could_go(s), 2);
  holds(TASKS_0, 1);
  assert_int_equal(hd_cus_could_go(s), 3);
}

/* Wavefronts of its own level add to a levelized channel, if they are before it. */
TEST_F(test_levelized) {
  holds(SUMS, 2);
  assert_int_equal(hd_cus_could_go(s), 1);
  s->chan[TASKS_1].runs = 1;
  assert_int_equal(hd_cus_could_go(s), 0);
  s->chan[TASKS_1].runs = 0;
  s->chan[SUMS].runs = 1;
  assert_int_equal(hd_cus_could_go(s), 1);
}

TEST_MAIN("cus_blocked", NULL, NULL)
