/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_rest: the plane's oracle, and a watch over its rest. It knows since when nothing was transferred at the
 * clients' ports (APB and memory aside: what goes round and round in memory is no progress) and what is still open.
 * From that follow, in any run and whatever its clients do:
 *   - stuck: nothing for HD_PLANE_PATIENCE cycles though the plane has to move: a launch that it does not take, an
 * answer that it owes, or, with all SMXs empty, anything that was accepted and is not over. What it offers and nobody
 * takes is not its fault, nor is a memory that does not take a burst;
 *   - the rules of the end (rule 12), judged by what a read of STATUS shows once nothing is open and nothing has moved
 *     for HD_PLANE_REST cycles. Where STATUS was written before, what it shows is not judged. *
 * A client that breaks its contract (docs/top.md: a TB ends though an answer is due to it, or goes on after it asked
 * for its save) costs its own work, and the plane's oracle does not know which that is. From then on it sees nothing;
 * what stays are the rules of AXI4, and that all answers come and the kernels of the host end. */
#ifndef HD_PLANE_REST_H
#define HD_PLANE_REST_H

#include <stdbool.h>

#include "oracle/plane_oracle.h"

enum { HD_PLANE_REST = 500, HD_PLANE_PATIENCE = 20000 };

size_t hd_plane_rest_size(const struct hd_cfg *cfg);
void hd_plane_rest_init(void *o, const struct hd_cfg *cfg);
/* As hd_plane_oracle_watch. */
const char *hd_plane_rest_watch(void *o, uint64_t cycle, const void *in, const void *out);
/* NULL, or what the plane does not get on with. */
const char *hd_plane_rest_stuck(const void *o);
/* As hd_plane_oracle_pair. */
bool hd_plane_rest_pair(const void *o);
/* As hd_plane_oracle_stayed. */
bool hd_plane_rest_stayed(const void *o);
/* The end was judged, and nothing has moved since. */
bool hd_plane_rest_over(const void *o);

#endif
