/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pages: sparse storage for a large memory: pages of 4 KB, allocated on first access.
 *
 * A new page holds pseudo-random bytes that depend on its address alone, so that a read of unwritten memory is noticed,
 * and is reproducible. */
#ifndef HD_PAGES_H
#define HD_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_PAGE_BYTES 4096u

struct hd_pages {
  struct hd_page **slot; /* hash table by page number, open addressing */
  size_t slots, used;
};

void hd_pages_free(struct hd_pages *p);
/* Copies n bytes from or to any address. Returns false if out of memory; a part may have been copied. */
bool hd_pages_read(struct hd_pages *p, uint64_t addr, void *bytes, size_t n);
bool hd_pages_write(struct hd_pages *p, uint64_t addr, const void *bytes, size_t n);

#endif
