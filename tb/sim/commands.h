/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* commands: the launching side of the SMXs: what their warps want to launch, on its way to the plane.
 *
 * Each SMX offers the beats of its warps' commands one after the other, in the order in which the commands came, a beat
 * until it is taken and without a gap within a command (a gap would end it). The plane answers the beats of an SMX in
 * that order. */
#ifndef HD_COMMANDS_H
#define HD_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

/* A beat and whose it is. */
struct hd_beat {
  struct hd_devlaunch launch;
  uint32_t owner; /* the caller's */
  bool offered;   /* the plane has seen it */
};

struct hd_commands;

/* NULL: out of memory. */
struct hd_commands *hd_commands_new(uint32_t num_smx);
void hd_commands_free(struct hd_commands *c);

/* A command of n beats; beat k belongs to owner + k. False: out of memory. */
bool hd_commands_push(struct hd_commands *c, uint32_t smx, const struct hd_devlaunch *beat, uint32_t n, uint32_t owner);
/* What the SMX offers in this cycle; NULL: nothing. *first_time: it was not offered before. */
const struct hd_beat *hd_commands_offer(struct hd_commands *c, uint32_t smx, bool *first_time);
/* It was taken. */
void hd_commands_taken(struct hd_commands *c, uint32_t smx);
/* The plane has answered: the beat that is meant, until the next push; NULL: none is unanswered. */
const struct hd_beat *hd_commands_answered(struct hd_commands *c, uint32_t smx);

/* Beats that are not answered, of all SMXs. */
uint32_t hd_commands_open(const struct hd_commands *c);

#endif
