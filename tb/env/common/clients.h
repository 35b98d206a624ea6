/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* clients: random clients shared by several drivers: a host that launches kernels, and an APB master. */
#ifndef HD_CLIENTS_H
#define HD_CLIENTS_H

#include "engine/block_driver.h"

/* Returns a launch that an empty SMX can hold; with probability p->bad / 256 one that must be refused. `serial` is part
 * of the tag and the parameter address, so that all kernels differ. max_ctas limits the TBs of the grid. */
struct hd_launch hd_random_launch(struct hd_rng *rng, const struct hd_profile *p, const struct hd_cfg *cfg,
                                  uint32_t serial, uint32_t max_ctas);

struct hd_desc hd_random_desc(struct hd_rng *rng);
/* Returns a descriptor whose parameter address is unique for `serial`. */
struct hd_desc hd_numbered_desc(struct hd_rng *rng, uint32_t serial);

/* hd_random_need: needs of a TB that an empty SMX can hold. hd_any_need: arbitrary values in all fields. Padding is
 * unchanged. */
void hd_random_need(struct hd_rng *rng, const struct hd_cfg *cfg, struct hd_need *n);
void hd_any_need(struct hd_rng *rng, const struct hd_cfg *cfg, struct hd_need *n);

/* Returns a multiple of a power of two, plus at most 3: the numbers of its last TBs cross it. width: 3 to 32 bits. */
uint32_t hd_crossing_ctas(struct hd_rng *rng, unsigned width);

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
/* Sets the pins of the next cycle: mostly legal reads and writes of mapped registers. Counters are preloaded to values
 * shortly before they wrap. */
void hd_random_apb(struct hd_apb_master *a, struct hd_rng *rng, const struct hd_profile *p, struct hd_apb_pins *pins);

#endif
