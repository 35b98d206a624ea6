/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_launches: legal and illegal launches of the random SMXs of dev_clients.c, and the records of groups. */
#ifndef HD_DEV_LAUNCHES_H
#define HD_DEV_LAUNCHES_H

#include "env/common/dev_clients.h"

enum { HD_DEV_DEPTH_UNKNOWN = 63 };

/* Does a client begin something new, which it does in so many of 256 cycles? */
bool hd_dev_begins(const struct hd_dev *d, struct hd_rng *rng, unsigned probability);

/* The launch of one lane of the command that is under way at the port of an SMX. A group without a free record is
 * launched as a kernel. */
struct hd_devlaunch hd_dev_beat(struct hd_dev *d, struct hd_rng *rng, unsigned smx, unsigned bad);

/* The record of a group as its SMX writes it, for a TB of that level. Next, the plane's field, holds whatever lay
 * there. */
void hd_dev_write_record(struct hd_dev *d, unsigned smx, const struct hd_devlaunch *l, unsigned level);

#endif
