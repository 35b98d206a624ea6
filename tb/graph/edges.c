/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads edge lists: "from to [weight ..]" on each line, perhaps after a line "NODES EDGES" or names of columns. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "graph/parse.h"

struct list {
  struct hd_edges *edges;
  uint64_t lines;      /* number of edge lines */
  uint64_t names_line; /* line with the names of columns, 0 = none */
  char name[48];       /* the first name, printable */
  bool held;           /* the first edge is not added yet, since it may be a header */
  struct hd_edge first;
  uint64_t largest;           /* largest id in the other lines */
  uint64_t declared, counted; /* vertices and edges according to a comment, 0 = none */
  bool guessed;
  unsigned columns;      /* fields per line */
  uint64_t columns_line; /* first line with that number */
  bool sizes;            /* the first line has three numbers, like ROWS COLUMNS ENTRIES of a matrix */
  double third;          /* its third number */
};

/* Returns the text of a comment, or NULL if the line is not a comment. */
static char *comment_text(char *s) {
  s += strspn(s, " \t");
  if (*s == '#' || *s == '%' || hd_parse_begins(s, 'c')) return s + 1;
  return s[0] == '/' && s[1] == '/' ? s + 2 : NULL;
}

/* KONECT's files begin with "% sym unweighted" (or asym, or bip). */
static bool parse_konect(struct hd_lines *l, struct list *q, const char *kind) {
  if (strcmp(kind, "sym") == 0) q->edges->direction = HD_UNDIRECTED;
  if (strcmp(kind, "asym") == 0) q->edges->direction = HD_DIRECTED;
  return strcmp(kind, "bip") != 0 ||
         hd_lines_fail(l, "'bip': both columns number their vertices from 1; one numbering would be accepted");
}

/* SNAP's files have "# Directed graph: x.txt" (or "Undirected") and "# Nodes: 5 Edges: 7". */
static bool parse_comment(struct hd_lines *l, struct list *q, char *p) {
  const char *first = hd_field(&p), *second = hd_field(&p), *third = hd_field(&p), *fourth = hd_field(&p);
  uint64_t declared, counted;
  const bool konect = l->number == 1 && l->line[0] == '%' && second != NULL;
  if (konect && !parse_konect(l, q, first)) return false;
  if (second != NULL && strncasecmp(second, "graph", 5) == 0) {
    if (strcasecmp(first, "directed") == 0) q->edges->direction = HD_DIRECTED;
    if (strcasecmp(first, "undirected") == 0) q->edges->direction = HD_UNDIRECTED;
  }
  if (fourth == NULL || strcasecmp(first, "Nodes:") != 0 || strcasecmp(third, "Edges:") != 0) return true;
  if (!hd_whole(second, &declared) || !hd_whole(fourth, &counted) || declared > HD_NODES_MAX) return true;
  q->declared = declared;
  q->counted = counted;
  return true;
}

static bool begins_a_number(const char *field) {
  return field != NULL && strchr("0123456789+-.", field[0]) != NULL;
}

/* Refuses the line that might have been one of names but is not. */
static bool refuse_names(struct hd_lines *l, const struct list *q) {
  l->number = q->names_line;
  return hd_lines_fail(l,
                       "field 1, the first vertex, is '%s'; a whole number, or names of columns before lines of "
                       "numbers, would be accepted",
                       q->name);
}

/* Returns true if this is a line of DIMACS: "p sp 3 4", "a 1 2 7" or "e 1 2". */
static bool is_dimacs(const char *first, const char *second, const char *third) {
  if (strcmp(first, "p") == 0) return begins_a_number(third);
  return (strcmp(first, "a") == 0 || strcmp(first, "e") == 0) && begins_a_number(second);
}

/* Parses a first line that does not begin with a number. It may name the columns, as in exported tables; the next line
 * decides that. */
static bool parse_names(struct hd_lines *l, struct list *q, const char *first, char *p) {
  const char *second = hd_field(&p), *third = hd_field(&p);
  hd_shown(q->name, first);
  q->names_line = l->number;
  if (is_dimacs(first, second, third))
    return hd_lines_fail(l,
                         "a line that begins with '%s', as in a DIMACS file; 'FROM TO', or the format dimacs with a "
                         "'p' line first, would be accepted",
                         q->name);
  return !begins_a_number(second) || refuse_names(l, q);
}

/* An edge list whose format is guessed has at most FROM TO WEIGHT TIME. MORE: limit of numbers after TO in any list. */
enum { GUESSED_COLUMNS = 4, MORE = 8 };

/* Requires the same number of fields in each line of an edge list (METIS lines of neighbours differ); a header before
 * them may have two. */
static bool columns_agree(struct hd_lines *l, struct list *q, unsigned columns) {
  if (q->lines == 0 || (q->held && q->lines == 1 && columns > 2)) {
    q->columns = columns;
    q->columns_line = l->number;
  }
  if (columns != q->columns)
    return hd_lines_fail(
        l,
        "%u fields, and line %llu has %u; the same number in each line would be accepted, or --format metis "
        "for lines of neighbours",
        columns, (unsigned long long)q->columns_line, q->columns);
  if (q->guessed && q->names_line == 0 && columns > GUESSED_COLUMNS)
    return hd_lines_fail(l,
                         "%u fields; FROM TO, perhaps with WEIGHT and TIME, would be accepted, or --format edges to "
                         "ignore all fields after the weight",
                         columns);
  return true;
}

static bool parse_edge(struct hd_lines *l, struct list *q, const char *from, char *p) {
  uint64_t a, b;
  if (!hd_field_u64(l, from, "field 1, the first vertex,", UINT64_MAX, &a)) return false;
  if (!hd_field_u64(l, hd_field(&p), "field 2, the second vertex,", UINT64_MAX, &b)) return false;
  /* A weight; some collections add a time stamp or more. */
  double weight;
  unsigned behind;
  char third[32] = "";
  sscanf(p, "%31s", third);
  if (!hd_parse_weights(l, &p, 3, MORE, &weight, &behind) || !columns_agree(l, q, 2 + behind)) return false;
  if (behind > 1) q->edges->ignored.fields += behind - 1;
  if (q->lines++ == 0) {
    q->held = behind == 0 && q->names_line == 0;
    q->sizes = behind == 1 && q->names_line == 0 && a == b && strspn(third, "0123456789") == strlen(third);
    q->third = weight;
    q->first = (struct hd_edge){a, b};
    return q->held || (hd_parse_add(l, q->edges, a, b) && hd_parse_weigh(l, q->edges, weight));
  }
  if (a > q->largest) q->largest = a;
  if (b > q->largest) q->largest = b;
  return hd_parse_add(l, q->edges, a, b) && hd_parse_weigh(l, q->edges, weight);
}

/* Some collections begin with "NODES EDGES". That differs from an edge only in that the other lines agree with it. If a
 * comment counts the first line among the edges, it is an edge. */
static bool is_header(const struct list *q) {
  uint64_t others = q->lines - 1, nodes = q->first.from, edges = q->first.to;
  return others != 0 && edges == others && q->largest <= nodes && nodes <= HD_NODES_MAX && q->counted != q->lines;
}

static bool end_list(struct hd_lines *l, struct list *q) {
  const uint64_t others = q->lines - 1;
  if (q->names_line != 0 && q->lines == 0) return refuse_names(l, q);
  q->edges->ignored.edges_declared = q->counted;
  if (q->guessed && q->sizes && others != 0 && q->third == (double)others && q->largest <= q->first.from)
    return hd_lines_fail_file(l,
                              "could be mtx without its banner (its first line, '%llu %llu %llu', has the sizes) or "
                              "edges; --format edges, or the banner as first line, decides",
                              (unsigned long long)q->first.from, (unsigned long long)q->first.to,
                              (unsigned long long)others);
  if (!q->held) return true;
  if (is_header(q)) {
    q->edges->ignored.header = true;
    q->declared = q->first.from;
    return true;
  }
  if (q->columns == 2) return hd_parse_add(l, q->edges, q->first.from, q->first.to);
  return hd_lines_fail_file(l,
                            "its first line has 2 fields and the others %u; as many in each line, or NODES EDGES "
                            "that agree with them, would be accepted, or --format metis for lines of neighbours",
                            q->columns);
}

static bool parse_line(struct hd_lines *l, struct list *q) {
  /* This reader would take the banner as a comment, and the line of sizes after it as an edge. */
  if (strncasecmp(l->line + strspn(l->line, "% "), "MatrixMarket", 12) == 0)
    return hd_lines_fail(l,
                         "the banner of a Matrix Market file; the format mtx, with this line first, would be accepted");
  char *p = comment_text(l->line);
  if (p != NULL) return parse_comment(l, q, p);
  p = l->line;
  const char *from = hd_field(&p);
  if (from == NULL) return true;
  if (q->lines != 0 || begins_a_number(from)) return parse_edge(l, q, from, p);
  return q->names_line == 0 ? parse_names(l, q, from, p) : refuse_names(l, q);
}

bool hd_parse_edges(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared, bool guessed) {
  struct list q = {.edges = edges, .guessed = guessed};
  while (hd_lines_next(l))
    if (!parse_line(l, &q)) return false;
  if (l->failed || !end_list(l, &q)) return false;
  *declared = q.declared;
  return true;
}
