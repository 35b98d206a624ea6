/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd: golden model of the Kernel Distributor.
 *
 *   kernel (from the KMU) -> [entry 0 .. NumKde-1: descriptor, need, TBs, ExeBL, HWQ] -> need, ctas, desc (to the
 * scheduler) ^ +1 grant, -1 retire       | marked (FCFS)               +-> released: reopen (to the KMU), kernel_done
 *
 * An entry holds a kernel from the cycle in which it enters until it is unmarked and none of its TBs is in execution
 * (ExeBL is 0): dtbl-isca2015 sections 2.2, 2.3 and 4.2, laperm-isca2016 section II. All entries that qualify are
 * released in the same cycle. The tag of a released kernel waits to be reported while its entry may already hold the
 * next one: each entry has two tag rows ("banks"), so that a slow taker of kernel_done blocks an entry only when both
 * wait. Release in one cycle and the two banks are ours.
 *
 * All outputs come from registers; desc is a read of the descriptor table by the grant of the cycle before.
 *
 * The caller keeps to: grant_kdei valid; retire_kdei valid with ExeBL > 0; kernel.hwq < NumHwq.
 *
 * State: hd_kd_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is equality.
 */
#ifndef HD_KD_H
#define HD_KD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "hd_kd_ports.h"

/* Parameters; fixed by init. */
struct hd_kd_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_kde, kde_words, pend_words;
  uint32_t num_hwq, hwq_words;
  uint32_t need_at, ctas_at; /* where the two arrays begin that eval shows as they are, in bytes */
};

/* One entry, without what the scheduler reads (hd_kd_need, hd_kd_ctas). */
struct hd_kd_entry {
  struct hd_desc desc;
  uint16_t exebl;  /* TBs in execution */
  uint16_t tag[2]; /* tag rows */
  uint8_t hwq;
  uint8_t bank; /* the tag row that its kernel uses */
};

struct hd_kd {
  struct hd_kd_cfg cfg;
  uint64_t valid[HD_WORDS(HD_MAX_NUM_KDE)];    /* entries that hold a kernel */
  uint64_t free[HD_WORDS(HD_MAX_NUM_KDE)];     /* entries that can take one */
  uint64_t running[HD_WORDS(HD_MAX_NUM_KDE)];  /* entries with ExeBL > 0 */
  uint64_t pend[HD_WORDS(2 * HD_MAX_NUM_KDE)]; /* tag rows 2 * entry + bank that wait to be reported */
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];   /* HWQs of the kernels released in the cycle before */
  struct hd_desc desc;                         /* descriptor of the kernel granted in the cycle before */
  uint16_t kernel_done;
  uint8_t kernel_done_valid;
  uint8_t desc_valid;
  uint8_t pend_ptr;
  struct hd_kd_entry entry[]; /* NumKde; then the arrays need and ctas */
};

/* Bytes of the state in this configuration. */
size_t hd_kd_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_kd_size(cfg) bytes of any content. */
void hd_kd_init(struct hd_kd *m, const struct hd_cfg *cfg);

/* The state after reset: all entries free, nothing to report. */
void hd_kd_reset(struct hd_kd *m);

/* This cycle's outputs; changes nothing. */
void hd_kd_eval(const struct hd_kd *m, const struct hd_kd_in *in, struct hd_kd_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_kd_tick(struct hd_kd *m, const struct hd_kd_in *in);

/* The architectural state under the names of rtl/kd/kd.csv; the rows of its RAMs only if `tables`. */
void hd_kd_arch(const struct hd_kd *m, struct hd_kd_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* What one TB of each entry needs, and how many TBs each grid has: NumKde elements, 0 where no kernel is. */
static inline const struct hd_need *hd_kd_need(const struct hd_kd *m) {
  return (const struct hd_need *)(const void *)((const char *)m + m->cfg.need_at);
}
static inline const uint32_t *hd_kd_ctas(const struct hd_kd *m) {
  return (const uint32_t *)(const void *)((const char *)m + m->cfg.ctas_at);
}

/* The entry that takes a kernel in this cycle: the lowest free one, or -1. */
static inline int hd_kd_alloc(const struct hd_kd *m) {
  return hd_bits_first(m->free, m->cfg.kde_words);
}

/* The edge. kernel: the one offered, or NULL; marked: set of entries; grant_kdei, retire_kdei: -1 for none. */
void hd_kd_step(struct hd_kd *m, const struct hd_kernel *kernel, const uint64_t *marked, int grant_kdei,
                int retire_kdei, bool kernel_done_ready);

#endif
