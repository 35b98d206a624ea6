/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/run_args.h"

#include <argp.h>
#include <string.h>

#include "gen/hd_policies.h"
#include "sim/fit.h"

enum {
  KEY_LAUNCH = 256,
  KEY_IDEAL,
  KEY_MEMORY_LATENCY,
  KEY_PENDING,
  KEY_SPILL,
  KEY_WAIT,
  KEY_CONTEXT_CYCLES,
  KEY_POLICY,
  KEY_ENGINE,
  KEY_BLOCK_SIZE,
  KEY_OVERHEAD,
  KEY_CYCLES_PER_EDGE,
  KEY_SEED,
  KEY_JITTER,
  KEY_REGS,
  KEY_SMEM,
  KEY_TRACE,
  KEY_ONLY,
  KEY_LAUNCH_LATENCY,
  KEY_TIMELINE,
  KEY_KERNELS,
  KEY_LONGEST,
  KEY_PAGE,
  KEY_WAVE,
  KEY_WAVE_CYCLES,
  KEY_JSON,
  KEY_REPORT,
  KEY_TAKE_EVERY,
  KEY_MAX_CYCLES,
  KEY_PATIENCE,
  KEY_SKIP,
  KEY_FAULT
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What runs", 1},
    {"block-size", KEY_BLOCK_SIZE, "N", 0, "threads per TB (default 256)", 1},
    {"regs", KEY_REGS, "N", 0, "registers per thread (default: as many as still fill an SMX with threads, at most 32)",
     1},
    {"smem", KEY_SMEM, "BYTES", 0, "shared memory per TB (default 0)", 1},
    {"overhead", KEY_OVERHEAD, "CYCLES", 0, "fixed cost of a TB, in cycles (default 100)", 1},
    {"cycles-per-edge", KEY_CYCLES_PER_EDGE, "CYCLES", 0, "cycles that a thread spends per neighbour (default 8)", 1},
    {"trace", KEY_TRACE, "FILE", 0, "run the kernels of this trace instead of a workload; - reads standard input", 1},
    {"only", KEY_ONLY, "KERNELS", 0,
     "run only these kernels of the trace, by number in the file (3,5-9) or by name ('gemm*')", 1},
    {"launch-latency", KEY_LAUNCH_LATENCY, "CYCLES", 0,
     "cycles from the host's call until the launch reaches the plane, for kernels whose trace gives none (default 0)",
     1},
    {0, 0, 0, 0, "Configuration and engine", 2},
    {"config", 'c', "NAME", 0, "configuration of the plane (default k20c)", 2},
    {"set", 's', "P=V", 0, "change a parameter of the configuration; may be repeated", 2},
    {"engine", KEY_ENGINE, "NAME", 0, "rtl, model, or both (default): in lockstep", 2},
    {"policy", KEY_POLICY, "NAME", 0, "policy of the SMX scheduler (default rr): " HD_POLICY_LISTED, 2},
    {"take-every", KEY_TAKE_EVERY, "N", 0, "an SMX accepts a TB in one of N cycles (default 1)", 2},
    {"seed", KEY_SEED, "N", 0, "seed of the jitter and of random durations in a trace; 0 (default): no jitter", 2},
    {"jitter", KEY_JITTER, "CYCLES", 0,
     "with --seed: delay each launch by a random number of cycles up to this (default 1000)", 2},
    {"max-cycles", KEY_MAX_CYCLES, "N", 0, "end the run after N cycles, with verdict LIMIT", 2},
    {"skip", KEY_SKIP, "NAME", 0,
     "idle cycles of --engine model: yes (default): skip them; no: simulate each; check: do both and compare the "
     "states "
     "bit for bit",
     2},
    {"patience", KEY_PATIENCE, "N", 0,
     "idle cycles before the run ends with verdict STUCK (default 100000; at least 20000)", 2},
    {"fault", KEY_FAULT, "ID", OPTION_HIDDEN, "switch on a planted fault of verif/faults.csv", 2},
    {0, 0, 0, 0, "Launches from the device", 3},
    {"launch", KEY_LAUNCH, "NAME", 0,
     "launch model: flat (default): no launches from TBs; cdp: TBs launch kernels; dtbl: TBs launch aggregated groups. "
     "Tiled workloads: waves (default): the host launches a kernel per wave; cdp: a TB does; graph: one kernel with a "
     "dependency graph; barriers: one kernel whose graph makes each wave wait for the whole wave before",
     3},
    {"ideal", KEY_IDEAL, 0, 0, "launches take no time (CDPI and DTBLI in the paper)", 3},
    {"pending", KEY_PENDING, "N", 0, "limit on launches from TBs that have not completed (default 2048, as in CUDA)",
     3},
    {"spill", KEY_SPILL, "N", 0,
     "groups of each bank and level that find room in memory at least; 0: none (default: all that --pending admits)",
     3},
    {"wait", KEY_WAIT, "NAME", 0,
     "what a TB does while it waits for kernels that it launched: save (default): store its context and free its slot; "
     "spin: keep its slot",
     3},
    {"context-cycles", KEY_CONTEXT_CYCLES, "CYCLES", 0,
     "with --wait save: cycles to store or load 128 bytes of a context (default 4: one line through the SMX's port)",
     3},
    {"memory-latency", KEY_MEMORY_LATENCY, "CYCLES", 0,
     "latency of a memory burst of the plane, in cycles (default 120: an L2 hit)", 3},
    {0, 0, 0, 0, "Output files", 5},
    {"timeline", KEY_TIMELINE, "FILE", 0, "one row per TB: .csv, or .json for a trace viewer", 5},
    {"kernels", KEY_KERNELS, "FILE", 0, "one row per launch, by the host or a TB: .csv", 5},
    {"longest", KEY_LONGEST, "N", 0, "number of longest-waiting launches and streams in the report (default 8)", 5},
    {"page", KEY_PAGE, "FILE", 0, "the run as one page for a browser: SMXs over time, waits, tables (.html)", 5},
    {"wave", KEY_WAVE, "FILE", 0, "waveform of the run (.fst)", 5},
    {"wave-cycles", KEY_WAVE_CYCLES, "N", 0, "limit the waveform to the first N cycles", 5},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "print the report as JSON, or write it to FILE", 5},
    {"report", KEY_REPORT, "FILE", 0, "write the report as text to FILE, too", 5},
    {"quiet", 'q', 0, 0, "print nothing but errors", 5},
    {0}};

static const char doc[] =
    "Runs a workload through the dispatch plane and reports cycles, waiting times and occupancy. A workload is a graph "
    "algorithm, a set of tiles that depend on each other, or a trace of kernels. The default INPUT is the graph of "
    "package dependencies of Debian 12."
    "\vExamples:\n"
    "  heddle run                                the bundled graph, in lockstep\n"
    "  heddle run road.gr --engine model         your graph, on the golden model\n"
    "  heddle run -c tiny --block-size 64        a plane of two small SMXs\n"
    "  heddle run bfs --launch dtbl --ideal      TBs launch groups, in no time\n"
    "  heddle run bfs --launch dtbl --policy smx-bind   children stay on an SMX\n"
    "  heddle run bfs --smx gpu --engine model   SMXs with warps, caches and DRAM\n"
    "  heddle run sw --nodes 4k --engine model   64 x 64 tiles, one kernel per wave\n"
    "  heddle run fib --cus 8                    as heddle channels fib\n"
    "  heddle run --trace my.trace --timeline t.json --json=out.json\n\n"
    "WORKLOAD, on graphs: bfs (default), breadth-first search; sssp, shortest paths; clr, graph colouring; rec, "
    "recommendation. On generated data: join, join of two tables; regx, regular expression on packets; amr, adaptive "
    "mesh; bht, Barnes-Hut. Tiled: dtw, dynamic time warping; heat2d, heat equation; hist, integral histogram; "
    "intimg, integral image; sor, successive over-relaxation; sw, Smith-Waterman. Stand-ins for the kernels of the "
    "warp scheduler's paper, with --smx gpu: " HD_KERNELS_NAMES
    ".\n\n"
    "INPUT, a graph: edge list, Matrix Market, DIMACS .gr or METIS .graph, plain or compressed. docs/trace.md "
    "describes the format of traces.\n\nExit codes: 0 PASS, 1 MISMATCH, 2 CONFIG, 3 ASSERT, 4 ORACLE, 5 STUCK, 6 "
    "LIMIT, 7 INTERNAL.";

/* Returns true if `name` is one of the names in `list`, which blanks separate. */
static bool is_in(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *at = list; n > 0 && (at = strstr(at, name)) != NULL; at++)
    if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
  return false;
}

/* Planned names get their own message, so that a user sees that the name is not misspelt. */
static const char *choice(const struct argp_state *state, const char *option, const char *arg, const char *there,
                          const char *later) {
  if (is_in(there, arg)) return arg;
  argp_error(state, "%s '%s' is %s; accepted: %s", option, arg, is_in(later, arg) ? "not implemented yet" : "unknown",
             there);
  return there;
}

static const char workloads[] = HD_ROUNDS_NAMES " " HD_TILES_NAMES " " HD_KERNELS_NAMES;
static const char policies[] = HD_POLICY_NAMES;
static const char policies_later[] = "lrr lvl";

static bool parse_output(int key, char *arg, struct argp_state *state, struct hd_run_args *a) {
  switch (key) {
    case KEY_TRACE:
      a->trace = hd_input_arg(state, "--trace", arg);
      return true;
    case KEY_ONLY:
      a->only = arg;
      return true;
    case KEY_TIMELINE:
      a->timeline = arg;
      return true;
    case KEY_KERNELS:
      a->kernels = arg;
      return true;
    case KEY_LONGEST:
      a->longest = (uint32_t)hd_number_arg(state, "--longest", arg, 0, UINT32_MAX);
      return true;
    case KEY_PAGE:
      a->page = arg;
      return true;
    case KEY_WAVE_CYCLES:
      a->wave_cycles = hd_number_arg(state, "--wave-cycles", arg, 1, UINT64_MAX);
      return true;
    case KEY_WAVE:
      a->wave = arg;
      return true;
    case KEY_JSON:
      hd_json_arg(&a->json, state, arg);
      return true;
    case KEY_REPORT:
      a->report = arg;
      return true;
    case 'q':
      a->quiet = true;
      return true;
    default:
      return false;
  }
}

static bool parse_number(int key, const char *arg, struct argp_state *state, struct hd_run_args *a) {
  switch (key) {
    case KEY_BLOCK_SIZE:
      a->block_size = (uint32_t)hd_number_arg(state, "--block-size", arg, 1, HD_CTA_THREADS_MAX);
      return true;
    case KEY_OVERHEAD:
      a->overhead = (uint32_t)hd_number_arg(state, "--overhead", arg, 0, 1000000000);
      return true;
    case KEY_CYCLES_PER_EDGE:
      a->cycles_per_edge = (uint32_t)hd_number_arg(state, "--cycles-per-edge", arg, 0, 1000000);
      return true;
    case KEY_SEED:
      a->seed = hd_number_arg(state, "--seed", arg, 0, UINT64_MAX);
      return true;
    case KEY_JITTER:
      a->jitter = (uint32_t)hd_number_arg(state, "--jitter", arg, 0, 1000000000);
      return true;
    case KEY_MEMORY_LATENCY:
      a->memory_latency = (uint32_t)hd_number_arg(state, "--memory-latency", arg, 1, 1000000);
      return true;
    case KEY_CONTEXT_CYCLES:
      a->context_cycles = (uint32_t)hd_number_arg(state, "--context-cycles", arg, 0, 1000000);
      return true;
    case KEY_PENDING:
      a->pending = (uint32_t)hd_number_arg(state, "--pending", arg, 1, 1 << 20);
      return true;
    case KEY_SPILL:
      a->spill = (uint32_t)hd_number_arg(state, "--spill", arg, 0, 1 << 20);
      return true;
    case KEY_REGS:
      a->regs = (int64_t)hd_number_arg(state, "--regs", arg, 0, 255);
      return true;
    case KEY_SMEM:
      a->smem = (uint32_t)hd_number_arg(state, "--smem", arg, 0, 1023 * 256);
      return true;
    case KEY_TAKE_EVERY:
      a->take_every = (uint32_t)hd_number_arg(state, "--take-every", arg, 1, 10000);
      return true;
    case KEY_FAULT:
      a->fault = (uint32_t)hd_number_arg(state, "--fault", arg, 1, 100000);
      return true;
    case KEY_LAUNCH_LATENCY:
      a->launch_latency = hd_number_arg(state, "--launch-latency", arg, 0, UINT64_C(1) << 40);
      return true;
    case KEY_MAX_CYCLES:
      a->max_cycles = hd_number_arg(state, "--max-cycles", arg, 1, UINT64_MAX);
      return true;
    case KEY_PATIENCE:
      a->patience = hd_number_arg(state, "--patience", arg, 20000, UINT64_MAX);
      return true;
    default:
      return false;
  }
}

enum hd_engine hd_engine_arg(const struct argp_state *state, const char *arg) {
  if (strcmp(arg, "rtl") == 0) return HD_ENGINE_RTL;
  if (strcmp(arg, "model") == 0) return HD_ENGINE_MODEL;
  if (strcmp(arg, "both") != 0) argp_error(state, "--engine is '%s'; rtl, model or both would be accepted", arg);
  return HD_ENGINE_BOTH;
}

static enum hd_skip skip_arg(const struct argp_state *state, const char *arg) {
  if (strcmp(arg, "no") == 0) return HD_SKIP_NEVER;
  if (strcmp(arg, "check") == 0) return HD_SKIP_CHECKED;
  if (strcmp(arg, "yes") != 0) argp_error(state, "--skip is '%s'; yes, no or check would be accepted", arg);
  return HD_SKIP;
}

static const char *name_of(int key) {
  const struct argp_option *o = options;
  while (o->key != key) o++;
  return o->name;
}

bool hd_run_has_option(const struct hd_run_args *a, const char *option) {
  for (const struct argp_option *o = options; o->name != NULL || o->doc != NULL; o++)
    if (o->name != NULL && o->key >= KEY_LAUNCH && strcmp(o->name, option) == 0)
      return (a->given >> (o->key - KEY_LAUNCH) & 1) != 0;
  return false;
}

_Static_assert(KEY_FAULT - KEY_LAUNCH < 32, "a bit of `given` for each option");

/* Notes which options were given, and those that apply only to timers or only to workloads in rounds. */
static void note(int key, struct hd_run_args *a) {
  if (key >= KEY_LAUNCH && key <= KEY_FAULT) a->given |= 1u << (key - KEY_LAUNCH);
  if (key == KEY_OVERHEAD || key == KEY_CYCLES_PER_EDGE || key == KEY_CONTEXT_CYCLES) a->of_timer = name_of(key);
  if (key == KEY_CYCLES_PER_EDGE) a->rounds.given = name_of(key);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
  struct hd_run_args *a = state->input;
  note(key, a);
  if (parse_output(key, arg, state, a) || parse_number(key, arg, state, a)) return 0;
  switch (key) {
    case KEY_LAUNCH:
      a->launch = choice(state, "launch model", arg, "flat cdp dtbl waves barriers graph", "");
      return 0;
    case KEY_WAIT:
      a->spin = strcmp(choice(state, "wait", arg, "save spin", ""), "spin") == 0;
      return 0;
    case KEY_IDEAL:
      a->ideal = true;
      return 0;
    case KEY_POLICY:
      a->policy = choice(state, "policy", arg, policies, policies_later);
      return 0;
    case 'c':
    case 's':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case KEY_ENGINE:
      a->engine = hd_engine_arg(state, arg);
      return 0;
    case KEY_SKIP:
      a->skip = skip_arg(state, arg);
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num == 0 && is_in(workloads, arg)) {
        a->workload = arg;
        a->named = true;
        return 0;
      }
      if (a->input != NULL) argp_error(state, "'%s' is one argument too many", arg);
      a->input = arg;
      return 0;
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &a->tiles;
      state->child_inputs[1] = &a->gpu;
      state->child_inputs[2] = &a->rounds;
      return 0;
    case ARGP_KEY_END:
      hd_run_args_check(state, a);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

void hd_run_args_parse(struct hd_run_args *a, int argc, char **argv) {
  *a = (struct hd_run_args){.workload = "bfs",
                            .policy = "rr",
                            .engine = HD_ENGINE_BOTH,
                            .block_size = 256,
                            .overhead = 100,
                            .cycles_per_edge = 8,
                            .jitter = 1000,
                            .take_every = 1,
                            .pending = 2048,
                            .memory_latency = 120,
                            .context_cycles = 4,
                            .regs = -1,
                            .longest = 8,
                            .patience = 100000};
  hd_config_args_init(&a->config);
  const struct argp_child children[] = {{&hd_tiles_argp, 0, "Workloads of tiles: " HD_TILES_NAMES, 4},
                                        {&hd_gpu_argp, 0, "SMXs", 4},
                                        {&hd_rounds_argp, 0, "Workloads in rounds: " HD_ROUNDS_NAMES, 4},
                                        {0}};
  const struct argp argp = {options, parse_option, "[WORKLOAD] [INPUT]", doc, children, 0, 0};
  argp_parse(&argp, argc, argv, 0, 0, a);
}

const char *hd_engine_name(enum hd_engine e) {
  return e == HD_ENGINE_RTL ? "rtl" : e == HD_ENGINE_MODEL ? "model" : "both";
}

#define WORD(name, word) word,
static const char *const policy_names[] = {HD_POLICIES(WORD)};
#undef WORD

enum hd_policy hd_run_policy(const char *name) {
  for (unsigned p = 0; p < sizeof policy_names / sizeof *policy_names; p++)
    if (strcmp(policy_names[p], name) == 0) return (enum hd_policy)p;
  return HD_POLICY_RR;
}

const char *hd_policy_name(enum hd_policy p) {
  return policy_names[p];
}

enum hd_policy hd_policy_arg(const struct argp_state *state, const char *arg) {
  return hd_run_policy(choice(state, "policy", arg, policies, policies_later));
}
