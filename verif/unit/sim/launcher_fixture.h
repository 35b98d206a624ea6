/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* launcher_fixture: a launcher, a plane driven by hand, and a workload that records its calls. Included once per test.
 * */
#ifndef HD_LAUNCHER_FIXTURE_H
#define HD_LAUNCHER_FIXTURE_H

#include "sim/launcher.h"
#include "unit/util.h"

/* ---- events of the workload ---- */

static unsigned launched, alone, ctas_done, children_ended;

static uint64_t duration(void *ctx, uint32_t kernel, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)blkid;
  return 40;
}

static uint64_t child_duration(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  (void)ctx, (void)kernel;
  return item + blkid;
}

static void note_launched(void *ctx, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)kernel, (void)item;
  launched++;
}

static void note_alone(void *ctx, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)kernel, (void)item;
  alone++;
}

static void note_cta_done(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)item, (void)blkid;
  ctas_done++;
}

static void note_ended(void *ctx, uint64_t now, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)now, (void)kernel, (void)item;
  children_ended++;
}

/* ---- the launcher, and a plane driven by hand ---- */

static struct hd_cfg cfg;
static struct hd_array *array;
static struct hd_launcher *l;
static struct hd_top_in in;
static struct hd_top_out out;
static uint64_t now;
static bool spin;
static uint32_t context_cycles;

static void start_on(const struct hd_work *on, enum hd_kind kind, struct hd_device_latency latency, uint32_t records,
                     uint32_t buffers) {
  char text[200];
  cfg = ut_cfg("k20c");
  const struct hd_launcher_opts o = {.cfg = &cfg,
                                     .kind = kind,
                                     .latency = latency,
                                     .memory_latency = 5,
                                     .records = records,
                                     .buffers = buffers,
                                     .spin = spin,
                                     .context_cycles = context_cycles};
  array = hd_array_new(cfg.num_smx, cfg.ctas_per_smx, cfg.warps_per_smx);
  l = hd_launcher_new(&o, on, array, text, sizeof text);
  assert_true(array != NULL && l != NULL);
  memset(&in, 0, sizeof in);
  now = 0;
  launched = alone = ctas_done = children_ended = 0;
}

static int stop(void **state) {
  (void)state;
  hd_launcher_free(l);
  hd_array_free(array);
  return 0;
}

/* Sets the inputs of this cycle. */
static void drive(void) {
  const char *broken = hd_launcher_drive(l, now, &in);
  if (broken != NULL) fail_msg("%s", broken);
  memset(&out, 0, sizeof out);
  out.bready = out.rready = 1;
}

/* Copies its outputs to `out`, then starts the next cycle. */
static const char *follow(void) {
  bool moved;
  return hd_launcher_follow(l, now++, &in, &out, &moved);
}

static void cycle(void) {
  drive();
  assert_null(follow());
}

/* Runs to the next cycle in which SMX 2 offers a beat; no other offer may precede it. */
static struct hd_devlaunch next_offer(void) {
  for (;;) {
    drive();
    for (uint32_t s = 0; s < cfg.num_smx; s++) assert_true(s == 2 || !in.dev_launch_valid[s]);
    if (in.dev_launch_valid[2]) return in.dev_launch[2];
    assert_null(follow());
    assert_true(now < 100000);
  }
}

/* Accepts the offered beat now and answers it in the next cycle. */
static void take_and_answer(struct hd_devlaunch b, enum hd_code code) {
  out.dev_launch_ready[2] = 1;
  assert_null(follow());
  drive();
  out.dev_answer_valid[2] = 1;
  out.dev_answer[2] = (struct hd_devanswer){.kind = b.kind, .lane = b.lane, .slot = b.slot, .code = (uint8_t)code};
  assert_null(follow());
}

/* A native TB of four warps, taken by SMX 2 in slot 6. */
static uint64_t take_native(void) {
  const struct hd_dispatch t = {.slot = 6, .desc = {.pc = 0x1000, .param = 576}, .blkid = 1};
  const struct hd_resident r = {.kernel = 9, .blkid = 1, .warps = 4, .regs = 10, .smem = 1, .dispatched = now};
  uint64_t d = hd_launcher_take(l, now, 2, &t, &r);
  assert_true(hd_array_take(array, now, 2, 6, &r, d));
  return d;
}

/* Cycle in which the array will report it. */
static uint64_t end_of_tb(void) {
  uint64_t end = 0;
  assert_true(hd_array_next_end(array, &end));
  return end;
}

static const char *take_child(const struct hd_devlaunch *b, uint32_t blkid, struct hd_resident *r, uint64_t *d) {
  struct hd_dispatch t;
  memset(&t, 0, sizeof t);
  t.slot = 7;
  t.desc = b->desc;
  t.blkid = blkid;
  t.level = 1;
  t.age_valid = b->kind == HD_KIND_GROUP;
  assert_true(hd_launcher_is_child(l, &t));
  return hd_launcher_take_child(l, now, 3, &t, r, d);
}

#endif
