/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/chrome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 }; /* threads per HWQ: for one running kernel and those that wait behind it */

/* The first TB of a kernel or child, by its number; for a child also the TB that launched it. */
struct first {
  uint64_t at; /* UINT64_MAX: not yet */
  uint64_t queued;
  uint32_t smx, slot, from_smx, from_slot;
};

struct firsts {
  struct first *of;
  uint32_t n;
};

/* A change of a counter. */
struct change {
  uint64_t at;
  uint32_t counter;
  int32_t by;
};

struct hd_chrome {
  FILE *f;
  const struct hd_launches *launches; /* or NULL */
  uint32_t num_smx, ctas_per_smx;
  struct firsts kernels, children;
  struct change *change;
  size_t changes, room;
  uint64_t (*busy)[LANES]; /* by HWQ: end of the last slice of each thread; UINT64_MAX: no slice yet */
  uint32_t hwqs;
  bool failed;
};

static struct first *first_of(struct hd_chrome *c, struct firsts *l, uint32_t number) {
  if (number >= l->n) {
    uint32_t n = number + number / 2 + 64;
    struct first *of = realloc(l->of, n * sizeof *of);
    if (of == NULL) {
      c->failed = true;
      return NULL;
    }
    for (uint32_t k = l->n; k < n; k++) of[k] = (struct first){.at = UINT64_MAX};
    l->of = of;
    l->n = n;
  }
  return &l->of[number];
}

static void count(struct hd_chrome *c, uint32_t counter, uint64_t at, int32_t by) {
  if (c->changes == c->room) {
    size_t room = c->room + c->room / 2 + 1024;
    struct change *more = realloc(c->change, room * sizeof *more);
    if (more == NULL) {
      c->failed = true;
      return;
    }
    c->change = more;
    c->room = room;
  }
  c->change[c->changes++] = (struct change){.at = at, .counter = counter, .by = by};
}

/* 0: A, 25: Z, 26: AA. */
static const char *letters(uint32_t n, char text[8]) {
  char *at = text + 7;
  *at = 0;
  for (uint64_t k = (uint64_t)n + 1; k != 0; k = (k - 1) / 26) *--at = (char)('A' + (k - 1) % 26);
  return at;
}

/* Appends the name of a kernel to its letters. */
static void put_name(FILE *f, const char *name) {
  if (*name != '\0') fputc(' ', f);
  for (; *name != '\0'; name++) {
    if (*name == '"' || *name == '\\') fputc('\\', f);
    fputc((unsigned char)*name < ' ' ? '?' : *name, f);
  }
}

static void name_process(FILE *f, uint32_t pid, const char *name, uint32_t number) {
  fprintf(f, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"args\":{\"name\":\"%s", pid, name);
  if (number != UINT32_MAX) fprintf(f, " %" PRIu32, number);
  fprintf(f,
          "\"}},\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"args\":{\"sort_index\":%" PRIu32
          "}}",
          pid, pid);
}

static void name_thread(FILE *f, uint32_t pid, uint32_t tid, const char *name, uint32_t number, uint32_t behind) {
  fprintf(f,
          ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
          ",\"args\":{\"name\":\"%s %" PRIu32,
          pid, tid, name, number);
  if (behind != 0) fprintf(f, " +%" PRIu32, behind);
  fprintf(f,
          "\"}},\n{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
          ",\"args\":{\"sort_index\":%" PRIu32 "}}",
          pid, tid, tid);
}

struct hd_chrome *hd_chrome_new(FILE *f, uint32_t num_smx, uint32_t ctas_per_smx) {
  struct hd_chrome *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  *c = (struct hd_chrome){.f = f, .num_smx = num_smx, .ctas_per_smx = ctas_per_smx};
  fprintf(f, "{\"otherData\":{\"unit\":\"1 us = 1 cycle\"},\"traceEvents\":[\n");
  for (uint32_t smx = 0; smx < num_smx; smx++) {
    if (smx != 0) fputs(",\n", f);
    name_process(f, smx, "SMX", smx);
    for (uint32_t slot = 0; slot < ctas_per_smx; slot++) name_thread(f, smx, slot, "slot", slot, 0);
  }
  fputs(",\n", f);
  name_process(f, num_smx, "host", UINT32_MAX);
  return c;
}

void hd_chrome_free(struct hd_chrome *c) {
  if (c == NULL) return;
  free(c->kernels.of);
  free(c->children.of);
  free(c->change);
  free(c->busy);
  free(c);
}

void hd_chrome_launches(struct hd_chrome *c, const struct hd_launches *l) {
  c->launches = l;
}

/* Writes the values of a launch's row to the args of its slice. */
static void put_row(const struct hd_chrome *c, const struct hd_launches_row *r, const struct first *first) {
  if (r == NULL) return;
  fprintf(c->f, ",\"wait\":%" PRIu64 ",\"dispatched\":%" PRIu64 ",\"done\":%" PRIu64 ",\"SMXs\":%" PRIu32,
          r->dispatched - first->queued, r->dispatched, r->done, r->smxs);
}

void hd_chrome_tb(struct hd_chrome *c, uint32_t smx, uint32_t slot, const struct hd_resident *r, const char *name,
                  uint64_t done) {
  char kernel[8], child[8];
  fprintf(c->f, ",\n{\"name\":\"kernel %s", letters(r->kernel, kernel));
  put_name(c->f, name);
  if (r->child != 0) fprintf(c->f, " child %s", letters(r->child - 1, child));
  fprintf(c->f,
          "\",\"cat\":\"TB\",\"ph\":\"X\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
          ",\"args\":{\"kernel\":%" PRIu32 ",\"child\":%" PRIu32 ",\"id\":%" PRIu32 ",\"queued\":%" PRIu64 "}}",
          r->dispatched, done - r->dispatched, smx, slot, r->kernel, r->child, r->blkid, r->queued);
  struct first *first = r->child != 0 ? first_of(c, &c->children, r->child - 1) : first_of(c, &c->kernels, r->kernel);
  if (first != NULL && r->dispatched < first->at)
    *first = (struct first){.at = r->dispatched,
                            .queued = r->queued,
                            .smx = smx,
                            .slot = slot,
                            .from_smx = r->from_smx,
                            .from_slot = r->from_slot};
  count(c, smx, r->dispatched, 1);
  count(c, smx, done, -1);
  count(c, c->num_smx, r->dispatched, 1);
  count(c, c->num_smx, done, -1);
  count(c, c->num_smx + 1, r->queued, 1);
  count(c, c->num_smx + 1, r->dispatched, -1);
}

/* Returns a thread of the HWQ that has no slice after `queued`. */
static uint32_t lane_of(struct hd_chrome *c, uint32_t hwq, uint64_t queued, uint64_t done) {
  if (hwq >= c->hwqs) {
    uint64_t(*busy)[LANES] = realloc(c->busy, (hwq + 1) * sizeof *busy);
    if (busy == NULL) {
      c->failed = true;
      return 0;
    }
    for (uint32_t h = c->hwqs; h <= hwq; h++) memset(busy[h], 0xff, sizeof busy[h]);
    c->busy = busy;
    c->hwqs = hwq + 1;
  }
  uint32_t lane = 0;
  uint64_t *busy = c->busy[hwq];
  while (lane < LANES - 1 && busy[lane] != UINT64_MAX && busy[lane] > queued) lane++;
  if (busy[lane] == UINT64_MAX) name_thread(c->f, c->num_smx, hwq * LANES + lane, "HWQ", hwq, lane);
  busy[lane] = done;
  return lane;
}

void hd_chrome_kernel(struct hd_chrome *c, uint32_t kernel, const char *name, uint32_t hwq, uint32_t ctas,
                      uint64_t queued, uint64_t done) {
  char letter[8];
  const uint32_t tid = hwq * LANES + lane_of(c, hwq, queued, done);
  const struct first *first = first_of(c, &c->kernels, kernel);
  fprintf(c->f, ",\n{\"name\":\"kernel %s", letters(kernel, letter));
  put_name(c->f, name);
  fprintf(c->f,
          "\",\"cat\":\"kernel\",\"ph\":\"X\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"pid\":%" PRIu32
          ",\"tid\":%" PRIu32 ",\"args\":{\"kernel\":%" PRIu32 ",\"TBs\":%" PRIu32,
          queued, done - queued, c->num_smx, tid, kernel, ctas);
  if (c->launches != NULL && first != NULL) put_row(c, hd_launches_host(c->launches, kernel), first);
  fputs("}}", c->f);
  if (first == NULL || first->at == UINT64_MAX || first->at > done) return;
  fprintf(c->f,
          ",\n{\"name\":\"waits\",\"cat\":\"kernel\",\"ph\":\"X\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
          ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"args\":{\"kernel\":%" PRIu32 "}}",
          queued, first->at - queued, c->num_smx, tid, kernel);
}

static void put_arrows(const struct hd_chrome *c) {
  for (uint32_t k = 0; k < c->children.n; k++) {
    const struct first *a = &c->children.of[k];
    if (a->at == UINT64_MAX) continue;
    fprintf(c->f,
            ",\n{\"name\":\"launch\",\"cat\":\"launch\",\"ph\":\"s\",\"id\":%" PRIu32 ",\"ts\":%" PRIu64
            ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
            k, a->queued, a->from_smx, a->from_slot);
    const struct hd_launches_row *r = c->launches != NULL ? hd_launches_child(c->launches, k + 1) : NULL;
    if (r != NULL) {
      fprintf(c->f, ",\"args\":{\"child\":%" PRIu32 ",\"TBs\":%" PRIu32, k + 1, r->begun);
      put_row(c, r, a);
      fputc('}', c->f);
    }
    fputc('}', c->f);
    fprintf(c->f,
            ",\n{\"name\":\"launch\",\"cat\":\"launch\",\"ph\":\"f\",\"bp\":\"e\",\"id\":%" PRIu32 ",\"ts\":%" PRIu64
            ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 "}",
            k, a->at, a->smx, a->slot);
  }
}

static int by_counter(const void *a, const void *b) {
  const struct change *x = a, *y = b;
  if (x->counter != y->counter) return x->counter < y->counter ? -1 : 1;
  return x->at == y->at ? 0 : x->at < y->at ? -1 : 1;
}

static void put_counters(struct hd_chrome *c) {
  int64_t value = 0;
  if (c->changes != 0) qsort(c->change, c->changes, sizeof *c->change, by_counter);
  for (size_t k = 0; k < c->changes; k++) {
    const struct change *now = &c->change[k], *next = k + 1 < c->changes ? now + 1 : NULL;
    const bool last = next == NULL || next->counter != now->counter;
    value += now->by;
    if (!last && next->at == now->at) continue;
    fprintf(c->f,
            ",\n{\"name\":\"%s\",\"ph\":\"C\",\"ts\":%" PRIu64 ",\"pid\":%" PRIu32 ",\"args\":{\"TBs\":%" PRId64 "}}",
            now->counter == c->num_smx + 1 ? "waiting TBs" : "resident TBs", now->at,
            now->counter < c->num_smx ? now->counter : c->num_smx, value);
    if (last) value = 0;
  }
}

bool hd_chrome_end(struct hd_chrome *c) {
  put_arrows(c);
  put_counters(c);
  fputs("\n]}\n", c->f);
  return !c->failed;
}
