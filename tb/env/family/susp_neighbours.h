/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* susp_neighbours: the random environment of susp: a Kernel Distributor (KD) whose TBs save, the SMX scheduler that
 * accepts saved TBs, the parent records, the KMU, and the memory. */
#ifndef HD_SUSP_NEIGHBOURS_H
#define HD_SUSP_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "env/common/memory.h"
#include "gen/hd_susp_ports.h"

enum { HD_SUSP_REGION = 256 * 1024 };

struct hd_susp_entry {
  struct hd_kernel kernel; /* its kin and the saved TBs in progress are kept current */
  uint8_t valid, parent;   /* parent: it has a parent record */
  uint8_t suspending, failed;
};

struct hd_susp_neighbours {
  struct hd_cfg cfg;
  uint32_t sus_base, rows; /* parent records with a place in memory */
  uint8_t started;
  struct hd_susp_entry kd[HD_MAX_NUM_KDE];
  struct {
    uint8_t used, suspended, failed;
  } row[HD_MAX_NUM_KIN];
  struct {
    uint8_t valid, kde;
    uint16_t pos;
  } a2, a3; /* a save in flight through devq */
  uint8_t cur_valid, cur;
  uint8_t loaded;          /* the SSCR has a saved TB that is not handed out yet */
  uint8_t leaving, leaver; /* leaving: 2 and 1 cycles before an entry is suspended */
  uint8_t resume_valid;    /* kin requests this record */
  uint8_t reading;         /* a record is being read */
  uint8_t entering;        /* the KMU has a resumed kernel */
  uint8_t hold, keen;      /* phases: no kernel is resumed; TBs save as often as possible */
  uint16_t resume_row;
  struct hd_kernel back;
  uint32_t serial;
  struct hd_memory port;
  uint8_t tag_valid, tag;               /* the list that susp reads, to detect a change */
  uint8_t dropped, wrapped, next_chunk; /* in this cycle */
  uint8_t bytes[HD_SUSP_REGION];
};

void hd_susp_neighbours_reset(struct hd_susp_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_susp_neighbours_drive(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_susp_out *out, const struct hd_susp_out *now, struct hd_susp_in *in);

#endif
