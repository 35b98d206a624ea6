/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_graphs: kernels with a graph, launched by the random host of dev_clients.c. The graph and its descriptor,
 * including their errors if any, are in memory before the launch, at an address that no other launch uses. */
#ifndef HD_DEV_GRAPHS_H
#define HD_DEV_GRAPHS_H

#include "env/common/dev_clients.h"

/* Bytes of a descriptor; the arrays follow it. */
enum { HD_DEV_DESCRIPTOR = 64 };

/* Turns *l into the launch of a kernel with a graph. With probability bad / 256 the launch is invalid (and refused), or
 * its descriptor or graph is (and the kernel fails). */
void hd_dev_add_graph(struct hd_dev *d, struct hd_rng *rng, unsigned bad, struct hd_launch *l);

#endif
