/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb_state: what the files of dgb_oracle share. dgb_oracle: graphs, offers, ends. dgb_learn: the memory port, and what
 * the beats tell of the graph; the plane's oracle (plane_graph.c) asks that too. */
#ifndef HD_DGB_STATE_H
#define HD_DGB_STATE_H

#include "gen/hd_dgb_ports.h"
#include "oracle/dgb_oracle.h"

/* Graphs beyond that are watched at the port alone. */
enum { HD_DGB_NODES_SEEN = 2048, HD_DGB_EDGES_SEEN = 16384, HD_DGB_SMX_WORDS = 3, HD_DGB_BURSTS = 64 };
enum { COLLECTED = 1, WRITTEN };

struct dgb_node {
  uint32_t first;                 /* its first edge */
  uint32_t parents, told;         /* as memory says; edges to it from nodes that are done */
  uint16_t level, cta, early;     /* early: the value in memory */
  uint8_t handed, done, bad_edge; /* bad_edge: one of it leads nowhere, or back */
  uint8_t smx;
  uint8_t sure;                    /* it was in the window before `last` were done: it is told where it is */
  uint32_t round;                  /* since when `last` were done */
  uint32_t away;                   /* of `told`: those that the PUB or memory may have held */
  uint64_t from[HD_DGB_SMX_WORDS]; /* SMXs on which those ran */
  uint64_t last[HD_DGB_SMX_WORDS]; /* .. on which one ran that may be the last that told it */
};

struct dgb_burst {
  uint64_t addr;
  uint32_t left;
};

struct dgb_oracle {
  struct hd_cfg cfg;
  struct hd_dgbstart start;
  uint8_t active, seen; /* a graph runs; it is small enough */
  uint8_t memory_error; /* one was told */
  uint8_t bad_node;     /* an entry of a node that was read is wrong */
  uint8_t stopped;      /* no node may be offered any more */
  uint8_t standing, finishing;
  uint8_t update; /* an early update is under way: COLLECTED, WRITTEN; 0: none is */
  uint32_t offered_vid;
  struct hd_dgbend ending;
  uint32_t over; /* TBs that are done, of the nodes before all are */
  uint32_t nodes_known, ids_known, edges_known;
  uint32_t told_edges, told_from; /* edges whose nodes are known; the node of the next */
  uint32_t roots;                 /* all nodes before are handed out, or have parents */
  uint32_t running, quiet, idle;
  uint32_t calm;    /* cycles for which memory has rested */
  uint32_t walk;    /* cycles for which children of nodes that are done may still be told, were memory to rest */
  uint32_t settled; /* cycles since then, while memory rests */
  uint32_t more;    /* nodes of which more parents were told than they have */
  uint32_t round;   /* begins with a TB that is done when all before have told their children .. */
  uint32_t here;    /* .. and these nodes were in the window then */
  uint32_t big;     /* 1 + a node that is done, and tells its children when it is the oldest; 0: none */
  uint32_t went_in; /* nodes that went in, at least */
  uint32_t away;    /* updates of others that the PUB or memory may hold, */
  uint32_t pub;     /* and of the PUB alone, at most */
  uint16_t bad_vid;
  uint8_t bad_starts, bad_level;
  /* The port. */
  uint8_t asked, data;
  struct hd_memreq req;
  struct dgb_burst read[HD_DGB_BURSTS], write;
  uint32_t reads, writes;
  uint16_t vid_at[HD_MAX_LNA];
  struct dgb_node node[HD_DGB_NODES_SEEN];
  uint16_t edge[HD_DGB_EDGES_SEEN];
};

/* Edges of a node from its first to here. */
uint32_t hd_dgb_seen_end(const struct dgb_oracle *o, uint32_t vid);

/* The child has one more parent that is done, on that SMX. */
void hd_dgb_seen_told(struct dgb_oracle *o, unsigned child, unsigned smx);

/* A graph begins; nothing is known of it yet. */
void hd_dgb_seen_begin(struct dgb_oracle *o, const struct hd_dgbstart *start);

/* A burst is asked for: NULL, or why it may not be. A beat of the oldest read that is under way. */
const char *hd_dgb_seen_read(struct dgb_oracle *o, uint64_t addr, uint32_t beats);
const char *hd_dgb_seen_beat(struct dgb_oracle *o, const struct hd_memdata *r);
bool hd_dgb_seen_may_write(const struct dgb_oracle *o, uint64_t addr, uint32_t beats);

/* The TB of a node is done. */
void hd_dgb_seen_done(struct dgb_oracle *o, uint32_t vid, unsigned smx);

/* The memory port in a cycle: bursts, beats, answers, and what they tell. */
const char *hd_dgb_seen_port(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out);

#endif
