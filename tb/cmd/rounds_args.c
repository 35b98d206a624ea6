/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/rounds_args.h"

#include <string.h>

#include "cmd/options.h"
#include "work/join.h"
#include "work/regex.h"
#include "work/regx.h"

enum {
  KEY_SOURCES = 3072, /* above the keys of run_args.c, tiles_args.c and gpu_args.c */
  KEY_THRESHOLD,
  KEY_CHILD_SIZE,
  KEY_EXPAND,
  KEY_SYNC,
  KEY_FORMAT,
  KEY_DIRECTED,
  KEY_ROWS,
  KEY_KEYS,
  KEY_PATTERN
};

static const struct argp_option options[] = {
    {"sources", KEY_SOURCES, "K", 0,
     "problems that run at once: searches start from the K vertices of largest degree (default 64; 1 with --launch cdp "
     "or dtbl, as in the paper, or without a graph)",
     0},
    {"threshold", KEY_THRESHOLD, "N", 0, "a thread launches a child if it has at least N edges (default 32)", 0},
    {"child-size", KEY_CHILD_SIZE, "N", 0, "threads per TB of a child, one edge each (default 32)", 0},
    {"sync", KEY_SYNC, 0, 0, "with --launch cdp: a TB waits for all kernels that it launched (cudaDeviceSynchronize)",
     0},
    {"expand", KEY_EXPAND, "NAME", 0,
     "with --launch flat: thread (default): a thread walks the edges of its own vertex; warp: the threads of a warp "
     "walk "
     "the edges of each of their vertices together",
     0},
    {"format", KEY_FORMAT, "NAME", 0,
     "format of the graph, if the file name does not determine it: edges, mtx, dimacs or metis", 0},
    {"directed", KEY_DIRECTED, 0, 0, "keep the direction of edges (default: the graph is made undirected)", 0},
    {"rows", KEY_ROWS, "N", 0,
     "size of generated data: rows per table (join), packets (regx), cells (amr), bodies (bht) (default 65536)", 0},
    {"keys", KEY_KEYS, "NAME", 0, "join: distribution of generated keys: skewed (default) or uniform", 0},
    {"pattern", KEY_PATTERN, "REGEX", 0, "regx: extended regular expression (default " HD_REGX_DEFAULT ")", 0},
    {0}};

static bool one_of(struct argp_state *state, const char *option, const char *arg, const char *usual,
                   const char *other) {
  if (strcmp(arg, usual) != 0 && strcmp(arg, other) != 0)
    argp_error(state, "--%s is '%s'; %s or %s would be accepted", option, arg, usual, other);
  return strcmp(arg, other) == 0;
}

static void note(int key, struct hd_rounds_args *a) {
  for (const struct argp_option *o = options; o->name != NULL; o++) {
    if (o->key != key) continue;
    a->given = o->name;
    if (key == KEY_THRESHOLD || key == KEY_CHILD_SIZE) a->of_children = o->name;
    if (key == KEY_FORMAT || key == KEY_DIRECTED) a->of_graph = o->name;
    if (key == KEY_ROWS || key == KEY_KEYS) a->of_made = o->name;
  }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct hd_rounds_args *a = state->input;
  note(key, a);
  switch (key) {
    case ARGP_KEY_INIT:
      *a = (struct hd_rounds_args){.threshold = 32, .child_size = 32, .made = {.rows = 65536, .seed = 1}};
      return 0;
    case KEY_SOURCES:
      a->sources = (uint32_t)hd_number_arg(state, "--sources", arg, 1, UINT32_MAX);
      return 0;
    case KEY_THRESHOLD:
      a->threshold = (uint32_t)hd_number_arg(state, "--threshold", arg, 1, UINT32_MAX);
      return 0;
    case KEY_CHILD_SIZE:
      a->child_size = (uint32_t)hd_number_arg(state, "--child-size", arg, 1, 1024);
      return 0;
    case KEY_SYNC:
      a->sync = true;
      return 0;
    case KEY_EXPAND:
      a->together = one_of(state, "expand", arg, "thread", "warp");
      return 0;
    case KEY_FORMAT:
      if (!hd_format_find(arg, &a->read.format))
        argp_error(state, "--format is '%s'; auto, edges, mtx, dimacs or metis would be accepted", arg);
      return 0;
    case KEY_DIRECTED:
      a->read.directed = true;
      return 0;
    case KEY_ROWS:
      a->made.rows = (uint32_t)hd_number_arg(state, "--rows", arg, 1, 1 << 22);
      return 0;
    case KEY_KEYS:
      a->made.uniform = one_of(state, "keys", arg, "skewed", "uniform");
      return 0;
    case KEY_PATTERN:
      a->pattern = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp hd_rounds_argp = {options, parse, 0, 0, 0, 0, 0};

static void check_pattern(const struct hd_rounds_args *a, const char *workload, const struct argp_state *state) {
  char err[300];
  struct hd_regex r;
  if (a->kind != &hd_regx) argp_error(state, "--pattern with %s; regx would be accepted", workload);
  if (!hd_regex_compile(a->pattern, &r, err, sizeof err)) argp_error(state, "--pattern: %s", err);
  hd_regex_free(&r);
}

void hd_rounds_args_done(struct hd_rounds_args *a, const char *workload, bool input, const struct argp_state *state) {
  a->kind = hd_rounds_find(workload);
  if (a->kind == NULL) {
    if (a->given != NULL) argp_error(state, "--%s applies only to the workloads " HD_ROUNDS_NAMES, a->given);
    return;
  }
  const bool graph = a->kind->input == HD_ROUNDS_GRAPH;
  if (!graph && a->of_graph != NULL) argp_error(state, "--%s with %s, whose input is no graph", a->of_graph, workload);
  if (graph && a->of_made != NULL)
    argp_error(state, "--%s with %s, whose input is a graph; join, regx, amr or bht would be accepted", a->of_made,
               workload);
  if (a->read.format != HD_FORMAT_AUTO && !input)
    argp_error(state, "--format has no effect here; with an INPUT it would be accepted");
  if (input && a->kind->input == HD_ROUNDS_MADE)
    argp_error(state, "an INPUT with %s, whose data are generated", workload);
  if (input && a->of_made != NULL) argp_error(state, "--%s and an INPUT; one of them would be accepted", a->of_made);
  if (a->kind->undirected && a->read.directed)
    argp_error(state, "--directed with %s, which needs an undirected graph", workload);
  if (a->made.uniform && a->kind != &hd_join) argp_error(state, "--keys with %s; join would be accepted", workload);
  if (a->pattern != NULL) check_pattern(a, workload, state);
  a->read.weights = a->kind->weights;
}
