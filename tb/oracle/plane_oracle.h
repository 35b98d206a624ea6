/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_oracle: knows the rules of the whole plane, and nothing of how it is built. Fed with the streams of every
 * cycle. */
#ifndef HD_PLANE_ORACLE_H
#define HD_PLANE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/hd_top_ports.h"

size_t hd_plane_oracle_size(const struct hd_cfg *cfg);
void hd_plane_oracle_init(void *oracle, const struct hd_cfg *cfg);
const char *hd_plane_oracle_watch(void *oracle, uint64_t cycle, const void *in, const void *out);
/* In the cycle that it was shown last a kernel of the host was told as failed, the second of two that were hit by
 * errors of the memory in one cycle. */
bool hd_plane_oracle_pair(const void *oracle);
/* In the last cycle a TB was handed out that a suspended kernel left behind in a bank, the first of them. */
bool hd_plane_oracle_stayed(const void *oracle);
/* At the end of a run that was left to itself until nothing moved: NULL, or what was lost. `status` is the plane's
 * STATUS register if nobody has cleared it. */
const char *hd_plane_oracle_end(const void *oracle, uint32_t status);
/* The part of it that does not ask for the register: NULL, or what is not over. */
const char *hd_plane_oracle_open(const void *oracle);

#endif
