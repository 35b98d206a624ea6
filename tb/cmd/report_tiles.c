/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The report of `heddle run` on a tiled workload. */
#include <inttypes.h>
#include <string.h>

#include "cmd/report.h"

/* Returns the cycles that launches of waves, and of the TB that launches them, take: nothing else runs meanwhile. */
static uint64_t launching(const struct hd_report *r) {
  const uint64_t waves = hd_tiles_graph(r->tiles.tiles)->levels, host = r->tiles.opts.host_latency;
  if (hd_tiles_launch_has_graph(r->tiles.opts.launch)) return host;
  return r->launches ? host + waves * r->tiles.call : waves * host;
}

/* Returns the other cycles of the run per cycle of launching; 0 if launches take no time. */
static double compute_to_launch(const struct hd_report *r) {
  const uint64_t launch = launching(r);
  return launch != 0 && r->run.cycles > launch ? (double)(r->run.cycles - launch) / (double)launch : 0;
}

/* Returns the bytes of graph traffic per byte that the tiles read or write. */
static double graph_share(const struct hd_report *r) {
  return (double)r->run.graph.bytes / (double)hd_tiles_bytes(r->tiles.tiles);
}

static const char *order_name(enum hd_deplinks_policy p) {
  return p == HD_DEPLINKS_LRR ? "lrr" : p == HD_DEPLINKS_LVL ? "lvl" : "lvl-bind";
}

static void print_launches(const struct hd_report *r, FILE *f) {
  const struct hd_report_tiles *t = &r->tiles;
  const struct hd_deplinks_graph *g = hd_tiles_graph(t->tiles);
  if (t->opts.launch == HD_TILES_WAVES) {
    fprintf(f, "  launches        each wave by the host, %" PRIu32 " cycles\n", t->opts.host_latency);
    return;
  }
  fprintf(f, "  launches        one by the host, %" PRIu32 " cycles", t->opts.host_latency);
  if (t->opts.launch == HD_TILES_NESTED)
    fprintf(f, "; each wave by its TB, %" PRIu32 " cycles", t->call);
  else if (t->opts.launch == HD_TILES_BARRIERS)
    fprintf(f, ", whose graph has a barrier after each wave");
  else
    fprintf(f, ", with its graph: order %s", order_name(g->policy));
  if (g->policy != HD_DEPLINKS_LRR) fprintf(f, ", bound %" PRIu32, g->bound);
  fprintf(f, "; memory %" PRIu32 " cycles\n", r->memory_latency);
}

void hd_report_tiles_what(const struct hd_report *r, FILE *f) {
  const struct hd_report_tiles *t = &r->tiles;
  const struct hd_tiles_data *d = t->data;
  const struct hd_deplinks_graph *g = hd_tiles_graph(t->tiles);
  fprintf(f, "  data            %s, %" PRIu32 " x %" PRIu32 " cells", d->kind->title, d->width, d->height);
  if (d->bins > 1) fprintf(f, " of %" PRIu32 " bins", d->bins);
  if (t->files == 0) fprintf(f, ", generated with seed %" PRIu64, d->seed);
  fprintf(f, "\n  graph           %" PRIu32 " nodes (%" PRIu32 " x %" PRIu32 " tiles", g->nodes, g->grid.x, g->grid.y);
  if (d->sweeps > 1) fprintf(f, " in %" PRIu32 " sweeps", d->sweeps);
  fprintf(f, "), %" PRIu32 " edges, %" PRIu32 " waves of up to %" PRIu32 " TBs\n", g->edges, g->levels, g->width);
  fprintf(f, "  cost            TBs of %" PRIu32 " threads", t->opts.block_size);
  if (r->gpu == NULL)
    fprintf(f, ", each held for %" PRIu32 " + steps x %" PRIu32 " cycles", t->opts.overhead, t->opts.cycles_per_step);
  if (t->opts.uneven != 0) fprintf(f, " and up to %" PRIu32 " %% more", t->opts.uneven);
  fputc('\n', f);
  print_launches(r, f);
}

static void print_graph(const struct hd_report *r, FILE *f) {
  const struct hd_loop_graph *g = &r->run.graph;
  fprintf(f,
          "  graph buffer    at most %" PRIu32 " of %" PRIu32 " PUB entries; updates in the PUB %" PRIu64
          ", in memory %" PRIu64,
          g->pub_most, r->cfg->pub, g->pub_updates, g->early_updates);
  if (g->big_nodes != 0) fprintf(f, "; nodes with more edges than the LEA holds: %" PRIu64, g->big_nodes);
  fprintf(f, "\n  graph traffic   %" PRIu64 " bytes, %.3f %% of the %" PRIu64 " that tiles read and write\n", g->bytes,
          100 * graph_share(r), hd_tiles_bytes(r->tiles.tiles));
}

void hd_report_tiles_found(const struct hd_report *r, FILE *f) {
  fprintf(f, "  launching       %" PRIu64 " cycles; compute to launch %.2f\n", launching(r), compute_to_launch(r));
  fprintf(f, "  level range     %" PRIu32 ": largest distance in waves between TBs that ran at the same time\n",
          hd_tiles_level_range(r->tiles.tiles));
  if (hd_tiles_launch_has_graph(r->tiles.opts.launch)) print_graph(r, f);
  fprintf(f, "  found           %s %.10g\n", r->tiles.data->kind->found, hd_tiles_result(r->tiles.tiles));
}

void hd_report_tiles_parameters(const struct hd_report *r, cJSON *to) {
  const struct hd_tiles_opts *o = &r->tiles.opts;
  hd_report_count(to, "block_size", o->block_size);
  if (r->gpu == NULL) hd_report_count(to, "overhead", o->overhead);
  if (r->gpu == NULL) hd_report_count(to, "cycles_per_step", o->cycles_per_step);
  if (r->gpu == NULL) hd_report_count(to, "uneven", o->uneven);
  hd_report_count(to, "host_latency", o->host_latency);
  hd_report_count(to, "jitter", r->jitter);
  hd_report_count(to, "regs", o->regs);
  if (o->launch == HD_TILES_GRAPH) cJSON_AddStringToObject(to, "order", order_name(o->order));
  if (o->launch == HD_TILES_GRAPH) hd_report_count(to, "bound", hd_tiles_graph(r->tiles.tiles)->bound);
  if (hd_tiles_launch_has_graph(o->launch)) hd_report_count(to, "memory_latency", r->memory_latency);
  hd_report_count(to, "smem", r->smem_bytes);
}

static void add_data(const struct hd_report_tiles *t, cJSON *to) {
  const struct hd_tiles_data *d = t->data;
  cJSON *n = cJSON_AddObjectToObject(to, "data");
  cJSON_AddStringToObject(n, "source", t->files != 0 ? "files" : "generated");
  if (t->files == 0) hd_report_count(n, "seed", d->seed);
  cJSON *files = cJSON_AddArrayToObject(n, "files");
  for (unsigned k = 0; k < t->files; k++) {
    cJSON *file = cJSON_CreateObject();
    cJSON_AddStringToObject(file, "file", t->file[k]);
    cJSON_AddStringToObject(file, "sha256", t->sha256[k]);
    cJSON_AddItemToArray(files, file);
  }
  hd_report_count(n, "width", d->width);
  hd_report_count(n, "height", d->height);
  hd_report_count(n, "bins", d->bins);
}

static void add_graph_buffer(const struct hd_report *r, cJSON *to) {
  const struct hd_loop_graph *g = &r->run.graph;
  cJSON *n = cJSON_AddObjectToObject(to, "graph_buffer");
  hd_report_count(n, "pub_most", g->pub_most);
  hd_report_count(n, "pub_updates", g->pub_updates);
  hd_report_count(n, "early_updates", g->early_updates);
  hd_report_count(n, "big_nodes", g->big_nodes);
  hd_report_count(n, "bytes", g->bytes);
  cJSON_AddNumberToObject(n, "bytes_share", graph_share(r));
}

void hd_report_tiles_json(const struct hd_report *r, cJSON *to) {
  const struct hd_deplinks_graph *g = hd_tiles_graph(r->tiles.tiles);
  add_data(&r->tiles, to);
  cJSON *n = cJSON_AddObjectToObject(to, "graph");
  hd_report_count(n, "nodes", g->nodes);
  hd_report_count(n, "edges", g->edges);
  hd_report_count(n, "waves", g->levels);
  hd_report_count(n, "widest_wave", g->width);
  hd_report_count(n, "columns", g->grid.x);
  hd_report_count(n, "rows", g->grid.y);
  hd_report_count(n, "sweeps", g->grid.z);
  hd_report_count(to, "cycles_launching", launching(r));
  cJSON_AddNumberToObject(to, "compute_to_launch", compute_to_launch(r));
  hd_report_count(to, "level_range", hd_tiles_level_range(r->tiles.tiles));
  hd_report_count(to, "tile_bytes", hd_tiles_bytes(r->tiles.tiles));
  if (hd_tiles_launch_has_graph(r->tiles.opts.launch)) add_graph_buffer(r, to);
  n = cJSON_AddObjectToObject(to, "found");
  cJSON_AddStringToObject(n, "what", r->tiles.data->kind->found);
  cJSON_AddNumberToObject(n, "value", hd_tiles_result(r->tiles.tiles));
}
