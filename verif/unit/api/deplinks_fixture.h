/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the DepLinks tests: an allocator that counts and fails on demand, and a reference graph held as a
   matrix. */
#ifndef HD_UNIT_DEPLINKS_FIXTURE_H
#define HD_UNIT_DEPLINKS_FIXTURE_H

#include "api/deplinks.h"
#include "unit/util.h"

/* Allocator that counts its calls. Call number `fails` (from 1) returns NULL, and with `for_good` so do all later
 * calls. The size of each block is stored in front of it. */
struct fixture_memory {
  size_t calls, fails;
  bool for_good;
  size_t live, bytes, most; /* live blocks; live bytes; largest number of live bytes */
};

static inline void *rig_resize(void *ctx, void *p, size_t bytes) {
  struct fixture_memory *m = ctx;
  size_t *block = p != NULL ? (size_t *)p - 2 : NULL;
  if (bytes == 0) {
    if (block == NULL) return NULL;
    m->bytes -= *block;
    m->live--;
    free(block);
    return NULL;
  }
  if (++m->calls == m->fails || (m->for_good && m->fails != 0 && m->calls > m->fails)) return NULL;
  size_t old = block != NULL ? *block : 0;
  m->live += block == NULL;
  size_t *grown = realloc(block, bytes + 2 * sizeof *block);
  assert_non_null(grown);
  *grown = bytes;
  m->bytes = m->bytes - old + bytes;
  if (m->bytes > m->most) m->most = m->bytes;
  if (bytes > old) memset((char *)(grown + 2) + old, 0xa5, bytes - old);
  return grown + 2;
}

static inline struct hd_deplinks_memory fixture_memory(struct fixture_memory *m) {
  return (struct hd_deplinks_memory){rig_resize, m};
}

/* A one-dimensional grid of n TBs. */
static inline struct hd_deplinks fixture_row(uint32_t n) {
  struct hd_deplinks d;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){n, 1, 1}, NULL), HD_DEPLINKS_OK);
  return d;
}

/* Builds the graph from the collected edges, checks it, and frees *d. */
static inline struct hd_deplinks_graph fixture_build(struct hd_deplinks *d) {
  struct hd_deplinks_graph g;
  char text[200];
  if (hd_deplinks_build(d, &g) != HD_DEPLINKS_OK) fail_msg("%s", d->text);
  if (hd_deplinks_check(&g, text, sizeof text) != HD_DEPLINKS_OK) fail_msg("%s", text);
  hd_deplinks_free(d);
  return g;
}

/* Applies the pattern to a grid. */
static inline struct hd_deplinks_graph fixture_pattern(enum hd_deplinks_pattern p, uint32_t x, uint32_t y, uint32_t z) {
  struct hd_deplinks d;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){x, y, z}, NULL), HD_DEPLINKS_OK);
  assert_int_equal(hd_deplinks_add_pattern(&d, p, 3, 1), HD_DEPLINKS_OK);
  return fixture_build(&d);
}

/* ---- reference: an adjacency matrix ---- */

enum { FIXTURE_MOST = 64 };

struct fixture_plain {
  uint32_t n;
  bool edge[FIXTURE_MOST][FIXTURE_MOST]; /* [parent][child] */
  uint32_t level[FIXTURE_MOST], vid[FIXTURE_MOST];
};

/* Computes the level of each TB (its longest path) by relaxing all edges until nothing changes. Returns false if the
   graph has a cycle. */
static inline bool fixture_levels(struct fixture_plain *p) {
  memset(p->level, 0, sizeof p->level);
  for (uint32_t round = 0, changed = 1; changed; round++) {
    if (round > p->n) return false;
    changed = 0;
    for (uint32_t a = 0; a < p->n; a++)
      for (uint32_t b = 0; b < p->n; b++)
        if (p->edge[a][b] && p->level[b] < p->level[a] + 1) {
          p->level[b] = p->level[a] + 1;
          changed = 1;
        }
  }
  return true;
}

/* Returns the VID of a TB: its rank by level, then by linear id. */
static inline void fixture_rename(struct fixture_plain *p) {
  for (uint32_t a = 0; a < p->n; a++) {
    uint32_t before = 0;
    for (uint32_t b = 0; b < p->n; b++) before += p->level[b] < p->level[a] || (b < a && p->level[b] == p->level[a]);
    p->vid[a] = before;
  }
}

/* Checks that the graph equals the matrix, entry for entry. */
static inline void fixture_same(struct fixture_plain *p, const struct hd_deplinks_graph *g) {
  assert_true(fixture_levels(p));
  fixture_rename(p);
  assert_int_equal(g->nodes, p->n);
  uint32_t e = 0;
  for (uint32_t v = 0; v < p->n; v++) {
    uint32_t tb = g->tb[v], parents = 0;
    assert_true(tb < p->n);
    assert_int_equal(p->vid[tb], v);
    assert_int_equal(g->node[v].level, p->level[tb]);
    for (uint32_t a = 0; a < p->n; a++) parents += p->edge[a][tb];
    assert_int_equal(g->node[v].parents, parents);
    assert_int_equal(g->node[v].start, e);
    for (uint32_t child = 0; child < p->n; child++) {
      uint32_t to = g->tb[child]; /* by VID: the children of a node are in ascending order */
      if (p->edge[tb][to]) assert_int_equal(g->edge[e++], child);
    }
  }
  assert_int_equal(g->edges, e);
  assert_int_equal(g->node[p->n].start, e);
}

#endif
