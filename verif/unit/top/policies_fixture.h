/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the policy tests: a full machine, groups that a TB launches, and the TB that replaces one that ends. */
#ifndef HD_POLICIES_FIXTURE_H
#define HD_POLICIES_FIXTURE_H

#include "api/device.h"
#include "unit/dev_model.h"

enum { SPILL_BASE = 0x80000 };

/* At least n groups of each bank and level find room in memory. */
static inline void spill_region(uint32_t n) {
  apb(HD_REG_SPILL_BASE, true, SPILL_BASE);
  apb(HD_REG_SPILL_COUNT, true, hd_device_spilled(&cfg, n));
}

/* Launches kernel 0 with this many TBs; 208 fill the machine, with TB n in slot n / 13 of SMX n % 13. */
static inline void fill(unsigned policy, uint32_t ctas) {
  set_policy(policy);
  host_kernel(0, 0, ctas);
  until(&tbs, 208, 300);
  ticks(10);
}

static inline void full_machine(unsigned policy, uint32_t ctas) {
  begin("k20c");
  fill(policy, ctas);
}

/* One TB on each SMX, in slot 0. */
static inline void one_on_each(unsigned policy) {
  begin("k20c");
  set_policy(policy);
  host_kernel(0, 0, 13);
  until(&tbs, 13, 40);
  ticks(10);
}

/* Runs until all launches are answered and stored. */
static inline void all_answered(void) {
  unsigned beats = 0;
  for (unsigned s = 0; s < cfg.num_smx; s++) beats += port[s].n;
  until(&answers, beats, 100);
  ticks(2);
}

/* Groups `first` .. `last` of one TB each, launched by the TB in slot 0 of an SMX. */
static inline void launch_groups(unsigned smx, unsigned first, unsigned last) {
  for (unsigned g = first; g <= last; g++) launch_group(smx, 0, g, 1, g, g);
  all_answered();
}

/* On a full machine ends the TB in this slot and expects TB b of k to replace it. */
static inline const struct logged_tb *refill(unsigned smx, unsigned s, unsigned k, uint32_t b) {
  unsigned n = tbs;
  end_tb(smx, s);
  until(&tbs, n + 1, 20);
  assert_int_equal(tb[n].smx, smx);
  assert_int_equal(tb[n].d.slot, s);
  return expect_tb(n, k, b);
}

/* Ends it and expects no replacement. */
static inline void no_refill(unsigned smx, unsigned s) {
  unsigned n = tbs;
  end_tb(smx, s);
  ticks(40);
  assert_int_equal(tbs, n);
}

#endif
