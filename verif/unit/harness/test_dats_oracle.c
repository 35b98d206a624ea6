/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle of dats: reports no rule for the golden model in its random environment, and reports one when in one cycle
 * an output is changed without the model's knowledge, or an input, as if the model had ignored it. */
#include "gen/hd_dats_ports.h"
#include "oracle/dats_oracle.h"
#include "unit/harness/oracle_fixture.h"

#define BREACH(name, if_, then)                                  \
  static bool name(const void *in_, void *out_) {                \
    struct hd_dats_in *in = (struct hd_dats_in *)(uintptr_t)in_; \
    struct hd_dats_out *out = out_;                              \
    (void)in, (void)out;                                         \
    if (!(if_)) return false;                                    \
    then;                                                        \
    return true;                                                 \
  }

/* ---- the descriptor ---- */

static struct hd_memreq asked;
static struct hd_dgbstart started;

static bool keep(const struct hd_dats_out *out) {
  if (out->mem.valid) asked = out->mem.req;
  if (out->start_valid) started = out->start;
  return true;
}

BREACH(writes, true, out->mem.wbeat.strb = 1)
BREACH(shows_request, !out->mem.valid, out->mem.req.len = 2)
BREACH(other_place, out->mem.valid, out->mem.req.addr += 64)
BREACH(fewer_beats, out->mem.valid, out->mem.req.len = 1)
BREACH(write_request, out->mem.valid, out->mem.req.write = 1)
BREACH(twice, keep(out) && out->busy && !out->mem.valid && asked.len, out->mem.valid = 1; out->mem.req = asked)
BREACH(without_kernel, !out->busy, out->mem.valid = 1; out->mem.req.len = 2)

static bool stood;
BREACH(taken_back, stood && out->mem.valid ? true : (stood = out->mem.valid && !in->mem.ready, false),
       out->mem.valid = 0;
       memset(&out->mem.req, 0, sizeof out->mem.req))

TEST(asks) {
  silent("dats");
  names("dats", "dats writes to memory", writes);
  names("dats", "req is not 0 while no request is offered", shows_request);
  names("dats", "a burst is requested that is not the descriptor", other_place);
  names("dats", "a burst is requested that is not the descriptor", fewer_beats);
  names("dats", "a burst is requested that is not the descriptor", write_request);
  names("dats", "a descriptor is requested twice", twice);
  names("dats", "a descriptor is requested without a kernel", without_kernel);
  stood = false;
  names("dats", "a request is withdrawn", taken_back);
}

BREACH(shows_start, !out->start_valid, out->start.bound = 1)
BREACH(other_nodes, out->start_valid, out->start.nodes ^= 128)
BREACH(other_edges, out->start_valid, out->start.edges ^= 128)
BREACH(other_ids, out->start_valid, out->start.ids ^= 128)
BREACH(other_early, out->start_valid, out->start.early ^= 128)
BREACH(other_count, out->start_valid, out->start.node_count++)
BREACH(other_edge_count, out->start_valid, out->start.edge_count++)
BREACH(other_policy, out->start_valid, out->start.policy ^= 1)
BREACH(other_bound, out->start_valid, out->start.bound ^= 1)
BREACH(start_twice, keep(out) && out->run.valid, out->start_valid = 1; out->start = started)
BREACH(start_early, keep(out) && out->mem.valid, out->start_valid = 1; out->start = started)
BREACH(start_of_none, keep(out) && !out->busy, out->start_valid = 1; out->start = started)
BREACH(start_of_wrong, keep(out) && out->over.valid && out->over.result.code == HD_GCODE_GRAPH, out->over.valid = 0;
       out->over.kdei = 0; memset(&out->over, 0, sizeof out->over); out->start_valid = 1; out->start = started)

static bool start_stood;
BREACH(start_taken_back,
       start_stood && out->start_valid ? true : (start_stood = out->start_valid && !in->dgb_start_ready, false),
       out->start_valid = 0;
       memset(&out->start, 0, sizeof out->start))

/* As if the memory had returned other data than the model has seen. */
BREACH(memory_error, in->mem.r_valid && !in->mem.r.error, in->mem.r.error = 1)

TEST(starts) {
  breach *const changed[] = {other_nodes, other_edges,      other_ids,    other_early,
                             other_count, other_edge_count, other_policy, other_bound};
  names("dats", "start is not 0 while no graph is started", shows_start);
  for (unsigned k = 0; k < sizeof changed / sizeof *changed; k++)
    names("dats", "a graph is started with other values than its descriptor", changed[k]);
  names("dats", "a graph is started twice", start_twice);
  names("dats", "a graph is started before its descriptor has arrived", start_early);
  names("dats", "a graph is started without a kernel", start_of_none);
  names("dats", "a graph is started whose descriptor is invalid", start_of_wrong);
  start_stood = false;
  names("dats", "a start is withdrawn", start_taken_back);
  names("dats", "a graph is started whose descriptor is invalid", memory_error);
}

/* ---- TBs ---- */

BREACH(lost, out->tb.valid, out->tb.valid = 0)
BREACH(from_nowhere, !out->tb.valid && out->busy, out->tb.valid = 1)
BREACH(shows_tb, !out->tb.valid, out->tb.cta = 1)
BREACH(shows_need, !out->run.valid, out->run.need.regs = 1)
BREACH(other_need, out->run.valid, out->run.need.smem ^= 1)
BREACH(other_index, out->tb.valid, out->tb.index ^= 1)
BREACH(other_cta, out->tb.valid, out->tb.cta ^= 0x10000)
BREACH(wants_any, !out->tb.wants, out->tb.wants = 1)
BREACH(wants_none, out->tb.wants, out->tb.wants = 0; out->tb.smx = 0)
BREACH(wants_other, out->tb.wants, out->tb.smx ^= 1)
BREACH(not_taken, out->node_ready, out->node_ready = 0)
BREACH(taken_twice, !out->node_ready, out->node_ready = 1)
BREACH(elsewhere, out->node_ready, out->node_smx ^= 1)
BREACH(not_told, out->run.valid, out->run.valid = 0; out->run.kdei = 0)
BREACH(told_other, out->run.valid, out->run.kdei ^= 1)
BREACH(told_idle, !out->run.valid, out->run.valid = 1)

TEST(tbs) {
  names("dats", "a node is not forwarded as a TB", lost);
  names("dats", "a TB is offered without a node", from_nowhere);
  names("dats", "graph_index or graph_cta is not 0 while no TB is offered", shows_tb);
  names("dats", "run_need is not the need of the kernel", shows_need);
  names("dats", "run_need is not the need of the kernel", other_need);
  names("dats", "a node is forwarded changed", other_index);
  names("dats", "a node is forwarded changed", other_cta);
  names("dats", "a TB requests an SMX that its node does not request", wants_any);
  names("dats", "a TB does not request the SMX of its node", wants_none);
  names("dats", "a TB requests another SMX than its node", wants_other);
  names("dats", "a node is granted without its TB, or a TB without its node", not_taken);
  names("dats", "a node is granted without its TB, or a TB without its node", taken_twice);
  names("dats", "a node is granted to another SMX than its TB", elsewhere);
  names("dats", "run_valid or run_kdei does not show the kernel whose graph runs", not_told);
  names("dats", "run_valid or run_kdei does not show the kernel whose graph runs", told_other);
  names("dats", "run_valid or run_kdei does not show the kernel whose graph runs", told_idle);
}

/* ---- ends, ages ---- */

BREACH(end_waits, out->finish_ready, out->finish_ready = 0)
BREACH(end_of_none, !out->finish_ready, out->finish_ready = 1)
BREACH(shows_end, !out->over.valid, out->over.result.vid = 1)
BREACH(end_idle, !out->busy, out->over.valid = 1)
BREACH(end_early, out->run.valid && !in->dgb_finish_valid, out->over.valid = 1)
BREACH(end_unread, out->mem.valid, out->over.valid = 1)
BREACH(end_other_kernel, out->over.valid, out->over.kdei ^= 1)
BREACH(end_other_code, out->over.valid, out->over.result.code ^= 1)
BREACH(end_other_vid, out->over.valid, out->over.result.vid ^= 1)
BREACH(end_lost, out->over.valid, out->over.valid = 0; out->over.kdei = 0; memset(&out->over, 0, sizeof out->over))
BREACH(not_busy, out->busy, out->busy = 0)
BREACH(busy, !out->busy, out->busy = 1)
BREACH(entered, out->over.valid, in->kd_entry.valid = in->kmu_offer.kernel.graph = 1)
BREACH(not_older, out->older[0], out->older[0] = 0)
BREACH(older, out->busy && !out->older[1], out->older[1] = 1)
BREACH(older_than_none, !out->busy, out->older[0] = 1)
BREACH(rotate_missed, out->older[0] && in->fcfs_marked[0] && !in->sched_give_way && out->run.valid,
       in->sched_give_way = 1;
       in->sched_sscr.kdei = 0)

TEST(ends) {
  names("dats", "the end of a graph is not accepted", end_waits);
  names("dats", "finish_ready is set while no graph runs", end_of_none);
  names("dats", "over is not 0 while no end is reported", shows_end);
  names("dats", "an end is reported without a kernel", end_idle);
  names("dats", "an end is reported while the graph runs", end_early);
  names("dats", "an end is reported of a graph that can be started", end_unread);
  names("dats", "an end is reported of another kernel", end_other_kernel);
  names("dats", "an end is reported with another code or VID", end_other_code);
  names("dats", "an end is reported with another code or VID", end_other_vid);
  names("dats", "busy does not show whether a graph kernel is in the KD", end_lost); /* in the cycle behind it */
  names("dats", "busy does not show whether a graph kernel is in the KD", not_busy);
  names("dats", "busy does not show whether a graph kernel is in the KD", busy);
  names("dats", "a graph kernel enters while another one is in the KD", entered);
}

TEST(ages) {
  names("dats", "an older kernel is not reported as older", not_older);
  names("dats", "a kernel is reported as older that is not", older);
  names("dats", "a kernel is reported as older that is not", older_than_none);
  names("dats", "a kernel is reported as older that is not", rotate_missed);
}

/* ---- missing actions: the test plays the block ---- */

static struct hd_dats_in in;
static struct hd_dats_out out;
static void *oracle;

/* One cycle of a busy block. */
static void step(void) {
  out.busy = 1;
  const char *rule = hd_dats_oracle_watch(oracle, 0, &in, &out);
  if (rule) fail_msg("the oracle names '%s'", rule);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
}

static void never(const char *want) {
  const char *rule = NULL;
  out.busy = 1;
  for (unsigned t = 0; t < 20 && !rule; t++) rule = hd_dats_oracle_watch(oracle, 0, &in, &out);
  if (!rule || strcmp(rule, want) != 0)
    fail_msg("the oracle should name '%s', and names '%s'", want, rule ? rule : "none");
}

/* A kernel of one TB enters, and its descriptor is requested and delivered; the buffer runs it. The last step is
   omitted. */
static void episode(unsigned steps, bool right) {
  hd_dats_oracle_init(oracle, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  in.kd_entry.valid = in.kmu_offer.kernel.graph = 1;
  in.kmu_offer.kernel.ctas = 1;
  if (hd_dats_oracle_watch(oracle, 0, &in, &out)) fail();
  in.kd_entry.valid = 0;
  if (steps < 1) return;
  out.mem.valid = in.mem.ready = 1;
  out.mem.req.len = 2;
  step();
  for (unsigned beat = 0; beat < 3; beat++) {
    in.mem.r_valid = 1;
    in.mem.r.last = beat == 2;
    in.mem.r.lo = beat == 2 && right;
    step();
  }
  if (steps < 2) return;
  out.start_valid = in.dgb_start_ready = 1;
  out.start.node_count = 1;
  step();
  in.dgb_finish_valid = out.finish_ready = out.run.valid = 1;
  step();
}

TEST(never_comes) {
  cfg = ut_cfg("tiny");
  oracle = zeroed(hd_dats_oracle_size(&cfg));
  episode(0, true);
  never("a descriptor is not requested");
  episode(1, true);
  never("a graph is not started though its descriptor is valid");
  episode(1, false);
  never("an end is not reported");
  episode(2, true);
  never("an end is not reported");
  free(oracle);
}

TEST_MAIN("dats_oracle", NULL, NULL)
