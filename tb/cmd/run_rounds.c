/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/run_rounds.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/diagnose.h"

/* The path of the bundled graph, relative if it is below the current folder. */
static void find_bundled(char *input, size_t input_size) {
  char dir[500], path[560], real[PATH_MAX], here[PATH_MAX];
  hd_data_dir(dir, sizeof dir);
  snprintf(path, sizeof path, "%s/data/debian12.mtx.gz", dir);
  const char *found = realpath(path, real) ? real : path;
  size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
  bool inside = n && !strncmp(found, here, n) && found[n] == '/';
  snprintf(input, input_size, "%s", inside ? found + n + 1 : found);
}

static bool read_data(struct hd_run_rounds *r, const struct hd_run_args *a, char *input, size_t input_size, char *err,
                      size_t err_size) {
  const enum hd_rounds_input kind = a->rounds.kind->input;
  if (a->input != NULL) snprintf(input, input_size, "%s", a->input);
  if (kind == HD_ROUNDS_GRAPH) {
    if (a->input == NULL) find_bundled(input, input_size);
    return hd_graph_read(input, &a->rounds.read, &r->graph, NULL, err, err_size);
  }
  if (a->input != NULL) return hd_rows_read(input, kind == HD_ROUNDS_STANZAS, &r->rows, err, err_size);
  r->made = true;
  snprintf(input, input_size, "made data");
  return true;
}

bool hd_run_rounds_make(struct hd_run_rounds *r, const struct hd_run_args *a, const struct hd_cfg *cfg, uint32_t regs,
                        struct hd_report *p, char *input, size_t input_size, char *err, size_t err_size) {
  const struct hd_rounds_args *own = &a->rounds;
  if (!read_data(r, a, input, input_size, err, err_size)) return false;
  const struct hd_rounds_data data = {
      .graph = &r->graph, .rows = r->rows.n != 0 ? &r->rows : NULL, .made = own->made, .expression = own->pattern};
  const struct hd_rounds_opts o = {.problems = own->sources,
                                   .block_size = a->block_size,
                                   .regs = regs,
                                   .smem = (a->smem + 255) / 256,
                                   .overhead = a->overhead,
                                   .cycles_per_element = a->cycles_per_edge,
                                   .num_hwq = cfg->num_hwq,
                                   .seed = a->seed,
                                   .jitter = a->jitter,
                                   .threshold = a->device ? own->threshold : 0,
                                   .child_size = own->child_size,
                                   .sync = own->sync,
                                   .together = own->together,
                                   .warps = a->gpu.on};
  r->rounds = hd_rounds_new(own->kind, &data, &o);
  snprintf(err, err_size, "out of memory; fewer --sources need less");
  if (r->rounds == NULL) return false;
  p->sources = hd_rounds_problems(r->rounds);
  if (p->sources < own->sources && !a->quiet)
    fprintf(stderr, "heddle run: --sources is %" PRIu32 ", but the graph has %" PRIu32 " vertices: %" PRIu32 " %s\n",
            own->sources, r->graph.nodes, p->sources, own->kind->many);
  p->rounds = own->kind;
  p->together = own->together;
  p->threshold = own->threshold;
  p->child_size = own->child_size;
  if (own->kind->input == HD_ROUNDS_GRAPH) p->graph = &r->graph;
  if (!r->made) hd_file_sha256(input, p->sha256);
  return true;
}

void hd_run_rounds_free(struct hd_run_rounds *r) {
  hd_rounds_free(r->rounds);
  hd_graph_free(&r->graph);
  hd_rows_free(&r->rows);
}

void hd_run_rounds_check(const struct hd_run_rounds *r, struct hd_report *p) {
  const struct hd_rounds_kind *kind = hd_rounds_kind(r->rounds);
  uint32_t wrong = 0;
  if (!hd_rounds_check(r->rounds, &wrong)) {
    snprintf(p->answer, sizeof p->answer, "not checked: out of memory");
    p->run.verdict = HD_INTERNAL;
  } else if (wrong != 0) {
    snprintf(p->answer, sizeof p->answer, "WRONG: %" PRIu32 " of %" PRIu32 " %s differ from %s", wrong, p->sources,
             kind->many, kind->plain);
    p->run.verdict = HD_ORACLE;
  } else {
    p->answer_ok = true;
    if (p->sources == 1)
      snprintf(p->answer, sizeof p->answer, "right: the %s agrees with %s", kind->one, kind->plain);
    else
      snprintf(p->answer, sizeof p->answer, "right: all %" PRIu32 " %s agree with %s", p->sources, kind->many,
               kind->plain);
  }
}
