/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pages: the bytes of a large memory of which little is used: pages of 4 KB, made when they are first touched.
 *
 * A new page holds bytes that look random and depend on its address alone, so that whoever reads what nobody wrote
 * notices, and notices the same each time. */
#ifndef HD_PAGES_H
#define HD_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_PAGE_BYTES 4096u

struct hd_pages {
  struct hd_page **slot; /* a hash table by page number, open addressing */
  size_t slots, used;
};

void hd_pages_free(struct hd_pages *p);
/* Copies n bytes from or to any address. False: out of memory; a part may have been copied. */
bool hd_pages_read(struct hd_pages *p, uint64_t addr, void *bytes, size_t n);
bool hd_pages_write(struct hd_pages *p, uint64_t addr, const void *bytes, size_t n);

#endif
