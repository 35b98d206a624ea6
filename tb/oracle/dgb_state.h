/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb_state: the state and functions that the files of dgb_oracle share. dgb_oracle.c: offers, ends and time.
 * dgb_learn.c: the memory port, and the graph as known from the beats, which the plane's oracle (plane_graph.c) also
 * uses. */
#ifndef HD_DGB_STATE_H
#define HD_DGB_STATE_H

#include "gen/hd_dgb_ports.h"
#include "oracle/dgb_oracle.h"

/* Only graphs up to these sizes are tracked (`seen`); larger ones are checked at the ports alone. */
enum { HD_DGB_NODES_SEEN = 2048, HD_DGB_EDGES_SEEN = 16384, HD_DGB_SMX_WORDS = 3, HD_DGB_BURSTS = 64 };
enum { COLLECTED = 1, WRITTEN };

struct dgb_node {
  uint32_t first;                  /* index of its first edge */
  uint32_t parents, reported;      /* number of parents according to memory; edges to it from completed nodes */
  uint16_t level, cta, early;      /* early: its early-update count in memory */
  uint8_t handed, done, bad_edge;  /* granted; completed; an edge of it leads backwards or to no node */
  uint8_t smx;                     /* SMX of its TB */
  uint8_t sure;                    /* it was in the window when `last` completed, so their updates reach it there */
  uint32_t round;                  /* round in which `last` completed */
  uint32_t away;                   /* those of `told` that the PUB or memory may have held */
  uint64_t from[HD_DGB_SMX_WORDS]; /* SMXs of its completed parents, a bit each */
  uint64_t last[HD_DGB_SMX_WORDS]; /* those of them whose update may be the last */
};

struct dgb_burst {
  uint64_t addr;
  uint32_t left;
};

struct dgb_oracle {
  struct hd_cfg cfg;
  struct hd_dgbstart start;
  uint8_t active, seen;        /* a graph runs; it is small enough to be tracked */
  uint8_t memory_error;        /* the memory answered with an error */
  uint8_t bad_node;            /* an entry of the node array is invalid */
  uint8_t stopped;             /* no node may be offered any more */
  uint8_t standing, finishing; /* an offered node, or the end, was not accepted in the cycle before */
  uint8_t update;              /* an early update in flight: COLLECTED or WRITTEN; 0: none */
  uint32_t offered_vid;
  struct hd_dgbend ending;
  uint32_t over;                                /* oldest node that is not done: all nodes before it are */
  uint32_t nodes_known, ids_known, edges_known; /* entries read so far */
  uint32_t known_edges, known_from;             /* edges whose nodes are known, and the source of the next one */
  uint32_t roots;                               /* all nodes before this one are granted or have parents */
  uint32_t running, quiet, idle;
  uint32_t calm;    /* cycles since the last memory activity */
  uint32_t walk;    /* upper bound of the cycles without memory activity until all children are updated */
  uint32_t settled; /* cycles without memory activity since then */
  uint32_t more;    /* nodes with more updates than parents */
  uint32_t round;   /* number of the round: one begins when a TB completes after all children were updated .. */
  uint32_t here;    /* .. and the nodes before this one were in the window then */
  uint32_t big;     /* 1 + a completed node whose children are updated only once it is the oldest; 0: none */
  uint32_t went_in; /* lower bound of the nodes that entered the window */
  uint32_t away;    /* upper bound of the updates of other nodes that the PUB or memory holds .. */
  uint32_t pub;     /* .. and that the PUB holds */
  uint16_t bad_vid;
  uint8_t bad_starts, bad_level;
  /* The memory port. */
  uint8_t asked, data;
  struct hd_memreq req;
  struct dgb_burst read[HD_DGB_BURSTS], write;
  uint32_t reads, writes;
  uint16_t vid_at[HD_MAX_LNA];
  struct dgb_node node[HD_DGB_NODES_SEEN];
  uint16_t edge[HD_DGB_EDGES_SEEN];
};

/* Returns the index behind the last edge of a node. */
uint32_t hd_dgb_seen_end(const struct dgb_oracle *o, uint32_t vid);

/* One more parent of the child is done, on that SMX. */
void hd_dgb_seen_known(struct dgb_oracle *o, unsigned child, unsigned smx);

/* A graph begins; nothing is known of it yet. */
void hd_dgb_seen_begin(struct dgb_oracle *o, const struct hd_dgbstart *start);

/* A read is requested; a beat of the oldest read arrives. Return NULL or the broken rule. may_write returns true if a
 * burst may be written. */
const char *hd_dgb_seen_read(struct dgb_oracle *o, uint64_t addr, uint32_t beats);
const char *hd_dgb_seen_beat(struct dgb_oracle *o, const struct hd_memdata *r);
bool hd_dgb_seen_may_write(const struct dgb_oracle *o, uint64_t addr, uint32_t beats);

/* The TB of a node is done. */
void hd_dgb_seen_done(struct dgb_oracle *o, uint32_t vid, unsigned smx);

/* Checks the memory port in one cycle and learns from it. Returns NULL or the broken rule. */
const char *hd_dgb_seen_port(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out);

#endif
