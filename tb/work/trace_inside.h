/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* trace_inside: declarations shared by the files that read a trace: trace_read.c (kernels, launches), trace_streams.c
 * (streams, events, latencies), trace_programs.c (instructions) and trace_order.c (selection and order of kernels). */
#ifndef HD_TRACE_INSIDE_H
#define HD_TRACE_INSIDE_H

#include "graph/lines.h"
#include "work/trace.h"

/* A field of a line: its name in messages, its range, and the format of the whole line. */
struct hd_trace_number {
  const char *what;
  uint64_t min, max;
  const char *line;
};

/* Cuts the next field, separated by blanks or tabs, out of *p. Returns NULL at the end of the line. */
char *hd_trace_field(char **p);
/* Reads n fields as whole numbers. If one is missing or out of range, refuses the line and returns false. */
bool hd_trace_numbers(struct hd_lines *l, char **p, const struct hd_trace_number *of, unsigned n, uint64_t *v);
/* Makes room for one more element after the n of *of. If out of memory, refuses the file and returns false. */
bool hd_trace_room(struct hd_lines *l, void **of, size_t size, uint32_t n, uint32_t *cap);

/* Parse lines of version 3, after the first word. Return false if the line is refused. */
bool hd_trace_latency(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_record(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_wait(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_stream(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_program(struct hd_lines *l, char *p, struct hd_trace *t);
bool hd_trace_warps(struct hd_lines *l, char *p, struct hd_trace *t);

/* Drops the kernels that `only` does not select (work/select.h; NULL: selects all), sorts the others by arrival, chains
 * those of each HWQ, and replaces events by the kernels to wait for. Returns false with one line in err if `only` names
 * a kernel that is not in the file, a wait has no record before it, a kernel can never be launched, or if out of
 * memory. */
bool hd_trace_order(struct hd_trace *t, const char *name, const char *only, char *err, size_t err_size);

#endif
