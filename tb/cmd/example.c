/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle example: runs an example that a paper draws and compares the result with the paper. */
#include <inttypes.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/example_args.h"
#include "cmd/options.h"
#include "engine/outfile.h"
#include "engine/save_failure.h"
#include "engine/view.h"

enum { KEY_POLICY = 256, KEY_ENGINE, KEY_WAVE, KEY_JSON, KEY_AGAINST };

static const char doc[] =
    "Replays an example that a paper draws, shows each step and compares it with the paper.\v"
    "EXAMPLE laperm is figure 4 of laperm-isca2016: which SMX runs which TB, and when. Four SMXs hold one TB each. A "
    "kernel has eight TBs, P0 to P7; 10 cycles after their start P2 launches the groups C0 and C1, and P4 launches C2 "
    "to "
    "C5. A TB runs for 100 cycles.\n\n"
    "wireframe is figure 7 of wireframe-micro2017: the contents of the graph buffer after each step, for a wavefront "
    "over "
    "3 x 3 TBs and a buffer of four nodes.\n\n"
    "channels is figure 4 of channels-isca2014: the elements and the control array of a channel after each operation "
    "of "
    "two wavefronts, up to the wavefronts that they start.\n\n"
    "Examples:\n"
    "  heddle example laperm                 all four policies, in lockstep\n"
    "  heddle example laperm --policy tb-pri --wave t.fst\n"
    "  heddle example wireframe\n"
    "  heddle example channels --wave t.fst\n\n"
    "Exit codes: 0 PASS, 1 MISMATCH, 2 CONFIG, 3 ASSERT, 4 ORACLE (not as in the paper), 5 STUCK, 6 LIMIT, 7 INTERNAL.";

static const struct argp_option options[] = {
    {"policy", KEY_POLICY, "NAME", 0, "laperm: only this policy: rr, tb-pri, smx-bind or adaptive-bind", 0},
    {"engine", KEY_ENGINE, "NAME", 0, "rtl, model, or both (default): in lockstep", 0},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {"wave", KEY_WAVE, "FILE", 0, "waveform of the run (.fst); laperm: needs --policy", 0},
    {"against", KEY_AGAINST, "NAME", OPTION_HIDDEN, "compare with the paper's other policy, or step: must fail", 0},
    {0}};

static const struct {
  const char *name;
  int (*run)(const struct hd_example_args *a);
  bool policies; /* one run per policy */
} examples[] = {{"laperm", hd_example_laperm, true},
                {"wireframe", hd_example_wireframe, false},
                {"channels", hd_example_channels, false}};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static unsigned find(const char *name) {
  unsigned k = 0;
  while (k < EXAMPLES && strcmp(name, examples[k].name) != 0) k++;
  return k;
}

/* Refuses options that contradict each other. */
static void check(const struct hd_example_args *a, struct argp_state *state) {
  if (!a->example) argp_error(state, "missing EXAMPLE; accepted: laperm wireframe channels");
  const bool policies = examples[find(a->example)].policies;
  if (a->one && !policies) argp_error(state, "--policy applies only to the example laperm");
  if (a->wave && a->engine == HD_ENGINE_MODEL)
    argp_error(state, "--wave needs the RTL; --engine rtl or both would be accepted");
  if (a->wave && policies && !a->one) argp_error(state, "--wave shows one run; add --policy NAME");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct hd_example_args *a = state->input;
  switch (key) {
    case KEY_POLICY:
      a->policy = hd_policy_arg(state, arg);
      a->one = true;
      return 0;
    case KEY_ENGINE:
      a->engine = hd_engine_arg(state, arg);
      return 0;
    case KEY_JSON:
      hd_json_arg(&a->json, state, arg);
      return 0;
    case KEY_WAVE:
      a->wave = arg;
      return 0;
    case KEY_AGAINST:
      a->against = arg;
      return 0;
    case ARGP_KEY_ARG:
      if (a->example) argp_error(state, "'%s' is one argument too many", arg);
      if (find(arg) == EXAMPLES) argp_error(state, "no example '%s'; accepted: laperm wireframe channels", arg);
      a->example = arg;
      return 0;
    case ARGP_KEY_END:
      check(a, state);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* ---- running one ---- */

static bool refuse(const char *text) {
  fprintf(stderr, "heddle example: %s\n", text);
  return false;
}

/* The one-screen report on stderr; replay and waveform in build/fail. */
static void explain_failure(struct hd_example_result *r, struct hd_sim *sim) {
  char path[700];
  struct hd_failure f = hd_sim_failure(sim);
  hd_save_failure(sim, "build/fail", 0, stderr, path, sizeof path);
  snprintf(r->text, sizeof r->text, "cycle %" PRIu64 ": %s%s%s", f.cycle, f.label, path[0] != '\0' ? "; replay: " : "",
           path);
}

struct work {
  const char *block, *test;
  const struct hd_cfg *cfg;
  enum hd_verdict (*play)(struct hd_sim *sim, void *ctx, char *text, size_t size);
  void *ctx;
};

static bool run(const struct hd_example_args *a, const struct work *w, const char *wave, struct hd_example_result *r) {
  char err[1000];
  const struct hd_sim_opts o = {.block = w->block,
                                .cfg = *w->cfg,
                                .engine = a->engine,
                                .test = w->test,
                                .wave = wave,
                                .record = a->engine != HD_ENGINE_MODEL,
                                .oracle = true};
  struct hd_sim *sim = hd_sim_open(&o, err, sizeof err);
  if (sim == NULL) return refuse(err);
  r->verdict = w->play(sim, w->ctx, r->text, sizeof r->text);
  if (r->verdict == HD_PASS) r->verdict = hd_sim_finish(sim);
  r->compared = hd_sim_compared(sim);
  if (hd_sim_failure(sim).verdict != HD_PASS) explain_failure(r, sim);
  hd_sim_close(sim);
  return true;
}

static bool run_with_wave(const struct hd_example_args *a, const struct work *w, struct hd_example_result *r) {
  char err[1000];
  struct hd_out out;
  if (!hd_out_open_file(&out, a->wave, err, sizeof err)) return refuse(err);
  if (!run(a, w, out.temporary, r)) {
    hd_out_drop(&out);
    return false;
  }
  if (!hd_out_commit(&out, err, sizeof err)) return refuse(err);
  hd_view_of_wave("heddle example", w->block, w->cfg->name, a->wave, NULL);
  return true;
}

bool hd_example_play(const struct hd_example_args *a, const char *block, const struct hd_cfg *cfg, const char *test,
                     enum hd_verdict (*play)(struct hd_sim *sim, void *ctx, char *text, size_t size), void *ctx,
                     struct hd_example_result *r) {
  const struct work w = {.block = block, .test = test, .cfg = cfg, .play = play, .ctx = ctx};
  return a->wave != NULL ? run_with_wave(a, &w, r) : run(a, &w, NULL, r);
}

void hd_example_print_compared(const struct hd_example_args *a, uint64_t cycles, enum hd_verdict verdict) {
  printf("\n  compared      ");
  if (a->engine == HD_ENGINE_BOTH)
    printf("%" PRIu64 " cycles of RTL and golden model, differences: %d\n", cycles, verdict == HD_MISMATCH);
  else
    printf("nothing: only one engine ran\n");
}

int hd_cmd_example(int argc, char **argv) {
  static const struct argp argp = {options, parse, "EXAMPLE", doc, 0, 0, 0};
  struct hd_example_args a = {.engine = HD_ENGINE_BOTH};
  argp_parse(&argp, argc, argv, 0, 0, &a);
  return examples[find(a.example)].run(&a);
}
