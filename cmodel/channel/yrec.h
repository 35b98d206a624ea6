/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* yrec: golden model of the wavefronts that wait for room in a channel: one list per channel, whose first wavefront
 * requests room when elements have become free, and resumes with the room granted.
 *
 *   wait --> [lowest free place] --> list of the channel --> ask --> op (chan) --> answer --> back
 *   freed --> hope of the channel ----------------------------^
 *
 * Yields are those of channels-isca2014, section 3.4; naming n, granting first and keeping the lists on chip are ours.
 *
 * - All outputs come from the state.
 * - A new wavefront is added to a list before another one is removed.
 *
 * Requires (docs/channel/yrec.md): at most as many waiting wavefronts as places.
 *
 * State: hd_yrec_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_YREC_H
#define HD_YREC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_yrec_ports.h"

enum hd_yrec_ask {
  HD_YREC_IDLE,
  HD_YREC_LOOK,
  HD_YREC_REQUEST,
  HD_YREC_ON_ITS_WAY,
  HD_YREC_ANSWER,
  HD_YREC_FETCH,
  HD_YREC_LEAVE
};

/* Parameters; fixed by init. */
struct hd_yrec_cfg {
  uint16_t places;
  uint8_t chans, cus;
  uint8_t paper; /* a refused wavefront resumes all the same */
  uint8_t pad_[3];
};

/* The wavefronts that wait for a channel. */
struct hd_yrec_list {
  uint16_t first, last;
  uint8_t listed, hope;
  uint8_t held; /* the first one's CU has a restart that waits for a slot */
  uint8_t pad_;
};

struct hd_yrec {
  struct hd_yrec_cfg cfg;
  struct hd_wrote wrote[1];
  struct hd_chanrec rec[HD_MAX_CHAN_RECS];
  struct hd_chanback back;
  struct hd_yrec_list list[HD_MAX_NUM_CHAN];
  uint16_t next[HD_MAX_CHAN_RECS];
  uint8_t used[HD_MAX_CHAN_RECS];
  uint16_t base, fetched; /* from ask 4 and 5 on */
  uint8_t code, ask, ask_chan, ask_ptr, back_valid;
  uint8_t busy[HD_MAX_NUM_CU]; /* back_busy of the cycle before */
  uint8_t pad_[7];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_yrec_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_yrec_size(cfg) bytes of any content. */
void hd_yrec_init(struct hd_yrec *m, const struct hd_cfg *cfg);

/* Resets: no wavefront waits. */
void hd_yrec_reset(struct hd_yrec *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_yrec_eval(const struct hd_yrec *m, const struct hd_yrec_in *in, struct hd_yrec_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_yrec_tick(struct hd_yrec *m, const struct hd_yrec_in *in);

/* Sets *a to the architectural state, with the names of rtl/channel/yrec/yrec.csv. */
void hd_yrec_arch(const struct hd_yrec *m, struct hd_yrec_arch *a, bool tables);

/* Sets row `row` of its table. */
void hd_yrec_arch_row(const struct hd_yrec *m, unsigned row, struct hd_yrec_arch *a);

#endif
