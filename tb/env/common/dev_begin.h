/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_begin: random choices for an episode of the SMXs of dev_clients.c: programs, regions, memory. */
#ifndef HD_DEV_BEGIN_H
#define HD_DEV_BEGIN_H

#include "env/common/dev_clients.h"

/* Chooses everything that stays constant until the next reset; `name` is that of the profile. */
void hd_dev_begin(struct hd_dev *d, struct hd_rng *rng, const char *name);

#endif
