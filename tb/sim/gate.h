/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* gate: the throttle in the loop: an SMX that it closes takes no TB that might have gone to any other.
 *
 *   DRAM, network --counters--> throttle --n--> SMX < n: open --ready--> the plane's TBs
 *
 * The plane has chosen the SMX of a TB before it offers it. So what a closed SMX does not take waits for it, and the
 * plane chooses no other one. A TB that is bound to the SMX is taken though it is closed, a cycle later. Where TBs are
 * bound at all, one that is not goes after HD_GATE_HOLD epochs, so that those behind it get their turn: one in so many
 * cycles at most. Without bound TBs none goes: the throttle opens the SMX again when contention does not grow.
 *
 * A TB is about to be assigned, for the throttle, in a cycle in which one that may go to any SMX is offered to some. */
#ifndef HD_GATE_H
#define HD_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"
#include "gen/hd_throttle_ports.h"
#include "gen/hd_top_ports.h"

enum { HD_GATE_HOLD = 4 };

struct hd_gate_opts {
  enum hd_engine engine; /* of the throttle */
  /* Counts of contention up to cycle `now`; NULL: those of the SMXs' memory system. */
  void (*contention)(void *ctx, uint64_t now, uint64_t *dram_full, uint64_t *icnt2sm);
  void *ctx;
};

struct hd_gate_counts {
  uint64_t closes, opens; /* n went down, n went up */
  uint64_t open_sum;      /* n, over all cycles */
  uint32_t least;         /* n */
  uint64_t held;          /* cycles in which an SMX held a TB back, over all SMXs */
  uint64_t bound;         /* TBs that closed SMXs took since they are bound to them .. */
  uint64_t passed;        /* .. and others, after HD_GATE_HOLD epochs */
};

struct hd_gate;

/* binds: TBs may be bound to an SMX. NULL: text says why. */
struct hd_gate *hd_gate_new(const struct hd_gate_opts *o, const struct hd_cfg *cfg, bool binds, char *text,
                            size_t text_size);
void hd_gate_free(struct hd_gate *g);

/* Whether the TB that is offered to an SMX is bound to it. */
typedef bool hd_gate_bound(void *ctx, uint32_t smx, const struct hd_dispatch *t);

/* A cycle. Before it: which SMXs are ready, of those that would be without a throttle. */
void hd_gate_drive(struct hd_gate *g, uint8_t *ready);
/* After it. */
enum hd_verdict hd_gate_follow(struct hd_gate *g, uint64_t now, const struct hd_top_in *in,
                               const struct hd_top_out *out, uint64_t dram_full, uint64_t icnt2sm, hd_gate_bound *bound,
                               void *ctx);
/* n more cycles in which nothing is offered. Not if it holds. */
enum hd_verdict hd_gate_skip(struct hd_gate *g, uint64_t n);
/* An SMX holds a TB back. */
bool hd_gate_holds(const struct hd_gate *g);
/* What the contention is, if its own options tell. */
bool hd_gate_contention(const struct hd_gate *g, uint64_t now, uint64_t *dram_full, uint64_t *icnt2sm);

struct hd_gate_counts hd_gate_counts(const struct hd_gate *g);

#endif
