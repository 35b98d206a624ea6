/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/replay.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/config.h"
#include "engine/fields.h"
#include "engine/objects.h"
#include "engine/outfile.h"

struct run {
  size_t first, end;
};

/* In memory: for each cycle the number of 8-byte words that changed, then {index, value} of each. */
struct hd_record {
  size_t in_size, words;
  struct run *run; /* the words that exist in the configuration */
  size_t runs;
  uint64_t *last;
  uint64_t *data;
  size_t n, room;
  uint64_t cycles;
};

struct hd_record *hd_record_new(size_t in_size, const struct hd_field_list *l) {
  struct hd_record *r = calloc(1, sizeof *r);
  if (!r) abort();
  r->in_size = in_size;
  r->words = (in_size + 7) / 8;
  r->last = calloc(r->words + 1, 8);
  r->run = calloc(l->ports, sizeof *r->run);
  if (!r->last || !r->run) abort();
  for (unsigned k = 0; k < l->ports; k++) {
    const struct hd_port *p = &l->port[k];
    if (p->kind != HD_FIELD_IN) continue;
    struct run new = {p->offset / 8, (p->offset + p->count * p->stride + 7) / 8};
    struct run *last = r->runs ? &r->run[r->runs - 1] : NULL;
    if (last && new.first <= last->end)
      last->end = new.end;
    else
      r->run[r->runs++] = new;
  }
  return r;
}

void hd_record_free(struct hd_record *r) {
  if (!r) return;
  free(r->last);
  free(r->run);
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

static void add_word(struct hd_record *r, size_t w, uint64_t v) {
  if (v == r->last[w]) return;
  r->last[w] = v;
  r->data[r->n++] = w;
  r->data[r->n++] = v;
}

static void add_run(struct hd_record *r, struct run run, const unsigned char *p) {
  enum { BLOCK = 8 }; /* words compared at once: most inputs are unchanged */
  for (size_t w = run.first; w < run.end;) {
    size_t end = w + BLOCK < run.end ? w + BLOCK : run.end;
    size_t bytes = 8 * end <= r->in_size ? 8 * (end - w) : r->in_size - 8 * w;
    if (!memcmp(p + 8 * w, r->last + w, bytes)) w = end;
    for (; w < end; w++) {
      uint64_t v = 0;
      memcpy(&v, p + 8 * w, 8 * w + 8 <= r->in_size ? 8 : r->in_size - 8 * w);
      add_word(r, w, v);
    }
  }
}

void hd_record_add(struct hd_record *r, const void *in) {
  reserve(r, 1 + 2 * r->words);
  size_t head = r->n++;
  for (size_t k = 0; k < r->runs; k++) add_run(r, r->run[k], in);
  r->data[head] = (r->n - head - 1) / 2;
  r->cycles++;
}

uint64_t hd_record_cycles(const struct hd_record *r) {
  return r->cycles;
}

void hd_record_play(const struct hd_record *r, size_t *at, void *in) {
  unsigned char *p = in;
  for (uint64_t k = r->data[(*at)++]; k; k--, *at += 2) {
    size_t w = r->data[*at], left = r->in_size - 8 * w;
    if (left >= 8)
      memcpy(p + 8 * w, &r->data[*at + 1], 8);
    else
      memcpy(p + 8 * w, &r->data[*at + 1], left);
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
  struct hd_out o;
  if (!hd_out_open(&o, path, err, err_size)) return false;
  FILE *f = o.f;
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
  return hd_out_commit(&o, err, err_size);
}

struct reader {
  const char *path;
  unsigned line;
  unsigned seen; /* words of the header, a bit each */
  char *err;
  size_t err_size;
};

/* Shows the first word of the field, at most one line. */
static bool refuse(struct reader *rd, const char *field, const char *what, const char *accepted) {
  int n = (int)strcspn(field, " ");
  return complain(rd->err, rd->err_size, "%s:%u: %.*s: %s; accepted: %s", rd->path, rd->line, n < 80 ? n : 80, field,
                  what, accepted);
}

static bool number(const char *s, uint64_t *v) {
  char *end;
  bool hex = s[0] == '0' && s[1] == 'x';
  const char *digits = hex ? s + 2 : s;
  if (hex ? !isxdigit((unsigned char)*digits) : !isdigit((unsigned char)*digits)) return false;
  errno = 0;
  *v = strtoull(digits, &end, hex ? 16 : 10);
  return !errno && !*end;
}

/* Returns the field "dispatch.slot" and index 2 for the label "dispatch[2].slot", or NULL if no such input exists.
 * *good: the label is written as by hd_field_label(): with an index in the right place and range if and only if it is
 * an array. */
static const struct hd_field *lookup(const struct hd_field_list *l, const char *label, unsigned *index, bool *good) {
  char name[160], right[160];
  const char *open = strchr(label, '['), *close = open ? strchr(open, ']') : NULL;
  size_t head = open ? (size_t)(open - label) : strlen(label);
  uint64_t v = 0;
  if (open && !close) return NULL;
  snprintf(name, sizeof name, "%.*s%s", (int)head, label, close ? close + 1 : "");
  const struct hd_field *f = hd_field_find(l, HD_FIELD_IN, name);
  if (!f) return NULL;
  if (open)
    for (const char *p = open + 1; p < close && v < f->count && isdigit((unsigned char)*p); p++)
      v = 10 * v + (unsigned)(*p - '0');
  *index = (unsigned)v;
  hd_field_label(f, l, *index, 0, right, sizeof right);
  *good = v < f->count && !strcmp(label, right);
  return f;
}

static bool assignment(struct reader *rd, const struct hd_field_list *l, char *word, unsigned char *now) {
  char *eq = strchr(word, '='), want[64];
  unsigned index;
  bool good;
  uint64_t v;
  if (!eq) return refuse(rd, word, "no value", "port=value");
  *eq = 0;
  const struct hd_field *f = lookup(l, word, &index, &good);
  if (!f) return refuse(rd, word, "no such input", "the block's input ports");
  snprintf(want, sizeof want, f->count > 1 ? "an index [0] to [%u]" : "no index", f->count - 1);
  if (!good) return refuse(rd, word, "bad index", want);
  snprintf(want, sizeof want, "a number of %u bits", f->width);
  if (!number(eq + 1, &v) || (f->width < 64 && v >> f->width)) return refuse(rd, word, "bad value", want);
  hd_field_set(f, now, index, 0, v);
  return true;
}

enum { MAX_CYCLES = 100000000 };

/* Repeats the inputs `now` up to, not including, cycle `upto`. */
static bool append(struct reader *rd, struct hd_replay *r, uint64_t *room, const unsigned char *now, uint64_t upto) {
  if (upto * r->in_size > HD_REPLAY_BYTES)
    return refuse(rd, "cycle", "the replay is too long", "at most 4 GiB of inputs");
  if (upto > *room) {
    uint64_t more = upto + upto / 2 + 64;
    unsigned char *in = realloc(r->in, more * r->in_size);
    if (!in) return refuse(rd, "cycle", "out of memory", "a shorter replay");
    r->in = in;
    *room = more;
  }
  for (; r->cycles < upto; r->cycles++) memcpy(r->in + r->cycles * r->in_size, now, r->in_size);
  return true;
}

static bool text(struct reader *rd, const char *field, const char *value, char *to, size_t size) {
  char want[64];
  snprintf(want, sizeof want, "1 to %zu characters", size - 1);
  if (!*value || strlen(value) >= size) return refuse(rd, field, "bad length", want);
  snprintf(to, size, "%s", value);
  return true;
}

static bool header(struct reader *rd, struct hd_replay *r, char *line) {
  static const char *const words[] = {"block", "config", "seed", "test", "variant", "fault", "expect"};
  char *value = strchr(line, ' '), why[200];
  unsigned w = 0;
  uint64_t v;
  if (!value) return refuse(rd, line, "no value", "NAME VALUE");
  *value++ = 0;
  while (w < 7 && strcmp(line, words[w])) w++;
  if (w == 7) return refuse(rd, line, "unknown word", "block, config, seed, test, variant, fault, expect, @CYCLE, end");
  if (rd->seen >> w & 1) return refuse(rd, line, "a repeated word", "each word once");
  rd->seen |= 1u << w;
  switch (w) {
    case 0:
      if (!hd_field_table_find(value)) return refuse(rd, line, "no such block", "the stem of a block");
      return text(rd, line, value, r->block, sizeof r->block);
    case 1:
      if (!hd_config_parse(value, &r->cfg, why, sizeof why))
        return refuse(rd, line, why, "a configuration, or NAME+PARAM=VALUE");
      return text(rd, line, value, r->config, sizeof r->config);
    case 2:
      return number(value, &r->seed) || refuse(rd, line, "bad value", "a number of 64 bits");
    case 3:
      return text(rd, line, value, r->test, sizeof r->test);
    case 4:
      if (!hd_variant_exists(value)) return refuse(rd, line, "no such build", HD_VARIANTS);
      return text(rd, line, value, r->variant, sizeof r->variant);
    case 5:
      if (!number(value, &v) || v > 0xffff) return refuse(rd, line, "bad value", "a number of 16 bits");
      r->fault = (unsigned)v;
      return true;
    default:
      return text(rd, line, value, r->expect, sizeof r->expect);
  }
}

static bool body_line(struct reader *rd, struct hd_replay *r, const struct hd_field_list *l, char *line,
                      unsigned char *now, uint64_t *room) {
  char *save, *word = strtok_r(line, " ", &save);
  uint64_t cycle;
  if (!number(word + 1, &cycle) || cycle > MAX_CYCLES)
    return refuse(rd, word, "bad cycle", "@ and a number up to 100000000");
  if (cycle < r->cycles)
    return refuse(rd, word, "not after the cycle of the line before", "cycles in increasing order");
  if (!append(rd, r, room, now, cycle)) return false;
  while ((word = strtok_r(NULL, " ", &save)))
    if (!assignment(rd, l, word, now)) return false;
  return append(rd, r, room, now, cycle + 1);
}

static bool end_line(struct reader *rd, struct hd_replay *r, const char *line, const unsigned char *now,
                     uint64_t *room) {
  uint64_t end;
  if (line[3] != ' ' || !number(line + 4, &end) || !end || end < r->cycles || end > MAX_CYCLES)
    return refuse(rd, "end", "bad number of cycles", "at least one more than the last @, up to 100000000");
  return append(rd, r, room, now, end);
}

/* Start of the inputs: block, configuration and fields are fixed from here on. */
static unsigned char *begin(struct reader *rd, struct hd_replay *r, struct hd_field_list *l, const char *line) {
  if (!r->block[0] || !r->config[0]) {
    refuse(rd, line, "no block or no config before it", "block and config first");
    return NULL;
  }
  const struct hd_field_table *t = hd_field_table_find(r->block);
  t->fill(&r->cfg, l);
  r->in_size = t->in_size;
  unsigned char *now = calloc(1, t->in_size);
  if (!now) abort();
  return now;
}

/* Returns a line without trailing white space. A line without a line end shows a truncated file. */
static bool whole(struct reader *rd, char *line, ssize_t n) {
  if (strlen(line) != (size_t)n) return refuse(rd, "line", "it contains a byte 0", "text");
  if (line[n - 1] != '\n') return refuse(rd, "line", "the file ends within it", "a line end after each line");
  while (n && isspace((unsigned char)line[n - 1])) line[--n] = 0;
  return true;
}

static bool read_lines(FILE *f, struct reader *rd, struct hd_replay *r, struct hd_field_list *l) {
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  uint64_t room = 0;
  unsigned char *now = NULL;
  bool ok = true, ended = false;
  while (ok && (n = getline(&line, &size, f)) >= 0) {
    rd->line++;
    ok = whole(rd, line, n);
    if (!ok) break;
    bool last = !strncmp(line, "end", 3);
    if (rd->line == 1) {
      if (strcmp(line, "heddle-replay 1"))
        ok = refuse(rd, "version", "not a replay of this version", "heddle-replay 1");
    } else if (!line[0] || line[0] == '#') {
      continue;
    } else if (ended) {
      ok = refuse(rd, line, "text after the end", "nothing");
    } else if (line[0] == '@' || last) {
      if (!now) now = begin(rd, r, l, line);
      ok = now && (last ? end_line(rd, r, line, now, &room) : body_line(rd, r, l, line, now, &room));
      ended = last;
    } else {
      ok = now ? refuse(rd, line, "in a wrong place", "@CYCLE or end after the first @") : header(rd, r, line);
    }
  }
  rd->line += rd->line == 0;
  if (ok && !ended)
    ok = refuse(rd, rd->line == 1 ? "version" : "end", "the file ends without it", "a last line: end CYCLES");
  free(line);
  free(now);
  return ok;
}

bool hd_replay_read(const char *path, struct hd_replay *r, char *err, size_t err_size) {
  struct reader rd = {.path = path, .err = err, .err_size = err_size};
  struct hd_field_list l = {0};
  memset(r, 0, sizeof *r);
  FILE *f = fopen(path, "r");
  if (!f) return complain(err, err_size, "%s: %s", path, strerror(errno));
  bool ok = read_lines(f, &rd, r, &l);
  if (ok && ferror(f)) ok = complain(err, err_size, "%s: %s", path, strerror(EIO));
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
