/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The table of launches: rows, their order, streams, and rows left open by a run that ends early. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/launches.h"
#include "test_list.h"

static void begin(struct hd_launches *l, uint32_t kernel, uint32_t child, uint32_t smx, uint64_t at) {
  const struct hd_resident r = {.kernel = kernel, .child = child, .dispatched = at};
  assert_true(hd_launches_begin(l, smx, &r));
}

static void end(struct hd_launches *l, uint32_t kernel, uint32_t child, uint64_t at) {
  const struct hd_resident r = {.kernel = kernel, .child = child};
  hd_launches_end(l, at, &r);
}

static void add(struct hd_launches *l, enum hd_launches_kind kind, uint32_t kernel, uint32_t child, uint32_t stream,
                uint32_t ctas, uint64_t queued) {
  const struct hd_launches_row r = {
      .kind = kind, .kernel = kernel, .child = child, .stream = stream, .ctas = ctas, .queued = queued};
  assert_true(hd_launches_add(l, 1000, &r));
}

/* Kernel 0 on SMXs 0 and 130, kernel 70 without a TB, a group of one TB and a kernel that has not ended. */
static struct hd_launches *table(void) {
  struct hd_launches *l = hd_launches_new(132);
  begin(l, 0, 0, 130, 30);
  begin(l, 0, 0, 0, 31);
  begin(l, 0, 0, 130, 32);
  begin(l, 0, 2, 5, 60);
  begin(l, 0, 3, 5, 70);
  for (uint64_t t = 40; t < 43; t++) end(l, 0, 0, t);
  end(l, 0, 2, 90);
  end(l, 0, 3, 95);
  hd_launches_reported(l, 99, 0);
  add(l, HD_LAUNCHES_HOST, 0, 0, 4, 3, 10);
  add(l, HD_LAUNCHES_HOST, 70, 0, 4, 7, 900);
  add(l, HD_LAUNCHES_GROUP, 0, 2, 0, 1, 59);
  add(l, HD_LAUNCHES_KERNEL, 0, 3, 9, 2, 50);
  return l;
}

TEST(test_rows) {
  struct hd_launches *l = table();
  const struct hd_launches_row *r = hd_launches_host(l, 0);
  assert_true(r->smxs == 2 && r->dispatched == 30 && r->wait == 20 && r->done == 99 && r->ended == r->ctas);
  r = hd_launches_child(l, 3);
  assert_true(r->smxs == 1 && r->wait == 20 && r->begun == 1 && r->ended < r->ctas);
  assert_null(hd_launches_host(l, 70));
  assert_null(hd_launches_child(l, 1));
  assert_null(hd_launches_child(l, 4000));
  hd_launches_free(l);
}

TEST(test_order) {
  size_t n;
  struct hd_launches *l = table();
  const struct hd_launches_row **r = hd_launches_longest(l, &n);
  assert_int_equal(n, 4);
  assert_true(r[0]->kernel == 70 && r[0]->wait == 100 && r[0]->begun == 0);
  assert_true(r[1]->child == 0 && r[1]->kernel == 0);
  assert_true(r[2]->child == 3 && r[3]->child == 2);
  free(r);
  r = hd_launches_all(l, &n);
  assert_true(n == 4 && r[0]->kernel == 0 && r[1]->kernel == 70 && r[2]->child == 2 && r[3]->child == 3);
  free(r);
  hd_launches_free(l);
}

TEST(test_streams) {
  size_t n;
  struct hd_launches *l = table();
  struct hd_launches_stream *s = hd_launches_streams(l, &n);
  assert_int_equal(n, 3);
  assert_true(s[0].kind == HD_LAUNCHES_HOST && s[0].stream == 4 && s[0].launches == 2 && s[0].ctas == 10);
  assert_true(s[0].wait_mean == 60 && s[0].wait_max == 100);
  assert_true(s[1].kind == HD_LAUNCHES_KERNEL && s[1].stream == 9 && s[1].wait_mean == 20);
  assert_true(s[2].kind == HD_LAUNCHES_GROUP && s[2].wait_max == 1);
  free(s);
  hd_launches_free(l);
  l = hd_launches_new(1);
  assert_null(hd_launches_streams(l, &n));
  assert_int_equal(n, 0);
  hd_launches_free(l);
}

static const char *quoted(const void *ctx, uint32_t kernel) {
  (void)ctx;
  return kernel == 0 ? "a \"b\", c" : "";
}

TEST(test_csv) {
  char *text = NULL;
  size_t size;
  struct hd_launches *l = table();
  FILE *f = open_memstream(&text, &size);
  hd_launches_csv(l, quoted, NULL, f);
  fclose(f);
  assert_string_equal(text,
                      "kind,kernel,child,stream,queued,wait,dispatched,done,smxs,ctas,name\n"
                      "host,0,0,4,10,20,30,99,2,3,\"a \"\"b\"\", c\"\n"
                      "host,70,0,4,900,100,,,0,7,\"\"\n"
                      "group,0,2,0,59,1,60,90,1,1,\"a \"\"b\"\", c\"\n"
                      "kernel,0,3,9,50,20,70,,1,2,\"a \"\"b\"\", c\"\n");
  free(text);
  hd_launches_free(l);
}

TEST_MAIN("launches", NULL, NULL)
