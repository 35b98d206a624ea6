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

static struct rtl_state s, next;
static struct rtl_in x;
static struct rtl_out ro;
static struct rtl_regs regs;
static struct rtl_holds holds;
static IN in;
static struct BLOCK_(_out) mo;
static struct BLOCK_(_arch) arch;
static MODEL m;

static void step(void) {
  rtl_next(&s, &x, &next);
  s = next;
}

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
  any_state(&s);
  BLOCK_(_init)(&m, &cfg);
#ifdef BASE
  any_in(&x);
  x.clk_i[0] = 0;
  x.rst_ni[0] = 0;
  step();
  step();
#else
  any_model();
#endif
}

int main(void) {
  start();
  for (unsigned k = 0; k <= DEPTH; k++) {
    checking = k >= FROM;
    memset(&arch, 0, sizeof arch);
    rtl_registers(&s, &x, &regs);
    BLOCK_(_arch)(&m, &arch, 1);
    same_state(&regs, &arch);
    invariant(&m, &regs);
    any_in(&x);
    x.clk_i[0] = 0;
    x.rst_ni[0] = 1;
    in_of(&x, &in);
    contract(&m, &in);
    rtl_outputs(&s, &x, &ro);
    rtl_assertions(&s, &x, &holds);
    memset(&mo, 0, sizeof mo);
    BLOCK_(_eval)(&m, &in, &mo);
    owed_assertions(&holds);
#ifdef SHOW
    __CPROVER_output("cycle", k);
    show(&regs, &x, &ro);
#endif
    same_out(&ro, &mo);
    own_assertions(&holds);
    if (k == DEPTH) break;
    step();
    BLOCK_(_tick)(&m, &in);
  }
#ifdef REACH
  __CPROVER_assert(0, "reached");
#endif
  return 0;
}
