/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Edge lists: "from to [weight ..]" to a line. */
#include <string.h>

#include "graph/parse.h"

static bool is_comment(const char *s) {
  while (*s == ' ' || *s == '\t') s++;
  return *s == '#' || *s == '%' || (s[0] == '/' && s[1] == '/') || hd_parse_begins(s, 'c');
}

static bool begins_a_number(const char *field) {
  return strchr("0123456789+-.", field[0]) != NULL;
}

bool hd_parse_edges(struct hd_lines *l, struct hd_edges *edges) {
  bool header_allowed = true;
  while (hd_lines_next(l)) {
    if (is_comment(l->line)) continue;
    char *p = l->line;
    const char *from = hd_field(&p);
    if (from == NULL) continue;
    /* The first line may name the columns, as tables that are exported from elsewhere do. */
    bool header = header_allowed && !begins_a_number(from);
    header_allowed = false;
    if (header) continue;
    uint64_t a, b;
    if (!hd_field_u64(l, from, "the first vertex", UINT64_MAX, &a)) return false;
    if (!hd_field_u64(l, hd_field(&p), "the second vertex", UINT64_MAX, &b)) return false;
    /* A weight, and in some collections a time stamp or more. */
    if (!hd_parse_weights(l, &p, 8)) return false;
    if (!hd_parse_add(l, edges, a, b)) return false;
  }
  return !l->failed;
}
