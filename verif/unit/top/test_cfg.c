/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The named configurations, number by number, and custom configurations. */
#include "unit/util.h"

static char err[600];

/* The default is the K20c of the papers: 13 SMXs of 16 TBs, 2048 threads, 65536 registers, 48 KB; 32 KDEs and HWQs. */
TEST(test_k20c_is_the_papers_machine) {
  struct hd_cfg c = ut_cfg("k20c");
  assert_string_equal(c.name, "k20c");
  assert_int_equal(c.num_smx, 13);
  assert_int_equal(c.ctas_per_smx, 16);
  assert_int_equal(c.threads_per_smx, 2048);
  assert_int_equal(c.regs_per_smx, 65536);
  assert_int_equal(c.smem_per_smx, 48 * 1024);
  assert_int_equal(c.num_kde, 32);
  assert_int_equal(c.num_hwq, 32);
}

/* Derived values are available as soon as a configuration is found. */
TEST(test_found_is_derived) {
  struct hd_cfg c = ut_cfg("k20c");
  assert_int_equal(c.warps_per_smx, 64);
  assert_int_equal(c.reg_units_per_smx, 256);
  assert_int_equal(c.smem_units_per_smx, 192);
  assert_int_equal(c.smx_w, 4);
  assert_int_equal(c.done_depth, 20);
  assert_int_equal(c.policy_w, 2);
  assert_int_equal(c.live_w, 11); /* up to 13 * 128 */
  assert_int_equal(c.num_counters, HD_NUM_COUNTERS);
}

/* The other configurations: differences from k20c. */
TEST(test_other_columns) {
  struct hd_cfg gtx = ut_cfg("gtx480"), ws = ut_cfg("gtx480ws"), laperm = ut_cfg("k20c-laperm"), tiny = ut_cfg("tiny"),
                big = ut_cfg("big");
  assert_int_equal(gtx.num_smx, 15);
  assert_int_equal(gtx.ctas_per_smx, 8);
  assert_int_equal(gtx.threads_per_smx, 1536);
  assert_int_equal(gtx.reg_unit, 64);
  assert_int_equal(ws.warps_per_smx, 32);
  assert_int_equal(ws.num_smx, 15);
  assert_int_equal(laperm.smem_per_smx, 32 * 1024);
  assert_int_equal(laperm.num_smx, 13);
  assert_int_equal(tiny.num_smx, 2);
  assert_int_equal(tiny.smem_per_smx, 1024);
  assert_int_equal(big.num_smx, 132);
  assert_int_equal(big.smem_per_smx, 228 * 1024);
}

/* Published data of the V100, the A100 and the H100 (docs/configurations.md). */
TEST(test_public_numbers) {
  static const struct {
    const char *name;
    uint32_t num_smx, smem_kb, resident;
  } gpus[] = {{"v100", 80, 96, 2560}, {"a100", 108, 164, 3456}, {"h100", 132, 228, 4224}};
  for (unsigned i = 0; i < 3; i++) {
    const struct hd_cfg c = ut_cfg(gpus[i].name);
    assert_int_equal(c.num_smx, gpus[i].num_smx);
    assert_int_equal(c.smem_per_smx, gpus[i].smem_kb * 1024);
    assert_int_equal(c.resident, gpus[i].resident);
    assert_int_equal(c.ovf_slots, gpus[i].resident + 1);
    assert_true(c.ctas_per_smx == 32 && c.warps_per_smx == 64 && c.regs_per_smx == 65536 && c.reg_unit == 256);
    assert_true(c.num_kde == 128 && c.num_hwq == 32 && c.pool_rows == 2048);
    assert_true(c.grid_xw == 31 && c.grid_yw == 16 && c.grid_zw == 16 && c.cta_xw == 11 && c.cta_zw == 7);
  }
}

/* All named configurations pass the validation that derived ones must pass. */
TEST(test_named_are_valid) {
  assert_true(hd_cfg_table_n >= 5);
  for (unsigned i = 0; i < hd_cfg_table_n; i++) {
    struct hd_cfg found = ut_cfg(hd_cfg_table[i].name), derived = hd_cfg_table[i];
    if (!hd_cfg_derive(&derived, err, sizeof err)) fail_msg("%s: %s", hd_cfg_table[i].name, err);
    assert_memory_equal(&found, &derived, sizeof found);
  }
}

/* An unknown name is rejected and leaves the caller's struct unchanged. */
TEST(test_unknown_name) {
  struct hd_cfg c = ut_cfg("tiny"), before = c;
  assert_false(hd_cfg_find("k20", &c));
  assert_false(hd_cfg_find("", &c));
  assert_memory_equal(&c, &before, sizeof c);
}

/* Configurations of later pages are distinguished from misspelt ones. */
TEST(test_later_names) {
  assert_string_equal(hd_cfg_later("proof"), "the proofs");
  assert_null(hd_cfg_later("k20c"));
  assert_null(hd_cfg_later("gtx481"));
}

/* A parameter is set by its name in configs.csv; deriving follows it. */
TEST(test_set_and_derive) {
  struct hd_cfg c = ut_cfg_with("k20c", "NumSmx", 5);
  assert_int_equal(c.num_smx, 5);
  assert_int_equal(c.smx_w, 3);
  assert_true(hd_cfg_assign(&c, "ThreadsPerSmx=64", err, sizeof err));
  assert_true(hd_cfg_derive(&c, err, sizeof err));
  assert_int_equal(c.warps_per_smx, 2);
  assert_int_equal(c.warps_w, 2);
}

/* The text of a rejected name has the name, the value and the existing names. */
TEST(test_unknown_parameter_text) {
  struct hd_cfg c = ut_cfg("tiny");
  assert_false(hd_cfg_set(&c, "NumSms", 4, err, sizeof err));
  assert_non_null(strstr(err, "NumSms=4"));
  assert_non_null(strstr(err, "NumSmx"));
  assert_false(hd_cfg_assign(&c, "num_smx=4", err, sizeof err));
  assert_non_null(strstr(err, "num_smx=4"));
}

/* A text that is no NAME=number is rejected, and no parameter is set. */
TEST(test_assign_wants_a_number) {
  static const char *const bad[] = {"NumSmx", "NumSmx=", "NumSmx=-1", "NumSmx=4x", "NumSmx=4294967296", "=4", ""};
  struct hd_cfg c = ut_cfg("k20c"), before = c;
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    err[0] = 0;
    assert_false(hd_cfg_assign(&c, bad[i], err, sizeof err));
    assert_true(strlen(err) > 0);
    assert_memory_equal(&c, &before, sizeof c);
  }
}

/* Each limit rejects values beyond it, with the parameter and the value. */
TEST(test_limits) {
  static const char *const bad[] = {
      "NumSmx=0",
      "NumSmx=133",
      "CtasPerSmx=0",
      "CtasPerSmx=33",
      "ThreadsPerSmx=0",
      "ThreadsPerSmx=33",
      "ThreadsPerSmx=96000",
      "RegsPerSmx=1000",
      "RegUnit=128",
      "RegUnit=0",
      "SmemPerSmx=100",
      "SmemPerSmx=262144",
      "NumKde=0",
      "NumKde=129",
      "NumHwq=0",
      "NumHwq=129",
      "HwqDepth=3",
      "HwqDepth=16",
      "Visit=2",
      "DoneSlack=0",
      "DoneSlack=33",
      "RecW=8",
      "LevelW=2",
      "MaxLevel=0",
      "MaxLevel=17",
      "PqDepth=1",
      "PqDepth=129",
      "TagW=17",
      "TagW=0",
      "PcW=65",
      "ExeW=3",
      "ArrivalW=1",
      "ArrivalW=33",
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_cfg c = ut_cfg("k20c");
    assert_true(hd_cfg_assign(&c, bad[i], err, sizeof err));
    if (hd_cfg_derive(&c, err, sizeof err)) fail_msg("%s was accepted", bad[i]);
    if (!strstr(err, bad[i]) || !strstr(err, "accepted")) fail_msg("%s: %s", bad[i], err);
  }
}

/* Both ends of each range are accepted. */
TEST(test_ends_of_the_ranges) {
  static const char *const good[] = {"NumSmx=1",   "NumSmx=132",  "CtasPerSmx=1", "CtasPerSmx=32", "ThreadsPerSmx=32",
                                     "NumKde=1",   "NumKde=128",  "NumHwq=1",     "NumHwq=128",    "HwqDepth=2",
                                     "HwqDepth=8", "Visit=1",     "DoneSlack=1",  "DoneSlack=20",  "RecW=11",
                                     "MaxLevel=1", "MaxLevel=16", "PqDepth=2",    "PqDepth=128"};
  for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
    struct hd_cfg c = ut_cfg("k20c");
    assert_true(hd_cfg_assign(&c, good[i], err, sizeof err));
    if (!hd_cfg_derive(&c, err, sizeof err)) fail_msg("%s: %s", good[i], err);
  }
}

/* Combinations that exceed the port arrays are rejected although each parameter alone is legal. */
TEST(test_port_arrays_bound_the_products) {
  struct hd_cfg c = ut_cfg("big");
  assert_true(hd_cfg_assign(&c, "HwqDepth=8", err, sizeof err));
  assert_false(hd_cfg_derive(&c, err, sizeof err));
  c = ut_cfg("big");
  assert_true(hd_cfg_assign(&c, "DoneSlack=5", err, sizeof err));
  assert_false(hd_cfg_derive(&c, err, sizeof err));
}

/* Error texts are truncated to the size of the buffer. */
TEST(test_error_text_is_bounded) {
  char small[12];
  struct hd_cfg c = ut_cfg("tiny");
  memset(small, 'z', sizeof small);
  assert_false(hd_cfg_set(&c, "Nonsense", 4, small, 8));
  assert_int_equal(strlen(small), 7);
  assert_int_equal(small[8], 'z');
  assert_false(hd_cfg_assign(&c, "NumSmx=x", small, 8));
  assert_int_equal(strlen(small), 7);
  assert_false(hd_cfg_set(&c, "Nonsense", 4, NULL, 0));
}

/* Bits that distinguish n values; a single value still takes one bit, since the RTL has no empty vectors. */
TEST(test_clog2) {
  static const uint32_t want[][2] = {{1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {13, 4}, {128, 7}, {129, 8}, {132, 8}};
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) assert_int_equal(hd_clog2(want[i][0]), want[i][1]);
  assert_int_equal(hd_clog2(UINT32_MAX), 32);
}

TEST_MAIN("cfg", NULL, NULL)
