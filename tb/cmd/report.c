/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "report.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

static double ctas_per_cycle(const struct hd_report *r) {
  return r->run.cycles != 0 ? (double)r->run.ctas / (double)r->run.cycles : 0;
}

static void print_what(const struct hd_report *r, FILE *f) {
  fprintf(f, "heddle run: %s on %s\n", r->workload, r->input);
  if (r->graph != NULL)
    fprintf(f, "  graph           %" PRIu32 " nodes, %" PRIu64 " edges, largest degree %" PRIu32 "\n", r->graph->nodes,
            r->graph->edges, hd_graph_largest(r->graph));
  fprintf(f, "  plane           %s, launch %s, policy %s, engine %s, seed %" PRIu64 "\n", r->cfg->name, r->launch,
          r->policy, r->engine, r->seed);
  if (r->graph != NULL)
    fprintf(f,
            "  searches        %" PRIu32 " at once, TBs of %" PRIu32 " threads held for %" PRIu32 " + degree x %" PRIu32
            " cycles\n",
            r->sources, r->block_size, r->overhead, r->cycles_per_edge);
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

void hd_report_text(const struct hd_report *r, bool colour, FILE *f) {
  print_what(r, f);
  fprintf(f, "  kernels         %" PRIu64 "\n", r->run.kernels);
  fprintf(f, "  TBs             %" PRIu64 "\n", r->run.ctas);
  fprintf(f, "  cycles          %" PRIu64 "\n", r->run.cycles);
  fprintf(f, "  TBs per cycle   %.4f\n", ctas_per_cycle(r));
  fprintf(f, "  waiting time    mean %.1f, largest %" PRIu64 " cycles from launch to hand-out\n", r->run.wait_mean,
          r->run.wait_max);
  if (r->run.refused != 0)
    fprintf(f, "  refused         %" PRIu64 " launches found their HWQ full and were repeated\n", r->run.refused);
  print_occupancy(r, colour, f);
  if (strcmp(r->engine, "both") == 0)
    fprintf(f, "  compared        %" PRIu64 " cycles of RTL and golden model, differences: %" PRIu64 "\n",
            r->cycles_compared, r->differences);
  else
    fprintf(f, "  compared        nothing: one engine ran alone\n");
  fprintf(f, "  answer          %s\n", r->answer);
  fprintf(f, "  speed           %.2f s, %.0f thousand cycles/s\n", r->seconds,
          r->seconds > 0 ? 1e-3 * (double)r->run.cycles / r->seconds : 0);
  if (r->run.text[0] != '\0') fprintf(f, "%s\n", r->run.text);
  const char *verdict = hd_verdict_name(r->run.verdict);
  if (colour)
    fprintf(f, "\033[1;%dm%s\033[0m\n", r->run.verdict == HD_PASS ? 32 : 31, verdict);
  else
    fprintf(f, "%s\n", verdict);
}

/* ---- JSON ---- */

/* Numbers above 2^53 do not survive in JSON; none of ours but a seed can get there, which is therefore written in full.
 */
static void add_count(cJSON *to, const char *key, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  cJSON_AddRawToObject(to, key, text);
}

static void add_parameters(cJSON *o, const struct hd_report *r) {
  cJSON *p = cJSON_AddObjectToObject(o, "parameters");
  if (r->graph != NULL) {
    add_count(p, "sources", r->sources);
    add_count(p, "block_size", r->block_size);
    add_count(p, "overhead", r->overhead);
    add_count(p, "cycles_per_edge", r->cycles_per_edge);
    add_count(p, "jitter", r->jitter);
    add_count(p, "regs", r->regs);
    add_count(p, "smem", r->smem_bytes);
  }
  add_count(p, "take_every", r->take_every);
}

static void add_graph(cJSON *o, const struct hd_graph *g) {
  cJSON *n = cJSON_AddObjectToObject(o, "graph");
  add_count(n, "nodes", g->nodes);
  add_count(n, "edges", g->edges);
  add_count(n, "largest_degree", hd_graph_largest(g));
  add_count(n, "self_loops_dropped", g->self_loops);
  add_count(n, "duplicates_dropped", g->duplicates);
}

bool hd_report_json(const struct hd_report *r, FILE *f) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddNumberToObject(o, "version", 1);
  cJSON_AddStringToObject(o, "workload", r->workload);
  cJSON_AddStringToObject(o, "input", r->input);
  cJSON_AddStringToObject(o, "input_sha256", r->sha256);
  cJSON_AddStringToObject(o, "config", r->cfg->name);
  cJSON_AddStringToObject(o, "launch", r->launch);
  cJSON_AddStringToObject(o, "policy", r->policy);
  cJSON_AddStringToObject(o, "engine", r->engine);
  add_count(o, "seed", r->seed);
  add_parameters(o, r);
  if (r->graph != NULL) add_graph(o, r->graph);
  cJSON_AddStringToObject(o, "verdict", hd_verdict_name(r->run.verdict));
  if (r->run.text[0] != '\0') cJSON_AddStringToObject(o, "reason", r->run.text);
  add_count(o, "kernels", r->run.kernels);
  add_count(o, "ctas", r->run.ctas);
  add_count(o, "cycles", r->run.cycles);
  cJSON_AddNumberToObject(o, "ctas_per_cycle", ctas_per_cycle(r));
  cJSON_AddNumberToObject(o, "wait_mean", r->run.wait_mean);
  add_count(o, "wait_max", r->run.wait_max);
  add_count(o, "launches_refused", r->run.refused);
  cJSON *occupancy = cJSON_AddArrayToObject(o, "occupancy");
  for (uint32_t s = 0; s < r->cfg->num_smx; s++)
    cJSON_AddItemToArray(occupancy, cJSON_CreateNumber(r->run.occupancy[s]));
  add_count(o, "cycles_compared", r->cycles_compared);
  add_count(o, "differences", r->differences);
  cJSON_AddBoolToObject(o, "answer_ok", r->answer_ok);
  cJSON_AddNumberToObject(o, "seconds", r->seconds);
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
