/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool: golden model of the device kernels that wait for an entry of the Kernel Distributor.
 *
 *   push (devq) --> [in: 2] --+-----------------> [rows; a chain of them for each queue] --> [head] --> head (to the
 * KMU) |                     ^                                           '--> lost (to kin)
 *                             +--> put memq get ----+                  busy: of each stream but 0
 *
 * Device kernels are accepted from TBs as host kernels are from the host (dtbl-isca2015 section 2.4, device kernels of
 * CDP; section 4.3: kernels beyond the capacity of the chip wait in memory). Each device stream is a queue; so are
 * stream 0, which has no order, and each level of each bank (a cluster of SMXs, as in laperm.h): kernels without a
 * stream that arrive under a policy other than Rr go there, by the SMX that launched them. A kernel of a stream is
 * offered when the previous ones have ended. Streams and banks are served round robin; under the other policies only
 * those whose oldest kernel has the highest level (laperm-isca2016 section IV.E). A kernel gets a row on chip if one is
 * available, otherwise it joins its queue in memory (memq.h) and returns when a row is free. Kernels that cannot run
 * yet leave some rows (the reserve) to those that can, so a waiting stream does not block the others. The streams'
 * queues and the reserve are ours.
 *
 * A memory error loses one kernel: its row is marked, and when it is due, its parent record and stream are informed
 * instead of the KMU. Its stream is busy until the loss has been counted (stream_done), as for a kernel that ran.
 * Outputs are registered; room.full and stream_ok also depend on DEV_COUNT, and wbeat is computed from the oldest of
 * `in`.
 *
 * Requires: push only two cycles after a cycle with room.ready, and only if room.full was 0 and stream_ok of its stream
 * 1 in the previous cycle; no other push in between; kmu_pool_pop only with head.valid; stream_done once for each
 * kernel of a stream other than 0 that was taken or lost; streams below num_streams; DEV_BASE and DEV_COUNT constant
 * while kernels wait. Of the memory: as memq.h.
 *
 * State: hd_pool_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_POOL_H
#define HD_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/krec.h"
#include "common/wrote.h"
#include "gen/hd_pool_ports.h"
#include "service/memq.h"

enum { HD_POOL_IN = 2 }; /* launched kernels with neither a row nor a place in memory */

/* State of the head. */
enum hd_pool_head {
  HD_POOL_NONE,    /* no queue is chosen */
  HD_POOL_READING, /* the first row of its queue is being read */
  HD_POOL_THERE    /* it is offered, or reported as lost */
};

/* Recipient of the next row. */
enum hd_pool_join {
  HD_POOL_UNDECIDED, /* not decided */
  HD_POOL_IN_OLDEST, /* the oldest launched kernel */
  HD_POOL_MEMORY     /* the oldest kernel of a queue in memory */
};

/* Parameters; fixed by init. */
struct hd_pool_cfg {
  struct hd_krec_widths widths;
  uint32_t pool_depth, num_streams, max_level, smx_per_cluster;
  uint32_t num_queues; /* those of streams, then those of banks, bank by bank, level 1 first */
  uint32_t num_turns;  /* streams, then banks */
  uint32_t reserve;    /* rows reserved for kernels that can run */
  uint32_t pad_;
};

/* Sets of queues and rows are bit sets: bit i is queue or row i. */
struct hd_pool {
  struct hd_pool_cfg cfg;
  struct hd_wrote wrote[1];
  uint64_t used, here, lost;                         /* rows: allocated; its kernel has arrived; its kernel was lost */
  uint64_t busy;                                     /* streams with an incomplete kernel */
  uint64_t chip_valid[HD_WORDS(HD_MAX_POOL_QUEUES)]; /* queues with rows; the first word has those of streams */
  uint8_t first[HD_MAX_POOL_QUEUES];                 /* row of the oldest kernel of a queue */
  uint8_t last[HD_MAX_POOL_QUEUES];                  /* of the youngest */
  uint8_t next[HD_MAX_POOL_DEPTH];                   /* following row of the same queue */
  uint8_t waiting, putting;                          /* kernels in `in`; the oldest is being written to memory */
  uint8_t head, join;                                /* enum hd_pool_head, hd_pool_join */
  uint8_t pick_ptr, get_ptr;                         /* queues to be considered first */
  uint16_t head_queue, join_queue;                   /* their queues; that of join is 0 for HD_POOL_UNDECIDED */
  uint8_t spill_event, refill_event, error_event;
  /* highest level of the kernels of a queue in memory, since it was last empty there */
  uint8_t mem_level[HD_MAX_POOL_QUEUES];
  uint16_t in_queue[HD_POOL_IN]; /* queues of the kernels in `in` */
  uint64_t word[HD_KREC_WORDS];  /* the part of the incoming record received so far */
  struct hd_devk in[HD_POOL_IN]; /* oldest first */
  struct hd_devk row[HD_MAX_POOL_DEPTH];
  struct hd_memq memq;
};

/* Returns the bytes of the state in this configuration. */
size_t hd_pool_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_pool_size(cfg) bytes of any content. */
void hd_pool_init(struct hd_pool *m, const struct hd_cfg *cfg);

/* Resets: no kernel waits. */
void hd_pool_reset(struct hd_pool *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_pool_eval(const struct hd_pool *m, const struct hd_pool_in *in, struct hd_pool_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_pool_tick(struct hd_pool *m, const struct hd_pool_in *in);

/* Sets *a to the architectural state, with the names of rtl/family/pool/pool.csv; the rows of its RAMs only if
 * `tables`. */
void hd_pool_arch(const struct hd_pool *m, struct hd_pool_arch *a, bool tables);

/* Sets *a to the same state without memq's part. */
void hd_pool_arch_own(const struct hd_pool *m, struct hd_pool_arch *a, bool tables);

/* Sets row `row` of the table of kernels on chip, if it is long enough. */
void hd_pool_arch_row(const struct hd_pool *m, unsigned row, struct hd_pool_arch *a);

/* Sets *out to the outputs of memq in this cycle. */
void hd_pool_show_inner(const struct hd_pool *m, const struct hd_pool_in *in, struct hd_pool_inner *out);

/* ---- For models composed of blocks ---- */

static inline const struct hd_memq *hd_pool_memq(const struct hd_pool *m) {
  return &m->memq;
}

/* Returns true if no kernel waits, on chip, in memory or in flight, and no event is reported: a cycle without a push or
 * the end of a kernel of a stream changes nothing. Streams may be busy. Then room.ready and room.two are 1, room.full
 * 0, stream_ok 1 for all (rows are free); all other outputs are 0. */
static inline bool hd_pool_quiet(const struct hd_pool *m) {
  return !m->used && !m->waiting && !m->spill_event && !m->refill_event && !m->error_event && hd_memq_quiet(&m->memq);
}

#endif
