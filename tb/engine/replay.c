/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "replay.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "config.h"

/* In memory: for each cycle the 8-byte words that changed, as {index, value} behind their number. */
struct hd_record {
  size_t in_size, words;
  uint64_t *last;
  uint64_t *data; /* for each cycle: number of changes, then index and value of each */
  size_t n, room;
  uint64_t cycles;
};

struct hd_record *hd_record_new(size_t in_size) {
  struct hd_record *r = calloc(1, sizeof *r);
  if (!r) abort();
  r->in_size = in_size;
  r->words = (in_size + 7) / 8;
  r->last = calloc(r->words + 1, 8);
  if (!r->last) abort();
  return r;
}

void hd_record_free(struct hd_record *r) {
  if (!r) return;
  free(r->last);
  free(r->data);
  free(r);
}

void hd_record_clear(struct hd_record *r) {
  memset(r->last, 0, r->words * 8);
  r->n = 0;
  r->cycles = 0;
}

static void reserve(struct hd_record *r, size_t more) {
  if (r->n + more <= r->room) return;
  r->room = 2 * r->room + more + 4096;
  r->data = realloc(r->data, r->room * 8);
  if (!r->data) abort();
}

void hd_record_add(struct hd_record *r, const void *in) {
  reserve(r, 1 + 2 * r->words);
  size_t head = r->n++;
  const unsigned char *p = in;
  for (size_t w = 0; w < r->words; w++) {
    uint64_t v = 0;
    size_t left = r->in_size - 8 * w;
    memcpy(&v, p + 8 * w, left < 8 ? left : 8);
    if (v == r->last[w]) continue;
    r->last[w] = v;
    r->data[r->n++] = w;
    r->data[r->n++] = v;
  }
  r->data[head] = (r->n - head - 1) / 2;
  r->cycles++;
}

uint64_t hd_record_cycles(const struct hd_record *r) { return r->cycles; }

void hd_record_play(const struct hd_record *r, size_t *at, void *in) {
  unsigned char *p = in;
  for (uint64_t k = r->data[(*at)++]; k; k--, *at += 2) {
    size_t w = r->data[*at], left = r->in_size - 8 * w;
    memcpy(p + 8 * w, &r->data[*at + 1], left < 8 ? left : 8);
  }
}

unsigned char *hd_record_expand(const struct hd_record *r) {
  unsigned char *out = calloc(r->cycles + 1, r->in_size);
  uint64_t *now = calloc(r->words + 1, 8);
  if (!out || !now) abort();
  size_t at = 0;
  for (uint64_t c = 0; c < r->cycles; c++) {
    for (uint64_t k = r->data[at++]; k; k--, at += 2) now[r->data[at]] = r->data[at + 1];
    memcpy(out + c * r->in_size, now, r->in_size);
  }
  free(now);
  return out;
}

/* ---------------------------------------------------------------------------------------------------- text */

static void write_changes(FILE *f, const struct hd_field_list *l, const unsigned char *before, const unsigned char *now,
                          uint64_t cycle) {
  bool any = false;
  char label[160];
  for (unsigned k = 0; k < l->fields; k++) {
    const struct hd_field *d = &l->field[k];
    if (d->kind != HD_FIELD_IN) continue;
    for (unsigned i = 0; i < d->count; i++) {
      uint64_t v = hd_field_get(d, now, i, 0);
      if (v == hd_field_get(d, before, i, 0)) continue;
      hd_field_label(d, l, i, 0, label, sizeof label);
      if (!any) fprintf(f, "@%" PRIu64, cycle);
      any = true;
      fprintf(f, v > 9 ? " %s=0x%" PRIx64 : " %s=%" PRIu64, label, v);
    }
  }
  if (any) fputc('\n', f);
}

static bool complain(char *err, size_t n, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(err, n, fmt, ap);
  va_end(ap);
  return false;
}

bool hd_replay_write(const char *path, const struct hd_replay *r, char *err, size_t err_size) {
  char tmp[600];
  snprintf(tmp, sizeof tmp, "%s.tmp", path);
  FILE *f = fopen(tmp, "w");
  if (!f) return complain(err, err_size, "%s: %s", path, strerror(errno));
  struct hd_field_list l = {0};
  hd_field_table_find(r->block)->fill(&r->cfg, &l);
  fprintf(f, "heddle-replay 1\nblock %s\nconfig %s\nseed 0x%" PRIx64 "\ntest %s\n", r->block, r->config, r->seed,
          r->test[0] ? r->test : "-");
  if (r->variant[0]) fprintf(f, "variant %s\n", r->variant);
  if (r->fault) fprintf(f, "fault %u\n", r->fault);
  if (r->expect[0]) fprintf(f, "expect %s\n", r->expect);
  unsigned char *zero = calloc(1, r->in_size);
  if (!zero) abort();
  for (uint64_t c = 0; c < r->cycles; c++)
    write_changes(f, &l, c ? r->in + (c - 1) * r->in_size : zero, r->in + c * r->in_size, c);
  fprintf(f, "end %" PRIu64 "\n", r->cycles);
  free(zero);
  hd_field_list_free(&l);
  if (fclose(f) || rename(tmp, path)) {
    remove(tmp);
    return complain(err, err_size, "%s: %s", path, strerror(errno));
  }
  return true;
}

struct reader {
  const char *path;
  unsigned line;
  char *err;
  size_t err_size;
};

static bool refuse(struct reader *rd, const char *field, const char *what, const char *accepted) {
  return complain(rd->err, rd->err_size, "%s:%u: %s: %s; accepted: %s", rd->path, rd->line, field, what, accepted);
}

static bool number(const char *s, uint64_t *v) {
  char *end;
  if (!isdigit((unsigned char)*s)) return false;
  errno = 0;
  *v = strtoull(s, &end, 0);
  return !errno && !*end;
}

/* "dispatch[2].slot" -> field "dispatch.slot", index 2 */
static const struct hd_field *lookup(const struct hd_field_list *l, const char *label, unsigned *index, bool *range) {
  char name[160];
  size_t n = 0;
  *index = 0;
  bool indexed = false;
  for (const char *p = label; *p && n + 1 < sizeof name; p++) {
    if (*p != '[') {
      name[n++] = *p;
      continue;
    }
    char *end;
    *index = (unsigned)strtoul(p + 1, &end, 10);
    if (*end != ']' || end == p + 1 || indexed) return NULL;
    indexed = true;
    p = end;
  }
  name[n] = 0;
  const struct hd_field *f = hd_field_find(l, HD_FIELD_IN, name);
  *range = f && *index < f->count && indexed == (f->count > 1);
  return f;
}

static bool assignment(struct reader *rd, const struct hd_field_list *l, char *word, unsigned char *now) {
  char *eq = strchr(word, '='), want[64];
  unsigned index;
  bool range;
  uint64_t v;
  if (!eq) return refuse(rd, word, "no value", "port=value");
  *eq = 0;
  const struct hd_field *f = lookup(l, word, &index, &range);
  if (!f) return refuse(rd, word, "no such input", "the block's input ports");
  snprintf(want, sizeof want, f->count > 1 ? "an index [0] to [%u]" : "no index", f->count - 1);
  if (!range) return refuse(rd, word, "bad index", want);
  snprintf(want, sizeof want, "a number of %u bits", f->width);
  if (!number(eq + 1, &v) || (f->width < 64 && v >> f->width)) return refuse(rd, word, "bad value", want);
  hd_field_set(f, now, index, 0, v);
  return true;
}

static void append(struct hd_replay *r, uint64_t *room, const unsigned char *now, uint64_t upto) {
  if (upto > *room) {
    *room = 2 * upto + 64;
    r->in = realloc(r->in, *room * r->in_size);
    if (!r->in) abort();
  }
  for (; r->cycles < upto; r->cycles++) memcpy(r->in + r->cycles * r->in_size, now, r->in_size);
}

static bool header(struct reader *rd, struct hd_replay *r, char *line) {
  char *value = strchr(line, ' ');
  uint64_t v;
  if (!value) return refuse(rd, line, "no value", "NAME VALUE");
  *value++ = 0;
  if (!strcmp(line, "block")) {
    if (!hd_field_table_find(value)) return refuse(rd, line, "no such block", "the stem of a block");
    snprintf(r->block, sizeof r->block, "%s", value);
  } else if (!strcmp(line, "config")) {
    char why[200];
    if (!hd_config_parse(value, &r->cfg, why, sizeof why)) return refuse(rd, line, why, "a configuration, or NAME+PARAM=VALUE");
    snprintf(r->config, sizeof r->config, "%s", value);
  } else if (!strcmp(line, "seed") || !strcmp(line, "fault")) {
    if (!number(value, &v)) return refuse(rd, line, "bad value", "a number");
    if (line[0] == 's') r->seed = v;
    if (line[0] == 'f') r->fault = (unsigned)v;
  } else if (!strcmp(line, "test")) {
    snprintf(r->test, sizeof r->test, "%s", value);
  } else if (!strcmp(line, "variant")) {
    static const char *const known[] = {"rtl", "fault", "cov", "netlist"};
    unsigned k = 0;
    while (k < 4 && strcmp(value, known[k])) k++;
    if (k == 4) return refuse(rd, line, "no such build", "rtl, fault, cov, netlist");
    snprintf(r->variant, sizeof r->variant, "%s", value);
  } else if (!strcmp(line, "expect")) {
    snprintf(r->expect, sizeof r->expect, "%s", value);
  } else {
    return refuse(rd, line, "unknown word", "block, config, seed, test, variant, fault, expect, @CYCLE, end");
  }
  return true;
}

enum { MAX_CYCLES = 100000000 };

static bool body_line(struct reader *rd, struct hd_replay *r, const struct hd_field_list *l, char *line, unsigned char *now,
                      uint64_t *room) {
  char *save, *word = strtok_r(line, " ", &save);
  uint64_t cycle;
  if (!number(word + 1, &cycle) || cycle > MAX_CYCLES) return refuse(rd, word, "bad cycle", "@ and a number up to 100000000");
  if (cycle < r->cycles) return refuse(rd, word, "not after the line before", "cycles in increasing order");
  if ((cycle + 1) * r->in_size > (uint64_t)8 << 30) return refuse(rd, word, "replay too long", "at most 8 GiB of inputs");
  append(r, room, now, cycle);
  while ((word = strtok_r(NULL, " ", &save)))
    if (!assignment(rd, l, word, now)) return false;
  append(r, room, now, cycle + 1);
  return true;
}

static bool read_lines(FILE *f, struct reader *rd, struct hd_replay *r, struct hd_field_list *l) {
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  uint64_t room = 0, end = 0;
  unsigned char *now = NULL;
  bool ok = true, ended = false;
  while (ok && (n = getline(&line, &size, f)) >= 0) {
    rd->line++;
    while (n && isspace((unsigned char)line[n - 1])) line[--n] = 0;
    if (rd->line == 1) {
      if (strcmp(line, "heddle-replay 1")) ok = refuse(rd, "version", "not a replay of this version", "heddle-replay 1");
    } else if (!n || line[0] == '#') {
      continue;
    } else if (ended) {
      ok = refuse(rd, line, "text after the end", "nothing");
    } else if (line[0] == '@' || !strncmp(line, "end", 3)) {
      if (!now) {
        if (!r->block[0] || !r->config[0]) ok = refuse(rd, line, "no block or no config before it", "block and config first");
        if (!ok) break;
        const struct hd_field_table *t = hd_field_table_find(r->block);
        t->fill(&r->cfg, l);
        r->in_size = t->in_size;
        now = calloc(1, t->in_size);
        if (!now) abort();
      }
      if (line[0] == '@') {
        ok = body_line(rd, r, l, line, now, &room);
      } else if (!number(line + 3 + strspn(line + 3, " "), &end) || end < r->cycles || end > MAX_CYCLES) {
        ok = refuse(rd, "end", "bad number of cycles", "at least one more than the last @");
      } else {
        append(r, &room, now, end);
        ended = true;
      }
    } else {
      ok = header(rd, r, line);
    }
  }
  if (ok && !ended) ok = refuse(rd, "end", "the file stops without it", "a last line: end CYCLES");
  free(line);
  free(now);
  return ok;
}

bool hd_replay_read(const char *path, struct hd_replay *r, char *err, size_t err_size) {
  struct reader rd = {path, 0, err, err_size};
  struct hd_field_list l = {0};
  memset(r, 0, sizeof *r);
  FILE *f = fopen(path, "r");
  if (!f) return complain(err, err_size, "%s: %s", path, strerror(errno));
  bool ok = read_lines(f, &rd, r, &l);
  fclose(f);
  hd_field_list_free(&l);
  if (!ok) hd_replay_free(r);
  return ok;
}

void hd_replay_free(struct hd_replay *r) {
  free(r->in);
  r->in = NULL;
  r->cycles = 0;
}
