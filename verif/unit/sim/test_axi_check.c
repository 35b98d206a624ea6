/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The rules of AXI4, each broken once. */
#include "unit/sim/axi_fixture.h"

/* A burst that keeps all rules. */
static const struct hd_axi_request good = {.awvalid = 1,
                                           .awaddr = 0x1000,
                                           .awid = 1,
                                           .awlen = 1,
                                           .awsize = 4,
                                           .awburst = 1,
                                           .wvalid = 1,
                                           .wdata_lo = 5,
                                           .wstrb = 0xffff,
                                           .arvalid = 1,
                                           .araddr = 0x2000,
                                           .arid = 2,
                                           .arlen = 3,
                                           .arsize = 4,
                                           .arburst = 1,
                                           .bready = 1,
                                           .rready = 1};
static const struct hd_axi_response all_ready = {.awready = 1, .wready = 1, .arready = 1};

static void expect_rule(const char *rule, const char *part) {
  if (rule == NULL) fail_msg("no rule broken; '%s' was to be", part);
  if (strstr(rule, part) == NULL || strchr(rule, '\n') != NULL) fail_msg("'%s' instead of '%s'", rule, part);
}

/* One cycle of a fresh checker with one thing changed. */
static void expect_in_one(const struct hd_axi_request *a, const char *part) {
  struct hd_axi_check c = {.clients = CLIENTS};
  expect_rule(hd_axi_check(&c, a, &all_ready), part);
}

/* A cycle without a transfer, then one with a single change. */
static void expect_in_two(const struct hd_axi_request *a, const char *part) {
  struct hd_axi_check c = {.clients = CLIENTS};
  const struct hd_axi_response none = {0};
  assert_null(hd_axi_check(&c, &good, &none));
  assert_null(hd_axi_check(&c, &good, &none));
  expect_rule(hd_axi_check(&c, a, &none), part);
}

#define CHANGED(field, value) (changed = good, changed.field = (value), &changed)

TEST(test_good) {
  struct hd_axi_check c = {.clients = CLIENTS};
  struct hd_axi_request a = good;
  assert_null(hd_axi_check(&c, &a, &all_ready));
  a.awvalid = a.arvalid = 0;
  a.wlast = 1;
  assert_null(hd_axi_check(&c, &a, &all_ready));
  const struct hd_axi_response answer = {.bvalid = 1, .bid = 1};
  assert_null(hd_axi_check(&c, &idle, &answer));
}

TEST(test_bad_address) {
  struct hd_axi_request changed;
  expect_in_one(CHANGED(awaddr, 0x1008), "awaddr 0x1008 is not a multiple of 16");
  expect_in_one(CHANGED(araddr, 0x2001), "araddr 0x2001 is not a multiple of 16");
  expect_in_one(CHANGED(araddr, 0x2fd0), "4 beats from araddr 0x2fd0 cross a 4 KB boundary");
  expect_in_one(CHANGED(awaddr, 0x1ff0), "2 beats from awaddr 0x1ff0 cross a 4 KB boundary");
  expect_in_one(CHANGED(awlen, 8), "awlen is 8");
  expect_in_one(CHANGED(arlen, 255), "arlen is 255");
  expect_in_one(CHANGED(awsize, 3), "awsize is 3");
  expect_in_one(CHANGED(arburst, 0), "arburst is 0");
  expect_in_one(CHANGED(awid, 4), "awid is 4, but there are 4 clients");
}

TEST(test_not_stable) {
  struct hd_axi_request changed;
  expect_in_two(CHANGED(awvalid, 0), "awvalid fell");
  expect_in_two(CHANGED(arvalid, 0), "arvalid fell");
  expect_in_two(CHANGED(wvalid, 0), "wvalid fell");
  expect_in_two(CHANGED(awaddr, 0x1010), "AW changed");
  expect_in_two(CHANGED(awid, 0), "AW changed");
  expect_in_two(CHANGED(arlen, 2), "AR changed");
  expect_in_two(CHANGED(wdata_hi, 1), "W changed");
  expect_in_two(CHANGED(wstrb, 0xff), "W changed");
  expect_in_two(CHANGED(wlast, 1), "W changed");
}

TEST(test_not_ready) {
  struct hd_axi_request changed;
  expect_in_one(CHANGED(bready, 0), "bready is 0");
  expect_in_one(CHANGED(rready, 0), "rready is 0");
}

/* The number of beats, with the address first and with the data first. */
TEST(test_last_beat) {
  struct hd_axi_check c = {.clients = CLIENTS};
  struct hd_axi_request changed;
  expect_in_one(CHANGED(wlast, 1), "wlast at beat 1 of the write of 2 beats");
  changed = good;
  changed.awvalid = changed.arvalid = 0;
  changed.wlast = 1;
  assert_null(hd_axi_check(&c, &changed, &all_ready));
  changed = good;
  changed.wvalid = 0;
  expect_rule(hd_axi_check(&c, &changed, &all_ready), "wlast at beat 1 of the write of 2 beats at 0x1000");
  c = (struct hd_axi_check){.clients = CLIENTS};
  changed = good;
  assert_null(hd_axi_check(&c, &changed, &all_ready));
  changed.awvalid = changed.arvalid = 0;
  expect_rule(hd_axi_check(&c, &changed, &all_ready), "no wlast at the last of 2 beats of the write at 0x1000");
  c = (struct hd_axi_check){.clients = CLIENTS};
  for (unsigned k = 0; k < 7; k++) assert_null(hd_axi_check(&c, &changed, &all_ready));
  expect_rule(hd_axi_check(&c, &changed, &all_ready), "8 beats of write data without wlast");
}

/* A read of data being written: after the answer it is legal. */
TEST(test_read_before_answer) {
  struct hd_axi_check c = {.clients = CLIENTS};
  struct hd_axi_request write = good, read = good;
  write.arvalid = 0, write.awlen = 0, write.wlast = 1;
  read.awvalid = read.wvalid = 0, read.araddr = 0x0fd0, read.arlen = 2;
  assert_null(hd_axi_check(&c, &write, &all_ready));
  assert_null(hd_axi_check(&c, &read, &all_ready)); /* up to 0x0fff */
  read.araddr = 0x1000;
  expect_rule(hd_axi_check(&c, &read, &all_ready), "client 2 reads 0x1000 before the write of client 1 to 0x1000");
  c = (struct hd_axi_check){.clients = CLIENTS};
  const struct hd_axi_response answer = {.arready = 1, .bvalid = 1, .bid = 1};
  assert_null(hd_axi_check(&c, &write, &all_ready));
  assert_null(hd_axi_check(&c, &idle, &answer));
  assert_null(hd_axi_check(&c, &read, &all_ready));
}

/* Through the memory: the rule comes with its cycle; regions are of one client each. */
TEST(test_memory_tells) {
  struct fixture r = make(&quick, 1);
  for (unsigned k = 0; k < 7; k++) cycle(&r);
  r.a = good;
  r.a.awaddr = 1;
  hd_axi_mem_drive(r.m, &r.t);
  expect_rule(hd_axi_mem_follow(r.m, &r.a), "AXI4, cycle 7: awaddr 0x1 is not a multiple of 16");
  hd_axi_mem_free(r.m);
  r = make(&quick, 1);
  assert_true(hd_axi_mem_allow(r.m, 1, 0x4000, 64) && hd_axi_mem_allow(r.m, 2, 0x8000, 64));
  offer_read(&r, 1, 0x4000, 4);
  r.a.arvalid = 1, r.a.arid = 1, r.a.araddr = 0x8000, r.a.arsize = 4, r.a.arburst = 1;
  hd_axi_mem_drive(r.m, &r.t);
  expect_rule(hd_axi_mem_follow(r.m, &r.a), "client 1 reads 1 beats at 0x8000, outside its regions");
  hd_axi_mem_free(r.m);
}

TEST_MAIN("axi_check", NULL, NULL)
