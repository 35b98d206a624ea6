/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_state: the state and functions that the parts of ovfq's oracle share. ovfq_bursts.c: bursts and read data;
 * ovfq_oracle.c: lists and groups. */
#ifndef HD_OVFQ_STATE_H
#define HD_OVFQ_STATE_H

#include "env/common/over_lists.h"
#include "oracle/ovfq_oracle.h"

/* Maximum number of pointers of a list, and of records, that the oracle can hold. */
enum { HD_OVFQ_LONGEST = 512, HD_OVFQ_INFOS = 64 };

/* An open read. */
struct hd_ovfq_under_way {
  uint32_t walk;          /* walk in which it was requested */
  uint32_t number, place; /* number of the record; first place of the beats of a list */
  uint8_t record;         /* it reads a record, not a list */
};

/* A walk along the list of the tag (the current kernel). Groups are counted from the first of the list.
 * - covered: groups before it were read, or one behind them was; record: the same for their records.
 * As of the start of the cycle:
 * - next: the group that is offered or will be next;
 * - end: behind the groups whose pointers are certainly written;
 * - behind: behind all groups;
 * - old: behind the groups that were put before the reset, whose pointers only memory knows. */
struct hd_ovfq_walk {
  uint32_t id, list, first, covered, record, next, end, behind, old;
  uint8_t tag_valid, tag_kdei, waited;
};

struct hd_ovfq_oracle {
  struct hd_cfg cfg;
  uint32_t list[HD_MAX_NUM_KDE], kin_list[HD_MAX_NUM_KIN]; /* numbers of lists */
  uint32_t first[HD_MAX_NUM_KDE], count[HD_MAX_NUM_KDE], unans[HD_MAX_NUM_KDE];
  /* Groups that were put before the reset, in the lists of KD entries and of suspended kernels. */
  uint32_t old[HD_MAX_NUM_KDE], kin_old[HD_MAX_NUM_KIN];
  uint8_t given[HD_MAX_NUM_KIN];                   /* the list of that parent record was exchanged since the reset */
  uint32_t word[HD_MAX_NUM_LIST][HD_OVFQ_LONGEST]; /* pointers put, by list and place */
  uint32_t reported[HD_OVFQ_LONGEST];              /* pointers read from the list of the walk, by place */
  uint32_t mask;                                   /* places of a list - 1 */
  struct hd_memlist taken;
  /* Pointers that were put and not written, oldest first, and the kernels of unanswered writes. */
  struct hd_ovfqwrite put[HD_MAX_OVFQ_WRITES];
  uint32_t puts, passed, idle; /* passed: reads since put[0] is the oldest; idle: cycles in which it could be written */
  uint8_t write[HD_MAX_OVFQ_FLIGHT];
  uint32_t writes;
  struct hd_ovfq_under_way read[HD_MAX_OVFQ_FLIGHT];
  uint32_t reads, beat;
  uint8_t asked, data, error; /* a request is not accepted yet; a write beat is due; the oldest read has an error */
  struct hd_memreq req;
  uint8_t write_fail, write_fail_kdei, fetch_fail; /* expected in this cycle */
  struct hd_ovfq_walk walk, before;                /* now, and in the cycle before, to which a new request belongs */
  uint8_t shown, stopped;
  uint32_t popped, unshown;
  struct hd_info info[HD_OVFQ_INFOS], partial; /* records read and not popped; the one being read */
  uint32_t number[HD_OVFQ_INFOS], infos;
};

/* Return a pointer as a word of memory; the word put at place p of a list; the word of group i of the walk. */
uint32_t hd_ovfq_word_of(struct hd_ptr p);
uint32_t *hd_ovfq_word_at(struct hd_ovfq_oracle *o, uint32_t list, uint32_t p);
uint32_t hd_ovfq_word_in(struct hd_ovfq_oracle *o, const struct hd_ovfq_walk *w, uint32_t i);

/* Check a request, and advance the walk; the data of a write; the answer to a write; a beat of a read, which is ignored
 * if the walk stops. Each returns NULL or the broken rule. */
const char *hd_ovfq_watch_request(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, const struct hd_ovfq_out *out);
const char *hd_ovfq_watch_data(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, const struct hd_ovfq_out *out);
const char *hd_ovfq_watch_answer(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in);
const char *hd_ovfq_watch_beat(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, bool stop);

#endif
