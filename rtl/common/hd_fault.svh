// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Planted faults. HD_FAULT(id, good, bad) is (good) in every normal build. A build with HD_FAULTS
// chooses (bad) while hd_fault_pkg::sel is id, so that one build can show that the checks catch
// each of the faults in verif/faults.csv.
`ifndef HD_FAULT_SVH
`define HD_FAULT_SVH
`ifdef HD_FAULTS
`define HD_FAULT(id, good, bad) ((hd_fault_pkg::sel == (id)) ? (bad) : (good))
`else
`define HD_FAULT(id, good, bad) (good)
`endif
`endif
