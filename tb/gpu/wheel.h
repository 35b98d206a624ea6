/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wheel: a timing wheel. Events are numbers; each number is scheduled at most once. Events of one cycle keep the order
 * in which they were added. */
#ifndef HD_WHEEL_H
#define HD_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#define HD_WHEEL_NONE UINT32_MAX
#define HD_WHEEL_CYCLES 4096u /* slots of the wheel; later events are added again on the way */

struct hd_wheel {
  uint32_t *next;  /* by number */
  uint64_t *cycle; /* by number */
  uint32_t head[HD_WHEEL_CYCLES], tail[HD_WHEEL_CYCLES];
  uint64_t used[HD_WHEEL_CYCLES / 64]; /* one bit per list that is not empty .. */
  uint64_t any;                        /* .. and one bit per nonzero word of `used` */
  uint64_t now;                        /* all earlier cycles are done */
};

/* Creates a wheel for numbers 0 to n - 1. Returns false if out of memory. */
bool hd_wheel_init(struct hd_wheel *w, uint32_t n);
void hd_wheel_free(struct hd_wheel *w);

/* Schedules a number. Requires cycle >= w->now. */
void hd_wheel_add(struct hd_wheel *w, uint32_t number, uint64_t cycle);
/* Sets *cycle to a lower bound of the next event: an event is due then or is on its way. Returns false if the wheel is
 * empty. */
bool hd_wheel_next(const struct hd_wheel *w, uint64_t *cycle);
/* Advances to `cycle` and removes its list. Returns the first number, hd_wheel_after() the others; HD_WHEEL_NONE ends
 * it. A number whose time is later was on its way: add it again. Events that are added while the list is processed must
 * be later than this cycle. */
uint32_t hd_wheel_take(struct hd_wheel *w, uint64_t cycle);

/* Returns the number after `number` in the list. Call it before the number is added again. */
static inline uint32_t hd_wheel_after(const struct hd_wheel *w, uint32_t number) {
  return w->next[number];
}

#endif
