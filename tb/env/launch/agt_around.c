/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/launch/agt_around.h"

#include <string.h>

enum { AGE_KEPT = 6 }; /* cycles from the last hand-out of a group until its AGE or record is used again, at least */

void hd_agt_around_reset(struct hd_agt_around *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

static unsigned place(const struct hd_agt_around *s, const struct hd_ptr *p) {
  return p->onchip ? p->index : HD_MAX_AGT_SIZE + (p->index - s->first_record) % HD_PLANE_RECORDS;
}

static bool same(const struct hd_ptr *a, const struct hd_ptr *b) {
  return a->onchip == b->onchip && a->index == b->index;
}

static uint8_t *record_at(struct hd_agt_around *s, uint32_t record) {
  return s->bytes + 64 * ((record - s->first_record) % HD_PLANE_RECORDS);
}

static void free_group(struct hd_agt_around *s, const struct hd_ptr *p) {
  if (s->freed_n == HD_PLANE_GROUPS) return;
  s->freed[s->freed_n].at = s->cycle + AGE_KEPT;
  s->freed[s->freed_n++].ptr = *p;
}

static void reuse(struct hd_agt_around *s) {
  unsigned n = 0;
  while (n < s->freed_n && s->freed[n].at <= s->cycle) s->taken[place(s, &s->freed[n++].ptr)] = 0;
  memmove(s->freed, s->freed + n, (s->freed_n - n) * sizeof *s->freed);
  s->freed_n -= n;
}

/* ---- the cycle before ---- */

static void follow_link(struct hd_agt_around *s) {
  struct hd_plane_launch l = s->a3;
  struct hd_plane_kernel *k = &s->kernel[l.kdei];
  struct hd_list before = k->list;
  if (!l.valid) return;
  if (k->failed) {
    free_group(s, &l.ptr);
    return;
  }
  k->list.pending = 1;
  k->list.lagei = l.ptr;
  if (!before.pending) {
    k->list.nagei = l.ptr;
    return;
  }
  s->behind[place(s, &before.lagei)] = l.ptr;
  if (before.lagei.onchip) return;
  s->next[s->next_n++] = (struct hd_plane_next){l.ptr, before.lagei.index, l.kdei};
}

/* The last TB of a group is handed out: its list goes on with succ. */
static void follow_adv(struct hd_agt_around *s, const struct hd_list *before, const struct hd_ptr *succ) {
  struct hd_list *l = &s->kernel[s->adv.kdei].list;
  free_group(s, &s->adv.group);
  if (!same(&before->nagei, &before->lagei))
    l->nagei = *succ;
  else if (s->a3.valid && s->a3.kdei == s->adv.kdei)
    l->nagei = s->a3.ptr;
  else
    memset(l, 0, sizeof *l);
}

static void fail(struct hd_agt_around *s, unsigned kdei) {
  struct hd_plane_kernel *k = &s->kernel[kdei];
  struct hd_ptr p = k->list.nagei;
  for (unsigned n = 0; k->list.pending && n < HD_PLANE_GROUPS; n++) {
    free_group(s, &p);
    if (same(&p, &k->list.lagei)) break;
    p = s->behind[place(s, &p)];
  }
  memset(&k->list, 0, sizeof k->list);
  k->failed = 1;
}

static void follow(struct hd_agt_around *s, const struct hd_agt_in *in, const struct hd_agt_out *out) {
  struct hd_list before = s->kernel[s->adv.kdei].list;
  follow_link(s);
  if (s->adv.valid) {
    /* A kernel that fails in this cycle has no successor told: only its list knows what to free. */
    bool fails = out->fetch_fail_valid && out->fetch_fail_kdei == s->adv.kdei;
    follow_adv(s, &before, fails ? &s->behind[place(s, &s->adv.group)] : &out->succ);
  }
  for (unsigned k = 0; k < 2; k++)
    if (in->fail_valid[k]) fail(s, in->fail_kdei[k]);
  if (out->fetch_fail_valid) fail(s, out->fetch_fail_kdei);
  s->a3 = s->a2;
  memset(&s->a2, 0, sizeof s->a2);
}

/* ---- launches ---- */

static struct hd_info random_info(struct hd_agt_around *s, struct hd_rng *rng) {
  struct hd_info i = {0};
  i.grid_x = (uint16_t)hd_rng_bits(rng, 16);
  i.grid_y = (uint16_t)hd_rng_bits(rng, 16);
  i.grid_z = (uint8_t)hd_rng_bits(rng, 8);
  i.ctas = hd_rng_p(rng, 4) ? (uint32_t)hd_rng_bits(rng, 32) | 1 : 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, 4));
  i.param = hd_rng_bits(rng, 34);
  i.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  return i;
}

static void write_record(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p, uint32_t record) {
  struct hd_info i = random_info(s, rng);
  uint8_t *b = record_at(s, record);
  for (unsigned k = 0; k < 64; k++) b[k] = (uint8_t)hd_rng_bits(rng, 8); /* what is not read may hold anything */
  hd_memory_put(b + 8, 8, i.param << 6 | hd_rng_bits(rng, 24) << 40);
  b[27] = hd_rng_p(rng, 32) ? b[27] : i.level;
  hd_memory_put(b + 40, 4, hd_rng_p(rng, p->bad / 16) ? 0 : i.ctas);
}

static bool in_sscr(const struct hd_agt_around *s, unsigned kdei) {
  return s->sscr.valid && s->sscr.kdei == kdei;
}

/* A group finds its kernel and, in A2, an AGE or not. */
static void drive_launch(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p) {
  if (!hd_rng_below(rng, 300)) {
    s->overflow = 64 * hd_rng_below(rng, 5);
    s->sparse = hd_rng_below(rng, 4);
  }
  unsigned kdei = s->sscr.valid && hd_rng_p(rng, 160) ? s->sscr.kdei : hd_rng_below(rng, s->cfg.num_kde);
  const struct hd_plane_kernel *k = &s->kernel[kdei];
  if (k->away || k->suspending || k->failed || s->next_n + s->a3.valid >= s->cfg.next_depth) return;
  if (!hd_rng_p(rng, p->source >> s->sparse)) return;
  struct hd_ptr ptr = {.onchip = 1, .index = hd_rng_below(rng, s->cfg.agt_size)};
  if (s->taken[ptr.index] || hd_rng_p(rng, s->overflow))
    ptr = (struct hd_ptr){.index = s->first_record + hd_rng_below(rng, HD_PLANE_RECORDS)};
  if (s->taken[place(s, &ptr)]) return;
  s->taken[place(s, &ptr)] = 1;
  if (!ptr.onchip) write_record(s, rng, p, ptr.index);
  s->a2 = (struct hd_plane_launch){ptr, random_info(s, rng), 1, (uint8_t)kdei};
}

/* The oldest Next write is done. */
static void drive_next(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p) {
  s->next_failed = 0;
  if (!s->next_n || !hd_rng_p(rng, p->sink / 4 + 1)) return;
  struct hd_plane_next e = s->next[0];
  memmove(s->next, s->next + 1, --s->next_n * sizeof e);
  s->next_failed = hd_rng_p(rng, p->bad / 8);
  s->next_failed_kdei = e.kdei;
  if (!s->next_failed) hd_memory_put(record_at(s, e.record) + 48, 4, (uint32_t)e.ptr.onchip << 31 | e.ptr.index);
}

/* ---- kernels ---- */

/* Nothing of the kernel is on its way. A group that is being linked is seen in A3: A2 is empty here. */
static bool settled(const struct hd_agt_around *s, unsigned kdei) {
  for (unsigned k = 0; k < s->next_n; k++)
    if (s->next[k].kdei == kdei) return false;
  return !in_sscr(s, kdei) && !(s->a3.valid && s->a3.kdei == kdei) && !(s->next_failed && s->next_failed_kdei == kdei);
}

/* Kernels stop, leave and come back, a suspended one with its list, perhaps in another entry. */
static void drive_kernels(struct hd_agt_around *s, struct hd_rng *rng) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde), j = hd_rng_below(rng, s->cfg.num_kde);
  struct hd_plane_kernel *k = &s->kernel[i], *other = &s->kernel[j];
  s->resumes = 0;
  if (k->away) {
    if (!hd_rng_p(rng, 16)) return;
    if (other->away) {
      struct hd_list list = k->list;
      k->list = other->list;
      other->list = list;
    }
    k->away = 0;
    s->resumes = k->list.pending;
  } else if (k->suspending || k->failed) {
    if (!settled(s, i)) return;
    *k = (struct hd_plane_kernel){.list = k->list, .away = 1};
  } else if (!hd_rng_below(rng, 200)) {
    k->suspending = 1;
  }
}

/* ---- the scheduler ---- */

/* The SSCR takes a kernel that has something to hand out, or none. */
static void next_kernel(struct hd_agt_around *s, struct hd_rng *rng, int not_this) {
  memset(&s->sscr, 0, sizeof s->sscr);
  unsigned at = hd_rng_below(rng, s->cfg.num_kde);
  for (unsigned n = 0; n < s->cfg.num_kde; n++, at = at + 1 == s->cfg.num_kde ? 0 : at + 1) {
    const struct hd_plane_kernel *k = &s->kernel[at];
    bool fresh = hd_rng_p(rng, 16); /* with a native part */
    if (k->away || (k->failed && !hd_rng_p(rng, 16)) || (int)at == not_this) continue;
    if (!k->list.pending && !fresh) continue;
    s->sscr.valid = 1;
    s->sscr.kdei = (uint8_t)at;
    s->sscr.unit = fresh ? HD_PLANE_NATIVE : HD_PLANE_NONE;
    s->sscr.left = fresh ? 1 + hd_rng_below(rng, 8) : 0;
    return;
  }
}

static void load_group(struct hd_agt_around *s, const struct hd_agt_out *now) {
  s->sscr.unit = HD_PLANE_GROUP;
  s->sscr.group = now->group.self;
  s->sscr.left = now->group.info.ctas > 8 ? 1 : now->group.info.ctas;
  s->popped = 1;
}

/* The kernel stops, gives way to others, or has nothing more to hand out; a stopped one stays for a cycle when a group
 * of it is being linked. */
static void leave_kernel(struct hd_agt_around *s, struct hd_rng *rng, bool stop, bool links) {
  unsigned kdei = s->sscr.kdei;
  s->stops = stop;
  if (!stop || !links || hd_rng_p(rng, 128)) {
    next_kernel(s, rng, (int)kdei);
    return;
  }
  memset(&s->sscr, 0, sizeof s->sscr);
  s->sscr.valid = 1;
  s->sscr.kdei = (uint8_t)kdei;
}

/* One cycle of the scheduler. */
static void step_sscr(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p,
                      const struct hd_agt_out *now) {
  unsigned kdei = s->sscr.kdei;
  const struct hd_plane_kernel *k = &s->kernel[kdei];
  bool links = s->a3.valid && s->a3.kdei == kdei, single = same(&k->list.nagei, &k->list.lagei);
  bool was_popped = s->popped;
  memset(&s->adv, 0, sizeof s->adv);
  s->popped = s->rotates = s->stops = s->links_behind_last = s->pops_in_a_row = s->adv_and_link = 0;
  if (!s->sscr.valid) {
    next_kernel(s, rng, -1);
    return;
  }
  bool stop = k->suspending || k->failed, group = s->sscr.unit == HD_PLANE_GROUP;
  bool last = s->sscr.unit && !stop && hd_rng_p(rng, p->source) && !--s->sscr.left;
  bool more = links || (group ? !single : k->list.pending);
  if (last && group) {
    s->adv.valid = 1;
    s->adv.kdei = (uint8_t)kdei;
    s->adv.group = s->sscr.group;
  }
  s->rotates = s->adv.valid && more && hd_rng_p(rng, 16);
  s->links_behind_last = links && single && k->list.pending;
  s->adv_and_link = s->adv.valid && s->links_behind_last;
  if (stop || s->rotates || ((last || !s->sscr.unit) && !more)) {
    leave_kernel(s, rng, stop, links);
    return;
  }
  if (!last && s->sscr.unit) return;
  s->sscr.unit = HD_PLANE_NONE;
  if (!now->group_valid || now->group_kdei != kdei || !hd_rng_p(rng, 250)) return;
  s->pops_in_a_row = was_popped;
  load_group(s, now);
}

/* ---- the pins ---- */

static void show_launch(const struct hd_agt_around *s, struct hd_agt_in *in) {
  const struct hd_plane_launch *l = &s->a3;
  const struct hd_list *list = &s->kernel[l->kdei].list;
  in->a2_info = s->a2.valid ? s->a2.info : (struct hd_info){0};
  in->alloc_valid = l->valid && l->ptr.onchip;
  in->alloc_index = (uint16_t)(in->alloc_valid ? l->ptr.index : 0);
  bool link = l->valid && !s->kernel[l->kdei].failed; /* a failed kernel's group is lost: it is in no list */
  in->link_valid = link;
  in->link_kdei = link ? l->kdei : 0;
  in->link_ptr = link ? l->ptr : (struct hd_ptr){0};
  in->link_first = link && !list->pending;
  in->link_prev = link ? list->lagei : (struct hd_ptr){0};
}

static void show_lists(const struct hd_agt_around *s, struct hd_agt_in *in) {
  for (unsigned i = 0; i < s->cfg.num_kde; i++) {
    const struct hd_plane_kernel *k = &s->kernel[i];
    in->pending[i] = k->list.pending && !k->away;
    in->nagei[i] = in->pending[i] ? k->list.nagei : (struct hd_ptr){0};
    in->lagei[i] = in->pending[i] ? k->list.lagei : (struct hd_ptr){0};
  }
  for (unsigned i = 0; i < s->cfg.next_depth; i++) {
    in->next_valid[i] = i < s->next_n;
    in->next_record[i] = i < s->next_n ? s->next[i].record : 0;
  }
}

static void show_failures(const struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          struct hd_agt_in *in) {
  in->fail_valid[0] = s->next_failed;
  in->fail_kdei[0] = s->next_failed ? s->next_failed_kdei : 0;
  in->fail_valid[1] = s->sscr.valid && hd_rng_p(rng, p->bad / 32);
  in->fail_kdei[1] = in->fail_valid[1] ? s->sscr.kdei : 0;
}

static void drive_memory(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_agt_out *out, struct hd_agt_in *in) {
  if (!s->rec_base) { /* after reset */
    s->rec_base = 1 + hd_rng_below(rng, UINT32_MAX);
    s->first_record = 1 + hd_rng_below(rng, (UINT32_C(1) << s->cfg.rec_w) - HD_PLANE_RECORDS);
  }
  const struct hd_memory_asked asked = {.req_valid = out->req_valid, .req = out->req};
  uint64_t base = (uint64_t)s->rec_base * 256 + (uint64_t)s->first_record * 64;
  hd_memory_drive(&s->port, rng, p, &asked, s->bytes, base & ((UINT64_C(1) << s->cfg.addr_w) - 1), sizeof s->bytes);
  in->rec_base = s->rec_base;
  in->req_ready = s->port.pins.req_ready;
  in->r_valid = s->port.pins.r_valid;
  in->r = s->port.pins.r;
}

void hd_agt_around_drive(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_agt_out *out, const struct hd_agt_out *now, struct hd_agt_in *in) {
  s->cycle++;
  drive_memory(s, rng, p, out, in);
  follow(s, in, out);
  reuse(s);
  drive_next(s, rng, p);
  drive_kernels(s, rng);
  drive_launch(s, rng, p);
  show_launch(s, in);
  show_lists(s, in);
  show_failures(s, rng, p, in);
  in->cur_valid = s->sscr.valid;
  in->cur_kdei = s->sscr.valid ? s->sscr.kdei : 0;
  in->waiting = s->sscr.valid && s->sscr.unit == HD_PLANE_NONE;
  step_sscr(s, rng, p, now);
  in->group_pop = s->popped;
}
