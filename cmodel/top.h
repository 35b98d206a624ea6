/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* top: golden model of the whole dispatch plane, composed of the block models.
 *
 *   host_launch -> kmu -> kd (+ fcfs) -> sched (+ one tbcr per SMX) -> dispatch, per SMX
 *   host_answer <- kmu    kd -> kernel_done         ^------------------ cta_done, per SMX
 *   APB4 <-> regs (counts all of it)                memarb <-> AXI4 (idle until device launches use it)
 *
 * The baseline of dtbl-isca2015 sections 2.1 to 2.3 and laperm-isca2016 section II. In an idle plane a launch taken in
 * cycle t is dispatched in t+5; a slot freed in t is dispatched again in t+2; one TB is handed out per cycle, across a
 * change of kernel too.
 *
 *     struct hd_top *m = malloc(hd_top_size(&cfg));         // the caller's memory
 *     hd_top_init(m, &cfg);
 *     for (;;) { ... fill in `in` ...; hd_top_cycle(m, &in, &out); ... look at `out` ... }
 *
 * What happens in a cycle: a transfer takes place where valid and ready are both 1, one of them in `in`, the other in
 * `out`. No output depends on this cycle's inputs, so `out` may also be had before `in` is made up: hd_top_eval, then
 * hd_top_tick.
 *
 * Inputs must lie within their field widths; payloads count only while their valid is 1; pad bytes are 0. Of port
 * arrays only the elements of the configuration are read and written.
 *
 * State: hd_top_size() bytes, the caller's, 8-byte aligned, without pointers: memcpy is a snapshot, memcmp is equality.
 * Nothing here allocates, prints or keeps anything outside that block, so planes may run side by side in threads. */
#ifndef HD_TOP_H
#define HD_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fcfs.h"
#include "hd_top_ports.h"
#include "kd.h"
#include "kmu.h"
#include "memarb.h"
#include "regs.h"
#include "sched.h"

/* Where the blocks lie in the state; fixed by init. */
struct hd_top {
  uint32_t size; /* bytes of the state */
  uint32_t num_smx;
  uint32_t kmu_at, kd_at, fcfs_at, sched_at, regs_at, memarb_at; /* in words of block[] */
  uint64_t block[];
};

/* Bytes of the state in this configuration. */
size_t hd_top_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_top_size(cfg) bytes of any content. */
void hd_top_init(struct hd_top *m, const struct hd_cfg *cfg);

/* The state after reset: a clean machine. */
void hd_top_reset(struct hd_top *m);

/* This cycle's outputs; changes nothing. */
void hd_top_eval(const struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_top_tick(struct hd_top *m, const struct hd_top_in *in);

/* hd_top_eval and hd_top_tick in one, faster: the same outputs, the same state. */
void hd_top_cycle(struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out);

/* The architectural state of all blocks; tables only if `tables`. */
void hd_top_arch(const struct hd_top *m, struct hd_top_arch *a, bool tables);

/* The block models inside, to look at. */
static inline const struct hd_kmu *hd_top_kmu(const struct hd_top *m) {
  return (const struct hd_kmu *)(const void *)(m->block + m->kmu_at);
}
static inline const struct hd_kd *hd_top_kd(const struct hd_top *m) {
  return (const struct hd_kd *)(const void *)(m->block + m->kd_at);
}
static inline const struct hd_fcfs *hd_top_fcfs(const struct hd_top *m) {
  return (const struct hd_fcfs *)(const void *)(m->block + m->fcfs_at);
}
static inline const struct hd_sched *hd_top_sched(const struct hd_top *m) {
  return (const struct hd_sched *)(const void *)(m->block + m->sched_at);
}
static inline const struct hd_regs *hd_top_regs(const struct hd_top *m) {
  return (const struct hd_regs *)(const void *)(m->block + m->regs_at);
}
static inline const struct hd_memarb *hd_top_memarb(const struct hd_top *m) {
  return (const struct hd_memarb *)(const void *)(m->block + m->memarb_at);
}

#endif
