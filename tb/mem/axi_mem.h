/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* axi_mem: the memory behind the plane's AXI4 port, with adversarial timing.
 *
 *     struct hd_axi_mem *m = hd_axi_mem_new(&profile, clients, seed);
 *     for (;;) {                                   // each cycle:
 *       hd_axi_mem_drive(m, &told);                // outputs of the memory; independent of this cycle's plane outputs
 *       ... the plane's cycle, with `told` among its inputs ...
 *       const char *rule = hd_axi_mem_follow(m, &asked);   // outputs of the plane; NULL, or a broken rule in one line
 *     }
 *
 * A read returns its first beat, and a write its response, latency_min to latency_max cycles after the request was
 * accepted (its address; its last beat). Bursts of one ID are answered in order; with `reorder` the answers of
 * different IDs overtake each other and their read beats interleave. A read samples its bytes when its address is
 * accepted, a write takes effect when it is answered: the earliest and the latest that AXI4 allows, so that missing
 * ordering shows.
 *
 * The rules of axi_check.h, and the regions set with hd_axi_mem_allow() if any, are checked in each cycle. All random
 * choices come from the seed. */
#ifndef HD_AXI_MEM_H
#define HD_AXI_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/axi.h"

enum { HD_AXI_PATIENCE = 300 };

struct hd_axi_profile {
  const char *name;
  uint32_t latency_min, latency_max; /* 1 or more */
  bool reorder;                      /* between IDs */
  unsigned sink;                     /* AW, W and AR are each ready in `sink` of 256 cycles */
  unsigned source;                   /* a due answer is sent in `source` of 256 cycles */
  uint32_t errors;                   /* bursts answered with an error, of 65536: a read in all beats, or in one */
  unsigned exokay;                   /* rate of EXOKAY among answers without an error, of 256 */
  bool together; /* an error answer to a write waits for the end of a failed read, and vice versa, for HD_AXI_PATIENCE
                    cycles at most */
};

struct hd_axi_counts {
  uint64_t reads, writes, errors; /* bursts answered; bursts answered with an error */
  uint64_t read_beats, write_beats;
  uint32_t reads_most, writes_most; /* maximum in flight */
};

struct hd_axi_mem;

/* Returns NULL if out of memory. */
struct hd_axi_mem *hd_axi_mem_new(const struct hd_axi_profile *p, uint32_t clients, uint64_t seed);
void hd_axi_mem_free(struct hd_axi_mem *m);
/* Drops all bursts in flight, as at the plane's reset; bytes, regions and counts remain. */
void hd_axi_mem_reset(struct hd_axi_mem *m);

void hd_axi_mem_drive(struct hd_axi_mem *m, struct hd_axi_response *reported);
const char *hd_axi_mem_follow(struct hd_axi_mem *m, const struct hd_axi_request *asked);

/* Returns true if the state of the memory is constant for a while unless the plane makes a request: it is ready in each
 * cycle, and gives no answer before cycle *next (UINT64_MAX: no burst is in flight), counted in calls of
 * hd_axi_mem_follow(). */
bool hd_axi_mem_is_idle(const struct hd_axi_mem *m, uint64_t *next);
/* Skips n such cycles. Requires that the last one is before *next. */
void hd_axi_mem_skip(struct hd_axi_mem *m, uint64_t n);

/* Direct access for tests and programs: no latency, any address and length. Returns false if out of memory. */
bool hd_axi_mem_read(struct hd_axi_mem *m, uint64_t addr, void *bytes, size_t n);
bool hd_axi_mem_write(struct hd_axi_mem *m, uint64_t addr, const void *bytes, size_t n);

/* Bursts that touch one of these bytes are answered with `resp`; such writes have no effect. Returns false if out of
 * memory. */
bool hd_axi_mem_spoil(struct hd_axi_mem *m, uint64_t addr, uint64_t bytes, enum hd_axi_resp resp);
/* Restricts client `id` to its allowed regions: after the first call (of any client), a burst outside of them breaks a
 * rule. */
bool hd_axi_mem_allow(struct hd_axi_mem *m, uint8_t id, uint64_t addr, uint64_t bytes);

/* Blocks these channels from now on, one bit each. */
enum { HD_AXI_HOLD_AW = 1, HD_AXI_HOLD_W = 2, HD_AXI_HOLD_AR = 4, HD_AXI_HOLD_R = 8, HD_AXI_HOLD_B = 16 };
void hd_axi_mem_hold(struct hd_axi_mem *m, unsigned channels);

struct hd_axi_counts hd_axi_mem_counts(const struct hd_axi_mem *m);

#endif
