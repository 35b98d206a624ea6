// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// bind: packs C structs into a Verilated block's ports and back. Included by the bindings that rtl/hdgen writes.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "verilated.h"
extern "C" {
#include "rtl_api.h"
}

// Returns w bits (at most 64) at bit lsb of a wide signal. Up to 57 bits take one load of 8 bytes, which may reach past
// the signal's last word, but not past the model object that it is a member of.
static inline uint64_t wide_get(const WData *p, unsigned lsb, unsigned w) {
  if (w <= 57) {
    uint64_t x;
    memcpy(&x, reinterpret_cast<const char *>(p) + lsb / 8, 8);
    return x >> (lsb % 8) & ((uint64_t{1} << w) - 1);
  }
  unsigned word = lsb / 32, bit = lsb % 32;
  uint64_t x = static_cast<uint64_t>(p[word]) >> bit;
  if (bit + w > 32) x |= static_cast<uint64_t>(p[word + 1]) << (32 - bit);
  if (bit + w > 64) x |= static_cast<uint64_t>(p[word + 2]) << (64 - bit);
  return w < 64 ? x & ((uint64_t{1} << w) - 1) : x;
}

// Returns true if w bits at bit lsb are equal in two wide signals; b_ points to the bytes of the second.
static inline bool same_bits(const WData *a, const unsigned char *b_, unsigned lsb, unsigned w) {
  const WData *b = reinterpret_cast<const WData *>(b_);
  for (; w > 57; w -= 57, lsb += 57)
    if (wide_get(a, lsb, 57) != wide_get(b, lsb, 57)) return false;
  return wide_get(a, lsb, w) == wide_get(b, lsb, w);
}

// Returns true if an input differs from `last`, and stores it there. With `all` every input counts as changed.
template <typename T>
static inline bool moved(const T &now, T &last, bool all) {
  if (!all && memcmp(&now, &last, sizeof now) == 0) return false;
  memcpy(&last, &now, sizeof now);
  return true;
}

// Packs n bytes of 0 or 1 into n bits, the first into bit 0.
template <typename T>
static inline uint64_t bytes_to_bits(const T *from, unsigned n) {
  uint64_t x = 0;
  for (unsigned i = 0; i < n; i++) x |= static_cast<uint64_t>(from[i] & 1) << i;
  return x;
}

static inline uint64_t bytes_to_bits(const uint8_t *from, unsigned n) {
  uint64_t x = 0;
  for (unsigned i = 0; i < n; i += 8) {
    uint64_t v = 0;
    memcpy(&v, from + i, n - i < 8 ? n - i : 8);
    x |= ((v & 0x0101010101010101u) * 0x0102040810204080u >> 56) << i;
  }
  return x;
}

// Writes consecutive fields into a wide signal from bit lsb on, least significant first. Bits before and after them
// keep their values.
struct wide_writer {
  WData *p;
  uint64_t acc;
  unsigned bits;
  wide_writer(WData *to, unsigned lsb) : p(to + lsb / 32), acc(*p & ((uint64_t{1} << lsb % 32) - 1)), bits(lsb % 32) {}
  void put(uint64_t v, unsigned w) {
    if (w > 32) {
      put(v & 0xffffffffu, 32);
      put(v >> 32, w - 32);
      return;
    }
    acc |= (v & ((uint64_t{1} << w) - 1)) << bits;
    bits += w;
    if (bits >= 32) {
      *p++ = static_cast<WData>(acc);
      acc >>= 32;
      bits -= 32;
    }
  }
  void flush() {
    if (bits) *p = (*p & ~static_cast<WData>((uint64_t{1} << bits) - 1)) | static_cast<WData>(acc);
  }
};

// Unpacks eight bits into eight bytes of 0 or 1, bit 0 into the first.
static inline uint64_t spread8(uint64_t bits) {
  uint64_t x = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return (x + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

// Unpacks n bits into n bytes. Where `valid` (n bytes, or null) is 0, the result is 0.
static inline void bits_to_bytes(uint8_t *to, uint64_t bits, unsigned n, const uint8_t *valid) {
  for (; n >= 8; n -= 8, bits >>= 8, to += 8) {
    uint64_t x = spread8(bits), v = ~uint64_t{0};
    if (valid) {
      memcpy(&v, valid, 8);
      v = (v | ((v & 0x7f7f7f7f7f7f7f7f) + 0x7f7f7f7f7f7f7f7f)) >> 7;  // bit 0 of each byte: the byte is not 0
      valid += 8;
    }
    x &= v;
    memcpy(to, &x, 8);
  }
  for (unsigned i = 0; i < n; i++) to[i] = (bits >> i & 1) & (valid ? valid[i] != 0 : 1);
}

static inline void bits_to_bytes(uint8_t *to, const WData *bits, unsigned n, const uint8_t *valid) {
  for (unsigned k = 0; k < n; k += 32) {
    bits_to_bytes(to + k, uint64_t{bits[k / 32]}, n - k < 32 ? n - k : 32, valid ? valid + k : nullptr);
  }
}

// The same for elements that are one bit wide in this configuration and wider in others.
template <typename T>
static inline void bits_to_bytes(T *to, uint64_t bits, unsigned n, const uint8_t *valid) {
  for (unsigned i = 0; i < n; i++) to[i] = (bits >> i & 1) & (valid ? valid[i] != 0 : 1);
}

template <typename T>
static inline void bits_to_bytes(T *to, const WData *bits, unsigned n, const uint8_t *valid) {
  for (unsigned i = 0; i < n; i++) to[i] = (bits[i / 32] >> i % 32 & 1) & (valid ? valid[i] != 0 : 1);
}

// Returns true if a signal differs from its last value, stores the new value, and advances `last`. sim speed: up to 64
// bytes are stored unconditionally, since the branch would be unpredictable.
template <typename T>
static inline bool renew(const T &now, unsigned char *&last) {
  bool changed = memcmp(&now, last, sizeof now) != 0;
  if (sizeof now <= 64 || changed) memcpy(last, &now, sizeof now);
  last += sizeof now;
  return changed;
}

// The same for a row of a table, which rarely changes.
static inline bool update(const void *now, size_t bytes, unsigned char *&last) {
  bool changed = memcmp(now, last, bytes) != 0;
  if (changed) memcpy(last, now, bytes);
  last += bytes;
  return changed;
}
