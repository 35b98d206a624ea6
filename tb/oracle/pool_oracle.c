/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/pool_oracle.h"

#include "env/common/memory.h"
#include "gen/hd_pool_ports.h"
#include "oracle/pool_state.h"

enum { PATIENCE = 4000, SETTLED = 8, PLACE = 16 * HD_MEMORY_KERNEL_BEATS };

HD_BLOCK_ORACLE_STATE(pool)

static void forget(struct oracle *o, unsigned at) {
  unsigned stream = o->waiting[at].k.stream, line = o->waiting[at].line;
  o->queued[line]--;
  o->waited[line] = 0;
  o->running[stream] = stream != 0;
  memmove(o->waiting + at, o->waiting + at + 1, (--o->n - at) * sizeof *o->waiting);
}

/* Returns the index of the waiting kernel with that parameter address, which is unique, or o->n. */
static unsigned find(const struct oracle *o, uint64_t param) {
  unsigned at = 0;
  while (at < o->n && o->waiting[at].k.desc.param != param) at++;
  return at;
}

/* Returns the index of the oldest kernel of the line, or o->n. */
static unsigned find_first(const struct oracle *o, unsigned line) {
  unsigned at = 0;
  while (at < o->n && o->waiting[at].line != line) at++;
  return at;
}

static unsigned rank(const struct oracle *o, unsigned level) {
  return level < o->cfg.max_level ? level : o->cfg.max_level;
}

/* Returns the line of a pushed kernel. */
static unsigned line_of(const struct oracle *o, const struct hd_pool_in *in) {
  const unsigned level = rank(o, in->devq_push.kernel.level), bank = in->devq_push.kernel.smx / o->cfg.smx_per_cluster;
  if (in->regs_config.policy == HD_POLICY_RR || in->devq_push.kernel.stream || !level)
    return in->devq_push.kernel.stream;
  return o->cfg.num_streams + bank * o->cfg.max_level + level - 1;
}

/* Returns the stream or bank that a kernel of the line belongs to, for the round robin. */
static unsigned turn_of(const struct oracle *o, unsigned line) {
  const unsigned streams = o->cfg.num_streams;
  return line < streams ? line : streams + (line - streams) / o->cfg.max_level;
}

/* Returns true if the kernel is certainly on chip: it returned from memory, or it was never there and two more kernels
 * were pushed since. */
static bool on_chip(const struct oracle *o, const struct pool_waits *w) {
  return w->in_memory == BACK || (!w->in_memory && o->pushed - w->number > 2);
}

/* Returns the highest level of the first kernels of all lines that certainly could be picked in this cycle, and notes
 * their streams and banks. */
static unsigned best_level(struct oracle *o) {
  uint8_t seen[HD_MAX_POOL_QUEUES] = {0};
  unsigned best = 0, lines = 0;
  for (unsigned at = 0; at < o->n && lines < o->cfg.pool_queues; at++) {
    const struct pool_waits *w = &o->waiting[at];
    if (seen[w->line]) continue;
    seen[w->line] = 1;
    lines++;
    if (w->failed || o->running[w->k.stream] || !on_chip(o, w)) continue;
    hd_pool_turns_may(&o->turns, turn_of(o, w->line), w->rank);
    if (w->rank > best) best = w->rank;
  }
  return best;
}

/* A kernel without a stream is offered: removes the lost kernels before it in its line whose losses were reported. */
static void name_lost(struct oracle *o, unsigned *at) {
  const unsigned line = o->waiting[*at].line;
  for (unsigned k = find_first(o, line); k < *at; k = find_first(o, line)) {
    uint16_t *unnamed = &o->unnamed[o->waiting[k].k.up];
    if (!o->waiting[k].failed || !*unnamed) return;
    --*unnamed;
    forget(o, k);
    --*at;
  }
}

static const char *watch_head(struct oracle *o, const struct hd_devk *head, bool taken) {
  unsigned at = find(o, head->desc.param);
  const bool picked = !o->offered;
  if (o->offered && o->offered_param != head->desc.param) return "the offered kernel changed before it was accepted";
  o->offered = !taken;
  o->offered_param = head->desc.param;
  if (at == o->n) return "a kernel is offered that was not launched, or twice";
  if (memcmp(&o->waiting[at].k, head, sizeof *head)) return "a kernel changed while it waited";
  if (o->waiting[at].failed) return "a kernel is offered that memory has lost";
  if (!head->stream) name_lost(o, &at);
  if (at != find_first(o, o->waiting[at].line)) return "kernels of one queue are offered out of order";
  if (picked && o->waiting[at].rank < o->best[1]) return "a kernel is offered though one of a higher level could be";
  if (o->running[head->stream]) return "a kernel is offered while the one before it in its stream runs";
  const unsigned turn = turn_of(o, o->waiting[at].line), level = o->waiting[at].rank;
  if (taken) forget(o, at);
  return picked ? hd_pool_turns_offered(&o->turns, o->cfg.pool_turns, turn, level) : NULL;
}

/* Returns the number of kernels of this parent record without a stream that may be reported as lost next, in any order,
 * and the last of them. All kernels before them in their lines are lost too. */
static unsigned may_be_reported(const struct oracle *o, unsigned up, unsigned *last) {
  uint8_t alive[HD_MAX_POOL_QUEUES] = {0};
  unsigned n = 0;
  for (unsigned at = 0; at < o->n; at++) {
    const struct pool_waits *w = &o->waiting[at];
    if (w->k.stream) continue;
    if (!w->failed) alive[w->line] = 1;
    if (alive[w->line] || w->k.up != up) continue;
    *last = at;
    n++;
  }
  return n;
}

/* A kernel without a stream is reported as lost. Which one is known only when all candidates have been reported, or
 * when the next kernel of its line is offered. */
static const char *watch_unnamed(struct oracle *o, unsigned up, bool taken) {
  unsigned last = 0;
  if (may_be_reported(o, up, &last) <= o->unnamed[up])
    return "a kernel is reported as lost that memory has not lost, or out of order";
  if (!taken) return NULL;
  o->unnamed[up]++;
  if (may_be_reported(o, up, &last) > o->unnamed[up]) return NULL;
  for (; o->unnamed[up]; o->unnamed[up]--) {
    may_be_reported(o, up, &last);
    forget(o, last);
  }
  return NULL;
}

static const char *watch_lost(struct oracle *o, unsigned stream, unsigned up, bool taken) {
  unsigned at = find_first(o, stream);
  hd_pool_turns_lost(&o->turns);
  if (o->reported && o->announced_stream != stream) return "the reported lost kernel changed before it was accepted";
  o->reported = !taken;
  o->announced_stream = (uint8_t)stream;
  if (!stream) return watch_unnamed(o, up, taken);
  if (at == o->n || !o->waiting[at].failed)
    return "a kernel is reported as lost that memory has not lost, or out of order";
  if (o->waiting[at].k.up != up) return "a lost kernel is reported with a wrong parent record";
  if (o->running[stream]) return "a kernel is reported as lost while the one before it in its stream runs";
  if (taken) forget(o, at);
  return NULL;
}

static const char *watch_offers(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  if ((o->offered && !out->head.valid) || (o->reported && !out->lost.valid)) return "an offer is withdrawn";
  const char *rule = out->head.valid ? watch_head(o, &out->head.kernel, in->kmu_pool_pop) : NULL;
  if (rule || !out->lost.valid) return rule;
  return watch_lost(o, out->lost.stream, out->lost.up, in->kin_lost_ready);
}

/* Returns the number of places of the region. */
static uint32_t places(const struct oracle *o, const struct hd_pool_in *in) {
  return in->regs_config.dev_count < o->cfg.pool_rows ? in->regs_config.dev_count : o->cfg.pool_rows;
}

/* A new request to read the kernel at that place. */
static const char *watch_read(struct oracle *o, const struct pool_place *p) {
  const unsigned at = find(o, p->param);
  if (o->shown || at == o->n) return NULL;
  o->waiting[at].in_memory = ASKED;
  return hd_pool_back_requested(&o->back, o->cfg.pool_queues, o->waiting[at].line);
}

/* Checks the place of a request. */
static const char *watch_request(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  const uint64_t at = out->mem.req.addr - (uint64_t)in->regs_config.dev_base * 256;
  if (at % PLACE || at / PLACE >= places(o, in) || out->mem.req.len != 7) return "a burst leaves the region";
  struct pool_place *p = &o->place[at / PLACE];
  struct pool_bursts *b = out->mem.req.write ? &o->writes : &o->reads;
  if (out->mem.req.write && p->used) return "a kernel is written to an occupied place";
  if (!out->mem.req.write && p->used != 2) return "a place is read that holds no kernel";
  const char *rule = out->mem.req.write ? NULL : watch_read(o, p);
  o->shown = !in->mem.ready;
  if (rule || !in->mem.ready) return rule;
  if (b->n == HD_MEMORY_FLIGHT) return "too many open bursts";
  b->place[b->n++] = (uint16_t)(at / PLACE);
  if (out->mem.req.write) b->beats = 0;
  p->used = out->mem.req.write ? 1 : 3;
  o->in_memory += out->mem.req.write;
  return NULL;
}

/* A beat of a record: the first one identifies the kernel, another one names the SMX that launched it. */
static const char *watch_beat(struct oracle *o, struct pool_place *p, unsigned beat, uint64_t hi, uint64_t lo,
                              bool written) {
  if (beat == 0 && written) p->param = hi;
  unsigned at = find(o, p->param);
  if (at == o->n) return "a kernel is written to memory that was not launched, or was already offered";
  if (beat == 0 && written) {
    o->waiting[at].in_memory = WRITTEN;
    hd_pool_back_written(&o->back, o->waiting[at].line, o->waiting[at].rank);
  }
  if (beat != HD_MEMORY_SMX / 16) return NULL;
  if (written && o->waiting[at].k.smx != (lo >> 48 & 0xff)) return "a kernel is written to memory with another SMX";
  o->waiting[at].k.smx = hd_memory_smx(&o->cfg, lo);
  return NULL;
}

/* An answer or a last beat ends the oldest burst. Returns its place. */
static struct pool_place *end_burst(struct oracle *o, struct pool_bursts *b) {
  struct pool_place *p = &o->place[b->place[0]];
  memmove(b->place, b->place + 1, --b->n * sizeof *b->place);
  return p;
}

static void fail(struct oracle *o, const struct pool_place *p) {
  unsigned at = find(o, p->param);
  if (at < o->n) o->waiting[at].failed = 1;
}

static const char *watch_answers(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  const char *rule = NULL;
  if (in->mem.take)
    rule = watch_beat(o, &o->place[o->writes.place[o->writes.n - 1]], o->writes.beats++, out->mem.wbeat.hi,
                      out->mem.wbeat.lo, true);
  if (in->mem.b_valid) {
    struct pool_place *p = end_burst(o, &o->writes);
    p->used = 2;
    const unsigned at = find(o, p->param);
    if (at < o->n) o->waiting[at].in_memory = READABLE;
    if (in->mem.b_error) fail(o, p);
  }
  if (rule || !in->mem.r_valid) return rule;
  struct pool_place *p = &o->place[o->reads.place[0]];
  rule = watch_beat(o, p, o->reads.beats++, in->mem.r.hi, in->mem.r.lo, false);
  if (in->mem.r.error) fail(o, p);
  if (!in->mem.r.last) return rule;
  const unsigned at = find(o, p->param);
  if (at < o->n) o->waiting[at].in_memory = BACK;
  end_burst(o, &o->reads)->used = 0;
  o->reads.beats = 0;
  o->in_memory--;
  return rule;
}

/* Limits the waiting times. A kernel that the KMU does not accept blocks the others. */
static const char *watch_turns(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  o->not_ready = out->room.ready ? 0 : o->not_ready + 1;
  if (o->not_ready > PATIENCE) return "the pool accepts no kernel";
  if (out->room.two && !out->room.ready) return "the pool accepts two kernels but not one";
  if ((out->head.valid && !in->kmu_pool_pop) || (out->lost.valid && !in->kin_lost_ready)) return NULL;
  bool any = false;
  for (unsigned l = 0; l < o->cfg.pool_queues; l++) {
    const bool lost = (l == 0 || l >= o->cfg.num_streams) && o->queued[l] && o->waiting[find_first(o, l)].failed;
    const bool may = o->queued[l] && !lost && !(l < o->cfg.num_streams && o->running[l]);
    o->waited[l] = may && in->regs_config.policy == HD_POLICY_RR ? o->waited[l] + 1 : 0;
    if (o->waited[l] > PATIENCE) return "a kernel that may run is not offered";
    any |= may;
  }
  o->nothing = any && !out->head.valid && !out->lost.valid ? o->nothing + 1 : 0;
  return o->nothing > PATIENCE ? "kernels may run, and none is offered" : NULL;
}

/* Returns true if a place in memory is certainly free. Up to two kernels are on their way there, one of which may hold
 * its place already; a returned kernel may still hold its place. */
static bool place_is_left(const struct oracle *o, const struct hd_pool_in *in) {
  return places(o, in) > o->in_memory + 4 || places(o, in) > o->n + 2;
}

/* Returns true if a row is certainly free for a kernel of the stream. Requires that no region is configured, and that
 * the last pushed kernel has its row. */
static bool row_is_left(const struct oracle *o, unsigned stream) {
  unsigned reserve = o->cfg.pool_reserve;
  bool runnable = stream == 0 || (!o->queued[stream] && !o->running[stream]);
  return o->n + (runnable ? 0 : reserve) < o->cfg.pool_depth;
}

static const char *watch_room(const struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  bool place = place_is_left(o, in), rows = !places(o, in) && o->since_push > SETTLED;
  if (out->room.full && (place || (rows && o->n < o->cfg.pool_depth)))
    return "room is not reported though a place is free";
  for (unsigned s = 0; s < o->cfg.num_streams; s++)
    if (!out->stream_ok[s] && (place || (rows && row_is_left(o, s))))
      return "room for a stream is not reported though a place is free";
  return NULL;
}

const char *hd_pool_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_;
  (void)cycle;
  hd_pool_back_see(o, in->regs_config.policy);
  const unsigned best = in->regs_config.policy == HD_POLICY_RR ? 0 : best_level(o);
  const char *rule = watch_room(o, in, out);
  if (!rule) rule = watch_offers(o, in, out);
  if (!rule) rule = watch_answers(o, in, out);
  if (!rule && out->mem.valid) rule = watch_request(o, in, out);
  if (!rule) rule = watch_turns(o, in, out);
  if (rule) return rule;
  hd_pool_turns_end(&o->turns);
  o->best[1] = o->best[0];
  o->best[0] = (uint8_t)best;
  o->since_push++;
  if (in->kin_stream_done.valid) o->running[in->kin_stream_done.stream] = 0;
  if (!in->devq_push.valid) return NULL;
  if (o->n == HD_POOL_WAITING) return "more kernels wait than places exist";
  const unsigned line = line_of(o, in);
  o->waiting[o->n++] = (struct pool_waits){.k = in->devq_push.kernel,
                                           .number = o->pushed++,
                                           .line = (uint16_t)line,
                                           .rank = (uint8_t)rank(o, in->devq_push.kernel.level)};
  o->queued[line]++;
  o->since_push = 0;
  return NULL;
}
