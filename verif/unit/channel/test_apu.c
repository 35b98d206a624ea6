/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Channels from the operations of a wavefront to the start of the next wavefront, with a memory that answers in the
   next cycle. */
#include "channel/apu.h"
#include "unit/util.h"

enum { BASE = 0x10000, BYTES = 0x1000, CONTROL = BASE, DONE = BASE + 0x800, HOST_SLOT = 3 };

static struct hd_cfg cfg;
static struct hd_apu *m;
static struct hd_apu_in in;
static struct hd_apu_out out;
static uint8_t bytes[BYTES];
static uint64_t write_at, read_at;
static bool answers, reads;
static uint8_t write_id, read_id;
static unsigned goes;
static struct hd_chango went;
static struct hd_chananswer answered;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  m = ut_new(hd_apu_size(&cfg));
  hd_apu_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(bytes, 0, sizeof bytes);
  answers = reads = false;
  goes = 0;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static uint64_t word(uint64_t addr) {
  uint64_t w;
  memcpy(&w, bytes + (addr - BASE), sizeof w);
  return w;
}

/* One burst of one beat at a time in each direction; these tests make no others. */
static void memory_before(void) {
  in.awready = in.wready = in.arready = 1;
  in.bvalid = answers;
  in.bid = answers ? write_id : 0;
  in.rvalid = in.rlast = reads;
  in.rid = reads ? read_id : 0;
  in.rdata[0] = reads ? word(read_at) : 0;
  in.rdata[1] = reads ? word(read_at + 8) : 0;
}

static void memory_after(void) {
  answers = reads = false;
  if (out.awvalid) {
    write_at = out.awaddr;
    write_id = out.awid;
  }
  if (out.wvalid) {
    for (unsigned k = 0; k < 16; k++)
      if (out.wstrb >> k & 1)
        bytes[write_at - BASE + k] = (uint8_t)((k < 8 ? out.wdata[0] : out.wdata[1]) >> 8 * (k % 8));
    write_at += 16;
    answers = out.wlast;
  }
  if (out.arvalid) {
    assert_int_equal(out.arlen, 0);
    read_at = out.araddr;
    read_id = out.arid;
    reads = true;
  }
}

static void cycle(void) {
  memory_before();
  hd_apu_eval(m, &in, &out);
  hd_apu_tick(m, &in);
  memory_after();
  if (out.go_valid) {
    goes++;
    went = out.go;
  }
  for (unsigned u = 0; u < cfg.num_cu; u++)
    if (out.answer_valid[u]) answered = out.answer;
}

/* Channel 0: 16 elements, a wavefront is four of them. */
static void set_up(void) {
  in.set_valid = 1;
  in.set = (struct hd_chanset){.cap = 4, .threshold = 4, .control = CONTROL / 128, .done = DONE / 128};
  cycle();
  in.set_valid = 0;
  memset(&in.set, 0, sizeof in.set);
}

/* An operation of a CU, executed: its answer. */
static struct hd_chananswer op(unsigned cu, enum hd_chop kind, unsigned off, unsigned n) {
  in.op_valid[cu] = 1;
  in.op[cu] = (struct hd_chanop){.kind = (uint8_t)kind, .off = (uint16_t)off, .n = (uint16_t)n, .slot = HOST_SLOT};
  do cycle();
  while (!out.op_ready[cu]);
  in.op_valid[cu] = 0;
  memset(&in.op[cu], 0, sizeof in.op[cu]);
  cycle();
  cycle();
  assert_int_equal(answered.kind, kind);
  return answered;
}

static void wait_go(unsigned n) {
  for (unsigned t = 0; goes < n; t++) {
    assert_true(t < 40);
    cycle();
  }
}

static unsigned entry(unsigned place) {
  return (unsigned)bytes[CONTROL - BASE + 2 * place] | (unsigned)bytes[CONTROL - BASE + 2 * place + 1] << 8;
}

/* The paper's figure 4: wavefront 0 reserves first, 1 publishes first, so its elements go first; 1's consumers are done
 * first, and space is free only when 0's are done as well. */
TEST_F(test_figure_4) {
  set_up();
  assert_int_equal(op(0, HD_CHOP_TALLOC, 0, 4).base, 0);
  assert_int_equal(op(1, HD_CHOP_TALLOC, 0, 4).base, 4);
  assert_int_equal(op(1, HD_CHOP_ENQ, 4, 4).code, HD_CHCODE_OK);
  wait_go(1);
  assert_int_equal(went.start, 0);
  assert_int_equal(went.count, 4);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(entry(k), 4 + k);
  assert_int_equal(op(0, HD_CHOP_ENQ, 0, 4).code, HD_CHCODE_OK);
  wait_go(2);
  assert_int_equal(went.start, 4);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(entry(4 + k), k);
  assert_int_equal(op(1, HD_CHOP_TFREE, 4, 4).code, HD_CHCODE_OK);
  for (unsigned t = 0; t < 20; t++) cycle();
  assert_int_equal(m->dcount.head[0], 0);
  assert_int_equal(op(0, HD_CHOP_TFREE, 0, 4).code, HD_CHCODE_OK);
  for (unsigned t = 0; t < 20; t++) cycle();
  assert_int_equal(m->dcount.head[0], 2);
}

/* From the answer to the write of a wavefront's last control entry to the wavefront: five cycles. */
TEST_F(test_latency) {
  set_up();
  op(0, HD_CHOP_TALLOC, 0, 4);
  in.op_valid[0] = 1;
  in.op[0] = (struct hd_chanop){.kind = HD_CHOP_ENQ, .n = 4, .slot = HOST_SLOT};
  cycle();
  in.op_valid[0] = 0;
  memset(&in.op[0], 0, sizeof in.op[0]);
  for (unsigned t = 0; !in.bvalid; t++) {
    assert_true(t < 40);
    cycle();
  }
  for (unsigned t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(goes, 0);
  }
  cycle();
  assert_int_equal(goes, 1);
}

/* A partial wavefront goes when no producer can add to it. */
TEST_F(test_partial) {
  set_up();
  op(0, HD_CHOP_TALLOC, 0, 3);
  op(0, HD_CHOP_ENQ, 0, 3);
  wait_go(1);
  assert_int_equal(went.count, 3);
}

TEST_MAIN("apu", NULL, NULL)
