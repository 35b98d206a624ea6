/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* children: launches from the device, kernels and groups, from the call to the last TB: which is which, what became of
 * each, and the rules that the plane must keep with them. The counterpart of driver.h, for the launches of TBs.
 *
 * A child is known by the address of its parameters, as a TB of it is told. */
#ifndef HD_CHILDREN_H
#define HD_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/device.h"
#include "gen/hd_types.h"

#define HD_CHILD_CODES 8u

enum hd_child_state { HD_CHILD_CALLED, HD_CHILD_RUNS, HD_CHILD_FAILED, HD_CHILD_ENDED };

struct hd_child {
  uint32_t kernel, item; /* the workload's names */
  uint32_t caller;       /* the warp that waits for its answer: the launcher's number */
  uint64_t alone;        /* work_call.alone */
  struct hd_devlaunch launch;
  enum hd_child_state state;
  uint32_t parent; /* the TB that launched it: the launcher's number .. */
  uint32_t smx;    /* .. and its SMX */
  uint32_t family; /* hd_resident.family */
  uint8_t level;   /* of its TBs */
  bool answered, kept, as_group;
  uint32_t ctas_out, ctas_done;
  uint64_t waited;          /* from the offer to the first TB */
  uint64_t called, offered; /* the call of the runtime; the first cycle in which the plane saw the launch */
  uint64_t *handed_out;     /* a bit for each TB, from the first one on */
};

/* TBs that waited for their children. */
struct hd_save_stats {
  uint64_t saves, refused, restarts;
  uint64_t dropped;     /* contexts that were stored when the last child had ended: the TB went on */
  uint64_t lines;       /* of contexts, stored and loaded */
  uint64_t save_cycles; /* over all saves: from the first line's store to the answer .. */
  uint64_t away_cycles; /* .. to the restart (of those that came) .. */
  uint64_t load_cycles; /* .. and from there until it goes on */
  uint64_t late_cycles; /* over all restarts: from the end of the TB's last child until it goes on */
};

struct hd_launch_stats {
  uint64_t by_code[HD_CHILD_CODES]; /* answers */
  uint64_t alone;                   /* children whose work a thread of the parent did .. */
  uint64_t refused;                 /* .. of these, those that the plane did not take; for the rest no record or buffer
                                     * was free */
  uint64_t kernels, groups;         /* launches that were taken, as they were meant */
  uint64_t matched;                 /* groups that found an eligible kernel */
  uint64_t overflowed;              /* of them those that found no free AGE */
  uint64_t ctas;                    /* TBs of children .. */
  uint64_t own_ctas;                /* .. that ran on the SMX of the TB that launched them */
  uint64_t helps;                   /* how often an SMX went over to TBs of another SMX's children */
  double wait_mean;                 /* from the offer to the first TB on an SMX, over all children */
  uint64_t wait_max, wait_p95;      /* the latter: 95 of 100 children waited no longer */
  double called_mean;               /* from the call of the runtime to the same */
  uint32_t records_most;
  struct hd_save_stats save;
};

struct hd_children;

/* at: where the parameter buffers lie. NULL: out of memory. */
struct hd_children *hd_children_new(const struct hd_cfg *cfg, const struct hd_device_regions *at);
void hd_children_free(struct hd_children *c);

/* A new child, which was called but is not offered: its number. NULL in *child: out of memory. */
uint32_t hd_children_add(struct hd_children *c, const struct hd_devlaunch *launch, uint8_t level,
                         struct hd_child **child);
struct hd_child *hd_children_get(struct hd_children *c, uint32_t child);

/* Whether these are parameters of a child. */
bool hd_children_has(const struct hd_children *c, uint64_t param);

/* What the plane says. NULL, or a sentence that says which rule was broken. */
const char *hd_children_answer(struct hd_children *c, uint32_t child, const struct hd_devanswer *a);
const char *hd_children_handed_out(struct hd_children *c, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                   uint32_t *child);
/* A TB has ended; *ended: it was the child's last. */
const char *hd_children_cta_done(struct hd_children *c, uint32_t child, bool *ended);
/* The host is told that `kernel` has completed: no kernel that it launched may be incomplete. */
const char *hd_children_kernel_done(struct hd_children *c, uint32_t kernel);

/* All children that were added; those that have not ended. */
uint32_t hd_children_all(const struct hd_children *c);
uint32_t hd_children_open(const struct hd_children *c);
struct hd_launch_stats hd_children_stats(const struct hd_children *c);

#endif
