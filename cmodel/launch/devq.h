/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq: golden model of the queue of device launches: kernels, aggregated groups and saves of the TBs of all SMXs.
 *
 *   dev_launch of each SMX --lock--> [q: 2 beats] --> A1: check, search, room -----> [A2] --> final code --> [A3]
 *                                       |  look ->        ^ found (match)              ^ look (slot)          |
 *                                       +--------> find, hold                          +-> group (link, agt)  |
 *   dev_answer of each SMX <-- [FIFO of AnsDepth] <--------------------------------- push, birth, save, unhold
 *
 * A warp launches as one command of up to 32 beats, one for each lane that launches; a group that finds an eligible
 * kernel is linked to it, any other launch becomes a device kernel: dtbl-isca2015 sections 4.2 and 4.3. That the SMXs
 * take turns by commands, the codes, and the save command by which a TB yields are ours.
 *
 * - One beat is taken per cycle, of the SMX that holds the lock, or of the first in rotation that need not wait. The
 *   lock stays with an SMX from a beat that is not the last of its command until its last one, its 32nd, one that is
 *   not free, or a cycle in which a beat could have been taken and was not.
 * - A beat is free if it is a group's whose bank has room for it and all before it. Any other beat waits in its port
 *   until what it goes to has room: spill for a group, the pool or the save FIFO for the rest. So it holds up no other
 *   SMX (devq_gate.c).
 * - A beat is taken only when its SMX has room for one more answer: A2, A3 and the FIFOs never wait.
 * - A beat taken in t is in A1 in t+1 at the earliest and waits there for the search and for room in what it goes to
 *   (ovfq's writes; rarely one of the above); then A2, A3, one cycle each; its answer is offered in the cycle after A3.
 * - One kernel or save at a time is in A2 and A3, so that what A2 sees of parent records and pool still holds in A3;
 *   groups follow each other in every cycle.
 * - dev_launch_ready depends on the beats of all; find_take and hold on found and the rooms; group and
 *   info in A2 on look; dev_code, dev_event on kept. Everything else comes from registers. Payloads are 0 while their
 *   valid is 0, but for find_key and find_last, which show any group in A1.
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

/* What becomes of a beat. */
enum hd_devq_mode { HD_DEVQ_BAD, HD_DEVQ_KERNEL, HD_DEVQ_GROUP, HD_DEVQ_SAVE };

/* Parameters; fixed by init. */
struct hd_devq_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_smx, smx_per_cluster, num_bank, ans_depth, num_streams, max_level, sav_max;
  uint32_t group_xw, group_yw, group_zw;
  struct hd_check_smx smx;
  uint32_t smem_mask; /* of a key */
};

/* On what a beat that an SMX offers has to wait. */
enum hd_devq_sort {
  HD_DEVQ_FREE, /* nothing: a group whose bank has room */
  HD_DEVQ_ROW,  /* a row of spill: any other group */
  HD_DEVQ_ALONE /* one at a time, and room in pool or susp: a kernel, a save, a group if the last one found no kernel */
};

/* A beat in q. */
struct hd_devq_beat {
  struct hd_devlaunch launch;
  struct hd_need need; /* of one TB, and */
  uint8_t check;       /* enum hd_code: what hd_check() said; of a kernel or a group */
  uint8_t smx;
  uint8_t first; /* of its turn: the lock was with nobody */
  uint8_t sort;  /* enum hd_devq_sort, when it was taken */
  uint8_t pad_[4];
};

/* A beat in A2 or A3. */
struct hd_devq_stage {
  struct hd_devlaunch launch;
  struct hd_need need;
  uint8_t valid, smx;
  uint8_t mode, code; /* enums */
  uint8_t group_kdei; /* of a group: the kernel that it was found to belong to */
  uint8_t row;        /* .. and whether a row of spill is promised to it */
  /* A3 only: */
  uint8_t kdei, level; /* kernel of the launching TB; level of what it launches */
  uint8_t first_child; /* its kernel had no parent record before */
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
  uint8_t ptr; /* SMX to be looked at first */
  uint8_t pad_[1];
  uint16_t owed_n;                                              /* beats taken whose answer was not, of all SMXs */
  uint8_t owed[HD_MAX_NUM_SMX];                                 /* beats taken whose answer was not */
  uint8_t answers_n[HD_MAX_NUM_SMX];                            /* answers that wait */
  uint8_t lone[HD_MAX_NUM_SMX];                                 /* its last group found no kernel */
  uint8_t passed[HD_MAX_NUM_SMX];                               /* it was passed over, and waits */
  uint64_t passed_n;                                            /* SMXs that were */
  struct hd_devanswer answer[HD_MAX_NUM_SMX][HD_MAX_ANS_DEPTH]; /* oldest first */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_devq_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_devq_size(cfg) bytes of any content. */
void hd_devq_init(struct hd_devq *m, const struct hd_cfg *cfg);

/* Resets: nothing on its way, no lock. */
void hd_devq_reset(struct hd_devq *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_devq_eval(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_devq_tick(struct hd_devq *m, const struct hd_devq_in *in);

/* Sets *a to the architectural state, with the names of rtl/launch/devq/devq.csv. */
void hd_devq_arch(const struct hd_devq *m, struct hd_devq_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* Nothing is under way, and nobody was passed over: a cycle in which no SMX offers a beat changes nothing. Then every
 * SMX is told ready, and all other outputs are 0. */
static inline bool hd_devq_quiet(const struct hd_devq *m) {
  return !m->owed_n && !m->lock_valid && !m->passed_n;
}

#endif
