// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Assertions, one macro per party at fault. A failure prints its kind, label, sentence and place.
//
//   `HD_ASSERT_PARAM(label, cond, "..")    the parameters are wrong; used as a module item
//   `HD_ASSERT_IN(label, cond, "..")       the driver of the inputs is wrong; a statement
//   `HD_ASSERT(label, cond, "..")          this block is wrong; a statement
//   `HD_ASSERT_PROP_IN, `HD_ASSERT_PROP    the last two, for a property of clk_i outside of reset
//   `HD_COVER(label, prop)                 a rare event, for coverage
//
// Assertions, and logic that only they read, are inside `ifdef HD_ASSERT_ON. This file defines
// HD_ASSERT_ON unless SYNTHESIS (set by Yosys) or HD_ASSERT_OFF is defined. Under FORMAL (yosys
// -formal) assertions have no label or message, and properties are omitted. Icarus Verilog supports
// neither labels of assertions nor properties.
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
