/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Graphs of channels: accepted and rejected graphs, operations of a kernel, and a program that computes. */
#include "api/channels.h"
#include "engine/config.h"
#include "unit/util.h"

enum { DEPTH = 12 };

static struct hd_channels *graph(void) {
  struct hd_cfg cfg;
  char err[200];
  assert_true(hd_config_parse("tiny+NumChan=32", &cfg, err, sizeof err));
  struct hd_channels *g = hd_channels_new(&cfg);
  assert_non_null(g);
  return g;
}

static void refused(struct hd_channels *g, enum hd_channels_code code, const char *text) {
  assert_int_equal(hd_channels_check(g), code);
  assert_string_equal(hd_channels_text(g), text);
  assert_int_equal(hd_channels_execute(g), code);
  assert_null(hd_channels_talloc(hd_channels_host(g), 0, 0, 1));
  hd_channels_free(g);
}

static void frees(struct hd_channels_wave *w, void *ctx) {
  (void)ctx;
  for (uint32_t k = 0; k < hd_channels_lanes(w); k++) hd_channels_tfree(w, k);
}

/* ---- which graphs ---- */

TEST(test_sizes) {
  struct hd_channels *g = graph();
  hd_channels_channel(g, "in", 4, 12, 0, false);
  refused(g, HD_CHANNELS_SIZE, "in: a capacity of 12; a power of two from 4 to 128 would be accepted");
  g = graph();
  hd_channels_stack(g, "in", 4, 8, 3, 30, false);
  refused(g, HD_CHANNELS_SIZE, "in: 30 levels from 3 on; one or more, below 32, would be accepted");
  g = graph();
  hd_channels_channel(g, "in", 0, 8, 0, false);
  refused(g, HD_CHANNELS_SIZE, "in: an element has no bytes");
  refused(graph(), HD_CHANNELS_SIZE, "0 channels, one for each level of each node; 1 to 32 would be accepted");
  g = graph();
  const int in = hd_channels_channel(g, "in", 4, 8, 0, false), out = hd_channels_channel(g, "out", 4, 8, 1, false);
  hd_channels_kernel(g, "drop", out, frees, NULL);
  hd_channels_output(g, hd_channels_kernel(g, "three", in, frees, NULL), out, 1, 3);
  refused(g, HD_CHANNELS_SIZE, "three may put 12 elements into out at once, which has a capacity of 8");
}

TEST(test_nodes) {
  struct hd_channels *g = graph();
  const int in = hd_channels_channel(g, "in", 4, 8, 0, false);
  hd_channels_kernel(g, "one", in, frees, NULL);
  hd_channels_kernel(g, "two", in, frees, NULL);
  refused(g, HD_CHANNELS_NODE, "two: its input is another kernel's");
  g = graph();
  hd_channels_channel(g, "in", 4, 8, 0, false);
  refused(g, HD_CHANNELS_NODE, "no kernel consumes in");
}

/* The naive Fibonacci of figure 7: a channel that waits for itself. */
TEST(test_self) {
  struct hd_channels *g = graph();
  const int in = hd_channels_channel(g, "tasks", 4, 32, 0, true);
  hd_channels_output(g, hd_channels_kernel(g, "fib", in, frees, NULL), in, 0, 2);
  refused(g, HD_CHANNELS_CYCLE, "a cycle of channels that wait for each other's room: tasks -> tasks");
}

/* Levelized channels of a level may wait for each other, but not in a circle. */
TEST(test_cycle) {
  struct hd_channels *g = graph();
  const int first = hd_channels_stack(g, "first", 4, 8, 0, 2, true),
            then = hd_channels_stack(g, "then", 4, 8, 0, 2, true);
  const int one = hd_channels_kernel(g, "one", first, frees, NULL),
            two = hd_channels_kernel(g, "two", then, frees, NULL);
  hd_channels_output(g, one, then, 0, 1);
  hd_channels_output(g, two, first, 0, 1);
  refused(g, HD_CHANNELS_CYCLE, "a cycle of channels that wait for each other's room: first[0] -> then[0] -> first[0]");
}

TEST(test_level) {
  struct hd_channels *g = graph();
  const int in = hd_channels_channel(g, "in", 4, 8, 0, false), out = hd_channels_channel(g, "out", 4, 8, 0, false);
  hd_channels_kernel(g, "drop", out, frees, NULL);
  hd_channels_output(g, hd_channels_kernel(g, "copy", in, frees, NULL), out, 0, 1);
  refused(g, HD_CHANNELS_LEVEL, "copy consumes in and waits for room in out, which is neither deeper nor levelized");
}

/* ---- errors of kernels ---- */

static void forgets(struct hd_channels_wave *w, void *ctx) {
  (void)w, (void)ctx;
}

static void frees_twice(struct hd_channels_wave *w, void *ctx) {
  frees(w, ctx);
  hd_channels_tfree(w, 0);
}

static void strays(struct hd_channels_wave *w, void *ctx) {
  assert_null(hd_channels_talloc(w, *(int *)ctx, 0, 1));
}

static void misuse(hd_channels_function *f, const char *text) {
  struct hd_channels *g = graph();
  int in = hd_channels_channel(g, "in", 4, 8, 0, false);
  hd_channels_kernel(g, "bad", in, f, &in);
  uint32_t *e = hd_channels_talloc(hd_channels_host(g), in, 0, 3);
  assert_non_null(e);
  hd_channels_enq(hd_channels_host(g), e);
  hd_channels_execute(g);
  refused(g, HD_CHANNELS_MISUSE, text);
}

/* A rise that would wrap leads nowhere, not to a level above. */
TEST(test_rise) {
  struct hd_channels *g = graph();
  int in = hd_channels_stack(g, "in", 4, 8, 0, 2, false);
  hd_channels_output(g, hd_channels_kernel(g, "up", in, strays, &in), in, UINT32_MAX, 1);
  assert_int_equal(hd_channels_check(g), HD_CHANNELS_OK);
  uint32_t *e = hd_channels_talloc(hd_channels_host(g), in, 1, 1);
  assert_non_null(e);
  hd_channels_enq(hd_channels_host(g), e);
  assert_int_equal(hd_channels_execute(g), HD_CHANNELS_MISUSE);
  refused(g, HD_CHANNELS_MISUSE, "up: talloc of 1 elements of level 0: the graph declares no such output");
}

/* The host of a graph that was refused can be asked, and does nothing. */
TEST(test_refused_host) {
  struct hd_channels *g = graph();
  struct hd_channels_wave *host = hd_channels_host(g);
  assert_int_equal(hd_channels_code(g), HD_CHANNELS_SIZE);
  assert_int_equal(hd_channels_level(host), 0);
  assert_int_equal(hd_channels_lanes(host), 0);
  assert_null(hd_channels_deq(host, 0));
  hd_channels_tfree(host, 0);
  hd_channels_enq(host, NULL);
  refused(g, HD_CHANNELS_SIZE, "0 channels, one for each level of each node; 1 to 32 would be accepted");
}

/* A wavefront that its kernel keeps: once the kernel has returned, nothing may use it. */
static void keeps(struct hd_channels_wave *w, void *ctx) {
  *(struct hd_channels_wave **)ctx = w;
  frees(w, NULL);
}

TEST(test_kept_wave) {
  static const char *const texts[] = {"a talloc", "an enq", "a tfree", "a deq"};
  for (unsigned k = 0; k < 4; k++) {
    struct hd_channels *g = graph();
    struct hd_channels_wave *w = NULL;
    char text[100];
    int in = hd_channels_channel(g, "in", 4, 8, 0, false);
    hd_channels_kernel(g, "keeps", in, keeps, &w);
    uint32_t *e = hd_channels_talloc(hd_channels_host(g), in, 0, 1);
    hd_channels_enq(hd_channels_host(g), e);
    assert_int_equal(hd_channels_execute(g), HD_CHANNELS_OK);
    if (k == 0) assert_null(hd_channels_talloc(w, in, 0, 1));
    if (k == 1) hd_channels_enq(w, e);
    if (k == 2) hd_channels_tfree(w, 0);
    if (k == 3) assert_null(hd_channels_deq(w, 0));
    snprintf(text, sizeof text, "keeps: %s for a wavefront whose kernel does not run", texts[k]);
    refused(g, HD_CHANNELS_MISUSE, text);
  }
}

/* A kernel has a function; counts of a node that does not exist are 0. */
TEST(test_no_such) {
  struct hd_channels *g = graph();
  int in = hd_channels_channel(g, "in", 4, 8, 0, false);
  hd_channels_kernel(g, "frees", in, frees, NULL);
  hd_channels_enq(hd_channels_host(g), hd_channels_talloc(hd_channels_host(g), in, 0, 3));
  assert_int_equal(hd_channels_execute(g), HD_CHANNELS_OK);
  assert_int_equal(hd_channels_counts(g, -1).elements, 3);
  assert_int_equal(hd_channels_counts(g, 1).elements, 3);
  assert_int_equal(hd_channels_counts(g, 2).elements, 0);
  assert_int_equal(hd_channels_counts(g, -2).elements, 0);
  hd_channels_free(g);
  g = graph();
  in = hd_channels_channel(g, "in", 4, 8, 0, false);
  hd_channels_kernel(g, "none", in, NULL, NULL);
  refused(g, HD_CHANNELS_NODE, "none: a kernel without a function");
}

TEST(test_misuse) {
  misuse(forgets, "bad: it ended with 3 elements that it has not freed");
  misuse(frees_twice, "bad: tfree of element 0, which it does not have");
  misuse(strays, "bad: talloc of 1 elements of level 0: the graph declares no such output");
}

/* ---- trees: leaves are counted through continuations, as Cilk does ---- */

struct part {
  uint64_t sum[2];
  uint64_t *to;
};

struct task {
  uint32_t n;
  uint64_t *to;
};

struct tree {
  int tasks, parts;
};

static void spawn(struct hd_channels_wave *w, void *ctx) {
  const struct tree *t = ctx;
  const uint32_t lanes = hd_channels_lanes(w), level = hd_channels_level(w);
  uint32_t inner = 0;
  for (uint32_t k = 0; k < lanes; k++) inner += ((struct task *)hd_channels_deq(w, k))->n > 2;
  struct part *part = NULL;
  struct task *child = NULL;
  if (inner != 0) {
    part = hd_channels_talloc(w, t->parts, level, inner);
    if (part == NULL) return;
    child = hd_channels_talloc(w, t->tasks, level + 1, 2 * inner);
    if (child == NULL) return;
  }
  for (uint32_t k = 0, i = 0; k < lanes; k++) {
    const struct task *task = hd_channels_deq(w, k);
    if (task->n <= 2) {
      *task->to = 1;
    } else {
      part[i].to = task->to;
      for (uint32_t c = 0; c < 2; c++) child[2 * i + c] = (struct task){task->n - 1 - c, &part[i].sum[c]};
      i++;
    }
    hd_channels_tfree(w, k);
  }
  if (inner == 0) return;
  hd_channels_enq(w, child);
  hd_channels_enq(w, part);
}

static void join(struct hd_channels_wave *w, void *ctx) {
  (void)ctx;
  for (uint32_t k = 0; k < hd_channels_lanes(w); k++) {
    const struct part *p = hd_channels_deq(w, k);
    *p->to = p->sum[0] + p->sum[1];
    hd_channels_tfree(w, k);
  }
}

/* fib(n) in channels of that capacity. */
static struct hd_channels_counts fib(uint32_t n, uint32_t capacity, uint64_t answer) {
  struct tree t;
  uint64_t result = 0;
  struct hd_channels *g = graph();
  t.tasks = hd_channels_stack(g, "tasks", sizeof(struct task), capacity, 0, DEPTH, false);
  t.parts = hd_channels_stack(g, "parts", sizeof(struct part), capacity, 0, DEPTH - 1, true);
  const int kernel = hd_channels_kernel(g, "spawn", t.tasks, spawn, &t);
  hd_channels_kernel(g, "join", t.parts, join, NULL);
  hd_channels_output(g, kernel, t.parts, 0, 1);
  hd_channels_output(g, kernel, t.tasks, 1, 2);
  struct task *root = hd_channels_talloc(hd_channels_host(g), t.tasks, 0, 1);
  assert_non_null(root);
  *root = (struct task){n, &result};
  hd_channels_enq(hd_channels_host(g), root);
  hd_channels_execute(g);
  assert_string_equal(hd_channels_text(g), "");
  assert_int_equal(result, answer);
  assert_int_equal(hd_channels_counts(g, t.tasks).elements, 2 * answer - 1);
  assert_int_equal(hd_channels_counts(g, t.parts).elements, answer - 1);
  const struct hd_channels_counts counts = hd_channels_counts(g, -1);
  hd_channels_free(g);
  return counts;
}

/* At the smallest widths it yields many times, with the same result. */
TEST(test_fib) {
  assert_int_equal(fib(1, 8, 1).wavefronts, 1);
  assert_int_equal(fib(13, 128, 233).yields, 0);
  assert_true(fib(13, 8, 233).yields > 0);
  assert_true(fib(13, 16, 233).yields > 0);
}

TEST_MAIN("channels", NULL, NULL)
