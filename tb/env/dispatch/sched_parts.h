/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched_parts: the parts of the environment of sched (sched_neighbours.c) other than the kernels of queue 0: banks of
 * priority queues (sched_banks.c) and a kernel with a graph (sched_graph.c). Each processes the edge that ended a cycle
 * with these inputs and outputs, and sets the inputs of the next. sched_kernels.c makes random kernels and groups. */
#ifndef HD_SCHED_PARTS_H
#define HD_SCHED_PARTS_H

#include "env/dispatch/sched_neighbours.h"

void hd_sched_banks_edge(struct hd_sched_neighbours *s, const struct hd_sched_out *out);
void hd_sched_banks_show(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in);

/* Call after the edge of the KD: s->kd_out shows whether the offered kernel has entered with a graph. */
void hd_sched_graph_edge(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in,
                         const struct hd_sched_out *out);
/* Call after the outputs of the KD are known. */
void hd_sched_graph_show(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in);

struct hd_kernel hd_sched_random_kernel(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p);
struct hd_group hd_sched_random_group(struct hd_sched_neighbours *s, struct hd_rng *rng);
/* Adds a kernel as if it had been suspended; see the definition. */
void hd_sched_suspend_far(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p);

#endif
