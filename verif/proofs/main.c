/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL and golden model in lockstep for DEPTH + 1 cycles, with any inputs that the contract allows.
 *   BASE:   from reset; every cycle is checked
 *   (none)  from any state of both; the first DEPTH cycles are assumed to be right, the last is checked
 *   REACH:  the same, everything assumed: the end must be reachable
 *   SHOW:   prints what the cycles of a counterexample hold */
#include "harness.h"
#include OWN

#ifdef BASE
enum { FROM = 0 };
#else
enum { FROM = DEPTH };
#endif

static IN in;
static struct BLOCK_(_out) mo;
static struct BLOCK_(_arch) arch;
static MODEL m;

/* Any content, except what init sets for ever. */
static void any_model(void) {
  MODEL any;
  any.FIXED = m.FIXED;
#ifdef FIXED_INSIDE
  any.FIXED_INSIDE = m.FIXED_INSIDE;
#endif
  m = any;
#ifdef HAS_GHOST
  struct ghost unknown;
  ghost = unknown;
#endif
}

static void start(void) {
  any_state();
  BLOCK_(_init)(&m, &cfg);
#ifdef BASE
  any_in();
  in_clk_i_0 = 0;
  in_rst_ni_0 = 0;
  rtl_step();
  rtl_step();
#else
  any_model();
#endif
}

int main(void) {
  start();
  for (unsigned k = 0; k <= DEPTH; k++) {
    checking = k >= FROM;
    memset(&arch, 0, sizeof arch);
    rtl_registers();
    BLOCK_(_arch)(&m, &arch, 1);
    same_state(&arch);
    invariant(&m);
    any_in();
    in_clk_i_0 = 0;
    in_rst_ni_0 = 1;
    in_of(&in);
    contract(&m, &in);
    rtl_outputs();
    rtl_assertions();
    memset(&mo, 0, sizeof mo);
    BLOCK_(_eval)(&m, &in, &mo);
    owed_assertions();
#ifdef SHOW
    __CPROVER_output("cycle", k);
    show();
#endif
    same_out(&mo);
    own_assertions();
    if (k == DEPTH) break;
    rtl_step();
    BLOCK_(_tick)(&m, &in);
  }
#ifdef REACH
  __CPROVER_assert(0, "reached");
#endif
  return 0;
}
