/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Consequences of the literal channel rules, on the RTL in lockstep with the model: the same steps under each literal
 * rule (ChanPaper) and under ours. Uses tiny: wavefronts of 4, done counts of 4. */
#include <string.h>

/* clang-format off */
#include "equiv/cases.h"
#include "gen/hd_apu_ports.h"
/* clang-format on */

enum { BASE = 0x10000, STRIDE = 0x1000, BYTES = 2 * STRIDE, DONE = 0x800, HOST_SLOT = 3, EVER = 20000, SOON = 400 };

static struct hd_sim *sim;
static struct hd_cfg cfg;
static struct hd_apu_in in;
static const struct hd_apu_out *out;
static uint8_t bytes[BYTES];
static uint64_t write_at, read_at;
static uint8_t write_id, read_id;
static bool answers, reads;
static unsigned goes, taken; /* wavefronts that have gone; those that the steps have seen */
static struct hd_chango went[4];
static struct hd_chananswer answered;

static void start(const char *config) {
  char err[256];
  cfg = hd_case_cfg(config);
  const struct hd_sim_opts opts = {.block = "apu", .cfg = cfg, .seed = 1, .test = "channel_paper"};
  sim = hd_sim_open(&opts, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  memset(&in, 0, sizeof in);
  memset(bytes, 0, sizeof bytes);
  answers = reads = false;
  goes = taken = 0;
}

static void stop(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

static uint64_t word(uint64_t addr) {
  uint64_t w;
  memcpy(&w, bytes + (addr - BASE), sizeof w);
  return w;
}

/* These steps need only one burst at a time in each direction, with reads of one beat. */
static void memory(void) {
  answers = reads = false;
  if (out->awvalid) {
    write_at = out->awaddr;
    write_id = out->awid;
  }
  if (out->wvalid) {
    for (unsigned k = 0; k < 16; k++)
      if (out->wstrb >> k & 1)
        bytes[write_at - BASE + k] = (uint8_t)((k < 8 ? out->wdata[0] : out->wdata[1]) >> 8 * (k % 8));
    write_at += 16;
    answers = out->wlast;
  }
  if (!out->arvalid) return;
  assert_int_equal(out->arlen, 0);
  read_at = out->araddr;
  read_id = out->arid;
  reads = true;
}

static void cycle(void) {
  const void *seen;
  in.awready = in.wready = in.arready = 1;
  in.bvalid = answers;
  in.bid = answers ? write_id : 0;
  in.rvalid = in.rlast = reads;
  in.rid = reads ? read_id : 0;
  in.rdata[0] = reads ? word(read_at) : 0;
  in.rdata[1] = reads ? word(read_at + 8) : 0;
  assert_int_equal(hd_sim_cycle(sim, &in, &seen), HD_PASS);
  out = seen;
  memory();
  if (out->go_valid) went[goes++ % 4] = out->go;
  for (unsigned u = 0; u < cfg.num_cu; u++)
    if (out->answer_valid[u]) answered = out->answer;
}

/* A channel of level `chan`. */
static void open_channel(unsigned chan, unsigned cap) {
  const uint64_t base = BASE + chan * STRIDE;
  in.set_valid = 1;
  in.set = (struct hd_chanset){.chan = (uint8_t)chan, .cap = (uint8_t)cap, .level = (uint8_t)chan, .threshold = 4};
  in.set.control = base / 128;
  in.set.done = (base + DONE) / 128;
  cycle();
  in.set_valid = 0;
  memset(&in.set, 0, sizeof in.set);
}

/* Executes an operation of wavefront `g` and returns its answer. */
static struct hd_chananswer op(const struct hd_chango *g, enum hd_chop kind, unsigned chan, unsigned off, unsigned n) {
  const unsigned u = g->cu;
  in.op_valid[u] = 1;
  in.op[u] = (struct hd_chanop){
      .kind = (uint8_t)kind, .chan = (uint8_t)chan, .off = (uint16_t)off, .n = (uint16_t)n, .slot = g->slot};
  do cycle();
  while (!out->op_ready[u]);
  in.op_valid[u] = 0;
  memset(&in.op[u], 0, sizeof in.op[u]);
  cycle();
  cycle();
  assert_int_equal(answered.kind, kind);
  return answered;
}

static void ends(const struct hd_chango *g) {
  in.end_valid[g->cu] = 1;
  in.end_slot[g->cu] = g->slot;
  do cycle();
  while (!out->end_ready[g->cu]);
  in.end_valid[g->cu] = in.end_slot[g->cu] = 0;
}

/* Returns the next wavefront; it must come within this many cycles. */
static bool next_go(unsigned cycles, struct hd_chango *g) {
  for (unsigned t = 0; t < cycles && goes == taken; t++) cycle();
  const bool any = goes != taken;
  *g = went[taken % 4];
  taken += any;
  return any;
}

static void fills(const struct hd_chango *g, unsigned chan, unsigned n) {
  const struct hd_chananswer a = op(g, HD_CHOP_TALLOC, chan, 0, n);
  assert_int_equal(a.code, HD_CHCODE_OK);
  assert_int_equal(op(g, HD_CHOP_ENQ, chan, a.base, n).code, HD_CHCODE_OK);
}

static const struct hd_chango host = {.slot = HOST_SLOT};

/* Contiguity: five of eight places are used and done, and the grain of the last is not full; eight consecutive places
 * are requested. The literal rule refuses a grant that would cross the end, and since no event moves the tail it
 * refuses forever. */
static bool contiguous(const char *config) {
  struct hd_chango g;
  bool granted = false;
  start(config);
  open_channel(0, 3);
  fills(&host, 0, 5);
  for (unsigned k = 0; k < 5; k += g.count) {
    assert_true(next_go(SOON, &g));
    op(&g, HD_CHOP_TFREE, 0, k, g.count);
    ends(&g);
  }
  for (unsigned t = 0; t < EVER / 10 && !granted; t++)
    granted = op(&host, HD_CHOP_TALLOC, 0, 0, 8).code == HD_CHCODE_OK;
  stop();
  return granted;
}

TEST(test_contiguity) {
  assert_true(contiguous("tiny"));
  assert_false(contiguous("tiny+ChanPaper=1"));
}

/* A wavefront puts three elements into the deeper channel of C, less than a full wavefront, and requests `n` more:
 * there is room only when these three are done. Returns whether it gets them; restarts: how often it resumes. */
static bool producer(const char *config, unsigned cap, unsigned n, unsigned *restarts) {
  struct hd_chango w, g;
  uint64_t t = 0;
  bool has = false;
  *restarts = 0;
  start(config);
  open_channel(0, 3);
  open_channel(1, cap);
  fills(&host, 0, 4);
  assert_true(next_go(SOON, &w));
  fills(&w, 1, 3);
  assert_int_equal(op(&w, HD_CHOP_TALLOC, 1, 0, n).code, HD_CHCODE_NO_ROOM);
  assert_int_equal(op(&w, HD_CHOP_YIELD, 1, 0, n).code, HD_CHCODE_OK);
  for (; t < EVER / 20 && !has && next_go(EVER, &g); t++) {
    if (!g.restart) {
      assert_int_equal(g.count, 3);
      op(&g, HD_CHOP_TFREE, 1, 0, 3);
      ends(&g);
      continue;
    }
    ++*restarts;
    has = g.code == HD_CHCODE_OK || op(&g, HD_CHOP_TALLOC, 1, 0, n).code == HD_CHCODE_OK;
    if (!has) assert_int_equal(op(&g, HD_CHOP_YIELD, 1, 0, n).code, HD_CHCODE_OK);
  }
  stop();
  return has;
}

/* Yield without n: a wavefront that any room wakes retries in vain, again and again. As it keeps running, the present
 * elements never go as a partial wavefront. */
TEST(test_yield_without_n) {
  unsigned restarts;
  assert_true(producer("tiny", 3, 8, &restarts));
  assert_int_equal(restarts, 1);
  assert_false(producer("tiny+ChanPaper=2", 3, 8, &restarts));
  print_message("yield without n: %u restarts, all in vain\n", restarts);
  assert_int_equal(restarts, EVER / 20);
}

/* A waiting producer counts as active, so the elements that it waits for never go. */
TEST(test_partial) {
  unsigned restarts;
  assert_true(producer("tiny", 2, 4, &restarts));
  assert_int_equal(restarts, 1);
  assert_false(producer("tiny+ChanPaper=4", 2, 4, &restarts));
  assert_int_equal(restarts, 0);
}

TEST_MAIN("channel_paper", NULL, NULL)
