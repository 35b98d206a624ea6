/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq: golden model, cover points and oracle; the random environment is devq_neighbours. */
#include "launch/devq.h"

#include "env/common/model.h"
#include "env/launch/devq_neighbours.h"

HD_BLOCK_DRIVER_MODEL(devq)
HD_BLOCK_DRIVER_ARCH(devq)
HD_BLOCK_DRIVER_NEIGHBOURS(devq)

static const char *const covers[] = {
    "event",       "kernel",       "group",           "kept",           "unmatched",   "save",
    "refused",     "bad",          "zero_dim",        "over_limit",     "never_fits",  "unknown_stream",
    "empty_slot",  "save_refused", "group_not_held",  "answer_stalled", "smx_stalled", "silent_in_command",
    "beat_33",     "search_waits", "groups_in_a_row", "first_child",    "level_stops", "others_wait",
    "passes_bank", "passes_pool",  "passes_saves",    "row_promised",   "room_lost",   "list_full",
    NULL};

/* Counts cycles in which a group is accepted while another SMX waits: for its bank and spill, for the pool, for the
 * save FIFO. */
static void cover_waits(const struct hd_devq_neighbours *s, const struct hd_devq_in *in, const struct hd_devq_out *out,
                        uint64_t *hits) {
  bool group = false, waits[3] = {false};
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    const unsigned kind = in->dev_launch[k].kind;
    const bool none = !in->spill_rows && !in->laperm_bank_room[k / s->cfg.smx_per_cluster];
    if (!in->dev_launch_valid[k]) continue;
    if (out->dev_launch_ready[k]) {
      group = kind == HD_KIND_GROUP;
      hits[3] += group && in->laperm_bank_room[k / s->cfg.smx_per_cluster] == 0;
      continue;
    }
    waits[0] |= kind == HD_KIND_GROUP && none;
    waits[1] |= kind == HD_KIND_KERNEL && !in->pool_room.ready;
    waits[2] |= kind == HD_KIND_SAVE && !in->susp_save_room;
  }
  for (unsigned k = 0; k < 3; k++) hits[k] += group && waits[k];
  hits[4] += in->match_found.hit && in->ovfq_room && !out->find_take;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct hd_devq_neighbours *s = s_;
  const struct hd_devq_in *in = in_;
  const struct hd_devq_out *out = out_;
  unsigned taken = 0, stalled = 0, offered = 0;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    bool offer = in->dev_launch_valid[k], take = offer && out->dev_launch_ready[k];
    offered += offer;
    taken += take;
    hits[15] += out->dev_answer_valid[k] && !in->dev_answer_ready[k];
    hits[18] += take && s->client[k].sent == 32; /* 32 beats of this command were accepted before this one */
    stalled += offer && !take && s->client[k].unanswered == s->cfg.ans_depth;
  }
  hits[0] += taken;
  for (unsigned k = 0; k < 7; k++) hits[1 + k] += out->event[k];
  static const uint8_t at[] = {0, 0, 8, 9, 10, 11, 12, 0};
  if (out->event[6]) hits[at[out->code]]++;
  hits[13] += out->code == HD_CODE_REFUSED && out->kind == HD_KIND_SAVE;
  hits[14] += out->unhold.valid && out->event[6];
  hits[16] += stalled > 0;
  hits[17] += s->silent;
  hits[19] += out->find.valid && !out->find_take;
  hits[20] += out->hold.valid && out->group.valid && out->unhold.valid;
  hits[21] += out->birth.valid && out->birth.alloc;
  hits[22] += out->push.valid && out->push.kernel.level == s->cfg.max_level;
  hits[23] += taken && offered > 1;
  cover_waits(s, in, out, hits + 24);
  hits[29] += in->link_refused && out->code == HD_CODE_REFUSED;
}

/* Oracle:
 * 1. Beats are checked in the order of acceptance, and answered in order per SMX.
 * 2. An accepted beat is launched, linked or saved as its answer reports, and nothing else is.
 * 3. The beats of a command stay together while their SMX offers them.
 * 4. Each held group is released two cycles later.
 * 5. A group in flight finds an entry in its bank or a row of spill.
 * 6. A group whose bank has room is free: while an SMX offers one, a beat is accepted in all but a few cycles, whatever
 *    else waits.
 * 7. Kernels and saves of an SMX wait for at most two of each other SMX. */
enum {
  UNDER_WAY = 4,
  LOST = 4 /* consecutive cycles without a beat: a turn ends, or kernels and saves come singly */
};

struct oracle {
  struct hd_cfg cfg;
  struct hd_devlaunch beat[UNDER_WAY + 1]; /* accepted and not yet checked, the oldest first */
  uint8_t smx[UNDER_WAY + 1];
  unsigned beats;
  uint8_t fly[HD_MAX_NUM_BANK];    /* per bank: beats in flight at the beginning of the cycle */
  uint8_t free[HD_MAX_NUM_SMX];    /* the SMX offers a free group */
  uint8_t lone[HD_MAX_NUM_SMX];    /* the last group of the SMX found no kernel, or the result is not known yet */
  unsigned surprises;              /* beats in flight that include one that may unexpectedly become a kernel */
  unsigned lost;                   /* cycles without an accepted beat although a free group was offered */
  unsigned before[HD_MAX_NUM_SMX]; /* kernels and saves of other SMXs accepted while the one of this SMX waits */
  uint8_t a3_needs;                /* the group in A3 may need a row */
  struct hd_devanswer owed[HD_MAX_NUM_SMX][HD_MAX_ANS_DEPTH]; /* outstanding answers, the oldest first */
  uint8_t owed_n[HD_MAX_NUM_SMX], judged_n[HD_MAX_NUM_SMX];
  struct {
    uint8_t valid, kdei;
  } held[2];          /* of the previous cycle and the one before */
  uint8_t in_command; /* `last_smx` has more beats of its command to offer */
  uint8_t last_smx;
  uint16_t run; /* its beats since the last beat of a command or of another SMX; a pause between them may have kept the
                 * lock */
  struct hd_look look; /* lookup result for the beat in A3 */
  uint8_t group;       /* a group was in A2 in the previous cycle */
  uint8_t group_bank;
};

HD_BLOCK_DRIVER_ORACLE

/* Returns true if the launch cannot join any kernel, whatever its key. */
static bool is_too_large(const struct oracle *o, const struct hd_devlaunch *l) {
  const struct hd_cfg *c = &o->cfg;
  const struct hd_desc *d = &l->desc;
  return d->grid_x >> c->group_xw || d->grid_y >> c->group_yw || d->grid_z >> c->group_zw || d->param % 64;
}

/* Returns the code of a launch that is invalid in any state of the plane; -1 if the code depends on the state. */
static int fault_of(const struct oracle *o, const struct hd_devq_in *in, const struct hd_devlaunch *l) {
  const struct hd_cfg *c = &o->cfg;
  const struct hd_desc *d = &l->desc;
  uint32_t warps = (l->threads + 31u) / 32, regs = warps * ((l->regs * 32u + c->reg_unit - 1) / c->reg_unit);
  if (l->kind == HD_KIND_SAVE) return -1;
  if (l->kind > HD_KIND_SAVE) return HD_CODE_OVER_LIMIT;
  if (!d->grid_x || !d->grid_y || !d->grid_z || !d->cta_x || !d->cta_y || !d->cta_z || !l->threads || !l->ctas)
    return HD_CODE_ZERO_DIM;
  if (d->cta_x > 1024 || d->cta_y > 1024 || d->cta_z > 64 || l->threads > 1024) return HD_CODE_OVER_LIMIT;
  if (l->kind == HD_KIND_GROUP && l->record >= in->regs_config.rec_count) return HD_CODE_OVER_LIMIT;
  if (warps * 32 > c->threads_per_smx || regs * c->reg_unit > c->regs_per_smx || l->smem * 256u > c->smem_per_smx)
    return HD_CODE_NEVER_FITS;
  return l->stream < c->num_streams ? -1 : HD_CODE_UNKNOWN_HWQ;
}

static const char *watch_code(const struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const struct hd_devlaunch *l = &o->beat[0];
  int fault = fault_of(o, in, l), code = out->code;
  bool group = l->kind == HD_KIND_GROUP;
  if (fault >= 0) return code == fault ? NULL : "an invalid launch gets the wrong code";
  if ((code == HD_CODE_EMPTY_SLOT) == o->look.valid)
    return "EmptySlot is answered for a running TB, or another code for an empty slot";
  if (code != HD_CODE_ACCEPTED && code != HD_CODE_EMPTY_SLOT && code != HD_CODE_REFUSED &&
      !(group && code == HD_CODE_KEPT))
    return "a valid launch gets the code of an invalid one";
  const bool refused = in->laperm_full || in->link_refused;
  if (o->group && refused && code != HD_CODE_REFUSED) return "a group without room in its bank or list is not refused";
  if ((code == HD_CODE_KEPT) != (o->group && in->link_kept && !refused))
    return "Kept is answered although the group has an AGE, or another code although it stays in memory";
  return NULL;
}

static const char *watch_effect(const struct oracle *o, const struct hd_devq_out *out) {
  const struct hd_devlaunch *l = &o->beat[0];
  bool accepted = out->code == HD_CODE_ACCEPTED;
  bool save = accepted && l->kind == HD_KIND_SAVE, kernel = accepted && !save && !o->group;
  unsigned level = o->look.level + 1u;
  if (level > o->cfg.max_level) level = o->cfg.max_level;
  if (out->push.valid != kernel || out->birth.valid != kernel)
    return "a kernel is launched without that answer, or the reverse";
  if (out->save.valid != save) return "a TB is saved without that answer, or the reverse";
  if (out->kind != l->kind) return "a beat is reported with another kind";
  if (kernel &&
      (memcmp(&out->push.kernel.desc, &l->desc, sizeof l->desc) || out->push.kernel.ctas != l->ctas ||
       out->push.kernel.stream != l->stream || out->push.kernel.level != level || out->push.kernel.smx != o->smx[0] ||
       out->push.kernel.up != out->birth.kin || out->birth.kdei != o->look.kdei))
    return "the launched kernel differs from the TB's request";
  if (save &&
      (out->save.tb.ctx != l->desc.param || out->save.tb.level != o->look.level || out->save.kdei != o->look.kdei))
    return "the saved TB differs from its request";
  return NULL;
}

/* Checks the beat in A3. */
static const char *watch_a3(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  unsigned events = 0, s = o->smx[0];
  for (unsigned k = 0; k < 7; k++) events += out->event[k];
  if (!events)
    return out->push.valid || out->save.valid || out->unhold.valid ? "a push, save or unhold occurs without a beat"
                                                                   : NULL;
  if (events > 1 || !o->beats) return "more beats are processed than were accepted";
  const char *rule = watch_code(o, in, out);
  if (!rule) rule = watch_effect(o, out);
  const struct hd_devlaunch *l = &o->beat[0];
  o->owed[s][o->judged_n[s]++] =
      (struct hd_devanswer){.kind = l->kind, .lane = l->lane, .slot = l->slot, .code = out->code};
  memmove(o->beat, o->beat + 1, --o->beats * sizeof *o->beat);
  memmove(o->smx, o->smx + 1, o->beats);
  o->surprises -= o->surprises > 0;
  return rule;
}

static const char *watch_hold(struct oracle *o, const struct hd_devq_out *out) {
  if (out->unhold.valid != o->held[1].valid || out->unhold.kdei != o->held[1].kdei)
    return "a held group is not released two cycles later";
  o->held[1] = o->held[0];
  o->held[0].valid = out->hold.valid;
  o->held[0].kdei = out->hold.kdei;
  return NULL;
}

static const char *watch_answers(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (out->dev_answer_valid[s] != (o->judged_n[s] > 0))
      return "an expected answer is not offered, or an unexpected one is";
    if (!o->judged_n[s]) continue;
    if (memcmp(&out->dev_answer[s], &o->owed[s][0], sizeof o->owed[s][0]))
      return "an answer differs from the expected one";
    if (!in->dev_answer_ready[s]) continue;
    memmove(o->owed[s], o->owed[s] + 1, --o->judged_n[s] * sizeof o->owed[s][0]);
    o->owed_n[s]--;
  }
  return NULL;
}

/* ---- waiting ---- */

static unsigned bank_of(const struct oracle *o, unsigned smx) {
  return smx / o->cfg.smx_per_cluster;
}

/* Finds the free groups: those of an SMX whose bank has at least two more entries than beats in flight. */
static void look_at_offers(struct oracle *o, const struct hd_devq_in *in) {
  memset(o->fly, 0, sizeof o->fly);
  for (unsigned k = 0; k < o->beats; k++) {
    o->fly[bank_of(o, o->smx[k])]++;
    if (o->beat[k].kind == HD_KIND_GROUP && is_too_large(o, &o->beat[k]))
      o->lone[o->smx[k]] = 1; /* until a later group is known to have found a kernel */
  }
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    const unsigned bank = bank_of(o, s);
    o->free[s] = in->dev_launch_valid[s] && o->owed_n[s] < o->cfg.ans_depth && !o->lone[s] &&
                 in->dev_launch[s].kind == HD_KIND_GROUP && in->laperm_bank_room[bank] >= o->fly[bank] + 2;
  }
}

/* Updates the oracle from a search result. A group that becomes a kernel, maybe unexpectedly, may use the room of
 * another one. */
static void learn(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const unsigned s = out->look.smx;
  if (!out->find.valid || !in->match_found.valid) return;
  if (!in->match_found.hit) o->surprises = o->beats;
  if (out->find_take) o->lone[s] = !in->match_found.hit;
}

/* Returns true if there is a reason not to accept a beat although a free group is offered: a search is running,
 * overflow has no room, or the bank of the group in A1 has become full. */
static bool has_excuse(const struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const unsigned bank = bank_of(o, out->look.smx);
  if (o->surprises || (out->find.valid && !in->match_found.valid)) return true;
  return in->match_found.hit && (!in->ovfq_room || in->laperm_bank_room[bank] <= o->fly[bank]);
}

static const char *watch_free(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out,
                              const uint8_t *owed, int smx) {
  const bool alone = smx >= 0 && in->dev_launch[smx].kind != HD_KIND_GROUP;
  bool free = false;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    const bool waits = in->dev_launch_valid[s] && in->dev_launch[s].kind != HD_KIND_GROUP && (int)s != smx;
    free |= o->free[s];
    o->before[s] = waits && owed[s] < o->cfg.ans_depth ? o->before[s] + alone : 0;
    if (o->before[s] > 2 * o->cfg.num_smx) return "an SMX starves while others launch kernels repeatedly";
  }
  if (!free || smx >= 0) o->lost = 0;
  o->lost += free && smx < 0 && !has_excuse(o, in, out);
  return o->lost > LOST ? "launches wait although there is room for one of them" : NULL;
}

/* The groups in A2 and A3 each find an entry in their bank, or a row of spill. */
static const char *watch_rows(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const unsigned bank = bank_of(o, out->group.smx);
  const bool needs = out->group.valid && in->laperm_bank_room[bank] <= (o->group && o->group_bank == bank);
  const bool rule = (unsigned)needs + o->a3_needs > in->spill_rows;
  o->a3_needs = needs;
  o->group_bank = (uint8_t)bank;
  return rule ? "a group in flight finds neither an entry in its bank nor a row" : NULL;
}

/* ---- arbitration ---- */

/* owed[s]: at the beginning of the cycle. */
static const char *watch_beats(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out,
                               const uint8_t *owed) {
  int smx = -1;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (!in->dev_launch_valid[s] || !out->dev_launch_ready[s]) continue;
    if (smx >= 0) return "two beats are accepted in one cycle";
    if (owed[s] == o->cfg.ans_depth) return "a beat is accepted although there is no room for its answer";
    smx = (int)s;
  }
  const char *rule = watch_free(o, in, out, owed, smx);
  unsigned holder = o->last_smx;
  if (!o->free[holder]) o->in_command = 0; /* a beat that may have to wait does not keep the turn */
  if (o->in_command && smx >= 0 && (unsigned)smx != holder) return "a beat of another SMX is accepted within a command";
  if (smx < 0) return rule;
  if (o->beats > UNDER_WAY) return "more beats are in flight than fit";
  const struct hd_devlaunch *l = &in->dev_launch[smx];
  o->beat[o->beats] = *l;
  o->smx[o->beats++] = (uint8_t)smx;
  o->owed_n[smx]++;
  o->run = (uint16_t)((unsigned)smx == holder ? o->run + 1 : 1);
  o->last_smx = (uint8_t)smx;
  if (l->last) o->run = 0;
  o->in_command = o->run > 0 && o->run < 32 && o->free[smx];
  /* A kernel behind such a beat may not find its room either. */
  if (l->kind == HD_KIND_GROUP ? is_too_large(o, l) : o->surprises > 0) o->surprises = o->beats;
  return rule;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_devq_in *in = in_;
  const struct hd_devq_out *out = out_;
  uint8_t owed[HD_MAX_NUM_SMX];
  (void)cycle;
  memcpy(owed, o->owed_n, sizeof owed);
  look_at_offers(o, in);
  learn(o, in, out);
  const char *rule = watch_answers(o, in, out);
  if (!rule) rule = watch_hold(o, out);
  if (!rule) rule = watch_rows(o, in, out);
  if (!rule) rule = watch_a3(o, in, out);
  if (!rule) rule = watch_beats(o, in, out, owed);
  o->look = in->sched_look;
  o->group = out->group.valid;
  return rule;
}

const struct hd_block_driver hd_block_driver_devq = {HD_BLOCK_DRIVER_MODEL_FIELDS(devq),
                                                     HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_devq_neighbours),
                                                     HD_BLOCK_DRIVER_ORACLE_FIELDS};
