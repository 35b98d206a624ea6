/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kmu: golden model of the Kernel Management Unit.
 *
 *   host_launch -> [launch register] -> judge -> HWQ 0 [row row row row] -+
 *   host_answer <- [answer FIFO]                  HWQ 1 [..             ] -+-> pick -> [output stage] -> kernel (to KD)
 *                                         dev (pool), res (susp) ----------+
 *
 * Only the head of a hardware work queue (HWQ) is inspected; once it is picked, the queue is closed until that kernel
 * completes, so kernels of one stream run in order and those of different streams concurrently (dtbl-isca2015 section
 * 2.2). Several open heads: round robin. A launch is checked against the limits and against an empty SMX, and answered
 * with a code; a full queue answers `refused`, so a launch waits only for a place for its answer. Kernels launched by
 * TBs take the same path to the KD (dtbl-isca2015 section 2.4), and so do kernels that were suspended while they waited
 * for their children. The three classes are served round robin under policy Rr; under the others device kernels go
 * first, then suspended ones. With FairEvery = k they are round robin there too once k kernels of these two have been
 * picked in a row: until a host kernel is picked, or it is again the turn of the device kernels. The codes, their
 * order, the units of registers, the depth of the queues and the class order are ours (the paper has none).
 *
 * A launch may have a graph: its TBs depend on each other (wireframe-micro2017). The graph's descriptor is at its
 * parameter address, and it may have only as many TBs as a graph can have nodes. While such a kernel is in the plane or
 * offered, no other graph kernel is picked. A graph kernel beside others is ours.
 *
 * A HWQ reopens when its kernel is released by the KD or, if TBs of it launched kernels, when all of those are complete
 * too (kin_reopen).
 *
 * Timing: a launch accepted in t is judged in t+1, picked in t+2, offered to the KD in t+3; a kernel of the other
 * classes that is picked in t is offered in t+1. All outputs are registered, except pool_pop and susp_pop, which report
 * the pick. Payloads are 0 while their valid is 0.
 *
 * Requires: inputs within their field widths, with pad bytes 0; a HWQ is reopened only while it is closed, by one of
 * the two inputs; dats_busy becomes 1 in the cycle after a kernel with a graph was accepted, and at no other time.
 *
 * State: hd_kmu_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality (fields that are not valid are 0). No function allocates or prints. */
#ifndef HD_KMU_H
#define HD_KMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_kmu_ports.h"
#include "host/check.h"

#define HD_KMU_ANSWERS 2 /* places of the answer FIFO */

/* Parameters; fixed by init. */
struct hd_kmu_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_hwq, hwq_words, hwq_depth;
  uint32_t fair_every;
  uint32_t has_graph;
  uint64_t not_graph; /* address bits that must be 0 for a graph's descriptor */
  struct hd_check_smx smx;
};

/* The ring of one HWQ within the rows. */
struct hd_kmu_ring {
  uint8_t count; /* launches queued */
  uint8_t first; /* position of the head, 0 .. HwqDepth - 1 */
  uint8_t graph; /* set of positions whose launch has a graph */
};

struct hd_kmu {
  struct hd_kmu_cfg cfg;
  struct hd_wrote wrote[1];
  uint8_t launch_valid, answer_count, kernel_valid, hwq_ptr;
  uint8_t class_ptr; /* class to be considered first */
  uint8_t pad_[1];
  uint16_t passed;                            /* kernels of TBs and suspended ones picked in a row; at most FairEvery */
  struct hd_answer answer[HD_KMU_ANSWERS];    /* oldest first */
  struct hd_launch launch;                    /* launch register */
  struct hd_kernel kernel;                    /* output stage */
  uint64_t waiting[HD_WORDS(HD_MAX_NUM_HWQ)]; /* HWQs with a queued launch */
  uint64_t closed[HD_WORDS(HD_MAX_NUM_HWQ)];  /* HWQs whose kernel has not completed */
  /* HWQs whose graph was picked while that of another open HWQ waits */
  uint64_t served[HD_WORDS(HD_MAX_NUM_HWQ)];
  struct hd_kmu_ring ring[HD_MAX_NUM_HWQ];
  struct hd_hwqrow row[]; /* row hwq * HwqDepth + position */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_kmu_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_kmu_size(cfg) bytes of any content. */
void hd_kmu_init(struct hd_kmu *m, const struct hd_cfg *cfg);

/* Resets: queues empty and open, pointer 0. */
void hd_kmu_reset(struct hd_kmu *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_kmu_eval(const struct hd_kmu *m, const struct hd_kmu_in *in, struct hd_kmu_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_kmu_tick(struct hd_kmu *m, const struct hd_kmu_in *in);

/* Sets *a to the architectural state, with the names of rtl/host/kmu/kmu.csv; the rows only if `tables`. */
void hd_kmu_arch(const struct hd_kmu *m, struct hd_kmu_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_kmu_arch_row(const struct hd_kmu *m, unsigned row, struct hd_kmu_arch *a);

/* ---- For models composed of blocks: the same edge, with inputs as the neighbours have them ---- */

/* Returns true if an offered host_launch is accepted. */
static inline bool hd_kmu_launch_ready(const struct hd_kmu *m) {
  return !m->launch_valid || m->answer_count < HD_KMU_ANSWERS;
}

/* Origin of a kernel. */
enum hd_kmu_class { HD_KMU_NONE = -1, HD_KMU_HOST, HD_KMU_DEVICE, HD_KMU_RESUMED, HD_KMU_CLASSES };

/* The kernel that moves to the output stage in this cycle. */
struct hd_kmu_pick {
  int from; /* enum hd_kmu_class */
  int hwq;  /* of a host kernel */
};

/* Inputs of a pick, as the neighbours have them. */
struct hd_kmu_requests {
  unsigned policy;           /* enum hd_policy */
  const uint64_t *reopen;    /* set of HWQs */
  bool kernel_ready;         /* the offered kernel is accepted */
  bool dev_valid, res_valid; /* a kernel of that class waits */
  bool graph_busy;           /* a kernel with a graph is in the KD */
};

struct hd_kmu_pick hd_kmu_pick(const struct hd_kmu *m, const struct hd_kmu_requests *asks);

/* Inputs of an edge, as the neighbours have them. */
struct hd_kmu_edge {
  struct hd_kmu_pick pick;        /* this cycle's hd_kmu_pick() */
  const struct hd_launch *launch; /* the one offered, or NULL */
  const struct hd_devk *dev;      /* valid if it is picked */
  const struct hd_kernel *res;    /* valid if it is picked */
  const uint64_t *reopen;         /* set of HWQs */
  bool answer_ready, kernel_ready;
};

/* The edge. */
void hd_kmu_step(struct hd_kmu *m, const struct hd_kmu_edge *e);

#endif
