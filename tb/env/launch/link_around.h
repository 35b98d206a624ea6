/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* link_around: the environment of link in random runs: groups of the kernels of a Kernel Distributor, a scheduler that
 * hands them out, their lists in memory, AGEs and records that come free some time later, kernels that are suspended,
 * come back with their list, or fail. */
#ifndef HD_LINK_AROUND_H
#define HD_LINK_AROUND_H

#include "engine/twin.h"
#include "gen/hd_link_ports.h"

enum { HD_LINK_RECORDS = 512, HD_LINK_GROUPS = HD_MAX_AGT_SIZE + HD_LINK_RECORDS, HD_LINK_AWAY = 16 };

enum hd_link_entry { HD_LINK_ABSENT, HD_LINK_OPEN, HD_LINK_SUSPENDING, HD_LINK_FAILED };

/* The list in memory of a kernel; without groups, first and last are anything. */
struct hd_link_over {
  struct hd_ptr first, last;
  unsigned n;
};

struct hd_link_around {
  struct hd_cfg cfg;
  uint64_t cycle;
  uint8_t entry[HD_MAX_NUM_KDE]; /* enum hd_link_entry */
  struct hd_link_over over[HD_MAX_NUM_KDE];
  struct {
    struct hd_list list;
    struct hd_link_over over;
  } away[HD_LINK_AWAY]; /* suspended kernels */
  unsigned away_n;
  uint8_t resumed;                      /* the kernel that enters is the first of them */
  int just_failed;                      /* a kernel that was open in the cycle before, or -1 */
  int taking;                           /* the kernel that is suspended in this cycle, or -1 */
  struct hd_ptr behind[HD_LINK_GROUPS]; /* the group linked behind each AGE, each record */
  uint8_t taken[HD_LINK_RECORDS];       /* records in use */
  uint32_t first_record;
  uint32_t a2_record, a3_record; /* of the groups in A2 and A3 */
  struct {
    uint64_t at;
    struct hd_ptr ptr;
  } ended[HD_LINK_GROUPS]; /* groups that were handed out, the first one first; in use until `at` at least */
  unsigned ended_n;
  uint8_t lost_age; /* an AGE is lost: it comes free when there is no kernel for a while */
  uint8_t closing;  /* no group comes and no kernel enters, till all have left; and cycles after that, at most */
  uint8_t idle;     /* cycles without a kernel, up to 255 */

  /* Phases. */
  unsigned spread;   /* bits of the hardware thread index in which groups differ */
  unsigned few;      /* groups go to one of so many kernels */
  unsigned sparse;   /* groups come 2^sparse times less often: lists stay short */
  unsigned hand_out; /* of 256 cycles: the last TB of a group is handed out */
  unsigned filled;   /* of 256 cycles: a list in memory with groups is full */
  unsigned reuse;    /* of 256 cycles: an AGE comes free */

  /* What the cover points look at, in this cycle. */
  uint8_t emptied[HD_MAX_NUM_KDE]; /* the last group of the list in memory was handed out in the cycle before */
  uint8_t was_idle;                /* `idle` in the cycle before */
  uint8_t frees_lost;              /* all AGEs come free, and one of them was lost */
};

void hd_link_around_reset(struct hd_link_around *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_link_around_drive(struct hd_link_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_link_out *out, const struct hd_link_out *now, struct hd_link_in *in);

#endif
