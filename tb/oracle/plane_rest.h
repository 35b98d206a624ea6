/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_rest: the plane's oracle, and a watch over its rest. It counts the cycles since the last transfer at a client's
 * port (not APB, nor the memory port: bursts that repeat for ever are no progress), and tracks what is still open. It
 * judges, in any run and with any clients:
 *   - stuck: no transfer for HD_PLANE_PATIENCE cycles though the plane has to move: it does not take a launch, it owes
 * an answer, or all SMXs are empty and accepted work is not over. Offers that no client takes, and bursts that the
 * memory does not take, do not count against it;
 *   - the rules of the end (rule 12), at a read of STATUS once nothing is open and nothing has moved for HD_PLANE_REST
 * cycles. If STATUS was written before, its value is not judged.
 * A client that breaks its contract (docs/top.md: a TB ends while an answer is due to it, or continues after it asked
 * for its save) loses work of its own, and the plane's oracle can not tell which. From then on that oracle is silent,
 * and the watch checks the rules of AXI4, that all answers come, and that the kernels of the host end. */
#ifndef HD_PLANE_REST_H
#define HD_PLANE_REST_H

#include <stdbool.h>

#include "oracle/plane_oracle.h"

enum { HD_PLANE_REST = 500, HD_PLANE_PATIENCE = 20000 };

size_t hd_plane_rest_size(const struct hd_cfg *cfg);
void hd_plane_rest_init(void *o, const struct hd_cfg *cfg);
/* As hd_plane_oracle_watch. */
const char *hd_plane_rest_watch(void *o, uint64_t cycle, const void *in, const void *out);
/* NULL, or the reason why the plane is stuck. */
const char *hd_plane_rest_stuck(const void *o);
/* As hd_plane_oracle_pair. */
bool hd_plane_rest_pair(const void *o);
/* As hd_plane_oracle_stayed. */
bool hd_plane_rest_stayed(const void *o);
/* True if the end was judged and nothing has moved since. */
bool hd_plane_rest_over(const void *o);

#endif
