/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* twin: what the lockstep engine knows of a block beyond its ports: its golden model, a random environment that keeps
 * the block's preconditions, and its cover points. One in tb/env/<cluster>/ for each block. */
#ifndef HD_TWIN_H
#define HD_TWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/wrote.h"
#include "engine/rng.h"
#include "gen/hd_blocks.h"
#include "gen/hd_types.h"

/* How the environment behaves for a while; probabilities in 1/256. The matrix of the tests is made of these. */
struct hd_profile {
  const char *name;
  unsigned source; /* that a client has something to offer */
  unsigned sink;   /* that a consumer is ready */
  unsigned bad;    /* that a client does something wrong */
};

/* Whether what runs between two resets comes to its end: it has none; it may go on for ever, since a client has broken
 * its contract; it must end. */
enum hd_drain { HD_DRAIN_NONE, HD_DRAIN_MAY, HD_DRAIN_MUST };

struct hd_twin {
  const char *block;

  size_t (*size)(const struct hd_cfg *cfg);
  void (*init)(void *model, const struct hd_cfg *cfg);
  void (*reset)(void *model);
  void (*eval)(const void *model, const void *in, void *out);
  void (*tick)(void *model, const void *in);
  /* Outputs and edge in one; NULL: eval, then tick. */
  void (*cycle)(void *model, const void *in, void *out);
  /* State group `group` (the order is that of the binding: own registers, then each block inside). */
  void (*arch)(const void *model, unsigned group, void *arch, bool tables);
  /* Outputs of the blocks inside in this cycle, at the beginning of `inner`: inner_size bytes, at first 0, then as this
   * function left them. NULL: there are no blocks inside. */
  size_t inner_size;
  void (*inner)(const void *model, const struct hd_cfg *cfg, const void *in, void *inner);
  /* Inputs that are all 0 keep the block's contract in every state, so that `inner` can be compared after the last
   * cycle too. */
  bool rests;
  /* Of each table of the group, in the order of the CSV: which row the model wrote last, and how often it wrote one
   * (asked once: the place stays); and one row of each table that has so many. NULL: no tables. */
  const struct hd_wrote *(*wrote)(const void *model, unsigned group);
  void (*row)(const void *model, unsigned group, unsigned row, void *arch);
  /* A part of the model's state that changes whenever the group's architectural state does: a quick way to see that
   * nothing changed (asked once: the place stays). NULL, or *bytes 0: not known. */
  const void *(*raw)(const void *model, unsigned group, size_t *bytes);

  /* Whether the last cycle changed nothing but what counts cycles, seen from what the model was at the call before
   * (last: last_size bytes, at first 0, then as these functions left them); and n more such cycles at once. NULL: not
   * known. */
  size_t (*last_size)(const struct hd_cfg *cfg);
  bool (*still)(const void *model, void *last);
  void (*skip)(void *model, void *last, uint64_t n);

  size_t stim_size;
  void (*stim_init)(void *stim, const struct hd_cfg *cfg, struct hd_rng *rng);
  /* The inputs of the next cycle. `in` and `out` are those of the cycle before (all 0 after reset) and `in` is changed
   * in place; `now` holds the outputs of the cycle to come as far as they do not depend on its inputs. */
  void (*drive)(void *stim, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now, void *in);
  /* Back to the state after reset, the client's memory included. */
  void (*stim_reset)(void *stim);
  /* From now on the client begins nothing new, and lets what runs come to its end. NULL: it has none. */
  enum hd_drain (*drain)(void *stim);
  /* Behind a drain, instead of a reset: the client begins anew, the block goes on as it is. NULL: there is a reset. */
  void (*again)(void *stim);
  /* Gives back what the client holds beyond its memory; NULL: nothing. */
  void (*stim_free)(void *stim);

  /* The oracle: knows only the rules of the block, watches inputs and outputs of every cycle, and returns NULL or the
   * rule that was broken. oracle_init is also its reset. */
  size_t (*oracle_size)(const struct hd_cfg *cfg);
  void (*oracle_init)(void *oracle, const struct hd_cfg *cfg);
  const char *(*watch)(void *oracle, uint64_t cycle, const void *in, const void *out);
  /* Asked after each cycle that broke no rule: NULL, or what the block should have got on with long ago. May be NULL.
   */
  const char *(*stuck)(const void *oracle);
  /* Of a block that is drained: all that was begun is over, and the rules of the end were judged. */
  bool (*over)(const void *oracle);

  /* Cover points; the first counts events (transfers). */
  const char *const *covers; /* names, NULL-terminated */
  void (*cover)(void *stim, const void *in, const void *out, uint64_t *hits);
  /* Those of a cycle that only the oracle can tell, which has seen it. NULL: none. */
  void (*cover_oracle)(const void *oracle, uint64_t *hits);
};

#define HD_TWIN(b) extern const struct hd_twin hd_twin_##b;
HD_BLOCKS(HD_TWIN)
#undef HD_TWIN

/* The blocks, in the order of the plane; the last is NULL. */
extern const struct hd_twin *const hd_twins[];
const struct hd_twin *hd_twin_find(const char *block);

#endif
