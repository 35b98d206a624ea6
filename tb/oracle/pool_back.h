/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_back: a rule of pool for its oracle: which queue's oldest kernel comes back from memory. Under another policy
 * than Rr it is one of the highest level: of a bank's queue its own, of a stream's the highest of its kernels that went
 * to memory since it had none there. The choice itself does not show. It is made after the read before was first asked
 * for, less two cycles; so a queue competes if it could have come back in all cycles since then. */
#ifndef HD_POOL_BACK_H
#define HD_POOL_BACK_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

struct hd_pool_back {
  uint32_t now;                       /* cycles */
  uint32_t asked;                     /* the cycle in which the last read was first asked for */
  uint16_t there[HD_MAX_POOL_QUEUES]; /* kernels in memory that were not asked for */
  uint8_t level[HD_MAX_POOL_QUEUES];  /* of the queue */
  uint8_t before[HD_MAX_POOL_QUEUES]; /* the same when the last read was asked for */
  uint32_t able[HD_MAX_POOL_QUEUES];  /* since when the oldest could come back; 0: it can not */
};

/* A cycle begins, in which the oldest kernels of these queues in memory may come back. */
void hd_pool_back_cycle(struct hd_pool_back *b, unsigned queues, const bool *may);

/* A kernel of this level goes to memory. */
void hd_pool_back_written(struct hd_pool_back *b, unsigned queue, unsigned level);

/* The oldest kernel of a queue in memory is first asked for. What is wrong with that, or NULL. */
const char *hd_pool_back_asked(struct hd_pool_back *b, unsigned queues, unsigned queue);

#endif
