/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/debian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/pkglist.h"

/* A name and its vertex; a table of them is sorted by name. */
struct entry {
  const char *name;
  uint32_t vertex;
};

struct table {
  struct entry *e;
  size_t n, cap;
};

static int by_name(const void *a, const void *b) {
  const struct hd_package *x = a, *y = b;
  int c = strcmp(x->name, y->name);
  return c != 0 ? c : (x->order > y->order) - (x->order < y->order);
}

static int by_entry_name(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static bool table_add(struct table *t, const char *name, uint32_t vertex) {
  if (t->n == t->cap) {
    size_t cap = t->cap != 0 ? t->cap * 2 : 4096;
    struct entry *grown = realloc(t->e, cap * sizeof *grown);
    if (grown == NULL) return false;
    t->e = grown;
    t->cap = cap;
  }
  t->e[t->n++] = (struct entry){name, vertex};
  return true;
}

static const struct entry *table_find(const struct table *t, const char *name) {
  struct entry key = {name, 0};
  return t->n != 0 ? bsearch(&key, t->e, t->n, sizeof key, by_entry_name) : NULL;
}

struct provision {
  struct entry entry;
  uint32_t order; /* index of the providing stanza in the list */
};

static int by_provision(const void *a, const void *b) {
  const struct provision *x = a, *y = b;
  int c = strcmp(x->entry.name, y->entry.name);
  return c != 0 ? c : (x->order > y->order) - (x->order < y->order);
}

/* Vertices of the packages, which are sorted by name; several stanzas of one name are one vertex. */
static bool name_packages(const struct hd_packages *ps, uint32_t *vertex, struct table *names) {
  for (size_t i = 0; i < ps->n; i++) {
    bool again = i > 0 && strcmp(ps->p[i].name, ps->p[i - 1].name) == 0;
    if (!again && !table_add(names, ps->p[i].name, (uint32_t)names->n)) return false;
    vertex[i] = (uint32_t)names->n - 1;
  }
  return true;
}

/* Finds the last provider of each provided name. The names point into the packages' Provides fields, which it cuts. */
static bool name_providers(struct hd_packages *ps, const uint32_t *vertex, struct table *providers) {
  struct provision *all = NULL;
  size_t n = 0, cap = 0;
  bool good = true;
  for (size_t i = 0; i < ps->n; i++) {
    char *p = ps->p[i].provides;
    for (char *name; good && (name = hd_relation_next(&p)) != NULL; n++) {
      if (n == cap) {
        cap = cap != 0 ? cap * 2 : 4096;
        struct provision *grown = realloc(all, cap * sizeof *grown);
        good = grown != NULL;
        if (!good) break;
        all = grown;
      }
      all[n] = (struct provision){{name, vertex[i]}, ps->p[i].order};
    }
  }
  if (good && n != 0) qsort(all, n, sizeof *all, by_provision);
  for (size_t i = 0; good && i < n; i++) {
    bool last = i + 1 == n || strcmp(all[i].entry.name, all[i + 1].entry.name) != 0;
    if (last) good = table_add(providers, all[i].entry.name, all[i].entry.vertex);
  }
  free(all);
  return good;
}

static bool add_edges(struct hd_packages *ps, const uint32_t *vertex, const struct table *names,
                      const struct table *providers, struct hd_edges *edges) {
  for (size_t i = 0; i < ps->n; i++) {
    char *p = ps->p[i].needs;
    for (char *name; (name = hd_relation_next(&p)) != NULL;) {
      const struct entry *package = table_find(names, name), *provider = table_find(providers, name);
      if (package != NULL && !hd_edges_add(edges, vertex[i], package->vertex)) return false;
      if (provider != NULL && !hd_edges_add(edges, vertex[i], provider->vertex)) return false;
    }
  }
  return true;
}

static bool build(struct hd_packages *ps, uint32_t max_degree, struct hd_debian *d) {
  struct table names = {0}, providers = {0};
  struct hd_edges edges = {0};
  struct hd_graph whole = {0};
  uint32_t *vertex = malloc(ps->n * sizeof *vertex);
  qsort(ps->p, ps->n, sizeof *ps->p, by_name);
  bool good = vertex != NULL && name_packages(ps, vertex, &names) && name_providers(ps, vertex, &providers) &&
              add_edges(ps, vertex, &names, &providers, &edges) && hd_graph_build(&whole, &edges) &&
              hd_graph_without(&whole, max_degree, &d->graph);
  d->packages = names.n;
  for (uint32_t v = 0; good && v < whole.nodes; v++) d->left_out += hd_graph_degree(&whole, v) > max_degree;
  hd_graph_free(&whole);
  hd_edges_free(&edges);
  free(names.e);
  free(providers.e);
  free(vertex);
  return good;
}

bool hd_debian_read(const struct hd_debian_opts *o, struct hd_debian *d, char *err, size_t err_size) {
  char path[4352];
  struct hd_packages ps;
  *d = (struct hd_debian){0};
  if (!hd_pkglist_find(o->lists != NULL ? o->lists : "/var/lib/apt/lists", o->suite,
                       o->arch != NULL ? o->arch : "amd64", path, sizeof path, d->suite, sizeof d->suite, err,
                       err_size))
    return false;
  if (!hd_pkglist_read(path, &ps, err, err_size)) return false;
  hd_pkglist_release(path, d->release, sizeof d->release);
  bool good = build(&ps, o->max_degree, d);
  hd_packages_free(&ps);
  if (good) return true;
  hd_debian_free(d);
  snprintf(err, err_size, "%s: out of memory", path);
  return false;
}

void hd_debian_free(struct hd_debian *d) {
  hd_graph_free(&d->graph);
}
