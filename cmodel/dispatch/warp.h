/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp: golden model of the warp scheduler of an SMX: selects the next warp to issue for each of its two issue
 * schedulers.
 *
 *   stalls --> [count] --sample--> sorted --32 cycles later--> [order] --+
 *   assign --> [rank] --^                                                v
 *                             valid, ready warps --> policy --> choose --> [issue] --> SMX
 *                                                                 ^           |
 *                                                         [waited last held] <+
 *
 * Scheduler p has the warps of parity p. Policies: rr, round robin; grr, the same warp while it is ready, then round
 * robin; gto, the same warp while it is ready, then the oldest TB's, lowest number first; lwf, warps with the most
 * stall cycles first: TBs ordered by age, or all warps in one list. lwf is that of cooperative-warp-tb-scheduling-2017,
 * section 4; the others are those that the paper compares it with. Ours: the list is made every 32 cycles, from the
 * counts at their beginning; counts are halved; a warp that has waited for long goes first.
 *
 * - All decisions use the state at the start of the cycle and this cycle's inputs.
 * - Outputs are registered.
 * - A list is sorted in the cycle of its sample and kept until it is used.
 *
 * Requires (docs/dispatch/warp.md): a slot has no valid warp when a TB is assigned to it; slots of valid warps exist.
 *
 * State: hd_warp_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_WARP_H
#define HD_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "gen/hd_warp_ports.h"

enum { HD_WARP_SCHEDS = 2, HD_WARP_PASS = 32 };

/* Parameters; fixed by init. */
struct hd_warp_cfg {
  uint32_t end;      /* counts stay below this */
  uint16_t wait;     /* a ready warp that has waited this many cycles goes first */
  uint8_t warps;     /* of the SMX */
  uint8_t per_sched; /* of a scheduler; the second may have one less */
  uint8_t slots;     /* of TBs */
  uint8_t pad_[7];
};

/* The warps of a scheduler in some order, each as warp / 2. */
struct hd_warp_list {
  uint8_t at[HD_MAX_WARPS_PER_SCHED];
};

struct hd_warp {
  struct hd_warp_cfg cfg;
  uint16_t count[HD_MAX_WARPS_PER_SMX];                            /* stall cycles */
  uint16_t waited[HD_MAX_WARPS_PER_SMX];                           /* ready cycles without an issue, at most `wait` */
  uint8_t rank[HD_MAX_CTAS_PER_SMX];                               /* age of a slot's TB: 0 the oldest; a permutation */
  struct hd_warp_list order[HD_WARP_SCHEDS], next[HD_WARP_SCHEDS]; /* in use; from the last sample */
  uint8_t last[HD_WARP_SCHEDS];                                    /* issued last: warp / 2 */
  uint8_t held[HD_WARP_SCHEDS];                                    /* it has been valid ever since */
  uint8_t phase;                                                   /* of the pass */
  uint8_t pad_[3];
  struct hd_warp_out shown; /* outputs of this cycle */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_warp_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_warp_size(cfg) bytes of any content. */
void hd_warp_init(struct hd_warp *m, const struct hd_cfg *cfg);

/* Resets: all counts 0, slots and warps in the order of their numbers. */
void hd_warp_reset(struct hd_warp *m);

/* Sets *out to this cycle's outputs, which depend on no input. */
void hd_warp_eval(const struct hd_warp *m, const struct hd_warp_in *in, struct hd_warp_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_warp_tick(struct hd_warp *m, const struct hd_warp_in *in);

/* Sets *a to the architectural state, with the names of rtl/dispatch/warp/warp.csv. There are no tables. */
void hd_warp_arch(const struct hd_warp *m, struct hd_warp_arch *a, bool tables);

#endif
