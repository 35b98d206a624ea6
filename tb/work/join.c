/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of a round's kernel:
 *
 *     k = r_key[i]; h = hash(k); e = bucket[h]; end = bucket[h + 1];
 *     for (; e < end; e++)
 *       if (s_key[e] == k) {
 *         first round: atomicAdd(&count[i], 1);
 *         second: pair[offset[i] + rank[e]] = (i, s_row[e]);
 *       } */
#include "work/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"

struct entry {
  uint32_t hash, key, row;
  uint32_t rank; /* rank in its bucket among rows with this key */
};

struct table {
  uint32_t r_rows, s_rows, mask; /* mask: of hash values */
  uint32_t *r_key;
  struct entry *s;
  uint32_t *bucket; /* mask + 2 entries */
  uint32_t round;
  uint32_t *count;  /* number of matches, for each row of R */
  uint64_t *offset; /* r_rows + 1 entries: prefix sums of the counts */
  uint64_t *pair;
};

struct join {
  struct {
    uint64_t r_key, bucket, s_key, s_row, rank, count, offset, pair;
  } at; /* addresses for join 0; each join has its own arrays, a stride apart */
  uint64_t stride;
  uint32_t joins;
  struct table *table;
};

static void close_join(void *state) {
  struct join *b = state;
  for (uint32_t k = 0; b->table != NULL && k < b->joins; k++) {
    struct table *t = &b->table[k];
    free(t->r_key);
    free(t->s);
    free(t->bucket);
    free(t->count);
    free(t->offset);
    free(t->pair);
  }
  free(b->table);
  free(b);
}

/* ---- tables ---- */

static uint32_t made_key(const struct hd_rounds_made *m, uint64_t table, uint32_t row) {
  const double u = hd_mix_unit(hd_mix3(m->seed, table, row));
  return (uint32_t)((m->uniform ? u : u * u * u) * m->rows);
}

struct named {
  const char *text;
  uint32_t row;
};

static int by_text(const void *x, const void *y) {
  const struct named *a = x, *b = y;
  return strcmp(a->text, b->text);
}

/* Numbers the distinct texts; the number is the key of a row. */
static bool number_texts(const struct hd_rows *rows, uint32_t *key) {
  struct named *n = malloc(rows->n * sizeof *n);
  if (n == NULL) return false;
  for (uint32_t i = 0; i < rows->n; i++) n[i] = (struct named){rows->text + rows->at[i], i};
  qsort(n, rows->n, sizeof *n, by_text);
  for (uint32_t i = 0, number = 0; i < rows->n; i++) {
    if (i != 0 && strcmp(n[i - 1].text, n[i].text) != 0) number++;
    key[n[i].row] = number;
  }
  free(n);
  return true;
}

static bool take_keys(struct table *t, const struct hd_rounds_data *data, uint32_t k) {
  const struct hd_rows *rows = data->rows;
  t->r_rows = rows != NULL ? (rows->n + 1) / 2 : data->made.rows;
  t->s_rows = rows != NULL ? rows->n / 2 : data->made.rows;
  t->r_key = malloc(t->r_rows * sizeof *t->r_key);
  t->s = calloc((size_t)t->s_rows + 1, sizeof *t->s);
  if (t->r_key == NULL || t->s == NULL) return false;
  for (uint32_t i = 0; rows == NULL && i < t->r_rows; i++) {
    t->r_key[i] = made_key(&data->made, 2 * (uint64_t)k, i);
    t->s[i] = (struct entry){.key = made_key(&data->made, 2 * (uint64_t)k + 1, i), .row = i};
  }
  if (rows == NULL) return true;
  uint32_t *key = malloc(rows->n * sizeof *key);
  const bool good = key != NULL && number_texts(rows, key);
  for (uint32_t i = 0; good && i < rows->n; i++)
    if (i % 2 == 0)
      t->r_key[i / 2] = key[i];
    else
      t->s[i / 2] = (struct entry){.key = key[i], .row = i / 2};
  free(key);
  return good;
}

static uint32_t hash(const struct table *t, uint32_t key) {
  return (uint32_t)hd_mix(key) & t->mask;
}

static int by_bucket(const void *x, const void *y) {
  const struct entry *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->row < b->row ? -1 : 1;
}

static bool build(struct table *t) {
  for (t->mask = 1; t->mask < t->s_rows; t->mask = 2 * t->mask + 1) continue;
  t->bucket = calloc((size_t)t->mask + 2, sizeof *t->bucket);
  t->count = calloc(t->r_rows, sizeof *t->count);
  t->offset = calloc((size_t)t->r_rows + 1, sizeof *t->offset);
  if (t->bucket == NULL || t->count == NULL || t->offset == NULL) return false;
  for (uint32_t e = 0; e < t->s_rows; e++) {
    t->s[e].hash = hash(t, t->s[e].key);
    t->bucket[t->s[e].hash + 1]++;
  }
  for (uint32_t h = 0; h <= t->mask; h++) t->bucket[h + 1] += t->bucket[h];
  qsort(t->s, t->s_rows, sizeof *t->s, by_bucket);
  for (uint32_t e = 1; e < t->s_rows; e++)
    if (t->s[e].key == t->s[e - 1].key) t->s[e].rank = t->s[e - 1].rank + 1;
  return true;
}

/* Assigns addresses. The pairs are last, since their number is known only in the second round. */
static void lay_out(struct join *b) {
  const struct table *t = &b->table[0];
  uint64_t end = 256;
  b->at.r_key = hd_rounds_put(&end, 4 * (uint64_t)t->r_rows);
  b->at.bucket = hd_rounds_put(&end, 4 * ((uint64_t)t->mask + 2));
  b->at.s_key = hd_rounds_put(&end, 4 * (uint64_t)t->s_rows);
  b->at.s_row = hd_rounds_put(&end, 4 * (uint64_t)t->s_rows);
  b->at.rank = hd_rounds_put(&end, 4 * (uint64_t)t->s_rows);
  b->at.count = hd_rounds_put(&end, 4 * (uint64_t)t->r_rows);
  b->at.offset = hd_rounds_put(&end, 8 * (uint64_t)t->r_rows);
  b->stride = end;
  b->at.pair = end * b->joins;
}

static void *open_join(const struct hd_rounds_data *data, uint32_t *joins, uint32_t *items) {
  struct join *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  b->joins = *joins;
  b->table = calloc(*joins, sizeof *b->table);
  bool good = b->table != NULL;
  for (uint32_t k = 0; good && k < *joins; k++) good = take_keys(&b->table[k], data, k) && build(&b->table[k]);
  if (good) {
    lay_out(b);
    *items = b->table[0].r_rows;
    return b;
  }
  close_join(b);
  return NULL;
}

/* ---- rounds ---- */

static void range(const void *state, uint32_t join, uint32_t i, uint64_t *from, uint64_t *to) {
  const struct table *t = &((const struct join *)state)->table[join];
  const uint32_t h = hash(t, t->r_key[i]);
  *from = t->bucket[h];
  *to = t->bucket[h + 1];
}

enum { HEADS = 4 };
/* The instructions before bucket[] compute the hash. */
static const struct hd_rounds_step head[HEADS] = {
    {HD_WARP_LOAD, 8}, {HD_WARP_LOAD, 8}, {HD_WARP_LOAD, 0}, {HD_WARP_LOAD, 1}};

/* The last step loads the count, which is zero, in the first round, and the offset for the pairs in the second. */
static uint64_t head_address(const void *state, const struct hd_rounds_at *at, unsigned step) {
  const struct join *b = state;
  const struct table *t = &b->table[at->problem];
  const uint64_t base = b->stride * at->problem;
  if (step == 0) return base + b->at.r_key + 4 * (uint64_t)at->item;
  if (step == 3)
    return base + (t->round == 0 ? b->at.count + 4 * (uint64_t)at->item : b->at.offset + 8 * (uint64_t)at->item);
  return base + b->at.bucket + 4 * ((uint64_t)hash(t, t->r_key[at->item]) + step - 1);
}

enum step { KEY, COUNT, ROW, RANK, PAIR, STEPS };
static const struct hd_rounds_step body[STEPS] = {
    {HD_WARP_LOAD, 4}, {HD_WARP_STORE, 2}, {HD_WARP_LOAD, 1}, {HD_WARP_LOAD, 1}, {HD_WARP_STORE, 3}};

static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct join *b = state;
  const struct table *t = &b->table[at->problem];
  const uint64_t base = b->stride * at->problem;
  const struct entry *e = &t->s[at->element];
  switch (step) {
    case KEY:
      *address = base + b->at.s_key + 4 * at->element;
      return true;
    case COUNT:
      *address = base + b->at.count + 4 * (uint64_t)at->item;
      return t->round == 0 && e->key == t->r_key[at->item];
    case ROW:
      *address = base + b->at.s_row + 4 * at->element;
      break;
    case RANK:
      *address = base + b->at.rank + 4 * at->element;
      break;
    default:
      *address = b->at.pair + 8 * (t->offset[at->item] + e->rank);
  }
  return t->round == 1 && e->key == t->r_key[at->item];
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  struct table *t = &((struct join *)state)->table[at.problem];
  for (const struct entry *e = &t->s[at.element]; e < &t->s[end]; e++) {
    if (e->key != t->r_key[at.item]) continue;
    if (t->round == 0)
      t->count[at.item]++;
    else
      t->pair[t->offset[at.item] + e->rank] = (uint64_t)at.item << 32 | e->row;
  }
}

/* The second round has the same list. */
static uint32_t next(void *state, uint32_t join, uint32_t round, uint32_t *list, uint32_t n) {
  struct table *t = &((struct join *)state)->table[join];
  (void)list;
  if (round == 1) return 0;
  for (uint32_t i = 0; i < t->r_rows; i++) t->offset[i + 1] = t->offset[i] + t->count[i];
  t->pair = calloc(t->offset[t->r_rows] + 1, sizeof *t->pair);
  t->round = 1;
  return t->pair != NULL ? n : 0; /* if out of memory, the answer is missing and the check fails */
}

/* ---- the reference program: sorts both tables by key and merges them ---- */

static int by_number(const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

/* Merges runs of equal keys. Returns the number of pairs; writes them if `pair` is not NULL. */
static uint64_t merge(const uint64_t *r, uint32_t rn, const uint64_t *s, uint32_t sn, uint64_t *pair) {
  uint64_t n = 0;
  for (uint32_t i = 0, j = 0; i < rn; i++) {
    while (j < sn && s[j] >> 32 < r[i] >> 32) j++;
    for (uint32_t k = j; k < sn && s[k] >> 32 == r[i] >> 32; k++, n++)
      if (pair != NULL) pair[n] = r[i] << 32 | (uint32_t)s[k];
  }
  return n;
}

static bool check(const void *state, uint32_t join, bool *wrong) {
  const struct table *t = &((const struct join *)state)->table[join];
  uint64_t *r = malloc(t->r_rows * sizeof *r), *s = malloc(t->s_rows * sizeof *s + 1), *pair = NULL;
  bool good = r != NULL && s != NULL;
  uint64_t n = 0;
  *wrong = true;
  if (good) {
    for (uint32_t i = 0; i < t->r_rows; i++) r[i] = (uint64_t)t->r_key[i] << 32 | i;
    for (uint32_t i = 0; i < t->s_rows; i++) s[i] = (uint64_t)t->s[i].key << 32 | t->s[i].row;
    qsort(r, t->r_rows, sizeof *r, by_number);
    qsort(s, t->s_rows, sizeof *s, by_number);
    n = merge(r, t->r_rows, s, t->s_rows, NULL);
    pair = malloc(n * sizeof *pair + 1);
    good = pair != NULL;
  }
  if (good && t->pair != NULL && n == t->offset[t->r_rows]) {
    merge(r, t->r_rows, s, t->s_rows, pair);
    qsort(pair, n, sizeof *pair, by_number); /* the order of the workload's pairs: by row of R, then of S */
    *wrong = memcmp(pair, t->pair, n * sizeof *pair) != 0;
  }
  free(r);
  free(s);
  free(pair);
  return good;
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct join *b = state;
  uint64_t rows = 0, pairs = 0, most = 0;
  for (uint32_t k = 0; k < b->joins; k++) {
    const struct table *t = &b->table[k];
    rows += t->r_rows;
    pairs += t->offset[t->r_rows];
    for (uint32_t i = 0; i < t->r_rows; i++)
      if (t->count[i] > most) most = t->count[i];
  }
  *f = (struct hd_rounds_found){.count = {{"rows", rows}, {"pairs", pairs}, {"most", most}}};
  snprintf(f->text, sizeof f->text, "%" PRIu64 " pairs for %" PRIu64 " rows, at most %" PRIu64 " for one", pairs, rows,
           most);
}

const struct hd_rounds_kind hd_join = {.name = "join",
                                       .one = "join",
                                       .many = "joins",
                                       .plain = "a merge of sorted tables",
                                       .input = HD_ROUNDS_LINES,
                                       .single = true,
                                       .head = head,
                                       .heads = HEADS,
                                       .body = body,
                                       .bodies = STEPS,
                                       .open = open_join,
                                       .close = close_join,
                                       .range = range,
                                       .head_address = head_address,
                                       .body_touch = body_touch,
                                       .visit = visit,
                                       .next = next,
                                       .check = check,
                                       .found = found};

uint64_t hd_join_pairs(const struct hd_rounds *r, uint32_t join, const uint64_t **pair) {
  const struct join *b = hd_rounds_state(r);
  *pair = b->table[join].pair;
  return b->table[join].offset[b->table[join].r_rows];
}
