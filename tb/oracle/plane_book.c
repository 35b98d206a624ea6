/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/plane_book.h"

#include <string.h>

void hd_book_init(struct hd_book *b, uint32_t smx_per_cluster) {
  b->smx_per_cluster = smx_per_cluster;
  memset(&b->work[0], 0, sizeof b->work[0]);
  memset(b->hash, 0, sizeof b->hash);
  memset(b->kde, 0, sizeof b->kde);
  memset(b->in_stream, 0, sizeof b->in_stream);
  b->works = b->saves = 1;
  b->free_work = b->free_save = b->native = 0;
  b->number = 0;
  b->in_pool = b->parents = b->in_ages = 0;
  memset(b->in_age, 0, sizeof b->in_age);
  memset(b->in_bank, 0, sizeof b->in_bank);
  b->failed = b->lost = 0;
}

static uint32_t *bucket(struct hd_book *b, uint64_t param) {
  return &b->hash[param * 0x9e3779b97f4a7c15u >> 54];
}

uint32_t hd_book_add(struct hd_book *b, enum hd_book_kind kind, const struct hd_desc *desc) {
  uint32_t w = b->free_work;
  if (w)
    b->free_work = b->work[w].same;
  else if (b->works == HD_BOOK_WORKS)
    return 0;
  else
    w = b->works++;
  uint32_t *chain = bucket(b, desc->param);
  b->work[w] = (struct hd_work){
      .desc = *desc, .kind = (uint8_t)kind, .number = ++b->number, .same = *chain, .entry = -1, .agei = -1};
  *chain = w;
  return w;
}

uint32_t hd_book_find(const struct hd_book *b, uint64_t param) {
  uint32_t w = *bucket((struct hd_book *)(uintptr_t)b, param);
  while (w && b->work[w].desc.param != param) w = b->work[w].same;
  return w;
}

static void leave_stream(struct hd_book *b, uint32_t w) {
  unsigned s = b->work[w].stream;
  uint32_t *q = b->stream[s], n = b->in_stream[s], k = 0;
  while (k < n && q[k] != w) k++;
  if (k == n) return;
  memmove(q + k, q + k + 1, (n - k - 1) * sizeof *q);
  b->in_stream[s]--;
}

/* ---- rooms ---- */

bool hd_book_has_record(const struct hd_work *kernel) {
  return !kernel->closed && (kernel->births || kernel->mother);
}

static void count(struct hd_book *b, const struct hd_work *x, unsigned rooms, uint32_t by) {
  struct hd_work *up = &b->work[x->up];
  if (rooms & HD_ROOM_POOL) b->in_pool += by;
  if (rooms & HD_ROOM_AGE) b->in_ages += by;
  if (rooms & HD_ROOM_AGE) b->in_age[x->hash] += by;
  if (rooms & HD_ROOM_BANK) b->in_bank[x->smx / b->smx_per_cluster] += by;
  if (!(rooms & HD_ROOM_BIRTH) || up->number != x->up_number || up->closed) return;
  b->parents -= hd_book_has_record(up);
  up->births += by;
  b->parents += hd_book_has_record(up);
}

void hd_book_take(struct hd_book *b, uint32_t w, unsigned rooms) {
  struct hd_work *x = &b->work[w];
  rooms &= ~(unsigned)x->rooms;
  x->rooms |= (uint8_t)rooms;
  count(b, x, rooms, 1);
}

void hd_book_leave(struct hd_book *b, uint32_t w, unsigned rooms) {
  struct hd_work *x = &b->work[w];
  rooms &= x->rooms;
  x->rooms &= (uint8_t)~rooms;
  count(b, x, rooms, UINT32_MAX);
}

/* Closes a complete kernel, and frees its parent record. */
static void close_record(struct hd_book *b, struct hd_work *x) {
  b->parents -= hd_book_has_record(x);
  x->closed = 1;
}

void hd_book_drop(struct hd_book *b, uint32_t w) {
  struct hd_work *x = &b->work[w];
  hd_book_leave(b, w, x->rooms);
  close_record(b, x);
  uint32_t *at = bucket(b, x->desc.param);
  while (*at != w) at = &b->work[*at].same;
  *at = x->same;
  if (x->stream) leave_stream(b, w);
  while (x->saves) hd_book_restart(b, w);
  if (x->entry >= 0) b->kde[x->entry] = 0;
  if (b->native == w) b->native = 0;
  if (b->work[x->group].group == w) b->work[x->group].group = 0;
  x->kind = HD_BOOK_NOTHING;
  x->same = b->free_work;
  b->free_work = w;
}

void hd_book_mother(struct hd_book *b, uint32_t up, uint32_t child) {
  struct hd_work *x = &b->work[up];
  uint64_t number = b->work[child].number;
  b->parents -= hd_book_has_record(x);
  if (!x->mother || number < x->mother) x->mother = number;
  b->parents += hd_book_has_record(x);
}

void hd_book_bear(struct hd_book *b, uint32_t up, uint32_t child) {
  b->work[child].sibling = b->work[up].child;
  b->work[up].child = child;
}

bool hd_book_queue(struct hd_book *b, uint32_t w) {
  unsigned s = b->work[w].stream;
  for (uint32_t at = 0; at < b->in_stream[s] && b->in_stream[s] == HD_BOOK_IN_STREAM; at++)
    if (hd_book_may_be_complete(b, b->stream[s][at])) leave_stream(b, b->stream[s][at]); /* not reported yet */
  if (b->in_stream[s] == HD_BOOK_IN_STREAM) return false;
  b->stream[s][b->in_stream[s]++] = w;
  return true;
}

/* ---- rests ---- */

uint32_t hd_book_rest(struct hd_book *b, uint32_t kernel) {
  uint32_t r = hd_book_add(b, HD_BOOK_KERNEL, &b->work[kernel].desc);
  struct hd_work *k = &b->work[kernel], *x = &b->work[r];
  if (!r) return 0;
  x->rest = x->started = 1;
  x->word = HD_BOOK_TAKEN;
  x->up = kernel, x->up_number = k->number, x->up_resumes = k->resumes;
  x->ctas = x->next = k->ctas;
  x->warps = k->warps, x->regs = k->regs, x->smem = k->smem;
  x->level = k->level, x->smx = k->smx;
  x->entered = k->entered, x->group_number = k->group_number;
  x->hit = k->hit, x->stop_at = k->stop_at, x->lost_at = k->lost_at;
  x->entry = k->entry, x->entries = k->entries;
  k->entry = -1, k->entries = 0;
  if (x->entry >= 0) b->kde[x->entry] = r;
  for (uint32_t w = 1; w < b->works; w++) {
    struct hd_work *g = &b->work[w];
    if (g->kind == HD_BOOK_GROUP && g->group == kernel && g->agei < 0 && g->next < g->ctas) g->group = r;
  }
  hd_book_take(b, r, HD_ROOM_BIRTH);
  hd_book_bear(b, kernel, r);
  return r;
}

uint32_t hd_book_stopped(const struct hd_book *b, uint32_t w) {
  while (b->work[w].rest && !b->work[w].stopped) w = b->work[w].up;
  return w;
}

uint32_t hd_book_whole(const struct hd_book *b, uint32_t w) {
  while (b->work[w].rest) w = b->work[w].up;
  return w;
}

/* ---- saved TBs ---- */

bool hd_book_save(struct hd_book *b, uint32_t kernel, uint64_t number, uint64_t ctx, uint8_t level) {
  struct hd_work *k = &b->work[kernel];
  uint32_t n = b->free_save, *at = &k->save_first;
  if (n)
    b->free_save = b->save[n].next;
  else if (b->saves == HD_BOOK_SAVES)
    return false;
  else
    n = b->saves++;
  for (uint32_t i = 0; i < k->saves && b->save[*at].number < number; i++) at = &b->save[*at].next;
  b->save[n] = (struct hd_book_save){.ctx = ctx, .number = number, .kernel = kernel, .next = *at, .level = level};
  *at = n;
  k->saves++;
  return true;
}

uint32_t hd_book_saver(const struct hd_book *b, uint64_t ctx, const struct hd_book_save **oldest) {
  *oldest = NULL;
  for (uint32_t n = 1; n < b->saves; n++) {
    uint32_t k = b->save[n].kernel;
    if (!k || b->save[n].ctx != ctx) continue;
    if (b->work[k].save_first == n) *oldest = &b->save[n];
    return k;
  }
  return 0;
}

uint64_t hd_book_last_save(const struct hd_book *b, uint32_t kernel) {
  const struct hd_work *k = &b->work[kernel];
  uint64_t number = 0;
  for (uint32_t i = 0, n = k->save_first; i < k->saves; i++, n = b->save[n].next) number = b->save[n].number;
  return number;
}

void hd_book_restart(struct hd_book *b, uint32_t kernel) {
  struct hd_work *k = &b->work[kernel];
  uint32_t n = k->save_first;
  k->save_first = b->save[n].next;
  k->saves--;
  b->save[n].kernel = 0;
  b->save[n].next = b->free_save;
  b->free_save = n;
}

/* ---- completion ---- */

bool hd_book_unfinished(const struct hd_book *b, uint32_t kernel) {
  const struct hd_work *k = &b->work[kernel], *g = &b->work[k->group];
  return k->next < k->ctas || k->saves || k->entries || (k->group && g->next < g->ctas);
}

bool hd_book_same_key(const struct hd_work *g, const struct hd_work *k) {
  return g->desc.pc == k->desc.pc && g->desc.cta_x == k->desc.cta_x && g->desc.cta_y == k->desc.cta_y &&
         g->desc.cta_z == k->desc.cta_z && g->smem == k->smem;
}

bool hd_book_may_fail(const struct hd_book *b, uint32_t kernel) {
  return b->work[kernel].hit;
}

bool hd_book_fail(struct hd_book *b, uint32_t kernel) {
  struct hd_work *k = &b->work[kernel];
  if (!k->hit) return false;
  b->failed += !k->failed;
  k->failed = 1;
  return true;
}

void hd_book_lose(struct hd_book *b, uint32_t w) {
  struct hd_work *k = &b->work[w];
  if (k->lost || k->started) return;
  k->lost = 1;
  b->lost++;
  hd_book_mother(b, k->up, w);
  hd_book_leave(b, w, HD_ROOM_AGE | HD_ROOM_BANK);
  if (k->kind == HD_BOOK_GROUP) hd_book_bear(b, k->up, w);
  k->kind = HD_BOOK_KERNEL;
}

bool hd_book_may_be_complete(const struct hd_book *b, uint32_t kernel) {
  const struct hd_work *k = &b->work[kernel];
  if (k->closed || k->lost) return true;
  if (!k->started || k->running || (hd_book_unfinished(b, kernel) && !k->hit)) return false;
  for (uint32_t c = k->child; c; c = b->work[c].sibling)
    if (!hd_book_may_be_complete(b, c)) return false;
  return true;
}

/* A kernel that was hit ends: marks the groups that may be lost with it. For that kernel alone, the oracle accepts that
 * groups of its list are lost and that their records and AGEs are not returned before the plane is idle. The ports do
 * not show which groups without a granted TB were its own, so every group that could have joined it is marked. */
static void tear(struct hd_book *b, uint32_t kernel) {
  for (uint32_t w = 1; w < b->works; w++) {
    struct hd_work *g = &b->work[w];
    if (g->kind == HD_BOOK_GROUP && (g->started ? g->group == kernel : hd_book_same_key(g, &b->work[kernel])))
      g->torn = 1;
  }
}

/* The completion of a kernel that has left the KD may still wait for the host. */
void hd_book_records_free(struct hd_book *b) {
  for (uint32_t w = 1; w < b->works; w++) {
    const struct hd_work *k = &b->work[w];
    const bool kernel = k->kind == HD_BOOK_HOST || k->kind == HD_BOOK_KERNEL;
    if (kernel && k->started && !k->closed && k->hit && !k->graph && hd_book_may_be_complete(b, w)) tear(b, w);
  }
  for (uint32_t w = 1; w < b->works; w++) b->work[w].returned |= b->work[w].torn;
}

void hd_book_drop_torn(struct hd_book *b) {
  for (uint32_t w = 1; w < b->works; w++)
    if (b->work[w].kind != HD_BOOK_NOTHING && b->work[w].torn) hd_book_drop(b, w);
}

bool hd_book_close(struct hd_book *b, uint32_t kernel) {
  struct hd_work *k = &b->work[kernel];
  if (k->closed) return true;
  close_record(b, k);
  if (!hd_book_close_children(b, kernel)) return false;
  if (k->stream) leave_stream(b, kernel);
  if (k->lost) return true;
  if (k->hit && !k->graph) tear(b, kernel); /* no group joins a kernel with a graph */
  if (k->running) return false;
  return !hd_book_unfinished(b, kernel) || hd_book_fail(b, kernel);
}

bool hd_book_close_children(struct hd_book *b, uint32_t kernel) {
  struct hd_work *k = &b->work[kernel];
  while (k->child) {
    uint32_t c = k->child;
    if (!hd_book_close(b, c)) return false;
    k->child = b->work[c].sibling;
    hd_book_drop(b, c);
  }
  return true;
}
