/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* parse: what the readers of the four formats share; internal to tb/graph. */
#ifndef HD_PARSE_H
#define HD_PARSE_H

#include <string.h>

#include "graph/graph.h"
#include "graph/lines.h"

/* Each reads the whole file into `edges` and tells there of their direction; `declared` is set to the number of
 * vertices that the header tells. That of an edge list may be wrong. `guessed`: neither the user nor the name says that
 * the file is an edge list, so what could also be of another format is refused. */
bool hd_parse_edges(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared, bool guessed);
bool hd_parse_mtx(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared);
bool hd_parse_dimacs(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared);
bool hd_parse_metis(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared);

/* The most vertices a header may declare. */
#define HD_NODES_MAX 4294967294u

/* hd_edges_add, or a refusal that names the limit. */
bool hd_parse_add(struct hd_lines *l, struct hd_edges *edges, uint64_t from, uint64_t to);

/* Ids of a file that declares n vertices: 1 to n, or (unless from_one) 0 to n - 1, but not both 0 and n. */
struct hd_ids {
  uint64_t n;
  bool from_one;
  uint64_t zero_line, last_line; /* where 0 and n were seen, 0 = not yet */
};
/* `n`: the number of the field in its line, for messages; `what`: its meaning. */
bool hd_parse_id(struct hd_lines *l, struct hd_ids *ids, const char *field, unsigned n, const char *what, uint64_t *id);

static inline bool hd_parse_blank(const char *line) {
  return line[strspn(line, " \t\r")] == '\0';
}

/* Whether the line begins with this letter alone, as those of DIMACS do: a blank or the end comes next. */
static inline bool hd_parse_begins(const char *line, char letter) {
  return line[0] == letter && (line[1] == ' ' || line[1] == '\t' || line[1] == '\0');
}

/* Fields from the n-th on, behind the ones that matter, must be numbers (weights); at most `max` of them. *first,
 * unless NULL: the first one, or NAN. */
bool hd_parse_weights(struct hd_lines *l, char **p, unsigned n, unsigned max, double *first, unsigned *found);
/* Gives it to the edge that was added last, unless it is NAN or weights are not kept: then it may not be negative. */
bool hd_parse_weigh(struct hd_lines *l, struct hd_edges *edges, double weight);

#endif
