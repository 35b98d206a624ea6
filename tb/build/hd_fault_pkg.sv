// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The planted fault that is switched on (0: none) in RTL that tb/build/faults.py made of the
// design. The harness writes it before the first cycle. It has no initial value in the source,
// because that would overwrite what was written; a 2-state variable starts at 0 by itself.
package hd_fault_pkg;
  int unsigned sel  /*verilator public_flat_rw*/;
endpackage
