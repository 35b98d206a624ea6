/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle example wireframe: the steps of a figure, as a table. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

#include "cmd/example_args.h"
#include "work/wireframe.h"

struct result {
  const struct hd_cfg *cfg;
  int against; /* the step that all are compared with; -1: each with its own */
  unsigned agree;
  bool agrees[HD_WIREFRAME_STEPS], in_order;
  struct hd_wireframe_run run;
  struct hd_example_result of;
};

/* It is right if the run was, and all steps are the paper's. */
static enum hd_verdict play(struct hd_sim *sim, void *ctx, char *text, size_t size) {
  struct result *r = ctx;
  char where[200];
  hd_wireframe_run(sim, r->cfg, &r->run);
  enum hd_verdict v = r->run.verdict;
  if (v != HD_PASS) snprintf(text, size, "%s", r->run.text);
  for (unsigned k = 0; k < r->run.steps; k++) {
    r->agrees[k] = hd_wireframe_agrees(&r->run.step[k], r->against < 0 ? k : (unsigned)r->against, where, sizeof where);
    r->agree += r->agrees[k];
    if (r->agrees[k] || v != HD_PASS) continue;
    snprintf(text, size, "not as in the paper: step %c: %s", 'a' + (int)k, where);
    v = HD_ORACLE;
  }
  r->in_order = hd_wireframe_order(&r->run, where, sizeof where);
  if (r->in_order || v != HD_PASS) return v;
  snprintf(text, size, "not as in the paper: %s", where);
  return HD_ORACLE;
}

/* ---- telling ---- */

static void print_step(const struct result *r, unsigned k) {
  const struct hd_wireframe_step *s = &r->run.step[k];
  char place[HD_WIREFRAME_LNA][24], pub[40];
  for (unsigned p = 0; p < HD_WIREFRAME_LNA; p++) hd_wireframe_place_text(&s->place[p], place[p], sizeof place[p]);
  hd_wireframe_pub_text(s, pub, sizeof pub);
  printf("  %c  %5" PRIu64 "  %-22s  %4u  %-7s %-7s %-7s %-7s  %-6s %s  %s\n", 'a' + (int)k, s->cycle,
         hd_wireframe_event(k), s->tail, place[0], place[1], place[2], place[3], pub, r->agrees[k] ? "=" : "#",
         hd_wireframe_paper(k));
}

static void print_text(const struct hd_example_args *a, const struct result *r) {
  printf("heddle example wireframe: wireframe-micro2017, figure 7\n");
  printf("  the graph     a wavefront over 3 by 3 TBs, renamed by level; made by DepLinks\n");
  printf("  the buffer    %s, LNA of %d, chunks of 2; engine %s\n", r->cfg->name, HD_WIREFRAME_LNA,
         hd_engine_name(a->engine));
  printf("  places        node, state (Waiting, Ready, Processing, Done), parents that are not done\n\n");
  printf("     cycle  %-22s  tail  %-7s %-7s %-7s %-7s  %-6s    %s\n", "what happens", "place 0", "1", "2", "3", "PUB",
         "the paper");
  for (unsigned k = 0; k < r->run.steps; k++) print_step(r, k);
  printf("\n  ( )           where its edges end is not known before the next node is there: it is not handed out\n");
  printf("  TBs           handed out in the order");
  for (uint32_t k = 0; k < r->run.ran; k++) printf(" %u", r->run.cta[k]);
  printf("\n");
  if (r->of.verdict != HD_PASS) printf("  %s\n", r->of.text);
  hd_example_print_compared(a, r->of.compared, r->of.verdict);
  printf("  the paper     %u of %d steps are the paper's\n%s\n", r->agree, HD_WIREFRAME_STEPS,
         hd_verdict_name(r->of.verdict));
}

/* ---- JSON ---- */

static cJSON *step_json(const struct result *r, unsigned k) {
  const struct hd_wireframe_step *s = &r->run.step[k];
  cJSON *j = cJSON_CreateObject();
  const char name[2] = {(char)('a' + k), '\0'};
  cJSON_AddStringToObject(j, "step", name);
  cJSON_AddStringToObject(j, "event", hd_wireframe_event(k));
  cJSON_AddStringToObject(j, "paper", hd_wireframe_paper(k));
  cJSON_AddBoolToObject(j, "as_in_paper", r->agrees[k]);
  cJSON_AddNumberToObject(j, "cycle", (double)s->cycle);
  cJSON_AddNumberToObject(j, "tail", s->tail);
  cJSON_AddNumberToObject(j, "head", s->head);
  cJSON *places = cJSON_AddArrayToObject(j, "places");
  for (unsigned p = 0; p < HD_WIREFRAME_LNA; p++) {
    const struct hd_wireframe_place *q = &s->place[p];
    cJSON *place = q->there ? cJSON_CreateObject() : cJSON_CreateNull();
    cJSON_AddItemToArray(places, place);
    if (!q->there) continue;
    const char state[2] = {q->state, '\0'};
    cJSON_AddNumberToObject(place, "node", q->vid);
    cJSON_AddStringToObject(place, "state", state);
    cJSON_AddNumberToObject(place, "parents", q->count);
    cJSON_AddNumberToObject(place, "edge_start", q->start);
    cJSON_AddBoolToObject(place, "end_known", !q->waits);
  }
  cJSON *pub = cJSON_AddArrayToObject(j, "pub");
  for (uint32_t u = 0; u < s->updates; u++) cJSON_AddItemToArray(pub, cJSON_CreateNumber(s->pub[u]));
  return j;
}

static bool put_json(const struct hd_example_args *a, const struct result *r) {
  cJSON *j = hd_json_head(1);
  cJSON_AddStringToObject(j, "example", "wireframe");
  cJSON_AddStringToObject(j, "config", r->cfg->name);
  cJSON_AddStringToObject(j, "engine", hd_engine_name(a->engine));
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(r->of.verdict));
  if (r->of.verdict != HD_PASS) cJSON_AddStringToObject(j, "reason", r->of.text);
  cJSON_AddNumberToObject(j, "cycles", (double)r->run.cycles);
  cJSON_AddNumberToObject(j, "cycles_compared", (double)r->of.compared);
  cJSON *steps = cJSON_AddArrayToObject(j, "steps");
  for (unsigned k = 0; k < r->run.steps; k++) cJSON_AddItemToArray(steps, step_json(r, k));
  cJSON *tbs = cJSON_AddArrayToObject(j, "tbs");
  for (uint32_t k = 0; k < r->run.ran; k++) cJSON_AddItemToArray(tbs, cJSON_CreateNumber(r->run.cta[k]));
  const bool put = hd_json_put(&a->json, j) == 0;
  cJSON_Delete(j);
  if (a->json.print && r->of.verdict != HD_PASS)
    fprintf(stderr, "heddle example: %s: %s\n", hd_verdict_name(r->of.verdict), r->of.text);
  return put;
}

int hd_example_wireframe(const struct hd_example_args *a) {
  static struct result r;
  struct hd_cfg cfg;
  hd_wireframe_config(&cfg);
  r = (struct result){.cfg = &cfg, .against = -1};
  if (a->against != NULL) r.against = a->against[0] - 'a';
  if (a->against != NULL && (strlen(a->against) != 1 || r.against < 0 || r.against >= HD_WIREFRAME_STEPS)) {
    fprintf(stderr, "heddle example: step '%s' is not in the paper\n", a->against);
    return HD_CONFIG;
  }
  if (!hd_example_play(a, "dgb", &cfg, "example-wireframe", play, &r, &r.of)) return HD_CONFIG;
  if (!a->json.print) print_text(a, &r);
  return put_json(a, &r) ? (int)r.of.verdict : HD_CONFIG;
}
