/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats_around: the random environment of dats: kernels with a graph, some with an invalid descriptor; a memory that
 * holds the descriptor and answers after random times, sometimes with errors; a model of the buffer, which offers
 * arbitrary nodes and ends at random; a scheduler that accepts them; and kernels that are marked, unmarked and
 * rotated. */
#ifndef HD_DATS_AROUND_H
#define HD_DATS_AROUND_H

#include "engine/twin.h"
#include "gen/hd_dats_ports.h"

/* What can be wrong with a descriptor; of the four addresses and of bytes that are 0 in the order of the memory. */
enum hd_dats_wrong {
  HD_DATS_ODD_ADDR,                           /* no multiple of 128: that one and the three behind it */
  HD_DATS_HIGH_ADDR = HD_DATS_ODD_ADDR + 4,   /* more bits than AddrW: likewise */
  HD_DATS_MORE_NODES = HD_DATS_HIGH_ADDR + 4, /* one more than the kernel has TBs */
  HD_DATS_FEWER_NODES,                        /* one less */
  HD_DATS_CTAS_BEYOND,                        /* the same in the low 16 bits alone */
  HD_DATS_POLICY_3,
  HD_DATS_POLICY_BEYOND, /* right in the low bits alone */
  HD_DATS_ZEROS,         /* bytes 37 to 39, 44 to 47 */
  HD_DATS_EDGES_BEYOND = HD_DATS_ZEROS + 7,
  HD_DATS_WRONGS
};

struct hd_dats_around {
  struct hd_cfg cfg;
  /* The kernel that is offered or here. */
  uint8_t offered, kdei;
  uint32_t ctas;
  uint64_t at;
  struct hd_need need;
  uint8_t bytes[64]; /* its descriptor */
  uint32_t wrong;    /* a bit for each enum hd_dats_wrong */
  /* The memory. */
  uint8_t beats;  /* that are still to come */
  uint8_t wait;   /* cycles before the first */
  uint8_t errors; /* a bit for each beat that is one */
  /* The buffer. */
  uint8_t runs;         /* it has the graph */
  uint8_t ran;          /* it has had it, of this kernel */
  uint16_t left;        /* nodes that it will offer */
  uint8_t offer;        /* one stands */
  uint8_t taken;        /* one was taken */
  struct hd_dgbend end; /* how it will end */
  /* The others. */
  uint8_t marked[HD_MAX_NUM_KDE], lost[HD_MAX_NUM_KDE]; /* lost: was older than this kernel, and then not marked */
  unsigned come, go, turn;                              /* phase: marks come and go, rotate, in 1/256 */
  unsigned phase_left;
  /* The cycle before. */
  struct hd_dats_in was_in;
  struct hd_dats_out was_out;
};

void hd_dats_around_reset(struct hd_dats_around *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_dats_around_drive(struct hd_dats_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_dats_out *out, const struct hd_dats_out *now, struct hd_dats_in *in);

/* ---- dats_kernels ---- */

/* A kernel and its descriptor; now and then a wrong one. */
void hd_dats_around_kernel(struct hd_dats_around *s, struct hd_rng *rng, const struct hd_profile *p);

#endif
