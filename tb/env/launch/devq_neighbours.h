/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq_neighbours: the environment of devq in random runs. It has SMXs whose TBs launch and save by commands (some
 * wrong, some pausing in the middle, some slow to accept answers), and a plane with random kernels, slots and parent
 * records, whose banks, spill, pool and save FIFO fill and empty at varying speeds. */
#ifndef HD_DEVQ_NEIGHBOURS_H
#define HD_DEVQ_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "gen/hd_devq_ports.h"

/* The commands sent by the TBs of one SMX. */
struct hd_devq_client {
  struct hd_devlaunch like; /* pattern of the command's beats */
  uint8_t left;             /* beats of the command still to offer */
  uint8_t sent;             /* beats of the command that were accepted */
  uint8_t cut;              /* the last beat lacks its `last` flag */
  uint8_t unanswered;
  uint8_t deaf; /* phase: accepts no answers */
};

/* The destinations of launches. A group is put into its bank, spilled to a row of spill and fetched later, or refused.
 * While groups of a bank are in memory, as many of its entries as are read at once stay free. */
struct hd_devq_places {
  uint8_t free[HD_MAX_NUM_BANK];              /* free entries of a bank that are not kept for groups from memory */
  uint16_t away[HD_MAX_NUM_BANK];             /* groups of the bank that are in memory or on their way there */
  uint8_t rows, kernels, saves;               /* groups, kernels and saves waiting in spill, pool and save FIFO */
  uint8_t a3_valid, a3_put, a3_full, a3_bank; /* put, full: the group in A3 goes to memory, is refused */
};

struct hd_devq_neighbours {
  struct hd_cfg cfg;
  struct hd_devq_places at;
  uint32_t serial, rec_count, sus_count;
  struct hd_devq_client client[HD_MAX_NUM_SMX];
  /* Probabilities (of 256), by phase: an SMX launches; a command is of groups; a slot is empty; a beat is late; the
   * destination has room. */
  unsigned busy, groups, empty, late, room;
  unsigned full;                     /* pool, parent records and streams are full */
  unsigned leave, spill, pool, susp; /* how fast entries leave: banks, rows of spill, pool, save FIFO */
  uint8_t no_region;                 /* no region in memory for groups */

  uint8_t silent; /* for the cover points: an SMX offered no beat in the middle of a command */
};

void hd_devq_neighbours_reset(struct hd_devq_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_devq_neighbours_drive(struct hd_devq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_devq_out *out, const struct hd_devq_out *now, struct hd_devq_in *in);

#endif
