/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* model: gives a block's golden model the engine's untyped interface. HD_TWIN_MODEL(foo) defines the functions,
 * HD_TWIN_MODEL_FIELDS(foo) names them in a struct hd_twin. */
#ifndef HD_TWINS_MODEL_H
#define HD_TWINS_MODEL_H

#include <string.h>

#include "twin.h"

#define HD_TWIN_MODEL(B)                                           \
  static void B##_init(void *m, const struct hd_cfg *cfg) {        \
    hd_##B##_init(m, cfg);                                         \
  }                                                                \
  static void B##_reset(void *m) {                                 \
    hd_##B##_reset(m);                                             \
  }                                                                \
  static void B##_eval(const void *m, const void *in, void *out) { \
    hd_##B##_eval(m, in, out);                                     \
  }                                                                \
  static void B##_tick(void *m, const void *in) {                  \
    hd_##B##_tick(m, in);                                          \
  }

/* A block without blocks inside has one state group. */
#define HD_TWIN_ARCH(B)                                                          \
  static void B##_arch(const void *m, unsigned group, void *arch, bool tables) { \
    (void)group;                                                                 \
    hd_##B##_arch(m, arch, tables);                                              \
  }

#define HD_TWIN_MODEL_FIELDS(B)                                                                                 \
  .block = #B, .size = hd_##B##_size, .init = B##_init, .reset = B##_reset, .eval = B##_eval, .tick = B##_tick, \
  .arch = B##_arch

#endif
