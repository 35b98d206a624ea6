/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The check of the idle plane: when the plane must make progress and does not, and when the rules of the end are
 * judged. The test plays the plane. */
#include "env/common/clients.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_rest.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static void *rest;
static struct hd_top_in in;
static struct hd_top_out out;

static const char *cycle(void) {
  out.awsize = out.arsize = 4;
  out.awburst = out.arburst = out.bready = out.rready = 1;
  const char *rule = hd_plane_rest_watch(rest, 0, &in, &out);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  return rule;
}

/* Cycles in which no port moves. */
static void wait(unsigned cycles) {
  while (cycles--) assert_null(cycle());
}

static const char *read_status(uint32_t status) {
  in.psel = 1;
  in.paddr = HD_REG_STATUS;
  assert_null(cycle());
  in.psel = in.penable = 1;
  in.paddr = HD_REG_STATUS;
  out.prdata = status;
  return cycle();
}

static void write_register(unsigned addr, uint32_t value) {
  for (unsigned access = 0; access < 2; access++) {
    in.psel = in.pwrite = 1;
    in.penable = (uint8_t)access;
    in.paddr = (uint16_t)addr;
    in.pwdata = value;
    in.pstrb = 15;
    assert_null(cycle());
  }
}

/* The memory owes a beat from now on: rule 18 of the oracle, which triggers earlier, does not count such cycles.
 * Returns the cycles that this takes, in which no client's port moves. */
static unsigned memory_owes(void) {
  write_register(HD_REG_REC_BASE, 1);
  write_register(HD_REG_REC_COUNT, 16);
  out.arvalid = in.arready = 1;
  out.arid = HD_CLIENT_OVFQ;
  out.araddr = 256;
  assert_null(cycle());
  return 5;
}

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  rest = ut_new(hd_plane_rest_size(&cfg));
  hd_plane_rest_init(rest, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(rest);
  return 0;
}

static struct hd_launch launch;

static void host_launches(void) {
  launch = ut_launch(0, 1);
  launch.ctas = 1;
  in.host_launch = launch;
  in.host_launch_valid = out.host_launch_ready = 1;
  assert_null(cycle());
}

static void host_is_answered(void) {
  out.host_answer_valid = in.host_answer_ready = 1;
  out.host_answer = (struct hd_answer){.tag = launch.tag, .code = HD_CODE_ACCEPTED};
  assert_null(cycle());
}

static void tb_begins(void) {
  out.enter_valid = 1;
  out.enter_param = launch.desc.param;
  assert_null(cycle());
  out.dispatch_valid[0] = in.dispatch_ready[0] = 1;
  out.dispatch[0] = (struct hd_dispatch){.desc = launch.desc};
  assert_null(cycle());
}

static void tb_ends(void) {
  in.cta_done_valid[0] = 1;
  assert_null(cycle());
}

static void kernel_is_done(void) {
  out.kernel_done_valid = in.kernel_done_ready = 1;
  out.kernel_done.tag = launch.tag;
  assert_null(cycle());
}

/* `cycles` cycles without activity, then one more, after which the plane must be reported stuck in this way. */
static void stuck_after(unsigned cycles, const char *waits) {
  wait(cycles - 1);
  assert_null(hd_plane_rest_stuck(rest));
  wait(1);
  assert_non_null(hd_plane_rest_stuck(rest));
  assert_string_equal(hd_plane_rest_stuck(rest), waits);
}

TEST_F(nothing_to_do_is_not_stuck) {
  wait(2 * HD_PLANE_PATIENCE);
  assert_null(hd_plane_rest_stuck(rest));
}

TEST_F(an_answer_is_owed) {
  memory_owes();
  host_launches();
  stuck_after(HD_PLANE_PATIENCE, "an answer is missing");
}

TEST_F(a_launch_is_offered) {
  for (unsigned k = memory_owes(); k < HD_PLANE_PATIENCE; k++) {
    assert_null(hd_plane_rest_stuck(rest));
    in.dev_launch_valid[1] = 1;
    assert_null(cycle());
  }
  assert_string_equal(hd_plane_rest_stuck(rest), "a launch is not accepted");
}

/* Each step restarts the wait; while the TB runs it is the SMX that has to act. */
TEST_F(a_kernel_that_does_not_end) {
  memory_owes();
  host_launches();
  host_is_answered();
  wait(HD_PLANE_PATIENCE - 1);
  tb_begins();
  wait(2 * HD_PLANE_PATIENCE);
  assert_null(hd_plane_rest_stuck(rest));
  tb_ends();
  stuck_after(HD_PLANE_PATIENCE, "rule 12: a kernel was lost");
  kernel_is_done();
  wait(2 * HD_PLANE_PATIENCE);
  assert_null(hd_plane_rest_stuck(rest));
}

/* The plane waits for a client that does not accept its offers. */
TEST_F(what_is_offered_is_not_its_fault) {
  host_launches();
  host_is_answered();
  tb_begins();
  tb_ends();
  for (unsigned k = 0; k < 2 * HD_PLANE_PATIENCE; k++) {
    out.kernel_done_valid = 1;
    out.kernel_done.tag = launch.tag;
    assert_null(cycle());
    assert_null(hd_plane_rest_stuck(rest));
  }
}

/* A bad completion, APB and memory are no progress. */
TEST_F(noise_is_no_progress) {
  memory_owes();
  host_launches();
  for (unsigned k = 0; k < HD_PLANE_PATIENCE; k++) {
    assert_null(hd_plane_rest_stuck(rest));
    in.cta_done_valid[0] = 1;
    in.psel = 1;
    assert_null(cycle());
  }
  assert_non_null(hd_plane_rest_stuck(rest));
}

TEST_F(the_end_is_judged_at_rest) {
  const uint32_t error = HD_STATUS_MEM_RECORD;
  wait(HD_PLANE_REST - 3); /* and two of the read itself */
  assert_null(read_status(error));
  assert_false(hd_plane_rest_over(rest));
  assert_null(read_status(HD_STATUS_REFUSED));
  assert_true(hd_plane_rest_over(rest));
  assert_string_equal(read_status(error), "rule 12: STATUS shows an error of the memory that did not occur");
  memory_owes();
  host_launches();
  assert_false(hd_plane_rest_over(rest));
  wait(HD_PLANE_REST);
  assert_null(read_status(error)); /* work is pending */
  assert_false(hd_plane_rest_over(rest));
}

TEST_F(a_status_that_was_written_is_not_judged) {
  write_register(HD_REG_STATUS, 0);
  wait(HD_PLANE_REST);
  assert_null(read_status(HD_STATUS_MEM_RECORD));
  assert_true(hd_plane_rest_over(rest));
}

/* After a TB that ends too early the oracle is silent, here about a kernel_done without a kernel; the host's kernels
 * must end all the same. */
TEST_F(a_broken_contract) {
  for (unsigned breaks = 0; breaks < 2; breaks++) {
    hd_plane_rest_init(rest, &cfg);
    host_launches();
    host_is_answered();
    tb_begins();
    if (breaks) in.dev_launch_valid[0] = 1; /* offered, and the TB ends */
    tb_ends();
    out.kernel_done_valid = in.kernel_done_ready = 1;
    out.kernel_done.tag = (uint16_t)(launch.tag + 1);
    assert_true((cycle() == NULL) == (breaks > 0));
  }
  hd_plane_rest_init(rest, &cfg);
  host_launches();
  host_is_answered();
  tb_begins();
  in.dev_launch_valid[0] = 1;
  tb_ends();
  stuck_after(HD_PLANE_PATIENCE, "a kernel does not complete");
}

/* A region that is rewritten while a TB runs must be refused (rule 11); not before or after that. */
TEST_F(a_region_written_again) {
  for (unsigned when = 0; when < 3; when++) {
    hd_plane_rest_init(rest, &cfg);
    if (when > 0) host_launches(), host_is_answered(), tb_begins();
    if (when > 1) tb_ends(), kernel_is_done();
    for (unsigned refused = 2; refused-- > 0;) {
      for (unsigned access = 0; access < 2; access++) {
        in.psel = in.pwrite = 1;
        in.penable = (uint8_t)access;
        in.paddr = HD_REG_DEV_COUNT;
        out.pslverr = access && refused;
        bool fails = access && !refused && when == 1;
        assert_true((cycle() != NULL) == fails);
      }
    }
  }
}

TEST_MAIN("plane_rest", NULL, NULL)
