/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* model: adapts a block's golden model to the engine's untyped interface. HD_BLOCK_DRIVER_MODEL(foo) defines the
 * functions; HD_BLOCK_DRIVER_MODEL_FIELDS(foo) sets them in a struct hd_block_driver. */
#ifndef HD_MODEL_H
#define HD_MODEL_H

#include <string.h>

#include "engine/block_driver.h"

#define HD_BLOCK_DRIVER_MODEL(B)                                   \
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

/* A block without inner blocks has one state group. */
#define HD_BLOCK_DRIVER_ARCH(B)                                                  \
  static void B##_arch(const void *m, unsigned group, void *arch, bool tables) { \
    (void)group;                                                                 \
    hd_##B##_arch(m, arch, tables);                                              \
  }

/* The same for a block with tables. */
#define HD_BLOCK_DRIVER_ROWS(B)                                                  \
  HD_BLOCK_DRIVER_ARCH(B)                                                        \
  static const struct hd_wrote *B##_wrote(const void *m, unsigned group) {       \
    (void)group;                                                                 \
    return ((const struct hd_##B *)m)->wrote;                                    \
  }                                                                              \
  static void B##_row(const void *m, unsigned group, unsigned row, void *arch) { \
    (void)group;                                                                 \
    hd_##B##_arch_row(m, row, arch);                                             \
  }

/* For an environment (struct stim) or an oracle (struct oracle) whose initial state is 0 except for `cfg`: functions
 * for size, initialization and reset. */
#define HD_BLOCK_DRIVER_STIM                                                      \
  static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) { \
    (void)rng;                                                                    \
    ((struct stim *)s_)->cfg = *cfg;                                              \
  }                                                                               \
  static void stim_reset(void *s_) {                                              \
    struct hd_cfg cfg = ((struct stim *)s_)->cfg;                                 \
    memset(s_, 0, sizeof(struct stim));                                           \
    ((struct stim *)s_)->cfg = cfg;                                               \
  }

#define HD_BLOCK_DRIVER_ORACLE                                  \
  static size_t oracle_size(const struct hd_cfg *cfg) {         \
    (void)cfg;                                                  \
    return sizeof(struct oracle);                               \
  }                                                             \
  static void oracle_init(void *o_, const struct hd_cfg *cfg) { \
    memset(o_, 0, sizeof(struct oracle));                       \
    ((struct oracle *)o_)->cfg = *cfg;                          \
  }

/* For an environment in its own file, BLOCK_neighbours: initialization, reset and drive under the common names. */
#define HD_BLOCK_DRIVER_NEIGHBOURS(B)                                                                          \
  static void stim_reset(void *s) {                                                                            \
    hd_##B##_neighbours_reset(s);                                                                              \
  }                                                                                                            \
  static void stim_init(void *s, const struct hd_cfg *cfg, struct hd_rng *rng) {                               \
    (void)rng;                                                                                                 \
    ((struct hd_##B##_neighbours *)s)->cfg = *cfg;                                                             \
    hd_##B##_neighbours_reset(s);                                                                              \
  }                                                                                                            \
  static void drive(void *s, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now, \
                    void *in) {                                                                                \
    hd_##B##_neighbours_drive(s, rng, p, out, now, in);                                                        \
  }

#define HD_BLOCK_DRIVER_MODEL_FIELDS(B)                                                                         \
  .block = #B, .size = hd_##B##_size, .init = B##_init, .reset = B##_reset, .eval = B##_eval, .tick = B##_tick, \
  .arch = B##_arch

#define HD_BLOCK_DRIVER_ROWS_FIELDS(B) .wrote = B##_wrote, .row = B##_row

/* The fields of an environment (T: its struct) and of an oracle with the names above, and with drive(), cover(),
 * covers[] and watch(). */
#define HD_BLOCK_DRIVER_STIM_FIELDS(T)                                                                        \
  .stim_size = sizeof(T), .stim_init = stim_init, .drive = drive, .stim_reset = stim_reset, .covers = covers, \
  .cover = cover

#define HD_BLOCK_DRIVER_ORACLE_FIELDS .oracle_size = oracle_size, .oracle_init = oracle_init, .watch = watch

#endif
