/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/graph/dats_neighbours.h"

#include <string.h>

#include "env/common/memory.h"

enum { BEATS = 3, LEN = 64 };

void hd_dats_neighbours_reset(struct hd_dats_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

/* ---- marks ---- */

static void choose_phase(struct hd_dats_neighbours *s, struct hd_rng *rng) {
  /* still, all, many, few, changing, rotating */
  static const struct {
    uint16_t come, go, turn;
  } weights[] = {{0, 0, 10}, {256, 0, 4}, {200, 20, 20}, {10, 200, 20}, {60, 60, 40}, {40, 10, 180}};
  if (s->phase_left--) return;
  const unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights);
  s->come = weights[k].come;
  s->go = weights[k].go;
  s->turn = weights[k].turn;
  s->phase_left = 10 + hd_rng_below(rng, 200);
}

/* Returns a random entry that is (or is not) marked; NumKde: none. */
static unsigned find(const struct hd_dats_neighbours *s, struct hd_rng *rng, bool marked) {
  const unsigned n = s->cfg.num_kde;
  unsigned at = hd_rng_below(rng, n);
  for (unsigned k = 0; k < n; k++, at = (at + 1) % n)
    if (s->marked[at] == marked) return at;
  return n;
}

/* The entry of the graph's kernel is not marked during the graph. One of the marked entries may become the youngest. */
static void drive_marks(struct hd_dats_neighbours *s, struct hd_rng *rng, bool busy, struct hd_dats_in *in) {
  const unsigned n = s->cfg.num_kde;
  for (unsigned k = 0; k < 1 + n / 8; k++) {
    unsigned comes = hd_rng_below(rng, n), goes = hd_rng_below(rng, n);
    if (hd_rng_p(rng, s->come) && !(busy && comes == s->kdei)) s->marked[comes] = 1;
    if (hd_rng_p(rng, s->go)) s->marked[goes] = 0;
  }
  memcpy(in->fcfs_marked, s->marked, n);
  const unsigned turns = find(s, rng, true);
  in->sched_give_way = turns < n && hd_rng_p(rng, s->turn);
  in->sched_sscr.kdei = (uint8_t)(in->sched_give_way ? turns : hd_rng_below(rng, n));
}

/* ---- the kernel ---- */

/* The KMU's kernel is arbitrary without an offer. One with a graph enters in the first idle cycle or later, into an
 * entry that is not marked; if all are, it waits. Kernels without a graph enter at any time. */
static void drive_enter(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p, bool busy,
                        struct hd_dats_in *in) {
  const struct hd_cfg *c = &s->cfg;
  if (!busy && !s->offered && hd_rng_p(rng, p->source)) hd_dats_neighbours_kernel(s, rng, p);
  const unsigned kdei = find(s, rng, false);
  const bool graph = !busy && s->offered;
  in->kmu_offer.kernel.graph = graph;
  in->kmu_offer.valid = graph || (!(busy && kdei == s->kdei) && hd_rng_p(rng, 40));
  in->kd_entry.valid = in->kmu_offer.valid && kdei < c->num_kde && hd_rng_p(rng, p->sink);
  in->kd_entry.kdei = (uint8_t)(kdei < c->num_kde ? kdei : hd_rng_below(rng, c->num_kde));
  in->kmu_offer.kernel.need = s->need;
  in->kmu_offer.kernel.ctas = graph ? s->ctas : (uint32_t)hd_rng_bits(rng, c->ctas_w);
  in->kmu_offer.kernel.desc.param = graph ? s->at * 64 : hd_rng_bits(rng, c->param_w);
}

static void follow_enter(struct hd_dats_neighbours *s, const struct hd_dats_in *in) {
  if (!hd_dats_neighbours_enters(in)) return;
  s->offered = 0;
  s->kdei = in->kd_entry.kdei;
  memset(s->lost, 0, sizeof s->lost);
}

/* ---- the memory ---- */

static void follow_request(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_dats_out *out, const struct hd_dats_in *in) {
  if (!out->mem.valid || !in->mem.ready) return;
  s->beats = BEATS;
  s->wait = (uint8_t)(hd_rng_p(rng, 60) ? 0 : hd_rng_below(rng, hd_rng_p(rng, 16) ? 100 : 6));
  s->errors = (uint8_t)(hd_rng_p(rng, 2 * p->bad) ? 1 + hd_rng_below(rng, 7) : 0);
}

static void drive_memory(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         struct hd_dats_in *in) {
  const unsigned beat = BEATS - s->beats;
  in->mem.ready = hd_rng_p(rng, p->sink);
  in->mem.r_valid = s->beats && !s->wait && hd_rng_p(rng, p->sink);
  s->wait -= s->wait > 0;
  memset(&in->mem.r, 0, sizeof in->mem.r);
  if (!in->mem.r_valid) return;
  in->mem.r.lo = hd_memory_get(s->bytes + 16 * beat, 8);
  in->mem.r.hi = hd_memory_get(s->bytes + 16 * beat + 8, 8);
  in->mem.r.error = s->errors >> beat & 1;
  in->mem.r.last = --s->beats == 0;
}

/* ---- the buffer ---- */

static void begin_graph(struct hd_dats_neighbours *s, struct hd_rng *rng) {
  s->runs = s->ran = 1;
  s->offer = s->taken = 0;
  memset(&s->end, 0, sizeof s->end);
  if (hd_rng_p(rng, 90)) {
    s->end.code = (uint8_t)(1 + hd_rng_below(rng, HD_GCODE_STUCK));
    s->end.vid = (uint16_t)hd_rng_bits(rng, 16);
  }
  s->left = (uint16_t)hd_rng_below(rng, hd_rng_p(rng, 30) ? LEN : 8);
  if (!s->end.code) s->left++;
}

static void follow_graph(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_dats_out *out,
                         const struct hd_dats_in *in) {
  if (in->dgb_finish_valid && out->finish_ready) s->runs = 0;
  if (out->start_valid && in->dgb_start_ready) begin_graph(s, rng);
  if (!in->dgb_node_valid || !in->sched_graph_take) return;
  s->offer = 0;
  s->taken = 1;
  s->left--;
}

static struct hd_dgbnode random_node(const struct hd_cfg *c, struct hd_rng *rng) {
  struct hd_dgbnode n;
  memset(&n, 0, sizeof n);
  n.index = (uint16_t)hd_rng_bits(rng, c->lna_w);
  n.cta = (uint16_t)hd_rng_bits(rng, 16);
  n.level = (uint16_t)hd_rng_bits(rng, 16);
  return n;
}

/* An offered node stays, or is replaced by another. After an error it disappears, and no other follows. The preferred
 * SMX may be valid without a node. */
static void drive_node(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                       struct hd_dats_in *in) {
  if (s->offer && s->end.code && !hd_rng_below(rng, 16)) s->offer = 0, s->left = 0;
  if (!s->offer || !hd_rng_below(rng, 16)) {
    memset(&in->dgb_node, 0, sizeof in->dgb_node);
    s->offer = s->offer || (s->runs && s->left && hd_rng_p(rng, p->source));
    if (s->offer) in->dgb_node = random_node(&s->cfg, rng);
    in->dgb_wish.valid = s->offer || (s->runs && hd_rng_p(rng, 128));
    in->dgb_wish.smx = (uint8_t)(in->dgb_wish.valid ? hd_rng_below(rng, s->cfg.num_smx + 1) : 0);
  }
  in->dgb_node_valid = s->offer;
}

static void drive_graph(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_dats_in *in) {
  in->dgb_start_ready = !s->runs && hd_rng_p(rng, p->sink);
  drive_node(s, rng, p, in);
  in->dgb_finish_valid = s->runs && !s->left && hd_rng_p(rng, p->source);
  memset(&in->dgb_finish, 0, sizeof in->dgb_finish);
  if (in->dgb_finish_valid) in->dgb_finish = s->end;
}

/* ---- the scheduler ---- */

/* Often the preferred SMX. sched_grant.smx is driven even if no node is taken. */
static void drive_take(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                       struct hd_dats_in *in) {
  const uint32_t n = s->cfg.num_smx;
  in->sched_graph_take = in->dgb_node_valid && hd_rng_p(rng, p->sink);
  in->sched_grant.smx = (uint8_t)(in->dgb_wish.smx < n && hd_rng_p(rng, 128) ? in->dgb_wish.smx : hd_rng_below(rng, n));
}

void hd_dats_neighbours_drive(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_dats_out *out, const struct hd_dats_out *now, struct hd_dats_in *in) {
  const bool busy = now->busy;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) s->lost[k] |= out->older[k] && !in->fcfs_marked[k];
  s->was_in = *in;
  s->was_out = *out;
  follow_enter(s, in);
  follow_request(s, rng, p, out, in);
  follow_graph(s, rng, out, in);
  choose_phase(s, rng);
  drive_marks(s, rng, busy, in);
  drive_enter(s, rng, p, busy, in);
  drive_memory(s, rng, p, in);
  drive_graph(s, rng, p, in);
  drive_take(s, rng, p, in);
}
