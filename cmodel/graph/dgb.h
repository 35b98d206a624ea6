/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb: golden model of the dependency graph buffer: a window of a graph of TBs that is stored in memory.
 *
 *   memory --> [op, reads, writes] --> LNA: nodes tail .. here, ids, levels     LEA: edges from edge_tail on
 *                                        |  look, insert: head + 1                |
 *                                        v                                        |
 *   node <-- [cand] <-- Held, no parents left                                     v
 *                                        ^             done --> Finished --> [A] --> [C] --> [D: children]
 *                                        +-- parents - 1 <----- in the LNA --------------------+
 *                                        +-- [PUB] <----------- not there yet -----------------+
 *                                        '-- [early updates in memory] <-- PUB is full --------'
 *
 * The buffer is Wireframe's (wireframe-micro2017 sections 3 and 4); early updates in memory, nodes with more edges than
 * fit the LEA, and the checks are ours.
 *
 * - Node v has place v mod Lna, edge e has place e mod Lea. Node and edge numbers are kept in 16 bits.
 * - All decisions use the state at the start of the cycle.
 * - An offer stays until it is taken or an error ends the graph; a ready node with a smaller VID replaces it.
 * - All outputs are registered.
 *
 * Requires (docs/graph/dgb.md): a start stays until it is accepted; done only for a TB that was handed out; memory
 * answers in order.
 *
 * State: hd_dgb_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_DGB_H
#define HD_DGB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_dgb_ports.h"

enum hd_dgb_phase { HD_DGB_IDLE, HD_DGB_RUN, HD_DGB_STOP, HD_DGB_END };
enum hd_dgb_op { HD_DGB_NO_OP, HD_DGB_REQUEST, HD_DGB_DATA };
enum hd_dgb_part { HD_DGB_NO_PART, HD_DGB_NODES, HD_DGB_EARLY };
enum hd_dgb_early { HD_DGB_NO_UPDATE, HD_DGB_COLLECTS, HD_DGB_TO_READ, HD_DGB_READS, HD_DGB_TO_WRITE, HD_DGB_WRITES };

/* TB ids, early updates or edges per beat; banks of the LEA. */
enum { HD_DGB_BEAT = 8 };

/* Parameters; fixed by init. */
struct hd_dgb_cfg {
  uint32_t num_smx, lna, lea, pub, lanes, flight, quiet, paper;
  uint32_t chunk, id_lanes; /* nodes per request; their TB ids per beat */
  uint32_t rows, edges;     /* beats of edges per request, and their edges */
  uint64_t addr_mask;
  uint64_t size; /* bytes of the state */
};

/* The bursts; they continue across the start of a graph. */
struct hd_dgb_port {
  uint64_t op_addr;
  uint16_t op_strb;
  uint8_t op, op_write, op_update, op_len, op_beat; /* op: enum hd_dgb_op */
  uint8_t writes, reads, first_read, beat;
  uint8_t pad_[5];
};

/* The registers, under the names of the CSV. */
struct hd_dgb_regs {
  struct hd_dgbstart start;
  struct hd_dgb_port port;
  uint32_t limit, prev_start, rows_asked;
  uint16_t finish_vid, quiet;
  uint16_t tail, head, here, ask, chunk, zero;
  uint16_t edge_tail, head_start, look_end, look_count, big_vid;
  uint16_t prev_level, rows_here, early_beat, early_value[HD_DGB_BEAT];
  uint16_t a_pos, a_left, c_vid, d_vid;
  uint16_t running, take_place, take_count, cand, a_place;
  uint16_t c_edge[HD_DGB_BEAT]; /* edges read for C, by bank */
  uint16_t d_child[HD_MAX_CHILD_LANES];
  uint8_t d_lane[HD_MAX_CHILD_LANES];
  uint8_t phase, finish_code; /* enum hd_dgb_phase, hd_gcode */
  uint8_t look_valid, big, take_valid;
  uint8_t chunk_early, part, spilled, early_state, early_mask; /* enum hd_dgb_part, hd_dgb_early */
  uint8_t cand_valid, a_valid;
  uint8_t c_valid, c_off, c_count, c_last, c_smx;
  uint8_t d_valid, d_last, d_smx;
  uint8_t pub_event, early_event, big_event;
};

/* The registers of a place in the LNA. */
struct hd_dgb_place {
  uint16_t parents, edge_start;
  uint8_t node_state, step, last_smx;
  uint8_t pad_;
};

/* A row of a table. */
struct hd_dgb_row {
  uint16_t value;
  uint8_t wrote; /* written since reset */
  uint8_t pad_;
};

struct hd_dgb {
  struct hd_dgb_cfg cfg;
  struct hd_wrote wrote[4];
  struct hd_dgb_regs r;
  uint8_t read_row[HD_MAX_DGB_FLIGHT];
  /* Lna; then the rows of TB ids (Lna), of levels (Lna) and of edges (Lea), then the PUB, Pub 16-bit numbers:
   * hd_dgb_rows(), hd_dgb_pub() */
  struct hd_dgb_place place[];
};

/* Tables with a row of 16 bits, in the order of the CSV. */
enum hd_dgb_table { HD_DGB_IDS, HD_DGB_LEVELS, HD_DGB_LEA };

/* Return the rows of a table, and the PUB. */
static inline const struct hd_dgb_row *hd_dgb_rows(const struct hd_dgb *m, enum hd_dgb_table t) {
  return (const struct hd_dgb_row *)(const void *)(m->place + m->cfg.lna) + t * m->cfg.lna;
}

static inline const uint16_t *hd_dgb_pub(const struct hd_dgb *m) {
  return (const uint16_t *)(const void *)(hd_dgb_rows(m, HD_DGB_LEA) + m->cfg.lea);
}

/* Returns true if there is no graph: the edge of a cycle in which none begins changes nothing. */
static inline bool hd_dgb_quiet(const struct hd_dgb *m) {
  return m->r.phase == HD_DGB_IDLE && !m->r.pub_event && !m->r.early_event && !m->r.big_event;
}

/* Returns the bytes of the state in this configuration. */
size_t hd_dgb_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_dgb_size(cfg) bytes of any content. */
void hd_dgb_init(struct hd_dgb *m, const struct hd_cfg *cfg);

/* Resets: no graph. */
void hd_dgb_reset(struct hd_dgb *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_dgb_eval(const struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_dgb_tick(struct hd_dgb *m, const struct hd_dgb_in *in);

/* Sets *a to the architectural state, with the names of rtl/graph/dgb/dgb.csv; the rows of its RAMs only if
 * `tables`. */
void hd_dgb_arch(const struct hd_dgb *m, struct hd_dgb_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_dgb_arch_row(const struct hd_dgb *m, unsigned row, struct hd_dgb_arch *a);

#endif
