/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_rules: the rules of one channel, without time: what may follow what, element by element. It is told what
 * happens, in the order in which it does, and names the rule that is broken; it decides nothing, and how early or late
 * something happens is not its matter.
 *
 *   Available --reserve--> Reserved --enqueue--> Reserved, with a control place --publish--> Ready
 *       ^                                                                                      |
 *       +-- freed, in the order of places, behind what is Done <-- Done <--done-- Dispatched <-+
 *
 * - Reserved are n places in one piece, from the tail on or from place 0; nothing that is not free, and of what may be
 *   free only whole grains, or all that there is. What is skipped at the end is Done.
 * - An element is enqueued once, after its reservation and before its publication; publications are in the order of
 *   the control places, not of the reservations.
 * - An element is dispatched once, after its publication, in the order of the control places; it is done once, after
 *   its dispatch.
 * - From the first control place of an element that is not free to the last that was given away there are at most
 *   2C - 1: none is given away twice. */
#ifndef HD_CHANNEL_RULES_H
#define HD_CHANNEL_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_CHANNEL_RULES_MOST = 32768 }; /* elements that a watched channel may have */

/* States of an element; HD_CE_SENT is Reserved, with a control place. */
enum hd_ce { HD_CE_AVAILABLE, HD_CE_RESERVED, HD_CE_SENT, HD_CE_READY, HD_CE_DISPATCHED, HD_CE_DONE };

struct hd_channel_rules {
  uint32_t capacity, grain;                  /* elements; those of a done count */
  uint32_t head, used;                       /* place of the first element that is not free; how many are not */
  uint32_t reserved, published, dispatched;  /* control places, ever */
  uint32_t span;                             /* the widest that was seen */
  uint8_t element[HD_CHANNEL_RULES_MOST];    /* by place */
  uint32_t control[HD_CHANNEL_RULES_MOST];   /* by place: its control place, ever */
  uint16_t place[2 * HD_CHANNEL_RULES_MOST]; /* by control place: the element's */
};

/* An empty channel; the capacity is a power of two, HD_CHANNEL_RULES_MOST at most. */
void hd_channel_rules_init(struct hd_channel_rules *c, uint32_t capacity, uint32_t grain);

/* A grant of n elements from `base` on. */
const char *hd_channel_reserve(struct hd_channel_rules *c, uint32_t base, uint32_t n);

/* They would fit now, if everything is freed that may be: who refuses them may do so for a while only. */
bool hd_channel_fits(const struct hd_channel_rules *c, uint32_t n);

/* n elements from `base` on take the next control places. */
const char *hd_channel_enqueue(struct hd_channel_rules *c, uint32_t base, uint32_t n);

/* The offsets of the next n control places are written, and shown. */
const char *hd_channel_publish(struct hd_channel_rules *c, uint32_t n);

/* A wavefront takes `count` control places from `start` on (a place of the control array: modulo 2C). */
const char *hd_channel_dispatch(struct hd_channel_rules *c, uint32_t start, uint32_t count);

/* The element that is dispatched with this control place (deq). */
uint32_t hd_channel_place(const struct hd_channel_rules *c, uint32_t control);

/* n elements from `base` on are done. */
const char *hd_channel_done(struct hd_channel_rules *c, uint32_t base, uint32_t n);

/* Elements that are published and wait. */
uint32_t hd_channel_ready(const struct hd_channel_rules *c);

/* Every element that was ever reserved is done. */
bool hd_channel_empty(const struct hd_channel_rules *c);

#endif
