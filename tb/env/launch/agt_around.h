/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt_around: the environment of agt in random runs: launches that are linked to lists per kernel, on chip or in a
 * record of a memory; Next writes; a scheduler that hands out groups of one kernel after the other; kernels that are
 * suspended, come back with their list, or fail. */
#ifndef HD_AGT_AROUND_H
#define HD_AGT_AROUND_H

#include "env/common/memory.h"
#include "gen/hd_agt_ports.h"

enum { HD_PLANE_RECORDS = 256, HD_PLANE_GROUPS = HD_MAX_AGT_SIZE + HD_PLANE_RECORDS };

/* A launch in A2 or A3. */
struct hd_plane_launch {
  struct hd_ptr ptr;
  struct hd_info info;
  uint8_t valid, kdei;
};

struct hd_plane_kernel {
  struct hd_list list; /* while it is away: the list that it comes back with */
  uint8_t away, suspending, failed;
};

/* A Next write that waits or is unanswered. */
struct hd_plane_next {
  struct hd_ptr ptr;
  uint32_t record;
  uint8_t kdei;
};

enum hd_plane_unit { HD_PLANE_NONE, HD_PLANE_NATIVE, HD_PLANE_GROUP };

struct hd_agt_around {
  struct hd_cfg cfg;
  uint64_t cycle;
  struct hd_plane_kernel kernel[HD_MAX_NUM_KDE];
  struct hd_plane_launch a2, a3;
  struct hd_plane_next next[HD_MAX_NEXT_DEPTH]; /* oldest first */
  unsigned next_n;
  unsigned overflow; /* of 256 launches: find no AGE */
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
  uint8_t next_failed, next_failed_kdei;

  uint8_t taken[HD_PLANE_GROUPS];        /* AGEs, then records */
  struct hd_ptr behind[HD_PLANE_GROUPS]; /* the group linked behind each */
  struct {
    uint64_t at;
    struct hd_ptr ptr;
  } freed[HD_PLANE_GROUPS]; /* handed out; taken for some cycles more */
  unsigned freed_n;

  uint32_t rec_base, first_record;
  struct hd_memory port;
  uint8_t bytes[64 * HD_PLANE_RECORDS];

  /* What the cover points look at, in this cycle. */
  uint8_t rotates, stops, resumes, popped, pops_in_a_row, links_behind_last, adv_and_link;
};

void hd_agt_around_reset(struct hd_agt_around *s);

/* Follows the cycle before (in, out) and makes the inputs of the next. */
void hd_agt_around_drive(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_agt_out *out, const struct hd_agt_out *now, struct hd_agt_in *in);

#endif
