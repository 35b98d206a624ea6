/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* commands: the launch commands of the SMXs' warps, queued for the plane.
 *
 * Each SMX offers the beats of its commands in order, holds a beat until it is accepted, and leaves no gap within a
 * command (a gap would end it). The plane answers the beats of an SMX in the same order. */
#ifndef HD_COMMANDS_H
#define HD_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

/* A beat and its owner. */
struct hd_beat {
  struct hd_devlaunch launch;
  uint32_t owner; /* number chosen by the caller */
  bool offered;   /* the plane has seen it */
};

struct hd_commands;

/* Returns NULL if out of memory. */
struct hd_commands *hd_commands_new(uint32_t num_smx);
void hd_commands_free(struct hd_commands *c);

/* Enqueues a command of n beats; beat k belongs to owner + k. Returns false if out of memory. */
bool hd_commands_push(struct hd_commands *c, uint32_t smx, const struct hd_devlaunch *beat, uint32_t n, uint32_t owner);
/* Returns the beat that the SMX offers in this cycle, or NULL. *first_time: it was not offered before. */
const struct hd_beat *hd_commands_offer(struct hd_commands *c, uint32_t smx, bool *first_time);
/* The offered beat was accepted. */
void hd_commands_taken(struct hd_commands *c, uint32_t smx);
/* The plane has answered. Returns the answered beat, valid until the next push, or NULL if none is unanswered. */
const struct hd_beat *hd_commands_answered(struct hd_commands *c, uint32_t smx);

/* Returns the number of unanswered beats of all SMXs. */
uint32_t hd_commands_open(const struct hd_commands *c);

#endif
