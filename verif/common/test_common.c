/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Checks the small parts of rtl/common, in all sizes of hd_common_tb, against plain C: choices for every input, queues
 * until every state has seen every legal action, and assertions by breaking the rules. */
#include "common_tb.h"
#include "unit/util.h"

enum { MAX = 13, CYCLES = 60000 };

static void *tb;
static uint64_t seed;

static int setup(void **state) {
  (void)state;
  seed = 0x9e3779b97f4a7c15u;
  tb = common_open(1);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  common_close(tb);
  return 0;
}

static unsigned slot_of(enum common_part part, unsigned k) {
  return (unsigned)part * COMMON_SIZES + k;
}
static unsigned size_of(unsigned slot) {
  return (unsigned)(common_eval(tb, slot, 0) >> 56);
}

/* The size in the top byte is not an output; it is masked in compares. */
static void expect(uint64_t out, uint64_t want, unsigned n, const char *what) {
  out &= 0x00ffffffffffffffu;
  if (out != want)
    fail_msg("%s of size %u: outputs %llx, expected %llx", what, n, (unsigned long long)out, (unsigned long long)want);
}

/* The lowest set bit, for every input. */
TEST_F(test_find_first) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    unsigned slot = slot_of(COMMON_FIRST, k), n = size_of(slot);
    for (uint64_t req = 0; req < 1u << n; req++) {
      unsigned i = 0;
      while (i < n && !(req >> i & 1)) i++;
      uint64_t want = i < n ? 1u << 24 | i << 16 | 1u << i : 0;
      expect(common_eval(tb, slot, req), want, n, "hd_find_first");
    }
  }
}

/* The first requester at or after the pointer, for every input and every pointer. */
TEST_F(test_rr_arb) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    unsigned slot = slot_of(COMMON_ARB, k), n = size_of(slot);
    for (uint64_t req = 0; req < 1u << n; req++)
      for (unsigned ptr = 0; ptr < n; ptr++) {
        unsigned i = ptr, tries = 0;
        while (tries < n && !(req >> i & 1)) i = (i + 1) % n, tries++;
        uint64_t out = common_eval(tb, slot, req | ptr << 16);
        if (tries == n) /* no request: next is don't care */
          expect(out & ~(0xfull << 20), 0, n, "hd_rr_arb");
        else
          expect(out, 1u << 24 | ((i + 1) % n) << 20 | i << 16 | 1u << i, n, "hd_rr_arb");
      }
  }
}

/* Checks order, full and empty; data without a push (hd_fifo, hd_fifo_ram) is ignored. At the end every fill level at
 * every position of the ring has seen every legal action. */
static void fifo(unsigned slot, unsigned depth) {
  unsigned n = size_of(slot), queue[MAX], count = 0, first = 0, missing = 0;
  bool seen[MAX][MAX + 1][4] = {{{0}}};
  for (unsigned c = 0; c < CYCLES; c++) {
    bool push = count < depth && ut_below(&seed, 2), pop = count && ut_below(&seed, 2);
    bool write = push || (count < depth && ut_below(&seed, 2));
    unsigned data = ut_rand(&seed) & ((1u << n) - 1);
    uint64_t in = data | (uint64_t)push << 16 | (uint64_t)pop << 17 | (uint64_t)write << 18;
    uint64_t out = common_eval(tb, slot, in);
    expect(out, (count ? queue[0] : 0) | (uint64_t)(count == depth) << 16 | (uint64_t)(count == 0) << 17, n, "queue");
    seen[first][count][2 * push + pop] = true;
    if (pop) memmove(queue, queue + 1, (MAX - 1) * sizeof *queue), count--, first = (first + 1) % depth;
    if (push) queue[count++] = data;
    common_edge(tb);
  }
  for (unsigned f = 0; f < depth; f++)
    for (unsigned i = 0; i <= depth; i++)
      for (unsigned a = 0; a < 4; a++) {
        bool legal = !(a / 2 && i == depth) && !(a % 2 && i == 0);
        missing += legal && !seen[f][i][a];
      }
  assert_int_equal(missing, 0);
}

TEST_F(test_fifo) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    fifo(slot_of(COMMON_FIFO, k), size_of(slot_of(COMMON_FIFO, k)));
    fifo(slot_of(COMMON_FIFO_RAM, k), size_of(slot_of(COMMON_FIFO_RAM, k)));
    fifo(slot_of(COMMON_PAIR, k), 2);
  }
}

/* Indices are 0, 1, 2 .. at first, then in the order of return. At the end every number of free indices has seen every
   legal action. */
static void free_list(unsigned slot) {
  unsigned n = size_of(slot), avail[MAX], count = n, held[MAX] = {0}, holds = 0, missing = 0;
  bool seen[MAX + 1][4] = {{0}};
  for (unsigned i = 0; i < n; i++) avail[i] = i;
  for (unsigned c = 0; c < CYCLES; c++) {
    bool pop = count && ut_below(&seed, 2), push = holds && ut_below(&seed, 2);
    unsigned at = push ? ut_below(&seed, holds) : 0, back = push ? held[at] : 0;
    uint64_t out = common_eval(tb, slot, (uint64_t)pop | (uint64_t)push << 1 | back << 4);
    expect(out, (count ? avail[0] : 0) | (uint64_t)(count > 0) << 4, n, "hd_free_list");
    seen[count][2 * push + pop] = true;
    if (push) held[at] = held[--holds];
    if (pop) held[holds++] = avail[0], memmove(avail, avail + 1, (MAX - 1) * sizeof *avail), count--;
    if (push) avail[count++] = back;
    common_edge(tb);
  }
  for (unsigned i = 0; i <= n; i++)
    for (unsigned a = 0; a < 4; a++) missing += !(a / 2 && i == n) && !(a % 2 && i == 0) && !seen[i][a];
  assert_int_equal(missing, 0);
}

TEST_F(test_free_list) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) free_list(slot_of(COMMON_LIST, k));
}

/* Rows keep their data, and the output holds without a read. At the end every pair of rows was read and written in the
 * same cycle. */
static void ram(unsigned slot, const char *what) {
  unsigned n = size_of(slot), row[MAX], rdata = 0, missing = 0;
  bool both[MAX][MAX] = {{0}}, known = false;
  for (unsigned c = 0; c < CYCLES; c++) {
    bool fill = c < n; /* first write every row: the initial contents are random */
    unsigned waddr = fill ? c : ut_below(&seed, n), raddr = ut_below(&seed, n),
             wdata = ut_rand(&seed) & ((1u << n) - 1);
    bool we = fill || ut_below(&seed, 2), re = !fill && ut_below(&seed, 2) && !(we && waddr == raddr);
    uint64_t in = wdata | (uint64_t)we << 16 | (uint64_t)re << 17 | (uint64_t)waddr << 20 | (uint64_t)raddr << 24;
    uint64_t out = common_eval(tb, slot, in);
    if (known) expect(out, rdata, n, what);
    if (re) rdata = row[raddr], known = true;
    if (we) row[waddr] = wdata;
    if (we && re) both[waddr][raddr] = true;
    common_edge(tb);
  }
  for (unsigned w = 0; w < n; w++)
    for (unsigned r = 0; r < n; r++) missing += w != r && !both[w][r];
  assert_true(known);
  assert_int_equal(missing, 0);
}

TEST_F(test_ram) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    ram(slot_of(COMMON_RAM, k), "hd_ram_1r1w");
    ram(slot_of(COMMON_BANKS, k), "hd_ram_banks");
  }
}

/* Reading a row in the cycle in which it is written does not return its old content. */
TEST_F(test_conflict) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    unsigned slot = slot_of(COMMON_RAM, k), n = size_of(slot), mask = (1u << n) - 1, old = 0x1555 & mask;
    void *t = common_open(7);
    common_eval(t, slot, old | 1u << 16);
    common_edge(t);
    common_eval(t, slot, 1u << 16 | 1u << 17);
    common_edge(t);
    assert_int_equal(common_eval(t, slot, 0) & 0xffff, ~old & mask);
    common_close(t);
  }
}

/* Sets the bit of the index, for every input; none beyond the size. */
TEST_F(test_onehot) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    unsigned slot = slot_of(COMMON_ONEHOT, k), n = size_of(slot);
    for (uint64_t in = 0; in < 32; in++) {
      unsigned index = in & 15;
      expect(common_eval(tb, slot, in), in >> 4 && index < n ? 1u << index : 0, n, "hd_onehot");
    }
  }
}

/* Every number with its neighbours, with the numbers that differ in one bit, and with some others. */
TEST_F(test_follows) {
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    unsigned slot = slot_of(COMMON_FOLLOWS, k), n = size_of(slot), mask = (1u << n) - 1;
    for (unsigned a = 0; a <= mask; a++)
      for (unsigned i = 0; i < 3 + 2 * n; i++) {
        unsigned b = i < 3 ? a + i : i < 3 + n ? (a + 1) ^ 1u << (i - 3) : (a + 1) * (2 * i + 1);
        b &= mask;
        expect(common_eval(tb, slot, a | (uint64_t)b << 16), b == ((a + 1) & mask), n, "hd_follows");
      }
  }
}

/* No assertion failed in the tests so far. */
TEST_F(test_quiet) {
  for (unsigned part = 0; part < COMMON_PARTS; part++)
    for (unsigned k = 0; k < COMMON_SIZES; k++) {
      unsigned slot = slot_of(part, k);
      if (part == COMMON_FIFO || part == COMMON_FIFO_RAM) fifo(slot, size_of(slot));
      if (part == COMMON_PAIR) fifo(slot, 2);
      if (part == COMMON_LIST) free_list(slot);
      if (part == COMMON_RAM || part == COMMON_BANKS) ram(slot, "RAM");
      assert_false(common_failed(tb));
      teardown(NULL);
      tb = common_open(2 + slot); /* other initial values */
    }
}

/* Applies inputs one cycle after the other to a new instance; some assertion must fail in the last cycle, and none
 * before. */
static void expect_assertion(unsigned slot, const uint64_t *in, unsigned cycles) {
  void *t = common_open(7);
  for (unsigned c = 0; c < cycles; c++) {
    if (common_failed(t)) fail_msg("slot %u: an assertion failed in cycle %u already", slot, c);
    common_eval(t, slot, in[c]);
    common_edge(t);
  }
  common_eval(t, slot, 0);
  if (!common_failed(t)) fail_msg("slot %u: no assertion failed", slot);
  common_close(t);
}

static const uint64_t push1 = 1u << 16, pop1 = 1u << 17, write1 = 1u << 18, take = 1, give = 2;

/* The assertions detect each misuse of a part. */
TEST_F(test_misuse) {
  uint64_t full[MAX + 1];
  for (unsigned k = 0; k < COMMON_SIZES; k++) {
    unsigned n = size_of(slot_of(COMMON_FIFO, k));
    static const enum common_part fifos[] = {COMMON_FIFO, COMMON_FIFO_RAM};
    for (unsigned f = 0; f < 2; f++) {
      const unsigned slot = slot_of(fifos[f], k);
      for (unsigned i = 0; i <= MAX; i++) full[i] = push1 | write1;
      expect_assertion(slot, full, n + 1);
      full[n] = write1;
      expect_assertion(slot, full, n + 1);
      full[n] = push1 | write1;
      expect_assertion(slot, &push1, 1);
      expect_assertion(slot, &pop1, 1);
    }
    expect_assertion(slot_of(COMMON_PAIR, k), full, 3);
    expect_assertion(slot_of(COMMON_PAIR, k), &pop1, 1);
    for (unsigned i = 0; i <= n; i++) full[i] = take;
    expect_assertion(slot_of(COMMON_LIST, k), full, n + 1);
    expect_assertion(slot_of(COMMON_LIST, k), &give, 1);
    uint64_t conflict = push1 | pop1 | (n - 1) << 20 | (n - 1) << 24;
    expect_assertion(slot_of(COMMON_RAM, k), &conflict, 1);
    if (!(n & (n - 1))) continue; /* addresses beyond the last row exist */
    uint64_t beyond[2] = {push1 | n << 20, pop1 | n << 24};
    expect_assertion(slot_of(COMMON_RAM, k), &beyond[0], 1);
    expect_assertion(slot_of(COMMON_RAM, k), &beyond[1], 1);
  }
}

/* Prints the sizes that the other tests used, among them one and numbers that are no power of two. */
TEST_F(test_sizes) {
  static const unsigned want[COMMON_SIZES] = {1, 2, 3, 5, 8, 13};
  for (unsigned slot = 0; slot < COMMON_SLOTS; slot++) assert_int_equal(size_of(slot), want[slot % COMMON_SIZES]);
}

TEST_MAIN("common", NULL, NULL)
