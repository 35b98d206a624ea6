/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* apu_neighbours: the random environment of apu: a host that enqueues elements into channel 0, wavefronts, and a
 * memory. A wavefront reserves in a deeper channel (or a levelized one of its level), publishes in one or several
 * pieces, repeats this some times, frees its elements, and ends; or it yields and continues with its granted room. Each
 * episode (from reset to reset) has its own traits: channels of one wavefront or of many, a memory that answers at once
 * or rarely, errors, a slow producer; or crowded: few large channels and wavefronts of few elements, so that one starts
 * every few cycles. */
#ifndef HD_APU_NEIGHBOURS_H
#define HD_APU_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "engine/rng.h"
#include "gen/hd_apu_ports.h"

enum {
  HD_APU_BYTES = 1 << 18,
  HD_APU_BURSTS = 64,
  HD_APU_SPAN = 128
}; /* bytes of all arrays; maximum bursts in
                                                                         * flight; cycles of a span */

enum hd_apu_step { HD_APU_NONE, HD_APU_RESERVE, HD_APU_YIELD, HD_APU_PUBLISH, HD_APU_FREE, HD_APU_END, HD_APU_ENDING };

/* Reserves n elements of `to`, publishes them, frees `count` of its own elements from control place `start` on, and
 * ends. */
struct hd_apu_wave {
  uint8_t step, own, to, slow, rounds;         /* rounds: further repetitions, in other channels */
  uint16_t start, count, n, base, asked, part; /* asked: place in waits; part: elements of the current operation */
};

struct hd_apu_burst {
  uint64_t addr;
  uint8_t id, beats;
};

struct hd_apu_neighbours {
  struct hd_cfg cfg;
  uint8_t began, chans, next;
  uint8_t errors, narrow, single, slows, answers, eager, crowd, greedy; /* traits. single: elements are freed one by
                                                                         * one; greedy: many are requested at once */
  uint8_t cap[HD_MAX_NUM_CHAN], level[HD_MAX_NUM_CHAN], levelized[HD_MAX_NUM_CHAN], threshold[HD_MAX_NUM_CHAN];
  uint8_t host, slow, bad; /* the host's step; a slow producer is active; the request must be refused */
  uint8_t cycles, starts;  /* cycles of the current span of HD_APU_SPAN cycles; wavefronts started in it */
  uint16_t host_n, host_base;
  uint8_t turn[HD_MAX_NUM_CU], busy[HD_MAX_NUM_CU]; /* next slot to serve; an operation is in flight */
  struct hd_apu_wave wave[HD_MAX_CHAN_SLOTS], waits[HD_MAX_CHAN_RECS];
  uint64_t base;
  uint32_t control[HD_MAX_NUM_CHAN]; /* byte offsets of the control arrays */
  struct hd_apu_burst write[HD_APU_BURSTS], read[HD_APU_BURSTS];
  uint8_t writes, reads, filled; /* filled: write bursts whose data has arrived */
  uint8_t bytes[HD_APU_BYTES];
};

void hd_apu_neighbours_reset(struct hd_apu_neighbours *s);
void hd_apu_neighbours_drive(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                             const void *out, const void *now, void *in);

/* The memory, in tb/env/channel/apu_memory.c: processes the previous cycle; sets the inputs of this one. */
void hd_apu_memory_follow(struct hd_apu_neighbours *s, const struct hd_apu_in *in, const struct hd_apu_out *out);
void hd_apu_memory_drive(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         struct hd_apu_in *in);

#endif
