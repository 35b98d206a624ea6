/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* children: launches from the device, kernels and groups, from the call to the last TB: identifies each, tracks its
 * state, and checks the plane's rules for them. The counterpart of driver.h for launches by TBs.
 *
 * A child is identified by its parameter address, which the plane dispatches with each of its TBs. */
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
  uint32_t caller;       /* number of the launcher's caller that waits for the answer */
  uint64_t alone;        /* work_call.alone */
  struct hd_devlaunch launch;
  enum hd_child_state state;
  uint32_t parent; /* number of the TB that launched it, in the launcher .. */
  uint32_t smx;    /* .. and its SMX */
  uint32_t family; /* hd_resident.family */
  uint8_t level;   /* level of its TBs */
  bool answered, kept, as_group;
  uint32_t ctas_out, ctas_done;
  uint64_t waited;          /* cycles from the offer to the first TB */
  uint64_t called, offered; /* cycle of the runtime call; first cycle in which the plane saw the launch */
  uint64_t *handed_out;     /* one bit per TB, from the first one dispatched */
};

/* Statistics of TBs that waited for their children. */
struct hd_save_stats {
  uint64_t saves, refused, restarts;
  uint64_t dropped;     /* contexts that were stored after the last child had ended: the TB continued without a save */
  uint64_t lines;       /* lines of contexts, stored and loaded */
  uint64_t save_cycles; /* over all saves: from the first line's store to the answer .. */
  uint64_t away_cycles; /* .. to the restart, if there was one .. */
  uint64_t load_cycles; /* .. and from there until the TB continues */
  uint64_t late_cycles; /* over all restarts: from the end of the TB's last child until the TB continues */
};

struct hd_launch_stats {
  uint64_t by_code[HD_CHILD_CODES]; /* answers by code */
  uint64_t alone;                   /* children whose work a thread of the parent did .. */
  uint64_t refused;                 /* .. of these, refused by the plane; for the rest no record or buffer was free */
  uint64_t kernels, groups;         /* accepted launches, by requested kind */
  uint64_t matched;                 /* groups that found an eligible kernel */
  uint64_t overflowed;              /* .. of them without a free AGE */
  uint64_t ctas;                    /* TBs of children .. */
  uint64_t own_ctas;                /* .. that ran on the SMX of the TB that launched them */
  uint64_t helps;                   /* number of times an SMX switched to TBs of another SMX's children */
  double wait_mean;                 /* cycles from the offer to the first TB on an SMX, mean over all children */
  uint64_t wait_max, wait_p95;      /* wait_p95: 95 of 100 children waited no longer */
  double called_mean;               /* cycles from the runtime call to the first TB, mean */
  uint32_t records_most;
  struct hd_save_stats save;
};

struct hd_children;

/* `at`: addresses of the parameter buffers. Returns NULL if out of memory. */
struct hd_children *hd_children_new(const struct hd_cfg *cfg, const struct hd_device_regions *at);
void hd_children_free(struct hd_children *c);

/* Adds a child that was called but not offered yet. Returns its number; sets *child to NULL if out of memory. */
uint32_t hd_children_add(struct hd_children *c, const struct hd_devlaunch *launch, uint8_t level,
                         struct hd_child **child);
struct hd_child *hd_children_get(struct hd_children *c, uint32_t child);

/* Returns true if `param` is the parameter address of a child. */
bool hd_children_has(const struct hd_children *c, uint64_t param);

/* Events of the plane. Return NULL, or a sentence that names the broken rule. */
const char *hd_children_answer(struct hd_children *c, uint32_t child, const struct hd_devanswer *a);
const char *hd_children_handed_out(struct hd_children *c, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                   uint32_t *child);
/* A TB has ended; *ended: it was the child's last one. */
const char *hd_children_cta_done(struct hd_children *c, uint32_t child, bool *ended);
/* `kernel` is reported as done to the host: requires that no kernel launched by it is incomplete. */
const char *hd_children_kernel_done(struct hd_children *c, uint32_t kernel);

/* Return the number of children added, and of those that have not ended. */
uint32_t hd_children_all(const struct hd_children *c);
uint32_t hd_children_open(const struct hd_children *c);
struct hd_launch_stats hd_children_stats(const struct hd_children *c);

#endif
