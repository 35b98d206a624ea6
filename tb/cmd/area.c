/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle area: hands over to synth/area, which drives the synthesis tools. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmds.h"
#include "engine/sim.h"

int hd_cmd_area(int argc, char **argv) {
  static char tool[] = "synth/area", python[] = "python3";
  char *args[64] = {python, tool};
  if (argc > 60) {
    fprintf(stderr, "heddle area: more than 60 arguments\n");
    return HD_CONFIG;
  }
  if (access("synth/area/__main__.py", R_OK)) {
    fprintf(stderr,
            "heddle area: it synthesizes the sources: run it from the top of a checkout (no synth/area is here)\n");
    return HD_CONFIG;
  }
  for (int k = 1; k < argc; k++) args[k + 1] = argv[k];
  execvp(python, args);
  fprintf(stderr, "heddle area: %s: %s (Debian package python3)\n", python, strerror(errno));
  return HD_CONFIG;
}
