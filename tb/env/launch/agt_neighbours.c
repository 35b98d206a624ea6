/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "env/launch/agt_parts.h"

enum { AGE_KEPT = 6 }; /* minimum cycles from the hand-out of a group's last TB until its AGE or record is reused */

void hd_agt_neighbours_reset(struct hd_agt_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

static unsigned place(const struct hd_agt_neighbours *s, const struct hd_ptr *p) {
  return p->onchip ? p->index : HD_MAX_AGT_SIZE + (p->index - s->first_record) % HD_PLANE_RECORDS;
}

static struct hd_info *info_of(struct hd_agt_neighbours *s, const struct hd_ptr *record) {
  return &s->info[(record->index - s->first_record) % HD_PLANE_RECORDS];
}

static void free_group(struct hd_agt_neighbours *s, const struct hd_ptr *p) {
  if (s->freed_n == HD_PLANE_GROUPS) return;
  s->freed[s->freed_n].at = s->cycle + AGE_KEPT;
  s->freed[s->freed_n++].ptr = *p;
}

static void reuse(struct hd_agt_neighbours *s) {
  unsigned n = 0;
  while (n < s->freed_n && s->freed[n].at <= s->cycle) s->taken[place(s, &s->freed[n++].ptr)] = 0;
  memmove(s->freed, s->freed + n, (s->freed_n - n) * sizeof *s->freed);
  s->freed_n -= n;
}

/* ---- lists ---- */

static struct hd_ptr age(unsigned index) {
  return (struct hd_ptr){.onchip = 1, .index = index};
}

static void put_over(struct hd_agt_neighbours *s, struct hd_plane_kernel *k, struct hd_ptr p) {
  if (k->over_n++)
    s->behind[place(s, &k->last)] = p;
  else
    k->over = p;
  k->last = p;
}

static void free_over(struct hd_agt_neighbours *s, struct hd_plane_kernel *k) {
  free_group(s, &k->over);
  k->over = s->behind[place(s, &k->over)];
  k->over_n--;
}

static void put_chain(struct hd_agt_neighbours *s, struct hd_plane_kernel *k, unsigned index) {
  if (k->chain.chained)
    s->behind[k->chain.lagei] = age(index);
  else
    k->chain.nagei = (uint16_t)index;
  k->chain.chained = 1;
  k->chain.lagei = (uint16_t)index;
}

static void free_chain(struct hd_agt_neighbours *s, struct hd_plane_kernel *k) {
  struct hd_ptr p = age(k->chain.nagei);
  for (unsigned n = 0; k->chain.chained && n < s->cfg.agt_size; n++) {
    free_group(s, &p);
    if (p.index == k->chain.lagei) break;
    p = s->behind[p.index];
  }
  k->chain = (struct hd_list){0};
}

/* ---- the previous cycle ---- */

static void follow_link(struct hd_agt_neighbours *s) {
  const struct hd_plane_launch *l = &s->a3;
  struct hd_plane_kernel *k = &s->kernel[l->kdei];
  if (!l->valid) return;
  if (k->failed)
    free_group(s, &l->ptr);
  else if (hd_agt_overflows(k, &l->ptr))
    put_over(s, k, l->ptr);
  else
    put_chain(s, k, l->ptr.index);
}

/* The last TB of a kernel's first group was handed out: the chain advances to succ, or to a group that has just joined
 * it. `before`: the kernel at the beginning of the cycle. */
static void follow_adv(struct hd_agt_neighbours *s, const struct hd_plane_kernel *before, bool joined, uint16_t succ) {
  struct hd_plane_kernel *k = &s->kernel[s->adv.kdei];
  struct hd_list *l = &k->chain;
  if (!before->chain.chained) {
    free_over(s, k);
    s->offer.popped--;
    return;
  }
  free_group(s, &s->adv.group);
  if (before->chain.nagei != before->chain.lagei)
    l->nagei = succ;
  else if (joined)
    l->nagei = l->lagei;
  else
    *l = (struct hd_list){0};
  s->chain_ended = !l->chained;
}

static void fail(struct hd_agt_neighbours *s, unsigned kdei) {
  struct hd_plane_kernel *k = &s->kernel[kdei];
  free_chain(s, k);
  while (k->over_n) free_over(s, k);
  k->failed = 1;
}

/* If the kernel in the SSCR changes or fails, the list in memory is read again from its beginning. */
static void follow_offer(struct hd_agt_neighbours *s, const struct hd_agt_in *in, const struct hd_agt_out *out) {
  unsigned tag = s->offer.tag_kdei;
  bool stop = s->offer.tag_valid != in->sched_sscr.valid || (in->sched_sscr.valid && tag != in->sched_sscr.kdei);
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) stop |= in->fails[k].valid && in->fails[k].kdei == tag;
  s->over_popped = out->over_pop;
  if (out->over_pop) {
    s->offer.popped++;
    s->offer.valid = 0;
  }
  if (stop) s->offer.popped = s->offer.valid = 0;
  s->offer.tag_valid = in->sched_sscr.valid;
  s->offer.tag_kdei = in->sched_sscr.kdei;
}

static void follow(struct hd_agt_neighbours *s, const struct hd_agt_in *in, const struct hd_agt_out *out) {
  struct hd_plane_kernel before = s->kernel[s->adv.kdei];
  bool joined = hd_agt_joins(s, s->adv.kdei);
  s->chain_ended = 0;
  follow_link(s);
  if (s->adv.valid) follow_adv(s, &before, joined, out->succ);
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fails[k].valid) fail(s, in->fails[k].kdei);
  follow_offer(s, in, out);
  s->a3 = s->a2;
  memset(&s->a2, 0, sizeof s->a2);
}

/* ---- launches ---- */

static struct hd_info random_info(struct hd_agt_neighbours *s, struct hd_rng *rng) {
  struct hd_info i = {0};
  i.grid_x = (uint16_t)hd_rng_bits(rng, 16);
  i.grid_y = (uint16_t)hd_rng_bits(rng, 16);
  i.grid_z = (uint8_t)hd_rng_bits(rng, 8);
  i.ctas = hd_rng_p(rng, 4) ? (uint32_t)hd_rng_bits(rng, 32) | 1 : 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, 4));
  i.param = hd_rng_bits(rng, 34);
  i.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  return i;
}

static bool in_sscr(const struct hd_agt_neighbours *s, unsigned kdei) {
  return s->sscr.valid && s->sscr.kdei == kdei;
}

/* A launch whose search hit a kernel, and in A2 whether it gets an AGE. */
static void drive_launch(struct hd_agt_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  static const unsigned paces[] = {256, 256, 100, 10}, overflows[] = {0, 0, 0, 8, 64, 256};
  if (!s->offer.pace || !hd_rng_below(rng, 300)) {
    s->overflow = overflows[hd_rng_below(rng, 6)];
    s->sparse = hd_rng_below(rng, 4);
    s->offer.pace = paces[hd_rng_below(rng, 4)];
  }
  unsigned kdei = s->sscr.valid && hd_rng_p(rng, 160) ? s->sscr.kdei : hd_rng_below(rng, s->cfg.num_kde);
  const struct hd_plane_kernel *k = &s->kernel[kdei];
  if (k->away || k->suspending || k->failed) return;
  if (!hd_rng_p(rng, p->source >> s->sparse)) return;
  struct hd_ptr ptr = {.onchip = 1, .index = hd_rng_below(rng, s->cfg.agt_size)};
  if (s->overflow && (s->taken[ptr.index] || hd_rng_p(rng, s->overflow)))
    ptr = (struct hd_ptr){.index = s->first_record + hd_rng_below(rng, HD_PLANE_RECORDS)};
  if (s->taken[place(s, &ptr)]) return;
  s->taken[place(s, &ptr)] = 1;
  s->a2 = (struct hd_plane_launch){ptr, random_info(s, rng), 1, (uint8_t)kdei};
  if (!ptr.onchip) *info_of(s, &ptr) = s->a2.info;
}

/* ---- kernels ---- */

/* Returns true if no group of the kernel is in flight. A group being linked is visible in A3: A2 is empty here. */
static bool settled(const struct hd_agt_neighbours *s, unsigned kdei) {
  return !in_sscr(s, kdei) && !(s->a3.valid && s->a3.kdei == kdei);
}

/* Kernels stop, leave and return; a suspended one returns with its list, possibly in another entry. */
static void drive_kernels(struct hd_agt_neighbours *s, struct hd_rng *rng) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde), j = hd_rng_below(rng, s->cfg.num_kde);
  struct hd_plane_kernel *k = &s->kernel[i], *other = &s->kernel[j];
  s->resumes = 0;
  if (k->away) {
    if (!hd_rng_p(rng, 16)) return;
    if (other->away) {
      struct hd_plane_kernel swapped = *k;
      *k = *other;
      *other = swapped;
    }
    k->away = 0;
    s->resumes = hd_agt_pending(k);
  } else if (k->suspending || k->failed) {
    if (!settled(s, i)) return;
    k->suspending = k->failed = 0;
    k->away = 1;
  } else if (!hd_rng_below(rng, 200)) {
    k->suspending = 1;
  }
}

/* ---- the pins ---- */

static void show_launch(const struct hd_agt_neighbours *s, struct hd_agt_in *in) {
  const struct hd_plane_launch *l = &s->a3;
  const struct hd_plane_kernel *k = &s->kernel[l->kdei];
  in->devq_group.info = s->a2.valid ? s->a2.info : (struct hd_info){0};
  in->link_alloc.valid = l->valid && l->ptr.onchip;
  in->link_alloc.index = (uint16_t)(in->link_alloc.valid ? l->ptr.index : 0);
  bool link = l->valid && !k->failed; /* the group of a failed kernel is lost: it is in no list */
  in->link_link.valid = link;
  in->link_link.kdei = link ? l->kdei : 0;
  in->link_link.ptr = link ? l->ptr : (struct hd_ptr){0};
  in->link_link.over = link && hd_agt_overflows(k, &l->ptr);
  in->link_link.next = link && !in->link_link.over && k->chain.chained;
  in->link_link.prev = in->link_link.next ? k->chain.lagei : 0;
}

static void show_lists(const struct hd_agt_neighbours *s, struct hd_agt_in *in) {
  for (unsigned i = 0; i < s->cfg.num_kde; i++) {
    const struct hd_plane_kernel *k = &s->kernel[i];
    in->link_chained[i] = k->chain.chained && !k->away;
    in->link_nagei[i] = in->link_chained[i] ? k->chain.nagei : 0;
    in->link_lagei[i] = in->link_chained[i] ? k->chain.lagei : 0;
  }
}

/* Offers the next overflowed group of the kernel that was in the SSCR in the previous cycle. */
static void show_over(struct hd_agt_neighbours *s, struct hd_rng *rng, struct hd_agt_in *in) {
  const struct hd_plane_kernel *k = &s->kernel[s->offer.tag_kdei];
  in->ovfq_over.valid = in->ovfq_over.kdei = 0;
  in->ovfq_over.group = (struct hd_group){0};
  if (!s->offer.tag_valid || s->offer.popped >= k->over_n) return;
  if (!s->offer.valid && !hd_rng_p(rng, s->offer.pace)) return;
  s->offer.valid = 1;
  in->ovfq_over.valid = 1;
  in->ovfq_over.kdei = s->offer.tag_kdei;
  in->ovfq_over.group.self = k->over;
  for (unsigned n = 0; n < s->offer.popped; n++)
    in->ovfq_over.group.self = s->behind[place(s, &in->ovfq_over.group.self)];
  if (!in->ovfq_over.group.self.onchip) in->ovfq_over.group.info = *info_of(s, &in->ovfq_over.group.self);
}

/* Fail events: a failed write of a pointer, or a lost group of a bank, can hit any kernel; a failed read of a list or
 * record hits the kernel whose list is read; a failed read of saved TBs hits the kernel in the SSCR. */
static void show_failures(const struct hd_agt_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                          struct hd_agt_in *in) {
  const unsigned kdei[HD_MAX_NUM_FAIL] = {hd_rng_below(rng, s->cfg.num_kde), s->offer.tag_kdei, s->sscr.kdei,
                                          hd_rng_below(rng, s->cfg.num_kde)};
  const bool may[HD_MAX_NUM_FAIL] = {!s->kernel[kdei[0]].away, s->offer.tag_valid && !s->kernel[kdei[1]].away,
                                     s->sscr.valid, !s->kernel[kdei[3]].away};
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) {
    in->fails[k].valid = may[k] && hd_rng_p(rng, p->bad / 32);
    in->fails[k].kdei = in->fails[k].valid ? (uint8_t)kdei[k] : 0;
  }
}

void hd_agt_neighbours_drive(struct hd_agt_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                             const struct hd_agt_out *out, const struct hd_agt_out *now, struct hd_agt_in *in) {
  if (!s->cycle++) s->first_record = 1 + hd_rng_below(rng, (UINT32_C(1) << s->cfg.rec_w) - HD_PLANE_RECORDS);
  follow(s, in, out);
  reuse(s);
  drive_kernels(s, rng);
  drive_launch(s, rng, p);
  show_launch(s, in);
  show_lists(s, in);
  show_over(s, rng, in);
  show_failures(s, rng, p, in);
  in->sched_sscr.valid = s->sscr.valid;
  in->sched_sscr.kdei = s->sscr.valid ? s->sscr.kdei : 0;
  hd_agt_step_sscr(s, rng, p, now);
  in->sched_group_pop = s->popped;
}
