/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_oracle: the rules of the whole plane, independent of its implementation. Checks the ports in every cycle. The
 * numbered rules are in plane_oracle.c. */
#ifndef HD_PLANE_ORACLE_H
#define HD_PLANE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/hd_top_ports.h"

size_t hd_plane_oracle_size(const struct hd_cfg *cfg);
void hd_plane_oracle_init(void *oracle, const struct hd_cfg *cfg);
/* Checks one cycle. Returns NULL or the broken rule. */
const char *hd_plane_oracle_watch(void *oracle, uint64_t cycle, const void *in, const void *out);
/* Returns true if the last cycle reported a host kernel as failed, the second of two that memory errors hit in the same
 * cycle. */
bool hd_plane_oracle_pair(const void *oracle);
/* Returns true if the last cycle granted the first TB that a suspended kernel had left in a bank. */
bool hd_plane_oracle_stayed(const void *oracle);
/* Requires a run that was drained until no transfer took place. Returns NULL or what was lost. `status` is the plane's
 * STATUS register, which must not have been cleared. */
const char *hd_plane_oracle_end(const void *oracle, uint32_t status);
/* The same without the check of STATUS: returns NULL or what is not complete. */
const char *hd_plane_oracle_open(const void *oracle);

#endif
