/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bits: sets of small numbers as 64-bit words. The models keep sets such as the free slots or the waiting queues in
 * this form, so that a decision reads one word rather than an array.
 *
 * A set over n numbers takes HD_WORDS(n) words; bits from n on are always 0. Ports carry the same sets as arrays of
 * bytes (0 or 1, element 0 first), the binding of the RTL's flat vectors to C. All functions here are inline and change
 * only the set passed to them. */
#ifndef HD_BITS_H
#define HD_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HD_WORDS(n) (((n) + 63u) / 64u)

/* Returns true if i is in the set. */
static inline bool hd_bit(const uint64_t *w, unsigned i) {
  return w[i / 64] >> (i % 64) & 1;
}

/* Adds i to the set. */
static inline void hd_bit_set(uint64_t *w, unsigned i) {
  w[i / 64] |= UINT64_C(1) << (i % 64);
}

/* Removes i from the set. */
static inline void hd_bit_clear(uint64_t *w, unsigned i) {
  w[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Adds i to the set if v, else removes it. */
static inline void hd_bit_put(uint64_t *w, unsigned i, bool v) {
  hd_bit_clear(w, i);
  w[i / 64] |= (uint64_t)v << (i % 64);
}

/* Returns the smallest member of one word. Requires word != 0. */
static inline unsigned hd_lowest(uint64_t word) {
  return (unsigned)__builtin_ctzll(word);
}

/* Returns the smallest member, or -1 if the set is empty. */
static inline int hd_bits_first(const uint64_t *w, unsigned words) {
  for (unsigned k = 0; k < words; k++) {
    if (w[k]) return (int)(k * 64 + hd_lowest(w[k]));
  }
  return -1;
}

/* Round robin (T5): returns the first member at or after ptr, cyclically, or -1 if the set is empty. Requires ptr <
 * words * 64. */
static inline int hd_bits_rr(const uint64_t *w, unsigned words, unsigned ptr) {
  unsigned k = ptr / 64;
  uint64_t above = w[k] & ~UINT64_C(0) << (ptr % 64);
  if (above) return (int)(k * 64 + hd_lowest(above));
  for (unsigned n = 0; n < words; n++) {
    k = k + 1 == words ? 0 : k + 1;
    if (w[k]) return (int)(k * 64 + hd_lowest(w[k]));
  }
  return -1;
}

/* Returns the number of members. */
static inline unsigned hd_bits_count(const uint64_t *w, unsigned words) {
  unsigned n = 0;
  for (unsigned k = 0; k < words; k++) n += (unsigned)__builtin_popcountll(w[k]);
  return n;
}

/* Returns bit 0 of each of eight bytes as one byte, the first byte in bit 0. The multiplication moves bit 8 * i to bit
 * 56 + i. */
static inline uint64_t hd_pack8(uint64_t bytes) {
  return (bytes & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

/* Makes a set from n bytes of 0 or 1; writes HD_WORDS(n) words. */
static inline void hd_bits_from_bytes(uint64_t *w, const uint8_t *v, unsigned n) {
  uint64_t word = 0;
  unsigned i = 0;
  for (; i + 8 <= n; i += 8) {
    const uint8_t *b = v + i;
    uint64_t x = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
                 (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
    word |= hd_pack8(x) << (i % 64);
    if (i % 64 == 56) {
      *w++ = word;
      word = 0;
    }
  }
  for (; i < n; i++) word |= (uint64_t)(v[i] & 1) << (i % 64);
  if (n % 64) *w = word;
}

/* Returns the sum of n bytes: the number of members of a set of bytes of 0 or 1. */
static inline uint32_t hd_bytes_sum(const uint8_t *v, unsigned n) {
  uint32_t sum = 0;
  for (unsigned k = 0; k < n; k++) sum += v[k];
  return sum;
}

/* Writes the set as n bytes of 0 or 1. */
static inline void hd_bits_to_bytes(uint8_t *v, const uint64_t *w, unsigned n) {
  unsigned i = 0;
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (; i + 8 <= n; i += 8) { /* eight at once: each byte keeps its own bit of x, then becomes 1 if it is not 0 */
    uint64_t x = (w[i / 64] >> (i % 64) & 0xff) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    x = (x + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    memcpy(v + i, &x, 8);
  }
#endif
  for (; i < n; i++) v[i] = (uint8_t)(w[i / 64] >> (i % 64) & 1);
}

#endif
