/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* axi_check: checks, at the memory, the AXI4 rules that the plane must keep as a manager.
 *
 *   - AW, W and AR stay valid and stable until they are accepted
 *   - bursts are INCR, of 1 to 8 beats of 16 bytes; they start at a multiple of 16 and cross no 4 KB boundary
 *   - the ID is the number of a client
 *   - a write burst has as many beats as its address declares, with wlast on the last one, in the order of the
 *     addresses; data may precede their address
 *   - bready and rready are always 1
 *   - no read of bytes with an unanswered write (ours: AXI4 does not order the two, so the plane must)
 *
 * Plain data without pointers: {0} with `clients` set is the state after reset. */
#ifndef HD_AXI_CHECK_H
#define HD_AXI_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/axi.h"

#define HD_AXI_BURSTS 128u /* unanswered bursts per direction; axi_mem accepts no more */

struct hd_axi_check {
  uint32_t clients;
  uint64_t cycle;
  struct hd_axi_request was; /* valid but not accepted in the cycle before */
  bool aw_waits, w_waits, ar_waits;
  struct hd_axi_write { /* in the order of their addresses */
    uint64_t addr;
    uint8_t id, beats;
    bool complete; /* all its data have arrived */
  } write[HD_AXI_BURSTS];
  uint32_t writes;
  uint8_t ahead[HD_AXI_BURSTS]; /* beats of bursts whose data precede their address */
  uint32_t aheads;
  uint8_t beats; /* beats so far of the burst whose data are arriving */
  char text[160];
};

/* Checks one cycle. Returns NULL, or one line that names the first broken rule. */
const char *hd_axi_check(struct hd_axi_check *c, const struct hd_axi_request *asked,
                         const struct hd_axi_response *reported);

#endif
