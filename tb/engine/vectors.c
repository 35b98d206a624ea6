/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "engine/outfile.h"

/* One leaf of one element of a port. */
struct piece {
  const struct hd_field *field;
  unsigned element;
};

/* All ports of one direction, the lowest bits first. */
struct side {
  struct piece *piece;
  size_t pieces;
  unsigned bits;
  unsigned char *digit; /* a hexadecimal digit each, the lowest first */
};

struct hd_vectors {
  struct hd_out file;
  struct side in, out;
};

static bool belongs(const struct hd_field *f, const struct hd_port *p) {
  size_t n = strlen(p->name);
  return f->kind == p->kind && !strncmp(f->name, p->name, n) && (!f->name[n] || f->name[n] == '.');
}

/* The last member of a struct is in its lowest bits. */
static struct side side_of(const struct hd_field_list *l, enum hd_field_kind kind) {
  struct side s = {0};
  for (unsigned p = 0; p < l->ports; p++) {
    if (l->port[p].kind != kind) continue;
    for (unsigned i = 0; i < l->port[p].count; i++)
      for (unsigned f = l->fields; f--;) {
        if (!belongs(&l->field[f], &l->port[p])) continue;
        s.piece = realloc(s.piece, (s.pieces + 1) * sizeof *s.piece);
        if (!s.piece) abort();
        s.piece[s.pieces++] = (struct piece){&l->field[f], i};
        s.bits += l->field[f].width;
      }
  }
  s.digit = calloc(1, s.bits / 4 + 1);
  if (!s.digit) abort();
  return s;
}

static void put(struct side *s, const void *base, FILE *f) {
  unsigned at = 0;
  memset(s->digit, 0, s->bits / 4 + 1);
  for (size_t k = 0; k < s->pieces; k++) {
    uint64_t x = hd_field_get(s->piece[k].field, base, s->piece[k].element, 0);
    for (unsigned b = 0; b < s->piece[k].field->width; b++, at++)
      s->digit[at / 4] |= (unsigned char)((x >> b & 1) << at % 4);
  }
  putc(' ', f);
  for (unsigned d = (s->bits + 3) / 4; d--;) putc("0123456789abcdef"[s->digit[d]], f);
}

struct hd_vectors *hd_vectors_open(const char *path, const struct hd_field_list *list, char *err, size_t err_size) {
  struct hd_vectors *v = calloc(1, sizeof *v);
  if (!v) abort();
  if (!hd_out_open(&v->file, path, err, err_size)) {
    free(v);
    return NULL;
  }
  v->in = side_of(list, HD_FIELD_IN);
  v->out = side_of(list, HD_FIELD_OUT);
  return v;
}

void hd_vectors_reset(struct hd_vectors *v, unsigned cycles) {
  fprintf(v->file.f, "%x 0 0\n", cycles);
}

void hd_vectors_cycle(struct hd_vectors *v, const void *in, const void *out) {
  putc('0', v->file.f);
  put(&v->in, in, v->file.f);
  put(&v->out, out, v->file.f);
  putc('\n', v->file.f);
}

bool hd_vectors_close(struct hd_vectors *v, bool keep, char *err, size_t err_size) {
  bool good = !keep || hd_out_commit(&v->file, err, err_size);
  hd_out_drop(&v->file);
  free(v->in.piece);
  free(v->in.digit);
  free(v->out.piece);
  free(v->out.digit);
  free(v);
  return good;
}
