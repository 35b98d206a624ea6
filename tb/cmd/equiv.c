/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle equiv: random lockstep of RTL and golden model. */
#include "engine/equiv.h"

#include <argp.h>
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/fault_list.h"
#include "cmd/options.h"
#include "cmd/signals.h"
#include "common/hd_cfg.h"
#include "engine/block_driver.h"
#include "engine/config.h"
#include "engine/objects.h"
#include "engine/outfile.h"
#include "engine/save_failure.h"

static const char doc[] =
    "Drives the RTL and the golden model of a block with the same random stimulus: changing backpressure, clients that "
    "break the protocol, resets at any time. Compares every output in every cycle, and after every clock edge the "
    "state "
    "that the table of the block lists. On the first difference, prints the signals that differ and the last "
    "transfers, "
    "and writes a replay file and a waveform.\v"
    "BLOCK is one of " HD_BLOCK_NAMES
    " (the whole plane), or all (the default).\n"
    "Example: heddle equiv kd --config tiny --cycles 1000000 --seed 7";

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration (default k20c)", 0},
    {"set", 's', "PARAM=VALUE", 0, "change a parameter of the configuration; may be repeated", 0},
    {"cycles", 'n', "N", 0, "clock cycles per block (default 100000)", 0},
    {"seed", 'S', "N", 0, "seed (default 1)", 0},
    {"profile", 'p', "NAME", 0,
     "profile of the stimulus: free, idle_source, stall_sink, random, bad or full (default: alternates between these), "
     "overflow, failing, regions, parents or large",
     0},
    {"variant", 'V', "NAME", 0, "build of the RTL: " HD_VARIANTS " (default rtl)", 0},
    {"fault", 'f', "ID", 0, "switch on a planted fault of verif/faults.csv", 0},
    {"shrink", 'k', "SECONDS", 0, "time limit for shortening a failing run (default 20)", 0},
    {"out", 'o', "DIR", 0, "folder for the files of failing runs (default build/fail; '': no files)", 0},
    {"json", 'j', "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {"coverage", 'L', "FILE", 0, "write line and toggle coverage; needs one BLOCK and uses --variant cov", 0},
    {"vectors", 'v', "FILE", 0, "write all inputs and outputs for a testbench in another simulator; needs one BLOCK",
     0},
    {"covers", 'C', 0, 0, "list the cover points with their hits", 0},
    {0},
};

struct args {
  struct hd_config_args config;
  struct hd_equiv_opts o;
  const char *block;
  struct hd_json_to json;
  bool covers;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case 'c':
    case 's':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case 'n':
      a->o.cycles = hd_number_arg(state, "--cycles", arg, 1, UINT64_MAX);
      return 0;
    case 'S':
      a->o.seed = hd_number_arg(state, "--seed", arg, 0, UINT64_MAX);
      return 0;
    case 'f':
      a->o.fault = (unsigned)hd_number_arg(state, "--fault", arg, 1, 100000);
      return 0;
    case 'k':
      a->o.shrink = (double)hd_number_arg(state, "--shrink", arg, 0, 100000);
      return 0;
    case 'p':
      a->o.profile = arg;
      return 0;
    case 'V':
      if (!hd_variant_exists(arg)) argp_error(state, "no variant '%s'; there are: " HD_VARIANTS, arg);
      a->o.variant = arg;
      return 0;
    case 'L':
      a->o.coverage = arg;
      return 0;
    case 'v':
      a->o.vectors = arg;
      return 0;
    case 'o':
      a->o.out_dir = *arg ? arg : NULL;
      return 0;
    case 'j':
      hd_json_arg(&a->json, state, arg);
      return 0;
    case 'C':
      a->covers = true;
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num) return ARGP_ERR_UNKNOWN;
      a->block = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static int refuse(const char *text) {
  fprintf(stderr, "heddle: %s\n", text);
  return HD_CONFIG;
}

/* Selects the build that a fault or coverage needs. */
static int choose_variant(struct hd_equiv_opts *o) {
  const char *const want = o->fault != 0 ? "fault" : o->coverage ? "cov" : NULL;
  if (want == NULL) return HD_PASS;
  if (o->fault != 0 && o->coverage) return refuse("--coverage and --fault; one of them would be accepted");
  if (o->variant != NULL && strcmp(o->variant, want) != 0)
    return refuse(o->fault != 0 ? "--fault needs --variant fault" : "--coverage needs --variant cov");
  o->variant = want;
  return HD_PASS;
}

/* Tests every output path before the run starts. */
static int check(struct args *a, bool all) {
  char err[700];
  const struct hd_equiv_opts *o = &a->o;
  if (choose_variant(&a->o) != HD_PASS) return HD_CONFIG;
  if (all && (o->coverage || o->vectors))
    return refuse(o->coverage ? "--coverage needs one BLOCK" : "--vectors needs one BLOCK");
  if (all && o->fault != 0) return refuse("--fault needs one BLOCK");
  if (o->fault != 0 && !hd_fault_accepted(o->fault, a->block, err, sizeof err)) return refuse(err);
  if (o->coverage && !hd_out_try(o->coverage, err, sizeof err)) return refuse(err);
  if (o->vectors && !hd_out_try(o->vectors, err, sizeof err)) return refuse(err);
  return !o->out_dir || hd_save_folder(o->out_dir, err, sizeof err) ? HD_PASS : refuse(err);
}

static cJSON *to_json(const struct args *a, const char *block, const struct hd_equiv_result *r) {
  cJSON *j = hd_json_head(1);
  cJSON_AddStringToObject(j, "block", block);
  cJSON_AddStringToObject(j, "config", a->o.cfg.name);
  cJSON_AddNumberToObject(j, "seed", (double)a->o.seed);
  cJSON_AddNumberToObject(j, "cycles", (double)r->cycles);
  cJSON_AddNumberToObject(j, "cycles_compared", (double)r->cycles);
  cJSON_AddNumberToObject(j, "events", (double)r->events);
  cJSON_AddNumberToObject(j, "differences",
                          r->verdict == HD_PASS || r->verdict == HD_LIMIT || r->verdict == HD_CONFIG ? 0 : 1);
  cJSON_AddNumberToObject(j, "covers_hit", r->covers_hit);
  cJSON_AddNumberToObject(j, "covers_total", r->covers_total);
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(r->verdict));
  cJSON_AddNumberToObject(j, "resets", r->resets);
  if (r->verdict == HD_CONFIG)
    cJSON_AddStringToObject(j, "reason", r->error);
  else if (r->verdict && r->verdict != HD_LIMIT)
    cJSON_AddStringToObject(j, "reason", r->failure.label);
  if (*r->replay) cJSON_AddStringToObject(j, "replay", r->replay);
  cJSON *covers = a->covers ? cJSON_AddObjectToObject(j, "covers") : NULL;
  for (unsigned k = 0; covers && r->covers[k]; k++) cJSON_AddNumberToObject(covers, r->covers[k], (double)r->hits[k]);
  return j;
}

static void print_head(const struct args *a) {
  printf("%-8s %-12s %12s %12s %7s %9s  verdict (seed %" PRIu64 ")\n", "block", "config", "cycles", "events", "resets",
         "covers", a->o.seed);
}

static void print_row(const struct args *a, const char *block, const struct hd_equiv_result *r) {
  printf("%-8s %-12s %12" PRIu64 " %12" PRIu64 " %7u %6u/%-2u  %s\n", block, a->o.cfg.name, r->cycles, r->events,
         r->resets, r->covers_hit, r->covers_total, hd_verdict_name(r->verdict));
  for (unsigned k = 0; a->covers && r->covers[k]; k++) printf("    %-28s %" PRIu64 "\n", r->covers[k], r->hits[k]);
}

int hd_cmd_equiv(int argc, char **argv) {
  static const struct argp argp = {options, parse, "[BLOCK|all]", doc, 0, 0, 0};
  struct args a = {.o = {.cycles = 100000, .seed = 1, .shrink = 20, .out_dir = "build/fail", .report = stderr},
                   .block = "all"};
  hd_config_args_init(&a.config);
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!hd_config_args_done(&a.config, &a.o.cfg)) return HD_CONFIG;
  bool all = !strcmp(a.block, "all");
  if (!all && !hd_block_driver_find(a.block)) {
    fprintf(stderr, "heddle: no block '%s'; there are:", a.block);
    for (unsigned k = 0; hd_block_drivers[k]; k++) fprintf(stderr, " %s", hd_block_drivers[k]->block);
    fprintf(stderr, " all\n");
    return HD_CONFIG;
  }
  int code = check(&a, all);
  if (code) return code;
  a.o.stop = hd_signals_stop();
  unsigned rows = 0;
  cJSON *list = cJSON_CreateArray();
  for (unsigned k = 0; hd_block_drivers[k] && !*a.o.stop && code != HD_CONFIG; k++) {
    const char *block = hd_block_drivers[k]->block;
    if (!all && strcmp(block, a.block)) continue;
    a.o.block = block;
    a.o.progress = true;
    struct hd_equiv_result r = hd_equiv(&a.o);
    if (r.verdict == HD_CONFIG) code = refuse(r.error);
    if (!a.json.print && code != HD_CONFIG && !rows++) print_head(&a);
    cJSON_AddItemToArray(list, to_json(&a, block, &r));
    if (!a.json.print && code != HD_CONFIG) print_row(&a, block, &r);
    fflush(stdout);
    if (!code) code = (int)r.verdict;
  }
  if (hd_json_put(&a.json, list)) code = HD_CONFIG;
  cJSON_Delete(list);
  return code;
}
