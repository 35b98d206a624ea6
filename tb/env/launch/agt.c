/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt: golden model, cover points and oracle; the random environment is agt_around. */
#include "launch/agt.h"

#include "env/common/model.h"
#include "env/launch/agt_around.h"

HD_TWIN_MODEL(agt)
HD_TWIN_ROWS(agt)

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct hd_agt_around *s = s_;
  (void)rng;
  s->cfg = *cfg;
}

static void stim_reset(void *s) {
  hd_agt_around_reset(s);
}

static void drive(void *s, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now, void *in) {
  hd_agt_around_drive(s, rng, p, out, now, in);
}

static const char *const covers[] = {
    "event",        "group_taken",  "taken_in_a_row", "link_behind_last", "end_and_link",
    "next_given",   "fetch",        "fetch_failed",   "next_failed",      "other_failed",
    "kernel_stops", "list_resumed", "next_waits",     "waits_for_group",  NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_agt_around *s = s_;
  const struct hd_agt_in *in = in_;
  const struct hd_agt_out *out = out_;
  bool fetch = out->req_valid && in->req_ready, next_waits = false;
  const struct hd_ptr *first = &in->nagei[in->cur_kdei];
  for (unsigned k = 0; k < s->cfg.next_depth; k++)
    next_waits |= in->next_valid[k] && !first->onchip && in->next_record[k] == first->index;
  hits[0] += in->link_valid + in->group_pop + fetch;
  hits[1] += in->group_pop;
  hits[2] += s->pops_in_a_row;
  hits[3] += s->links_behind_last;
  hits[4] += s->adv_and_link;
  hits[5] += s->rotates;
  hits[6] += fetch;
  hits[7] += out->fetch_fail_valid;
  hits[8] += in->fail_valid[0];
  hits[9] += in->fail_valid[1];
  hits[10] += s->stops;
  hits[11] += s->resumes;
  hits[12] += next_waits && in->cur_valid && in->pending[in->cur_kdei];
  hits[13] += in->waiting && in->pending[in->cur_kdei] && !out->group_valid;
}

/* Oracle: the groups of a kernel are offered in the order in which they were linked, from NAGEI on, each with what its
 * launch or its record said; a list goes on behind each group; no record is fetched while its Next write waits; a
 * kernel that waits gets its group. */
enum { RECORDS = 4 * HD_PLANE_RECORDS, PATIENCE = 6000 };

struct seen_group {
  struct hd_info info; /* on chip: of its launch; in memory: of the record when it was read last */
  struct hd_ptr behind;
};

struct oracle {
  struct hd_cfg cfg;
  struct seen_group group[HD_MAX_AGT_SIZE + RECORDS];
  struct hd_agt_in was;   /* the cycle before */
  struct hd_ptr expected; /* the next group of the walk */
  uint64_t word[8];
  uint32_t record; /* being read */
  uint32_t waited;
  uint8_t beats, reading, started, req_waits;
};

HD_TWIN_ORACLE

static struct seen_group *seen(struct oracle *o, const struct hd_ptr *p) {
  return &o->group[p->onchip ? p->index : HD_MAX_AGT_SIZE + p->index % RECORDS];
}

static bool same(const struct hd_ptr *a, const struct hd_ptr *b) {
  return a->onchip == b->onchip && a->index == b->index;
}

/* A list that stays pending moves on only to the group that was linked behind. */
static const char *watch_lists(struct oracle *o, const struct hd_agt_in *in) {
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    const struct hd_ptr *a = &o->was.nagei[i], *b = &in->nagei[i];
    if (!in->pending[i] || !o->was.pending[i] || same(a, b)) continue;
    if (!same(&seen(o, a)->behind, b)) return "the list does not go on with the group that was linked behind";
  }
  return NULL;
}

static const char *watch_fetch(struct oracle *o, const struct hd_agt_in *in, const struct hd_agt_out *out) {
  uint32_t record = (uint32_t)((out->req.addr - (uint64_t)in->rec_base * 256) / 64) & 0x7fffffff;
  if (out->req_valid && !o->req_waits)
    for (unsigned k = 0; k < o->cfg.next_depth; k++)
      if (o->was.next_valid[k] && o->was.next_record[k] == record)
        return "a record is fetched while its Next write waits";
  o->req_waits = out->req_valid && !in->req_ready;
  if (out->req_valid && in->req_ready) {
    if (o->reading) return "a second fetch before the first has ended";
    o->reading = 1;
    o->beats = 0;
    o->record = record;
  }
  if (!in->r_valid) return NULL;
  o->word[2 * o->beats % 8] = in->r.lo;
  o->word[(2 * o->beats + 1) % 8] = in->r.hi;
  o->beats++;
  if (!in->r.last) return NULL;
  const uint64_t *w = o->word;
  struct hd_ptr p = {.index = o->record};
  uint64_t level = w[3] >> 24 & 0xff;
  struct hd_info info = {.grid_x = (uint16_t)w[4], .grid_y = (uint16_t)(w[4] >> 32), .grid_z = (uint8_t)(w[4] >> 48)};
  info.ctas = (uint32_t)w[5];
  info.param = (w[1] & 0xffffffffff) / 64;
  info.level = (uint8_t)(level > o->cfg.max_level ? o->cfg.max_level : level);
  seen(o, &p)->info = info;
  o->reading = 0;
  return NULL;
}

static const char *watch_group(struct oracle *o, const struct hd_agt_in *in, const struct hd_agt_out *out) {
  bool other = in->cur_valid != o->was.cur_valid || in->cur_kdei != o->was.cur_kdei;
  if (other) o->started = 0; /* what is read ahead belongs to the kernel before */
  if (other || !in->cur_valid) return NULL;
  if (!o->started && in->pending[in->cur_kdei]) {
    o->expected = in->nagei[in->cur_kdei];
    o->started = 1;
  }
  bool failed = out->fetch_fail_valid || in->fail_valid[0] || in->fail_valid[1];
  if (out->group_valid && out->group_kdei == in->cur_kdei && !failed) {
    if (!o->started || !same(&out->group.self, &o->expected)) return "a group out of order, twice, or never linked";
    if (memcmp(&out->group.info, &seen(o, &o->expected)->info, sizeof out->group.info))
      return "a group is not what its launch or its record said";
    if (!same(&out->succ, &out->group.self)) return "the group offered is not the one told as successor";
  }
  if (in->group_pop) o->expected = seen(o, &out->group.self)->behind;
  bool waits = in->waiting && in->pending[in->cur_kdei] && !out->group_valid;
  o->waited = waits ? o->waited + 1 : 0;
  return o->waited > PATIENCE ? "a kernel waits for its group for ever" : NULL;
}

static void note_launch(struct oracle *o, const struct hd_agt_in *in) {
  if (in->alloc_valid) o->group[in->alloc_index].info = o->was.a2_info;
  if (!in->link_valid) return;
  seen(o, &in->link_ptr)->behind = (struct hd_ptr){0};
  if (in->link_first) return;
  seen(o, &in->link_prev)->behind = in->link_ptr;
  /* The walk stands behind the last group of the list. */
  if (o->started && in->cur_valid && in->link_kdei == in->cur_kdei && !o->expected.onchip && !o->expected.index)
    o->expected = in->link_ptr;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_agt_in *in = in_;
  const struct hd_agt_out *out = out_;
  (void)cycle;
  const char *rule = watch_lists(o, in);
  if (!rule) rule = watch_group(o, in, out);
  if (!rule) rule = watch_fetch(o, in, out);
  note_launch(o, in);
  o->was = *in;
  return rule;
}

const struct hd_twin hd_twin_agt = {HD_TWIN_MODEL_FIELDS(agt), HD_TWIN_ROWS_FIELDS(agt),
                                    HD_TWIN_STIM_FIELDS(struct hd_agt_around), HD_TWIN_ORACLE_FIELDS};
