/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Memory errors while the plane is never idle: AGEs that failed kernels occupy, and when they are freed. */
#include "unit/dev_model.h"

enum { ROUNDS = 20, KEEPER = 3, GROUPS = 5 };

/* AGEs in use, of the free list. */
static unsigned in_use(void) {
  const struct hd_link_ring *r = &hd_top_link(m)->ring;
  return r->fresh - r->count;
}

/* A kernel whose TB launches this many groups; the record of the last one is unreadable if `fails`. Its TB has the last
 * slot, so none of them runs before it ends. Returns how many got an AGE. No record is used twice. */
static unsigned run_kernel(unsigned k, unsigned groups, bool fails) {
  static unsigned record;
  const unsigned n = tbs, a = answers, t = ended_n;
  unsigned ages = 0;
  if (!t) record = 0;
  host_kernel(k, 1, 1);
  until(&tbs, n + 1, 100);
  const struct logged_tb parent = tb[n];
  for (unsigned g = 1; g <= groups; g++) launch_group(parent.smx, parent.d.slot, k + g, 1, record++, 0);
  if (fails) assert_true(hd_axi_mem_spoil(mem, REC_BASE * 256 + 64 * (uint64_t)(record - 1), 64, HD_AXI_SLVERR));
  until(&answers, a + groups, 200);
  for (unsigned g = a; g < answers; g++) ages += answer[g].a.code == HD_CODE_ACCEPTED;
  ticks(60);
  episode = 20;
  end_tb(parent.smx, parent.d.slot);
  until(&ended_n, t + 1, 3000);
  assert_int_equal(ended[t].c.tag, k);
  assert_int_equal(ended[t].c.failed, fails);
  assert_int_equal(tbs, n + 1 + (fails ? 0 : groups));
  ticks(60);
  episode = NEVER;
  return ages;
}

/* The first kernel that fails keeps all AGEs; later errors cost none, since none are left. Meanwhile groups of kernels
 * without an error all run, from memory. When the plane is idle the AGEs are freed. */
TEST(steady_load) {
  begin_with(ut_cfg("tiny"), &fast);
  host_kernel(0, 0, KEEPER);
  until(&tbs, KEEPER, 60);
  assert_int_equal(run_kernel(1000, 3, false), 3);
  assert_int_equal(in_use(), 0);
  for (unsigned k = 0; k < ROUNDS; k++) {
    assert_int_equal(run_kernel(2000 + 8 * k, GROUPS, true), k ? 0 : cfg.agt_size);
    assert_int_equal(in_use(), cfg.agt_size);
    assert_int_equal(run_kernel(3000 + 8 * k, GROUPS, false), 0);
    assert_int_equal(in_use(), cfg.agt_size);
  }
  for (unsigned n = 0; n < KEEPER; n++) end_nth(n);
  until(&ended_n, 2 + 2 * ROUNDS, 100);
  ticks(HD_LINK_IDLE);
  assert_int_equal(in_use(), 0);
  host_kernel(0, 0, KEEPER);
  until(&tbs, tbs + KEEPER, 60);
  assert_int_equal(run_kernel(1000, 3, false), 3);
  drain(3000);
  script_end();
  free(m);
}

TEST_MAIN("error_load", NULL, NULL)
