/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle prove, area, fpga, sweep and campaign: each executes the Python program of that name, on a checkout. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmds.h"
#include "engine/sim.h"

/* Replaces this process by the program `tool`, a folder of the checkout. Returns only on an error. */
static int hand_over(char *tool, const char *why, int argc, char **argv) {
  static char python[] = "python3";
  char *args[64] = {python, tool}, main_file[64];
  if (argc > 60) {
    fprintf(stderr, "%s: more than 60 arguments\n", argv[0]);
    return HD_CONFIG;
  }
  snprintf(main_file, sizeof main_file, "%s/__main__.py", tool);
  if (access(main_file, R_OK)) {
    fprintf(stderr, "%s: this command %s: run it from the top of a checkout (no %s here)\n", argv[0], why, tool);
    return HD_CONFIG;
  }
  for (int k = 1; k < argc; k++) args[k + 1] = argv[k];
  execvp(python, args);
  fprintf(stderr, "%s: %s: %s (Debian package python3)\n", argv[0], python, strerror(errno));
  return HD_CONFIG;
}

int hd_cmd_prove(int argc, char **argv) {
  static char tool[] = "verif/proofs";
  return hand_over(tool, "reads the sources", argc, argv);
}

int hd_cmd_area(int argc, char **argv) {
  static char tool[] = "synth/area";
  return hand_over(tool, "synthesizes the sources", argc, argv);
}

int hd_cmd_fpga(int argc, char **argv) {
  static char tool[] = "synth/fpga";
  return hand_over(tool, "synthesizes the sources", argc, argv);
}

int hd_cmd_sweep(int argc, char **argv) {
  static char tool[] = "tb/sweep";
  return hand_over(tool, "works on the sources", argc, argv);
}

int hd_cmd_campaign(int argc, char **argv) {
  static char tool[] = "tb/campaign";
  return hand_over(tool, "builds and tests the sources", argc, argv);
}
