/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_state: what the files of pool_oracle share. pool_oracle: offers, memory, room. pool_back: who comes back. */
#ifndef HD_POOL_STATE_H
#define HD_POOL_STATE_H

#include "env/common/memory.h"
#include "gen/hd_pool_ports.h"
#include "oracle/pool_back.h"
#include "oracle/pool_turns.h"

enum { HD_POOL_WAITING = HD_MAX_POOL_ROWS + 128 };

/* Where a kernel is: it was not in memory; is on its way there; is there; was asked for; came back. */
enum pool_there { NEVER, WRITTEN, READABLE, ASKED, BACK };

/* A line: kernels that keep their order. A stream's; that of stream 0; those of a bank and level, which came without a
 * stream under another policy than Rr. */
struct pool_waits {
  struct hd_devk k;
  uint32_t number; /* of its push */
  uint16_t line;
  uint8_t rank;      /* its level, as levels are compared */
  uint8_t failed;    /* memory gave an error */
  uint8_t in_memory; /* enum pool_there */
};

struct pool_place {
  uint64_t param; /* names the kernel */
  uint8_t used;   /* 1 on its way there 2 there 3 on its way back */
};

/* Places of the bursts under way, oldest first. */
struct pool_bursts {
  unsigned n, beats; /* beats: of the one whose data is moved */
  uint16_t place[HD_MEMORY_FLIGHT];
};

struct oracle {
  struct hd_cfg cfg;
  struct pool_waits waiting[HD_POOL_WAITING]; /* oldest first */
  unsigned n;
  struct pool_place place[HD_MAX_POOL_ROWS];
  struct pool_bursts writes, reads;
  unsigned in_memory;
  unsigned since_push, not_ready;
  uint32_t queued[HD_MAX_POOL_QUEUES]; /* kernels of the line that wait, and since when: */
  uint32_t waited[HD_MAX_POOL_QUEUES]; /* cycles in which one might have been offered */
  uint32_t nothing;                    /* cycles in which any might have been */
  uint8_t running[HD_MAX_NUM_STREAMS]; /* a kernel of the stream was taken or lost and has not ended */
  uint16_t unnamed[HD_MAX_NUM_KIN];    /* told to be lost, without a stream, by parent record: which is not known yet */
  uint32_t pushed;
  struct hd_pool_turns turns;
  struct hd_pool_back back;
  uint8_t shown;         /* a read was asked for in the cycle before, and not taken */
  uint8_t best[2];       /* the highest level that surely could be picked, one and two cycles ago; 0 under Rr */
  uint8_t offered, told; /* in the cycle before, and not taken: */
  uint64_t offered_param;
  uint8_t told_stream;
};

/* A cycle begins: the kernels in memory that may come back. */
void hd_pool_back_see(struct oracle *o, unsigned policy);

#endif
