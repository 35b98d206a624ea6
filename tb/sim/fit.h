/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fit: resources of a TB on an SMX, with the plane's rounding, so that a workload is refused before it runs. */
#ifndef HD_FIT_H
#define HD_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/hd_types.h"

#define HD_CTA_THREADS_MAX 1024u

/* Returns the number of warps of a TB. */
static inline uint32_t hd_fit_warps(uint32_t threads) {
  return (threads + 31) / 32;
}

/* Returns true if an empty SMX has room for a TB with these threads, registers per thread and units of 256 bytes of
 * shared memory. Otherwise `text` names the resource, and *most is the largest TB in threads that has room (0:
 * none). */
bool hd_fit_cta(const struct hd_cfg *cfg, uint32_t threads, uint32_t regs, uint32_t smem_units, uint32_t *most,
                char *text, size_t text_size);

/* Returns the largest number of registers per thread, up to 32, with which an SMX can be full of warps. */
uint32_t hd_fit_regs(const struct hd_cfg *cfg);

/* Returns true if each field of a launch fits its width in the configuration. Otherwise `text` names field and width.
 */
bool hd_fit_widths(const struct hd_cfg *cfg, const struct hd_launch *launch, char *text, size_t text_size);

#endif
