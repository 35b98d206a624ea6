/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Shared by the unit tests: configurations, memory for a model, a basic launch, random numbers. */
#ifndef HD_UNIT_UTIL_H
#define HD_UNIT_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/hd_cfg.h"
#include "test_list.h"

/* Returns a named configuration. */
static inline struct hd_cfg ut_cfg(const char *name) {
  struct hd_cfg c;
  assert_true(hd_cfg_find(name, &c));
  return c;
}

/* Returns a configuration with one parameter changed. */
static inline struct hd_cfg ut_cfg_but(struct hd_cfg c, const char *param, uint32_t value) {
  char err[300];
  if (!hd_cfg_set(&c, param, value, err, sizeof err) || !hd_cfg_derive(&c, err, sizeof err)) fail_msg("%s", err);
  return c;
}

/* Returns a named configuration with one parameter changed. */
static inline struct hd_cfg ut_cfg_with(const char *name, const char *param, uint32_t value) {
  return ut_cfg_but(ut_cfg(name), param, value);
}

/* The paper's hash: the AGE of a group follows from its thread index, so a test can choose which groups overflow. */
static inline struct hd_cfg ut_cfg_hashed(const char *name) {
  return ut_cfg_with(name, "AgtHash", 0);
}

/* Returns memory for a model, filled with garbage that differs on each call, so that a field that init does not set
 * makes two models differ. The caller frees it. */
static inline void *ut_new(size_t size) {
  static unsigned char garbage = 0x5a;
  void *p = malloc(size);
  assert_non_null(p);
  memset(p, garbage, size);
  garbage = (unsigned char)(garbage + 0x35);
  return p;
}

/* A launch that every configuration accepts: 4 TBs of 32 threads. */
static inline struct hd_launch ut_launch(unsigned hwq, unsigned tag) {
  struct hd_launch l = {.threads = 32, .regs = 16, .smem = 1, .ctas = 4};
  l.desc = (struct hd_desc){.pc = 0x1000, .grid_x = 4, .grid_y = 1, .grid_z = 1, .cta_x = 32, .cta_y = 1, .cta_z = 1};
  l.desc.param = 0x10000 + tag;
  l.hwq = (uint8_t)hwq;
  l.tag = (uint16_t)tag;
  return l;
}

/* The kernel that the KMU makes of ut_launch(). */
static inline struct hd_kernel ut_kernel(unsigned hwq, unsigned tag) {
  struct hd_launch l = ut_launch(hwq, tag);
  struct hd_kernel k = {.desc = l.desc, .need = {.warps = 1, .regs = 2, .smem = 1}, .ctas = 4};
  k.origin.host = 1;
  k.origin.hwq = (uint8_t)hwq;
  k.origin.tag = (uint16_t)tag;
  return k;
}

/* xorshift: the same numbers on every machine. Requires *seed != 0. */
static inline uint32_t ut_rand(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (uint32_t)(*seed >> 16);
}

/* Returns a random number in 0 .. n-1. */
static inline unsigned ut_below(uint64_t *seed, unsigned n) {
  return ut_rand(seed) % n;
}

#endif
