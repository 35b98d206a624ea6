/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* check: what every launch is judged by, whether the host or a TB makes it, and what one TB of it needs of an SMX.
 *
 * The limits of a TB are CUDA's, which the papers take for granted (dtbl-isca2015 section 2); the codes, their order
 * and the units of registers are ours. */
#ifndef HD_CHECK_H
#define HD_CHECK_H

#include <stdint.h>

#include "gen/hd_types.h"

/* What an empty SMX has, and the unit in which a warp takes registers. */
struct hd_check_smx {
  uint32_t reg_unit, warps, reg_units, smem_units;
};

struct hd_check_smx hd_check_smx(const struct hd_cfg *cfg);

/* What a launch says of its TBs, beside its descriptor. */
struct hd_check_tbs {
  uint32_t threads, regs, smem, ctas;
};

/* The first of ZeroDim, OverLimit, NeverFits that applies, else Accepted. *need is what one TB takes of an SMX, in
 * warps, register units and units of 256 bytes; it counts only when the verdict is Accepted. */
enum hd_code hd_check(const struct hd_check_smx *smx, const struct hd_desc *desc, const struct hd_check_tbs *tbs,
                      struct hd_need *need);

#endif
