/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The register file behind APB4: counted events, and sticky status. */
#include "unit/service/regs_fixture.h"

/* Answers are counted by their code, in the cycle in which they are taken; all but `accepted` set a status bit. */
TEST_F(test_answers) {
  for (unsigned code = 0; code <= HD_CODE_UNKNOWN_HWQ; code++) {
    answer(code);
    for (unsigned i = 0; i <= code; i++) cycle();
    in.host_answer_ready = 0;
    cycle();
    assert_true(m->count[HD_COUNT_ACCEPTED + code] == code + 1);
    assert_int_equal(m->status, (1u << code) - 1);
  }
}

/* Streams count on valid and ready. */
TEST_F(test_stream_events) {
  in.kernel_done_valid = 1;
  cycle();
  in.kernel_done_ready = in.kd_entry.valid = 1;
  cycle();
  assert_true(m->count[HD_COUNT_KERNELS_IN] == 0); /* a cycle later, as below */
  in.kd_entry.valid = 0;
  cycle();
  assert_true(m->count[HD_COUNT_KERNELS_IN] == 1);
  assert_true(m->count[HD_COUNT_KERNELS_DONE] == 2);
}

/* Hand-outs, blocked cycles and entering kernels count a cycle later; if the counter is written then, not at all. */
TEST_F(test_late_events) {
  in.sched_grant.valid = 1;
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_OUT] == 0);
  in.sched_grant.valid = 0;
  in.sched_events.blocked = 1;
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_OUT] == 1 && m->count[HD_COUNT_BLOCKED] == 0);
  in.sched_events.blocked = 0;
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_OUT] == 1 && m->count[HD_COUNT_BLOCKED] == 1);
  apb(true, HD_REG_CTAS_OUT_LO, 100, 15);
  in.sched_grant.valid = 1;
  cycle();
  access_cycle(); /* the event of the previous cycle is lost, that of this one counts in the next */
  assert_true(m->count[HD_COUNT_CTAS_OUT] == 100);
  in.sched_grant.valid = 0;
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_OUT] == 101);
}

/* Completions of all SMXs in one cycle are all counted; invalid ones set their status bit. */
TEST_F(test_completions) {
  for (unsigned s = 0; s < 13; s++)
    (s < 8 ? in.sched_done_ok : s < 11 ? in.sched_done_empty : in.sched_done_early)[s] = 1;
  cycle();
  assert_true(m->count[HD_COUNT_CTAS_DONE] == 8);
  assert_true(m->count[HD_COUNT_DONE_EMPTY] == 3);
  assert_true(m->count[HD_COUNT_DONE_EARLY] == 2);
  assert_int_equal(m->status, HD_STATUS_DONE_EMPTY | HD_STATUS_DONE_EARLY);
}

/* Status bits stay until a 1 is written to them. */
TEST_F(test_status_sticky) {
  answer(HD_CODE_REFUSED);
  cycle();
  answer(HD_CODE_NEVER_FITS);
  cycle();
  no_events();
  assert_int_equal(read_word(HD_REG_STATUS), HD_STATUS_REFUSED | HD_STATUS_NEVER_FITS);
  assert_int_equal(write_word(HD_REG_STATUS, HD_STATUS_REFUSED), 0);
  assert_int_equal(read_word(HD_REG_STATUS), HD_STATUS_NEVER_FITS);
  assert_int_equal(write_strb(HD_REG_STATUS, 0xffffffff, 0xe), 0); /* byte 0 is not strobed */
  assert_int_equal(read_word(HD_REG_STATUS), HD_STATUS_NEVER_FITS);
}

/* Set and cleared in one cycle: set. */
TEST_F(test_status_set_wins) {
  answer(HD_CODE_ZERO_DIM);
  cycle();
  answer(HD_CODE_ZERO_DIM);
  write_word(HD_REG_STATUS, 0x3fff);
  assert_int_equal(m->status, HD_STATUS_ZERO_DIM);
  write_word(HD_REG_STATUS, 0x3fff);
  assert_int_equal(m->status, 0);
}

/* Each code of a device launch sets its bit, which is the host's where the host has one. No counter counts it. */
TEST_F(test_device_codes) {
  static const struct {
    uint8_t code, kind;
    uint16_t bit;
  } row[] = {{HD_CODE_ACCEPTED, HD_KIND_KERNEL, 0},
             {HD_CODE_KEPT, HD_KIND_GROUP, 0},
             {HD_CODE_REFUSED, HD_KIND_KERNEL, HD_STATUS_DEV_REFUSED},
             {HD_CODE_REFUSED, HD_KIND_GROUP, HD_STATUS_DEV_REFUSED},
             {HD_CODE_REFUSED, HD_KIND_SAVE, HD_STATUS_SAVE_REFUSED},
             {HD_CODE_ZERO_DIM, HD_KIND_GROUP, HD_STATUS_ZERO_DIM},
             {HD_CODE_OVER_LIMIT, HD_KIND_GROUP, HD_STATUS_OVER_LIMIT},
             {HD_CODE_NEVER_FITS, HD_KIND_KERNEL, HD_STATUS_NEVER_FITS},
             {HD_CODE_UNKNOWN_HWQ, HD_KIND_KERNEL, HD_STATUS_UNKNOWN_HWQ},
             {HD_CODE_EMPTY_SLOT, HD_KIND_SAVE, HD_STATUS_EMPTY_SLOT}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    hd_regs_reset(m);
    in.devq_code = row[i].code;
    in.devq_kind = row[i].kind;
    cycle();
    no_events();
    assert_int_equal(read_word(HD_REG_STATUS), row[i].bit);
    for (unsigned c = 1; c < HD_NUM_COUNTERS; c++) assert_true(m->count[c] == 0);
  }
}

/* Each error of the memory has a bit. */
TEST_F(test_memory_errors) {
  static const unsigned bit[] = {HD_STATUS_MEM_LIST, HD_STATUS_MEM_RECORD, HD_STATUS_MEM_POOL, HD_STATUS_MEM_SUSPEND};
  uint8_t *const error[] = {&in.ovfq_write_fail.valid, &in.ovfq_fetch_fail.valid, &in.pool_events.error,
                            &in.susp_events.error};
  unsigned all = 0;
  for (unsigned k = 0; k < 4; k++) {
    *error[k] = 1;
    cycle();
    no_events();
    all |= bit[k];
    assert_int_equal(m->status, all);
  }
  assert_int_equal(read_word(HD_REG_STATUS), all);
  write_strb(HD_REG_STATUS, 0xffffffff, 0x2); /* they are in byte 1 */
  assert_int_equal(m->status, 0);
}

/* A graph ends: only its counter if without error; otherwise the bit of its code, and GRAPH shows VID and code of the
 * last one, until reset. */
TEST_F(test_graphs) {
  static const uint32_t bit[] = {0,
                                 HD_STATUS_GRAPH_MEMORY,
                                 HD_STATUS_GRAPH_STARTS,
                                 HD_STATUS_GRAPH_LEVEL,
                                 HD_STATUS_GRAPH_EDGE,
                                 HD_STATUS_GRAPH_COUNT,
                                 HD_STATUS_GRAPH_STUCK,
                                 HD_STATUS_GRAPH_DESC};
  assert_int_equal(read_word(HD_REG_GRAPH), 0);
  for (unsigned n = 0; n < 15; n++) {
    const unsigned code = n % 8, vid = code ? 0xfff0 + n : 0;
    const uint32_t was = read_word(HD_REG_GRAPH);
    in.dats_over.valid = 1;
    in.dats_over.result = (struct hd_dgbend){.code = (uint8_t)code, .vid = (uint16_t)vid};
    cycle();
    no_events();
    assert_int_equal(read_word(HD_REG_STATUS), bit[code]);
    assert_int_equal(read_word(HD_REG_GRAPH), code ? code << 16 | vid : was);
    assert_int_equal(read_word(HD_REG_GRAPHS_LO), n + 1);
    write_word(HD_REG_STATUS, 0xffffffff);
    assert_int_equal(read_word(HD_REG_STATUS), 0);
  }
  in.dats_over.result.code = HD_GCODE_EDGE; /* over_valid is 0 */
  cycle();
  no_events();
  assert_int_equal(read_word(HD_REG_STATUS), 0);
  assert_int_equal(write_word(HD_REG_GRAPH, 0), 1);
  assert_int_equal(read_word(HD_REG_GRAPH), 6u << 16 | (0xfff0 + 14));
  hd_regs_reset(m);
  assert_int_equal(read_word(HD_REG_GRAPH), 0);
}

/* It is seen from the next cycle on; a clear in its cycle does not win. */
TEST_F(test_graph_and_clear) {
  in.dats_over.valid = 1;
  in.dats_over.result = (struct hd_dgbend){.code = HD_GCODE_STUCK, .vid = 3};
  write_word(HD_REG_STATUS, 0xffffffff);
  assert_int_equal(read_word(HD_REG_STATUS), HD_STATUS_GRAPH_STUCK);
}

/* Every event of device launches has its counter. */
TEST_F(test_device_events) {
  uint8_t *const event[] = {&in.devq_event[0],
                            &in.devq_event[1],
                            &in.devq_event[2],
                            &in.devq_event[3],
                            &in.devq_event[4],
                            &in.devq_event[5],
                            &in.devq_event[6],
                            &in.match_events.searched,
                            &in.match_events.compared,
                            &in.ovfq_fetch,
                            &in.sched_events.waiting,
                            &in.sched_events.slot_wait,
                            NULL,
                            &in.pool_events.spill,
                            &in.pool_events.refill,
                            &in.susp_events.suspend,
                            &in.susp_events.resume,
                            &in.fcfs_next.valid,
                            &in.laperm_put.valid,
                            &in.spill_back.valid,
                            &in.laperm_inversion,
                            &in.dats_over.valid,
                            &in.dgb_events.pub,
                            &in.dgb_events.early,
                            &in.dgb_events.big};
  const unsigned n = sizeof event / sizeof *event;
  assert_int_equal(HD_COUNT_DEV_KERNELS + n, HD_NUM_COUNTERS);
  for (unsigned k = 0; k < n; k++) {
    for (unsigned t = 0; t <= k; t++) {
      if (event[k])
        *event[k] = 1;
      else
        in.record_done_valid = in.record_done_ready = 1;
      in.laperm_back_ready = 1;
      cycle();
    }
    no_events();
  }
  for (unsigned k = 0; k < n; k++) assert_true(m->count[HD_COUNT_DEV_KERNELS + k] == k + 1);
}

/* A record is returned when it is taken. */
TEST_F(test_record_done_needs_ready) {
  in.record_done_valid = 1;
  cycle();
  assert_true(m->count[HD_COUNT_RECORDS_DONE] == 0);
  in.record_done_ready = 1;
  cycle();
  assert_true(m->count[HD_COUNT_RECORDS_DONE] == 1);
}

TEST_MAIN("regs_events", NULL, NULL)
