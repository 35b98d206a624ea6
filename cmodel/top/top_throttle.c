/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The throttle in one cycle of the plane: the SMXs open to unbound TBs, and its edge. */
#include <string.h>

#include "top/top_inside.h"

void hd_top_settle_throttle(const struct hd_top *m, struct hd_top_wires *w) {
  const unsigned n = hd_top_throttle(m)->n;
  if (n == m->num_smx) return;
  memset(w->open, 0, sizeof w->open);
  for (unsigned s = 0; s < n; s++) hd_bit_set(w->open, s);
  w->env.open = w->open;
}

void hd_top_step_throttle(struct hd_top *m, const struct hd_top_in *in) {
  if (HD_TOP_LEFT_OUT(m, throttle)) return;
  const uint32_t *config = hd_top_regs(m)->config;
  const struct hd_throttle_in i = {.regs_config.throttle = config[HD_CONFIG_THROTTLE] & 1,
                                   .regs_config.throttle_epoch = config[HD_CONFIG_THROTTLE_EPOCH],
                                   .regs_config.throttle_band = config[HD_CONFIG_THROTTLE_BAND],
                                   .sched_unassigned = hd_top_sched(m)->unassigned,
                                   .cycles = in->cycles,
                                   .dram_full = in->dram_full,
                                   .icnt2sm = in->icnt2sm};
  hd_throttle_tick(throttle_of(m), &i);
}
