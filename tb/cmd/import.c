/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle import: converts traces of other tools to traces for heddle run --trace. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "engine/outfile.h"
#include "engine/sim.h"
#include "work/accelsim.h"

struct args {
  const char *kind, *input, *output;
  struct hd_accelsim_opts accelsim;
};

static double real_arg(struct argp_state *state, const char *arg) {
  char *end;
  const double v = strtod(arg, &end);
  if (end == arg || *end != '\0' || !(v > 0) || v > 1e6)
    argp_error(state, "--cycles-per-instruction '%s'; a number above 0, up to 1e6, would be accepted", arg);
  return v;
}

enum { KEY_ONLY = 256 };

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case 'c':
      a->accelsim.cycles_per_instruction = real_arg(state, arg);
      return 0;
    case 'q':
      a->accelsim.hwqs = (uint32_t)hd_number_arg(state, "--hwqs", arg, 1, 256);
      return 0;
    case 'o':
      a->output = arg;
      return 0;
    case 'i':
      a->accelsim.instructions = true;
      return 0;
    case KEY_ONLY:
      a->accelsim.only = arg;
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num > 1) argp_error(state, "'%s' is one argument too many", arg);
      *(state->arg_num == 0 ? &a->kind : &a->input) = arg;
      return 0;
    case ARGP_KEY_END:
      if (a->kind == NULL || strcmp(a->kind, "accelsim") != 0)
        argp_error(state, "unknown kind of trace '%s'; accelsim would be accepted", a->kind != NULL ? a->kind : "");
      if (a->input == NULL) argp_error(state, "a folder or a kernelslist.g is missing");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"cycles-per-instruction", 'c', "N", 0,
     "cycles that a TB holds its slot per instruction of each of its warps (default 1)", 0},
    {"hwqs", 'q', "N", 0, "hardware work queues, to which the streams are assigned (default 32)", 0},
    {"instructions", 'i', 0, 0, "keep the instructions of each warp, for heddle run --smx gpu", 0},
    {"only", KEY_ONLY, "KERNELS", 0, "import only these kernels of the list, by number (3,5-9) or by name ('gemm*')",
     0},
    {"output", 'o', "FILE", 0, "trace to write, compressed if it ends in .gz (default: standard output)", 0},
    {0}};
static const struct argp argp = {
    options,
    parse,
    "accelsim DIR|KERNELSLIST.G",
    "Converts NVBit traces, as Accel-Sim's tracer and post-processing write them, to a trace for heddle run --trace: "
    "grid, TB size, registers, shared memory and stream of each kernel, and the duration of each TB, which is computed "
    "from the number of its instructions."
    "\vEach stream uses one hardware work queue; all kernels are launched in cycle 0.\n"
    "Examples:\n  heddle import accelsim traces/ -c 0.5 -o app.trace\n  heddle run --trace app.trace",
    0,
    0,
    0};

static int refuse(const char *text) {
  fprintf(stderr, "heddle import: %s\n", text);
  return HD_CONFIG;
}

int hd_cmd_import(int argc, char **argv) {
  struct args a = {.accelsim = {.cycles_per_instruction = 1, .hwqs = 32}};
  struct hd_accelsim_counts n;
  struct hd_out out;
  char *text = NULL;
  size_t size = 0;
  char err[5000];
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (a.output != NULL && !hd_out_open(&out, a.output, err, sizeof err)) return refuse(err);
  /* stdout too receives either the whole trace or nothing. */
  FILE *to = a.output != NULL ? out.f : open_memstream(&text, &size);
  if (to == NULL) return refuse("out of memory");
  bool good = hd_accelsim_import(a.input, &a.accelsim, to, &n, err, sizeof err);
  if (a.output == NULL) {
    if (fclose(to) == 0 && good) fwrite(text, 1, size, stdout);
    free(text);
  } else if (good) {
    good = hd_out_commit(&out, err, sizeof err);
  } else {
    hd_out_drop(&out);
  }
  if (!good) return refuse(err);
  fprintf(stderr,
          "heddle import: %" PRIu32 " kernels in %" PRIu32 " streams, %" PRIu64 " TBs, %" PRIu64
          " instructions at %g cycles; %" PRIu32 " copies skipped\n",
          n.kernels, n.streams, n.ctas, n.instructions, a.accelsim.cycles_per_instruction, n.copies);
  if (n.left_out != 0) fprintf(stderr, "heddle import: %" PRIu32 " kernels omitted by --only\n", n.left_out);
  if (a.accelsim.instructions)
    fprintf(stderr,
            "heddle import: %" PRIu32 " warp programs; %" PRIu64 " atomics become a store and a load each; %" PRIu64
            " texture instructions have no addresses and take one cycle\n",
            n.warps.programs, n.warps.atomics, n.warps.textures);
  if (n.absent != 0)
    fprintf(stderr,
            "heddle import: %" PRIu64
            " of the TBs are not in the files, since they executed no instruction; each takes 1 cycle\n",
            n.absent);
  if (n.lists != 0)
    fprintf(stderr,
            "heddle import: %s has %" PRIu32 " more lists, of other contexts (kernelslist_ctx_..g), not imported\n",
            a.input, n.lists);
  return HD_PASS;
}
