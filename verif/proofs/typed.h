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

#endif
