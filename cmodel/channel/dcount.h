/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dcount: golden model of the done counts: the number of done elements of each grain, in beats of 16 counts that are
 * stored in memory and, a few of them, on chip; a data head advances over a grain whose count is full.
 *
 *   run --> [runs] --grain by grain--+
 *   look, check, beats from memory --+--> stage 1 --> [stage 2: add] --> head, freed
 *                                           |  entry: free, reading, held, writing
 *   memory port <-- entries that are new, entries that leave
 *
 * Done counts are those of channels-isca2014, section 3.2; adding to them on chip and merging with the values in memory
 * later is ours.
 *
 * - Stage 1 processes one item per cycle; the sum is stored and checked at the end of the next cycle.
 * - All outputs come from the state.
 *
 * Requires (docs/channel/dcount.md): a channel is set up once, before a cycle with a run of it; a run has elements, all
 * within its channel, and arrives only if run_room was 1 two cycles before; the memory port answers only the bursts of
 * this block, in their order.
 *
 * State: hd_dcount_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_DCOUNT_H
#define HD_DCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_dcount_ports.h"

enum { HD_DCOUNT_LANES = 16 };

enum hd_dcount_entry { HD_DCOUNT_FREE, HD_DCOUNT_READING, HD_DCOUNT_HELD, HD_DCOUNT_WRITING };
enum hd_dcount_mem { HD_DCOUNT_IDLE, HD_DCOUNT_READ, HD_DCOUNT_WRITE, HD_DCOUNT_BEAT };

/* Parameters; fixed by init. */
struct hd_dcount_cfg {
  uint64_t addr_mask;
  uint32_t head_mask, grain;
  uint8_t chans, rows, runs, spare;
  uint8_t pad_[4];
};

/* Entries in order of arrival. */
struct hd_dcount_line {
  uint8_t n, at[HD_MAX_DONE_ROWS];
};

struct hd_dcount {
  struct hd_dcount_cfg cfg;
  struct hd_wrote wrote[1];
  uint64_t base[HD_MAX_NUM_CHAN];
  uint16_t head[HD_MAX_NUM_CHAN]; /* in grains */
  uint8_t cap[HD_MAX_NUM_CHAN], look[HD_MAX_NUM_CHAN], fail[HD_MAX_NUM_CHAN];
  uint16_t entry_no[HD_MAX_DONE_ROWS], looking_no;
  uint8_t entry[HD_MAX_DONE_ROWS], entry_chan[HD_MAX_DONE_ROWS], check[HD_MAX_DONE_ROWS];
  uint8_t count[HD_MAX_DONE_ROWS][HD_DCOUNT_LANES];
  struct hd_donerun run[HD_MAX_CHAN_RUNS]; /* the oldest first */
  struct hd_donerun counted;               /* the run being counted: its remaining part */
  /* Stage 2: the counts added to an entry, or an entry that leaves. */
  uint8_t add[HD_DCOUNT_LANES];
  uint8_t adds, leaves, stage_entry;
  uint8_t out_full, out_entry;
  /* to be requested; waiting for their beat; waiting for their answer */
  struct hd_dcount_line wants, reads, writes;
  uint8_t runs, evict_ptr, ask, freed_valid, freed_chan;
  uint8_t counting, looking, looking_chan;
  uint8_t pad_[8];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_dcount_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_dcount_size(cfg) bytes of any content. */
void hd_dcount_init(struct hd_dcount *m, const struct hd_cfg *cfg);

/* Resets: no counts, no entries on chip, all heads 0. */
void hd_dcount_reset(struct hd_dcount *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_dcount_eval(const struct hd_dcount *m, const struct hd_dcount_in *in, struct hd_dcount_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_dcount_tick(struct hd_dcount *m, const struct hd_dcount_in *in);

/* Sets *a to the architectural state, with the names of rtl/channel/dcount/dcount.csv. */
void hd_dcount_arch(const struct hd_dcount *m, struct hd_dcount_arch *a, bool tables);

/* Sets row `row` of its table. */
void hd_dcount_arch_row(const struct hd_dcount *m, unsigned row, struct hd_dcount_arch *a);

#endif
