/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_turns: a rule of pool: streams and banks whose next kernel has the highest level are served round robin. While
 * one of them could certainly be picked and is not, no other is picked twice. */
#ifndef HD_POOL_TURNS_H
#define HD_POOL_TURNS_H

#include <stdint.h>

#include "gen/hd_types.h"

struct hd_pool_turns {
  uint8_t sure[HD_MAX_POOL_TURNS];   /* level at which it certainly could be picked in this cycle; 0: none */
  uint8_t before[HD_MAX_POOL_TURNS]; /* the same in the cycle before */
  uint8_t picked[HD_MAX_POOL_TURNS]; /* the same two cycles ago, when the kernel now offered was picked */
  uint8_t passed[HD_MAX_POOL_TURNS][HD_MAX_POOL_TURNS]; /* [a][b]: b was picked while a could be */
};

/* The stream or bank could certainly be picked in this cycle, at this level; the highest of several levels counts. */
static inline void hd_pool_turns_may(struct hd_pool_turns *t, unsigned turn, unsigned level) {
  if (level > t->sure[turn]) t->sure[turn] = (uint8_t)level;
}

/* One of n streams and banks is offered from this cycle on. Returns the broken rule or NULL. */
const char *hd_pool_turns_offered(struct hd_pool_turns *t, unsigned n, unsigned turn, unsigned level);

/* A lost kernel was picked, of an unknown stream or bank. */
void hd_pool_turns_lost(struct hd_pool_turns *t);

/* Ends the cycle. */
void hd_pool_turns_end(struct hd_pool_turns *t);

#endif
