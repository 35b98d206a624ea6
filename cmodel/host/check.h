/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* check: the checks of every launch, from the host or from a TB, and the resources that one of its TBs needs of an SMX.
 *
 * The limits of a TB are CUDA's, which the papers assume (dtbl-isca2015 section 2); the codes, their order and the
 * units of registers are ours. */
#ifndef HD_CHECK_H
#define HD_CHECK_H

#include <stdint.h>

#include "gen/hd_types.h"

/* Capacity of an empty SMX, and the unit in which a warp allocates registers. */
struct hd_check_smx {
  uint32_t reg_unit, warps, reg_units, smem_units;
};

struct hd_check_smx hd_check_smx(const struct hd_cfg *cfg);

/* Fields of a launch about its TBs that its descriptor does not hold. */
struct hd_check_tbs {
  uint32_t threads, regs, smem, ctas;
};

/* Returns the first of ZeroDim, OverLimit, NeverFits that applies, else Accepted. Sets *need to the resources of one
 * TB, in warps, register units and units of 256 bytes; meaningful only if Accepted. */
enum hd_code hd_check(const struct hd_check_smx *smx, const struct hd_desc *desc, const struct hd_check_tbs *tbs,
                      struct hd_need *need);

#endif
