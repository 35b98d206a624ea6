/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the tests of the AXI4 memory and checker: a memory, and a manager that keeps the rules. */
#ifndef HD_AXI_FIXTURE_H
#define HD_AXI_FIXTURE_H

#include "mem/axi_check.h"
#include "mem/axi_mem.h"
#include "unit/util.h"

enum { CLIENTS = 4 };

static const struct hd_axi_profile quick = {
    .name = "quick", .latency_min = 1, .latency_max = 1, .sink = 256, .source = 256};
static const struct hd_axi_profile wild = {
    .name = "wild", .latency_min = 1, .latency_max = 90, .reorder = true, .sink = 100, .source = 150};

struct fixture {
  struct hd_axi_mem *m;
  struct hd_axi_request a;
  struct hd_axi_response t;
  uint64_t cycles;
};

static const struct hd_axi_request idle = {.bready = 1, .rready = 1};

static inline struct fixture make(const struct hd_axi_profile *p, uint64_t seed) {
  struct fixture r = {.m = hd_axi_mem_new(p, CLIENTS, seed), .a = idle};
  assert_non_null(r.m);
  return r;
}

static inline void cycle(struct fixture *r) {
  hd_axi_mem_drive(r->m, &r->t);
  const char *rule = hd_axi_mem_follow(r->m, &r->a);
  if (rule != NULL) fail_msg("%s", rule);
  r->cycles++;
}

static inline void offer_read(struct fixture *r, uint8_t id, uint64_t addr, uint8_t beats) {
  r->a.arvalid = 1, r->a.arid = id, r->a.araddr = addr, r->a.arlen = (uint8_t)(beats - 1);
  r->a.arsize = 4, r->a.arburst = 1;
  do cycle(r);
  while (!r->t.arready);
  r->a = idle;
}

/* Sends the address, then the data: the first 8 bytes are `first`, and each following 8 bytes one more. */
static inline void offer_write(struct fixture *r, uint8_t id, uint64_t addr, uint8_t beats, uint64_t first,
                               uint16_t strb) {
  r->a.awvalid = 1, r->a.awid = id, r->a.awaddr = addr, r->a.awlen = (uint8_t)(beats - 1);
  r->a.awsize = 4, r->a.awburst = 1;
  do cycle(r);
  while (!r->t.awready);
  r->a = idle;
  for (uint8_t k = 0; k < beats; k++) {
    r->a.wvalid = 1, r->a.wdata_lo = first + 2u * k, r->a.wdata_hi = first + 2u * k + 1, r->a.wstrb = strb;
    r->a.wlast = k + 1 == beats;
    do cycle(r);
    while (!r->t.wready);
  }
  r->a = idle;
}

static inline void wait_answer(struct fixture *r) {
  do cycle(r);
  while (!r->t.bvalid);
}

static inline void wait_beat(struct fixture *r) {
  do cycle(r);
  while (!r->t.rvalid);
}

#endif
