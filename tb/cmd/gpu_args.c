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
}; /* beyond those of tiles_args.c; KEY_SIZE + k: size k */

#define SIZE(k, name, arg, text) \
  { name, KEY_SIZE + (k), arg, 0, text, 0 }

static const struct argp_option options[] = {
    {"smx", KEY_SMX, "NAME", 0,
     "timer: a TB holds its slot for as long as its work is said to take (default); gpu: its warps run, before caches "
     "and DRAM",
     0},
    {"footprint", KEY_FOOTPRINT, 0, 0, "count what TBs share with the children that they launch, and these among them",
     0},
    {"series", KEY_SERIES, "FILE", 0, "what the SMXs did over time, a row for each interval (.csv)", 0},
    {"series-every", KEY_SERIES_EVERY, "CYCLES", 0, "of an interval (1000)", 0},
    {"warp", KEY_WARP, "NAME", 0,
     "the plane's warp schedulers choose, cycle by cycle: rr, grr, gto or lwf (docs/dispatch/warp.md)", 0},
    {"warp-engine", KEY_WARP_ENGINE, "NAME", 0, "these: model (default), or both in lockstep", 0},
    {"one-list", KEY_ONE_LIST, 0, 0, "lwf: one list over all TBs", 0},
    {"throttle", KEY_THROTTLE, 0, 0, "fewer SMXs take TBs while contention grows (docs/dispatch/throttle.md)", 0},
    {"throttle-epoch", KEY_EPOCH, "CYCLES", 0,
     "with --throttle: from one look at the contention to the next at least, 64 to 65535 (the plane's Epoch)", 0},
    {"throttle-band", KEY_BAND, "K", 0,
     "with --throttle: contention is higher if it is by more than 1/2^K of the last, 0 to 7; 0: by anything (the "
     "plane's "
     "DeadBand)",
     0},
    SIZE(0, "schedulers", "N", "of an SMX: each issues an instruction a cycle (4)"),
    SIZE(1, "l1", "KB", "L1 of an SMX (16)"),
    SIZE(2, "l1-ways", "N", "of a set of the L1 (4)"),
    SIZE(3, "l1-latency", "CYCLES", "of a hit in the L1 (20)"),
    SIZE(4, "mshrs", "N", "lines that an L1 waits for at once (32)"),
    SIZE(5, "merges", "N", "loads that wait for the same line (8)"),
    SIZE(6, "port-cycles", "CYCLES", "that a line takes of an SMX's port (4)"),
    SIZE(7, "store-buffer", "N", "lines of an SMX's stores that the L2 has not taken (32)"),
    SIZE(8, "l2", "KB", "L2, all parts (768)"),
    SIZE(9, "l2-ways", "N", "of a set of the L2 (8)"),
    SIZE(10, "l2-parts", "N", "of the L2, each with a channel of DRAM (12)"),
    SIZE(11, "l2-latency", "CYCLES", "of a hit in the L2, from the SMX (120)"),
    SIZE(12, "l2-cycles", "CYCLES", "between requests to a part (4)"),
    SIZE(13, "dram-latency", "CYCLES", "of a line from DRAM, from the SMX (220)"),
    SIZE(14, "dram-bandwidth", "BYTES", "a cycle, all channels (295: 208 GB/s at 706 MHz)"),
    SIZE(15, "dram-queue", "N", "lines that wait for a channel (32)"),
    SIZE(16, "issue-every", "CYCLES", "with --warp: from an instruction of a warp to its next (1)"),
    SIZE(17, "shared-latency", "CYCLES", "of a trace's instructions on shared memory (47)"),
    SIZE(18, "special-latency", "CYCLES", "of a trace's instructions of the special function unit (20)"),
    SIZE(19, "double-latency", "CYCLES", "of a trace's instructions in double precision (20)"),
    SIZE(20, "tensor-latency", "CYCLES", "of a trace's instructions of the tensor cores (20)"),
    {0}};

/* By the number of their option. */
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
               "an option for each size, behind the others, and the end");

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
    argp_error(state, "--warp-engine is rtl; model, or both, which compares the RTL with it, would be accepted");
}

void hd_gpu_args_done(struct hd_gpu_args *a, const struct argp_state *state) {
  if (a->warp == NULL && a->of_warp != NULL)
    argp_error(state, "--%s is about the plane's warp schedulers; --warp would be accepted", a->of_warp);
  if (!a->throttle && a->of_throttle != NULL)
    argp_error(state, "--%s is about the throttle; --throttle would be accepted", a->of_throttle);
  if (a->warps.one_list && a->warps.policy != HD_WPOLICY_LWF)
    argp_error(state, "--one-list with --warp %s; lwf would be accepted", a->warp);
  if (a->warp != NULL && a->schedulers != 0 && a->schedulers != 2)
    argp_error(state, "--warp with --schedulers %u; the plane's warp scheduler is for 2", a->schedulers);
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
