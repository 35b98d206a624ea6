/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Drains of a random run: a drain that does not end is STUCK if the clients keep their contract, and is cut by a reset
 * if they do not. The simulation is a toy in this file whose block may never become idle. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/equiv.h"
#include "engine/save_failure.h"
#include "engine/sim_internal.h"
#include "engine/vectors.h"
#include "test_list.h"

enum { LONG = 1500000, MUST = 600000, MAY = 60000 };

static enum hd_drain drained; /* the client's verdict */
static uint64_t lasts;        /* cycles of a drain */

/* ---- the toy ---- */

static struct hd_sim toy;
static uint64_t began; /* the drain; 0: none */
static uint64_t longest;
static const char *const covers[] = {"event", NULL};

static void stim_init(void *stim, const struct hd_cfg *c, struct hd_rng *rng) {
  (void)stim, (void)c, (void)rng;
}
static void drive(void *stim, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now,
                  void *in) {
  (void)stim, (void)rng, (void)p, (void)out, (void)now, (void)in;
}
static void stim_reset(void *stim) {
  (void)stim;
  began = 0;
}
static enum hd_drain drain(void *stim) {
  (void)stim;
  if (drained) began = toy.cycle;
  return drained;
}
static void cover(void *stim, const void *in, const void *out, uint64_t *hits) {
  (void)stim, (void)in, (void)out;
  hits[0]++;
}

static const struct hd_block_driver driver = {
    .stim_init = stim_init, .drive = drive, .stim_reset = stim_reset, .drain = drain, .covers = covers, .cover = cover};
static const struct hd_field_table table;

struct hd_sim *hd_sim_open(const struct hd_sim_opts *o, char *err, size_t err_size) {
  (void)err, (void)err_size;
  memset(&toy, 0, sizeof toy);
  toy.o = *o;
  toy.driver = &driver;
  toy.table = &table;
  began = longest = 0;
  return &toy;
}
void hd_sim_close(struct hd_sim *s) {
  (void)s;
}
void hd_sim_reset(struct hd_sim *s, unsigned cycles) {
  (void)s, (void)cycles;
}
void hd_sim_now(struct hd_sim *s, const void *in, void *out) {
  (void)s, (void)in, (void)out;
}
enum hd_verdict hd_sim_cycle(struct hd_sim *s, const void *in, const void **out) {
  (void)in, (void)out;
  if (began && s->cycle - began > longest) longest = s->cycle - began;
  s->cycle += s->verdict == HD_PASS;
  return s->verdict;
}
bool hd_sim_over(const struct hd_sim *s) {
  return began && s->cycle - began >= lasts;
}
void hd_sim_stuck(struct hd_sim *s, const char *what) {
  s->verdict = HD_STUCK;
  snprintf(s->rule, sizeof s->rule, "%s", what);
}
enum hd_verdict hd_sim_finish(struct hd_sim *s) {
  return s->verdict;
}
struct hd_failure hd_sim_failure(struct hd_sim *s) {
  struct hd_failure f = {.verdict = s->verdict, .cycle = s->cycle};
  snprintf(f.label, sizeof f.label, "%s", s->rule);
  return f;
}
uint64_t hd_sim_cycles(const struct hd_sim *s) {
  return s->cycle;
}
uint64_t hd_sim_compared(const struct hd_sim *s) {
  return s->cycle;
}

/* No failures are saved and no vectors are written here. */
bool hd_save_failure(struct hd_sim *s, const char *dir, double shrink, FILE *report, char *path, size_t path_size) {
  (void)s, (void)dir, (void)shrink, (void)report, (void)path, (void)path_size;
  return false;
}
struct hd_vectors *hd_vectors_open(const char *path, const struct hd_field_list *list, char *err, size_t err_size) {
  (void)path, (void)list, (void)err, (void)err_size;
  return NULL;
}
void hd_vectors_reset(struct hd_vectors *v, unsigned cycles) {
  (void)v, (void)cycles;
}
void hd_vectors_cycle(struct hd_vectors *v, const void *in, const void *out) {
  (void)v, (void)in, (void)out;
}
bool hd_vectors_close(struct hd_vectors *v, bool keep, char *err, size_t err_size) {
  (void)v, (void)keep, (void)err, (void)err_size;
  return true;
}

/* ---- tests ---- */

static struct hd_equiv_result run(enum hd_drain says, uint64_t cycles) {
  const struct hd_equiv_opts o = {.block = "toy", .seed = 1, .cycles = LONG, .test = "drain"};
  drained = says;
  lasts = cycles;
  return hd_equiv(&o);
}

TEST(ends) {
  for (unsigned k = 0; k < 2; k++) {
    const struct hd_equiv_result r = run(k ? HD_DRAIN_MUST : HD_DRAIN_MAY, 5000);
    assert_int_equal(r.verdict, HD_PASS);
    assert_true(r.drains > 50 && longest <= 5000);
  }
}

/* A long one is allowed to end. */
TEST(ends_late) {
  const struct hd_equiv_result r = run(HD_DRAIN_MUST, MUST - 1000);
  assert_int_equal(r.verdict, HD_PASS);
  assert_true(r.drains > 0 && longest > MUST / 2);
}

TEST(never_ends) {
  const struct hd_equiv_result r = run(HD_DRAIN_MUST, UINT64_MAX);
  assert_int_equal(r.verdict, HD_STUCK);
  assert_string_equal(r.failure.label, "a drain does not end");
  assert_int_equal(r.drains, 0);
  assert_true(longest >= MUST && longest < MUST + 100 && r.failure.cycle < MUST + 30000);
}

/* A client that broke its contract may have work forever. */
TEST(may_never_end) {
  const struct hd_equiv_result r = run(HD_DRAIN_MAY, UINT64_MAX);
  assert_int_equal(r.verdict, HD_PASS);
  assert_int_equal(r.drains, 0);
  assert_true(r.resets > 10 && longest >= MAY && longest < MAY + 100);
}

TEST_MAIN("drain", NULL, NULL)
