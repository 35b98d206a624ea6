/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* susp_oracle: the rules of susp. A suspended kernel returns once, as it was except for damage to its record, unless
 * memory failed; the failure is reported. The saved TBs of the current kernel are offered in order and unchanged. Each
 * record and its list stay within their region. Every request is met in bounded time once no TB saves any more. */
#ifndef HD_SUSP_ORACLE_H
#define HD_SUSP_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(susp);

#endif
