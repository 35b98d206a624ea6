/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/pack.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <zlib.h>

enum { MOST_BYTES = 10 }; /* longest encoding of a number */

void hd_pack_add(struct hd_pack *p, uint64_t value) {
  if (p->room - p->n < MOST_BYTES) {
    const size_t room = p->room + p->room / 2 + 1024;
    uint8_t *data = realloc(p->data, room);
    if (data == NULL) {
      p->failed = true;
      return;
    }
    p->data = data;
    p->room = room;
  }
  const uint64_t by = value - p->last;
  uint64_t left = by >> 63 != 0 ? ~(by << 1) : by << 1;
  for (; left >= 0x80; left >>= 7) p->data[p->n++] = (uint8_t)(left | 0x80);
  p->data[p->n++] = (uint8_t)left;
  p->last = value;
}

static void put_base64(const uint8_t *data, size_t n, FILE *f) {
  enum { PART = 3 * 1024 };
  unsigned char text[PART / 3 * 4 + 1];
  for (size_t at = 0; at < n; at += PART) {
    const size_t part = n - at < PART ? n - at : PART;
    const int length = EVP_EncodeBlock(text, data + at, (int)part);
    fwrite(text, 1, (size_t)length, f);
  }
}

bool hd_pack_write(const struct hd_pack *p, FILE *f) {
  uLongf n = compressBound(p->n);
  uint8_t *small = p->failed ? NULL : malloc(n);
  const bool good = small != NULL && compress2(small, &n, p->data, p->n, Z_DEFAULT_COMPRESSION) == Z_OK;
  if (good) put_base64(small, n, f);
  free(small);
  return good;
}

void hd_pack_free(struct hd_pack *p) {
  free(p->data);
  *p = (struct hd_pack){0};
}
