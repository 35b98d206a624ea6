/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "engine/block_driver.h"

#define DRIVER(b) &hd_block_driver_##b,
const struct hd_block_driver *const hd_block_drivers[] = {HD_BLOCKS(DRIVER) NULL};

const struct hd_block_driver *hd_block_driver_find(const char *block) {
  for (unsigned k = 0; hd_block_drivers[k]; k++)
    if (!strcmp(hd_block_drivers[k]->block, block)) return hd_block_drivers[k];
  return NULL;
}
