/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats_neighbours: the random environment of dats: kernels with a graph, some with an invalid descriptor; a memory that
 * holds the descriptor and answers after random times, sometimes with errors; a model of the buffer, which offers
 * arbitrary nodes and ends at random; a scheduler that accepts them; and kernels that are marked, unmarked and
 * rotated. */
#ifndef HD_DATS_NEIGHBOURS_H
#define HD_DATS_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "gen/hd_dats_ports.h"

/* Errors of a descriptor. Addresses, and bytes that must be 0, are in the order of the memory. */
enum hd_dats_wrong {
  HD_DATS_ODD_ADDR,                           /* not a multiple of 128; one value per address */
  HD_DATS_HIGH_ADDR = HD_DATS_ODD_ADDR + 4,   /* more than AddrW bits; one value per address */
  HD_DATS_MORE_NODES = HD_DATS_HIGH_ADDR + 4, /* one more than the kernel has TBs */
  HD_DATS_FEWER_NODES,                        /* one less */
  HD_DATS_CTAS_BEYOND,                        /* equal only in the low 16 bits */
  HD_DATS_POLICY_3,
  HD_DATS_POLICY_BEYOND, /* valid only in the low bits */
  HD_DATS_ZEROS,         /* bytes 37 to 39, 44 to 47 */
  HD_DATS_EDGES_BEYOND = HD_DATS_ZEROS + 7,
  HD_DATS_WRONGS
};

struct hd_dats_neighbours {
  struct hd_cfg cfg;
  /* The kernel that is offered or running. */
  uint8_t offered, kdei;
  uint32_t ctas;
  uint64_t at;
  struct hd_need need;
  uint8_t bytes[64]; /* its descriptor */
  uint32_t wrong;    /* a bit for each enum hd_dats_wrong */
  /* The memory. */
  uint8_t beats;  /* beats still to come */
  uint8_t wait;   /* cycles before the first */
  uint8_t errors; /* beats with an error */
  /* The model of the graph buffer. */
  uint8_t runs;         /* it runs the graph */
  uint8_t ran;          /* it has run the graph of this kernel */
  uint16_t left;        /* nodes still to offer */
  uint8_t offer;        /* a node is offered */
  uint8_t taken;        /* a node was taken */
  struct hd_dgbend end; /* result that it will report */
  /* The rest. */
  uint8_t marked[HD_MAX_NUM_KDE], lost[HD_MAX_NUM_KDE]; /* lost: was older than this kernel, and was unmarked since */
  unsigned come, go, turn;                              /* phase: probabilities (of 256) of marking, unmarking, rotating
                                                         * */
  unsigned phase_left;
  /* The previous cycle. */
  struct hd_dats_in was_in;
  struct hd_dats_out was_out;
};

void hd_dats_neighbours_reset(struct hd_dats_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_dats_neighbours_drive(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_dats_out *out, const struct hd_dats_out *now, struct hd_dats_in *in);

/* Returns true if a kernel with a graph enters in this cycle. */
static inline bool hd_dats_neighbours_enters(const struct hd_dats_in *in) {
  return in->kd_entry.valid && in->kmu_offer.kernel.graph;
}

/* ---- dats_kernels ---- */

/* Makes a kernel and its descriptor; sometimes an invalid one. */
void hd_dats_neighbours_kernel(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p);

#endif
