/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_rules: the rules of one channel, without time: the legal order of events, per element. The functions are
 * called in the order of the events and return the broken rule or NULL; they decide nothing, and timing is not checked.
 *
 *   Available --reserve--> Reserved --enqueue--> Reserved, with a control place --publish--> Ready
 *       ^                                                                                      |
 *       +-- freed, in the order of places, behind what is Done <-- Done <--done-- Dispatched <-+
 *
 * - A reservation takes n contiguous free places, from the tail or from place 0. Space is freed only in whole grains,
 *   or all at once. Places skipped at the end are Done.
 * - An element is enqueued once, after its reservation and before its publication; publications are in the order of
 *   the control places, not of the reservations.
 * - An element is dispatched once, after its publication, in the order of the control places; it is done once, after
 *   its dispatch.
 * - From the control place of the oldest element that is not free to the last one assigned there are at most 2C - 1, so
 *   none is assigned twice. */
#ifndef HD_CHANNEL_RULES_H
#define HD_CHANNEL_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_CHANNEL_RULES_MOST = 32768 }; /* maximum capacity of a checked channel */

/* States of an element; HD_CE_SENT is Reserved, with a control place. */
enum hd_ce { HD_CE_AVAILABLE, HD_CE_RESERVED, HD_CE_SENT, HD_CE_READY, HD_CE_DISPATCHED, HD_CE_DONE };

struct hd_channel_rules {
  uint32_t capacity, grain;                  /* elements; elements per done count */
  uint32_t head, used;                       /* place of the first used element; number of used elements */
  uint32_t reserved, published, dispatched;  /* control places since the setup, not modulo 2C */
  uint32_t span;                             /* largest span seen */
  uint8_t element[HD_CHANNEL_RULES_MOST];    /* by place */
  uint32_t control[HD_CHANNEL_RULES_MOST];   /* by place: its control place, not modulo 2C */
  uint16_t place[2 * HD_CHANNEL_RULES_MOST]; /* element of each control place */
};

/* Starts with an empty channel. Requires that capacity is a power of two, at most HD_CHANNEL_RULES_MOST. */
void hd_channel_rules_init(struct hd_channel_rules *c, uint32_t capacity, uint32_t grain);

/* Elements base .. base + n - 1 are granted. */
const char *hd_channel_reserve(struct hd_channel_rules *c, uint32_t base, uint32_t n);

/* Returns true if n elements fit once all freeable space is freed: a refusal is then legal only for a short time. */
bool hd_channel_fits(const struct hd_channel_rules *c, uint32_t n);

/* Elements base .. base + n - 1 are enqueued: they get the next control places. */
const char *hd_channel_enqueue(struct hd_channel_rules *c, uint32_t base, uint32_t n);

/* The offsets of the next n control places are written and published. */
const char *hd_channel_publish(struct hd_channel_rules *c, uint32_t n);

/* A wavefront is dispatched with `count` control places from `start` on, an index of the control array (modulo 2C). */
const char *hd_channel_dispatch(struct hd_channel_rules *c, uint32_t start, uint32_t count);

/* Returns the element dispatched with this control place (deq). */
uint32_t hd_channel_place(const struct hd_channel_rules *c, uint32_t control);

/* Elements base .. base + n - 1 are done. */
const char *hd_channel_done(struct hd_channel_rules *c, uint32_t base, uint32_t n);

/* Returns the number of published elements that are not dispatched. */
uint32_t hd_channel_ready(const struct hd_channel_rules *c);

/* Returns true if every element reserved so far is done. */
bool hd_channel_empty(const struct hd_channel_rules *c);

#endif
