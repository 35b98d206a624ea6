/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Suspended kernels: saves, records, saved lists in chunks, kernels that come back, what goes first, errors. */
#include "family/susp.h"
#include "unit/util.h"

enum { BASE = 0x30, REGION = 256 * 1024 };

static struct hd_cfg cfg;
static struct hd_susp *m;
static struct hd_susp_in in;
static struct hd_susp_out out;
/* A memory that answers at once; fail: the next answer is an error. */
static uint8_t memory[REGION];
static enum { IDLE, WRITE, ANSWER, READ } port;
static uint64_t at;
static unsigned left, fail, frozen, bursts;

static void start(const char *config) {
  cfg = ut_cfg(config);
  m = ut_new(hd_susp_size(&cfg));
  hd_susp_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(memory, 0, sizeof memory);
  in.sus_base = BASE;
  port = IDLE;
  left = fail = frozen = bursts = 0;
}

static int setup(void **state) {
  (void)state;
  start("tiny"); /* 8 parent records, 2 entries, lists of 16 saved TBs: one chunk */
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static uint64_t word_at(uint64_t byte) {
  uint64_t v = 0;
  for (unsigned k = 8; k--;) v = v << 8 | memory[byte + k];
  return v;
}

static void take_beat(void) {
  for (unsigned k = 0; k < 16; k++)
    if (out.wbeat.strb >> k & 1) memory[at + k] = (uint8_t)((k < 8 ? out.wbeat.lo : out.wbeat.hi) >> 8 * (k % 8));
  in.wbeat_take = 1;
  at += 16;
  if (!--left) port = ANSWER;
}

static void give_beat(void) {
  in.r_valid = 1;
  in.r = (struct hd_memdata){.lo = word_at(at), .hi = word_at(at + 8), .last = left == 1, .error = fail && left == 3};
  if (in.r.error) fail = 0;
  at += 16;
  if (!--left) port = IDLE;
}

/* The memory's side of a cycle, from what the cycle shows. */
static void serve(void) {
  in.wbeat_take = in.b_valid = in.b_error = in.r_valid = in.req_ready = 0;
  in.r = (struct hd_memdata){0};
  if (frozen) return;
  if (port == WRITE) {
    take_beat();
  } else if (port == READ) {
    give_beat();
  } else if (port == ANSWER) {
    in.b_valid = 1;
    in.b_error = fail != 0;
    fail = 0;
    port = IDLE;
  } else {
    in.req_ready = 1;
    if (!out.req_valid) return;
    assert_in_range(out.req.addr, BASE * 256, BASE * 256 + REGION - 1);
    at = out.req.addr - BASE * 256;
    left = out.req.len + 1u;
    port = out.req.write ? WRITE : READ;
    bursts++;
  }
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_susp_eval(m, &in, &out);
  serve();
  hd_susp_tick(m, &in);
  in.save_valid = in.suspend_valid = in.head_pop = in.sv_pop = in.suspended_ready = 0;
}

static void idle(unsigned n) {
  while (n--) cycle();
}

static void save(unsigned kin, unsigned pos, uint64_t ctx) {
  in.save_valid = 1;
  in.save_kin = (uint16_t)kin;
  in.save_pos = (uint16_t)pos;
  in.save_entry.ctx = ctx;
  in.save_entry.level = (uint8_t)(ctx % 5);
  cycle();
}

static struct hd_kernel kernel(unsigned kin, unsigned first, unsigned count) {
  struct hd_kernel k;
  memset(&k, 0, sizeof k);
  k.desc = ut_launch(0, kin).desc;
  k.need = (struct hd_need){.warps = 1, .regs = 2, .smem = 3};
  k.ctas = 1000 + kin;
  k.level = 2;
  k.origin.up = 1;
  k.origin.stream = 3;
  k.origin.smx = 1;
  k.kin = (uint16_t)kin;
  k.progress.nextbl = 17;
  k.progress.sav_first = (uint16_t)first;
  k.progress.sav_count = (uint16_t)count;
  return k;
}

static void suspend(unsigned kin, unsigned first, unsigned count) {
  in.suspend_valid = 1;
  in.suspend = kernel(kin, first, count);
  in.list = (struct hd_list){.pending = 1, .nagei = {.onchip = 1, .index = 2}, .lagei = {.index = 77}};
  cycle();
  in.suspend = (struct hd_kernel){0};
  in.list = (struct hd_list){0};
}

/* The kernel in this entry is current, with so many saved TBs. */
static void current(unsigned kdei, unsigned kin, unsigned first, unsigned count) {
  in.cur_valid = 1;
  in.cur_kdei = (uint8_t)kdei;
  in.kin[kdei] = (uint16_t)kin;
  in.sav_first[kdei] = (uint16_t)first;
  in.sav_count[kdei] = (uint16_t)count;
}

/* Waits for a saved TB and takes it; its context pointer, or -1 when none comes within 60 cycles. */
static long take_saved(void) {
  for (int t = 0; t < 60; t++) {
    hd_susp_eval(m, &in, &out);
    in.sv_pop = out.sv_valid;
    long ctx = out.sv_valid ? (long)out.sv.ctx : -1;
    cycle();
    if (ctx >= 0) return ctx;
  }
  return -1;
}

/* kin asks until the record is taken to be read. */
static void resume(unsigned kin) {
  in.resume_valid = 1;
  in.resume_kin = (uint16_t)kin;
  for (int t = 0; t < 60; t++) {
    cycle();
    if (!out.resume_ready) continue;
    in.resume_valid = in.resume_kin = 0;
    return;
  }
  fail_msg("the record is never read");
}

static struct hd_susp_arch *arch(void) {
  static struct hd_susp_arch a;
  hd_susp_arch(m, &a, true);
  return &a;
}

static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.save_room && out.suspend_free && out.resume_ready, 1);
  assert_int_equal(out.suspended_valid || out.head_valid || out.sv_valid || out.req_valid || out.kin_fail_valid, 0);
}

/* Given in t: latched in t + 1, asked for in t + 2; one beat, of which half is written. */
static void test_save(void **state) {
  (void)state;
  uint64_t list = 3 * cfg.sus_stride + 128;
  memset(memory, 0xee, sizeof memory);
  save(3, 5, 0x123456789b);
  cycle();
  assert_int_equal(out.req_valid, 0);
  cycle();
  assert_int_equal(out.req_valid, 1);
  assert_int_equal(out.req.write, 1);
  assert_int_equal(out.req.len, 0);
  assert_true(out.req.addr == BASE * 256 + list + 32);
  assert_int_equal(out.wbeat.strb, 0xff00);
  assert_true(out.wbeat.lo == 0);
  idle(2); /* beat, B */
  assert_int_equal(arch()->save_count, 0);
  save(3, 6, 0x21);
  idle(4);
  assert_true(word_at(list + 40) == (0x123456789b | (uint64_t)(0x123456789b % 5) << 40));
  assert_true(word_at(list + 48) == (0x21 | UINT64_C(3) << 40));
  assert_true(word_at(list + 32) == UINT64_C(0xeeeeeeeeeeeeeeee));
  assert_true(word_at(list + 56) == UINT64_C(0xeeeeeeeeeeeeeeee));
}

/* There is room for three saves that are not answered. */
static void test_save_room(void **state) {
  (void)state;
  frozen = 1;
  for (unsigned k = 0; k < 3; k++) {
    save(1, k, 100 + k);
    assert_int_equal(out.save_room, 1);
  }
  cycle();
  assert_int_equal(out.save_room, 0);
  assert_int_equal(out.saving, 1);
  frozen = 0;
  idle(30);
  for (unsigned k = 0; k < 3; k++) assert_int_equal(memory[cfg.sus_stride + 128 + 8 * k], 100 + k);
  assert_int_equal(out.save_room, 1);
  assert_int_equal(out.saving, 0);
}

/* The record is written, then told to kin; then the place is free. */
static void test_suspend(void **state) {
  (void)state;
  suspend(2, 1, 3); /* t */
  cycle();
  assert_int_equal(out.suspend_free, 0);
  assert_int_equal(out.req_valid, 0);
  cycle();
  assert_int_equal(out.req_valid, 1);
  assert_int_equal(out.req.len, 7);
  assert_true(out.req.addr == BASE * 256 + 2 * cfg.sus_stride);
  idle(9); /* beats, B */
  assert_int_equal(out.suspended_valid, 0);
  cycle();
  assert_int_equal(out.suspend_event, 1);
  for (int t = 0; t < 5; t++) {
    assert_int_equal(out.suspended_valid, 1);
    assert_int_equal(out.suspended_kin, 2);
    assert_int_equal(out.suspended.stream, 3);
    assert_int_equal(out.suspended.smx, 1);
    assert_int_equal(out.suspend_free, 0);
    cycle();
    assert_int_equal(out.suspend_event, 0);
  }
  in.suspended_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.suspended_valid || out.suspended_kin || out.suspended.stream, 0);
  assert_int_equal(out.suspend_free, 1);
  assert_int_equal(bursts, 1);
  assert_true(word_at(2 * cfg.sus_stride + 56) == (UINT64_C(77) << 32 | 0x80000002));
  assert_int_equal(memory[2 * cfg.sus_stride + 70], 1);
}

/* A record is written after the saves that were there first, and after those that come while it waits. */
static void test_saves_before_the_record(void **state) {
  (void)state;
  frozen = 1;
  save(1, 0, 9);
  suspend(1, 0, 2);
  save(1, 1, 10);
  frozen = 0;
  idle(12); /* two writes of one beat, 5 cycles each, then the record */
  assert_int_equal(arch()->save_count, 0);
  assert_int_equal(arch()->op, HD_SUSP_RECORD);
  assert_int_equal(memory[cfg.sus_stride + 128], 9);
  assert_int_equal(memory[cfg.sus_stride + 136], 10);
}

/* A kernel comes back as it went, with the SMX that launched it, in the cycle after its last beat. */
static void test_resume(void **state) {
  (void)state;
  suspend(5, 4, 1);
  while (arch()->record_valid) {
    in.suspended_ready = 1;
    cycle();
  }
  resume(5); /* t */
  cycle();
  assert_int_equal(out.req_valid, 1);
  assert_int_equal(out.req.write, 0);
  idle(8);
  assert_int_equal(out.head_valid, 0);
  cycle();
  assert_int_equal(out.head_valid, 1);
  assert_int_equal(out.resume_event, 1);
  struct hd_kernel k = kernel(5, 4, 1);
  k.resumed = 1;
  k.groups = (struct hd_list){.pending = 1, .nagei = {.onchip = 1, .index = 2}, .lagei = {.index = 77}};
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_memory_equal(&out.head, &k, sizeof k);
    assert_int_equal(out.resume_ready, 0); /* one at a time */
  }
  in.head_pop = 1;
  cycle();
  cycle();
  assert_int_equal(out.head_valid || out.head.ctas || out.resume_event, 0);
  assert_int_equal(out.resume_ready, 1);
}

static void fill_list(unsigned kin, unsigned first, unsigned count) {
  for (unsigned k = 0; k < count; k++) {
    save(kin, (first + k) % cfg.sav_max, 1000 + k);
    idle(6);
  }
}

/* The list of the current kernel is read a chunk at a time and offered in order. */
static void test_saved_list(void **state) {
  (void)state;
  fill_list(4, 3, 5);
  bursts = 0;
  current(1, 4, 3, 5); /* followed from t + 1, latched in t + 1, asked for in t + 2, there in t + 11 */
  cycle();
  assert_int_equal(arch()->sv_tag, 1);
  assert_int_equal(arch()->sv_pos, 3);
  assert_int_equal(arch()->sv_left, 5);
  cycle();
  assert_int_equal(out.req_valid, 0);
  cycle();
  assert_int_equal(out.req_valid, 1);
  assert_true(out.req.addr == BASE * 256 + 4 * cfg.sus_stride + 128);
  idle(8);
  assert_int_equal(out.sv_valid, 0);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.sv_valid, 1);
    assert_int_equal(out.sv_kdei, 1);
    assert_int_equal(out.sv.ctx, 1000);
    assert_int_equal(out.sv.level, 0);
  }
  for (unsigned k = 0; k < 5; k++) assert_int_equal(take_saved(), 1000 + k);
  assert_int_equal(take_saved(), -1);
  assert_int_equal(out.sv.ctx || out.sv_kdei, 0);
  assert_int_equal(bursts, 1);
}

/* It goes round: the last place and the first are in different chunks, or in the same read again. */
static void test_saved_list_wraps(void **state) {
  (void)state;
  fill_list(4, 14, 4);
  bursts = 0;
  current(0, 4, 14, 4);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take_saved(), 1000 + k);
  assert_int_equal(take_saved(), -1);
  assert_int_equal(bursts, 2);
}

/* A long list: one TB per cycle within a chunk; the next chunk is read when it is reached. */
static void test_chunks(void **state) {
  (void)state;
  free(m);
  start("k20c");
  fill_list(100, 10, 24);
  bursts = 0;
  current(31, 100, 10, 24);
  for (unsigned k = 0; k < 24; k++) {
    assert_int_equal(take_saved(), 1000 + k);
    assert_int_equal(arch()->sv_left, 23 - k);
    assert_int_equal(arch()->chunk_valid, (10 + k) % 16 != 15);
  }
  assert_int_equal(bursts, 3);
}

/* Another kernel becomes current: its list is followed; what was read for the one before is dropped, even in error. */
static void test_kernel_changes(void **state) {
  (void)state;
  fill_list(4, 0, 2);
  save(6, 7, 66);
  idle(6);
  current(0, 4, 0, 2);
  idle(5); /* the chunk is under way */
  fail = 1;
  current(1, 6, 7, 1);
  cycle();
  assert_int_equal(arch()->op, HD_SUSP_LIST);
  assert_int_equal(arch()->sv_pos, 7);
  assert_int_equal(take_saved(), 66);
  assert_int_equal(out.chunk_fail_valid || out.error_event, 0);
  fail = 0;
  in.sav_count[1] = 0; /* handed out */
  cycle();
  assert_int_equal(arch()->sv_tag, 0);
  in.sav_count[1] = 1; /* saved again */
  cycle();
  assert_int_equal(arch()->sv_tag, 1);
  in.cur_valid = 0;
  cycle();
  assert_int_equal(arch()->sv_tag || arch()->sv_left, 0);
}

/* The last beat of a chunk comes in the very cycle in which the kernel changes: dropped as well. */
static void test_change_at_the_last_beat(void **state) {
  (void)state;
  fill_list(4, 0, 1);
  current(0, 4, 0, 1);
  while (port != READ || left > 1) cycle();
  in.cur_valid = 0;
  cycle();
  assert_int_equal(arch()->op, HD_SUSP_IDLE);
  assert_int_equal(arch()->chunk_valid, 0);
  bursts = 0;
  in.cur_valid = 1;
  assert_int_equal(take_saved(), 1000);
  assert_int_equal(bursts, 1);
}

/* No chunk is read for a list in the cycle in which it is left. */
static void test_change_before_the_read(void **state) {
  (void)state;
  current(0, 4, 0, 1);
  cycle();
  in.cur_valid = 0;
  cycle();
  assert_int_equal(arch()->op, HD_SUSP_IDLE);
  cycle();
  assert_int_equal(out.req_valid, 0);
}

/* What waits goes in this order: save, record, chunk, resume. */
static void test_order(void **state) {
  (void)state;
  frozen = 1;
  save(1, 0, 1);
  cycle(); /* its request stands */
  suspend(2, 0, 0);
  current(0, 4, 0, 1);
  in.resume_valid = 1;
  in.resume_kin = 3;
  cycle();
  save(1, 1, 1);
  frozen = 0;
  static const unsigned expected[] = {HD_SUSP_SAVE, HD_SUSP_SAVE, HD_SUSP_RECORD, HD_SUSP_LIST, HD_SUSP_RESUME};
  for (unsigned k = 0; k < 5; k++) {
    while (arch()->op == HD_SUSP_IDLE) cycle();
    assert_int_equal(arch()->op, expected[k]);
    if (expected[k] == HD_SUSP_RESUME) {
      assert_int_equal(out.resume_ready, 1);
      break;
    }
    assert_int_equal(out.resume_ready, 0);
    while (arch()->op != HD_SUSP_IDLE) cycle();
  }
}

/* A save that fails is told to its parent record; those behind it go on. */
static void test_save_error(void **state) {
  (void)state;
  fail = 1;
  save(7, 0, 1);
  save(6, 0, 2);
  for (int t = 0; t < 20 && !out.kin_fail_valid; t++) cycle();
  assert_int_equal(out.kin_fail_valid, 1);
  assert_int_equal(out.kin_fail_kin, 7);
  assert_int_equal(out.kin_fail_back, 0);
  assert_int_equal(out.error_event, 1);
  cycle();
  assert_int_equal(out.kin_fail_valid || out.kin_fail_kin || out.error_event, 0);
  idle(10);
  assert_int_equal(memory[6 * cfg.sus_stride + 128], 2);
}

/* A record that fails is told as suspended all the same, with the error. */
static void test_record_error(void **state) {
  (void)state;
  fail = 1;
  suspend(2, 0, 0);
  for (int t = 0; t < 20 && !out.suspended_valid; t++) cycle();
  assert_int_equal(out.kin_fail_valid && out.kin_fail_kin == 2 && !out.kin_fail_back && out.error_event, 1);
  assert_int_equal(out.suspend_event, 0);
  cycle();
  assert_int_equal(out.suspended_valid, 1);
  assert_int_equal(out.kin_fail_valid, 0);
}

/* A kernel that can not be read back, whichever beat fails. */
static void test_resume_error(void **state) {
  (void)state;
  fail = 1;
  resume(3);
  for (int t = 0; t < 20 && !out.kin_fail_valid; t++) cycle();
  assert_int_equal(out.kin_fail_kin, 3);
  assert_int_equal(out.kin_fail_back && out.error_event, 1);
  assert_int_equal(out.head_valid || out.resume_event, 0);
  assert_int_equal(out.resume_ready, 1);
}

/* A saved list that can not be read: fail event of the kernel. */
static void test_list_error(void **state) {
  (void)state;
  fail = 1;
  current(1, 4, 0, 2);
  for (int t = 0; t < 20 && !out.chunk_fail_valid; t++) cycle();
  assert_int_equal(out.chunk_fail_kdei, 1);
  assert_int_equal(out.error_event, 1);
  assert_int_equal(out.kin_fail_valid || out.sv_valid, 0);
  in.sav_count[1] = 0;
  cycle();
  assert_int_equal(out.chunk_fail_valid || out.chunk_fail_kdei, 0);
  idle(20);
  assert_int_equal(arch()->sv_tag || arch()->op, 0);
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_susp *fresh = ut_new(hd_susp_size(&cfg));
  hd_susp_init(fresh, &cfg);
  save(1, 2, 3);
  suspend(1, 2, 1);
  current(1, 4, 0, 2);
  idle(3);
  assert_memory_not_equal(m, fresh, hd_susp_size(&cfg));
  hd_susp_reset(m);
  assert_memory_equal(m, fresh, hd_susp_size(&cfg));
  free(fresh);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_save),
      TEST(test_save_room),
      TEST(test_suspend),
      TEST(test_saves_before_the_record),
      TEST(test_resume),
      TEST(test_saved_list),
      TEST(test_saved_list_wraps),
      TEST(test_chunks),
      TEST(test_kernel_changes),
      TEST(test_change_at_the_last_beat),
      TEST(test_change_before_the_read),
      TEST(test_order),
      TEST(test_save_error),
      TEST(test_record_error),
      TEST(test_resume_error),
      TEST(test_list_error),
      TEST(test_reset),
  };
  return cmocka_run_group_tests_name("susp", tests, NULL, NULL);
}
