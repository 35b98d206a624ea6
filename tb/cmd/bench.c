/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle bench: simulation speed. One recorded stimulus is played to builds of the RTL alone, to the model alone, and
 * to both in lockstep with full compare, alternately within one run, so that other load on the machine affects all
 * alike. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "engine/block_driver.h"
#include "engine/fields.h"
#include "engine/objects.h"
#include "engine/outfile.h"
#include "engine/replay.h"
#include "engine/sim.h"

static const char doc[] =
    "Applies one recorded stimulus of a busy plane to the RTL alone, to the golden model alone, and to both in "
    "lockstep "
    "with all comparisons, alternately. Reports cycles per second, their ratios, and the cost of lockstep per RTL "
    "cycle. "
    "The JSON file also has a hash of all outputs of all cycles.\v"
    "make bench AGAINST=COMMIT compares with another commit.";

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration (default k20c)", 0},
    {"set", 's', "PARAM=VALUE", 0, "change a parameter of the configuration; may be repeated", 0},
    {"cycles", 'n', "N", 0, "cycles per measurement (default 50000)", 0},
    {"turns", 't', "N", 0,
     "measurements of each engine, whose median is reported (default 7); 0: only hash the outputs of the RTL", 0},
    {"variant", 'V', "NAME", 0, "also measure this build of the RTL (fast, ..); may be repeated", 0},
    {"out", 'o', "FILE", 0, "JSON file (default bench.json in the build folder of a checkout)", 0},
    {"json", 'j', "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {0},
};

enum { MOST = 8 };

/* A timed subject: a build of the RTL alone, the model, or both. */
struct subject {
  const char *name, *variant;
  enum hd_engine engine;
  struct hd_sim *sim;
  double *time; /* seconds of each measurement */
  double cps;
};

struct args {
  struct hd_config_args config;
  struct subject subject[MOST];
  unsigned subjects;
  unsigned cycles, turns;
  const char *out;
  struct hd_json_to json;
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
      a->turns = (unsigned)hd_number_arg(state, "--turns", arg, 0, 1000);
      return 0;
    case 'V':
      if (!hd_variant_exists(arg)) argp_error(state, "no variant '%s'; there are: " HD_VARIANTS, arg);
      if (a->subjects == MOST) argp_error(state, "--variant: at most %d", MOST - 3);
      a->subject[a->subjects++] = (struct subject){.name = arg, .variant = arg, .engine = HD_ENGINE_RTL};
      return 0;
    case 'o':
      a->out = arg;
      return 0;
    case 'j':
      hd_json_arg(&a->json, state, arg);
      return 0;
    case ARGP_KEY_END:
      if (a->turns == 0 && (hd_json_wanted(&a->json) || a->out != NULL || a->subjects > 3))
        argp_error(state, "--turns 0 prints the hash alone; without --json, --out and --variant it would be accepted");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* Records the stimulus of a busy plane: clients are valid and ready in most cycles. */
static struct hd_record *record(const struct hd_cfg *cfg, unsigned cycles, char *err, size_t err_size) {
  static const struct hd_profile busy = {"bench", 200, 220, 4};
  const struct hd_block_driver *t = hd_block_driver_find("top");
  const struct hd_field_table *f = hd_field_table_find("top");
  struct hd_sim_opts o = {.block = "top", .cfg = *cfg, .engine = HD_ENGINE_MODEL};
  struct hd_sim *s = hd_sim_open(&o, err, err_size);
  if (!s) return NULL;
  struct hd_rng rng = {1};
  struct hd_field_list list = {0};
  f->fill(cfg, &list);
  struct hd_record *r = hd_record_new(f->in_size, &list);
  hd_field_list_free(&list);
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

/* Plays the stimulus from reset. With `hash`, adds all outputs to it. */
static bool turn(struct hd_sim *s, const struct hd_record *r, double *seconds, EVP_MD_CTX *hash) {
  const struct hd_field_table *f = hd_field_table_find("top");
  void *in = calloc(1, f->in_size);
  const void *out;
  size_t at = 0;
  if (!in) abort();
  hd_sim_restart(s);
  double t = now();
  bool ok = true;
  for (uint64_t c = hd_record_cycles(r); c && ok; c--) {
    hd_record_play(r, &at, in);
    ok = hd_sim_cycle(s, in, &out) == HD_PASS;
    if (hash) EVP_DigestUpdate(hash, out, f->out_size);
  }
  *seconds = now() - t;
  free(in);
  return ok;
}

static int by_value(const void *a, const void *b) {
  return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

static bool open_all(struct args *a, const struct hd_cfg *cfg) {
  char err[512];
  for (struct subject *s = a->subject; s < a->subject + a->subjects; s++) {
    struct hd_sim_opts o = {.block = "top", .variant = s->variant, .cfg = *cfg, .engine = s->engine, .seed = 1};
    s->sim = hd_sim_open(&o, err, sizeof err);
    s->time = calloc(a->turns + 1, sizeof(double));
    if (!s->time) abort();
    if (!s->sim) {
      fprintf(stderr, "heddle: %s\n", err);
      return false;
    }
  }
  return true;
}

/* Measures all subjects alternately. sha: hash of the outputs of the first (RTL alone), as text. */
static bool measure(struct args *a, const struct hd_record *r, char *sha) {
  unsigned char raw[EVP_MAX_MD_SIZE];
  unsigned bytes = 0;
  double unused;
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  bool ok = hash && EVP_DigestInit_ex(hash, EVP_sha256(), NULL) && turn(a->subject[0].sim, r, &unused, hash);
  if (hash) EVP_DigestFinal_ex(hash, raw, &bytes);
  EVP_MD_CTX_free(hash);
  for (unsigned k = 0; k < bytes; k++) sprintf(sha + 2 * k, "%02x", raw[k]);
  for (unsigned t = 0; t < a->turns && ok; t++)
    for (struct subject *s = a->subject; s < a->subject + a->subjects && ok; s++)
      ok = turn(s->sim, r, &s->time[t], NULL);
  for (struct subject *s = a->subject; s < a->subject + a->subjects; s++) {
    qsort(s->time, a->turns, sizeof(double), by_value);
    if (a->turns) s->cps = a->cycles / s->time[a->turns / 2];
  }
  return ok;
}

static void close_all(struct args *a) {
  for (struct subject *s = a->subject; s < a->subject + a->subjects; s++) {
    if (s->sim) hd_sim_close(s->sim);
    free(s->time);
  }
}

static void print(const struct args *a, const struct hd_cfg *cfg, double adds) {
  printf("%s, %u cycles x %u turns, thousand cycles per second of CPU time:\n", cfg->name, a->cycles, a->turns);
  for (const struct subject *s = a->subject; s < a->subject + a->subjects; s++) {
    char label[40];
    snprintf(label, sizeof label, s->engine == HD_ENGINE_RTL ? "RTL alone (%s)" : "%s", s->name);
    printf("  %-24s %8.0f   %5.2f\n", label, s->cps / 1e3, s->cps / a->subject[0].cps);
  }
  printf("lockstep adds %.2f us to the %.2f us of an RTL cycle, for the model and all comparisons\n", adds,
         1e6 / a->subject[0].cps);
}

/* Tests the output path before the measurements. Without --out: a file in build/ of the checkout, or none. */
static bool choose_out(struct args *a, char *usual, size_t size) {
  char dir[400], err[700];
  hd_build_dir(dir, sizeof dir);
  snprintf(usual, size, "%s/bench.json", dir);
  if (a->out == NULL && hd_out_try(usual, err, sizeof err)) a->out = usual;
  if (a->out == NULL || hd_out_try(a->out, err, sizeof err)) return true;
  fprintf(stderr, "heddle: %s\n", err);
  return false;
}

int hd_cmd_bench(int argc, char **argv) {
  static const struct argp argp = {options, parse, 0, doc, 0, 0, 0};
  struct args a = {.cycles = 50000,
                   .turns = 7,
                   .subjects = 3,
                   .subject = {{.name = "rtl", .engine = HD_ENGINE_RTL},
                               {.name = "model", .engine = HD_ENGINE_MODEL},
                               {.name = "lockstep", .engine = HD_ENGINE_BOTH}}};
  struct hd_cfg cfg;
  char err[512], sha[2 * EVP_MAX_MD_SIZE + 1] = "";
  hd_config_args_init(&a.config);
  argp_parse(&argp, argc, argv, 0, 0, &a);
  char usual[450];
  if (!hd_config_args_done(&a.config, &cfg) || !choose_out(&a, usual, sizeof usual)) return HD_CONFIG;
  struct hd_record *r = record(&cfg, a.cycles, err, sizeof err);
  if (!r) fprintf(stderr, "heddle: %s\n", err);
  if (!a.turns) a.subjects = 1;
  int code = r && open_all(&a, &cfg) ? HD_PASS : HD_CONFIG;
  if (!code && !measure(&a, r, sha)) {
    fprintf(stderr, "heddle: RTL and model differ; run: heddle equiv top --config %s\n", cfg.name);
    code = HD_MISMATCH;
  }
  close_all(&a);
  if (r) hd_record_free(r);
  if (code) return code;
  if (!a.turns) {
    printf("%s\n", sha);
    return HD_PASS;
  }
  double adds = 1e6 / a.subject[2].cps - 1e6 / a.subject[0].cps;
  cJSON *j = hd_json_head(2);
  cJSON_AddStringToObject(j, "config", cfg.name);
  cJSON *cps = cJSON_AddObjectToObject(j, "cps"), *over = cJSON_AddObjectToObject(j, "over_rtl");
  for (unsigned k = 0; k < a.subjects; k++) {
    cJSON_AddNumberToObject(cps, a.subject[k].name, a.subject[k].cps);
    cJSON_AddNumberToObject(over, a.subject[k].name, a.subject[k].cps / a.subject[0].cps);
  }
  cJSON_AddNumberToObject(j, "lockstep_adds_us", adds);
  cJSON_AddStringToObject(j, "outputs_sha256", sha);
  if (a.out != NULL && hd_write_json(a.out, j)) code = HD_CONFIG;
  if (hd_json_put(&a.json, j)) code = HD_CONFIG;
  if (!a.json.print) print(&a, &cfg, adds);
  cJSON_Delete(j);
  return code;
}
