/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* trace: reads kernels from a text file: arrival, shape, and durations of their TBs.
 *
 *     heddle-trace 1
 *     # arrival  hwq  grid x y z   TB x y z   registers  shared  duration
 *     0          0    104  1 1     256 1 1    32         0       500
 *     0          1    40   2 1     128 2 1    16         4096    uniform(100,900)
 *     2500       0    7    1 1     1024 1 1   32         0       exp(400)
 *     2500       2    7    1 1     64 1 1     32         0       normal(1000, 50.5)
 *
 * The first line is the version. Blank lines and comments from '#' on are skipped. Fields are separated by blanks or
 * tabs: arrival in cycles; HWQ; grid in TBs; TB in threads; registers per thread (0 to 255); shared memory of a TB in
 * bytes (rounded up to 256); cycles for which an SMX holds a TB: a number, uniform(a,b), exp(mean) or
 * normal(mean,deviation). A drawn duration is rounded to whole cycles, at least 1. It depends only on the seed, the
 * kernel and the TB's id. Lines need not be in the order of arrival; kernels of one HWQ that arrive together keep the
 * order of the lines. Every error message names line and field.
 *
 * Version 2 has names, kernels that wait for others, launches from the device, and a duration for each TB:
 *
 *     heddle-trace 2
 *     kernel a    0 0  8 1 1  64 1 1  32 0  each(500*4, 700, 300*3)
 *     kernel b    0 1  40 2 1 128 2 1 16 4096 exp(400)
 *     after  a                                         # launched when a is done
 *     launch 0-78/2 200 4  3  64 1 1 16 0 uniform(50,90) # of b's even TBs, after 200 cycles, 4 threads: 3 TBs each
 *
 * Version 3 has streams: priorities of HWQs, events that one HWQ records and another waits for, and the latency from
 * the host's call to the plane:
 *
 *     heddle-trace 3
 *     stream 1 -5                      # of two ready launches, that of HWQ 1 goes first
 *     kernel a  0 0  8 1 1  64 1 1  32 0  500
 *     latency 700                      # the launch of a reaches the plane 700 cycles after the call
 *     record e  0 0                    # in cycle 0, on HWQ 0: reached when a is done
 *     wait   e  0 1                    # in cycle 0, on HWQ 1: later launches there wait for e
 *     kernel b  0 1  8 1 1  64 1 1  32 0  500
 *
 * and instructions, for SMXs that run warps: programs of operations, and the programs that each TB's warps run:
 *
 *     program 2l:0,1x3 5s:8 1e         # two instructions and a load of four lines, five and a store, one and the end
 *     kernel c  0 0  2 1 1  64 1 1  32 0  500
 *     warps  0  0:1000 0:2000          # TB 0: both warps run program 0, from lines 1000 and 2000 on
 *     warps  1  0:3000 -               # warp 1 of TB 1 ends at once
 *
 * Full description: docs/trace.md. */
#ifndef HD_TRACE_H
#define HD_TRACE_H

#include <stddef.h>

#include "sim/work.h"

#define HD_TRACE_DURATION_MAX 1e12
#define HD_TRACE_HWQS 256u
#define HD_TRACE_NAME_MAX 255
#define HD_TRACE_NONE UINT32_MAX
#define HD_TRACE_ARRIVAL_MAX ((uint64_t)1 << 48)
#define HD_TRACE_LATENCY_MAX ((uint64_t)1 << 40)
#define HD_TRACE_NO_LATENCY UINT64_MAX
#define HD_TRACE_PRIORITY_MAX 100 /* and its negative */

enum hd_draw_kind { HD_DRAW_FIXED, HD_DRAW_UNIFORM, HD_DRAW_EXP, HD_DRAW_NORMAL, HD_DRAW_EACH };

struct hd_draw {
  enum hd_draw_kind kind;
  double a, b; /* the number; limits; mean; mean and deviation; EACH: unused, see runs */
};

/* A range of elements of one of the arrays of a trace. */
struct hd_trace_span {
  uint32_t first, n;
};

/* TBs from the end of the previous run to end - 1 take `cycles` each. */
struct hd_trace_run {
  uint32_t end;
  uint64_t cycles;
};

/* A launch by a warp of each of the TBs first, first + step, .., up to last. */
struct hd_trace_call {
  uint64_t line;
  uint32_t first, last, step; /* TBs */
  uint64_t before;            /* cycles from the TB's begin */
  uint32_t threads, ctas;     /* threads that launch; TBs of each child */
  uint32_t items;             /* launches of the kernel on earlier lines */
  struct hd_device_call child;
  struct hd_draw duration;
};

/* An operation of a stream between its kernels: it records an event, or waits for one. */
struct hd_trace_event {
  char name[HD_TRACE_NAME_MAX + 1];
  bool records; /* false: it waits */
  uint8_t hwq;
  uint64_t arrival, line;
  struct hd_trace_span set; /* of a record: the event is reached when these kernels are done */
};

/* An operation of a warp: `before` instructions without memory or unit, then one of this kind. A memory operation lists
 * the lines of 128 bytes that its threads touch, each by its distance from the previous one; one of local memory lists
 * words, from 0. */
enum hd_trace_op_kind {
  HD_TRACE_LOAD,
  HD_TRACE_STORE,
  HD_TRACE_ATOMIC, /* a store and a load of the same lines */
  HD_TRACE_LOCAL_LOAD,
  HD_TRACE_LOCAL_STORE,
  HD_TRACE_SHARED,
  HD_TRACE_SPECIAL,
  HD_TRACE_DOUBLE,
  HD_TRACE_TENSOR,
  HD_TRACE_BARRIER,
  HD_TRACE_END
};
struct hd_trace_op {
  uint8_t kind, lanes, lines;
  uint32_t before; /* instructions */
  uint32_t first;  /* index of its lines in delta[] */
};

struct hd_trace_program {
  uint32_t first, n; /* in op[] */
  uint64_t instructions;
};

/* The program that a warp runs; its first line is relative to `line`. The warp ends at once if `program` is
 * HD_TRACE_IDLE, or HD_TRACE_NONE in all warps of a TB. */
#define HD_TRACE_IDLE (UINT32_MAX - 1)
struct hd_trace_warp {
  uint32_t program, line;
};

struct hd_trace_kernel {
  uint64_t arrival;
  uint64_t line;
  uint64_t latency;        /* from the call to the plane; HD_TRACE_NO_LATENCY: the trace's */
  struct hd_launch launch; /* tag and parameter address are set later */
  struct hd_draw duration;
  char name[HD_TRACE_NAME_MAX + 1]; /* "": the file has none */
  uint32_t id;                      /* index in the file */
  uint32_t draws;                   /* index in the order of arrival of all kernels of the file */
  uint32_t next;                    /* next kernel of its HWQ, or HD_TRACE_NONE */
  uint32_t items;
  /* after: kernels that must be done before the host calls; behind: kernels that must be done before the events that
   * its stream waits for are reached. */
  struct hd_trace_span runs, calls, after, behind;
  struct hd_trace_warp *warp; /* by TB and warp; NULL: no instructions in the file */
  bool done;
  uint64_t done_at; /* the first cycle in which the host knows */
};

struct hd_trace {
  struct hd_trace_kernel *kernel; /* in order of arrival */
  uint32_t n, cap;
  struct hd_trace_run *run;
  struct hd_trace_call *call;
  struct hd_trace_event *event;
  struct hd_trace_program *program;
  struct hd_trace_op *op;
  int32_t *delta;
  uint32_t *after; /* places in kernel[] */
  uint32_t runs, runs_cap, calls, calls_cap, afters, afters_cap, events, events_cap;
  uint32_t programs, programs_cap, ops, ops_cap, deltas, deltas_cap;
  int8_t priority[HD_TRACE_HWQS];      /* the lower goes first */
  uint64_t stream_line[HD_TRACE_HWQS]; /* line with the priority; 0: none */
  uint32_t left_out;                   /* kernels of the file that were not selected */
  uint32_t head[HD_TRACE_HWQS];        /* the next kernel of each HWQ, or HD_TRACE_NONE */
  uint64_t called[HD_TRACE_HWQS];      /* cycle of the host's call for the last kernel handed over */
  uint64_t latency;                    /* for kernels without their own; 0 after reading */
  uint32_t handed_over;                /* kernels handed over to the loop */
  uint32_t *of_number;                 /* index in kernel[] of each kernel number of the loop */
  uint64_t ctas_done;                  /* TBs of the host's kernels */
  uint64_t seed;
};

/* Reads a trace, or only the kernels that `only` selects (work/select.h; NULL: all). No kernel waits for one that is
 * omitted. Returns false with one line in err; *t is then empty. */
bool hd_trace_read(const char *name, const char *only, struct hd_trace *t, char *err, size_t err_size);
/* Returns true if every kernel can run in a configuration. Otherwise err names the line. */
bool hd_trace_fits(const struct hd_trace *t, const char *name, const struct hd_cfg *cfg, char *err, size_t err_size);
void hd_trace_free(struct hd_trace *t);
/* Returns true if TBs of its kernels launch. */
bool hd_trace_launches(const struct hd_trace *t);
/* Returns true if all kernels that a kernel must wait for, directly or through events, are done. */
bool hd_trace_may(const struct hd_trace *t, uint32_t kernel);
/* Returns the name of the loop's kernel of this number; `trace` is a struct hd_trace. */
const char *hd_trace_name(const void *trace, uint32_t number);
struct hd_work hd_trace_work(struct hd_trace *t);

/* Returns the operations of warps, for SMXs that run warps; ctx is the struct hd_trace. Requires
 * hd_trace_has_instructions(). */
const struct hd_warp_source *hd_trace_source(void);
/* Returns true if the file has instructions for each kernel. Otherwise err names the line. */
bool hd_trace_has_instructions(const struct hd_trace *t, const char *name, char *err, size_t err_size);
/* Returns the instructions of all warps of all kernels, as the SMXs count them. */
uint64_t hd_trace_instructions(const struct hd_trace *t);

/* Returns the duration of a TB in cycles. */
uint64_t hd_draw(const struct hd_draw *d, uint64_t seed, uint32_t kernel, uint32_t blkid);

#endif
