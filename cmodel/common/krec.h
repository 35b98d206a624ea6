/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* krec: the record of a kernel in memory, 128 bytes. One format for device kernels that wait in memory for an entry of
 * the Kernel Distributor (dtbl-isca2015 section 4.3: kernels beyond the pending ones on chip) and for suspended
 * kernels. Little endian; the format is ours:
 *
 *    0 PC 8, param 8
 *   16 TB x 2, y 2, z 2, warps 2, register units 2, shared memory units 2, level 1, stream 1, parent record 2
 *   32 grid x 4, y 2, z 2, TBs 4, HWQ 1, {rest, host, failed} 1, tag 2
 *   48 0, natives done 1, groups pending 1, chained 1, next TB 4, NAGEI 4, LAGEI 4
 *   64 first saved TB 2, saved TBs 2, own parent record 2, SMX that launched it 1, 0,
 *   72 groups in memory: first 4, count 4; the rest is 0
 *
 * A field is zero-extended to its bytes; excess bits are ignored when it is read. An SMX number that does not exist, in
 * a corrupted record, is read as 0. */
#ifndef HD_KREC_H
#define HD_KREC_H

#include <stdint.h>

#include "gen/hd_types.h"

#define HD_KREC_BEATS 8
#define HD_KREC_WORDS (2 * HD_KREC_BEATS)
#define HD_KREC_BYTES (16 * HD_KREC_BEATS)

/* Field widths that differ between configurations; computed once. */
struct hd_krec_widths {
  uint8_t pc, param, grid_x, grid_y, grid_z, cta_x, cta_y, cta_z, warps, regs, smem, ctas, level, stream, up, hwq, tag,
      sav_first, sav_count, age, list_pos, list_count, smx;
  uint8_t num_smx;
};

struct hd_krec_widths hd_krec_widths(const struct hd_cfg *cfg);

/* Pack and unpack a record as 8-byte words, two per beat, lower address first. kernel.resumed is not stored and reads
 * as 0. */
void hd_krec_pack(const struct hd_kernel *k, uint64_t word[HD_KREC_WORDS]);
void hd_krec_unpack(const uint64_t word[HD_KREC_WORDS], const struct hd_krec_widths *w, struct hd_kernel *k);

#endif
