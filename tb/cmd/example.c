/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle example: a paper's example through the plane, and whether it comes out as in the paper. */
#include "work/example.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "cmd/run_args.h"
#include "engine/diagnose.h"
#include "engine/keep.h"

enum { KEY_POLICY = 256, KEY_ENGINE, KEY_WAVE, KEY_JSON, KEY_AGAINST };

static const char doc[] =
    "Runs the example of a paper through the dispatch plane, shows which SMX ran which TB when, and compares it with "
    "the paper.\v"
    "EXAMPLE: laperm, figure 4 of laperm-isca2016. On four SMXs that hold one TB each, a kernel of eight TBs, P0 to "
    "P7; P2 launches the groups C0 and C1, P4 launches C2 to C5, 10 cycles after they began; a TB runs for 100 "
    "cycles.\n\n"
    "Examples:\n"
    "  heddle example laperm                    all four policies, RTL and model in lockstep\n"
    "  heddle example laperm --policy tb-pri --wave t.fst\n\n"
    "Exit codes: 0 PASS, 1 MISMATCH, 2 CONFIG, 3 ASSERT, 4 ORACLE (not as in the paper), 5 STUCK, 6 LIMIT, 7 INTERNAL.";

static const struct argp_option options[] = {
    {"policy", KEY_POLICY, "NAME", 0, "only rr, tb-pri, smx-bind or adaptive-bind", 0},
    {"engine", KEY_ENGINE, "NAME", 0, "rtl, model, or both in lockstep (default)", 0},
    {"json", KEY_JSON, 0, 0, "print it as JSON", 0},
    {"wave", KEY_WAVE, "FILE", 0, "waveform of the run (.fst); with --policy", 0},
    {"against", KEY_AGAINST, "NAME", OPTION_HIDDEN, "compare with the paper's schedule of this policy: must fail", 0},
    {0}};

struct args {
  bool named, one, json, other; /* the example; one policy; .. compared with another's schedule */
  enum hd_policy policy, against;
  enum hd_engine engine;
  const char *wave;
};

/* One policy's run. */
struct result {
  enum hd_policy policy;
  enum hd_verdict verdict;
  bool agrees;
  uint64_t compared;
  struct hd_example_schedule schedule;
  char text[1200]; /* what is wrong */
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case KEY_POLICY:
      a->policy = hd_policy_arg(state, arg);
      a->one = true;
      return 0;
    case KEY_ENGINE:
      a->engine = hd_engine_arg(state, arg);
      return 0;
    case KEY_JSON:
      a->json = true;
      return 0;
    case KEY_WAVE:
      a->wave = arg;
      return 0;
    case KEY_AGAINST:
      a->against = hd_policy_arg(state, arg);
      a->other = true;
      return 0;
    case ARGP_KEY_ARG:
      if (a->named) argp_error(state, "'%s' is one argument too many", arg);
      if (strcmp(arg, "laperm") != 0) argp_error(state, "no example '%s'; there are: laperm", arg);
      a->named = true;
      return 0;
    case ARGP_KEY_END:
      if (!a->named) argp_error(state, "which example is missing; there are: laperm");
      if (a->wave != NULL && a->engine == HD_ENGINE_MODEL)
        argp_error(state, "--wave needs the RTL; --engine rtl or both would be accepted");
      if (a->wave != NULL && !a->one) argp_error(state, "--wave shows one run; it wants --policy NAME");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* ---- running it ---- */

static int refuse(const char *text) {
  fprintf(stderr, "heddle example: %s\n", text);
  return HD_CONFIG;
}

/* The one-screen report on stderr; replay and waveform in build/fail. */
static void explain_failure(struct result *r, struct hd_sim *sim) {
  char path[700];
  struct hd_failure f = hd_sim_failure(sim);
  hd_keep_failure(sim, "build/fail", 0, stderr, path, sizeof path);
  snprintf(r->text, sizeof r->text, "cycle %" PRIu64 ": %s%s%s", f.cycle, f.label, path[0] != '\0' ? "; replay: " : "",
           path);
}

/* It is right if the engines agree, the loop's rules were kept, and the schedule is the paper's. */
static void judge(const struct args *a, struct result *r, struct hd_sim *sim) {
  r->verdict = r->schedule.run.verdict;
  if (r->verdict == HD_PASS) r->verdict = hd_sim_finish(sim);
  r->compared = hd_sim_compared(sim);
  if (hd_sim_failure(sim).verdict != HD_PASS) {
    explain_failure(r, sim);
  } else if (r->verdict != HD_PASS) {
    snprintf(r->text, sizeof r->text, "%s", r->schedule.run.text);
  } else {
    char where[400];
    r->agrees = hd_example_agrees(a->other ? a->against : r->policy, &r->schedule, where, sizeof where);
    if (r->agrees) return;
    r->verdict = HD_ORACLE;
    snprintf(r->text, sizeof r->text, "not as in the paper: %s", where);
  }
}

static int run(const struct args *a, const struct hd_cfg *cfg, const char *wave, struct result *r) {
  char err[1000], test[40];
  snprintf(test, sizeof test, "example-%s", hd_policy_name(r->policy));
  const struct hd_sim_opts o = {.block = "top",
                                .cfg = *cfg,
                                .engine = a->engine,
                                .test = test,
                                .wave = wave,
                                .record = a->engine != HD_ENGINE_MODEL,
                                .oracle = true};
  struct hd_sim *sim = hd_sim_open(&o, err, sizeof err);
  if (sim == NULL) return refuse(err);
  hd_example_run(sim, cfg, r->policy, &r->schedule);
  judge(a, r, sim);
  hd_sim_close(sim);
  return HD_PASS;
}

/* The waveform is written to a temporary name, so that it is there whole or not at all. */
static int run_with_wave(const struct args *a, const struct hd_cfg *cfg, struct result *r) {
  char temporary[600], gtkw[700];
  snprintf(temporary, sizeof temporary, "%s.tmp%ld", a->wave, (long)getpid());
  int code = run(a, cfg, temporary, r);
  if (code == HD_PASS && rename(temporary, a->wave) != 0) {
    char err[1000];
    snprintf(err, sizeof err, "%s: %s", a->wave, strerror(errno));
    code = refuse(err);
  }
  if (code != HD_PASS) {
    unlink(temporary);
    return code;
  }
  snprintf(gtkw, sizeof gtkw, "%s.gtkw", a->wave);
  if (!hd_gtkw_write("top", cfg->name, a->wave, gtkw))
    fprintf(stderr, "heddle example: no view for GTKWave: %s\n", gtkw);
  return HD_PASS;
}

/* ---- telling ---- */

enum { SCALE = 10, MARK = 100, MARGIN = 16, COLUMNS = 200 }; /* cycles of a column; between numbers above; columns */

static uint64_t first_start(const struct hd_example_schedule *s) {
  uint64_t first = UINT64_MAX;
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++)
    if (s->smx[x].tbs != 0 && s->smx[x].tb[0].start < first) first = s->smx[x].tb[0].start;
  return first == UINT64_MAX ? 0 : first;
}

static uint64_t last_end(const struct hd_example_schedule *s) {
  uint64_t last = 0;
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++)
    for (uint32_t k = 0; k < s->smx[x].tbs; k++)
      if (s->smx[x].tb[k].end > last) last = s->smx[x].tb[k].end;
  return last;
}

/* `text` from that column on, as far as there is room. */
static void put(char *line, uint64_t column, const char *text) {
  for (; *text != '\0' && column < COLUMNS; text++) line[column++] = *text;
}

static void print_line(const char *head, char *line) {
  size_t n = COLUMNS;
  while (n > 0 && line[n - 1] == ' ') n--;
  printf("%-*s%.*s\n", MARGIN, head, (int)n, line);
}

static void print_scale(const char *policy, uint64_t cycles) {
  char line[COLUMNS], number[24];
  memset(line, ' ', sizeof line);
  for (uint64_t c = 0; c <= cycles; c += MARK) {
    snprintf(number, sizeof number, "%" PRIu64, c);
    put(line, c / SCALE, number);
  }
  print_line(policy, line);
}

static void print_smx(const struct hd_example_schedule *s, uint32_t smx, uint64_t origin) {
  char line[COLUMNS], head[16];
  memset(line, ' ', sizeof line);
  for (uint32_t k = 0; k < s->smx[smx].tbs; k++) {
    const struct hd_example_tb *t = &s->smx[smx].tb[k];
    uint64_t column = (t->start - origin) / SCALE;
    for (uint64_t c = column; t->end != 0 && c < (t->end - origin) / SCALE; c++) put(line, c, "-");
    put(line, column, t->name);
  }
  snprintf(head, sizeof head, "  SMX%" PRIu32, smx);
  print_line(head, line);
}

static void print_head(const struct args *a, const struct hd_cfg *cfg) {
  printf("heddle example laperm: laperm-isca2016, figure 4\n");
  printf("  P0 .. P7      a kernel of %d TBs; a TB runs for %d cycles\n", HD_EXAMPLE_PARENTS, HD_EXAMPLE_LIFE);
  printf("  C0 .. C5      groups of one TB: P2 launches C0 and C1, P4 launches C2 to C5, %d cycles after they began\n",
         HD_EXAMPLE_LAUNCH);
  printf("  plane         %s, four SMXs of one TB; engine %s\n", cfg->name, hd_engine_name(a->engine));
}

static void print_result(const struct result *r) {
  const struct hd_example_schedule *s = &r->schedule;
  uint64_t origin = first_start(s), end = last_end(s);
  putchar('\n');
  print_scale(hd_policy_name(r->policy), end > origin ? end - origin : 0);
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++) print_smx(s, x, origin);
  printf("  %s\n", r->verdict == HD_PASS ? "as in the paper" : r->text);
}

static void print_sum(const struct args *a, const struct result *r, unsigned n, enum hd_verdict verdict) {
  uint64_t compared = 0;
  unsigned agree = 0;
  for (unsigned k = 0; k < n; k++) {
    compared += r[k].compared;
    agree += r[k].verdict == HD_PASS;
  }
  printf("\n  compared      ");
  if (a->engine == HD_ENGINE_BOTH)
    printf("%" PRIu64 " cycles of RTL and golden model, differences: %d\n", compared, verdict == HD_MISMATCH);
  else
    printf("nothing: one engine ran alone\n");
  printf("  the paper     %u of %u schedules are the paper's\n%s\n", agree, n, hd_verdict_name(verdict));
}

/* ---- JSON ---- */

static cJSON *result_json(const struct result *r) {
  cJSON *j = cJSON_CreateObject();
  cJSON_AddStringToObject(j, "policy", hd_policy_name(r->policy));
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(r->verdict));
  cJSON_AddBoolToObject(j, "as_in_paper", r->agrees);
  if (r->verdict != HD_PASS) cJSON_AddStringToObject(j, "reason", r->text);
  cJSON_AddNumberToObject(j, "cycles", (double)r->schedule.run.cycles);
  cJSON_AddNumberToObject(j, "cycles_compared", (double)r->compared);
  cJSON *smxs = cJSON_AddArrayToObject(j, "smx");
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++) {
    cJSON *tbs = cJSON_CreateArray();
    for (uint32_t k = 0; k < r->schedule.smx[x].tbs; k++) {
      const struct hd_example_tb *t = &r->schedule.smx[x].tb[k];
      cJSON *tb = cJSON_CreateObject();
      cJSON_AddStringToObject(tb, "tb", t->name);
      cJSON_AddNumberToObject(tb, "start", (double)t->start);
      cJSON_AddNumberToObject(tb, "end", (double)t->end);
      cJSON_AddItemToArray(tbs, tb);
    }
    cJSON_AddItemToArray(smxs, tbs);
  }
  return j;
}

static void print_json(const struct args *a, const struct hd_cfg *cfg, const struct result *r, unsigned n,
                       enum hd_verdict verdict) {
  cJSON *j = cJSON_CreateObject();
  cJSON_AddNumberToObject(j, "version", 1);
  cJSON_AddStringToObject(j, "example", "laperm");
  cJSON_AddStringToObject(j, "config", cfg->name);
  cJSON_AddStringToObject(j, "engine", hd_engine_name(a->engine));
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(verdict));
  cJSON *policies = cJSON_AddArrayToObject(j, "policies");
  for (unsigned k = 0; k < n; k++) cJSON_AddItemToArray(policies, result_json(&r[k]));
  hd_print_json(j);
  cJSON_Delete(j);
  for (unsigned k = 0; k < n; k++)
    if (r[k].verdict != HD_PASS)
      fprintf(stderr, "heddle example: %s: %s: %s\n", hd_policy_name(r[k].policy), hd_verdict_name(r[k].verdict),
              r[k].text);
}

int hd_cmd_example(int argc, char **argv) {
  static const struct argp argp = {options, parse, "EXAMPLE", doc, 0, 0, 0};
  static struct result results[HD_EXAMPLE_POLICIES];
  struct args a = {.engine = HD_ENGINE_BOTH};
  struct hd_cfg cfg;
  enum hd_verdict verdict = HD_PASS;
  unsigned n = 0;
  argp_parse(&argp, argc, argv, 0, 0, &a);
  hd_example_config(&cfg);
  for (unsigned p = 0; p < HD_EXAMPLE_POLICIES; p++) {
    if (a.one && p != a.policy) continue;
    struct result *r = &results[n++];
    *r = (struct result){.policy = (enum hd_policy)p};
    int code = a.wave != NULL ? run_with_wave(&a, &cfg, r) : run(&a, &cfg, NULL, r);
    if (code != HD_PASS) return code;
    if (verdict == HD_PASS) verdict = r->verdict;
  }
  if (a.json) {
    print_json(&a, &cfg, results, n, verdict);
    return (int)verdict;
  }
  print_head(&a, &cfg);
  for (unsigned k = 0; k < n; k++) print_result(&results[k]);
  print_sum(&a, results, n, verdict);
  return (int)verdict;
}
