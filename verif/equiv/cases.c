/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "equiv/cases.h"

#include <inttypes.h>
#include <string.h>

struct hd_cfg hd_case_cfg(const char *config) {
  struct hd_cfg cfg;
  char err[512];
  if (!hd_config_parse(config, &cfg, err, sizeof err)) fail_msg("%s", err);
  return cfg;
}

struct hd_equiv_result hd_case_rtl_alone(unsigned fault, uint64_t seed, uint64_t cycles) {
  struct hd_equiv_opts o = {.block = "top",
                            .variant = "fault",
                            .cfg = hd_case_cfg("tiny"),
                            .engine = HD_ENGINE_RTL,
                            .seed = seed,
                            .cycles = cycles,
                            .fault = fault};
  return hd_equiv(&o);
}

struct hd_case_faults hd_case_faults(const char *plane) {
  struct hd_case_faults f = {0};
  char line[1024], word[32];
  FILE *list = fopen("verif/faults.csv", "r");
  assert_non_null(list);
  while (fgets(line, sizeof line, list)) {
    assert_true(f.n < sizeof f.id / sizeof *f.id);
    if (sscanf(line, "%u,%*[^,],%*[^,],\"%*[^\"]\",%31[^,\n]", &f.id[f.n], word) == 2) f.n += !strcmp(word, plane);
  }
  fclose(list);
  assert_true(f.n > 0);
  return f;
}

static struct hd_equiv_result run(struct hd_equiv_opts *o, const char *config) {
  /* The tests of planted faults need that build of each block in tiny as well; with no fault enabled it is the
     unmodified RTL. */
  if (!o->variant && !strcmp(config, "tiny") && strcmp(o->block, "top")) o->variant = "fault";
  o->cfg = hd_case_cfg(config);
  o->seed = hd_seed(o->seed);
  o->out_dir = "build/fail";
  o->shrink = 20;
  o->report = stderr;
  struct hd_equiv_result r = hd_equiv(o);
  print_message("%s %s %s seed 0x%" PRIx64 ": %" PRIu64 " cycles, %" PRIu64 " events, %u resets, covers %u/%u: %s\n",
                o->block, config, o->test, o->seed, r.cycles, r.events, r.resets, r.covers_hit, r.covers_total,
                hd_verdict_name(r.verdict));
  if (r.verdict == HD_CONFIG) fail_msg("%s", r.error);
  assert_int_equal(r.verdict, HD_PASS);
  assert_true(r.events > 0);
  return r;
}

/* Returns the first cover point that was never hit, or NULL. Cover points with a profile of their own do not count. */
static const char *missed(const char *const *covers, const uint64_t *hits, const char *but) {
  for (unsigned k = 0; covers[k]; k++)
    if (!hits[k] && strncmp(covers[k], "rare_", 5) != 0 && strcmp(covers[k], but) != 0) return covers[k];
  return NULL;
}

void hd_case(const char *block, const char *config, uint64_t cycles) {
  struct hd_equiv_opts o = {.block = block, .seed = 1, .cycles = cycles, .test = "random"};
  struct hd_equiv_result r = run(&o, config);
  assert_true(r.cycles >= cycles);
  const char *none = missed(r.covers, r.hits, "");
  if (none) fail_msg("cover point %s was never hit", none);
}

void hd_case_seeds(const char *block, const char *config, uint64_t cycles, unsigned least, unsigned most,
                   const char *but) {
  uint64_t hits[HD_MAX_COVERS] = {0};
  const char *none = NULL;
  for (unsigned n = 0; n < most && (n < least || none); n++) {
    struct hd_equiv_opts o = {.block = block, .seed = 1 + n, .cycles = cycles, .test = "random"};
    struct hd_equiv_result r = run(&o, config);
    assert_true(r.cycles >= cycles);
    for (unsigned k = 0; r.covers[k]; k++) hits[k] += r.hits[k];
    none = missed(r.covers, hits, but);
  }
  if (none) fail_msg("cover point %s was never hit, with %u seeds", none, most);
}

void hd_case_gates(const char *block, const char *config, const char *variant, uint64_t cycles) {
  struct hd_equiv_opts o = {.block = block, .seed = 2, .cycles = cycles, .test = variant, .variant = variant};
  run(&o, config);
}

void hd_case_profile(const char *block, const char *config, const char *profile, uint64_t cycles) {
  struct hd_equiv_opts o = {.block = block, .seed = 3, .cycles = cycles, .test = profile, .profile = profile};
  run(&o, config);
}

static void must_hit(const struct hd_equiv_result *r, const char *cover) {
  unsigned k = 0;
  while (r->covers[k] && strcmp(r->covers[k], cover)) k++;
  assert_non_null(r->covers[k]);
  print_message("%s: %" PRIu64 " times\n", cover, r->hits[k]);
  if (!r->hits[k]) fail_msg("cover point %s was never hit", cover);
}

void hd_case_gates_hit(const char *block, const char *config, const char *variant, uint64_t cycles,
                       const char *const *covers) {
  struct hd_equiv_opts o = {.block = block, .seed = 2, .cycles = cycles, .test = variant, .variant = variant};
  struct hd_equiv_result r = run(&o, config);
  for (; *covers; covers++) must_hit(&r, *covers);
}

void hd_case_rare(const char *block, const char *config, const char *profile, uint64_t cycles,
                  const char *const *covers) {
  struct hd_equiv_opts o = {.block = block, .seed = 3, .cycles = cycles, .test = profile, .profile = profile};
  struct hd_equiv_result r = run(&o, config);
  for (; *covers; covers++) must_hit(&r, *covers);
}

void hd_case_profiles(const char *block, const char *config, uint64_t cycles) {
  static const char *const profiles[] = {"free", "idle_source", "stall_sink", "random", "bad", "full"};
  for (unsigned k = 0; k < sizeof profiles / sizeof *profiles; k++) hd_case_profile(block, config, profiles[k], cycles);
}

void hd_case_initial_values(const char *block, const char *config, uint64_t cycles) {
  for (unsigned k = 1; k <= 4; k++) {
    struct hd_equiv_opts o = {
        .block = block, .seed = 9, .init_seed = 1000 * k, .cycles = cycles, .test = "initial_values"};
    run(&o, config);
  }
}
