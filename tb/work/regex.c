/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Glushkov's construction: each byte or set of the expression is a position. For each part of the expression the
 * program computes the positions that can be first, those that can be last, and whether the part can be empty. A state
 * is a set of positions. */
#include "work/regex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 64 }; /* a set of them is a word */

struct part {
  uint64_t first, last;
  bool empty;
};

struct parser {
  const char *at, *begin;
  const char *wrong; /* description of the error, or NULL */
  uint32_t positions, depth;
  bool set[POSITIONS][256];    /* bytes that a position matches */
  uint64_t follows[POSITIONS]; /* positions that can follow it */
};

static struct part alternatives(struct parser *q);

static struct part fail(struct parser *q, const char *wrong) {
  if (q->wrong == NULL) q->wrong = wrong;
  return (struct part){0};
}

static struct part new_position(struct parser *q) {
  if (q->positions == POSITIONS) return fail(q, "too long: 64 bytes and sets would be accepted");
  const uint64_t bit = UINT64_C(1) << q->positions++;
  return (struct part){bit, bit, false};
}

static struct part bracket(struct parser *q) {
  const struct part p = new_position(q);
  if (q->wrong != NULL) return p;
  bool *set = q->set[q->positions - 1];
  const bool other = *q->at == '^';
  q->at += other;
  for (bool first = true; first || *q->at != ']'; first = false) {
    if (*q->at == '\0') return fail(q, "a '[' without ']'");
    if (q->at[0] == '[' && (q->at[1] == ':' || q->at[1] == '.' || q->at[1] == '=')) return fail(q, "a class by name");
    unsigned char low = (unsigned char)*q->at++, high = low;
    if (q->at[0] == '-' && q->at[1] != ']' && q->at[1] != '\0') {
      high = (unsigned char)q->at[1];
      q->at += 2;
    }
    if (high < low) return fail(q, "a range whose end is below its start");
    for (unsigned byte = low; byte <= high; byte++) set[byte] = true;
  }
  q->at++;
  for (unsigned byte = 1; other && byte < 256; byte++) set[byte] = !set[byte];
  return p;
}

static struct part atom(struct parser *q) {
  const char byte = *q->at++;
  if (byte == '(') {
    if (++q->depth > 100) return fail(q, "brackets nested more than 100 deep");
    const struct part p = alternatives(q);
    if (q->wrong == NULL && *q->at++ != ')') return fail(q, "a '(' without ')'");
    q->depth--;
    return p;
  }
  if (byte == '[') return bracket(q);
  if (strchr("*+?{}^$", byte) != NULL)
    return fail(q, "a '*', '+', '?', '{', '}', '^' or '$' in a place that is not supported");
  if (byte == '\\' && *q->at == '\0') return fail(q, "a '\\' at its end");
  const struct part p = new_position(q);
  if (q->wrong != NULL) return p;
  bool *set = q->set[q->positions - 1];
  if (byte == '.')
    for (unsigned b = 1; b < 256; b++) set[b] = true;
  else
    set[(unsigned char)(byte == '\\' ? *q->at++ : byte)] = true;
  return p;
}

static void follow(struct parser *q, uint64_t last, uint64_t first) {
  for (uint32_t k = 0; k < q->positions; k++)
    if ((last >> k & 1) != 0) q->follows[k] |= first;
}

static struct part repeated(struct parser *q) {
  struct part p = atom(q);
  for (; q->wrong == NULL && *q->at != '\0' && strchr("*+?", *q->at) != NULL; q->at++) {
    if (*q->at != '?') follow(q, p.last, p.first);
    if (*q->at != '+') p.empty = true;
  }
  return p;
}

static struct part sequence(struct parser *q) {
  struct part all = {.empty = true};
  while (q->wrong == NULL && *q->at != '\0' && *q->at != '|' && *q->at != ')') {
    const struct part p = repeated(q);
    follow(q, all.last, p.first);
    if (all.empty) all.first |= p.first;
    all.last = p.empty ? all.last | p.last : p.last;
    all.empty &= p.empty;
  }
  return all;
}

static struct part alternatives(struct parser *q) {
  struct part all = sequence(q);
  while (q->wrong == NULL && *q->at == '|') {
    q->at++;
    const struct part p = sequence(q);
    all.first |= p.first;
    all.last |= p.last;
    all.empty |= p.empty;
  }
  return all;
}

/* Returns the state with this set of next positions and this acceptance, and creates it if necessary.
 * HD_REGEX_STATES: too many states. */
static uint32_t state_of(struct hd_regex *r, uint64_t *set, uint64_t to_come, bool accepts) {
  if (to_come == 0 && !accepts) return HD_REGEX_DEAD;
  for (uint32_t s = HD_REGEX_START; s < r->states; s++)
    if (set[s] == to_come && r->accepts[s] == accepts) return s;
  if (r->states == HD_REGEX_STATES) return HD_REGEX_STATES;
  set[r->states] = to_come;
  r->accepts[r->states] = accepts;
  return r->states++;
}

static bool make_states(const struct parser *q, const struct part *p, struct hd_regex *r) {
  static const uint64_t none = 0;
  uint64_t set[HD_REGEX_STATES] = {none};
  r->states = HD_REGEX_START;
  state_of(r, set, p->first, false);
  for (uint32_t s = HD_REGEX_START; s < r->states; s++)
    for (unsigned byte = 1; byte < 256; byte++) {
      uint64_t to_come = 0;
      bool accepts = false;
      for (uint32_t k = 0; k < q->positions; k++) {
        if ((set[s] >> k & 1) == 0 || !q->set[k][byte]) continue;
        to_come |= q->follows[k];
        accepts |= (p->last >> k & 1) != 0;
      }
      const uint32_t next = state_of(r, set, to_come, accepts);
      if (next == HD_REGEX_STATES) return false;
      r->next[256 * s + byte] = (uint16_t)next;
    }
  return true;
}

bool hd_regex_compile(const char *expression, struct hd_regex *r, char *err, size_t err_size) {
  struct parser *q = calloc(1, sizeof *q);
  *r = (struct hd_regex){.next = calloc((size_t)HD_REGEX_STATES * 256, sizeof *r->next)};
  const char *wrong = "out of memory";
  if (q != NULL && r->next != NULL) {
    q->at = q->begin = expression;
    const struct part p = alternatives(q);
    wrong = q->wrong;
    if (wrong == NULL && *q->at != '\0') wrong = "a ')' without '('";
    if (wrong == NULL && p.empty) wrong = "a match of the empty text, which would match everywhere";
    if (wrong == NULL && !make_states(q, &p, r)) wrong = "more than 1024 states";
  }
  free(q);
  if (wrong == NULL) return true;
  snprintf(err, err_size, "the expression '%.200s' has %s", expression, wrong);
  hd_regex_free(r);
  return false;
}

void hd_regex_free(struct hd_regex *r) {
  free(r->next);
  *r = (struct hd_regex){0};
}
