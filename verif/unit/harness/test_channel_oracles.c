/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracles of the channel blocks: report no rule for the golden models in their random environments, and report one
 * when an output is changed in one cycle without the model's knowledge. */
#include "channel/apu.h"
#include "gen/hd_agg_ports.h"
#include "gen/hd_apu_ports.h"
#include "gen/hd_chan_ports.h"
#include "gen/hd_dcount_ports.h"
#include "gen/hd_yrec_ports.h"
#include "unit/harness/oracle_fixture.h"

#define BREACH(name, block, if_, then)            \
  static bool name(const void *in_, void *out_) { \
    const struct hd_##block##_in *in = in_;       \
    struct hd_##block##_out *out = out_;          \
    (void)in;                                     \
    if (!(if_)) return false;                     \
    then;                                         \
    return true;                                  \
  }

static bool granted(const struct hd_chan_out *out) {
  return out->answer.kind == HD_CHOP_TALLOC && out->answer.code == HD_CHCODE_OK && memchr(out->answer_valid, 1, 3);
}

BREACH(base, chan, granted(out) && out->answer.base > 8, out->answer.base = (uint16_t)(out->answer.base - 4))
BREACH(slot, chan, granted(out), out->answer.slot ^= 1)
BREACH(silence, chan, out->answer_valid[0], out->answer_valid[0] = 0)
BREACH(early, chan, out->pub_valid, out->pub_count = 127)
BREACH(not_published, chan, out->pub_valid, out->pub_valid = 0)
BREACH(quiet_while, chan, !out->quiet, out->quiet = 1)
BREACH(not_quiet, chan, out->quiet, out->quiet = 0)
BREACH(entry, chan, in->mem.take && (out->mem.wbeat.strb & 3), out->mem.wbeat.lo ^= 1)
BREACH(refused, chan, granted(out), out->answer.code = HD_CHCODE_NO_ROOM; out->answer.base = 0)
BREACH(not_refused, chan, memchr(out->answer_valid, 1, 3) && out->answer.code == HD_CHCODE_BAD,
       out->answer.code = HD_CHCODE_OK)
BREACH(other_reason, chan, memchr(out->answer_valid, 1, 3) && out->answer.code == HD_CHCODE_NEVER,
       out->answer.code = HD_CHCODE_BAD)
BREACH(elsewhere, chan, granted(out) && !out->answer.base && !out->done_valid, out->answer.base = 4)
BREACH(no_skip, chan, out->done_valid && out->answer.kind == HD_CHOP_TALLOC, out->done_valid = 0)
BREACH(more_done, chan, out->done_valid, out->done.n++)
BREACH(done_of_none, chan, !out->done_valid && !memchr(out->answer_valid, 1, 3), out->done_valid = 1)
BREACH(not_live, chan, out->live_valid, out->live_valid = 0)
BREACH(live_of_none, chan, !out->live_valid && !memchr(out->answer_valid, 1, 3), out->live_valid = 1)
BREACH(more_live, chan, out->live_valid, out->live.n++)
BREACH(no_yield, chan, out->yield_valid, out->yield_valid = 0)
BREACH(other_yield, chan, out->yield_valid, out->yield.ctx ^= 1)
BREACH(fails, chan, !out->failed[0], out->failed[0] = 1)
BREACH(fails_not, chan, out->failed[0], out->failed[0] = 0)
BREACH(never_not, chan, out->never[0], out->never[0] = 0)

BREACH(moved, dcount, !out->freed_valid, out->head[0]++)
BREACH(too_far, dcount, out->freed_valid, out->head[out->freed_chan]++)
BREACH(untold, dcount, out->freed_valid, out->freed_valid = 0)
BREACH(failed, dcount, true, out->fail[0] ^= 1)
BREACH(not_failed, dcount, memchr(out->fail, 1, sizeof out->fail), memset(out->fail, 0, sizeof out->fail))
BREACH(elsewhere_requested, dcount, out->mem.valid && in->mem.ready, out->mem.req.addr ^= UINT64_C(1) << 30)

/* agg; its report fields are 0 in a cycle in which no wavefront goes. */
BREACH(twice, agg, out->go_valid && !out->go.restart, out->go.start ^= 1)
BREACH(more, agg, out->go_valid && !out->go.restart && out->go.count == 4, out->go.count = 5)
BREACH(other_slot, agg, out->go_valid, out->go.slot = 3)
BREACH(none_starts, agg, out->go_valid && !out->go.restart, out->go_valid = 0)
BREACH(other_kind, agg, out->go_valid && !out->go.restart, out->go.restart = 1)
BREACH(other_base, agg, out->go_valid && out->go.restart, out->go.base ^= 1)
BREACH(other_wait, agg, out->wait_valid, out->wait.n ^= 1)
BREACH(no_wait, agg, out->wait_valid, out->wait_valid = 0)
BREACH(two_ends, agg, in->end_valid[0] && in->end_valid[1] && !in->yield_valid,
       out->end_ready[0] = out->end_ready[1] = 1)
BREACH(not_busy, agg, out->back_busy[0], out->back_busy[0] = 0)

BREACH(not_bad, agg, out->bad, out->bad = 0)
BREACH(bad_of_none, agg, !out->bad, out->bad = 1)

BREACH(other_n, yrec, out->op_valid, out->op.n++)
BREACH(other_first, yrec, out->back_valid, out->back.ctx ^= 1)
BREACH(given_nothing, yrec, !out->back_valid && !in->answer_valid && !out->asking, out->back_valid = 1)
BREACH(not_requesting, yrec, out->asking && !out->op_valid, out->asking = 0)

/* apu: only at its outer ports; a lost element is detected when a later one proceeds. */
static bool first_granted(const struct hd_apu_out *out) {
  return out->answer_valid[0] && out->answer.kind == HD_CHOP_TALLOC && out->answer.code == HD_CHCODE_OK;
}

BREACH(apu_base, apu, first_granted(out) && out->answer.base >= 1, out->answer.base = (uint16_t)(out->answer.base - 1))
BREACH(apu_answer, apu, out->answer_valid[0], out->answer.kind ^= 1)
BREACH(apu_untaken, apu, !memchr(out->answer_valid, 1, 2) && !out->op_ready[1], out->answer_valid[1] = 1)
BREACH(apu_offset, apu, out->wvalid && in->wready && out->awid == 0 && (out->wstrb & 3), out->wdata[0] ^= 1)
BREACH(apu_twice, apu, out->go_valid && !out->go.restart, out->go.start ^= 1)
BREACH(apu_more, apu, out->go_valid && !out->go.restart && out->go.count == 1, out->go.count = 4)
BREACH(apu_lost, apu, out->go_valid && !out->go.restart, out->go_valid = 0)
BREACH(apu_slot, apu, out->go_valid, out->go.slot = 3)
BREACH(apu_ctx, apu, out->go_valid && out->go.restart, out->go.ctx ^= 1)
BREACH(apu_other, apu, out->go_valid && out->go.restart && out->go.base >= 1,
       out->go.base = (uint16_t)(out->go.base - 1))
BREACH(apu_bad, apu, true, out->bad = 1)

BREACH(apu_refused, apu, out->answer_valid[0] && out->answer.kind == HD_CHOP_ENQ && out->answer.code == HD_CHCODE_OK,
       out->answer.code = HD_CHCODE_BAD)
BREACH(apu_not_refused, apu, out->answer_valid[0] && out->answer.code == HD_CHCODE_NEVER,
       out->answer.code = HD_CHCODE_NO_ROOM)
BREACH(apu_fails, apu, !out->failed[0], out->failed[0] = 1)
BREACH(apu_fails_not, apu, out->failed[0], out->failed[0] = 0)
BREACH(apu_read, apu, out->arvalid && in->arready, out->araddr ^= UINT64_C(1) << 30)

TEST(test_chan) {
  silent("chan");
  names("chan", "a grant does not start at the tail", base);
  names("chan", "an answer to another operation", slot);
  names("chan", "an answer is missing, or is set without an operation", silence);
  names("chan", "elements are published that were not written to memory", early);
  names("chan", "elements written to memory are not published", not_published);
  names("chan", "quiet is set while elements are in flight, or clear while none are", quiet_while);
  names("chan", "quiet is set while elements are in flight, or clear while none are", not_quiet);
  names("chan", "an offset is written that differs from the enqueued one", entry);
  names("chan", "an operation is refused that must be executed", refused);
  names("chan", "an operation is executed that must be refused", not_refused);
  names("chan", "an operation is refused with a wrong code", other_reason);
  names("chan", "a grant does not start at the tail", elsewhere);
  names("chan", "done does not report a skip or tfree, or reports other elements", no_skip);
  names("chan", "done reports wrong elements", more_done);
  names("chan", "done is set without an operation", done_of_none);
  names("chan", "live does not follow an answer", not_live);
  names("chan", "live does not follow an answer", live_of_none);
  names("chan", "live reports wrong elements", more_live);
  names("chan", "yield does not follow an answer", no_yield);
  names("chan", "yield shows another wavefront than was answered", other_yield);
  names("chan", "failed does not follow an error", fails);
  names("chan", "failed does not follow an error", fails_not);
  names("chan", "never does not follow an answer", never_not);
}

TEST(test_dcount) {
  silent("dcount");
  names("dcount", "a head moves without being reported, or is reported", moved);
  names("dcount", "a head moves by more than one grain", too_far);
  names("dcount", "a head moves without being reported, or is reported", untold);
  names("dcount", "fail is missing after an error", failed);
  names("dcount", "a burst outside the done counts", elsewhere_requested);
}

TEST(test_agg) {
  silent("agg");
  names("agg", "control places are dispatched out of order, or twice", twice);
  names("agg", "a wavefront has no elements, or more than its lanes", more);
  names("agg", "a wavefront is dispatched to an occupied slot", other_slot);
  names("agg", "a wavefront could be dispatched and is not", none_starts);
  names("agg", "a wavefront is not of the deepest level, or new work goes before a restart", other_kind);
  names("agg", "a wavefront restarts with other data than was granted", other_base);
  names("agg", "wait shows another wavefront than the one that yielded", other_wait);
  names("agg", "wait does not follow a yield, or is set without one", no_wait);
  names("agg", "two ends in one cycle", two_ends);
  names("agg", "a restart is lost", not_busy);
  names("agg", "bad does not follow an end", not_bad);
  names("agg", "bad does not follow an end", bad_of_none);
}

TEST(test_yrec) {
  silent("yrec");
  names("yrec", "the request is not that of the first wavefront of the list", other_n);
  names("yrec", "a wavefront restarts that is not the first of its list", other_first);
  names("yrec", "a wavefront restarts without a grant", given_nothing);
  names("yrec", "there may be room, but asking is not set", not_requesting);
}

TEST(test_apu) {
  silent("apu");
  names("apu", "elements are granted that are not free", apu_base);
  names("apu", "an answer to another operation", apu_answer);
  names("apu", "an answer is missing, or is set without an operation", apu_untaken);
  names("apu", "an offset is written that differs from the enqueued one", apu_offset);
  names("apu", "elements are dispatched twice, or skipped", apu_twice);
  names("apu", "an element is dispatched before it is published", apu_more);
  names("apu", "elements are dispatched twice, or skipped", apu_lost);
  names("apu", "a wavefront is dispatched to an occupied slot", apu_slot);
  names("apu", "a wavefront resumes that did not yield", apu_ctx);
  names("apu", "elements are granted that are not free", apu_other);
  names("apu", "bad is set without an end or yield of a free slot", apu_bad);
  names("apu", "an operation is refused that must be executed", apu_refused);
  names("apu", "an operation is not refused, or with a wrong code", apu_not_refused);
  names("apu", "a channel fails without an error of its arrays", apu_fails);
  names("apu", "a channel does not fail though its arrays had an error", apu_fails_not);
  names("apu", "a read outside the done counts", apu_read);
}

/* The model misjudges a condition in every cycle. */
typedef void spoil(void *model);

static const char *spoiled(const char *block, uint64_t seed, spoil *change) {
  struct run r;
  const char *rule = NULL;
  begin(&r, block, seed);
  for (unsigned t = 0; t < 20000 && !rule; t++) {
    change(r.model);
    r.driver->eval(r.model, r.in, r.now);
    r.driver->drive(r.stim, &r.rng, &profile, r.out, r.now, r.in);
    r.driver->eval(r.model, r.in, r.out);
    r.driver->tick(r.model, r.in);
    rule = r.driver->watch(r.oracle, t, r.in, r.out);
  }
  end(&r);
  return rule;
}

static void names_spoiled(const char *block, const char *want, spoil *change) {
  const char *rule = NULL;
  for (uint64_t seed = 1; seed <= 20 && !rule; seed++) rule = spoiled(block, seed, change);
  if (!rule || strncmp(rule, want, strlen(want)) != 0)
    fail_msg("%s: the oracle should name %s, and names '%s'", block, want, rule ? rule : "none");
}

static void alone_always(void *model) {
  struct hd_apu *m = model;
  for (unsigned c = 0; c < cfg.num_chan; c++) m->agg.chan[c].alone = 1;
}

static void alone_never(void *model) {
  struct hd_apu *m = model;
  for (unsigned c = 0; c < cfg.num_chan; c++) m->agg.chan[c].alone = 0;
}

/* .. only while no wavefront runs at all. */
static void alone_when_idle(void *model) {
  struct hd_apu *m = model;
  if (memchr(m->agg.slot, 1, sizeof m->agg.slot)) alone_never(model);
}

/* .. as soon as the channels before it are empty, although a waiting wavefront may be granted room. */
static void alone_though_asked(void *model) {
  struct hd_apu *m = model;
  bool adds = false;
  for (unsigned c = 0; c < cfg.num_chan; c++) {
    struct hd_agg_chan *h = &m->agg.chan[c];
    if (!adds && !h->coming) h->alone = 1;
    adds |= h->active || h->ready || h->coming;
  }
}

/* A partial wavefront goes neither too early nor too late. */
TEST(test_apu_partial) {
  names_spoiled("apu", "a wavefront is partial while", alone_always);
  names_spoiled("apu", "a wavefront is partial while a producer of its channel is granted room", alone_though_asked);
  names_spoiled("apu", "a wavefront is held back", alone_never);
  names_spoiled("apu", "a wavefront is held back", alone_when_idle);
}

/* With errors of the memory. */
TEST(test_errors) {
  profile.bad = 60;
  silent("chan");
  names("chan", "failed does not follow an error", fails_not);
  silent("dcount");
  names("dcount", "fail is missing after an error", not_failed);
  profile.bad = 10;
}

/* A head that enters another beat does not check it. */
static void no_look(void *model) {
  struct hd_dcount *m = model;
  memset(m->look, 0, sizeof m->look);
}

TEST(test_dcount_heads) {
  names_spoiled("dcount", "a head does not move although", no_look);
}

/* The first channel goes, regardless of the pointer. */
static void first_goes(void *model) {
  struct hd_agg *m = model;
  m->chan_ptr = 0;
}

TEST(test_agg_turns) {
  names_spoiled("agg", "a ready channel waits for two wavefronts of another one of its level", first_goes);
}

/* Channel 0 is skipped as long as another list exists, or its CU has a restart. */
static void others_first(void *model) {
  struct hd_yrec *m = model;
  const bool busy = m->list[0].listed && m->busy[m->rec[m->list[0].first].cu];
  bool others = busy || m->ask;
  for (unsigned c = 1; c < cfg.num_chan; c++) others |= m->list[c].listed && m->list[c].hope && !m->list[c].held;
  m->list[0].held = others;
}

/* Lists whose first wavefront is of a CU with a restart are tried again and again. */
static void never_held(void *model) {
  struct hd_yrec *m = model;
  for (unsigned c = 0; c < cfg.num_chan; c++) m->list[c].held = 0;
}

TEST(test_yrec_turns) {
  names_spoiled("yrec", "asking is set, but no wavefront may be granted room", never_held);
  names_spoiled("yrec", "a wavefront that may restart is not requested", others_first);
}

TEST_MAIN("channel_oracles", NULL, NULL)
