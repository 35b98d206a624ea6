/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* clients: random clients shared by several drivers: a host that launches kernels, and an APB master. */
#ifndef HD_CLIENTS_H
#define HD_CLIENTS_H

#include "engine/twin.h"

/* A launch that an empty SMX can hold, or, in p->bad of 256 cases, one that must be refused. `serial` goes into the tag
 * and the parameter address, so that no two kernels look alike. max_ctas bounds the grid. */
struct hd_launch hd_random_launch(struct hd_rng *rng, const struct hd_profile *p, const struct hd_cfg *cfg,
                                  uint32_t serial, uint32_t max_ctas);

struct hd_desc hd_random_desc(struct hd_rng *rng);
/* One whose parameter address no other number gives. */
struct hd_desc hd_numbered_desc(struct hd_rng *rng, uint32_t serial);

/* What a TB needs that an empty SMX can hold; and anything, in every field. Padding stays as it is. */
void hd_random_need(struct hd_rng *rng, const struct hd_cfg *cfg, struct hd_need *n);
void hd_any_need(struct hd_rng *rng, const struct hd_cfg *cfg, struct hd_need *n);

/* Clients of the plane's memory port. */
enum { HD_CLIENT_OVFQ, HD_CLIENT_POOL, HD_CLIENT_SUSP, HD_CLIENT_SPILL, HD_CLIENT_DATS, HD_CLIENT_DGB };

/* One APB transfer at a time: idle, setup, access. */
struct hd_apb_master {
  uint8_t busy; /* 1 after the setup phase */
};
struct hd_apb_pins {
  uint8_t psel, penable, pwrite, pstrb;
  uint16_t paddr;
  uint32_t pwdata;
};
/* The next cycle's pins. Mostly legal reads and writes of mapped registers; counters are preloaded near their wrap. */
void hd_random_apb(struct hd_apb_master *a, struct hd_rng *rng, const struct hd_profile *p, struct hd_apb_pins *pins);

#endif
