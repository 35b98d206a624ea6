/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channels: graphs of channels and kernels (channels-isca2014 sections 4 and 5), built, checked and executed. A channel
 * is a bounded queue of elements; a kernel takes them a wavefront at a time and puts others into deeper channels.
 *
 *     static void fib(struct hd_channels_wave *w, void *ctx) {                     // called for each wavefront
 *       uint32_t n = ..;                                                           // what its elements want to spawn
 *       struct task *t = hd_channels_talloc(w, TASKS, hd_channels_level(w) + 1, n);
 *       if (t == NULL) return;                                                     // it yields: called again, later
 *       ..                                                                         // fills in t[0] .. t[n - 1]
 *       hd_channels_enq(w, t);
 *       for (uint32_t k = 0; k < hd_channels_lanes(w); k++) hd_channels_tfree(w, k);
 *     }
 *
 * A kernel yields by returning when a talloc gave NULL; it is called again from its beginning once there is room, and
 * the tallocs that it was granted then give the same elements again. So up to its last talloc it only looks.
 *
 * Executing is untimed: a wavefront that was dispatched runs as a whole, in the order of dispatch, and what dispatches
 * them keeps the rules of docs/channel/agg.md, chan.md and yrec.md: the predicates, the deepest level first, then round
 * robin, levelized channels, partial wavefronts once no producer can add to them, yields, records. No globals; memory
 * comes from malloc(). The first refusal stays, and every later call does nothing. */
#ifndef HD_CHANNELS_H
#define HD_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

enum hd_channels_code {
  HD_CHANNELS_OK,
  HD_CHANNELS_SIZE,   /* a size that is not accepted, or a wavefront's elements that can never have room */
  HD_CHANNELS_NODE,   /* no such node, or none of its kind; a channel without a kernel */
  HD_CHANNELS_CYCLE,  /* channels that wait for each other's room */
  HD_CHANNELS_LEVEL,  /* a kernel whose wavefronts wait for room that the levels do not promise */
  HD_CHANNELS_MEMORY, /* no memory is left */
  HD_CHANNELS_MISUSE, /* a kernel, or the host, that broke a rule of talloc, enq, deq or tfree */
  HD_CHANNELS_STUCK   /* nothing can go; an accepted graph whose kernels keep the rules should not: agg.md argues why */
};

enum { HD_CHANNELS_NODES = 64, HD_CHANNELS_OUTPUTS = 4, HD_CHANNELS_GRANTS = 4 }; /* at most */

struct hd_channels;
struct hd_channels_wave; /* a wavefront, as its kernel sees it */

typedef void hd_channels_function(struct hd_channels_wave *w, void *ctx);

/* What was executed so far; of a channel node, of a kernel node, or of all. */
struct hd_channels_counts {
  uint64_t elements;   /* dispatched; each once */
  uint64_t wavefronts; /* dispatched; each once, however often it yielded */
  uint64_t partial;    /* of these with less than all lanes */
  uint64_t yields;
};

/* ---- The graph ---- */

/* An empty graph for the CUs and channels of a configuration. NULL: no memory is left. */
struct hd_channels *hd_channels_new(const struct hd_cfg *cfg);
void hd_channels_free(struct hd_channels *g);

/* The refusal, and a sentence without a full stop ("" of OK) that lives as long as the graph. */
enum hd_channels_code hd_channels_code(const struct hd_channels *g);
const char *hd_channels_text(const struct hd_channels *g);

/* A stack of channels, one for each of `levels` levels from `level` on, whose elements have `bytes` bytes; `capacity`
 * elements each, a power of two from DoneGrain on. `levelized`: nothing of a level goes while a deeper one has
 * anything. The name must live as long as the graph. Returns the node. Refuses: SIZE. */
int hd_channels_stack(struct hd_channels *g, const char *name, uint32_t bytes, uint32_t capacity, uint32_t level,
                      uint32_t levels, bool levelized);
/* A channel by itself: a stack of one level. */
int hd_channels_channel(struct hd_channels *g, const char *name, uint32_t bytes, uint32_t capacity, uint32_t level,
                        bool levelized);
/* A kernel that takes the elements of a channel node, which has no other. Returns the node. Refuses: NODE, for
 * NULL as function too. */
int hd_channels_kernel(struct hd_channels *g, const char *name, int from, hd_channels_function *function, void *ctx);
/* Of an element of level k the kernel puts `fan` elements at most into the node's channel of level k + rise, where
 * there is one. Refuses: NODE, SIZE. */
void hd_channels_output(struct hd_channels *g, int kernel, int to, uint32_t rise, uint32_t fan);

/* Checks the graph, and makes its channels; nodes can not be added any more. Refuses: SIZE, NODE, MEMORY; CYCLE, naming
 * the channels; LEVEL: a wavefront of level k waits only for room in levelized channels of level k, of nodes that were
 * added behind its own, or in deeper channels. */
enum hd_channels_code hd_channels_check(struct hd_channels *g);

/* ---- Executing ---- */

/* The host, for talloc and enq, once the graph is checked: what comes in first. It can not yield: NULL is SIZE. */
struct hd_channels_wave *hd_channels_host(struct hd_channels *g);

/* Executes the graph until all its channels are empty, and waits for that. Returns the code. May be called again. */
enum hd_channels_code hd_channels_execute(struct hd_channels *g);

/* What was executed of the node; node -1: of all. Nothing of a node that does not exist. */
struct hd_channels_counts hd_channels_counts(const struct hd_channels *g, int node);

/* ---- What a kernel does ---- */

/* A wavefront is its kernel's while the kernel runs: kept for later, deq, talloc, enq and tfree of it are MISUSE. */

/* Elements of the wavefront, and the level of their channel. */
uint32_t hd_channels_lanes(const struct hd_channels_wave *w);
uint32_t hd_channels_level(const struct hd_channels_wave *w);
/* Element k of the wavefront. */
void *hd_channels_deq(struct hd_channels_wave *w, uint32_t k);
/* n elements in a row, n > 0, for the whole wavefront; NULL: the kernel returns at once. A wavefront reserves from the
 * shallow to the deep, once in a level (its continuation before its children). */
void *hd_channels_talloc(struct hd_channels_wave *w, int node, uint32_t level, uint32_t n);
/* Makes what a talloc gave ready. All that a wavefront reserved is, before it ends. */
void hd_channels_enq(struct hd_channels_wave *w, void *elements);
/* The wavefront is done with its element k; with each, before it ends. */
void hd_channels_tfree(struct hd_channels_wave *w, uint32_t k);

#endif
