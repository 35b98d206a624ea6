/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* apu_channel: the elements of one channel as seen at the ports, where a grant to a waiting wavefront becomes visible
 * only when it resumes. Elements between two visible grants may therefore belong to such a grant. The functions return
 * the broken rule or NULL.
 * - Elements of a grant, those skipped before it, and the rest of its last grain must be free or done: so space is
 *   freed only behind completed elements. Elements granted late may be skipped once: they may be the ones in between.
 * - An element is enqueued, published (its offset is in memory), dispatched and done once each, in this order. Control
 *   places are assigned in the order of the enqueues. */
#ifndef HD_APU_CHANNEL_H
#define HD_APU_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/channel_rules.h"

struct hd_apu_channel {
  uint32_t capacity, grain, tail;                    /* tail: place behind the last visible grant */
  uint32_t enqueued, written, published, dispatched; /* control places since the setup, not modulo 2C */
  uint32_t live;                                     /* elements granted and not done */
  uint32_t granted;                                  /* elements since the setup */
  uint8_t element[HD_CHANNEL_RULES_MOST];            /* enum hd_ce; HD_CE_AVAILABLE and _DONE: unowned */
  uint8_t late[HD_CHANNEL_RULES_MOST];               /* granted late: the next visible grant may skip it */
  uint16_t place[2 * HD_CHANNEL_RULES_MOST];         /* element of each control place */
};

void hd_apu_channel_init(struct hd_apu_channel *c, uint32_t capacity, uint32_t grain);

/* Elements base .. base + n - 1 are granted. late: the grant was made earlier, so later ones may already be visible. */
const char *hd_apu_channel_grant(struct hd_apu_channel *c, uint32_t base, uint32_t n, bool late);

const char *hd_apu_channel_enqueue(struct hd_apu_channel *c, uint32_t base, uint32_t n);

/* `offset` is written to control place `place`. */
const char *hd_apu_channel_write(struct hd_apu_channel *c, uint32_t place, uint32_t offset);

/* The next n written offsets have arrived in memory. */
void hd_apu_channel_publish(struct hd_apu_channel *c, uint32_t n);

const char *hd_apu_channel_dispatch(struct hd_apu_channel *c, uint32_t start, uint32_t count);
const char *hd_apu_channel_done(struct hd_apu_channel *c, uint32_t base, uint32_t n);

/* Return the number of elements that are published and not dispatched, and granted and not published. */
uint32_t hd_apu_channel_ready(const struct hd_apu_channel *c);
uint32_t hd_apu_channel_coming(const struct hd_apu_channel *c);

#endif
