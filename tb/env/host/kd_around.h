/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd_around: the random environment of kd: a KMU that offers kernels of the host and of TBs, suspended ones, and one at
 * a time with a graph; a scheduler that grants TBs of marked kernels unit by unit, of banks and of the graph; TBs that
 * launch groups and kernels and save themselves; a memory that fails. */
#ifndef HD_KD_AROUND_H
#define HD_KD_AROUND_H

#include "engine/twin.h"
#include "gen/hd_kd_ports.h"

struct hd_kd_around {
  struct hd_cfg cfg;
  uint32_t serial;
  unsigned groups; /* how often groups come, in 1/256; for a while */
  uint8_t marked[HD_MAX_NUM_KDE];
  uint8_t pending[HD_MAX_NUM_KDE];
  uint8_t unanswered[HD_MAX_NUM_KDE];
  uint16_t exebl[HD_MAX_NUM_KDE];
  uint16_t queued[HD_MAX_NUM_KDE]; /* entries in banks */
  uint8_t yields;                  /* for a while all TBs of a kernel of which banks hold entries are saved */
  unsigned binds, serves;          /* how often work goes into a bank, and comes out, in 1/256; for a while */
  uint8_t hwq[HD_MAX_NUM_KDE];
  uint8_t hwq_busy[HD_MAX_NUM_HWQ]; /* its kernel was offered and has not left: a HWQ has one at a time */
  uint8_t host[HD_MAX_NUM_KDE];
  uint8_t save_ok[HD_MAX_NUM_KDE]; /* in the cycle before */
  uint16_t saved[HD_MAX_NUM_KDE];  /* TBs in execution that are saved */
  int16_t a2, a3;                  /* kernels of the groups in A2 and A3, -1 none */
  int16_t fails;     /* kernel whose list's write was answered with an error in the cycle before, -1 none */
  int16_t suspended; /* chosen in the cycle before or being sent: nothing is heard of it; -1 none */
  int16_t graph;     /* kernel whose graph is not over, -1 none */
};

void hd_kd_around_reset(struct hd_kd_around *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_kd_around_drive(struct hd_kd_around *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_kd_out *out, const struct hd_kd_out *now, struct hd_kd_in *in);

#endif
