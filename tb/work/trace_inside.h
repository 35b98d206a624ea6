/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* trace_inside: what the files that read a trace share: trace_read.c (kernels, launches), trace_streams.c (streams,
 * events, latencies), trace_programs.c (instructions) and trace_order.c (which kernels run, and in which order). */
#ifndef HD_TRACE_INSIDE_H
#define HD_TRACE_INSIDE_H

#include "graph/lines.h"
#include "work/trace.h"

/* A field of a line: its name in messages, its range, and the fields of the whole line. */
struct hd_trace_number {
  const char *what;
  uint64_t min, max;
  const char *line;
};

/* Cuts the next field, parted by blanks or tabs, out of *p; NULL: the line has no more. */
char *hd_trace_field(char **p);
/* Reads n fields as whole numbers; false: one is missing or out of range, and the line is refused. */
bool hd_trace_numbers(struct hd_lines *l, char **p, const struct hd_trace_number *of, unsigned n, uint64_t *v);
/* Makes room for one more element behind the n that *of has; false: out of memory, and the file is refused. */
bool hd_trace_room(struct hd_lines *l, void **of, size_t size, uint32_t n, uint32_t *cap);

/* Lines of version 3, behind their first word; false: the line is refused. */
bool hd_trace_latency(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_record(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_wait(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_stream(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_program(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_warps(struct hd_lines *l, char *p, struct hd_trace *t);

/* Drops the kernels that `only` (work/select.h; NULL: takes all) does not take, sorts the others by arrival, chains
 * those of each HWQ, and turns events into kernels to wait for. False: err holds one line: `only` names a kernel that
 * is not in the file, a wait has no record before it, a kernel can never be launched, or memory ran out. */
bool hd_trace_order(struct hd_trace *t, const char *name, const char *only, char *err, size_t err_size);

#endif
