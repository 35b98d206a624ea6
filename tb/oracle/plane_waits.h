/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_waits: the timers of rule 18 of plane_oracle.c. They count free cycles: those in which no client withholds
 * anything. A sink that does not accept an offer withholds, as does a memory without the next beat of an open burst. */
#ifndef HD_PLANE_WAITS_H
#define HD_PLANE_WAITS_H

#include "gen/hd_top_ports.h"

struct hd_plane_oracle;

/* In free cycles. Every wait is bounded by FIRST + EACH x n, where n is the largest number of kernels and groups that
 * were open at once, plus the numbers of SMXs and KD entries: these are served round robin. SAMPLE: the period of the
 * checks of the whole book, which grows with its size. */
enum { HD_WAITS_FIRST = 256, HD_WAITS_EACH = 16, HD_WAITS_SAMPLE = 64 };

/* The event that a kernel or group waits for. */
enum hd_plane_wait { HD_WAIT_NOTHING, HD_WAIT_ENTRY, HD_WAIT_RESUME, HD_WAIT_DONE, HD_WAIT_RECORD };

struct hd_plane_waits {
  uint32_t reads, writes; /* open bursts */
  uint32_t bound;
  uint32_t free; /* free cycles since the last sample */
  uint32_t host_offer, host_answer, dev_offer[HD_MAX_NUM_SMX], dev_answer[HD_MAX_NUM_SMX];
  uint32_t dispatch;         /* an open SMX is empty, and a kernel in the KD has a TB for it */
  uint32_t event;            /* all SMXs are empty, and something is open */
  uint8_t dispatched, moved; /* since the last sample */
};

/* Returns NULL or the broken rule. */
const char *hd_oracle_waits(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);

#endif
