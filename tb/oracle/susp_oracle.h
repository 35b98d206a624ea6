/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* susp_oracle: the rules of susp: a kernel comes back as it was suspended, but for the damage that its record took,
 * once, unless memory failed, which is told; the saved TBs of the current kernel are offered in order and unchanged;
 * each record and its list keep to their room; whatever is wanted comes before long, once no TB saves any more. */
#ifndef HD_SUSP_ORACLE_H
#define HD_SUSP_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(susp);

#endif
