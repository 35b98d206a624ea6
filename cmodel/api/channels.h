/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channels: builds, checks and executes graphs of channels and kernels (channels-isca2014 sections 4 and 5). A channel
 * is a bounded queue of elements; a kernel consumes one wavefront of elements at a time and adds elements to deeper
 * channels.
 *
 *     static void fib(struct hd_channels_wave *w, void *ctx) {                     // called for each wavefront
 *       uint32_t n = ..;                                                           // elements to spawn
 *       struct task *t = hd_channels_talloc(w, TASKS, hd_channels_level(w) + 1, n);
 *       if (t == NULL) return;                                                     // yields; called again later
 *       ..                                                                         // fills in t[0] .. t[n - 1]
 *       hd_channels_enq(w, t);
 *       for (uint32_t k = 0; k < hd_channels_lanes(w); k++) hd_channels_tfree(w, k);
 *     }
 *
 * A kernel yields by returning when talloc returns NULL. It is called again from its beginning once there is room, and
 * its earlier successful tallocs then return the same elements again. So a kernel must have no side effects before its
 * last talloc.
 *
 * Execution is untimed: a dispatched wavefront runs to its end, in dispatch order. Dispatch follows the rules of
 * docs/channel/agg.md, chan.md and yrec.md: the predicates, deepest level first, round robin within a level, levelized
 * channels, partial wavefronts once no producer can add to them, yields, records. There are no globals; memory comes
 * from malloc(). The first error is kept, and every later call does nothing. */
#ifndef HD_CHANNELS_H
#define HD_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

enum hd_channels_code {
  HD_CHANNELS_OK,
  HD_CHANNELS_SIZE,   /* a size that is not accepted, or a wavefront that needs more room than exists */
  HD_CHANNELS_NODE,   /* no such node, or a node of the wrong kind; a channel without a kernel */
  HD_CHANNELS_CYCLE,  /* channels that wait for each other's room */
  HD_CHANNELS_LEVEL,  /* a kernel whose wavefronts wait for room that the levels do not guarantee */
  HD_CHANNELS_MEMORY, /* out of memory */
  HD_CHANNELS_MISUSE, /* a kernel, or the host, broke a rule of talloc, enq, deq or tfree */
  HD_CHANNELS_STUCK   /* no wavefront can run; never for an accepted graph whose kernels keep the rules (agg.md has the
                     * argument) */
};

enum { HD_CHANNELS_NODES = 64, HD_CHANNELS_OUTPUTS = 4, HD_CHANNELS_GRANTS = 4 }; /* maximums */

struct hd_channels;
struct hd_channels_wave; /* a wavefront, as its kernel sees it */

typedef void hd_channels_function(struct hd_channels_wave *w, void *ctx);

/* Execution counts of a channel node, of a kernel node, or of the whole graph. */
struct hd_channels_counts {
  uint64_t elements;   /* dispatched; each counts once */
  uint64_t wavefronts; /* dispatched; each counts once, however often it yielded */
  uint64_t partial;    /* wavefronts with fewer elements than lanes */
  uint64_t yields;
};

/* ---- The graph ---- */

/* Returns an empty graph for the CUs and channels of a configuration; NULL if out of memory. Free it with
 * hd_channels_free(). */
struct hd_channels *hd_channels_new(const struct hd_cfg *cfg);
void hd_channels_free(struct hd_channels *g);

/* Return the error code and its text: a sentence without a full stop, "" for OK. The graph owns the text. */
enum hd_channels_code hd_channels_code(const struct hd_channels *g);
const char *hd_channels_text(const struct hd_channels *g);

/* Adds a stack of channels, one for each of `levels` levels starting at `level`. Elements have `bytes` bytes; each
 * channel holds `capacity` elements, a power of two of at least DoneGrain. `levelized`: no wavefront of a level is
 * dispatched while a deeper level holds an element. Requires that `name` outlives the graph. Returns the node. Errors:
 * SIZE. */
int hd_channels_stack(struct hd_channels *g, const char *name, uint32_t bytes, uint32_t capacity, uint32_t level,
                      uint32_t levels, bool levelized);
/* Adds a single channel: a stack of one level. */
int hd_channels_channel(struct hd_channels *g, const char *name, uint32_t bytes, uint32_t capacity, uint32_t level,
                        bool levelized);
/* Adds the kernel that consumes the elements of a channel node; a channel node has one kernel. Returns the node.
 * Errors: NODE, also if `function` is NULL. */
int hd_channels_kernel(struct hd_channels *g, const char *name, int from, hd_channels_function *function, void *ctx);
/* For each element of level k, the kernel adds at most `fan` elements to the node's channel of level k + rise, if that
 * level exists. Errors: NODE, SIZE. */
void hd_channels_output(struct hd_channels *g, int kernel, int to, uint32_t rise, uint32_t fan);

/* Checks the graph and creates its channels; no node can be added afterwards. Errors: SIZE, NODE, MEMORY; CYCLE, which
 * names the channels; LEVEL: a wavefront of level k may wait only for room in deeper channels, or in levelized channels
 * of level k whose node was added after its own. */
enum hd_channels_code hd_channels_check(struct hd_channels *g);

/* ---- Executing ---- */

/* Returns the host, which adds the first elements with talloc and enq once the graph is checked. The host cannot yield:
 * a talloc without room is the error SIZE. */
struct hd_channels_wave *hd_channels_host(struct hd_channels *g);

/* Executes the graph until all its channels are empty. Returns the code. May be called again. */
enum hd_channels_code hd_channels_execute(struct hd_channels *g);

/* Returns the counts of a node, or of the whole graph for node -1; all 0 for a node that does not exist. */
struct hd_channels_counts hd_channels_counts(const struct hd_channels *g, int node);

/* ---- What a kernel does ---- */

/* A wavefront is valid only while its kernel runs; a later deq, talloc, enq or tfree is MISUSE. */

/* Return the number of elements of the wavefront, and the level of their channel. */
uint32_t hd_channels_lanes(const struct hd_channels_wave *w);
uint32_t hd_channels_level(const struct hd_channels_wave *w);
/* Returns element k of the wavefront. */
void *hd_channels_deq(struct hd_channels_wave *w, uint32_t k);
/* Allocates n > 0 consecutive elements for the whole wavefront. Returns NULL if there is no room; the kernel must then
 * return at once. A wavefront allocates from shallow levels to deep ones, once per level (its continuation before its
 * children). */
void *hd_channels_talloc(struct hd_channels_wave *w, int node, uint32_t level, uint32_t n);
/* Publishes the elements of a talloc. Every allocation must be enqueued before the wavefront ends. */
void hd_channels_enq(struct hd_channels_wave *w, void *elements);
/* Frees element k of the wavefront. Every element must be freed before the wavefront ends. */
void hd_channels_tfree(struct hd_channels_wave *w, uint32_t k);

#endif
