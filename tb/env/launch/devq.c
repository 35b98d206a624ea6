/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq: golden model, cover points and oracle; the random environment is devq_around. */
#include "launch/devq.h"

#include "env/common/model.h"
#include "env/launch/devq_around.h"

HD_TWIN_MODEL(devq)
HD_TWIN_ARCH(devq)
HD_TWIN_AROUND(devq)

static const char *const covers[] = {
    "event",      "kernel",       "group",           "kept",           "unmatched",   "save",
    "refused",    "bad",          "zero_dim",        "over_limit",     "never_fits",  "unknown_stream",
    "empty_slot", "save_refused", "group_not_held",  "answer_stalled", "smx_stalled", "silent_in_command",
    "beat_33",    "search_waits", "groups_in_a_row", "first_child",    "level_stops", "others_wait",
    NULL};

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
}

/* Oracle: beats are judged in the order in which they are taken and answered in the order of their SMX; what was taken
 * is launched, linked or saved as its answer says, and nothing else is; the beats of a command stay together while
 * their SMX offers them; each group that is held is let go two cycles later. */
enum { UNDER_WAY = 4 };

struct oracle {
  struct hd_cfg cfg;
  struct hd_devlaunch beat[UNDER_WAY + 1]; /* taken and not judged, the oldest first */
  uint8_t smx[UNDER_WAY + 1];
  unsigned beats;
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
};

HD_TWIN_ORACLE

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

/* offers[s], and whether it may send, as the cycle began. */
static const char *watch_beats(struct oracle *o, const struct hd_devq_in *in, const struct hd_devq_out *out,
                               const uint8_t *owed) {
  int smx = -1;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (!in->dev_launch_valid[s] || !out->dev_launch_ready[s]) continue;
    if (smx >= 0) return "two beats are taken in one cycle";
    if (owed[s] == o->cfg.ans_depth) return "a beat is taken though there is no place for its answer";
    smx = (int)s;
  }
  unsigned holder = o->last_smx;
  if (o->in_command && smx >= 0 && (unsigned)smx != holder) return "a beat of another SMX within a command";
  if (smx < 0) {
    if (!in->dev_launch_valid[holder] || owed[holder] == o->cfg.ans_depth) o->in_command = 0;
    return NULL;
  }
  if (o->beats > UNDER_WAY) return "more beats are under way than there are places";
  o->beat[o->beats] = in->dev_launch[smx];
  o->smx[o->beats++] = (uint8_t)smx;
  o->owed_n[smx]++;
  o->run = (uint16_t)((unsigned)smx == holder ? o->run + 1 : 1);
  o->last_smx = (uint8_t)smx;
  if (in->dev_launch[smx].last) o->run = 0;
  o->in_command = o->run > 0 && o->run < 32;
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_devq_in *in = in_;
  const struct hd_devq_out *out = out_;
  uint8_t owed[HD_MAX_NUM_SMX];
  (void)cycle;
  memcpy(owed, o->owed_n, sizeof owed);
  const char *rule = watch_answers(o, in, out);
  if (!rule) rule = watch_hold(o, out);
  if (!rule) rule = watch_a3(o, in, out);
  if (!rule) rule = watch_beats(o, in, out, owed);
  o->look = in->look;
  o->group = out->a2_group;
  return rule;
}

const struct hd_twin hd_twin_devq = {HD_TWIN_MODEL_FIELDS(devq), HD_TWIN_STIM_FIELDS(struct hd_devq_around),
                                     HD_TWIN_ORACLE_FIELDS};
