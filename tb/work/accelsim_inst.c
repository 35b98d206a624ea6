/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/accelsim_inst.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW (UINT64_C(1) << 24)
#define FORMAT "[line] PC mask destinations [registers] opcode sources [registers] width [format addresses]"

/* Opcodes that are not plain, up to the first '.'. GENERIC: the address determines the memory. */
enum memory { NONE, GLOBAL, GENERIC, LOCAL };
static const struct opcode {
  const char *name;
  enum memory memory;
  enum hd_trace_op_kind kind;
} opcodes[] = {
    {"LDG", GLOBAL, HD_TRACE_LOAD},      {"LDGSTS", GLOBAL, HD_TRACE_LOAD},    {"LD", GENERIC, HD_TRACE_LOAD},
    {"STG", GLOBAL, HD_TRACE_STORE},     {"ST", GENERIC, HD_TRACE_STORE},      {"RED", GLOBAL, HD_TRACE_STORE},
    {"REDG", GLOBAL, HD_TRACE_STORE},    {"ATOMG", GLOBAL, HD_TRACE_ATOMIC},   {"ATOM", GENERIC, HD_TRACE_ATOMIC},
    {"LDL", LOCAL, HD_TRACE_LOCAL_LOAD}, {"STL", LOCAL, HD_TRACE_LOCAL_STORE}, {"LDS", NONE, HD_TRACE_SHARED},
    {"LDSM", NONE, HD_TRACE_SHARED},     {"ATOMS", NONE, HD_TRACE_SHARED},     {"MUFU", NONE, HD_TRACE_SPECIAL},
    {"DADD", NONE, HD_TRACE_DOUBLE},     {"DFMA", NONE, HD_TRACE_DOUBLE},      {"DMUL", NONE, HD_TRACE_DOUBLE},
    {"DSETP", NONE, HD_TRACE_DOUBLE},    {"DSET", NONE, HD_TRACE_DOUBLE},      {"DMNMX", NONE, HD_TRACE_DOUBLE},
    {"HMMA", NONE, HD_TRACE_TENSOR},     {"IMMA", NONE, HD_TRACE_TENSOR},      {"BMMA", NONE, HD_TRACE_TENSOR},
    {"DMMA", NONE, HD_TRACE_TENSOR},     {"QMMA", NONE, HD_TRACE_TENSOR},      {"HGMMA", NONE, HD_TRACE_TENSOR},
    {"IGMMA", NONE, HD_TRACE_TENSOR},    {"QGMMA", NONE, HD_TRACE_TENSOR},     {"BAR", NONE, HD_TRACE_BARRIER}};

static const char *const textures[] = {"TEX", "TEXS", "TLD", "TLDS", "TLD4", "TLD4S", "TXD", "TMML", "SULD", "SUST"};

static bool is_word(const char *word, const char *text) {
  const size_t n = strlen(word);
  return strncmp(text, word, n) == 0 && (text[n] == '.' || text[n] == '\0');
}

static bool is_texture(const char *text) {
  for (size_t k = 0; k < sizeof textures / sizeof *textures; k++)
    if (is_word(textures[k], text)) return true;
  return false;
}

/* Returns NULL for a plain opcode. BAR.ARV is plain: it arrives at a barrier without waiting. */
static const struct opcode *find_opcode(const char *text) {
  for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++)
    if (is_word(opcodes[k].name, text)) return strncmp(text, "BAR.ARV", 7) == 0 ? NULL : &opcodes[k];
  return NULL;
}

/* Returns the bytes per thread, from .64, .U16 or similar; otherwise 4. */
static uint32_t width_of(const char *opcode) {
  for (const char *at = strchr(opcode, '.'); at != NULL; at = strchr(at + 1, '.')) {
    char *end;
    const char *digits = at + 1 + (at[1] == 'U' || at[1] == 'S');
    const unsigned long bits = strtoul(digits, &end, 10);
    if (end != digits && (*end == '.' || *end == '\0') && bits >= 8 && bits <= 128) return (uint32_t)bits / 8;
  }
  return 4;
}

/* ---- fields ---- */

static char *field(char **p) {
  char *s = *p + strspn(*p, " \t");
  if (*s == '\0') return NULL;
  const size_t n = strcspn(s, " \t");
  *p = s + n + (s[n] != '\0');
  s[n] = '\0';
  return s;
}

static bool missing(struct hd_lines *l, const char *what, const char *text) {
  char shown[48];
  return hd_lines_fail(l, "an instruction's %s is '%s'; " FORMAT " would be accepted", what,
                       hd_shown(shown, text != NULL ? text : ""));
}

static bool hexadecimal(struct hd_lines *l, char **p, const char *what, uint64_t *v) {
  char *end = NULL;
  const char *text = field(p);
  *v = text != NULL ? strtoull(text, &end, 16) : 0;
  return (text != NULL && *text != '-' && end != text && *end == '\0') || missing(l, what, text);
}

static bool decimal(struct hd_lines *l, char **p, const char *what, int64_t *v) {
  char *end = NULL;
  const char *text = field(p);
  *v = text != NULL ? strtoll(text, &end, 10) : 0;
  return (text != NULL && end != text && *end == '\0') || missing(l, what, text);
}

/* Skips a count and that many registers. */
static bool registers(struct hd_lines *l, char **p, const char *what) {
  int64_t n;
  if (!decimal(l, p, what, &n)) return false;
  if (n < 0 || n > 16)
    return hd_lines_fail(l, "an instruction has %lld %s; " FORMAT " would be accepted", (long long)n, what);
  for (; n > 0; n--) {
    const char *text = field(p);
    if (text == NULL || *text != 'R') return missing(l, what, text);
  }
  return true;
}

/* ---- addresses ---- */

/* Parses a list of all addresses, a first address and a stride, or a first address and differences. */
static bool addresses(struct hd_lines *l, char **p, struct hd_accelsim_inst *i) {
  int64_t format, step = 0;
  uint64_t last = 0;
  bool first = true;
  if (!decimal(l, p, "format of addresses", &format)) return false;
  if (format < 0 || format > 2)
    return hd_lines_fail(l,
                         "an instruction's format of addresses is %lld; 0 (each), 1 (stride) or 2 (differences) would "
                         "be accepted",
                         (long long)format);
  if (format != 0 && !hexadecimal(l, p, "first address", &last)) return false;
  if (format == 1 && !decimal(l, p, "stride of addresses", &step)) return false;
  for (uint32_t k = 0; k < HD_WARP_LANES; k++) {
    if ((i->mask >> k & 1) == 0) continue;
    if (format == 0) {
      if (!hexadecimal(l, p, "address", &last)) return false;
    } else if (!first) {
      if (format == 2 && !decimal(l, p, "difference of addresses", &step)) return false;
      last += (uint64_t)step;
    }
    i->address[k] = last;
    first = false;
  }
  return true;
}

static bool within(uint64_t address, uint64_t window) {
  return window != 0 && address >= window && address - window < WINDOW;
}

static void set_memory(struct hd_accelsim_inst *i, enum memory memory, const struct hd_accelsim_windows *w) {
  const uint64_t address = i->address[__builtin_ctz(i->mask)];
  i->space = memory == LOCAL ? HD_ACCELSIM_LOCAL : HD_ACCELSIM_GLOBAL;
  if (memory == GENERIC && within(address, w->shared)) {
    i->space = i->kind == HD_TRACE_STORE ? HD_ACCELSIM_PLAIN : HD_ACCELSIM_OTHER;
    i->kind = HD_TRACE_SHARED;
  } else if (memory == GENERIC && within(address, w->local)) {
    i->space = HD_ACCELSIM_LOCAL;
    i->kind = i->kind == HD_TRACE_LOAD ? HD_TRACE_LOCAL_LOAD : HD_TRACE_LOCAL_STORE;
  }
  if (i->space != HD_ACCELSIM_LOCAL) return;
  for (uint32_t k = 0; k < HD_WARP_LANES; k++) /* relative to the start of the window */
    if (within(i->address[k], w->local)) i->address[k] -= w->local;
}

bool hd_accelsim_inst(struct hd_lines *l, unsigned skip, const struct hd_accelsim_windows *w,
                      struct hd_accelsim_inst *i) {
  char *p = l->line;
  uint64_t pc, mask;
  int64_t width;
  *i = (struct hd_accelsim_inst){.space = HD_ACCELSIM_PLAIN};
  for (; skip != 0; skip--)
    if (!decimal(l, &p, "TB, warp or line", &width)) return false;
  if (!hexadecimal(l, &p, "PC", &pc) || !hexadecimal(l, &p, "mask", &mask)) return false;
  if (mask > UINT32_MAX) return hd_lines_fail(l, "an instruction's mask has more than 32 threads");
  i->mask = (uint32_t)mask;
  i->lanes = (uint32_t)__builtin_popcount(i->mask);
  if (!registers(l, &p, "destinations")) return false;
  const char *text = field(&p);
  if (text == NULL) return missing(l, "opcode", text);
  const struct opcode *o = find_opcode(text);
  i->width = width_of(text);
  i->texture = is_texture(text);
  if (!registers(l, &p, "sources") || !decimal(l, &p, "width of memory", &width)) return false;
  if (width != 0 && !addresses(l, &p, i)) return false;
  if (o == NULL || i->mask == 0) return true;
  i->kind = o->kind;
  i->space = HD_ACCELSIM_OTHER;
  if (o->memory == NONE) return true;
  if (width == 0) return hd_lines_fail(l, "'%s' has no addresses; " FORMAT " would be accepted", text);
  set_memory(i, o->memory, w);
  return true;
}
