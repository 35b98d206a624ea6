// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// bind: packs C structs into a Verilated block's ports and back. Included by the bindings that hdgen.py writes.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "verilated.h"
extern "C" {
#include "rtl_api.h"
}

// w bits (at most 64) at bit lsb of a wide signal.
static inline uint64_t wide_get(const WData *p, unsigned lsb, unsigned w) {
  unsigned word = lsb / 32, bit = lsb % 32;
  uint64_t x = static_cast<uint64_t>(p[word]) >> bit;
  if (bit + w > 32) x |= static_cast<uint64_t>(p[word + 1]) << (32 - bit);
  if (bit + w > 64) x |= static_cast<uint64_t>(p[word + 2]) << (64 - bit);
  return w < 64 ? x & ((uint64_t{1} << w) - 1) : x;
}

// Writes fields one after the other into a wide signal, least significant first.
struct wide_writer {
  WData *p;
  uint64_t acc = 0;
  unsigned bits = 0;
  explicit wide_writer(WData *to) : p(to) {}
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
    if (bits) *p = static_cast<WData>(acc);
  }
};

// Compares a signal with what it was and keeps the new value; moves `last` on.
static inline bool update(const void *now, size_t bytes, unsigned char *&last) {
  bool changed = memcmp(now, last, bytes) != 0;
  if (changed) memcpy(last, now, bytes);
  last += bytes;
  return changed;
}
