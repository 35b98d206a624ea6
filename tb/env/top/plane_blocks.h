/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_blocks: the blocks of the plane, wired port by port as in hd_top.sv. hd_top computes the same faster but
 * without most of these ports; this version makes them visible. */
#ifndef HD_PLANE_BLOCKS_H
#define HD_PLANE_BLOCKS_H

#include "top/top.h"

/* The blocks inside a plane, or separate ones, with their ports. Initialize to 0 except for cfg and the models. */
struct hd_plane_blocks {
  struct hd_top_inner out; /* outputs of this cycle */
  const struct hd_cfg *cfg;
  const struct hd_top_in *in;
#define BLOCK(B)          \
  const struct hd_##B *B; \
  struct hd_##B##_in B##_in;
  HD_TOP_BLOCKS(BLOCK)
#undef BLOCK
};

/* Points `p` to the models of the blocks inside plane `m`. */
void hd_plane_blocks_of(struct hd_plane_blocks *p, const struct hd_top *m, const struct hd_cfg *cfg);

/* Computes all block outputs of this cycle from the plane's inputs `in`. */
void hd_plane_blocks_settle(struct hd_plane_blocks *p, const struct hd_top_in *in);

/* Requires hd_plane_blocks_settle in the same cycle. Computes all block inputs, including those that no output depends
 * on. */
void hd_plane_blocks_wire(struct hd_plane_blocks *p);

/* Outputs of the blocks inside the scheduler, and of the banks inside laperm. Only desc and need of `in` are used. The
 * tbcrs' answers to a lookup are not shown: the model queries only the tbcr whose answer is used. */
void hd_sched_show_inner(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_inner *out);
void hd_laperm_show_inner(const struct hd_laperm *m, const struct hd_laperm_in *in, struct hd_laperm_inner *out);

/* Sets the inputs of one block from the outputs of the others; generated from rtl/top/nets.csv. */
#define WIRE(B) void hd_wire_##B(struct hd_plane_blocks *p);
HD_TOP_BLOCKS(WIRE)
#undef WIRE

#endif
