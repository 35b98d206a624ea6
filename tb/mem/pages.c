/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "mem/pages.h"

#include <stdlib.h>
#include <string.h>

#include "engine/rng.h"

struct hd_page {
  uint64_t number;
  uint8_t bytes[HD_PAGE_BYTES];
};

static size_t place(const struct hd_pages *p, uint64_t number) {
  struct hd_rng mix = {number};
  size_t at = (size_t)hd_rng_next(&mix) & (p->slots - 1);
  while (p->slot[at] != NULL && p->slot[at]->number != number) at = (at + 1) & (p->slots - 1);
  return at;
}

/* Grows the table so that at most half of its slots are in use: every search then ends. */
static bool make_room(struct hd_pages *p) {
  if (2 * (p->used + 1) <= p->slots) return true;
  struct hd_pages grown = {.slots = p->slots != 0 ? 2 * p->slots : 64, .used = p->used};
  grown.slot = calloc(grown.slots, sizeof *grown.slot);
  if (grown.slot == NULL) return false;
  for (size_t i = 0; i < p->slots; i++)
    if (p->slot[i] != NULL) grown.slot[place(&grown, p->slot[i]->number)] = p->slot[i];
  free(p->slot);
  *p = grown;
  return true;
}

static struct hd_page *page_at(struct hd_pages *p, uint64_t addr) {
  uint64_t number = addr / HD_PAGE_BYTES;
  if (!make_room(p)) return NULL;
  size_t at = place(p, number);
  if (p->slot[at] != NULL) return p->slot[at];
  struct hd_page *new = malloc(sizeof *new);
  if (new == NULL) return NULL;
  struct hd_rng garbage = {~number};
  new->number = number;
  for (size_t i = 0; i < HD_PAGE_BYTES; i += 8) {
    uint64_t word = hd_rng_next(&garbage);
    memcpy(new->bytes + i, &word, 8);
  }
  p->slot[at] = new;
  p->used++;
  return new;
}

void hd_pages_free(struct hd_pages *p) {
  for (size_t i = 0; i < p->slots; i++) free(p->slot[i]);
  free(p->slot);
  *p = (struct hd_pages){0};
}

/* Returns the number of bytes from addr to the end of its page, at most n. */
static size_t piece(uint64_t addr, size_t n) {
  size_t left = HD_PAGE_BYTES - addr % HD_PAGE_BYTES;
  return n < left ? n : left;
}

bool hd_pages_read(struct hd_pages *p, uint64_t addr, void *bytes, size_t n) {
  uint8_t *to = bytes;
  for (size_t k; n != 0; n -= k, addr += k, to += k) {
    const struct hd_page *page = page_at(p, addr);
    if (page == NULL) return false;
    k = piece(addr, n);
    memcpy(to, page->bytes + addr % HD_PAGE_BYTES, k);
  }
  return true;
}

bool hd_pages_write(struct hd_pages *p, uint64_t addr, const void *bytes, size_t n) {
  const uint8_t *from = bytes;
  for (size_t k; n != 0; n -= k, addr += k, from += k) {
    struct hd_page *page = page_at(p, addr);
    if (page == NULL) return false;
    k = piece(addr, n);
    memcpy(page->bytes + addr % HD_PAGE_BYTES, from, k);
  }
  return true;
}
