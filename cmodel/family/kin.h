/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kin: golden model of the parent records: kernels that wait for the kernels launched by their TBs.
 *
 *   birth (devq) ----------------------> [record: incomplete children; origin, if the kernel is done or suspended]
 *   leave (KD), lost (pool) --------+
 *   suspended, kin_fail (susp) ---  |  --> ripe --+                      +--> kernel_done, reopen (host kernels)
 *                                   +-------------+--> [completion: C] --+--> parent's count - 1, stream_done
 *   resume (to susp) <-- children are done
 *
 * A kernel is complete when its own TBs are done and every device kernel launched by them is: the nesting rule of
 * device launches, dtbl-isca2015 section 2.4 (a parent's completion waits for its children). A record is allocated with
 * a kernel's first child and outlives its entry in the Kernel Distributor. Ours: records, their number and the
 * suspension of a waiting parent; also the rest of a suspended kernel: the entries that banks still hold of it continue
 * as a child of it. A rest that fails makes that kernel fail.
 *
 * One completion passes per cycle, in this priority: a record whose last child has completed, a kernel lost by the
 * pool, a kernel that leaves the KD. All outputs are registered, except leave_ready, lost_ready and suspended_ready,
 * which also depend on kernel_done_ready, pool_lost.valid and kd_leave.valid.
 *
 * Requires: birth with `new` only in a free record, without it only in one in use whose kernel is in the KD; rest only
 * for a record in use whose kernel is suspended later, and no birth in that cycle and the next two; the kernel of a
 * record is suspended, resumed, leaves or fails only in the matching state, fails never while it is suspended, and
 * neither leaves nor is suspended before its rest is counted; `up` of a device kernel is a record in use.
 *
 * State: hd_kin_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_KIN_H
#define HD_KIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_kin_ports.h"

#define HD_KIN_WORDS HD_WORDS(HD_MAX_NUM_KIN)

/* Parameters; fixed by init. */
struct hd_kin_cfg {
  uint32_t num_kin, words, num_hwq;
};

/* A kernel that completes. */
struct hd_kin_completion {
  struct hd_origin origin;
  uint8_t valid;
  uint8_t late; /* it had a record, so its HWQ is still closed */
};

struct hd_kin {
  struct hd_kin_cfg cfg;
  struct hd_wrote wrote[1];
  /* From here to `children`: the state that hd_kin_arch() outputs besides its table, and little else. */
  uint16_t ready_ptr, ripe_ptr; /* records to be considered first */
  uint16_t resume_kin;
  uint8_t resume_valid;
  uint8_t reopen_valid, reopen_hwq;
  uint8_t stream_done_valid, stream_done;
  uint8_t rest;      /* a rest has yet to be counted .. */
  uint16_t rest_kin; /* .. as a child of this record */
  uint8_t pad_[6];
  struct hd_kin_completion c;
  uint64_t free[HD_KIN_WORDS];
  uint64_t gone[HD_KIN_WORDS];   /* its kernel has left the KD for good */
  uint64_t susp[HD_KIN_WORDS];   /* its kernel is suspended */
  uint64_t failed[HD_KIN_WORDS]; /* its kernel cannot continue */
  uint64_t alone[HD_KIN_WORDS];  /* no child is incomplete */
  uint16_t children[HD_MAX_NUM_KIN];
  struct hd_origin origin[HD_MAX_NUM_KIN]; /* valid while gone or suspended */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_kin_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_kin_size(cfg) bytes of any content. */
void hd_kin_init(struct hd_kin *m, const struct hd_cfg *cfg);

/* Resets: all records free. */
void hd_kin_reset(struct hd_kin *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_kin_eval(const struct hd_kin *m, const struct hd_kin_in *in, struct hd_kin_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_kin_tick(struct hd_kin *m, const struct hd_kin_in *in);

/* Sets *a to the architectural state, with the names of rtl/family/kin/kin.csv; the rows of its RAM only if
 * `tables`. */
void hd_kin_arch(const struct hd_kin *m, struct hd_kin_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_kin_arch_row(const struct hd_kin *m, unsigned row, struct hd_kin_arch *a);

/* ---- For models composed of blocks ---- */

/* Returns true if nothing is in flight: a cycle without a birth and without a kernel that leaves, is lost, is suspended
 * or fails changes nothing. Then all ready outputs are 1, and all other outputs but the free record and kin_busy are
 * 0. */
bool hd_kin_quiet(const struct hd_kin *m);

/* Returns true if a record is in use. */
bool hd_kin_busy(const struct hd_kin *m);

#endif
