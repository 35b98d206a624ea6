/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle replay: repeats a recorded run and explains where it fails. */
#include "engine/replay.h"

#include <argp.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "engine/diagnose.h"
#include "engine/shrink.h"

static const char doc[] =
    "Repeats the run in FILE with RTL and golden model in lockstep. If the run fails, prints the signals that differ, "
    "the "
    "inputs of that cycle and the last transfers.\v"
    "Example: heddle replay --wave build/fail/kd-tiny-random-1.replay";

static const struct argp_option options[] = {
    {"wave", 'w', 0, 0, "write the waveform FILE.fst and its GTKWave view FILE.fst.gtkw", 0},
    {"shrink", 'k', "SECONDS", OPTION_ARG_OPTIONAL,
     "shorten the run first, within this time (default 20), and write FILE.short", 0},
    {"expect", 'e', 0, 0, "pass if the run ends as the line 'expect' of FILE states", 0},
    {0},
};

struct args {
  const char *file;
  bool wave, expect;
  double shrink;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case 'w':
      a->wave = true;
      return 0;
    case 'e':
      a->expect = true;
      return 0;
    case 'k':
      a->shrink = arg ? (double)hd_number_arg(state, "--shrink", arg, 1, 100000) : 20;
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num) return ARGP_ERR_UNKNOWN;
      a->file = arg;
      return 0;
    case ARGP_KEY_NO_ARGS:
      argp_error(state, "missing FILE, a replay");
      return 0;
    case ARGP_KEY_END:
      if (a->expect && a->wave) argp_error(state, "--wave has no effect here; without --expect it would be accepted");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static int shrink(const struct args *a, struct hd_replay *r, char *path, size_t size, char *err, size_t err_size) {
  uint64_t before = r->cycles;
  unsigned runs = hd_shrink(r, a->shrink);
  snprintf(path, size, "%s.short", a->file);
  if (!hd_replay_write(path, r, err, err_size)) return HD_CONFIG;
  printf("shortened from %llu to %llu cycles in %u runs: %s\n", (unsigned long long)before,
         (unsigned long long)r->cycles, runs, path);
  return HD_PASS;
}

int hd_cmd_replay(int argc, char **argv) {
  static const struct argp argp = {options, parse, "FILE", doc, 0, 0, 0};
  struct args a = {0};
  struct hd_replay r;
  char err[512], path[600], got[400];
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!hd_replay_read(a.file, &r, err, sizeof err)) {
    fprintf(stderr, "heddle: %s\n", err);
    return HD_CONFIG;
  }
  snprintf(path, sizeof path, "%s", a.file);
  int code = a.shrink > 0 ? shrink(&a, &r, path, sizeof path, err, sizeof err) : HD_PASS;
  if (code) fprintf(stderr, "heddle: %s\n", err);
  if (!code && a.expect) {
    struct hd_failure f = hd_replay_run(&r, err, sizeof err);
    if (f.verdict == HD_CONFIG) {
      fprintf(stderr, "heddle: %s\n", err);
      hd_replay_free(&r);
      return HD_CONFIG;
    }
    snprintf(got, sizeof got, "%s %llu %s", hd_verdict_name(f.verdict), (unsigned long long)f.cycle,
             f.label[0] ? f.label : "-");
    code = strcmp(got, r.expect) ? HD_MISMATCH : HD_PASS;
    printf("expected: %s\ngot:      %s\n%s\n", r.expect, got, code ? "MISMATCH" : "PASS");
  } else if (!code) {
    code = (int)hd_diagnose(&r, path, a.wave, stdout);
    if (!code) printf("PASS %s, %llu cycles, no difference\n", r.block, (unsigned long long)r.cycles);
  }
  hd_replay_free(&r);
  return code;
}
