/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle of laperm: reports no rule for the golden model in its random environment, and reports one when in one
 * cycle an output is changed without the model's knowledge, or an input, as if the model had ignored it. */
#include "gen/hd_laperm_ports.h"
#include "unit/harness/oracle_fixture.h"

#define BREACH(name, if_, then)                                                        \
  static bool name(const void *in_, void *out_) {                                      \
    struct hd_laperm_in *in = (struct hd_laperm_in *)(uintptr_t)in_;                   \
    struct hd_laperm_out *out = out_;                                                  \
    const unsigned bank = in->devq_group.smx, level = in->devq_group.info.level;       \
    const unsigned queue = bank * cfg.max_level + (level ? level - 1 : 0);             \
    const bool group = in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR; \
    (void)bank, (void)level, (void)group, (void)queue, (void)out;                      \
    if (!(if_)) return false;                                                          \
    then;                                                                              \
    return true;                                                                       \
  }

/* Of groups in A3. */
BREACH(not_refused, out->full, out->full = 0)
BREACH(refused, out->push.valid, out->full = 1)
BREACH(not_put, out->put.valid, out->put.valid = 0)
BREACH(put_without_room, out->full, out->put.valid = 1)
BREACH(put_and_pushed, out->push.valid && !out->put.valid, out->put.valid = 1)
BREACH(not_pushed, out->push.valid, out->push.valid = 0)
BREACH(wrong_kernel, out->push.valid, out->push.kdei ^= 1)
BREACH(put_to_another_bank, out->put.valid, out->put.bank ^= 1)
BREACH(put_of_another_kernel, out->put.valid, out->put.kdei ^= 1)
BREACH(put_changed, out->put.valid, out->put.info.ctas++)
BREACH(shows_without_put, !out->put.valid, out->put.info.param = 1)

TEST(groups) {
  silent("laperm");
  names("laperm", "a group without a place in bank or memory is not refused", not_refused);
  names("laperm", "a group is refused that has a place", refused);
  names("laperm", "a group that its bank does not accept is not sent to memory", not_put);
  names("laperm", "a group is sent to memory that has no room for it", put_without_room);
  names("laperm", "a group is sent to memory though its bank accepts it", put_and_pushed);
  names("laperm", "push_valid", not_pushed);
  names("laperm", "push_kdei", wrong_kernel);
  names("laperm", "put shows another group than the one in A3", put_to_another_bank);
  names("laperm", "put shows another group than the one in A3", put_of_another_kernel);
  names("laperm", "put shows another group than the one in A3", put_changed);
  names("laperm", "put shows another group than the one in A3", shows_without_put);
}

/* Levels of the bank that are in memory. */
static unsigned held_levels(const struct hd_laperm_in *in, unsigned bank) {
  unsigned n = 0;
  for (unsigned l = 0; l < cfg.max_level; l++) n += in->spill_held[bank * cfg.max_level + l];
  return n;
}

/* Returns whether the places of a line of bank 0 were promised in the cycle before. */
static bool were_promised(const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  static bool promised;
  const bool were = promised;
  promised = out->place[0] && !in->spill_reserve[0] && held_levels(in, 0);
  return were;
}

/* Places and room, returning groups, kernels, and inversions. */
BREACH(no_place, !were_promised(in, out) && out->place[0], out->place[0] = 0)
BREACH(a_place, !out->place[1], out->place[1] = 1)
BREACH(room_of_held, held_levels(in, 0), out->bank_room[0] = 1)
BREACH(too_much_room, out->bank_room[0] && out->bank_room[0] < 7, out->bank_room[0]++)
BREACH(too_little_room, out->bank_room[0], out->bank_room[0]--)
BREACH(not_taken, out->back_ready, out->back_ready = 0)
BREACH(taken_too_early, in->spill_back.valid && !out->back_ready, out->back_ready = 1)
BREACH(nothing_taken, !in->spill_back.valid, out->back_ready = 1)
BREACH(kernel_passes, in->kmu_offer.valid && out->enter.mark && !out->enter.bank && in->kmu_offer.kernel.level,
       out->enter.bank = 1)
BREACH(kernel_does_not_wait, out->enter.wait_bank && out->back_ready, out->enter.wait_bank = 0; out->enter.bank = 1)
BREACH(no_inversion, out->inversion, out->inversion = 0)
BREACH(an_inversion, !out->inversion, out->inversion = 1)

TEST(others) {
  names("laperm", "place does not show whether the bank has free places for a line of groups", no_place);
  names("laperm", "place does not show whether the bank has free places for a line of groups", a_place);
  names("laperm", "bank_room reports room that a group may not find", room_of_held);
  names("laperm", "bank_room reports room that a group may not find", too_much_room);
  names("laperm", "bank_room does not report free places", too_little_room);
  names("laperm", "back_ready does not wait for the level and the group in A3, or waits for something else", not_taken);
  names("laperm", "back_ready does not wait for the level and the group in A3, or waits for something else",
        taken_too_early);
  names("laperm", "back_ready is set though no group returns", nothing_taken);
  names("laperm", "enter_bank does not show whether the bank has room for the native part", kernel_passes);
  names("laperm", "enter_wait does not show that a group enters the kernel's bank or returns from memory",
        kernel_does_not_wait);
  names("laperm", "inversion does not show that a TB was granted before one that waits in memory", no_inversion);
  names("laperm", "inversion does not show that a TB was granted before one that waits in memory", an_inversion);
}

/* Returns whether the kernel on offer enters bank 0, which has places for one line and no group in memory. */
static bool takes_the_last(const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  return out->enter.bank && in->kd_free.valid && !in->kmu_offer.kernel.origin.smx && !held_levels(in, 0) &&
         out->bank_room[0] == cfg.spill_line && !in->spill_reserve[0];
}

/* As if the block had missed that a queue is held (of one SMX, a bank) or has room, that places are reserved, a TB that
 * is handed out, or a group; and illegal actions of spill. */
BREACH(ignores_held,
       group && !in->kmu_offer.valid && level == 1 && !in->spill_held[bank * cfg.max_level] && held_levels(in, bank),
       in->spill_held[bank * cfg.max_level] = 1)
BREACH(ignores_not_held,
       group && !in->kmu_offer.valid && !out->inversion && in->spill_held[bank * cfg.max_level + level - 1] &&
           held_levels(in, bank) > 1,
       in->spill_held[bank * cfg.max_level + level - 1] = 0)
BREACH(ignores_grant, !in->sched_take.valid && !in->sched_grant.valid && in->regs_config.policy == HD_POLICY_TB_PRI,
       in->sched_grant.valid = 1;
       in->sched_grant.level = 0)
BREACH(ignores_group,
       !in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR && out->place[0] &&
           !memchr(in->spill_held, 1, cfg.ring_queues),
       in->devq_group.valid = 1;
       in->devq_group.info.level = 1)
BREACH(comes_back_changed, out->back_ready, in->spill_back.info.param ^= 1)
BREACH(comes_back_without_place, !in->spill_back.valid && !held_levels(in, 0), in->spill_back.valid = 1;
       in->spill_back.info.level = 1)
BREACH(ignores_no_room, group && in->spill_held[queue] && in->spill_room[queue], in->spill_room[queue] = 0)
BREACH(ignores_room, group && in->spill_held[queue] && !in->spill_room[queue], in->spill_room[queue] = 1)
BREACH(ignores_reserve, out->bank_room[0] == cfg.pq_depth && !in->spill_reserve[0], in->spill_reserve[0] = 1)
BREACH(takes_promised_places, were_promised(in, out) && out->place[0], out->place[0] = 0)
BREACH(reserves_without_place, !out->place[0], in->spill_reserve[0] = 1)
BREACH(reserves_what_a_kernel_takes, takes_the_last(in, out), in->spill_reserve[0] = 1)
BREACH(releases_too_much, !held_levels(in, 0), in->spill_release[0] = 1)

TEST(inputs) {
  names("laperm", "a group", ignores_held);
  names("laperm", "a group", ignores_not_held);
  names("laperm", "inversion does not show that a TB was granted before one that waits in memory", ignores_grant);
  names("laperm", "push_valid", ignores_group);
  names("laperm", "a group returns that was not sent to memory", comes_back_changed);
  names("laperm", "a group returns for which no place is kept", comes_back_without_place);
}

TEST(places_and_rings) {
  names("laperm", "a group without a place in bank or memory is not refused", ignores_no_room);
  names("laperm", "a group is refused that has a place", ignores_room);
  names("laperm", "bank_room reports room that a group may not find", ignores_reserve);
  names("laperm", "the places of a line that were promised are no longer free", takes_promised_places);
  names("laperm", "places are reserved in a bank that has none", reserves_without_place);
  names("laperm", "a kept place is not free", reserves_what_a_kernel_takes);
  names("laperm", "more places are released than are kept", releases_too_much);
}

TEST_MAIN("laperm_oracle", NULL, NULL)
