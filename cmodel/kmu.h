/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kmu: golden model of the Kernel Management Unit.
 *
 *   host_launch -> [launch register] -> judge -> HWQ 0 [row row row row] -> pick -> [output stage] -> kernel (to the
 * KD) |      HWQ 1 [..          ]        ^ host_answer <- [answer FIFO]                          reopen (from the KD)
 *
 * Only the head of a hardware work queue (HWQ) is inspected; once it is picked the queue is closed until that kernel
 * completes, so kernels of one stream run in order and those of different streams concurrently (dtbl-isca2015
 * section 2.2). Several open heads: round robin. A launch is judged against the limits and against an empty SMX, and
 * answered with a code; a full queue answers `refused` and nothing ever waits. The codes, their order, the units of
 * registers and the depth of the queues are ours (the paper has none).
 *
 * Cycle by cycle: a launch taken in t is judged in t+1, picked in t+2, offered to the KD in t+3. All outputs come from
 * registers. Payloads are 0 while their valid is 0. Inputs must lie within their field widths, with pad bytes 0.
 *
 * The state is one flat block of hd_kmu_size() bytes that the caller owns, 8-byte aligned; it holds no pointers, so a
 * copy is a snapshot and memcmp is equality (what is not valid is kept 0). No function allocates or prints. */
#ifndef HD_KMU_H
#define HD_KMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "check.h"
#include "hd_kmu_ports.h"

#define HD_KMU_ANSWERS 2 /* places of the answer FIFO */

/* Parameters; fixed by init. */
struct hd_kmu_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_hwq, hwq_words, hwq_depth;
  struct hd_check_smx smx;
};

/* The ring of one HWQ within the rows. */
struct hd_kmu_ring {
  uint8_t count; /* launches queued */
  uint8_t first; /* position of the head, 0 .. HwqDepth - 1 */
};

struct hd_kmu {
  struct hd_kmu_cfg cfg;
  uint8_t launch_valid, answer_count, kernel_valid, hwq_ptr;
  struct hd_answer answer[HD_KMU_ANSWERS];    /* oldest first */
  struct hd_launch launch;                    /* launch register */
  struct hd_kernel kernel;                    /* output stage */
  uint64_t waiting[HD_WORDS(HD_MAX_NUM_HWQ)]; /* HWQs with a queued launch */
  uint64_t closed[HD_WORDS(HD_MAX_NUM_HWQ)];  /* HWQs whose kernel is in the KD */
  struct hd_kernel row[];                     /* row hwq * HwqDepth + position; NumHwq hd_kmu_ring follow */
};

/* Bytes of the state in this configuration. */
size_t hd_kmu_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_kmu_size(cfg) bytes of any content. */
void hd_kmu_init(struct hd_kmu *m, const struct hd_cfg *cfg);

/* The state after reset: queues empty and open, pointer 0. */
void hd_kmu_reset(struct hd_kmu *m);

/* This cycle's outputs; changes nothing. */
void hd_kmu_eval(const struct hd_kmu *m, const struct hd_kmu_in *in, struct hd_kmu_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_kmu_tick(struct hd_kmu *m, const struct hd_kmu_in *in);

/* The architectural state under the names of rtl/kmu/kmu.csv; the rows only if `tables`. */
void hd_kmu_arch(const struct hd_kmu *m, struct hd_kmu_arch *a, bool tables);

/* The verdict on a launch, all but `refused`, which depends on the queue: the first of ZeroDim, OverLimit, NeverFits,
 * UnknownHwq that applies, else Accepted. *need as hd_check() has it. */
enum hd_code hd_kmu_judge(const struct hd_kmu_cfg *cfg, const struct hd_launch *launch, struct hd_need *need);

/* ---- For models composed of blocks: the same edge, inputs as the neighbours have them. ---- */

/* Is host_launch taken if one is offered? */
static inline bool hd_kmu_launch_ready(const struct hd_kmu *m) {
  return !m->launch_valid || m->answer_count < HD_KMU_ANSWERS;
}

/* launch: the one offered, or NULL. reopen: set of HWQs. */
void hd_kmu_step(struct hd_kmu *m, const struct hd_launch *launch, bool answer_ready, bool kernel_ready,
                 const uint64_t *reopen);

#endif
