/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/accelsim.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/outfile.h"
#include "graph/lines.h"
#include "sim/fit.h"
#include "work/select.h"
#include "work/trace.h"

#define STREAMS 4096u
#define CYCLES_MAX 1e12
#define MAKES "Accel-Sim's post-traces-processing (util/tracer_nvbit/tracer_tool/traces-processing)"

/* The header of a kernel. */
struct header {
  uint64_t grid[3], cta[3], smem, regs, stream;
  uint64_t version, line_numbers, shared, local; /* about instructions; 0: not in the header */
  char name[HD_TRACE_NAME_MAX + 1];
  bool has_grid, has_cta, has_smem, has_regs, has_stream;
};

struct import {
  struct hd_accelsim_opts o;
  FILE *to;
  struct hd_accelsim_counts *n;
  uint64_t stream[STREAMS]; /* streams, in the order of their first kernels */
  uint64_t *instructions;   /* of each TB of the current kernel */
  bool *seen;
  uint32_t absent; /* its TBs that the file omits */
  struct hd_select only;
  uint32_t number;                 /* kernels of the list so far */
  struct hd_accelsim_warps *warps; /* or NULL */
};

/* Copies a name, with _ for blanks and '#', which a name in a trace must not contain. */
static void set_name(char name[HD_TRACE_NAME_MAX + 1], const char *from) {
  snprintf(name, HD_TRACE_NAME_MAX + 1, "%s", *from != '\0' ? from : "?");
  for (char *c = name; *c != '\0'; c++)
    if (!isgraph((unsigned char)*c) || *c == '#') *c = '_';
}

/* Returns the text after `key` and '=' in a line, or NULL. */
static char *value_of(char *line, const char *key) {
  size_t n = strlen(key);
  if (strncmp(line, key, n) != 0) return NULL;
  line += n + strspn(line + n, " \t");
  return *line == '=' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

/* Parses x,y,z with or without parentheses. */
static bool triple(struct hd_lines *l, char *text, const char *what, const uint64_t least, const uint64_t most[3],
                   uint64_t v[3]) {
  char shown[48], *at = text + (*text == '(');
  for (unsigned i = 0; i < 3; i++) {
    char *end;
    if (!isdigit((unsigned char)*at)) break;
    v[i] = strtoull(at, &end, 10);
    if (v[i] < least || v[i] > most[i]) break;
    at = end + strspn(end, ") \t");
    if (i == 2 && *at == '\0') return true;
    if (*at++ != ',') break;
  }
  return hd_lines_fail(l,
                       "%s is '%s'; three whole numbers from %" PRIu64 ", up to %" PRIu64 ", %" PRIu64 " and %" PRIu64
                       ", would be accepted",
                       what, hd_shown(shown, text), least, most[0], most[1], most[2]);
}

static bool single(struct hd_lines *l, char *text, const char *what, uint64_t max, uint64_t *v) {
  text[strcspn(text, " \t")] = '\0';
  return hd_field_u64(l, text, what, max, v);
}

/* Parses a line of the header; ignores keys that are not needed. */
static bool header_line(struct hd_lines *l, struct header *h) {
  static const uint64_t grid[3] = {INT32_MAX, UINT16_MAX, UINT16_MAX}, cta[3] = {1024, 1024, 64};
  char *v;
  if ((v = value_of(l->line, "-kernel name")) != NULL) {
    set_name(h->name, v);
    return true;
  }
  if ((v = value_of(l->line, "-grid dim")) != NULL) return h->has_grid = triple(l, v, "grid dim", 1, grid, h->grid);
  if ((v = value_of(l->line, "-block dim")) != NULL) return h->has_cta = triple(l, v, "block dim", 1, cta, h->cta);
  if ((v = value_of(l->line, "-shmem")) != NULL) return h->has_smem = single(l, v, "shmem", 1023 * 256, &h->smem);
  if ((v = value_of(l->line, "-nregs")) != NULL) return h->has_regs = single(l, v, "nregs", 255, &h->regs);
  if ((v = value_of(l->line, "-cuda stream id")) != NULL)
    return h->has_stream = single(l, v, "cuda stream id", UINT64_MAX, &h->stream);
  if ((v = value_of(l->line, "-accelsim tracer version")) != NULL)
    return single(l, v, "accelsim tracer version", 1000, &h->version);
  if ((v = value_of(l->line, "-enable lineinfo")) != NULL) return single(l, v, "enable lineinfo", 1, &h->line_numbers);
  if ((v = value_of(l->line, "-shmem base_addr")) != NULL) h->shared = strtoull(v, NULL, 16);
  if ((v = value_of(l->line, "-local mem base_addr")) != NULL) h->local = strtoull(v, NULL, 16);
  return true;
}

/* Reads up to the line that begins the first TB, which is then the current line. */
static bool read_header(struct hd_lines *l, struct header *h) {
  *h = (struct header){.name = "?"};
  while (hd_lines_next(l)) {
    if (strncmp(l->line, "#BEGIN_TB", 9) == 0) {
      const char *missing = !h->has_grid     ? "grid dim"
                            : !h->has_cta    ? "block dim"
                            : !h->has_smem   ? "shmem"
                            : !h->has_regs   ? "nregs"
                            : !h->has_stream ? "cuda stream id"
                                             : NULL;
      if (missing != NULL) return hd_lines_fail(l, "a TB begins, and the header has no line '-%s = ..'", missing);
      if (h->cta[0] * h->cta[1] * h->cta[2] > HD_CTA_THREADS_MAX)
        return hd_lines_fail_file(l, "block dim makes more than %u threads", HD_CTA_THREADS_MAX);
      if (h->grid[0] * h->grid[1] * h->grid[2] > UINT32_MAX)
        return hd_lines_fail_file(l, "grid dim makes more than %" PRIu32 " TBs", UINT32_MAX);
      return true;
    }
    if (!header_line(l, h)) return false;
  }
  return l->failed ? false
                   : hd_lines_fail_file(l, "no '#BEGIN_TB' in the file; a .traceg, which " MAKES
                                           " makes from a .trace, would be accepted");
}

/* Reads the TBs, in any order, each once. The post-processing omits those that executed no instruction. */
static bool read_ctas(struct import *m, struct hd_lines *l, const struct header *h, uint32_t ctas) {
  const uint64_t most[3] = {h->grid[0] - 1, h->grid[1] - 1, h->grid[2] - 1};
  uint64_t at[3], insts, id = UINT64_MAX;
  uint32_t found = 0;
  bool open = true; /* between #BEGIN_TB and #END_TB; the first #BEGIN_TB has been read */
  while (hd_lines_next(l)) {
    char *v;
    if (l->line[0] == '#') {
      if (strncmp(l->line, "#BEGIN_TB", 9) == 0) open = true;
      if (strncmp(l->line, "#END_TB", 7) == 0) open = false;
    } else if ((v = value_of(l->line, "thread block")) != NULL) {
      if (!triple(l, v, "thread block", 0, most, at)) return false;
      id = at[0] + h->grid[0] * (at[1] + h->grid[1] * at[2]);
      if (m->seen[id])
        return hd_lines_fail(l, "thread block %" PRIu64 ",%" PRIu64 ",%" PRIu64 " occurs twice", at[0], at[1], at[2]);
      m->seen[id] = true;
      found++;
      if (m->warps != NULL && !hd_accelsim_warps_tb(m->warps, l, id)) return false;
    } else if (m->warps != NULL && (v = value_of(l->line, "warp")) != NULL) {
      if (!single(l, v, "warp", UINT32_MAX, &insts) || !hd_accelsim_warps_warp(m->warps, l, insts)) return false;
    } else if ((v = value_of(l->line, "insts")) != NULL) {
      if (!single(l, v, "insts", UINT32_MAX, &insts)) return false;
      if (id == UINT64_MAX) return hd_lines_fail(l, "insts before any 'thread block'");
      m->instructions[id] += insts;
      m->n->instructions += insts;
      if (m->warps != NULL && !hd_accelsim_warps_expect(m->warps, l, insts)) return false;
    } else if (m->warps != NULL && l->line[strspn(l->line, " \t")] != '\0') {
      if (!hd_accelsim_warps_instruction(m->warps, l)) return false;
    }
  }
  if (l->failed) return false;
  if (open)
    return hd_lines_fail_file(l, "the file ends within a TB, without its '#END_TB'; a complete file would be accepted");
  if (found == 0) return hd_lines_fail_file(l, "none of the kernel's %" PRIu32 " TBs is in the file", ctas);
  if (m->warps != NULL && !hd_accelsim_warps_end(m->warps, l)) return false;
  m->absent = ctas - found;
  m->n->absent += m->absent;
  return true;
}

static uint64_t cycles_of(const struct import *m, uint32_t cta) {
  const double cycles = ceil((double)m->instructions[cta] * m->o.cycles_per_instruction);
  return cycles < 1 ? 1 : cycles > CYCLES_MAX ? (uint64_t)CYCLES_MAX : (uint64_t)cycles;
}

static void write_duration(const struct import *m, uint32_t ctas) {
  uint32_t from = 0;
  for (uint32_t i = 1; i <= ctas; i++) {
    if (i < ctas && cycles_of(m, i) == cycles_of(m, from)) continue;
    if (from == 0 && i == ctas) { /* all TBs are equal */
      fprintf(m->to, "%" PRIu64, cycles_of(m, 0));
      return;
    }
    fprintf(m->to, "%s%" PRIu64, from == 0 ? "each(" : ",", cycles_of(m, from));
    if (i - from > 1) fprintf(m->to, "*%" PRIu32, i - from);
    from = i;
  }
  fputc(')', m->to);
}

/* Returns the HWQ of a stream; -1: too many streams. */
static int hwq_of(struct import *m, uint64_t stream) {
  uint32_t s = 0;
  while (s < m->n->streams && m->stream[s] != stream) s++;
  if (s == STREAMS) return -1;
  if (s == m->n->streams) m->stream[m->n->streams++] = stream;
  return (int)(s % m->o.hwqs);
}

static bool read_kernel(struct import *m, struct hd_lines *l) {
  struct header h;
  if (!read_header(l, &h)) return false;
  if (hd_select_by_name(&m->only) && !hd_select_takes(&m->only, m->number, h.name)) {
    m->n->left_out++;
    return true;
  }
  const struct hd_accelsim_kernel k = {.warps = hd_fit_warps((uint32_t)(h.cta[0] * h.cta[1] * h.cta[2])),
                                       .version = h.version,
                                       .line_numbers = h.line_numbers != 0,
                                       .shared = h.shared,
                                       .local = h.local};
  if (m->warps != NULL && !hd_accelsim_warps_kernel(m->warps, l, &k)) return false;
  const uint32_t ctas = (uint32_t)(h.grid[0] * h.grid[1] * h.grid[2]);
  const int hwq = hwq_of(m, h.stream);
  if (hwq < 0) return hd_lines_fail_file(l, "more than %u streams", STREAMS);
  m->instructions = calloc(ctas, sizeof *m->instructions);
  m->seen = calloc(ctas, sizeof *m->seen);
  const bool room = m->instructions != NULL && m->seen != NULL;
  bool good = room ? read_ctas(m, l, &h, ctas) : hd_lines_fail_file(l, "out of memory for %" PRIu32 " TBs", ctas);
  if (good) {
    m->n->kernels++;
    m->n->ctas += ctas;
    if (m->absent != 0) fprintf(m->to, "# %" PRIu32 " TBs that the file omits: 1 cycle each\n", m->absent);
    fprintf(m->to, "kernel ");
    fprintf(m->to, "%s", h.name);
    fprintf(m->to, "  0 %d  %" PRIu64 " %" PRIu64 " %" PRIu64 "  %" PRIu64 " %" PRIu64 " %" PRIu64, hwq, h.grid[0],
            h.grid[1], h.grid[2], h.cta[0], h.cta[1], h.cta[2]);
    fprintf(m->to, "  %" PRIu64 " %" PRIu64 "  ", h.regs, h.smem);
    write_duration(m, ctas);
    fputc('\n', m->to);
    if (m->warps != NULL && !hd_accelsim_warps_write(m->warps)) good = hd_lines_fail_file(l, "out of memory");
  }
  free(m->instructions);
  free(m->seen);
  return good;
}

static bool is_there(const char *path) {
  return access(path, F_OK) == 0;
}

/* Finds the file under its name, or under the name after a compression or decompression since the list was made.
 * Returns false if there is no such file. */
static bool find_kernel(char path[PATH_MAX], const char *folder, int n, const char *file) {
  static const char *const packed[] = {".xz", ".gz", ".zst", ".bz2"};
  snprintf(path, PATH_MAX, "%.*s%s", n, folder, file);
  if (is_there(path)) return true;
  const size_t bare = strlen(path);
  for (unsigned k = 0; k < sizeof packed / sizeof *packed; k++) {
    if (hd_out_ends_in(path, packed[k])) {
      char without[PATH_MAX];
      snprintf(without, sizeof without, "%.*s", (int)(bare - strlen(packed[k])), path);
      if (is_there(without)) {
        snprintf(path, PATH_MAX, "%s", without);
        return true;
      }
    }
    snprintf(path + bare, PATH_MAX - bare, "%s", packed[k]);
    if (is_there(path)) return true;
    path[bare] = '\0';
  }
  return false;
}

/* Imports a file that kernelslist.g names. It is searched in the folder of the list; the path in the list may be that
 * of another machine. */
static bool import_kernel(struct import *m, struct hd_lines *list, const char *file, char *err, size_t err_size) {
  char path[PATH_MAX];
  const char *slash = strrchr(list->name, '/');
  struct hd_lines l;
  m->number++;
  if (!hd_select_by_name(&m->only) && !hd_select_takes(&m->only, m->number, NULL)) {
    m->n->left_out++;
    return true;
  }
  if (hd_out_ends_in(file, ".trace") || strstr(file, ".trace.") != NULL)
    return hd_lines_fail(
        list, "%s is the raw list of the tracer; kernelslist.g, which " MAKES " makes, would be accepted", file);
  if (!find_kernel(path, list->name, slash != NULL ? (int)(slash + 1 - list->name) : 0, file))
    return hd_lines_fail(list, "%s: No such file, also with or without .xz or .gz; " MAKES " makes it from the .trace",
                         path);
  bool good = hd_lines_open(&l, path, err, err_size) && read_kernel(m, &l);
  hd_lines_close(&l);
  return good;
}

static bool import_list(struct import *m, struct hd_lines *l, char *err, size_t err_size) {
  char shown[48];
  while (hd_lines_next(l)) {
    l->line[strcspn(l->line, " \t")] = '\0';
    if (l->line[0] == '\0') continue;
    if (strncmp(l->line, "Memcpy", 6) == 0)
      m->n->copies++;
    else if (strncmp(l->line, "kernel-", 7) != 0)
      return hd_lines_fail(l, "'%s' is not a command; Memcpy.. and kernel-.. of a kernelslist.g would be accepted",
                           hd_shown(shown, l->line));
    else if (!import_kernel(m, l, l->line, err, err_size))
      return false;
  }
  if (l->failed) return false;
  char text[700];
  if (!hd_select_used(&m->only, text, sizeof text)) return hd_lines_fail_file(l, "--only %s: %s", m->o.only, text);
  if (m->number == 0) return hd_lines_fail_file(l, "no kernel in it");
  return true;
}

/* Finds the list of a folder; n->lists: number of further lists, of other contexts. Returns false with a hint in err on
 * how to make a list. */
static bool find_list(const char *folder, char name[PATH_MAX], struct hd_accelsim_counts *n, char *err,
                      size_t err_size) {
  unsigned raw = 0, deeper = 0;
  DIR *d = opendir(folder);
  for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
    char below[PATH_MAX];
    const bool list = strncmp(e->d_name, "kernelslist", 11) == 0;
    if (list && hd_out_ends_in(e->d_name, ".g") && strcmp(e->d_name, "kernelslist.g") != 0) n->lists++;
    raw += (list && !hd_out_ends_in(e->d_name, ".g")) || strstr(e->d_name, ".trace.") != NULL ||
           hd_out_ends_in(e->d_name, ".trace");
    snprintf(below, sizeof below, "%s/%s/kernelslist.g", folder, e->d_name);
    deeper += e->d_name[0] != '.' && is_there(below);
  }
  if (d != NULL) closedir(d);
  snprintf(name, PATH_MAX, "%s/kernelslist.g", folder);
  if (is_there(name)) return true;
  if (n->lists != 0)
    snprintf(err, err_size,
             "%s: No such file; the folder has %" PRIu32
             " lists of contexts, kernelslist_ctx_..g; one of them would be accepted",
             name, n->lists);
  else if (raw != 0)
    snprintf(err, err_size, "%s: No such file; %s has the raw output of the tracer, from which " MAKES " makes it",
             name, folder);
  else if (deeper != 0)
    snprintf(err, err_size, "%s: No such file; a subfolder has one and would be accepted", name);
  else
    snprintf(err, err_size, "%s: No such file; a folder in which " MAKES " has made it would be accepted", name);
  return false;
}

static bool import_all(struct import *m, const char *name, char *err, size_t err_size) {
  struct hd_lines l;
  if (m->o.instructions && (m->warps = hd_accelsim_warps_new(m->to)) == NULL) {
    snprintf(err, err_size, "out of memory");
    return false;
  }
  fprintf(m->to, "heddle-trace %d\n# from NVBit traces of Accel-Sim, %g cycles per instruction\n",
          m->o.instructions ? 3 : 2, m->o.cycles_per_instruction);
  const bool good = hd_lines_open(&l, name, err, err_size) && import_list(m, &l, err, err_size);
  hd_lines_close(&l);
  if (m->warps != NULL) m->n->warps = hd_accelsim_warps_counts(m->warps);
  hd_accelsim_warps_free(m->warps);
  return good;
}

bool hd_accelsim_import(const char *path, const struct hd_accelsim_opts *o, FILE *to, struct hd_accelsim_counts *n,
                        char *err, size_t err_size) {
  char name[PATH_MAX], text[300];
  struct stat st;
  const bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
  struct import *m = malloc(sizeof *m);
  if (m == NULL) {
    snprintf(err, err_size, "out of memory");
    return false;
  }
  *n = (struct hd_accelsim_counts){0};
  *m = (struct import){.o = *o, .to = to, .n = n};
  snprintf(name, sizeof name, "%s", path);
  bool good = hd_select_init(&m->only, o->only, text, sizeof text);
  if (!good) snprintf(err, err_size, "--only %s: %s", o->only, text);
  good = good && (!folder || find_list(path, name, n, err, err_size)) && import_all(m, name, err, err_size);
  hd_select_free(&m->only);
  free(m);
  return good;
}
