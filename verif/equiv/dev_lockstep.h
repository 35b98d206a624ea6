/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_lockstep: runs the scripts of dev_script.h on the RTL, in lockstep with the model. */
#ifndef HD_EQUIV_DEV_LOCKSTEP_H
#define HD_EQUIV_DEV_LOCKSTEP_H

/* clang-format off */
#include "equiv/cases.h"
#include "unit/dev_script.h"
/* clang-format on */

static struct hd_sim *sim;

static void engine_cycle(void) {
  const void *shown;
  enum hd_verdict v = hd_sim_cycle(sim, &in, &shown);
  if (v) {
    hd_sim_print_diff(sim, stderr);
    struct hd_failure f = hd_sim_failure(sim);
    fail_msg("%s in cycle %llu: %s", hd_verdict_name(v), (unsigned long long)f.cycle, f.label);
  }
  memcpy(&out, shown, sizeof out);
}

static inline void begin(const char *config, const struct hd_axi_profile *memory) {
  char err[512];
  struct hd_sim_opts o = {.block = "top", .cfg = hd_case_cfg(config), .seed = 1, .test = "directed"};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  script_begin(o.cfg, memory);
  regions(256, o.cfg.pool_rows, o.cfg.num_kin);
}

static inline void end(void) {
  drain(3000);
  script_end();
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

#endif
