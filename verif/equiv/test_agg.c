/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Timing of the aggregator, measured on the RTL in lockstep with the model. */
#include <string.h>

/* clang-format off */
#include "equiv/cases.h"
#include "gen/hd_agg_ports.h"
/* clang-format on */

enum { WAVES = 1000 };

static struct hd_sim *sim;
static struct hd_cfg cfg;
static struct hd_agg_in in;
static const struct hd_agg_out *out;

static void start(const char *config) {
  char err[256];
  cfg = hd_case_cfg(config);
  const struct hd_sim_opts opts = {.block = "agg", .cfg = cfg, .seed = 1, .test = "agg"};
  sim = hd_sim_open(&opts, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  memset(&in, 0, sizeof in);
}

static void stop(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Runs one cycle; its offers are then cleared. */
static void cycle(void) {
  const void *seen;
  assert_int_equal(hd_sim_cycle(sim, &in, &seen), HD_PASS);
  out = seen;
  memset(&in, 0, sizeof in);
}

static void open_channel(unsigned chan, unsigned level) {
  in.set_valid = 1;
  in.set = (struct hd_chanset){.chan = (uint8_t)chan,
                               .cap = (uint8_t)cfg.chan_cap,
                               .level = (uint8_t)level,
                               .threshold = (uint8_t)cfg.wave_lanes};
  cycle();
}

static void publish(unsigned chan) {
  in.pub_valid = 1;
  in.pub_chan = (uint8_t)chan;
  in.pub_count = (uint8_t)cfg.wave_lanes;
}

/* In each cycle one wavefront is published, one goes and one ends, alternately of two channels of two levels. */
static void rate(const char *config) {
  unsigned gone = 0, first = 0, last = 0;
  start(config);
  open_channel(0, 0);
  open_channel(1, 1);
  cycle();
  for (unsigned t = 0; gone < WAVES; t++) {
    assert_true(t < 2 * WAVES);
    if (out->go_valid) {
      first = gone++ ? first : t;
      last = t;
      in.end_valid[out->go.cu] = 1;
      in.end_slot[out->go.cu] = out->go.slot;
    }
    publish(t & 1);
    cycle();
  }
  print_message("%s: %u wavefronts in %u cycles\n", config, gone, last - first + 1);
  assert_int_equal(last - first + 1, WAVES);
  stop();
}

TEST(test_rate) {
  rate("tiny");
}

/* From the publication that fills a wavefront to its go: three cycles, namely publication, its detection, and
 * choice. */
TEST(test_latency) {
  unsigned t = 0;
  start("tiny");
  open_channel(0, 0);
  cycle();
  publish(0);
  for (cycle(); !out->go_valid; t++) cycle();
  print_message("published in t, gone in t + %u\n", t);
  assert_int_equal(t, 3);
  stop();
}

/* Runs cycles without inputs until a wavefront goes. */
static void until_go(void) {
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    if (out->go_valid) return;
  }
  fail_msg("no wavefront goes");
}

static void end_of(unsigned cu, unsigned slot) {
  in.end_valid[cu] = 1;
  in.end_slot[cu] = (uint8_t)slot;
  cycle();
}

/* While a restart of level 0 waits for a slot, two channels of level 1 are set up, and a number between them is left
 * out. New work of either goes before the restart. */
TEST(test_gap) {
  start("tiny");
  open_channel(0, 0);
  for (unsigned k = 0; k < cfg.chan_slots; k++) {
    publish(0);
    until_go();
  }
  in.yield_valid = 1;
  in.yield = (struct hd_chanyield){.n = 1};
  cycle();
  publish(0);
  until_go(); /* into its slot */
  in.back_valid = 1;
  cycle();
  open_channel(1, 1);
  open_channel(3, 1);
  publish(3);
  cycle();
  end_of(0, 0);
  until_go();
  assert_int_equal(out->go.own, 3);
  end_of(0, 1);
  until_go();
  assert_true(out->go.restart);
  stop();
}

TEST_MAIN("agg", NULL, NULL)
