/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle of dgb: reports no rule for the golden model in its random environment, and reports one when an output is
 * changed without the model's knowledge. */
#include "engine/block_driver.h"
#include "graph/dgb.h"
#include "unit/util.h"

/* Changes the outputs if this cycle offers an opportunity. `before` are those of the previous cycle. */
typedef bool breach(struct hd_dgb_in *in, const struct hd_dgb_out *before, struct hd_dgb_out *out);

/* Changes the model's state if possible. */
typedef bool damage(struct hd_dgb *m);

enum { CYCLES = 60000, QUIET = 300, SEEDS = 24 };

struct run {
  struct hd_rng rng;
  void *model, *stim, *oracle;
  struct hd_dgb_in in;
  struct hd_dgb_out out, now, before, shown;
};

static struct hd_profile profile = {"busy", 200, 200, 40};
static const struct hd_block_driver *driver;
static struct hd_cfg cfg;

static void *zeroed(size_t size) {
  void *p = calloc(1, size);
  assert_non_null(p);
  return p;
}

static void begin(struct run *r, uint64_t seed) {
  memset(r, 0, sizeof *r);
  r->rng.s = seed;
  r->model = zeroed(driver->size(&cfg));
  r->stim = zeroed(driver->stim_size);
  r->oracle = zeroed(driver->oracle_size(&cfg));
  driver->init(r->model, &cfg);
  driver->stim_init(r->stim, &cfg, &r->rng);
  driver->stim_reset(r->stim);
  driver->oracle_init(r->oracle, &cfg);
}

/* Returns the first rule that the oracle reports. From cycle QUIET on `b` may change outputs, until it has (always:
 * forever). The model and its environment are unaware of the change, and do not play the effects of a changed request
 * or offer. */
static const char *watch(uint64_t seed, breach *b, damage *d) {
  static struct run r;
  const char *rule = NULL;
  begin(&r, seed);
  for (unsigned t = 0; t < CYCLES && !rule; t++) {
    if (d && t > QUIET && d(r.model)) d = NULL;
    driver->eval(r.model, &r.in, &r.now);
    driver->drive(r.stim, &r.rng, &profile, &r.out, &r.now, &r.in);
    driver->eval(r.model, &r.in, &r.out);
    r.shown = r.out;
    if (b && t > QUIET && b(&r.in, &r.before, &r.shown)) b = NULL;
    r.before = r.out;
    rule = driver->watch(r.oracle, t, &r.in, &r.shown);
    driver->tick(r.model, &r.in);
  }
  free(r.model);
  free(r.stim);
  free(r.oracle);
  return rule;
}

static void setup_as(const char *config) {
  cfg = ut_cfg(config);
  driver = hd_block_driver_find("dgb");
  assert_non_null(driver);
}

TEST(silent) {
  static const char *const configs[] = {"tiny", "k20c"};
  for (unsigned k = 0; k < 2; k++)
    for (uint64_t seed = 1; seed <= 4; seed++) {
      setup_as(configs[k]);
      const char *rule = watch(seed, NULL, NULL);
      if (rule) fail_msg("%s: the oracle names '%s'", configs[k], rule);
    }
}

/* With one of several seeds: another rule may be broken first. */
static void names_of(const char *want, breach *b, damage *d) {
  const char *rule = NULL, *last = NULL;
  setup_as("tiny");
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    rule = watch(seed, b, d);
    if (rule && !strcmp(rule, want)) return;
    if (rule) last = rule;
  }
  fail_msg("the oracle should name '%s', and names '%s'", want, last ? last : "none");
}

static void names(const char *want, breach *b) {
  names_of(want, b, NULL);
}

#define BREACH(name, if_, then)                                                                     \
  static bool name(struct hd_dgb_in *in, const struct hd_dgb_out *before, struct hd_dgb_out *out) { \
    (void)in;                                                                                       \
    (void)before;                                                                                   \
    if (!(if_)) return false;                                                                       \
    then;                                                                                           \
    return true;                                                                                    \
  }

#define ENDS(code_) (out->finish_valid && !before->finish_valid && out->finish.code == (code_))
#define NEW (out->node_valid && !before->node_valid)

BREACH(other_cta, NEW, out->node.cta ^= 1)
BREACH(other_level, NEW, out->node.level++)
BREACH(other_smx, NEW && out->wish.smx == cfg.num_smx, out->wish.smx = 0)
BREACH(no_smx, NEW, out->wish.smx = 3)
BREACH(smx_forgotten, NEW && out->wish.smx < cfg.num_smx, out->wish.smx = (uint8_t)cfg.num_smx)
BREACH(other_node, NEW, out->node.index ^= 2)
BREACH(taken_twice, before->node_valid && !out->node_valid, out->node_valid = 1; out->node = before->node)
BREACH(early_end, in->sched_node_done[0] && !out->finish_valid, out->finish_valid = 1)
BREACH(end_taken_back, before->finish_valid && out->finish_valid, out->finish_valid = 0;
       memset(&out->finish, 0, sizeof out->finish))
BREACH(end_changes, before->finish_valid && out->finish_valid, out->finish.vid ^= 1)
BREACH(fine_after_memory, ENDS(HD_GCODE_MEMORY), memset(&out->finish, 0, sizeof out->finish))
BREACH(fine_after_edge, ENDS(HD_GCODE_EDGE), memset(&out->finish, 0, sizeof out->finish))
BREACH(fine_after_stuck, ENDS(HD_GCODE_STUCK), memset(&out->finish, 0, sizeof out->finish))
BREACH(no_memory_error, ENDS(HD_GCODE_FINE), out->finish.code = HD_GCODE_MEMORY)
BREACH(no_starts, ENDS(HD_GCODE_FINE), out->finish.code = HD_GCODE_STARTS)
BREACH(no_level, ENDS(HD_GCODE_FINE), out->finish.code = HD_GCODE_LEVEL)
BREACH(no_edge, ENDS(HD_GCODE_FINE), out->finish.code = HD_GCODE_EDGE)
BREACH(no_count, ENDS(HD_GCODE_FINE), out->finish.code = HD_GCODE_COUNT)
BREACH(no_stuck, ENDS(HD_GCODE_FINE), out->finish.code = HD_GCODE_STUCK)
BREACH(other_starts, ENDS(HD_GCODE_STARTS), out->finish.vid++)
BREACH(other_stuck, ENDS(HD_GCODE_STUCK), out->finish.vid++)
BREACH(fine_with_vid, ENDS(HD_GCODE_FINE), out->finish.vid = 1)
BREACH(no_code, ENDS(HD_GCODE_FINE), out->finish.code = 7)
BREACH(second_graph, !out->start_ready && !out->finish_valid && out->node_valid, out->start_ready = 1)
BREACH(graph_written, out->mem.valid && out->mem.req.write, out->mem.req.addr ^= 1 << 20)
BREACH(read_beyond, out->mem.valid && !out->mem.req.write, out->mem.req.addr ^= 1 << 20)
BREACH(request_changes,
       out->mem.valid && before->mem.valid && !memcmp(&before->mem.req, &out->mem.req, sizeof out->mem.req),
       out->mem.req.addr ^= 16)
BREACH(update_twice, in->mem.take && out->mem.wbeat.lo & 0xffff, out->mem.wbeat.lo++)
BREACH(update_lost, in->mem.take && out->mem.wbeat.strb && !out->mem.wbeat.lo && !out->mem.wbeat.hi,
       out->mem.wbeat.strb = 0)
BREACH(update_sent, !out->start_ready && !out->events.early && !out->events.pub, out->events.early = 1)
BREACH(half_written, in->mem.take && out->mem.wbeat.strb, out->mem.wbeat.strb &= 0x5555)

/* Forever: no client takes the end. */
static bool never_ends(struct hd_dgb_in *in, const struct hd_dgb_out *before, struct hd_dgb_out *out) {
  (void)before;
  in->dats_finish_ready = 0;
  out->finish_valid = 0;
  memset(&out->finish, 0, sizeof out->finish);
  return false;
}

TEST(offers) {
  names("a node is offered with another TB id", other_cta);
  names("a node is offered with another level", other_level);
  names("a node is offered with an SMX on which no parent ran", other_smx);
  names("a node is offered with an SMX that does not exist", no_smx);
  names("a node is offered without the SMX of the parent that updated it last", smx_forgotten);
  names("a node is offered that was not read", other_node);
  names("a node is offered twice", taken_twice);
}

TEST(ends) {
  names("a graph ends while TBs run", early_end);
  names("an end is withdrawn", end_taken_back);
  names("an end changes before it is accepted", end_changes);
  names("a graph ends without error though one occurred", fine_after_memory);
  names("a graph ends without error before all nodes are done", fine_after_edge);
  names("a graph ends without error before all nodes are done", fine_after_stuck);
  names("a memory error is reported that did not occur", no_memory_error);
  names("a wrong start of edges is reported that is right", no_starts);
  names("a wrong level is reported that is right", no_level);
  names("a wrong edge is reported that is right", no_edge);
  names("a wrong parent count is reported that is right", no_count);
  names("a graph is reported as stuck too soon", no_stuck);
  names("a wrong start of edges is reported that is right", other_starts);
  names("a graph is reported as stuck at a wrong node", other_stuck);
  names("a graph ends without error, but with a VID", fine_with_vid);
  names("a graph ends with a code that does not exist", no_code);
  names("a graph is accepted before the end of the previous one", second_graph);
}

TEST(port) {
  names("a burst writes outside the early updates", graph_written);
  names("a read outside the graph", read_beyond);
  names("a request is withdrawn or changes", request_changes);
  names("an early update is neither incremented by one nor cleared", update_twice);
  names("early updates are not 0 after a graph without error", update_lost);
  names("half of an early update is written", half_written);
  names("an update goes to memory while the PUB has a free row", update_sent);
}

TEST(time_passes) {
  names("an error is not reported", never_ends);
  profile.bad = 0;
  names("a graph makes no progress and does not end", never_ends);
}

/* ---- A faulty model ---- */

/* A node has one parent less. */
static bool forgets_parent(struct hd_dgb *m) {
  struct hd_dgb_regs *r = &m->r;
  for (unsigned p = 0; p < cfg.lna; p++)
    if (r->phase == HD_DGB_RUN && m->place[p].node_state == HD_GSTATE_HELD && m->place[p].parents) {
      m->place[p].parents--;
      return true;
    }
  return false;
}

/* .. or one more. */
static bool adds_parent(struct hd_dgb *m) {
  struct hd_dgb_regs *r = &m->r;
  for (unsigned p = 0; p < cfg.lna; p++)
    if (r->phase == HD_DGB_RUN && m->place[p].node_state == HD_GSTATE_HELD && m->place[p].parents) {
      m->place[p].parents++;
      return true;
    }
  return false;
}

static bool forgets_bound(struct hd_dgb *m) {
  struct hd_dgb_regs *r = &m->r;
  if (r->phase == HD_DGB_RUN) r->limit += 100;
  return false;
}

/* The node that would be offered is skipped, and those behind it are not. */
static bool skips_node(struct hd_dgb *m) {
  struct hd_dgb_regs *r = &m->r;
  if (r->phase != HD_DGB_RUN || !r->cand_valid || r->start.policy) return false;
  for (unsigned k = 1; k < cfg.lna; k++) {
    unsigned p = (r->cand + k) % cfg.lna;
    bool behind = ((p - r->tail) & (cfg.lna - 1)) > ((r->cand - r->tail) & (cfg.lna - 1u));
    if (behind && m->place[p].node_state == HD_GSTATE_HELD && !m->place[p].parents) {
      r->cand = (uint16_t)p;
      return true;
    }
  }
  return false;
}

/* An offer stays until it is taken, even if smaller nodes become ready meanwhile. */
static bool keeps_offer(struct hd_dgb *m) {
  static unsigned last;
  struct hd_dgb_regs *r = &m->r;
  const struct hd_dgb_place *p = &m->place[last];
  if (r->phase != HD_DGB_RUN || !r->cand_valid || r->start.policy) return false;
  if (p->node_state == HD_GSTATE_HELD && !p->parents) r->cand = (uint16_t)last;
  last = r->cand;
  return false;
}

/* A ready node replaces one before it. */
static bool takes_later(struct hd_dgb *m) {
  static unsigned last, age;
  struct hd_dgb_regs *r = &m->r;
  age = r->cand == last && r->cand_valid ? age + 1 : 0;
  last = r->cand;
  return age > 2 && skips_node(m);
}

/* The room of the LEA begins behind the edges of the whole window. */
static bool forgets_edges(struct hd_dgb *m) {
  m->r.edge_tail = m->r.head_start;
  return false;
}

/* A row of the PUB stays full. */
static bool loses_row(struct hd_dgb *m) {
  uint16_t *row = (uint16_t *)(uintptr_t)hd_dgb_pub(m) + cfg.pub - 1;
  if (!*row) *row = 1;
  return false;
}

static bool loses_done(struct hd_dgb *m) {
  struct hd_dgb_regs *r = &m->r;
  if (r->phase != HD_DGB_RUN || r->running < 2) return false;
  r->running--;
  return true;
}

static bool error_is_missed(struct hd_dgb *m) {
  struct hd_dgb_regs *r = &m->r;
  if (r->phase != HD_DGB_STOP || !r->cand_valid || !r->running) return false;
  r->phase = HD_DGB_RUN;
  return true;
}

TEST(models) {
  profile.bad = 40;
  names_of("a node is offered before its parents are done", NULL, forgets_parent);
  names_of("a graph is reported as stuck at a node that is ready", NULL, adds_parent);
  names_of("a node is offered that is too many levels above the oldest", NULL, forgets_bound);
  names_of("a node is offered before one that was ready earlier", NULL, skips_node);
  names_of("a node is offered before one that was ready earlier", NULL, keeps_offer);
  names_of("an offer changes, and not to an earlier node", NULL, takes_later);
  names_of("a node is offered after an error", NULL, error_is_missed);
  names_of("a graph ends while TBs run", NULL, loses_done);
  names_of("edges are read beyond the capacity of the LEA", NULL, forgets_edges);
  names_of("an update goes to memory while the PUB has a free row", NULL, loses_row);
}

TEST_MAIN("dgb_oracle", NULL, NULL)
