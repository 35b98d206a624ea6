/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/port.h"

#include <stdlib.h>

bool hd_port_init(struct hd_port *p, uint64_t ahead) {
  uint64_t words = 4;
  while (words < ahead / 64 + 3) words *= 2;
  *p = (struct hd_port){.word = calloc(words, sizeof *p->word), .mask = words - 1};
  return p->word != NULL;
}

void hd_port_free(struct hd_port *p) {
  free(p->word);
  *p = (struct hd_port){0};
}

/* Returns the word of a group of cycles; reuses that of a past group. */
static struct hd_port_word *word(struct hd_port *p, uint64_t number) {
  struct hd_port_word *w = &p->word[number & p->mask];
  if (w->number != number) *w = (struct hd_port_word){.number = number};
  return w;
}

uint64_t hd_port_take(struct hd_port *p, uint64_t from, uint32_t flits) {
  uint64_t number = from / 64, open = ~UINT64_C(0) << from % 64;
  for (;; number++, open = ~UINT64_C(0)) {
    struct hd_port_word *w = word(p, number);
    for (uint64_t left = open & ~w->taken; left != 0; left &= left - 1) {
      w->taken |= left & -left;
      if (--flits == 0) return number * 64 + (uint64_t)__builtin_ctzll(left) + 1;
    }
  }
}
