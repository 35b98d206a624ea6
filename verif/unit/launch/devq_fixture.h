/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the devq tests: a plane without errors, beats that SMXs offer, and their answers. */
#ifndef HD_DEVQ_FIXTURE_H
#define HD_DEVQ_FIXTURE_H

#include "launch/devq.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_devq *m;
static struct hd_devq_in in;
static struct hd_devq_out out;

/* A plane without errors: searches end at once in KDE 3, and slots run TBs of KDE 5 at level 1. */
static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_devq_size(&cfg));
  hd_devq_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.match_found.hit = 1;
  in.match_found.kdei = 3;
  in.sched_look = (struct hd_look){.valid = 1, .kdei = 5, .level = 1};
  in.ovfq_room = in.pool_room.ready = in.pool_room.two = in.susp_save_room = in.kin_free.valid = 1;
  in.spill_rows = (uint8_t)cfg.spill_depth;
  memset(in.laperm_bank_room, 7, cfg.num_bank);
  in.kin_free.kin = 40;
  in.kd_kin_valid[5] = in.kd_save_ok[5] = 1;
  in.kd_kin[5] = 17;
  in.regs_config.rec_count = 1000;
  in.regs_config.sus_count = 128;
  memset(in.pool_stream_ok, 1, cfg.num_streams);
  memset(in.dev_answer_ready, 1, cfg.num_smx);
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and accepted beats are no longer offered. A requested search ends when
 * `in.found` is set. */
static inline void step(void) {
  hd_devq_eval(m, &in, &out);
  hd_devq_tick(m, &in);
  for (unsigned s = 0; s < cfg.num_smx; s++)
    if (out.dev_launch_ready[s]) in.dev_launch_valid[s] = 0;
}

/* The same, with each search ending in the cycle of its request. */
static inline void cycle(void) {
  in.match_found.valid = 0;
  hd_devq_eval(m, &in, &out);
  in.match_found.valid = out.find.valid;
  step();
}

static inline struct hd_devlaunch beat(enum hd_kind kind, bool last) {
  struct hd_launch l = ut_launch(0, 0);
  struct hd_devlaunch d = {.kind = (uint8_t)kind, .last = last, .lane = 7, .slot = 4, .hwtid = 300, .record = 12};
  d.desc = l.desc;
  d.desc.param = 0x4000;
  d.threads = l.threads;
  d.regs = l.regs;
  d.smem = l.smem;
  d.ctas = l.ctas;
  return d;
}

static inline void offer(unsigned smx, struct hd_devlaunch d) {
  in.dev_launch_valid[smx] = 1;
  in.dev_launch[smx] = d;
}

/* Runs until the SMX's answer, takes it and returns its code. */
static inline int answer(unsigned smx) {
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    if (out.dev_answer_valid[smx]) return out.dev_answer[smx].code;
  }
  return -1;
}

static inline int answer_to(struct hd_devlaunch d) {
  offer(0, d);
  return answer(0);
}

static inline struct hd_devq_arch *arch(void) {
  static struct hd_devq_arch a;
  hd_devq_arch(m, &a, true);
  return &a;
}

#endif
