/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb_inside: the parts of dgb and their functions. Shared by the files of dgb, not installed.
 *
 *   dgb.c         phases, the offer, the window: tail, look, insert
 *   dgb_walk.c    updates of children: A, C, D, the PUB
 *   dgb_mem.c     start and progress of bursts, early updates in memory
 *   dgb_beat.c    data from memory: TB ids, nodes, edges, early updates, and their checks
 *   dgb_arch.c    the architectural state
 *
 * All operate on the state of dgb.h. During an edge m->r is the next value of the registers, `was` the previous one. */
#ifndef HD_DGB_INSIDE_H
#define HD_DGB_INSIDE_H

#include "graph/dgb.h"

/* The table after those of hd_dgb_table, in the order of the CSV. */
enum { READ_ROW = HD_DGB_LEA + 1 };

/* Values of a cycle shared by the parts. */
struct hd_dgb_step {
  const struct hd_dgb_regs *was;
  const struct hd_dgb_place *place; /* previous value: Lna */
  const uint16_t *pub;              /* previous value: Pub */
  bool node;                        /* a node is offered */
  bool inserts;                     /* the node at head is inserted */
  bool moves;                       /* progress was made */
  bool merges;                      /* an update is merged with those that go to memory */
  uint8_t code;                     /* enum hd_gcode of the first error; 0: none */
  uint16_t vid;
};

/* Records an error. The lowest code takes priority; among equal codes the first one reported. */
static inline void hd_dgb_fail(struct hd_dgb_step *s, unsigned code, unsigned vid) {
  if (s->code && s->code <= code) return;
  s->code = (uint8_t)code;
  s->vid = (uint16_t)vid;
}

/* Return the place of a node, and the node of a place. */
static inline unsigned hd_dgb_place(const struct hd_dgb *m, unsigned vid) {
  return vid & (m->cfg.lna - 1);
}

static inline uint16_t hd_dgb_vid(const struct hd_dgb *m, const struct hd_dgb_regs *r, unsigned place) {
  return (uint16_t)(r->tail + ((place - r->tail) & (m->cfg.lna - 1)));
}

/* Returns the edge after the last one of a node. */
static inline uint16_t hd_dgb_end(const struct hd_dgb *m, const struct hd_dgb_step *s, unsigned vid) {
  if (vid + 1 == s->was->start.node_count) return (uint16_t)s->was->start.edge_count;
  return s->place[hd_dgb_place(m, vid + 1)].edge_start;
}

/* Rounds an edge down to the start of its request. */
static inline uint16_t hd_dgb_floor(const struct hd_dgb *m, uint16_t edge) {
  return (uint16_t)(edge & ~(m->cfg.edges - 1));
}

/* Row numbers of the tables: the rows of a lane or bank are contiguous. */
static inline unsigned hd_dgb_ids_row(const struct hd_dgb *m, unsigned place) {
  return place % m->cfg.id_lanes * (m->cfg.lna / m->cfg.id_lanes) + place / m->cfg.id_lanes;
}

static inline unsigned hd_dgb_level_row(const struct hd_dgb *m, unsigned place) {
  return place % 2 * (m->cfg.lna / 2) + place / 2;
}

static inline unsigned hd_dgb_lea_row(const struct hd_dgb *m, unsigned edge) {
  unsigned rows = m->cfg.lea / HD_DGB_BEAT;
  return edge % HD_DGB_BEAT * rows + edge / HD_DGB_BEAT % rows;
}

/* Writes a row. */
static inline void hd_dgb_put(struct hd_dgb *m, enum hd_dgb_table t, unsigned row, uint16_t value) {
  struct hd_dgb_row *rows = (struct hd_dgb_row *)(void *)(m->place + m->cfg.lna) + t * m->cfg.lna;
  rows[row].value = value;
  rows[row].wrote = 1;
  hd_wrote(&m->wrote[t], row);
}

/* Sets an entry of the PUB; 0: none. */
static inline void hd_dgb_pub_put(struct hd_dgb *m, unsigned k, uint16_t vid) {
  struct hd_dgb_row *rows = (struct hd_dgb_row *)(void *)(m->place + m->cfg.lna);
  uint16_t *pub = (uint16_t *)(void *)(rows + 2 * m->cfg.lna + m->cfg.lea);
  pub[k] = vid;
}

/* ---- dgb_walk.c ---- */

/* The edge of A, C and D: updates the children, takes the next node. */
void hd_dgb_walk_step(struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_step *s);

int hd_dgb_ready_at_once(const struct hd_dgb *m, const struct hd_dgb_step *s);

/* ---- dgb_mem.c ---- */

/* The edge of the early updates and of new bursts, while a graph runs. */
void hd_dgb_mem_begin(struct hd_dgb *m, const struct hd_dgb_in *in, const struct hd_dgb_step *s);

/* The edge of the bursts in flight, in all phases. */
void hd_dgb_mem_step(struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_step *s);

/* ---- dgb_beat.c ---- */

/* Processes a beat, while a graph runs. */
void hd_dgb_beat(struct hd_dgb *m, const struct hd_memdata *beat, struct hd_dgb_step *s);

#endif
