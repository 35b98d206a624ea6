/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* read: graph files of four formats, plain or compressed (graph/lines.h), into a graph.
 *
 *   edges    edge list (.txt .el .tsv .csv .edges): two ids and perhaps a weight per line, separated by blanks, commas
 *            or semicolons, the same number of fields in each line; comments begin with # % // or c and a blank; a
 *            first line of words before numbers names the columns; a first line of two numbers is a header, NODES
 *            EDGES, if EDGES lines follow, with no id above NODES
 *   mtx      Matrix Market (.mtx), coordinate: pattern, real, integer or complex; general or symmetric; square
 *   dimacs   DIMACS shortest path (.gr: p sp, a) and colouring (.col: p edge, e)
 *   metis    METIS (.graph .mgraph .metis): the neighbours of vertex i on the i-th line; vertex and edge weights as the
 *            header says
 *
 * Every format accepts any line ends, self loops, repeated edges and ids that are not dense. In DIMACS and METIS, which
 * number from 1, an id 0 shows that the file numbers from 0; 0 and the last id together are refused. Matrix Market has
 * no 0. Counts in a header must match. Input that is not in the graph is counted (struct hd_ignored). Every error
 * message is one line, "FILE:LINE: field, the value found; accepted values".
 *
 * Directed are: Matrix Market general, DIMACS p sp, edge lists with a comment "# Directed graph", or "% asym" of
 * KONECT.
 */
#ifndef HD_READ_H
#define HD_READ_H

#include "graph/graph.h"

enum hd_format { HD_FORMAT_AUTO, HD_FORMAT_EDGES, HD_FORMAT_MTX, HD_FORMAT_DIMACS, HD_FORMAT_METIS };

/* Parses "edges", "mtx", "dimacs", "metis" or "auto". Returns false for another name. */
bool hd_format_find(const char *name, enum hd_format *format);
const char *hd_format_name(enum hd_format format);

struct hd_read_opts {
  enum hd_format format;
  bool directed; /* keep the direction of arcs; an edge list without a declaration is taken as directed */
  bool weights;  /* keep weights (the first number after an edge), none of which may be negative */
};

/* Reads a file into *g. AUTO: by the first line if it names the format, else by the extension, else as DIMACS if a 'p'
 * line follows comments that begin with 'c', else as an edge list. Refuses a file that could be an edge list or METIS
 * and whose name does not determine that. Returns false with one line in err; *g is then empty. `used`, if not NULL,
 * receives the format. */
bool hd_graph_read(const char *name, const struct hd_read_opts *o, struct hd_graph *g, enum hd_format *used, char *err,
                   size_t err_size);

#endif
