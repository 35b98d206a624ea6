/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/report.h"

#include <inttypes.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/options.h"

static double ctas_per_cycle(const struct hd_report *r) {
  return r->run.cycles != 0 ? (double)r->run.ctas / (double)r->run.cycles : 0;
}

#define CONTEXT_BYTES(save) (HD_LINE_BYTES * (save)->lines)

static double part(uint64_t n, uint64_t of) {
  return of != 0 ? (double)n / (double)of : 0;
}

static uint64_t device_launches(const struct hd_launch_stats *d) {
  uint64_t n = 0;
  for (unsigned k = 0; k < HD_CHILD_CODES; k++) n += d->by_code[k];
  return n;
}

/* Returns the share of children whose work the parents' threads did. */
static double alone_share(const struct hd_launch_stats *d) {
  uint64_t children = device_launches(d) + d->alone - d->refused;
  return children != 0 ? (double)d->alone / (double)children : 0;
}

/* Codes in the JSON report, as in rtl/pkg/enums.csv. */
static const char *const code_key[HD_CHILD_CODES] = {"accepted",   "refused",     "zero_dim",   "over_limit",
                                                     "never_fits", "unknown_hwq", "empty_slot", "kept"};

void hd_report_direction(const struct hd_graph *g, FILE *f) {
  const char *why = "";
  if (hd_graph_made_undirected(g)) why = ": arcs of the input became undirected edges; --directed keeps them directed";
  if (g->directed && g->input == HD_UNDIRECTED) why = ": each undirected edge of the input became two arcs";
  fprintf(f, "  directed        %s%s\n", g->directed ? "true" : "false", why);
}

void hd_report_read(const struct hd_graph *g, FILE *f) {
  const struct hd_ignored *i = &g->ignored;
  const struct {
    uint64_t n;
    const char *what;
  } ignored[] = {{i->weights, "weights"},
                 {i->vertex_weights, "vertex weights"},
                 {i->fields, "fields after the weights"},
                 {i->lines, "lines without an edge"}};
  const char *before = "; ignored:";
  fprintf(f, "  read            %" PRIu64 " edges; dropped: %" PRIu64 " self loops, %" PRIu64 " repetitions", g->read,
          g->self_loops, g->duplicates);
  for (unsigned k = 0; k < sizeof ignored / sizeof *ignored; k++) {
    if (ignored[k].n == 0) continue;
    fprintf(f, "%s %" PRIu64 " %s", before, ignored[k].n, ignored[k].what);
    before = ",";
  }
  fprintf(f, "%s\n", i->header ? "; the first line was read as NODES EDGES" : "");
  if (i->edges_declared != 0 && i->edges_declared != g->read)
    fprintf(f, "  declared        %" PRIu64 " edges; the file has %" PRIu64 "\n", i->edges_declared, g->read);
}

static void print_graph(const struct hd_graph *g, FILE *f) {
  fprintf(f, "  graph           %" PRIu32 " nodes, %" PRIu64 " %s, largest %s %" PRIu32 "\n", g->nodes, g->edges,
          g->directed ? "arcs" : "edges", g->directed ? "out-degree" : "degree", hd_graph_largest(g));
  hd_report_direction(g, f);
  if (hd_graph_is_less(g)) hd_report_read(g, f);
}

static void print_what(const struct hd_report *r, FILE *f) {
  fprintf(f, "heddle run: %s on %s\n", r->workload, r->input);
  if (r->graph != NULL) print_graph(r->graph, f);
  if (r->tiles.tiles != NULL) hd_report_tiles_what(r, f);
  fprintf(f, "  plane           %s, launch %s, policy %s, engine %s, seed %" PRIu64 "\n", r->cfg->name, r->launch,
          r->policy, r->engine, r->seed);
  if (r->trace != NULL && r->trace->left_out != 0)
    fprintf(f, "  only            %s: %" PRIu32 " of the %" PRIu32 " kernels of the trace\n", r->only, r->trace->n,
            r->trace->n + r->trace->left_out);
  if (r->trace != NULL && r->trace->latency != 0)
    fprintf(f, "  launch latency  %" PRIu64 " cycles, for kernels whose trace gives none\n", r->trace->latency);
  if (r->rounds != NULL && r->gpu != NULL)
    fprintf(f, "  %-15s %" PRIu32 " at once, TBs of %" PRIu32 " threads, run as warps\n", r->rounds->many, r->sources,
            r->block_size);
  else if (r->rounds != NULL)
    fprintf(f,
            "  %-15s %" PRIu32 " at once, TBs of %" PRIu32 " threads held for %" PRIu32 " + %s x %" PRIu32 " cycles\n",
            r->rounds->many, r->sources, r->block_size, r->overhead, r->graph != NULL ? "degree" : "elements",
            r->cycles_per_edge);
  if (r->together)
    fprintf(f, "  expanded        by warps: all threads of a warp walk the edges of one item, then of the next\n");
  if (r->launches && r->rounds != NULL)
    fprintf(f,
            "  device          threads with %" PRIu32 " edges or more launch %s of TBs of %" PRIu32 " threads, %" PRIu32
            " at once; latency %s, memory %" PRIu32 " cycles\n",
            r->threshold, strcmp(r->launch, "cdp") == 0 ? "kernels" : "groups", r->child_size, r->pending,
            r->ideal ? "none" : "as on a K20c", r->memory_latency);
  if (r->spill_limited && r->spill == 0) fprintf(f, "  waiting groups  no room in memory\n");
  if (r->spill_limited && r->spill != 0)
    fprintf(f, "  waiting groups  room in memory for at least %" PRIu32 " of each bank and level\n", r->spill);
}

static void print_saves(const struct hd_report *r, FILE *f) {
  const struct hd_save_stats *s = &r->run.device.save;
  if (r->spin) {
    fprintf(f, "  waiting TBs     stay in their slots\n");
    return;
  }
  fprintf(f,
          "  waiting TBs     %" PRIu64 " saves accepted, %" PRIu64 " refused; %" PRIu64 " TBs restarted; %" PRIu64
          " contexts stored in vain\n",
          s->saves, s->refused, s->restarts, s->dropped);
  fprintf(f, "                  %" PRIu64 " bytes of contexts stored and loaded\n", CONTEXT_BYTES(s));
  if (s->restarts == 0) return;
  fprintf(f,
          "                  mean cycles: %.1f from the wait to the answer, %.1f saved, %.1f from the restart until "
          "they\n                  continue, which is %.1f after the end of the last child\n",
          part(s->save_cycles, s->saves), part(s->away_cycles, s->restarts), part(s->load_cycles, s->restarts),
          part(s->late_cycles, s->restarts));
}

static void print_device(const struct hd_report *r, FILE *f) {
  const struct hd_launch_stats *d = &r->run.device;
  const struct hd_axi_counts *m = &r->run.memory;
  fprintf(f, "  device launches %" PRIu64 ":", device_launches(d));
  const char *comma = "";
  for (unsigned k = 0; k < HD_CHILD_CODES; k++) {
    if (d->by_code[k] == 0) continue;
    fprintf(f, "%s %" PRIu64 " %s", comma, d->by_code[k], code_key[k]);
    comma = ",";
  }
  fprintf(f, "%s %" PRIu64 " TBs\n", comma[0] != 0 ? ";" : "", d->ctas);
  if (d->alone != 0)
    fprintf(f,
            "                  %" PRIu64
            " children (%.1f %%) were executed by threads of their parents: no record or buffer was "
            "free for %" PRIu64 ", the plane refused %" PRIu64 "\n",
            d->alone, 100 * alone_share(d), d->alone - d->refused, d->refused);
  fprintf(f,
          "  child waiting   mean %.1f, largest %" PRIu64
          " cycles from launch to first TB; mean %.1f from call to first TB\n",
          d->wait_mean, d->wait_max, d->called_mean);
  fprintf(f, "                  95 %% of the children waited at most %" PRIu64 " cycles\n", d->wait_p95);
  fprintf(f,
          "  child SMXs      %.1f %% of child TBs ran on the SMX of the parent; %" PRIu64
          " times an SMX switched to children of another SMX\n",
          100 * part(d->own_ctas, d->ctas), d->helps);
  const struct hd_loop_counters *c = &r->run.counters;
  if (c->group_spills != 0)
    fprintf(f,
            "  full banks      %" PRIu64 " groups moved to memory, %" PRIu64 " moved back; %" PRIu64
            " TBs were handed out while a group that should have gone first waited in memory\n",
            c->group_spills, c->group_refills, c->inversions);
  if (r->waits) print_saves(r, f);
  if (d->groups != 0)
    fprintf(f,
            "  groups          %.2f %% found an eligible kernel; %.2f %% of those found no free AGE (AGT of %" PRIu32
            ", hash %s)\n",
            100 * part(d->matched, d->groups), 100 * part(d->overflowed, d->matched), r->cfg->agt_size,
            hd_hash_name(r->cfg->agt_hash));
  fprintf(f, "  memory          %" PRIu64 " bursts read, %" PRIu64 " written; at most %" PRIu32 " records in use\n",
          m->reads, m->writes, d->records_most);
}

static void print_occupancy(const struct hd_report *r, bool colour, FILE *f) {
  double sum = 0;
  for (uint32_t s = 0; s < r->cfg->num_smx; s++) {
    double o = r->run.occupancy[s];
    sum += o;
    fprintf(f,
            s == 0 ? "  occupancy       SMX %3" PRIu32 " %5.1f %%  " : "                  SMX %3" PRIu32 " %5.1f %%  ",
            s, 100 * o);
    unsigned full = (unsigned)(o * 40 + 0.5);
    for (unsigned i = 0; i < 40; i++) fputs(i < full ? (colour ? "\033[36m█\033[0m" : "#") : (colour ? "░" : "."), f);
    fputc('\n', f);
  }
  fprintf(f, "                  mean    %5.1f %%\n", 100 * sum / r->cfg->num_smx);
}

const char *hd_hash_name(uint32_t hash) {
  static const char *const name[] = {"paper", "smx", "freelist"};
  return hash < 3 ? name[hash] : "?";
}

/* The engine of the plane and that of the warp schedulers are chosen separately. */
static void print_compared(const struct hd_report *r, FILE *f) {
  const bool plane = strcmp(r->engine, "both") == 0, warps = r->run.warps_compared != 0;
  if (plane)
    fprintf(f, "  compared        %" PRIu64 " cycles of RTL and golden model, differences: %" PRIu64 "\n",
            r->cycles_compared, r->differences);
  else
    fprintf(f, "  compared        nothing%s: only one engine ran\n", warps ? " in the plane" : "");
  if (warps)
    fprintf(f,
            "                  %" PRIu64 " cycles of RTL and golden model of the %" PRIu32
            " warp schedulers, differences: %" PRIu64 "\n",
            r->run.warps_compared, r->cfg->num_smx, r->run.warps_differ);
}

/* ---- kernels of a trace, grouped by name ---- */

struct named {
  const char *name;
  uint64_t kernels, ctas;
};

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static int by_ctas(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  return x->ctas != y->ctas ? (x->ctas < y->ctas) - (x->ctas > y->ctas) : strcmp(x->name, y->name);
}

/* Returns one row per name, most TBs first, which the caller frees; NULL, with *n = 0, if the kernels have no names. */
static struct named *names_of(const struct hd_trace *t, uint32_t *n) {
  *n = 0;
  if (t == NULL || t->n == 0 || t->kernel[0].name[0] == '\0') return NULL;
  struct named *all = calloc(t->n, sizeof *all);
  if (all == NULL) return NULL;
  for (uint32_t i = 0; i < t->n; i++) all[i] = (struct named){t->kernel[i].name, 1, t->kernel[i].launch.ctas};
  qsort(all, t->n, sizeof *all, by_name);
  for (uint32_t i = 0; i < t->n; i++) {
    if (*n == 0 || strcmp(all[*n - 1].name, all[i].name) != 0) {
      all[(*n)++] = all[i];
    } else {
      all[*n - 1].kernels++;
      all[*n - 1].ctas += all[i].ctas;
    }
  }
  qsort(all, *n, sizeof *all, by_ctas);
  return all;
}

static void print_names(const struct hd_report *r, FILE *f) {
  enum { SHOWN = 8 };
  uint32_t n;
  struct named *all = names_of(r->trace, &n);
  for (uint32_t i = 0; i < n && i < SHOWN; i++)
    fprintf(f, "  %-15s %s: %" PRIu64 " launches, %" PRIu64 " TBs\n", i == 0 ? "named" : "", all[i].name,
            all[i].kernels, all[i].ctas);
  if (n > SHOWN) fprintf(f, "  %-15s and %" PRIu32 " more names\n", "", n - SHOWN);
  free(all);
}

static void add_names(cJSON *to, const struct hd_report *r) {
  uint32_t n;
  struct named *all = names_of(r->trace, &n);
  if (n == 0) return;
  cJSON *list = cJSON_AddArrayToObject(to, "named");
  for (uint32_t i = 0; i < n; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", all[i].name);
    hd_report_count(o, "kernels", all[i].kernels);
    hd_report_count(o, "ctas", all[i].ctas);
    cJSON_AddItemToArray(list, o);
  }
  free(all);
}

void hd_report_text(const struct hd_report *r, bool colour, FILE *f) {
  print_what(r, f);
  fprintf(f, "  kernels         %" PRIu64 "\n", r->run.kernels);
  print_names(r, f);
  fprintf(f, "  TBs             %" PRIu64 "\n", r->run.ctas);
  fprintf(f, "  cycles          %" PRIu64 "\n", r->run.cycles);
  if (r->run.skipped != 0)
    fprintf(f, "                  %" PRIu64 " idle cycles of these were skipped\n", r->run.skipped);
  fprintf(f, "  TBs per cycle   %.4f\n", ctas_per_cycle(r));
  fprintf(f, "  waiting time    mean %.1f, largest %" PRIu64 " cycles from launch to hand-out\n", r->run.wait_mean,
          r->run.wait_max);
  hd_report_launches(r, f);
  if (r->run.refused != 0)
    fprintf(f, "  refused         %" PRIu64 " launches, since their HWQ was full; they were repeated\n",
            r->run.refused);
  if (r->launches) print_device(r, f);
  print_occupancy(r, colour, f);
  if (r->gpu != NULL) hd_report_gpu_text(r, f);
  print_compared(r, f);
  if (r->rounds != NULL) fprintf(f, "  found           %s\n", r->found.text);
  if (r->tiles.tiles != NULL) hd_report_tiles_found(r, f);
  fprintf(f, "  answer          %s\n", r->answer);
  fprintf(f, "  speed           %.2f s, %.0f thousand cycles/s\n", r->seconds,
          r->seconds > 0 ? 1e-3 * (double)r->run.cycles / r->seconds : 0);
  if (r->gpu != NULL) hd_report_gpu_speed(r, f);
  if (r->run.text[0] != '\0') fprintf(f, "%s\n", r->run.text);
  const char *verdict = hd_verdict_name(r->run.verdict);
  if (colour)
    fprintf(f, "\033[1;%dm%s\033[0m\n", r->run.verdict == HD_PASS ? 32 : 31, verdict);
  else
    fprintf(f, "%s\n", verdict);
}

/* ---- JSON ---- */

/* cJSON's numbers are doubles, exact up to 2^53. A seed may exceed that, so the digits are written as they are. */
void hd_report_count(cJSON *to, const char *key, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  cJSON_AddRawToObject(to, key, text);
}

static void add_parameters(cJSON *o, const struct hd_report *r) {
  cJSON *p = cJSON_AddObjectToObject(o, "parameters");
  if (r->rounds != NULL) {
    hd_report_count(p, "sources", r->sources);
    hd_report_count(p, "block_size", r->block_size);
    cJSON_AddStringToObject(p, "expand", r->together ? "warp" : "thread");
    if (r->gpu == NULL) hd_report_count(p, "overhead", r->overhead);
    if (r->gpu == NULL) hd_report_count(p, "cycles_per_edge", r->cycles_per_edge);
    hd_report_count(p, "jitter", r->jitter);
    hd_report_count(p, "regs", r->regs);
    hd_report_count(p, "smem", r->smem_bytes);
  }
  if (r->tiles.tiles != NULL) hd_report_tiles_parameters(r, p);
  if (r->trace != NULL) {
    hd_report_count(p, "launch_latency", r->trace->latency);
    hd_report_count(p, "kernels_left_out", r->trace->left_out);
  }
  if (r->only != NULL) cJSON_AddStringToObject(p, "only", r->only);
  hd_report_count(p, "take_every", r->take_every);
  hd_report_gpu_parameters(r, p);
  if (!r->launches) return;
  if (r->rounds != NULL) {
    hd_report_count(p, "threshold", r->threshold);
    hd_report_count(p, "child_size", r->child_size);
  }
  hd_report_count(p, "pending", r->pending);
  if (r->spill_limited) hd_report_count(p, "spill", r->spill);
  hd_report_count(p, "memory_latency", r->memory_latency);
  cJSON_AddBoolToObject(p, "ideal", r->ideal);
  if (r->waits) cJSON_AddStringToObject(p, "wait", r->spin ? "spin" : "save");
  if (r->waits && !r->spin && r->gpu == NULL) hd_report_count(p, "context_cycles", r->context_cycles);
  cJSON_AddStringToObject(p, "agt_hash", hd_hash_name(r->cfg->agt_hash));
  hd_report_count(p, "agt_size", r->cfg->agt_size);
}

static void add_saves(cJSON *o, const struct hd_save_stats *s) {
  cJSON *n = cJSON_AddObjectToObject(o, "saves");
  hd_report_count(n, "accepted", s->saves);
  hd_report_count(n, "refused", s->refused);
  hd_report_count(n, "dropped", s->dropped);
  hd_report_count(n, "restarts", s->restarts);
  hd_report_count(n, "context_bytes", CONTEXT_BYTES(s));
  cJSON_AddNumberToObject(n, "save_mean", part(s->save_cycles, s->saves));
  cJSON_AddNumberToObject(n, "away_mean", part(s->away_cycles, s->restarts));
  cJSON_AddNumberToObject(n, "load_mean", part(s->load_cycles, s->restarts));
  cJSON_AddNumberToObject(n, "late_mean", part(s->late_cycles, s->restarts));
}

static void add_device(cJSON *o, const struct hd_report *r) {
  const struct hd_launch_stats *d = &r->run.device;
  cJSON *n = cJSON_AddObjectToObject(o, "device");
  hd_report_count(n, "launches", device_launches(d));
  cJSON *codes = cJSON_AddObjectToObject(n, "answers");
  for (unsigned k = 0; k < HD_CHILD_CODES; k++) hd_report_count(codes, code_key[k], d->by_code[k]);
  hd_report_count(n, "done_alone", d->alone);
  cJSON_AddNumberToObject(n, "alone_share", alone_share(d));
  hd_report_count(n, "refused", d->refused);
  hd_report_count(n, "kernels", d->kernels);
  hd_report_count(n, "groups", d->groups);
  hd_report_count(n, "ctas", d->ctas);
  hd_report_count(n, "groups_matched", d->matched);
  hd_report_count(n, "groups_overflowed", d->overflowed);
  cJSON_AddNumberToObject(n, "match_rate", part(d->matched, d->groups));
  cJSON_AddNumberToObject(n, "overflow_rate", part(d->overflowed, d->matched));
  cJSON_AddNumberToObject(n, "wait_mean", d->wait_mean);
  hd_report_count(n, "wait_max", d->wait_max);
  hd_report_count(n, "wait_p95", d->wait_p95);
  hd_report_count(n, "ctas_on_parents_smx", d->own_ctas);
  cJSON_AddNumberToObject(n, "parents_smx_share", part(d->own_ctas, d->ctas));
  hd_report_count(n, "helps", d->helps);
  hd_report_count(n, "group_spills", r->run.counters.group_spills);
  hd_report_count(n, "group_refills", r->run.counters.group_refills);
  hd_report_count(n, "inversions", r->run.counters.inversions);
  cJSON_AddNumberToObject(n, "wait_from_call_mean", d->called_mean);
  hd_report_count(n, "records_most", d->records_most);
  hd_report_count(n, "bursts_read", r->run.memory.reads);
  hd_report_count(n, "bursts_written", r->run.memory.writes);
  if (r->waits) add_saves(n, &r->run.device.save);
}

void hd_report_graph(const struct hd_graph *g, cJSON *to) {
  cJSON *n = cJSON_AddObjectToObject(to, "graph");
  hd_report_count(n, "nodes", g->nodes);
  hd_report_count(n, "edges", g->edges);
  hd_report_count(n, "largest_degree", hd_graph_largest(g));
  hd_report_count(n, "self_loops_dropped", g->self_loops);
  hd_report_count(n, "duplicates_dropped", g->duplicates);
  hd_report_count(n, "weights_ignored", g->ignored.weights);
  hd_report_count(n, "vertex_weights_ignored", g->ignored.vertex_weights);
  hd_report_count(n, "fields_ignored", g->ignored.fields);
  hd_report_count(n, "lines_ignored", g->ignored.lines);
  hd_report_count(n, "declared_nodes", g->declared);
  hd_report_count(n, "declared_edges", g->ignored.edges_declared);
  cJSON_AddBoolToObject(n, "directed", g->directed);
  cJSON_AddBoolToObject(n, "made_undirected", hd_graph_made_undirected(g));
}

bool hd_report_json(const struct hd_report *r, FILE *f) {
  cJSON *o = hd_json_head(1);
  cJSON_AddStringToObject(o, "workload", r->workload);
  cJSON_AddStringToObject(o, "input", r->input);
  cJSON_AddStringToObject(o, "input_sha256", r->sha256);
  cJSON_AddStringToObject(o, "config", r->cfg->name);
  cJSON_AddStringToObject(o, "launch", r->launch);
  cJSON_AddStringToObject(o, "policy", r->policy);
  cJSON_AddStringToObject(o, "engine", r->engine);
  hd_report_count(o, "seed", r->seed);
  add_parameters(o, r);
  if (r->graph != NULL) hd_report_graph(r->graph, o);
  if (r->rounds != NULL) {
    cJSON *n = cJSON_AddObjectToObject(o, "found");
    for (unsigned k = 0; k < HD_ROUNDS_COUNTS && r->found.count[k].key != NULL; k++)
      hd_report_count(n, r->found.count[k].key, r->found.count[k].value);
  }
  if (r->tiles.tiles != NULL) hd_report_tiles_json(r, o);
  cJSON_AddStringToObject(o, "verdict", hd_verdict_name(r->run.verdict));
  if (r->run.text[0] != '\0') cJSON_AddStringToObject(o, "reason", r->run.text);
  hd_report_count(o, "kernels", r->run.kernels);
  hd_report_count(o, "ctas", r->run.ctas);
  add_names(o, r);
  hd_report_count(o, "cycles", r->run.cycles);
  hd_report_count(o, "cycles_skipped", r->run.skipped);
  cJSON_AddNumberToObject(o, "ctas_per_cycle", ctas_per_cycle(r));
  cJSON_AddNumberToObject(o, "wait_mean", r->run.wait_mean);
  hd_report_count(o, "wait_max", r->run.wait_max);
  hd_report_count(o, "launches_refused", r->run.refused);
  hd_report_launches_json(r, o);
  if (r->launches) add_device(o, r);
  cJSON *occupancy = cJSON_AddArrayToObject(o, "occupancy");
  for (uint32_t s = 0; s < r->cfg->num_smx; s++)
    cJSON_AddItemToArray(occupancy, cJSON_CreateNumber(r->run.occupancy[s]));
  if (r->gpu != NULL) hd_report_gpu_json(r, o);
  hd_report_count(o, "cycles_compared", r->cycles_compared);
  hd_report_count(o, "differences", r->differences + r->run.warps_differ);
  cJSON_AddBoolToObject(o, "answer_ok", r->answer_ok);
  cJSON_AddNumberToObject(o, "seconds", r->seconds);
  if (r->gpu != NULL) hd_report_gpu_speed_json(r, o);
  char *text = cJSON_Print(o);
  cJSON_Delete(o);
  bool good = text != NULL && fprintf(f, "%s\n", text) > 0;
  free(text);
  return good;
}

void hd_file_sha256(const char *path, char out[65]) {
  unsigned char block[1 << 14], digest[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  out[0] = '\0';
  FILE *f = fopen(path, "rb");
  EVP_MD_CTX *c = EVP_MD_CTX_new();
  bool good = f != NULL && c != NULL && EVP_DigestInit_ex(c, EVP_sha256(), NULL) == 1;
  for (size_t got; good && (got = fread(block, 1, sizeof block, f)) > 0;) good = EVP_DigestUpdate(c, block, got) == 1;
  good = good && !ferror(f) && EVP_DigestFinal_ex(c, digest, &n) == 1;
  for (unsigned i = 0; good && i < n; i++) snprintf(out + 2 * i, 3, "%02x", digest[i]);
  EVP_MD_CTX_free(c);
  if (f != NULL) fclose(f);
}
