/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* axi_check: the AXI4 rules that the plane keeps as a manager, watched from the memory's side.
 *
 *   - what is offered on AW, W or AR stays offered, and the same, until it is taken
 *   - bursts are INCR, of 16-byte beats, 1 to 8 of them, begin at a multiple of 16 and cross no 4 KB boundary
 *   - the ID is the number of a client
 *   - a write burst has as many beats as its address says, the last one marked, in the order of the addresses; data may
 *     come before its address
 *   - B and R are always ready
 *   - nothing is read while a write to it is unanswered (ours: AXI4 gives no order between the two, so the plane must)
 *
 * Plain data without pointers: {0} and a number of clients is the state after reset. */
#ifndef HD_AXI_CHECK_H
#define HD_AXI_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/axi.h"

#define HD_AXI_BURSTS 128u /* unanswered, each way: axi_mem takes no more */

struct hd_axi_check {
  uint32_t clients;
  uint64_t cycle;
  struct hd_axi_asked was; /* what was offered in the cycle before and not taken */
  bool aw_waits, w_waits, ar_waits;
  struct hd_axi_write { /* in the order of their addresses */
    uint64_t addr;
    uint8_t id, beats;
    bool complete; /* its data is here */
  } write[HD_AXI_BURSTS];
  uint32_t writes;
  uint8_t ahead[HD_AXI_BURSTS]; /* beats of bursts whose address has not come */
  uint32_t aheads;
  uint8_t beats; /* of the burst whose data is coming */
  char text[160];
};

/* One cycle: what the manager said and what the memory said. NULL, or the first rule that is broken, in one line. */
const char *hd_axi_check(struct hd_axi_check *c, const struct hd_axi_asked *asked, const struct hd_axi_told *told);

#endif
