/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture for a whole plane: the model, its ports, and the actions of host and SMXs. Included once per test program. */
#ifndef HD_UNIT_PLANE_H
#define HD_UNIT_PLANE_H

#include "top/top.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_top *m;
static struct hd_top_in in;
static struct hd_top_out out;

static inline void start(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_top_size(&cfg));
  hd_top_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(in.dispatch_ready, 1, sizeof in.dispatch_ready);
  in.host_answer_ready = in.kernel_done_ready = 1;
}

static inline int setup(void **state) {
  (void)state;
  start(ut_cfg("k20c"));
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_top_cycle(m, &in, &out);
  in.host_launch_valid = 0;
  memset(in.cta_done_valid, 0, sizeof in.cta_done_valid);
}

/* Offers a kernel of `ctas` TBs of `smem` units each in the next cycle. */
static inline void launch(unsigned hwq, unsigned tag, uint32_t ctas, unsigned smem) {
  in.host_launch_valid = 1;
  in.host_launch = ut_launch(hwq, tag);
  in.host_launch.ctas = in.host_launch.desc.grid_x = ctas;
  in.host_launch.smem = (uint16_t)smem;
}

static inline void done(unsigned smx, unsigned slot) {
  in.cta_done_valid[smx] = 1;
  in.cta_done_slot[smx] = (uint8_t)slot;
}

#endif
