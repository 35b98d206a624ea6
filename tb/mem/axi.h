/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* axi: the plane's AXI4 port in one cycle, as two structs that do not depend on the block whose ports they are. */
#ifndef HD_AXI_H
#define HD_AXI_H

#include <stdint.h>

#define HD_AXI_BEAT 16u /* bytes per beat */

/* Outputs of the manager (the plane). */
struct hd_axi_request {
  uint64_t awaddr, araddr, wdata_hi, wdata_lo;
  uint16_t wstrb;
  uint8_t awvalid, awid, awlen, awsize, awburst;
  uint8_t wvalid, wlast, bready;
  uint8_t arvalid, arid, arlen, arsize, arburst;
  uint8_t rready;
};

/* Outputs of the memory. */
struct hd_axi_response {
  uint64_t rdata_hi, rdata_lo;
  uint8_t awready, wready, arready;
  uint8_t bvalid, bid, bresp;
  uint8_t rvalid, rid, rresp, rlast;
};

enum hd_axi_resp { HD_AXI_OKAY = 0, HD_AXI_EXOKAY = 1, HD_AXI_SLVERR = 2, HD_AXI_DECERR = 3 };

/* Conversion from the outputs of a block with such a port (struct hd_top_out, struct hd_memarb_out), and to its
 * inputs. */
#define HD_AXI_FROM(out)                                                                                            \
  ((struct hd_axi_request){(out)->awaddr, (out)->araddr, (out)->wdata[1], (out)->wdata[0], (out)->wstrb,            \
                           (out)->awvalid, (out)->awid, (out)->awlen, (out)->awsize, (out)->awburst, (out)->wvalid, \
                           (out)->wlast, (out)->bready, (out)->arvalid, (out)->arid, (out)->arlen, (out)->arsize,   \
                           (out)->arburst, (out)->rready})
#define HD_AXI_INTO(in, reported)                                                 \
  do {                                                                            \
    (in)->rdata[1] = (reported)->rdata_hi, (in)->rdata[0] = (reported)->rdata_lo; \
    (in)->awready = (reported)->awready, (in)->wready = (reported)->wready;       \
    (in)->arready = (reported)->arready, (in)->bvalid = (reported)->bvalid;       \
    (in)->bid = (reported)->bid, (in)->bresp = (reported)->bresp;                 \
    (in)->rvalid = (reported)->rvalid, (in)->rid = (reported)->rid;               \
    (in)->rresp = (reported)->rresp, (in)->rlast = (reported)->rlast;             \
  } while (0)

#endif
