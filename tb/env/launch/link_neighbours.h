/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* link_neighbours: the environment of link in random runs. It has groups of the kernels in a Kernel Distributor; a
 * scheduler that hands them out; their lists in memory; AGEs and records that are freed some time later; and kernels
 * that are suspended, resume with their list, or fail. */
#ifndef HD_LINK_NEIGHBOURS_H
#define HD_LINK_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "gen/hd_link_ports.h"

enum { HD_LINK_RECORDS = 512, HD_LINK_GROUPS = HD_MAX_AGT_SIZE + HD_LINK_RECORDS, HD_LINK_AWAY = 16 };

enum hd_link_entry { HD_LINK_ABSENT, HD_LINK_OPEN, HD_LINK_SUSPENDING, HD_LINK_FAILED };

/* A kernel's list in memory; if n is 0, first and last hold arbitrary values. */
struct hd_link_over {
  struct hd_ptr first, last;
  unsigned n;
};

struct hd_link_neighbours {
  struct hd_cfg cfg;
  uint64_t cycle;
  uint8_t entry[HD_MAX_NUM_KDE]; /* enum hd_link_entry */
  struct hd_link_over over[HD_MAX_NUM_KDE];
  struct {
    struct hd_list list;
    struct hd_link_over over;
  } away[HD_LINK_AWAY]; /* suspended kernels */
  unsigned away_n;
  uint8_t resumed;                      /* the kernel that enters is away[0] */
  int just_failed;                      /* a kernel that failed in the previous cycle, or -1 */
  int taking;                           /* the kernel that is taken out of the KD in this cycle, or -1 */
  struct hd_ptr behind[HD_LINK_GROUPS]; /* the group linked behind each AGE and each record */
  uint8_t taken[HD_LINK_RECORDS];       /* records in use */
  uint32_t first_record;
  uint32_t a2_record, a3_record; /* of the groups in A2 and A3 */
  struct {
    uint64_t at;
    struct hd_ptr ptr;
  } ended[HD_LINK_GROUPS]; /* groups handed out, oldest first; in use until `at` at least */
  unsigned ended_n;
  uint8_t lost_age; /* an AGE was lost; it becomes free after a time without kernels */
  uint8_t closing;  /* no group arrives and no kernel enters until all have left, and for at most this many cycles after
                     * that */
  uint8_t idle;     /* consecutive cycles without a kernel, at most 255 */

  /* Phases. */
  unsigned spread;   /* number of varying bits in the groups' hardware thread index */
  unsigned few;      /* number of kernels that receive groups */
  unsigned sparse;   /* groups are 2^sparse times rarer, which keeps lists short */
  unsigned hand_out; /* probability (of 256) that the last TB of a group is handed out in a cycle */
  unsigned filled;   /* probability (of 256) that a non-empty list in memory is full */
  unsigned reuse;    /* probability (of 256) that an AGE is freed in a cycle */

  /* Read by the cover points; of this cycle. */
  uint8_t emptied[HD_MAX_NUM_KDE]; /* the last group of the list in memory was handed out in the previous cycle */
  uint8_t was_idle;                /* `idle` in the previous cycle */
  uint8_t frees_lost;              /* all AGEs are freed, including a lost one */
};

void hd_link_neighbours_reset(struct hd_link_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_link_neighbours_drive(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_link_out *out, const struct hd_link_out *now, struct hd_link_in *in);

#endif
