/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/tiles_args.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/options.h"
#include "work/tiles_read.h"

enum {
  KEY_NODES = 1024, /* above the keys of run_args.c */
  KEY_INPUT,
  KEY_SIZE,
  KEY_SWEEPS,
  KEY_BINS,
  KEY_CYCLES_PER_STEP,
  KEY_UNEVEN,
  KEY_HOST_LATENCY,
  KEY_DATA_SEED,
  KEY_ORDER,
  KEY_BOUND
};

static const struct argp_option options[] = {
    {"nodes", KEY_NODES, "N", 0, "TBs in the graph: 1k (1024, default), 4k (4096), 9k (9216), or a number", 0},
    {"input", KEY_INPUT, "FILE", 0,
     "input data (default: generated); dtw: two series of numbers, sw: two FASTA sequences, in one file or two; hist, "
     "intimg: a PGM image",
     0},
    {"size", KEY_SIZE, "N", 0, "generate N x N cells (default 3072; hist and sor 1536)", 0},
    {"data-seed", KEY_DATA_SEED, "N", 0, "seed of generated data (default 1)", 0},
    {"sweeps", KEY_SWEEPS, "N", 0, "heat2d, sor: sweeps over the table, all in one graph (default 1; sor 4)", 0},
    {"bins", KEY_BINS, "N", 0, "hist: number of bins (default 16)", 0},
    {"cycles-per-step", KEY_CYCLES_PER_STEP, "CYCLES", 0,
     "cycles that a TB takes for one cell per thread (default 1000)", 0},
    {"uneven", KEY_UNEVEN, "PERCENT", 0, "lengthen each TB by a random share up to this, by --seed (default 0)", 0},
    {"host-latency", KEY_HOST_LATENCY, "CYCLES", 0,
     "cycles that a launch by the host takes (default 21000: 30 us at 700 MHz)", 0},
    {"order", KEY_ORDER, "NAME", 0,
     "with --launch graph: lrr (default): the first ready TB; lvl: ready TBs at most --bound levels ahead of the "
     "oldest; "
     "lvl-bind: like lvl, and on the SMX of the parent that ended last if it has room",
     0},
    {"bound", KEY_BOUND, "LEVELS", 0, "levels that --order lvl and lvl-bind allow ahead (default 3, as in the paper)",
     0},
    {0}};

static enum hd_deplinks_policy order(struct argp_state *state, const char *arg) {
  if (strcmp(arg, "lvl") == 0) return HD_DEPLINKS_LVL;
  if (strcmp(arg, "lvl-bind") == 0) return HD_DEPLINKS_LVL_BIND;
  if (strcmp(arg, "lrr") != 0) argp_error(state, "--order is '%s'; lrr, lvl or lvl-bind would be accepted", arg);
  return HD_DEPLINKS_LRR;
}

static uint32_t nodes(struct argp_state *state, const char *arg) {
  static const struct {
    const char *name;
    uint32_t nodes;
  } sizes[] = {{"1k", 1024}, {"4k", 4096}, {"9k", 9216}};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    if (strcmp(arg, sizes[k].name) == 0) return sizes[k].nodes;
  if (strspn(arg, "0123456789") != strlen(arg))
    argp_error(state, "--nodes is '%s'; 1k, 4k, 9k or a whole number would be accepted", arg);
  return (uint32_t)hd_number_arg(state, "--nodes", arg, 1, HD_DEPLINKS_NODES);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct hd_tiles_args *a = state->input;
  for (const struct argp_option *o = options; o->name != NULL; o++)
    if (o->key == key) a->given = o->name;
  if (key == KEY_CYCLES_PER_STEP || key == KEY_UNEVEN) a->of_timer = a->given;
  switch (key) {
    case ARGP_KEY_INIT:
      *a = (struct hd_tiles_args){
          .nodes = 1024, .cycles_per_step = 1000, .host_latency = 21000, .data_seed = 1, .bound = 3};
      return 0;
    case KEY_NODES:
      a->nodes = nodes(state, arg);
      return 0;
    case KEY_INPUT:
      if (a->inputs == 2) argp_error(state, "a third --input; one or two would be accepted");
      a->input[a->inputs++] = arg;
      return 0;
    case KEY_SIZE:
      a->size = (uint32_t)hd_number_arg(state, "--size", arg, 1, 1 << 15);
      return 0;
    case KEY_SWEEPS:
      a->sweeps = (uint32_t)hd_number_arg(state, "--sweeps", arg, 1, HD_DEPLINKS_NODES);
      return 0;
    case KEY_BINS:
      a->bins = (uint32_t)hd_number_arg(state, "--bins", arg, 1, 256);
      return 0;
    case KEY_CYCLES_PER_STEP:
      a->cycles_per_step = (uint32_t)hd_number_arg(state, "--cycles-per-step", arg, 0, 1000000);
      return 0;
    case KEY_UNEVEN:
      a->uneven = (uint32_t)hd_number_arg(state, "--uneven", arg, 0, 10000);
      return 0;
    case KEY_HOST_LATENCY:
      a->host_latency = (uint32_t)hd_number_arg(state, "--host-latency", arg, 0, 100000000);
      return 0;
    case KEY_ORDER:
      a->order = order(state, arg);
      a->ordered = true;
      return 0;
    case KEY_BOUND:
      a->bound = (uint32_t)hd_number_arg(state, "--bound", arg, 0, UINT16_MAX);
      a->ordered = true;
      return 0;
    case KEY_DATA_SEED:
      a->data_seed = hd_number_arg(state, "--data-seed", arg, 0, UINT64_MAX);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp hd_tiles_argp = {options, parse, 0, 0, 0, 0, 0};

static void check_inputs(const struct hd_tiles_args *a, const struct hd_tiles_kind *kind,
                         const struct argp_state *state) {
  const unsigned most = hd_tiles_files(kind);
  if (a->inputs != 0 && most == 0)
    argp_error(state, "--input with %s, whose data are generated; dtw, hist, intimg or sw would be accepted",
               kind->name);
  if (a->inputs > most) argp_error(state, "%u times --input with %s; one would be accepted", a->inputs, kind->name);
  if (a->inputs != 0 && a->size != 0) argp_error(state, "--size and --input; one of them would be accepted");
}

void hd_tiles_args_done(struct hd_tiles_args *a, const struct hd_tiles_kind *kind, const struct argp_state *state) {
  if (kind == NULL) {
    if (a->given != NULL) argp_error(state, "--%s applies only to the workloads " HD_TILES_NAMES, a->given);
    return;
  }
  check_inputs(a, kind, state);
  if (a->sweeps != 0 && kind->begin == NULL)
    argp_error(state, "--sweeps with %s, which has one; heat2d or sor would be accepted", kind->name);
  if (a->bins != 0 && kind->bins == 1) argp_error(state, "--bins with %s; hist would be accepted", kind->name);
  if (a->size == 0) a->size = kind->size;
  if (a->sweeps == 0) a->sweeps = kind->sweeps;
  if (a->bins == 0) a->bins = kind->bins;
  if (hd_tiles_side(a->nodes, a->sweeps) == 0)
    argp_error(state, "--nodes %" PRIu32 " in %" PRIu32 " sweeps; a square times the sweeps would be accepted",
               a->nodes, a->sweeps);
}
