/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Evaluates the contract and the invariant of a block on a run of random lockstep: reads the vectors of `heddle equiv
 * --vectors` (tb/engine/vectors.h) from standard input. Prints a line for each sentence that does not hold, with the
 * first cycle, then the number of cycles. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static MODEL m;

static void reset(unsigned n) {
  static const MODEL zero;
  m = zero;
  BLOCK_(_init)(&m, &cfg);
#ifdef HAS_GHOST
  static const struct ghost none;
  ghost = none;
#endif
  in_rst_ni_0 = 0;
  while (n--) rtl_step();
}

/* A cycle with the inputs in the hexadecimal digits before `end`. */
static void cycle(const char *end) {
  static IN in;
  static struct BLOCK_(_out) mo;
  static struct BLOCK_(_arch) arch, no_arch;
  any_in();
  in_clk_i_0 = 0;
  in_rst_ni_0 = 1;
  vector(end);
  arch = no_arch;
  rtl_registers();
  BLOCK_(_arch)(&m, &arch, 1);
  same_state(&arch);
  invariant(&m);
  in_of(&in);
  contract(&m, &in);
  rtl_outputs();
  rtl_assertions();
  BLOCK_(_eval)(&m, &in, &mo);
  owed_assertions();
  same_out(&mo);
  own_assertions();
  rtl_step();
  BLOCK_(_tick)(&m, &in);
  cycles++;
}

int main(void) {
  static char line[LINE];
  any_state();
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
