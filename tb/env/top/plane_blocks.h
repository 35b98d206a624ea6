/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_blocks: the blocks of the plane wired port by port, as hd_top.sv has them. hd_top does the same faster, and
 * without most of these ports; here they can be looked at. */
#ifndef HD_PLANE_BLOCKS_H
#define HD_PLANE_BLOCKS_H

#include "top/top.h"

/* The blocks inside a plane, or loose ones, with their ports. Begins as 0 but for cfg and the models. */
struct hd_plane_blocks {
  struct hd_top_inner out; /* of this cycle */
  const struct hd_cfg *cfg;
  const struct hd_top_in *in;
#define BLOCK(B)          \
  const struct hd_##B *B; \
  struct hd_##B##_in B##_in;
  HD_TOP_BLOCKS(BLOCK)
#undef BLOCK
};

/* Takes the models of the blocks inside a plane. */
void hd_plane_blocks_of(struct hd_plane_blocks *p, const struct hd_top *m, const struct hd_cfg *cfg);

/* All outputs of this cycle, under the inputs `in` of the plane. */
void hd_plane_blocks_settle(struct hd_plane_blocks *p, const struct hd_top_in *in);

/* After hd_plane_blocks_settle: all inputs of this cycle, those too on which no output depends. */
void hd_plane_blocks_wire(struct hd_plane_blocks *p);

/* Outputs of the blocks inside the scheduler, and of the banks inside LaPerm's block; of `in` desc and need count. What
 * the tbcrs answer to a look is not shown: the model asks the one whose answer counts. */
void hd_sched_show_inner(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_inner *out);
void hd_laperm_show_inner(const struct hd_laperm *m, const struct hd_laperm_in *in, struct hd_laperm_inner *out);

/* The inputs of one block from the outputs of the others; made from rtl/top/nets.csv. */
#define WIRE(B) void hd_wire_##B(struct hd_plane_blocks *p);
HD_TOP_BLOCKS(WIRE)
#undef WIRE

#endif
