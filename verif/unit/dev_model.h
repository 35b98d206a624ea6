/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_model: runs the scripts of dev_script.h on the golden model alone. */
#ifndef HD_UNIT_DEV_MODEL_H
#define HD_UNIT_DEV_MODEL_H

#include "unit/dev_script.h"

static struct hd_top *m;

static void engine_cycle(void) {
  hd_top_cycle(m, &in, &out);
}

/* Starts a plane of this configuration with memory regions of the usual sizes. */
static inline void begin_with(struct hd_cfg c, const struct hd_axi_profile *memory) {
  m = ut_new(hd_top_size(&c));
  hd_top_init(m, &c);
  script_begin(c, memory);
  regions(256, c.pool_rows, c.num_kin);
}

static inline void begin(const char *config) {
  begin_with(ut_cfg_hashed(config), &fast);
}

/* Runs until all work is finished and checks that no work was lost. */
static inline void end(void) {
  drain(3000);
  script_end();
  free(m);
}

#endif
