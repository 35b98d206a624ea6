/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tbs: every TB of a run as packed columns (engine/pack.h), in the order in which they end, for a page. */
#ifndef HD_TBS_H
#define HD_TBS_H

#include "engine/pack.h"
#include "sim/array.h"

/* Columns of a row: `queued` and `dispatched` as in hd_resident; `done`: the cycle of its end; `kernel` and `child`:
 * its launch. */
#define HD_TBS_COLUMNS(X) \
  X(kernel)               \
  X(child)                \
  X(id)                   \
  X(smx)                  \
  X(slot)                 \
  X(warps)                \
  X(queued)               \
  X(dispatched)           \
  X(done)

/* All zero: no TBs. */
struct hd_tbs {
#define HD_TBS_FIELD(name) struct hd_pack name;
  HD_TBS_COLUMNS(HD_TBS_FIELD)
#undef HD_TBS_FIELD
  uint64_t n;
};

/* Adds a TB that ended in cycle `done`. */
void hd_tbs_add(struct hd_tbs *t, uint32_t smx, uint32_t slot, const struct hd_resident *r, uint64_t done);
/* Writes a JSON object: `rows`, and `columns` by name. Returns false if out of memory. */
bool hd_tbs_json(const struct hd_tbs *t, FILE *f);
void hd_tbs_free(struct hd_tbs *t);

#endif
