/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats: golden model of a register for one number; what it will be one day.
 *
 * A number that is taken is offered from the next cycle on until it goes. A new one is taken when there is none, or
 * when the one that is there goes.
 *
 * State: hd_dats_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_DATS_H
#define HD_DATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "gen/hd_dats_ports.h"

struct hd_dats {
  uint32_t number; /* 0 when there is none */
  uint8_t valid;
  uint8_t pad_[3];
};

/* Bytes of the state in this configuration. */
size_t hd_dats_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_dats_size(cfg) bytes of any content. */
void hd_dats_init(struct hd_dats *m, const struct hd_cfg *cfg);

/* The state after reset: empty. */
void hd_dats_reset(struct hd_dats *m);

/* This cycle's outputs; changes nothing. */
void hd_dats_eval(const struct hd_dats *m, const struct hd_dats_in *in, struct hd_dats_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_dats_tick(struct hd_dats *m, const struct hd_dats_in *in);

/* The architectural state under the names of rtl/dats/dats.csv. There are no tables. */
void hd_dats_arch(const struct hd_dats *m, struct hd_dats_arch *a, bool tables);

#endif
