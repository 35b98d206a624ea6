/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agc: golden model of the aggregated group counts: allocation and release of AGEs (entries of the Aggregated Group
 * Table, or overflow slots).
 *
 *   load, TBs handed out (scheduler) --> [current group: TBs handed out]
 *   retired TBs (scheduler)          --> [per AGE: handed out, done] --> free AGE (to link)
 *                                                                    --> [records] --> record_done (to software)
 *
 * A group takes part in ExeBL counting from the cycle in which it becomes the current one until its last TB is handed
 * out and all its TBs are done; then its AGE is freed, exactly once: dtbl-isca2015 section 4.2 (ExeBL of an AGE). ExeBL
 * is kept as two counts, handed out and done, both modulo 2^ExeHalfW. Two counts instead of one, the overflow slots
 * (AGEs of groups that were fetched from memory) and the return of their records are ours.
 *
 * A group whose kernel stops while it is handed out is parked: completion of its TBs does not free its AGE. When its
 * kernel has left the Kernel Distributor (KD), an overflow slot is freed without its record, one slot per cycle; no
 * other slot is allocated meanwhile. The group's counts restart when it is loaded again.
 *
 * All outputs are registered. A free slot or AGE is reported in the cycle after it became free.
 *
 * Requires: grant, its end and park only for a current group; no park in the cycle of the end; load of an overflowed
 * group only while a slot is free; load only when no group is current or in the cycle of its end; a retired TB was
 * handed out at least three cycles earlier; `left` of a kernel only when none of its TBs was retired in this or the
 * previous cycle and none remains; a kernel neither parks a group nor leaves while an earlier one of its entry is being
 * freed.
 *
 * State: hd_agc_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_AGC_H
#define HD_AGC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_agc_ports.h"

/* Parameters; fixed by init. */
struct hd_agc_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t agt_size, ovf_slots, num_age, num_kde;
  uint32_t count_mask; /* counts are modulo count_mask + 1 */
};

/* A record to be returned: of a slot that still holds it, or already offered. */
struct hd_agc_record {
  uint8_t valid, pad_;
  uint16_t slot;
  uint32_t record;
};

struct hd_agc {
  struct hd_agc_cfg cfg;
  struct hd_wrote wrote[3];
  /* From here to `offered`: the state that hd_agc_arch() outputs besides its tables, and little else. */
  uint8_t cur_valid; /* a group is being handed out */
  uint8_t r1_valid;  /* a TB was retired in the previous cycle .. */
  uint8_t r1_over;
  uint8_t free_valid;
  uint16_t cur_agei, cur_count;
  uint16_t r1_agei; /* .. of this AGE, which it ended if r1_over */
  uint16_t free_index;
  uint16_t ret_ptr; /* overflow slot to be considered first */
  uint8_t fresh;    /* a group was loaded in the previous cycle */
  uint8_t pad_[1];
  uint64_t ovf_free[HD_WORDS(HD_MAX_OVF_SLOTS)]; /* overflow slots without a group */
  /* slots whose group is done and whose record must be returned */
  uint64_t ovf_wait[HD_WORDS(HD_MAX_OVF_SLOTS)];
  uint64_t parked[HD_WORDS(HD_MAX_NUM_KDE)];  /* kernels that stopped in the middle of a group .. */
  uint16_t park_agei[HD_MAX_NUM_KDE];         /* .. and its AGE .. */
  uint64_t leaving[HD_WORDS(HD_MAX_NUM_KDE)]; /* .. and those of them whose slot must be freed */
  uint64_t seen[HD_WORDS(HD_MAX_NUM_AGE)];    /* AGEs with a TB that is done */
  struct hd_agc_record returning, offered;
  uint32_t record[HD_MAX_OVF_SLOTS];
  /* By AGE. */
  uint16_t handed[HD_MAX_NUM_AGE]; /* total TBs handed out, valid from the last one on */
  uint16_t done[HD_MAX_NUM_AGE];   /* TBs done */
  uint8_t ended[HD_MAX_NUM_AGE];   /* the last TB of some group of it was handed out: `handed` is valid */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_agc_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_agc_size(cfg) bytes of any content. */
void hd_agc_init(struct hd_agc *m, const struct hd_cfg *cfg);

/* Resets: no group current, all slots free. */
void hd_agc_reset(struct hd_agc *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_agc_eval(const struct hd_agc *m, const struct hd_agc_in *in, struct hd_agc_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_agc_tick(struct hd_agc *m, const struct hd_agc_in *in);

/* Sets *a to the architectural state, with the names of rtl/launch/agc/agc.csv; the rows of its RAMs only if
 * `tables`. */
void hd_agc_arch(const struct hd_agc *m, struct hd_agc_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_agc_arch_row(const struct hd_agc *m, unsigned row, struct hd_agc_arch *a);

/* ---- For models composed of blocks ---- */

/* Returns the overflow slot for the next fetched group, or -1. */
int hd_agc_slot(const struct hd_agc *m);

/* Returns true if nothing is in flight: a cycle in which no group is loaded, no TB of a group is handed out or retired,
 * and no kernel parks or leaves changes nothing; all outputs but the slot are 0. */
bool hd_agc_quiet(const struct hd_agc *m);

#endif
