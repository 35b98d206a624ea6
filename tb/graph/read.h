/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* read: graph files of four formats, plain or compressed (graph/lines.h), into a graph.
 *
 *   edges    edge list (.txt .el .tsv .csv .edges): two ids and perhaps a weight to a line, separated by blanks, commas
 *            or semicolons, as many fields in each line; comments begin with # % // or c and a blank; a first line of
 *            words before numbers names the columns; a first line of two numbers is a header, NODES EDGES, if EDGES
 *            lines follow, with no id above NODES
 *   mtx      Matrix Market (.mtx), coordinate: pattern, real, integer or complex; general or symmetric; square
 *   dimacs   DIMACS shortest path (.gr: p sp, a) and colouring (.col: p edge, e)
 *   metis    METIS (.graph .mgraph .metis): the neighbours of vertex i on the i-th line; vertex and edge weights as the
 *            header says
 *
 * Every format survives any line ends, self loops, repeated edges and ids that are not dense. In DIMACS and METIS,
 * which number from 1, an id 0 is taken as a sign that the file numbers from 0; 0 and the last id together are refused.
 * Matrix Market has no 0. Counts in a header must match. What the graph does not keep is counted (struct hd_ignored).
 * Every refusal is one line, "FILE:LINE: field, what was found; what would be accepted".
 *
 * Directed are: Matrix Market general, DIMACS p sp, edge lists with a comment "# Directed graph", or "% asym" of
 * KONECT.
 */
#ifndef HD_READ_H
#define HD_READ_H

#include "graph/graph.h"

enum hd_format { HD_FORMAT_AUTO, HD_FORMAT_EDGES, HD_FORMAT_MTX, HD_FORMAT_DIMACS, HD_FORMAT_METIS };

/* "edges", "mtx", "dimacs", "metis" or "auto"; false: no such format. */
bool hd_format_find(const char *name, enum hd_format *format);
const char *hd_format_name(enum hd_format format);

struct hd_read_opts {
  enum hd_format format;
  bool directed; /* keep the direction of arcs; an edge list that tells nothing of it is taken as directed */
  bool weights;  /* keep weights, none of which may be negative: of several behind an edge the first one */
};

/* Reads a file into *g. AUTO: by the first line if it names its format, else by the extension, else an edge list;
 * where neither tells, a 'p' line behind comments that begin with 'c' makes it DIMACS. A file that could be an edge
 * list or METIS, and has no name of METIS, is refused. False: err holds one line, *g is empty. `used`, if not NULL,
 * receives the format. */
bool hd_graph_read(const char *name, const struct hd_read_opts *o, struct hd_graph *g, enum hd_format *used, char *err,
                   size_t err_size);

#endif
