/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "engine/twin.h"

#define TWIN(b) &hd_twin_##b,
const struct hd_twin *const hd_twins[] = {HD_BLOCKS(TWIN) NULL};

const struct hd_twin *hd_twin_find(const char *block) {
  for (unsigned k = 0; hd_twins[k]; k++)
    if (!strcmp(hd_twins[k]->block, block)) return hd_twins[k];
  return NULL;
}
