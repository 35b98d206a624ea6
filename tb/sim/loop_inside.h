/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* loop_inside: what loop.c (cycles) and loop_watch.c (ends) share. */
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
  uint64_t due;   /* the cycle from which the workload may have a kernel */
  uint64_t moved; /* the last cycle with a transfer */
  uint64_t wait_sum;
  uint32_t families;   /* TBs of the host's kernels */
  uint32_t open;       /* SMXs, in the last cycle; with the throttle */
  unsigned graph_part; /* of the plane's state: the graph buffer */
  struct hd_loop_result r;
  uint64_t looked; /* the cycle in which it was last looked whether to print it */
  double shown;    /* when the progress line was printed last, in seconds */
};

/* What the options tell of SMXs that run warps. False: text says why not. */
bool hd_loop_make_smxs(struct hd_loop *l, char *text, size_t text_size);
void hd_loop_free_smxs(struct hd_loop *l);
/* Whether all is well with the warp schedulers. */
void hd_loop_watch_warps(struct hd_loop *l);
/* The throttle: the plane's counters of contention, before a cycle; how many SMXs are open in so many; a TB was taken.
 */
void hd_loop_tell_contention(struct hd_loop *l);
void hd_loop_count_open(struct hd_loop *l, uint64_t cycles);
void hd_loop_count_bound(struct hd_loop *l, uint32_t smx, const struct hd_resident *r);
/* What they did. */
void hd_loop_tell_smxs(struct hd_loop *l);

/* Ends the run; the first reason counts. */
void hd_loop_end(struct hd_loop *l, enum hd_verdict v, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void hd_loop_break_rule(struct hd_loop *l, const char *rule);

/* Looks after a cycle at the graph buffer. */
void hd_loop_watch_graph(struct hd_loop *l);
/* Looks after a cycle how full the tables are. */
void hd_loop_watch_fills(struct hd_loop *l);
/* A kernel is reported as failed: ends the run, as STUCK if its graph is. */
void hd_loop_kernel_failed(struct hd_loop *l);

/* Looks after a cycle whether the run has to end, and shows how far it is. */
void hd_loop_watch(struct hd_loop *l);

#endif
