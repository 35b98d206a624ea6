/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/footprint.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables of lines ---- */

struct entry {
  uint32_t line; /* plus 1; 0: none */
  bool parent;
  uint32_t children; /* number of child TBs that touch it */
  uint32_t only;     /* the child TB counted last: with `children` 1 the only one */
};

struct table {
  struct entry *entry;
  uint32_t n, cap; /* cap: a power of two, or 0 */
};

static struct entry *slot(const struct table *t, uint32_t line) {
  uint32_t at = (line + 1) * 0x9e3779b1u;
  for (at ^= at >> 15;; at++) {
    struct entry *e = &t->entry[at & (t->cap - 1)];
    if (e->line == 0 || e->line == line + 1) return e;
  }
}

static bool grow(struct table *t) {
  struct table grown = {.n = t->n, .cap = t->cap != 0 ? 2 * t->cap : 64};
  grown.entry = calloc(grown.cap, sizeof *grown.entry);
  if (grown.entry == NULL) return false;
  for (uint32_t k = 0; k < t->cap; k++)
    if (t->entry[k].line != 0) *slot(&grown, t->entry[k].line - 1) = t->entry[k];
  free(t->entry);
  *t = grown;
  return true;
}

/* Returns the line's entry, and creates it if necessary (*fresh). Returns NULL if out of memory. */
static struct entry *enter(struct table *t, uint32_t line, bool *fresh) {
  if (2 * t->n >= t->cap && !grow(t)) return NULL;
  struct entry *e = slot(t, line);
  *fresh = e->line == 0;
  t->n += *fresh;
  e->line = line + 1;
  return e;
}

static void drop(struct table *t) {
  free(t->entry);
  *t = (struct table){0};
}

/* ---- families ---- */

struct family {
  struct table line; /* lines that its TBs touch */
  uint32_t *touched; /* number of lines, by child TB */
  uint32_t children, cap;
  bool launches;
};

struct place {
  struct table line; /* lines that a child TB touches */
  uint32_t family, number;
  bool child;
};

struct hd_footprint {
  struct place *place;
  struct family *family;
  uint32_t places, families, cap;
  bool failed; /* out of memory */
};

struct hd_footprint *hd_footprint_new(uint32_t places) {
  struct hd_footprint *f = calloc(1, sizeof *f);
  if (f == NULL) return NULL;
  f->places = places;
  f->place = calloc(places, sizeof *f->place);
  if (f->place != NULL) return f;
  free(f);
  return NULL;
}

void hd_footprint_free(struct hd_footprint *f) {
  if (f == NULL) return;
  for (uint32_t k = 0; k < f->places; k++) drop(&f->place[k].line);
  for (uint32_t k = 0; k < f->families; k++) {
    drop(&f->family[k].line);
    free(f->family[k].touched);
  }
  free(f->place);
  free(f->family);
  free(f);
}

/* Makes room for one more element after n; *cap: size of the array. Returns false if out of memory. */
static bool more(void **at, uint32_t n, uint32_t *cap, size_t size) {
  if (n < *cap) return true;
  uint32_t room = n < 8 ? 8 : 2 * n;
  void *grown = realloc(*at, room * size);
  if (grown == NULL) return false;
  *at = grown;
  *cap = room;
  return true;
}

void hd_footprint_begin(struct hd_footprint *f, uint32_t place, uint32_t family, bool child) {
  struct place *p = &f->place[place];
  *p = (struct place){.family = family, .child = child};
  if (!child) {
    f->failed |= family != f->families || !more((void **)&f->family, f->families, &f->cap, sizeof *f->family);
    if (!f->failed) f->family[f->families++] = (struct family){0};
    return;
  }
  if (f->failed) return;
  struct family *of = &f->family[family];
  f->failed = !more((void **)&of->touched, of->children, &of->cap, sizeof *of->touched);
  if (f->failed) return;
  p->number = of->children++;
  of->touched[p->number] = 0;
}

void hd_footprint_move(struct hd_footprint *f, uint32_t place, uint32_t family) {
  f->place[place] = (struct place){.family = family};
}

static bool touch(struct family *of, struct place *p, uint32_t line) {
  bool fresh = false;
  if (p->child && enter(&p->line, line, &fresh) == NULL) return false;
  if (p->child && !fresh) return true;
  struct entry *e = enter(&of->line, line, &fresh);
  if (e == NULL) return false;
  if (p->child) {
    e->children++;
    e->only = p->number;
    of->touched[p->number]++;
  } else {
    e->parent = true;
  }
  return true;
}

void hd_footprint_touch(struct hd_footprint *f, uint32_t place, const uint32_t *line, uint32_t lines) {
  struct place *p = &f->place[place];
  for (uint32_t k = 0; k < lines && !f->failed; k++) f->failed = !touch(&f->family[p->family], p, line[k]);
}

void hd_footprint_launch(struct hd_footprint *f, uint32_t place) {
  if (!f->failed) f->family[f->place[place].family].launches = true;
}

/* Also frees the lines of a family without children: they do not count. */
void hd_footprint_end(struct hd_footprint *f, uint32_t place) {
  struct place *p = &f->place[place];
  drop(&p->line);
  if (!f->failed && !p->child && !f->family[p->family].launches) drop(&f->family[p->family].line);
}

/* ---- shares ---- */

static void sum_family(const struct family *of, uint32_t *alone, struct hd_footprint_shares *s) {
  uint64_t c = 0, pc = 0;
  memset(alone, 0, of->children * sizeof *alone);
  for (uint32_t k = 0; k < of->line.cap; k++) {
    const struct entry *e = &of->line.entry[k];
    c += e->children != 0;
    pc += e->children != 0 && e->parent;
    if (e->children == 1) alone[e->only]++;
  }
  if (c == 0) return;
  s->families++;
  s->parent_child += (double)pc / (double)c;
  for (uint32_t k = 0; k < of->children; k++) {
    uint64_t cs = c - alone[k], cos = of->touched[k] - alone[k];
    if (cs == 0) continue;
    s->children++;
    s->siblings += (double)cos / (double)cs;
  }
}

bool hd_footprint_shares(const struct hd_footprint *f, struct hd_footprint_shares *s) {
  uint32_t most = 1;
  *s = (struct hd_footprint_shares){0};
  for (uint32_t k = 0; k < f->families; k++)
    if (f->family[k].children > most) most = f->family[k].children;
  uint32_t *alone = malloc(most * sizeof *alone);
  if (alone == NULL || f->failed) {
    free(alone);
    return false;
  }
  for (uint32_t k = 0; k < f->families; k++) sum_family(&f->family[k], alone, s);
  free(alone);
  if (s->families != 0) s->parent_child /= (double)s->families;
  if (s->children != 0) s->siblings /= (double)s->children;
  return true;
}
