/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/accelsim_warps.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "work/accelsim_inst.h"

enum { WARPS_MAX = 32 }; /* per TB */

/* A program, identified by its text. */
struct known {
  char *text;
  uint64_t hash;
};

struct hd_accelsim_warps {
  FILE *to;
  struct hd_accelsim_kernel kernel;
  struct hd_accelsim_warps_counts n;
  struct known *known; /* n.programs of them, by number */
  uint32_t known_cap;
  uint32_t *slot; /* hash table of program numbers + 1; 0: empty */
  uint32_t slots; /* a power of two */
  char *lines;    /* text to be written after the kernel's line */
  size_t size;
  FILE *kept; /* writes to `lines` */
  /* The current TB and warp. */
  bool tb_open, warp_open;
  uint64_t tb, warp;
  uint64_t expected, read;                      /* instructions of the current warp */
  bool seen[WARPS_MAX];                         /* warps of the TB so far */
  uint32_t program[WARPS_MAX], from[WARPS_MAX]; /* of each warp; program UINT32_MAX: none */
  /* The program of the current warp, as far as it has been read. */
  char *text;
  size_t used, cap;
  bool failed;     /* out of memory */
  bool has_line;   /* `line` is valid */
  uint32_t line;   /* the last line touched */
  uint32_t before; /* instructions since the last operation */
  uint64_t lanes;  /* sum of their active threads */
};

struct hd_accelsim_warps *hd_accelsim_warps_new(FILE *to) {
  struct hd_accelsim_warps *w = calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  w->to = to;
  w->slots = 1024;
  w->slot = calloc(w->slots, sizeof *w->slot);
  if (w->slot != NULL) return w;
  free(w);
  return NULL;
}

void hd_accelsim_warps_free(struct hd_accelsim_warps *w) {
  if (w == NULL) return;
  for (uint32_t k = 0; k < w->n.programs; k++) free(w->known[k].text);
  if (w->kept != NULL) fclose(w->kept);
  free(w->known);
  free(w->slot);
  free(w->lines);
  free(w->text);
  free(w);
}

struct hd_accelsim_warps_counts hd_accelsim_warps_counts(const struct hd_accelsim_warps *w) {
  return w->n;
}

/* ---- programs ---- */

static uint64_t hash_of(const char *text) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (; *text != '\0'; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return h;
}

static uint32_t *slot_of(struct hd_accelsim_warps *w, const char *text, uint64_t hash) {
  uint32_t at = (uint32_t)hash & (w->slots - 1);
  for (; w->slot[at] != 0; at = (at + 1) & (w->slots - 1)) {
    const struct known *k = &w->known[w->slot[at] - 1];
    if (k->hash == hash && text != NULL && strcmp(k->text, text) == 0) break;
  }
  return &w->slot[at];
}

/* Doubles the hash table if it is half full. Returns false if out of memory. */
static bool grow(struct hd_accelsim_warps *w) {
  if (w->n.programs < w->known_cap) return true;
  const uint32_t slots = w->known_cap != 0 ? w->slots * 2 : w->slots;
  struct known *known = slots >= w->slots ? realloc(w->known, slots / 2 * sizeof *known) : NULL;
  if (known == NULL) return false;
  w->known = known;
  w->known_cap = slots / 2;
  if (slots == w->slots) return true;
  uint32_t *slot = calloc(slots, sizeof *slot);
  if (slot == NULL) return false;
  free(w->slot);
  w->slot = slot;
  w->slots = slots;
  for (uint32_t k = 0; k < w->n.programs; k++) *slot_of(w, NULL, w->known[k].hash) = k + 1;
  return true;
}

/* Returns the number of a program; writes the program if it is new. UINT32_MAX: out of memory. */
static uint32_t number_of(struct hd_accelsim_warps *w, const char *text) {
  const uint64_t hash = hash_of(text);
  if (!grow(w)) return UINT32_MAX;
  uint32_t *slot = slot_of(w, text, hash);
  if (*slot != 0) return *slot - 1;
  struct known *k = &w->known[w->n.programs];
  k->hash = hash;
  k->text = strdup(text);
  if (k->text == NULL) return UINT32_MAX;
  *slot = ++w->n.programs;
  fprintf(w->to, "program%s\n", text);
  return *slot - 1;
}

static void add(struct hd_accelsim_warps *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct hd_accelsim_warps *w, const char *fmt, ...) {
  if (w->cap - w->used < 64) {
    const size_t cap = w->cap != 0 ? w->cap * 2 : 4096;
    char *grown = realloc(w->text, cap);
    if (grown == NULL) {
      w->failed = true;
      return;
    }
    w->text = grown;
    w->cap = cap;
  }
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(w->text + w->used, w->cap - w->used, fmt, args);
  va_end(args);
  if (n > 0) w->used += (size_t)n;
}

/* Adds [N]KIND[@THREADS]: N plain instructions, then the operation; THREADS is the mean over all of them. */
static void add_op(struct hd_accelsim_warps *w, char kind, uint32_t lanes) {
  const uint64_t all = w->lanes + lanes, n = (uint64_t)w->before + 1;
  const unsigned mean = (unsigned)((all + n / 2) / n);
  add(w, " ");
  if (w->before != 0) add(w, "%" PRIu32, w->before);
  add(w, "%c", kind);
  if (mean != HD_WARP_LANES) add(w, "@%u", mean);
  w->before = 0;
  w->lanes = 0;
}

/* Adds the distances between lines; writes N equal ones in a row as DxN. */
static void add_list(struct hd_accelsim_warps *w, const uint32_t *at, uint32_t n, uint32_t from) {
  for (uint32_t i = 0, same; i < n; i += same) {
    const int32_t delta = (int32_t)(at[i] - (i == 0 ? from : at[i - 1]));
    for (same = 1; i + same < n && (int32_t)(at[i + same] - at[i + same - 1]) == delta;) same++;
    add(w, "%c%" PRId32, i == 0 ? ':' : ',', delta);
    if (same > 1) add(w, "x%" PRIu32, same);
  }
}

static void add_global(struct hd_accelsim_warps *w, const struct hd_accelsim_inst *i) {
  struct hd_warp_op op = {.lines = 0};
  for (uint32_t k = 0; k < HD_WARP_LANES; k++)
    if ((i->mask >> k & 1) != 0) hd_warp_touch(&op, i->address[k]);
  if (!w->has_line) w->from[w->warp] = w->line = op.line[0];
  w->has_line = true;
  add_op(w, i->kind == HD_TRACE_LOAD ? 'l' : i->kind == HD_TRACE_STORE ? 's' : 'a', i->lanes);
  add_list(w, op.line, op.lines, w->line);
  w->line = op.line[op.lines - 1];
}

/* Adds the words of local memory, each once, relative to the start of the window. */
static void add_local(struct hd_accelsim_warps *w, const struct hd_accelsim_inst *i) {
  struct hd_warp_op op = {.lines = 0};
  for (uint32_t k = 0; k < HD_WARP_LANES; k++)
    for (uint32_t byte = 0; byte < i->width && (i->mask >> k & 1) != 0 && op.lines < HD_WARP_LANES; byte += 4)
      hd_warp_touch(&op, (i->address[k] + byte) / 4 % (1 << 20) * HD_LINE_BYTES);
  add_op(w, i->kind == HD_TRACE_LOCAL_LOAD ? 'L' : 'S', i->lanes);
  add_list(w, op.line, op.lines, 0);
}

static void add_instruction(struct hd_accelsim_warps *w, const struct hd_accelsim_inst *i) {
  static const char letters[] = {[HD_TRACE_SHARED] = 'm',
                                 [HD_TRACE_SPECIAL] = 'f',
                                 [HD_TRACE_DOUBLE] = 'd',
                                 [HD_TRACE_TENSOR] = 't',
                                 [HD_TRACE_BARRIER] = 'b'};
  w->n.textures += i->texture;
  w->n.atomics += i->space == HD_ACCELSIM_GLOBAL && i->kind == HD_TRACE_ATOMIC;
  switch (i->space) {
    case HD_ACCELSIM_PLAIN:
      w->before++;
      w->lanes += i->lanes;
      break;
    case HD_ACCELSIM_GLOBAL:
      add_global(w, i);
      break;
    case HD_ACCELSIM_LOCAL:
      add_local(w, i);
      break;
    case HD_ACCELSIM_OTHER:
      add_op(w, letters[i->kind], i->lanes);
      break;
  }
}

/* ---- kernels, TBs, warps ---- */

/* Ends the warp. If its last instruction is plain, that becomes the end operation. */
static bool close_warp(struct hd_accelsim_warps *w, struct hd_lines *l) {
  if (!w->warp_open) return true;
  w->warp_open = false;
  if (w->read != w->expected)
    return hd_lines_fail(l, "warp %" PRIu64 " of the TB has %" PRIu64 " instructions, its 'insts' line gives %" PRIu64,
                         w->warp, w->read, w->expected);
  if (w->read == 0) return true;
  uint32_t lanes = HD_WARP_LANES;
  if (w->before != 0) {
    lanes = (uint32_t)((w->lanes + w->before / 2) / w->before);
    w->lanes -= lanes < w->lanes ? lanes : w->lanes;
    w->before--;
  }
  add_op(w, 'e', lanes);
  w->program[w->warp] = w->failed ? UINT32_MAX : number_of(w, w->text);
  if (w->program[w->warp] != UINT32_MAX) return true;
  return hd_lines_fail_file(l, "out of memory after %" PRIu32 " programs", w->n.programs);
}

static bool close_tb(struct hd_accelsim_warps *w, struct hd_lines *l) {
  if (!close_warp(w, l)) return false;
  if (!w->tb_open) return true;
  fprintf(w->kept, "warps %" PRIu64, w->tb);
  for (uint32_t k = 0; k < w->kernel.warps; k++)
    if (w->program[k] == UINT32_MAX)
      fprintf(w->kept, " -");
    else
      fprintf(w->kept, " %" PRIu32 ":%" PRIu32, w->program[k], w->from[k]);
  fputc('\n', w->kept);
  w->tb_open = false;
  return true;
}

bool hd_accelsim_warps_kernel(struct hd_accelsim_warps *w, struct hd_lines *l, const struct hd_accelsim_kernel *k) {
  w->kernel = *k;
  w->tb_open = w->warp_open = false;
  w->kept = open_memstream(&w->lines, &w->size);
  return w->kept != NULL || hd_lines_fail_file(l, "out of memory");
}

bool hd_accelsim_warps_tb(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t id) {
  if (!close_tb(w, l)) return false;
  w->tb = id;
  w->tb_open = true;
  memset(w->seen, 0, sizeof w->seen);
  memset(w->from, 0, sizeof w->from);
  memset(w->program, 0xff, sizeof w->program);
  return true;
}

bool hd_accelsim_warps_warp(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t warp) {
  if (!close_warp(w, l)) return false;
  if (!w->tb_open) return hd_lines_fail(l, "warp %" PRIu64 " before any 'thread block'", warp);
  if (warp >= w->kernel.warps)
    return hd_lines_fail(l, "warp %" PRIu64 " of a TB of %" PRIu32 " warps", warp, w->kernel.warps);
  if (w->seen[warp]) return hd_lines_fail(l, "warp %" PRIu64 " of the TB occurs twice", warp);
  w->seen[warp] = w->warp_open = true;
  w->warp = warp;
  w->expected = w->read = w->used = 0;
  w->has_line = false;
  w->before = 0;
  w->lanes = 0;
  return true;
}

bool hd_accelsim_warps_expect(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t n) {
  if (!w->warp_open) return hd_lines_fail(l, "insts before any 'warp'");
  w->expected = n;
  return true;
}

bool hd_accelsim_warps_instruction(struct hd_accelsim_warps *w, struct hd_lines *l) {
  struct hd_accelsim_inst i;
  const struct hd_accelsim_windows windows = {w->kernel.shared, w->kernel.local};
  const unsigned skip = (w->kernel.version < 3 ? 4 : 0) + (w->kernel.line_numbers ? 1 : 0);
  if (!w->warp_open) return hd_lines_fail(l, "an instruction before any 'warp'");
  if (!hd_accelsim_inst(l, skip, &windows, &i)) return false;
  w->read++;
  add_instruction(w, &i);
  return true;
}

bool hd_accelsim_warps_end(struct hd_accelsim_warps *w, struct hd_lines *l) {
  return close_tb(w, l);
}

bool hd_accelsim_warps_write(struct hd_accelsim_warps *w) {
  bool good = fclose(w->kept) == 0;
  w->kept = NULL;
  if (good) good = fwrite(w->lines, 1, w->size, w->to) == w->size;
  free(w->lines);
  w->lines = NULL;
  return good;
}
