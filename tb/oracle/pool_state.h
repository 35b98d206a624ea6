/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_state: the state that the files of pool_oracle share. pool_oracle.c: offers, memory, room. pool_back.c: kernels
 * that return from memory. */
#ifndef HD_POOL_STATE_H
#define HD_POOL_STATE_H

#include "env/common/memory.h"
#include "gen/hd_pool_ports.h"
#include "oracle/pool_back.h"
#include "oracle/pool_turns.h"

enum { HD_POOL_WAITING = HD_MAX_POOL_ROWS + 128 };

/* Where a kernel is: never in memory; being written; in memory; requested; returned. */
enum pool_there { NEVER, WRITTEN, READABLE, ASKED, BACK };

/* A waiting kernel. Kernels of one line keep their order. The lines: each stream; stream 0; each bank and level, for
 * kernels without a stream that were pushed under a policy other than Rr. */
struct pool_waits {
  struct hd_devk k;
  uint32_t number; /* number of its push */
  uint16_t line;
  uint8_t rank;      /* its level, at most max_level */
  uint8_t failed;    /* memory answered with an error */
  uint8_t in_memory; /* enum pool_there */
};

struct pool_place {
  uint64_t param; /* identifies the kernel */
  uint8_t used;   /* 0: free; its kernel is: 1 being written, 2 in memory, 3 being read */
};

/* Places of the open bursts, oldest first. */
struct pool_bursts {
  unsigned n, beats; /* beats: transferred beats of the current one */
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
  uint32_t queued[HD_MAX_POOL_QUEUES]; /* waiting kernels of each line */
  uint32_t waited[HD_MAX_POOL_QUEUES]; /* cycles in which one could be offered and was not */
  uint32_t nothing;                    /* cycles in which a kernel could be offered and none was */
  uint8_t running[HD_MAX_NUM_STREAMS]; /* a kernel of the stream was accepted or lost and has not ended */
  uint16_t unnamed[HD_MAX_NUM_KIN];    /* reported losses without a stream, by parent record, not yet identified */
  uint32_t pushed;
  struct hd_pool_turns turns;
  struct hd_pool_back back;
  uint8_t shown;             /* a request of the cycle before was not accepted */
  uint8_t best[2];           /* highest level that certainly could be picked, one and two cycles ago; 0 under Rr */
  uint8_t offered, reported; /* an offer, or a report of a loss, of the cycle before was not accepted: */
  uint64_t offered_param;
  uint8_t announced_stream;
};

/* Starts a cycle: finds the kernels in memory that may return. */
void hd_pool_back_see(struct oracle *o, unsigned policy);

#endif
