/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/warp_oracle.h"

#include "gen/hd_warp_ports.h"

enum { SCHEDS = 2, PASS = 32, WARPS = HD_MAX_WARPS_PER_SMX };

/* Sort key of a warp under lwf; all 0 in the first pass. */
struct key {
  uint64_t born; /* cycle in which its TB was assigned */
  uint32_t stalls;
  uint8_t valid;
};

struct oracle {
  struct hd_cfg cfg;
  uint64_t now;
  struct hd_warp_in was; /* the cycle before */
  uint64_t born[HD_MAX_CTAS_PER_SMX];
  uint32_t stalls[WARPS], waited[WARPS];
  struct key used[WARPS], sampled[WARPS]; /* keys of the previous pass, and of this one */
  int last[SCHEDS];                       /* last warp that issued */
  uint8_t held[SCHEDS];
};

HD_BLOCK_ORACLE_STATE(warp)

/* ---- warps in the cycle before ---- */

static bool was_ready(const struct oracle *o, unsigned w) {
  return w < o->cfg.warps_per_smx && o->was.warp_valid[w] && o->was.warp_ready[w];
}

static bool starved(const struct oracle *o, unsigned w) {
  return o->was.policy == HD_WPOLICY_LWF && was_ready(o, w) && o->waited[w] == o->cfg.warp_wait;
}

static bool any(const struct oracle *o, unsigned p, bool (*is)(const struct oracle *, unsigned)) {
  for (unsigned w = p; w < o->cfg.warps_per_smx; w += SCHEDS)
    if (is(o, w)) return true;
  return false;
}

static bool was_valid(const struct oracle *o, unsigned w) {
  return o->was.warp_valid[w];
}

/* ---- order of warps ---- */

/* Returns the distance from the last warp to this one in the round robin. */
static unsigned steps(const struct oracle *o, unsigned p, unsigned w) {
  const unsigned n = o->cfg.warps_per_sched;
  return (w / SCHEDS + 2 * n - (unsigned)o->last[p] / SCHEDS - 1) % n;
}

static bool older(const struct oracle *o, unsigned a, unsigned b) {
  const uint64_t born_a = o->born[o->was.warp_slot[a]], born_b = o->born[o->was.warp_slot[b]];
  return born_a != born_b ? born_a < born_b : a < b;
}

static bool listed_before(const struct oracle *o, unsigned a, unsigned b) {
  const struct key *x = &o->used[a], *y = &o->used[b];
  if (starved(o, a) != starved(o, b)) return starved(o, a);
  if (x->valid != y->valid) return x->valid;
  if (x->born != y->born) return x->born < y->born;
  return x->stalls != y->stalls ? x->stalls > y->stalls : a < b;
}

/* Returns true if a goes before b. */
static bool before(const struct oracle *o, unsigned p, unsigned a, unsigned b) {
  const unsigned policy = o->was.policy;
  const bool greedy = policy != HD_WPOLICY_RR && o->held[p];
  if (policy == HD_WPOLICY_LWF) return listed_before(o, a, b);
  if (greedy && (int)a == o->last[p]) return true;
  if (greedy && (int)b == o->last[p]) return false;
  return policy == HD_WPOLICY_GTO ? older(o, a, b) : steps(o, p, a) < steps(o, p, b);
}

static const char *watch_first(const struct oracle *o, unsigned p, unsigned warp) {
  static const char *const rules[] = {"rr: the warp that issues is not the next in round robin",
                                      "grr: the warp that issues is neither the last nor the next in round robin",
                                      "gto: the warp that issues is neither the last nor the oldest",
                                      "lwf: the warp that issues is not the first of the list"};
  for (unsigned w = p; w < o->cfg.warps_per_smx; w += SCHEDS)
    if (w != warp && was_ready(o, w) && before(o, p, w, warp)) return rules[o->was.policy];
  return NULL;
}

static const char *watch_issue(const struct oracle *o, const struct hd_warp_out *out, unsigned p) {
  const unsigned warp = out->issue_warp[p];
  const bool ready = any(o, p, was_ready);
  if (out->stalled[p] != (!ready && any(o, p, was_valid))) return "stalled does not show whether the scheduler stalls";
  if (out->starved[p] != any(o, p, starved)) return "starved does not show whether a warp had waited WarpWait cycles";
  if (!out->issue_valid[p])
    return ready ? "no warp issues though one is ready" : warp ? "issue_warp is not 0 while no warp issues" : NULL;
  if (warp % SCHEDS != p) return "a warp issues on the other scheduler";
  if (!was_ready(o, warp)) return "a warp issues that was not ready";
  return watch_first(o, p, warp);
}

/* ---- state after the cycle ---- */

static void follow_issue(struct oracle *o, const struct hd_warp_out *out, unsigned p) {
  for (unsigned w = p; w < o->cfg.warps_per_smx; w += SCHEDS) {
    const bool issues = out->issue_valid[p] && out->issue_warp[p] == w;
    if (issues || !o->was.warp_valid[w]) o->waited[w] = 0;
    if (was_ready(o, w) && !issues && o->waited[w] < o->cfg.warp_wait) o->waited[w]++;
  }
  const unsigned last = (unsigned)o->last[p];
  if (out->issue_valid[p]) o->last[p] = out->issue_warp[p];
  o->held[p] = out->issue_valid[p] || (o->held[p] && o->was.warp_valid[last]);
}

static bool stalls(const struct oracle *o, unsigned w) {
  return o->was.warp_valid[w] && (o->was.stall_control[w] || o->was.stall_raw[w] || o->was.stall_pipe[w]);
}

static void follow_stalls(struct oracle *o) {
  bool full[1u << 8] = {false}; /* by slot; 8 bits, since an invalid warp may name any slot */
  for (unsigned w = 0; w < o->cfg.warps_per_smx; w++) {
    o->stalls[w] = o->was.warp_valid[w] ? o->stalls[w] + stalls(o, w) : 0;
    if (o->stalls[w] >> o->cfg.stall_w) full[o->was.warp_slot[w]] = true;
  }
  for (unsigned w = 0; w < o->cfg.warps_per_smx; w++)
    if (full[o->was.warp_slot[w]]) o->stalls[w] /= 2;
}

/* Samples the keys in this cycle. With one_list all TBs have the same age. */
static void sample(struct oracle *o, const struct hd_warp_in *in) {
  memcpy(o->used, o->sampled, sizeof o->used);
  memset(o->sampled, 0, sizeof o->sampled);
  for (unsigned w = 0; w < o->cfg.warps_per_smx; w++) {
    if (!in->warp_valid[w]) continue;
    o->sampled[w].valid = 1;
    o->sampled[w].stalls = o->stalls[w];
    if (!in->one_list) o->sampled[w].born = o->born[in->warp_slot[w]];
  }
}

static void begin(struct oracle *o) {
  for (unsigned k = 0; k < o->cfg.ctas_per_smx; k++) o->born[k] = k;
  for (unsigned p = 0; p < SCHEDS; p++) o->last[p] = (int)(SCHEDS * (o->cfg.warps_per_sched - 1) + p);
}

const char *hd_warp_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_warp_in *in = in_;
  const struct hd_warp_out *out = out_;
  const char *rule = NULL;
  (void)cycle;
  if (!o->now) begin(o);
  for (unsigned p = 0; p < SCHEDS && !rule; p++) rule = watch_issue(o, out, p);
  for (unsigned p = 0; p < SCHEDS; p++) follow_issue(o, out, p);
  follow_stalls(o);
  if (o->was.assign_valid) o->born[o->was.assign_slot] = HD_MAX_CTAS_PER_SMX + o->now;
  if (o->now % PASS == 0) sample(o, in);
  o->was = *in;
  o->now++;
  return rule;
}
