/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fcfs: golden model of the first-come-first-served controller.
 *
 * Keeps the order in which kernels of the Kernel Distributor (KD) were marked. A kernel is marked when it enters the KD
 * and unmarked when none of its TBs is left to hand out; the SMX scheduler takes the oldest (dtbl-isca2015 sections 2.2
 * and 4.2, laperm-isca2016 section II). An aggregated group that is linked to an unmarked kernel marks it again, as the
 * youngest (dtbl-isca2015 section 4.2). With FairEvery the oldest may become the youngest (rotate), so that a kernel
 * that launches forever does not starve the others (ours). Outputs: the set of marked entries, the oldest and the
 * second oldest (so that the scheduler continues with the next kernel without a lost cycle). All outputs are
 * registered.
 *
 * Requires: unmark or rotate, not both, only when a kernel is marked; enter only for an entry that is not marked, and
 * no mark of it in the same cycle.
 *
 * State: hd_fcfs_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_FCFS_H
#define HD_FCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "gen/hd_fcfs_ports.h"

/* Parameters; fixed by init. */
struct hd_fcfs_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_kde;
};

struct hd_fcfs {
  struct hd_fcfs_cfg cfg;
  uint64_t marked[HD_WORDS(HD_MAX_NUM_KDE)]; /* entries in the queue */
  uint32_t count;                            /* their number */
  uint8_t order[];                           /* NumKde places, oldest first; 0 from count on */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_fcfs_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_fcfs_size(cfg) bytes of any content. */
void hd_fcfs_init(struct hd_fcfs *m, const struct hd_cfg *cfg);

/* Resets: nothing marked. */
void hd_fcfs_reset(struct hd_fcfs *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_fcfs_eval(const struct hd_fcfs *m, const struct hd_fcfs_in *in, struct hd_fcfs_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_fcfs_tick(struct hd_fcfs *m, const struct hd_fcfs_in *in);

/* Sets *a to the architectural state, with the names of rtl/host/fcfs/fcfs.csv. There are no tables. */
void hd_fcfs_arch(const struct hd_fcfs *m, struct hd_fcfs_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* Inputs of an edge, applied in the order of the fields. */
struct hd_fcfs_edge {
  bool unmark;    /* the oldest leaves */
  bool rotate;    /* the oldest becomes the youngest */
  int mark_kdei;  /* joins as the youngest unless it is already in the queue; or -1 */
  int enter_kdei; /* joins as the youngest, or -1 */
};

/* The edge. */
void hd_fcfs_step(struct hd_fcfs *m, const struct hd_fcfs_edge *e);

#endif
