/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* deplinks: dependency graphs of thread blocks, built at launch time: DepLinks of wireframe-micro2017 sections 3.1 and
 * 3.2. A TB of the grid may start when all its parents have finished. The result is the graph as the hardware reads it:
 * renamed level by level, in compressed sparse rows (CSR).
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
 *     ... g.node, g.edge, g.tb; or hd_deplinks_place() and hd_deplinks_image(), and write the bytes to memory ...
 *     hd_deplinks_graph_free(&g);
 *
 * TBs are identified by linear id, x fastest (as in hd_blkid_decode()), or by coordinates.
 *
 * The first error is kept: later additions are ignored, and build returns it. So the result of an addition need not be
 * checked, and hd_deplinks_parent(), like AddDependency() of the paper, returns nothing.
 *
 * Collecting and building take O(V + E) steps for V TBs and E edges, duplicates included (docs/deplinks.md). Memory
 * comes from the heap or from the caller's function; struct hd_deplinks and struct hd_deplinks_graph each own theirs
 * until freed, independently of each other. There are no globals. */
#ifndef HD_DEPLINKS_H
#define HD_DEPLINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/runtime.h"
#include "gen/hd_types.h"

#define HD_DEPLINKS_NODES 65535          /* maximum number of TBs of a graph: count and ids have 16 bits */
#define HD_DEPLINKS_BOUND 65535          /* maximum bound, in levels */
#define HD_DEPLINKS_CHUNK 128            /* bytes: alignment of each array in memory */
#define HD_DEPLINKS_NO_TB (~UINT32_C(0)) /* no TB */

enum hd_deplinks_code {
  HD_DEPLINKS_OK,
  HD_DEPLINKS_ZERO_DIM,   /* a dimension of the grid is 0 */
  HD_DEPLINKS_NODES_OVER, /* the grid has more than 65535 TBs; the error names the first excess TB */
  HD_DEPLINKS_BAD_TB,     /* no such TB in the grid, or called outside of a mapping function */
  HD_DEPLINKS_SELF,       /* a TB is its own parent */
  HD_DEPLINKS_CYCLE,      /* a TB waits for itself through others */
  HD_DEPLINKS_BAD_POLICY, /* no such policy, or a bound above 65535 */
  HD_DEPLINKS_BAD_SIZE,   /* a phase or group of 0 TBs */
  HD_DEPLINKS_MEMORY,     /* out of memory */
  HD_DEPLINKS_WRONG,      /* an invalid graph or order (hd_deplinks_check, hd_deplinks_order) */
  HD_DEPLINKS_BAD_KIND    /* no such kind of item, or no such pattern */
};

/* Order in which ready TBs are handed out (section 4.3); the numbers are those of the hardware (rtl/pkg/enums.csv). */
enum hd_deplinks_policy {
  HD_DEPLINKS_LRR = HD_GPOLICY_LRR, /* smallest VID first, SMXs round robin */
  /* the same, but a TB more than `bound` levels above the oldest unfinished one waits */
  HD_DEPLINKS_LVL = HD_GPOLICY_LVL,
  HD_DEPLINKS_LVL_BIND = HD_GPOLICY_LVL_BIND /* LVL that prefers the SMX of the parent that finished last; ours */
};

/* resize(ctx, p, bytes): like realloc(), including p == NULL; bytes == 0 frees p, which may be NULL. */
struct hd_deplinks_memory {
  void *(*resize)(void *ctx, void *p, size_t bytes);
  void *ctx;
};

/* Access of a TB to an address, as in a `depend` clause of OpenMP. */
enum hd_deplinks_kind { HD_DEPLINKS_IN, HD_DEPLINKS_OUT, HD_DEPLINKS_INOUT };

struct hd_deplinks_item {
  uint64_t key; /* the address, or any other identifier */
  enum hd_deplinks_kind kind;
};

struct hd_deplinks_edge {
  uint32_t parent, child; /* linear TB ids */
};

struct hd_deplinks_sets; /* readers and writers of each key; internal */

/* A graph being collected. The caller may read it; only the functions below write it. */
struct hd_deplinks {
  struct hd_dim3 grid;
  uint32_t nodes; /* TBs of the grid, 1 .. 65535 */
  enum hd_deplinks_policy policy;
  uint32_t bound; /* levels; 0 for LRR */
  size_t edges;   /* added so far, duplicates included */
  size_t ignored; /* parents outside the grid */
  uint64_t steps; /* iterations of the library's inner loops so far */
  /* The error. */
  enum hd_deplinks_code code; /* OK: none */
  uint32_t tb;                /* TB of the error, or HD_DEPLINKS_NO_TB */
  struct hd_dim3 at;          /* that TB's coordinates in the grid */
  /* CYCLE: the TBs of the cycle, starting at `tb`; each is a parent of the next, the last of the first. NULL if memory
   * for the list was lacking */
  uint16_t *cycle;
  uint32_t cycle_length; /* length of `cycle`: 2 or more */
  char text[400];        /* a sentence that names the TBs, without a full stop; "" for OK */
  /* Internal. */
  struct hd_deplinks_memory memory;
  uint32_t current; /* the TB for which the mapping function runs */
  uint32_t *pair;   /* child << 16 | parent */
  size_t pair_room;
  struct hd_deplinks_item *item; /* of the current TB */
  size_t items, item_room;
  struct hd_deplinks_sets *sets;
};

/* ---- Collecting ---- */

/* Starts a grid of 1 to 65535 TBs with policy LRR and no edges. `memory` is copied; NULL means malloc(), realloc() and
 * free(). Errors: ZERO_DIM, NODES_OVER; *d may be freed after an error too. */
enum hd_deplinks_code hd_deplinks_init(struct hd_deplinks *d, struct hd_dim3 grid,
                                       const struct hd_deplinks_memory *memory);
/* Frees everything that *d owns, the cycle included; graphs already built remain valid. */
void hd_deplinks_free(struct hd_deplinks *d);

/* SetPolicy of section 3.1; may be called within a mapping function; the last call wins. bound: levels, 0 .. 65535;
 * ignored for LRR. Errors: BAD_POLICY. */
enum hd_deplinks_code hd_deplinks_set_policy(struct hd_deplinks *d, enum hd_deplinks_policy policy, uint32_t bound);

/* Calls the mapping function once for each TB, in ascending linear id (section 3.1, code block 5); hd_deplinks_parent()
 * and hd_deplinks_depend() called in it refer to that TB. May be called again: parents accumulate. Stops at the first
 * error and returns it. */
enum hd_deplinks_code hd_deplinks_each(struct hd_deplinks *d,
                                       void (*map)(struct hd_deplinks *d, struct hd_dim3 block, void *ctx), void *ctx);

/* AddDependency of section 3.1: the TB of the running mapping function waits for `parent`. A parent outside the grid is
 * ignored and counted: coordinates are unsigned, so 0 - 1 is outside. Errors: SELF; BAD_TB outside of a mapping
 * function. */
void hd_deplinks_parent(struct hd_deplinks *d, struct hd_dim3 parent);

/* The TB of the running mapping function reads or writes the data at `key`: see hd_deplinks_task(). Errors: BAD_TB
 * outside of a mapping function, BAD_KIND, MEMORY. */
void hd_deplinks_depend(struct hd_deplinks *d, enum hd_deplinks_kind kind, uint64_t key);

/* `child` waits for `parent`; both are linear ids. Errors: BAD_TB, SELF, MEMORY. */
enum hd_deplinks_code hd_deplinks_add(struct hd_deplinks *d, uint32_t parent, uint32_t child);
/* Adds n edges from a list. */
enum hd_deplinks_code hd_deplinks_add_list(struct hd_deplinks *d, const struct hd_deplinks_edge *list, size_t n);

/* `tb` reads and writes these n items, as a task with a `depend` clause does (section 3.1, "Profiling-based
 * generation"). Tasks are ordered by the calls, and hd_deplinks_each() makes each TB a task: so a program of loops
 * becomes tasks in its sequential order. IN waits for the last TB that wrote the key. OUT and INOUT wait for all TBs
 * that have read the key since its last write, or, if there are none, for the last writer. A TB never waits for itself
 * here; a key both in and out is inout. Expected O(n). Errors: BAD_TB, BAD_KIND, MEMORY. */
enum hd_deplinks_code hd_deplinks_task(struct hd_deplinks *d, uint32_t tb, const struct hd_deplinks_item *item,
                                       size_t n);

/* The inter-block barrier of section 2.2 (figure 2, right): each of the m TBs in `after` waits for each of the n TBs in
 * `before`; n x m edges. Both hold linear ids. Errors: as hd_deplinks_add(), SELF if a TB is in both. */
enum hd_deplinks_code hd_deplinks_barrier(struct hd_deplinks *d, const uint32_t *before, size_t n,
                                          const uint32_t *after, size_t m);

/* Barriers between phases: phases are `phase` consecutive TBs of the grid, split into groups of `group` consecutive TBs
 * (the last one may be smaller). A TB waits for all TBs of its group in the previous phase. group = phase is the global
 * barrier of section 2.2 (figure 2, middle); a smaller group gives inter-block barriers (right: phase 4, group 2).
 * Errors: BAD_SIZE, MEMORY. */
enum hd_deplinks_code hd_deplinks_phases(struct hd_deplinks *d, uint32_t phase, uint32_t group);

/* Predefined graphs. */
enum hd_deplinks_pattern {
  HD_DEPLINKS_WAVEFRONT, /* waits for its neighbours at x - 1, y - 1 and z - 1 (figure 1) */
  HD_DEPLINKS_STENCIL,   /* z is time: waits for (x, y) and its four neighbours at z - 1 */
  HD_DEPLINKS_BARRIER,   /* a row of the grid is a phase: global barriers between rows */
  HD_DEPLINKS_CHAIN,     /* each TB waits for the previous one */
  HD_DEPLINKS_STAR,      /* all wait for TB 0 */
  HD_DEPLINKS_STAR_IN,   /* the last TB waits for all others */
  HD_DEPLINKS_LAYERED    /* random: a TB of row y waits for `degree` TBs of row y - 1, possibly with duplicates */
};
/* Adds the edges of a pattern. degree and seed are used by LAYERED only; equal values give the same graph on every
 * machine. Errors: BAD_KIND, MEMORY. */
enum hd_deplinks_code hd_deplinks_add_pattern(struct hd_deplinks *d, enum hd_deplinks_pattern pattern, uint32_t degree,
                                              uint64_t seed);

/* ---- The graph ---- */

/* An entry of the node array (section 3.2, figure 6). In memory: 8 bytes, little endian, in this order. */
struct hd_deplinks_node {
  uint32_t start;   /* index of its first child in the edge array; its children end before the next entry's start */
  uint16_t parents; /* number of distinct parents; at most 65534 */
  uint16_t level;   /* 0 for roots, else 1 + the level of its deepest parent */
};

struct hd_deplinks_graph {
  struct hd_dim3 grid;
  uint32_t nodes; /* 1 .. 65535 */
  uint32_t edges; /* distinct edges */
  enum hd_deplinks_policy policy;
  uint32_t bound;
  struct hd_deplinks_node *node; /* nodes + 1, by VID; the closing entry is {edges, 0, 0} */
  uint16_t *edge;                /* VIDs of children, ascending within a node */
  uint16_t *tb;                  /* linear TB id, by VID */
  /* Statistics. */
  uint64_t merged;   /* duplicate edges */
  uint32_t levels;   /* 1 .. nodes */
  uint32_t widest;   /* the (first) level with the most TBs .. */
  uint32_t width;    /* .. and its number of TBs */
  uint32_t in_most;  /* most parents of any TB .. */
  uint32_t in_tb;    /* .. the (first) TB with that many, by linear id */
  uint32_t out_most; /* most children of any TB, and that TB */
  uint32_t out_tb;
  struct hd_deplinks_memory memory;
};

/* Builds the graph (section 3.2): merges duplicate edges, computes levels and renames the TBs level by level, by linear
 * id within a level: VID 0 is the first root. *d is unchanged, except for an error, and may be extended and built
 * again. Errors: CYCLE (a short cycle, not always the shortest), MEMORY, and any earlier error; *g is then empty and
 * owns nothing. */
enum hd_deplinks_code hd_deplinks_build(struct hd_deplinks *d, struct hd_deplinks_graph *g);
void hd_deplinks_graph_free(struct hd_deplinks_graph *g);

/* Checks that a graph of any origin is one that build could have made: starts ascend to `edges`; children exist, are on
 * a higher level and ascend; parent counts and levels are right; VIDs are ordered by level; each TB of the grid has
 * one. Reads only grid, nodes, edges, the three arrays and the memory functions. O(V + E). On WRONG or MEMORY, `text`
 * (`size` bytes, at least 1) receives a sentence. */
enum hd_deplinks_code hd_deplinks_check(const struct hd_deplinks_graph *g, char *text, size_t size);

/* Checks that the TBs of a valid graph, given by linear id, may run one after the other in this order: each TB once,
 * none before its parents. On WRONG or MEMORY, `text` receives a sentence that names the first wrong TB. */
enum hd_deplinks_code hd_deplinks_order(const struct hd_deplinks_graph *g, const uint16_t *tb, uint32_t n, char *text,
                                        size_t size);

/* ---- In memory ---- */

/* Location of the arrays in memory. */
struct hd_deplinks_regions {
  uint64_t node; /* 8 bytes per node, and the closing entry */
  uint64_t edge; /* 2 bytes per edge: the child's VID */
  uint64_t tb;   /* 2 bytes per node: its linear TB id */
  /* 2 bytes per node, initially 0: updates that arrive before their node; the only array that the plane writes */
  uint64_t early;
  uint64_t end; /* first byte after the arrays */
  uint32_t nodes, edges;
  enum hd_deplinks_policy policy;
  uint32_t bound;
};

/* Lays out the arrays in that order from `base` on, each aligned to 128 bytes, so that no 128-byte chunk is shared.
 * Returns false, with *at all 0, if they do not fit the address width of the configuration. */
bool hd_deplinks_place(const struct hd_cfg *cfg, const struct hd_deplinks_graph *g, uint64_t base,
                       struct hd_deplinks_regions *at);

/* Writes the memory image that starts at at->node: at->end - at->node bytes. Numbers are little endian; gaps are 0. */
void hd_deplinks_image(const struct hd_deplinks_graph *g, const struct hd_deplinks_regions *at, uint8_t *bytes);

/* Writes the descriptor by which a launch refers to the graph (docs/graph/dats.md). It must be stored at the kernel's
 * parameter address, a multiple of HD_DEPLINKS_ALIGN; the kernel's own parameters follow it. */
#define HD_DEPLINKS_DESCRIPTOR 48
#define HD_DEPLINKS_ALIGN 64
void hd_deplinks_describe(const struct hd_deplinks_regions *at, uint8_t bytes[HD_DEPLINKS_DESCRIPTOR]);

#endif
