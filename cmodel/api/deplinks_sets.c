/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* In and out sets: the last writer of a key, and its readers since. A hash table of keys, and lists of readers. */
#include "api/deplinks_inside.h"

#define NONE UINT32_MAX

struct key {
  uint64_t key;
  bool used;
  uint32_t writer; /* TB, or NONE */
  size_t readers;  /* index of the last reader + 1; 0: none */
};

struct reader {
  uint32_t tb;
  size_t before; /* previous reader, as key.readers; in the free list, the next free one */
};

struct hd_deplinks_sets {
  struct key *key; /* a power of two of places, at most half of them used */
  size_t places, used;
  struct reader *reader;
  size_t readers, reader_room, free; /* free: index + 1 */
};

void hd_dep_sets_free(struct hd_deplinks *d) {
  if (d->sets == NULL) return;
  hd_dep_release(&d->memory, d->sets->key);
  hd_dep_release(&d->memory, d->sets->reader);
  hd_dep_release(&d->memory, d->sets);
  d->sets = NULL;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Returns the place of a key, or the free place where it belongs. */
static struct key *place_of(struct hd_deplinks *d, uint64_t key) {
  struct hd_deplinks_sets *s = d->sets;
  size_t at = (size_t)mix(key) & (s->places - 1);
  for (; s->key[at].used && s->key[at].key != key; at = (at + 1) & (s->places - 1)) d->steps++;
  d->steps++;
  return &s->key[at];
}

static bool no_memory(struct hd_deplinks *d, uint32_t tb) {
  hd_dep_refuse(d, HD_DEPLINKS_MEMORY, tb, "out of memory for the sets of %s", hd_dep_name(d->grid, tb).s);
  return false;
}

/* Doubles the number of places, or allocates the first ones. */
static bool grow(struct hd_deplinks *d, uint32_t tb) {
  struct hd_deplinks_sets *s = d->sets;
  struct key *old = s->key;
  size_t places = s->places;
  struct key *key = hd_dep_take(&d->memory, places != 0 ? 2 * places : 64, sizeof *key);
  if (key == NULL) return no_memory(d, tb);
  s->key = key;
  s->places = places != 0 ? 2 * places : 64;
  for (size_t k = 0; k < s->places; k++) key[k] = (struct key){.writer = NONE};
  for (size_t k = 0; k < places; k++) {
    d->steps++;
    if (old[k].used) *place_of(d, old[k].key) = old[k];
  }
  hd_dep_release(&d->memory, old);
  return true;
}

/* Ensures that the table has room for one more key. */
static bool ready(struct hd_deplinks *d, uint32_t tb) {
  if (d->sets == NULL) {
    d->sets = hd_dep_take(&d->memory, 1, sizeof *d->sets);
    if (d->sets == NULL) return no_memory(d, tb);
    *d->sets = (struct hd_deplinks_sets){0};
  }
  return 2 * (d->sets->used + 1) <= d->sets->places || grow(d, tb);
}

/* Makes `tb` wait for `parent`, unless they are the same. */
static bool wait_for(struct hd_deplinks *d, uint32_t tb, uint32_t parent) {
  return parent == tb || hd_deplinks_add(d, parent, tb) == HD_DEPLINKS_OK;
}

static bool add_edges(struct hd_deplinks *d, uint32_t tb, const struct hd_deplinks_item *i) {
  const struct key *k = place_of(d, i->key);
  const struct reader *reader = d->sets->reader;
  if (!k->used) return true;
  if (i->kind == HD_DEPLINKS_IN || k->readers == 0) return k->writer == NONE || wait_for(d, tb, k->writer);
  for (size_t r = k->readers; r != 0; r = reader[r - 1].before)
    if (!wait_for(d, tb, reader[r - 1].tb)) return false;
  return true;
}

static bool add_reader(struct hd_deplinks *d, struct key *k, uint32_t tb) {
  struct hd_deplinks_sets *s = d->sets;
  if (k->readers != 0 && s->reader[k->readers - 1].tb == tb) return true;
  size_t place = s->free;
  if (place != 0) {
    s->free = s->reader[place - 1].before;
  } else {
    void *array = s->reader;
    bool good = hd_dep_room(d, tb, &array, &s->reader_room, s->readers + 1, sizeof *s->reader);
    s->reader = array;
    if (!good) return false;
    place = ++s->readers;
  }
  s->reader[place - 1] = (struct reader){tb, k->readers};
  k->readers = place;
  return true;
}

static void set_writer(struct hd_deplinks *d, struct key *k, uint32_t tb) {
  struct reader *reader = d->sets->reader;
  for (size_t r = k->readers, before; r != 0; r = before) {
    d->steps++;
    before = reader[r - 1].before;
    reader[r - 1].before = d->sets->free;
    d->sets->free = r;
  }
  k->readers = 0;
  k->writer = tb;
}

/* Returns the key's place, allocated if it is new. */
static struct key *enter(struct hd_deplinks *d, uint32_t tb, uint64_t key) {
  if (!ready(d, tb)) return NULL;
  struct key *k = place_of(d, key);
  if (k->used) return k;
  *k = (struct key){.key = key, .used = true, .writer = NONE};
  d->sets->used++;
  return k;
}

/* Adds edges first, then readers, then the writer, so that all edges come from earlier tasks, and a key both in and out
 * ends as written. */
enum hd_deplinks_code hd_deplinks_task(struct hd_deplinks *d, uint32_t tb, const struct hd_deplinks_item *item,
                                       size_t n) {
  if (d->code != HD_DEPLINKS_OK || n == 0) return d->code;
  if (tb >= d->nodes)
    return hd_dep_refuse(d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "there is no TB %u in the grid of %u TBs",
                         (unsigned)tb, (unsigned)d->nodes);
  for (size_t k = 0; k < n; k++)
    if ((unsigned)item[k].kind > HD_DEPLINKS_INOUT)
      return hd_dep_refuse(d, HD_DEPLINKS_BAD_KIND, tb, "%s: item kind %u does not exist", hd_dep_name(d->grid, tb).s,
                           (unsigned)item[k].kind);
  if (!ready(d, tb)) return d->code;
  for (size_t k = 0; k < n; k++)
    if (!add_edges(d, tb, &item[k])) return d->code;
  for (size_t k = 0; k < n; k++) {
    if (item[k].kind != HD_DEPLINKS_IN) continue;
    struct key *p = enter(d, tb, item[k].key);
    if (p == NULL || !add_reader(d, p, tb)) return d->code;
  }
  for (size_t k = 0; k < n; k++) {
    if (item[k].kind == HD_DEPLINKS_IN) continue;
    struct key *p = enter(d, tb, item[k].key);
    if (p == NULL) return d->code;
    set_writer(d, p, tb);
  }
  return d->code;
}
