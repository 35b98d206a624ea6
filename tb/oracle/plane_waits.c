/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Rule 18 of plane_oracle.c: progress. A condition below holds only if the ports prove that the plane has to act. In
 * doubtful cases (a group that may belong to one of two kernels, a memory error) only the end of the run decides. */
#include "oracle/plane_oracle.h"
#include "oracle/plane_state.h"

static bool sinks_withhold(const struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool any = (out->host_answer_valid && !in->host_answer_ready) || (out->kernel_done_valid && !in->kernel_done_ready) ||
             (out->record_done_valid && !in->record_done_ready);
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    any |= (out->dispatch_valid[s] && !in->dispatch_ready[s]) || (out->dev_answer_valid[s] && !in->dev_answer_ready[s]);
  return any;
}

/* Returns true if the memory has an open burst, or is offered one, and transfers no beat. */
static bool memory_withholds(struct hd_plane_waits *w, const struct hd_top_in *in, const struct hd_top_out *out) {
  const bool ar = out->arvalid && in->arready, aw = out->awvalid && in->awready;
  const bool open = w->reads || w->writes || out->arvalid || out->awvalid || out->wvalid;
  w->reads += (unsigned)ar - (in->rvalid && in->rlast);
  w->writes += (unsigned)aw - in->bvalid;
  return open && !ar && !aw && !(out->wvalid && in->wready) && !in->rvalid && !in->bvalid;
}

/* Adds `cycles` free cycles to the count of a wait, or clears it if !waits. Returns true if it exceeds the bound. */
static bool late(const struct hd_plane_waits *w, uint32_t *count, bool waits, uint32_t cycles) {
  *count = waits ? *count + cycles : 0;
  return *count > w->bound;
}

static const char *ports(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  struct hd_plane_waits *w = &o->waits_of;
  if (late(w, &w->host_offer, in->host_launch_valid && !out->host_launch_ready, 1) ||
      late(w, &w->host_answer, o->host_n && !out->host_answer_valid, 1))
    return "rule 18: a launch of the host is not accepted or not answered";
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    if (late(w, &w->dev_offer[s], in->dev_launch_valid[s] && !out->dev_launch_ready[s], 1) ||
        late(w, &w->dev_answer[s], o->dev_n[s] && !out->dev_answer_valid[s], 1))
      return "rule 18: a launch of an SMX is not accepted or not answered";
  return NULL;
}

/* ---- facts that are certain ---- */

/* Returns true if a group with TBs left may have joined the kernel, or may have become a child of it. */
static bool may_have_a_group(const struct hd_book *b, uint32_t kernel) {
  const struct hd_work *k = &b->work[kernel];
  for (uint32_t w = 1; w < b->works; w++) {
    const struct hd_work *g = &b->work[w];
    if (g->kind == HD_BOOK_GROUP && !g->torn && g->next < g->ctas &&
        (hd_book_same_key(g, k) || (g->up == kernel && g->up_number == k->number)))
      return true;
  }
  return false;
}

static bool is_complete(const struct hd_book *b, uint32_t kernel);

static bool children_are_complete(const struct hd_book *b, uint32_t kernel) {
  for (uint32_t c = b->work[kernel].child; c; c = b->work[c].sibling)
    if (!is_complete(b, c)) return false;
  return true;
}

static bool is_complete(const struct hd_book *b, uint32_t kernel) {
  const struct hd_work *k = &b->work[kernel];
  if (k->closed || k->lost) return true;
  return k->started && !k->running && !k->hit && !hd_book_unfinished(b, kernel) && !may_have_a_group(b, kernel) &&
         children_are_complete(b, kernel);
}

/* Returns true if banks may hold TBs of the suspended kernel. They continue as a rest, which no port shows before its
 * first TB. */
static bool may_have_a_rest(const struct hd_plane_oracle *o, uint32_t kernel) {
  const struct hd_work *k = &o->book.work[kernel];
  return o->banked && (k->next < k->ctas || k->entries || may_have_a_group(&o->book, kernel));
}

static bool takes_its_entry(const struct hd_plane_oracle *o, uint32_t kernel) {
  const struct hd_work *k = &o->book.work[kernel];
  if (!kernel) return false;
  if (k->running || k->hit) return true;
  if (k->stopped) return may_have_a_rest(o, kernel);
  return hd_book_unfinished(&o->book, kernel) || may_have_a_group(&o->book, kernel);
}

static bool kd_has_room(const struct hd_plane_oracle *o) {
  for (unsigned e = 0; e < o->cfg.num_kde; e++)
    if (!takes_its_entry(o, o->book.kde[e])) return true;
  return false;
}

/* ---- the event that work waits for ---- */

/* Returns true if the kernel waits to enter, and all kernels before it in its HWQ or stream are complete. */
static bool is_next(const struct hd_plane_oracle *o, uint32_t w) {
  const struct hd_book *b = &o->book;
  const struct hd_work *x = &b->work[w];
  if (x->started || x->word != HD_BOOK_TAKEN || x->closed || x->lost || x->torn || x->graph) return false;
  if (x->kind == HD_BOOK_HOST)
    return o->queued[x->hwq] && o->queue[x->hwq][0] == w &&
           (!o->hwq_runs[x->hwq] || is_complete(b, o->hwq_runs[x->hwq]));
  for (uint32_t at = 0; x->stream && at < b->in_stream[x->stream]; at++) {
    const uint32_t other = b->stream[x->stream][at];
    if (b->work[other].number < x->number && !is_complete(b, other)) return false;
  }
  return x->kind == HD_BOOK_KERNEL;
}

static enum hd_plane_wait waits_for(const struct hd_plane_oracle *o, uint32_t w, bool room) {
  const struct hd_work *x = &o->book.work[w];
  if (x->kind == HD_BOOK_GROUP)
    return x->word == HD_BOOK_KEPT && x->next == x->ctas && !x->running && !x->returned && !x->torn ? HD_WAIT_RECORD
                                                                                                    : HD_WAIT_NOTHING;
  if (room && is_next(o, w)) return HD_WAIT_ENTRY;
  if (room && x->stopped && !x->running && !x->hit && !may_have_a_rest(o, w) && children_are_complete(&o->book, w))
    return HD_WAIT_RESUME;
  return x->kind == HD_BOOK_HOST && x->started && is_complete(&o->book, w) ? HD_WAIT_DONE : HD_WAIT_NOTHING;
}

static const char *works(struct hd_plane_oracle *o) {
  static const char *const rule[] = {
      [HD_WAIT_ENTRY] = "rule 18: a kernel that is next does not enter the KD",
      [HD_WAIT_RESUME] = "rule 18: a suspended kernel whose children are complete is not resumed",
      [HD_WAIT_DONE] = "rule 18: a complete kernel is not reported",
      [HD_WAIT_RECORD] = "rule 18: the record of a completed group is not returned"};
  const bool room = kd_has_room(o);
  for (uint32_t w = 1; w < o->book.works; w++) {
    struct hd_work *x = hd_oracle_work(o, w);
    if (x->kind == HD_BOOK_NOTHING) continue;
    const enum hd_plane_wait what = waits_for(o, w, room);
    if (what != x->waits_for) x->waited = 0;
    x->waits_for = (uint8_t)what;
    if (what && late(&o->waits_of, &x->waited, true, o->waits_of.free)) return rule[what];
  }
  return NULL;
}

static bool is_empty(const struct hd_plane_oracle *o, unsigned smx) {
  for (unsigned k = 0; k < o->cfg.ctas_per_smx; k++)
    if (o->slot[smx][k].state) return false;
  return true;
}

static unsigned empty_smxs(const struct hd_plane_oracle *o, unsigned among) {
  unsigned n = 0;
  for (unsigned s = 0; s < among; s++) n += is_empty(o, s);
  return n;
}

/* Returns true if a kernel in the KD has a native TB that may go to any SMX: of level 0 if banks are used. */
static bool has_a_tb_for_any(const struct hd_plane_oracle *o) {
  for (unsigned e = 0; e < o->cfg.num_kde; e++) {
    const struct hd_work *k = &o->book.work[o->book.kde[e]];
    if (o->book.kde[e] && !k->stopped && !k->saving && !k->hit && !k->graph && !k->rest && k->next < k->ctas &&
        (!o->banked || k->level == 0))
      return true;
  }
  return false;
}

/* sim speed: a sample reads the whole book, so its period grows with the book; it is at most a quarter of the bound. */
static const char *sample(struct hd_plane_oracle *o) {
  struct hd_plane_waits *w = &o->waits_of;
  const unsigned num_smx = o->cfg.num_smx;
  const char *rule = works(o);
  const bool could = !w->dispatched && empty_smxs(o, o->open < num_smx ? o->open : num_smx) && has_a_tb_for_any(o);
  if (late(w, &w->dispatch, could, w->free) && !rule) rule = "rule 18: an SMX is empty, and no TB is granted";
  const bool idle = !w->moved && empty_smxs(o, num_smx) == num_smx && hd_plane_oracle_open(o);
  if (late(w, &w->event, idle, w->free) && !rule) rule = "rule 18: all SMXs are empty, and open work makes no progress";
  w->free = w->dispatched = w->moved = 0;
  return rule;
}

const char *hd_oracle_waits(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  struct hd_plane_waits *w = &o->waits_of;
  w->bound = HD_WAITS_FIRST + HD_WAITS_EACH * (o->book.works + o->cfg.num_smx + o->cfg.num_kde);
  for (unsigned s = 0; s < o->cfg.num_smx; s++) w->dispatched |= out->dispatch_valid[s];
  w->moved |= w->dispatched || out->kernel_done_valid || out->record_done_valid || out->host_answer_valid;
  const bool memory = memory_withholds(w, in, out), sinks = sinks_withhold(o, in, out);
  if (memory || sinks || o->streams_cross) return NULL;
  const char *rule = ports(o, in, out);
  if (!rule && ++w->free >= HD_WAITS_SAMPLE + o->book.works / 4) rule = sample(o);
  return rule;
}
