/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_state: what the parts of ovfq's oracle share. ovfq_bursts.c: bursts, and what memory brings; ovfq_oracle.c: the
 * lists and the groups. */
#ifndef HD_OVFQ_STATE_H
#define HD_OVFQ_STATE_H

#include "env/common/over_lists.h"
#include "oracle/ovfq_oracle.h"

/* So many pointers of a list are kept, wherever they lie in it. */
enum { HD_OVFQ_LONGEST = 512, HD_OVFQ_INFOS = 64 };

struct hd_ovfq_under_way {
  uint32_t walk;          /* in which it was asked for */
  uint32_t number, place; /* of a record; of a list: the first place of its beats */
  uint8_t record;
};

/* A walk along the list of the tag. Groups are counted from the first of the list. `covered`: those before it were
 * read, or others behind them were; `record`: so with records. At the start of the cycle: `next`: the one that is
 * offered or will be; `end`: behind those whose writes are answered; `behind`: behind all; `old`: behind those that
 * were put before the reset, whose pointers only memory tells. */
struct hd_ovfq_walk {
  uint32_t id, list, first, covered, record, next, end, behind, old;
  uint8_t tag_valid, tag_kdei, waited;
};

struct hd_ovfq_oracle {
  struct hd_cfg cfg;
  uint32_t list[HD_MAX_NUM_KDE], kin_list[HD_MAX_NUM_KIN]; /* numbers of lists */
  uint32_t first[HD_MAX_NUM_KDE], count[HD_MAX_NUM_KDE], unans[HD_MAX_NUM_KDE];
  /* Of these: put before the reset; those of suspended kernels; whether the list of that parent record had a kernel. */
  uint32_t old[HD_MAX_NUM_KDE], kin_old[HD_MAX_NUM_KIN];
  uint8_t given[HD_MAX_NUM_KIN];
  uint32_t word[HD_MAX_NUM_LIST][HD_OVFQ_LONGEST]; /* what was put, by list and place */
  uint32_t told[HD_OVFQ_LONGEST];                  /* what memory told of places of the list of the walk */
  uint32_t mask;                                   /* places of a list less one */
  struct hd_memlist taken;
  /* Pointers that were put and not written, oldest first, and the kernels of writes without an answer. */
  struct hd_ovfqwrite put[HD_MAX_OVFQ_WRITES];
  uint32_t puts, passed, idle; /* reads since the oldest was first; cycles in which it might have been asked for */
  uint8_t write[HD_MAX_OVFQ_FLIGHT];
  uint32_t writes;
  struct hd_ovfq_under_way read[HD_MAX_OVFQ_FLIGHT];
  uint32_t reads, beat;
  uint8_t asked, data, error; /* the request stands; a beat is to be written; of the oldest read */
  struct hd_memreq req;
  uint8_t write_fail, write_fail_kdei, fetch_fail; /* expected in this cycle */
  struct hd_ovfq_walk walk, before;                /* in the cycle before: what begins in a cycle is seen in the next */
  uint8_t shown, stopped;
  uint32_t popped, unshown;
  struct hd_info info[HD_OVFQ_INFOS], partial; /* of records that were read and not popped */
  uint32_t number[HD_OVFQ_INFOS], infos;
};

/* A pointer as a word of memory; that which was put into place p of a list; that of group i of the walk. */
uint32_t hd_ovfq_word_of(struct hd_ptr p);
uint32_t *hd_ovfq_word_at(struct hd_ovfq_oracle *o, uint32_t list, uint32_t p);
uint32_t hd_ovfq_word_in(struct hd_ovfq_oracle *o, const struct hd_ovfq_walk *w, uint32_t i);

/* Each returns NULL, or the rule that was broken: a request, and how far the walk has come with it; the beat that
 * follows the request of a write; the answer to a write; a beat of a read, of which nothing is wanted in a stop. */
const char *hd_ovfq_watch_request(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, const struct hd_ovfq_out *out);
const char *hd_ovfq_watch_data(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, const struct hd_ovfq_out *out);
const char *hd_ovfq_watch_answer(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in);
const char *hd_ovfq_watch_beat(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, bool stop);

#endif
