/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Substitutes for the kernels of the warp scheduler's paper: the stated number of TBs, in total and per SMX, and
 * complete issue of their warps' instructions. */
#include <stddef.h>
#include <stdint.h>

#include "sim/fit.h"
#include "sim/loop.h"
#include "test_list.h"
#include "unit/util.h"
#include "work/kernels.h"

static const char *const names[] = {"vectoradd", "multigpu", "montecarlo", "mergesort", "storegpu", "mummer"};

static uint32_t running[HD_MAX_NUM_SMX], most;

static void taken(void *ctx, uint32_t smx, const struct hd_resident *r) {
  (void)ctx, (void)r;
  if (++running[smx] > most) most = running[smx];
}

static void left(void *ctx, uint64_t now, uint32_t smx, const struct hd_resident *r) {
  (void)ctx, (void)now, (void)r;
  running[smx]--;
}

static struct hd_loop_result run(struct hd_kernels *k, const struct hd_warps_opts *warps) {
  const struct hd_cfg cfg = ut_cfg("gtx480ws");
  char err[400];
  const struct hd_sim_opts so = {.block = "top", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "kernels"};
  struct hd_sim *sim = hd_sim_open(&so, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  struct hd_gpu_opts gpu = hd_gpu_defaults();
  gpu.schedulers = 2;
  const struct hd_work work = hd_kernels_work(k);
  const struct hd_loop_opts o = {
      .cfg = &cfg, .patience = 20000, .take_every = 1, .gpu = &gpu, .warps = warps, .taken = taken, .left = left};
  const struct hd_loop_result r = hd_loop_run(sim, &work, &o);
  hd_sim_close(sim);
  if (r.verdict != HD_PASS) fail_msg("%s", r.text);
  return r;
}

/* On the SMXs' own schedulers, and the short ones also on the plane's. */
TEST(test_kernels) {
  const struct hd_warps_opts lwf = {.policy = HD_WPOLICY_LWF, .engine = HD_ENGINE_MODEL};
  for (unsigned n = 0; n < 6; n++) {
    const struct hd_kernels_kind *kind = hd_kernels_find(names[n]);
    const struct hd_kernels_opts o = {.regs = 20, .seed = 3, .jitter = 100};
    struct hd_kernels *k = hd_kernels_new(kind, &o);
    most = 0;
    const struct hd_loop_result r = run(k, n < 2 ? &lwf : NULL);
    assert_int_equal(r.ctas, kind->ctas);
    assert_int_equal(hd_kernels_done(k), kind->ctas);
    assert_int_equal(r.gpu.instructions, hd_kernels_instructions(k));
    assert_int_equal(most, kind->ctas > 15 * kind->resident ? kind->resident : (kind->ctas + 14) / 15);
    hd_kernels_free(k);
  }
  assert_null(hd_kernels_find("bfs"));
}

TEST_MAIN("kernels", NULL, NULL)
