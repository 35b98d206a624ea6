/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle gpu: measures the SMX model of `heddle run --smx gpu` and compares it with its parameters. */
#include <math.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "engine/sim.h"
#include "gpu/measure.h"

struct args {
  struct hd_json_to json;
  bool speed;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  (void)arg;
  switch (key) {
    case 'j':
      hd_json_arg(&a->json, state, arg);
      return 0;
    case 's':
      a->speed = true;
      return 0;
    case ARGP_KEY_ARG:
      argp_error(state, "'%s' is one argument too many", arg);
      return 0;
    case ARGP_KEY_END:
      if (hd_json_wanted(&a->json) && a->speed)
        argp_error(state, "--json has no effect here; without --speed it would be accepted");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"json", 'j', "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {"speed", 's', 0, 0, "measure the simulation speed instead", 0},
    {0}};
static const struct argp argp = {
    options,
    parse,
    0,
    "Measures the SMX model of `heddle run --smx gpu` at its default sizes: latencies, bandwidths, hit rates and "
    "scaling "
    "over SMXs, each next to the expected value. Exit code 4 if a value is out of its tolerance.",
    0,
    0,
    0};

/* A row: the expected and the measured value, and the allowed relative difference. */
struct row {
  const char *what, *unit;
  double asked, measured, within;
};

enum { ROWS = 24, SMXS = 13 };

struct table {
  struct row row[ROWS];
  unsigned n;
  bool failed; /* out of memory */
};

static void add(struct table *t, const char *what, const char *unit, double asked, double measured, double within) {
  t->row[t->n++] = (struct row){what, unit, asked, measured, within};
}

static struct hd_measured measure(struct table *t, const struct hd_measure *m) {
  struct hd_measured r = {0};
  t->failed |= !hd_measure(m, &r);
  return r;
}

/* One warp reads `lines` lines in dependent loads, twice. Returns the counts of the second turn alone. */
static struct hd_measured chase(struct table *t, uint32_t lines) {
  struct hd_measure m = {.gpu = hd_gpu_defaults(), .smxs = 1, .tbs = 1, .warps = 1, .steps = lines, .width = 1};
  m.turns = 1;
  const struct hd_measured one = measure(t, &m);
  m.turns = 2;
  struct hd_measured two = measure(t, &m);
  two.cycles -= one.cycles;
  two.memory.loads -= one.memory.loads;
  two.memory.l1_hits -= one.memory.l1_hits;
  two.memory.l2_loads -= one.memory.l2_loads;
  two.memory.l2_hits -= one.memory.l2_hits;
  return two;
}

/* A load takes one cycle to issue, then its latency. */
static void add_latency(struct table *t, const char *what, uint32_t asked, uint32_t lines) {
  add(t, what, "cycles", asked, (double)chase(t, lines).cycles / lines - 1, 0);
}

static void add_latencies(struct table *t) {
  const struct hd_memsys_opts o = hd_memsys_defaults();
  add_latency(t, "latency of the L1", o.l1_latency, o.l1_kb * 8);
  add_latency(t, "latency of the L2", o.l2_latency, o.l2_kb * 8);
  add_latency(t, "latency of DRAM", o.dram_latency, o.l2_kb * 16);
}

static double l1_rate(struct table *t, uint32_t lines) {
  const struct hd_memsys_counts n = chase(t, lines).memory;
  return (double)n.l1_hits / (double)n.loads;
}

static double l2_rate(struct table *t, uint32_t lines) {
  const struct hd_memsys_counts n = chase(t, lines).memory;
  return (double)n.l2_hits / (double)n.l2_loads;
}

/* In a loop over all lines (LRU), a set that holds all its lines always hits, any other never. */
static void add_hit_rates(struct table *t) {
  const struct hd_memsys_opts o = hd_memsys_defaults();
  const uint32_t l1 = o.l1_kb * 8, l2 = o.l2_kb * 8;
  add(t, "L1 hits, loop over 0.5 L1", "", 1, l1_rate(t, l1 / 2), 0);
  add(t, "L1 hits, loop over 1 L1", "", 1, l1_rate(t, l1), 0);
  add(t, "L1 hits, loop over 1.125 L1", "", 4.0 / 9, l1_rate(t, l1 / 8 * 9), 0);
  add(t, "L1 hits, loop over 2 L1", "", 0, l1_rate(t, 2 * l1), 0);
  add(t, "L2 hits, loop over 0.5 L2", "", 1, l2_rate(t, l2 / 2), 0);
  add(t, "L2 hits, loop over 1 L2", "", 1, l2_rate(t, l2), 0);
  add(t, "L2 hits, loop over 1.0625 L2", "", 8.0 / 17, l2_rate(t, l2 / 16 * 17), 0);
  add(t, "L2 hits, loop over 2 L2", "", 0, l2_rate(t, 2 * l2), 0);
}

static struct hd_measure stream(uint32_t smxs, uint32_t mshrs) {
  struct hd_measure m = {.gpu = hd_gpu_defaults(), .smxs = smxs, .tbs = 1040, .warps = 8, .steps = 16, .width = 8};
  m.turns = 1;
  m.instructions = 2;
  m.gpu.memory.mshrs = mshrs;
  return m;
}

static double bytes_per_cycle(const struct hd_measured *r) {
  return (double)r->memory.loads * HD_LINE_BYTES / (double)r->cycles;
}

static void add_bandwidths(struct table *t) {
  const struct hd_memsys_opts o = hd_memsys_defaults();
  struct hd_measure m = stream(SMXS, 128);
  struct hd_measured r = measure(t, &m);
  add(t, "stream from DRAM, 128 MSHRs", "bytes/cycle", o.dram_bandwidth, bytes_per_cycle(&r), 0.03);
  m = stream(SMXS, o.mshrs);
  r = measure(t, &m);
  add(t, "stream from DRAM, 32 MSHRs", "bytes/cycle", SMXS * o.mshrs * HD_LINE_BYTES / (double)o.dram_latency,
      bytes_per_cycle(&r), 0.1);
  m = stream(SMXS, 128);
  m.tbs = 104, m.steps = 1, m.width = 6, m.turns = 500; /* 4992 lines: 384 for each L1, which holds 128 */
  r = measure(t, &m);
  add(t, "stream from the L2, 128 MSHRs", "bytes/cycle", o.l2_parts * HD_LINE_BYTES / (double)o.l2_cycles,
      (double)r.memory.l2_loads * HD_LINE_BYTES / (double)r.cycles, 0.03);
}

/* Returns the speedup by twice as many SMXs. */
static double speed_up(struct table *t, struct hd_measure m) {
  const struct hd_measured few = measure(t, &m);
  m.smxs *= 2;
  const struct hd_measured many = measure(t, &m);
  return (double)few.cycles / (double)many.cycles;
}

static void add_scaling(struct table *t) {
  struct hd_measure m = stream(SMXS, 128);
  add(t, "26 SMXs over 13, stream", "times", 1, speed_up(t, m), 0.02);
  m.instructions = 2000, m.steps = 4, m.width = 1;
  add(t, "26 SMXs over 13, computation", "times", 2, speed_up(t, m), 0.02);
}

static bool off(const struct row *r) {
  return fabs(r->measured - r->asked) > r->within * fabs(r->asked) + 1e-9;
}

static int print(const struct table *t, const struct hd_json_to *json) {
  unsigned wrong = 0;
  cJSON *o = hd_json_head(1), *rows = cJSON_AddArrayToObject(o, "rows");
  if (!json->print) printf("  %-34s %9s %10s\n", "", "expected", "measured");
  for (unsigned k = 0; k < t->n; k++) {
    const struct row *r = &t->row[k];
    wrong += off(r);
    cJSON *j = cJSON_CreateObject();
    cJSON_AddStringToObject(j, "what", r->what);
    cJSON_AddStringToObject(j, "unit", r->unit);
    cJSON_AddNumberToObject(j, "asked", r->asked);
    cJSON_AddNumberToObject(j, "measured", r->measured);
    cJSON_AddBoolToObject(j, "off", off(r));
    cJSON_AddItemToArray(rows, j);
    if (!json->print)
      printf("  %-34s %9.3f %10.3f  %s%s\n", r->what, r->asked, r->measured, r->unit,
             off(r) ? "  OUT OF TOLERANCE" : "");
  }
  cJSON_AddStringToObject(o, "verdict", hd_verdict_name(wrong != 0 ? HD_ORACLE : HD_PASS));
  const bool put = hd_json_put(json, o) == 0;
  if (!json->print) printf("%u of %u out of tolerance\n", wrong, t->n);
  cJSON_Delete(o);
  return !put ? HD_CONFIG : wrong != 0 ? HD_ORACLE : HD_PASS;
}

static void print_speed(struct table *t) {
  static const struct {
    const char *what;
    uint32_t steps, width, turns;
  } streams[] = {{"all in the L1", 1, 1, 400},
                 {"a line in each load, from DRAM", 400, 1, 1},
                 {"8 lines in each load, from DRAM", 100, 8, 1}};
  for (unsigned k = 0; k < sizeof streams / sizeof *streams; k++) {
    struct hd_measure m = stream(SMXS, hd_memsys_defaults().mshrs);
    m.steps = streams[k].steps, m.width = streams[k].width, m.turns = streams[k].turns, m.instructions = 6;
    const struct hd_measured r = measure(t, &m);
    printf("  %-34s %6.1f million operations/s, %6.1f million instructions/s, %6.1f million lines/s\n", streams[k].what,
           1e-6 * (double)r.gpu.operations / r.seconds, 1e-6 * (double)r.gpu.instructions / r.seconds,
           1e-6 * (double)r.gpu.load_lines / r.seconds);
  }
}

int hd_cmd_gpu(int argc, char **argv) {
  struct args a = {0};
  struct table t = {0};
  int code = HD_PASS;
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (a.speed) {
    print_speed(&t);
  } else {
    add_latencies(&t);
    add_hit_rates(&t);
    add_bandwidths(&t);
    add_scaling(&t);
    if (!t.failed) code = print(&t, &a.json);
  }
  if (!t.failed) return code;
  fprintf(stderr, "heddle gpu: out of memory\n");
  return HD_INTERNAL;
}
