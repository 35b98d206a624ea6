/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/objects.h"

/* Of bind_api.h: a cycle is two steps of time, and a simulation begins with six, its reset. */
enum { STEPS = 2, RESET_STEPS = 6 };
/* Units of time that GTKWave shows at zoom 0 in a view of 1500 pixels; with each step of zoom twice as many. */
static const double SHOWN = 5;

struct hd_window hd_window_cycles(uint64_t from, uint64_t to) {
  return (struct hd_window){.from = RESET_STEPS + 1 + STEPS * from, .to = hd_window_edge(to) + 1};
}

uint64_t hd_window_edge(uint64_t cycle) {
  return RESET_STEPS + STEPS * (cycle + 1);
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

/* `^NUMBER @NAME`: the file that says what the numbers of the next trace are called. False: this line is another. */
static bool put_names(FILE *f, const char *line) {
  const char *name = line[0] == '^' ? strstr(line, " @") : NULL;
  if (name == NULL) return false;
  char dir[400], real[4096];
  hd_build_dir(dir, sizeof dir);
  if (!realpath(dir, real)) snprintf(real, sizeof real, "%s", dir);
  fprintf(f, "%.*s %s/gen/names/%s", (int)(name - line), line, real, name + strlen(" @"));
  return true;
}

bool hd_view_copy(const char *view, const char *fst, const struct hd_window *w, const char *gtkw) {
  char line[4096], real[4096];
  FILE *from = fopen(view, "r");
  FILE *to = from != NULL ? fopen(gtkw, "w") : NULL;
  if (to == NULL) {
    if (from != NULL) fclose(from);
    return false;
  }
  if (!realpath(fst, real)) snprintf(real, sizeof real, "%s", fst);
  fprintf(to, "[dumpfile] \"%s\"\n", real);
  if (w != NULL) put_window(to, w);
  while (fgets(line, sizeof line, from)) {
    if (is(line, "[dumpfile]") || (w != NULL && (is(line, "[timestart]") || is(line, "*")))) continue;
    if (!put_names(to, line)) fputs(line, to);
  }
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

bool hd_view_beside(const char *who, const char *block, const char *config, const char *fst,
                    const struct hd_window *w) {
  char gtkw[1100];
  snprintf(gtkw, sizeof gtkw, "%s.gtkw", fst);
  if (hd_view_write(block, config, fst, w, gtkw)) return true;
  fprintf(stderr, "%s: no view for GTKWave: %s\n", who, gtkw);
  return false;
}
