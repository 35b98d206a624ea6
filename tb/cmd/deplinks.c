/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle graph deplinks: makes the dependency graph of a kernel, describes it, and writes its bytes in memory. */
#include "api/deplinks.h"

#include <argp.h>
#include <cjson/cJSON.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/deplinks_file.h"
#include "cmd/options.h"
#include "cmd/report.h"
#include "common/hd_cfg.h"
#include "engine/outfile.h"
#include "engine/sim.h"

enum { KEY_PATTERN = 256, KEY_GRID, KEY_DEGREE, KEY_SEED, KEY_POLICY, KEY_BOUND, KEY_BASE, KEY_JSON };

static const struct argp_option options[] = {
    {"pattern", KEY_PATTERN, "NAME", 0,
     "generate the graph: wavefront, stencil, barrier, chain, star, star-in or layered", 0},
    {"grid", KEY_GRID, "XxYxZ", 0,
     "TBs in x, y and z; y and z default to 1 (default for FILE: one row up to its largest id)", 0},
    {"degree", KEY_DEGREE, "N", 0, "layered: parents drawn per TB (default 3)", 0},
    {"seed", KEY_SEED, "N", 0, "layered: seed of the generator (default 1)", 0},
    {"policy", KEY_POLICY, "NAME", 0, "order of ready TBs: lrr (default), lvl or lvl-bind", 0},
    {"bound", KEY_BOUND, "N", 0, "lvl and lvl-bind: levels that a TB may run ahead (default 3)", 0},
    {"base", KEY_BASE, "ADDRESS", 0, "address of the graph in memory, rounded up to a multiple of 128 (default 0)", 0},
    {"output", 'o', "FILE", 0, "write the bytes of the graph, from its first array to the end of its last", 0},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {0}};

static const char doc[] =
    "Makes the dependency graph of a kernel in the layout that the hardware reads, from a list of parents and children "
    "or a pattern, and describes it."
    "\vFILE has one line per edge, 'PARENT CHILD': two linear TB ids. Comments begin with #, % or //. FILE may be "
    "compressed with gzip.\n\n"
    "Patterns and default grids: wavefront (16x16): a TB waits for its neighbours at x - 1, y - 1 and z - 1. stencil "
    "(16x16x4): z is time; a TB waits for (x, y) and its four neighbours at z - 1. barrier (64x2): a row waits for the "
    "row before. chain (128): a TB waits for the TB before. star (128): all TBs wait for TB 0. star-in (128): the last "
    "TB waits for all others. layered (64x16): a TB waits for random TBs of the row before.\n\n"
    "Examples:\n"
    "  heddle graph deplinks --pattern wavefront --grid 96x96\n"
    "  heddle graph deplinks edges.txt --base 0x10000000 -o graph.bin\n\n"
    "Exit codes: 0 pass, 2 bad usage or input.";

static const struct {
  const char *name;
  struct hd_dim3 grid;
} patterns[] = {
    [HD_DEPLINKS_WAVEFRONT] = {"wavefront", {16, 16, 1}}, [HD_DEPLINKS_STENCIL] = {"stencil", {16, 16, 4}},
    [HD_DEPLINKS_BARRIER] = {"barrier", {64, 2, 1}},      [HD_DEPLINKS_CHAIN] = {"chain", {128, 1, 1}},
    [HD_DEPLINKS_STAR] = {"star", {128, 1, 1}},           [HD_DEPLINKS_STAR_IN] = {"star-in", {128, 1, 1}},
    [HD_DEPLINKS_LAYERED] = {"layered", {64, 16, 1}},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static const char *const policies[] = {
    [HD_DEPLINKS_LRR] = "lrr", [HD_DEPLINKS_LVL] = "lvl", [HD_DEPLINKS_LVL_BIND] = "lvl-bind"};

struct args {
  const char *input, *output;
  int pattern;         /* -1: none */
  struct hd_dim3 grid; /* 0: not given */
  int policy;
  uint32_t degree, bound;
  bool bound_given, random_given;
  struct hd_json_to json;
  uint64_t seed, base;
};

/* ---- Arguments ---- */

/* "16", "16x8" or "16x8x4". */
static struct hd_dim3 grid_arg(struct argp_state *state, const char *arg) {
  uint32_t size[3] = {1, 1, 1};
  const char *s = arg;
  for (unsigned k = 0; k < 3; k++) {
    uint64_t v = 0;
    while (isdigit((unsigned char)*s) && v <= INT32_MAX) v = v * 10 + (uint64_t)(*s++ - '0');
    size[k] = v <= INT32_MAX ? (uint32_t)v : 0;
    if (size[k] == 0 || *s != 'x') break;
    s++;
  }
  if (size[0] == 0 || size[1] == 0 || size[2] == 0 || *s != '\0' || !isdigit((unsigned char)s[-1]))
    argp_failure(state, HD_CONFIG, 0, "--grid is '%s'; X, XxY or XxYxZ, as in 16x16, would be accepted", arg);
  return (struct hd_dim3){size[0], size[1], size[2]};
}

static int pattern_arg(struct argp_state *state, const char *arg) {
  for (int k = 0; k < PATTERNS; k++)
    if (strcmp(arg, patterns[k].name) == 0) return k;
  argp_failure(state, HD_CONFIG, 0,
               "--pattern is '%s'; wavefront, stencil, barrier, chain, star, star-in or layered would be accepted",
               arg);
  return -1;
}

static int policy_arg(struct argp_state *state, const char *arg) {
  for (int k = HD_DEPLINKS_LRR; k <= HD_DEPLINKS_LVL_BIND; k++)
    if (strcmp(arg, policies[k]) == 0) return k;
  argp_failure(state, HD_CONFIG, 0, "--policy is '%s'; lrr, lvl or lvl-bind would be accepted", arg);
  return -1;
}

static void check_args(const struct args *a, struct argp_state *state) {
  if (a->input == NULL && a->pattern < 0) argp_failure(state, HD_CONFIG, 0, "missing FILE of edges, or --pattern");
  if (a->input != NULL && a->pattern >= 0)
    argp_failure(state, HD_CONFIG, 0, "'%s' and --pattern; one of them would be accepted", a->input);
  if (a->random_given && a->pattern != HD_DEPLINKS_LAYERED)
    argp_failure(state, HD_CONFIG, 0, "--degree and --seed apply only to --pattern layered");
  if (a->bound_given && a->policy == HD_DEPLINKS_LRR)
    argp_failure(state, HD_CONFIG, 0, "--bound applies only to --policy lvl and lvl-bind");
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case KEY_PATTERN:
      a->pattern = pattern_arg(state, arg);
      return 0;
    case KEY_GRID:
      a->grid = grid_arg(state, arg);
      return 0;
    case KEY_DEGREE:
      a->degree = (uint32_t)hd_number_arg(state, "--degree", arg, 0, HD_DEPLINKS_NODES);
      a->random_given = true;
      return 0;
    case KEY_SEED:
      a->seed = hd_number_arg(state, "--seed", arg, 0, UINT64_MAX);
      a->random_given = true;
      return 0;
    case KEY_POLICY:
      a->policy = policy_arg(state, arg);
      return 0;
    case KEY_BOUND:
      a->bound = (uint32_t)hd_number_arg(state, "--bound", arg, 0, HD_DEPLINKS_BOUND);
      a->bound_given = true;
      return 0;
    case KEY_BASE:
      a->base = hd_number_arg(state, "--base", arg, 0, (UINT64_C(1) << 40) - 1);
      return 0;
    case 'o':
      a->output = arg;
      return 0;
    case KEY_JSON:
      hd_json_arg(&a->json, state, arg);
      return 0;
    case ARGP_KEY_ARG:
      if (a->input != NULL) argp_failure(state, HD_CONFIG, 0, "'%s' is one argument too many", arg);
      a->input = arg;
      return 0;
    case ARGP_KEY_END:
      check_args(a, state);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* ---- The graph ---- */

/* Limits an array to 256 MiB, which is 2^26 edges, so that a mistyped size does not exhaust the machine's memory. */
static void *limited(void *ctx, void *p, size_t bytes) {
  (void)ctx;
  if (bytes > (size_t)256 << 20) return NULL;
  if (bytes != 0) return realloc(p, bytes);
  free(p);
  return NULL;
}

/* Returns true if *d and *g were built; the caller frees both. Otherwise err holds one line. */
static bool make(const struct args *a, struct hd_deplinks *d, struct hd_deplinks_graph *g, char *err, size_t err_size) {
  const struct hd_deplinks_memory memory = {limited, NULL};
  if (a->input != NULL) return hd_deplinks_read(a->input, a->grid, &memory, d, g, err, err_size);
  hd_deplinks_init(d, a->grid.x != 0 ? a->grid : patterns[a->pattern].grid, &memory);
  hd_deplinks_add_pattern(d, (enum hd_deplinks_pattern)a->pattern, a->degree, a->seed);
  if (hd_deplinks_build(d, g) == HD_DEPLINKS_OK) return true;
  snprintf(err, err_size, "%s%s", d->text,
           d->code == HD_DEPLINKS_MEMORY ? "; this command limits an array to 256 MiB" : "");
  hd_deplinks_free(d);
  return false;
}

static bool write_image(const char *path, const struct hd_deplinks_graph *g, const struct hd_deplinks_regions *at,
                        char *err, size_t err_size) {
  struct hd_out out;
  size_t size = (size_t)(at->end - at->node);
  uint8_t *bytes = malloc(size);
  if (bytes == NULL) {
    snprintf(err, err_size, "%s: out of memory (%zu bytes needed)", path, size);
    return false;
  }
  hd_deplinks_image(g, at, bytes);
  bool good = hd_out_open(&out, path, err, err_size);
  if (good) {
    fwrite(bytes, 1, size, out.f);
    good = hd_out_commit(&out, err, err_size);
  }
  free(bytes);
  return good;
}

/* ---- Description ---- */

struct array {
  const char *title, *key;
  uint64_t at, bytes;
};

static void list_arrays(const struct hd_deplinks_regions *r, struct array out[4]) {
  out[0] = (struct array){"node array", "node", r->node, 8 * ((uint64_t)r->nodes + 1)};
  out[1] = (struct array){"edge array", "edge", r->edge, 2 * (uint64_t)r->edges};
  out[2] = (struct array){"TB ids", "tb", r->tb, 2 * (uint64_t)r->nodes};
  out[3] = (struct array){"early", "early", r->early, 2 * (uint64_t)r->nodes};
}

static void print_degree(const char *what, uint32_t most, uint32_t tb, struct hd_dim3 grid) {
  printf("  %-15s %" PRIu32, what, most);
  if (most != 0)
    printf(", of TB %" PRIu32 " (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", tb, tb % grid.x, tb / grid.x % grid.y,
           tb / grid.x / grid.y);
  putchar('\n');
}

static void print_text(const struct args *a, const struct hd_deplinks *d, const struct hd_deplinks_graph *g,
                       const struct hd_deplinks_regions *r) {
  struct array array[4];
  printf("%s\n", a->input != NULL ? a->input : patterns[a->pattern].name);
  printf("  grid            %" PRIu32 " x %" PRIu32 " x %" PRIu32 "\n", g->grid.x, g->grid.y, g->grid.z);
  printf("  nodes           %" PRIu32 "\n", g->nodes);
  printf("  edges           %" PRIu32 "; merged: %" PRIu64 "; parents outside the grid: %zu\n", g->edges, g->merged,
         d->ignored);
  printf("  levels          %" PRIu32 "\n", g->levels);
  printf("  widest level    %" PRIu32 " TBs, level %" PRIu32 "\n", g->width, g->widest);
  print_degree("most parents", g->in_most, g->in_tb, g->grid);
  print_degree("most children", g->out_most, g->out_tb, g->grid);
  printf("  policy          %s", policies[g->policy]);
  if (g->policy != HD_DEPLINKS_LRR) printf(", bound %" PRIu32, g->bound);
  putchar('\n');
  list_arrays(r, array);
  for (unsigned k = 0; k < 4; k++)
    printf("  %-15s %" PRIu64 " bytes at 0x%010" PRIx64 "\n", array[k].title, array[k].bytes, array[k].at);
  printf("  in memory       %" PRIu64 " bytes\n", r->end - r->node);
  if (a->output != NULL) printf("  written to      %s\n", a->output);
}

static bool put_json(const struct args *a, const struct hd_deplinks *d, const struct hd_deplinks_graph *g,
                     const struct hd_deplinks_regions *r) {
  struct array array[4];
  char sha256[65];
  cJSON *j = hd_json_head(1);
  if (a->input != NULL) {
    hd_file_sha256(a->input, sha256);
    cJSON_AddStringToObject(j, "input", a->input);
    cJSON_AddStringToObject(j, "input_sha256", sha256);
  } else {
    cJSON_AddStringToObject(j, "pattern", patterns[a->pattern].name);
  }
  const int grid[3] = {(int)g->grid.x, (int)g->grid.y, (int)g->grid.z};
  cJSON_AddItemToObject(j, "grid", cJSON_CreateIntArray(grid, 3));
  cJSON_AddNumberToObject(j, "nodes", g->nodes);
  cJSON_AddNumberToObject(j, "edges", g->edges);
  cJSON_AddNumberToObject(j, "merged", (double)g->merged);
  cJSON_AddNumberToObject(j, "ignored", (double)d->ignored);
  cJSON_AddNumberToObject(j, "levels", g->levels);
  cJSON_AddNumberToObject(j, "widest_level", g->widest);
  cJSON_AddNumberToObject(j, "widest_level_tbs", g->width);
  cJSON_AddNumberToObject(j, "largest_in_degree", g->in_most);
  cJSON_AddNumberToObject(j, "largest_out_degree", g->out_most);
  cJSON_AddStringToObject(j, "policy", policies[g->policy]);
  cJSON_AddNumberToObject(j, "bound", g->bound);
  cJSON_AddNumberToObject(j, "bytes", (double)(r->end - r->node));
  cJSON *arrays = cJSON_AddObjectToObject(j, "arrays");
  list_arrays(r, array);
  for (unsigned k = 0; k < 4; k++) {
    cJSON *one = cJSON_AddObjectToObject(arrays, array[k].key);
    cJSON_AddNumberToObject(one, "address", (double)array[k].at);
    cJSON_AddNumberToObject(one, "bytes", (double)array[k].bytes);
  }
  const bool put = hd_json_put(&a->json, j) == 0;
  cJSON_Delete(j);
  return put;
}

int hd_cmd_deplinks(int argc, char **argv) {
  struct args a = {.pattern = -1, .degree = 3, .seed = 1, .bound = 3};
  const struct argp argp = {options, parse_option, "FILE\n--pattern NAME", doc, 0, 0, 0};
  struct hd_deplinks d;
  struct hd_deplinks_graph g;
  struct hd_deplinks_regions at;
  struct hd_cfg cfg;
  char err[5000];
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!make(&a, &d, &g, err, sizeof err)) {
    fprintf(stderr, "heddle graph deplinks: %s\n", err);
    return HD_CONFIG;
  }
  g.policy = (enum hd_deplinks_policy)a.policy;
  g.bound = a.policy == HD_DEPLINKS_LRR ? 0 : a.bound;
  bool good = hd_cfg_find("k20c", &cfg) && hd_deplinks_place(&cfg, &g, a.base, &at);
  if (!good)
    snprintf(err, sizeof err, "--base is 0x%" PRIx64 "; the graph from there exceeds 40 bits of address", a.base);
  else if (a.output != NULL)
    good = write_image(a.output, &g, &at, err, sizeof err);
  if (!good) fprintf(stderr, "heddle graph deplinks: %s\n", err);
  good = good && (!hd_json_wanted(&a.json) || put_json(&a, &d, &g, &at));
  if (good && !a.json.print) print_text(&a, &d, &g, &at);
  hd_deplinks_graph_free(&g);
  hd_deplinks_free(&d);
  return good ? HD_PASS : HD_CONFIG;
}
