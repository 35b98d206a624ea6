/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle channels: a Cilk program on channels, its answer, and how many wavefronts it took. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "engine/sim.h"
#include "work/cilk.h"

enum { KEY_SIZE = 256, KEY_WIDTH, KEY_JSON };

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "N", 0, "of the problem (24, 13, 1000000, 512)", 0},
    {"width", KEY_WIDTH, "N", 0, "capacity of each channel in elements, a power of two (32768, 16384, 32768, 8192)", 0},
    {"config", 'c', "NAME", 0, "a named configuration (apu8)", 0},
    {"set", 's', "PARAM=VALUE", 0, "change a parameter of it; may be repeated", 0},
    {"json", KEY_JSON, 0, 0, "print it as JSON", 0},
    {0}};

static const char doc[] =
    "Runs a Cilk program as a graph of channels, without time, checks its answer, and counts wavefronts."
    "\vPROGRAM is fib, queens, sort or strassen. A width of a channel is of each level of a stack.\n\n"
    "Examples:\n"
    "  heddle channels fib\n"
    "  heddle channels queens --size 10 --width 1024 --json\n\n"
    "Exit codes: 0 pass, 2 bad usage or input, 4 the answer is wrong.";

struct args {
  const struct hd_cilk_program *program;
  uint32_t size, width; /* 0: the paper's */
  bool json;
  struct hd_config_args config;
};

static void program_arg(struct args *a, const char *arg, struct argp_state *state) {
  if (a->program != NULL) argp_failure(state, HD_CONFIG, 0, "'%s' is one argument too many", arg);
  a->program = hd_cilk_program(arg);
  if (a->program == NULL)
    argp_failure(state, HD_CONFIG, 0, "no program '%s'; fib, queens, sort or strassen would be accepted", arg);
}

static void complete(struct args *a, struct argp_state *state) {
  const struct hd_cilk_program *p = a->program;
  if (p == NULL) {
    argp_failure(state, HD_CONFIG, 0, "the name of a program is missing: fib, queens, sort or strassen");
    return;
  }
  if (a->size == 0) a->size = p->size;
  if (a->width == 0) a->width = p->width;
  if (a->size < p->least || a->size > p->most)
    argp_failure(state, HD_CONFIG, 0, "--size is %" PRIu32 "; %s takes %" PRIu32 " to %" PRIu32, a->size, p->name,
                 p->least, p->most);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case KEY_SIZE:
      a->size = (uint32_t)hd_number_arg(state, "--size", arg, 1, 1u << 22);
      return 0;
    case KEY_WIDTH:
      a->width = (uint32_t)hd_number_arg(state, "--width", arg, 1, 1u << 20);
      return 0;
    case 'c':
    case 's':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case KEY_JSON:
      a->json = true;
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

static void print_text(const struct args *a, const struct hd_cfg *cfg, const struct hd_cilk_run *r) {
  printf("%s %" PRIu32 ", channels of %" PRIu32 ", untimed\n", a->program->name, a->size, a->width);
  printf("  answer          %" PRIu64 ", %s\n", r->answer, r->right ? "as the plain program finds" : "WRONG");
  printf("  spawned         %" PRIu64 " tasks in %" PRIu64 " wavefronts\n", r->spawned.elements, r->spawned.wavefronts);
  printf("  after a sync    %" PRIu64 " tasks in %" PRIu64 " wavefronts\n", r->joined.elements, r->joined.wavefronts);
  printf("  wavefronts      %" PRIu64 ", %" PRIu64 " of them partial", r->all.wavefronts, r->all.partial);
  if (as_paper(a, cfg)) printf("; the paper has %" PRIu32, a->program->paper);
  printf("\n  yields          %" PRIu64 "\n", r->all.yields);
}

static void print_json(const struct args *a, const struct hd_cfg *cfg, const struct hd_cilk_run *r) {
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
  cJSON *j = hd_json_head(1);
  cJSON_AddStringToObject(j, "program", a->program->name);
  cJSON_AddStringToObject(j, "config", a->config.text);
  cJSON_AddBoolToObject(j, "timed", false);
  cJSON_AddBoolToObject(j, "right", r->right);
  for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
    cJSON_AddNumberToObject(j, numbers[k].key, (double)numbers[k].value);
  if (as_paper(a, cfg)) cJSON_AddNumberToObject(j, "paper_wavefronts", a->program->paper);
  hd_print_json(j);
  cJSON_Delete(j);
}

int hd_cmd_channels(int argc, char **argv) {
  struct args a = {.json = false};
  const struct argp argp = {options, parse_option, "PROGRAM", doc, 0, 0, 0};
  struct hd_cilk_run r = {.right = false};
  struct hd_cfg cfg;
  char err[500], apu8[] = "apu8";
  hd_config_args_init(&a.config);
  hd_config_arg(&a.config, 'c', apu8, NULL);
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!hd_config_args_done(&a.config, &cfg)) return HD_CONFIG;
  if (!a.program->run(&cfg, a.size, a.width, &r, err, sizeof err)) {
    fprintf(stderr, "heddle channels: %s\n", err);
    return HD_CONFIG;
  }
  if (a.json)
    print_json(&a, &cfg, &r);
  else
    print_text(&a, &cfg, &r);
  return r.right ? HD_PASS : HD_ORACLE;
}
