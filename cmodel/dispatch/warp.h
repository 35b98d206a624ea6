/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp: golden model of a register for one number; what it will be one day.
 *
 * A number that is taken is offered from the next cycle on until it goes. A new one is taken when there is none, or
 * when the one that is there goes.
 *
 * State: hd_warp_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_WARP_H
#define HD_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "gen/hd_warp_ports.h"

struct hd_warp {
  uint32_t number; /* 0 when there is none */
  uint8_t valid;
  uint8_t pad_[3];
};

/* Bytes of the state in this configuration. */
size_t hd_warp_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_warp_size(cfg) bytes of any content. */
void hd_warp_init(struct hd_warp *m, const struct hd_cfg *cfg);

/* The state after reset: empty. */
void hd_warp_reset(struct hd_warp *m);

/* This cycle's outputs; changes nothing. */
void hd_warp_eval(const struct hd_warp *m, const struct hd_warp_in *in, struct hd_warp_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_warp_tick(struct hd_warp *m, const struct hd_warp_in *in);

/* The architectural state under the names of rtl/warp/warp.csv. There are no tables. */
void hd_warp_arch(const struct hd_warp *m, struct hd_warp_arch *a, bool tables);

#endif
