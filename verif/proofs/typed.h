/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The functions of string.h that the golden models call, element by element: CBMC then treats structs and arrays as
 * such, not as bytes, and a proof takes seconds instead of minutes. A memset of `char *` occurs only in the models'
 * resets and for a part of the outputs; it does nothing here, since these objects are 0 before. */
#ifndef TYPED_H
#define TYPED_H
#include <stdint.h>
#include <string.h>

#undef __BYTE_ORDER__ /* hd_bits_to_bytes() then takes one bit at a time */
#undef memset
#undef memcpy
#undef memmove
#undef memchr
#define memcpy(d, s, n)                                                 \
  do {                                                                  \
    __typeof__(&(d)[0]) d_ = (d);                                       \
    __typeof__(&(s)[0]) s_ = (s);                                       \
    for (unsigned i_ = 0; i_ < (n) / sizeof *d_; i_++) d_[i_] = s_[i_]; \
  } while (0)
#define memmove(d, s, n)                                    \
  do {                                                      \
    __typeof__(&(d)[0]) d_ = (d);                           \
    __typeof__(&(s)[0]) s_ = (s);                           \
    unsigned n_ = (unsigned)((n) / sizeof *d_);             \
    if (d_ < s_) {                                          \
      for (unsigned i_ = 0; i_ < n_; i_++) d_[i_] = s_[i_]; \
    } else {                                                \
      for (unsigned i_ = n_; i_-- > 0;) d_[i_] = s_[i_];    \
    }                                                       \
  } while (0)
#define memset(d, c, n)                                                                           \
  do {                                                                                            \
    if (!_Generic((d), char * : 1, default : 0)) {                                                \
      __typeof__(&(d)[0]) d_ = (d);                                                               \
      static const __typeof__((d)[0]) zero_;                                                      \
      for (unsigned i_ = 0; i_ < ((n) < sizeof *d_ ? 1 : (n) / sizeof *d_); i_++) d_[i_] = zero_; \
    }                                                                                             \
  } while (0)
#define memchr(s, c, n)                                 \
  ({                                                    \
    const void *found_ = 0;                             \
    for (unsigned i_ = 0; i_ < (n); i_++)               \
      if (!found_ && (s)[i_] == (c)) found_ = &(s)[i_]; \
    found_;                                             \
  })

/* A set of bits: with an unknown number of the word CBMC would take all bytes of the state. Each word is tried; behind
 * a pointer there is one, which is checked. */
#ifndef REPLAY
#include "common/bits.h"
#define IS_IN_(i, words) __CPROVER_assert((i) / 64 < (words), "one word, or as many as the set has")
#define WORDS_(set)                                                        \
  (__builtin_types_compatible_p(__typeof__(set), uint64_t *) ||            \
           __builtin_types_compatible_p(__typeof__(set), const uint64_t *) \
       ? 1u                                                                \
       : (unsigned)(sizeof(set) / 8))
#define hd_bit(set, i)                                                 \
  ({                                                                   \
    const unsigned at_ = (i);                                          \
    _Bool bit_ = 0;                                                    \
    IS_IN_(at_, WORDS_(set));                                          \
    for (unsigned k_ = 0; k_ < WORDS_(set); k_++)                      \
      if (at_ / 64 == k_) bit_ = (_Bool)((set)[k_] >> (at_ % 64) & 1); \
    bit_;                                                              \
  })
#define hd_bit_put(set, i, v)                                                     \
  ({                                                                              \
    const unsigned at_ = (i);                                                     \
    const uint64_t one_ = UINT64_C(1) << (at_ % 64);                              \
    const _Bool on_ = (v);                                                        \
    IS_IN_(at_, WORDS_(set));                                                     \
    for (unsigned k_ = 0; k_ < WORDS_(set); k_++)                                 \
      if (at_ / 64 == k_) (set)[k_] = on_ ? (set)[k_] | one_ : (set)[k_] & ~one_; \
  })
#define hd_bit_set(set, i) hd_bit_put(set, i, 1)
#define hd_bit_clear(set, i) hd_bit_put(set, i, 0)
#define hd_bits_rr(set, words, ptr) bits_rr_(set, words, ptr)
static inline int bits_rr_(const uint64_t *w, unsigned words, unsigned ptr) {
  for (unsigned k = 0; k < words; k++) {
    const uint64_t from = k == ptr / 64 ? ~UINT64_C(0) << (ptr % 64) : k < ptr / 64 ? 0 : ~UINT64_C(0);
    if (w[k] & from) return (int)(k * 64 + hd_lowest(w[k] & from));
  }
  return hd_bits_first(w, words);
}
#endif

#endif
