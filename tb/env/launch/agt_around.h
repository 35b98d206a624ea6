/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt_around: the environment of agt in random runs: launches that are linked to lists per kernel, to the chain of AGEs
 * or to the list in memory; what offers the groups of the latter, as ovfq does; a scheduler that hands out groups of
 * one kernel after the other; kernels that are suspended, come back with their list, or fail. */
#ifndef HD_AGT_AROUND_H
#define HD_AGT_AROUND_H

#include "engine/twin.h"
#include "gen/hd_agt_ports.h"

enum { HD_PLANE_RECORDS = 256, HD_PLANE_GROUPS = HD_MAX_AGT_SIZE + HD_PLANE_RECORDS };

/* A launch in A2 or A3. */
struct hd_plane_launch {
  struct hd_ptr ptr;
  struct hd_info info;
  uint8_t valid, kdei;
};

struct hd_plane_kernel {
  struct hd_list chain; /* without `pending`. While it is away: what it comes back with */
  struct hd_ptr over;   /* the first group of the list in memory, if there is one .. */
  struct hd_ptr last;   /* .. the last .. */
  unsigned over_n;      /* .. and how many there are */
  uint8_t away, suspending, failed;
};

enum hd_plane_unit { HD_PLANE_NONE, HD_PLANE_NATIVE, HD_PLANE_GROUP };

struct hd_agt_around {
  struct hd_cfg cfg;
  uint64_t cycle;
  struct hd_plane_kernel kernel[HD_MAX_NUM_KDE];
  struct hd_plane_launch a2, a3;
  unsigned overflow; /* of 256 launches: find no AGE; 0: a launch that would find none does not come */
  unsigned sparse;   /* launches come 2^sparse times less often: lists stay short */

  struct {
    struct hd_ptr group; /* the current one */
    uint32_t left;
    uint8_t valid, kdei, unit;
  } sscr;
  struct {
    struct hd_ptr group;
    uint8_t valid, kdei;
  } adv; /* the last TB of this group is handed out in this cycle */

  /* The list in memory of the kernel that was in the SSCR in the cycle before. */
  struct {
    unsigned pace;   /* of 256 cycles: the next group comes */
    unsigned popped; /* groups that agt has taken and the scheduler has not handed out */
    uint8_t tag_valid, tag_kdei, valid;
  } offer;

  uint8_t taken[HD_PLANE_GROUPS];        /* AGEs, then records */
  struct hd_ptr behind[HD_PLANE_GROUPS]; /* the group linked behind each */
  struct hd_info info[HD_PLANE_RECORDS];
  struct {
    uint64_t at;
    struct hd_ptr ptr;
  } freed[HD_PLANE_GROUPS]; /* handed out; taken for some cycles more */
  unsigned freed_n;
  uint32_t first_record;

  /* What the cover points look at, in this cycle. */
  uint8_t rotates, stops, resumes, popped, pops_in_a_row, links_behind_last, adv_and_link;
  uint8_t over_popped, chain_ended; /* in the cycle before */
};

void hd_agt_around_reset(struct hd_agt_around *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_agt_around_drive(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_agt_out *out, const struct hd_agt_out *now, struct hd_agt_in *in);

#endif
