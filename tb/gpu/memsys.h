/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memsys: the memory system of the SMX array. All traffic is in lines, of 128 bytes in the plane's GPU.
 *
 *   SMX: L1, MSHRs --requests 1 cycle, stores port_cycles--> L2 in parts --misses--> DRAM, a channel behind each part
 *        <----------- port, port_cycles a line ----------------'   <-----------------'
 *
 * The model has no events: a request is computed when it is made, and the result is the cycle in which its data arrive.
 * A request becomes known in cycle `now`, which never decreases from call to call, and is made then or later: the SMX
 * sends the lines of one operation one after the other. Shared servers serve requests in the order of the calls, and do
 * not reorder for one that is made earlier but called later.
 *
 * - L1: a load that hits has its data after l1_latency. A miss allocates a way and an MSHR at once, both until the data
 *   arrive; further loads of that line merge with it, at most `merges` in all. If no MSHR is free, all ways of the set
 *   are in flight, or the merges are used up, the load has to be retried. A store invalidates its line in the L1 and
 *   goes to the L2; the SMX continues, with at most `stores` stores that the L2 has not accepted.
 * - The network: an SMX sends a request in one cycle and a store in port_cycles, and receives a line in port_cycles.
 * - L2: line L belongs to part L mod l2_parts. A part accepts one request per l2_cycles, in the order in which they are
 *   made. A load that hits has its data after l2_latency. A store allocates a way without reading the line; an evicted
 *   line is written to DRAM if it is dirty.
 * - DRAM: each channel has an equal share of dram_bandwidth and moves one line after the other; a line that does not
 *   queue arrives after dram_latency. With dram_queue lines queued, a part's next miss stalls the part.
 * - coherent: a store invalidates its line in all L1s, at no cost.
 *
 * Latencies are those from the request to the data in an idle system. */
#ifndef HD_MEMSYS_H
#define HD_MEMSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_memsys_opts {
  uint32_t line; /* line size in bytes */
  bool coherent;
  uint32_t l1_kb, l1_ways, l1_latency, mshrs, merges;
  uint32_t port_cycles, stores;
  uint32_t l2_kb, l2_ways, l2_parts, l2_latency, l2_cycles;
  uint32_t dram_latency, dram_bandwidth, dram_queue; /* bandwidth: of all channels together, bytes per cycle */
};

/* Counts of lines, except the last fields. */
struct hd_memsys_counts {
  uint64_t loads, l1_hits, l1_merged; /* the rest missed, and were requested from the L2 */
  uint64_t stores;
  uint64_t l2_loads, l2_hits, l2_merged; /* merged: were in flight from DRAM; the rest were read from there */
  uint64_t dram_reads, dram_writes;
  uint64_t filled; /* fills of L1s: answered misses */
  /* Cycles, over all parts: the channel's queue is full for the part's next miss; a reply waits for a port. */
  uint64_t dram_full, icnt2sm;
  uint64_t no_mshr, no_way, no_merge, store_waits; /* retries, by cause */
  double dram_busy;                                /* cycles in which a channel moved data, summed over channels */
  double dram_active;                              /* cycles in which a channel had a request, summed over channels */
};

struct hd_memsys;

/* Returns the sizes of dtbl-isca2015, or of cooperative-warp-tb-scheduling-2017 where the former gives none. */
struct hd_memsys_opts hd_memsys_defaults(void);

/* Returns true if the sizes are consistent. Otherwise text names the reason. */
bool hd_memsys_check(const struct hd_memsys_opts *o, char *text, size_t text_size);
/* Returns NULL if an option is refused or if out of memory; text then names the reason. */
struct hd_memsys *hd_memsys_new(const struct hd_memsys_opts *o, uint32_t smxs, char *text, size_t text_size);
void hd_memsys_free(struct hd_memsys *m);

/* Progress of an operation's lines, which an SMX sends in order, one per cycle. */
struct hd_memsys_sends {
  bool store;
  uint32_t sent;    /* lines sent so far */
  uint64_t free;    /* the cycle in which the next line can be sent */
  uint64_t slowest; /* the cycle in which all data of the sent lines have arrived; stores: the cycle after the last */
  uint64_t waits;   /* cycles in which a line was stalled */
};

/* Sends lines that are known of in cycle `now`. Returns true once all n are sent; false if the next one cannot be sent
 * up to cycle `until`: call again with the same *s to continue. */
bool hd_memsys_send(struct hd_memsys *m, uint32_t smx, uint64_t now, uint64_t until, const uint32_t *line, uint32_t n,
                    struct hd_memsys_sends *s);

/* sim speed: prefetches host data for lines that will be sent soon. No effect on results. */
void hd_memsys_ahead(const struct hd_memsys *m, const uint32_t *line, uint32_t n);

/* Returns the counts in cycle `now`, up to which all requests were made. */
struct hd_memsys_counts hd_memsys_counts(struct hd_memsys *m, uint64_t now);
/* Returns counts over all requests so far, including their future cycles. */
void hd_memsys_contention(const struct hd_memsys *m, uint64_t *dram_full, uint64_t *icnt2sm);
/* Returns the cycles that a line occupies its channel. */
double hd_memsys_dram_cycles(const struct hd_memsys *m);

#endif
