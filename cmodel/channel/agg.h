/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agg: golden model of the aggregator: ready elements of each channel, running wavefronts, and the choice of the next
 * wavefront.
 *
 *   live, pub --> counts of each channel --+
 *   back --> [a restart for each CU] ------+--> the choice --> [go] --> CUs
 *   end, yield --> slots, records ---------+
 *
 * Levels, levelized channels, predicates and yields are those of channels-isca2014, sections 3 to 5; the rule for
 * partial wavefronts, records and the order of restarts are ours.
 *
 * - The wavefront dispatched in t is chosen from the state at its start, and output in t + 1.
 * - end_ready depends on the other CUs' end_valid and on yield_valid; all other outputs come from the state.
 *
 * Requires (docs/channel/agg.md): channels are set up in the order of their numbers, which may have gaps, with levels
 * that never decrease and thresholds of at most WaveLanes; elements only of a channel that was set up before;
 * back only of a wavefront that waits, for a CU whose back_busy is 0.
 *
 * State: hd_agg_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_AGG_H
#define HD_AGG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_agg_ports.h"

/* Parameters; fixed by init. */
struct hd_agg_cfg {
  uint32_t pos_mask, recs; /* mask of positions; number of records */
  uint8_t cus, waves, lanes, chans;
  uint8_t paper; /* waiting wavefronts count as active */
  uint8_t pad_[3];
};

struct hd_agg_chan {
  struct hd_chanset set;
  uint16_t ready, next, coming, alive, active;
  uint8_t open, waits, spare, enough, some, alone;
};

/* An end or a yield whose channel is being read. */
struct hd_agg_left {
  struct hd_chanyield yield;
  uint8_t ends, yields, own;
  uint8_t pad_[5];
};

struct hd_agg {
  struct hd_agg_cfg cfg;
  struct hd_wrote wrote[1];
  struct hd_agg_chan chan[HD_MAX_NUM_CHAN];
  struct hd_chanback back[HD_MAX_NUM_CU]; /* 0 unless busy */
  struct hd_agg_left left;
  struct hd_chango go;
  uint16_t recs;
  uint8_t slot[HD_MAX_CHAN_SLOTS], own[HD_MAX_CHAN_SLOTS];
  uint8_t busy[HD_MAX_NUM_CU];
  uint8_t room[HD_MAX_NUM_CU], low[HD_MAX_NUM_CU]; /* whether the CU has a free slot; the lowest one */
  uint8_t go_valid, bad, last, end_ptr, chan_ptr, cu_ptr, back_ptr;
  uint8_t gone;      /* 1 + the channel of a wavefront that has left its slot but still counts; 0: none */
  uint8_t gone_ends; /* .. it left by its end */
  uint8_t pad_[5];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_agg_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_agg_size(cfg) bytes of any content. */
void hd_agg_init(struct hd_agg *m, const struct hd_cfg *cfg);

/* Resets: no channel is open, nothing runs. */
void hd_agg_reset(struct hd_agg *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_agg_eval(const struct hd_agg *m, const struct hd_agg_in *in, struct hd_agg_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_agg_tick(struct hd_agg *m, const struct hd_agg_in *in);

/* Sets *a to the architectural state, with the names of rtl/channel/agg/agg.csv. */
void hd_agg_arch(const struct hd_agg *m, struct hd_agg_arch *a, bool tables);

/* Sets row `row` of its table. */
void hd_agg_arch_row(const struct hd_agg *m, unsigned row, struct hd_agg_arch *a);

#endif
