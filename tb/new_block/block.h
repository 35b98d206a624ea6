/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* @b@: golden model of a register for one number; what it will be one day.
 *
 * A number that is taken is offered from the next cycle on until it goes. A new one is taken when there is none, or when
 * the one that is there goes.
 *
 * State: hd_@b@_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_@B@_H
#define HD_@B@_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hd_@b@_ports.h"
#include "hd_cfg.h"

struct hd_@b@ {
  uint32_t number; /* 0 when there is none */
  uint8_t valid;
  uint8_t pad_[3];
};

/* Bytes of the state in this configuration. */
size_t hd_@b@_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_@b@_size(cfg) bytes of any content. */
void hd_@b@_init(struct hd_@b@ *m, const struct hd_cfg *cfg);

/* The state after reset: empty. */
void hd_@b@_reset(struct hd_@b@ *m);

/* This cycle's outputs; changes nothing. */
void hd_@b@_eval(const struct hd_@b@ *m, const struct hd_@b@_in *in, struct hd_@b@_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_@b@_tick(struct hd_@b@ *m, const struct hd_@b@_in *in);

/* The architectural state under the names of rtl/@b@/@b@.csv. There are no tables. */
void hd_@b@_arch(const struct hd_@b@ *m, struct hd_@b@_arch *a, bool tables);

#endif
