// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Assertions, by whose fault it is if one fails; each prints its kind, label, sentence and place.
//
//   `HD_ASSERT_PARAM(label, cond, "..")    whoever sets the parameters; a module item
//   `HD_ASSERT_IN(label, cond, "..")       whoever drives the inputs; a statement
//   `HD_ASSERT(label, cond, "..")          this block
//   `HD_ASSERT_PROP_IN, `HD_ASSERT_PROP    the same two for a property of clk_i, outside of reset
//   `HD_COVER(label, prop)                 the rare, for coverage
//
// They, and all that only they read, are under `ifdef HD_ASSERT_ON, which is defined here unless
// SYNTHESIS is (Yosys does so) or HD_ASSERT_OFF. Under FORMAL (yosys -formal) they are bare,
// and properties are left out. Icarus Verilog has neither labels of assertions nor properties.
`ifndef HD_ASSERT_SVH
`define HD_ASSERT_SVH
`ifndef SYNTHESIS
`ifndef HD_ASSERT_OFF
`define HD_ASSERT_ON
`endif
`endif

`define HD_SAY(kind, label, text) $error(kind, `"label`", ": ", text, " (%m)")
`ifdef FORMAL
`define HD_CHECK(kind, label, cond, text) assert (cond);
`else
`ifdef __ICARUS__
`define HD_CHECK(kind, label, cond, text) if (!(cond)) `HD_SAY(kind, label, text);
`else
`define HD_CHECK(kind, label, cond, text) label : assert (cond) else `HD_SAY(kind, label, text);
`define HD_PROPERTIES
`endif
`endif
`define HD_ASSERT(label, cond, text) `HD_CHECK("implementation: ", label, cond, text)
`define HD_ASSERT_IN(label, cond, text) `HD_CHECK("integration: ", label, cond, text)
`define HD_ASSERT_PARAM(label, cond, text) \
  initial begin `HD_CHECK("parameter: ", label, cond, text) end

`ifdef HD_PROPERTIES
`define HD_CHECK_PROP(kind, label, prop, text) \
  label : assert property (@(posedge clk_i) disable iff (!rst_ni) prop) \
  else `HD_SAY(kind, label, text);
`define HD_COVER(label, prop) label : cover property (@(posedge clk_i) prop);
`else
`define HD_CHECK_PROP(kind, label, prop, text)
`define HD_COVER(label, prop)
`endif
`define HD_ASSERT_PROP(label, prop, text) `HD_CHECK_PROP("implementation: ", label, prop, text)
`define HD_ASSERT_PROP_IN(label, prop, text) `HD_CHECK_PROP("integration: ", label, prop, text)
`endif
