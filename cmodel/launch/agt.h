/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt: golden model of the Aggregated Group Table.
 *
 *   launches (devq), link events (link) --> [Info, Next: one row per AGE]
 *                                                 |  walk of the current kernel's list
 *   records in memory <-- fetch <-- [cursor] -----+--> [up to 3 groups read ahead] --> group (to the scheduler)
 *
 * An AGE (aggregated group entry) holds dimensions, TB count, parameter address and level of a group, and the group
 * behind it in its kernel's list: dtbl-isca2015 section 4.2 and its table of the AGT's fields. A group that found no
 * AGE is read from its record in memory when the walk comes to it (section 4.2, overflow). How far the walk runs ahead,
 * and that the group behind the last one is taken from the link event and never from Next, is ours.
 *
 * The walk follows the kernel in the SSCR (the scheduler's control register). Another kernel there, or a fail event of
 * this one, throws away what was read ahead and starts at NAGEI, the first group of the list not handed out completely.
 *
 * All outputs come from registers.
 *
 * The caller keeps to: link event, pending, nagei, lagei as link makes them; alloc one cycle after a2_info; group_pop
 * only with group_valid, and not in a cycle in which cur_kdei is not group_kdei; r only after a request.
 *
 * State: hd_agt_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_AGT_H
#define HD_AGT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_agt_ports.h"

#define HD_AGT_AHEAD 3    /* groups read ahead at most */
#define HD_RECORD_BEATS 4 /* beats of a group record */

/* Where the walk stands. */
enum hd_agt_cursor {
  HD_AGT_IDLE, /* the kernel has no groups */
  HD_AGT_AT,   /* cursor_ptr is the next group to be read */
  HD_AGT_TAIL, /* the last group of the list was read */
  HD_AGT_WAIT  /* the next group stands in the record that is being fetched */
};

/* Parameters; fixed by init. */
struct hd_agt_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t agt_size, prefetch_depth, next_depth, max_level;
  uint64_t addr_mask;
};

/* The fetch of a record. */
struct hd_agt_fetch {
  uint64_t beat[2 * HD_RECORD_BEATS]; /* its bytes, 8 each */
  struct hd_ptr ptr;
  uint8_t busy; /* on its way .. */
  uint8_t drop; /* .. and not wanted any more */
  uint8_t full; /* here */
  uint8_t req;  /* not yet taken by the arbiter */
  uint8_t last; /* of its list: without its last beat */
  uint8_t beats, error;
  uint8_t pad_[1];
};

/* A row of the table. */
struct hd_agt_entry {
  struct hd_info info;
  struct hd_ptr next;
  uint8_t has_info, has_next; /* written since reset */
  uint8_t pad_[6];
};

struct hd_agt {
  struct hd_agt_cfg cfg;
  struct hd_wrote wrote[2];
  uint8_t wk_valid, wk_kdei; /* kernel of the walk */
  uint8_t cursor;            /* enum hd_agt_cursor */
  uint8_t ahead_n;
  uint8_t rd_valid; /* a row was read in the cycle before: `rd` joins the groups read ahead */
  uint8_t fail_valid, fail_kdei;
  uint8_t fetch_event;
  struct hd_ptr cursor_ptr;
  struct hd_group rd;
  struct hd_group ahead[HD_AGT_AHEAD]; /* oldest first */
  struct hd_agt_fetch fetch;
  struct hd_info a2_info;      /* of the launch that passed A2 in the cycle before */
  struct hd_agt_entry entry[]; /* AgtSize */
};

/* Bytes of the state in this configuration. */
size_t hd_agt_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_agt_size(cfg) bytes of any content. */
void hd_agt_init(struct hd_agt *m, const struct hd_cfg *cfg);

/* The state after reset: no kernel, nothing on its way. */
void hd_agt_reset(struct hd_agt *m);

/* This cycle's outputs; changes nothing. */
void hd_agt_eval(const struct hd_agt *m, const struct hd_agt_in *in, struct hd_agt_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_agt_tick(struct hd_agt *m, const struct hd_agt_in *in);

/* The architectural state under the names of rtl/launch/agt/agt.csv; the rows of its RAMs only if `tables`. */
void hd_agt_arch(const struct hd_agt *m, struct hd_agt_arch *a, bool tables);

/* Row `row` of each table that has so many. */
void hd_agt_arch_row(const struct hd_agt *m, unsigned row, struct hd_agt_arch *a);

/* ---- For models composed of blocks ---- */

/* Nothing is under way: as long as the kernel stays and has no group, and none is allocated, linked or fails, a cycle
 * changes nothing; all outputs are 0. Of the lists only those of cur_kdei and wk_kdei are looked at. */
static inline bool hd_agt_quiet(const struct hd_agt *m) {
  return m->cursor == HD_AGT_IDLE && !m->ahead_n && !m->rd_valid && !m->fetch.busy && !m->fetch.full && !m->fetch.req &&
         !m->fail_valid && !m->fetch_event && !m->a2_info.ctas;
}

#endif
