/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* throttle: golden model of a register for one number; what it will be one day.
 *
 * A number that is taken is offered from the next cycle on until it goes. A new one is taken when there is none, or
 * when the one that is there goes.
 *
 * State: hd_throttle_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_THROTTLE_H
#define HD_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "gen/hd_throttle_ports.h"

struct hd_throttle {
  uint32_t number; /* 0 when there is none */
  uint8_t valid;
  uint8_t pad_[3];
};

/* Bytes of the state in this configuration. */
size_t hd_throttle_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_throttle_size(cfg) bytes of any content. */
void hd_throttle_init(struct hd_throttle *m, const struct hd_cfg *cfg);

/* The state after reset: empty. */
void hd_throttle_reset(struct hd_throttle *m);

/* This cycle's outputs; changes nothing. */
void hd_throttle_eval(const struct hd_throttle *m, const struct hd_throttle_in *in, struct hd_throttle_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_throttle_tick(struct hd_throttle *m, const struct hd_throttle_in *in);

/* The architectural state under the names of rtl/throttle/throttle.csv. There are no tables. */
void hd_throttle_arch(const struct hd_throttle *m, struct hd_throttle_arch *a, bool tables);

#endif
