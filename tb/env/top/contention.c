/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/top/contention.h"

#include "gen/hd_regs_map.h"

void hd_contention_begin(struct hd_contention *c, const struct hd_rng *rng, struct hd_top_in *in, uint32_t *config) {
  *c = (struct hd_contention){.rng = *rng};
  config[HD_CONFIG_THROTTLE] = hd_rng_below(&c->rng, 2);
  in->cycles = (uint32_t)hd_rng_bits(&c->rng, 32);
  in->dram_full = (uint32_t)hd_rng_bits(&c->rng, 32);
  in->icnt2sm = (uint32_t)hd_rng_bits(&c->rng, 32);
  config[HD_CONFIG_THROTTLE_EPOCH] = hd_rng_below(&c->rng, hd_rng_p(&c->rng, 192) ? 66 : 300);
  config[HD_CONFIG_THROTTLE_BAND] = hd_rng_p(&c->rng, 224) ? hd_rng_below(&c->rng, 9) : UINT32_C(1) << 31;
}

void hd_contention_drive(struct hd_contention *c, struct hd_top_in *in) {
  enum { BURST = 6 };
  if (!hd_rng_below(&c->rng, 150)) c->storm = hd_rng_p(&c->rng, 128) ? 0 : hd_rng_below(&c->rng, 256);
  in->cycles++;
  if (hd_rng_p(&c->rng, c->storm)) in->dram_full += hd_rng_below(&c->rng, BURST);
  in->icnt2sm += hd_rng_p(&c->rng, c->storm);
}
