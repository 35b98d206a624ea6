/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of the kernel:
 *
 *     p = packet[i]; end = packet[i + 1];
 *     for (b = p; b < end; b++) {
 *       state = START;
 *       for (e = b; state is neither dead nor accepts; e++) state = next[state][text[e]];
 *       if (state accepts) atomicMin(&first[i], b - p);
 *     } */
#include "work/regx.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"
#include "work/regex.h"

struct packets {
  struct hd_rows rows; /* generated packets */
  uint32_t *first;
};

struct regx {
  const char *expression;
  struct hd_regex automaton;
  struct {
    uint64_t table, packet, text, first;
  } at;
  uint64_t stride; /* distance between the packets of two problems */
  uint32_t problems;
  const struct hd_rows *given;
  struct packets *of;
};

static void close_regx(void *state) {
  struct regx *b = state;
  for (uint32_t k = 0; b->of != NULL && k < b->problems; k++) {
    hd_rows_free(&b->of[k].rows);
    free(b->of[k].first);
  }
  hd_regex_free(&b->automaton);
  free(b->of);
  free(b);
}

static const struct hd_rows *rows_of(const struct regx *b, uint32_t k) {
  return b->given != NULL ? b->given : &b->of[k].rows;
}

/* ---- generated packets ---- */

static uint32_t made_length(const struct hd_rounds_made *m, uint32_t k, uint32_t i) {
  const uint64_t random = hd_mix3(m->seed, k, i);
  const uint32_t octave = UINT32_C(4) << random % 7;
  return octave + (uint32_t)(random / 7 % octave);
}

static bool make_rows(const struct hd_rounds_made *m, uint32_t k, struct hd_rows *rows) {
  rows->at = malloc(((size_t)m->rows + 1) * sizeof *rows->at);
  if (rows->at == NULL) return false;
  rows->n = m->rows;
  rows->at[0] = 0;
  for (uint32_t i = 0; i < m->rows; i++) rows->at[i + 1] = rows->at[i] + made_length(m, k, i) + 1;
  rows->text = malloc(rows->at[m->rows]);
  if (rows->text == NULL) return false;
  for (uint32_t i = 0; i < m->rows; i++) {
    for (uint64_t e = rows->at[i]; e + 1 < rows->at[i + 1]; e++)
      rows->text[e] = "abcdefgh"[hd_mix3(m->seed, UINT64_MAX - k, e) % 8];
    rows->text[rows->at[i + 1] - 1] = '\0';
  }
  return true;
}

static bool new_problem(struct regx *b, const struct hd_rounds_data *data, uint32_t k) {
  if (b->given == NULL && !make_rows(&data->made, k, &b->of[k].rows)) return false;
  const uint32_t n = rows_of(b, k)->n;
  b->of[k].first = malloc(n * sizeof *b->of[k].first);
  if (b->of[k].first != NULL) memset(b->of[k].first, 0xff, n * sizeof *b->of[k].first);
  return b->of[k].first != NULL;
}

static void lay_out(struct regx *b) {
  uint64_t end = 256;
  b->at.table = hd_rounds_put(&end, 512 * (uint64_t)b->automaton.states);
  b->at.packet = end;
  uint64_t bytes = 0;
  for (uint32_t k = 0; k < b->problems; k++) {
    const struct hd_rows *rows = rows_of(b, k);
    if (rows->at[rows->n] > bytes) bytes = rows->at[rows->n];
  }
  hd_rounds_put(&end, 8 * ((uint64_t)rows_of(b, 0)->n + 1));
  b->at.text = hd_rounds_put(&end, bytes);
  b->at.first = hd_rounds_put(&end, 4 * (uint64_t)rows_of(b, 0)->n);
  b->stride = end - b->at.packet;
}

static void *open_regx(const struct hd_rounds_data *data, uint32_t *problems, uint32_t *items) {
  char err[300];
  struct regx *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  *b = (struct regx){.expression = data->expression != NULL ? data->expression : HD_REGX_DEFAULT,
                     .problems = *problems,
                     .given = data->rows};
  b->of = calloc(*problems, sizeof *b->of);
  bool good = b->of != NULL && hd_regex_compile(b->expression, &b->automaton, err, sizeof err);
  for (uint32_t k = 0; good && k < *problems; k++) good = new_problem(b, data, k);
  if (good) {
    lay_out(b);
    *items = rows_of(b, 0)->n;
    return b;
  }
  close_regx(b);
  return NULL;
}

/* ---- rounds ---- */

static void range(const void *state, uint32_t problem, uint32_t i, uint64_t *from, uint64_t *to) {
  const struct hd_rows *rows = rows_of(state, problem);
  *from = rows->at[i];
  *to = rows->at[i + 1] - 1;
}

/* Reads at most `most` bytes from a position until the automaton has decided, at the latest at the NUL after the
 * packet. Returns the number of bytes; *before, *after: the states before and after the last byte. */
static uint32_t read_bytes(const struct regx *b, const struct hd_rounds_at *at, uint32_t most, uint32_t *before,
                           uint32_t *after) {
  const char *text = rows_of(b, at->problem)->text + at->element;
  uint32_t n = 0;
  *before = *after = HD_REGEX_START;
  while (n < most && *after != HD_REGEX_DEAD && !b->automaton.accepts[*after]) {
    *before = *after;
    *after = hd_regex_next(&b->automaton, *before, (unsigned char)text[n++]);
  }
  return n;
}

static uint32_t turns(const void *state, const struct hd_rounds_at *at) {
  uint32_t before, after;
  return read_bytes(state, at, UINT32_MAX, &before, &after);
}

enum { HEADS = 2 };
static const struct hd_rounds_step head[HEADS] = {{HD_WARP_LOAD, 8}, {HD_WARP_LOAD, 0}};

static uint64_t head_address(const void *state, const struct hd_rounds_at *at, unsigned step) {
  const struct regx *b = state;
  return b->at.packet + b->stride * at->problem + 8 * ((uint64_t)at->item + step);
}

enum step { TEXT, TABLE, FIRST, STEPS };
static const struct hd_rounds_step body[STEPS] = {{HD_WARP_LOAD, 4}, {HD_WARP_LOAD, 3}, {HD_WARP_STORE, 3}};

static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct regx *b = state;
  const uint64_t base = b->stride * at->problem;
  uint32_t before, after;
  *address = base + b->at.text + at->element + at->turn;
  if (step == TEXT) return true;
  read_bytes(b, at, at->turn + 1, &before, &after);
  const unsigned char byte = (unsigned char)rows_of(b, at->problem)->text[at->element + at->turn];
  *address =
      step == TABLE ? b->at.table + 2 * (256 * (uint64_t)before + byte) : base + b->at.first + 4 * (uint64_t)at->item;
  return step == TABLE || b->automaton.accepts[after];
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  const struct regx *b = state;
  uint32_t *first = &b->of[at.problem].first[at.item];
  for (; at.element < end; at.element++) {
    uint32_t before, after;
    read_bytes(b, &at, UINT32_MAX, &before, &after);
    const uint32_t place = (uint32_t)(at.element - rows_of(b, at.problem)->at[at.item]);
    if (b->automaton.accepts[after] && place < *first) *first = place;
  }
}

static uint32_t next(void *state, uint32_t problem, uint32_t round, uint32_t *list, uint32_t n) {
  (void)state, (void)problem, (void)round, (void)list, (void)n;
  return 0;
}

/* The reference: the C library's regexec(), which returns the match that begins first. */
static bool check(const void *state, uint32_t problem, bool *wrong) {
  const struct regx *b = state;
  const struct hd_rows *rows = rows_of(b, problem);
  regex_t plain;
  if (regcomp(&plain, b->expression, REG_EXTENDED) != 0) return false;
  *wrong = false;
  for (uint32_t i = 0; i < rows->n && !*wrong; i++) {
    regmatch_t match;
    const bool found = regexec(&plain, rows->text + rows->at[i], 1, &match, 0) == 0;
    *wrong = b->of[problem].first[i] != (found ? (uint32_t)match.rm_so : HD_REGX_NONE);
  }
  regfree(&plain);
  return true;
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct regx *b = state;
  uint64_t packets = 0, matches = 0, bytes = 0;
  for (uint32_t k = 0; k < b->problems; k++) {
    const struct hd_rows *rows = rows_of(b, k);
    packets += rows->n;
    bytes += rows->at[rows->n] - rows->n;
    for (uint32_t i = 0; i < rows->n; i++) matches += b->of[k].first[i] != HD_REGX_NONE;
  }
  *f = (struct hd_rounds_found){.count = {{"packets", packets}, {"matches", matches}, {"bytes", bytes}}};
  snprintf(f->text, sizeof f->text, "%" PRIu64 " of %" PRIu64 " packets match, of %" PRIu64 " bytes", matches, packets,
           bytes);
}

const struct hd_rounds_kind hd_regx = {.name = "regx",
                                       .one = "scan",
                                       .many = "scans",
                                       .plain = "the C library's regexec()",
                                       .input = HD_ROUNDS_STANZAS,
                                       .single = true,
                                       .head = head,
                                       .heads = HEADS,
                                       .body = body,
                                       .bodies = STEPS,
                                       .open = open_regx,
                                       .close = close_regx,
                                       .range = range,
                                       .turns = turns,
                                       .head_address = head_address,
                                       .body_touch = body_touch,
                                       .visit = visit,
                                       .next = next,
                                       .check = check,
                                       .found = found};

const uint32_t *hd_regx_places(const struct hd_rounds *r, uint32_t problem) {
  const struct regx *b = hd_rounds_state(r);
  return b->of[problem].first;
}
