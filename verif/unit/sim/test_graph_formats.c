/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The readers of the graph: valid, unusual and broken files of each format. */
#include "unit/sim/graph_fixture.h"

TEST(test_edge_list) {
  is_good("a.el", "# one\r\n% two\r\n// three\r\n\r\n0 1\r\n1 2\r\n", 3, 2);
  is_good("a.csv", "source,target,weight\n\"1\",\"2\",0.5\n2,3,-1e3\n", 3, 2);
  is_good("a.tsv", "1\t2\t3\t4\n  2\t3\t3\t4\n", 3, 2);
  is_good("a.txt",
          "\xef\xbb\xbf"
          "1;2\n2;3",
          3, 2);
  is_good("a.txt", "0 18446744073709551615\n", 2, 1);
  is_bad("a.txt", "1 2\n3\n", ":2: field 2, the second vertex, is missing");
  is_bad("a.txt", "1 2\n-3 4\n", ":2: field 1, the first vertex, is '-3'");
  is_bad("a.txt", "1 2\n1 2x\n", ":2: field 2, the second vertex, is '2x'");
  is_bad("a.txt", "1 18446744073709551616\n", ":1: field 2, the second vertex, is '18446744073709551616'");
  is_bad("a.txt", "1 2\nx y\n", ":2: field 1, the first vertex, is 'x'");
  is_bad("a.txt", "1 2 heavy\n", ":1: field 3, the weight, is 'heavy'");
  is_bad("a.txt", "1 2 nan\n", ":1: field 3, the weight, is 'nan'");
  is_bad("a.txt", "1 2 1 2 3 4 5 6 7 8 9\n", ":1: field 11, '9', follows the last field");
}

/* Lines of 'c' are comments; without a 'p' line after the first ones the file is not DIMACS. */
TEST(test_c_comments) {
  is_good("odd", "c an edge list\n\nc\n0 1\nc\n1 2\n  c\t7 8\n2 3\n", 4, 3);
  is_good("a.txt", "c\n# p sp 2 1\n0 1\n", 2, 1);
  is_good("a.csv", "c,d\n0,1\n", 2, 1); /* the names of two columns */
  is_bad("odd", "c\n0 1\nc2 3\n", ":3: field 1, the first vertex, is 'c2'");
  is_bad("odd", "c\n\nc no more\n", ": no edge in the file");
}

/* Words in the first line are names of columns if numbers follow, and data is never taken for names. */
TEST(test_names) {
  is_good("a.txt", "# x\n\na b\n# y\n\n0 1\n", 2, 1);
  is_good("a.txt", "edges\n0 1\n", 2, 1);
  is_good("a.csv", "e,a,p\n0,1,2\n", 2, 1);
  is_bad("a.txt", "# x\na b\n\nx y\n",
         ":2: field 1, the first vertex, is 'a'; a whole number, or names of columns before");
  is_bad("a.txt", "a b\n", ":1: field 1, the first vertex, is 'a'");
  is_bad("a.txt", "a b\nc d\n", ":1: field 1, the first vertex, is 'a'"); /* a comment */
  is_bad("a.txt", "b 2\n1 2\n", ":1: field 1, the first vertex, is 'b'");
  is_bad("a.txt", "a b\n-1 2\n", ":2: field 1, the first vertex, is '-1'");
  is_bad("a.txt", "a b\n1 x\n", ":2: field 2, the second vertex, is 'x'");
  is_bad("a.txt", "a 1 2 3\n1 2\n", ":1: a line that begins with 'a', as in a DIMACS file");
  is_bad("a.txt", "c x\ne 1 2\n1 2\n", ":2: a line that begins with 'e', as in a DIMACS file");
  is_bad("a.csv", "p,sp,3,4\n1,2\n", ":1: a line that begins with 'p', as in a DIMACS file");
  is_bad("a.txt", "# x\np sp 3 4\n1 2\n", ":2: a line that begins with 'p', as in a DIMACS file");
  is_bad("a.txt", "p sp 3 4\n1 2\n", ":2: a line that begins with '1' in a DIMACS file");
  is_bad("a.txt", "# x\n" BANNER "3 3 1\n2 1\n", ":2: the banner of a Matrix Market file");
}

/* Reads an edge list that must be valid, with this many edges and this many declared vertices. */
static void declares(const char *text, uint64_t read, uint64_t declared) {
  struct hd_graph g;
  err[0] = '\0';
  if (!hd_graph_read(temp_text("a.txt", text), &automatic, &g, NULL, err, sizeof err)) fail_msg("%s", err);
  if (g.read != read || g.declared != declared)
    fail_msg("%llu read, %llu declared: %s", (unsigned long long)g.read, (unsigned long long)g.declared, text);
  hd_graph_free(&g);
}

/* Two numbers in the first line are a header if there are that many edges and no larger ids; otherwise they are an
   edge. */
TEST(test_edge_header) {
  declares("4 3\n1 2\n2 3\n3 4\n", 3, 4);
  declares("# x\n\n 9,3 \nc x\n0 1 0.5\n1 2 0.5\n8 9 1\n", 3, 9);
  declares("4 3\n1 2\n2 3\n3 5\n", 4, 0);         /* an id too large */
  declares("4 3\n1 2\n2 3\n5 3\n", 4, 0);         /* an id too large */
  declares("4 3\n1 2\n2 3\n", 3, 0);              /* an edge too few */
  declares("4 3\n1 2\n2 3\n3 4\n4 1\n", 5, 0);    /* one too many */
  declares("4 3 1\n1 2 1\n2 3 1\n3 4 1\n", 4, 0); /* three numbers */
  declares("4 1\n2 2\n3 4\n", 3, 0);
  declares("5 0\n", 1, 0);
  declares("1 2\n", 1, 0);
  declares("a b\n4 3\n1 2\n2 3\n3 4\n", 4, 0);                 /* columns have names: lines are rows */
  declares("18446744073709551615 1\n1 2\n", 2, 0);             /* no graph has this many vertices */
  declares("# Nodes: 4 Edges: 4\n4 3\n1 2\n2 3\n3 4\n", 4, 4); /* it is one of the four */
  declares("# Nodes: 9 Edges: 3\n4 3\n1 2\n2 3\n3 4\n", 3, 4);
  is_good("a.txt", "4 3\n1 2\n2 3\n3 1\n", 3, 3);
  is_bad("a.txt", "4 3\n1 2\n2 3\nx 4\n", ":4: field 1, the first vertex, is 'x'");
}

/* Declarations in SNAP's comments are reported, and never rejected. */
TEST(test_snap_comment) {
  declares("# Directed graph: x.txt\n# Nodes: 875713 Edges: 5105039\n# FromNodeId\tToNodeId\n0\t1\n", 1, 875713);
  declares("0 1\r\n#nodes:\t7\tedges:\t1 (of them)\r\n", 1, 7);
  declares("# Nodes: 7\n0 1\n", 1, 0);
  declares("# Nodes: many Edges: 1\n0 1\n", 1, 0);
  declares("# Nodes: 4294967295 Edges: 1\n0 1\n", 1, 0);
  declares("# Nodes: 1,234 Edges: 1\n0 1\n", 1, 0);
  declares("# Nodes: 1 Edges: 1\n0 1\n", 1, 1);
  declares("# 7 nodes\n0 1\n", 1, 0);
}

TEST(test_mtx) {
  is_good("a.mtx", BANNER "% c\n\n3 3 2\n2 1\n3 1\n", 3, 2);
  is_good("a.mtx", "%%matrixmarket MATRIX Coordinate Real General\r\n4 4 3\r\n1 2 0.5\r\n2 1 -1\r\n4 4 1e9\r\n", 2, 1);
  is_good("a.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 0\n", 2, 1);
  is_good("a.txt", BANNER "3 3 2\n3 1\n2 1\n", 3, 2); /* by its first line */
  is_bad("a.mtx", "1 2\n", ":1: no banner");
  is_bad("a.mtx", "%%MatrixMarket matrix array real general\n", "the format is 'array'");
  is_bad("a.mtx", "%%MatrixMarket matrix coordinate\n", "the field is ''");
  is_bad("a.mtx", "%%MatrixMarket matrix coordinate real odd\n", "the symmetry is 'odd'");
  is_bad("a.mtx", BANNER, "ends before the size line");
  is_bad("a.mtx", BANNER "3 4 2\n", ":2: a matrix of 3 rows and 4 columns");
  is_bad("a.mtx", BANNER "3 3\n", ":2: field 3, the number of entries, is missing");
  is_bad("a.mtx", BANNER "3 3 2\n2 1\n", "ends after 1 of the 2 entries");
  is_bad("a.mtx", BANNER "3 3 1\n2 1\n3 1\n", ":4: an entry after the last of the 1");
  is_bad("a.mtx", BANNER "3 3 1\n4 1\n", ":3: field 1, the row, is '4'; a whole number from 1 to 3 would be accepted");
  is_bad("a.mtx", BANNER "3 3 2\n0 1\n2 1\n",
         ":3: field 1, the row, is '0'; a whole number from 1 to 3 would be accepted");
  is_bad("a.mtx", BANNER "3 3 2\n2 1\n3 0\n", ":4: field 2, the column, is '0'");
  is_bad("a.mtx", BANNER "3 3 1\n2\n",
         ":3: field 2, the column, is missing; a whole number from 1 to 3 would be accepted");
  is_bad("a.mtx", BANNER "0 0 1\n1 1\n", ":3: an edge in a graph of no vertices");
  is_bad("a.mtx", BANNER "99999999999 99999999999 1\n2 1\n", "field 1, the number of rows, is '99999999999'");
  is_bad("a.mtx", BANNER "4000000000 4000000000 18446744073709551615\n2 1\n", "ends after 1 of");
}

TEST(test_dimacs) {
  is_good("a.gr", "c road\nc\np sp 3 4\na 1 2 7\na 2 1 7\na 2 3 1\na 3 2 1\n", 3, 2);
  is_good("a.col", "p edge 3 2\ne 1 2\ne 2 3\n", 3, 2);
  is_good("odd.dat", "c by its first line\r\np sp 2 1\r\na 1 2 7\r\n", 2, 1);
  is_good("odd", "\nc\n\nc\tby the line after the comments\np\tsp 2 1\na 1 2 7\n", 2, 1);
  is_bad("a.col", "c no edge list\n0 1\n", ":2: a line that begins with '0'");
  is_bad("a.gr", "a 1 2 7\n", ":1: an edge before the 'p' line");
  is_bad("a.gr", "p max 2 1\n", "field 2, the problem, is 'max'");
  is_bad("a.gr", "p sp 2 1\np sp 2 1\n", ":2: a second 'p' line");
  is_bad("a.gr", "p sp 2 2\na 1 2 7\n", "ends after 1 edges; 2 would");
  is_bad("a.gr", "p sp 2 1\na 1 3 7\n", ":2: field 3, the second vertex, is '3'");
  is_bad("a.gr", "p sp 2 1\nx 1 2 7\n", ":2: a line that begins with 'x'");
  is_bad("a.gr", "p sp 3 2\na 0 1 7\na 3 1 7\n", ":3: vertex 3 here and vertex 0 in line 2");
  is_bad("a.gr", "p sp 0 1\na 0 0 7\n", "a graph of no vertices");
}

TEST(test_metis) {
  is_good("a.graph", "% c\n4 3\n2\n1 3\n2 4\n3\n", 4, 3);
  is_good("a.graph", "3 1\n3\n\n1\n", 2, 1);                             /* a vertex without a neighbour */
  is_good("a.graph", "3 2 1\n2 10\n1 10 3 20\n2 20\n", 3, 2);            /* edge weights */
  is_good("a.graph", "3 2 11 2\n9 9 2 1\n9 9 1 1 3 1\n9 9 2 1\n", 3, 2); /* two vertex weights, too */
  is_good("a.graph", "3 2 100\n5 2\n5 1 3\n5 2\n", 3, 2);                /* vertex sizes */
  is_good("a.graph", "3 2\r\n1\r\n0 2\r\n1\r\n", 3, 2);                  /* numbered from 0 */
  struct hd_graph g = good("b.graph", "3 2\n1\n0 2\n1\n", 3, 2);
  assert_int_equal(hd_graph_degree(&g, 1), 2);
  hd_graph_free(&g);
  is_bad("a.graph", "3 2\n2\n1 3\n", "ends before the line of vertex 3 of 3");
  is_bad("a.graph", "3 3\n2\n1 3\n2\n", "4 neighbours in total; twice the header's 3 edges");
  is_bad("a.graph", "3 2\n2\n1 4\n2\n", ":3: field 2, a neighbour, is '4'");
  is_bad("a.graph", "3 2\n2\n1 3\n2\n1\n", ":5: a line after that of the last vertex");
  is_bad("a.graph", "3 2 7\n", "field 3, the format, is '7'");
  is_bad("a.graph", "3 2 1\n2\n", ":2: field 2, the weight of the last neighbour, is missing");
  is_bad("a.graph", "3 2 10\n\n", ":2: field 1, a vertex weight, is missing");
}

/* An uninformative name: METIS is recognized by the whole file, and never silently read as an edge list. */
TEST(test_guesses) {
  static const char both[] = ": could be edges (an edge list) or metis";
  is_good("a.txt", "4 5\n2 4 3\n1 3\n2 4 1\n3 1\n", 4, 5); /* METIS: lines of different length */
  is_good("a.el", "4 4 10 3\n1 2 3 2 4\n1 2 3 1 3\n1 2 3 2 4\n1 2 3 3 1\n", 4, 4);
  is_good("a.mgraph", "4 4\n2 4\n1 3\n2 4\n3 1\n", 4, 4);
  is_bad("a.txt", "4 4\n2 4\n1 3\n2 4\n3 1\n", both);
  is_bad("a.csv", "% x\n4 4 10\n7 2 4\n7 1 3\n7 2 4\n7 3 1\n", both);
  is_bad("odd", "4 2 11 2\n9 9 2 1\n9 9 1 1\n9 9 4 1\n9 9 3 1\n", both);
  is_good("a.txt", "4 4\n1 2\n2 3\n3 4\n4 1\n", 4, 4); /* no vertex is a neighbour of its neighbours: a header */
  is_bad("a.txt", "4 5\n2 4 3\n1 3\n2 4 1\n3\n", ":3: 2 fields, and line 2 has 3; the same number in each line");
  is_bad("a.txt", "5 6\n2 4 3\n1 3 4\n2 4 1\n", ": its first line has 2 fields and the others 3");
  is_bad("a.txt", "1 2 3 4 5\n2 3 4 5 6\n", ":1: 5 fields; FROM TO, perhaps with WEIGHT and TIME, would");
  is_good("a.csv", "from,to,a,b,c\n1,2,3,4,5\n2,3,4,5,6\n", 3, 2);
  is_bad("a.txt", "3 3 2\n2 1 5\n3 1 5\n",
         ": could be mtx without its banner (its first line, '3 3 2', has the sizes)");
  is_good("a.txt", "3 3 7\n2 1 5\n3 1 5\n", 3, 2);
  is_bad("a.txt", "%MatrixMarket matrix coordinate real general\n3 3 1\n2 1 5\n", ":1: the banner of a Matrix Market");
  is_bad("a.txt", "% bip unweighted\n1 1\n1 2\n", ":1: 'bip': both columns number their vertices from 1");
  is_bad("a.graph", "4 2 1 3\n2 1\n1 1\n4 1\n3 1\n", ":1: field 4, the number of vertex weights, is 3, but the format");
}

static void directions(const char *text, enum hd_direction direction) {
  struct hd_graph g = good("a.txt", text, 3, 2);
  assert_int_equal(g.input, direction);
  hd_graph_free(&g);
}

TEST(test_konect) {
  directions("% asym weighted\n% 2 3 3\n1 2 1\n2 3 1\n", HD_DIRECTED);
  directions("% sym unweighted\n1 2\n2 3\n", HD_UNDIRECTED);
  directions("% symbols\n1 2\n2 3\n", HD_UNTOLD);
}

/* Data that the graph does not keep is counted. */
static void ignores(const char *name, const char *text, uint64_t weights, uint64_t vertex_weights, uint64_t fields,
                    uint64_t lines) {
  struct hd_graph g;
  err[0] = '\0';
  if (!hd_graph_read(temp_text(name, text), &automatic, &g, NULL, err, sizeof err)) fail_msg("%s", err);
  assert_int_equal(g.ignored.weights, weights);
  assert_int_equal(g.ignored.vertex_weights, vertex_weights);
  assert_int_equal(g.ignored.fields, fields);
  assert_int_equal(g.ignored.lines, lines);
  hd_graph_free(&g);
}

TEST(test_ignored) {
  ignores("a.txt", "1 2\n2 3\n", 0, 0, 0, 0);
  ignores("a.txt", "1 2 5\n2 3 5\n", 2, 0, 0, 0);
  ignores("a.txt", "1 2 5 1000\n2 3 5 1000\n", 2, 0, 2, 0);
  ignores("a.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n2 1 5 6\n", 1, 0, 1, 0);
  ignores("a.graph", "2 1 111 2\n1 8 9 2 5\n1 8 9 1 5\n", 2, 6, 0, 0);
  ignores("a.col", "p edges 2 1\nn 1 4\nd 2 1 1\ne 1 2\n", 0, 0, 0, 2);
  struct hd_graph g = good("a.txt", "# Nodes: 3 Edges: 7\n1 2\n2 3\n", 3, 2);
  assert_int_equal(g.ignored.edges_declared, 7);
  assert_false(g.ignored.header);
  hd_graph_free(&g);
  g = good("a.txt", "4 3\n1 2\n2 3\n3 4\n", 4, 3);
  assert_true(g.ignored.header);
  hd_graph_free(&g);
}

TEST(test_banners) {
#define MM "%%MatrixMarket matrix coordinate "
  is_good("a.mtx", MM "integer skew-symmetric\n3 3 2\n2 1 4\n3 1 -4\n", 3, 2);
  is_bad("a.mtx", MM "real hermitian\n2 2 1\n2 1 1\n", ":1: the symmetry is 'hermitian', the field 'real'; complex");
  is_bad("a.mtx", MM "pattern skew-symmetric\n2 2 1\n2 1\n", ":1: a skew-symmetric pattern");
  is_bad("a.mtx", MM "real general\n2 2 1\n2 1\n", ":3: field 3, the value, is missing");
  is_bad("a.mtx", MM "complex general\n2 2 1\n2 1 5\n", ":3: field 4, the imaginary part, is missing");
  is_bad("a.mtx", MM "integer general\n2 2 1\n2 1 5 6\n", ":3: field 4, '6', follows the last field");
  is_bad("a.col", "p edge 2 1\na 1 2 5\n", ":2: a line that begins with 'a' below 'p edge'; e would be accepted");
  is_bad("a.gr", "p sp 2 1\nn 1 4\na 1 2 5\n", ":2: a line that begins with 'n'");
  is_bad("a.gr", "p tw 2 1\n1 2\n", ":1: field 2, the problem, is 'tw'; sp (shortest paths), edge or col");
#undef MM
}

/* --format wins over the name. */
TEST(test_forced) {
  struct hd_graph g;
  enum hd_format used;
  struct hd_read_opts o = {0};
  assert_true(hd_format_find("metis", &o.format));
  assert_false(hd_format_find("gexf", &used));
  assert_true(hd_graph_read(temp_text("a.txt", "2 1\n2\n1\n"), &o, &g, &used, err, sizeof err));
  assert_int_equal(used, HD_FORMAT_METIS);
  assert_int_equal(g.edges, 1);
  hd_graph_free(&g);
  assert_true(hd_format_find("edges", &o.format));
  assert_true(hd_graph_read(temp_text("a.txt", "4 4\n2 4\n1 3\n2 4\n3 1\n"), &o, &g, &used, err, sizeof err));
  assert_int_equal(g.edges, 2);
  hd_graph_free(&g);
  assert_true(hd_graph_read(temp_text("a.txt", "1 2 3 4 5\n2 3 4 5 6\n"), &o, &g, &used, err, sizeof err));
  assert_int_equal(g.ignored.fields, 4);
  hd_graph_free(&g);
}

TEST_MAIN("graph_formats", temp_setup, temp_teardown)
