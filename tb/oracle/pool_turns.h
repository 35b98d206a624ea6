/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_turns: a rule of pool for its oracle: streams and banks whose next kernel has the highest level take turns.
 * While one of them surely could be picked and is not, no other is picked twice. */
#ifndef HD_POOL_TURNS_H
#define HD_POOL_TURNS_H

#include <stdint.h>

#include "gen/hd_types.h"

struct hd_pool_turns {
  uint8_t sure[HD_MAX_POOL_TURNS];   /* level with which it surely could be picked in this cycle; 0: it may not be */
  uint8_t before[HD_MAX_POOL_TURNS]; /* the same, of the cycle before, */
  uint8_t picked[HD_MAX_POOL_TURNS]; /* and of the one before that, in which was picked what is offered from now on */
  uint8_t passed[HD_MAX_POOL_TURNS][HD_MAX_POOL_TURNS]; /* who was picked while it might have been */
};

/* The turn surely could be picked in this cycle, with this level; of several levels the highest counts. */
static inline void hd_pool_turns_may(struct hd_pool_turns *t, unsigned turn, unsigned level) {
  if (level > t->sure[turn]) t->sure[turn] = (uint8_t)level;
}

/* One of n turns is offered from this cycle on, with this level. What is wrong with that, or NULL. */
const char *hd_pool_turns_offered(struct hd_pool_turns *t, unsigned n, unsigned turn, unsigned level);

/* One was picked, and it is not known which. */
void hd_pool_turns_lost(struct hd_pool_turns *t);

/* The cycle ends. */
void hd_pool_turns_end(struct hd_pool_turns *t);

#endif
