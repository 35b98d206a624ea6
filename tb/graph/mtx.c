/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads Matrix Market, coordinate format: banner, comments, "rows columns entries", then one entry per line. */
#include <string.h>
#include <strings.h>

#include "graph/parse.h"

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list != NULL; list++)
    if (word != NULL && strcasecmp(word, *list) == 0) return true;
  return false;
}

/* Parses the banner, which must describe a list of entries; *values: numbers after each entry. An entry of a symmetric
 * matrix includes its mirror image. */
static bool parse_banner(struct hd_lines *l, unsigned *values, enum hd_direction *direction) {
  static const char *const fields[] = {"pattern", "real", "double", "integer", "complex", NULL};
  static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
  char shown[48];
  if (!hd_lines_next(l))
    return l->failed ? false : hd_lines_fail_file(l, "an empty file; a Matrix Market file would be accepted");
  char *p = l->line;
  char *banner = hd_field(&p), *object = hd_field(&p), *format = hd_field(&p), *field = hd_field(&p);
  const char *symmetry = hd_field(&p);
  if (banner == NULL || strcasecmp(banner, "%%MatrixMarket") != 0)
    return hd_lines_fail(l, "no banner; '%%%%MatrixMarket matrix coordinate FIELD SYMMETRY' would be accepted");
  if (object == NULL || strcasecmp(object, "matrix") != 0)
    return hd_lines_fail(l, "the object is '%s'; 'matrix' would be accepted", hd_shown(shown, object ? object : ""));
  if (format == NULL || strcasecmp(format, "coordinate") != 0)
    return hd_lines_fail(l, "the format is '%s'; 'coordinate' would be accepted",
                         hd_shown(shown, format ? format : ""));
  if (!is_one_of(field, fields))
    return hd_lines_fail(l, "the field is '%s'; pattern, real, integer or complex would be accepted",
                         hd_shown(shown, field ? field : ""));
  if (!is_one_of(symmetry, symmetries))
    return hd_lines_fail(l, "the symmetry is '%s'; general, symmetric, skew-symmetric or hermitian would be accepted",
                         hd_shown(shown, symmetry ? symmetry : ""));
  const bool pattern = strcasecmp(field, "pattern") == 0, complex = strcasecmp(field, "complex") == 0;
  if (pattern && strncasecmp(symmetry, "s", 1) == 0 && strcasecmp(symmetry, "symmetric") != 0)
    return hd_lines_fail(l, "a skew-symmetric pattern; general or symmetric would be accepted, as it has no signs");
  if (!complex && strcasecmp(symmetry, "hermitian") == 0)
    return hd_lines_fail(l, "the symmetry is 'hermitian', the field '%s'; complex would be accepted", field);
  *direction = strcasecmp(symmetry, "general") == 0 ? HD_DIRECTED : HD_UNDIRECTED;
  *values = pattern ? 0 : complex ? 2 : 1;
  return true;
}

/* Returns the first field of the next line that is neither blank nor a comment, or NULL. */
static char *next_entry(struct hd_lines *l, char **p) {
  while (hd_lines_next(l)) {
    *p = l->line;
    if (l->line[0] == '%') continue;
    char *first = hd_field(p);
    if (first != NULL) return first;
  }
  return NULL;
}

bool hd_parse_mtx(struct hd_lines *l, struct hd_edges *edges, uint64_t *declared) {
  unsigned values = 0;
  char *p;
  uint64_t columns, entries, seen = 0;
  if (!parse_banner(l, &values, &edges->direction)) return false;
  char *first = next_entry(l, &p);
  if (first == NULL) return l->failed ? false : hd_lines_fail(l, "the file ends before the size line");
  if (!hd_field_u64(l, first, "field 1, the number of rows,", HD_NODES_MAX, declared) ||
      !hd_field_u64(l, hd_field(&p), "field 2, the number of columns,", HD_NODES_MAX, &columns) ||
      !hd_field_u64(l, hd_field(&p), "field 3, the number of entries,", UINT64_MAX, &entries) ||
      !hd_parse_weights(l, &p, 4, 0, NULL, NULL))
    return false;
  if (*declared != columns)
    return hd_lines_fail(l, "a matrix of %llu rows and %llu columns; as many rows as columns would be accepted",
                         (unsigned long long)*declared, (unsigned long long)columns);
  struct hd_ids ids = {.n = *declared, .from_one = true};
  while ((first = next_entry(l, &p)) != NULL) {
    uint64_t row, column;
    double weight;
    if (seen++ == entries)
      return hd_lines_fail(l, "an entry after the last of the %llu that the size line declares",
                           (unsigned long long)entries);
    if (!hd_parse_id(l, &ids, first, 1, "the row", &row) ||
        !hd_parse_id(l, &ids, hd_field(&p), 2, "the column", &column))
      return false;
    unsigned found;
    if (!hd_parse_weights(l, &p, 3, values > 1 ? values : 1, &weight, &found)) return false; /* even of a pattern */
    if (found < values)
      return hd_lines_fail(l, "field %u, the %s, is missing; a number would be accepted, as the banner says", 3 + found,
                           found == 0 ? "value" : "imaginary part");
    edges->ignored.fields += found > 1;
    if (!hd_parse_add(l, edges, row, column) || !hd_parse_weigh(l, edges, weight)) return false;
  }
  if (l->failed) return false;
  if (seen != entries)
    return hd_lines_fail(l, "the file ends after %llu of the %llu entries that the size line declares",
                         (unsigned long long)seen, (unsigned long long)entries);
  return true;
}
