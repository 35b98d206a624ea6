/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats: golden model of the life of a graph kernel: from its entry into the Kernel Distributor to its end.
 *
 *   kernel enters --> [kdei need ctas at] --ask--> memory --beats--> [graph] --start--> dgb
 *                                                                                        |
 *        marked --> [older] --> sched                                                  node
 *                                                                                        v
 *        kd <-- over <-- [code vid] <-- finish -- dgb          sched <-- TB, need, SMX that it would rather have
 *
 * One graph kernel is here at a time. Its descriptor is read, 48 bytes, and judged beat by beat; a right one starts the
 * dependency graph buffer (dgb), whose nodes go on to the SMX scheduler as TBs; a wrong one, or an error of the memory,
 * ends the kernel at once. Kernels that were marked before it entered and have kept their place since are older.
 *
 * A graph kernel beside others, its descriptor and its age are ours: Wireframe (wireframe-micro2017 section 5) runs one
 * kernel at a time and does not tell how a graph reaches the hardware.
 *
 * - All decisions use the state at the start of the cycle.
 * - Outputs come from registers, or from the buffer's and the scheduler's in the same cycle.
 *
 * Requires (docs/graph/dats.md): a kernel enters only while none is here, a TB is taken only while one is offered, the
 * buffer offers nodes and finishes only while it runs the graph, and the three beats come for the burst that was asked
 * for.
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

enum hd_dats_phase { HD_DATS_IDLE, HD_DATS_ASK, HD_DATS_READ, HD_DATS_START, HD_DATS_RUN, HD_DATS_OVER };

/* A descriptor in memory: bytes for each kernel, of which so many beats of 16 are read. */
enum { HD_DATS_BYTES = 64, HD_DATS_BEATS = 3 };

/* The arrays of a graph begin at multiples of this; it has so many edges at most. */
enum { HD_DATS_ALIGN = 128 };
#define HD_DATS_MAX_EDGES UINT32_C(0xfffffff8)

/* Parameters; fixed by init. */
struct hd_dats_cfg {
  uint64_t addr_mask;
  uint32_t num_kde, num_smx;
};

struct hd_dats {
  struct hd_dats_cfg cfg;
  uint64_t older[HD_WORDS(HD_MAX_NUM_KDE)]; /* a set of entries of the KD */
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

/* There is no kernel, and the edge of a cycle in which none enters changes nothing. */
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
