/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* axi_mem: the memory behind the plane's AXI4 port, with all that makes life hard for a client.
 *
 *     struct hd_axi_mem *m = hd_axi_mem_new(&profile, clients, seed);
 *     for (;;) {                                   // each cycle:
 *       hd_axi_mem_drive(m, &told);                // what the memory says; does not depend on this cycle's outputs
 *       ... the plane's cycle, with `told` among its inputs ...
 *       const char *rule = hd_axi_mem_follow(m, &asked);   // what the plane said; NULL, or a broken rule in one line
 *     }
 *
 * A read gives its first beat, and a write its answer, latency_min to latency_max cycles after it was taken (its
 * address; its last beat). Bursts of one ID are answered in order; with `reorder` the answers of several IDs overtake
 * each other and their read beats mix. A read takes its bytes when its address is taken, a write puts its bytes when it
 * is answered: the earliest and the latest that AXI4 allows, so that an order that is missing shows.
 *
 * The rules of axi_check.h are watched in each cycle, and the regions told with hd_axi_mem_allow(), if any. Everything
 * random comes from the seed. */
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
  unsigned sink;                     /* AW, W and AR are each ready in so many of 256 cycles */
  unsigned source;                   /* an answer that is due comes in so many of 256 cycles */
  uint32_t errors;                   /* bursts answered with an error, of 65536: a read in all beats, or in one */
  unsigned exokay;                   /* answers without an error that are EXOKAY, of 256 */
  bool together; /* the answer to a write that fails waits for the end of a read that fails, for HD_AXI_PATIENCE cycles
                    at most */
};

struct hd_axi_counts {
  uint64_t reads, writes, errors; /* bursts answered; of them with an error */
  uint64_t read_beats, write_beats;
  uint32_t reads_most, writes_most; /* under way at once */
};

struct hd_axi_mem;

/* NULL: out of memory. */
struct hd_axi_mem *hd_axi_mem_new(const struct hd_axi_profile *p, uint32_t clients, uint64_t seed);
void hd_axi_mem_free(struct hd_axi_mem *m);
/* Forgets all bursts under way, as with the plane's reset; bytes, regions and counts stay. */
void hd_axi_mem_reset(struct hd_axi_mem *m);

void hd_axi_mem_drive(struct hd_axi_mem *m, struct hd_axi_told *told);
const char *hd_axi_mem_follow(struct hd_axi_mem *m, const struct hd_axi_asked *asked);

/* Whether all stays as it is for a while if the plane asks for nothing: the memory is ready in each cycle, and gives no
 * answer before cycle *next (UINT64_MAX: none is under way), counted as calls of hd_axi_mem_follow(). */
bool hd_axi_mem_still(const struct hd_axi_mem *m, uint64_t *next);
/* As n such cycles; the last one is before *next. */
void hd_axi_mem_skip(struct hd_axi_mem *m, uint64_t n);

/* The test's side of the bytes, as a program has it: at once, any address and length. False: out of memory. */
bool hd_axi_mem_read(struct hd_axi_mem *m, uint64_t addr, void *bytes, size_t n);
bool hd_axi_mem_write(struct hd_axi_mem *m, uint64_t addr, const void *bytes, size_t n);

/* Bursts that touch one of these bytes are answered with `resp` (none of them is written). False: out of memory. */
bool hd_axi_mem_spoil(struct hd_axi_mem *m, uint64_t addr, uint64_t bytes, enum hd_axi_resp resp);
/* From the first call on: a burst of client `id` outside of all that is allowed to it breaks a rule. */
bool hd_axi_mem_allow(struct hd_axi_mem *m, uint8_t id, uint64_t addr, uint64_t bytes);

/* From now on nothing moves on these channels: a bit each. */
enum { HD_AXI_HOLD_AW = 1, HD_AXI_HOLD_W = 2, HD_AXI_HOLD_AR = 4, HD_AXI_HOLD_R = 8, HD_AXI_HOLD_B = 16 };
void hd_axi_mem_hold(struct hd_axi_mem *m, unsigned channels);

struct hd_axi_counts hd_axi_mem_counts(const struct hd_axi_mem *m);

#endif
