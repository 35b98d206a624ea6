/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_back: a rule of pool: which queue's oldest kernel returns from memory. Under a policy other than Rr it is one of
 * the highest level: for a bank's queue its own level, for a stream's the highest of its kernels written to memory
 * since the stream last had none there. The choice itself is not visible: it is made after the first request of the
 * previous read, less two cycles. A queue therefore competes if it could return a kernel in all cycles since then. */
#ifndef HD_POOL_BACK_H
#define HD_POOL_BACK_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

struct hd_pool_back {
  uint32_t now;                       /* cycles */
  uint32_t asked;                     /* cycle in which the last read was first requested */
  uint16_t there[HD_MAX_POOL_QUEUES]; /* kernels in memory that are not requested yet */
  uint8_t level[HD_MAX_POOL_QUEUES];  /* level of the queue */
  uint8_t before[HD_MAX_POOL_QUEUES]; /* the same, at the request of the last read */
  uint32_t able[HD_MAX_POOL_QUEUES];  /* cycle since which the oldest could return; 0: it cannot */
};

/* Starts a cycle; may[q]: the oldest kernel of queue q in memory may return. */
void hd_pool_back_cycle(struct hd_pool_back *b, unsigned queues, const bool *may);

/* A kernel of this level is written to memory. */
void hd_pool_back_written(struct hd_pool_back *b, unsigned queue, unsigned level);

/* The oldest kernel in memory of a queue is requested. Returns the broken rule or NULL. */
const char *hd_pool_back_requested(struct hd_pool_back *b, unsigned queues, unsigned queue);

#endif
