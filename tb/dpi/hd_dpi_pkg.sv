// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dpi_pkg: the golden model of the plane in any SystemVerilog simulator, through DPI-C. Link
// with libheddle. Contracts and order of the calls: cmodel/api/dpi.h; a test bench:
// docs/library.md.
package hd_dpi_pkg;

  import "DPI-C" function chandle hd_dpi_new(input string configuration);
  import "DPI-C" function string hd_dpi_error(input chandle plane);
  import "DPI-C" function void hd_dpi_free(input chandle plane);
  import "DPI-C" function bit hd_dpi_has_param(
    input chandle plane,
    input string  name
  );
  import "DPI-C" function int unsigned hd_dpi_param(
    input chandle plane,
    input string  name
  );
  import "DPI-C" function void hd_dpi_reset(input chandle plane);

  import "DPI-C" function int unsigned hd_dpi_launch(
    input chandle          plane,
    input int unsigned     hwq,
    input int unsigned     tag,
    input int unsigned     grid_x,
    input int unsigned     grid_y,
    input int unsigned     grid_z,
    input int unsigned     cta_x,
    input int unsigned     cta_y,
    input int unsigned     cta_z,
    input int unsigned     regs,
    input int unsigned     smem,
    input longint unsigned pc,
    input longint unsigned param
  );
  import "DPI-C" function bit hd_dpi_launch_ready(input chandle plane);

  import "DPI-C" function bit hd_dpi_answer(
    input  chandle      plane,
    output int unsigned tag,
    output int unsigned code
  );
  import "DPI-C" function bit hd_dpi_dispatch(
    input  chandle          plane,
    input  int unsigned     smx,
    output int unsigned     slot,
    output int unsigned     kdei,
    output int unsigned     blkid,
    output longint unsigned pc,
    output longint unsigned param
  );
  import "DPI-C" function bit hd_dpi_kernel_done(
    input  chandle      plane,
    output int unsigned tag
  );

  import "DPI-C" function void hd_dpi_answer_ready(
    input chandle plane,
    input bit     ready
  );
  import "DPI-C" function void hd_dpi_dispatch_ready(
    input chandle      plane,
    input int unsigned smx,
    input bit          ready
  );
  import "DPI-C" function void hd_dpi_kernel_done_ready(
    input chandle plane,
    input bit     ready
  );
  import "DPI-C" function void hd_dpi_cta_done(
    input chandle      plane,
    input int unsigned smx,
    input int unsigned slot
  );

  import "DPI-C" function void hd_dpi_apb(
    input chandle      plane,
    input bit          psel,
    input bit          penable,
    input bit          pwrite,
    input int unsigned paddr,
    input int unsigned pwdata,
    input int unsigned pstrb
  );
  import "DPI-C" function bit hd_dpi_apb_read(
    input  chandle      plane,
    output int unsigned prdata
  );

  import "DPI-C" function void hd_dpi_tick(input chandle plane);

  import "DPI-C" function int unsigned hd_dpi_launch_graph(
    input chandle          plane,
    input int unsigned     hwq,
    input int unsigned     tag,
    input int unsigned     grid_x,
    input int unsigned     grid_y,
    input int unsigned     grid_z,
    input int unsigned     cta_x,
    input int unsigned     cta_y,
    input int unsigned     cta_z,
    input int unsigned     regs,
    input int unsigned     smem,
    input longint unsigned pc,
    input longint unsigned param
  );
  import "DPI-C" function bit hd_dpi_dispatch_more(
    input  chandle      plane,
    input  int unsigned smx,
    output int unsigned group,
    output int unsigned level,
    output int unsigned restart,
    output int unsigned grid_x,
    output int unsigned grid_y,
    output int unsigned grid_z,
    output int unsigned cta_x,
    output int unsigned cta_y,
    output int unsigned cta_z
  );
  import "DPI-C" function int unsigned hd_dpi_dispatch_next(
    input chandle      plane,
    input int unsigned smx
  );
  import "DPI-C" function bit hd_dpi_kernel_failed(input chandle plane);
  import "DPI-C" function longint unsigned hd_dpi_run(
    input chandle          plane,
    input longint unsigned most
  );
  import "DPI-C" function int unsigned hd_dpi_device(
    input chandle      plane,
    input int unsigned latency,
    input int unsigned policy
  );
  import "DPI-C" function string hd_dpi_policy(input int unsigned number);
  import "DPI-C" function int unsigned hd_dpi_dev_launch(
    input chandle          plane,
    input int unsigned     smx,
    input int unsigned     slot,
    input int unsigned     kind,
    input int unsigned     lane,
    input bit              last,
    input int unsigned     stream,
    input int unsigned     grid_x,
    input int unsigned     grid_y,
    input int unsigned     grid_z,
    input int unsigned     cta_x,
    input int unsigned     cta_y,
    input int unsigned     cta_z,
    input int unsigned     regs,
    input int unsigned     smem,
    input longint unsigned pc,
    input longint unsigned param
  );
  import "DPI-C" function bit hd_dpi_dev_answer(
    input  chandle      plane,
    output int unsigned smx,
    output int unsigned slot,
    output int unsigned kind,
    output int unsigned lane,
    output int unsigned code
  );
  import "DPI-C" function longint unsigned hd_dpi_launch_cycles(
    input chandle      plane,
    input int unsigned kind,
    input int unsigned threads
  );
  import "DPI-C" function int unsigned hd_dpi_graph(
    input chandle      plane,
    input int unsigned grid_x,
    input int unsigned grid_y,
    input int unsigned grid_z
  );
  import "DPI-C" function int unsigned hd_dpi_graph_order(
    input chandle      plane,
    input int unsigned order,
    input int unsigned bound
  );
  import "DPI-C" function int unsigned hd_dpi_graph_edge(
    input chandle      plane,
    input int unsigned parent,
    input int unsigned child
  );
  import "DPI-C" function int unsigned hd_dpi_graph_pattern(
    input chandle          plane,
    input int unsigned     pattern,
    input int unsigned     degree,
    input longint unsigned seed
  );
  import "DPI-C" function longint unsigned hd_dpi_graph_end(
    input  chandle      plane,
    output int unsigned levels,
    output int unsigned edges
  );
  import "DPI-C" function string hd_dpi_graph_text(input chandle plane);
  import "DPI-C" function int unsigned hd_dpi_state(
    input chandle      plane,
    input int unsigned which
  );

endpackage
