/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* deplinks: dependency graphs of thread blocks, made at launch time: DepLinks of wireframe-micro2017 sections 3.1 and
 * 3.2. A TB of the grid may start when all its parents have finished. What comes out is the graph as the hardware reads
 * it: renamed level by level, in compressed sparse rows (CSR).
 *
 *     static void wavefront(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {        // called for each TB
 *       hd_deplinks_parent(d, (struct hd_dim3){b.x - 1, b.y, b.z});                      // outside the grid: ignored
 *       hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y - 1, b.z});
 *     }
 *
 *     struct hd_deplinks d;
 *     struct hd_deplinks_graph g;
 *     hd_deplinks_init(&d, (struct hd_dim3){4, 4, 1}, NULL);
 *     hd_deplinks_set_policy(&d, HD_DEPLINKS_LVL, 4);
 *     hd_deplinks_each(&d, wavefront, NULL);
 *     if (hd_deplinks_build(&d, &g) != HD_DEPLINKS_OK) puts(d.text);                     // names the TB
 *     hd_deplinks_free(&d);
 *     ... g.node, g.edge, g.tb; or hd_deplinks_place() and hd_deplinks_image(), and the bytes go to memory ...
 *     hd_deplinks_graph_free(&g);
 *
 * TBs go by their linear id, x fastest (as hd_blkid_decode() has it), or by their coordinates.
 *
 * The first refusal stays: what is added after it is ignored, and build returns it. So what adds need not be looked at,
 * and hd_deplinks_parent(), as AddDependency() of the paper, returns nothing.
 *
 * Collecting and building take O(V + E) steps for V TBs and E edges as they were named (docs/deplinks.md). Memory comes
 * from the heap, or from a function of the caller's; a struct hd_deplinks and a struct hd_deplinks_graph own theirs
 * until they are freed, and neither needs the other. There are no globals. */
#ifndef HD_DEPLINKS_H
#define HD_DEPLINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/runtime.h"
#include "gen/hd_types.h"

#define HD_DEPLINKS_NODES 65535          /* TBs of a graph, at most: their count and ids have 16 bits */
#define HD_DEPLINKS_BOUND 65535          /* levels, likewise */
#define HD_DEPLINKS_CHUNK 128            /* bytes: each array in memory begins at a multiple of it */
#define HD_DEPLINKS_NO_TB (~UINT32_C(0)) /* no TB is meant */

enum hd_deplinks_code {
  HD_DEPLINKS_OK,
  HD_DEPLINKS_ZERO_DIM,   /* a dimension of the grid is 0 */
  HD_DEPLINKS_NODES_OVER, /* the grid has more than 65535 TBs; the one named is the first too many */
  HD_DEPLINKS_BAD_TB,     /* no such TB in the grid, or no mapping function is being called */
  HD_DEPLINKS_SELF,       /* a TB is its own parent */
  HD_DEPLINKS_CYCLE,      /* a TB waits for itself by way of others */
  HD_DEPLINKS_BAD_POLICY, /* no such policy, or a bound above 65535 */
  HD_DEPLINKS_BAD_SIZE,   /* a phase or group of 0 TBs */
  HD_DEPLINKS_MEMORY,     /* no memory is left */
  HD_DEPLINKS_WRONG,      /* a graph or an order that is wrong (hd_deplinks_check, hd_deplinks_order) */
  HD_DEPLINKS_BAD_KIND    /* no such kind of item, or no such pattern */
};

/* In which order ready TBs are handed out (section 4.3); the numbers are those of the hardware (rtl/pkg/enums.csv). */
enum hd_deplinks_policy {
  HD_DEPLINKS_LRR = HD_GPOLICY_LRR, /* the smallest VID, to the SMXs in turn */
  HD_DEPLINKS_LVL = HD_GPOLICY_LVL, /* the same, but a TB more than `bound` levels above the oldest unfinished waits */
  HD_DEPLINKS_LVL_BIND = HD_GPOLICY_LVL_BIND /* LVL that prefers the SMX of the parent that finished last; not the
                                                paper's */
};

/* resize(ctx, p, bytes): as realloc(), of p NULL too; frees p, NULL too, if bytes is 0. */
struct hd_deplinks_memory {
  void *(*resize)(void *ctx, void *p, size_t bytes);
  void *ctx;
};

/* What a TB does to what lies at an address, as in a `depend` clause of OpenMP. */
enum hd_deplinks_kind { HD_DEPLINKS_IN, HD_DEPLINKS_OUT, HD_DEPLINKS_INOUT };

struct hd_deplinks_item {
  uint64_t key; /* the address, or any other name */
  enum hd_deplinks_kind kind;
};

struct hd_deplinks_edge {
  uint32_t parent, child; /* linear TB ids */
};

struct hd_deplinks_sets; /* who wrote and read what; the library's own */

/* What is being collected. May be read; only the functions below write it. */
struct hd_deplinks {
  struct hd_dim3 grid;
  uint32_t nodes; /* TBs of the grid, 1 .. 65535 */
  enum hd_deplinks_policy policy;
  uint32_t bound; /* levels; 0 of LRR */
  size_t edges;   /* named so far; those named again count too */
  size_t ignored; /* parents outside the grid */
  uint64_t steps; /* of the library's inner loops, so far */
  /* The refusal. */
  enum hd_deplinks_code code; /* OK: none */
  uint32_t tb;                /* its TB, or HD_DEPLINKS_NO_TB */
  struct hd_dim3 at;          /* that TB's coordinates in the grid */
  uint16_t *cycle;            /* CYCLE: its TBs, each the parent of the next and the last of the first, from `tb` on;
                                 NULL: no memory was left to tell them */
  uint32_t cycle_length;      /* how many: 2 or more */
  char text[400];             /* a sentence that names the TBs, without a full stop; "" of OK */
  /* The library's own. */
  struct hd_deplinks_memory memory;
  uint32_t current; /* the TB that a mapping function is called for */
  uint32_t *pair;   /* child << 16 | parent */
  size_t pair_room;
  struct hd_deplinks_item *item; /* of the current TB */
  size_t items, item_room;
  struct hd_deplinks_sets *sets;
};

/* ---- Collecting ---- */

/* A grid of 1 to 65535 TBs; policy LRR, no edges. `memory`: copied; NULL: malloc() and its like. Refuses: ZERO_DIM,
 * NODES_OVER; *d may be freed then, too. */
enum hd_deplinks_code hd_deplinks_init(struct hd_deplinks *d, struct hd_dim3 grid,
                                       const struct hd_deplinks_memory *memory);
/* Gives back all that *d owns, the cycle too; the graphs that were built stay. */
void hd_deplinks_free(struct hd_deplinks *d);

/* SetPolicy of section 3.1, also from within a mapping function; the last call holds. bound: levels, 0 .. 65535; LRR
 * has none and takes it as 0. Refuses: BAD_POLICY. */
enum hd_deplinks_code hd_deplinks_set_policy(struct hd_deplinks *d, enum hd_deplinks_policy policy, uint32_t bound);

/* Calls the mapping function once for each TB, in ascending linear id (section 3.1, code block 5); what it adds by
 * hd_deplinks_parent() and hd_deplinks_depend() belongs to that TB. May be called again: parents add up. Calls no more
 * after a refusal, which it returns. */
enum hd_deplinks_code hd_deplinks_each(struct hd_deplinks *d,
                                       void (*map)(struct hd_deplinks *d, struct hd_dim3 block, void *ctx), void *ctx);

/* AddDependency of section 3.1: the TB that the mapping function is called for waits for `parent`. A parent outside the
 * grid is ignored, and counted: coordinates are unsigned, so that 0 - 1 is outside. Refuses: SELF; BAD_TB outside of a
 * mapping function. */
void hd_deplinks_parent(struct hd_deplinks *d, struct hd_dim3 parent);

/* The TB that the mapping function is called for reads or writes what lies at `key`: see hd_deplinks_task(). Refuses:
 * BAD_TB outside of a mapping function, BAD_KIND, MEMORY. */
void hd_deplinks_depend(struct hd_deplinks *d, enum hd_deplinks_kind kind, uint64_t key);

/* `child` waits for `parent`, both linear ids. Refuses: BAD_TB, SELF, MEMORY. */
enum hd_deplinks_code hd_deplinks_add(struct hd_deplinks *d, uint32_t parent, uint32_t child);
/* n of them, from a list. */
enum hd_deplinks_code hd_deplinks_add_list(struct hd_deplinks *d, const struct hd_deplinks_edge *list, size_t n);

/* `tb` reads and writes these n items, as a task with a `depend` clause (section 3.1, "Profiling-based generation").
 * Tasks count in the order of the calls, and hd_deplinks_each() makes one of each TB: so a program of loops becomes
 * tasks in the order in which it would run them. IN: waits for the last TB that wrote the key. OUT, INOUT: waits for
 * all that have read it since it was last written, or, if none has, for the one that wrote it. A TB never waits for
 * itself here; a key both in and out is inout. Expected O(n). Refuses: BAD_TB, BAD_KIND, MEMORY. */
enum hd_deplinks_code hd_deplinks_task(struct hd_deplinks *d, uint32_t tb, const struct hd_deplinks_item *item,
                                       size_t n);

/* The inter-block barrier of section 2.2 (figure 2, right): each of the m TBs `after` waits for each of the n `before`;
 * n x m edges. Both are linear ids. Refuses: as hd_deplinks_add(), SELF if a TB is in both. */
enum hd_deplinks_code hd_deplinks_barrier(struct hd_deplinks *d, const uint32_t *before, size_t n,
                                          const uint32_t *after, size_t m);

/* Barriers between phases: the grid's TBs are phases of `phase` consecutive TBs, and these groups of `group`
 * consecutive TBs (the last of each may be smaller). A TB waits for all TBs of its group in the phase before. group =
 * phase: the global barrier of section 2.2 (figure 2, middle); less: inter-block barriers (right: phase 4, group 2).
 * Refuses: BAD_SIZE, MEMORY. */
enum hd_deplinks_code hd_deplinks_phases(struct hd_deplinks *d, uint32_t phase, uint32_t group);

/* Graphs to begin with. */
enum hd_deplinks_pattern {
  HD_DEPLINKS_WAVEFRONT, /* waits for its neighbours at x - 1, y - 1 and z - 1 (figure 1) */
  HD_DEPLINKS_STENCIL,   /* z is time: waits for (x, y) and its four neighbours at z - 1 */
  HD_DEPLINKS_BARRIER,   /* a row of the grid is a phase: global barriers between rows */
  HD_DEPLINKS_CHAIN,     /* each waits for the one before */
  HD_DEPLINKS_STAR,      /* all wait for TB 0 */
  HD_DEPLINKS_STAR_IN,   /* the last waits for all */
  HD_DEPLINKS_LAYERED    /* random: a TB of row y waits for `degree` TBs of row y - 1, some of them perhaps the same */
};
/* Adds the edges of a pattern. degree and seed: of LAYERED; the same ones give the same graph everywhere.
 * Refuses: BAD_KIND, MEMORY. */
enum hd_deplinks_code hd_deplinks_add_pattern(struct hd_deplinks *d, enum hd_deplinks_pattern pattern, uint32_t degree,
                                              uint64_t seed);

/* ---- The graph ---- */

/* An entry of the node array (section 3.2, figure 6). In memory 8 bytes, little endian, in this order. */
struct hd_deplinks_node {
  uint32_t start;   /* its first child's place in the edge array; its last child's is before the next entry's start */
  uint16_t parents; /* different TBs; at most 65534, as many as there are others */
  uint16_t level;   /* 0 of roots, else 1 + that of its deepest parent */
};

struct hd_deplinks_graph {
  struct hd_dim3 grid;
  uint32_t nodes; /* 1 .. 65535 */
  uint32_t edges; /* each once */
  enum hd_deplinks_policy policy;
  uint32_t bound;
  struct hd_deplinks_node *node; /* nodes + 1, by VID; the closing entry is {edges, 0, 0} */
  uint16_t *edge;                /* VIDs of children, ascending within a node */
  uint16_t *tb;                  /* linear TB id, by VID */
  /* What it looks like. */
  uint64_t merged;   /* edges that were named again */
  uint32_t levels;   /* 1 .. nodes */
  uint32_t widest;   /* the (first) level of most TBs .. */
  uint32_t width;    /* .. and how many these are */
  uint32_t in_most;  /* most parents of a TB .. */
  uint32_t in_tb;    /* .. the (first) TB that has them, by linear id */
  uint32_t out_most; /* most children, likewise */
  uint32_t out_tb;
  struct hd_deplinks_memory memory;
};

/* Makes the graph (section 3.2): edges named twice are merged, TBs get levels and are renamed level by level, by linear
 * id within one: VID 0 is the first root. *d stays as it is, with a refusal if there is one, and may be added to and
 * built again. Refuses: CYCLE (one of few TBs, not always of the fewest), MEMORY, and what was refused before; *g is
 * then empty and owns nothing. */
enum hd_deplinks_code hd_deplinks_build(struct hd_deplinks *d, struct hd_deplinks_graph *g);
void hd_deplinks_graph_free(struct hd_deplinks_graph *g);

/* Whether a graph, of whatever origin, is one that build may have made: starts ascend to `edges`, children exist, stand
 * on a higher level and ascend, parent counts and levels are right, VIDs go level by level, each TB of the grid has
 * one. Only grid, nodes, edges, the three arrays and the memory are looked at. O(V + E). WRONG or MEMORY: `text` (of
 * `size` bytes, at least 1) has a sentence. */
enum hd_deplinks_code hd_deplinks_check(const struct hd_deplinks_graph *g, char *text, size_t size);

/* Whether the TBs of a sound graph, given by linear id, may run in this order, one after the other: each TB of the
 * graph once, none before its parents. WRONG or MEMORY: as above, with the first TB that is wrong. */
enum hd_deplinks_code hd_deplinks_order(const struct hd_deplinks_graph *g, const uint16_t *tb, uint32_t n, char *text,
                                        size_t size);

/* ---- In memory ---- */

/* Where the hardware finds it. */
struct hd_deplinks_regions {
  uint64_t node;  /* 8 bytes for each node, and the closing entry */
  uint64_t edge;  /* 2 bytes for each edge: the child's VID */
  uint64_t tb;    /* 2 bytes for each node: its linear TB id */
  uint64_t early; /* 2 bytes for each node, 0: updates that come before their node; the only array that is written */
  uint64_t end;   /* the first byte behind */
  uint32_t nodes, edges;
  enum hd_deplinks_policy policy;
  uint32_t bound;
};

/* Lays the arrays out in that order from `base` on (rounded up to a multiple of 128), each at a multiple of 128, so
 * that no chunk of 128 bytes belongs to two. False, and *at all 0: they do not fit the addresses of the
 * configuration. */
bool hd_deplinks_place(const struct hd_cfg *cfg, const struct hd_deplinks_graph *g, uint64_t base,
                       struct hd_deplinks_regions *at);

/* What is to be written from at->node on: at->end - at->node bytes. Numbers are little endian; what lies between and
 * behind the arrays is 0. */
void hd_deplinks_image(const struct hd_deplinks_graph *g, const struct hd_deplinks_regions *at, uint8_t *bytes);

/* The descriptor by which a launch names the graph (docs/graph/dats.md): what is to be written at the kernel's
 * parameter address, a multiple of HD_DEPLINKS_ALIGN; what else the kernel is told lies behind it. */
#define HD_DEPLINKS_DESCRIPTOR 48
#define HD_DEPLINKS_ALIGN 64
void hd_deplinks_describe(const struct hd_deplinks_regions *at, uint8_t bytes[HD_DEPLINKS_DESCRIPTOR]);

#endif
