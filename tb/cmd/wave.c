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

static const char doc[] =
    "Opens GTKWave with the view of the block (groups, names, enums by name). BLOCK: makes a waveform of a short "
    "random run of it "
    "first; FILE: an FST file that a failure, a replay or heddle run left. Without a display it writes a picture (PNG) "
    "instead.\v"
    "Examples: heddle wave sched --config tiny\n          heddle wave build/fail/kd-tiny-random-1.replay.fst";

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration of the run (default k20c)", 0},
    {"set", 's', "PARAM=VALUE", 0, "change a parameter of it", 0},
    {"cycles", 'n', "N", 0, "cycles of the run (default 200)", 0},
    {"seed", 'S', "N", 0, "its seed (default 1)", 0},
    {"picture", 'p', "FILE", 0, "write a picture even if there is a display", 0},
    {"view", 'v', "BLOCK", 0, "view for FILE (default: from FILE.gtkw, or by its name, else top)", 0},
    {0},
};

struct args {
  struct hd_config_args config;
  uint64_t cycles, seed;
  const char *what, *picture, *view;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
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
    case 'v':
      a->view = arg;
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num) return ARGP_ERR_UNKNOWN;
      a->what = arg;
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
  mkdir("build/wave", 0777);
  snprintf(fst, size, "build/wave/%s-%s.fst", block, o.cfg.name);
  struct hd_equiv_result r = hd_equiv(&o);
  if (r.verdict == HD_CONFIG) fprintf(stderr, "heddle: %s\n", r.error);
  return r.verdict != HD_CONFIG;
}

/* The block that a waveform shows: build/fail/kd-tiny-random-1.replay.fst -> kd. */
static const char *block_of(const char *fst) {
  const char *base = strrchr(fst, '/');
  base = base ? base + 1 : fst;
  for (const struct hd_field_table *t = hd_field_tables; t->block; t++) {
    size_t n = strlen(t->block);
    if (!strncmp(base, t->block, n) && (base[n] == '-' || base[n] == '.')) return t->block;
  }
  return "top";
}

static int show(const char *fst, const char *gtkw, const char *picture) {
  char dir[400], script[500], png[600];
  if (!picture && getenv("DISPLAY")) {
    execlp("gtkwave", "gtkwave", fst, gtkw, (char *)0);
    fprintf(stderr, "heddle: gtkwave: %s (Debian package gtkwave)\n", strerror(errno));
    return HD_CONFIG;
  }
  if (!picture) {
    size_t n = strlen(fst);
    if (n > 4 && !strcmp(fst + n - 4, ".fst")) n -= 4;
    snprintf(png, sizeof png, "%.*s.png", (int)n, fst);
    fprintf(stderr, "heddle: no display, so a picture instead\n");
    picture = png;
  }
  hd_data_dir(dir, sizeof dir);
  snprintf(script, sizeof script, "%s/cmd/wave_picture.sh", dir);
  pid_t child = fork();
  if (!child) {
    execl("/bin/sh", "sh", script, fst, gtkw, picture, (char *)0);
    _exit(127);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) return HD_CONFIG;
  printf("waveform: %s\nview:     %s\npicture:  %s\n", fst, gtkw, picture);
  return HD_PASS;
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
  if (hd_field_table_find(a.what)) {
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
  snprintf(gtkw, sizeof gtkw, "%s.gtkw", fst);
  bool have = block != a.what && !a.view && !access(gtkw, R_OK); /* whoever wrote the waveform wrote its view */
  if (!have && !hd_gtkw_write(block, cfg.name, fst, gtkw)) {
    fprintf(stderr, "heddle: no view for block %s in configuration %s: run make rtl CONFIG=%s\n", block, cfg.name,
            cfg.name);
    return HD_CONFIG;
  }
  return show(fst, gtkw, a.picture);
}
