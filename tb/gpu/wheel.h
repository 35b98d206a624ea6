/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wheel: things that happen later, each known by a number, with a list for each of the cycles to come. A number is in
 * it once at most. Of one cycle, what was added first comes first. */
#ifndef HD_WHEEL_H
#define HD_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#define HD_WHEEL_NONE UINT32_MAX
#define HD_WHEEL_CYCLES \
  4096u /* cycles with lists of their own; what comes later than that is put in again on its way */

struct hd_wheel {
  uint32_t *next;  /* by number */
  uint64_t *cycle; /* by number */
  uint32_t head[HD_WHEEL_CYCLES], tail[HD_WHEEL_CYCLES];
  uint64_t used[HD_WHEEL_CYCLES / 64]; /* a bit for each list that is not empty .. */
  uint64_t any;                        /* .. and for each word of those */
  uint64_t now;                        /* all before is over */
};

/* Numbers are 0 to n - 1. False: out of memory. */
bool hd_wheel_init(struct hd_wheel *w, uint32_t n);
void hd_wheel_free(struct hd_wheel *w);

/* In `cycle`, which is w->now or later. */
void hd_wheel_add(struct hd_wheel *w, uint32_t number, uint64_t cycle);
/* A cycle before which nothing happens: something does then, or is on its way. False: nothing is to come. */
bool hd_wheel_next(const struct hd_wheel *w, uint64_t *cycle);
/* Goes to that cycle, and takes its list: the first number, hd_wheel_after() the others; HD_WHEEL_NONE ends it. A
 * number whose time is later was on its way, and is to be added again. What is added while the list is worked off is
 * later than this cycle. */
uint32_t hd_wheel_take(struct hd_wheel *w, uint64_t cycle);

/* Asked before the number is added again. */
static inline uint32_t hd_wheel_after(const struct hd_wheel *w, uint32_t number) {
  return w->next[number];
}

#endif
