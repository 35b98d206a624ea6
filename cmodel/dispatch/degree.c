/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/degree.h"

/* Compares integer parts first, then remainders, which are below the span, so that their products fit 64 bits. */
static int compare(struct hd_degree a, struct hd_degree b) {
  const uint64_t whole_a = a.stalls / a.span, whole_b = b.stalls / b.span;
  const uint64_t left_a = a.stalls % a.span * b.span, left_b = b.stalls % b.span * a.span;
  if (whole_a != whole_b) return whole_a < whole_b ? -1 : 1;
  return (left_a > left_b) - (left_a < left_b);
}

int hd_degree_compare(struct hd_degree degree, struct hd_degree last, unsigned band) {
  const uint64_t whole = UINT64_C(1) << band; /* both times 2^band, so that they are integers */
  degree.stalls *= whole;
  last.stalls *= band ? whole + 1 : whole;
  return compare(degree, last);
}
