/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memq: golden model of queues that overflow into memory: entries of a few beats of 16 bytes in the places of one
 * region.
 *
 *   put --> [op: idle, look, request, data] <-- get
 *               |  ends[queue]: its first and last place; next[place]: the following place
 *               |  free places: from `fresh` on, and a chain of places used before
 *               v
 *            memory port
 *               |
 *   answers --> [put: those without an answer, oldest first] --> answered[queue] + 1, side[place]
 *   beats   --> [get: those without their last beat]         --> got, with tag and side; the place is free
 *
 * Kernels beyond the capacity of the chip wait in memory (dtbl-isca2015 section 4.3). Several queues, chained on chip
 * so that the next address is known without a read, and several bursts in flight in each direction are ours.
 *
 * - One put or get begins at a time: accepted in t, looked up in t + 1, requested in t + 2; a get and a put that both
 *   wait alternate. A get has finished its operation when its request is accepted, a put with its last beat; the
 *   answers follow later, in order per direction.
 * - An entry is readable from the cycle after the answer to its write on. If that answer, or a beat of its read, is an
 *   error, the entry is returned as lost, in order and with its side.
 * - A place that was read is free two cycles after the last beat, three if a put is looked up at that time. Used places
 *   are allocated before fresh ones; when the last entry leaves, all places become fresh as after reset.
 * - put_ready also depends on get_valid and `count`, left on `count`, the address on `base`; put_done, got_* and wbeat
 *   on this cycle's beats. All other outputs are registered.
 *
 * Requires: put_valid stays, with its queue and side, until put_done, with beat put_beat of the entry at put_data;
 * get_valid only for a readable queue; queues below num_queues; base and count constant while a place is in use. Of the
 * memory: beats are accepted after the request; one answer for each write after its last beat, in order; the beats of
 * each accepted read in order, the last one marked, at least two per entry.
 *
 * State: hd_memq_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_MEMQ_H
#define HD_MEMQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_memq_ports.h"

/* Largest entry, for which hd_memq_init() makes room. */
enum { HD_MEMQ_BEATS = 8, HD_MEMQ_BYTES = 16 * HD_MEMQ_BEATS };

enum hd_memq_op { HD_MEMQ_IDLE, HD_MEMQ_READ_NEXT, HD_MEMQ_REQUEST, HD_MEMQ_DATA };

/* Purpose of the read of `next` in the look: whose first place it returns in the next cycle. */
enum hd_memq_link { HD_MEMQ_NO_LINK, HD_MEMQ_OF_QUEUE, HD_MEMQ_OF_FREE };

/* Parameters; fixed by init. */
struct hd_memq_cfg {
  uint32_t num_queues, places, flight;
  uint32_t beats; /* per entry: 2, 4 or 8 */
  uint64_t addr_mask;
};

struct hd_memq {
  struct hd_memq_cfg cfg;
  struct hd_wrote wrote[5];
  /* places from `fresh` on are unused since the region was empty; places in the free chain */
  uint16_t fresh, chained;
  uint16_t free_first, free_last; /* the free chain */
  uint16_t freeing_place;
  uint16_t place;      /* of the operation, from its look on */
  uint16_t link_place; /* result of the read */
  uint16_t put_side;   /* of the operation */
  uint16_t queue;      /* of the operation */
  uint8_t op, link;    /* enum hd_memq_op, hd_memq_link */
  uint8_t write;       /* the operation is a put, or the last one was */
  uint8_t tag;         /* of the operation */
  uint8_t beat;        /* next beat of a put */
  uint8_t got_beat;    /* next beat of the oldest get */
  uint8_t got_error_before;
  uint8_t freeing; /* freeing_place joins the chain next */
  uint8_t puts, first_put, gets, first_get;
  uint8_t pad_[2];
  /* From here on the state changes only with `wrote` or `op`. */
  uint8_t there[HD_MAX_MEMQ_QUEUES];
  uint16_t answered[HD_MAX_MEMQ_QUEUES];
  struct hd_memqends ends[HD_MAX_MEMQ_QUEUES];
  struct hd_memqput put[HD_MAX_MEMQ_FLIGHT];
  struct hd_memqget get[HD_MAX_MEMQ_FLIGHT];
  uint64_t next_wrote[HD_WORDS(HD_MAX_MEMQ_PLACES)]; /* rows written since reset, by place */
  uint64_t side_wrote[HD_WORDS(HD_MAX_MEMQ_PLACES)];
  uint16_t next[HD_MAX_MEMQ_PLACES];
  struct hd_memqside side[HD_MAX_MEMQ_PLACES];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_memq_size(const struct hd_cfg *cfg);

/* Sets the configuration of the pool's queues (8 beats) and resets. Requires m: hd_memq_size(cfg) bytes of any
 * content. */
void hd_memq_init(struct hd_memq *m, const struct hd_cfg *cfg);

/* The same with another configuration. */
void hd_memq_init_as(struct hd_memq *m, const struct hd_memq_cfg *cfg);

/* Resets: no entries, all places fresh. */
void hd_memq_reset(struct hd_memq *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_memq_eval(const struct hd_memq *m, const struct hd_memq_in *in, struct hd_memq_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_memq_tick(struct hd_memq *m, const struct hd_memq_in *in);

/* Sets *a to the architectural state, with the names of rtl/service/memq/memq.csv; the rows of its RAMs only if
 * `tables`. */
void hd_memq_arch(const struct hd_memq *m, struct hd_memq_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_memq_arch_row(const struct hd_memq *m, unsigned row, struct hd_memq_arch *a);

/* ---- For models composed of blocks: single outputs that are needed before the other inputs are known ---- */

/* Return the number of places in use, including that of a put being looked up (used), and of those free out of `count`
 * (left). */
static inline unsigned hd_memq_used(const struct hd_memq *m) {
  return (unsigned)m->fresh - m->chained + (m->op == HD_MEMQ_READ_NEXT && m->write);
}

static inline unsigned hd_memq_left(const struct hd_memq *m, uint32_t count) {
  uint32_t places = count < m->cfg.places ? count : m->cfg.places, used = hd_memq_used(m);
  return places > used ? places - used : 0;
}

/* Return whether entries of the queue are in memory and not requested (there), and whether the oldest of them is
 * written (readable). */
static inline bool hd_memq_there(const struct hd_memq *m, unsigned queue) {
  return m->there[queue];
}

static inline bool hd_memq_readable(const struct hd_memq *m, unsigned queue) {
  return m->answered[queue] > 0;
}

/* Return whether a get, a put can begin if the other is not requested. */
static inline bool hd_memq_can_get(const struct hd_memq *m) {
  return m->op == HD_MEMQ_IDLE && m->gets < m->cfg.flight;
}
static inline bool hd_memq_can_put(const struct hd_memq *m, uint32_t count) {
  return m->op == HD_MEMQ_IDLE && m->puts < m->cfg.flight && hd_memq_left(m, count);
}

/* If both are requested, the kind that was not served last goes first (get_ready, put_ready). */
static inline bool hd_memq_get_ready(const struct hd_memq *m, uint32_t count, bool put_valid) {
  return hd_memq_can_get(m) && (m->write || !put_valid || !hd_memq_can_put(m, count));
}
static inline bool hd_memq_put_ready(const struct hd_memq *m, uint32_t count, bool get_valid) {
  return hd_memq_can_put(m, count) && (!m->write || !get_valid || !hd_memq_can_get(m));
}

/* Returns the beat of the entry expected at put_data (put_beat). */
static inline unsigned hd_memq_put_beat(const struct hd_memq *m) {
  return m->op == HD_MEMQ_DATA ? m->beat : 0;
}

static inline bool hd_memq_put_done(const struct hd_memq *m, bool wbeat_take) {
  return m->op == HD_MEMQ_DATA && m->beat + 1u == m->cfg.beats && wbeat_take;
}

static inline bool hd_memq_got_valid(bool r_valid, const struct hd_memdata *r) {
  return r_valid && r->last;
}

/* Sets got_* of *out. */
void hd_memq_got(const struct hd_memq *m, bool r_valid, const struct hd_memdata *r, struct hd_memq_out *out);

/* Returns true if nothing is in use or in flight: a cycle without put_valid changes nothing (get_valid, answers and
 * beats cannot occur). Then get_ready is 1, put_ready and left depend only on `count`, and all other outputs are 0. */
static inline bool hd_memq_quiet(const struct hd_memq *m) {
  return m->op == HD_MEMQ_IDLE && !m->fresh;
}

#endif
