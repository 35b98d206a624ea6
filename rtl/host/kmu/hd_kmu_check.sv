// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kmu_check: checks a host launch and makes the kernel that is queued for it. Combinational.
//
// - code_o, the first that applies: those of hd_kmu_need (ZeroDim, OverLimit, NeverFits),
//   UnknownHwq, Refused (its HWQ is full), Accepted. A launch with a graph is also OverLimit if it
//   has more than 65535 TBs, if its parameter address (that of the graph's descriptor) is not a
//   multiple of 64 or beyond the reach of the memory port, or if the plane has no graph buffer.
// - kernel_o is valid only for an accepted launch; its need then fits its fields.
// Part of hd_kmu, whose tests cover it.
module hd_kmu_check (
  input  hd_pkg::launch_t launch_i,
  input  logic            hwq_full_i,
  output hd_pkg::code_e   code_o,
  output hd_pkg::hwqrow_t kernel_o
);

  localparam int HwqW = hd_pkg::HwqW;

  hd_pkg::code_e code;
  hd_pkg::need_t need;
  logic unknown_hwq, graph_over;

  hd_kmu_need u_need (
    .desc_i   (launch_i.desc),
    .threads_i(launch_i.threads),
    .regs_i   (launch_i.regs),
    .smem_i   (launch_i.smem),
    .ctas_i   (launch_i.ctas),
    .code_o   (code),
    .need_o   (need)
  );

  assign unknown_hwq = 32'(launch_i.hwq) >= hd_pkg::NumHwq;

  // No graph buffer, more TBs than a graph can have nodes, or a descriptor that is misaligned or
  // beyond the memory port's addresses.
  assign graph_over = launch_i.graph && (hd_pkg::HasGraph == 0 || 32'(launch_i.ctas) > 65535
      || launch_i.desc.param[5:0] != '0 || (64'(launch_i.desc.param) >> hd_pkg::AddrW) != '0);

  always_comb begin
    if (code == hd_pkg::CodeZeroDim) code_o = code;
    else if (graph_over) code_o = hd_pkg::CodeOverLimit;
    else if (code != hd_pkg::CodeAccepted) code_o = code;
    else if (unknown_hwq) code_o = hd_pkg::CodeUnknownHwq;
    else if (hwq_full_i) code_o = hd_pkg::CodeRefused;
    else code_o = hd_pkg::CodeAccepted;
  end

  assign kernel_o.desc = launch_i.desc;
  assign kernel_o.need = need;
  assign kernel_o.ctas = launch_i.ctas;
  assign kernel_o.hwq = HwqW'(launch_i.hwq);
  assign kernel_o.tag = launch_i.tag;

endmodule
