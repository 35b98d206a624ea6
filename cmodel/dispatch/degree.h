/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* degree: degrees of contention, and their exact comparison, for the throttle
 * (cooperative-warp-tb-scheduling-2017, section 4; the dead band is ours). */
#ifndef HD_DEGREE_H
#define HD_DEGREE_H

#include <stdint.h>

/* stalls / span. */
struct hd_degree {
  uint64_t stalls; /* below 2^33 */
  uint32_t span;   /* cycles */
  uint32_t pad_;
};

/* Compares a degree with the last one plus 1/2^band of that, or with the last one itself if band is 0: returns a
 * negative number, 0 or a positive one if it is lower, equal or higher. Requires spans that are not 0, and a band of at
 * most 7. */
int hd_degree_compare(struct hd_degree degree, struct hd_degree last, unsigned band);

#endif
