/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The BFS workload, run without a plane: its launches, TBs, durations, and its answer for a graph of known
 * distances. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test_list.h"
#include "work/bfs.h"

static struct hd_graph g;

static void edge(struct hd_edges *e, uint64_t a, uint64_t b) {
  assert_true(hd_edges_add(e, a, b));
}

static int free_graph(void **state) {
  (void)state;
  hd_graph_free(&g);
  return 0;
}

/* A hub 0 with leaves 1 to 9, and a path 9-10-11 away from it. */
static void make_star(void) {
  struct hd_edges e = {0};
  for (uint64_t i = 1; i < 10; i++) edge(&e, 0, i);
  edge(&e, 9, 10);
  edge(&e, 10, 11);
  assert_true(hd_graph_build(&g, &e));
}

static struct hd_rounds_opts options(uint32_t sources, uint32_t block_size) {
  return (struct hd_rounds_opts){.problems = sources,
                                 .block_size = block_size,
                                 .regs = 32,
                                 .overhead = 100,
                                 .cycles_per_element = 8,
                                 .num_hwq = 2};
}

/* Runs one kernel's TBs, last first: the answer must not depend on the order. */
static void run_kernel(const struct hd_work *w, uint64_t now, uint32_t kernel, const struct hd_launch *l) {
  for (uint32_t b = l->ctas; b-- > 0;) {
    assert_true(w->duration(w->ctx, kernel, b) >= 1);
    w->cta_done(w->ctx, kernel, b);
  }
  w->kernel_done(w->ctx, now, kernel);
}

/* Runs all searches to their end, one kernel at a time; returns the number of kernels. */
static uint32_t run_all(const struct hd_work *w) {
  uint32_t kernel = 0;
  for (uint64_t now = 0; !w->finished(w->ctx); now++) {
    struct hd_launch l = {0};
    if (w->next(w->ctx, now, &l)) run_kernel(w, now, kernel++, &l);
    assert_true(now < 1000000);
  }
  return kernel;
}

/* Search from the hub: levels {0}, {1..9}, {10}, {11}; nine vertices in TBs of 4 make 3 TBs. */
TEST_WITH(test_levels, NULL, free_graph) {
  make_star();
  struct hd_rounds_opts o = options(1, 4);
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  struct hd_work w = hd_rounds_work(b);
  const uint32_t ctas[] = {1, 3, 1, 1};
  uint64_t cycle;
  for (uint32_t k = 0; k < 4; k++) {
    struct hd_launch l = {0}, none;
    assert_true(w.next_at(w.ctx, &cycle));
    assert_true(w.next(w.ctx, 10 * k, &l));
    assert_int_equal(l.ctas, ctas[k]);
    assert_int_equal(l.desc.grid_x, ctas[k]);
    assert_int_equal(l.threads, 4);
    /* Until the level is done there is no further launch. */
    assert_false(w.next(w.ctx, 10 * k, &none));
    assert_false(w.next_at(w.ctx, &cycle));
    assert_false(w.finished(w.ctx));
    run_kernel(&w, 10 * k + 5, k, &l);
  }
  assert_true(w.finished(w.ctx));
  const uint32_t wanted[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3};
  assert_memory_equal(hd_bfs_distances(b, 0), wanted, sizeof wanted);
  hd_rounds_free(b);
}

/* Overhead + largest degree in the TB x cycles per edge: hub 9 edges, leaves 1, vertex 9 has 2. */
TEST_WITH(test_durations, NULL, free_graph) {
  make_star();
  struct hd_rounds_opts o = options(1, 4);
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  struct hd_work w = hd_rounds_work(b);
  struct hd_launch l = {0};
  assert_true(w.next(w.ctx, 0, &l));
  assert_int_equal(w.duration(w.ctx, 0, 0), 100 + 9 * 8);
  run_kernel(&w, 0, 0, &l);
  assert_true(w.next(w.ctx, 1, &l));
  assert_int_equal(w.duration(w.ctx, 1, 0), 100 + 1 * 8);
  assert_int_equal(w.duration(w.ctx, 1, 2), 100 + 2 * 8);
  hd_rounds_free(b);
}

/* Search k starts at the k-th vertex of largest degree and launches on HWQ k mod 2. */
TEST_WITH(test_sources, NULL, free_graph) {
  make_star();
  struct hd_rounds_opts o = options(5, 32);
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  struct hd_work w = hd_rounds_work(b);
  const uint32_t sources[] = {0, 9, 10, 1, 2};
  for (uint32_t k = 0; k < 5; k++) {
    struct hd_launch l = {0};
    assert_int_equal(hd_bfs_source(b, k), sources[k]);
    assert_true(w.next(w.ctx, 0, &l));
    assert_int_equal(l.hwq, k % 2);
  }
  hd_rounds_free(b);
}

/* More searches than vertices: one from each. */
TEST_WITH(test_few_vertices, NULL, free_graph) {
  make_star();
  struct hd_rounds_opts o = options(UINT32_MAX, 4);
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  assert_non_null(b);
  struct hd_work w = hd_rounds_work(b);
  uint32_t wrong = 1;
  assert_int_equal(hd_rounds_problems(b), 12);
  run_all(&w);
  assert_true(hd_rounds_check(b, &wrong));
  assert_int_equal(wrong, 0);
  hd_rounds_free(b);
  o.problems = 11;
  b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  assert_int_equal(hd_rounds_problems(b), 11);
  hd_rounds_free(b);
}

/* Without a seed all launch at once; with one each is late by its own amount, the same in every run. */
TEST_WITH(test_jitter, NULL, free_graph) {
  make_star();
  struct hd_rounds_opts o = options(8, 32);
  o.jitter = 1000;
  uint64_t at[3] = {0};
  const uint64_t seeds[] = {0, 5, 5};
  for (unsigned i = 0; i < 3; i++) {
    o.seed = seeds[i];
    struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
    struct hd_work w = hd_rounds_work(b);
    struct hd_launch l = {0};
    uint32_t now = 0, launched = 0;
    for (; launched < 8; now++)
      while (launched < 8 && w.next(w.ctx, now, &l)) launched++, at[i] = at[i] * 31 + now;
    assert_true(now <= 1001);
    hd_rounds_free(b);
  }
  assert_int_equal(at[0], 0);
  assert_true(at[1] != 0);
  assert_int_equal(at[1], at[2]);
}

/* Two parts that are not connected, random edges: every search agrees with the reference, and the reference with
 * Bellman's rule. */
TEST_WITH(test_answer, NULL, free_graph) {
  struct hd_edges e = {0};
  uint32_t random = 1;
  for (unsigned i = 0; i < 3000; i++) {
    random = random * 1664525 + 1013904223;
    uint32_t part = (random >> 4) % 2 * 1000;
    edge(&e, part + (random >> 8) % 1000, part + (random >> 20) % 1000);
  }
  assert_true(hd_graph_build(&g, &e));
  struct hd_rounds_opts o = options(20, 64);
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  struct hd_work w = hd_rounds_work(b);
  uint32_t wrong = 1;
  assert_true(run_all(&w) > 20);
  assert_true(hd_rounds_check(b, &wrong));
  assert_int_equal(wrong, 0);
  /* A vertex's distance is one more than the least of its neighbours'. */
  const uint32_t *d = hd_bfs_distances(b, 0);
  uint32_t unreached = 0;
  for (uint32_t v = 0; v < g.nodes; v++) {
    uint32_t least = HD_BFS_UNREACHED;
    for (uint64_t i = g.row[v]; i < g.row[v + 1]; i++) least = d[g.col[i]] < least ? d[g.col[i]] : least;
    if (v == hd_bfs_source(b, 0)) continue;
    assert_int_equal(d[v], least == HD_BFS_UNREACHED ? HD_BFS_UNREACHED : least + 1);
    unreached += d[v] == HD_BFS_UNREACHED;
  }
  assert_true(unreached > 500);
  hd_rounds_free(b);
}

/* Along arcs alone: from the hub of a cycle with a tail that leads to it, the tail is not found. */
TEST_WITH(test_directed, NULL, free_graph) {
  struct hd_edges e = {.keep_direction = true};
  edge(&e, 0, 1);
  edge(&e, 0, 2);
  edge(&e, 2, 3);
  edge(&e, 3, 0);
  edge(&e, 4, 0);
  assert_true(hd_graph_build(&g, &e));
  struct hd_rounds_opts o = options(5, 2);
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  struct hd_work w = hd_rounds_work(b);
  uint32_t wrong = 1;
  const uint32_t none = HD_BFS_UNREACHED;
  const uint32_t from_hub[] = {0, 1, 1, 2, none}, from_end[] = {none, 0, none, none, none};
  run_all(&w);
  assert_int_equal(hd_bfs_source(b, 0), 0);
  assert_memory_equal(hd_bfs_distances(b, 0), from_hub, sizeof from_hub);
  /* The vertex without an outgoing arc is the last source, and finds itself. */
  assert_int_equal(hd_bfs_source(b, 4), 1);
  assert_memory_equal(hd_bfs_distances(b, 4), from_end, sizeof from_end);
  assert_true(hd_rounds_check(b, &wrong));
  assert_int_equal(wrong, 0);
  hd_rounds_free(b);
}

/* The check detects an unfinished search. */
TEST_WITH(test_check_fails, NULL, free_graph) {
  make_star();
  struct hd_rounds_opts o = options(2, 4);
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &o);
  uint32_t wrong = 0;
  assert_true(hd_rounds_check(b, &wrong));
  assert_int_equal(wrong, 2);
  hd_rounds_free(b);
}

TEST_MAIN("bfs", NULL, NULL)
