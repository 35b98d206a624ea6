/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/smxs.h"

#include <string.h>

void hd_smxs_init(struct hd_smxs *s, const struct hd_cfg *cfg) {
  s->cfg = *cfg;
  hd_smxs_reset(s);
}

void hd_smxs_reset(struct hd_smxs *s) {
  memset(s->runs, 0, sizeof s->runs);
}

void hd_smxs_follow(struct hd_smxs *s, const uint8_t *valid, const struct hd_dispatch *dispatch, const uint8_t *ready) {
  for (unsigned k = 0; k < s->cfg.num_smx; k++)
    if (valid[k] && ready[k]) s->runs[k] |= 1u << dispatch[k].slot;
}

/* Returns the index of the nth set bit. */
static unsigned nth_bit(uint32_t mask, unsigned n) {
  while (n--) mask &= mask - 1;
  return (unsigned)__builtin_ctz(mask);
}

void hd_smxs_drive(struct hd_smxs *s, struct hd_rng *rng, const struct hd_profile *p, uint8_t *ready,
                   uint8_t *done_valid, uint8_t *done_slot) {
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    uint64_t r = hd_rng_next(rng);
    ready[k] = (r & 255) < p->sink;
    done_valid[k] = done_slot[k] = 0;
    if ((r >> 8 & 1023) < p->bad) {
      done_valid[k] = 1;
      done_slot[k] = (uint8_t)((r >> 20) % s->cfg.ctas_per_smx);
      s->runs[k] &= ~(1u << done_slot[k]);
    } else if (s->runs[k] && (r >> 32 & 1023) < p->source) {
      done_valid[k] = 1;
      done_slot[k] = (uint8_t)nth_bit(s->runs[k], (unsigned)((r >> 44) % (unsigned)__builtin_popcount(s->runs[k])));
      s->runs[k] &= ~(1u << done_slot[k]);
    }
  }
}
