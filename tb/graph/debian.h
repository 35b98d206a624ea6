/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* debian: the dependency graph of the Debian packages that a machine's own package lists tell of.
 *
 * Vertices are the packages of one release, component main, of one architecture (the lists of its updates and of its
 * security archive are left out: they repeat packages). The rules for edges:
 *   - from each package along Depends, Pre-Depends, Recommends and Suggests; versions, architecture qualifiers and
 *     restrictions are cut off; each alternative of "a | b" counts;
 *   - a name leads to the package of that name, if there is one, and to one package that Provides it, if there is one:
 * the one that comes last in the list;
 *   - directions, repetitions and self loops are dropped;
 *   - packages of degree over 1400 are left out with their edges, and then packages without an edge.
 * The lists change at each point release, and the counts with them. The rule for providers is the one of several
 * readings that comes closest to 60 272 vertices and 258 846 edges, the counts that this graph was first described
 * with; with all providers there would be 13 000 to 20 000 edges more. The vertices are numbered in the byte order of
 * the packages' names. */
#ifndef HD_DEBIAN_H
#define HD_DEBIAN_H

#include "graph/graph.h"

struct hd_debian_opts {
  const char *lists; /* folder of the package lists; NULL = /var/lib/apt/lists */
  const char *suite; /* "bookworm"; NULL = the only one there */
  const char *arch;  /* NULL = "amd64" */
  uint32_t max_degree;
};

struct hd_debian {
  struct hd_graph graph;
  char suite[64];
  char release[128]; /* the release's own words: version and date, or "" */
  uint64_t packages; /* names in the lists */
  uint64_t left_out; /* for their degree */
};

/* False: err holds one line that says what is missing and what would help. */
bool hd_debian_read(const struct hd_debian_opts *o, struct hd_debian *d, char *err, size_t err_size);
void hd_debian_free(struct hd_debian *d);

#endif
