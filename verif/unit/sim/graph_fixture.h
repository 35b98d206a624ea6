/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the graph reader tests: accepted files and rejected files. */
#ifndef HD_GRAPH_FIXTURE_H
#define HD_GRAPH_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include "graph/graph.h"
#include "graph/read.h"
#include "test_list.h"
#include "unit/temp.h"

static char err[1024];
static const struct hd_read_opts automatic = {.format = HD_FORMAT_AUTO};

#define BANNER "%%MatrixMarket matrix coordinate pattern symmetric\n"

/* Reads a file that must be valid and have this shape. */
static inline struct hd_graph good(const char *name, const char *text, uint32_t nodes, uint64_t edges) {
  struct hd_graph g;
  err[0] = '\0';
  if (!hd_graph_read(temp_text(name, text), &automatic, &g, NULL, err, sizeof err)) fail_msg("%s", err);
  assert_int_equal(g.nodes, nodes);
  assert_int_equal(g.edges, edges);
  return g;
}

static inline void is_good(const char *name, const char *text, uint32_t nodes, uint64_t edges) {
  struct hd_graph g = good(name, text, nodes, edges);
  hd_graph_free(&g);
}

/* Reads bytes that must be rejected, with `says` in the one-line message. */
static inline void is_bad_bytes(const char *name, const void *data, size_t n, const char *says) {
  struct hd_graph g;
  err[0] = '\0';
  const char *path = temp_bytes(name, data, n);
  assert_false(hd_graph_read(path, &automatic, &g, NULL, err, sizeof err));
  if (strstr(err, says) == NULL) fail_msg("'%s' is not in: %s", says, err);
  assert_null(strchr(err, '\n'));
  assert_int_equal(strncmp(err, path, strlen(path)), 0);
  assert_null(g.row);
}

static inline void is_bad(const char *name, const char *text, const char *says) {
  is_bad_bytes(name, text, strlen(text), says);
}

#endif
