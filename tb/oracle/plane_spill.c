/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The part of rule 11 of plane_oracle.c about groups that wait in memory for their bank, in the ring of its queue (its
 * bank and level); and the room of the rings, for rule 8. A record names the KD entry of its kernel, so the kernel of a
 * lost group is certain. The plane knows it only when all groups have returned: it then misses one of that kernel. */
#include "env/common/memory.h"
#include "env/common/rings.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_state.h"

/* AHEAD: groups that the block counts before their last beat is on the port: one that it is writing, and one whose data
 * memarb holds. ANSWERS: cycles from an answer on the port until it counts, besides those of the ring book; BEATS: from
 * a beat until the block is closed. REPORTS: cycles of a free port after which all groups that wait for the port have
 * been written, and the first loss reported. */
enum { AHEAD = 2, ANSWERS = 2, BEATS = 4, REPORTS = 256 };

static uint64_t count_of(const struct hd_plane_oracle *o) {
  return o->config[(HD_REG_SPILL_COUNT - HD_REG_REC_BASE) / 4];
}

/* Returns the distance of an address from the start of the region. */
static uint64_t distance(const struct hd_plane_oracle *o, uint64_t addr) {
  const uint64_t base = o->config[(HD_REG_SPILL_BASE - HD_REG_REC_BASE) / 4];
  return (addr - base * 256) & hd_memory_mask(&o->cfg);
}

unsigned hd_oracle_spill_queue(const struct hd_plane_oracle *o, const struct hd_work *group) {
  return group->smx / o->cfg.smx_per_cluster * o->cfg.max_level + group->level - 1u;
}

bool hd_oracle_spill_region(const struct hd_plane_oracle *o, uint64_t addr, unsigned beats) {
  return distance(o, addr) + 16 * beats <= hd_rings_bytes(&o->cfg, count_of(o));
}

/* ---- losses ---- */

/* The group of an entry is lost. Its kernel is in the KD until the loss was reported. */
static void lose(struct hd_plane_oracle *o, uint32_t entry, uint64_t closed_at) {
  struct hd_oracle_spill *s = &o->spill;
  const struct hd_oracle_spilled *g = &s->group[entry];
  struct hd_work *w = hd_oracle_work(o, g->group.work);
  const uint32_t kernel = o->book.kde[g->kdei];
  if (w->number == g->group.number) w->gone = 1;
  s->lost++;
  s->may_close = 1;
  if (!s->closed_at || closed_at < s->closed_at) s->closed_at = closed_at;
  for (unsigned k = 0; k < o->cfg.num_smx; k++)
    for (unsigned n = 0; n < o->dev_n[k]; n++) o->dev[k][n].closed = 1;
  if (!kernel) return;
  hd_oracle_hit(o, kernel, true);
  for (uint32_t k = kernel; k; k = o->book.work[k].rest ? o->book.work[k].up : 0)
    hd_oracle_work(o, k)->lost_at = o->now;
}

bool hd_oracle_misses_group(const struct hd_plane_oracle *o, uint32_t kernel) {
  return o->book.work[kernel].lost_at > o->spill.empty_at;
}

/* ---- bursts ---- */

/* Notes the group in the launches that may be judged after it. */
static void note_room(struct hd_plane_oracle *o, unsigned queue) {
  const uint32_t waits = o->spill.book.queue[queue].waits;
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    for (unsigned n = 0; n < o->dev_n[s]; n++) {
      struct hd_oracle_dev_request *a = &o->dev[s][n];
      if (a->kind != HD_KIND_GROUP || !a->work || hd_oracle_spill_queue(o, hd_oracle_work(o, a->work)) != queue)
        continue;
      if (a->in_ring < waits) a->in_ring = waits;
    }
}

const char *hd_oracle_spill_written(struct hd_plane_oracle *o, uint64_t addr, unsigned beats, uint64_t lo,
                                    uint64_t hi) {
  struct hd_oracle_spill *s = &o->spill;
  const uint32_t g = hd_book_find(&o->book, lo * 64), kernel = hi < o->cfg.num_kde ? o->book.kde[hi] : 0;
  const struct hd_work *w = hd_oracle_work(o, g);
  const char *rule;
  if (!hd_oracle_spill_region(o, addr, HD_RING_BEATS)) return "rule 11: a burst leaves the region of its client";
  if (beats != HD_RING_BEATS) return "rule 11: a group is not written to memory as one record";
  if (!g || w->kind != HD_BOOK_GROUP) return "rule 11: a group is written to memory that was not launched";
  if (!kernel || !hd_book_same_key(w, hd_oracle_work(o, kernel)))
    return "rule 11: the record of a group in memory names a wrong kernel";
  const unsigned q = hd_oracle_spill_queue(o, w);
  if (distance(o, addr) != hd_rings_place(&o->cfg, count_of(o), q, s->book.queue[q].put) * HD_RING_BYTES)
    return "rule 11: a group is not written behind those of its bank and level";
  if (w->number < s->youngest[q]) return "rule 11: a group is written to memory behind one that was launched later";
  const uint32_t e = hd_ring_put(&s->book, q, count_of(o), &rule);
  if (rule) return "rule 11: a group is written to a place whose group has not returned";
  s->youngest[q] = w->number;
  s->group[e] = (struct hd_oracle_spilled){{g, w->number}, (uint8_t)hi};
  s->write[s->written++ % HD_AXI_BURSTS] = e;
  hd_oracle_work(o, g)->away = 1;
  note_room(o, q);
  s->late += s->closed_at && o->now > s->closed_at;
  return s->late > o->cfg.ring_late ? "rule 11: groups go to memory after a loss, before all have returned" : NULL;
}

void hd_oracle_spill_answered(struct hd_plane_oracle *o, bool error) {
  struct hd_oracle_spill *s = &o->spill;
  if (s->answered == s->written) return;
  const uint32_t e = s->write[s->answered++ % HD_AXI_BURSTS];
  hd_ring_answer(&s->book, e, o->now + ANSWERS, error);
  if (error) lose(o, e, s->book.at[e].late);
}

const char *hd_oracle_spill_asked(struct hd_plane_oracle *o, uint64_t addr, unsigned beats) {
  struct hd_oracle_spill *s = &o->spill;
  const unsigned line = o->cfg.spill_line, n = beats / HD_RING_BEATS;
  const unsigned q = (unsigned)(distance(o, addr) / HD_RING_BYTES >> hd_rings_order(&o->cfg, count_of(o)));
  const uint64_t first = hd_ring_first(&s->book, q);
  unsigned there = 0;
  for (uint32_t e = s->book.queue[q].first; there < n && e != HD_RING_NONE && s->book.at[e].answered;
       e = s->book.at[e].next)
    there++;
  if (beats % HD_RING_BEATS || distance(o, addr) != hd_rings_place(&o->cfg, count_of(o), q, first) * HD_RING_BYTES)
    return "rule 11: a read of groups in memory does not begin with the oldest of a bank and level";
  if (there < n || first % line + n > line)
    return "rule 11: a read of groups in memory is of more than are there, or of more than one line";
  hd_ring_get(&s->book, q, n);
  s->read[s->asked % HD_AXI_BURSTS].queue = (uint16_t)q;
  s->read[s->asked++ % HD_AXI_BURSTS].n = (uint8_t)n;
  return NULL;
}

/* The second beat of the oldest group that is being read arrived. Returns true if that lost the group. */
static bool arrive(struct hd_plane_oracle *o, unsigned queue) {
  struct hd_oracle_spill *s = &o->spill;
  const uint32_t e = s->book.queue[queue].reading;
  const bool lost = s->error && !s->book.at[e].bad;
  struct hd_work *w = hd_oracle_work(o, s->group[e].group.work);
  if (w->number == s->group[e].group.number) w->away = 0;
  if (lost) lose(o, e, o->now + BEATS);
  s->error = 0;
  hd_ring_leave(&s->book, queue);
  return lost;
}

bool hd_oracle_spill_beat(struct hd_plane_oracle *o, bool error, bool last) {
  struct hd_oracle_spill *s = &o->spill;
  const unsigned q = s->read[s->ended % HD_AXI_BURSTS].queue, n = s->read[s->ended % HD_AXI_BURSTS].n;
  if (s->ended == s->asked) return false;
  s->error |= error;
  const bool lost = ++s->beat % HD_RING_BEATS == 0 && s->beat <= n * HD_RING_BEATS && arrive(o, q);
  if (!last) return lost;
  s->book.queue[q].ended += n;
  s->ended++;
  s->beat = s->error = 0;
  return lost;
}

/* ---- room ---- */

/* With no group in memory, and a port that accepts all that it is offered, the groups that wait for the port are
 * written; if none is, all have returned, and a loss is reported in each cycle. */
void hd_oracle_spill_cycle(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  struct hd_oracle_spill *s = &o->spill;
  const bool empty = !s->book.used && s->asked == s->ended;
  const bool stalls = (out->awvalid && !in->awready) || (out->wvalid && !in->wready) || (out->arvalid && !in->arready);
  if (empty) {
    s->empty_at = o->now;
    s->closed_at = s->late = 0;
  }
  s->quiet = empty ? s->quiet + !stalls : 0;
  if (!s->may_close || s->quiet <= REPORTS + s->lost) return;
  s->may_close = 0;
  s->lost = 0;
}

bool hd_oracle_spill_full(const struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a) {
  const int order = hd_rings_order(&o->cfg, count_of(o));
  return order < 0 || a->closed || a->in_ring + AHEAD + o->cfg.ring_margin > UINT32_C(1) << order;
}
