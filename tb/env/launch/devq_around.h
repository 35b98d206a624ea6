/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq_around: the environment of devq in random runs: SMXs whose TBs launch and save by commands, some wrong, some
 * silent in the middle, some slow to take their answers; and a plane that finds kernels, slots, parent records and room
 * as luck has it. */
#ifndef HD_DEVQ_AROUND_H
#define HD_DEVQ_AROUND_H

#include "engine/twin.h"
#include "gen/hd_devq_ports.h"

/* What the TBs of one SMX send. */
struct hd_devq_client {
  struct hd_devlaunch like; /* what the beats of the command are like */
  uint8_t left;             /* beats of the command still to be offered */
  uint8_t sent;             /* beats of the command that were taken */
  uint8_t cut;              /* the last one does not say so */
  uint8_t unanswered;
  uint8_t deaf; /* phase: takes no answers */
};

struct hd_devq_around {
  struct hd_cfg cfg;
  uint32_t serial, rec_count, sus_count;
  struct hd_devq_client client[HD_MAX_NUM_SMX];
  /* Phases, of 256: SMXs that launch; commands of groups; slots that are empty; beats that come late; room there is. */
  unsigned busy, groups, empty, late, room;
  unsigned full; /* pool, parent records and streams are full */

  uint8_t silent; /* for the cover points: an SMX offered nothing in the middle of a command */
};

void hd_devq_around_reset(struct hd_devq_around *s);

/* Follows the cycle before (in, out) and makes the inputs of the next. */
void hd_devq_around_drive(struct hd_devq_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_devq_out *out, const struct hd_devq_out *now, struct hd_devq_in *in);

#endif
