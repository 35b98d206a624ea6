/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The whole plane in random runs: conservation, counters, reset, and the plane against its blocks. */
#include "plane.h"

/* What the SMXs and the host of a random run know. */
static struct {
  uint64_t seed;
  bool running[132][32]; /* TBs taken and not yet reported */
  unsigned kernel[132][32];
  uint64_t given[4096]; /* of each launch: which TBs were handed out */
  unsigned ctas[4096], left[4096];
  uint8_t accepted[4096], told[4096];
  unsigned launches;
  bool taken; /* the launch of the cycle before was taken */
} run;

static void start_run(uint64_t seed) {
  memset(&run, 0, sizeof run);
  run.seed = seed;
  in.host_launch_valid = 0;
}

/* Random inputs for one cycle: a launch now and then, back-pressure, completions, also wrong ones. */
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

/* A TB that an SMX takes: it was not handed out before, and its slot was free. */
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

/* A kernel that is told: it was accepted, is told once, after all of its TBs. */
static void take_kernel_done(void) {
  unsigned tag = out.kernel_done;
  assert_int_equal(run.accepted[tag], 1);
  assert_int_equal(run.told[tag]++, 0);
  assert_int_equal(run.left[tag], 0);
}

/* One cycle with random inputs, and what it did. */
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

/* Runs at random until all is done, and expects every TB to have been handed out and finished once. */
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
    assert_int_equal(run.told[i], run.accepted[i]);
    uint64_t all = (UINT64_C(1) << run.ctas[i]) - 1;
    assert_true(run.given[i] == (run.accepted[i] ? all : 0));
    if (run.accepted[i]) assert_int_equal(run.left[i], 0);
  }
}

/* Every resource is back: the architectural state is that of reset but for pointers, counters, status and ring
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

/* Each TB handed out once, finished once, every resource back; in every configuration and both walks. */
static void test_conservation(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2 * hd_cfg_table_n; i++) {
    free(m);
    start(ut_cfg_with(hd_cfg_table[i / 2].name, "Visit", i % 2));
    print_message("config %s Visit %u seed 0x%x\n", cfg.name, i % 2, 0x5eed + i);
    random_run(0x5eed + i, 4000);
    expect_all_back();
  }
}

/* The counters agree with what was seen from outside: as many TBs out as done, kernels in as done, answers as launches.
 */
static void test_counters_agree(void **state) {
  (void)state;
  random_run(99, 6000);
  const uint64_t *n = hd_top_regs(m)->count;
  unsigned tbs = 0;
  for (unsigned i = 0; i < run.launches; i++) tbs += run.accepted[i] ? run.ctas[i] : 0;
  assert_true(n[HD_COUNT_CTAS_OUT] == tbs && n[HD_COUNT_CTAS_DONE] == tbs);
  assert_true(n[HD_COUNT_KERNELS_IN] == n[HD_COUNT_ACCEPTED] && n[HD_COUNT_KERNELS_DONE] == n[HD_COUNT_ACCEPTED]);
  assert_true(n[HD_COUNT_ACCEPTED] + n[HD_COUNT_REFUSED] == run.launches);
  assert_true(n[HD_COUNT_DONE_EMPTY] + n[HD_COUNT_DONE_EARLY] > 100);
}

/* hd_top_cycle does what hd_top_eval and hd_top_tick do, in outputs and in every byte of the state. */
static void test_cycle_is_eval_and_tick(void **state) {
  (void)state;
  static struct hd_top_out other;
  struct hd_top *twin = ut_new(hd_top_size(&cfg));
  start_run(4711);
  memset(&out, 0, sizeof out);
  hd_top_init(twin, &cfg);
  for (int t = 0; t < 3000; t++) {
    random_cycle(true);
    hd_top_eval(twin, &in, &other);
    hd_top_tick(twin, &in);
    assert_memory_equal(&out, &other, sizeof out);
    assert_memory_equal(m, twin, hd_top_size(&cfg));
  }
  free(twin);
}

/* Reset at any moment leaves a clean machine: the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
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

/* The blocks, wired by their ports as rtl/top/top.csv and the contract of the plane have it. */
struct parts {
  struct hd_kmu *kmu;
  struct hd_kd *kd;
  struct hd_fcfs *fcfs;
  struct hd_sched *sched;
  struct hd_regs *regs;
};

static struct parts new_parts(void) {
  struct parts p = {ut_new(hd_kmu_size(&cfg)), ut_new(hd_kd_size(&cfg)), ut_new(hd_fcfs_size(&cfg)),
                    ut_new(hd_sched_size(&cfg)), ut_new(hd_regs_size(&cfg))};
  hd_kmu_init(p.kmu, &cfg);
  hd_kd_init(p.kd, &cfg);
  hd_fcfs_init(p.fcfs, &cfg);
  hd_sched_init(p.sched, &cfg);
  hd_regs_init(p.regs, &cfg);
  return p;
}

static void free_parts(struct parts *p) {
  free(p->kmu);
  free(p->kd);
  free(p->fcfs);
  free(p->sched);
  free(p->regs);
}

static struct hd_kmu_in kmu_in;
static struct hd_kmu_out kmu_out;
static struct hd_kd_in kd_in;
static struct hd_kd_out kd_out;
static struct hd_fcfs_in fcfs_in;
static struct hd_fcfs_out fcfs_out;
static struct hd_sched_in sched_in;
static struct hd_sched_out sched_out;
static struct hd_regs_in regs_in;

/* All outputs of this cycle; only desc goes through combinational logic, from KD to scheduler. */
static void eval_parts(const struct parts *p) {
  hd_kmu_eval(p->kmu, &kmu_in, &kmu_out);
  hd_kd_eval(p->kd, &kd_in, &kd_out);
  hd_fcfs_eval(p->fcfs, &fcfs_in, &fcfs_out);
  sched_in.desc = kd_out.desc;
  hd_sched_eval(p->sched, &sched_in, &sched_out);
}

static void wire_kmu_and_kd(void) {
  kmu_in.host_launch_valid = in.host_launch_valid;
  kmu_in.host_launch = in.host_launch;
  kmu_in.host_answer_ready = in.host_answer_ready;
  kmu_in.kernel_ready = kd_out.kernel_ready;
  memcpy(kmu_in.reopen, kd_out.reopen, cfg.num_hwq);
  kd_in.kernel_valid = kmu_out.kernel_valid;
  kd_in.kernel = kmu_out.kernel;
  memcpy(kd_in.marked, fcfs_out.marked, cfg.num_kde);
  kd_in.grant_valid = sched_out.grant_valid;
  kd_in.grant_kdei = sched_out.grant_kdei;
  kd_in.retire_valid = sched_out.retire_valid;
  kd_in.retire_kdei = sched_out.retire_kdei;
  kd_in.kernel_done_ready = in.kernel_done_ready;
}

static void wire_fcfs_and_sched(void) {
  fcfs_in = (struct hd_fcfs_in){kmu_out.kernel_valid, kd_out.kernel_ready, kd_out.alloc_kdei, sched_out.grant_last};
  sched_in.enter_valid = kmu_out.kernel_valid;
  sched_in.enter_ready = kd_out.kernel_ready;
  sched_in.enter_kdei = kd_out.alloc_kdei;
  sched_in.enter_need = kmu_out.kernel.need;
  sched_in.enter_ctas = kmu_out.kernel.ctas;
  sched_in.next_valid = fcfs_out.next_valid;
  sched_in.next_kdei = fcfs_out.next_kdei;
  memcpy(sched_in.need, kd_out.need, cfg.num_kde * sizeof kd_out.need[0]);
  memcpy(sched_in.ctas, kd_out.ctas, cfg.num_kde * sizeof kd_out.ctas[0]);
  memcpy(sched_in.dispatch_ready, in.dispatch_ready, cfg.num_smx);
  memcpy(sched_in.cta_done_valid, in.cta_done_valid, cfg.num_smx);
  memcpy(sched_in.cta_done_slot, in.cta_done_slot, cfg.num_smx);
}

static void wire_regs(void) {
  regs_in = (struct hd_regs_in){.answer_valid = kmu_out.host_answer_valid,
                                .answer_ready = in.host_answer_ready,
                                .answer = kmu_out.host_answer,
                                .enter_valid = kmu_out.kernel_valid,
                                .enter_ready = kd_out.kernel_ready,
                                .kernel_done_valid = kd_out.kernel_done_valid,
                                .kernel_done_ready = in.kernel_done_ready,
                                .grant_valid = sched_out.grant_valid,
                                .blocked = sched_out.blocked};
  memcpy(regs_in.done_ok, sched_out.done_ok, cfg.num_smx);
  memcpy(regs_in.done_empty, sched_out.done_empty, cfg.num_smx);
  memcpy(regs_in.done_early, sched_out.done_early, cfg.num_smx);
}

static void tick_parts(struct parts *p) {
  wire_kmu_and_kd();
  wire_fcfs_and_sched();
  wire_regs();
  hd_kmu_tick(p->kmu, &kmu_in);
  hd_kd_tick(p->kd, &kd_in);
  hd_fcfs_tick(p->fcfs, &fcfs_in);
  hd_sched_tick(p->sched, &sched_in);
  hd_regs_tick(p->regs, &regs_in);
}

/* Expects the plane's blocks to be in the same state as the loose ones, byte for byte. */
static void expect_same_parts(const struct parts *p) {
  assert_memory_equal(p->kmu, hd_top_kmu(m), hd_kmu_size(&cfg));
  assert_memory_equal(p->kd, hd_top_kd(m), hd_kd_size(&cfg));
  assert_memory_equal(p->fcfs, hd_top_fcfs(m), hd_fcfs_size(&cfg));
  assert_memory_equal(p->sched, hd_top_sched(m), hd_sched_size(&cfg));
  assert_memory_equal(p->regs, hd_top_regs(m), hd_regs_size(&cfg));
}

/* The plane, which lets its blocks share sets and pointers, is the same machine as the blocks wired port by port. */
static void test_plane_is_its_blocks(void **state) {
  (void)state;
  for (unsigned i = 0; i < hd_cfg_table_n; i++) {
    free(m);
    start(ut_cfg(hd_cfg_table[i].name));
    start_run(0x77 + i);
    struct parts p = new_parts();
    for (int t = 0; t < 3000; t++) {
      eval_parts(&p);
      random_cycle(true);
      for (unsigned s = 0; s < cfg.num_smx; s++) {
        assert_int_equal(out.dispatch_valid[s], sched_out.dispatch_valid[s]);
        assert_memory_equal(&out.dispatch[s], &sched_out.dispatch[s], sizeof out.dispatch[s]);
      }
      tick_parts(&p);
      expect_same_parts(&p);
    }
    free_parts(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_conservation), TEST(test_counters_agree),      TEST(test_cycle_is_eval_and_tick),
      TEST(test_reset),        TEST(test_plane_is_its_blocks),
  };
  return cmocka_run_group_tests_name("top_random", tests, NULL, NULL);
}
