/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory-port arbiter: round robin, ready signals for many clients, bursts, answers. */
#include "service/memarb.h"
#include "unit/util.h"

enum { CLIENTS = HD_MAX_MEM_CLIENTS }; /* and an ID beyond them */

static struct hd_cfg cfg;
static struct hd_memarb *m;
static struct hd_memarb_in in;
static struct hd_memarb_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_memarb_size(&cfg));
  hd_memarb_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.arready = in.awready = in.wready = 1;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; accepted requests and answers are then cleared. */
static void cycle(void) {
  hd_memarb_eval(m, &in, &out);
  hd_memarb_tick(m, &in);
  for (unsigned c = 0; c < cfg.mem_clients; c++) in.mem[c].valid &= !out.mem[c].ready;
  in.bvalid = in.rvalid = 0;
}

static void ask(unsigned c, bool write, uint64_t addr, unsigned beats) {
  in.mem[c].valid = 1;
  in.mem[c].req = (struct hd_memreq){.write = write, .addr = addr, .len = (uint8_t)(beats - 1)};
}

/* The write beat that client c shows next. */
static void show_beat(unsigned c, uint64_t n) {
  in.mem[c].wbeat = (struct hd_membeat){.hi = ~n, .lo = n, .strb = (uint16_t)(n + 1)};
}

/* Constant signals: 16-byte beats, INCR, answers always accepted. */
TEST_F(test_constants) {
  cycle();
  assert_int_equal(out.arsize, 4);
  assert_int_equal(out.awsize, 4);
  assert_int_equal(out.arburst, 1);
  assert_int_equal(out.awburst, 1);
  assert_int_equal(out.bready && out.rready, 1);
  assert_int_equal(out.arvalid || out.awvalid || out.wvalid, 0);
}

/* A read accepted in t is on AR in t+1 with the client as ID, until it is taken. */
TEST_F(test_read) {
  in.arready = 0;
  ask(2, false, 0x1230, 8);
  cycle();
  assert_int_equal(out.mem[2].ready, 1);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.arvalid, 1);
    assert_int_equal(out.arid, 2);
    assert_true(out.araddr == 0x1230);
    assert_int_equal(out.arlen, 7);
  }
  in.arready = 1;
  cycle();
  cycle();
  assert_true(out.arvalid == 0 && out.araddr == 0 && out.arlen == 0 && out.arid == 0);
}

/* A write accepted in t: AW in t+1, beats are fetched from t+1 and are on W from t+2, the last one marked. */
TEST_F(test_write) {
  ask(1, true, 0x40, 3);
  cycle();
  for (uint64_t n = 0; n < 5; n++) {
    show_beat(1, n);
    cycle();
    assert_int_equal(out.awvalid, n == 0);
    assert_int_equal(out.mem[1].take, n < 3);
    assert_int_equal(out.wvalid, n >= 1 && n <= 3);
    assert_int_equal(out.wlast, n == 3);
    if (out.wvalid) assert_true(out.wdata[0] == n - 1 && out.wdata[1] == ~(n - 1) && out.wstrb == n);
  }
}

/* A burst of one beat: its first is its last. */
TEST_F(test_single_beat) {
  ask(0, true, 0x40, 1);
  cycle();
  cycle();
  assert_int_equal(out.mem[0].take, 1);
  cycle();
  assert_int_equal(out.mem[0].take, 0);
  assert_int_equal(out.wvalid && out.wlast, 1);
}

/* Data that the memory does not accept: two beats wait in the FIFO, the client keeps the rest; none is lost. */
TEST_F(test_write_back_pressure) {
  uint64_t fetched = 0, written = 0;
  uint64_t seed = 3;
  ask(2, true, 0x80, 8);
  for (int t = 0; t < 60; t++) {
    show_beat(2, fetched);
    in.wready = t >= 10 && ut_below(&seed, 2);
    cycle();
    fetched += out.mem[2].take;
    if (t == 9) assert_int_equal(fetched, 2);
    if (!out.wvalid || !in.wready) continue;
    assert_true(out.wdata[0] == written);
    assert_int_equal(out.wlast, ++written == 8);
  }
  assert_true(fetched == 8 && written == 8);
}

/* Clients round robin: all request, the winner's successor is next. */
TEST_F(test_round_robin) {
  for (unsigned c = 0; c < CLIENTS; c++) ask(c, false, 16 * c, 1);
  for (unsigned i = 0; i < 8; i++) {
    cycle();
    for (unsigned c = 0; c < CLIENTS; c++) assert_int_equal(out.mem[c].ready, c == i % CLIENTS);
    ask(i % CLIENTS, false, 16 * i, 1);
    cycle(); /* the address is on AR: no request is accepted */
    for (unsigned c = 0; c < CLIENTS; c++) assert_int_equal(out.mem[c].ready, 0);
    assert_int_equal(out.arid, i % CLIENTS);
  }
}

/* Reads and writes share the pointer. */
TEST_F(test_one_pointer_for_both) {
  ask(0, false, 0, 1);
  ask(1, true, 16, 1);
  cycle();
  assert_int_equal(out.mem[0].ready, 1);
  ask(0, false, 32, 1);
  cycle();
  cycle();
  assert_int_equal(out.mem[1].ready, 1);
  assert_int_equal(out.mem[0].ready, 0);
}

/* T7: ready means that no client ahead requests; it does not depend on the client's own request. */
TEST_F(test_ready_without_request) {
  ask(2, false, 0, 1);
  cycle();
  for (unsigned c = 0; c < CLIENTS; c++) assert_int_equal(out.mem[c].ready, c <= 2);
  cycle();
  ask(1, false, 0, 1); /* the pointer is at 0: 0 is ahead of 1, 2 is behind it */
  cycle();
  for (unsigned c = 0; c < CLIENTS; c++) assert_int_equal(out.mem[c].ready, c != 2);
}

/* While a write burst has beats left to fetch no other request is accepted, not even a read. */
TEST_F(test_write_blocks_until_fetched) {
  unsigned waited = 0;
  ask(0, true, 0, 4);
  cycle();
  ask(1, false, 16, 1);
  do {
    cycle();
    waited++;
  } while (!out.mem[1].ready && waited < 20);
  assert_int_equal(waited, 5); /* four beats, and the cycle in which it is seen that they are gone */
}

/* An answer to a write goes to the client that its ID names, in the next cycle. */
TEST_F(test_b) {
  for (unsigned resp = 0; resp < 4; resp++) {
    in.bvalid = 1;
    in.bid = (uint8_t)(resp % CLIENTS);
    in.bresp = (uint8_t)resp; /* 2 and 3 are errors */
    cycle();
    cycle();
    for (unsigned c = 0; c < CLIENTS; c++) {
      assert_int_equal(out.mem[c].b_valid, c == resp % CLIENTS);
      assert_int_equal(out.mem[c].b_error, resp >= 2);
    }
  }
  cycle();
  assert_int_equal(out.mem[0].b_valid || out.mem[0].b_error, 0);
}

/* A read beat in the same way, with its data. */
TEST_F(test_r) {
  in.rvalid = 1;
  in.rid = 2;
  in.rdata[0] = 0x99aabbccddeeff00;
  in.rdata[1] = 0x1122334455667788;
  in.rlast = 1;
  in.rresp = 2;
  cycle();
  assert_int_equal(out.mem[2].r_valid, 0);
  cycle();
  for (unsigned c = 0; c < CLIENTS; c++) assert_int_equal(out.mem[c].r_valid, c == 2);
  assert_true(out.mem[2].r.hi == in.rdata[1] && out.mem[2].r.lo == in.rdata[0]);
  assert_int_equal(out.mem[2].r.last && out.mem[2].r.error, 1);
  cycle();
  const struct hd_memdata none = {0};
  assert_memory_equal(&out.mem[2].r, &none, sizeof none);
}

/* An answer with the ID of no client is ignored. */
TEST_F(test_unknown_id) {
  in.bvalid = in.rvalid = 1;
  in.bid = in.rid = CLIENTS;
  in.bresp = in.rresp = 3;
  cycle();
  cycle();
  for (unsigned c = 0; c < CLIENTS; c++) assert_int_equal(out.mem[c].b_valid || out.mem[c].r_valid, 0);
  assert_int_equal(out.mem[0].b_error || out.mem[2].r.error, 0);
}

/* A single client always finds itself first. */
TEST_F(test_one_client) {
  cfg.mem_clients = 1;
  hd_memarb_init(m, &cfg);
  for (unsigned i = 0; i < 3; i++) {
    ask(0, false, 16 * i, 1);
    cycle();
    assert_int_equal(out.mem[0].ready, 1);
    cycle();
    assert_true(out.arvalid && out.araddr == 16 * i);
  }
}

/* Random traffic: each accepted burst appears once on its channel, in order, and each write with all of its beats. */
TEST_F(test_conservation) {
  uint64_t seed = 11, taken = 0, addresses = 0, beats = 0, data = 0, lasts = 0, writes = 0;
  for (int t = 0; t < 20000; t++) {
    for (unsigned c = 0; c < CLIENTS && t < 19900; c++) {
      if (!in.mem[c].valid && ut_below(&seed, 4) == 0) ask(c, ut_below(&seed, 2), 16 * c, 1 + ut_below(&seed, 8));
    }
    in.arready = ut_below(&seed, 2) != 0;
    in.awready = ut_below(&seed, 2) != 0;
    in.wready = ut_below(&seed, 2) != 0;
    struct hd_memarb_in was = in;
    cycle();
    for (unsigned c = 0; c < CLIENTS; c++) {
      if (!was.mem[c].valid || !out.mem[c].ready) continue;
      taken++;
      writes += was.mem[c].req.write;
      beats += was.mem[c].req.write ? was.mem[c].req.len + 1u : 0;
    }
    addresses += (out.arvalid && was.arready) + (out.awvalid && was.awready);
    data += out.wvalid && was.wready;
    lasts += out.wvalid && was.wready && out.wlast;
  }
  assert_true(taken > 1000);
  assert_true(addresses == taken && data == beats && lasts == writes);
}

/* Reset in mid-burst leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_memarb *fresh = ut_new(hd_memarb_size(&cfg));
  hd_memarb_init(fresh, &cfg);
  ask(2, true, 0x40, 8);
  in.rvalid = 1;
  for (int t = 0; t < 4; t++) cycle();
  assert_memory_not_equal(m, fresh, hd_memarb_size(&cfg));
  hd_memarb_reset(m);
  assert_memory_equal(m, fresh, hd_memarb_size(&cfg));
  free(fresh);
}

TEST_MAIN("memarb", NULL, NULL)
