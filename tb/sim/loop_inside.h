/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* loop_inside: declarations shared by loop.c (cycles), loop_smxs.c (SMXs that run warps) and loop_watch.c (ends). */
#ifndef HD_LOOP_INSIDE_H
#define HD_LOOP_INSIDE_H

#include "gen/hd_top_ports.h"
#include "sim/driver.h"
#include "sim/loop.h"

struct hd_loop {
  struct hd_sim *sim;
  const struct hd_work *work;
  const struct hd_loop_opts *o;
  struct hd_driver *driver;
  struct hd_array *array;
  struct hd_launcher *launcher; /* or NULL */
  struct hd_gpu *gpu;           /* or NULL */
  struct hd_warps *warps;       /* or NULL */
  struct hd_top_in in;
  const struct hd_top_out *out;
  uint64_t now;
  uint64_t due;   /* first cycle in which the workload may have a kernel */
  uint64_t moved; /* the last cycle with a transfer */
  uint64_t wait_sum;
  uint32_t families;   /* TBs of the host's kernels so far */
  uint32_t open;       /* with the throttle: open SMXs in the last cycle */
  unsigned graph_part; /* index of the graph buffer among the parts of the plane's state */
  struct hd_loop_result r;
  uint64_t looked; /* cycle of the last test whether to print the progress line */
  double shown;    /* time of the last progress line, in seconds */
};

/* Creates the SMXs that run warps, if the options request them. Returns false with a reason in text. */
bool hd_loop_make_smxs(struct hd_loop *l, char *text, size_t text_size);
void hd_loop_free_smxs(struct hd_loop *l);
/* Ends the run if a warp scheduler has failed. */
void hd_loop_watch_warps(struct hd_loop *l);
/* Throttle: drives the plane's contention counters before a cycle; adds the open SMXs over `cycles` cycles; counts a
 * taken TB if it is bound to a closed SMX. */
void hd_loop_drive_contention(struct hd_loop *l);
void hd_loop_count_open(struct hd_loop *l, uint64_t cycles);
void hd_loop_count_bound(struct hd_loop *l, uint32_t smx, const struct hd_resident *r);
/* Copies the counts of the SMXs to the result. */
void hd_loop_report_smxs(struct hd_loop *l);

/* Ends the run; the first reason counts. */
void hd_loop_end(struct hd_loop *l, enum hd_verdict v, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void hd_loop_break_rule(struct hd_loop *l, const char *rule);

/* Samples the graph buffer after a cycle. */
void hd_loop_watch_graph(struct hd_loop *l);
/* Samples the occupancy of the tables after a cycle. */
void hd_loop_watch_fills(struct hd_loop *l);
/* A kernel is reported as failed: ends the run, as STUCK if its graph is. */
void hd_loop_kernel_failed(struct hd_loop *l);

/* After a cycle: ends the run if it is stuck or at a limit, and shows progress. */
void hd_loop_watch(struct hd_loop *l);

#endif
