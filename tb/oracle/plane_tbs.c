/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Rules 2 to 5, 7, 10, 13, 14, 16 and 17 of plane_oracle.c, as far as granted and completed TBs show them. */
#include <string.h>

#include "oracle/plane_state.h"

static bool same_desc(const struct hd_desc *a, const struct hd_desc *b) {
  return !memcmp(a, b, sizeof *a);
}

/* A kernel enters a KD entry. The kernel that was there before must have left it. */
static const char *check_entry_reuse(struct hd_plane_oracle *o, uint32_t kernel, unsigned kdei) {
  uint32_t p = o->book.kde[kdei];
  struct hd_work *k = hd_oracle_work(o, kernel), *was = hd_oracle_work(o, p);
  if (p && p != kernel) {
    hd_oracle_check_graph(o, p);
    if (hd_oracle_misses_group(o, p))
      return "rule 11: a kernel left the KD before the groups in memory had returned and shown its loss";
    if (was->running || (!was->stopped && hd_book_unfinished(&o->book, p) && !hd_book_fail(&o->book, p)))
      return "rule 4: a kernel entered the KD entry of another that has TBs left";
    was->entry = -1;
  }
  if (k->entry >= 0) o->book.kde[k->entry] = 0;
  k->entry = (int32_t)kdei;
  o->book.kde[kdei] = kernel;
  return NULL;
}

static void leave_queue(struct hd_plane_oracle *o, unsigned h) {
  memmove(&o->queue[h][0], &o->queue[h][1], --o->queued[h] * sizeof o->queue[h][0]);
}

/* The kernel may run although its answer is not accepted by the host yet; then it is not in o->queue. */
const char *hd_oracle_host_starts(struct hd_plane_oracle *o, uint32_t w) {
  struct hd_work *k = hd_oracle_work(o, w);
  unsigned h = k->hwq;
  if (o->queued[h] && o->queue[h][0] == w)
    leave_queue(o, h);
  else if (o->queued[h] || k->word != HD_BOOK_REQUESTED)
    return "rule 3: a kernel overtook an older one of its HWQ";
  hd_oracle_check_graph(o, o->hwq_runs[h]);
  if (o->hwq_runs[h] && !hd_book_close(&o->book, o->hwq_runs[h]))
    return "rule 3: a kernel of a HWQ began before the one ahead of it was complete";
  o->hwq_runs[h] = w;
  k->started = 1;
  return NULL;
}

/* A kernel of a stream begins: those before it must be complete. A kernel lost in memory counts as complete when those
 * before it are. */
static const char *stream_goes_on(struct hd_plane_oracle *o, uint32_t w) {
  struct hd_work *k = hd_oracle_work(o, w);
  uint32_t *q = o->book.stream[k->stream], at = 0;
  if (k->number < o->stream_number[k->stream]) return "rule 3: a kernel of a device stream was overtaken";
  o->stream_number[k->stream] = k->number;
  while (at < o->book.in_stream[k->stream]) {
    const struct hd_work *x = hd_oracle_work(o, q[at]);
    bool older = x->number < k->number,
         waits = x->word == HD_BOOK_REQUESTED && !x->started; /* it may still be refused */
    if (older && !waits && hd_book_may_be_complete(&o->book, q[at]))
      hd_book_close(&o->book, q[at]);
    else if (q[at] != w && (x->started || (older && !waits)))
      return "rule 3: a kernel of a device stream began before the one ahead of it was complete";
    else
      at++;
  }
  return NULL;
}

/* A device kernel begins, or a group that found no kernel to join and became one. */
static const char *device_starts(struct hd_plane_oracle *o, uint32_t w) {
  struct hd_work *k = hd_oracle_work(o, w), *up = hd_oracle_work(o, k->up);
  if (k->closed || k->lost) return "rule 7: a kernel entered that is lost, or that the plane considered complete";
  if (k->kind == HD_BOOK_GROUP && k->word == HD_BOOK_KEPT) return "rule 2: a kept group runs as a kernel";
  if (k->kind == HD_BOOK_GROUP && hd_oracle_must_join(o, w))
    return "rule 14: a group runs as a kernel though it could join one";
  if (up->closed || up->resumes != k->up_resumes)
    return "rule 10: a kernel continued before a kernel that it launched was complete";
  if (k->kind == HD_BOOK_GROUP || k->word == HD_BOOK_REQUESTED) hd_book_bear(&o->book, k->up, w);
  k->kind = HD_BOOK_KERNEL;
  hd_book_mother(&o->book, k->up, w);
  return k->stream ? stream_goes_on(o, w) : NULL;
}

/* A suspended kernel is resumed. */
static const char *resumes(struct hd_plane_oracle *o, uint32_t kernel) {
  struct hd_work *k = hd_oracle_work(o, kernel);
  if (k->running) return "rule 10: a kernel was resumed while a TB of it ran";
  if (k->closed) return "rule 7: a kernel was resumed that the plane considered complete";
  if (k->doomed) return "rule 7: a kernel was resumed that an error has stopped";
  if (!hd_book_close_children(&o->book, kernel))
    return "rule 10: a kernel continued before a kernel that it launched was complete";
  k->stopped = 0;
  k->resumes++;
  if (o->book.native == kernel) o->book.native = 0; /* it is now the youngest in the order of kernels */
  return NULL;
}

/* A kernel enters the KD for the first time, or is resumed. */
const char *hd_oracle_enters(struct hd_plane_oracle *o, const struct hd_top_out *out) {
  if (!out->enter_valid) return NULL;
  uint32_t w = hd_book_stopped(&o->book, hd_book_find(&o->book, out->enter_param));
  struct hd_work *k = hd_oracle_work(o, w);
  const char *rule = NULL;
  if (!w || (k->started && !k->stopped))
    return "rule 2: a kernel entered the KD that was not launched, or that is there already";
  if (k->stopped)
    rule = resumes(o, w);
  else
    rule = k->kind == HD_BOOK_HOST ? hd_oracle_host_starts(o, w) : device_starts(o, w);
  k->started = 1;
  k->entered = o->now;
  if (!rule && k->graph) rule = hd_oracle_graph_enters(o, w);
  if (rule) return rule;
  hd_oracle_kernel_binds(o, w);
  return check_entry_reuse(o, w, out->enter_kdei);
}

/* Returns true if the current native part is over, or if its kernel has stopped or may have. */
static bool native_over(struct hd_plane_oracle *o) {
  const struct hd_work *n = hd_oracle_work(o, o->book.native);
  return n->next == n->ctas || n->stopped || n->saving || hd_book_may_fail(&o->book, o->book.native);
}

/* Returns true if banks may hold entries of the kernel: native TBs, a begun group, or a group other than `except` that
 * may have joined it. */
static bool banks_may_hold(const struct hd_plane_oracle *o, uint32_t kernel, uint32_t except) {
  const struct hd_work *k = &o->book.work[kernel];
  if (k->entries || o->book.work[hd_book_whole(&o->book, kernel)].rooms & HD_ROOM_BANK) return true;
  for (uint32_t w = 1; w < o->book.works; w++) {
    const struct hd_work *g = &o->book.work[w];
    if (w != except && g->kind == HD_BOOK_GROUP && !g->started && g->rooms & HD_ROOM_BANK && hd_book_same_key(g, k))
      return true;
  }
  return false;
}

/* Returns true if a group with an AGE may have joined the rest of a kernel: it was launched after the last save of the
 * kernel, and banks may hold entries of that. */
static bool may_join_rest(const struct hd_plane_oracle *o, uint32_t kernel, uint32_t group) {
  const struct hd_work *k = &o->book.work[kernel];
  return k->stopped && o->book.work[group].number > hd_book_last_save(&o->book, kernel) &&
         banks_may_hold(o, kernel, group);
}

/* Returns the kernel of a TB that comes from a bank (group: 0) or that belongs to a group with an AGE. A kernel with a
 * save, a full saved list and no running TB has been suspended: the TB belongs to its rest, which is created here. */
static uint32_t or_rest(struct hd_plane_oracle *o, uint32_t kernel, uint32_t group) {
  const struct hd_work *k = hd_oracle_work(o, kernel);
  const bool full = k->saves + k->saving + 1 >= o->cfg.sav_max;
  if (!kernel || !full || k->running) return kernel;
  if (group ? !may_join_rest(o, kernel, group) : !k->stopped && !k->saving) return kernel;
  o->stayed = 1;
  return hd_book_rest(&o->book, kernel);
}

/* Checks that the kernel may grant a native TB or a TB of a group. banked: the TB comes from a bank; those are granted
 * even if the kernel stops. */
static const char *check_may_continue(const struct hd_plane_oracle *o, const struct hd_work *k, bool banked) {
  if (k->closed) return "rule 7: a TB was granted of a kernel that the plane considered complete";
  if (banked) return NULL;
  if (k->stop_at && o->now > k->stop_at) return "rule 7: a TB was granted of a kernel that an error has stopped";
  if (k->stopped) return "rule 10: a TB was granted of a kernel that was not resumed after a save";
  if (k->saves) return "rule 4: a TB was granted before the saved TBs of its kernel";
  return NULL;
}

static const char *next_tb(struct hd_work *w, uint32_t blkid) {
  if (blkid >= w->ctas) return "rule 2: a TB was granted past the end of its grid";
  if (blkid != w->next) return "rule 2: TBs of a kernel or group are not granted in increasing order";
  w->next++;
  return NULL;
}

static const char *native_tb(struct hd_plane_oracle *o, const struct hd_dispatch *d, struct hd_oracle_slot *slot) {
  bool banked = o->banked && d->level > 0; /* it may come from a bank */
  const uint32_t found = hd_book_find(&o->book, d->desc.param), w = banked ? or_rest(o, found, 0) : found;
  struct hd_work *k = hd_oracle_work(o, w), *whole = hd_oracle_work(o, hd_book_whole(&o->book, w));
  if (!w || !same_desc(&k->desc, &d->desc)) return "rule 2: a TB was granted with a descriptor that was not launched";
  if (!k->started) return "rule 2: a TB was granted of a kernel that has not entered the KD";
  const char *rule = check_may_continue(o, k, banked);
  if (rule) return rule;
  if (k->kind == HD_BOOK_GROUP) return "rule 2: a TB of a group was granted without its AGE";
  if (k->entry != d->kdei) return "rule 2: a TB was granted with a wrong KD entry";
  if (d->level != k->level) return "rule 2: a TB was granted with a wrong level";
  slot->kernel = w;
  if (k->graph) return hd_oracle_node(o, d, slot);
  if (!banked) rule = hd_oracle_check_overlap(o, w);
  if (rule) return rule;
  if (o->book.native != w && !native_over(o) && !banked)
    return "rule 4: a kernel interrupted the native part of another";
  if (!banked) o->book.native = w;
  rule = next_tb(whole, d->blkid);
  if (whole->next == whole->ctas) hd_book_leave(&o->book, hd_book_whole(&o->book, w), HD_ROOM_BANK);
  return rule;
}

/* Checks the first TB of any group, with an AGE or from a bank. */
static const char *group_joins(struct hd_plane_oracle *o, uint32_t g, uint32_t kernel) {
  struct hd_work *w = hd_oracle_work(o, g), *k = hd_oracle_work(o, kernel);
  if (w->smem != k->smem) return "rule 2: a group joined a kernel with another shared memory size";
  if (hd_oracle_must_join(o, g) && kernel != w->join && !k->resumes && k->entry >= (int)w->joins)
    return "rule 14: a group did not join the kernel in the lowest entry";
  w->group = kernel;
  w->started = 1;
  return NULL;
}

/* Checks the first TB of a group with an AGE. */
static const char *group_starts(struct hd_plane_oracle *o, uint32_t g, uint32_t kernel) {
  struct hd_work *w = hd_oracle_work(o, g), *k = hd_oracle_work(o, kernel);
  const struct hd_work *before = hd_oracle_work(o, k->group);
  if (w->word != HD_BOOK_KEPT && !(w->rooms & HD_ROOM_AGE))
    return "rule 13: a group has an AGE under a policy other than rr";
  if (w->number < k->group_number) return "rule 4: groups of a kernel are granted out of order";
  if (k->group && before->next < before->ctas) return "rule 4: a group began before the one ahead of it had ended";
  k->group = g;
  k->group_number = w->number;
  hd_book_leave(&o->book, g, HD_ROOM_POOL | HD_ROOM_BIRTH | HD_ROOM_BANK);
  return group_joins(o, g, kernel);
}

/* Checks the first TB of a group in a bank, that of the cluster that launched it: groups of one level are granted in
 * order, one after the other. */
static const char *bank_group_starts(struct hd_plane_oracle *o, uint32_t g, uint32_t kernel) {
  struct hd_work *w = hd_oracle_work(o, g);
  struct hd_oracle_bank *bank = &o->bank[w->smx / o->cfg.smx_per_cluster][w->level - 1];
  const struct hd_work *before = hd_oracle_work(o, bank->group);
  uint64_t *number = &o->banked_number[w->smx][w->level - 1];
  if (!(w->rooms & HD_ROOM_BANK)) return "rule 13: a group has no AGE under rr";
  if (w->away || w->gone) return "rule 13: a group is granted that waits in memory, or was lost there";
  if (w->number < *number) return "rule 13: groups of an SMX and level are granted out of order";
  if (bank->group && before->number == bank->number && before->next < before->ctas)
    return "rule 13: a group began before the one ahead of it in its bank had ended";
  *bank = (struct hd_oracle_bank){.group = g, .number = w->number};
  *number = w->number;
  hd_oracle_work(o, kernel)->entries++;
  hd_book_leave(&o->book, g, HD_ROOM_POOL | HD_ROOM_BIRTH | HD_ROOM_AGE);
  return group_joins(o, g, kernel);
}

/* Returns true if a group without a running TB may have lost its AGE of the table: all its TBs were granted, or a
 * memory error has separated it from its kernel. In the second case the kernel must not grant any more TBs from now
 * on. */
static bool gave_up_age(struct hd_plane_oracle *o, const struct hd_work *h) {
  struct hd_work *k = hd_oracle_work(o, h->group);
  if (h->next == h->ctas || h->torn) return true;
  if (!k->hit || k->running) return false;
  k->doomed = 1, k->stop_at = o->now;
  return true;
}

/* Checks the AGE of a granted TB of a group. An overflowed group may have another slot after a suspension of its
 * kernel; a torn group may have lost its AGE. */
static const char *check_age(struct hd_plane_oracle *o, uint32_t g, unsigned agei) {
  struct hd_work *w = hd_oracle_work(o, g);
  uint32_t holder = agei < o->cfg.num_age ? o->age[agei] : 0;
  const struct hd_work *h = hd_oracle_work(o, holder);
  bool onchip = agei < o->cfg.agt_size;
  if (agei >= o->cfg.num_age) return "rule 5: a group has an AGE that does not exist";
  if (w->word == HD_BOOK_REQUESTED ? false : onchip != (w->word == HD_BOOK_TAKEN))
    return "rule 8: a kept group has an AGE of the table, or a group that was not kept has none";
  if (onchip && o->cfg.agt_hash != HD_ORACLE_HASH_FREE && agei != w->hash)
    return "rule 5: a group has an AGE of another hash";
  if (w->agei >= 0 && w->agei != (int)agei && (onchip || w->running)) return "rule 5: a group changed its AGE";
  if (holder && holder != g && h->agei == (int)agei && (h->running || (onchip && !gave_up_age(o, h))))
    return "rule 5: two groups have the same AGE";
  o->age[agei] = g;
  w->agei = (int32_t)agei;
  return NULL;
}

static const char *group_tb(struct hd_plane_oracle *o, unsigned s, const struct hd_dispatch *d,
                            struct hd_oracle_slot *slot) {
  uint32_t g = hd_book_find(&o->book, d->desc.param);
  uint32_t kernel = or_rest(o, o->book.kde[d->kdei], d->age_valid ? g : 0);
  struct hd_work *w = hd_oracle_work(o, g), *k = hd_oracle_work(o, kernel);
  if (!g || w->kind != HD_BOOK_GROUP) return "rule 2: a TB was granted of a group that was not launched";
  if (!kernel) return "rule 2: a TB of a group was granted in an entry without a kernel";
  const char *rule = check_may_continue(o, k, !d->age_valid);
  if (!rule && k->graph) rule = "rule 15: a group joined a kernel with a graph";
  if (!rule && d->age_valid) rule = hd_oracle_check_overlap(o, kernel);
  if (rule) return rule;
  if (d->age_valid && k->next < k->ctas && !(o->banked && k->level > 0))
    return "rule 4: a TB of a group was granted before the end of the native part";
  if (w->group && w->group != kernel) return "rule 2: two kernels granted TBs of one group";
  if (!w->group) rule = d->age_valid ? group_starts(o, g, kernel) : bank_group_starts(o, g, kernel);
  if (rule) return rule;
  if (!d->age_valid && w->word == HD_BOOK_KEPT) return "rule 13: a TB of a kept group was granted without its AGE";
  if (!d->age_valid && o->policy_was == HD_POLICY_SMX_BIND &&
      s / o->cfg.smx_per_cluster != w->smx / o->cfg.smx_per_cluster)
    return "rule 13: a TB bound to a cluster of SMXs was granted to another cluster";
  struct hd_desc want = k->desc;
  want.grid_x = w->desc.grid_x, want.grid_y = w->desc.grid_y, want.grid_z = w->desc.grid_z;
  want.param = w->desc.param;
  if (!same_desc(&want, &d->desc) || w->desc.pc != want.pc || w->desc.cta_x != want.cta_x ||
      w->desc.cta_y != want.cta_y || w->desc.cta_z != want.cta_z)
    return "rule 2: a TB of a group was granted with a wrong descriptor";
  if (d->level != w->level) return "rule 2: a TB was granted with a wrong level";
  slot->kernel = kernel;
  slot->group = g;
  rule = d->age_valid ? check_age(o, g, d->agei) : NULL;
  if (!rule) rule = next_tb(w, d->blkid);
  if (rule || d->age_valid || w->next < w->ctas) return rule;
  k->entries--;
  hd_book_leave(&o->book, g, HD_ROOM_BANK);
  return NULL;
}

static const char *saved_tb(struct hd_plane_oracle *o, const struct hd_dispatch *d, struct hd_oracle_slot *slot) {
  const struct hd_book_save *save;
  uint32_t kernel = hd_book_saver(&o->book, d->desc.param, &save);
  struct hd_work *k = hd_oracle_work(o, kernel);
  if (!kernel) return "rule 2: a TB was restarted that was not saved";
  if (!save) return "rule 4: saved TBs are granted out of order";
  if (k->closed) return "rule 7: a TB was granted of a kernel that the plane considered complete";
  if (k->stopped) return "rule 10: a TB was granted of a kernel that was not resumed after a save";
  if (k->stop_at && o->now > k->stop_at) return "rule 7: a TB was granted of a kernel that an error has stopped";
  struct hd_desc want = k->desc;
  want.param = save->ctx;
  if (!same_desc(&want, &d->desc) || d->blkid || d->group)
    return "rule 2: a saved TB was restarted with a wrong descriptor";
  if (k->entry != d->kdei) return "rule 2: a TB was granted with a wrong KD entry";
  if (d->level != save->level) return "rule 2: a TB was granted with a wrong level";
  slot->kernel = kernel;
  hd_book_restart(&o->book, kernel);
  return hd_oracle_check_overlap(o, kernel);
}

static const char *fill(struct hd_plane_oracle *o, unsigned s, struct hd_oracle_slot *slot) {
  struct hd_work *k = hd_oracle_work(o, slot->kernel);
  k->running++;
  if (slot->group) hd_oracle_work(o, slot->group)->running++;
  o->warps[s] += k->warps;
  o->regs[s] += k->regs;
  o->smem[s] += k->smem;
  if (o->warps[s] * 32 > o->cfg.threads_per_smx || o->regs[s] * o->cfg.reg_unit > o->cfg.regs_per_smx ||
      o->smem[s] * 256 > o->cfg.smem_per_smx)
    return "rule 5: the TBs of an SMX need more than its resources";
  return NULL;
}

/* A TB was granted while a native part continued: one of this part, of a graph, or else of a bank, which rule 17
 * limits. */
static const char *passes(struct hd_plane_oracle *o, unsigned s, const struct hd_oracle_slot *slot) {
  const bool own = (slot->kernel == o->book.native && !slot->group) || hd_oracle_work(o, slot->kernel)->graph;
  const bool turn = o->cfg.fair_every && o->passed >= o->cfg.fair_every;
  if (!own && turn && s < o->open) return "rule 17: more than FairEvery TBs of banks went ahead of a native part";
  o->passed = own ? 0 : o->passed + 1;
  return NULL;
}

static const char *handed_out(struct hd_plane_oracle *o, unsigned s, const struct hd_dispatch *d) {
  if (d->kdei >= o->cfg.num_kde || d->slot >= o->cfg.ctas_per_smx)
    return "rule 5: a TB was granted with a slot or a KD entry that does not exist";
  struct hd_oracle_slot *slot = &o->slot[s][d->slot];
  if (slot->state) return "rule 5: a TB was granted to an occupied slot";
  const bool any = d->restart || d->age_valid || (!d->group && !d->level) || !o->banked; /* it may go to any SMX */
  if (any && s >= o->open) return "rule 16: a TB that may go to any SMX went to a closed one";
  const bool native = o->book.native && !native_over(o); /* a native part continues */
  *slot = (struct hd_oracle_slot){.state = 1, .level = d->level};
  const char *rule = d->restart ? saved_tb(o, d, slot) : d->group ? group_tb(o, s, d, slot) : native_tb(o, d, slot);
  if (!native) o->passed = 0;
  if (!rule && native) rule = passes(o, s, slot);
  return rule ? rule : fill(o, s, slot);
}

const char *hd_oracle_dispatches(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  unsigned fresh = 0;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (o->waits[s]) {
      if (!out->dispatch_valid[s] || memcmp(&o->was[s], &out->dispatch[s], sizeof o->was[s]))
        return "rule 6: an offered TB changed before it was accepted";
    } else if (out->dispatch_valid[s]) {
      const char *rule = handed_out(o, s, &out->dispatch[s]);
      if (rule) return rule;
      if (++fresh > 1) return "rule 5: two TBs were granted in one cycle";
    }
    o->waits[s] = out->dispatch_valid[s] && !in->dispatch_ready[s];
    if (o->waits[s]) o->was[s] = out->dispatch[s];
  }
  return NULL;
}

/* Removes a completed TB. */
static void check_completion(struct hd_plane_oracle *o, unsigned s, struct hd_oracle_slot *slot) {
  struct hd_work *k = hd_oracle_work(o, slot->kernel);
  o->warps[s] -= k->warps;
  o->regs[s] -= k->regs;
  o->smem[s] -= k->smem;
  k->running--;
  slot->state = 0;
  hd_oracle_node_done(o, s, slot);
  if (!slot->group) return;
  hd_oracle_work(o, slot->group)->running--;
  hd_oracle_forget_group(o, slot->group);
}

void hd_oracle_completions(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    unsigned j = in->cta_done_slot[s];
    if (in->cta_done_valid[s] && j < o->cfg.ctas_per_smx && o->slot[s][j].state == 2)
      check_completion(o, s, &o->slot[s][j]);
    if (out->dispatch_valid[s] && in->dispatch_ready[s]) o->slot[s][out->dispatch[s].slot].state = 2;
  }
}
