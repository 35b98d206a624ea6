/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt_neighbours: the environment of agt in random runs. It has launches that are linked to a list per kernel (the
 * chain of AGEs or the list in memory); an offer of groups of the list in memory, as from ovfq; a scheduler that hands
 * out groups of one kernel after the other; and kernels that are suspended, resume with their list, or fail. */
#ifndef HD_AGT_NEIGHBOURS_H
#define HD_AGT_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "gen/hd_agt_ports.h"

enum { HD_PLANE_RECORDS = 256, HD_PLANE_GROUPS = HD_MAX_AGT_SIZE + HD_PLANE_RECORDS };

/* A launch in stage A2 or A3. */
struct hd_plane_launch {
  struct hd_ptr ptr;
  struct hd_info info;
  uint8_t valid, kdei;
};

struct hd_plane_kernel {
  struct hd_list chain; /* without `pending`; while the kernel is suspended: the list it resumes with */
  struct hd_ptr over;   /* the first group of the list in memory (valid if over_n) */
  struct hd_ptr last;   /* its last group */
  unsigned over_n;      /* its length */
  uint8_t away, suspending, failed;
};

enum hd_plane_unit { HD_PLANE_NONE, HD_PLANE_NATIVE, HD_PLANE_GROUP };

struct hd_agt_neighbours {
  struct hd_cfg cfg;
  uint64_t cycle;
  struct hd_plane_kernel kernel[HD_MAX_NUM_KDE];
  struct hd_plane_launch a2, a3;
  unsigned overflow; /* probability (of 256) that a launch finds no AGE; 0: a launch that would find none is not made */
  unsigned sparse;   /* launches are 2^sparse times rarer, which keeps lists short */

  struct {
    struct hd_ptr group; /* the current one */
    uint32_t left;
    uint8_t valid, kdei, unit;
  } sscr;
  struct {
    struct hd_ptr group;
    uint8_t valid, kdei;
  } adv; /* set in the cycle in which the last TB of this group is handed out */

  /* The list in memory of the kernel that was in the SSCR one cycle ago. */
  struct {
    unsigned pace;   /* probability (of 256) that the next group arrives in a cycle */
    unsigned popped; /* groups that agt accepted and the scheduler has not handed out yet */
    uint8_t tag_valid, tag_kdei, valid;
  } offer;

  uint8_t taken[HD_PLANE_GROUPS];        /* in use: AGEs, then records */
  struct hd_ptr behind[HD_PLANE_GROUPS]; /* the group linked behind each group */
  struct hd_info info[HD_PLANE_RECORDS];
  struct {
    uint64_t at;
    struct hd_ptr ptr;
  } freed[HD_PLANE_GROUPS]; /* groups handed out, which stay in use for some more cycles */
  unsigned freed_n;
  uint32_t first_record;

  /* Read by the cover points; of this cycle. */
  uint8_t rotates, stops, resumes, popped, pops_in_a_row, links_behind_last, adv_and_link;
  uint8_t over_popped, chain_ended; /* of the previous cycle */
};

void hd_agt_neighbours_reset(struct hd_agt_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_agt_neighbours_drive(struct hd_agt_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                             const struct hd_agt_out *out, const struct hd_agt_out *now, struct hd_agt_in *in);

#endif
