/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt: golden model of the Aggregated Group Table.
 *
 *   launches (devq), link events (link) --> [Info, Next: one row per AGE]
 *                                              |             ^  walk of the current kernel's chain
 *                                              |             |
 *                                              |          [cursor]
 *                                              +--> [up to 3 groups read ahead] --> group (to the scheduler)
 *   overflowed groups (ovfq) ----------------------^
 *
 * An AGE (aggregated group entry) holds dimensions, TB count, parameter address and level of a group, and the AGE of
 * the next group in its kernel's chain: dtbl-isca2015 section 4.2 and its table of the AGT's fields. Groups from the
 * first one without an AGE on come from the list in memory (section 4.2, overflow) once the whole chain has been read;
 * those of them that do have an AGE are read from their rows. The read-ahead distance is ours, and so is that the group
 * after the last one is taken from the link event and never from Next.
 *
 * The walk follows the kernel in the SSCR (the scheduler's control register). A different kernel there, or a fail event
 * of this one, stops the walk: the groups read ahead are discarded, and it restarts at NAGEI, the first group of the
 * chain that is not completely handed out.
 *
 * All outputs are registered, except over_pop, which depends on the offer, on the kernel in the SSCR and its chain, and
 * on fail events.
 *
 * Requires: link event, chained, nagei, lagei as link makes them; over as ovfq makes it: groups of the kernel in the
 * SSCR, in order; link_alloc one cycle after devq_group; sched_group_pop only with group.valid, and not in a cycle in
 * which sched_sscr.kdei is not group.kdei.
 *
 * State: hd_agt_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_AGT_H
#define HD_AGT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_agt_ports.h"

#define HD_AGT_AHEAD 3 /* maximum number of groups read ahead */

/* Position of the walk. */
enum hd_agt_cursor {
  HD_AGT_IDLE, /* the kernel has no chain */
  HD_AGT_AT,   /* cursor_age is the next group to be read */
  HD_AGT_TAIL  /* the last group of the chain was read */
};

/* Parameters; fixed by init. */
struct hd_agt_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t agt_size;
  uint32_t age_mask; /* mask of the width of an AGE */
  uint32_t pad_;
};

/* A row of the table. */
struct hd_agt_entry {
  struct hd_info info;
  uint16_t next;
  uint8_t has_info, has_next; /* written since reset */
  uint8_t pad_[4];
};

struct hd_agt {
  struct hd_agt_cfg cfg;
  struct hd_wrote wrote[2];
  uint8_t wk_valid, wk_kdei; /* kernel of the walk */
  uint8_t cursor;            /* enum hd_agt_cursor */
  uint8_t ahead_n;
  uint8_t rd_valid; /* a row was read in the previous cycle: `rd` joins the groups read ahead */
  uint8_t pad_;
  uint16_t cursor_age;
  struct hd_group rd;
  struct hd_group ahead[HD_AGT_AHEAD]; /* oldest first */
  struct hd_info a2_info;              /* of the launch that passed A2 in the previous cycle */
  struct hd_agt_entry entry[];         /* AgtSize */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_agt_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_agt_size(cfg) bytes of any content. */
void hd_agt_init(struct hd_agt *m, const struct hd_cfg *cfg);

/* Resets: no kernel, nothing in flight. */
void hd_agt_reset(struct hd_agt *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_agt_eval(const struct hd_agt *m, const struct hd_agt_in *in, struct hd_agt_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_agt_tick(struct hd_agt *m, const struct hd_agt_in *in);

/* Sets *a to the architectural state, with the names of rtl/launch/agt/agt.csv; the rows of its RAMs only if
 * `tables`. */
void hd_agt_arch(const struct hd_agt *m, struct hd_agt_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_agt_arch_row(const struct hd_agt *m, unsigned row, struct hd_agt_arch *a);

/* ---- For models composed of blocks ---- */

/* Returns whether the offered overflowed group is accepted (over_pop). Reads in->chained only for wk_kdei. */
bool hd_agt_pops_over(const struct hd_agt *m, const struct hd_agt_in *in);

/* Returns true if nothing is in flight: as long as the kernel stays, has no chain, no overflowed group is offered, and
 * none is allocated, linked or fails, a cycle changes nothing; all outputs are 0. Lists are read only for
 * sched_sscr.kdei and wk_kdei. */
static inline bool hd_agt_quiet(const struct hd_agt *m) {
  return m->cursor == HD_AGT_IDLE && !m->ahead_n && !m->rd_valid && !m->a2_info.ctas;
}

#endif
