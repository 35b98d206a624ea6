/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* debian: the dependency graph of Debian packages, from the package lists of this machine.
 *
 * Vertices are the packages of one release, component main, for one architecture (the lists of its updates and its
 * security archive are omitted: they repeat packages). Rules for edges:
 *   - each package has edges along Depends, Pre-Depends, Recommends and Suggests; versions, architecture qualifiers and
 *     restrictions are cut off; each alternative of "a | b" counts;
 *   - a name leads to the package of that name, if it exists, and to one package that Provides it, if any: the last one
 *     in the list;
 *   - directions, repetitions and self loops are dropped;
 *   - packages with a degree above 1400 are omitted with their edges, and then packages without an edge.
 * The lists, and so the counts, change with each point release. Among several readings, the rule for providers is the
 * one that comes closest to 60 272 vertices and 258 846 edges, the published counts of this graph; with all providers
 * there would be 13 000 to 20 000 more edges. Vertices are numbered in the byte order of the packages' names. */
#ifndef HD_DEBIAN_H
#define HD_DEBIAN_H

#include "graph/graph.h"

struct hd_debian_opts {
  const char *lists; /* folder of the package lists; NULL = /var/lib/apt/lists */
  const char *suite; /* "bookworm"; NULL = the only suite in the folder */
  const char *arch;  /* NULL = "amd64" */
  uint32_t max_degree;
};

struct hd_debian {
  struct hd_graph graph;
  char suite[64];
  char release[128]; /* version and date from the release file, or "" */
  uint64_t packages; /* names in the lists */
  uint64_t left_out; /* packages omitted for their degree */
};

/* Returns false with one line in err, which names the missing file or option. */
bool hd_debian_read(const struct hd_debian_opts *o, struct hd_debian *d, char *err, size_t err_size);
void hd_debian_free(struct hd_debian *d);

#endif
