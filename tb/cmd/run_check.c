/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Checks of combinations of options of `heddle run`. */
#include <argp.h>
#include <string.h>
#include <unistd.h>

#include "cmd/run_args.h"

static bool is(const char *name, const char *word) {
  return strcmp(name, word) == 0;
}

/* Launch models by workload. */
static void check_launch(const struct argp_state *state, struct hd_run_args *a) {
  if (a->launch == NULL) a->launch = a->kind != NULL ? "waves" : "flat";
  a->device = is(a->launch, "cdp") || is(a->launch, "dtbl");
  if (a->rounds.sync && !is(a->launch, "cdp"))
    argp_error(state, "--sync with --launch %s; cdp would be accepted", a->launch);
  if (a->rounds.together && a->device)
    argp_error(state, "--expand warp with --launch %s; flat would be accepted", a->launch);
  const bool tiles = is(a->launch, "waves") || is(a->launch, "barriers") || is(a->launch, "graph");
  if (a->kind != NULL && !tiles && !is(a->launch, "cdp"))
    argp_error(state, "--launch %s with %s; waves, cdp, barriers or graph would be accepted", a->launch, a->workload);
  if (a->kind == NULL && tiles)
    argp_error(state,
               "--launch %s applies only to the workloads " HD_TILES_NAMES "; flat, cdp or dtbl would be accepted",
               a->launch);
  if (a->tiles.ordered && !is(a->launch, "graph"))
    argp_error(state,
               "--order and --bound apply only to a kernel with a dependency graph; --launch graph would be accepted");
  if (!is(a->policy, "rr") && !a->device && a->trace != NULL)
    argp_error(
        state,
        "--policy %s applies only to launches from TBs; rr, or --launch cdp or dtbl for a trace with 'launch' lines, "
        "would be accepted",
        a->policy);
  if (!is(a->policy, "rr") && !a->device)
    argp_error(state, "--policy %s applies only to launches from TBs; --launch cdp%s would be accepted", a->policy,
               a->kind != NULL ? "" : " or dtbl");
}

/* Stand-ins for kernels: only registers and seed are options; the other values are the paper's, or made up. */
static void check_kernel(const struct argp_state *state, const struct hd_run_args *a) {
  if (a->kernel == NULL) return;
  if (!a->gpu.on) argp_error(state, "%s on timers; --smx gpu would be accepted", a->workload);
  if (a->device) argp_error(state, "--launch %s with %s; flat would be accepted", a->launch, a->workload);
  if (a->input != NULL || a->trace != NULL)
    argp_error(state, "%s with %s, which has no input", a->trace != NULL ? "--trace" : "an INPUT", a->workload);
  if (hd_run_has_option(a, "block-size") || hd_run_has_option(a, "smem"))
    argp_error(state, "--block-size or --smem with %s, whose TB sizes are fixed", a->workload);
}

static void check_smx(const struct argp_state *state, struct hd_run_args *a) {
  if (!a->gpu.on && a->gpu.given != NULL)
    argp_error(state, "--%s applies only to SMXs that run warps; --smx gpu would be accepted", a->gpu.given);
  if (a->gpu.series_every != 0 && a->gpu.series == NULL && a->page == NULL)
    argp_error(state, "--series-every has no effect here; with --series or --page it would be accepted");
  if (!a->gpu.on) return;
  hd_gpu_args_done(&a->gpu, state);
  if (a->gpu.of_unit != NULL && a->trace == NULL)
    argp_error(state, "--%s has no effect here; with --trace it would be accepted", a->gpu.of_unit);
  if (a->trace != NULL && a->device)
    argp_error(state, "--smx gpu with --trace and --launch %s; flat would be accepted", a->launch);
  if (a->gpu.opts.footprint && !a->device)
    argp_error(state, "--footprint applies only to launches from TBs; --launch cdp or dtbl would be accepted");
  if (a->tiles.of_timer != NULL) a->of_timer = a->tiles.of_timer;
  if (a->of_timer != NULL) argp_error(state, "--%s with --smx gpu; it applies only to --smx timer", a->of_timer);
}

/* Refuses options without effect, since they indicate a wrong experiment. */
static void check_effects(const struct argp_state *state, const struct hd_run_args *a) {
  static const char device[] = "--launch cdp", groups[] = "--launch cdp or dtbl", work[] = "a workload, not --trace,";
  const bool graph = is(a->launch, "graph") || is(a->launch, "barriers");
  const bool waits = is(a->launch, "cdp") && (a->kind != NULL || a->rounds.sync);
  static const char waiting[] = "--launch cdp of tiles, or --sync,";
  const struct {
    const char *option;
    bool effect;
    const char *accepted;
  } rows[] = {
      {"ideal", a->device, a->kind != NULL ? device : groups},
      {"pending", a->device, a->kind != NULL ? device : groups},
      {"spill", is(a->launch, "dtbl") && !is(a->policy, "rr"), "--launch dtbl and a --policy other than rr"},
      {"memory-latency", a->device || graph, a->kind != NULL ? "--launch cdp, graph or barriers" : groups},
      {"wait", waits, waiting},
      {"context-cycles", waits && !a->spin, a->spin ? "--wait save" : waiting},
      {"jitter", a->seed != 0 && a->trace == NULL, a->trace != NULL ? work : "--seed"},
      {"wave-cycles", a->wave != NULL, "--wave"},
      {"skip", a->engine == HD_ENGINE_MODEL, "--engine model"},
      {"fault", a->engine != HD_ENGINE_MODEL, "--engine rtl or both"},
      {"block-size", a->trace == NULL, work},
      {"regs", a->trace == NULL, work},
      {"smem", a->trace == NULL, work},
      {"overhead", a->trace == NULL, work},
      {"only", a->trace != NULL, "--trace"},
      {"launch-latency", a->trace != NULL, "--trace"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!rows[k].effect && hd_run_has_option(a, rows[k].option))
      argp_error(state, "--%s has no effect here; with %s it would be accepted", rows[k].option, rows[k].accepted);
  if (a->rounds.of_children != NULL && !a->device)
    argp_error(state, "--%s has no effect here; with %s it would be accepted", a->rounds.of_children, groups);
}

/* Refuses one file for two outputs: the later would overwrite the earlier. */
static void check_names(const struct argp_state *state, const struct hd_run_args *a) {
  const char *const name[] = {a->json.file, a->report, a->timeline, a->kernels, a->page, a->gpu.series, a->wave};
  enum { NAMES = sizeof name / sizeof *name };
  for (unsigned k = 0; k < NAMES; k++)
    for (unsigned j = 0; j < k; j++)
      if (name[k] != NULL && name[j] != NULL && is(name[k], name[j]) && strncmp(name[k], "/dev/", 5) != 0)
        argp_error(state, "%s is the file of two outputs; a file for each would be accepted", name[k]);
}

void hd_run_args_check(const struct argp_state *state, struct hd_run_args *a) {
  a->kind = hd_tiles_find(a->workload);
  a->kernel = hd_kernels_find(a->workload);
  if (a->trace != NULL && a->named) argp_error(state, "%s and --trace; one of them would be accepted", a->workload);
  if (a->trace != NULL && (a->input != NULL || a->kind != NULL))
    argp_error(state, "a %s and --trace; one of them would be accepted", a->kind != NULL ? "workload" : "graph");
  if (a->input != NULL && strpbrk(a->input, "./") == NULL && access(a->input, F_OK) != 0)
    argp_error(state,
               "'%s' is neither a workload nor a file; workloads: " HD_ROUNDS_NAMES " " HD_TILES_NAMES
               " " HD_KERNELS_NAMES,
               a->input);
  hd_tiles_args_done(&a->tiles, a->kind, state);
  hd_rounds_args_done(&a->rounds, a->trace != NULL ? "" : a->workload, a->input != NULL, state);
  check_launch(state, a);
  check_smx(state, a);
  check_kernel(state, a);
  check_effects(state, a);
  check_names(state, a);
  if (a->kind != NULL && a->input != NULL)
    argp_error(state, "'%s' is one argument too many; --input %s would be accepted", a->input, a->input);
  if (a->wave != NULL && a->engine == HD_ENGINE_MODEL)
    argp_error(state, "--wave needs the RTL; --engine rtl or both would be accepted");
  const bool single = a->device || (a->rounds.kind != NULL && a->rounds.kind->single);
  if (a->gpu.series_every == 0) a->gpu.series_every = 1000;
  if (a->rounds.sources == 0) a->rounds.sources = single ? 1 : 64;
}
