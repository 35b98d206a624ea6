/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pack: compresses a column of integers to text. Each number is stored as its difference from the one before (zigzag:
 * 0, -1, 1, -2 .. become 0, 1, 2, 3 ..) in bytes of seven bits, lowest first, the eighth set in all but the last; then
 * deflated (zlib), then base64. tb/page/page.js reads it. */
#ifndef HD_PACK_H
#define HD_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* All zero: an empty column. */
struct hd_pack {
  uint8_t *data;
  size_t n, room;
  uint64_t last;
  bool failed; /* out of memory: hd_pack_write() says so */
};

/* Appends a number. */
void hd_pack_add(struct hd_pack *p, uint64_t value);
/* Writes the text, without quotation marks. Returns false if out of memory. The caller checks f for write errors. */
bool hd_pack_write(const struct hd_pack *p, FILE *f);
void hd_pack_free(struct hd_pack *p);

#endif
