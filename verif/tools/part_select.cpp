// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Checks whether this Verilator simulates part_select.sv correctly. Exit code 1 if not.
#include "Vpart_select.h"

int main() {
  VerilatedContext context;
  Vpart_select dut{&context};
  int wrong = 0;
  for (unsigned k = 0; k < 64; k++) {
    unsigned at = k % 8, v = k / 8 % 4, want = 0;
    for (int p = 0; p < 3; p++) want |= (at >> p & 1) * v << 2 * p;
    dut.at_i = at, dut.v_i = v, dut.flip_i = k ^ 21;
    dut.clk_i = 0, dut.eval();
    dut.clk_i = 1, dut.eval();
    wrong += dut.q_o != (want ^ k ^ 21);
  }
  return wrong != 0;
}
