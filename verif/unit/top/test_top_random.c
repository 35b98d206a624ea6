/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The whole plane in random runs: conservation, counters, reset, and comparison of the plane with its blocks. */
#include "engine/block_driver.h"
#include "env/top/plane_blocks.h"
#include "unit/plane.h"

/* State of the SMXs and the host of a random run. */
static struct {
  uint64_t seed;
  bool running[132][32]; /* TBs taken and not yet reported */
  unsigned kernel[132][32];
  uint64_t given[4096]; /* of each launch: which TBs were handed out */
  unsigned ctas[4096], left[4096];
  uint8_t accepted[4096], ended[4096];
  unsigned launches;
  bool taken; /* the launch of the cycle before was taken */
} run;

static void start_run(uint64_t seed) {
  memset(&run, 0, sizeof run);
  run.seed = seed;
  in.host_launch_valid = 0;
}

/* Random inputs for one cycle: occasional launches, backpressure, completions, including illegal ones. */
static void random_inputs(bool more) {
  uint64_t *seed = &run.seed;
  if (run.taken) in.host_launch_valid = 0;
  if (more && !in.host_launch_valid && ut_below(seed, 6) == 0) {
    unsigned tag = run.launches, ctas = 1 + ut_below(seed, 60);
    launch(ut_below(seed, cfg.num_hwq), tag, ctas, ut_below(seed, cfg.smem_units_per_smx + 1));
    run.ctas[tag] = run.left[tag] = ctas;
  }
  in.host_answer_ready = ut_below(seed, 4) != 0;
  in.kernel_done_ready = ut_below(seed, 4) != 0;
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    unsigned slot = ut_below(seed, cfg.ctas_per_smx);
    in.dispatch_ready[s] = ut_below(seed, 3) != 0;
    in.cta_done_slot[s] = (uint8_t)slot;
    in.cta_done_valid[s] = run.running[s][slot] ? ut_below(seed, 4) == 0 : ut_below(seed, 64) == 0;
  }
}

/* A TB that an SMX accepts: it was not handed out before, and its slot was free. */
static void take_dispatch(unsigned s) {
  const struct hd_dispatch *d = &out.dispatch[s];
  unsigned tag = (unsigned)(d->desc.param - 0x10000);
  assert_false(run.running[s][d->slot]);
  assert_true(d->blkid < run.ctas[tag]);
  assert_true((run.given[tag] >> d->blkid & 1) == 0);
  run.given[tag] |= UINT64_C(1) << d->blkid;
  run.running[s][d->slot] = true;
  run.kernel[s][d->slot] = tag;
}

/* A reported kernel: it was accepted, and is reported once, after all of its TBs. */
static void take_kernel_done(void) {
  unsigned tag = out.kernel_done.tag;
  assert_int_equal(run.accepted[tag], 1);
  assert_int_equal(run.ended[tag]++, 0);
  assert_int_equal(run.left[tag], 0);
}

/* Runs one cycle with random inputs, and checks its outputs. */
static void random_cycle(bool more) {
  random_inputs(more);
  hd_top_cycle(m, &in, &out);
  run.taken = in.host_launch_valid && out.host_launch_ready;
  run.launches += run.taken;
  if (out.host_answer_valid && in.host_answer_ready) {
    run.accepted[out.host_answer.tag] = out.host_answer.code == HD_CODE_ACCEPTED;
  }
  if (out.kernel_done_valid && in.kernel_done_ready) take_kernel_done();
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    unsigned slot = in.cta_done_slot[s];
    if (in.cta_done_valid[s] && run.running[s][slot]) {
      run.running[s][slot] = false;
      run.left[run.kernel[s][slot]]--;
    }
    if (out.dispatch_valid[s] && in.dispatch_ready[s]) take_dispatch(s);
  }
}

/* Runs at random until all work is done, and expects every TB to have been handed out and finished once. */
static void random_run(uint64_t seed, int cycles) {
  start_run(seed);
  for (int t = 0; t < cycles; t++) random_cycle(true);
  for (int t = 0;
       t < 200000 && hd_top_regs(m)->count[HD_COUNT_KERNELS_DONE] != hd_top_regs(m)->count[HD_COUNT_ACCEPTED]; t++) {
    random_cycle(false);
  }
  for (int t = 0; t < 100; t++) random_cycle(false);
  assert_true(run.launches > 50);
  for (unsigned i = 0; i < run.launches; i++) {
    assert_int_equal(run.ended[i], run.accepted[i]);
    uint64_t all = (UINT64_C(1) << run.ctas[i]) - 1;
    assert_true(run.given[i] == (run.accepted[i] ? all : 0));
    if (run.accepted[i]) assert_int_equal(run.left[i], 0);
  }
}

/* Every resource is free again: the architectural state is that of reset except pointers, counters, status and ring
 * positions. */
static void expect_all_back(void) {
  static struct hd_top_arch a;
  hd_top_arch(m, &a, true);
  for (unsigned i = 0; i < cfg.num_kde; i++)
    assert_int_equal(a.kd.valid[i] || a.kd.pend[2 * i] || a.kd.pend[2 * i + 1], 0);
  for (unsigned h = 0; h < cfg.num_hwq; h++) assert_int_equal(a.kmu.hwq_count[h], 0);
  assert_int_equal(a.fcfs.count || a.sched.sscr_valid || a.kmu.launch_valid, 0);
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    const struct hd_tbcr_arch *t = &a.sched.tbcr[s];
    assert_int_equal(t->owed || t->done_count, 0);
    assert_int_equal(t->warps, cfg.warps_per_smx);
    assert_int_equal(t->regs, cfg.reg_units_per_smx);
    assert_int_equal(t->smem, cfg.smem_units_per_smx);
    for (unsigned j = 0; j < cfg.ctas_per_smx; j++) assert_int_equal(t->valid[j], 0);
  }
}

/* Each TB handed out once, finished once, every resource free again; in every configuration and both walks. */
TEST_F(test_conservation) {
  for (unsigned i = 0; i < 2 * hd_cfg_table_n; i++) {
    free(m);
    start(ut_cfg_with(hd_cfg_table[i / 2].name, "Visit", i % 2));
    print_message("config %s Visit %u seed 0x%x\n", cfg.name, i % 2, 0x5eed + i);
    random_run(0x5eed + i, 4000);
    expect_all_back();
  }
}

/* The counters agree with the observed events: TBs handed out and done, kernels entered and done, answers and
   launches. */
TEST_F(test_counters_agree) {
  random_run(99, 6000);
  const uint64_t *n = hd_top_regs(m)->count;
  unsigned tbs = 0;
  for (unsigned i = 0; i < run.launches; i++) tbs += run.accepted[i] ? run.ctas[i] : 0;
  assert_true(n[HD_COUNT_CTAS_OUT] == tbs && n[HD_COUNT_CTAS_DONE] == tbs);
  assert_true(n[HD_COUNT_KERNELS_IN] == n[HD_COUNT_ACCEPTED] && n[HD_COUNT_KERNELS_DONE] == n[HD_COUNT_ACCEPTED]);
  assert_true(n[HD_COUNT_ACCEPTED] + n[HD_COUNT_REFUSED] == run.launches);
  assert_true(n[HD_COUNT_DONE_EMPTY] + n[HD_COUNT_DONE_EARLY] > 100);
}

/* hd_top_cycle equals hd_top_eval followed by hd_top_tick, in outputs and in every byte of the state. */
TEST_F(test_cycle_is_eval_and_tick) {
  static struct hd_top_out other;
  struct hd_top *driver = ut_new(hd_top_size(&cfg));
  start_run(4711);
  memset(&out, 0, sizeof out);
  hd_top_init(driver, &cfg);
  for (int t = 0; t < 3000; t++) {
    random_cycle(true);
    hd_top_eval(driver, &in, &other);
    hd_top_tick(driver, &in);
    assert_memory_equal(&out, &other, sizeof out);
    assert_memory_equal(m, driver, hd_top_size(&cfg));
  }
  free(driver);
}

/* Reset in any cycle leaves the state of a new machine, byte for byte. */
TEST_F(test_reset) {
  struct hd_top *fresh = ut_new(hd_top_size(&cfg));
  hd_top_init(fresh, &cfg);
  for (int round = 0; round < 20; round++) {
    start_run((uint64_t)round + 1);
    for (int t = 0; t < 37 * round; t++) random_cycle(true);
    hd_top_reset(m);
    assert_memory_equal(m, fresh, hd_top_size(&cfg));
  }
  free(fresh);
}

/* ---- With TBs that launch and save: the random clients of the lockstep runs. ---- */

static const struct hd_profile profiles[] = {{"free", 230, 256, 2}, {"random", 128, 128, 16}, {"bad", 180, 180, 90}};

static struct {
  const struct hd_block_driver *driver;
  struct hd_rng rng;
  void *stim;
  struct hd_top_out now;
  int t;
} clients;

static void start_clients(uint64_t seed) {
  clients.driver = hd_block_driver_find("top");
  clients.rng.s = seed;
  clients.stim = calloc(1, clients.driver->stim_size);
  clients.t = 0;
  assert_non_null(clients.stim);
  clients.driver->stim_init(clients.stim, &cfg, &clients.rng);
  clients.driver->stim_reset(clients.stim);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
}

static void stop_clients(void) {
  if (clients.driver->stim_free) clients.driver->stim_free(clients.stim);
  free(clients.stim);
}

/* Sets the inputs of the next cycle; `out` is still that of the previous cycle. */
static void drive_clients(void) {
  const struct hd_profile *p = &profiles[clients.t++ / 700 % 3];
  hd_top_eval(m, &in, &clients.now);
  clients.driver->drive(clients.stim, &clients.rng, p, &out, &clients.now, &in);
}

/* The same with device launches: cycle is eval and tick. */
TEST_F(test_cycle_is_eval_and_tick_with_launches) {
  static struct hd_top_out other;
  struct hd_top *driver = ut_new(hd_top_size(&cfg));
  hd_top_init(driver, &cfg);
  start_clients(12);
  for (int t = 0; t < 3000; t++) {
    drive_clients();
    hd_top_cycle(m, &in, &out);
    hd_top_eval(driver, &in, &other);
    hd_top_tick(driver, &in);
    assert_memory_equal(out.dev_launch_ready, other.dev_launch_ready, cfg.num_smx);
    assert_memory_equal(m, driver, hd_top_size(&cfg));
  }
  stop_clients();
  free(driver);
}

/* Of the outputs only dev_launch_ready depends on this cycle's inputs: the others were the same under the inputs of the
 * previous cycle. */
TEST_F(test_what_depends_on_inputs) {
  unsigned changed = 0;
  start_clients(13);
  for (int t = 0; t < 3000; t++) {
    drive_clients(); /* clients.now: under the inputs of the previous cycle */
    hd_top_cycle(m, &in, &out);
    changed += memcmp(out.dev_launch_ready, clients.now.dev_launch_ready, cfg.num_smx) != 0;
    memcpy(clients.now.dev_launch_ready, out.dev_launch_ready, sizeof out.dev_launch_ready);
    assert_memory_equal(&out, &clients.now, sizeof out);
  }
  assert_true(changed > 0);
  stop_clients();
}

/* Reset in the middle of device launches leaves the state of a new machine. */
TEST_F(test_reset_with_launches) {
  struct hd_top *fresh = ut_new(hd_top_size(&cfg));
  hd_top_init(fresh, &cfg);
  for (int round = 1; round < 6; round++) {
    start_clients((uint64_t)round);
    for (int t = 0; t < 500 * round; t++) {
      drive_clients();
      hd_top_cycle(m, &in, &out);
    }
    stop_clients();
    assert_memory_not_equal(m, fresh, hd_top_size(&cfg));
    hd_top_reset(m);
    assert_memory_equal(m, fresh, hd_top_size(&cfg));
  }
  free(fresh);
}

/* The blocks of a plane as separate models. */
static struct hd_plane_blocks blocks;

static void blocks_start(void) {
  memset(&blocks, 0, sizeof blocks);
  blocks.cfg = &cfg;
#define START(B)                                          \
  struct hd_##B *B##_model = ut_new(hd_##B##_size(&cfg)); \
  hd_##B##_init(B##_model, &cfg);                         \
  blocks.B = B##_model;
  HD_TOP_BLOCKS(START)
#undef START
}

static void blocks_tick(void) {
  hd_plane_blocks_wire(&blocks);
#define TICK(B) hd_##B##_tick((struct hd_##B *)blocks.B, &blocks.B##_in);
  HD_TOP_BLOCKS(TICK)
#undef TICK
}

static void blocks_free(void) {
#define FREE(B) free((void *)blocks.B);
  HD_TOP_BLOCKS(FREE)
#undef FREE
}

/* Expects the plane's blocks to be in the same state as the separate ones, byte for byte. */
static void expect_same_blocks(int t) {
#define SAME(B)                                                  \
  if (memcmp(blocks.B, hd_top_##B(m), hd_##B##_size(&cfg)) != 0) \
    fail_msg("config %s, cycle %d: " #B " differs from the block alone", cfg.name, t);
  HD_TOP_BLOCKS(SAME)
#undef SAME
}

static void expect_same_outputs(void) {
  assert_memory_equal(out.dispatch_valid, blocks.out.sched.dispatch_valid, cfg.num_smx);
  assert_memory_equal(out.dispatch, blocks.out.sched.dispatch, cfg.num_smx * sizeof *out.dispatch);
  assert_memory_equal(out.dev_launch_ready, blocks.out.devq.dev_launch_ready, cfg.num_smx);
  assert_memory_equal(out.dev_answer_valid, blocks.out.devq.dev_answer_valid, cfg.num_smx);
  assert_memory_equal(out.dev_answer, blocks.out.devq.dev_answer, cfg.num_smx * sizeof *out.dev_answer);
  assert_int_equal(out.record_done_valid, blocks.out.agc.record_done_valid);
  assert_int_equal(out.record_done, blocks.out.agc.record_done);
  assert_int_equal(out.kernel_done_valid, blocks.out.kin.kernel_done_valid);
  assert_memory_equal(&out.kernel_done, &blocks.out.kin.kernel_done, sizeof out.kernel_done);
}

/* The plane, whose blocks share sets and pointers and which skips idle blocks, is the same machine as the blocks wired
 * port by port. */
static void check_plane_is_its_blocks(struct hd_cfg c, uint64_t seed, int cycles) {
  free(m);
  start(c);
  if (m->left_out != 0) return; /* the separate models include all blocks */
  blocks_start();
  start_clients(seed);
  for (int t = 0; t < cycles; t++) {
    drive_clients();
    hd_top_cycle(m, &in, &out);
    hd_plane_blocks_settle(&blocks, &in);
    expect_same_outputs();
    blocks_tick();
    expect_same_blocks(t);
  }
  stop_clients();
  blocks_free();
}

TEST_F(test_plane_is_its_blocks) {
  for (unsigned i = 0; i < hd_cfg_table_n; i++)
    check_plane_is_its_blocks(ut_cfg(hd_cfg_table[i].name), 0x77 + i, hd_cfg_table[i].num_smx > 64 ? 600 : 4000);
}

/* The same where parameters change what the blocks do. */
TEST_F(test_plane_is_its_blocks_in_other_shapes) {
  check_plane_is_its_blocks(ut_cfg_with("tiny", "AgtHash", 1), 1, 4000);
  check_plane_is_its_blocks(ut_cfg_with("tiny", "AgtHash", 2), 2, 6000);
  check_plane_is_its_blocks(ut_cfg_with("tiny", "PrefetchDepth", 0), 3, 4000);
  check_plane_is_its_blocks(ut_cfg_with("tiny", "FairEvery", 3), 4, 4000);
  check_plane_is_its_blocks(ut_cfg_with("k20c", "KdeSearchLanes", 1), 5, 4000);
}

TEST_MAIN("top_random", NULL, NULL)
