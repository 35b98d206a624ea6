/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle example laperm: draws the schedules of four policies. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

#include "cmd/example_args.h"
#include "work/example.h"

/* One policy's run. */
struct result {
  enum hd_policy policy, paper; /* paper: policy of the schedule in the paper that it is compared with */
  bool agrees;
  const struct hd_cfg *cfg;
  struct hd_example_schedule schedule;
  struct hd_example_result of;
};

/* Returns HD_PASS if the run passed and its schedule agrees with the paper. */
static enum hd_verdict play(struct hd_sim *sim, void *ctx, char *text, size_t size) {
  struct result *r = ctx;
  char where[400];
  hd_example_run(sim, r->cfg, r->policy, &r->schedule);
  if (r->schedule.run.verdict != HD_PASS) {
    snprintf(text, size, "%s", r->schedule.run.text);
    return r->schedule.run.verdict;
  }
  enum hd_verdict v = hd_sim_finish(sim);
  if (v != HD_PASS) return v;
  r->agrees = hd_example_agrees(r->paper, &r->schedule, where, sizeof where);
  if (r->agrees) return HD_PASS;
  snprintf(text, size, "not as in the paper: %s", where);
  return HD_ORACLE;
}

/* ---- text ---- */

enum { SCALE = 10, MARK = 100, MARGIN = 16, COLUMNS = 200 }; /* cycles per column; between labels; columns */

static uint64_t first_start(const struct hd_example_schedule *s) {
  uint64_t first = UINT64_MAX;
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++)
    if (s->smx[x].tbs != 0 && s->smx[x].tb[0].start < first) first = s->smx[x].tb[0].start;
  return first == UINT64_MAX ? 0 : first;
}

static uint64_t last_end(const struct hd_example_schedule *s) {
  uint64_t last = 0;
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++)
    for (uint32_t k = 0; k < s->smx[x].tbs; k++)
      if (s->smx[x].tb[k].end > last) last = s->smx[x].tb[k].end;
  return last;
}

/* Writes `text` into the line from `column`, up to the end of the line. */
static void put(char *line, uint64_t column, const char *text) {
  for (; *text != '\0' && column < COLUMNS; text++) line[column++] = *text;
}

static void print_line(const char *head, char *line) {
  size_t n = COLUMNS;
  while (n > 0 && line[n - 1] == ' ') n--;
  printf("%-*s%.*s\n", MARGIN, head, (int)n, line);
}

static void print_scale(const char *policy, uint64_t cycles) {
  char line[COLUMNS], number[24];
  memset(line, ' ', sizeof line);
  for (uint64_t c = 0; c <= cycles; c += MARK) {
    snprintf(number, sizeof number, "%" PRIu64, c);
    put(line, c / SCALE, number);
  }
  print_line(policy, line);
}

static void print_smx(const struct hd_example_schedule *s, uint32_t smx, uint64_t origin) {
  char line[COLUMNS], head[16];
  memset(line, ' ', sizeof line);
  for (uint32_t k = 0; k < s->smx[smx].tbs; k++) {
    const struct hd_example_tb *t = &s->smx[smx].tb[k];
    uint64_t column = (t->start - origin) / SCALE;
    for (uint64_t c = column; t->end != 0 && c < (t->end - origin) / SCALE; c++) put(line, c, "-");
    put(line, column, t->name);
  }
  snprintf(head, sizeof head, "  SMX%" PRIu32, smx);
  print_line(head, line);
}

static void print_head(const struct hd_example_args *a, const struct hd_cfg *cfg) {
  printf("heddle example laperm: laperm-isca2016, figure 4\n");
  printf("  P0 .. P7      a kernel of %d TBs; a TB runs for %d cycles\n", HD_EXAMPLE_PARENTS, HD_EXAMPLE_EPISODE);
  printf("  C0 .. C5      groups of one TB: P2 launches C0 and C1, P4 launches C2 to C5, %d cycles after they began\n",
         HD_EXAMPLE_LAUNCH);
  printf("  plane         %s, four SMXs of one TB; engine %s\n", cfg->name, hd_engine_name(a->engine));
}

static void print_result(const struct result *r) {
  const struct hd_example_schedule *s = &r->schedule;
  uint64_t origin = first_start(s), end = last_end(s);
  putchar('\n');
  print_scale(hd_policy_name(r->policy), end > origin ? end - origin : 0);
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++) print_smx(s, x, origin);
  printf("  %s\n", r->of.verdict == HD_PASS ? "as in the paper" : r->of.text);
}

static void print_sum(const struct hd_example_args *a, const struct result *r, unsigned n, enum hd_verdict verdict) {
  uint64_t compared = 0;
  unsigned agree = 0;
  for (unsigned k = 0; k < n; k++) {
    compared += r[k].of.compared;
    agree += r[k].of.verdict == HD_PASS;
  }
  hd_example_print_compared(a, compared, verdict);
  printf("  the paper     %u of %u schedules agree\n%s\n", agree, n, hd_verdict_name(verdict));
}

/* ---- JSON ---- */

static cJSON *result_json(const struct result *r) {
  cJSON *j = cJSON_CreateObject();
  cJSON_AddStringToObject(j, "policy", hd_policy_name(r->policy));
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(r->of.verdict));
  cJSON_AddBoolToObject(j, "as_in_paper", r->agrees);
  if (r->of.verdict != HD_PASS) cJSON_AddStringToObject(j, "reason", r->of.text);
  cJSON_AddNumberToObject(j, "cycles", (double)r->schedule.run.cycles);
  cJSON_AddNumberToObject(j, "cycles_compared", (double)r->of.compared);
  cJSON *smxs = cJSON_AddArrayToObject(j, "smx");
  for (uint32_t x = 0; x < HD_EXAMPLE_SMXS; x++) {
    cJSON *tbs = cJSON_CreateArray();
    for (uint32_t k = 0; k < r->schedule.smx[x].tbs; k++) {
      const struct hd_example_tb *t = &r->schedule.smx[x].tb[k];
      cJSON *tb = cJSON_CreateObject();
      cJSON_AddStringToObject(tb, "tb", t->name);
      cJSON_AddNumberToObject(tb, "start", (double)t->start);
      cJSON_AddNumberToObject(tb, "end", (double)t->end);
      cJSON_AddItemToArray(tbs, tb);
    }
    cJSON_AddItemToArray(smxs, tbs);
  }
  return j;
}

static bool put_json(const struct hd_example_args *a, const struct hd_cfg *cfg, const struct result *r, unsigned n,
                     enum hd_verdict verdict) {
  cJSON *j = hd_json_head(1);
  cJSON_AddStringToObject(j, "example", "laperm");
  cJSON_AddStringToObject(j, "config", cfg->name);
  cJSON_AddStringToObject(j, "engine", hd_engine_name(a->engine));
  cJSON_AddStringToObject(j, "verdict", hd_verdict_name(verdict));
  cJSON *policies = cJSON_AddArrayToObject(j, "policies");
  for (unsigned k = 0; k < n; k++) cJSON_AddItemToArray(policies, result_json(&r[k]));
  const bool put = hd_json_put(&a->json, j) == 0;
  cJSON_Delete(j);
  for (unsigned k = 0; k < n && a->json.print; k++)
    if (r[k].of.verdict != HD_PASS)
      fprintf(stderr, "heddle example: %s: %s: %s\n", hd_policy_name(r[k].policy), hd_verdict_name(r[k].of.verdict),
              r[k].of.text);
  return put;
}

static bool is_policy(const char *name, enum hd_policy *p) {
  for (unsigned k = 0; k < HD_EXAMPLE_POLICIES; k++)
    if (strcmp(name, hd_policy_name((enum hd_policy)k)) == 0) {
      *p = (enum hd_policy)k;
      return true;
    }
  fprintf(stderr, "heddle example: policy '%s' is not in the paper\n", name);
  return false;
}

int hd_example_laperm(const struct hd_example_args *a) {
  static struct result results[HD_EXAMPLE_POLICIES];
  enum hd_policy against = HD_POLICY_RR;
  struct hd_cfg cfg;
  enum hd_verdict verdict = HD_PASS;
  unsigned n = 0;
  if (a->one && !is_policy(hd_policy_name(a->policy), &against)) return HD_CONFIG;
  if (a->against != NULL && !is_policy(a->against, &against)) return HD_CONFIG;
  hd_example_config(&cfg);
  for (unsigned p = 0; p < HD_EXAMPLE_POLICIES; p++) {
    char test[40];
    if (a->one && p != a->policy) continue;
    struct result *r = &results[n++];
    *r = (struct result){.policy = (enum hd_policy)p, .paper = a->against != NULL ? against : (enum hd_policy)p};
    r->cfg = &cfg;
    snprintf(test, sizeof test, "example-%s", hd_policy_name(r->policy));
    if (!hd_example_play(a, "top", &cfg, test, play, r, &r->of)) return HD_CONFIG;
    if (verdict == HD_PASS) verdict = r->of.verdict;
  }
  if (!put_json(a, &cfg, results, n, verdict)) return HD_CONFIG;
  if (a->json.print) return (int)verdict;
  print_head(a, &cfg);
  for (unsigned k = 0; k < n; k++) print_result(&results[k]);
  print_sum(a, results, n, verdict);
  return (int)verdict;
}
