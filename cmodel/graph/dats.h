/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats: golden model of the control of a graph kernel, from its entry into the Kernel Distributor to its end.
 *
 *   kernel enters --> [kdei need ctas at] --ask--> memory --beats--> [graph] --start--> dgb
 *                                                                                        |
 *        marked --> [older] --> sched                                                  node
 *                                                                                        v
 *        kd <-- over <-- [code vid] <-- finish -- dgb          sched <-- TB, need, preferred SMX
 *
 * One graph kernel is handled at a time. Its descriptor, 48 bytes, is read and checked beat by beat; a valid one starts
 * the dependency graph buffer (dgb), whose nodes go to the SMX scheduler as TBs; an invalid one, or a memory error,
 * ends the kernel at once. Kernels that were marked before it entered and have kept their place since are older.
 *
 * A graph kernel beside others, its descriptor and its age are ours: Wireframe (wireframe-micro2017 section 5) runs one
 * kernel at a time and does not say how a graph reaches the hardware.
 *
 * - All decisions use the state at the start of the cycle.
 * - Outputs are registered, or come from the buffer's and the scheduler's outputs in the same cycle.
 *
 * Requires (docs/graph/dats.md): a kernel enters only while none is handled; a TB is taken only while one is offered;
 * the buffer offers nodes and finishes only while it runs the graph; the three beats arrive for the requested burst.
 *
 * State: hd_dats_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_DATS_H
#define HD_DATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/hd_cfg.h"
#include "gen/hd_dats_ports.h"

enum hd_dats_phase { HD_DATS_IDLE, HD_DATS_REQUEST, HD_DATS_READ, HD_DATS_START, HD_DATS_RUN, HD_DATS_OVER };

/* A descriptor in memory: bytes per kernel, and the 16-byte beats of it that are read. */
enum { HD_DATS_BYTES = 64, HD_DATS_BEATS = 3 };

/* Alignment of the arrays of a graph, and its maximum number of edges. */
enum { HD_DATS_ALIGN = 128 };
#define HD_DATS_MAX_EDGES UINT32_C(0xfffffff8)

/* Parameters; fixed by init. */
struct hd_dats_cfg {
  uint64_t addr_mask;
  uint32_t num_kde, num_smx;
};

struct hd_dats {
  struct hd_dats_cfg cfg;
  uint64_t older[HD_WORDS(HD_MAX_NUM_KDE)]; /* older kernels: a set of entries of the KD */
  uint64_t at;
  struct hd_dgbstart graph;
  uint32_t ctas;
  struct hd_need need;
  uint16_t vid;
  uint8_t phase; /* enum hd_dats_phase */
  uint8_t kdei, beat;
  uint8_t wrong, error;
  uint8_t code; /* enum hd_gcode */
  uint8_t pad_[2];
};

/* Returns true if there is no kernel: the edge of a cycle in which none enters changes nothing. */
static inline bool hd_dats_quiet(const struct hd_dats *m) {
  return m->phase == HD_DATS_IDLE;
}

/* Returns the bytes of the state in this configuration. */
size_t hd_dats_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_dats_size(cfg) bytes of any content. */
void hd_dats_init(struct hd_dats *m, const struct hd_cfg *cfg);

/* Resets: no kernel. */
void hd_dats_reset(struct hd_dats *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_dats_eval(const struct hd_dats *m, const struct hd_dats_in *in, struct hd_dats_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_dats_tick(struct hd_dats *m, const struct hd_dats_in *in);

/* Sets *a to the architectural state, with the names of rtl/graph/dats/dats.csv. There are no tables. */
void hd_dats_arch(const struct hd_dats *m, struct hd_dats_arch *a, bool tables);

#endif
