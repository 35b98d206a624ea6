/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/wheel.h"

#include <stdlib.h>
#include <string.h>

bool hd_wheel_init(struct hd_wheel *w, uint32_t n) {
  *w = (struct hd_wheel){.next = calloc(n, sizeof *w->next), .cycle = calloc(n, sizeof *w->cycle)};
  return w->next != NULL && w->cycle != NULL;
}

void hd_wheel_free(struct hd_wheel *w) {
  free(w->next);
  free(w->cycle);
  w->next = NULL;
  w->cycle = NULL;
}

void hd_wheel_add(struct hd_wheel *w, uint32_t number, uint64_t cycle) {
  uint64_t there = cycle - w->now < HD_WHEEL_CYCLES ? cycle : w->now + HD_WHEEL_CYCLES - 1;
  uint32_t at = there % HD_WHEEL_CYCLES;
  uint64_t bit = UINT64_C(1) << at % 64;
  w->cycle[number] = cycle;
  w->next[number] = HD_WHEEL_NONE;
  if ((w->used[at / 64] & bit) != 0)
    w->next[w->tail[at]] = number;
  else
    w->head[at] = number;
  w->tail[at] = number;
  w->used[at / 64] |= bit;
  w->any |= UINT64_C(1) << at / 64;
}

/* Finds the first list from `at` on, within this turn, that is not empty. Returns false if there is none. */
static bool first_from(const struct hd_wheel *w, uint32_t at, uint32_t *found) {
  uint64_t word = w->used[at / 64] & ~UINT64_C(0) << at % 64;
  if (word == 0) {
    uint64_t others = at / 64 < 63 ? w->any & ~UINT64_C(0) << (at / 64 + 1) : 0;
    if (others == 0) return false;
    at = (uint32_t)__builtin_ctzll(others) * 64;
    word = w->used[at / 64];
  }
  *found = at / 64 * 64 + (uint32_t)__builtin_ctzll(word);
  return true;
}

bool hd_wheel_next(const struct hd_wheel *w, uint64_t *cycle) {
  uint32_t at = w->now % HD_WHEEL_CYCLES, found = at;
  if (w->any == 0) return false;
  if (!first_from(w, at, &found)) first_from(w, 0, &found);
  *cycle = w->now + (found - at) % HD_WHEEL_CYCLES;
  return true;
}

uint32_t hd_wheel_take(struct hd_wheel *w, uint64_t cycle) {
  uint32_t at = cycle % HD_WHEEL_CYCLES;
  uint64_t bit = UINT64_C(1) << at % 64;
  w->now = cycle;
  if ((w->used[at / 64] & bit) == 0) return HD_WHEEL_NONE;
  w->used[at / 64] &= ~bit;
  if (w->used[at / 64] == 0) w->any &= ~(UINT64_C(1) << at / 64);
  return w->head[at];
}
