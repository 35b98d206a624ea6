/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq: golden model, cover points and oracle; the random environment is devq_around. */
#include "launch/devq.h"

#include "env/common/model.h"
#include "env/launch/devq_around.h"

HD_TWIN_MODEL(devq)
HD_TWIN_ARCH(devq)
HD_TWIN_AROUND(devq)

static const char *const covers[] = {
    "event",       "kernel",       "group",           "kept",           "unmatched",   "save",
    "refused",     "bad",          "zero_dim",        "over_limit",     "never_fits",  "unknown_stream",
    "empty_slot",  "save_refused", "group_not_held",  "answer_stalled", "smx_stalled", "silent_in_command",
    "beat_33",     "search_waits", "groups_in_a_row", "first_child",    "level_stops", "others_wait",
    "passes_bank", "passes_pool",  "passes_saves",    "row_promised",   "room_lost",   NULL};

/* A group is taken while another SMX waits: for its bank and spill, for the pool, for the save FIFO. */
static void cover_waits(const struct hd_devq_around *s, const struct hd_devq_in *in, const struct hd_devq_out *out,
                        uint64_t *hits) {
  bool group = false, waits[3] = {false};
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    const unsigned kind = in->dev_launch[k].kind;
    const bool none = !in->rows && !in->bank_room[k / s->cfg.smx_per_cluster];
    if (!in->dev_launch_valid[k]) continue;
    if (out->dev_launch_ready[k]) {
      group = kind == HD_KIND_GROUP;
      hits[3] += group && in->bank_room[k / s->cfg.smx_per_cluster] == 0;
      continue;
    }
    waits[0] |= kind == HD_KIND_GROUP && none;
    waits[1] |= kind == HD_KIND_KERNEL && !in->pool_ready;
    waits[2] |= kind == HD_KIND_SAVE && !in->save_room;
  }
  for (unsigned k = 0; k < 3; k++) hits[k] += group && waits[k];
  hits[4] += in->found_hit && in->room && !out->find_take;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct hd_devq_around *s = s_;
  const struct hd_devq_in *in = in_;
  const struct hd_devq_out *out = out_;
  unsigned taken = 0, stalled = 0, offered = 0;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    bool offer = in->dev_launch_valid[k], take = offer && out->dev_launch_ready[k];
    offered += offer;
    taken += take;
    hits[15] += out->dev_answer_valid[k] && !in->dev_answer_ready[k];
    hits[18] += take && s->client[k].sent == 32; /* 32 beats of this command were taken before it */
    stalled += offer && !take && s->client[k].unanswered == s->cfg.ans_depth;
  }
  hits[0] += taken;
  for (unsigned k = 0; k < 7; k++) hits[1 + k] += out->dev_event[k];
  static const uint8_t at[] = {0, 0, 8, 9, 10, 11, 12, 0};
  if (out->dev_event[6]) hits[at[out->dev_code]]++;
  hits[13] += out->dev_code == HD_CODE_REFUSED && out->dev_kind == HD_KIND_SAVE;
  hits[14] += out->unhold_valid && out->dev_event[6];
  hits[16] += stalled > 0;
  hits[17] += s->silent;
  hits[19] += out->find_valid && !out->find_take;
  hits[20] += out->hold_valid && out->a2_group && out->unhold_valid;
  hits[21] += out->birth_valid && out->birth_new;
  hits[22] += out->push_valid && out->push.level == s->cfg.max_level;
  hits[23] += taken && offered > 1;
  cover_waits(s, in, out, hits + 24);
}

/* Oracle: beats are judged in the order in which they are taken and answered in the order of their SMX; what was taken
 * is launched, linked or saved as its answer says, and nothing else is; the beats of a command stay together while
 * their SMX offers them; each group that is held is let go two cycles later. A group on its way finds a place in its
 * bank or a row of spill. One whose bank has room is free: whatever the others wait for, a beat is taken in all but a
 * few cycles while an SMX offers one. Kernels and saves of an SMX wait for two of each other SMX at most. */
enum {
  UNDER_WAY = 4,
  LOST = 4 /* cycles in a row without a beat: a turn that ends, kernels and saves one at a time */
};

struct oracle {
  struct hd_cfg cfg;
  struct hd_devlaunch beat[UNDER_WAY + 1]; /* taken and not judged, the oldest first */
  uint8_t smx[UNDER_WAY + 1];
  unsigned beats;
  uint8_t fly[HD_MAX_NUM_BANK];    /* of each bank, as the cycle began */
  uint8_t free[HD_MAX_NUM_SMX];    /* the SMX offers a group that is free */
  uint8_t lone[HD_MAX_NUM_SMX];    /* the last group of the SMX found no kernel, or that is not known */
  unsigned surprises;              /* beats under way of which one becomes a kernel, perhaps without warning */
  unsigned lost;                   /* cycles in which none was taken though one was free */
  unsigned before[HD_MAX_NUM_SMX]; /* kernels and saves of others that were taken while that of the SMX waits */
  uint8_t a3_needs;                /* the group in A3 may need a row */
  struct hd_devanswer owed[HD_MAX_NUM_SMX][HD_MAX_ANS_DEPTH]; /* answers to come, the oldest first */
  uint8_t owed_n[HD_MAX_NUM_SMX], judged_n[HD_MAX_NUM_SMX];
  struct {
    uint8_t valid, kdei;
  } held[2];          /* in the cycle before, and in the one before that */
  uint8_t in_command; /* the SMX of `last_smx` has beats of its command to come */
  uint8_t last_smx;
  uint16_t run; /* its beats since the last one of a command or of another SMX; a pause between them may not have cost
                   it the lock */
  struct hd_look look; /* for the beat in A3 */
  uint8_t group;       /* a group in A2 in the cycle before */
  uint8_t group_bank;
};

HD_TWIN_ORACLE

/* Can the launch join no kernel, whatever its key? */
static bool is_too_large(const struct oracle *o, const struct hd_devlaunch *l) {
  const struct hd_cfg *c = &o->cfg;
  const struct hd_desc *d = &l->desc;
  return d->grid_x >> c->group_xw || d->grid_y >> c->group_yw || d->grid_z >> c->group_zw || d->param % 64;
}

/* The code of a launch that is wrong whatever the plane's state is; -1 when it depends. */
static int fault_of(const struct oracle *o, const struct hd_devq_in *in, const struct hd_devlaunch *l) {
  const struct hd_cfg *c = &o->cfg;
  const struct hd_desc *d = &l->desc;
  uint32_t warps = (l->threads + 31u) / 32, regs = warps * ((l->regs * 32u + c->reg_unit - 1) / c->reg_unit);
  if (l->kind == HD_KIND_SAVE) return -1;
  if (l->kind > HD_KIND_SAVE) return HD_CODE_OVER_LIMIT;
  if (!d->grid_x || !d->grid_y || !d->grid_z || !d->cta_x || !d->cta_y || !d->cta_z || !l->threads || !l->ctas)
    return HD_CODE_ZERO_DIM;
  if (d->cta_x > 1024 || d->cta_y > 1024 || d->cta_z > 64 || l->threads > 1024) return HD_CODE_OVER_LIMIT;
  if (l->kind == HD_KIND_GROUP && l->record >= in->rec_count) return HD_CODE_OVER_LIMIT;
  if (warps * 32 > c->threads_per_smx || regs * c->reg_unit > c->regs_per_smx || l->smem * 256u > c->smem_per_smx)
    return HD_CODE_NEVER_FITS;
  return l->stream < c->num_streams ? -1 : HD_CODE_UNKNOWN_HWQ;
}

static const char *watch_code(const struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const struct hd_devlaunch *l = &o->beat[0];
  int fault = fault_of(o, in, l), code = out->dev_code;
  bool group = l->kind == HD_KIND_GROUP;
  if (fault >= 0) return code == fault ? NULL : "a wrong launch gets another code";
  if ((code == HD_CODE_EMPTY_SLOT) == o->look.valid) return "empty slot is answered of a running TB, or the other way";
  if (code != HD_CODE_ACCEPTED && code != HD_CODE_EMPTY_SLOT && code != HD_CODE_REFUSED &&
      !(group && code == HD_CODE_KEPT))
    return "a good launch gets the code of a wrong one";
  if (o->group && in->full && code != HD_CODE_REFUSED) return "a group without room in its bank is not refused";
  if ((code == HD_CODE_KEPT) != (o->group && in->kept && !in->full))
    return "kept does not tell whether the group stays in memory";
  return NULL;
}

static const char *watch_effect(const struct oracle *o, const struct hd_devq_out *out) {
  const struct hd_devlaunch *l = &o->beat[0];
  bool accepted = out->dev_code == HD_CODE_ACCEPTED;
  bool save = accepted && l->kind == HD_KIND_SAVE, kernel = accepted && !save && !o->group;
  unsigned level = o->look.level + 1u;
  if (level > o->cfg.max_level) level = o->cfg.max_level;
  if (out->push_valid != kernel || out->birth_valid != kernel) return "a kernel is launched and not answered so";
  if (out->save_valid != save) return "a TB is saved and not answered so";
  if (out->dev_kind != l->kind) return "a beat is told under another kind";
  if (kernel && (memcmp(&out->push.desc, &l->desc, sizeof l->desc) || out->push.ctas != l->ctas ||
                 out->push.stream != l->stream || out->push.level != level || out->push.smx != o->smx[0] ||
                 out->push.up != out->birth_kin || out->birth_kdei != o->look.kdei))
    return "the kernel launched is not what the TB asked for";
  if (save && (out->save_entry.ctx != l->desc.param || out->save_entry.level != o->look.level ||
               out->save_kdei != o->look.kdei))
    return "the TB saved is not what it asked for";
  return NULL;
}

/* A beat is in A3. */
static const char *watch_a3(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  unsigned events = 0, s = o->smx[0];
  for (unsigned k = 0; k < 7; k++) events += out->dev_event[k];
  if (!events)
    return out->push_valid || out->save_valid || out->unhold_valid ? "something happens without a beat" : NULL;
  if (events > 1 || !o->beats) return "more is judged than was taken";
  const char *rule = watch_code(o, in, out);
  if (!rule) rule = watch_effect(o, out);
  const struct hd_devlaunch *l = &o->beat[0];
  o->owed[s][o->judged_n[s]++] =
      (struct hd_devanswer){.kind = l->kind, .lane = l->lane, .slot = l->slot, .code = out->dev_code};
  memmove(o->beat, o->beat + 1, --o->beats * sizeof *o->beat);
  memmove(o->smx, o->smx + 1, o->beats);
  o->surprises -= o->surprises > 0;
  return rule;
}

static const char *watch_hold(struct oracle *o, const struct hd_devq_out *out) {
  if (out->unhold_valid != o->held[1].valid || out->unhold_kdei != o->held[1].kdei)
    return "what was held is not let go two cycles later";
  o->held[1] = o->held[0];
  o->held[0].valid = out->hold_valid;
  o->held[0].kdei = out->hold_kdei;
  return NULL;
}

static const char *watch_answers(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (out->dev_answer_valid[s] != (o->judged_n[s] > 0)) return "an answer is not offered, or one that nobody awaits";
    if (!o->judged_n[s]) continue;
    if (memcmp(&out->dev_answer[s], &o->owed[s][0], sizeof o->owed[s][0])) return "an answer is not that of the beat";
    if (!in->dev_answer_ready[s]) continue;
    memmove(o->owed[s], o->owed[s] + 1, --o->judged_n[s] * sizeof o->owed[s][0]);
    o->owed_n[s]--;
  }
  return NULL;
}

/* ---- who waits ---- */

static unsigned bank_of(const struct oracle *o, unsigned smx) {
  return smx / o->cfg.smx_per_cluster;
}

/* Which groups are free? Those of an SMX whose bank has two places more than launches under way. */
static void look_at_offers(struct oracle *o, const struct hd_devq_in *in) {
  memset(o->fly, 0, sizeof o->fly);
  for (unsigned k = 0; k < o->beats; k++) {
    o->fly[bank_of(o, o->smx[k])]++;
    if (o->beat[k].kind == HD_KIND_GROUP && is_too_large(o, &o->beat[k]))
      o->lone[o->smx[k]] = 1; /* until a later group is known to have found one */
  }
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    const unsigned bank = bank_of(o, s);
    o->free[s] = in->dev_launch_valid[s] && o->owed_n[s] < o->cfg.ans_depth && !o->lone[s] &&
                 in->dev_launch[s].kind == HD_KIND_GROUP && in->bank_room[bank] >= o->fly[bank] + 2;
  }
}

/* What a search tells of the SMX. A group that becomes a kernel, perhaps not expected to, may take another one's room.
 */
static void learn(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const unsigned s = out->look_smx;
  if (!out->find_valid || !in->found) return;
  if (!in->found_hit) o->surprises = o->beats;
  if (out->find_take) o->lone[s] = !in->found_hit;
}

/* No beat is taken though one is free: because of the search, or of room for what overflows, or because the bank of the
 * group in A1 has lost its room. */
static bool has_excuse(const struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const unsigned bank = bank_of(o, out->look_smx);
  if (o->surprises || (out->find_valid && !in->found)) return true;
  return in->found_hit && (!in->room || in->bank_room[bank] <= o->fly[bank]);
}

static const char *watch_free(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out,
                              const uint8_t *owed, int smx) {
  const bool alone = smx >= 0 && in->dev_launch[smx].kind != HD_KIND_GROUP;
  bool free = false;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    const bool waits = in->dev_launch_valid[s] && in->dev_launch[s].kind != HD_KIND_GROUP && (int)s != smx;
    free |= o->free[s];
    o->before[s] = waits && owed[s] < o->cfg.ans_depth ? o->before[s] + alone : 0;
    if (o->before[s] > 2 * o->cfg.num_smx) return "an SMX waits while others launch kernels again and again";
  }
  if (!free || smx >= 0) o->lost = 0;
  o->lost += free && smx < 0 && !has_excuse(o, in, out);
  return o->lost > LOST ? "launches wait though there is room for one of them" : NULL;
}

/* The groups in A2 and A3 find a place in their banks, or a row. */
static const char *watch_rows(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out) {
  const unsigned bank = bank_of(o, out->a2_smx);
  const bool needs = out->a2_group && in->bank_room[bank] <= (o->group && o->group_bank == bank);
  const bool rule = (unsigned)needs + o->a3_needs > in->rows;
  o->a3_needs = needs;
  o->group_bank = (uint8_t)bank;
  return rule ? "a group is on its way that finds neither a place in its bank nor a row" : NULL;
}

/* ---- whose turn it is ---- */

/* owed[s]: as the cycle began. */
static const char *watch_beats(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out,
                               const uint8_t *owed) {
  int smx = -1;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (!in->dev_launch_valid[s] || !out->dev_launch_ready[s]) continue;
    if (smx >= 0) return "two beats are taken in one cycle";
    if (owed[s] == o->cfg.ans_depth) return "a beat is taken though there is no place for its answer";
    smx = (int)s;
  }
  const char *rule = watch_free(o, in, out, owed, smx);
  unsigned holder = o->last_smx;
  if (!o->free[holder]) o->in_command = 0; /* what might have to wait keeps no turn */
  if (o->in_command && smx >= 0 && (unsigned)smx != holder) return "a beat of another SMX within a command";
  if (smx < 0) return rule;
  if (o->beats > UNDER_WAY) return "more beats are under way than there are places";
  const struct hd_devlaunch *l = &in->dev_launch[smx];
  o->beat[o->beats] = *l;
  o->smx[o->beats++] = (uint8_t)smx;
  o->owed_n[smx]++;
  o->run = (uint16_t)((unsigned)smx == holder ? o->run + 1 : 1);
  o->last_smx = (uint8_t)smx;
  if (l->last) o->run = 0;
  o->in_command = o->run > 0 && o->run < 32 && o->free[smx];
  /* Neither does a kernel behind it find the room for which it was taken. */
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
  o->look = in->look;
  o->group = out->a2_group;
  return rule;
}

const struct hd_twin hd_twin_devq = {HD_TWIN_MODEL_FIELDS(devq), HD_TWIN_STIM_FIELDS(struct hd_devq_around),
                                     HD_TWIN_ORACLE_FIELDS};
