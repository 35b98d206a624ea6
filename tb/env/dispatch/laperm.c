/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm: golden model and cover points; the random environment is laperm_neighbours, the oracle laperm_oracle. */
#include "dispatch/laperm.h"

#include "env/common/model.h"
#include "env/dispatch/laperm_neighbours.h"
#include "env/top/plane_blocks.h"
#include "oracle/laperm_oracle.h"

HD_BLOCK_DRIVER_MODEL(laperm)

static void laperm_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_laperm_arch *a = arch;
  if (group)
    hd_pq_arch(hd_laperm_bank(m, group - 1), &a->pq[group - 1], tables);
  else
    hd_laperm_arch_own(m, a);
}

static const struct hd_wrote *laperm_wrote(const void *m, unsigned group) {
  return group ? hd_laperm_bank(m, group - 1)->wrote : NULL;
}

static void laperm_row(const void *m, unsigned group, unsigned row, void *arch) {
  struct hd_laperm_arch *a = arch;
  hd_pq_arch_row(hd_laperm_bank(m, group - 1), row, &a->pq[group - 1]);
}

static void laperm_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_laperm_show_inner(m, in, inner);
}

HD_BLOCK_DRIVER_NEIGHBOURS(laperm)

/* Some points distinguish the policies, or need a level without unused arrival numbers: they count as hit in
 * configurations with fewer than three banks, or with more numbers than a test uses. So does a kernel that is marked
 * only because of A3: its bank has places again if the level of the group in A3 is not open. Too rare in deep banks are
 * a group that is queued for that reason, and groups and kernels that enter beside memory as a line is reserved or
 * released: more than 16 entries count as hit. So do two lines of a bank where only one is in flight, and a line that
 * is reserved as others are released, where it has one group. */
static const char *const covers[] = {"event",
                                     "group_refused",
                                     "refused_since_a3_goes_there",
                                     "a3_goes_there_and_room_is_left",
                                     "refused_though_one_leaves",
                                     "group_under_rr",
                                     "one_bank_full",
                                     "all_banks_full",
                                     "kernel_to_bank",
                                     "kernel_in_the_middle",
                                     "kernel_to_bank_and_marked",
                                     "kernel_waits",
                                     "kernel_waits_ready",
                                     "one_place_is_not_enough",
                                     "kernel_without_native_part",
                                     "kernel_of_the_host",
                                     "group_and_kernel",
                                     "group_and_kernel_of_a_level",
                                     "group_kernel_and_last",
                                     "push_and_take_of_a_bank",
                                     "push_and_last_of_a_bank",
                                     "last_of_its_level",
                                     "last_of_its_level_and_one_comes",
                                     "fronts_of_a_level",
                                     "winner_leaves",
                                     "winner_leaves_as_its_bank_is_pushed",
                                     "rr_spare",
                                     "tb_pri_of_another",
                                     "bound_own",
                                     "adaptive_spare",
                                     "spare_beside_bound",
                                     "policy_changes",
                                     "take_as_policy_changes",
                                     "backup_is_not_the_next",
                                     "backup_is_empty",
                                     "backup_filled_again",
                                     "level_is_closed",
                                     "put",
                                     "behind_memory",
                                     "behind_a3",
                                     "not_behind_one_that_is_refused",
                                     "line_stays_free",
                                     "line_stays_free_beside_a3",
                                     "to_its_bank_beside_memory",
                                     "not_behind_any_more",
                                     "kernel_behind_memory",
                                     "kernel_behind_a3",
                                     "two_places_are_not_enough",
                                     "kernel_waits_for_back",
                                     "kernel_beside_memory",
                                     "back",
                                     "back_waits_for_a3",
                                     "back_waits_for_its_level",
                                     "back_and_group",
                                     "back_and_group_of_a_level",
                                     "back_and_take",
                                     "back_and_last",
                                     "back_to_the_last_place",
                                     "back_while_a3_holds_one_behind",
                                     "back_beside_kernel_that_does_not_bind",
                                     "back_under_rr",
                                     "place_though_full_but_a_line",
                                     "no_place_though_held",
                                     "lost",
                                     "inversion",
                                     "inversion_of_the_sscr",
                                     "inversion_under_tb_pri_of_another",
                                     "no_inversion_but_under_tb_pri",
                                     "no_inversion_of_lower_levels",
                                     "front_waits_for_its_list",
                                     "refused_though_other_queues_have_room",
                                     "put_though_its_queue_has_no_room_any_more",
                                     "refused_though_its_queue_has_room_again",
                                     "kept_places_stop_a_group",
                                     "kept_places_stop_a_kernel",
                                     "no_place_beside_a3",
                                     "reserved",
                                     "reserved_as_a_group_is_in_a2",
                                     "reserved_as_a_group_is_in_a3",
                                     "reserved_as_a_kernel_enters",
                                     "reserved_as_a_group_returns",
                                     "reserved_as_an_entry_leaves",
                                     "reserved_and_released",
                                     "reserved_beside_another_line",
                                     "reserved_the_last_places",
                                     "released",
                                     "released_as_a_group_is_in_a3",
                                     "released_as_a_group_returns",
                                     "released_as_a_group_finds_no_place",
                                     "room_again_after_the_last_loss",
                                     "inversion_of_a_spare_tb",
                                     "inversion_of_the_backup",
                                     "inversion_of_the_own_bank",
                                     NULL};

static void cover_groups(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                         const struct hd_laperm_out *out, uint64_t *hits) {
  const unsigned bank = hd_laperm_neighbours_bank(s, in->devq_group.smx), room = hd_laperm_neighbours_room(s, bank);
  const unsigned line = hd_laperm_memory_line(&s->cfg, in, bank);
  unsigned full = 0;
  bool judged = in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR,
       same = hd_laperm_neighbours_into(s, out, bank);
  for (unsigned b = 0; b < s->cfg.num_bank; b++) full += s->in_bank[b] == s->cfg.pq_depth;
  hits[1] += out->full;
  hits[2] += judged && same && !line && room == 1;
  hits[3] += judged && same && !line && room == 2;
  hits[4] +=
      judged && room == 0 && in->sched_take.valid && in->sched_take.bank == bank && out->bank_last[in->sched_take.bank];
  hits[5] += in->devq_group.valid && in->regs_config.policy == HD_POLICY_RR;
  hits[6] += full == 1;
  hits[7] += s->cfg.num_bank > 4 || full == s->cfg.num_bank; /* with more banks, all are full at once in some runs only
                                                              * */
}

static void cover_kernels(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                          const struct hd_laperm_out *out, uint64_t *hits) {
  bool enters = in->kmu_offer.valid && in->kd_free.valid && !out->enter.wait_bank, bank = enters && out->enter.bank;
  bool last = in->sched_take.valid && out->bank_last[in->sched_take.bank], pushed = out->push.valid && !out->put.valid;
  hits[8] += bank;
  hits[9] += bank && in->kmu_offer.kernel.progress.nextbl;
  hits[10] += bank && out->enter.mark;
  hits[11] += out->enter.wait_bank;
  hits[12] += out->enter.wait_bank && in->kd_free.valid;
  hits[13] +=
      enters && !bank && in->regs_config.policy != HD_POLICY_RR && in->kmu_offer.kernel.level &&
      !in->kmu_offer.kernel.progress.ndone &&
      hd_laperm_neighbours_places(s, in, out, hd_laperm_neighbours_bank(s, in->kmu_offer.kernel.origin.smx)) == 1 &&
      hd_laperm_neighbours_room(s, hd_laperm_neighbours_bank(s, in->kmu_offer.kernel.origin.smx)) == 1;
  hits[14] += enters && in->regs_config.policy != HD_POLICY_RR && in->kmu_offer.kernel.level &&
              in->kmu_offer.kernel.progress.ndone;
  hits[15] += enters && in->regs_config.policy != HD_POLICY_RR && !in->kmu_offer.kernel.level;
  hits[16] += bank && pushed;
  hits[17] += bank && pushed && in->kmu_offer.kernel.level == s->a3_level;
  hits[18] += bank && pushed && last;
}

static void cover_takes(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                        const struct hd_laperm_out *out, uint64_t *hits) {
  unsigned b = in->sched_take.bank, level = out->bank_front[b].level, peers = 0;
  bool kernel = in->kd_free.valid && out->enter.bank, last = in->sched_take.valid && out->bank_last[b];
  bool group = out->push.valid && !out->put.valid, back = in->spill_back.valid && out->back_ready;
  bool pushed = (group && s->a3_bank == b) ||
                (kernel && hd_laperm_neighbours_bank(s, in->kmu_offer.kernel.origin.smx) == b) ||
                (back && in->spill_back.bank == b);
  bool born = (group && s->a3_level == level) || (kernel && in->kmu_offer.kernel.level == level) ||
              (back && in->spill_back.info.level == level);
  int winner = hd_laperm_best_front(s, out);
  for (unsigned k = 0; k < s->cfg.num_bank; k++)
    peers += winner >= 0 && out->bank_front[k].level == out->bank_front[winner].level;
  hits[19] += in->sched_take.valid && pushed;
  hits[20] += last && pushed;
  hits[21] += last && s->live[level] == 1 && !born;
  hits[22] += last && s->live[level] == 1 && born;
  hits[23] += peers > 1;
  hits[24] += last && (int)b == winner;
  hits[25] += last && (int)b == winner && pushed;
}

static void cover_policies(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                           const struct hd_laperm_out *out, uint64_t *hits) {
  bool adaptive = in->regs_config.policy == HD_POLICY_ADAPTIVE_BIND, take = in->sched_take.valid;
  hits[26] += take && in->regs_config.policy == HD_POLICY_RR;
  hits[27] += take && in->regs_config.policy == HD_POLICY_TB_PRI &&
              in->sched_take.bank != hd_laperm_neighbours_bank(s, in->sched_grant.smx);
  hits[28] += take && in->regs_config.policy >= HD_POLICY_SMX_BIND && !in->sched_take.spare;
  hits[29] += take && adaptive && in->sched_take.spare;
  hits[30] += take && in->sched_take.spare && out->bound_valid[in->sched_grant.smx];
  hits[31] += s->used && s->was_policy != in->regs_config.policy;
  hits[32] += take && s->was_policy != in->regs_config.policy;
  hits[33] += s->cfg.num_bank < 3;
  hits[34] += s->cfg.num_bank < 3;
  hits[35] += s->cfg.num_bank < 3;
  for (unsigned k = 0; adaptive && k < s->cfg.num_smx; k++) {
    unsigned backup = s->backup[k], next = (hd_laperm_neighbours_bank(s, k) + 1) % s->cfg.num_bank;
    if (!hd_bit(s->backup_valid, k)) continue;
    hits[33] += s->in_bank[backup] && s->in_bank[next] && backup != next;
    hits[34] += !s->in_bank[backup] && out->spare_valid[k];
    hits[35] += !s->in_bank[backup] && hd_laperm_neighbours_into(s, out, backup);
  }
}

static void cover_to_memory(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                            const struct hd_laperm_out *out, uint64_t *hits) {
  const unsigned bank = hd_laperm_neighbours_bank(s, in->devq_group.smx), level = in->devq_group.info.level;
  hits[0] += out->put.valid;
  if (in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR) {
    const bool held = hd_laperm_memory_held(&s->cfg, in, bank, level);
    const bool behind = hd_laperm_neighbours_behind(s, in, out, bank, level);
    const bool line = hd_laperm_memory_from(&s->cfg, in, bank, 1), into = hd_laperm_neighbours_into(s, out, bank);
    const int places = hd_laperm_neighbours_places(s, in, out, bank);
    hits[1] += held && places > 0;
    hits[2] += s->cfg.pq_depth > 16 || (behind && !held && out->put.valid && places > 0);
    hits[3] += !behind && out->full && s->a3_bank == bank && s->a3_level == level && places > 0;
    hits[4] += line && !behind && !into && places == 0;
    hits[5] += s->cfg.pq_depth > 16 || (line && !behind && into && places == 0);
  }
  const bool group = out->push.valid && !out->put.valid;
  hits[6] += group && hd_laperm_memory_from(&s->cfg, in, s->a3_bank, 1);
  hits[7] += group && s->a3_freed;
}

static void cover_kernels_and_memory(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                                     const struct hd_laperm_out *out, uint64_t *hits) {
  const unsigned bank = hd_laperm_neighbours_bank(s, in->kmu_offer.kernel.origin.smx),
                 level = in->kmu_offer.kernel.level;
  if (!in->kmu_offer.valid || in->regs_config.policy == HD_POLICY_RR || !level || in->kmu_offer.kernel.progress.ndone)
    return;
  const bool held = hd_laperm_memory_held(&s->cfg, in, bank, level);
  const bool behind = hd_laperm_neighbours_behind(s, in, out, bank, level);
  const bool line = hd_laperm_memory_from(&s->cfg, in, bank, 1);
  const int places = hd_laperm_neighbours_places(s, in, out, bank);
  hits[0] += out->enter.mark && held && places > 1;
  hits[1] += s->cfg.arrival_w > 6 || (out->enter.mark && behind && !held && places > 1);
  hits[2] += out->enter.mark && line && !behind && places == 1;
  hits[3] += out->enter.wait_bank && out->back_ready && !hd_laperm_neighbours_into(s, out, bank);
  hits[4] += s->cfg.pq_depth > 16 || (out->enter.bank && in->kd_free.valid && line);
}

static void cover_back(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                       const struct hd_laperm_out *out, uint64_t *hits) {
  const unsigned bank = in->spill_back.bank, level = in->spill_back.info.level;
  const bool back = in->spill_back.valid && out->back_ready, into = hd_laperm_neighbours_into(s, out, bank);
  const bool group = out->push.valid && !out->put.valid,
             take = back && in->sched_take.valid && in->sched_take.bank == bank;
  hits[0] += back;
  hits[1] += in->spill_back.valid && into;
  hits[2] += s->cfg.arrival_w > 6 || (in->spill_back.valid && !into && !back);
  hits[3] += s->cfg.num_bank < 2 || (back && group);
  hits[4] += s->cfg.num_bank < 2 || (back && group && s->a3_level == level);
  hits[5] += take;
  hits[6] += take && out->bank_last[bank];
  hits[7] += back && s->in_bank[bank] + 1 == s->cfg.pq_depth;
  hits[8] += back && (out->put.valid || out->full) && s->a3_bank == bank && s->a3_level == level;
  hits[9] += back && in->kmu_offer.valid && !out->enter.wait_bank;
  hits[10] += back && in->regs_config.policy == HD_POLICY_RR;
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    if (!hd_laperm_memory_from(&s->cfg, in, b, 1)) continue;
    hits[11] += out->place[b] && hd_laperm_neighbours_room(s, b) == s->cfg.spill_line;
    hits[12] += !out->place[b];
  }
  hits[13] += s->memory.lost;
}

static void cover_inversions(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                             const struct hd_laperm_out *out, uint64_t *hits) {
  bool own = hd_laperm_memory_from(&s->cfg, in, s->ran_bank, s->ran_level + 1), other = false;
  for (unsigned b = 0; b < s->cfg.num_bank; b++)
    other |= b != s->ran_bank && hd_laperm_memory_from(&s->cfg, in, b, s->ran_level + 1);
  hits[0] += out->inversion;
  hits[1] += out->inversion && s->ran_grant;
  hits[2] += s->cfg.num_bank < 2 || (out->inversion && s->ran_any && !own);
  hits[3] += s->cfg.num_bank < 2 || (s->ran && !s->ran_any && !own && other);
  hits[4] += s->ran && !out->inversion && hd_laperm_memory_from(&s->cfg, in, s->ran_bank, 1);
}

/* A spare TB passes groups of no higher level: of either bank, of the backup alone, of the own bank alone. */
static void cover_passed(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                         const struct hd_laperm_out *out, uint64_t *hits) {
  const bool higher = hd_laperm_memory_from(&s->cfg, in, s->ran_bank, s->ran_level + 1);
  const bool own = s->passed_own >= 0 && hd_laperm_memory_from(&s->cfg, in, (unsigned)s->passed_own, 1);
  const bool backup = s->passed_backup >= 0 && hd_laperm_memory_from(&s->cfg, in, (unsigned)s->passed_backup, 1);
  const bool lowest = s->passed_own >= 0 && !hd_laperm_memory_from(&s->cfg, in, (unsigned)s->passed_own, 2);
  const bool other = s->cfg.num_bank < 3 || s->cfg.num_bank > 4; /* with many banks this is rare */
  hits[0] += s->cfg.num_bank < 2 || (out->inversion && !higher && own && lowest);
  hits[1] += other || (out->inversion && !higher && !own && backup);
  hits[2] += other || (out->inversion && !higher && own && s->passed_backup >= 0 && !backup);
}

/* Room of memory's queues, in A2 and one cycle later; a group or a kernel that would enter if no places were kept. */
static void cover_queues(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                         const struct hd_laperm_out *out, uint64_t *hits) {
  const bool policy = in->regs_config.policy != HD_POLICY_RR;
  const bool room = s->a3 >= 0 && hd_laperm_memory_room(&s->cfg, in, s->a3_bank, s->a3_level);
  if (in->devq_group.valid && policy) {
    const unsigned bank = hd_laperm_neighbours_bank(s, in->devq_group.smx), level = in->devq_group.info.level;
    const int places = hd_laperm_neighbours_places(s, in, out, bank);
    const bool behind = hd_laperm_neighbours_behind(s, in, out, bank, level);
    hits[0] += (behind || places <= 0) && !hd_laperm_memory_room(&s->cfg, in, bank, level) &&
               memchr(in->spill_room, 1, s->cfg.ring_queues);
    hits[3] += !behind && places <= 0 && places + s->memory.kept[bank] > 0;
  }
  hits[1] += out->put.valid && !room;
  hits[2] += out->full && room;
  if (!in->kmu_offer.valid || !policy || !in->kmu_offer.kernel.level || in->kmu_offer.kernel.progress.ndone) return;
  const unsigned bank = hd_laperm_neighbours_bank(s, in->kmu_offer.kernel.origin.smx);
  const int places = hd_laperm_neighbours_places(s, in, out, bank) + hd_laperm_neighbours_into(s, out, bank);
  hits[4] += out->enter.mark && !hd_laperm_neighbours_behind(s, in, out, bank, in->kmu_offer.kernel.level) &&
             places < 2 && places + s->memory.kept[bank] >= 2;
}

/* Places of banks that are reserved and released, beside what else changes their room. */
static void cover_places(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                         const struct hd_laperm_out *out, uint64_t *hits) {
  const bool group = in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR;
  const bool kernel = in->kd_free.valid && out->enter.bank, back = in->spill_back.valid && out->back_ready;
  const bool deep = s->cfg.pq_depth > 16;
  const unsigned line = s->cfg.spill_line, a2 = hd_laperm_neighbours_bank(s, in->devq_group.smx);
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    const bool into = hd_laperm_neighbours_into(s, out, b), returns = back && in->spill_back.bank == b;
    const unsigned room = hd_laperm_neighbours_room(s, b);
    hits[0] += !out->place[b] && into && room == line;
    if (in->spill_reserve[b]) {
      hits[1]++;
      hits[2] += group && a2 == b;
      hits[3] += deep || into;
      hits[4] += deep || (kernel && hd_laperm_neighbours_bank(s, in->kmu_offer.kernel.origin.smx) == b);
      hits[5] += returns;
      hits[6] += in->sched_take.valid && in->sched_take.bank == b && out->bank_last[b];
      hits[7] += line == 1 || in->spill_release[b];
      hits[8] += s->cfg.spill_flight == line || s->memory.kept[b];
      hits[9] += room - into == line;
    }
    if (!in->spill_release[b]) continue;
    hits[10]++;
    hits[11] += deep || into;
    hits[12] += returns;
    hits[13] += group && a2 == b && hd_laperm_neighbours_places(s, in, out, b) <= 0;
  }
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_laperm_neighbours *s = s_;
  const struct hd_laperm_in *in = in_;
  const struct hd_laperm_out *out = out_;
  hits[0] += out->push.valid + (out->enter.bank && in->kd_free.valid) + in->sched_take.valid + out->back_ready;
  cover_groups(s, in, out, hits);
  cover_kernels(s, in, out, hits);
  cover_takes(s, in, out, hits);
  cover_policies(s, in, out, hits);
  hits[36] += s->cfg.arrival_w > 6 || ((out->full || out->put.valid) && !s->a3_behind && s->a3_places > 0);
  cover_to_memory(s, in, out, hits + 37);
  cover_kernels_and_memory(s, in, out, hits + 45);
  cover_back(s, in, out, hits + 50);
  cover_inversions(s, in, out, hits + 64);
  for (unsigned b = 0; b < s->cfg.num_bank; b++)
    hits[69] += out->bank_valid[b] && in->kd_sav_full[out->bank_front[b].kdei];
  cover_queues(s, in, out, hits + 70);
  cover_places(s, in, out, hits + 75);
  hits[89] += s->memory.opened;
  cover_passed(s, in, out, hits + 90);
}

const struct hd_block_driver hd_block_driver_laperm = {HD_BLOCK_DRIVER_MODEL_FIELDS(laperm),
                                                       HD_BLOCK_DRIVER_ROWS_FIELDS(laperm),
                                                       .inner_size = sizeof(struct hd_laperm_inner),
                                                       .inner = laperm_inner,
                                                       HD_BLOCK_ORACLE_FIELDS(laperm),
                                                       HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_laperm_neighbours)};
