/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* top: golden model of the whole dispatch plane, composed of the block models.
 *
 *   host_launch -> kmu -> kd (+ fcfs) -> sched (+ one tbcr per SMX) -> dispatch, per SMX
 *   host_answer <- kmu     |  ^ groups: link, agt, agc        ^------- cta_done, per SMX
 *   dev_launch -> devq (+ match) -> link (groups) or pool (kernels) -> kmu
 *   dev_answer <- devq    kd -> kin (children) -> kernel_done     kd -> susp (suspended kernels) -> kmu
 *   record_done <- agc    APB4 <-> regs (counts all of it)        link, agt, pool, susp <-> memarb <-> AXI4
 *   kmu -> dats (a kernel with a graph) <-> dgb -> sched            dats, dgb <-> memarb
 *
 * dtbl-isca2015 sections 2 and 4, laperm-isca2016 section II, wireframe-micro2017 sections 3 and 4. In an idle plane a
 * launch accepted in cycle t is dispatched in t+5; a slot freed in t is dispatched again in t+2; one TB is handed out
 * per cycle, also across changes of kernel and group; a group whose launch is accepted in t is linked at the end of
 * t+3.
 *
 *     struct hd_top *m = malloc(hd_top_size(&cfg));         // the caller's memory
 *     hd_top_init(m, &cfg);
 *     for (;;) { ... fill in `in` ...; hd_top_cycle(m, &in, &out); ... use `out` ... }
 *
 * A transfer takes place in a cycle in which valid and ready are both 1; one of them is in `in`, the other in `out`.
 * The only output that depends on this cycle's inputs is dev_launch_ready: that of an SMX depends on the other SMXs'
 * dev_launch_valid, never on its own. So the other outputs can be read before `in` is complete: hd_top_eval, then
 * hd_top_tick.
 *
 * Inputs must be within their field widths; payloads matter only while their valid is 1; pad bytes are 0. Only the
 * array elements that the configuration has are read and written.
 *
 * State: hd_top_size() bytes, owned by the caller, 8-byte aligned, without pointers: memcpy is a snapshot, memcmp is
 * equality. Nothing here allocates, prints or keeps anything outside that block, so planes may run in parallel in
 * threads. */
#ifndef HD_TOP_H
#define HD_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dispatch/laperm.h"
#include "dispatch/sched.h"
#include "dispatch/spill.h"
#include "dispatch/throttle.h"
#include "family/kin.h"
#include "family/pool.h"
#include "family/susp.h"
#include "gen/hd_blocks.h"
#include "gen/hd_top_ports.h"
#include "graph/dats.h"
#include "graph/dgb.h"
#include "host/fcfs.h"
#include "host/kd.h"
#include "host/kmu.h"
#include "launch/agc.h"
#include "launch/agt.h"
#include "launch/devq.h"
#include "launch/link.h"
#include "launch/match.h"
#include "launch/ovfq.h"
#include "service/memarb.h"
#include "service/regs.h"

#define HD_TOP_NUMBER(b) HD_TOP_NUMBER_##b,
enum { HD_TOP_BLOCKS(HD_TOP_NUMBER) HD_TOP_NUMBERS };
#undef HD_TOP_NUMBER

/* Offsets of the blocks in the state; fixed by init. */
struct hd_top {
  uint32_t size; /* bytes of the state */
  uint32_t num_smx, num_kde, num_hwq, num_streams;
  uint32_t left_out; /* set of the blocks, by HD_TOP_NUMBER_.., that the plane is built without: they stay reset */
  /* In words of block[]. */
#define HD_TOP_AT(b) uint32_t b##_at;
  HD_TOP_BLOCKS(HD_TOP_AT)
#undef HD_TOP_AT
  uint64_t edges[HD_TOP_NUMBERS]; /* edges since reset at which each block was stepped */
  uint64_t block[];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_top_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_top_size(cfg) bytes of any content. */
void hd_top_init(struct hd_top *m, const struct hd_cfg *cfg);

/* Resets: an empty plane. */
void hd_top_reset(struct hd_top *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_top_eval(const struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_top_tick(struct hd_top *m, const struct hd_top_in *in);

/* hd_top_eval and hd_top_tick in one, faster; same outputs, same state. */
void hd_top_cycle(struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out);

/* Sets *a to the architectural state of all blocks; tables only if `tables`. */
void hd_top_arch(const struct hd_top *m, struct hd_top_arch *a, bool tables);

/* The block models, read only: hd_top_kmu(m), hd_top_kd(m), .. */
#define HD_TOP_BLOCK(b)                                                   \
  static inline const struct hd_##b *hd_top_##b(const struct hd_top *m) { \
    return (const struct hd_##b *)(const void *)(m->block + m->b##_at);   \
  }
HD_TOP_BLOCKS(HD_TOP_BLOCK)

/* Whether plane m is built without block b. */
#define HD_TOP_LEFT_OUT(m, b) ((m)->left_out >> HD_TOP_NUMBER_##b & 1)

#endif
