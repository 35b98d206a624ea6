/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq_around: the environment of devq in random runs: SMXs whose TBs launch and save by commands, some wrong, some
 * silent in the middle, some slow to take their answers; and a plane that finds kernels, slots and parent records as
 * luck has it, with banks, spill, a pool and a save FIFO that fill, and empty at different speeds. */
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

/* What launches go to. A group goes into its bank, or waits in a row of spill and comes back, or is refused. */
struct hd_devq_places {
  uint8_t free[HD_MAX_NUM_BANK];  /* places of a bank */
  uint16_t away[HD_MAX_NUM_BANK]; /* groups of it in memory, or on their way there */
  uint8_t rows, kernels, saves;   /* groups, kernels, saves that wait to go on */
  uint8_t a3_valid, a3_put, a3_bank;
};

struct hd_devq_around {
  struct hd_cfg cfg;
  struct hd_devq_places at;
  uint32_t serial, rec_count, sus_count;
  struct hd_devq_client client[HD_MAX_NUM_SMX];
  /* Phases, of 256: SMXs that launch; commands of groups; slots that are empty; beats that come late; room there is. */
  unsigned busy, groups, empty, late, room;
  unsigned full;                     /* pool, parent records and streams are full */
  unsigned leave, spill, pool, susp; /* how fast what waits goes on: out of banks, spill's rows, pool, save FIFO */
  uint8_t no_region;                 /* there is no place in memory for a group */

  uint8_t silent; /* for the cover points: an SMX offered nothing in the middle of a command */
};

void hd_devq_around_reset(struct hd_devq_around *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_devq_around_drive(struct hd_devq_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_devq_out *out, const struct hd_devq_out *now, struct hd_devq_in *in);

#endif
