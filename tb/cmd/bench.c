/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle bench: simulation speed. One recorded stimulus is played to the RTL alone, the model alone, and both in
 * lockstep with full compare, in turns within one run, so that what else the machine does hits all three alike. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fields.h"
#include "heddle.h"
#include "options.h"
#include "replay.h"
#include "sim.h"
#include "twin.h"

static const char doc[] =
    "Plays one recorded stimulus of a busy plane to the RTL alone, to the golden model alone, and to both in lockstep "
    "with every compare, "
    "in turns, and reports cycles per second and, what counts, their ratios. Also written to build/bench.json.\v"
    "The ratios that Heddle holds itself to in k20c: lockstep at least 0.6 of RTL alone, model at least 5 times RTL "
    "alone.";

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration (default k20c)", 0},
    {"set", 's', "PARAM=VALUE", 0, "change a parameter of it", 0},
    {"cycles", 'n', "N", 0, "cycles of a turn (default 50000)", 0},
    {"turns", 't', "N", 0, "turns of each (default 7; the median counts)", 0},
    {"out", 'o', "FILE", 0, "JSON file (default build/bench.json)", 0},
    {"json", 'j', 0, 0, "print the JSON", 0},
    {0},
};

struct args {
  struct hd_config_args config;
  unsigned cycles, turns;
  const char *out;
  bool json;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case 'c':
    case 's':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case 'n':
      a->cycles = (unsigned)hd_number_arg(state, "--cycles", arg, 1000, 10000000);
      return 0;
    case 't':
      a->turns = (unsigned)hd_number_arg(state, "--turns", arg, 1, 1000);
      return 0;
    case 'o':
      a->out = arg;
      return 0;
    case 'j':
      a->json = true;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* A busy plane: clients that mostly have something to offer and mostly take what they get. */
static struct hd_record *record(const struct hd_cfg *cfg, unsigned cycles, char *err, size_t err_size) {
  static const struct hd_profile busy = {"bench", 200, 220, 4};
  const struct hd_twin *t = hd_twin_find("top");
  const struct hd_field_table *f = hd_field_table_find("top");
  struct hd_sim_opts o = {.block = "top", .cfg = *cfg, .engine = HD_ENGINE_MODEL};
  struct hd_sim *s = hd_sim_open(&o, err, err_size);
  if (!s) return NULL;
  struct hd_rng rng = {1};
  struct hd_record *r = hd_record_new(f->in_size);
  void *stim = calloc(1, t->stim_size), *in = calloc(1, f->in_size), *zero = calloc(1, f->out_size);
  const void *out = zero;
  if (!stim || !in || !zero) abort();
  t->stim_init(stim, cfg, &rng);
  for (unsigned c = 0; c < cycles; c++) {
    t->drive(stim, &rng, &busy, out, NULL, in);
    hd_record_add(r, in);
    hd_sim_cycle(s, in, &out);
  }
  t->stim_free(stim);
  free(stim);
  free(in);
  free(zero);
  hd_sim_close(s);
  return r;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool turn(struct hd_sim *s, const struct hd_record *r, double *seconds) {
  void *in = calloc(1, hd_field_table_find("top")->in_size);
  const void *out;
  size_t at = 0;
  if (!in) abort();
  hd_sim_restart(s);
  double t = now();
  bool ok = true;
  for (uint64_t c = hd_record_cycles(r); c && ok; c--) {
    hd_record_play(r, &at, in);
    ok = hd_sim_cycle(s, in, &out) == HD_PASS;
  }
  *seconds = now() - t;
  free(in);
  return ok;
}

static int by_value(const void *a, const void *b) {
  return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

int hd_cmd_bench(int argc, char **argv) {
  static const struct argp argp = {options, parse, 0, doc, 0, 0, 0};
  static const enum hd_engine engine[3] = {HD_ENGINE_RTL, HD_ENGINE_MODEL, HD_ENGINE_BOTH};
  struct args a = {.cycles = 50000, .turns = 7, .out = "build/bench.json"};
  struct hd_cfg cfg;
  char err[512];
  struct hd_sim *s[3];
  hd_config_args_init(&a.config);
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!hd_config_args_done(&a.config, &cfg)) return HD_CONFIG;
  struct hd_record *r = record(&cfg, a.cycles, err, sizeof err);
  double *time[3], cps[3];
  for (unsigned k = 0; k < 3; k++) {
    struct hd_sim_opts o = {.block = "top", .cfg = cfg, .engine = engine[k], .seed = 1};
    s[k] = r ? hd_sim_open(&o, err, sizeof err) : NULL;
    if (!s[k]) {
      fprintf(stderr, "heddle: %s\n", err);
      return HD_CONFIG;
    }
    time[k] = calloc(a.turns, sizeof(double));
    if (!time[k]) abort();
  }
  for (unsigned t = 0; t < a.turns; t++)
    for (unsigned k = 0; k < 3; k++)
      if (!turn(s[k], r, &time[k][t])) {
        fprintf(stderr, "heddle: RTL and model differ; run: heddle equiv top --config %s\n", cfg.name);
        return HD_MISMATCH;
      }
  for (unsigned k = 0; k < 3; k++) {
    qsort(time[k], a.turns, sizeof(double), by_value);
    cps[k] = a.cycles / time[k][a.turns / 2];
    free(time[k]);
    hd_sim_close(s[k]);
  }
  hd_record_free(r);
  cJSON *j = cJSON_CreateObject();
  cJSON_AddNumberToObject(j, "version", 1);
  cJSON_AddStringToObject(j, "config", cfg.name);
  cJSON_AddNumberToObject(j, "rtl_cps", cps[0]);
  cJSON_AddNumberToObject(j, "model_cps", cps[1]);
  cJSON_AddNumberToObject(j, "lockstep_cps", cps[2]);
  cJSON_AddNumberToObject(j, "lockstep_over_rtl", cps[2] / cps[0]);
  cJSON_AddNumberToObject(j, "model_over_rtl", cps[1] / cps[0]);
  int code = hd_write_json(a.out, j) ? HD_CONFIG : HD_PASS;
  if (a.json)
    hd_print_json(j);
  else
    printf(
        "%s, %u cycles x %u turns, thousand cycles per second of processor time:\n"
        "  RTL alone   %8.0f   1.00\n  model alone %8.0f   %.2f\n  lockstep    %8.0f   %.2f   (every output and all "
        "state compared)\n",
        cfg.name, a.cycles, a.turns, cps[0] / 1e3, cps[1] / 1e3, cps[1] / cps[0], cps[2] / 1e3, cps[2] / cps[0]);
  cJSON_Delete(j);
  return code;
}
