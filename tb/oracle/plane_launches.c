/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Rules 1 and 8 of plane_oracle.c: launches of the host and of the SMXs, and their answers. */
#include <string.h>

#include "gen/hd_regs_map.h"
#include "oracle/plane_state.h"

/* ---- the answer code that a launch deserves ---- */

/* Resources of each TB of a launch, and the number of TBs. */
struct tbs {
  uint32_t threads, regs, smem, ctas;
};

static uint32_t warps_of(const struct tbs *t) {
  return (t->threads + 31) / 32;
}

static uint32_t regs_of(const struct hd_cfg *c, const struct tbs *t) {
  return warps_of(t) * ((t->regs * 32 + c->reg_unit - 1) / c->reg_unit);
}

static bool over_limit(const struct hd_desc *d, const struct tbs *t) {
  return d->cta_x > 1024 || d->cta_y > 1024 || d->cta_z > 64 || t->threads > 1024;
}

/* Returns true if a host launch has a graph and more TBs than that may have, or an invalid descriptor address, or if
 * the plane has no graph buffer. */
static bool bad_graph(const struct hd_cfg *c, const struct hd_launch *l) {
  return l->graph && (!c->has_graph || l->ctas > UINT16_MAX || l->desc.param % 64 ||
                      (c->addr_w < 64 && l->desc.param >> c->addr_w));
}

/* missing: the record or the graph that the launch names is invalid. */
static unsigned deserved(const struct hd_cfg *c, const struct hd_desc *d, const struct tbs *t, bool missing) {
  if (!d->grid_x || !d->grid_y || !d->grid_z || !d->cta_x || !d->cta_y || !d->cta_z || !t->threads || !t->ctas)
    return HD_CODE_ZERO_DIM;
  if (over_limit(d, t) || missing) return HD_CODE_OVER_LIMIT;
  if (t->threads > c->threads_per_smx || regs_of(c, t) * c->reg_unit > c->regs_per_smx ||
      t->smem * 256 > c->smem_per_smx)
    return HD_CODE_NEVER_FITS;
  return HD_CODE_ACCEPTED;
}

static uint32_t new_work(struct hd_plane_oracle *o, enum hd_book_kind kind, const struct hd_desc *d,
                         const struct tbs *t) {
  uint32_t w = hd_book_add(&o->book, kind, d);
  if (!w) return 0;
  struct hd_work *x = hd_oracle_work(o, w);
  x->ctas = t->ctas;
  x->warps = warps_of(t);
  x->regs = regs_of(&o->cfg, t);
  x->smem = t->smem;
  return w;
}

/* ---- launches of the host and their answers ---- */

static const char *host_taken(struct hd_plane_oracle *o, const struct hd_launch *l) {
  if (o->host_n == HD_ORACLE_HOST_REQUESTS) return "rule 1: more unanswered launches than the plane can hold";
  struct tbs t = {l->threads, l->regs, l->smem, l->ctas};
  struct hd_oracle_host_request *a = &o->host[o->host_n++];
  *a = (struct hd_oracle_host_request){.launch = *l};
  if (deserved(&o->cfg, &l->desc, &t, bad_graph(&o->cfg, l)) || l->hwq >= o->cfg.num_hwq) return NULL;
  a->work = new_work(o, HD_BOOK_HOST, &l->desc, &t);
  if (!a->work) return "the oracle's book is full";
  a->ahead = o->queued[l->hwq];
  for (unsigned n = 0; n + 1 < o->host_n; n++) {
    const struct hd_oracle_host_request *b = &o->host[n];
    a->ahead += b->work && b->launch.hwq == l->hwq && !hd_oracle_work(o, b->work)->started;
  }
  hd_oracle_work(o, a->work)->hwq = l->hwq;
  hd_oracle_work(o, a->work)->tag = l->tag;
  hd_oracle_work(o, a->work)->graph = l->graph;
  return NULL;
}

static const char *host_answered(struct hd_plane_oracle *o, const struct hd_answer *answer) {
  struct hd_oracle_host_request a = o->host[0];
  const struct hd_launch *l = &a.launch;
  struct tbs t = {l->threads, l->regs, l->smem, l->ctas};
  if (!o->host_n || l->tag != answer->tag) return "rule 1: an answer out of order";
  memmove(o->host, o->host + 1, sizeof o->host - sizeof *o->host);
  o->host_n--;
  unsigned want = deserved(&o->cfg, &l->desc, &t, bad_graph(&o->cfg, l));
  if (!want && l->hwq >= o->cfg.num_hwq) want = HD_CODE_UNKNOWN_HWQ;
  bool started = a.is_reported || (a.work && hd_oracle_work(o, a.work)->started);
  if (answer->code != want && !(answer->code == HD_CODE_REFUSED && want == HD_CODE_ACCEPTED && !started))
    return "rule 1: an answer with a wrong code";
  if (!a.work) return NULL;
  if (answer->code == HD_CODE_REFUSED) {
    if (a.ahead < o->cfg.hwq_depth) return "rule 1: a launch was refused though its HWQ had room";
    for (unsigned n = 0; n < o->host_n; n++) o->host[n].ahead -= o->host[n].work && o->host[n].launch.hwq == l->hwq;
    hd_book_drop(&o->book, a.work);
    return NULL;
  }
  hd_oracle_work(o, a.work)->word = HD_BOOK_TAKEN;
  if (started) return NULL;
  if (o->queued[l->hwq] > o->cfg.hwq_depth + 1) return "rule 1: a HWQ accepted more than it can hold";
  o->queue[l->hwq][o->queued[l->hwq]++] = a.work;
  return NULL;
}

const char *hd_oracle_host(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  if (o->answer_waits && (!out->host_answer_valid || memcmp(&o->answer_was, &out->host_answer, sizeof o->answer_was)))
    return "rule 6: an offered answer changed before it was accepted";
  o->answer_waits = out->host_answer_valid && !in->host_answer_ready;
  o->answer_was = out->host_answer;
  const char *rule = NULL;
  if (out->host_answer_valid && in->host_answer_ready) rule = host_answered(o, &out->host_answer);
  if (!rule && in->host_launch_valid && out->host_launch_ready) rule = host_taken(o, &in->host_launch);
  return rule;
}

/* ---- launches of the SMXs and their answers ---- */

static bool record_missing(const struct hd_plane_oracle *o, uint32_t record) {
  return record >= o->config[(HD_REG_REC_COUNT - HD_REG_REC_BASE) / 4];
}

static unsigned dev_deserved(const struct hd_plane_oracle *o, const struct hd_devlaunch *l, bool runs, bool missing) {
  struct tbs t = {l->threads, l->regs, l->smem, l->ctas};
  if (!o->cfg.has_launch || l->kind > HD_KIND_SAVE) return HD_CODE_OVER_LIMIT;
  if (l->kind != HD_KIND_SAVE) {
    unsigned code = deserved(&o->cfg, &l->desc, &t, missing);
    if (code) return code;
    if (l->stream >= o->cfg.num_streams) return HD_CODE_UNKNOWN_HWQ;
  }
  return runs ? HD_CODE_ACCEPTED : HD_CODE_EMPTY_SLOT;
}

/* Returns true if the stream is above those of the kernel and all its ancestors, as docs/top.md requires. */
static bool rises(const struct hd_book *b, unsigned stream, uint32_t kernel) {
  for (uint32_t k = kernel; stream && k; k = b->work[k].up)
    if (b->work[k].stream >= stream) return false;
  return true;
}

/* Adds the work that an SMX launches to the book. It is removed again if the answer is "refused". */
static const char *dev_begets(struct hd_plane_oracle *o, unsigned smx, const struct hd_devlaunch *l,
                              struct hd_oracle_dev_request *a) {
  const struct hd_oracle_slot *slot = &o->slot[smx][l->slot];
  struct tbs t = {l->threads, l->regs, l->smem, l->ctas};
  a->work = new_work(o, l->kind == HD_KIND_GROUP ? HD_BOOK_GROUP : HD_BOOK_KERNEL, &l->desc, &t);
  if (!a->work) return "the oracle's book is full";
  struct hd_work *w = hd_oracle_work(o, a->work);
  w->up = slot->kernel;
  w->up_number = hd_oracle_work(o, slot->kernel)->number;
  w->up_resumes = hd_oracle_work(o, slot->kernel)->resumes;
  w->level = slot->level < o->cfg.max_level ? (uint8_t)(slot->level + 1) : (uint8_t)o->cfg.max_level;
  w->smx = (uint8_t)smx;
  w->record = l->record;
  hd_oracle_update_rooms(o, smx, l, a);
  w->stream = l->kind == HD_KIND_KERNEL ? l->stream : 0;
  o->streams_cross |= !rises(&o->book, l->stream, slot->kernel);
  return w->stream && !hd_book_queue(&o->book, a->work) ? "rule 3: a stream has more kernels than it can hold" : NULL;
}

/* Returns true if the plane may answer this beat with the search result of an earlier beat of the same command, which
 * may be out of date. It does so where a search takes several steps (KdeSearchLanes < NumKde). A class is a hash of the
 * key, one of 64. */
static bool requested_before(struct hd_plane_oracle *o, unsigned s, const struct hd_devlaunch *l) {
  const struct hd_desc *d = &l->desc;
  uint32_t h = (d->pc ^ d->cta_x ^ (uint32_t)d->cta_y << 8 ^ (uint32_t)d->cta_z << 16 ^ l->smem << 4) * 0x9e3779b1u;
  uint64_t class = (uint64_t)1 << (h >> 26);
  bool before = l->kind == HD_KIND_GROUP && o->cfg.kde_search_lanes < o->cfg.num_kde && (o->asked[s] & class);
  o->asked[s] = l->last ? 0 : o->asked[s] | class;
  return before;
}

static const char *dev_taken(struct hd_plane_oracle *o, unsigned s, const struct hd_devlaunch *l) {
  if (l->slot >= o->cfg.ctas_per_smx) return "the client names a slot that does not exist";
  const struct hd_oracle_slot *slot = &o->slot[s][l->slot];
  if (o->dev_n[s] == HD_ORACLE_DEV_REQUESTS) return "rule 8: more unanswered launches than the plane can hold";
  struct hd_oracle_dev_request *a = &o->dev[s][o->dev_n[s]++];
  *a = (struct hd_oracle_dev_request){.kind = l->kind, .lane = l->lane, .slot = l->slot};
  a->requested_before = requested_before(o, s, l);
  a->record = l->record;
  for (unsigned k = 0; k < 2; k++)
    a->code[k] = (uint8_t)dev_deserved(o, l, slot->state == 2, k && l->kind == HD_KIND_GROUP);
  a->want = a->code[record_missing(o, l->record)];
  if (a->want) return NULL;
  a->kernel = slot->kernel;
  a->level = slot->level;
  a->ctx = l->desc.param;
  a->number = ++o->book.number;
  if (l->kind != HD_KIND_SAVE) return dev_begets(o, s, l, a);
  hd_oracle_update_rooms(o, s, l, a);
  hd_oracle_work(o, a->kernel)->saving++;
  return NULL;
}

/* RecCount can be written only while no kernel is in the KD. Launches in flight then name no TB; they deserve an error
 * code, and may be judged by the old or the new count. */
void hd_oracle_records_changed(struct hd_plane_oracle *o) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    for (unsigned k = 0; k < o->dev_n[s]; k++) {
      struct hd_oracle_dev_request *a = &o->dev[s][k];
      uint8_t code = a->code[record_missing(o, a->record)];
      if (code != a->want) a->also = code;
    }
}

static bool code_allowed(const struct hd_oracle_dev_request *a, unsigned code) {
  if (a->want) return code == a->want || (a->also && code == a->also);
  return code == HD_CODE_ACCEPTED || code == HD_CODE_REFUSED || (code == HD_CODE_KEPT && a->kind == HD_KIND_GROUP);
}

static const char *save_answered(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a, bool accepted) {
  struct hd_work *k = hd_oracle_work(o, a->kernel);
  k->saving--;
  if (!accepted) return hd_oracle_refused(o, a);
  const char *rule = hd_oracle_saved(o, a);
  if (rule) return rule;
  k->stopped = 1;
  return hd_book_save(&o->book, a->kernel, a->number, a->ctx, a->level) ? NULL : "the oracle's book is full";
}

static const char *kernel_answered(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a, bool accepted) {
  struct hd_work *w = hd_oracle_work(o, a->work);
  if (!accepted && w->started) return "rule 8: a kernel that was refused runs";
  if (!accepted) {
    const char *rule = hd_oracle_refused(o, a);
    hd_book_drop(&o->book, a->work);
    return rule;
  }
  w->word = HD_BOOK_TAKEN;
  hd_book_mother(&o->book, a->kernel, a->work);
  if (w->started) return NULL;
  hd_book_bear(&o->book, a->kernel, a->work);
  if (w->stream && w->number < o->stream_number[w->stream] && !hd_book_close(&o->book, a->work))
    return "rule 3: a kernel of a device stream was overtaken";
  return NULL;
}

void hd_oracle_forget_group(struct hd_plane_oracle *o, uint32_t g) {
  struct hd_work *w = hd_oracle_work(o, g);
  if (w->next < w->ctas || w->running || w->word == HD_BOOK_REQUESTED || (w->word == HD_BOOK_KEPT && !w->returned))
    return;
  if (w->agei >= 0 && o->age[w->agei] == g) o->age[w->agei] = 0;
  if (w->agei >= 0) o->age_free[w->agei] = o->now;
  hd_book_drop(&o->book, g);
}

static const char *group_answered(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a, unsigned code) {
  struct hd_work *w = hd_oracle_work(o, a->work);
  if (code == HD_CODE_REFUSED) return kernel_answered(o, a, false);
  const char *rule = w->kind == HD_BOOK_GROUP ? hd_oracle_joined(o, a, code == HD_CODE_KEPT) : NULL;
  if (rule) return rule;
  w->word = code == HD_CODE_KEPT ? HD_BOOK_KEPT : HD_BOOK_TAKEN;
  if (w->kind != HD_BOOK_GROUP) /* it found no kernel to join, and runs already */
    return code == HD_CODE_KEPT ? "rule 8: a group that became a kernel was kept" : NULL;
  if (code != HD_CODE_KEPT && w->returned) return "rule 9: the record of a group that was not kept was returned";
  if (w->started && (w->agei >= (int32_t)o->cfg.agt_size) != (code == HD_CODE_KEPT))
    return "rule 8: a kept group has an AGE of the table, or a group that was not kept has none";
  hd_oracle_forget_group(o, a->work);
  return NULL;
}

static const char *dev_answered(struct hd_plane_oracle *o, unsigned s, const struct hd_devanswer *answer) {
  struct hd_oracle_dev_request a = o->dev[s][0];
  if (!o->dev_n[s]) return "rule 8: an answer without a launch";
  memmove(o->dev[s], o->dev[s] + 1, sizeof o->dev[s] - sizeof o->dev[s][0]);
  o->dev_n[s]--;
  if (a.kind != answer->kind || a.lane != answer->lane || a.slot != answer->slot)
    return "rule 8: an answer out of order";
  if (!code_allowed(&a, answer->code)) return "rule 8: an answer with a wrong code";
  if (a.want) return NULL;
  bool accepted = answer->code == HD_CODE_ACCEPTED;
  if (a.kind == HD_KIND_SAVE) return save_answered(o, &a, accepted);
  return a.kind == HD_KIND_KERNEL ? kernel_answered(o, &a, accepted) : group_answered(o, &a, answer->code);
}

const char *hd_oracle_devices(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    const char *rule = NULL;
    if (o->dev_waits[s] &&
        (!out->dev_answer_valid[s] || memcmp(&o->dev_was[s], &out->dev_answer[s], sizeof o->dev_was[s])))
      return "rule 6: an answer offered to an SMX changed before it was accepted";
    o->dev_waits[s] = out->dev_answer_valid[s] && !in->dev_answer_ready[s];
    if (o->dev_waits[s]) o->dev_was[s] = out->dev_answer[s];
    if (out->dev_answer_valid[s] && in->dev_answer_ready[s]) rule = dev_answered(o, s, &out->dev_answer[s]);
    if (!rule && in->dev_launch_valid[s] && out->dev_launch_ready[s]) rule = dev_taken(o, s, &in->dev_launch[s]);
    if (rule) return rule;
  }
  return NULL;
}
