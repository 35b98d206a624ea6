/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Checks the checker: planted faults are found in lockstep, the replay reproduces them, the shrinker shortens them, and
 * the report names them; the oracle alone finds the faults that it must; restart and reset leave no state behind;
 * waveforms are complete. */
/* clang-format off */
#include "equiv/cases.h"
#include "unit/temp.h"
/* clang-format on */

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/hd_cfg.h"
#include "engine/diagnose.h"
#include "engine/fields.h"
#include "engine/replay.h"
#include "engine/rng.h"
#include "engine/shrink.h"
#include "engine/sim_internal.h"

/* A planted fault, and the number of cycles to which its failure must be shortened. */
static const struct {
  const char *block;
  unsigned fault, most;
} planted[] = {{"kmu", 2, 4},    {"kd", 10, 4},   {"fcfs", 7, 4}, {"tbcr", 14, 6},
               {"sched", 29, 4}, {"regs", 23, 4}, {"top", 27, 12}};
enum { PLANTED = sizeof planted / sizeof *planted };

static char err[600];

/* Lockstep of a block with a fault, without shrinking; files go to the test's folder. */
static struct hd_equiv_result faulty(unsigned k, FILE *report) {
  struct hd_equiv_opts o = {.block = planted[k].block,
                            .variant = "fault",
                            .cfg = hd_case_cfg("tiny"),
                            .seed = 60 + k,
                            .cycles = 200000,
                            .fault = planted[k].fault,
                            .test = "harness",
                            .out_dir = temp_dir,
                            .report = report};
  struct hd_equiv_result r = hd_equiv(&o);
  if (r.verdict == HD_CONFIG) fail_msg("%s", r.error);
  return r;
}

static struct hd_replay read_back(const char *path) {
  struct hd_replay r;
  if (!hd_replay_read(path, &r, err, sizeof err)) fail_msg("%s", err);
  return r;
}

/* Lockstep finds each fault; the replay ends as its line `expect` states, also when read from the file. */
TEST(faults_are_found_and_repeat) {
  for (unsigned k = 0; k < PLANTED; k++) {
    struct hd_equiv_result e = faulty(k, NULL);
    char got[400];
    assert_int_equal(e.verdict, HD_MISMATCH);
    struct hd_replay r = read_back(e.replay);
    struct hd_failure f = hd_replay_run(&r, err, sizeof err);
    snprintf(got, sizeof got, "%s %" PRIu64 " %s", hd_verdict_name(f.verdict), f.cycle, f.label);
    assert_string_equal(got, r.expect);
    assert_int_equal(r.fault, planted[k].fault);
    assert_int_equal(f.cycle + 1, r.cycles);
    r.fault = 0; /* the same inputs on unmodified RTL: no difference */
    assert_int_equal(hd_replay_run(&r, err, sizeof err).verdict, HD_PASS);
    hd_replay_free(&r);
  }
}

/* A failure of some thousand cycles shrinks to a few cycles and still fails in the same field. */
TEST(shrinking_shortens) {
  for (unsigned k = 0; k < PLANTED; k++) {
    struct hd_equiv_result e = faulty(k, NULL);
    struct hd_replay r = read_back(e.replay);
    struct hd_failure before = hd_replay_run(&r, err, sizeof err);
    uint64_t cycles = r.cycles;
    unsigned runs = hd_shrink(&r, 20);
    struct hd_failure after = hd_replay_run(&r, err, sizeof err);
    char first[512], second[512];
    snprintf(first, sizeof first, "%s", before.label);
    snprintf(second, sizeof second, "%s", after.label);
    first[strcspn(first, "[")] = second[strcspn(second, "[")] = 0; /* the same field; another index may fail first */
    print_message("%-5s fault %2u: %5" PRIu64 " cycles -> %2" PRIu64 " in %u runs, %s\n", r.block, r.fault, cycles,
                  r.cycles, runs, after.label);
    assert_int_equal(after.verdict, HD_MISMATCH);
    assert_string_equal(first, second);
    assert_in_range(r.cycles, 1, planted[k].most);
    hd_replay_free(&r);
  }
}

/* The report: a greppable first line, the field, the inputs, the transfers, the next commands; and a waveform with its
 * view. */
TEST(the_report_names_what_happened) {
  char text[20000], file[700], want[200];
  FILE *report = tmpfile();
  assert_non_null(report);
  struct hd_equiv_result e = faulty(3, report);
  rewind(report);
  text[fread(text, 1, sizeof text - 1, report)] = 0;
  fclose(report);
  struct hd_replay r = read_back(e.replay);
  struct hd_failure f = hd_replay_run(&r, err, sizeof err);
  snprintf(want, sizeof want, "MISMATCH tbcr cycle %" PRIu64 " seed 0x3f config tiny test harness\n", f.cycle);
  assert_memory_equal(text, want, strlen(want));
  const char *const parts[] = {f.label,           f.expected, f.actual,         "inputs of this cycle:",
                               "last transfers:", "->",       "heddle replay ", "heddle wave "};
  for (unsigned k = 0; k < sizeof parts / sizeof *parts; k++)
    if (!strstr(text, parts[k])) fail_msg("the report does not show '%s':\n%s", parts[k], text);
  assert_null(strchr(text, '\033'));
  unsigned lines = 0;
  for (const char *p = text; (p = strchr(p, '\n')); p++) lines++;
  assert_in_range(lines, 8, 80);
  static const char *const suffix[] = {"", ".fst", ".fst.gtkw"};
  for (unsigned k = 0; k < 3; k++) {
    snprintf(file, sizeof file, "%s%s", e.replay, suffix[k]);
    if (access(file, R_OK)) fail_msg("%s is not there", file);
  }
  hd_replay_free(&r);
}

/* A model whose parameters differ from the RTL's is rejected, with the parameter and both values. */
TEST(a_different_configuration_is_refused) {
  struct hd_sim_opts o = {.block = "kd", .cfg = hd_case_cfg("tiny")};
  char want[100];
  uint32_t was = o.cfg.hwq_depth;
  assert_true(hd_cfg_set(&o.cfg, "HwqDepth", was * 2, err, sizeof err));
  assert_null(hd_sim_open(&o, err, sizeof err));
  snprintf(want, sizeof want, "built with HwqDepth=%u, the model has HwqDepth=%u", was, was * 2);
  if (!strstr(err, want)) fail_msg("'%s' does not say '%s'", err, want);
  o.block = "weaver";
  assert_null(hd_sim_open(&o, err, sizeof err));
  assert_string_equal(err, "no block 'weaver'");
  o.block = "kd";
  o.cfg = hd_case_cfg("tiny");
  o.variant = "woven";
  assert_null(hd_sim_open(&o, err, sizeof err));
  if (!strstr(err, "python3 tb/build tiny/kd/woven")) fail_msg("'%s' does not name the build", err);
}

/* ---- a plane under random stimulus ---- */

struct drive {
  struct hd_sim *sim;
  const struct hd_block_driver *driver;
  struct hd_cfg cfg;
  struct hd_rng rng;
  void *stim, *in, *zero;
  const void *out;
  uint64_t hash; /* hash of all outputs */
};

static const struct hd_profile busy = {"busy", 200, 200, 10};

static void drive_open(struct drive *d, const struct hd_sim_opts *o) {
  const struct hd_field_table *t = hd_field_table_find(o->block);
  *d = (struct drive){.driver = hd_block_driver_find(o->block), .cfg = o->cfg};
  d->sim = hd_sim_open(o, err, sizeof err);
  if (!d->sim) fail_msg("%s", err);
  d->stim = calloc(1, d->driver->stim_size);
  d->in = calloc(1, t->in_size);
  d->zero = calloc(1, t->out_size);
  assert_true(d->stim && d->in && d->zero);
}

/* Starts a new client for a plane after reset; from here on the same seed gives the same run. */
static void drive_begin(struct drive *d, uint64_t seed) {
  d->rng.s = seed;
  if (d->driver->stim_free) d->driver->stim_free(d->stim);
  memset(d->stim, 0, d->driver->stim_size);
  d->driver->stim_init(d->stim, &d->cfg, &d->rng);
  memset(d->in, 0, hd_field_table_find(d->driver->block)->in_size);
  d->out = d->zero;
  d->hash = 0;
}

static enum hd_verdict drive_cycles(struct drive *d, uint64_t n) {
  const struct hd_field_table *t = hd_field_table_find(d->driver->block);
  enum hd_verdict v = HD_PASS;
  for (uint64_t c = 0; c < n && !v; c++) {
    d->driver->drive(d->stim, &d->rng, &busy, d->out, NULL, d->in);
    v = hd_sim_cycle(d->sim, d->in, &d->out);
    for (size_t k = 0; k < t->out_size; k++) d->hash = (d->hash ^ ((const unsigned char *)d->out)[k]) * 0x100000001b3u;
  }
  return v;
}

static void drive_close(struct drive *d) {
  hd_sim_close(d->sim);
  if (d->driver->stim_free) d->driver->stim_free(d->stim);
  free(d->stim);
  free(d->in);
  free(d->zero);
}

/* Returns the first failure of the plane's RTL, with its oracle and without the model, among `seeds` seeds from `seed`
   on. */
static struct hd_failure oracle_alone(unsigned fault, uint64_t seed, unsigned seeds) {
  struct hd_failure f = {0};
  for (const uint64_t end = seed + seeds; seed < end && !f.verdict; seed++) {
    struct hd_equiv_result r = hd_case_rtl_alone(fault, seed, 20000);
    assert_int_equal(r.cycles, 0);
    assert_int_equal(r.verdict, r.failure.verdict);
    f = r.failure;
  }
  print_message("fault %2u: %s seed %" PRIu64 " cycle %" PRIu64 " %s\n", fault, hd_verdict_name(f.verdict), seed - 1,
                f.cycle, f.label);
  return f;
}

/* First seed to try, for faults that the first seeds do not show; found with the message above. */
static uint64_t first_seed(unsigned fault) {
  static const uint16_t rare[][2] = {
      {5, 7},    {7, 30},   {10, 6},   {32, 7},   {33, 16},  {52, 37},  {60, 13},  {62, 31},  {65, 11},  {66, 8},
      {68, 10},  {76, 113}, {82, 11},  {84, 7},   {85, 11},  {86, 7},   {87, 7},   {93, 6},   {95, 17},  {98, 10},
      {112, 6},  {113, 6},  {116, 6},  {118, 10}, {126, 37}, {128, 6},  {135, 6},  {136, 7},  {140, 14}, {142, 6},
      {146, 20}, {147, 13}, {150, 19}, {153, 97}, {156, 7},  {158, 13}, {167, 7},  {170, 53}, {174, 7},  {176, 7},
      {178, 8},  {181, 8},  {184, 7},  {188, 7},  {190, 31}, {191, 31}, {192, 40}, {193, 7},  {195, 9},  {196, 12},
      {197, 11}, {198, 73}, {199, 7},  {201, 8},  {203, 11}, {205, 39}, {206, 97}, {249, 20}, {254, 16}, {301, 7},
      {302, 6},  {304, 53}, {306, 10}, {307, 11}, {309, 6},  {310, 6},  {313, 7},  {314, 80}, {315, 7},  {346, 9},
      {505, 67}, {507, 67}, {512, 67}, {520, 19}, {532, 11}, {546, 8},  {552, 8},  {553, 10}};
  for (unsigned k = 0; k < sizeof rare / sizeof *rare; k++)
    if (rare[k][0] == fault) return rare[k][1];
  return 5;
}

/* The oracle alone finds faults that break a rule of the plane, each within a few seeds; it reports nothing for
 * unmodified RTL. */
TEST(the_oracle_sees_without_the_model) {
  const struct hd_case_faults broken = hd_case_faults("rule");
  assert_int_equal(oracle_alone(0, 1, 30).verdict, HD_PASS);
  for (unsigned k = 0; k < broken.n; k++) {
    struct hd_failure f = oracle_alone(broken.id[k], first_seed(broken.id[k]), 100);
    assert_int_equal(f.verdict, HD_ORACLE);
    assert_true(strncmp(f.label, "rule ", 5) == 0 || strncmp(f.label, "AXI4", 4) == 0);
  }
}

/* hd_sim_restart reproduces the same simulation cycle for cycle, also after a failure. */
TEST(restart_repeats) {
  for (unsigned fault = 0; fault <= 27; fault += 27) {
    struct hd_sim_opts o = {
        .block = "top", .variant = "fault", .cfg = hd_case_cfg("tiny"), .seed = 5, .fault = fault, .record = true};
    struct drive d;
    struct hd_failure first = {0};
    uint64_t hash = 0;
    drive_open(&d, &o);
    for (unsigned round = 0; round < 3; round++) {
      drive_begin(&d, 11);
      assert_int_equal(drive_cycles(&d, 3000), fault ? HD_MISMATCH : HD_PASS);
      struct hd_failure f = hd_sim_failure(d.sim);
      if (round == 0) hash = d.hash, first = f;
      assert_int_equal(d.hash, hash);
      assert_int_equal(f.cycle, first.cycle);
      assert_string_equal(f.label, first.label);
      assert_string_equal(f.actual, first.actual);
      hd_sim_restart(d.sim);
      assert_int_equal(hd_sim_cycles(d.sim), 0);
    }
    drive_close(&d);
  }
}

/* A reset at any of `resets` random cycles leaves the machine as new: the same outputs for the same inputs. */
static void reset_in_mid_flight(const char *config, unsigned resets) {
  struct hd_sim_opts o = {.block = "top", .cfg = hd_case_cfg(config), .seed = 6};
  struct hd_rng rng = {12};
  struct drive d;
  drive_open(&d, &o);
  drive_begin(&d, 13);
  assert_int_equal(drive_cycles(&d, 400), HD_PASS);
  uint64_t fresh = d.hash;
  hd_sim_reset(d.sim, 1);
  for (unsigned k = 0; k < resets; k++) {
    drive_begin(&d, 1000 + k);
    assert_int_equal(drive_cycles(&d, 1 + hd_rng_below(&rng, k % 2 ? 100 : 2000)), HD_PASS);
    hd_sim_reset(d.sim, 1 + hd_rng_below(&rng, 3));
    drive_begin(&d, 13);
    assert_int_equal(drive_cycles(&d, 400), HD_PASS);
    if (d.hash != fresh) fail_msg("after reset %u the plane of %s behaves in another way than a new one", k, config);
    hd_sim_reset(d.sim, 1);
  }
  assert_int_equal(hd_sim_finish(d.sim), HD_PASS);
  drive_close(&d);
}

TEST(reset_in_mid_flight_tiny) {
  reset_in_mid_flight("tiny", 200);
}

TEST(reset_in_mid_flight_k20c) {
  reset_in_mid_flight("k20c", 60);
}

/* ---- blocks inside the plane ---- */

static struct hd_block_driver lying; /* driver of a plane whose model reports wrong outputs */
static const struct hd_block_driver *honest;
static const struct hd_sim *lied_to;
static uint64_t wrong_from;

static void lie(const void *model, const struct hd_cfg *cfg, const void *in, void *inner) {
  honest->inner(model, cfg, in, inner);
  if (lied_to->cycle >= wrong_from) *((unsigned char *)inner + lied_to->inner.span[0].offset) ^= 1;
}

/* A wrong output of an inner block is detected in the same cycle with up to 4 SMXs, otherwise within 8 cycles. */
TEST(outputs_inside_are_compared) {
  static const struct {
    const char *config;
    unsigned every;
  } plane[] = {{"tiny", 1}, {"k20c", 8}};
  for (unsigned k = 0; k < 2; k++)
    for (wrong_from = 57; wrong_from < 57 + 2 * plane[k].every; wrong_from++) {
      struct hd_sim_opts o = {.block = "top", .cfg = hd_case_cfg(plane[k].config), .seed = 5};
      struct drive d;
      drive_open(&d, &o);
      lied_to = d.sim;
      honest = d.sim->driver;
      lying = *honest;
      lying.inner = lie;
      d.sim->driver = &lying;
      drive_begin(&d, 7);
      assert_int_equal(drive_cycles(&d, 300), HD_MISMATCH);
      assert_int_equal(d.sim->fail_in, HD_FIELD_INNER);
      assert_int_equal(d.sim->fail_cycle, (wrong_from + plane[k].every - 1) / plane[k].every * plane[k].every);
      d.sim->driver = honest;
      drive_close(&d);
    }
}

/* ---- waveforms ---- */

static uint64_t big_endian(const unsigned char *p) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v = v << 8 | p[k];
  return v;
}

/* Walks the blocks of an FST file (a type, then a length): they must end at the end of the file, and one must be the
 * names. */
static void assert_whole_fst(const char *path, uint64_t least_time) {
  static unsigned char data[1 << 22];
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  size_t n = fread(data, 1, sizeof data, f), at = 0;
  fclose(f);
  assert_in_range(n, 400, sizeof data - 1);
  bool names = false;
  assert_int_equal(data[0], 0); /* the header comes first */
  assert_true(big_endian(data + 17) >= least_time);
  while (at + 9 < n) {
    names |= data[at] == 4 || data[at] == 6 || data[at] == 7;
    at += 1 + big_endian(data + at + 1);
  }
  assert_int_equal(at, n);
  assert_true(names);
}

/* The waveforms of a passing run and of a failure are complete files. */
TEST(waveforms_are_whole) {
  char fst[700];
  snprintf(fst, sizeof fst, "%s/pass.fst", temp_dir);
  struct hd_sim_opts o = {.block = "top", .cfg = hd_case_cfg("tiny"), .seed = 5, .wave = fst};
  struct drive d;
  drive_open(&d, &o);
  drive_begin(&d, 7);
  assert_int_equal(drive_cycles(&d, 300), HD_PASS);
  drive_close(&d);
  assert_whole_fst(fst, 600);
  struct hd_equiv_result e = faulty(3, NULL);
  struct hd_replay r = read_back(e.replay);
  FILE *nowhere = fopen("/dev/null", "w");
  assert_int_equal(hd_diagnose(&r, e.replay, true, nowhere), HD_MISMATCH);
  fclose(nowhere);
  snprintf(fst, sizeof fst, "%s.fst", e.replay);
  assert_whole_fst(fst, 10);
  hd_replay_free(&r);
}

TEST_MAIN("harness", temp_setup, temp_teardown)
