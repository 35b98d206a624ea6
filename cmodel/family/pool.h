/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool: golden model of the device kernels that wait for an entry of the Kernel Distributor.
 *
 *   push (devq) --> [front: on chip, oldest first] --> [head] --> head (to the KMU)
 *        \               ^            |  rotation: a blocked head goes to the end
 *         +--> [spill] --+--> [ring in memory, at DEV_BASE] --+ refill
 *
 * Device kernels are taken from TBs like host kernels from the host (dtbl-isca2015 section 2.4, device kernels of CDP;
 * section 4.3: those beyond what the chip holds wait in memory). A device stream orders its kernels: a kernel gets a
 * ticket when it is pushed and may run when as many kernels of its stream are complete as came before it. The oldest
 * kernel on chip is offered when it may run; when it may not, it goes to the end of all that wait, so that it holds up
 * nobody. Tickets, rotation and the ring are ours.
 *
 * One burst is under way at a time, spills before refills. A kernel that memory answers with an error is lost: its
 * parent record and stream are told, and the stream counts it as complete. So the stream may serve a ticket before
 * those of kernels that still run or wait; a kernel may therefore run from its ticket on, not only while it is served,
 * and a stream never has more than half of the tickets given out. All outputs come from registers, but for pool_full,
 * which also depends on DEV_COUNT.
 *
 * The caller keeps to: push only two cycles after a cycle with pool_ready, and only if pool_full was 0 and stream_ok of
 * its stream 1 in the cycle before it; no second one meanwhile; push.ticket 0; head_pop only with head_valid;
 * stream_done once for each kernel of a stream that was taken or lost; DEV_BASE and DEV_COUNT constant while kernels
 * wait.
 *
 * State: hd_pool_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_POOL_H
#define HD_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/burst.h"
#include "common/krec.h"
#include "common/wrote.h"
#include "gen/hd_pool_ports.h"

/* What is known of the oldest kernel on chip. */
enum hd_pool_head {
  HD_POOL_NONE,    /* not looked at */
  HD_POOL_READING, /* its row is being read */
  HD_POOL_THERE    /* read: it is offered, or blocked by its stream */
};

/* Parameters; fixed by init. */
struct hd_pool_cfg {
  struct hd_krec_widths widths;
  uint32_t pool_depth, pool_rows, num_streams, ticket_mask;
  uint32_t place_mask; /* a place has so many bits, whatever DEV_COUNT says */
  uint64_t addr_mask;
};

/* Whose count goes down, and whose stream goes on, when a kernel is lost. */
struct hd_pool_side {
  uint16_t up;
  uint8_t stream;
  uint8_t valid; /* of a place: written since reset; of the lost one: it waits to be told */
};

struct hd_pool {
  struct hd_pool_cfg cfg;
  struct hd_wrote wrote[2];
  struct hd_devk front[HD_MAX_POOL_DEPTH]; /* kernels on chip, oldest first */
  struct hd_devk spill;                    /* on its way to memory */
  struct hd_burst burst;
  uint32_t front_count;
  uint16_t mem_count, mem_first; /* kernels in memory, place of the oldest */
  uint8_t head;                  /* enum hd_pool_head */
  uint8_t spill_busy, refill_busy;
  uint8_t turn; /* 3, 2, 1: a rotation is prepared: no launch on its way can meet it */
  uint8_t spill_event, refill_event, error_event;
  uint8_t front_first; /* row of the oldest kernel on chip: what leaves does not move the others */
  struct hd_pool_side lost;
  struct hd_pool_side side[HD_MAX_POOL_ROWS]; /* of the kernels in memory, by place */
  uint8_t issued[HD_MAX_NUM_STREAMS];         /* tickets given out */
  uint8_t serving[HD_MAX_NUM_STREAMS];        /* the last ticket that may run */
};

/* Bytes of the state in this configuration. */
size_t hd_pool_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_pool_size(cfg) bytes of any content. */
void hd_pool_init(struct hd_pool *m, const struct hd_cfg *cfg);

/* The state after reset: no kernel waits. */
void hd_pool_reset(struct hd_pool *m);

/* This cycle's outputs; changes nothing. */
void hd_pool_eval(const struct hd_pool *m, const struct hd_pool_in *in, struct hd_pool_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_pool_tick(struct hd_pool *m, const struct hd_pool_in *in);

/* The architectural state under the names of rtl/family/pool/pool.csv; the rows of its RAMs only if `tables`. */
void hd_pool_arch(const struct hd_pool *m, struct hd_pool_arch *a, bool tables);

/* Row `row` of each table that has so many. */
void hd_pool_arch_row(const struct hd_pool *m, unsigned row, struct hd_pool_arch *a);

/* ---- For models composed of blocks ---- */

/* No kernel waits and none is told of: a cycle without a push or the end of a kernel of a stream changes nothing. Then
 * the pool is ready, and all other outputs but pool_full and stream_ok are 0. */
static inline bool hd_pool_quiet(const struct hd_pool *m) {
  return !m->front_count && !m->mem_count && !m->spill_busy && !m->turn && hd_burst_idle(&m->burst) && !m->lost.valid &&
         !m->spill_event && !m->refill_event && !m->error_event;
}

#endif
