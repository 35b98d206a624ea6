/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/gpu_args.h"

#include <string.h>

#include "cmd/options.h"
#include "cmd/run_args.h"

enum {
  KEY_SMX = 2048,
  KEY_FOOTPRINT,
  KEY_SERIES,
  KEY_SERIES_EVERY,
  KEY_WARP,
  KEY_WARP_ENGINE,
  KEY_ONE_LIST,
  KEY_THROTTLE,
  KEY_EPOCH,
  KEY_BAND,
  KEY_SIZE
}; /* above the keys of tiles_args.c; KEY_SIZE + k: size k */

#define SIZE(k, name, arg, text) \
  { name, KEY_SIZE + (k), arg, 0, text, 0 }

static const struct argp_option options[] = {
    {"smx", KEY_SMX, "NAME", 0,
     "model of the SMXs: timer (default): a TB holds its slot for the duration that the workload gives; gpu: its warps "
     "run, with caches and DRAM",
     0},
    {"footprint", KEY_FOOTPRINT, 0, 0,
     "count the cache lines that TBs share with their children, and children with each other", 0},
    {"series", KEY_SERIES, "FILE", 0, "activity of the SMXs over time, one row per interval (.csv)", 0},
    {"series-every", KEY_SERIES_EVERY, "CYCLES", 0, "length of an interval (default 1000)", 0},
    {"warp", KEY_WARP, "NAME", 0,
     "use Heddle's warp scheduler, cycle by cycle, with this policy: rr, grr, gto or lwf (docs/dispatch/warp.md)", 0},
    {"warp-engine", KEY_WARP_ENGINE, "NAME", 0, "engine of the warp scheduler: model (default), or both: in lockstep",
     0},
    {"one-list", KEY_ONE_LIST, 0, 0, "with --warp lwf: one list for all TBs instead of one per TB", 0},
    {"throttle", KEY_THROTTLE, 0, 0, "close SMXs while memory contention grows (docs/dispatch/throttle.md)", 0},
    {"throttle-epoch", KEY_EPOCH, "CYCLES", 0,
     "with --throttle: minimum cycles between two samples of contention, 64 to 65535 (default: parameter Epoch)", 0},
    {"throttle-band", KEY_BAND, "K", 0,
     "with --throttle: ignore a change of contention up to 1/2^K of the last sample, K from 1 to 7; 0: ignore none "
     "(default: parameter DeadBand)",
     0},
    SIZE(0, "schedulers", "N", "warp schedulers per SMX, one instruction a cycle each (default 4)"),
    SIZE(1, "l1", "KB", "size of an L1 (default 16)"),
    SIZE(2, "l1-ways", "N", "ways of the L1 (default 4)"),
    SIZE(3, "l1-latency", "CYCLES", "latency of an L1 hit (default 20)"),
    SIZE(4, "mshrs", "N", "misses in flight per L1 (default 32)"),
    SIZE(5, "merges", "N", "loads that may wait for the same line (default 8)"),
    SIZE(6, "port-cycles", "CYCLES", "cycles that a line occupies the port of an SMX (default 4)"),
    SIZE(7, "store-buffer", "N", "lines in the store buffer of an SMX (default 32)"),
    SIZE(8, "l2", "KB", "size of the L2, all partitions (default 768)"),
    SIZE(9, "l2-ways", "N", "ways of the L2 (default 8)"),
    SIZE(10, "l2-parts", "N", "partitions of the L2, each with one DRAM channel (default 12)"),
    SIZE(11, "l2-latency", "CYCLES", "latency of an L2 hit, seen from the SMX (default 120)"),
    SIZE(12, "l2-cycles", "CYCLES", "cycles between requests to a partition (default 4)"),
    SIZE(13, "dram-latency", "CYCLES", "latency of a DRAM access, seen from the SMX (default 220)"),
    SIZE(14, "dram-bandwidth", "BYTES", "DRAM bytes a cycle, all channels (default 295: 208 GB/s at 706 MHz)"),
    SIZE(15, "dram-queue", "N", "lines queued per DRAM channel (default 32)"),
    SIZE(16, "issue-every", "CYCLES", "with --warp: cycles between two instructions of a warp (default 1)"),
    SIZE(17, "shared-latency", "CYCLES", "latency of shared-memory instructions in a trace (default 47)"),
    SIZE(18, "special-latency", "CYCLES", "latency of special-function instructions in a trace (default 20)"),
    SIZE(19, "double-latency", "CYCLES", "latency of double-precision instructions in a trace (default 20)"),
    SIZE(20, "tensor-latency", "CYCLES", "latency of tensor-core instructions in a trace (default 20)"),
    {0}};

/* Indexed by k of KEY_SIZE + k. */
static const struct size {
  size_t at; /* in struct hd_gpu_opts */
  uint32_t lo, hi;
} sizes[] = {
    {offsetof(struct hd_gpu_opts, schedulers), 1, 64},
    {offsetof(struct hd_gpu_opts, memory.l1_kb), 1, 4096},
    {offsetof(struct hd_gpu_opts, memory.l1_ways), 1, 128},
    {offsetof(struct hd_gpu_opts, memory.l1_latency), 1, 100000},
    {offsetof(struct hd_gpu_opts, memory.mshrs), 1, 4096},
    {offsetof(struct hd_gpu_opts, memory.merges), 1, 4096},
    {offsetof(struct hd_gpu_opts, memory.port_cycles), 1, 1000},
    {offsetof(struct hd_gpu_opts, memory.stores), 1, 4096},
    {offsetof(struct hd_gpu_opts, memory.l2_kb), 1, 1 << 20},
    {offsetof(struct hd_gpu_opts, memory.l2_ways), 1, 128},
    {offsetof(struct hd_gpu_opts, memory.l2_parts), 1, 64},
    {offsetof(struct hd_gpu_opts, memory.l2_latency), 1, 100000},
    {offsetof(struct hd_gpu_opts, memory.l2_cycles), 1, 1000},
    {offsetof(struct hd_gpu_opts, memory.dram_latency), 1, 100000},
    {offsetof(struct hd_gpu_opts, memory.dram_bandwidth), 1, 100000},
    {offsetof(struct hd_gpu_opts, memory.dram_queue), 1, 4096},
    {offsetof(struct hd_gpu_opts, issue_every), 1, 1000},
    {offsetof(struct hd_gpu_opts, latency[HD_WARP_SHARED]), 1, 100000},
    {offsetof(struct hd_gpu_opts, latency[HD_WARP_SPECIAL]), 1, 100000},
    {offsetof(struct hd_gpu_opts, latency[HD_WARP_DOUBLE]), 1, 100000},
    {offsetof(struct hd_gpu_opts, latency[HD_WARP_TENSOR]), 1, 100000},
};

enum { SIZES = sizeof sizes / sizeof *sizes, OTHERS = 10, ISSUE_EVERY = 16, UNITS = 17 };

_Static_assert(sizeof options / sizeof *options == SIZES + OTHERS + 1,
               "an option for each size, after the others, and the terminator");

static uint32_t *size_of(struct hd_gpu_opts *o, unsigned k) {
  return (uint32_t *)(void *)((char *)o + sizes[k].at);
}

static void set_size(struct hd_gpu_args *a, unsigned k, const char *arg, struct argp_state *state) {
  char name[40];
  snprintf(name, sizeof name, "--%s", options[k + OTHERS].name);
  *size_of(&a->opts, k) = (uint32_t)hd_number_arg(state, name, arg, sizes[k].lo, sizes[k].hi);
  if (k == 0) a->schedulers = a->opts.schedulers;
  if (k >= UNITS) a->of_unit = options[k + OTHERS].name;
  if (k == ISSUE_EVERY) a->of_warp = options[k + OTHERS].name;
}

static const char *const policies[] = {"rr", "grr", "gto", "lwf"}; /* by enum hd_wpolicy */

static void set_warp(struct hd_gpu_args *a, const char *arg, struct argp_state *state) {
  unsigned p = HD_WPOLICY_RR;
  while (p <= HD_WPOLICY_LWF && strcmp(policies[p], arg) != 0) p++;
  if (p > HD_WPOLICY_LWF) argp_error(state, "--warp is '%s'; rr, grr, gto or lwf would be accepted", arg);
  a->warp = arg;
  a->warps.policy = (enum hd_wpolicy)p;
}

static void set_engine(struct hd_gpu_args *a, const char *arg, struct argp_state *state) {
  a->warps.engine = hd_engine_arg(state, arg);
  if (a->warps.engine == HD_ENGINE_RTL)
    argp_error(state, "--warp-engine is rtl; model or both (lockstep) would be accepted");
}

void hd_gpu_args_done(struct hd_gpu_args *a, const struct argp_state *state) {
  if (a->warp == NULL && a->of_warp != NULL)
    argp_error(state, "--%s applies only to the plane's warp schedulers; with --warp it would be accepted", a->of_warp);
  if (!a->throttle && a->of_throttle != NULL)
    argp_error(state, "--%s applies only to the throttle; with --throttle it would be accepted", a->of_throttle);
  if (a->warps.one_list && a->warps.policy != HD_WPOLICY_LWF)
    argp_error(state, "--one-list with --warp %s; lwf would be accepted", a->warp);
  if (a->warp != NULL && a->schedulers != 0 && a->schedulers != 2)
    argp_error(state, "--warp with --schedulers %u; 2 would be accepted", a->schedulers);
  if (a->warp != NULL) a->opts.schedulers = 2;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct hd_gpu_args *a = state->input;
  if (key == ARGP_KEY_INIT) {
    *a = (struct hd_gpu_args){.opts = hd_gpu_defaults(), .warps.engine = HD_ENGINE_MODEL};
    return 0;
  }
  if (key == KEY_SMX) {
    a->on = strcmp(arg, "gpu") == 0;
    if (!a->on && strcmp(arg, "timer") != 0) argp_error(state, "--smx is '%s'; timer or gpu would be accepted", arg);
    return 0;
  }
  if (key < KEY_FOOTPRINT || key >= KEY_SIZE + SIZES) return ARGP_ERR_UNKNOWN;
  const struct argp_option *o = options;
  while (o->key != key) o++;
  a->given = o->name;
  switch (key) {
    case KEY_FOOTPRINT:
      a->opts.footprint = true;
      return 0;
    case KEY_WARP:
      set_warp(a, arg, state);
      return 0;
    case KEY_WARP_ENGINE:
      set_engine(a, arg, state);
      a->of_warp = o->name;
      return 0;
    case KEY_ONE_LIST:
      a->warps.one_list = true;
      a->of_warp = o->name;
      return 0;
    case KEY_THROTTLE:
      a->throttle = true;
      return 0;
    case KEY_EPOCH:
      a->rule.epoch = (uint32_t)hd_number_arg(state, "--throttle-epoch", arg, 64, 65535);
      a->of_throttle = o->name;
      return 0;
    case KEY_BAND:
      a->rule.band = (uint32_t)hd_number_arg(state, "--throttle-band", arg, 0, 7);
      a->rule.banded = true;
      a->of_throttle = o->name;
      return 0;
    case KEY_SERIES:
      a->series = arg;
      return 0;
    case KEY_SERIES_EVERY:
      a->series_every = hd_number_arg(state, "--series-every", arg, 1, 1000000000);
      return 0;
    default:
      set_size(a, (unsigned)(key - KEY_SIZE), arg, state);
      return 0;
  }
}

const struct argp hd_gpu_argp = {options, parse, 0, 0, 0, 0, 0};

void hd_gpu_args_json(const struct hd_gpu_opts *o, cJSON *to) {
  struct hd_gpu_opts copy = *o;
  for (unsigned k = 0; k < SIZES; k++) {
    char name[40];
    snprintf(name, sizeof name, "%s", options[k + OTHERS].name);
    for (char *dash = name; (dash = strchr(dash, '-')) != NULL;) *dash = '_';
    cJSON_AddNumberToObject(to, name, *size_of(&copy, k));
  }
}
