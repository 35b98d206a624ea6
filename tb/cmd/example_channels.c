/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle example channels: prints the steps of a figure as a table. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

#include "cmd/example_args.h"
#include "work/channel_figure.h"

struct result {
  const struct hd_cfg *cfg;
  int against; /* the step of the paper that every step is compared with; -1: the same step */
  unsigned agree;
  bool agrees[HD_CHANNEL_FIGURE_STEPS];
  struct hd_channel_figure run;
  struct hd_example_result of;
};

/* Returns HD_PASS if the run passed and all steps agree with the paper. */
static enum hd_verdict play(struct hd_sim *sim, void *ctx, char *text, size_t size) {
  struct result *r = ctx;
  char where[200];
  hd_channel_figure_run(sim, &r->run);
  enum hd_verdict v = r->run.verdict;
  if (v != HD_PASS) snprintf(text, size, "%s", r->run.text);
  for (unsigned k = 0; k < r->run.steps; k++) {
    const unsigned with = r->against < 0 ? k : (unsigned)r->against;
    r->agrees[k] = hd_channel_figure_agrees(&r->run.step[k], with, where, sizeof where);
    r->agree += r->agrees[k];
    if (r->agrees[k] || v != HD_PASS) continue;
    snprintf(text, size, "not as in the paper: step %c: %s", 'a' + (int)k, where);
    v = HD_ORACLE;
  }
  return v;
}

static void print_text(const struct hd_example_args *a, const struct result *r) {
  printf("heddle example channels: channels-isca2014, figure 4\n");
  printf("  the channel   eight elements, wavefronts of four; %s, engine %s\n", r->cfg->name,
         hd_engine_name(a->engine));
  printf("  elements      . available, r reserved, R ready, D dispatched, d done\n\n");
  printf("     cycle  %-22s  elements  control   room for 8     the paper\n", "what happens");
  for (unsigned k = 0; k < r->run.steps; k++) {
    const struct hd_channel_figure_step *s = &r->run.step[k];
    printf("  %c  %5" PRIu64 "  %-22s  %s  %s  %-10s  %s  %s\n", 'a' + (int)k, s->cycle, hd_channel_figure_event(k),
           s->element, s->control, s->room, r->agrees[k] ? "=" : "#", hd_channel_figure_time(k));
  }
  if (r->of.verdict != HD_PASS) printf("  %s\n", r->of.text);
  hd_example_print_compared(a, r->of.compared, r->of.verdict);
  printf("  the paper     %u of %d steps agree\n%s\n", r->agree, HD_CHANNEL_FIGURE_STEPS,
         hd_verdict_name(r->of.verdict));
}

static bool put_json(const struct hd_example_args *a, const struct result *r) {
  cJSON *j = hd_json_head(1);
  cJSON_AddStringToObject(j, "example", "channels");
  cJSON_AddStringToObject(j, "config", r->cfg->name);
  cJSON_AddStringToObject(j, "engine", hd_engine_name(a->engine));
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(r->of.verdict));
  if (r->of.verdict != HD_PASS) cJSON_AddStringToObject(j, "reason", r->of.text);
  cJSON_AddNumberToObject(j, "cycles", (double)r->run.cycles);
  cJSON_AddNumberToObject(j, "cycles_compared", (double)r->of.compared);
  cJSON *steps = cJSON_AddArrayToObject(j, "steps");
  for (unsigned k = 0; k < r->run.steps; k++) {
    const struct hd_channel_figure_step *s = &r->run.step[k];
    const char name[2] = {(char)('a' + k), '\0'};
    cJSON *step = cJSON_CreateObject();
    cJSON_AddItemToArray(steps, step);
    cJSON_AddStringToObject(step, "step", name);
    cJSON_AddStringToObject(step, "event", hd_channel_figure_event(k));
    cJSON_AddStringToObject(step, "paper", hd_channel_figure_time(k));
    cJSON_AddBoolToObject(step, "as_in_paper", r->agrees[k]);
    cJSON_AddNumberToObject(step, "cycle", (double)s->cycle);
    cJSON_AddStringToObject(step, "elements", s->element);
    cJSON_AddStringToObject(step, "control", s->control);
    cJSON_AddStringToObject(step, "room", s->room);
  }
  const bool put = hd_json_put(&a->json, j) == 0;
  cJSON_Delete(j);
  if (a->json.print && r->of.verdict != HD_PASS)
    fprintf(stderr, "heddle example: %s: %s\n", hd_verdict_name(r->of.verdict), r->of.text);
  return put;
}

int hd_example_channels(const struct hd_example_args *a) {
  static struct result r;
  struct hd_cfg cfg;
  hd_channel_figure_config(&cfg);
  r = (struct result){.cfg = &cfg, .against = -1};
  if (a->against != NULL) r.against = a->against[0] - 'a';
  if (a->against != NULL && (strlen(a->against) != 1 || r.against < 0 || r.against >= HD_CHANNEL_FIGURE_STEPS)) {
    fprintf(stderr, "heddle example: step '%s' is not in the paper\n", a->against);
    return HD_CONFIG;
  }
  if (!hd_example_play(a, "apu", &cfg, "example-channels", play, &r, &r.of)) return HD_CONFIG;
  if (!a->json.print) print_text(a, &r);
  return put_json(a, &r) ? (int)r.of.verdict : HD_CONFIG;
}
