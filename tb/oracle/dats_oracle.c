/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/dats_oracle.h"

#include "env/common/memory.h"
#include "gen/hd_dats_ports.h"

/* PATIENCE: cycles within which the next action follows. */
enum { PATIENCE = 8, BEATS = 3, ALIGN = 128, PLACE = 64 };

struct oracle {
  struct hd_cfg cfg;
  uint64_t now;
  /* The kernel with a graph. */
  uint64_t entered; /* cycle of its entry */
  uint64_t at;
  uint32_t ctas, waits;
  struct hd_need need;
  uint8_t here, kdei;
  uint8_t asked, beats, error;         /* the request was accepted; beats received; one of them had an error */
  uint8_t started, ended;              /* the DGB accepted the graph; it reported the end */
  uint8_t request_holds, start_stands; /* the offer of the cycle before was not accepted */
  struct hd_dgbend end;
  uint8_t bytes[16 * BEATS];
  uint64_t moved[HD_MAX_NUM_KDE]; /* 1 + the last cycle in which an entry was not marked, or rotated */
};

HD_BLOCK_ORACLE_STATE(dats)

static bool all_zero(const void *p, size_t n) {
  const uint8_t *b = p;
  while (n && !*b) b++, n--;
  return !n;
}

/* ---- the descriptor ---- */

static uint64_t field(const struct oracle *o, unsigned at, unsigned n) {
  return hd_memory_get(o->bytes + at, n);
}

static bool reported(const struct oracle *o) {
  return o->beats == BEATS;
}

/* Returns true if the descriptor is valid for this kernel and was read without error. */
static bool is_right(const struct oracle *o) {
  const uint64_t most = UINT64_C(0x100000000) - 8;
  for (unsigned at = 0; at < 32; at += 8)
    if (field(o, at, 8) % ALIGN || field(o, at, 8) > hd_memory_mask(&o->cfg)) return false;
  if (field(o, 32, 2) != o->ctas || field(o, 36, 1) > HD_GPOLICY_LVL_BIND) return false;
  return !field(o, 37, 3) && field(o, 40, 4) <= most && !field(o, 44, 4) && !o->error;
}

static const char *watch_requests(struct oracle *o, const struct hd_dats_in *in, const struct hd_dats_out *out) {
  if (!all_zero(&out->mem.wbeat, sizeof out->mem.wbeat)) return "dats writes to memory";
  if (!out->mem.valid) {
    if (!all_zero(&out->mem.req, sizeof out->mem.req)) return "req is not 0 while no request is offered";
    return o->request_holds ? "a request is withdrawn" : NULL;
  }
  if (!o->here) return "a descriptor is requested without a kernel";
  if (o->asked) return "a descriptor is requested twice";
  if (out->mem.req.write || out->mem.req.addr != o->at * PLACE || out->mem.req.len != BEATS - 1)
    return "a burst is requested that is not the descriptor";
  o->asked = in->mem.ready;
  o->request_holds = !in->mem.ready;
  return NULL;
}

static bool same_start(const struct oracle *o, const struct hd_dgbstart *s) {
  if (s->nodes != field(o, 0, 8) || s->edges != field(o, 8, 8)) return false;
  if (s->ids != field(o, 16, 8) || s->early != field(o, 24, 8)) return false;
  if (s->node_count != field(o, 32, 2) || s->bound != field(o, 34, 2)) return false;
  return s->policy == field(o, 36, 1) && s->edge_count == field(o, 40, 4);
}

static const char *watch_start(struct oracle *o, const struct hd_dats_in *in, const struct hd_dats_out *out) {
  if (!out->start_valid) {
    if (!all_zero(&out->start, sizeof out->start)) return "start is not 0 while no graph is started";
    return o->start_stands ? "a start is withdrawn" : NULL;
  }
  if (!o->here) return "a graph is started without a kernel";
  if (o->started) return "a graph is started twice";
  if (!reported(o)) return "a graph is started before its descriptor has arrived";
  if (!is_right(o)) return "a graph is started whose descriptor is invalid";
  if (!same_start(o, &out->start)) return "a graph is started with other values than its descriptor";
  o->started = in->dgb_start_ready;
  o->start_stands = !in->dgb_start_ready;
  return NULL;
}

static const char *watch_beat(struct oracle *o, const struct hd_dats_in *in) {
  if (!in->mem.r_valid) return NULL;
  if (!o->asked || reported(o)) return "beats arrive without a read";
  hd_memory_put(o->bytes + 16 * o->beats, 8, in->mem.r.lo);
  hd_memory_put(o->bytes + 16 * o->beats + 8, 8, in->mem.r.hi);
  o->error |= in->mem.r.error;
  o->beats++;
  return NULL;
}

/* ---- TBs ---- */

static const char *watch_preferred(const struct oracle *o, const struct hd_dats_in *in, const struct hd_dats_out *out) {
  const bool known = in->dgb_wish.valid && in->dgb_wish.smx < o->cfg.num_smx;
  const bool wants = out->run.valid && known && field(o, 36, 1) == HD_GPOLICY_LVL_BIND;
  if (out->tb.wants && !wants) return "a TB requests an SMX that its node does not request";
  if (!out->tb.wants && wants) return "a TB does not request the SMX of its node";
  return out->tb.smx != (wants ? in->dgb_wish.smx : 0) ? "a TB requests another SMX than its node" : NULL;
}

static const char *watch_tb(const struct oracle *o, const struct hd_dats_in *in, const struct hd_dats_out *out) {
  if (out->tb.valid && !in->dgb_node_valid) return "a TB is offered without a node";
  if (!out->tb.valid && in->dgb_node_valid) return "a node is not forwarded as a TB";
  const uint32_t index = out->tb.valid ? in->dgb_node.index : 0, cta = out->tb.valid ? in->dgb_node.cta : 0;
  if (out->tb.index == index && out->tb.cta == cta) return watch_preferred(o, in, out);
  return out->tb.valid ? "a node is forwarded changed" : "graph_index or graph_cta is not 0 while no TB is offered";
}

/* runs: the DGB has the graph. */
static const char *watch_graph(struct oracle *o, bool runs, const struct hd_dats_in *in,
                               const struct hd_dats_out *out) {
  const struct hd_need none = {0}, *need = runs ? &o->need : &none;
  if (out->run.valid != runs || out->run.kdei != (runs ? o->kdei : 0))
    return "run_valid or run_kdei does not show the kernel whose graph runs";
  if (memcmp(&out->run.need, need, sizeof *need) != 0) return "run_need is not the need of the kernel";
  if (out->node_ready != in->sched_graph_take) return "a node is granted without its TB, or a TB without its node";
  if (in->sched_graph_take && out->node_smx != in->sched_grant.smx)
    return "a node is granted to another SMX than its TB";
  if (out->finish_ready != runs)
    return runs ? "the end of a graph is not accepted" : "finish_ready is set while no graph runs";
  const char *rule = watch_tb(o, in, out);
  if (rule || !runs || !in->dgb_finish_valid) return rule;
  o->ended = 1;
  o->end = in->dgb_finish;
  return NULL;
}

/* ---- the end ---- */

static const char *watch_over(struct oracle *o, const struct hd_dats_out *out) {
  if (!out->over.valid) {
    const bool shows = out->over.kdei || !all_zero(&out->over, sizeof out->over);
    return shows ? "over is not 0 while no end is reported" : NULL;
  }
  if (!o->here) return "an end is reported without a kernel";
  if (o->started && !o->ended) return "an end is reported while the graph runs";
  if (!o->started && !(reported(o) && !is_right(o))) return "an end is reported of a graph that can be started";
  const unsigned code = o->started ? o->end.code : o->error ? HD_GCODE_MEMORY : HD_GCODE_GRAPH;
  if (out->over.kdei != o->kdei) return "an end is reported of another kernel";
  if (out->over.result.code != code || out->over.result.vid != (o->started ? o->end.vid : 0))
    return "an end is reported with another code or VID";
  o->here = 0;
  return NULL;
}

/* The next action follows soon: `waits` counts the cycles in which it is due and does not. */
static const char *watch_patience(struct oracle *o, const struct hd_dats_out *out) {
  const bool ask = o->here && !o->asked, start = reported(o) && is_right(o) && !o->started;
  const bool end = o->started ? o->ended : reported(o) && !start;
  const bool shows = out->mem.valid || out->start_valid;
  o->waits = o->here && !shows && (ask || start || end) ? o->waits + 1 : 0;
  if (o->waits <= PATIENCE) return NULL;
  if (ask) return "a descriptor is not requested";
  return start ? "a graph is not started though its descriptor is valid" : "an end is not reported";
}

/* ---- kernels ---- */

/* An entry is older than the graph if it has been marked, and not rotated, in all cycles since the graph kernel
 * entered. */
static const char *watch_ages(struct oracle *o, const struct hd_dats_in *in, const struct hd_dats_out *out) {
  for (unsigned k = 0; k < o->cfg.num_kde; k++) {
    const bool older = o->here && o->moved[k] <= o->entered;
    if (out->older[k] && !older) return "a kernel is reported as older that is not";
    if (!out->older[k] && older) return "an older kernel is not reported as older";
    if (!in->fcfs_marked[k] || (in->sched_give_way && in->sched_sscr.kdei == k)) o->moved[k] = o->now + 1;
  }
  return NULL;
}

static void enter(struct oracle *o, const struct hd_dats_in *in) {
  o->entered = o->now;
  o->here = 1;
  o->kdei = in->kd_entry.kdei;
  o->need = in->kmu_offer.kernel.need;
  o->ctas = in->kmu_offer.kernel.ctas;
  o->at = in->kmu_offer.kernel.desc.param / 64;
  o->asked = o->beats = o->error = o->started = o->ended = 0;
  o->waits = 0;
  memset(&o->end, 0, sizeof o->end);
}

const char *hd_dats_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_dats_in *in = in_;
  const struct hd_dats_out *out = out_;
  const bool runs = o->here && o->started && !o->ended;
  (void)cycle;
  const char *rule =
      out->busy != o->here ? "busy does not show whether a graph kernel is in the KD" : watch_ages(o, in, out);
  if (!rule) rule = watch_requests(o, in, out);
  if (!rule) rule = watch_start(o, in, out);
  if (!rule) rule = watch_graph(o, runs, in, out);
  if (!rule) rule = watch_over(o, out);
  if (!rule) rule = watch_patience(o, out);
  if (!rule) rule = watch_beat(o, in);
  if (!rule && in->kd_entry.valid && in->kmu_offer.kernel.graph) {
    if (out->busy) return "a graph kernel enters while another one is in the KD";
    enter(o, in);
  }
  o->now++;
  return rule;
}
