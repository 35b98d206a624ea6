/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle mutants: runs each mutant of a block's netlist in random lockstep with the golden model, and counts those that
 * no run detects. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "engine/config.h"
#include "engine/equiv.h"
#include "engine/fields.h"

static const char doc[] =
    "Runs the mutants of BLOCK in random lockstep with the golden model: single changes of its netlist (docs/"
    "verification.md). A mutant is killed if a run fails. Prints the survivors, with their lines in the RTL."
    "\vExit codes: 0 every mutant was run, 2 bad usage or a missing object.";

enum { KEY_CYCLES = 'n', KEY_FIRST = 500, KEY_COUNT, KEY_RUNS };

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration (default tiny)", 0},
    {"cycles", KEY_CYCLES, "N", 0, "cycles of each run (default 20000)", 0},
    {"runs", KEY_RUNS, "N", 0,
     "runs of a mutant, with seeds 1 to N, until one kills it; each fourth is without resets, "
     "each fifth also five times as long (default 3)",
     0},
    {"first", KEY_FIRST, "K", 0, "number of the first mutant (default 1)", 0},
    {"count", KEY_COUNT, "N", 0, "how many mutants (default: all of the block)", 0},
    {"json", 'j', "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {0},
};

struct args {
  struct hd_config_args config;
  struct hd_cfg cfg;
  const char *block;
  uint64_t cycles, runs, first, count;
  struct hd_json_to json;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case 'c':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case KEY_CYCLES:
      a->cycles = hd_number_arg(state, "--cycles", arg, 100, UINT64_MAX);
      return 0;
    case KEY_RUNS:
      a->runs = hd_number_arg(state, "--runs", arg, 1, 1000);
      return 0;
    case KEY_FIRST:
      a->first = hd_number_arg(state, "--first", arg, 1, UINT16_MAX);
      return 0;
    case KEY_COUNT:
      a->count = hd_number_arg(state, "--count", arg, 1, UINT16_MAX);
      return 0;
    case 'j':
      hd_json_arg(&a->json, state, arg);
      return 0;
    case ARGP_KEY_ARG:
      if (a->block != NULL) argp_error(state, "one block at a time");
      if (!hd_field_table_find(arg)) argp_error(state, "no block '%s'", arg);
      a->block = arg;
      return 0;
    case ARGP_KEY_NO_ARGS:
      argp_error(state, "BLOCK is missing");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* Reads the change that follows `// mutate -ctrl hd_mutant 16 K ` in the list. Returns false at the end of the list. */
static bool next_mutant(FILE *list, char *text, size_t size) {
  static const char head[] = "// mutate -ctrl hd_mutant ";
  char line[1024];
  if (!fgets(line, sizeof line, list) || strncmp(line, head, sizeof head - 1)) return false;
  const char *mode = strstr(line, "-mode ");
  snprintf(text, size, "%.*s", (int)strcspn(mode ? mode + 6 : line, "\n"), mode ? mode + 6 : line);
  return true;
}

/* Returns the verdict of the run that kills the mutant, or HD_PASS; HD_CONFIG with a reason in err. */
static enum hd_verdict try_mutant(const struct args *a, unsigned id, char *err, size_t err_size) {
  for (uint64_t seed = 1; seed <= a->runs; seed++) {
    const bool large = seed % 5 == 0; /* the graph of that profile takes four million cycles */
    const struct hd_equiv_opts o = {.block = a->block,
                                    .variant = "mutant",
                                    .cfg = a->cfg,
                                    .seed = seed,
                                    .cycles = large ? 5 * a->cycles : a->cycles,
                                    .fault = id,
                                    .no_reset = seed % 4 == 0, /* counters go further */
                                    .profile = large ? "large" : NULL,
                                    .test = "mutants"};
    const struct hd_equiv_result r = hd_equiv(&o);
    if (r.verdict == HD_CONFIG) snprintf(err, err_size, "%s", r.error);
    if (r.verdict != HD_PASS) return r.verdict;
  }
  return HD_PASS;
}

static int run(const struct args *a, FILE *list, cJSON *j) {
  char text[1024], err[512] = "";
  unsigned tried = 0, survived = 0, killed[HD_INTERNAL + 1] = {0};
  cJSON *survivors = cJSON_AddArrayToObject(j, "survivors");
  for (unsigned id = 1; next_mutant(list, text, sizeof text) && tried < a->count; id++) {
    if (id < a->first) continue;
    const enum hd_verdict verdict = try_mutant(a, id, err, sizeof err);
    if (verdict == HD_CONFIG) {
      fprintf(stderr, "heddle mutants: %s\n", err);
      return HD_CONFIG;
    }
    tried++;
    killed[verdict]++;
    if (verdict != HD_PASS) continue;
    survived++;
    cJSON *s = cJSON_CreateObject();
    cJSON_AddNumberToObject(s, "mutant", id);
    cJSON_AddStringToObject(s, "change", text);
    cJSON_AddItemToArray(survivors, s);
    if (!a->json.print) printf("%5u survives: %s\n", id, text);
  }
  cJSON_AddNumberToObject(j, "mutants", tried);
  cJSON *by = cJSON_AddObjectToObject(j, "killed");
  for (unsigned v = HD_PASS + 1; v <= HD_INTERNAL; v++)
    if (killed[v]) cJSON_AddNumberToObject(by, hd_verdict_name((enum hd_verdict)v), killed[v]);
  if (!a->json.print)
    printf("%s %s: %u mutants, %u killed, %u survive\n", a->cfg.name, a->block, tried, tried - survived, survived);
  return HD_PASS;
}

int hd_cmd_mutants(int argc, char **argv) {
  static const struct argp argp = {options, parse, "BLOCK", doc, 0, 0, 0};
  struct args a = {.cycles = 20000, .runs = 3, .first = 1, .count = UINT16_MAX};
  char path[300];
  hd_config_args_init(&a.config);
  snprintf(a.config.text, sizeof a.config.text, "tiny");
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!hd_config_args_done(&a.config, &a.cfg)) return HD_CONFIG;
  snprintf(path, sizeof path, "build/%s/%s/mutants.sv", a.cfg.name, a.block);
  FILE *list = fopen(path, "r");
  if (!list) {
    fprintf(stderr, "heddle mutants: %s: %s; python3 tb/build %s/%s/mutants %s/%s/mutant makes it\n", path,
            strerror(errno), a.cfg.name, a.block, a.cfg.name, a.block);
    return HD_CONFIG;
  }
  cJSON *j = hd_json_head(1);
  cJSON_AddStringToObject(j, "config", a.cfg.name);
  cJSON_AddStringToObject(j, "block", a.block);
  const int code = run(&a, list, j);
  fclose(list);
  const bool put = code != HD_PASS || hd_json_put(&a.json, j) == 0;
  cJSON_Delete(j);
  return put ? code : HD_CONFIG;
}
