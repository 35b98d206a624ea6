/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memring: golden model of queues that are rings in memory: entries of 32 bytes, written one by one, and read several
 * at once.
 *
 *   put --> [op: idle, look, step, request, data] <-- get
 *               |  ends[queue]: first, done, last
 *               v
 *            memory port
 *               |
 *   answers --> [answers] + [writes: those without an answer, oldest first] --> done + 1; [bad]: a write failed
 *   beats   --> [reads: those without their last beat] --> got
 *
 * Groups beyond the capacity of a bank wait in memory (laperm-isca2016 section IV.E). A ring for each queue, so that
 * nothing of an entry is kept on chip, is ours. Queue q has 2^order places from entry 2^order q of the region on; order
 * is the largest that the region has room for.
 *
 * - One put or get begins at a time: accepted in t, looked up in t + 1, its row written in t + 2, requested in t + 3; a
 *   get and a put that both wait alternate. A get reads up to `line` entries, and not beyond the end of a line.
 * - Each answer to a write is counted in three cycles, during which no put or get is accepted; none begins while a put
 *   or get is accepted, or its row is looked up or written. An entry is readable from the cycle after that.
 * - If the write of an entry, or a beat of its read, ends with an error, the entry is returned as lost, in its turn.
 *   While one whose write failed waits, each get reads one entry.
 * - put_ready also depends on get_valid, get_ready on put_valid, the address on `base`; put_done, got_* and wbeat on
 *   this cycle's beats. All other outputs are registered. The size of the region takes effect one cycle later.
 *
 * Requires: put_valid stays, with its queue and data, until put_done; get_valid only for a readable queue; at most
 * RingLate puts of a queue while it has no room, and of all queues while `failing`; base and count constant from the
 * acceptance of a put or get on, and while an entry is in a queue or in flight. Of the memory: answers in order, not
 * before the beats were accepted; beats in order, two per entry, the last one marked.
 *
 * State: hd_memring_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp
 * is equality. */
#ifndef HD_MEMRING_H
#define HD_MEMRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_memring_ports.h"

/* Size of an entry. */
enum { HD_MEMRING_BEATS = 2, HD_MEMRING_BYTES = 16 * HD_MEMRING_BEATS };

enum hd_memring_op { HD_MEMRING_IDLE, HD_MEMRING_LOOK, HD_MEMRING_STEP, HD_MEMRING_REQUEST, HD_MEMRING_DATA };

#define HD_MEMRING_WORDS HD_WORDS(HD_MAX_RING_QUEUES)

/* Parameters; fixed by init. */
struct hd_memring_cfg {
  uint32_t num_queues, flight, line, margin, bad_rows;
  uint32_t order_min, order_max; /* log2 of the sizes that a ring may have */
  uint32_t index_mask;           /* positions count modulo this + 1 */
  uint64_t addr_mask;
};

struct hd_memring {
  struct hd_memring_cfg cfg;
  struct hd_wrote wrote[4];
  uint32_t used;    /* entries that are not requested, in all queues */
  uint32_t count;   /* size of the region in the previous cycle, from which order and fits are */
  uint32_t index;   /* of the operation: position of its first entry, from its step on */
  uint16_t queue;   /* of the operation */
  uint8_t op;       /* enum hd_memring_op */
  uint8_t write;    /* the operation is a put, or the last one was */
  uint8_t entries;  /* of the operation: entries that it reads, from its step on */
  uint8_t beat;     /* next beat of a put */
  uint8_t order;    /* log2 of the places of a ring; 0 unless fits */
  uint8_t fits;     /* the region holds rings */
  uint8_t counting; /* the answer to the oldest write is being counted: 1 its row was read, 2 its row is written */
  uint8_t writes, first_write, answers, first_answer, reads, first_read; /* the rings of bursts */
  uint8_t got_beat;                                                      /* next beat of the arriving entry */
  uint8_t got_count;                                                     /* entries of the oldest read that arrived */
  uint8_t got_error_before; /* the first beat of the arriving entry had an error */
  uint8_t bads;             /* valid rows of `bad` */
  uint8_t pad_;
  /* From here on the state changes only with `wrote`, `op` or `counting`. */
  uint64_t bad_valid[HD_WORDS(HD_MAX_RING_BAD)];
  uint64_t given[HD_MEMRING_WORDS];       /* queues whose row of `ends` was written */
  uint64_t there[HD_MEMRING_WORDS];       /* queues with entries that are not requested */
  uint64_t readable[HD_MEMRING_WORDS];    /* queues whose oldest such entry has been written */
  uint64_t room[HD_MEMRING_WORDS];        /* queues that are not full up to their margin */
  struct hd_ringbad bad[HD_MAX_RING_BAD]; /* entries whose write failed; 0 unless valid */
  struct hd_ringends ends[HD_MAX_RING_QUEUES];
  struct hd_ringread read[HD_MAX_RING_FLIGHT];
  uint16_t write_queue[HD_MAX_RING_FLIGHT];
  uint8_t answer_error[HD_MAX_RING_FLIGHT];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_memring_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_memring_size(cfg) bytes of any content. */
void hd_memring_init(struct hd_memring *m, const struct hd_cfg *cfg);

/* Resets: no entries, and no region yet. */
void hd_memring_reset(struct hd_memring *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_memring_eval(const struct hd_memring *m, const struct hd_memring_in *in, struct hd_memring_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_memring_tick(struct hd_memring *m, const struct hd_memring_in *in);

/* Sets *a to the architectural state, with the names of rtl/service/memring/memring.csv; the rows of its tables only if
 * `tables`. */
void hd_memring_arch(const struct hd_memring *m, struct hd_memring_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_memring_arch_row(const struct hd_memring *m, unsigned row, struct hd_memring_arch *a);

/* ---- For models composed of blocks: single outputs that are needed before the other inputs are known ---- */

/* Return whether the queue has entries that are not requested (there), and whether the oldest of them has been written
 * (readable). */
static inline bool hd_memring_there(const struct hd_memring *m, unsigned queue) {
  return hd_bit(m->there, queue);
}
static inline bool hd_memring_readable(const struct hd_memring *m, unsigned queue) {
  return hd_bit(m->readable, queue);
}

/* Returns whether the ring of the queue has room (room). */
static inline bool hd_memring_room(const struct hd_memring *m, unsigned queue) {
  return m->fits && hd_bit(m->room, queue);
}

/* Returns the number of entries that are not requested, in all queues (used). */
static inline unsigned hd_memring_used(const struct hd_memring *m) {
  return m->used;
}

/* Returns whether an entry whose write failed is in a queue (failing). */
static inline bool hd_memring_failing(const struct hd_memring *m) {
  return m->bads > 0;
}

/* Return whether a get, a put can begin if the other is not requested. */
static inline bool hd_memring_is_idle(const struct hd_memring *m) {
  return m->op == HD_MEMRING_IDLE && !m->counting;
}
static inline bool hd_memring_can_get(const struct hd_memring *m) {
  return hd_memring_is_idle(m) && m->reads < m->cfg.flight;
}
static inline bool hd_memring_can_put(const struct hd_memring *m) {
  return hd_memring_is_idle(m) && m->writes < m->cfg.flight;
}

/* If both are requested, the kind that was not served last goes first (get_ready, put_ready). */
static inline bool hd_memring_get_ready(const struct hd_memring *m, bool put_valid) {
  return hd_memring_can_get(m) && (m->write || !put_valid || !hd_memring_can_put(m));
}
static inline bool hd_memring_put_ready(const struct hd_memring *m, bool get_valid) {
  return hd_memring_can_put(m) && (!m->write || !get_valid || !hd_memring_can_get(m));
}

/* Returns the beat of the entry expected at put_data (put_beat). */
static inline unsigned hd_memring_put_beat(const struct hd_memring *m) {
  return m->op == HD_MEMRING_DATA ? m->beat : 0;
}

static inline bool hd_memring_put_done(const struct hd_memring *m, bool wbeat_take) {
  return m->op == HD_MEMRING_DATA && m->beat == HD_MEMRING_BEATS - 1 && wbeat_take;
}

/* Returns the number of entries that the get accepted two cycles earlier reads; 0 if none was accepted (asked). */
unsigned hd_memring_asked(const struct hd_memring *m);

/* Sets got_* of *out. */
void hd_memring_got(const struct hd_memring *m, bool r_valid, const struct hd_memdata *r, struct hd_memring_out *out);

/* Sets *mem, all 0 before, to the outputs to the memory port. */
void hd_memring_port(const struct hd_memring *m, const struct hd_memring_in *in, struct hd_memup *mem);

/* Returns true if nothing is in a queue or in flight, and the rings fit this size of the region: a cycle without
 * put_valid and with the same size changes nothing (get_valid, answers and beats cannot occur). Then get_ready and
 * put_ready are 1 without the other request, room depends only on fits, and all other outputs are 0. */
static inline bool hd_memring_quiet(const struct hd_memring *m, uint32_t count) {
  return m->op == HD_MEMRING_IDLE && !m->used && !m->writes && !m->reads && m->count == count;
}

#endif
