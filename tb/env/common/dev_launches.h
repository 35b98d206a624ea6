/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_launches: legal and illegal launches of the random SMXs of dev_clients.c, and the records of groups. */
#ifndef HD_DEV_LAUNCHES_H
#define HD_DEV_LAUNCHES_H

#include "env/common/dev_clients.h"

enum { HD_DEV_DEPTH_UNKNOWN = 63 };

/* Returns true with the given probability (of 256) if a client may begin something new. */
bool hd_dev_begins(const struct hd_dev *d, struct hd_rng *rng, unsigned probability);

/* Returns the launch of one lane of the current command at the port of an SMX. A group without a free record is
 * launched as a kernel. */
struct hd_devlaunch hd_dev_beat(struct hd_dev *d, struct hd_rng *rng, unsigned smx, unsigned bad);

/* Writes the record of a group as its SMX does, for a TB of that level. The field Next, which belongs to the plane,
 * keeps arbitrary contents. */
void hd_dev_write_record(struct hd_dev *d, unsigned smx, const struct hd_devlaunch *l, unsigned level);

#endif
