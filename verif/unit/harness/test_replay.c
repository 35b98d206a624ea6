/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Replay files and the record in memory: written data is read back equal; malformed files are rejected with file, line
 * and field; a damaged file is either read or rejected, never anything else. */
/* clang-format off */
#include "unit/util.h"
#include "unit/temp.h"
/* clang-format on */

#include "engine/block_driver.h"
#include "engine/config.h"
#include "engine/fields.h"
#include "engine/replay.h"
#include "engine/rng.h"

static char err[600];

static const char good_text[] =
    "heddle-replay 1\n"
    "block top\n"
    "config tiny\n"
    "seed 0x5eed\n"
    "test random\n"
    "variant fault\n"
    "fault 27\n"
    "expect MISMATCH 5 dispatch_valid[0]\n"
    "# a comment, then a blank line\n"
    "\n"
    "@0 host_launch_valid=1 host_launch.tag=0x12 dispatch_ready[1]=1\n"
    "@3 host_launch_valid=0 host_launch.desc.pc=0xabcdef0123\n"
    "end 6\n";

/* Random values of every input, changing in about a third of the cycles. */
static struct hd_replay random_replay(const char *block, uint64_t cycles, struct hd_rng *rng) {
  struct hd_replay r = {.seed = hd_rng_next(rng), .fault = 3, .cycles = cycles};
  struct hd_field_list l = {0};
  const struct hd_field_table *t = hd_field_table_find(block);
  snprintf(r.block, sizeof r.block, "%s", block);
  snprintf(r.config, sizeof r.config, "%s", "tiny+NumSmx=3");
  snprintf(r.test, sizeof r.test, "%s", "unit test");
  snprintf(r.variant, sizeof r.variant, "%s", "fault");
  snprintf(r.expect, sizeof r.expect, "%s", "MISMATCH 7 a.b[3]");
  if (!hd_config_parse(r.config, &r.cfg, err, sizeof err)) fail_msg("%s", err);
  t->fill(&r.cfg, &l);
  r.in_size = t->in_size;
  r.in = calloc(cycles, r.in_size);
  assert_non_null(r.in);
  for (uint64_t c = 0; c < cycles; c++) {
    unsigned char *now = r.in + c * r.in_size;
    if (c) memcpy(now, now - r.in_size, r.in_size);
    for (unsigned k = 0; hd_rng_p(rng, 85) && k < l.fields; k++)
      for (unsigned i = 0; l.field[k].kind == HD_FIELD_IN && i < l.field[k].count; i++)
        if (hd_rng_p(rng, 128)) hd_field_set(&l.field[k], now, i, 0, hd_rng_bits(rng, l.field[k].width));
  }
  hd_field_list_free(&l);
  return r;
}

static void assert_equal(const struct hd_replay *a, const struct hd_replay *b) {
  assert_string_equal(a->block, b->block);
  assert_string_equal(a->config, b->config);
  assert_string_equal(a->test, b->test);
  assert_string_equal(a->variant, b->variant);
  assert_string_equal(a->expect, b->expect);
  assert_int_equal(a->seed, b->seed);
  assert_int_equal(a->fault, b->fault);
  assert_memory_equal(&a->cfg, &b->cfg, sizeof a->cfg);
  assert_int_equal(a->cycles, b->cycles);
  assert_int_equal(a->in_size, b->in_size);
  assert_memory_equal(a->in, b->in, a->cycles * a->in_size);
}

/* All inputs of every block, in full width, survive the way through a file. */
TEST(test_round_trip) {
  struct hd_rng rng = {1};
  char path[600], tmp[620];
  snprintf(path, sizeof path, "%s/round.replay", temp_dir);
  snprintf(tmp, sizeof tmp, "%s.tmp", path);
  for (const struct hd_field_table *t = hd_field_tables; t->block; t++) {
    struct hd_replay a = random_replay(t->block, 1 + hd_rng_below(&rng, 200), &rng), b;
    if (!hd_replay_write(path, &a, err, sizeof err)) fail_msg("%s", err);
    assert_int_equal(access(tmp, F_OK), -1);
    if (!hd_replay_read(path, &b, err, sizeof err)) fail_msg("%s", err);
    assert_equal(&a, &b);
    hd_replay_free(&a);
    hd_replay_free(&b);
  }
}

/* The text of the format's description is read as described. */
TEST(test_meaning) {
  struct hd_replay r;
  struct hd_field_list l = {0};
  if (!hd_replay_read(temp_text("a.replay", good_text), &r, err, sizeof err)) fail_msg("%s", err);
  hd_field_table_find("top")->fill(&r.cfg, &l);
  const struct hd_field *valid = hd_field_find(&l, HD_FIELD_IN, "host_launch_valid"),
                        *tag = hd_field_find(&l, HD_FIELD_IN, "host_launch.tag"),
                        *ready = hd_field_find(&l, HD_FIELD_IN, "dispatch_ready");
  assert_int_equal(r.cycles, 6);
  assert_int_equal(r.seed, 0x5eed);
  assert_int_equal(r.fault, 27);
  assert_string_equal(r.variant, "fault");
  assert_string_equal(r.expect, "MISMATCH 5 dispatch_valid[0]");
  for (unsigned c = 0; c < 6; c++) {
    const unsigned char *in = r.in + c * r.in_size;
    assert_int_equal(hd_field_get(valid, in, 0, 0), c < 3);
    assert_int_equal(hd_field_get(tag, in, 0, 0), 0x12);
    assert_int_equal(hd_field_get(ready, in, 0, 0), 0);
    assert_int_equal(hd_field_get(ready, in, 1, 0), 1);
  }
  hd_field_list_free(&l);
  hd_replay_free(&r);
}

/* The valid text with its first `old` replaced is rejected; the message begins with FILE:LINE: FIELD: and contains
 * `what`. */
static void is_bad(const char *old, const char *new, unsigned line, const char *field, const char *what) {
  char text[2000], start[700];
  struct hd_replay r;
  const char *at = strstr(good_text, old);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good_text), good_text, new, at + strlen(old));
  const char *path = temp_text("bad.replay", text);
  if (hd_replay_read(path, &r, err, sizeof err)) fail_msg("'%s' was accepted", new);
  snprintf(start, sizeof start, "%s:%u: %s: ", path, line, field);
  if (strncmp(err, start, strlen(start)) || !strstr(err, what) || !strstr(err, "; accepted: "))
    fail_msg("'%s': '%s' should begin with '%s' and say '%s'", new, err, start, what);
  assert_null(r.in);
}

TEST(test_bad_header) {
  is_bad("heddle-replay 1", "heddle-replay 2", 1, "version", "not a replay of this version");
  is_bad("heddle-replay 1\n", "", 1, "version", "not a replay of this version");
  is_bad("heddle-replay 1",
         "\x7f"
         "ELF",
         1, "version", "heddle-replay 1");
  is_bad("block top", "block weaver", 2, "block", "no such block");
  is_bad("block top", "block", 2, "block", "no value");
  is_bad("block top\n", "", 10, "@0", "no block or no config");
  is_bad("config tiny\n", "", 10, "@0", "no block or no config");
  is_bad("config tiny", "config huge", 3, "config", "no configuration 'huge'");
  is_bad("config tiny", "config tiny+NumSmx=0", 3, "config", "NumSmx");
  is_bad("config tiny", "config proof", 3, "config", "proof");
  is_bad("seed 0x5eed", "seed 0x", 4, "seed", "bad value");
  is_bad("seed 0x5eed", "seed -1", 4, "seed", "bad value");
  is_bad("seed 0x5eed", "seed 99999999999999999999", 4, "seed", "bad value");
  is_bad("seed 0x5eed", "seed 5 6", 4, "seed", "bad value");
  is_bad("test random\n", "test random\ntest random\n", 6, "test", "a repeated word");
  is_bad("test random", "test aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 5, "test",
         "bad length");
  is_bad("variant fault", "variant gates", 6, "variant", "no such build");
  is_bad("fault 27", "fault twentyseven", 7, "fault", "bad value");
  is_bad("fault 27", "fault 4294967323", 7, "fault", "bad value");
  is_bad("expect", "expects", 8, "expects", "unknown word");
}

TEST(test_bad_inputs) {
  is_bad("host_launch.tag", "host_launch.tug", 11, "host_launch.tug", "no such input");
  is_bad("host_launch.tag", "host_launch", 11, "host_launch", "no such input");
  is_bad("host_launch.tag", "host_answer_valid", 11, "host_answer_valid", "no such input");
  is_bad("host_launch.tag=0x12", "host_launch.tag", 11, "host_launch.tag", "no value");
  is_bad("host_launch.tag=0x12", "=1", 11, "", "no such input");
  is_bad("tag=0x12", "tag=", 11, "host_launch.tag", "bad value; accepted: a number of 16 bits");
  is_bad("tag=0x12", "tag=0x10000", 11, "host_launch.tag", "bad value");
  is_bad("tag=0x12", "tag=1two", 11, "host_launch.tag", "bad value");
  is_bad("tag=0x12", "tag=-1", 11, "host_launch.tag", "bad value");
  is_bad("dispatch_ready[1]", "dispatch_ready", 11, "dispatch_ready", "bad index; accepted: an index [0] to [1]");
  is_bad("dispatch_ready[1]", "dispatch_ready[2]", 11, "dispatch_ready[2]", "bad index");
  is_bad("dispatch_ready[1]", "dispatch_ready[-1]", 11, "dispatch_ready[-1]", "bad index");
  is_bad("dispatch_ready[1]", "dispatch_ready[4294967296]", 11, "dispatch_ready[4294967296]", "bad index");
  is_bad("dispatch_ready[1]", "dispatch_ready[]", 11, "dispatch_ready[]", "bad index");
  is_bad("dispatch_ready[1]", "dispatch_ready[1", 11, "dispatch_ready[1", "no such input");
  is_bad("dispatch_ready[1]", "dispatch[1]_ready", 11, "dispatch[1]_ready", "bad index");
  is_bad("host_launch.tag", "host_launch.tag[0]", 11, "host_launch.tag[0]", "bad index; accepted: no index");
  is_bad("pc=0xabcdef0123", "pc=0x1abcdef0123", 12, "host_launch.desc.pc", "a number of 40 bits");
}

TEST(test_bad_order) {
  is_bad("@3", "@0", 12, "@0", "not after the cycle of the line before");
  is_bad("@3", "@", 12, "@", "bad cycle");
  is_bad("@3", "@x", 12, "@x", "bad cycle");
  is_bad("@3", "@100000001", 12, "@100000001", "bad cycle");
  is_bad("@3", "@99999999", 12, "cycle", "too long");
  is_bad("@3", "block kd\n@3", 12, "block", "in a wrong place");
  is_bad("end 6", "end 3", 13, "end", "bad number of cycles");
  is_bad("end 6", "end", 13, "end", "bad number of cycles");
  is_bad("end 6", "end6", 13, "end", "bad number of cycles");
  is_bad("end 6", "end 99999999", 13, "cycle", "too long");
  is_bad("end 6", "end 6\n@7", 14, "@7", "text after the end");
  is_bad("end 6\n", "", 12, "end", "the file ends without it");
  is_bad("end 6\n", "end 6", 13, "line", "the file ends within it");
  is_bad("@3 host_launch_valid=0 host_launch.desc.pc=0xabcdef0123\nend 6\n", "@3 host_la", 12, "line",
         "ends within it");
}

/* A missing file, an empty one, one with a byte 0, and a folder are all rejected. */
TEST(test_no_text) {
  struct hd_replay r;
  char path[600], bytes[sizeof good_text];
  snprintf(path, sizeof path, "%s/none.replay", temp_dir);
  assert_false(hd_replay_read(path, &r, err, sizeof err));
  assert_non_null(strstr(err, "none.replay: No such file"));
  assert_false(hd_replay_read(temp_text("empty.replay", ""), &r, err, sizeof err));
  assert_non_null(strstr(err, "empty.replay:1: version: "));
  assert_false(hd_replay_read(temp_dir, &r, err, sizeof err));
  memcpy(bytes, good_text, sizeof bytes);
  bytes[20] = 0;
  assert_false(hd_replay_read(temp_bytes("zero.replay", bytes, sizeof bytes - 1), &r, err, sizeof err));
  assert_non_null(strstr(err, "zero.replay:2: line: it contains a byte 0"));
  struct hd_rng rng = {2};
  struct hd_replay w = random_replay("kd", 4, &rng);
  snprintf(path, sizeof path, "%s/no/such/folder.replay", temp_dir);
  assert_false(hd_replay_write(path, &w, err, sizeof err));
  assert_non_null(strstr(err, "folder.replay: No such file"));
  hd_replay_free(&w);
}

/* Random damage to a valid file is read or rejected, never anything else (checked by the sanitizers). */
TEST(test_damage) {
  struct hd_rng rng = {3};
  unsigned read = 0;
  for (unsigned round = 0; round < 6000; round++) {
    char text[sizeof good_text];
    size_t n = sizeof good_text - 1;
    memcpy(text, good_text, n);
    for (unsigned i = 0; i <= round % 3; i++)
      text[hd_rng_below(&rng, (uint32_t)n)] = (char)hd_rng_below(&rng, round % 2 ? 256 : 128);
    if (round % 7 == 0) text[hd_rng_below(&rng, (uint32_t)n)] = '\n';
    if (round % 5 == 0) n = hd_rng_below(&rng, (uint32_t)n);
    struct hd_replay r;
    err[0] = 0;
    bool ok = hd_replay_read(temp_bytes("damage.replay", text, n), &r, err, sizeof err);
    read += ok;
    assert_true(ok == (err[0] == 0));
    assert_true(ok == (r.in != NULL));
    if (!ok && !strstr(err, "damage.replay:")) fail_msg("no file in '%s'", err);
    if (!ok && !strstr(err, "; accepted: ")) fail_msg("nothing accepted in '%s'", err);
    hd_replay_free(&r);
  }
  assert_in_range(read, 100, 5000); /* damage to a comment or a value is none; most other damage is */
}

/* The record in memory keeps every input of every cycle, for each way of reading it. */
TEST(test_record) {
  struct hd_rng rng = {4};
  enum { CYCLES = 300 };
  struct hd_replay r = random_replay("top", CYCLES, &rng);
  struct hd_field_list l = {0};
  hd_field_table_find("top")->fill(&r.cfg, &l);
  struct hd_record *record = hd_record_new(r.in_size, &l);
  hd_field_list_free(&l);
  for (unsigned round = 0; round < 2; round++) {
    hd_record_clear(record);
    for (uint64_t c = 0; c < CYCLES; c++) hd_record_add(record, r.in + c * r.in_size);
    assert_int_equal(hd_record_cycles(record), CYCLES);
    unsigned char *all = hd_record_expand(record), *now = calloc(1, r.in_size);
    assert_memory_equal(all, r.in, CYCLES * r.in_size);
    size_t at = 0;
    for (uint64_t c = 0; c < CYCLES; c++) {
      hd_record_play(record, &at, now);
      assert_memory_equal(now, r.in + c * r.in_size, r.in_size);
    }
    free(all);
    free(now);
  }
  hd_record_free(record);
  hd_replay_free(&r);
}

TEST_MAIN("replay", temp_setup, temp_teardown)
