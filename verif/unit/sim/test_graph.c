/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The graph, in any file format: rows, directions, omitted edges; compressed and damaged files. */
#include <zlib.h>

#include "unit/sim/graph_fixture.h"

/* Ids keep their order, neighbours are ascending and every edge is present in both directions. */
TEST(test_rows) {
  struct hd_graph g = good("a.txt", "70 5\n5 1000000000000\n70 1000000000000\n6 5\n", 4, 4);
  const uint64_t ids[] = {5, 6, 70, 1000000000000};
  const uint32_t cols[] = {1, 2, 3, 0, 0, 3, 0, 2};
  const uint64_t rows[] = {0, 3, 4, 6, 8};
  assert_memory_equal(g.id, ids, sizeof ids);
  assert_memory_equal(g.col, cols, sizeof cols);
  assert_memory_equal(g.row, rows, sizeof rows);
  assert_int_equal(hd_graph_largest(&g), 3);
  hd_graph_free(&g);
}

/* Self loops and repetitions, in either direction, are dropped and counted. */
TEST(test_dropped) {
  struct hd_graph g = good("a.txt", "1 2\n2 1\n1 1\n1 2\n2 3\n9 9\n", 3, 2);
  assert_int_equal(g.read, 6);
  assert_int_equal(g.self_loops, 2);
  assert_int_equal(g.duplicates, 2);
  hd_graph_free(&g);
}

/* Largest degree first, the lower number first on ties. */
TEST(test_top) {
  struct hd_graph g = good("a.txt", "0 1\n2 3\n2 4\n5 6\n5 7\n", 8, 5);
  uint32_t top[8];
  const uint32_t wanted[] = {2, 5, 0, 1, 3, 4, 6, 7};
  assert_true(hd_graph_top(&g, 8, top));
  assert_memory_equal(top, wanted, sizeof wanted);
  hd_graph_free(&g);
}

/* Omitting a hub omits the vertices that only it touched. */
TEST(test_without) {
  struct hd_graph g = good("a.txt", "1 2\n1 3\n1 4\n3 4\n", 4, 4), h;
  const uint64_t ids[] = {3, 4};
  assert_true(hd_graph_without(&g, 2, &h));
  assert_int_equal(h.nodes, 2);
  assert_int_equal(h.edges, 1);
  assert_memory_equal(h.id, ids, sizeof ids);
  hd_graph_free(&g);
  hd_graph_free(&h);
}

TEST(test_empty) {
  is_bad("a.txt", "", "no edge");
  is_bad("a.txt", "# nothing\n", "no edge");
  is_bad("a.txt", "1 1\n", "self loops only");
  is_bad("a.mtx", "", "empty");
  is_bad("a.gr", "", "no 'p' line");
  is_bad("a.graph", "", "no header");
  struct hd_graph g;
  assert_false(hd_graph_read("/nonexistent/graph.txt", &automatic, &g, NULL, err, sizeof err));
  assert_string_equal(err, "/nonexistent/graph.txt: No such file or directory");
  assert_false(hd_graph_read(temp_dir, &automatic, &g, NULL, err, sizeof err));
}

TEST(test_bytes) {
  is_bad_bytes("a.txt", "1 2\n3 \0 4\n", 10, ":2: a NUL byte");
  is_bad_bytes("a.txt", "\x7f\x45\x4c\x46\x02\x01", 6, ":1: field 1, the first vertex, is '?ELF?");
  is_bad_bytes("a.txt", "\xff\xfe\n\xff\xfe\n", 6,
               ":1: field 1, the first vertex, is '?"
               "?'");
}

/* Compressed files are read like plain ones; a truncated one is rejected even if its content was valid so far. */
TEST(test_gzip) {
  char path[512], text[4000], bytes[4000];
  struct hd_graph g;
  size_t n = 0;
  for (unsigned i = 0; i < 300; i++) n += (size_t)sprintf(text + n, "%u %u\n", i * 7919 % 1000, i);
  snprintf(path, sizeof path, "%s/b.txt.gz", temp_dir);
  gzFile f = gzopen(path, "wb");
  assert_int_equal(gzwrite(f, text, (unsigned)n), n);
  assert_int_equal(gzclose(f), Z_OK);
  assert_true(hd_graph_read(path, &automatic, &g, NULL, err, sizeof err));
  assert_int_equal(g.read, 300);
  hd_graph_free(&g);
  FILE *raw = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, raw);
  fclose(raw);
  is_bad_bytes("c.txt.gz", bytes, size - 12, "truncated");
  bytes[size / 2] ^= 0x55;
  bytes[size / 2 + 1] ^= 0x55;
  is_bad_bytes("c.txt.gz", bytes, size, "");
}

/* So are those of other programs, which are skipped where they are missing. */
TEST(test_packed) {
  static const char *const program[] = {"xz", "bzip2", "zstd"};
  char path[600], command[1400];
  struct hd_graph g;
  for (unsigned k = 0; k < sizeof program / sizeof *program; k++) {
    snprintf(path, sizeof path, "%s/p.%s", temp_dir, program[k]);
    snprintf(command, sizeof command, "printf '1 2\\n2 3\\n' | %s -c > %s 2> %s.err", program[k], path, path);
    if (system(command) != 0) continue;
    if (!hd_graph_read(path, &automatic, &g, NULL, err, sizeof err)) fail_msg("%s", err);
    assert_int_equal(g.edges, 2);
    hd_graph_free(&g);
    snprintf(command, sizeof command, "truncate -s -3 %s", path);
    assert_int_equal(system(command), 0);
    assert_false(hd_graph_read(path, &automatic, &g, NULL, err, sizeof err));
    if (strstr(err, ": damaged or truncated data; '") == NULL) fail_msg("%s", err);
  }
  is_bad("p.zip", "PK\x03\x04", ": a zip archive");
  char tar[512] = "a.txt";
  memcpy(tar + 257, "ustar", 5);
  is_bad_bytes("p.tar", tar, sizeof tar, ": a tar archive");
}

/* LF, CRLF and a lone CR end a line, at any position in the reader's buffer, and count as one. */
TEST(test_line_ends) {
  static const char *const ends[] = {"\n", "\r\n", "\r"};
  static char text[70000];
  is_good("a.txt", "# Mac\r0 1\r\r1 2\r2 3", 4, 3);
  is_good("a.graph", "3 1\r3\r\r1\r", 2, 1);
  is_bad("a.txt", "1 2\r1 2\r\n1 2\n\r1 x\r", ":5: field 2, the second vertex, is 'x'");
  for (unsigned e = 0; e < 3; e++)
    for (unsigned shift = 0; shift < 6; shift++) {
      char says[64];
      size_t n = (size_t)sprintf(text, "#%.*s%s", (int)shift, ".....", ends[e]);
      unsigned lines = 1;
      for (; n < 66000; lines++) n += (size_t)sprintf(text + n, "1 %u%s", 2 + lines % 2, ends[e]);
      snprintf(says, sizeof says, ":%u: field 2, the second vertex, is 'x'", lines + 1);
      sprintf(text + n, "1 x%s", ends[e]);
      is_bad("a.txt", text, says);
    }
  char path[512];
  snprintf(path, sizeof path, "%s/mac.txt.gz", temp_dir);
  gzFile f = gzopen(path, "wb");
  assert_int_equal(gzputs(f, "0 1\r1 2\r2 3\r"), 12);
  assert_int_equal(gzclose(f), Z_OK);
  struct hd_graph g;
  if (!hd_graph_read(path, &automatic, &g, NULL, err, sizeof err)) fail_msg("%s", err);
  assert_int_equal(g.edges, 3);
  hd_graph_free(&g);
}

/* Reads a file as is, and with its direction kept: whether the former made it undirected, edges of the former and arcs
 * of the latter, whose neighbours are those of `cols`. */
static void has_arcs(const char *name, const char *text, bool made, uint64_t edges, uint64_t arcs,
                     const uint32_t *cols) {
  struct hd_graph g;
  const struct hd_read_opts keep = {.directed = true};
  const char *path = temp_text(name, text);
  if (!hd_graph_read(path, &automatic, &g, NULL, err, sizeof err)) fail_msg("%s", err);
  assert_false(g.directed);
  assert_int_equal(hd_graph_made_undirected(&g), made);
  assert_int_equal(g.edges, edges);
  assert_int_equal(g.row[g.nodes], 2 * edges);
  hd_graph_free(&g);
  if (!hd_graph_read(path, &keep, &g, NULL, err, sizeof err)) fail_msg("%s", err);
  assert_true(g.directed);
  assert_false(hd_graph_made_undirected(&g));
  assert_int_equal(g.edges, arcs);
  assert_int_equal(g.row[g.nodes], arcs);
  assert_memory_equal(g.col, cols, arcs * sizeof *cols);
  hd_graph_free(&g);
}

#define GENERAL "%%MatrixMarket matrix coordinate pattern general\n"

/* Each format states whether it is directed; if the direction is kept, each arc is present once. */
TEST(test_directed) {
  const uint32_t path[] = {1, 2}, both[] = {1, 0, 2, 1}, two[] = {1, 2, 0};
  has_arcs("a.mtx", GENERAL "3 3 2\n1 2\n2 3\n", true, 2, 2, path);
  has_arcs("a.mtx", GENERAL "3 3 3\n1 2\n3 1\n2 3\n", true, 3, 3, two);
  has_arcs("a.mtx", BANNER "3 3 2\n2 1\n3 2\n", false, 2, 4, both);
  has_arcs("a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1\n3 2 1\n", false, 2, 4, both);
  has_arcs("a.gr", "p sp 3 2\na 1 2 7\na 2 3 7\n", true, 2, 2, path);
  has_arcs("a.gr", "p sp 3 4\na 1 2 7\na 2 3 7\na 3 2 7\na 2 1 7\n", true, 2, 4, both);
  has_arcs("a.col", "p edge 3 2\ne 1 2\ne 2 3\n", false, 2, 4, both);
  has_arcs("a.graph", "3 2\n2\n1 3\n2\n", false, 2, 4, both);
  has_arcs("a.txt", "# Directed graph (each unordered pair of nodes is saved once): x\n7 8\n8 9\n", true, 2, 2, path);
  has_arcs("a.txt", "7 8\n8 9\n%directed  Graph\n", true, 2, 2, path);
  has_arcs("a.txt", "# Undirected graph: x\n7 8\n8 9\n", false, 2, 4, both);
  has_arcs("a.txt", "# not a directed graph\n7 8\n8 9\n", false, 2, 2, path); /* not stated: --directed decides */
}

/* The rows of a directed graph: those of vertices without outgoing arcs are empty. Counts of dropped edges. */
TEST(test_arcs) {
  struct hd_graph g;
  const struct hd_read_opts keep = {.directed = true};
  const char *path = temp_text("a.txt", "2 9\n2 1\n1 2\n2 1\n5 5\n9 1\n6 9\n");
  assert_true(hd_graph_read(path, &keep, &g, NULL, err, sizeof err));
  const uint64_t ids[] = {1, 2, 6, 9}, rows[] = {0, 1, 3, 4, 5};
  const uint32_t cols[] = {1, 0, 3, 3, 0};
  assert_int_equal(g.nodes, 4);
  assert_int_equal(g.read, 7);
  assert_int_equal(g.self_loops, 1);
  assert_int_equal(g.duplicates, 1);
  assert_memory_equal(g.id, ids, sizeof ids);
  assert_memory_equal(g.row, rows, sizeof rows);
  assert_memory_equal(g.col, cols, sizeof cols);
  assert_int_equal(hd_graph_largest(&g), 2);
  hd_graph_free(&g);
  path = temp_text("a.col", "p edge 3 4\ne 1 2\ne 2 1\ne 2 2\ne 2 3\n");
  assert_true(hd_graph_read(path, &keep, &g, NULL, err, sizeof err));
  assert_int_equal(g.edges, 4);
  assert_int_equal(g.self_loops, 1);
  assert_int_equal(g.duplicates, 1);
  hd_graph_free(&g);
}

/* Random damage to valid files is read or rejected, never anything else (checked by the sanitizers). */
TEST(test_damage) {
  static const struct {
    const char *name, *text;
  } files[] = {{"d.mtx", BANNER "5 5 3\n2 1\n3 1\n5 4\n"},
               {"d.gr", "c x\np sp 5 3\na 1 2 3\na 2 3 4\na 4 5 6\n"},
               {"d.graph", "4 3 11 1\n1 2 1\n1 1 1 3 1\n1 2 1 4 1\n1 3 1\n"},
               {"d.csv", "from,to\n1,2,3\n\"4\",5\n6;7\n"},
               {"d.txt", "# Directed graph\r\n# Nodes: 5 Edges: 3\r\n5 3\r\n1 2\r3 4\r4 5\r"},
               {"d", "c x\n\nc y\np sp 5 3\na 1 2 3\na 2 3 4\na 4 5 6\n"},
               {"d.col", "p edge 4 3\ne 1 2\ne 2 3\ne 4 3\n"}};
  const unsigned kinds = sizeof files / sizeof *files;
  uint32_t random = 1;
  for (unsigned round = 0; round < 6000; round++) {
    char text[200];
    size_t n = strlen(files[round % kinds].text);
    memcpy(text, files[round % kinds].text, n);
    for (unsigned i = 0; i <= round % 3; i++) {
      random = random * 1664525 + 1013904223;
      text[(random >> 8) % n] = (char)(random >> 24);
    }
    if (round % 5 == 0) n = random % n;
    const struct hd_read_opts o = {.directed = round % 2 == 0};
    struct hd_graph g;
    err[0] = '\0';
    bool read = hd_graph_read(temp_bytes(files[round % kinds].name, text, n), &o, &g, NULL, err, sizeof err);
    assert_true(read == (err[0] == '\0'));
    assert_true(read == (g.nodes >= 2));
    hd_graph_free(&g);
  }
}

TEST_MAIN("graph", temp_setup, temp_teardown)
