/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle wave: a waveform in GTKWave with the block's view, or, without a display, as a picture. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "engine/diagnose.h"
#include "engine/equiv.h"
#include "engine/fields.h"
#include "engine/objects.h"
#include "engine/outfile.h"
#include "engine/view.h"

static const char doc[] =
    "Opens a waveform in GTKWave with the view of its block: signals in groups, enums by name. FILE is an FST file of "
    "a "
    "failure, a replay or heddle run; for a BLOCK, a short random run makes the waveform first. Without a display, "
    "writes a picture (PNG).\v"
    "Examples: heddle wave sched --config tiny\n          heddle wave build/fail/kd-tiny-random-1.replay.fst";

enum { KEY_FROM = 256, KEY_TO, KEY_AROUND, NEAR = 20 };

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration of the run (default k20c)", 0},
    {"set", 's', "PARAM=VALUE", 0, "change a parameter of the configuration; may be repeated", 0},
    {"cycles", 'n', "N", 0, "cycles of the run (default 200)", 0},
    {"seed", 'S', "N", 0, "seed of the run (default 1)", 0},
    {"picture", 'p', "FILE", 0, "write a picture (PNG) to FILE, even with a display", 0},
    {"from", KEY_FROM, "CYCLE", 0, "first cycle shown (default: that of the waveform)", 0},
    {"to", KEY_TO, "CYCLE", 0, "last cycle shown (default: that of the waveform)", 0},
    {"around", KEY_AROUND, "CYCLE", 0, "show the 20 cycles before and after CYCLE, with a marker at CYCLE", 0},
    {"view", 'v', "BLOCK", 0, "view for FILE (default: FILE.gtkw, or the block in the file name, or top)", 0},
    {0},
};

struct args {
  struct hd_config_args config;
  uint64_t cycles, seed, from, to, around; /* from, to, around: the cycle plus one; 0: not given */
  const char *what, *picture, *view;
  const char *of_run; /* the last option given that is about a run, or NULL */
};

static const uint64_t LAST_CYCLE = UINT64_MAX / 4000; /* its time in ps still fits 64 bits */

static const char PART[] = ".part.gtkw"; /* suffix of a temporary view that shows a part of the waveform */

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  if (key == 'n' || key == 'S') a->of_run = key == 'n' ? "cycles" : "seed";
  switch (key) {
    case 'c':
    case 's':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case 'n':
      a->cycles = hd_number_arg(state, "--cycles", arg, 1, 1000000);
      return 0;
    case 'S':
      a->seed = hd_number_arg(state, "--seed", arg, 0, UINT64_MAX);
      return 0;
    case 'p':
      a->picture = arg;
      return 0;
    case KEY_FROM:
      a->from = hd_number_arg(state, "--from", arg, 0, LAST_CYCLE) + 1;
      return 0;
    case KEY_TO:
      a->to = hd_number_arg(state, "--to", arg, 0, LAST_CYCLE) + 1;
      return 0;
    case KEY_AROUND:
      a->around = hd_number_arg(state, "--around", arg, 0, LAST_CYCLE) + 1;
      return 0;
    case 'v':
      a->view = arg;
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num) return ARGP_ERR_UNKNOWN;
      a->what = arg;
      return 0;
    case ARGP_KEY_END:
      if (a->around && (a->from || a->to)) argp_error(state, "--around can not be combined with --from or --to");
      if (a->from && a->to && a->from > a->to) argp_error(state, "--from is later than --to");
      if (a->picture && !hd_out_ends_in(a->picture, ".png"))
        argp_error(state, "--picture %s: a name that ends in .png would be accepted", a->picture);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static bool record_block(const struct args *a, const struct hd_cfg *cfg, const char *block, char *fst, size_t size) {
  struct hd_equiv_opts o = {.block = block,
                            .cfg = *cfg,
                            .seed = a->seed,
                            .cycles = a->cycles,
                            .profile = "random",
                            .no_reset = true,
                            .wave = fst};
  char dir[400];
  hd_build_dir(dir, sizeof dir);
  snprintf(fst, size, "%s/wave", dir);
  mkdir(fst, 0777);
  snprintf(fst, size, "%s/wave/%s-%s.fst", dir, block, o.cfg.name);
  struct hd_equiv_result r = hd_equiv(&o);
  if (r.verdict == HD_CONFIG) fprintf(stderr, "heddle: %s\n", r.error);
  return r.verdict != HD_CONFIG;
}

/* Finds the block by the name of the waveform: build/fail/kd-tiny-random-1.replay.fst -> kd. */
static const char *block_of(const char *fst) {
  const char *base = strrchr(fst, '/');
  base = base ? base + 1 : fst;
  for (const struct hd_field_table *t = hd_field_tables; t->block; t++) {
    size_t n = strlen(t->block);
    if (!strncmp(base, t->block, n) && (base[n] == '-' || base[n] == '.')) return t->block;
  }
  return "top";
}

/* Clips the requested range of cycles to those in the waveform. */
static bool window_of(const struct args *a, const char *fst, struct hd_window *w) {
  char err[700];
  struct hd_window whole;
  if (!hd_window_whole(fst, &whole, err, sizeof err)) {
    fprintf(stderr, "heddle wave: %s\n", err);
    return false;
  }
  uint64_t from = a->from ? a->from - 1 : 0, to = a->to ? a->to - 1 : LAST_CYCLE;
  if (a->around) {
    from = a->around - 1 > NEAR ? a->around - 1 - NEAR : 0;
    to = a->around - 1 + NEAR;
  }
  *w = hd_window_cycles(from, to);
  if (a->around) w->mark = hd_window_edge(a->around - 1);
  if ((!a->from && !a->around) || w->from < whole.from) w->from = whole.from; /* including the reset */
  if (w->to > whole.to) w->to = whole.to;
  if (w->from < w->to) return true;
  fprintf(stderr, "heddle wave: %s contains none of these cycles\n", fst);
  return false;
}

static int draw(const char *fst, const char *gtkw, const char *picture) {
  char dir[400], script[500], err[700];
  struct hd_out out;
  hd_data_dir(dir, sizeof dir);
  snprintf(script, sizeof script, "%s/cmd/wave_picture.sh", dir);
  if (!hd_out_open(&out, picture, err, sizeof err)) {
    fprintf(stderr, "heddle wave: %s\n", err);
    return HD_CONFIG;
  }
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", script, fst, gtkw, out.temporary != NULL ? out.temporary : out.path, (char *)0);
    _exit(127);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
    hd_out_drop(&out);
    fprintf(stderr, "heddle wave: %s could not be drawn\n", picture);
    return HD_CONFIG;
  }
  if (!hd_out_commit(&out, err, sizeof err)) {
    fprintf(stderr, "heddle wave: %s\n", err);
    return HD_CONFIG;
  }
  if (hd_out_ends_in(gtkw, PART)) unlink(gtkw); /* GTKWave has finished with it */
  printf("waveform: %s\n", fst);
  if (!hd_out_ends_in(gtkw, PART)) printf("view:     %s\n", gtkw);
  printf("picture:  %s\n", picture);
  return HD_PASS;
}

static int show(const char *fst, const char *gtkw, const char *picture) {
  char png[600];
  if (!picture && getenv("DISPLAY")) {
    execlp("gtkwave", "gtkwave", fst, gtkw, (char *)0);
    fprintf(stderr, "heddle: gtkwave: %s (Debian package gtkwave)\n", strerror(errno));
    return HD_CONFIG;
  }
  if (picture) return draw(fst, gtkw, picture);
  snprintf(png, sizeof png, "%.*s.png", (int)(strlen(fst) - (hd_out_ends_in(fst, ".fst") ? 4 : 0)), fst);
  fprintf(stderr, "heddle: no display; writing a picture instead\n");
  return draw(fst, gtkw, png);
}

/* Chooses the view: the one saved next to the waveform, otherwise the block's. A view with a window of cycles is
 * written to a separate file, so that a view saved by the user is not overwritten. */
static bool prepare_view(const struct args *a, const char *block, const char *config, const char *fst, char *gtkw,
                         size_t size) {
  char saved[600];
  struct hd_window w;
  const bool window = a->from || a->to || a->around;
  snprintf(saved, sizeof saved, "%s.gtkw", fst);
  const bool have = block != a->what && !a->view && !access(saved, R_OK);
  snprintf(gtkw, size, "%s%s", fst, have && window ? PART : ".gtkw");
  if (!window_of(a, fst, &w)) return false;
  if (have && !window) return true;
  if (have ? hd_view_copy(saved, fst, &w, gtkw) : hd_view_write(block, config, fst, &w, gtkw)) return true;
  fprintf(stderr, "heddle wave: no view for block %s in configuration %s (--config), or %s can not be written\n", block,
          config, gtkw);
  return false;
}

int hd_cmd_wave(int argc, char **argv) {
  static const struct argp argp = {options, parse, "[BLOCK|FILE]", doc, 0, 0, 0};
  struct args a = {.cycles = 200, .seed = 1, .what = "top"};
  char fst[512], gtkw[600];
  hd_config_args_init(&a.config);
  argp_parse(&argp, argc, argv, 0, 0, &a);
  struct hd_cfg cfg;
  if (!hd_config_args_done(&a.config, &cfg)) return HD_CONFIG;
  const char *block = a.view;
  const bool is_block = hd_field_table_find(a.what) != NULL;
  if (is_block ? a.view != NULL : a.of_run != NULL) {
    fprintf(stderr, "heddle wave: --%s has no effect here; with a %s it would be accepted\n",
            is_block ? "view" : a.of_run, is_block ? "FILE" : "BLOCK");
    return HD_CONFIG;
  }
  if (is_block) {
    block = a.what;
    if (!record_block(&a, &cfg, block, fst, sizeof fst)) return HD_CONFIG;
  } else if (access(a.what, R_OK)) {
    fprintf(stderr, "heddle: '%s' is neither a block nor a readable FST file; blocks:", a.what);
    for (const struct hd_field_table *t = hd_field_tables; t->block; t++) fprintf(stderr, " %s", t->block);
    fputc('\n', stderr);
    return HD_CONFIG;
  } else {
    snprintf(fst, sizeof fst, "%s", a.what);
    if (!block) block = block_of(fst);
  }
  if (!prepare_view(&a, block, cfg.name, fst, gtkw, sizeof gtkw)) return HD_CONFIG;
  return show(fst, gtkw, a.picture);
}
