/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* shrink: shortens a failing replay; the result still fails in the same field. */
#ifndef HD_SHRINK_H
#define HD_SHRINK_H

#include "engine/replay.h"

/* Removes cycles (by halves, then quarters, .. as Zeller's ddmin), then sets whole ports and single values to 0, as
 * long as the run still ends in a mismatch of the same field. Stops after `seconds`. Changes r in place; returns the
 * number of runs. The result is verified in a fresh simulation; if it does not fail there, r is left as it was. */
unsigned hd_shrink(struct hd_replay *r, double seconds);

/* Runs a replay and returns its failure (verdict HD_PASS: none). */
struct hd_failure hd_replay_run(const struct hd_replay *r, char *err, size_t err_size);

#endif
