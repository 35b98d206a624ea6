/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle channels: runs a Cilk program on channels, checks its answer, and counts its wavefronts. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "cmd/run_args.h"
#include "engine/sim.h"
#include "work/cilk.h"

enum { KEY_SIZE = 256, KEY_WIDTH, KEY_CUS, KEY_ENGINE, KEY_PADDED, KEY_LANES, KEY_JSON };

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "N", 0, "problem size (default 24, 13, 1000000, 512)", 0},
    {"width", KEY_WIDTH, "N", 0, "elements per channel, a power of two (default 32768, 16384, 32768, 8192)", 0},
    {"cus", KEY_CUS, "N", 0, "simulate N CUs and their memory, cycle by cycle (default: untimed)", 0},
    {"engine", KEY_ENGINE, "ENGINE", 0, "with --cus: rtl, model (default), or both: the APU in lockstep", 0},
    {"padded", KEY_PADDED, 0, 0, "with --cus: pad elements to whole cache lines", 0},
    {"per-lane", KEY_LANES, 0, 0, "with --cus: each lane reserves, publishes and frees separately", 0},
    {"config", 'c', "NAME", 0, "configuration (default apu8)", 0},
    {"set", 's', "PARAM=VALUE", 0, "change a parameter of the configuration; may be repeated", 0},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {0}};

static const char doc[] =
    "Runs a Cilk program as a graph of channels, checks its answer and counts wavefronts: untimed, or with --cus on "
    "CUs around the APU, cycle by cycle."
    "\vPROGRAM is fib, queens, sort or strassen; lists of four defaults are in this order. A stack of channels has a "
    "channel of this width for each level.\n\n"
    "Examples:\n"
    "  heddle channels fib\n"
    "  heddle channels queens --size 10 --width 1024 --json\n"
    "  heddle channels strassen --cus 8\n\n"
    "Exit codes: 0 pass, 1 RTL and model differ, 2 bad usage or input, 4 the answer is wrong, 5 no progress.";

struct args {
  const struct hd_cilk_program *program;
  const char *sized;    /* argument of --size; NULL: the paper's size */
  uint32_t size, width; /* width 0: the paper's */
  struct hd_json_to json;
  struct hd_config_args config;
  uint32_t cus; /* 0: untimed */
  struct hd_cus_opts opts;
  bool timed_only; /* an option was given that needs a timed run */
};

static void program_arg(struct args *a, const char *arg, struct argp_state *state) {
  if (a->program != NULL) argp_failure(state, HD_CONFIG, 0, "'%s' is one argument too many", arg);
  a->program = hd_cilk_program(arg);
  if (a->program == NULL)
    argp_failure(state, HD_CONFIG, 0, "no program '%s'; fib, queens, sort or strassen would be accepted", arg);
}

static void set_cus(struct args *a, const char *arg, struct argp_state *state) {
  char set[32];
  a->cus = (uint32_t)hd_number_arg(state, "--cus", arg, 1, HD_MAX_NUM_CU);
  snprintf(set, sizeof set, "NumCu=%" PRIu32, a->cus);
  hd_config_arg(&a->config, 's', set, state);
}

static void complete(struct args *a, struct argp_state *state) {
  const struct hd_cilk_program *p = a->program;
  if (p == NULL) {
    argp_failure(state, HD_CONFIG, 0, "missing PROGRAM: fib, queens, sort or strassen");
    return;
  }
  a->size = a->sized != NULL ? (uint32_t)hd_number_arg(state, "--size", a->sized, p->least, p->most) : p->size;
  if (a->width == 0) a->width = p->width;
  if (a->timed_only && a->cus == 0)
    argp_failure(state, HD_CONFIG, 0, "--engine, --padded and --per-lane need a timed run; add --cus N");
  a->opts.context = p->context;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case KEY_SIZE:
      a->sized = arg;
      return 0;
    case KEY_WIDTH:
      a->width = (uint32_t)hd_number_arg(state, "--width", arg, 1, 1u << 20);
      return 0;
    case KEY_CUS:
      set_cus(a, arg, state);
      return 0;
    case KEY_ENGINE:
      a->opts.engine = hd_engine_arg(state, arg);
      a->timed_only = true;
      return 0;
    case KEY_PADDED:
      a->opts.padded = a->timed_only = true;
      return 0;
    case KEY_LANES:
      a->opts.per_lane = a->timed_only = true;
      return 0;
    case 'c':
    case 's':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case KEY_JSON:
      hd_json_arg(&a->json, state, arg);
      return 0;
    case ARGP_KEY_ARG:
      program_arg(a, arg, state);
      return 0;
    case ARGP_KEY_END:
      complete(a, state);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static bool as_paper(const struct args *a, const struct hd_cfg *cfg) {
  return a->size == a->program->size && a->width == a->program->width && cfg->wave_lanes == 64;
}

/* Returns n as a share of the cycles of all CUs. */
static double share(const struct args *a, const struct hd_cilk_run *r, uint64_t n) {
  return (double)n / ((double)r->cus.cycles * a->cus);
}

static double part(uint64_t n, uint64_t of) {
  return of == 0 ? 0 : (double)n / (double)of;
}

static double wave_cycles(const struct hd_cilk_run *r) {
  return part(r->cus.wave_cycles, r->all.wavefronts);
}

static void print_time(const struct args *a, const struct hd_cilk_run *r) {
  const struct hd_memsys_counts *m = &r->cus.memory;
  printf("  cycles          %" PRIu64 ", %.0f per wavefront\n", r->cus.cycles, wave_cycles(r));
  printf("  blocked         %.3f %% of the time of CUs; %.3f %% with nothing else running on the CU\n",
         100 * share(a, r, r->cus.blocked), 100 * share(a, r, r->cus.idle));
  printf("  idle            %.1f %% of the time of CUs\n", 100 * share(a, r, r->cus.empty));
  printf("  issued          %.1f %% of the issue slots of SIMDs\n",
         100 * part(r->cus.instructions, r->cus.issue_slots));
  printf("  operations      %" PRIu64 " on channels\n", r->cus.ops);
  printf("  L1, L2          %.1f %%, %.1f %% hits; DRAM lines: %" PRIu64 " read, %" PRIu64 " written\n",
         100 * part(m->l1_hits + m->l1_merged, m->loads), 100 * part(m->l2_hits + m->l2_merged, m->l2_loads),
         m->dram_reads, m->dram_writes);
}

static void print_compared(const struct hd_cilk_run *r) {
  if (r->cus.compared == 0)
    printf("  compared        nothing: only one engine ran\n");
  else
    printf("  compared        %" PRIu64 " cycles of RTL and golden model of the apu, differences: %u\n",
           r->cus.compared, r->verdict == HD_MISMATCH);
}

static void print_text(const struct args *a, const struct hd_cfg *cfg, const struct hd_cilk_run *r) {
  printf("%s %" PRIu32 ", channels of %" PRIu32 ", ", a->program->name, a->size, a->width);
  if (a->cus == 0)
    printf("untimed\n");
  else
    printf("on %" PRIu32 " CUs, apu: %s\n", a->cus, hd_engine_name(a->opts.engine));
  printf("  answer          %" PRIu64 ", %s\n", r->answer, r->right ? "equal to that of the plain program" : "WRONG");
  printf("  spawned         %" PRIu64 " tasks in %" PRIu64 " wavefronts\n", r->spawned.elements, r->spawned.wavefronts);
  printf("  after a sync    %" PRIu64 " tasks in %" PRIu64 " wavefronts\n", r->joined.elements, r->joined.wavefronts);
  printf("  wavefronts      %" PRIu64 ", %" PRIu64 " of them partial", r->all.wavefronts, r->all.partial);
  if (as_paper(a, cfg)) printf("; the paper has %" PRIu32, a->program->paper);
  printf("\n  yields          %" PRIu64 "\n", r->all.yields);
  if (a->cus != 0) print_time(a, r);
  if (a->cus != 0) print_compared(r);
}

static void add_time(cJSON *j, const struct args *a, const struct hd_cilk_run *r) {
  const struct hd_memsys_counts *m = &r->cus.memory;
  const struct {
    const char *key;
    double value;
  } numbers[] = {{"cus", a->cus},
                 {"wave_cycles", wave_cycles(r)},
                 {"blocked", share(a, r, r->cus.blocked)},
                 {"blocked_idle", share(a, r, r->cus.idle)},
                 {"empty", share(a, r, r->cus.empty)},
                 {"issued", part(r->cus.instructions, r->cus.issue_slots)},
                 {"ops", (double)r->cus.ops},
                 {"l1_hit_rate", part(m->l1_hits + m->l1_merged, m->loads)},
                 {"l2_hit_rate", part(m->l2_hits + m->l2_merged, m->l2_loads)},
                 {"dram_reads", (double)m->dram_reads},
                 {"dram_writes", (double)m->dram_writes}};
  cJSON_AddBoolToObject(j, "padded", a->opts.padded);
  cJSON_AddBoolToObject(j, "per_lane", a->opts.per_lane);
  for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
    cJSON_AddNumberToObject(j, numbers[k].key, numbers[k].value);
}

static void add_verdict(cJSON *j, const struct hd_cilk_run *r, const char *reason) {
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(r->verdict));
  if (r->verdict != HD_PASS) cJSON_AddStringToObject(j, "reason", reason);
  cJSON_AddNumberToObject(j, "cycles_compared", (double)r->cus.compared);
  cJSON_AddNumberToObject(j, "differences", r->verdict == HD_MISMATCH);
}

static bool put_json(const struct args *a, const struct hd_cfg *cfg, const struct hd_cilk_run *r, const char *reason) {
  const struct {
    const char *key;
    uint64_t value;
  } numbers[] = {{"size", a->size},
                 {"width", a->width},
                 {"answer", r->answer},
                 {"plain", r->plain},
                 {"spawned", r->spawned.elements},
                 {"spawned_wavefronts", r->spawned.wavefronts},
                 {"joined", r->joined.elements},
                 {"joined_wavefronts", r->joined.wavefronts},
                 {"wavefronts", r->all.wavefronts},
                 {"partial", r->all.partial},
                 {"yields", r->all.yields}};
  cJSON *j = hd_json_head(3);
  cJSON_AddStringToObject(j, "program", a->program->name);
  cJSON_AddStringToObject(j, "config", cfg->name);
  cJSON_AddBoolToObject(j, "timed", a->cus != 0);
  if (a->cus != 0) cJSON_AddStringToObject(j, "engine", hd_engine_name(a->opts.engine));
  add_verdict(j, r, reason);
  if (a->cus != 0) cJSON_AddNumberToObject(j, "cycles", (double)r->cus.cycles);
  cJSON_AddBoolToObject(j, "right", r->right);
  for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
    cJSON_AddNumberToObject(j, numbers[k].key, (double)numbers[k].value);
  if (as_paper(a, cfg)) cJSON_AddNumberToObject(j, "paper_wavefronts", a->program->paper);
  if (a->cus != 0) add_time(cJSON_AddObjectToObject(j, "time"), a, r);
  const bool put = hd_json_put(&a->json, j) == 0;
  cJSON_Delete(j);
  return put;
}

/* Runs the program and sets r->verdict, which includes the check of the answer. Unless it is HD_PASS, the reason is in
 * err and on stderr. */
static void run(const struct args *a, const struct hd_cfg *cfg, struct hd_cilk_run *r, char *err, size_t err_size) {
  struct hd_cilk_opts o = {.cfg = cfg, .size = a->size, .width = a->width, .timed = a->cus != 0, .cus = a->opts};
  if (o.timed) o.cost = hd_cost_new();
  snprintf(err, err_size, "out of memory");
  const bool good = (!o.timed || o.cost != NULL) && a->program->run(&o, r, err, err_size);
  hd_cost_free(o.cost);
  if (good && !r->right) {
    r->verdict = HD_ORACLE;
    snprintf(err, err_size, "the answer differs from the plain program's");
  }
  if (r->verdict != HD_PASS) fprintf(stderr, "heddle channels: %s\n", err);
}

int hd_cmd_channels(int argc, char **argv) {
  struct args a = {.opts = {.engine = HD_ENGINE_MODEL}};
  const struct argp argp = {options, parse_option, "PROGRAM", doc, 0, 0, 0};
  struct hd_cilk_run r = {.verdict = HD_CONFIG};
  struct hd_cfg cfg;
  char apu8[] = "apu8", err[500];
  hd_config_args_init(&a.config);
  hd_config_arg(&a.config, 'c', apu8, NULL);
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!hd_config_args_done(&a.config, &cfg)) return HD_CONFIG;
  run(&a, &cfg, &r, err, sizeof err);
  if (r.verdict == HD_CONFIG) return HD_CONFIG;
  if (!a.json.print) print_text(&a, &cfg, &r);
  return put_json(&a, &cfg, &r, err) ? (int)r.verdict : HD_CONFIG;
}
