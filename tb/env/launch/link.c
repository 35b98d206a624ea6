/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* link: golden model, cover points and oracle; the random environment is link_around. */
#include "launch/link.h"

#include "env/common/model.h"
#include "env/launch/link_around.h"

HD_TWIN_MODEL(link)
HD_TWIN_ROWS(link)

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct hd_link_around *s = s_;
  (void)rng;
  s->cfg = *cfg;
  hd_link_around_reset(s);
}

static void stim_reset(void *s) {
  hd_link_around_reset(s);
}

static void drive(void *s, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now, void *in) {
  hd_link_around_drive(s, rng, p, out, now, in);
}

static const char *const covers[] = {
    "event",       "on_chip",       "kept",         "behind_age",     "behind_record",  "end_and_link",
    "list_ends",   "fail_and_link", "lost_group",   "no_next_room",   "several_unsent", "answers_wait",
    "next_failed", "list_taken",    "list_resumed", "links_in_a_row", "age_freed",      "advance_in_list",
    NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_link_around *s = s_;
  const struct hd_link_in *in = in_;
  const struct hd_link_out *out = out_;
  bool enter = in->enter_valid && in->enter_ready;
  unsigned waiting = 0;
  for (unsigned k = 0; k < s->cfg.next_depth; k++) waiting += out->next_valid[k];
  hits[0] += out->link_valid + in->adv_valid + (out->req_valid && in->req_ready) + enter;
  hits[1] += out->alloc_valid;
  hits[2] += out->kept;
  hits[3] += out->link_valid && !out->link_first && out->link_prev.onchip;
  hits[4] += out->link_valid && !out->link_first && !out->link_prev.onchip;
  hits[5] += s->adv_and_link;
  hits[6] += s->adv_last && !s->adv_and_link;
  hits[7] += s->fail_and_link;
  hits[8] += (out->kept || out->alloc_valid) && !out->link_valid;
  hits[9] += !out->next_room;
  hits[10] += out->req_valid && waiting > 1 && !s->port.unanswered;
  hits[11] += s->port.unanswered > 1;
  hits[12] += out->next_fail_valid;
  hits[13] += out->list.pending;
  hits[14] += enter && in->enter_list.pending;
  hits[15] += out->link_valid && in->a2_group && in->a2_kdei == out->link_kdei;
  hits[16] += in->free_valid;
  hits[17] += in->adv_valid && !s->adv_last;
}

/* Oracle: the list of each kernel holds the groups that were linked to it and not handed out, in order; an AGE is given
 * to one group at a time, the one that the hash names; each group behind a record is written to it once, in order, and
 * nobody's otherwise; a kernel one of whose writes fails is told. */
enum { FREE_LATENCY = 3 };

struct oracle {
  struct hd_cfg cfg;
  struct hd_list list[HD_MAX_NUM_KDE];
  uint8_t used[HD_MAX_AGT_SIZE];
  uint32_t ready_n;              /* AGEs that are free long enough to be found by the free list .. */
  uint32_t coming[FREE_LATENCY]; /* .. and those that are not, by the cycle in which they came free */
  uint32_t fresh, freed_n;
  uint16_t freed[HD_MAX_AGT_SIZE]; /* in order */
  struct write {
    uint32_t record;
    struct hd_ptr ptr;
    uint8_t kdei;
  } write[HD_MAX_NEXT_DEPTH]; /* not answered, the oldest first */
  unsigned writes, sent;
  struct hd_link_in was;
  struct hd_list taken;
  uint8_t told_valid, told_kdei; /* of a fail event that must be shown */
  uint8_t taking;
};

static size_t oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

static void oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct oracle *o = o_;
  memset(o, 0, sizeof *o);
  o->cfg = *cfg;
  o->ready_n = cfg->agt_size; /* those never used are found at once */
}

static bool same(const struct hd_ptr *a, const struct hd_ptr *b) {
  return a->onchip == b->onchip && a->index == b->index;
}

static const char *watch_lists(const struct oracle *o, const struct hd_link_out *out) {
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    const struct hd_list *l = &o->list[i];
    if (out->pending[i] != l->pending) return "pending does not tell whether groups of the kernel wait";
    if (!same(&out->nagei[i], &l->nagei)) return "NAGEI is not the first group that waits";
    if (!same(&out->lagei[i], &l->lagei)) return "LAGEI is not the last group that was linked";
    if (out->single[i] != (l->pending && same(&l->nagei, &l->lagei)))
      return "single does not tell whether one group waits";
  }
  return memcmp(&out->list, &o->taken, sizeof o->taken) ? "the list of a suspended kernel is not what it was" : NULL;
}

/* The group that was in A2 in the cycle before. */
static const char *watch_allocation(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  const struct hd_link_in *a2 = &o->was;
  uint32_t index = a2->a2_hwtid, size = o->cfg.agt_size;
  bool placed = out->kept || out->alloc_valid, lost = in->failed[a2->a2_kdei];
  if (placed != a2->a2_group) return "a group is not placed, or none was there";
  if (out->link_valid != (placed && !lost)) return "a link event does not follow the group, or follows none";
  if (!placed) return NULL;
  if (out->kept == out->alloc_valid) return "a group is neither on chip nor kept";
  if (out->link_valid) {
    if (out->link_kdei != a2->a2_kdei) return "a group is linked to another kernel";
    if (out->kept == out->link_ptr.onchip) return "a group is linked as what it is not";
    if (out->link_ptr.index != (out->kept ? a2->a2_record : out->alloc_index)) return "a group is not linked as itself";
  }
  if (o->cfg.agt_hash == 2) {
    if (out->kept) return o->ready_n ? "a group is kept though an AGE is free" : NULL;
    o->ready_n--;
    index = o->fresh < size ? o->fresh : o->freed[0];
    if (o->fresh < size)
      o->fresh++;
    else
      memmove(o->freed, o->freed + 1, --o->freed_n * sizeof *o->freed);
  } else {
    if (o->cfg.agt_hash == 1) index += a2->a2_smx * o->cfg.smx_step;
    index %= size;
    bool was_used = o->used[index] || (a2->free_valid && a2->free_index == index);
    if (out->kept) return was_used ? NULL : "a group is kept though its AGE is free";
  }
  if (out->alloc_index != index) return "a group gets an AGE that is not its own";
  if (o->used[index]) return "an AGE is given to two groups";
  o->used[index] = 1;
  return NULL;
}

static const char *watch_next(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  unsigned shown = 0, found = 0;
  for (unsigned k = 0; k < o->cfg.next_depth; k++) shown += out->next_valid[k];
  for (unsigned n = 0; n < o->writes; n++) {
    if (!out->next_busy[o->write[n].kdei]) return "a kernel with a Next write is not told as busy";
    for (unsigned k = 0; k < o->cfg.next_depth; k++)
      if (out->next_valid[k] && out->next_record[k] == o->write[n].record) {
        found++;
        break;
      }
  }
  if (shown != o->writes || found != shown) return "the Next writes shown are not those that are under way";
  if (out->next_fail_valid != o->told_valid || out->next_fail_kdei != o->told_kdei)
    return "a failed write is not told, or told of another kernel";
  if (!out->req_valid) return NULL;
  const struct write *w = &o->write[o->sent];
  uint64_t at = ((uint64_t)in->rec_base * 256 + (uint64_t)w->record * 64 + 48) & ((UINT64_C(1) << o->cfg.addr_w) - 1);
  if (o->taking || o->sent == o->writes || !out->req.write || out->req.len || out->req.addr != at)
    return "a request that is not that of the oldest Next write not sent";
  return NULL;
}

static const char *watch_beat(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  const struct write *w = &o->write[o->sent];
  if (out->req_valid && in->req_ready)
    o->taking = 1;
  else if (in->wbeat_take) {
    if (out->wbeat.strb != 0xf || out->wbeat.lo != ((uint64_t)w->ptr.onchip << 31 | w->ptr.index))
      return "the Next that is written is not the group behind the record";
    o->taking = 0;
    o->sent++;
  }
  o->told_valid = in->b_valid && in->b_error;
  o->told_kdei = o->told_valid ? o->write[0].kdei : 0;
  if (!in->b_valid) return NULL;
  memmove(o->write, o->write + 1, --o->writes * sizeof *o->write);
  o->sent--;
  return NULL;
}

static const char *link_group(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  struct hd_list *l = &o->list[out->link_kdei];
  if (out->link_first == l->pending) return "first does not tell whether the list is empty";
  if (l->pending && !same(&out->link_prev, &l->lagei)) return "the group before it is not LAGEI";
  if (in->failed[out->link_kdei]) return NULL;
  if (l->pending && !l->lagei.onchip) {
    if (o->writes == o->cfg.next_depth) return "more Next writes than there is room for";
    o->write[o->writes++] = (struct write){l->lagei.index, out->link_ptr, out->link_kdei};
  }
  if (!l->pending) l->nagei = out->link_ptr;
  l->pending = 1;
  l->lagei = out->link_ptr;
  return NULL;
}

static const char *change_lists(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  const char *rule = out->link_valid ? link_group(o, in, out) : NULL;
  if (in->adv_valid) { /* the first group of the list leaves it; what was linked just now counts */
    struct hd_list *l = &o->list[in->adv_kdei];
    struct hd_ptr next = out->single[in->adv_kdei] ? l->lagei : in->succ;
    if (same(&l->nagei, &l->lagei))
      *l = (struct hd_list){0};
    else
      l->nagei = next;
  }
  o->taken = in->take_valid ? o->list[in->take_kdei] : (struct hd_list){0};
  if (in->take_valid) o->list[in->take_kdei] = (struct hd_list){0};
  if (in->enter_valid && in->enter_ready) o->list[in->enter_kdei] = in->enter_list;
  for (unsigned k = 0; k < 2; k++)
    if (in->fail_valid[k]) o->list[in->fail_kdei[k]] = (struct hd_list){0};
  if (out->next_fail_valid) o->list[out->next_fail_kdei] = (struct hd_list){0};
  return rule;
}

static void free_ages(struct oracle *o, const struct hd_link_in *in) {
  o->ready_n += o->coming[FREE_LATENCY - 1];
  for (unsigned k = FREE_LATENCY - 1; k; k--) o->coming[k] = o->coming[k - 1];
  o->coming[0] = in->free_valid;
  if (!in->free_valid) return;
  o->used[in->free_index] = 0;
  if (o->cfg.agt_hash == 2) o->freed[o->freed_n++] = in->free_index;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_link_in *in = in_;
  const struct hd_link_out *out = out_;
  (void)cycle;
  const char *rule = watch_lists(o, out);
  if (!rule) rule = watch_allocation(o, in, out);
  if (!rule) rule = watch_next(o, in, out);
  if (!rule) rule = watch_beat(o, in, out);
  if (!rule) rule = change_lists(o, in, out);
  free_ages(o, in);
  o->was = *in;
  return rule;
}

const struct hd_twin hd_twin_link = {HD_TWIN_MODEL_FIELDS(link), HD_TWIN_ROWS_FIELDS(link),
                                     HD_TWIN_STIM_FIELDS(struct hd_link_around), HD_TWIN_ORACLE_FIELDS};
