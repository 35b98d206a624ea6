/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/objects.h"

/* From bind_api.h, in ps: a cycle, and the initial reset. */
enum { CYCLE = 1000, RESET = 3 * CYCLE };
/* Units of time that GTKWave shows at zoom 0 in a view of 1500 pixels; with each step of zoom twice as many. */
static const double SHOWN = 5;

struct hd_window hd_window_cycles(uint64_t from, uint64_t to) {
  return (struct hd_window){.from = RESET + CYCLE / 2 + CYCLE * from, .to = hd_window_edge(to) + CYCLE / 2};
}

uint64_t hd_window_edge(uint64_t cycle) {
  return RESET + CYCLE * (cycle + 1);
}

static uint64_t big_endian(const unsigned char *p) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v = v << 8 | p[k];
  return v;
}

/* An FST file begins with a block of kind 0, its length, and the times of the first and the last change. */
bool hd_window_whole(const char *fst, struct hd_window *w, char *err, size_t err_size) {
  unsigned char head[25] = {0};
  errno = 0;
  FILE *f = fopen(fst, "rb");
  const size_t n = f != NULL ? fread(head, 1, sizeof head, f) : 0;
  if (f != NULL) fclose(f);
  if (n == sizeof head && head[0] == 0 && big_endian(head + 1) == 329) {
    *w = (struct hd_window){.from = big_endian(head + 9), .to = big_endian(head + 17)};
    return true;
  }
  snprintf(err, err_size, "%s: %s", fst, errno != 0 ? strerror(errno) : "no waveform; accepted: an FST file, whole");
  return false;
}

static void put_window(FILE *f, const struct hd_window *w) {
  const double shown = w->to > w->from ? (double)(w->to - w->from) : 1;
  fprintf(f, "[timestart] %llu\n*%.6f ", (unsigned long long)w->from, -log2(shown / SHOWN));
  if (w->mark != 0)
    fprintf(f, "%llu", (unsigned long long)w->mark);
  else
    fputs("-1", f);
  for (unsigned k = 0; k < 26; k++) fputs(" -1", f);
  fputc('\n', f);
}

static bool is(const char *line, const char *with) {
  return strncmp(line, with, strlen(with)) == 0;
}

/* `^NUMBER @NAME`: the file with names for the values of the next trace. Returns false for another line. */
static bool put_names(FILE *f, const char *line) {
  const char *name = line[0] == '^' ? strstr(line, " @") : NULL;
  if (name == NULL) return false;
  char dir[400], real[4096];
  hd_build_dir(dir, sizeof dir);
  if (!realpath(dir, real)) snprintf(real, sizeof real, "%s", dir);
  fprintf(f, "%.*s %s/gen/names/%s", (int)(name - line), line, real, name + strlen(" @"));
  return true;
}

static void put(FILE *f, const char *line) {
  if (!put_names(f, line)) fputs(line, f);
}

static const char MODEL[] = "lockstep.model.";

/* Returns true if the line shows the model's signal `name`, which a bit range may follow. */
static bool shows(const char *line, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = strstr(line, MODEL); at; at = strstr(at + 1, MODEL)) {
    const char *rest = at + sizeof MODEL - 1;
    if (strncmp(rest, name, n) != 0) continue;
    rest += n;
    if (*rest == '[') rest += 1 + strspn(rest + 1, "0123456789");
    if (*rest == '\0' || *rest == ' ' || *rest == '\n' || *rest == ':') return true;
  }
  return false;
}

static void put_model(FILE *f, const struct hd_differs *d) {
  fprintf(f, "@22\n+{model %s} %s%s", d->label, MODEL, d->label);
  if (d->width > 1) fprintf(f, "[%u:0]", d->width - 1);
  fputc('\n', f);
}

/* `!table NAME FIRST ROWS WIDTH RAM`: if a difference is in one of these rows, shows that row of RTL and model. */
static bool put_row(FILE *f, const char *line, const struct hd_differs *d) {
  char name[300], ram[300];
  unsigned first, rows, width;
  if (sscanf(line, "!table lockstep.model.%299s %u %u %u %299s", name, &first, &rows, &width, ram) != 5) return false;
  const size_t n = strlen(name);
  if (strncmp(d->label, name, n) != 0 || d->label[n] != '[') return false;
  const unsigned row = (unsigned)strtoul(d->label + n + 1, NULL, 10);
  if (row < first || row >= first + rows) return false;
  fprintf(f, "@200\n-%s\n@22\n%s[%u]", d->label, ram, row - first);
  if (width > 1) fprintf(f, "[%u:0]", width - 1);
  fputc('\n', f);
  put_model(f, d);
  return true;
}

/* Copies from view `from` the trace of the difference, with the model's below it; nothing if it is the `last` one. */
static void put_difference(FILE *f, FILE *from, const struct hd_differs *d, long *last) {
  char *line = NULL;
  size_t room = 0;
  long begin = 0, here = 0;
  bool found = false, row = false, ended = true; /* ended: the lines from `begin` on are a whole trace */
  rewind(from);
  for (; !found && !row && getline(&line, &room, from) > 0; here = ftell(from)) {
    const char *body = line + (*line == '!');
    row = put_row(f, line, d);
    if (*body == '?') found = shows(body, body[1] == '~' ? d->whole : d->label);
    if (*body == '@' && ended) begin = here;
    ended = *body != '@' && *body != '^';
  }
  const bool again = found && begin == *last;
  if (!again && !row) fprintf(f, "@200\n-%s\n", d->label);
  if (found) fseek(from, *last = begin, SEEK_SET);
  while (found && !again && ftell(from) < here && getline(&line, &room, from) > 0) {
    const char *body = line + (*line == '!');
    if (is(body, "?~"))
      put_model(f, d);
    else
      put(f, body + (*body == '?'));
  }
  if (!found && !row) put_model(f, d);
  free(line);
}

static void put_differences(FILE *f, const char *view, const struct hd_window *w) {
  FILE *from = fopen(view, "r");
  if (from == NULL) return;
  fputs("@200\n-differs:\n", f);
  long last = -1;
  for (unsigned k = 0; k < w->n; k++) put_difference(f, from, &w->differs[k], &last);
  fclose(from);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

bool hd_view_copy(const char *view, const char *fst, const struct hd_window *w, const char *gtkw) {
  char err[700], *line = NULL;
  size_t room = 0;
  struct hd_window whole;
  if (w == NULL && hd_window_whole(fst, &whole, err, sizeof err)) w = &whole;
  FILE *from = fopen(view, "r");
  FILE *to = from != NULL ? fopen(gtkw, "w") : NULL;
  if (to == NULL) {
    if (from != NULL) fclose(from);
    return false;
  }
  const bool model = w != NULL && w->n != 0;
  /* GTKWave finds the waveform relative to the view, so both can move together. */
  fprintf(to, "[dumpfile] \"%s\"\n[savefile] \"%s\"\n", base_name(fst), base_name(gtkw));
  if (w != NULL) put_window(to, w);
  while (getline(&line, &room, from) > 0) {
    if (is(line, "[dumpfile]") || is(line, "[savefile]") || (w != NULL && (is(line, "[timestart]") || is(line, "*"))))
      continue;
    if (model && strcmp(line, "?\n") == 0) put_differences(to, view, w);
    if (*line == '!' || is(line, "?~") || is(line, "?\n") || (*line == '?' && !model)) continue;
    put(to, line + (*line == '?'));
  }
  free(line);
  fclose(from);
  return fclose(to) == 0;
}

bool hd_view_write(const char *block, const char *config, const char *fst, const struct hd_window *w,
                   const char *gtkw) {
  char path[1200], dir[400];
  hd_build_dir(dir, sizeof dir);
  snprintf(path, sizeof path, "%s/%s/%s/view.gtkw", dir, config, block);
  return hd_view_copy(path, fst, w, gtkw);
}

bool hd_view_of_wave(const char *who, const char *block, const char *config, const char *fst,
                     const struct hd_window *w) {
  char gtkw[1100];
  snprintf(gtkw, sizeof gtkw, "%s.gtkw", fst);
  if (hd_view_write(block, config, fst, w, gtkw)) return true;
  fprintf(stderr, "%s: no view for GTKWave: %s\n", who, gtkw);
  return false;
}
