/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/sched_oracle.h"

#include "gen/hd_sched_ports.h"

/* The rules of TB grants. A grant takes a TB from queue 0 (the current kernel) or from a bank.
 *  1  At most one TB is granted per cycle, and none while the KD reads a descriptor. In the next cycle the TB is
 *     offered to its SMX in an empty slot; it stays unchanged until the SMX accepts it, and nothing else is offered
 *     meanwhile.
 *  2  No SMX holds more warps, registers or shared memory than it has.
 *  3  Queue 0 grants only TBs of a marked kernel that neither fails nor is about to be suspended: saved TBs first, then
 *     the native part, then groups. Native TBs are numbered consecutively, from the number with which the kernel
 *     entered to its last.
 *  4  An SMX gets TBs bound to it before those of queue 0, and a spare TB only if queue 0 is empty. A TB of a bank is
 *     the next one at the front of that bank.
 *  5  A kernel is unmarked only when it has no TB left to grant, or when it stops.
 *  6  Each completion is reported by the kind of its slot: running TB, TB still offered, or empty slot. Each accepted
 *     completion is retired once, with its kernel and AGE; one retires in each cycle in which one waits.
 *  7  A query of a slot is answered in the next cycle.
 *  8  A TB of queue 0 is reported with its level: a native TB has the level of its kernel, a TB of a bank that of its
 *     bank entry; without a unit no level is reported.
 *  9  The TB of the graph is granted as offered, at level 0, without AGE, to the SMX that it asks for if that SMX can
 *     accept it. While it is offered, the kernel in the SSCR grants if it is older than the graph, otherwise the graph
 *     does, and no TB is spare. When a TB of the graph completes, the place of its node is reported; no other TB
 *     reports a place.
 * 10  An SMX that is not open gets only TBs bound to it, and does get them: some SMX gets a TB whenever an SMX can
 *     accept a TB bound to it. The next cycle reports whether a TB existed that may go to any SMX.
 * 11  With FairEvery k, once k TBs of banks were granted in a row while queue 0 offered one, an open SMX gets no TB of
 *     a bank until queue 0 has granted one or offers none; an SMX that can accept the TB of queue 0 gets it. */

enum { EMPTY, OFFERED, RUNNING };
enum { NO_REPORT, OK, OF_EMPTY, TOO_EARLY };

struct cta {
  uint8_t state, node; /* node: it is a TB of the graph, .. */
  uint16_t place;      /* .. with its node at this place */
  struct hd_need need;
  struct hd_dispatch shown;
};

struct oracle {
  struct hd_cfg cfg;
  struct cta cta[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX];
  uint8_t waits[HD_MAX_NUM_SMX],
      at[HD_MAX_NUM_SMX];           /* a TB was offered in the cycle before and not accepted; its slot */
  uint8_t report[HD_MAX_NUM_SMX];   /* report that the completion of the cycle before deserves */
  uint32_t node_of[HD_MAX_NUM_SMX]; /* 1 + place of the node whose TB completed; 0: none */
  uint32_t next[HD_MAX_NUM_KDE];    /* next native TB of the kernel in each KD entry */
  uint32_t due, fresh;              /* completions that may retire; those of the cycle before */
  uint16_t done[HD_MAX_NUM_KDE][HD_MAX_NUM_AGE + 1]; /* completions not retired, by kernel and AGE; the last: no AGE */
  struct hd_look look;
  uint8_t unassigned; /* in the cycle before, a TB existed that may go to any SMX */
  uint32_t passed;    /* TBs of banks granted in a row while queue 0 offered one */
  /* The TB granted in the cycle before. */
  uint8_t handed, smx;
  struct hd_dispatch want; /* expected offer, without slot, descriptor and AGE */
  struct hd_need need;
  bool from_bank, group, node;
  uint16_t place;
  bool group_loaded;   /* a group became the unit, and none of its TBs was granted yet */
  bool first;          /* first TB of such a group: the ports do not show at which TB it was parked */
  uint32_t group_next; /* otherwise: the next TB of the group */
};

HD_BLOCK_ORACLE_STATE(sched)

/* ---- offers ---- */

static const char *check_room(const struct oracle *o, unsigned s) {
  uint32_t warps = 0, regs = 0, smem = 0;
  for (unsigned j = 0; j < o->cfg.ctas_per_smx; j++) {
    const struct cta *c = &o->cta[s][j];
    if (c->state != EMPTY) warps += c->need.warps, regs += c->need.regs, smem += c->need.smem;
  }
  bool fits = warps <= o->cfg.warps_per_smx && regs <= o->cfg.reg_units_per_smx && smem <= o->cfg.smem_units_per_smx;
  return fits ? NULL : "rule 2: the TBs of an SMX need more than its resources";
}

/* The TB granted in the cycle before is offered. */
static const char *check_new_offer(struct oracle *o, const struct hd_sched_in *in, unsigned s,
                                   const struct hd_dispatch *d) {
  if (!o->handed || o->smx != s) return "rule 1: a TB is offered that was not granted";
  o->handed = 0;
  if (d->slot >= o->cfg.ctas_per_smx || o->cta[s][d->slot].state != EMPTY)
    return "rule 1: a TB is offered in a slot that is occupied or does not exist";
  if (o->first) o->want.blkid = d->blkid;
  if (o->group && !o->from_bank) o->group_next = d->blkid + 1;
  if (d->kdei != o->want.kdei || d->blkid != o->want.blkid || d->restart != o->want.restart || d->group != o->group)
    return o->node        ? "rule 9: the offered TB is not the one that the graph offered"
           : o->from_bank ? "rule 4: the offered TB is not the next one at the front of its bank"
                          : "rule 3: a TB is offered of a wrong kernel or kind, or out of order";
  if (d->level != o->want.level) return "rule 8: a TB is offered with another level than at its grant";
  if (o->node && (d->age_valid || d->agei)) return "rule 9: a TB of the graph is offered with an AGE";
  if (d->desc.pc != in->kd_desc.pc || d->desc.cta_x != in->kd_desc.cta_x || d->desc.cta_y != in->kd_desc.cta_y)
    return "rule 3: a TB is offered with a wrong descriptor";
  o->cta[s][d->slot] = (struct cta){.state = OFFERED, .node = o->node, .place = o->place, .need = o->need, .shown = *d};
  return check_room(o, s);
}

static const char *offers(struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    const struct hd_dispatch *d = &out->dispatch[s];
    const char *rule = NULL;
    if (o->waits[s] && (!out->dispatch_valid[s] || memcmp(d, &o->cta[s][o->at[s]].shown, sizeof *d)))
      return "rule 1: an offered TB changed before it was accepted";
    if (!o->waits[s] && out->dispatch_valid[s]) rule = check_new_offer(o, in, s, d);
    if (rule) return rule;
  }
  return o->handed ? "rule 1: a granted TB is not offered" : NULL;
}

/* ---- grants ---- */

/* Returns true if the graph goes before the current kernel, the other source of queue 0. */
static bool graph_first(const struct hd_sched_in *in, const struct hd_sched_out *out) {
  return in->dats_tb.valid && !(out->sscr.valid && in->dats_older[out->sscr.kdei]);
}

/* Returns true if queue 0 offers a TB. */
static bool queue_0_offers(const struct hd_sched_in *in, const struct hd_sched_out *out) {
  const bool stops = in->kd_suspending[out->sscr.kdei] || in->kd_failed[out->sscr.kdei];
  return graph_first(in, out) || (out->sscr.valid && !out->events.waiting && !stops);
}

/* Returns true if the SMX is reserved for queue 0, since banks went ahead of it too often. */
static bool left_to_queue_0(const struct oracle *o, const struct hd_sched_in *in, unsigned s) {
  return o->cfg.fair_every && o->passed >= o->cfg.fair_every && in->throttle_open[s];
}

/* Returns true if the SMX gets its next TB from the bank to which it is bound. */
static bool is_bound(const struct oracle *o, const struct hd_sched_in *in, unsigned s) {
  return in->laperm_bound_valid[s] && !left_to_queue_0(o, in, s);
}

/* Returns true if the SMX certainly can accept a TB. Uncertain are cycles with waiting completions, whose slots and
 * resources may still be in use, and ChoiceLatency 2, where the room must have been found earlier. */
static bool can_take(const struct oracle *o, unsigned s, const struct hd_need *need, const struct hd_sched_out *out) {
  uint32_t warps = need->warps, regs = need->regs, smem = need->smem, held = 0;
  for (unsigned j = 0; j < o->cfg.ctas_per_smx; j++) {
    const struct cta *c = &o->cta[s][j];
    if (c->state != EMPTY) held++, warps += c->need.warps, regs += c->need.regs, smem += c->need.smem;
  }
  return o->cfg.choice_latency == 1 && !out->dispatch_valid[s] && !o->due && !o->fresh && held < o->cfg.ctas_per_smx &&
         warps <= o->cfg.warps_per_smx && regs <= o->cfg.reg_units_per_smx && smem <= o->cfg.smem_units_per_smx;
}

static const char *of_graph(struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  unsigned s = out->grant.smx, preferred = in->dats_tb.smx;
  if (!in->dats_tb.valid) return "rule 9: a TB of the graph is granted that is not offered";
  if (!graph_first(in, out)) return "rule 9: a TB of the graph is granted before an older kernel";
  if (is_bound(o, in, s)) return "rule 4: a TB of queue 0 is granted to an SMX that is bound to a bank";
  if (in->dats_tb.wants && preferred != s && in->throttle_open[preferred] && !is_bound(o, in, preferred) &&
      can_take(o, preferred, &in->dats_run.need, out))
    return "rule 9: a TB of the graph is granted to another SMX than it requests";
  o->want = (struct hd_dispatch){.kdei = in->dats_run.kdei, .blkid = in->dats_tb.cta};
  o->group = false;
  o->place = in->dats_tb.index;
  o->need = in->dats_run.need;
  return NULL;
}

static const char *of_queue_0(struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  unsigned k = out->sscr.kdei, s = out->grant.smx;
  bool saved = out->grant.kind == HD_UNIT_SAVED, native = out->grant.kind == HD_UNIT_NATIVE;
  if (is_bound(o, in, s)) return "rule 4: a TB of queue 0 is granted to an SMX that is bound to a bank";
  if (graph_first(in, out))
    return "rule 9: a TB of a kernel younger than the graph is granted while the graph offers one";
  if (!in->fcfs_marked[k] || in->kd_suspending[k] || in->kd_failed[k])
    return "rule 3: a TB is granted of a kernel that is not marked, or that stops";
  if (!saved && in->kd_sav_count[k]) return "rule 3: a TB is granted before the saved TBs of its kernel";
  if (out->hand.grant && !in->kd_ndone[k])
    return "rule 3: a TB of a group is granted before the end of the native part";
  o->want = (struct hd_dispatch){.kdei = (uint8_t)k, .restart = saved, .level = out->grant.level};
  o->group = out->hand.grant;
  o->want.blkid = o->group ? o->group_next : 0;
  if (native) {
    o->want.blkid = o->next[k]++;
    if (out->grant.unit_end != (o->next[k] == in->kd_ctas[k]))
      return "rule 3: the native part ends too early, or too late";
    if (out->grant.level != in->kd_level[k]) return "rule 8: a native TB is granted with another level than its kernel";
  }
  o->need = in->kd_need[k];
  return NULL;
}

static const char *of_bank(struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  unsigned s = out->grant.smx, b = out->take.bank;
  const struct hd_pqentry *e = &in->laperm_bank_front[b];
  if (left_to_queue_0(o, in, s)) return "rule 11: more than FairEvery TBs of banks went ahead of queue 0";
  if (out->take.spare && in->dats_tb.valid) return "rule 9: a spare TB is granted while the graph offers one";
  if (out->take.spare
          ? !in->laperm_spare_valid[s] || in->laperm_spare_bank[s] != b || out->sscr.valid || in->laperm_bound_valid[s]
          : !in->laperm_bound_valid[s] || in->laperm_bound_bank[s] != b)
    return "rule 4: a TB of a bank is granted that the SMX is not offered, or a spare one though queue 0 has a kernel";
  o->want = (struct hd_dispatch){.kdei = e->kdei, .blkid = in->laperm_bank_nextbl[b], .level = e->level};
  o->group = e->kind == HD_UNIT_GROUP;
  o->need = out->take.spare ? in->laperm_spare_need[s] : in->laperm_bound_need[s];
  return out->take.kdei != e->kdei ? "rule 4: a TB of a bank is granted for another kernel" : NULL;
}

/* No TB is granted: checks that none had to be. With Visit this is unknown, since an SMX may not be visited. */
static const char *none_got_one(const struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  const struct hd_need *own = graph_first(in, out) ? &in->dats_run.need : &in->kd_need[out->sscr.kdei];
  for (unsigned s = 0; !o->cfg.visit && !in->kd_stall && s < o->cfg.num_smx; s++) {
    if (is_bound(o, in, s) && can_take(o, s, &in->laperm_bound_need[s], out))
      return "rule 10: no TB is granted though an SMX can accept one bound to it";
    if (left_to_queue_0(o, in, s) && queue_0_offers(in, out) && can_take(o, s, own, out))
      return "rule 11: no TB is granted though an SMX reserved for queue 0 can accept its TB";
  }
  return NULL;
}

static const char *handed_out(struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  if (out->grant.level && (!out->sscr.valid || out->events.waiting)) return "rule 8: grant_level is set without a unit";
  if (out->grant.level && graph_first(in, out)) return "rule 8: grant_level is set while the graph is served";
  const unsigned tbs = (unsigned)out->grant.valid + out->take.valid + out->graph_take;
  if (!tbs) return none_got_one(o, in, out);
  if (tbs > 1) return "rule 1: two TBs are granted in one cycle";
  if (in->kd_stall) return "rule 1: a TB is granted while the KD reads a descriptor";
  if (!in->throttle_open[out->grant.smx] && (!out->take.valid || out->take.spare))
    return "rule 10: a TB that may go to any SMX is granted to a closed one";
  o->handed = 1;
  o->first = o->group_loaded && out->hand.grant;
  if (out->hand.grant) o->group_loaded = 0;
  o->smx = out->grant.smx;
  o->from_bank = out->take.valid;
  o->node = out->graph_take;
  if (o->node) return of_graph(o, in, out);
  return out->take.valid ? of_bank(o, in, out) : of_queue_0(o, in, out);
}

static const char *unmarked(const struct hd_sched_in *in, const struct hd_sched_out *out) {
  unsigned k = out->sscr.kdei;
  if (!out->unmark || in->kd_suspending[k] || in->kd_failed[k]) return NULL;
  bool saved = in->kd_sav_count[k] > (out->grant.valid && out->grant.kind == HD_UNIT_SAVED);
  bool native = !in->kd_ndone[k] && !(out->grant.valid && out->grant.unit_end && out->grant.kind == HD_UNIT_NATIVE);
  bool groups = (in->link_pending[k] && !(in->link_single[k] && out->advance)) ||
                (in->link_link.valid && in->link_link.kdei == k);
  return saved || native || groups ? "rule 5: a kernel with TBs left was unmarked" : NULL;
}

/* A kernel enters: stores its next native TB. */
static void enters(struct oracle *o, const struct hd_sched_in *in) {
  if (in->kd_entry.valid && !in->kmu_offer.kernel.progress.ndone)
    o->next[in->kd_entry.kdei] = in->kmu_offer.kernel.progress.nextbl;
}

/* ---- completions ---- */

static uint16_t *done_of(struct oracle *o, unsigned kdei, bool age_valid, unsigned agei) {
  return &o->done[kdei][age_valid ? agei : HD_MAX_NUM_AGE];
}

static const char *retired(struct oracle *o, const struct hd_sched_out *out) {
  if (!out->retire.valid) return o->due ? "rule 6: a completion waits, and none is retired" : NULL;
  uint16_t *n = done_of(o, out->retire.tb.kdei, out->retire.tb.age_valid, out->retire.tb.agei);
  if (!o->due || !*n) return "rule 6: a TB is retired that is not done, or twice";
  --*n;
  o->due--;
  return NULL;
}

static const char *reported(const struct oracle *o, const struct hd_sched_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    if (out->done_ok[s] != (o->report[s] == OK) || out->done_empty[s] != (o->report[s] == OF_EMPTY) ||
        out->done_early[s] != (o->report[s] == TOO_EARLY))
      return "rule 6: a completion is reported as another kind than it is";
    else if (out->node_done[s] != (o->node_of[s] > 0) || out->node_place[s] + out->node_done[s] != o->node_of[s])
      return "rule 9: node_done or node_place does not match the completed TB";
  return NULL;
}

static void completes(struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  o->due += o->fresh;
  o->fresh = 0;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    unsigned j = in->cta_done_slot[s];
    struct cta *c = j < o->cfg.ctas_per_smx ? &o->cta[s][j] : NULL;
    o->report[s] = !in->cta_done_valid[s]           ? NO_REPORT
                   : c == NULL || c->state == EMPTY ? OF_EMPTY
                   : c->state == OFFERED            ? TOO_EARLY
                                                    : OK;
    o->node_of[s] = o->report[s] == OK && c->node ? c->place + 1u : 0;
    if (o->report[s] == OK) {
      ++*done_of(o, c->shown.kdei, c->shown.age_valid, c->shown.agei);
      o->fresh++;
      c->state = EMPTY;
    }
    o->waits[s] = out->dispatch_valid[s] && !in->dispatch_ready[s];
    o->at[s] = out->dispatch[s].slot;
    if (out->dispatch_valid[s] && in->dispatch_ready[s]) o->cta[s][out->dispatch[s].slot].state = RUNNING;
  }
}

static void looks(struct oracle *o, const struct hd_sched_in *in) {
  const struct cta *c =
      in->devq_look.slot < o->cfg.ctas_per_smx ? &o->cta[in->devq_look.smx][in->devq_look.slot] : NULL;
  o->look = (struct hd_look){0};
  if (c && c->state == RUNNING) o->look = (struct hd_look){.valid = 1, .kdei = c->shown.kdei, .level = c->shown.level};
}

/* Returns true if a TB exists that may go to any SMX. */
static bool some_unassigned(const struct oracle *o, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  const bool stops = in->kd_suspending[out->sscr.kdei] || in->kd_failed[out->sscr.kdei];
  if (in->dats_tb.valid || (out->sscr.valid && !out->events.waiting && !stops)) return true;
  for (unsigned s = 0; !out->sscr.valid && s < o->cfg.num_smx; s++)
    if (in->laperm_spare_valid[s]) return true;
  return false;
}

const char *hd_sched_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_sched_in *in = in_;
  const struct hd_sched_out *out = out_;
  (void)cycle;
  if (memcmp(&o->look, &out->look, sizeof o->look)) return "rule 7: the query of a slot is answered wrongly";
  if (out->unassigned != o->unassigned) return "rule 10: unassigned does not show whether a TB for any SMX existed";
  o->unassigned = some_unassigned(o, in, out);
  const char *rule = offers(o, in, out);
  if (!rule) rule = retired(o, out);
  if (!rule) rule = reported(o, out);
  if (!rule) rule = handed_out(o, in, out);
  o->passed = out->grant.valid || out->graph_take || !queue_0_offers(in, out) ? 0 : o->passed + out->take.valid;
  if (!rule) rule = unmarked(in, out);
  o->group_loaded |= out->group_pop;
  enters(o, in);
  looks(o, in);
  completes(o, in, out);
  return rule;
}
