/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/launches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/outfile.h"

/* Rows of kernels of the host by number, or of children by number - 1. */
struct part {
  struct hd_launches_row *row;
  uint64_t *seen; /* per row: set of SMXs that have taken its TBs */
  uint32_t n;
};

struct hd_launches {
  uint32_t words; /* words of `seen` per row */
  struct part host, device;
};

struct hd_launches *hd_launches_new(uint32_t num_smx) {
  struct hd_launches *l = calloc(1, sizeof *l);
  if (l != NULL) l->words = (num_smx + 63) / 64;
  return l;
}

void hd_launches_free(struct hd_launches *l) {
  if (l == NULL) return;
  free(l->host.row);
  free(l->host.seen);
  free(l->device.row);
  free(l->device.seen);
  free(l);
}

static bool grow(const struct hd_launches *l, struct part *p, uint32_t number) {
  if (number < p->n) return true;
  const uint32_t n = number + number / 2 + 64;
  struct hd_launches_row *row = realloc(p->row, n * sizeof *row);
  if (row == NULL) return false;
  p->row = row;
  uint64_t *seen = realloc(p->seen, (size_t)n * l->words * sizeof *seen);
  if (seen == NULL) return false;
  p->seen = seen;
  memset(row + p->n, 0, (n - p->n) * sizeof *row);
  memset(seen + (size_t)p->n * l->words, 0, (size_t)(n - p->n) * l->words * sizeof *seen);
  p->n = n;
  return true;
}

static struct hd_launches_row *row_of(struct hd_launches *l, uint32_t kernel, uint32_t child) {
  struct part *p = child != 0 ? &l->device : &l->host;
  const uint32_t number = child != 0 ? child - 1 : kernel;
  return grow(l, p, number) ? &p->row[number] : NULL;
}

bool hd_launches_begin(struct hd_launches *l, uint32_t smx, const struct hd_resident *r) {
  struct hd_launches_row *row = row_of(l, r->kernel, r->child);
  if (row == NULL) return false;
  if (row->begun++ == 0) row->dispatched = r->dispatched;
  const struct part *p = r->child != 0 ? &l->device : &l->host;
  uint64_t *seen = &p->seen[(size_t)(row - p->row) * l->words + smx / 64];
  const uint64_t bit = UINT64_C(1) << (smx % 64);
  row->smxs += (*seen & bit) == 0;
  *seen |= bit;
  return true;
}

void hd_launches_end(struct hd_launches *l, uint64_t now, const struct hd_resident *r) {
  struct hd_launches_row *row = row_of(l, r->kernel, r->child); /* exists, since the TB has begun */
  row->ended++;
  row->done = now;
}

void hd_launches_reported(struct hd_launches *l, uint64_t now, uint32_t kernel) {
  struct hd_launches_row *row = row_of(l, kernel, 0);
  if (row != NULL) row->done = now;
}

bool hd_launches_add(struct hd_launches *l, uint64_t now, const struct hd_launches_row *about) {
  struct hd_launches_row *row = row_of(l, about->kernel, about->child);
  if (row == NULL) return false;
  row->kind = about->kind;
  row->kernel = about->kernel;
  row->child = about->child;
  row->stream = about->stream;
  row->ctas = about->ctas;
  row->queued = about->queued;
  row->wait = (row->begun != 0 ? row->dispatched : now) - row->queued;
  return true;
}

const struct hd_launches_row *hd_launches_host(const struct hd_launches *l, uint32_t kernel) {
  return kernel < l->host.n && l->host.row[kernel].begun != 0 ? &l->host.row[kernel] : NULL;
}

const struct hd_launches_row *hd_launches_child(const struct hd_launches *l, uint32_t child) {
  return child - 1 < l->device.n && l->device.row[child - 1].begun != 0 ? &l->device.row[child - 1] : NULL;
}

static size_t count(const struct part *p, const struct hd_launches_row **all) {
  size_t n = 0;
  for (uint32_t k = 0; k < p->n; k++) {
    if (p->row[k].ctas == 0) continue;
    if (all != NULL) all[n] = &p->row[k];
    n++;
  }
  return n;
}

const struct hd_launches_row **hd_launches_all(const struct hd_launches *l, size_t *n) {
  const size_t host = count(&l->host, NULL);
  *n = host + count(&l->device, NULL);
  const struct hd_launches_row **all = *n != 0 ? calloc(*n, sizeof(struct hd_launches_row *)) : NULL;
  if (all == NULL) {
    *n = 0;
    return NULL;
  }
  count(&l->host, all);
  count(&l->device, all + host);
  return all;
}

/* Longest wait first; on ties the earlier launch, then the lower number, so that the order is unique. */
static int by_wait(const void *a, const void *b) {
  const struct hd_launches_row *x = *(struct hd_launches_row *const *)a, *y = *(struct hd_launches_row *const *)b;
  if (x->wait != y->wait) return x->wait > y->wait ? -1 : 1;
  if (x->queued != y->queued) return x->queued < y->queued ? -1 : 1;
  if (x->kernel != y->kernel) return x->kernel < y->kernel ? -1 : 1;
  return x->child == y->child ? 0 : x->child < y->child ? -1 : 1;
}

const struct hd_launches_row **hd_launches_longest(const struct hd_launches *l, size_t *n) {
  const struct hd_launches_row **all = hd_launches_all(l, n);
  if (all != NULL) qsort(all, *n, sizeof *all, by_wait);
  return all;
}

static int by_stream(const void *a, const void *b) {
  const struct hd_launches_row *x = *(struct hd_launches_row *const *)a, *y = *(struct hd_launches_row *const *)b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->stream == y->stream ? 0 : x->stream < y->stream ? -1 : 1;
}

static int by_mean(const void *a, const void *b) {
  const struct hd_launches_stream *x = a, *y = b;
  if (x->wait_mean != y->wait_mean) return x->wait_mean > y->wait_mean ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->stream == y->stream ? 0 : x->stream < y->stream ? -1 : 1;
}

struct hd_launches_stream *hd_launches_streams(const struct hd_launches *l, size_t *n) {
  size_t rows;
  const struct hd_launches_row **all = hd_launches_all(l, &rows);
  *n = 0;
  if (all == NULL) return NULL;
  qsort(all, rows, sizeof *all, by_stream);
  struct hd_launches_stream *s = calloc(rows, sizeof *s);
  for (size_t k = 0; s != NULL && k < rows; k++) {
    if (k == 0 || by_stream(&all[k - 1], &all[k]) != 0)
      s[(*n)++] = (struct hd_launches_stream){.kind = all[k]->kind, .stream = all[k]->stream};
    struct hd_launches_stream *of = &s[*n - 1];
    of->launches++;
    of->ctas += all[k]->ctas;
    of->wait_mean += (double)all[k]->wait; /* a sum, divided below */
    if (all[k]->wait > of->wait_max) of->wait_max = all[k]->wait;
  }
  for (size_t k = 0; k < *n; k++) s[k].wait_mean /= s[k].launches;
  if (s != NULL) qsort(s, *n, sizeof *s, by_mean);
  free(all);
  return s;
}

const char *hd_launches_kind_name(enum hd_launches_kind k) {
  return k == HD_LAUNCHES_HOST ? "host" : k == HD_LAUNCHES_KERNEL ? "kernel" : "group";
}

static void put_cycle(FILE *f, bool valid, uint64_t cycle) {
  if (valid)
    fprintf(f, ",%" PRIu64, cycle);
  else
    fputc(',', f);
}

void hd_launches_csv(const struct hd_launches *l, hd_kernel_name *name, const void *named, FILE *f) {
  size_t n;
  const struct hd_launches_row **all = hd_launches_all(l, &n);
  fprintf(f, "kind,kernel,child,stream,queued,wait,dispatched,done,smxs,ctas%s\n", name != NULL ? ",name" : "");
  for (size_t k = 0; k < n; k++) {
    const struct hd_launches_row *r = all[k];
    fprintf(f, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64, hd_launches_kind_name(r->kind), r->kernel,
            r->child, r->stream, r->queued, r->wait);
    put_cycle(f, r->begun != 0, r->dispatched);
    put_cycle(f, r->ended == r->ctas, r->done);
    fprintf(f, ",%" PRIu32 ",%" PRIu32, r->smxs, r->ctas);
    if (name != NULL) hd_out_quoted(f, name(named, r->kernel));
    fputc('\n', f);
  }
  free(all);
}
