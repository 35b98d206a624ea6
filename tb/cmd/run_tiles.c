/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/run_tiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "work/tiles_read.h"

/* Reads or generates the data and fills in their part of the report. */
static bool get_data(struct hd_run_tiles *r, const struct hd_run_args *args, struct hd_report *report, char *input,
                     size_t input_size, char *err, size_t err_size) {
  const struct hd_tiles_args *t = &args->tiles;
  struct hd_report_tiles *p = &report->tiles;
  r->data = (struct hd_tiles_data){
      .kind = args->kind, .width = t->size, .height = t->size, .sweeps = t->sweeps, .bins = t->bins};
  for (unsigned k = 0; k < t->inputs; k++) {
    p->file[p->files++] = t->input[k];
    hd_file_sha256(t->input[k], p->sha256[k]);
  }
  memcpy(report->sha256, p->sha256[0], sizeof p->sha256[0]);
  if (t->inputs != 0) {
    snprintf(input, input_size, t->inputs == 2 ? "%s, %s" : "%s", t->input[0], t->input[1]);
    return hd_tiles_read(&r->data, t->input, t->inputs, err, err_size);
  }
  snprintf(input, input_size, "generated data");
  if (!hd_tiles_fits(&r->data, t->nodes, err, err_size)) return false;
  snprintf(err, err_size, "out of memory; a smaller --size needs less");
  return hd_tiles_generate(&r->data, t->data_seed);
}

static enum hd_tiles_launch launch(const struct hd_run_args *a) {
  if (a->device) return HD_TILES_NESTED;
  if (strcmp(a->launch, "barriers") == 0) return HD_TILES_BARRIERS;
  return strcmp(a->launch, "graph") == 0 ? HD_TILES_GRAPH : HD_TILES_WAVES;
}

bool hd_run_tiles_make(struct hd_run_tiles *t, const struct hd_run_args *a, uint32_t regs, struct hd_report *p,
                       char *input, size_t input_size, char *err, size_t err_size) {
  p->tiles.opts = (struct hd_tiles_opts){.nodes = a->tiles.nodes,
                                         .launch = launch(a),
                                         .order = a->tiles.order,
                                         .bound = a->tiles.bound,
                                         .block_size = a->block_size,
                                         .regs = regs,
                                         .smem = (a->smem + 255) / 256,
                                         .overhead = a->overhead,
                                         .cycles_per_step = a->tiles.cycles_per_step,
                                         .uneven = a->tiles.uneven,
                                         .host_latency = a->tiles.host_latency,
                                         .seed = a->seed,
                                         .jitter = a->jitter};
  if (!get_data(t, a, p, input, input_size, err, err_size)) return false;
  t->tiles = hd_tiles_new(&t->data, &p->tiles.opts, err, err_size);
  p->tiles.tiles = t->tiles;
  p->tiles.data = &t->data;
  return t->tiles != NULL;
}

void hd_run_tiles_free(struct hd_run_tiles *t) {
  hd_tiles_free(t->tiles);
  hd_tiles_data_free(&t->data);
}

void hd_run_tiles_check(const struct hd_run_tiles *t, struct hd_report *p) {
  const uint64_t cells = (uint64_t)t->data.width * t->data.height;
  struct hd_tiles_wrong wrong;
  hd_tiles_check(t->tiles, &wrong);
  const char *broken = hd_tiles_broken(t->tiles);
  p->answer_ok = wrong.tiles == 0 && broken == NULL && !wrong.out_of_room;
  if (p->answer_ok)
    snprintf(p->answer, sizeof p->answer, "right: all %" PRIu64 " cells agree with a plain program", cells);
  else if (wrong.out_of_room)
    snprintf(p->answer, sizeof p->answer, "not checked: out of memory");
  else
    snprintf(p->answer, sizeof p->answer, "WRONG: %" PRIu32 " of %" PRIu32 " tiles differ from a plain program",
             wrong.tiles, p->tiles.opts.nodes / t->data.sweeps);
  if (!p->answer_ok) p->run.verdict = wrong.out_of_room ? HD_INTERNAL : HD_ORACLE;
  if (broken != NULL)
    snprintf(p->run.text, sizeof p->run.text, "%s", broken);
  else if (wrong.tiles != 0)
    snprintf(p->run.text, sizeof p->run.text, "tile (%" PRIu32 ", %" PRIu32 ") is the first that differs", wrong.x,
             wrong.y);
}
