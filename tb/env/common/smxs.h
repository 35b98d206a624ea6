/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* smxs: random SMXs for the twins of sched and top: each takes TBs when it likes, holds them for a random time, and
 * reports them as done; a bad one also reports slots that hold nothing. */
#ifndef HD_SMXS_H
#define HD_SMXS_H

#include "engine/twin.h"

struct hd_smxs {
  struct hd_cfg cfg;
  uint32_t runs[HD_MAX_NUM_SMX]; /* slots whose TB runs, a bit each */
};

void hd_smxs_init(struct hd_smxs *s, const struct hd_cfg *cfg);
void hd_smxs_reset(struct hd_smxs *s);
/* What the cycle before handed out. */
void hd_smxs_follow(struct hd_smxs *s, const uint8_t *valid, const struct hd_dispatch *dispatch, const uint8_t *ready);
/* The next cycle's ready and completions. */
void hd_smxs_drive(struct hd_smxs *s, struct hd_rng *rng, const struct hd_profile *p, uint8_t *ready,
                   uint8_t *done_valid, uint8_t *done_slot);

#endif
