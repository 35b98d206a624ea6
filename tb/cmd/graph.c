/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle graph: makes and describes graph files. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/options.h"
#include "cmd/report.h"
#include "engine/outfile.h"
#include "engine/sim.h"
#include "graph/debian.h"
#include "graph/generate.h"
#include "graph/read.h"

struct args {
  const char *action, *input, *output;
  struct hd_debian_opts debian;
  struct hd_generate made;
  struct hd_read_opts read;
  struct hd_json_to json;
  unsigned given; /* a bit for each option */
};

enum {
  KEY_LISTS = 256,
  KEY_SUITE,
  KEY_ARCH,
  KEY_MAX_DEGREE,
  KEY_NODES,
  KEY_DEGREE,
  KEY_SEED,
  KEY_FORMAT,
  KEY_DIRECTED,
  KEY_JSON
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "debian, graph500, banded, road: the Matrix Market file to write; compressed if it ends in .gz", 0},
    {"lists", KEY_LISTS, "DIR", 0, "debian: folder of the package lists (default /var/lib/apt/lists)", 0},
    {"suite", KEY_SUITE, "NAME", 0, "debian: release, if the folder has lists of several", 0},
    {"arch", KEY_ARCH, "NAME", 0, "debian: architecture (default amd64)", 0},
    {"max-degree", KEY_MAX_DEGREE, "N", 0, "debian: drop packages with more than N neighbours (default 1400)", 0},
    {"nodes", KEY_NODES, "N", 0,
     "graph500, banded, road: nodes, before those without edges are dropped (default 65536)", 0},
    {"degree", KEY_DEGREE, "N", 0, "graph500: edges drawn per node (default 16)", 0},
    {"seed", KEY_SEED, "N", 0, "graph500, banded, road: seed of the generator (default 1)", 0},
    {"format", KEY_FORMAT, "NAME", 0,
     "info: format, if the file name does not determine it: edges, mtx, dimacs or metis", 0},
    {"directed", KEY_DIRECTED, 0, 0, "info: keep the direction of edges (default: the graph is made undirected)", 0},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "info: print the results as JSON, or write them to FILE", 0},
    {0}};

static const char *const actions[] = {"debian", "graph500", "banded", "road", "info"};

/* Refuses options without effect: the help text of each begins with the actions that it applies to. */
static void check_effects(const struct argp_state *state, const struct args *a) {
  unsigned known = 0;
  for (unsigned k = 0; k < sizeof actions / sizeof *actions; k++) known += strcmp(actions[k], a->action) == 0;
  for (unsigned k = 0; known != 0 && options[k].name != NULL; k++) {
    const char *text = options[k].doc, *at = strstr(text, a->action);
    const int of = (int)strcspn(text, ":");
    if ((a->given >> k & 1) != 0 && (at == NULL || at > text + of))
      argp_error(state, "--%s has no effect with %s; with %.*s it would be accepted", options[k].name, a->action, of,
                 text);
  }
  if (known != 0 && a->input != NULL && strcmp(a->action, "info") != 0)
    argp_error(state, "'%s' is one argument too many", a->input);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  for (unsigned k = 0; options[k].name != NULL; k++)
    if (options[k].key == key) a->given |= 1u << k;
  switch (key) {
    case 'o':
      a->output = arg;
      return 0;
    case KEY_LISTS:
      a->debian.lists = arg;
      return 0;
    case KEY_SUITE:
      a->debian.suite = arg;
      return 0;
    case KEY_ARCH:
      a->debian.arch = arg;
      return 0;
    case KEY_MAX_DEGREE:
      a->debian.max_degree = (uint32_t)hd_number_arg(state, "--max-degree", arg, 1, UINT32_MAX);
      return 0;
    case KEY_NODES:
      a->made.nodes = (uint32_t)hd_number_arg(state, "--nodes", arg, 1, UINT32_MAX);
      return 0;
    case KEY_DEGREE:
      a->made.degree = (uint32_t)hd_number_arg(state, "--degree", arg, 1, 1 << 20);
      return 0;
    case KEY_SEED:
      a->made.seed = hd_number_arg(state, "--seed", arg, 0, UINT64_MAX);
      return 0;
    case KEY_FORMAT:
      if (!hd_format_find(arg, &a->read.format))
        argp_error(state, "--format is '%s'; auto, edges, mtx, dimacs or metis would be accepted", arg);
      return 0;
    case KEY_DIRECTED:
      a->read.directed = true;
      return 0;
    case KEY_JSON:
      hd_json_arg(&a->json, state, arg);
      return 0;
    case ARGP_KEY_ARG:
      if (state->arg_num == 0)
        a->action = arg;
      else if (state->arg_num == 1)
        a->input = arg;
      else
        argp_error(state, "'%s' is one argument too many", arg);
      return 0;
    case ARGP_KEY_END:
      if (a->action == NULL) argp_error(state, "missing action; accepted: debian graph500 banded road info deplinks");
      check_effects(state, a);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const char doc[] =
    "Makes an input graph or describes one. debian: package dependencies, from the package lists of this machine; "
    "graph500: R-MAT; banded: 3 to 47 near neighbours; road: a grid with gaps; info: describes FILE; deplinks: the "
    "dependency graph of a kernel (heddle graph deplinks --help)."
    "\vExamples:\n"
    "  heddle graph debian -o debian.mtx.gz\n"
    "  heddle graph graph500 --nodes 32768 -o rmat.mtx.gz\n"
    "  heddle graph info road.gr\n"
    "  heddle graph info web.txt --directed --json\n\n"
    "Formats: edge list, Matrix Market, DIMACS .gr, METIS .graph; plain or compressed (gzip, xz, bzip2, zstd). A file "
    "that fits two formats is refused without --format.";

static void write_banner(FILE *f) {
  fprintf(f, "%%%%MatrixMarket matrix coordinate pattern symmetric\n");
}

static void write_entries(FILE *f, const struct hd_graph *g) {
  fprintf(f, "%" PRIu32 " %" PRIu32 " %" PRIu64 "\n", g->nodes, g->nodes, g->edges);
  for (uint32_t v = 0; v < g->nodes; v++)
    for (uint64_t i = g->row[v]; i < g->row[v + 1] && g->col[i] < v; i++)
      fprintf(f, "%" PRIu32 " %" PRIu32 "\n", v + 1, g->col[i] + 1);
}

static void write_debian(FILE *f, const struct hd_debian *d, uint32_t max_degree) {
  write_banner(f);
  fprintf(f, "%% Debian package dependency graph, made by 'heddle graph debian'\n");
  fprintf(f, "%% suite %s, release %s\n", d->suite, d->release[0] != '\0' ? d->release : "unknown");
  fprintf(f, "%% %" PRIu64 " packages; dropped: %" PRIu64 " of degree over %" PRIu32 ", then those without an edge\n",
          d->packages, d->left_out, max_degree);
  write_entries(f, &d->graph);
}

static double mean_degree(const struct hd_graph *g) {
  return g->nodes != 0 ? (g->directed ? 1.0 : 2.0) * (double)g->edges / g->nodes : 0.0;
}

/* Degrees of a directed graph are out-degrees. */
static void print_shape(const struct hd_graph *g) {
  printf("  nodes           %" PRIu32 "\n", g->nodes);
  printf(g->directed ? "  arcs            %" PRIu64 "\n" : "  edges           %" PRIu64 "\n", g->edges);
  printf("  mean degree     %.2f\n", mean_degree(g));
  printf("  largest degree  %" PRIu32 "\n", hd_graph_largest(g));
}

static int make_debian(const struct args *a) {
  char err[5000];
  struct hd_debian d;
  struct hd_out out;
  if (a->output == NULL) {
    fprintf(stderr, "heddle graph debian: missing output file; add -o FILE, as in -o debian.mtx.gz\n");
    return HD_CONFIG;
  }
  if (!hd_debian_read(&a->debian, &d, err, sizeof err) || !hd_out_open(&out, a->output, err, sizeof err)) {
    fprintf(stderr, "heddle graph debian: %s\n", err);
    hd_debian_free(&d);
    return HD_CONFIG;
  }
  write_debian(out.f, &d, a->debian.max_degree);
  bool good = hd_out_commit(&out, err, sizeof err);
  if (good) {
    printf("%s: Debian %s %s\n", a->output, d.suite, d.release);
    print_shape(&d.graph);
    printf("  dropped         %" PRIu64 " of degree over %" PRIu32 "\n", d.left_out, a->debian.max_degree);
  } else {
    fprintf(stderr, "heddle graph debian: %s\n", err);
  }
  hd_debian_free(&d);
  return good ? HD_PASS : HD_CONFIG;
}

static int refuse_made(const struct args *a, const char *text) {
  fprintf(stderr, "heddle graph %s: %s\n", a->action, text);
  return HD_CONFIG;
}

static int make_by_rule(const struct args *a) {
  char err[5000];
  struct hd_graph g;
  struct hd_out out;
  const char *accepted = hd_generate_check(&a->made);
  snprintf(err, sizeof err, "--nodes is %" PRIu32 "; %s would be accepted", a->made.nodes, accepted);
  if (accepted != NULL) return refuse_made(a, err);
  if (a->output == NULL) return refuse_made(a, "missing output file; add -o FILE, as in -o made.mtx.gz");
  if (!hd_generate(&a->made, &g)) return refuse_made(a, "out of memory, or too many edges; fewer --nodes need less");
  bool good = hd_out_open(&out, a->output, err, sizeof err);
  if (good) {
    write_banner(out.f);
    fprintf(out.f, "%% made by 'heddle graph %s --nodes %" PRIu32, a->action, a->made.nodes);
    if (strcmp(a->action, "graph500") == 0) fprintf(out.f, " --degree %" PRIu32, a->made.degree);
    fprintf(out.f, " --seed %" PRIu64 "'\n", a->made.seed);
    write_entries(out.f, &g);
    good = hd_out_commit(&out, err, sizeof err);
  }
  if (good) {
    printf("%s: %s, seed %" PRIu64 "\n", a->output, a->action, a->made.seed);
    print_shape(&g);
  }
  hd_graph_free(&g);
  return good ? HD_PASS : refuse_made(a, err);
}

/* Classes of vertices by degree: 0, 1, 2 to 3, 4 to 7, .. neighbours. */
enum { CLASSES = 33 };

static uint64_t class_low(unsigned c) {
  return c == 0 ? 0 : (uint64_t)1 << (c - 1);
}

static uint64_t class_high(unsigned c) {
  return ((uint64_t)1 << c) - 1;
}

static void count_degrees(const struct hd_graph *g, uint32_t *count) {
  memset(count, 0, CLASSES * sizeof *count);
  for (uint32_t v = 0; v < g->nodes; v++) {
    uint32_t degree = hd_graph_degree(g, v);
    count[degree == 0 ? 0 : 32 - __builtin_clz(degree)]++;
  }
}

static void print_degrees(const struct hd_graph *g) {
  uint32_t count[CLASSES];
  count_degrees(g, count);
  for (unsigned c = 0; c < CLASSES; c++) {
    if (count[c] == 0) continue;
    printf("  degree %6" PRIu64 " .. %-6" PRIu64 " %9" PRIu32 "  ", class_low(c), class_high(c), count[c]);
    for (uint32_t bar = 0; bar < (uint32_t)(50.0 * count[c] / g->nodes + 0.5); bar++) putchar('#');
    putchar('\n');
  }
}

static void print_info(const struct args *a, const struct hd_graph *g, enum hd_format format) {
  printf("%s: %s\n", a->input, hd_format_name(format));
  print_shape(g);
  hd_report_direction(g, stdout);
  hd_report_read(g, stdout);
  if (g->declared != 0) printf("  declared        %" PRIu64 " nodes\n", g->declared);
  if (g->declared > g->nodes) printf("  without an edge %" PRIu64 " nodes, dropped\n", g->declared - g->nodes);
  print_degrees(g);
}

static bool put_info_json(const struct args *a, const struct hd_graph *g, enum hd_format format) {
  char sha256[65];
  uint32_t count[CLASSES];
  cJSON *j = hd_json_head(1);
  hd_file_sha256(a->input, sha256);
  count_degrees(g, count);
  cJSON_AddStringToObject(j, "input", a->input);
  cJSON_AddStringToObject(j, "input_sha256", sha256);
  cJSON_AddStringToObject(j, "format", hd_format_name(format));
  hd_report_graph(g, j);
  cJSON_AddNumberToObject(j, "edges_read", (double)g->read);
  cJSON_AddNumberToObject(j, "mean_degree", mean_degree(g));
  cJSON *degrees = cJSON_AddArrayToObject(j, "degrees");
  for (unsigned c = 0; c < CLASSES; c++) {
    if (count[c] == 0) continue;
    cJSON *d = cJSON_CreateObject();
    cJSON_AddNumberToObject(d, "from", (double)class_low(c));
    cJSON_AddNumberToObject(d, "to", (double)class_high(c));
    cJSON_AddNumberToObject(d, "nodes", count[c]);
    cJSON_AddItemToArray(degrees, d);
  }
  const bool put = hd_json_put(&a->json, j) == 0;
  cJSON_Delete(j);
  return put;
}

static int describe(const struct args *a) {
  char err[5000];
  struct hd_graph g;
  enum hd_format format;
  if (a->input == NULL) {
    fprintf(stderr, "heddle graph info: missing FILE, a graph\n");
    return HD_CONFIG;
  }
  if (!hd_graph_read(a->input, &a->read, &g, &format, err, sizeof err)) {
    fprintf(stderr, "heddle graph info: %s\n", err);
    return HD_CONFIG;
  }
  const bool put = !hd_json_wanted(&a->json) || put_info_json(a, &g, format);
  if (!a->json.print) print_info(a, &g, format);
  hd_graph_free(&g);
  return put ? HD_PASS : HD_CONFIG;
}

int hd_cmd_graph(int argc, char **argv) {
  static char deplinks[] = "heddle graph deplinks";
  if (argc > 1 && strcmp(argv[1], "deplinks") == 0) { /* has options of its own */
    argv[1] = deplinks;
    return hd_cmd_deplinks(argc - 1, argv + 1);
  }
  struct args a = {.debian = {.max_degree = 1400}, .made = {.nodes = 65536, .degree = 16, .seed = 1}};
  const struct argp argp = {options,
                            parse_option,
                            "debian -o FILE\ngraph500 -o FILE\nbanded -o FILE\nroad -o FILE\ninfo FILE\ndeplinks FILE",
                            doc,
                            0,
                            0,
                            0};
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (strcmp(a.action, "debian") == 0) return make_debian(&a);
  if (strcmp(a.action, "info") == 0) return describe(&a);
  a.made.name = a.action;
  if (strcmp(a.action, "graph500") == 0 || strcmp(a.action, "banded") == 0 || strcmp(a.action, "road") == 0)
    return make_by_rule(&a);
  fprintf(stderr, "heddle graph: unknown action '%s'; accepted: debian graph500 banded road info deplinks\n", a.action);
  return HD_CONFIG;
}
