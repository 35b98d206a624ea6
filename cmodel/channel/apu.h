/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* apu: golden model of channels between CUs and memory: chan, dcount, agg, yrec and a memarb, and their wiring.
 *
 *   op, answer <--> chan --> dcount        chan, dcount --> memarb --> AXI4
 *                    |          |
 *   go, end <----> agg <---> yrec
 *
 * - op_ready and end_ready depend on other clients' valid, as in chan and agg; all other outputs come from the state.
 *
 * Requirements on the caller: docs/channel/apu.md.
 *
 * State: hd_apu_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_APU_H
#define HD_APU_H

#include "channel/agg.h"
#include "channel/chan.h"
#include "channel/dcount.h"
#include "channel/yrec.h"
#include "gen/hd_apu_ports.h"
#include "service/memarb.h"

struct hd_apu {
  struct hd_chan chan;
  struct hd_dcount dcount;
  struct hd_agg agg;
  struct hd_yrec yrec;
  struct hd_memarb memarb;
  uint8_t cus;
  uint8_t pad_[7];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_apu_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_apu_size(cfg) bytes of any content. */
void hd_apu_init(struct hd_apu *m, const struct hd_cfg *cfg);

/* Resets: no channel is open, nothing runs. */
void hd_apu_reset(struct hd_apu *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_apu_eval(const struct hd_apu *m, const struct hd_apu_in *in, struct hd_apu_out *out);

/* Sets *inner to the outputs of the blocks inside. */
void hd_apu_show_inner(const struct hd_apu *m, const struct hd_apu_in *in, struct hd_apu_inner *inner);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_apu_tick(struct hd_apu *m, const struct hd_apu_in *in);

#endif
