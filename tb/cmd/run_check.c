/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* What the arguments of `heddle run` must be together. */
#include <argp.h>
#include <string.h>

#include "cmd/run_args.h"

static bool is(const char *name, const char *word) {
  return strcmp(name, word) == 0;
}

/* Launch models by workload. */
static void check_launch(const struct argp_state *state, struct hd_run_args *a) {
  if (a->launch == NULL) a->launch = a->kind != NULL ? "waves" : "flat";
  a->device = is(a->launch, "cdp") || is(a->launch, "dtbl");
  if (a->trace != NULL && !is(a->launch, "flat"))
    argp_error(state, "--trace with --launch %s; a trace launches from the host alone", a->launch);
  if (a->rounds.together && a->device)
    argp_error(state, "--expand warp with --launch %s; flat would be accepted", a->launch);
  const bool tiles = is(a->launch, "waves") || is(a->launch, "barriers") || is(a->launch, "graph");
  if (a->kind != NULL && !tiles && !is(a->launch, "cdp"))
    argp_error(state, "--launch %s with %s; waves, cdp, barriers or graph would be accepted", a->launch, a->workload);
  if (a->kind == NULL && tiles)
    argp_error(state, "--launch %s is of the workloads " HD_TILES_NAMES "; flat, cdp or dtbl would be accepted",
               a->launch);
  if (a->tiles.ordered && !is(a->launch, "graph"))
    argp_error(state, "--order and --bound are about a kernel with its graph; --launch graph would be accepted");
  if (!is(a->policy, "rr") && !a->device)
    argp_error(state, "--policy %s is about what TBs launch; --launch cdp%s would be accepted", a->policy,
               a->kind != NULL ? "" : " or dtbl");
}

/* Only workloads in rounds tell what their warps run. */
static void check_smx(const struct argp_state *state, const struct hd_run_args *a) {
  if (!a->gpu.on && a->gpu.given != NULL)
    argp_error(state, "--%s is about SMXs that run warps; --smx gpu would be accepted", a->gpu.given);
  if (!a->gpu.on) return;
  if (a->kind != NULL || a->trace != NULL)
    argp_error(state, "--smx gpu with %s; with " HD_ROUNDS_NAMES " it would be accepted",
               a->kind != NULL ? a->workload : "--trace");
  if (a->gpu.opts.footprint && !a->device)
    argp_error(state, "--footprint is about what TBs launch; --launch cdp or dtbl would be accepted");
  if (a->of_timer != NULL) argp_error(state, "--%s with --smx gpu; it is about --smx timer", a->of_timer);
}

void hd_run_args_check(const struct argp_state *state, struct hd_run_args *a) {
  a->kind = hd_tiles_find(a->workload);
  if (a->trace != NULL && (a->input != NULL || a->kind != NULL))
    argp_error(state, "a %s and --trace; one of them would be accepted", a->kind != NULL ? "workload" : "graph");
  hd_tiles_args_done(&a->tiles, a->kind, state);
  hd_rounds_args_done(&a->rounds, a->trace != NULL ? "" : a->workload, a->input != NULL, state);
  check_launch(state, a);
  check_smx(state, a);
  if (a->kind != NULL && a->input != NULL)
    argp_error(state, "'%s' is one argument too many; --input %s would be accepted", a->input, a->input);
  if (a->wave != NULL && a->engine == HD_ENGINE_MODEL)
    argp_error(state, "--wave needs the RTL; --engine rtl or both would be accepted");
  const bool single = a->device || (a->rounds.kind != NULL && a->rounds.kind->single);
  if (a->rounds.sources == 0) a->rounds.sources = single ? 1 : 64;
}
