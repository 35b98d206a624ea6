/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the regs tests: APB4 transfers, and cycles without events. */
#ifndef HD_REGS_FIXTURE_H
#define HD_REGS_FIXTURE_H

#include "service/regs.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_regs *m;
static struct hd_regs_in in; /* events: in.answer.., in.enter.., set by a test for a chosen cycle */
static struct hd_regs_out out;

static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_regs_size(&cfg));
  hd_regs_init(m, &cfg);
  memset(&in, 0, sizeof in);
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline void cycle(void) {
  hd_regs_eval(m, &in, &out);
  hd_regs_tick(m, &in);
}

static inline void no_events(void) {
  memset(&in.host_answer_valid, 0, sizeof in - offsetof(struct hd_regs_in, host_answer_valid));
}

static inline void apb(bool write, unsigned addr, uint32_t data, unsigned strb) {
  in.psel = 1;
  in.penable = 0;
  in.pwrite = write;
  in.paddr = (uint16_t)addr;
  in.pwdata = data;
  in.pstrb = (uint8_t)strb;
}

/* Runs the access cycle after a setup cycle; leaves the bus idle. */
static inline void access_cycle(void) {
  in.penable = 1;
  cycle();
  in.psel = in.penable = 0;
}

static inline uint32_t read_word(unsigned addr) {
  apb(false, addr, 0, 0);
  cycle();
  access_cycle();
  assert_int_equal(out.pready, 1);
  return out.prdata;
}

/* Writes a register; events that the test has set happen in the access cycle. Returns pslverr. */
static inline unsigned write_strb(unsigned addr, uint32_t data, unsigned strb) {
  struct hd_regs_in events = in;
  no_events();
  in.kd_busy = events.kd_busy;
  in.kin_busy = events.kin_busy;
  apb(true, addr, data, strb);
  cycle();
  struct hd_regs_in bus = in;
  in = events;
  apb(bus.pwrite, addr, data, strb);
  access_cycle();
  no_events();
  return out.pslverr;
}

static inline unsigned write_word(unsigned addr, uint32_t data) {
  return write_strb(addr, data, 0xf);
}

static inline void answer(unsigned code) {
  in.host_answer_valid = in.host_answer_ready = 1;
  in.host_answer.code = (uint8_t)code;
}

#endif
