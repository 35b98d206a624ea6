/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd_neighbours: the random environment of kd. It has a KMU that offers host kernels, device kernels and resumed
 * kernels, at most one graph kernel at a time; a scheduler that grants TBs of marked kernels unit by unit, of banks and
 * of the graph; TBs that launch groups and kernels and save themselves; and a memory that fails. */
#ifndef HD_KD_NEIGHBOURS_H
#define HD_KD_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "gen/hd_kd_ports.h"

struct hd_kd_neighbours {
  struct hd_cfg cfg;
  uint32_t serial;
  unsigned groups; /* phase: probability (of 256) of a group */
  uint8_t marked[HD_MAX_NUM_KDE];
  uint8_t pending[HD_MAX_NUM_KDE];
  uint8_t unanswered[HD_MAX_NUM_KDE];
  uint16_t exebl[HD_MAX_NUM_KDE];
  uint32_t queued[HD_MAX_NUM_KDE]; /* entries in banks, and in memory for them */
  uint8_t yields;                  /* phase: all TBs of a kernel with entries in banks are saved */
  unsigned binds, serves;          /* phase: probabilities (of 256) that work enters and leaves a bank */
  uint8_t hwq[HD_MAX_NUM_KDE];
  uint8_t hwq_busy[HD_MAX_NUM_HWQ]; /* its kernel was offered and has not left: a HWQ has one at a time */
  uint8_t host[HD_MAX_NUM_KDE];
  uint8_t save_ok[HD_MAX_NUM_KDE]; /* of the previous cycle */
  uint16_t saved[HD_MAX_NUM_KDE];  /* TBs in execution that are saved */
  int16_t a2, a3;                  /* kernels of the groups in A2 and A3, -1: none */
  int16_t fails;     /* kernel whose list write was answered with an error in the previous cycle, -1: none */
  int16_t lost;      /* kernel that lost a group in the previous cycle, -1: none */
  uint8_t losses;    /* losses that are still reported one after the other, of the lowest kernel first */
  int16_t suspended; /* kernel chosen in the previous cycle or being sent; no events of it occur; -1: none */
  int16_t graph;     /* kernel whose graph is not done, -1: none */
};

void hd_kd_neighbours_reset(struct hd_kd_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_kd_neighbours_drive(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                            const struct hd_kd_out *out, const struct hd_kd_out *now, struct hd_kd_in *in);

#endif
