/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* report: the report of `heddle run`, as text and as JSON. */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "graph/graph.h"
#include "sim/loop.h"
#include "work/rounds.h"
#include "work/tiles.h"
#include "work/trace.h"

/* The part of the report for a tiled workload. */
struct hd_report_tiles {
  const struct hd_tiles *tiles; /* NULL: not a tiled workload */
  const struct hd_tiles_data *data;
  struct hd_tiles_opts opts;
  const char *file[2]; /* input files; NULL: generated data */
  char sha256[2][65];
  unsigned files;
  uint32_t call; /* cycles that a launch by a TB takes */
};

struct hd_report {
  const char *workload; /* "bfs", "trace", .. */
  const char *input;
  char sha256[65]; /* hash of the input file, or "" */
  const struct hd_cfg *cfg;
  const char *launch, *policy, *engine;
  uint64_t seed;
  const struct hd_graph *graph; /* NULL for a trace */
  const struct hd_trace *trace;
  const char *only; /* kernels of the trace that ran; NULL: all */
  const struct hd_rounds_kind *rounds;
  struct hd_rounds_found found; /* result of a workload in rounds */
  struct hd_report_tiles tiles;
  uint32_t sources, block_size, overhead, cycles_per_edge, jitter, regs, smem_bytes, take_every;
  bool launches, ideal; /* TBs launch; their launches take no time */
  bool together;        /* threads of a warp walk an item together */
  uint32_t threshold, child_size, pending, memory_latency, context_cycles;
  bool spill_limited;            /* memory has room for a limited number of groups of a bank and level: .. */
  uint32_t spill;                /* .. at least this many */
  bool waits, spin;              /* TBs wait for their children; they stay in their slots */
  const struct hd_gpu_opts *gpu; /* sizes of SMXs that run warps; NULL: timers */
  const char *warp;              /* policy of the plane's warp schedulers; NULL: the SMXs' own schedulers */
  bool one_list, throttle;
  uint32_t throttle_epoch, throttle_band;
  struct hd_loop_result run;
  const struct hd_launches *launched;
  uint32_t longest;                      /* number of rows of `launched` in the report */
  uint64_t cycles_compared, differences; /* cycles and differences of the plane */
  bool answer_ok;
  char answer[128];            /* the result of the check, as text */
  double seconds, cpu_seconds; /* wall clock time; CPU time */
};

/* Writes the text report; bars and bold only if `colour`. */
void hd_report_text(const struct hd_report *r, bool colour, FILE *f);
/* Writes one JSON object and a newline. Returns false if out of memory or after a write error. */
bool hd_report_json(const struct hd_report *r, FILE *f);

/* Graphs: whether the graph is directed; counts of the input and of its dropped parts; the object "graph" of a JSON
 * report. */
void hd_report_direction(const struct hd_graph *g, FILE *f);
void hd_report_read(const struct hd_graph *g, FILE *f);
void hd_report_graph(const struct hd_graph *g, cJSON *to);

/* Tiled workloads: the description after the title; the results; parameters and objects of a JSON report. */
void hd_report_tiles_what(const struct hd_report *r, FILE *f);
void hd_report_tiles_found(const struct hd_report *r, FILE *f);
void hd_report_tiles_parameters(const struct hd_report *r, cJSON *to);
void hd_report_tiles_json(const struct hd_report *r, cJSON *to);

/* SMXs that run warps: their activity, as text and as JSON; their sizes in JSON. */
void hd_report_gpu_text(const struct hd_report *r, FILE *f);
void hd_report_gpu_json(const struct hd_report *r, cJSON *to);
void hd_report_gpu_parameters(const struct hd_report *r, cJSON *to);
/* Their simulation speed. */
void hd_report_gpu_speed(const struct hd_report *r, FILE *f);
void hd_report_gpu_speed_json(const struct hd_report *r, cJSON *to);

/* The longest-waiting launches and streams, as text and as JSON. */
void hd_report_launches(const struct hd_report *r, FILE *f);
void hd_report_launches_json(const struct hd_report *r, cJSON *to);

/* Adds a count to a JSON object with all its digits. */
void hd_report_count(cJSON *to, const char *key, uint64_t value);

/* Returns the name of a value of AgtHash: paper, smx or freelist. */
const char *hd_hash_name(uint32_t hash);

/* Writes the SHA-256 of the file's bytes, in hexadecimal; "" if the file can not be read. */
void hd_file_sha256(const char *path, char out[65]);

#endif
