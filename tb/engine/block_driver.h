/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* block_driver: the driver of a block for the lockstep engine: its golden model, a random environment that meets the
 * block's preconditions, its oracle and its cover points. Each block has one in tb/env/<cluster>/. */
#ifndef HD_BLOCK_DRIVER_H
#define HD_BLOCK_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/wrote.h"
#include "engine/rng.h"
#include "gen/hd_blocks.h"
#include "gen/hd_types.h"

/* Behaviour of the environment for a period; probabilities in 1/256. The test matrix is built from these. */
struct hd_profile {
  const char *name;
  unsigned source; /* a client has something to offer */
  unsigned sink;   /* a consumer is ready */
  unsigned bad;    /* a client does something illegal */
};

/* Whether work in flight completes before a reset: there is no end to wait for (NONE); it may never complete, since a
 * client has broken its contract (MAY); it must complete (MUST). */
enum hd_drain { HD_DRAIN_NONE, HD_DRAIN_MAY, HD_DRAIN_MUST };

struct hd_block_driver {
  const char *block;

  size_t (*size)(const struct hd_cfg *cfg);
  void (*init)(void *model, const struct hd_cfg *cfg);
  void (*reset)(void *model);
  void (*eval)(const void *model, const void *in, void *out);
  void (*tick)(void *model, const void *in);
  /* eval, then tick, in one call; NULL: the engine calls both. */
  void (*cycle)(void *model, const void *in, void *out);
  /* Stores state group `group` in arch (in the order of the binding: own registers, then each inner block). */
  void (*arch)(const void *model, unsigned group, void *arch, bool tables);
  /* Stores the outputs of the inner blocks in this cycle at the beginning of `inner`, whose inner_size bytes are
   * initially 0 and keep their values between calls. NULL: no inner blocks. */
  size_t inner_size;
  void (*inner)(const void *model, const struct hd_cfg *cfg, const void *in, void *inner);
  /* All-zero inputs are legal in every state, so that `inner` can be compared after the last cycle too. */
  bool rests;
  /* wrote() returns, for each table of the group in CSV order, the row that the model wrote last and the number of
   * writes; it is called once and the pointer stays valid. row() stores row `row` of each table that has it. NULL: no
   * tables. */
  const struct hd_wrote *(*wrote)(const void *model, unsigned group);
  void (*row)(const void *model, unsigned group, unsigned row, void *arch);
  /* sim speed: returns a part of the model's state that changes whenever the architectural state of the group changes,
   * so that unchanged groups are skipped. Called once; the pointer stays valid. NULL, or *bytes 0: not available. */
  const void *(*raw)(const void *model, unsigned group, size_t *bytes);

  /* still() returns true if the last cycle changed nothing but counters of cycles, compared with the model at the
   * previous call; skip() advances n such cycles at once. `last` holds last_size bytes, initially 0, which belong to
   * these functions. NULL: not available. */
  size_t (*last_size)(const struct hd_cfg *cfg);
  bool (*still)(const void *model, void *last);
  void (*skip)(void *model, void *last, uint64_t n);

  size_t stim_size;
  void (*stim_init)(void *stim, const struct hd_cfg *cfg, struct hd_rng *rng);
  /* Sets the inputs of the next cycle. `in` and `out` hold those of the previous cycle (all 0 after reset); `in` is
   * changed in place. `now` holds the outputs of the next cycle as far as they do not depend on its inputs. */
  void (*drive)(void *stim, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now, void *in);
  /* Returns the environment to its state after reset, including the contents of its memory. */
  void (*stim_reset)(void *stim);
  /* From now on the environment starts nothing new and lets work in flight complete. NULL: no drain. */
  enum hd_drain (*drain)(void *stim);
  /* After a drain: restarts the environment while the block keeps its state. NULL: the engine resets the block. */
  void (*again)(void *stim);
  /* Frees what the environment allocated outside its stim_size bytes; NULL: nothing. */
  void (*stim_free)(void *stim);

  /* The oracle knows only the rules of the block. watch() receives inputs and outputs of every cycle and returns NULL
   * or the broken rule. oracle_init is also its reset. */
  size_t (*oracle_size)(const struct hd_cfg *cfg);
  void (*oracle_init)(void *oracle, const struct hd_cfg *cfg);
  const char *(*watch)(void *oracle, uint64_t cycle, const void *in, const void *out);
  /* Called after each cycle that broke no rule: returns NULL or the overdue work of the block. May be NULL. */
  const char *(*stuck)(const void *oracle);
  /* Returns true after a drain once all work has completed and the rules that apply at the end were checked. */
  bool (*over)(const void *oracle);

  /* Cover points; the first counts events (transfers). */
  const char *const *covers; /* names, NULL-terminated */
  void (*cover)(void *stim, const void *in, const void *out, uint64_t *hits);
  /* Counts the cover points that only the oracle can recognize, after it has seen the cycle. NULL: none. */
  void (*cover_oracle)(const void *oracle, uint64_t *hits);
};

#define HD_BLOCK_DRIVER(b) extern const struct hd_block_driver hd_block_driver_##b;
HD_BLOCKS(HD_BLOCK_DRIVER)
#undef HD_BLOCK_DRIVER

/* The blocks, in the order of the plane; the last is NULL. */
extern const struct hd_block_driver *const hd_block_drivers[];
const struct hd_block_driver *hd_block_driver_find(const char *block);

#endif
