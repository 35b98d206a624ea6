/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq: golden model of the queue of device launches: kernels, aggregated groups and saves of the TBs of all SMXs.
 *
 *   dev_launch of each SMX --lock--> [q: 2 beats] --> A1: check, search, room -----> [A2] --> final code --> [A3]
 *                                       |  look ->        ^ found (match)              ^ look (slot)          |
 *                                       +--------> find, hold                          +-> group (link, agt)  |
 *   dev_answer of each SMX <-- [FIFO of AnsDepth] <--------------------------------- push, birth, save, unhold
 *
 * A warp launches with one command of up to 32 beats, one per launching lane; a group that finds an eligible kernel is
 * linked to it, any other launch becomes a device kernel: dtbl-isca2015 sections 4.2 and 4.3. Round robin over SMXs by
 * command, the codes, and the save command by which a TB yields are ours.
 *
 * - One beat is accepted per cycle, from the SMX that holds the lock, or from the first in rotation that need not wait.
 *   An SMX holds the lock from a beat that is not the last of its command until its last one, its 32nd, one that is not
 *   free, or a cycle in which a beat could have been accepted and was not.
 * - A beat is free if it is a group whose bank has room for it and all before it. Any other beat waits in its port
 *   until its destination has room: spill for a group, the pool or the save FIFO for the others. So it does not block
 *   other SMXs (devq_gate.c).
 * - A beat is accepted only if its SMX has room for one more answer: A2, A3 and the FIFOs never wait.
 * - A beat accepted in t is in A1 in t+1 at the earliest and waits there for the search and for room in its destination
 *   (ovfq's writes; rarely one of the above); then A2 and A3, one cycle each; its answer is offered in the cycle after
 *   A3.
 * - At most one kernel or save is in A2 and A3, so that the state of parent records and pool seen in A2 is still valid
 *   in A3; groups can follow each other in every cycle.
 * - dev_launch_ready depends on the beats of all SMXs; find_take and hold on found and on the room; group and info in
 *   A2 on look; code and event on kept. All other outputs are registered. Payloads are 0 while their valid is
 *   0, except find.key and find.first, which show any group in A1.
 *
 * Requires: kd_save_ok only of kernels that have a parent record; spill_rows falls by at most one in a cycle, and only
 * in the cycle after a group with a promised row was in A3: any other group finds a place in its bank.
 *
 * State: hd_devq_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_DEVQ_H
#define HD_DEVQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/hd_devq_ports.h"
#include "host/check.h"

#define HD_DEVQ_BEATS 2 /* places of q */

/* Destination of a beat. */
enum hd_devq_mode { HD_DEVQ_BAD, HD_DEVQ_KERNEL, HD_DEVQ_GROUP, HD_DEVQ_SAVE };

/* Parameters; fixed by init. */
struct hd_devq_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_smx, smx_per_cluster, num_bank, ans_depth, num_streams, max_level, sav_max;
  uint32_t group_xw, group_yw, group_zw;
  struct hd_check_smx smx;
  uint32_t smem_mask;  /* mask of the shared memory in a key */
  uint32_t has_launch; /* 0: the plane has hd_devq_none in place of devq, which refuses every beat */
};

/* The resource for which an offered beat has to wait. */
enum hd_devq_sort {
  HD_DEVQ_FREE, /* none: a group whose bank has room */
  HD_DEVQ_ROW,  /* a row of spill: any other group */
  /* exclusive passage, and room in pool or susp: a kernel, a save, a group if the last one found no kernel */
  HD_DEVQ_ALONE
};

/* A beat in q. */
struct hd_devq_beat {
  struct hd_devlaunch launch;
  struct hd_need need; /* need of one TB */
  uint8_t check;       /* enum hd_code: result of hd_check(); for a kernel or a group */
  uint8_t smx;
  uint8_t first; /* first of its turn: the lock was free */
  uint8_t sort;  /* enum hd_devq_sort at its acceptance */
  uint8_t pad_[4];
};

/* A beat in A2 or A3. */
struct hd_devq_stage {
  struct hd_devlaunch launch;
  struct hd_need need;
  uint8_t valid, smx;
  uint8_t mode, code; /* enums */
  uint8_t group_kdei; /* kernel found for a group */
  uint8_t row;        /* .. and whether a row of spill is reserved for it */
  /* A3 only: */
  uint8_t kdei, level; /* kernel of the launching TB; level of the launch */
  uint8_t first_child; /* its kernel had no parent record yet */
  uint16_t kin;        /* parent record of its kernel */
  uint16_t sav_pos;
  uint8_t pad_[5];
};

struct hd_devq {
  struct hd_devq_cfg cfg;
  struct hd_devq_beat q[HD_DEVQ_BEATS]; /* oldest first */
  struct hd_devq_stage a2, a3;
  uint8_t q_count;
  uint8_t lock_valid, lock_smx, lock_left;
  uint8_t ptr; /* SMX to be considered first */
  uint8_t pad_[1];
  uint16_t owed_n;                                              /* accepted beats without an answer, of all SMXs */
  uint8_t owed[HD_MAX_NUM_SMX];                                 /* accepted beats without an answer */
  uint8_t answers_n[HD_MAX_NUM_SMX];                            /* waiting answers */
  uint8_t lone[HD_MAX_NUM_SMX];                                 /* its last group found no kernel */
  uint8_t passed[HD_MAX_NUM_SMX];                               /* it was skipped, and waits */
  uint64_t passed_n;                                            /* number of such SMXs */
  struct hd_devanswer answer[HD_MAX_NUM_SMX][HD_MAX_ANS_DEPTH]; /* oldest first */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_devq_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_devq_size(cfg) bytes of any content. */
void hd_devq_init(struct hd_devq *m, const struct hd_cfg *cfg);

/* Resets: nothing in flight, no lock. */
void hd_devq_reset(struct hd_devq *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_devq_eval(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_devq_tick(struct hd_devq *m, const struct hd_devq_in *in);

/* Sets *a to the architectural state, with the names of rtl/launch/devq/devq.csv. */
void hd_devq_arch(const struct hd_devq *m, struct hd_devq_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* Returns true if nothing is in flight and no SMX was skipped: a cycle in which no SMX offers a beat changes nothing.
 * Then every SMX is ready, and all other outputs are 0. */
static inline bool hd_devq_quiet(const struct hd_devq *m) {
  return !m->owed_n && !m->lock_valid && !m->passed_n;
}

#endif
