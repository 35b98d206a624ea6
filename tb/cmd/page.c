/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/diagnose.h"
#include "engine/pack.h"

/* ---- the template ---- */

/* The parts of its line `<!-- insert NAME (Debian package P) -->`: NAME, and the text in parentheses, or "". */
struct insert {
  char name[300], from[100];
};

static bool is_insert(const char *line, struct insert *i) {
  i->from[0] = '\0';
  return sscanf(line, " <!-- insert %299s (%99[^)]", i->name, i->from) >= 1;
}

static bool copy(FILE *to, const char *path, const char *from, char *err, size_t err_size) {
  char part[1 << 14];
  size_t n;
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    snprintf(err, err_size, from[0] != '\0' ? "--page: %s: %s (%s)" : "--page: %s: %s", path, strerror(errno), from);
    return false;
  }
  while (to != NULL && (n = fread(part, 1, sizeof part, f)) > 0) fwrite(part, 1, n, to);
  fclose(f);
  return true;
}

/* Writes the part of the template after the line `<!-- insert data -->` (`behind`), or the part before it. With
 * to == NULL, only checks that all files to insert exist. */
static bool put_template(FILE *to, bool behind, char *err, size_t err_size) {
  char dir[400], path[800], line[512];
  struct insert i;
  bool good = true, here = to == NULL || !behind;
  hd_data_dir(dir, sizeof dir);
  snprintf(path, sizeof path, "%s/page/run.html", dir);
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    snprintf(err, err_size, "--page: %s: %s", path, strerror(errno));
    return false;
  }
  while (good && fgets(line, sizeof line, f) != NULL) {
    const bool insert = is_insert(line, &i), data = insert && strcmp(i.name, "data") == 0;
    if (data) {
      here = to == NULL || behind;
    } else if (insert && here) {
      snprintf(path, sizeof path, i.name[0] == '/' ? "%.0s%s" : "%s/page/%s", dir, i.name);
      good = copy(to, path, i.from, err, err_size);
    } else if (here && to != NULL) {
      fputs(line, to);
    }
  }
  fclose(f);
  return good;
}

/* ---- the data ---- */

/* Writes the report. Its text must not look like markup: `<` occurs only in strings and is written as an escape. */
static bool put_report(const struct hd_report *r, FILE *f) {
  char *text = NULL;
  size_t n;
  FILE *memory = open_memstream(&text, &n);
  const bool good = memory != NULL && hd_report_json(r, memory);
  if (memory != NULL && fclose(memory) == 0 && good)
    for (const char *at = text; *at != '\0'; at++) *at == '<' ? fputs("\\u003c", f) : fputc(*at, f);
  free(text);
  return good;
}

#define LAUNCH_COLUMNS(X) \
  X(kind)                 \
  X(kernel)               \
  X(child)                \
  X(stream)               \
  X(ctas)                 \
  X(begun)                \
  X(ended)                \
  X(smxs)                 \
  X(queued)               \
  X(wait)                 \
  X(dispatched)           \
  X(done)

static bool put_launches(const struct hd_report *r, FILE *f) {
  size_t n;
  const char *before = "";
  bool good = true;
  const struct hd_launches_row **row = hd_launches_all(r->launched, &n);
  fprintf(f, "{\"rows\":%zu,\"columns\":{", n);
#define PUT(column)                                                           \
  {                                                                           \
    struct hd_pack p = {0};                                                   \
    for (size_t k = 0; k < n; k++) hd_pack_add(&p, (uint64_t)row[k]->column); \
    fprintf(f, "%s\"" #column "\":\"", before);                               \
    good = hd_pack_write(&p, f) && good;                                      \
    fputc('"', f);                                                            \
    hd_pack_free(&p);                                                         \
    before = ",\n";                                                           \
  }
  LAUNCH_COLUMNS(PUT)
#undef PUT
  fputs("}}", f);
  free(row);
  return good;
}

static void put_text(const char *text, FILE *f) {
  fputc('"', f);
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c < ' ' || c == '"' || c == '\\' || c == '<')
      fprintf(f, "\\u%04x", c);
    else
      fputc(c, f);
  }
  fputc('"', f);
}

static void put_names(const struct hd_report *r, FILE *f) {
  const bool named = r->trace != NULL && r->trace->n != 0 && r->trace->kernel[0].name[0] != '\0';
  fputc('[', f);
  for (uint32_t k = 0; named && k < r->trace->n; k++) {
    if (k != 0) fputs(",\n", f);
    put_text(hd_trace_name(r->trace, k), f);
  }
  fputc(']', f);
}

static bool put_fills(const struct hd_fills *s, FILE *f) {
  bool good = true;
  fprintf(f, "{\"every\":%" PRIu64 ",\"samples\":%" PRIu32 ",\"tables\":[", s->every, s->n);
  for (unsigned t = 0; t < HD_FILLS_TABLES; t++) {
    struct hd_pack p = {0};
    for (uint32_t k = 0; k < s->n; k++) hd_pack_add(&p, s->sample[k][t]);
    fprintf(f, "%s\n{\"block\":\"%s\",\"what\":\"%s\",\"of\":%" PRIu64 ",\"most\":%" PRIu32 ",\"column\":\"",
            t != 0 ? "," : "", s->table[t].block, s->table[t].what, s->table[t].of, s->most[t]);
    good = hd_pack_write(&p, f) && good;
    fputs("\"}", f);
    hd_pack_free(&p);
  }
  fputs("]}", f);
  return good;
}

static bool put_data(const struct hd_page *p, const struct hd_report *r, const struct hd_series *series, FILE *f) {
  fputs("{\"report\":", f);
  bool good = put_report(r, f);
  fprintf(f,
          ",\"plane\":{\"smxs\":%" PRIu32 ",\"slots\":%" PRIu32 ",\"warps\":%" PRIu32 "},\n\"tbs\":", r->cfg->num_smx,
          r->cfg->ctas_per_smx, r->cfg->warps_per_smx);
  good = hd_tbs_json(&p->tbs, f) && good;
  fputs(",\n\"launches\":", f);
  good = put_launches(r, f) && good;
  fputs(",\n\"names\":", f);
  put_names(r, f);
  fputs(",\n\"fills\":", f);
  good = put_fills(&p->fills, f) && good;
  if (series != NULL) {
    fputs(",\n\"series\":", f);
    good = hd_series_json(series, f) && good;
  }
  fputs("}\n", f);
  return good;
}

/* ---- the page ---- */

bool hd_page_open(struct hd_page *p, const char *path, const struct hd_cfg *c, char *err, size_t err_size) {
  if (!hd_out_ends_in(path, ".html")) {
    snprintf(err, err_size, "--page %s: a file whose name ends in .html would be accepted", path);
    return false;
  }
  if (!put_template(NULL, false, err, err_size) || !hd_out_open(&p->out, path, err, err_size)) return false;
  if (hd_fills_open(&p->fills, c)) return true;
  snprintf(err, err_size, "%s: out of memory", path);
  hd_page_drop(p);
  return false;
}

bool hd_page_commit(struct hd_page *p, const struct hd_report *r, const struct hd_series *series, char *err,
                    size_t err_size) {
  if (p->out.f == NULL) return true;
  snprintf(err, err_size, "%s: out of memory", p->out.path);
  return put_template(p->out.f, false, err, err_size) && put_data(p, r, series, p->out.f) &&
         put_template(p->out.f, true, err, err_size) && hd_out_commit(&p->out, err, err_size);
}

void hd_page_drop(struct hd_page *p) {
  hd_out_drop(&p->out);
  hd_tbs_free(&p->tbs);
  hd_fills_free(&p->fills);
}
