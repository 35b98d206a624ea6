/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* holds: long stalls of the plane's clients. From time to time one sink, of one SMX or of all, accepts nothing for a
 * hundred to some thousand cycles while everything else continues; or no client launches, and then all do. Two stalls
 * may overlap. */
#ifndef HD_HOLDS_H
#define HD_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/rng.h"

enum hd_hold {
  HD_HOLD_NONE,
  HD_HOLD_HOST_ANSWER, /* these four, AW, W and AR are held longer, since an offer takes a while */
  HD_HOLD_KERNEL_DONE,
  HD_HOLD_RECORD_DONE,
  HD_HOLD_DEV_ANSWER, /* these three: of one SMX, or of all */
  HD_HOLD_DISPATCH,
  HD_HOLD_TB_ENDS,
  HD_HOLD_AW, /* channels of the memory, in the order of axi_mem.h */
  HD_HOLD_W,
  HD_HOLD_AR,
  HD_HOLD_R,
  HD_HOLD_B,
  HD_HOLD_LAUNCHES, /* nothing new is offered, */
  HD_HOLD_BURST,    /* and then everything at once */
  HD_HOLDS
};

struct hd_holds {
  uint8_t on; /* holds occur in this run */
  struct hd_hold_one {
    uint8_t what;
    uint16_t smx;  /* or HD_HOLD_ALL */
    uint16_t left; /* cycles */
  } one[2];
};

enum { HD_HOLD_ALL = 0xffff };

/* Advances one cycle. `release` ends all holds and starts no new one. */
void hd_holds_step(struct hd_holds *h, struct hd_rng *rng, uint32_t num_smx, bool release);
/* Returns true if the sink is held now; `smx` applies to sinks of SMXs. */
bool hd_held(const struct hd_holds *h, enum hd_hold what, unsigned smx);

#endif
