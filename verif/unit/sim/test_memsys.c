/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory system alone: it has the requested latencies, bandwidths and hit rates, and loses no line. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cache.h"
#include "gpu/memsys.h"
#include "test_list.h"

enum { SMXS = 13 };

static struct hd_memsys *make(const struct hd_memsys_opts *o, uint32_t smxs) {
  char text[200];
  struct hd_memsys *m = hd_memsys_new(o, smxs, text, sizeof text);
  if (m == NULL) fail_msg("%s", text);
  return m;
}

/* Sends one line in cycle `now`. Returns true with the cycle of its data, or false with the cycle of the next
   attempt. */
static bool sends(struct hd_memsys *m, uint32_t smx, uint64_t now, bool store, uint32_t line, uint64_t *cycle) {
  struct hd_memsys_sends s = {.store = store, .free = now};
  const bool sent = hd_memsys_send(m, smx, now, now, &line, 1, &s);
  *cycle = sent ? s.slowest : s.free;
  return sent;
}

static bool loads(struct hd_memsys *m, uint32_t smx, uint64_t now, uint32_t line, uint64_t *cycle) {
  return sends(m, smx, now, false, line, cycle);
}

static bool stores(struct hd_memsys *m, uint32_t smx, uint64_t now, uint32_t line, uint64_t *cycle) {
  return sends(m, smx, now, true, line, cycle);
}

/* Loads a line from cycle *now on, with retries; returns the cycle of its data. */
static uint64_t load(struct hd_memsys *m, uint32_t smx, uint64_t *now, uint32_t line) {
  uint64_t cycle;
  while (!loads(m, smx, *now, line, &cycle)) {
    assert_true(cycle > *now);
    *now = cycle;
  }
  return cycle;
}

/* Each load waits for the previous one, `turns` times over `lines` lines: returns the cycles of the last turn. */
static uint64_t chase(struct hd_memsys *m, uint32_t smx, uint64_t *now, uint32_t lines, uint32_t turns) {
  uint64_t began = *now;
  for (uint32_t t = 0; t < turns; t++) {
    began = *now;
    for (uint32_t k = 0; k < lines; k++) *now = load(m, smx, now, k);
  }
  return *now - began;
}

/* A pointer chase over a range that one level holds takes that level's latency for each line, exactly. */
static void latencies(struct hd_memsys_opts o) {
  const uint32_t lines = o.l1_kb * 8, many = o.l2_kb * 8;
  struct hd_memsys *m = make(&o, 1);
  uint64_t now = 0;
  assert_int_equal(chase(m, 0, &now, lines, 1), (uint64_t)lines * o.dram_latency);
  assert_int_equal(chase(m, 0, &now, lines, 2), (uint64_t)lines * o.l1_latency);
  chase(m, 0, &now, many, 1);
  assert_int_equal(chase(m, 0, &now, many, 2), (uint64_t)many * o.l2_latency);
  assert_int_equal(chase(m, 0, &now, 2 * many, 2), 2 * (uint64_t)many * o.dram_latency);
  hd_memsys_free(m);
}

TEST(test_latencies) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  latencies(o);
  o.l1_latency = 1, o.l2_latency = 33, o.dram_latency = 1001, o.dram_bandwidth = 77, o.port_cycles = 7;
  latencies(o);
}

/* Returns the lines per cycle of all SMXs together when each requests one per cycle, or as soon as it may, in a range
 * of its own: `turns` times over `lines` lines. The first turn does not count if there are several. */
static double stream(const struct hd_memsys_opts *o, uint32_t smxs, uint32_t lines, uint32_t turns) {
  struct hd_memsys *m = make(o, smxs);
  uint64_t again[SMXS] = {0}, done = 0, counted = 0, began = 0, asked = 0;
  uint32_t next[SMXS] = {0};
  const uint32_t total = lines * turns;
  for (uint64_t now = 0; counted < (uint64_t)smxs * total; now++)
    for (uint32_t s = 0; s < smxs; s++) {
      uint64_t cycle;
      if (again[s] > now || next[s] == total) continue;
      bool taken = loads(m, s, now, s * lines + next[s] % lines, &cycle);
      again[s] = taken ? now + 1 : cycle;
      if (!taken) continue;
      next[s]++;
      counted++;
      if (turns > 1 && counted == (uint64_t)smxs * lines) began = now, asked = counted;
      if (cycle > done) done = cycle;
    }
  hd_memsys_free(m);
  return (double)(counted - asked) / (double)(done - began);
}

static void is_near(double is, double should) {
  if (is < 0.97 * should || is > 1.001 * should) fail_msg("%.4f lines a cycle, not %.4f", is, should);
}

/* The narrowest part of the path: DRAM, the parts of the L2, the ports of the SMXs, the MSHRs. */
TEST(test_bandwidth) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  is_near(stream(&o, SMXS, 20000, 1), SMXS * 32.0 / 220); /* Little's law: MSHRs over latency */
  o.mshrs = 64;
  is_near(stream(&o, SMXS, 20000, 1), 295.0 / 128);
  o.dram_bandwidth = 100;
  is_near(stream(&o, SMXS, 20000, 1), 100.0 / 128);
  o = hd_memsys_defaults();
  o.mshrs = 128, o.l1_kb = 32;
  is_near(stream(&o, SMXS, 472, 200), 12 / 4.0); /* all in the L2, nothing in an L1 */
  is_near(stream(&o, 4, 1500, 100), 4 / 4.0);
  o.port_cycles = 8;
  is_near(stream(&o, 4, 1500, 100), 4 / 8.0);
}

/* Share of hits of a level in all turns but the first of a chase over `lines` lines. */
static double hit_rate(uint32_t level, const struct hd_memsys_opts *o, uint32_t lines) {
  struct hd_memsys *m = make(o, 1);
  uint64_t now = 0;
  chase(m, 0, &now, lines, 1);
  struct hd_memsys_counts a = hd_memsys_counts(m, now);
  chase(m, 0, &now, lines, 4);
  struct hd_memsys_counts b = hd_memsys_counts(m, now);
  hd_memsys_free(m);
  return level == 1 ? (double)(b.l1_hits - a.l1_hits) / (double)(b.loads - a.loads)
                    : (double)(b.l2_hits - a.l2_hits) / (double)(b.l2_loads - a.l2_loads);
}

/* Round and round through the least recently used way: a set that holds all of its lines always hits, another never. So
 * of 9/8 of the cache, in 4 ways, half of the sets hit: 4 of 9 lines; in 8 ways all sets have a line too many. */
TEST(test_hit_rates) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  const uint32_t l1 = o.l1_kb * 8, l2 = o.l2_kb * 8;
  assert_true(hit_rate(1, &o, l1 / 2) == 1);
  assert_true(hit_rate(1, &o, l1) == 1);
  assert_true(hit_rate(1, &o, l1 + l1 / 8) == 4.0 / 9);
  assert_true(hit_rate(1, &o, 2 * l1) == 0);
  assert_true(hit_rate(2, &o, l2 / 2) == 1);
  assert_true(hit_rate(2, &o, l2) == 1);
  assert_true(hit_rate(2, &o, l2 + l2 / 16) == 8.0 / 17);
  assert_true(hit_rate(2, &o, 2 * l2) == 0);
}

/* ---- against a reference of lists ---- */

/* Lines by set, the most recently used in front. */
struct lists {
  uint32_t sets, ways, line[64][8], n[64];
};

static bool use(struct lists *l, uint32_t line) {
  uint32_t set = line % l->sets, *at = l->line[set], k = 0;
  while (k < l->n[set] && at[k] != line) k++;
  bool hit = k < l->n[set];
  if (!hit && l->n[set] < l->ways) l->n[set]++;
  if (!hit) k = l->n[set] - 1;
  memmove(at + 1, at, k * sizeof *at);
  at[0] = line;
  return hit;
}

/* One by one: the random lines that hit are those in the reference list of their set. */
TEST(test_lists) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  o.l2_parts = 1, o.l2_kb = 64;
  struct hd_memsys *m = make(&o, 1);
  static struct lists l1, l2;
  l1 = (struct lists){.sets = 32, .ways = 4}, l2 = (struct lists){.sets = 64, .ways = 8};
  uint64_t now = 0, random = 1;
  for (unsigned k = 0; k < 50000; k++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint32_t line = (uint32_t)(random >> 33) % (random >> 60 != 0 ? 160 : 1500);
    uint64_t began = now;
    now = load(m, 0, &now, line);
    uint64_t expected = use(&l1, line) ? o.l1_latency : use(&l2, line) ? o.l2_latency : o.dram_latency;
    assert_int_equal(now - began, expected);
  }
  hd_memsys_free(m);
}

/* ---- no line is lost ---- */

/* Random loads and stores of all SMXs, as fast as they are accepted. Each accepted load is answered once, later; each
 * one is a hit, a merge or a miss; each miss is filled; each miss of the L2 is read. */
static void conserve(const struct hd_memsys_opts *o, uint32_t range) {
  struct hd_memsys *m = make(o, SMXS);
  uint64_t again[SMXS] = {0}, last = 0, taken[2] = {0}, random = 7;
  for (uint64_t now = 0; now < 30000; now++)
    for (uint32_t s = 0; s < SMXS; s++) {
      uint64_t cycle = 0;
      random = random * 6364136223846793005u + 1442695040888963407u;
      if (again[s] > now) continue;
      bool store = random >> 61 == 0;
      uint32_t line = (uint32_t)(random >> 32) % range;
      bool good = store ? stores(m, s, now, line, &cycle) : loads(m, s, now, line, &cycle);
      again[s] = good ? now + 1 : cycle;
      taken[store] += good;
      if (!good || !store) assert_true(cycle > now);
      if (cycle > last) last = cycle;
    }
  struct hd_memsys_counts n = hd_memsys_counts(m, last);
  assert_int_equal(n.loads, taken[0]);
  assert_int_equal(n.stores, taken[1]);
  assert_int_equal(n.l1_hits + n.l1_merged + n.l2_loads, n.loads);
  assert_int_equal(n.filled, n.l2_loads);
  assert_int_equal(n.l2_hits + n.l2_merged + n.dram_reads, n.l2_loads);
  assert_true(n.dram_writes <= n.stores);
  assert_true(n.dram_busy <= n.dram_active + 1);
  assert_true(n.dram_active <= (double)last * o->l2_parts);
  hd_memsys_free(m);
}

TEST(test_conservation) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  conserve(&o, 300);
  conserve(&o, 5000);
  conserve(&o, 1000000);
  o.dram_bandwidth = 10, o.dram_queue = 2, o.merges = 1, o.l1_ways = 1, o.l2_ways = 1, o.stores = 1;
  conserve(&o, 300);
  conserve(&o, 100000);
}

/* ---- limits ---- */

TEST(test_mshrs) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  struct hd_memsys *m = make(&o, 1);
  uint64_t cycle, first = 0;
  for (uint32_t k = 0; k < o.mshrs; k++) {
    assert_true(loads(m, 0, k, k, &cycle));
    if (k == 0) first = cycle;
  }
  assert_false(loads(m, 0, o.mshrs, 100, &cycle)); /* none is free until the first line is there */
  assert_int_equal(cycle, first);
  assert_true(loads(m, 0, o.mshrs, 5, &cycle)); /* a merge needs none */
  assert_true(loads(m, 0, first, 100, &cycle));
  hd_memsys_free(m);
}

TEST(test_merges) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  struct hd_memsys *m = make(&o, 1);
  uint64_t cycle, first = 0;
  for (uint32_t k = 0; k < o.merges; k++) {
    assert_true(loads(m, 0, k, 9, &cycle));
    if (k == 0) first = cycle;
    assert_int_equal(cycle, first);
  }
  assert_false(loads(m, 0, 50, 9, &cycle));
  assert_int_equal(cycle, first);
  assert_true(loads(m, 0, first, 9, &cycle));
  assert_int_equal(cycle, first + o.l1_latency);
  assert_int_equal(hd_memsys_counts(m, cycle).dram_reads, 1);
  hd_memsys_free(m);
}

TEST(test_ways) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  struct hd_memsys *m = make(&o, 1);
  const uint32_t sets = o.l1_kb * 8 / o.l1_ways;
  uint64_t cycle;
  for (uint32_t k = 0; k < o.l1_ways; k++) assert_true(loads(m, 0, k, k * sets, &cycle));
  assert_false(loads(m, 0, 10, 99 * sets, &cycle));
  assert_int_equal(cycle, o.dram_latency);
  assert_int_equal(hd_memsys_counts(m, 10).no_way, 1);
  hd_memsys_free(m);
}

/* A store removes the line from its own L1; a stored line is written to DRAM when the L2 evicts it. */
TEST(test_stores) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  struct hd_memsys *m = make(&o, 1);
  uint64_t cycle, now = load(m, 0, &(uint64_t){0}, 3);
  assert_true(stores(m, 0, now, 3, &cycle));
  now += 100;
  assert_int_equal(load(m, 0, &now, 3), now + o.l2_latency);
  now += 1000;
  for (uint32_t k = 1; k <= o.l2_ways; k++) now = load(m, 0, &now, 3 + k * o.l2_kb * 8 / o.l2_ways);
  assert_int_equal(hd_memsys_counts(m, now).dram_writes, 1);
  assert_int_equal(hd_memsys_counts(m, now).dram_reads, 1 + o.l2_ways);
  hd_memsys_free(m);
}

/* An operation sent in one call equals one call per cycle in which a line is tried. */
TEST(test_operations) {
  enum { OPERATIONS = 20000, WIDTH = 12 };
  struct hd_memsys_opts o = hd_memsys_defaults();
  o.mshrs = o.stores = 3;
  o.merges = 1;
  struct hd_memsys *at_once = make(&o, 2), *one_by_one = make(&o, 2);
  struct hd_memsys_sends a[2] = {0}, b[2] = {0};
  uint32_t x = 1;
  uint64_t now = 0;
  for (uint32_t op = 0; op < OPERATIONS; op++) {
    uint32_t line[WIDTH], smx = op % 2;
    if (smx == 0) now = now + 5 > a[0].free ? now + 5 : a[0].free;
    for (uint32_t k = 0; k < WIDTH; k++) line[k] = (x = x * 1664525 + 1013904223) >> 8 & 0xff;
    a[smx].sent = b[smx].sent = 0;
    a[smx].slowest = b[smx].slowest = 0;
    a[smx].store = b[smx].store = x >> 31;
    if (a[smx].free < now) a[smx].free = b[smx].free = now;
    hd_memsys_ahead(at_once, line, WIDTH);
    assert_true(hd_memsys_send(at_once, smx, now, UINT64_MAX, line, WIDTH, &a[smx]));
    while (!hd_memsys_send(one_by_one, smx, now, b[smx].free, line, WIDTH, &b[smx])) assert_true(b[smx].sent <= WIDTH);
    assert_memory_equal(&a[smx], &b[smx], sizeof a[smx]);
  }
  const struct hd_memsys_counts of_a = hd_memsys_counts(at_once, now);
  const struct hd_memsys_counts of_b = hd_memsys_counts(one_by_one, now);
  assert_memory_equal(&of_a, &of_b, sizeof of_a);
  assert_true(of_a.no_mshr > 0 && of_a.no_merge > 0 && of_a.store_waits > 0);
  hd_memsys_free(at_once);
  hd_memsys_free(one_by_one);
}

/* Returns the lines that an SMX stores in n cycles, each one a new line. */
static uint32_t store_all(const struct hd_memsys_opts *o, uint64_t cycles) {
  struct hd_memsys *m = make(o, 1);
  uint64_t again = 0;
  uint32_t line = 0;
  for (uint64_t now = 0; now < cycles; now++) {
    if (again > now) continue;
    bool taken = stores(m, 0, now, line, &again);
    line += taken;
    if (taken) again = now + 1;
  }
  hd_memsys_free(m);
  return line;
}

/* Stores proceed as fast as the port sends them until the L2 is full, then as fast as DRAM accepts the evictions. Lines
 * that wait in the channels and before the parts are not counted. */
TEST(test_store_bandwidth) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  const uint32_t l2 = o.l2_kb * 8;
  is_near(store_all(&o, 200000) / 200000.0, 1 / 4.0);
  o.dram_bandwidth = 16;
  const uint32_t waits = o.l2_parts * o.dram_queue + o.stores;
  is_near((store_all(&o, 200000) - l2 - waits) / (200000.0 - 4 * l2), 16 / 128.0);
}

static void refused(const struct hd_memsys_opts *o, const char *says) {
  char text[200] = "";
  assert_null(hd_memsys_new(o, 1, text, sizeof text));
  if (strstr(text, says) == NULL) fail_msg("'%s' is not in: %s", says, text);
}

TEST(test_refused) {
  struct hd_memsys_opts o = hd_memsys_defaults();
  o.l1_ways = 3;
  refused(&o, "16 KB is not a whole number of sets of 3 ways");
  o = hd_memsys_defaults(), o.l2_parts = 7;
  refused(&o, "in each of 7 parts");
  o = hd_memsys_defaults(), o.dram_latency = 119;
  refused(&o, "119 from DRAM");
  o = hd_memsys_defaults(), o.port_cycles = 121;
  refused(&o, "121 cycles for a line");
}

TEST_MAIN("memsys", NULL, NULL)
