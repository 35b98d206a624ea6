/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rng: random numbers of the harness: splitmix64 (Steele, Lea, Flood 2014). The seed determines the run. */
#ifndef HD_RNG_H
#define HD_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct hd_rng {
  uint64_t s;
};

static inline uint64_t hd_rng_next(struct hd_rng *r) {
  uint64_t z = (r->s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Returns 0 .. n - 1. Requires n >= 1. */
static inline uint32_t hd_rng_below(struct hd_rng *r, uint32_t n) {
  return (uint32_t)(((hd_rng_next(r) >> 32) * n) >> 32);
}

/* Returns true with probability p / 256. */
static inline bool hd_rng_p(struct hd_rng *r, unsigned p) {
  return (hd_rng_next(r) >> 56) < p;
}

static inline uint64_t hd_rng_bits(struct hd_rng *r, unsigned w) {
  return hd_rng_next(r) >> (64 - w);
}

#endif
