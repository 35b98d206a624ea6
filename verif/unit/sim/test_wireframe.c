/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The example of Wireframe's paper on the golden model: the steps of its figure, the rest of the graph, and detection
 * of a difference. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "test_list.h"
#include "work/wireframe.h"

static struct hd_wireframe_run run;

static int setup(void **state) {
  struct hd_cfg cfg;
  char err[512];
  (void)state;
  hd_wireframe_config(&cfg);
  const struct hd_sim_opts o = {
      .block = "dgb", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "example", .oracle = true};
  struct hd_sim *sim = hd_sim_open(&o, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  hd_wireframe_run(sim, &cfg, &run);
  if (run.verdict != HD_PASS) fail_msg("%s: %s", hd_verdict_name(run.verdict), run.text);
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
  return 0;
}

/* Spelt out again: these lines are the specification, independent of those that the command compares with. */
static void shows(char step, unsigned tail, const char *places, const char *pub) {
  const struct hd_wireframe_step *s = &run.step[step - 'a'];
  char text[24], all[100] = "";
  assert_int_equal(s->tail, tail);
  for (unsigned p = 0; p < HD_WIREFRAME_LNA; p++) {
    hd_wireframe_place_text(&s->place[p], text, sizeof text);
    strcat(strcat(all, p ? ", " : ""), text);
  }
  assert_string_equal(all, places);
  hd_wireframe_pub_text(s, text, sizeof text);
  assert_string_equal(text, pub);
}

TEST(test_steps) {
  assert_int_equal(run.steps, HD_WIREFRAME_STEPS);
  shows('a', 0, "0 P 0, 1 W 1, 2 W 1, (3 W 1)", "-");
  shows('b', 1, "-, 1 R 0, 2 R 0, (3 W 1)", "-");
  shows('c', 1, "-, 1 P 0, 2 D 0, (3 W 1)", "4 5");
  shows('d', 3, "-, -, -, (3 R 0)", "4 4 5");
  shows('e', 3, "(4 W 2), (5 W 1), -, (3 R 0)", "4 4 5");
  shows('f', 3, "4 R 0, (5 W 1), -, 3 P 0", "5");
  shows('g', 4, "4 R 0, 5 R 0, 6 W 1, (7 W 2)", "-");
}

/* The edges of 4 and 5 begin at 7 and 9. */
TEST(test_edges) {
  assert_int_equal(run.step[4].place[0].start, 7);
  assert_int_equal(run.step[4].place[1].start, 9);
}

TEST(test_agrees) {
  char text[200];
  for (unsigned k = 0; k < HD_WIREFRAME_STEPS; k++)
    if (!hd_wireframe_agrees(&run.step[k], k, text, sizeof text)) fail_msg("step %u: %s", k, text);
  if (!hd_wireframe_order(&run, text, sizeof text)) fail_msg("%s", text);
}

static void differs(const struct hd_wireframe_step *s, unsigned step, const char *words) {
  char text[200];
  assert_false(hd_wireframe_agrees(s, step, text, sizeof text));
  assert_string_equal(text, words);
}

/* A node, the tail, the PUB, and the order of the TBs. */
TEST(test_difference) {
  struct hd_wireframe_run other = run;
  char text[200];
  differs(&run.step[0], 1, "place 1 has 1 W 1; in the paper 1 R 0");
  other.step[4].updates = 1;
  differs(&other.step[4], 4, "the PUB has 4; in the paper 4 4 5");
  other.step[1].tail = 2;
  differs(&other.step[1], 1, "the tail is at 2; in the paper at 1");
  other.step[2].place[2].there = false;
  differs(&other.step[2], 2, "place 2 has -; in the paper 2 D 0");
  other.cta[2] = 2;
  assert_false(hd_wireframe_order(&other, text, sizeof text));
  other = run;
  other.ran--;
  assert_false(hd_wireframe_order(&other, text, sizeof text));
  assert_string_equal(text, "8 TBs ran, not the nine by diagonals");
}

TEST_MAIN("wireframe", setup, NULL)
