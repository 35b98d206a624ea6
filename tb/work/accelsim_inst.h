/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* accelsim_inst: an instruction of an NVBit trace, as Accel-Sim's tracer writes it:
 *
 *     [TB x y z, warp] [line of the source] PC mask destinations [registers] opcode sources [registers]
 *       width of memory [format of addresses, addresses] [fields of later tracers]
 *
 * The first bracket exists in traces of tracers up to version 2, the second in traces with line numbers. */
#ifndef HD_ACCELSIM_INST_H
#define HD_ACCELSIM_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/lines.h"
#include "work/trace.h"

enum hd_accelsim_space { HD_ACCELSIM_PLAIN, HD_ACCELSIM_GLOBAL, HD_ACCELSIM_LOCAL, HD_ACCELSIM_OTHER };

struct hd_accelsim_inst {
  enum hd_accelsim_space space; /* PLAIN: no memory, unit or barrier; OTHER: a unit, or a barrier */
  enum hd_trace_op_kind kind;   /* if not PLAIN */
  bool texture;                 /* PLAIN, since the trace has no addresses for it */
  uint32_t mask, lanes;         /* active threads; their number */
  uint32_t width;               /* bytes per thread, by the opcode */
  uint64_t address[HD_WARP_LANES];
};

/* Windows of generic addresses, 16 MB each. 0: not in the trace. */
struct hd_accelsim_windows {
  uint64_t shared, local;
};

/* Parses the current line after `skip` fields; modifies the line. Returns false if the line is refused. */
bool hd_accelsim_inst(struct hd_lines *l, unsigned skip, const struct hd_accelsim_windows *w,
                      struct hd_accelsim_inst *i);

#endif
