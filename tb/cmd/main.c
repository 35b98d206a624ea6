/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The heddle command: dispatches to the subcommand. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmds.h"
#include "cmd/signals.h"
#include "engine/outfile.h"
#include "engine/sim.h"

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *what;
} commands[] = {
    {"run", hd_cmd_run, "run a workload through the dispatch plane: RTL, golden model, or both in lockstep"},
    {"sweep", hd_cmd_sweep, "run all combinations of parameters, policies and launch models; table and plot"},
    {"example", hd_cmd_example, "replay a paper's example and compare the plane with the figure"},
    {"graph", hd_cmd_graph, "make or inspect input graphs"},
    {"import", hd_cmd_import, "convert NVBit traces (Accel-Sim) to a trace for heddle run"},
    {"equiv", hd_cmd_equiv, "run random lockstep of one block, or of all"},
    {"replay", hd_cmd_replay, "repeat a recorded run and explain its failure"},
    {"wave", hd_cmd_wave, "show a block's waveform in GTKWave, or as a picture"},
    {"mutants", hd_cmd_mutants, "run the mutants of a block and list those that no check kills"},
    {"faults", hd_cmd_faults, "show that lockstep catches each planted fault"},
    {"prove", hd_cmd_prove, "prove that the RTL of a block equals its golden model"},
    {"area", hd_cmd_area, "report area and timing of blocks and tables, by synthesis"},
    {"fpga", hd_cmd_fpga, "place and route blocks on an FPGA: LUTs, flops, RAM, clock rate"},
    {"campaign", hd_cmd_campaign, "run many jobs, here or on a cluster, and report them on one page"},
    {"gpu", hd_cmd_gpu, "measure the SMX model (--smx gpu) against its parameters"},
    {"channels", hd_cmd_channels, "run a Cilk program on channels: answer, wavefronts, time on CUs"},
    {"bench", hd_cmd_bench, "measure simulation speed of RTL, model and lockstep, as ratios"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *f) {
  fprintf(f, "usage: heddle COMMAND [OPTION..] [ARGUMENT..]\n\n");
  for (unsigned k = 0; k < COMMANDS; k++) fprintf(f, "  %-8s %s\n", commands[k].name, commands[k].what);
  fprintf(f,
          "\nheddle COMMAND --help lists the options of a command; heddle --version prints the version.\n"
          "Exit codes: 0 pass, 1 mismatch, 2 bad usage or input, 3 assertion, 4 oracle, 5 stuck, 6 cycle limit, 7 "
          "internal.\n");
}

/* Runs a command. Its help and errors begin with "heddle NAME"; bad usage is exit code 2. */
static int run(unsigned k, int argc, char **argv) {
  static char name[32];
  snprintf(name, sizeof name, "heddle %s", commands[k].name);
  argv[0] = name;
  argp_err_exit_status = HD_CONFIG;
  static char help[] = "--help";
  if (argc == 2 && !strcmp(argv[1], "-h")) argv[1] = help;
  return commands[k].run(argc, argv);
}

/* Output that could not be printed is an error, even on a closed pipe. If an earlier write failed, its errno is lost:
 * another write finds the reason. */
static void close_stdout(void) {
  errno = 0;
  const bool lost = ferror(stdout) != 0;
  if (lost && write(STDOUT_FILENO, "\n", 1) == 1) errno = 0;
  if (fclose(stdout) == 0 && !lost) return;
  fprintf(stderr, "heddle: standard output: %s\n", strerror(errno != 0 ? errno : EIO));
  _exit(HD_CONFIG);
}

/* A handler instead of SIG_IGN, so that programs started from here get the default action back. */
static void on_pipe(int number) {
  (void)number;
}

/* Waveforms are written through mapped memory, so a full disk raises SIGBUS. */
static void on_bus_error(int number) {
  static const char text[] = "heddle: bus error: the disk of the waveform may be full\n";
  (void)number;
  hd_out_abandon();
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(HD_INTERNAL);
  _exit(HD_CONFIG);
}

int main(int argc, char **argv) {
  hd_signals_init();
  signal(SIGPIPE, on_pipe);
  signal(SIGBUS, on_bus_error);
  atexit(close_stdout);
  if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    usage(argc < 2 ? stderr : stdout);
    return argc < 2 ? HD_CONFIG : HD_PASS;
  }
  if (!strcmp(argv[1], "--version")) {
    puts("heddle " HD_VERSION);
    return HD_PASS;
  }
  for (unsigned k = 0; k < COMMANDS; k++)
    if (!strcmp(argv[1], commands[k].name)) return run(k, argc - 1, argv + 1);
  fprintf(stderr, "heddle: no command '%s'; there are:", argv[1]);
  for (unsigned k = 0; k < COMMANDS; k++) fprintf(stderr, " %s", commands[k].name);
  fputc('\n', stderr);
  return HD_CONFIG;
}
