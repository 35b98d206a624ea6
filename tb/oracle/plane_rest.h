/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_rest: the plane's oracle with a check of idleness. Counts the cycles since the last transfer at a client's port
 * (not APB or the memory port: endlessly repeated bursts are no progress), and tracks all open work. It checks, in any
 * run and with any clients:
 * - stuck: no transfer for HD_PLANE_PATIENCE cycles though the plane must act: it does not accept a launch, an answer
 *   is due, or all SMXs are empty and accepted work is not complete. Offers that no client accepts, and bursts that
 *   memory does not accept, do not count against it;
 * - the rules of the end (rule 12), at a read of STATUS once nothing is open and no transfer took place for
 *   HD_PLANE_REST cycles. If STATUS was written before, its value is not checked.
 * A client that breaks its contract (docs/top.md: a TB ends while an answer to it is due, or continues after it
 * requested its save) loses work of its own, and the plane's oracle cannot know which. From then on that oracle is off,
 * and only the rules of AXI4, the arrival of all answers, and the end of host kernels are checked. */
#ifndef HD_PLANE_REST_H
#define HD_PLANE_REST_H

#include <stdbool.h>

#include "oracle/plane_oracle.h"

enum { HD_PLANE_REST = 500, HD_PLANE_PATIENCE = 20000 };

size_t hd_plane_rest_size(const struct hd_cfg *cfg);
void hd_plane_rest_init(void *o, const struct hd_cfg *cfg);
/* As hd_plane_oracle_watch. */
const char *hd_plane_rest_watch(void *o, uint64_t cycle, const void *in, const void *out);
/* Returns NULL, or why the plane is stuck. */
const char *hd_plane_rest_stuck(const void *o);
/* As hd_plane_oracle_pair. */
bool hd_plane_rest_pair(const void *o);
/* As hd_plane_oracle_stayed. */
bool hd_plane_rest_stayed(const void *o);
/* Returns true if the rules of the end were checked and no transfer took place since. */
bool hd_plane_rest_over(const void *o);

#endif
