/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memsys: the memory system of the SMX array. All traffic is in lines, of 128 bytes in the plane's GPU.
 *
 *   SMX: L1, MSHRs --requests 1 cycle, stores port_cycles--> L2 in parts --misses--> DRAM, a channel behind each part
 *        <----------- port, port_cycles a line ----------------'   <-----------------'
 *
 * There is no event of its own: a request is worked out when it is made, and the answer is the cycle in which its data
 * are there. A request is known of in cycle `now`, which never goes back from call to call, and is made then or
 * later: lines of one operation, which the SMX sends one after the other. Shared servers take them in the order of the
 * calls, and wait for none that is late.
 *
 * - L1: a load that hits has its data after l1_latency. A miss takes a way and an MSHR at once, both until the data are
 *   there; further loads of that line wait for the same data, `merges` in all. When no MSHR is free, all ways of the
 *   set are still to come, or the merges are used up, the load has to be tried again. A store takes its line out of the
 *   L1 and goes on to the L2; the SMX goes on too, with `stores` that the L2 has not taken at most.
 * - The network: an SMX sends a request in a cycle, a store in port_cycles, and takes a line in port_cycles.
 * - L2: line L lies in part L mod l2_parts. A part takes a request each l2_cycles, in the order in which they are made.
 *   A load that hits has its data after l2_latency. A store takes a way without reading the line; a line that is
 *   evicted is written to DRAM if it was stored to.
 * - DRAM: each channel moves its share of dram_bandwidth, one line after the other; a line that has not to wait is
 *   there after dram_latency. With dram_queue lines before it a part's next miss waits in the part, and all behind it.
 *
 * - coherent: a store takes its line out of all L1s, at no cost.
 *
 * Latencies are those from the request to the data when nothing else is under way. */
#ifndef HD_MEMSYS_H
#define HD_MEMSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_memsys_opts {
  uint32_t line; /* bytes of a line */
  bool coherent;
  uint32_t l1_kb, l1_ways, l1_latency, mshrs, merges;
  uint32_t port_cycles, stores;
  uint32_t l2_kb, l2_ways, l2_parts, l2_latency, l2_cycles;
  uint32_t dram_latency, dram_bandwidth, dram_queue; /* the bandwidth is that of all channels, in bytes a cycle */
};

/* Lines, but for the last ones. */
struct hd_memsys_counts {
  uint64_t loads, l1_hits, l1_merged; /* the rest missed, and went to the L2 */
  uint64_t stores;
  uint64_t l2_loads, l2_hits, l2_merged; /* the latter were on their way from DRAM; the rest were read from there */
  uint64_t dram_reads, dram_writes;
  uint64_t filled; /* into an L1: misses that were answered */
  /* Cycles, over all parts: the channel's queue has no room for the part's next miss; a reply waits for a port. */
  uint64_t dram_full, icnt2sm;
  uint64_t no_mshr, no_way, no_merge, store_waits; /* tries that had to be repeated, and why */
  double dram_busy;                                /* cycles in which a channel moved data, over all channels */
  double dram_active;                              /* cycles in which one had something to do, likewise */
};

struct hd_memsys;

/* Sizes of the papers: those of dtbl-isca2015, and of cooperative-warp-tb-scheduling-2017 where that does not tell. */
struct hd_memsys_opts hd_memsys_defaults(void);

/* Whether the sizes go together; if not, text says which do not. */
bool hd_memsys_check(const struct hd_memsys_opts *o, char *text, size_t text_size);
/* NULL: text says which option does not go, or that there is no memory. */
struct hd_memsys *hd_memsys_new(const struct hd_memsys_opts *o, uint32_t smxs, char *text, size_t text_size);
void hd_memsys_free(struct hd_memsys *m);

/* The lines of an operation of an SMX, which it sends one after the other, one in a cycle. */
struct hd_memsys_sends {
  bool store;
  uint32_t sent;    /* lines */
  uint64_t free;    /* the next one can be sent in this cycle */
  uint64_t slowest; /* when the data of all that were sent are there; of stores, the cycle after the last */
  uint64_t waits;   /* cycles in which a line was held up */
};

/* Known of in cycle `now`, they are sent until all n are, or the next one can not be up to cycle `until`: then false,
 * and *s goes on with the rest. */
bool hd_memsys_send(struct hd_memsys *m, uint32_t smx, uint64_t now, uint64_t until, const uint32_t *line, uint32_t n,
                    struct hd_memsys_sends *s);

/* These lines will be sent soon. Changes nothing but how long that takes here. */
void hd_memsys_ahead(const struct hd_memsys *m, const uint32_t *line, uint32_t n);

/* As of cycle `now`, up to which all requests were made. */
struct hd_memsys_counts hd_memsys_counts(struct hd_memsys *m, uint64_t now);
/* Of all requests so far, also for cycles that are still to come. */
void hd_memsys_contention(const struct hd_memsys *m, uint64_t *dram_full, uint64_t *icnt2sm);
/* Cycles that a line takes of its channel. */
double hd_memsys_dram_cycles(const struct hd_memsys *m);

#endif
