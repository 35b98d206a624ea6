/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* link: golden model, cover points and oracle; the random environment is link_neighbours. */
#include "launch/link.h"

#include "env/common/model.h"
#include "env/launch/link_neighbours.h"

HD_BLOCK_DRIVER_MODEL(link)
HD_BLOCK_DRIVER_ROWS(link)
HD_BLOCK_DRIVER_NEIGHBOURS(link)

static const char *const covers[] = {
    "event",      "on_chip",        "kept",          "behind_age",   "over_begins",     "behind_record",
    "age_over",   "end_and_link",   "end_and_over",  "list_ends",    "chain_again",     "chain_before_over",
    "fail_chain", "fail_over",      "several_fails", "lost_group",   "list_taken",      "over_taken",
    "fail_taken", "list_resumed",   "over_resumed",  "resumed_over", "advance_in_list", "advance_in_over",
    "age_freed",  "links_in_a_row", "lost_free",     "nearly_idle",  "refused",         "refused_in_a_row",
    NULL};

/* Counts, for a cycle with a link event, how the group is linked. */
static void cover_link(const struct hd_link_neighbours *s, const struct hd_link_in *in, const struct hd_link_out *out,
                       uint64_t *hits) {
  unsigned k = out->link.kdei;
  bool ends = in->sched_advance && in->sched_sscr.kdei == k && out->single[k], fails = false;
  for (unsigned n = 0; n < 3; n++) fails |= in->fails[n].valid && in->fails[n].kdei == k;
  hits[3] += out->link.next;
  hits[4] += out->link.over && !in->ovfq_there[k];
  hits[5] += out->link.over && in->ovfq_there[k];
  hits[6] += out->link.over && out->link.ptr.onchip;
  hits[7] += ends && !out->link.over;
  hits[8] += ends && in->ovfq_one[k];
  hits[10] += !out->link.over && s->emptied[k];
  hits[11] += out->link.over && out->chained[k];
  hits[12] += fails && !out->link.over;
  hits[13] += fails && out->link.over;
  hits[25] += in->devq_group.valid && in->devq_group.kdei == k;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_link_neighbours *s = s_;
  const struct hd_link_in *in = in_;
  const struct hd_link_out *out = out_;
  bool enter = in->kd_entry.valid, linked = out->link.valid && out->link.kdei == in->sched_sscr.kdei;
  bool fails = in->fails[0].valid || in->fails[1].valid || in->fails[2].valid;
  if (out->link.valid) cover_link(s, in, out, hits);
  hits[0] += out->link.valid + in->sched_advance + enter;
  hits[1] += out->alloc.valid;
  hits[2] += out->kept;
  hits[9] += in->sched_advance && out->single[in->sched_sscr.kdei] && !linked;
  hits[14] += in->fails[0].valid + in->fails[1].valid + in->fails[2].valid > 1;
  hits[15] += (out->kept || out->alloc.valid) && !out->link.valid;
  hits[16] += out->list.chained;
  hits[17] += out->list.pending && !out->list.chained;
  hits[18] += in->kd_take.valid && fails && out->pending[in->kd_take.kdei];
  hits[19] += enter && in->kmu_offer.kernel.groups.chained;
  hits[20] += enter && in->kmu_offer.kernel.groups.pending && !in->kmu_offer.kernel.groups.chained;
  hits[21] += enter && s->resumed && s->away[0].over.n && in->kmu_offer.kernel.groups.chained;
  hits[22] += in->sched_advance && out->chained[in->sched_sscr.kdei] && !out->single[in->sched_sscr.kdei];
  hits[23] += in->sched_advance && !out->chained[in->sched_sscr.kdei] && !out->single[in->sched_sscr.kdei];
  hits[24] += in->agc_free.valid;
  hits[26] += s->idle == 8 && s->frees_lost;
  hits[27] += s->was_idle == 7 && !s->idle;
  hits[28] += out->refused;
  hits[29] += out->refused && in->devq_group.valid && in->ovfq_full[in->devq_group.kdei];
}

/* Oracle:
 * 1. The chain of each kernel holds the groups linked to it and not handed out, in order.
 * 2. A group joins the chain if it has an AGE and no group of its kernel is in memory; otherwise it goes to the list in
 *    memory.
 * 3. An AGE is allocated to one group at a time, the AGE that the hash selects.
 * 4. After eight cycles without a kernel all AGEs are free.
 * 5. A group whose list was full when it was in A2 gets no AGE and is not linked. */
enum { FREE_LATENCY = 3 };

struct oracle {
  struct hd_cfg cfg;
  struct hd_list chain[HD_MAX_NUM_KDE]; /* without `pending` */
  uint16_t behind[HD_MAX_AGT_SIZE];     /* the AGE linked behind each */
  uint8_t used[HD_MAX_AGT_SIZE];
  uint32_t ready_n;              /* AGEs free for long enough that the free list can offer them */
  uint32_t coming[FREE_LATENCY]; /* AGEs freed more recently, by the cycle in which they became free */
  uint32_t fresh, freed_n;
  uint16_t freed[HD_MAX_AGT_SIZE]; /* in order */
  uint32_t idle;                   /* cycles without a kernel, at most 8 */
  struct hd_link_in was;
  struct hd_list taken;
};

static size_t oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

static void oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct oracle *o = o_;
  memset(o, 0, sizeof *o);
  o->cfg = *cfg;
  o->ready_n = cfg->agt_size; /* AGEs never used are available at once */
}

static const char *watch_lists(const struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    const struct hd_list *l = &o->chain[i];
    unsigned in_chain = !l->chained            ? 0
                        : l->nagei == l->lagei ? 1
                                               : 2,
             over = in->ovfq_one[i]     ? 1
                    : in->ovfq_there[i] ? 2
                                        : 0;
    if (out->pending[i] != (in_chain + over > 0))
      return "pending differs: it should be set if groups of the kernel wait";
    if (out->single[i] != (in_chain + over == 1)) return "single differs: it should be set if exactly one group waits";
    if (out->chained[i] != l->chained) return "chained differs: it should be set if the first waiting group has an AGE";
    if (out->nagei[i] != l->nagei) return "NAGEI is not the first waiting group";
    if (out->lagei[i] != l->lagei) return "LAGEI is not the last group linked to the chain";
  }
  return memcmp(&out->list, &o->taken, sizeof o->taken) ? "the list of a suspended kernel has changed" : NULL;
}

/* Checks the group that was in A2 in the previous cycle. */
static const char *watch_allocation(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  const struct hd_link_in *a2 = &o->was;
  uint32_t index = a2->devq_group.hwtid, size = o->cfg.agt_size;
  bool placed = out->kept || out->alloc.valid, lost = in->kd_failed[a2->devq_group.kdei];
  bool full = a2->ovfq_full[a2->devq_group.kdei];
  bool asks = a2->devq_group.valid && a2->regs_config.policy == HD_POLICY_RR; /* else it goes to a bank */
  if (out->refused != (asks && full)) return "a group is refused although its list has room, or the reverse";
  if (placed != (asks && !full)) return "a group is not placed, or a group is placed that was not in A2";
  if (out->link.valid != (placed && !lost)) return "a link event is missing, or occurs without a group";
  if (!placed) return NULL;
  if (out->kept == out->alloc.valid) return "a group must be either on chip or kept in its record";
  if (out->link.valid) {
    if (out->link.kdei != a2->devq_group.kdei) return "a group is linked to another kernel";
    if (out->kept == out->link.ptr.onchip) return "a kept group is linked as on chip, or the reverse";
    if (out->link.ptr.index != (out->kept ? a2->devq_group.record : out->alloc.index))
      return "a group is linked with another group's pointer";
  }
  if (o->cfg.agt_hash == 2) {
    if (out->kept) return o->ready_n ? "a group is kept although an AGE is free" : NULL;
    o->ready_n--;
    index = o->fresh < size ? o->fresh : o->freed[0];
    if (o->fresh < size)
      o->fresh++;
    else
      memmove(o->freed, o->freed + 1, --o->freed_n * sizeof *o->freed);
  } else {
    if (o->cfg.agt_hash == 1) index += a2->devq_group.smx * o->cfg.smx_step;
    index %= size;
    bool was_used = o->used[index] || (a2->agc_free.valid && a2->agc_free.index == index);
    if (out->kept) return was_used ? NULL : "a group is kept although its AGE is free";
  }
  if (out->alloc.index != index) return "a group gets an AGE that the hash does not select";
  if (o->used[index]) return "an AGE is allocated to two groups";
  o->used[index] = 1;
  return NULL;
}

/* Checks whether the linked group joins the chain; otherwise ovfq stores it. */
static const char *link_group(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  struct hd_list *l = &o->chain[out->link.kdei];
  if (!out->link.valid)
    return out->link.over || out->link.next ? "a group is appended to a list without a link event" : NULL;
  if (out->link.over != (!out->link.ptr.onchip || in->ovfq_there[out->link.kdei]))
    return out->link.over ? "a group goes to memory although it could join the chain"
                          : "a group without AGE joins the chain, or a group joins it ahead of those in memory";
  if (out->link.next != (!out->link.over && l->chained))
    return "Next is written without a group before it in the chain, or not written with one";
  if (out->link.prev != (out->link.next ? l->lagei : 0)) return "link_prev is not LAGEI";
  if (out->link.over) return NULL;
  if (l->chained)
    o->behind[l->lagei] = (uint16_t)out->link.ptr.index;
  else
    l->nagei = (uint16_t)out->link.ptr.index;
  l->chained = 1;
  l->lagei = (uint16_t)out->link.ptr.index;
  return NULL;
}

static void clear(struct oracle *o, unsigned kdei) {
  o->chain[kdei] = (struct hd_list){0};
}

static const char *change_lists(struct oracle *o, const struct hd_link_in *in, const struct hd_link_out *out) {
  o->taken = (struct hd_list){0};
  if (in->kd_take.valid) {
    o->taken = o->chain[in->kd_take.kdei];
    o->taken.pending = o->taken.chained || in->ovfq_there[in->kd_take.kdei];
  }
  const char *rule = link_group(o, in, out);
  if (in->sched_advance && out->chained[in->sched_sscr.kdei]) { /* a group linked in this cycle counts */
    struct hd_list *l = &o->chain[in->sched_sscr.kdei];
    if (l->nagei == l->lagei)
      clear(o, in->sched_sscr.kdei);
    else
      l->nagei = o->behind[l->nagei];
  }
  if (in->kd_take.valid) clear(o, in->kd_take.kdei);
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fails[k].valid) clear(o, in->fails[k].kdei);
  if (!in->kd_entry.valid) return rule;
  o->chain[in->kd_entry.kdei] = in->kmu_offer.kernel.groups;
  o->chain[in->kd_entry.kdei].pending = 0;
  return rule;
}

static void free_ages(struct oracle *o, const struct hd_link_in *in) {
  o->ready_n += o->coming[FREE_LATENCY - 1];
  for (unsigned k = FREE_LATENCY - 1; k; k--) o->coming[k] = o->coming[k - 1];
  o->coming[0] = in->agc_free.valid;
  if (!in->agc_free.valid) return;
  o->used[in->agc_free.index] = 0;
  if (o->cfg.agt_hash == 2) o->freed[o->freed_n++] = in->agc_free.index;
}

static void free_all(struct oracle *o, const struct hd_link_in *in) {
  if (in->kd_busy || in->kin_busy) {
    o->idle = 0;
  } else if (o->idle < 8 && ++o->idle == 8) {
    memset(o->used, 0, sizeof o->used);
    memset(o->coming, 0, sizeof o->coming);
    o->ready_n = o->cfg.agt_size;
    o->fresh = o->freed_n = 0;
  }
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_link_in *in = in_;
  const struct hd_link_out *out = out_;
  (void)cycle;
  const char *rule = watch_lists(o, in, out);
  if (!rule) rule = watch_allocation(o, in, out);
  if (!rule) rule = change_lists(o, in, out);
  free_ages(o, in);
  free_all(o, in);
  o->was = *in;
  return rule;
}

const struct hd_block_driver hd_block_driver_link = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(link), HD_BLOCK_DRIVER_ROWS_FIELDS(link),
    HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_link_neighbours), HD_BLOCK_DRIVER_ORACLE_FIELDS};
