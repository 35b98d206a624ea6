/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* smxs: random SMXs for the drivers of sched and top. Each accepts TBs at random, holds them for a random time, and
 * reports them as done; an illegal one also reports empty slots. */
#ifndef HD_SMXS_H
#define HD_SMXS_H

#include "engine/block_driver.h"

struct hd_smxs {
  struct hd_cfg cfg;
  uint32_t runs[HD_MAX_NUM_SMX]; /* slots with a running TB */
};

void hd_smxs_init(struct hd_smxs *s, const struct hd_cfg *cfg);
void hd_smxs_reset(struct hd_smxs *s);
/* Processes the grants of the previous cycle. */
void hd_smxs_follow(struct hd_smxs *s, const uint8_t *valid, const struct hd_dispatch *dispatch, const uint8_t *ready);
/* Sets ready and completions of the next cycle. */
void hd_smxs_drive(struct hd_smxs *s, struct hd_rng *rng, const struct hd_profile *p, uint8_t *ready,
                   uint8_t *done_valid, uint8_t *done_slot);

#endif
