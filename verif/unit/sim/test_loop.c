/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The host's driver and the closed loop: order, repeated launches, and each rule that a faulty plane can break. The
 * plane is a toy in this file: a queue, one SMX of two slots, and a fault that can be enabled. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/hd_cfg.h"
#include "gen/hd_top_ports.h"
#include "sim/driver.h"
#include "sim/loop.h"
#include "test_list.h"

enum fault { NONE, SILENT, TWICE, WRONG_SLOT, WRONG_TB, TOO_EARLY, WRONG_TAG, WRONG_ANSWER, LOSE_LAST, FAILS };

/* ---- the toy plane behind the API of sim.h ---- */

struct hd_sim {
  enum fault fault;
  struct hd_top_out out;
  struct hd_launch launch;
  bool busy, answer;
  uint32_t next, done;
  bool slot[2];
  bool reported;
};

enum hd_verdict hd_sim_cycle(struct hd_sim *s, const void *in_, const void **out) {
  const struct hd_top_in *in = in_;
  struct hd_top_out *o = &s->out;
  memset(o, 0, sizeof *o);
  o->cta_done_ready[0] = 1;
  o->host_launch_ready = !s->busy;
  if (s->answer) {
    o->host_answer_valid = 1;
    o->host_answer.tag = s->launch.tag;
    o->host_answer.code = s->fault == WRONG_ANSWER ? HD_CODE_ZERO_DIM : HD_CODE_ACCEPTED;
    s->answer = false;
  } else if (s->busy && s->fault != SILENT) {
    uint32_t last = s->launch.ctas - (s->fault == LOSE_LAST);
    unsigned free_slot = !s->slot[0] ? 0 : !s->slot[1] ? 1 : 2;
    if (s->next < last && free_slot < 2) {
      o->dispatch_valid[0] = 1;
      o->dispatch[0].slot = (uint8_t)(s->fault == WRONG_SLOT ? 0 : free_slot);
      o->dispatch[0].blkid = s->fault == TWICE ? 0 : s->next;
      o->dispatch[0].desc = s->launch.desc;
      if (s->fault == WRONG_TB) o->dispatch[0].desc.cta_x++;
      s->slot[free_slot] = true;
      s->next++;
    }
    uint32_t enough = s->fault == TOO_EARLY ? s->launch.ctas - 1 : s->launch.ctas;
    if (s->done >= enough) {
      o->kernel_done_valid = 1;
      o->kernel_done.tag = (uint16_t)(s->launch.tag + (s->fault == WRONG_TAG));
      o->kernel_done.failed = s->fault == FAILS;
      s->busy = false;
    }
  }
  if (in->cta_done_valid[0]) {
    s->slot[in->cta_done_slot[0]] = false;
    s->done++;
  }
  if (in->host_launch_valid && o->host_launch_ready) {
    s->launch = in->host_launch;
    s->busy = s->answer = true;
    s->next = s->done = 0;
  }
  *out = o;
  return HD_PASS;
}

/* It cannot report whether it waits. */
bool hd_sim_is_idle(struct hd_sim *s) {
  (void)s;
  return false;
}

bool hd_sim_skip(struct hd_sim *s, const void *in, uint64_t n, bool check) {
  (void)s, (void)in, (void)n, (void)check;
  return false;
}

/* Its state is read only where a kernel has a graph. */
unsigned hd_sim_part(const struct hd_sim *s, const char *name) {
  (void)s, (void)name;
  return 0;
}

const void *hd_sim_part_state(struct hd_sim *s, unsigned part) {
  (void)s, (void)part;
  return NULL;
}

const void *hd_sim_state(struct hd_sim *s) {
  (void)s;
  return NULL;
}

/* Warp schedulers and throttle, which do not exist here. */
struct hd_sim *hd_sim_open(const struct hd_sim_opts *o, char *err, size_t err_size) {
  (void)o, (void)err, (void)err_size;
  return NULL;
}

void hd_sim_close(struct hd_sim *s) {
  (void)s;
}

void hd_sim_now(struct hd_sim *s, const void *in, void *out) {
  (void)s, (void)in, (void)out;
}

uint64_t hd_sim_compared(const struct hd_sim *s) {
  (void)s;
  return 0;
}

struct hd_failure hd_sim_failure(struct hd_sim *s) {
  (void)s;
  return (struct hd_failure){.verdict = HD_PASS};
}

/* ---- a workload of three kernels of five TBs ---- */

static uint32_t handed_over, ended, kernels_done;

static bool next(void *ctx, uint64_t now, struct hd_launch *l) {
  (void)ctx, (void)now;
  if (handed_over == 3) return false;
  handed_over++;
  l->desc.grid_x = l->ctas = 5;
  l->desc.grid_y = l->desc.grid_z = l->desc.cta_y = l->desc.cta_z = 1;
  l->desc.cta_x = l->threads = 32;
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  (void)ctx;
  *cycle = 0;
  return handed_over < 3;
}

static uint64_t duration(void *ctx, uint32_t kernel, uint32_t blkid) {
  (void)ctx;
  return 5 + kernel + blkid;
}

static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)blkid;
  ended++;
}

static void kernel_done(void *ctx, uint64_t now, uint32_t kernel) {
  (void)ctx, (void)now;
  assert_int_equal(kernel, kernels_done);
  kernels_done++;
}

static bool finished(void *ctx) {
  (void)ctx;
  return handed_over == 3;
}

static struct hd_loop_result run(enum fault fault, uint64_t max_cycles) {
  struct hd_cfg cfg;
  assert_true(hd_cfg_find("tiny", &cfg));
  struct hd_sim sim = {.fault = fault};
  const struct hd_work work = {.next = next,
                               .next_at = next_at,
                               .duration = duration,
                               .cta_done = cta_done,
                               .kernel_done = kernel_done,
                               .finished = finished};
  const struct hd_loop_opts o = {.cfg = &cfg, .patience = 1000, .take_every = 1, .max_cycles = max_cycles};
  handed_over = ended = kernels_done = 0;
  return hd_loop_run(&sim, &work, &o);
}

static void ends_as(enum fault fault, enum hd_verdict v, const char *says) {
  struct hd_loop_result r = run(fault, 0);
  assert_int_equal(r.verdict, v);
  if (strstr(r.text, says) == NULL) fail_msg("'%s' is not in: %s", says, r.text);
}

/* A correct plane: all TBs run once and are counted. */
TEST(test_sound) {
  struct hd_loop_result r = run(NONE, 0);
  assert_int_equal(r.verdict, HD_PASS);
  assert_int_equal(r.kernels, 3);
  assert_int_equal(r.ctas, 15);
  assert_int_equal(ended, 15);
  assert_int_equal(kernels_done, 3);
  assert_true(r.occupancy[0] > 0.1 && r.occupancy[0] <= 0.5 && r.occupancy[1] == 0);
  assert_true(r.wait_mean >= 2 && r.wait_mean <= (double)r.wait_max);
}

/* Every broken rule ends the run, with a message that names it. */
TEST(test_broken) {
  ends_as(TWICE, HD_ORACLE, "dispatched twice");
  ends_as(WRONG_SLOT, HD_ORACLE, "slot 0, which is occupied");
  ends_as(WRONG_TB, HD_ORACLE, "dimensions or PC differ from those of its launch");
  ends_as(TOO_EARLY, HD_ORACLE, "before its last TB");
  ends_as(WRONG_TAG, HD_ORACLE, "that is not running");
  ends_as(FAILS, HD_ORACLE, "reported as failed, but the memory returned no error");
  ends_as(WRONG_ANSWER, HD_ORACLE, "answered with an error");
}

/* A plane that stops is STUCK, and the text lists the outstanding work. */
TEST(test_stuck) {
  ends_as(SILENT, HD_STUCK, "kernel 0, tag 0, HWQ 0: accepted; of 5 TBs 0 dispatched, 0 ended");
  ends_as(LOSE_LAST, HD_STUCK, "of 5 TBs 4 dispatched, 4 ended");
}

TEST(test_limit) {
  struct hd_loop_result r = run(NONE, 20);
  assert_int_equal(r.verdict, HD_LIMIT);
  assert_int_equal(r.cycles, 20);
}

/* ---- the driver alone ---- */

static struct hd_driver *driver_with(uint32_t kernels, uint8_t hwqs) {
  struct hd_cfg cfg;
  char text[256];
  assert_true(hd_cfg_find("tiny", &cfg));
  struct hd_driver *d = hd_driver_new(&cfg);
  for (uint32_t k = 0; k < kernels; k++) {
    struct hd_launch l = {.ctas = 1, .hwq = (uint8_t)(k % hwqs)};
    assert_true(hd_driver_add(d, &l, text, sizeof text));
  }
  return d;
}

static uint64_t kernel_of(const struct hd_launch *l) {
  return l->desc.param >> 6;
}

/* While a queue cannot be full its launches follow each other; then one at a time. */
TEST(test_pipelined) {
  struct hd_driver *d = driver_with(8, 1);
  for (uint64_t k = 0; k < 4; k++) {
    assert_int_equal(kernel_of(hd_driver_offer(d)), k);
    hd_driver_taken(d, k);
  }
  assert_null(hd_driver_offer(d));
  hd_driver_free(d);
}

/* A refused launch is retried before later ones of its HWQ, after a kernel of that HWQ is done; other HWQs do not
   wait. */
TEST(test_refused) {
  struct hd_driver *d = driver_with(7, 1);
  struct hd_answer yes = {.code = HD_CODE_ACCEPTED}, no = {.code = HD_CODE_REFUSED};
  uint32_t kernel;
  for (uint16_t k = 0; k < 4; k++) {
    yes.tag = hd_driver_offer(d)->tag;
    hd_driver_taken(d, k);
    assert_null(hd_driver_answer(d, &yes));
  }
  no.tag = hd_driver_offer(d)->tag; /* kernel 4: the queue may be full now */
  hd_driver_taken(d, 4);
  assert_null(hd_driver_answer(d, &no));
  assert_null(hd_driver_offer(d));
  hd_driver_kernel(d, 0)->ctas_done = 1;
  assert_null(hd_driver_kernel_done(d, 0, &kernel));
  assert_int_equal(kernel_of(hd_driver_offer(d)), 4);
  assert_int_equal(hd_driver_refused(d), 1);
  hd_driver_free(d);
}

/* A refusal when fewer launches are outstanding than the queue holds is the plane's fault. */
TEST(test_wrong_refusal) {
  struct hd_driver *d = driver_with(1, 1);
  struct hd_answer no = {.tag = hd_driver_offer(d)->tag, .code = HD_CODE_REFUSED};
  hd_driver_taken(d, 0);
  assert_non_null(strstr(hd_driver_answer(d, &no), "cannot be full"));
  hd_driver_free(d);
}

/* Across HWQs the first kernel to arrive goes first. */
TEST(test_order) {
  struct hd_driver *d = driver_with(8, 2);
  for (uint64_t k = 0; k < 8; k++) {
    assert_int_equal(kernel_of(hd_driver_offer(d)), k);
    hd_driver_taken(d, k);
  }
  hd_driver_free(d);
}

TEST_MAIN("loop", NULL, NULL)
