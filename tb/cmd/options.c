/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/config.h"
#include "engine/objects.h"
#include "engine/outfile.h"
#include "engine/sim.h"

void hd_config_args_init(struct hd_config_args *a) {
  snprintf(a->text, sizeof a->text, "k20c");
  a->sets[0] = 0;
}

void hd_config_arg(struct hd_config_args *a, int key, const char *arg, struct argp_state *state) {
  size_t at = strlen(a->sets);
  if (key == 'c')
    snprintf(a->text, sizeof a->text, "%s", arg);
  else if (at + strlen(arg) + 2 > sizeof a->sets)
    argp_failure(state, HD_CONFIG, 0, "too many --set");
  else
    snprintf(a->sets + at, sizeof a->sets - at, "+%s", arg);
}

bool hd_config_args_done(const struct hd_config_args *a, struct hd_cfg *cfg) {
  char text[512], err[512];
  snprintf(text, sizeof text, "%s%s", a->text, a->sets);
  if (hd_config_parse(text, cfg, err, sizeof err)) return true;
  fprintf(stderr, "heddle: %s\n", err);
  return false;
}

const char *hd_input_arg(struct argp_state *state, const char *option, const char *arg) {
  static char name[32];
  char part[4096];
  size_t n;
  if (strcmp(arg, "-") != 0) return arg;
  FILE *all = tmpfile();
  while (all != NULL && (n = fread(part, 1, sizeof part, stdin)) > 0 && fwrite(part, 1, n, all) == n) continue;
  if (all == NULL || ferror(stdin) || fflush(all) != 0 || ferror(all))
    argp_failure(state, HD_CONFIG, errno, "%s -: standard input cannot be copied to a temporary file", option);
  else
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(all));
  return name;
}

uint64_t hd_number_arg(struct argp_state *state, const char *option, const char *arg, uint64_t lo, uint64_t hi) {
  char *end;
  errno = 0;
  uint64_t v = strtoull(arg, &end, 0);
  if (!isdigit((unsigned char)*arg) || *end || errno || v < lo || v > hi)
    argp_failure(state, HD_CONFIG, 0, "%s %s: accepted: a whole number from %" PRIu64 " to %" PRIu64, option, arg, lo,
                 hi);
  return v;
}

/* Reads the output of `git describe`, which make wrote next to the command. */
static void commit_of(char *text, size_t size) {
  char dir[400], path[450];
  hd_build_dir(dir, sizeof dir);
  snprintf(path, sizeof path, "%s/commit", dir);
  FILE *f = fopen(path, "r");
  if (f == NULL || fgets(text, (int)size, f) == NULL) snprintf(text, size, "unknown");
  if (f != NULL) fclose(f);
  text[strcspn(text, "\n")] = 0;
}

cJSON *hd_json_head(int version) {
  char commit[100];
  cJSON *j = cJSON_CreateObject();
  commit_of(commit, sizeof commit);
  cJSON_AddNumberToObject(j, "version", version);
  cJSON_AddStringToObject(j, "heddle", HD_VERSION);
  cJSON_AddStringToObject(j, "commit", commit);
  return j;
}

int hd_write_json(const char *path, const cJSON *j) {
  struct hd_out out;
  char err[700];
  bool ok = hd_out_open(&out, path, err, sizeof err);
  if (ok) {
    char *text = cJSON_Print(j);
    fprintf(out.f, "%s\n", text);
    cJSON_free(text);
    ok = hd_out_commit(&out, err, sizeof err);
  }
  if (!ok) fprintf(stderr, "heddle: %s\n", err);
  return ok ? 0 : -1;
}

/* Accepts `--json FILE` with a blank if FILE looks like the name of a JSON file. */
static const char *json_file(struct argp_state *state, const char *arg) {
  if (arg != NULL || state->next >= state->argc) return arg;
  const char *following = state->argv[state->next];
  if (following[0] == '-' || !hd_out_ends_in(following, ".json")) return NULL;
  state->next++;
  return following;
}

void hd_json_arg(struct hd_json_to *to, struct argp_state *state, const char *arg) {
  char err[700];
  to->file = json_file(state, arg);
  to->print = to->file == NULL;
  if (to->file != NULL && !hd_out_try(to->file, err, sizeof err)) argp_failure(state, HD_CONFIG, 0, "%s", err);
}

int hd_json_put(const struct hd_json_to *to, const cJSON *j) {
  if (to->print) {
    char *text = cJSON_Print(j);
    puts(text);
    cJSON_free(text);
  }
  return to->file != NULL ? hd_write_json(to->file, j) : 0;
}
