/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* chan: golden model of the channel table: the pointers of all channels, the operations of wavefronts on them, and the
 * writing of the offsets of published elements into the control arrays.
 *
 *   op[c] --> rotation -> first --> second: judged --> answer, yield, done
 *                                         |  row[chan]: tail, reserve, pending
 *                                         +--> [runs] --8 entries a cycle--> [lines] --> memory port
 *                                   pub <-- [flights] <-- answers to writes --------------'
 *
 * Channels are those of channels-isca2014, section 3.2; the table on chip, one message per operation of a wavefront,
 * lines of 128 bytes and the skip at the end of the data are ours.
 *
 * - An operation accepted in t is judged and answered in t + 2, using the pointers left by the operations before it.
 * - op_ready depends on the other clients' op_valid, on the kinds of all offered operations, on set_valid and
 *   done_room; all other outputs come from the state.
 *
 * Requires (docs/channel/chan.md): a channel is set up once, before it is used; an offer stays until it is accepted; a
 * data head moves by one grain, over elements that were reported as done; a tfree contains no more elements than are
 * published and not freed; the memory port answers only the bursts of this block, in their order.
 *
 * State: hd_chan_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_CHAN_H
#define HD_CHAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_chan_ports.h"

enum { HD_CHAN_LINE = 64, HD_CHAN_BEAT = 8 }; /* entries */

enum hd_chan_send { HD_CHAN_IDLE, HD_CHAN_REQUEST, HD_CHAN_DATA };

/* Parameters; fixed by init. */
struct hd_chan_cfg {
  uint64_t addr_mask;
  uint32_t pos_mask, grain; /* mask of positions; elements per done count */
  uint8_t clients, chans, runs, lines, flights, paper;
  uint8_t pad_[2];
};

/* An operation on its way through the two stages; in the third, its output: live or yield. */
struct hd_chan_stage {
  struct hd_chanop op;
  struct hd_chanset set;
  uint16_t head; /* of the channel, in grains (second stage) */
  uint8_t client;
  uint8_t op_valid, set_valid;
  uint8_t pad_[3];
};

/* Published elements whose entries are not all in lines yet. */
struct hd_chan_run {
  uint16_t off, pos, n;
  uint8_t chan, cap;
};

/* A line of a control array: entries from `from` to `to` - 1; open: more may join. */
struct hd_chan_line {
  uint16_t number;
  uint8_t chan, from, to, open;
  uint8_t pad_[2];
};

/* A burst without an answer. */
struct hd_chan_flight {
  uint8_t chan, entries;
};

struct hd_chan {
  struct hd_chan_cfg cfg;
  struct hd_wrote wrote[1];
  struct hd_chan_stage first, second, third;
  struct hd_chanrow row[HD_MAX_NUM_CHAN];
  uint64_t control[HD_MAX_NUM_CHAN];
  struct hd_chan_run run[HD_MAX_CHAN_RUNS]; /* the oldest first */
  struct hd_chan_line line[HD_MAX_CHAN_LINES];
  uint16_t entry[HD_MAX_CHAN_LINES * HD_CHAN_LINE]; /* those of each line */
  struct hd_chan_flight flight[HD_MAX_CHAN_FLIGHT]; /* the oldest first */
  uint8_t open[HD_MAX_NUM_CHAN], failed[HD_MAX_NUM_CHAN], never[HD_MAX_NUM_CHAN];
  uint8_t runs, lines, first_line, send, beat, flights;
  uint8_t pub_valid, pub_chan, pub_count;
  uint8_t order[HD_MAX_CHAN_CLIENTS]; /* least recently served client first */
  uint8_t pad_[6];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_chan_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_chan_size(cfg) bytes of any content. */
void hd_chan_init(struct hd_chan *m, const struct hd_cfg *cfg);

/* Resets: no channel is open, nothing is under way. */
void hd_chan_reset(struct hd_chan *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_chan_eval(const struct hd_chan *m, const struct hd_chan_in *in, struct hd_chan_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_chan_tick(struct hd_chan *m, const struct hd_chan_in *in);

/* Sets *a to the architectural state, with the names of rtl/channel/chan/chan.csv. */
void hd_chan_arch(const struct hd_chan *m, struct hd_chan_arch *a, bool tables);

/* Sets row `row` of its table. */
void hd_chan_arch_row(const struct hd_chan *m, unsigned row, struct hd_chan_arch *a);

#endif
