/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* parse: declarations shared by the readers of the four formats; internal to tb/graph. */
#ifndef HD_PARSE_H
#define HD_PARSE_H

#include <string.h>

#include "graph/graph.h"
#include "graph/lines.h"

/* Each reads the whole file into `edges`, sets their direction, and sets *declared to the number of vertices in the
 * header, which may be wrong in an edge list. `guessed`: the format is given neither by the user nor by the file name,
 * so a file that could have another format is refused. */
bool hd_parse_edges(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared, bool guessed);
bool hd_parse_mtx(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared);
bool hd_parse_dimacs(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared);
bool hd_parse_metis(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared);

/* Maximum number of vertices that a header may declare. */
#define HD_NODES_MAX 4294967294u

/* As hd_edges_add(); on failure refuses the line or file. */
bool hd_parse_add(struct hd_lines *l, struct hd_edges *edges, uint64_t from, uint64_t to);

/* Ids of a file that declares n vertices: 1 to n, or (unless from_one) 0 to n - 1, but not both 0 and n. */
struct hd_ids {
  uint64_t n;
  bool from_one;
  uint64_t zero_line, last_line; /* first lines with ids 0 and n; 0 = none yet */
};
/* Parses an id. `n`: number of the field in its line; `what`: its meaning; both for messages. */
bool hd_parse_id(struct hd_lines *l, struct hd_ids *ids, const char *field, unsigned n, const char *what, uint64_t *id);

static inline bool hd_parse_blank(const char *line) {
  return line[strspn(line, " \t\r")] == '\0';
}

/* Returns true if the line begins with this letter, followed by a blank or the end, as in DIMACS. */
static inline bool hd_parse_begins(const char *line, char letter) {
  return line[0] == letter && (line[1] == ' ' || line[1] == '\t' || line[1] == '\0');
}

/* Parses the remaining fields, from the n-th on: at most `max` numbers (weights). *first, unless NULL: the first one,
 * or NAN. */
bool hd_parse_weights(struct hd_lines *l, char **p, unsigned n, unsigned max, double *first, unsigned *found);
/* Sets the weight of the edge added last, unless it is NAN or weights are not kept. A kept weight must not be negative.
 */
bool hd_parse_weigh(struct hd_lines *l, struct hd_edges *edges, double weight);

#endif
