/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Evaluates the contract and the invariant of a block on a run of random lockstep: reads the vectors of `heddle equiv
 * --vectors` (tb/engine/vectors.h) from standard input. Prints a line for each sentence that does not hold, with the
 * first cycle, then the number of cycles. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY
#include "harness.h"
#include OWN

enum { LINE = 1 << 16, SENTENCES = 4096 };

static unsigned long cycles;
static const char *told[SENTENCES];

/* Prints a sentence once. */
void broken(const char *kind, const char *text) {
  unsigned k = 0;
  while (k < SENTENCES - 1 && told[k] && strcmp(told[k], text)) k++;
  if (told[k]) return;
  told[k] = text;
  printf("%s: %s: cycle %lu\n", kind, text, cycles);
}

static struct rtl_state s, next;
static struct rtl_in x;
static MODEL m;

static void step(void) {
  rtl_next(&s, &x, &next);
  s = next;
}

static void reset(unsigned n) {
  static const MODEL zero;
  m = zero;
  BLOCK_(_init)(&m, &cfg);
#ifdef HAS_GHOST
  static const struct ghost none;
  ghost = none;
#endif
  x.rst_ni[0] = 0;
  while (n--) step();
}

/* A cycle with the inputs in the hexadecimal digits before `end`. */
static void cycle(const char *end) {
  static struct rtl_out ro;
  static struct rtl_regs regs;
  static struct rtl_holds holds;
  static IN in;
  static struct BLOCK_(_out) mo;
  static struct BLOCK_(_arch) arch, no_arch;
  any_in(&x);
  x.clk_i[0] = 0;
  x.rst_ni[0] = 1;
  vector(&x, end);
  arch = no_arch;
  rtl_registers(&s, &x, &regs);
  BLOCK_(_arch)(&m, &arch, 1);
  same_state(&regs, &arch);
  invariant(&m, &regs);
  in_of(&x, &in);
  contract(&m, &in);
  rtl_outputs(&s, &x, &ro);
  rtl_assertions(&s, &x, &holds);
  BLOCK_(_eval)(&m, &in, &mo);
  owed_assertions(&holds);
  same_out(&ro, &mo);
  own_assertions(&holds);
  step();
  BLOCK_(_tick)(&m, &in);
  cycles++;
}

int main(void) {
  static char line[LINE];
  any_state(&s);
  reset(2);
  while (fgets(line, sizeof line, stdin)) {
    const char *inputs = strchr(line, ' ');
    const unsigned held = (unsigned)strtoul(line, NULL, 16);
    if (!inputs) return 2;
    if (held)
      reset(held);
    else
      cycle(strchr(inputs + 1, ' '));
  }
  printf("cycles: %lu\n", cycles);
  return 0;
}
