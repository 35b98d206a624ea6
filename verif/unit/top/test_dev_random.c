/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's golden model in random runs with launches of TBs. Each run is drained at its end until the plane is idle:
 * the oracle of the plane checks every cycle, no work is lost, and every entry, slot, record and place is free
 * again. */
#include "env/common/dev_clients.h"
#include "oracle/plane_oracle.h"
#include "unit/plane.h"

static void *oracle;
static struct hd_dev dev;
static struct hd_rng rng;
static uint64_t at; /* cycle of the run */

static const struct hd_profile profiles[] = {{"free", 230, 256, 2},      {"idle_source", 20, 256, 2},
                                             {"stall_sink", 230, 40, 2}, {"random", 128, 128, 16},
                                             {"bad", 180, 180, 90},      {"full", 256, 256, 0}};

/* A kernel that ends within the run. */
static void host_side(const struct hd_profile *p, bool ended) {
  if (!in.host_launch_valid || out.host_launch_ready) {
    in.host_launch_valid = ended && hd_dev_host_offers(&dev, &rng, p);
    memset(&in.host_launch, 0, sizeof in.host_launch);
    if (in.host_launch_valid) in.host_launch = hd_dev_host_launch(&dev, &rng, p, 1u << hd_rng_below(&rng, 5));
    if (in.host_launch.ctas > 1000) in.host_launch.ctas = 1;
  }
  in.host_answer_ready = hd_rng_p(&rng, p->sink);
  in.kernel_done_ready = hd_rng_p(&rng, p->sink);
}

static bool moved(void) {
  bool any = in.rvalid || in.bvalid || (out.kernel_done_valid && in.kernel_done_ready) ||
             (out.record_done_valid && in.record_done_ready);
  for (unsigned s = 0; s < cfg.num_smx; s++)
    any |= in.cta_done_valid[s] || (in.dispatch_ready[s] && out.dispatch_valid[s]) ||
           (in.dev_launch_valid[s] && out.dev_launch_ready[s]);
  return any;
}

/* Runs one cycle; returns true if any output changed. */
static bool random_cycle(const struct hd_profile *p) {
  bool ended = hd_dev_drive(&dev, &rng, p, &out, &in);
  host_side(p, ended);
  hd_top_cycle(m, &in, &out);
  const char *rule = hd_plane_oracle_watch(oracle, at, &in, &out);
  if (rule) fail_msg("%s, cycle %llu: %s", cfg.name, (unsigned long long)at, rule);
  at++;
  return moved();
}

static void begin_run(uint64_t seed) {
  hd_top_reset(m);
  hd_dev_reset(&dev);
  hd_plane_oracle_init(oracle, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  rng.s = seed;
  at = 0;
  dev.quiet = 0;
}

/* `cycles` of launches, then until no output has changed for longer than the slowest memory takes. */
static void drained_run(uint64_t seed, unsigned cycles) {
  begin_run(seed);
  const struct hd_profile *p = &profiles[seed % 6];
  for (unsigned t = 0; t < cycles; t++) {
    if (t % 700 == 699) p = &profiles[hd_rng_below(&rng, 6)];
    random_cycle(p);
  }
  dev.quiet = 1;
  for (unsigned idle = 0; idle < 2000; idle++) {
    if (random_cycle(&profiles[5])) idle = 0;
    if (at > 2000000) fail_msg("%s: no end", cfg.name);
  }
  const char *rule = hd_plane_oracle_end(oracle, hd_top_regs(m)->status);
  if (rule) fail_msg("%s, seed %llu: %s", cfg.name, (unsigned long long)seed, rule);
}

static unsigned sum(const uint8_t *bits, unsigned n) {
  unsigned s = 0;
  while (n--) s += bits[n];
  return s;
}

static void expect_front_empty(const struct hd_top_arch *a) {
  assert_int_equal(sum(a->kd.valid, cfg.num_kde) + sum(a->kd.pend, 2 * cfg.num_kde), 0);
  assert_int_equal(a->fcfs.count + a->sched.sscr_valid + a->kmu.launch_valid + a->kmu.answer_count, 0);
  assert_int_equal(sum(a->kmu.hwq_count, cfg.num_hwq) + sum(a->kmu.hwq_closed, cfg.num_hwq), 0);
  assert_int_equal(a->devq.q_count + a->devq.a2_valid + a->devq.a3_valid + sum(a->devq.owed, cfg.num_smx), 0);
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    const struct hd_tbcr_arch *t = &a->sched.tbcr[s];
    assert_int_equal(t->owed + t->done_count + sum(t->valid, cfg.ctas_per_smx), 0);
    assert_true(t->warps == cfg.warps_per_smx && t->regs == cfg.reg_units_per_smx && t->smem == cfg.smem_units_per_smx);
  }
}

static void expect_groups_empty(const struct hd_top_arch *a) {
  assert_int_equal(sum(a->link.valid, cfg.agt_size), 0);
  assert_int_equal(a->ovfq.w_count + a->ovfq.w_flight + a->ovfq.r_flight + a->ovfq.op, 0);
  for (unsigned k = 0; k < cfg.num_kde; k++) assert_int_equal(a->ovfq.count[k] + a->ovfq.unans[k], 0);
  assert_int_equal(a->agc.cur_valid + sum(a->agc.ovf_used, cfg.ovf_slots) + sum(a->agc.ovf_wait, cfg.ovf_slots), 0);
  assert_int_equal(sum(a->agc.park_valid, cfg.num_kde) + sum(a->agc.leaving, cfg.num_kde), 0);
  assert_int_equal(a->agt.wk_valid + a->agt.gq_count + a->ovfq.used, 0);
}

static void expect_kernels_gone(const struct hd_top_arch *a) {
  assert_int_equal(sum(a->kin.valid, cfg.num_kin) + a->kin.c_valid, 0);
  assert_int_equal(a->pool.waiting + a->pool.join + a->pool.head, 0);
  assert_int_equal(a->pool.memq.fresh - a->pool.memq.chained, 0);
  assert_int_equal(a->susp.save_count + a->susp.record_valid + a->susp.op + a->susp.sv_tag, 0);
  assert_int_equal(sum(a->pool.row_used, cfg.pool_depth) + sum(a->pool.busy, cfg.num_streams), 0);
}

/* All state is free again. A memory that failed may leave AGEs of lost groups taken. */
static void expect_empty(void) {
  static struct hd_top_arch a;
  memset(&a, 0, sizeof a);
  hd_top_arch(m, &a, true);
  expect_front_empty(&a);
  expect_kernels_gone(&a);
  if (!hd_axi_mem_counts(dev.mem).errors) expect_groups_empty(&a);
}

static void runs(struct hd_cfg c, uint64_t seed, unsigned rounds, unsigned cycles) {
  start(c);
  oracle = ut_new(hd_plane_oracle_size(&cfg));
  hd_dev_init(&dev, &cfg);
  dev.polite = 1;
  for (unsigned k = 0; k < rounds; k++) {
    drained_run(seed + k, cycles);
    expect_empty();
  }
  print_message("%s, seeds from %llu: %u launches\n", cfg.name, (unsigned long long)seed, dev.serial);
  hd_dev_free(&dev);
  free(oracle);
  free(m);
}

TEST(tiny) {
  runs(ut_cfg("tiny"), 1, 24, 3000);
}

TEST(k20c) {
  runs(ut_cfg("k20c"), 101, 6, 2000);
}

TEST(gtx480_and_big) {
  runs(ut_cfg("gtx480"), 201, 3, 2000);
  runs(ut_cfg("big"), 251, 2, 800);
}

/* Each parameter that affects device launches, at values that no named configuration has. */
TEST(other_ways) {
  static const struct {
    const char *param;
    uint32_t value;
  } way[] = {{"AgtHash", 1},   {"AgtHash", 2},  {"KdeSearchLanes", 1}, {"PrefetchDepth", 0}, {"FairEvery", 4},
             {"FairEvery", 1}, {"Visit", 1},    {"NumKin", 3},         {"NumKin", 1},        {"PoolDepth", 3},
             {"PoolRows", 4},  {"OvfSlots", 9}, {"AgtSize", 2},        {"NumKde", 1},        {"MaxLevel", 1}};
  for (unsigned k = 0; k < sizeof way / sizeof *way; k++) {
    print_message("%s=%u: ", way[k].param, way[k].value);
    runs(ut_cfg_with("tiny", way[k].param, way[k].value), 301 + 10 * k, 4, 2500);
  }
}

/* Reset in any cycle, with bursts, saves and suspensions in flight, leaves the state of a new machine. */
TEST(reset_at_any_time) {
  start(ut_cfg("tiny"));
  oracle = ut_new(hd_plane_oracle_size(&cfg));
  hd_dev_init(&dev, &cfg);
  dev.polite = 1;
  struct hd_top *fresh = ut_new(hd_top_size(&cfg));
  hd_top_init(fresh, &cfg);
  for (unsigned k = 0; k < 150; k++) {
    begin_run(400 + k % 7);
    for (unsigned t = 0; t < 20 + 17 * k; t++) random_cycle(&profiles[k % 6]);
    hd_top_reset(m);
    assert_memory_equal(m, fresh, hd_top_size(&cfg));
  }
  free(fresh);
  hd_dev_free(&dev);
  free(oracle);
  free(m);
}

TEST_MAIN("dev_random", NULL, NULL)
