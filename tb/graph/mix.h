/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* mix: random numbers by hashing instead of by sequence: equal arguments give equal numbers, in any order of calls. So
 * random values of a workload or a graph do not depend on the order in which the plane hands out its TBs. The hash is
 * the mixing function of splitmix64. */
#ifndef HD_MIX_H
#define HD_MIX_H

#include <stdint.h>

static inline uint64_t hd_mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline uint64_t hd_mix3(uint64_t a, uint64_t b, uint64_t c) {
  return hd_mix(hd_mix(hd_mix(a) ^ b) ^ c);
}

/* Returns u with 0 <= u < 1. */
static inline double hd_mix_unit(uint64_t z) {
  return (double)(z >> 11) * 0x1p-53;
}

#endif
