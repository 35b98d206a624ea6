/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A graph kernel together with 31 ordinary ones: no TB of any of them waits longer than the page states, to the
   cycle. */
#include "unit/top/nodes_fixture.h"

enum { OTHERS = 31, GRAPH = 0, SIDE = 12, NODES = SIDE * SIDE, EACH = 60, EPISODE = 50 };

enum shape { NONE, WAVEFRONT, CHAIN, FLAT };

static uint64_t start; /* the cycle in which the first launch is offered */

/* Results of a run; cycles from its start on. */
struct run {
  uint64_t first[1 + OTHERS], last[1 + OTHERS]; /* hand-outs of a kernel */
  unsigned nodes_before[1 + OTHERS];            /* of the graph, before the last of a kernel */
  /* Nodes with parents: cycles from the end of the last of these to the hand-out. */
  uint64_t wait_least, wait_most, wait_sum;
};

static unsigned kernel_of(const struct logged_tb *t) {
  for (unsigned k = 0; k <= OTHERS; k++)
    if (t->d.desc.param == desc_of(k, 1).param) return k;
  fail_msg("a TB of no kernel");
  return 0;
}

/* TB b of the wavefront may run from the end of its western and northern neighbours on. */
static void see_waits(struct run *r, const uint64_t *node) {
  r->wait_least = UINT64_MAX;
  for (unsigned b = 1; b < NODES; b++) {
    const uint64_t west = b % SIDE != 0 ? node[b - 1] : 0, north = b >= SIDE ? node[b - SIDE] : 0;
    const uint64_t wait = node[b] - (west > north ? west : north) - EPISODE;
    r->wait_sum += wait;
    if (wait < r->wait_least) r->wait_least = wait;
    if (wait > r->wait_most) r->wait_most = wait;
  }
}

/* Checks the order of hand-outs: of ordinary kernels the next TB of the oldest with TBs left; of all together one in
 * each cycle, as long as an ordinary one is left. */
static void see(struct run *r, unsigned others, enum shape shape) {
  uint64_t node[NODES] = {0};
  unsigned nodes = 0, ordinary = 0;
  for (unsigned n = 0; n < tbs; n++) {
    const unsigned k = kernel_of(&tb[n]);
    if (r->first[k] == 0) r->first[k] = tb[n].cycle - start;
    r->last[k] = tb[n].cycle - start;
    if (k == GRAPH) {
      node[tb[n].d.blkid] = tb[n].cycle;
      nodes++;
      continue;
    }
    assert_int_equal(k, 1 + ordinary / EACH);
    assert_int_equal(tb[n].d.blkid, ordinary % EACH);
    assert_int_equal(tb[n].cycle, tb[0].cycle + n);
    r->nodes_before[k] = nodes;
    ordinary++;
  }
  assert_int_equal(ordinary, others * EACH);
  if (shape == WAVEFRONT) see_waits(r, node);
}

static void launch_graph(enum shape shape) {
  const struct hd_dim3 grid = {SIDE, SIDE, 1}, row = {NODES, 1, 1};
  if (shape == WAVEFRONT) launch_pattern(GRAPH, 0, grid, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LRR, 0);
  if (shape == CHAIN) launch_pattern(GRAPH, 0, row, HD_DEPLINKS_CHAIN, HD_DEPLINKS_LRR, 0);
  if (shape == FLAT) launch_flat(GRAPH, 0, NODES);
}

/* `before` ordinary kernels, the graph, `after` ordinary ones, each in a HWQ of its own. */
static struct run play(unsigned before, enum shape shape, unsigned after, enum hd_policy policy) {
  struct run r;
  memset(&r, 0, sizeof r);
  begin("k20c");
  episode = EPISODE;
  if (policy != HD_POLICY_RR) set_policy(policy);
  start = now;
  for (unsigned k = 1; k <= before; k++) host_kernel(k, k, EACH);
  launch_graph(shape);
  for (unsigned k = before + 1; k <= before + after; k++) host_kernel(k, k, EACH);
  until(&ended_n, before + after + (shape != NONE), 20000);
  assert_int_equal(tbs, (before + after) * EACH + (shape != NONE ? NODES : 0));
  for (unsigned n = 0; n < ended_n; n++) assert_int_equal(ended[n].c.failed, 0);
  see(&r, before + after, shape);
  end();
  return r;
}

static struct run beside(unsigned before, enum shape shape, unsigned after) {
  return play(before, shape, after, HD_POLICY_RR);
}

static void expect_graph(const struct run *r, uint64_t first, uint64_t last) {
  assert_int_equal(r->first[GRAPH], first);
  assert_int_equal(r->last[GRAPH], last);
}

static void expect_waits(const struct run *r, uint64_t least, uint64_t most, uint64_t sum) {
  assert_int_equal(r->wait_least, least);
  assert_int_equal(r->wait_most, most);
  assert_int_equal(r->wait_sum, sum);
}

static void expect_before(const struct run *r, const unsigned nodes[1 + OTHERS]) {
  for (unsigned k = 1; k <= OTHERS; k++) assert_int_equal(r->nodes_before[k], nodes[k]);
}

/* The oldest: it runs as if it were alone, to the cycle. The others use the cycles in which no node is ready; each is
 * delayed by the nodes before it, at most 144 cycles. */
TEST(test_oldest) {
  const struct run alone = beside(0, WAVEFRONT, 0), r = beside(0, WAVEFRONT, OTHERS);
  static const unsigned nodes[] = {0,   1,   3,   6,   10,  15,  28,  36,  45,  55,  78,  89,  99,  116, 123, 129,
                                   134, 138, 141, 144, 144, 144, 144, 144, 144, 144, 144, 144, 144, 144, 144, 144};
  expect_graph(&alone, 30, 1288);
  expect_waits(&alone, 6, 22, 899);
  expect_graph(&r, 30, 1288);
  expect_waits(&r, 6, 22, 899);
  expect_before(&r, nodes);
  assert_int_equal(r.first[1], 7);
  assert_int_equal(r.last[OTHERS], 7 + OTHERS * EACH - 1 + NODES);
}

/* In the middle: no node before the 15 older kernels have handed out all TBs, and the first in the cycle after. From
 * then on a node waits at most 7 cycles after its last parent, including the 6 that it takes alone. Younger kernels are
 * delayed by at most 138 cycles. */
TEST(test_in_the_middle) {
  const struct run r = beside(15, WAVEFRONT, 16), without = beside(15, NONE, 16);
  static const unsigned nodes[1 + OTHERS] = {[16] = 3, 6, 10, 15, 21, 28, 45, 55, 66, 89, 99, 108, 116, 129, 134, 138};
  expect_before(&r, nodes);
  expect_graph(&r, 6 + 15 * EACH, 2149);
  expect_waits(&r, 6, 7, 869);
  for (unsigned k = 1; k <= OTHERS; k++) {
    assert_int_equal(without.last[k], 6 + k * EACH - 1);
    assert_int_equal(r.last[k], without.last[k] + nodes[k]);
  }
}

/* The youngest: the others are not affected, and it waits only for their TBs. */
TEST(test_youngest) {
  const struct run r = beside(OTHERS, WAVEFRONT, 0);
  static const unsigned nodes[1 + OTHERS] = {0};
  expect_before(&r, nodes);
  expect_graph(&r, 6 + OTHERS * EACH, 6 + OTHERS * EACH + 1243);
  expect_waits(&r, 6, 7, 869);
}

/* The fewest ready nodes: one node after the other, each 56 cycles after the previous one, with any other kernels. */
TEST(test_chain) {
  const struct run alone = beside(0, CHAIN, 0), oldest = beside(0, CHAIN, OTHERS), middle = beside(15, CHAIN, 16);
  expect_graph(&alone, 30, 8053);
  expect_graph(&oldest, 30, 8053);
  expect_graph(&middle, 906, 906 + (NODES - 1) * (EPISODE + 6));
  assert_int_equal(oldest.nodes_before[OTHERS], 34); /* TBs that began meanwhile */
  assert_int_equal(middle.nodes_before[OTHERS], 18);
}

/* The most ready nodes: with all nodes ready it is like a kernel of as many TBs. */
TEST(test_flat) {
  const struct run r = beside(15, FLAT, 16);
  expect_graph(&r, 906, 906 + NODES - 1);
  for (unsigned k = 1; k <= OTHERS; k++) assert_int_equal(r.nodes_before[k], k <= 15 ? 0 : NODES);
}

/* The policies of the SMX scheduler affect only launches of TBs: the same cycles under each. */
TEST(test_policies) {
  const struct run rr = beside(15, WAVEFRONT, 16);
  for (unsigned p = HD_POLICY_TB_PRI; p <= HD_POLICY_ADAPTIVE_BIND; p++) {
    const struct run r = play(15, WAVEFRONT, 16, (enum hd_policy)p);
    assert_memory_equal(&r, &rr, sizeof r);
  }
}

TEST_MAIN("graph_beside", NULL, NULL)
