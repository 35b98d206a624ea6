/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct hd_field_table *hd_field_table_find(const char *block) {
  for (const struct hd_field_table *t = hd_field_tables; t->block; t++)
    if (!strcmp(t->block, block)) return t;
  return NULL;
}

static void *grow(void *p, unsigned n, unsigned *room, size_t size) {
  if (n < *room) return p;
  *room = *room ? 2 * *room : 64;
  p = realloc(p, *room * size);
  if (!p) abort();
  return p;
}

void hd_field_add(struct hd_field_list *l, struct hd_field f) {
  l->field = grow(l->field, l->fields, &l->field_room, sizeof f);
  l->field[l->fields++] = f;
}

void hd_port_add(struct hd_field_list *l, struct hd_port p) {
  l->port = grow(l->port, l->ports, &l->port_room, sizeof p);
  l->port[l->ports++] = p;
}

void hd_field_list_free(struct hd_field_list *l) {
  free(l->field);
  free(l->port);
  memset(l, 0, sizeof *l);
}

uint64_t hd_field_get(const struct hd_field *f, const void *base, unsigned i, unsigned j) {
  const unsigned char *p = (const unsigned char *)base + f->offset + i * f->stride + j * f->substride;
  uint16_t h;
  uint32_t w;
  uint64_t d;
  switch (f->size) {
    case 1:
      return *p;
    case 2:
      memcpy(&h, p, 2);
      return h;
    case 4:
      memcpy(&w, p, 4);
      return w;
    default:
      memcpy(&d, p, 8);
      return d;
  }
}

void hd_field_set(const struct hd_field *f, void *base, unsigned i, unsigned j, uint64_t v) {
  unsigned char *p = (unsigned char *)base + f->offset + i * f->stride + j * f->substride;
  uint16_t h = (uint16_t)v;
  uint32_t w = (uint32_t)v;
  switch (f->size) {
    case 1:
      *p = (unsigned char)v;
      break;
    case 2:
      memcpy(p, &h, 2);
      break;
    case 4:
      memcpy(p, &w, 4);
      break;
    default:
      memcpy(p, &v, 8);
  }
}

/* The port that a field is a leaf of: its name is a prefix that ends at a dot or at the end. */
static size_t port_length(const struct hd_field *f, const struct hd_field_list *l) {
  size_t best = strlen(f->name);
  for (unsigned k = 0; k < l->ports; k++) {
    size_t n = strlen(l->port[k].name);
    if (l->port[k].kind == f->kind && !strncmp(f->name, l->port[k].name, n) && (f->name[n] == '.' || !f->name[n]))
      best = n;
  }
  return best;
}

void hd_field_label(const struct hd_field *f, const struct hd_field_list *l, unsigned i, unsigned j, char *buf,
                    size_t size) {
  size_t port = port_length(f, l), sub = 0;
  char index[16] = "";
  if (f->count > 1) snprintf(index, sizeof index, "[%u]", i);
  if (f->subcount > 1) { /* the instance index follows the block's name, at the last dot within the port's name */
    for (size_t k = 0; k < port; k++)
      if (f->name[k] == '.') sub = k;
    snprintf(buf, size, "%.*s[%u]%.*s%s%s", (int)sub, f->name, j, (int)(port - sub), f->name + sub, index,
             f->name + port);
  } else {
    snprintf(buf, size, "%.*s%s%s", (int)port, f->name, index, f->name + port);
  }
}

void hd_field_value(const struct hd_field *f, uint64_t v, char *buf, size_t size) {
  if (f->names) {
    unsigned n = 0;
    while (f->names[n]) n++;
    snprintf(buf, size, v < n ? "%s" : "%s(%" PRIu64 ")", v < n ? f->names[v] : "?", v);
  } else if (f->width == 1) {
    snprintf(buf, size, "%" PRIu64, v);
  } else {
    snprintf(buf, size, "0x%" PRIx64, v);
  }
}

const struct hd_field *hd_field_find(const struct hd_field_list *l, enum hd_field_kind kind, const char *name) {
  for (unsigned k = 0; k < l->fields; k++)
    if (l->field[k].kind == kind && !strcmp(l->field[k].name, name)) return &l->field[k];
  return NULL;
}
