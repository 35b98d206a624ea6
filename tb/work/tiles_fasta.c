/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads sequences in FASTA. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "graph/lines.h"
#include "work/tiles_read.h"

enum { LONGEST = 1 << 24 };

/* The current sequence. */
struct reading {
  struct hd_tiles_data *d;
  unsigned *have;
  bool open; /* a header was seen */
  char *letter;
  uint32_t count, room;
};

static bool add(struct hd_lines *l, struct reading *r, char c) {
  if (r->count == LONGEST) return hd_lines_fail(l, "one letter too many; %d would be accepted", LONGEST);
  if (r->count + 1 >= r->room) {
    const uint32_t room = r->room != 0 ? 2 * r->room : 1024;
    char *grown = realloc(r->letter, room);
    if (grown == NULL) return hd_lines_fail_file(l, "out of memory");
    r->letter = grown;
    r->room = room;
  }
  r->letter[r->count++] = (char)toupper((unsigned char)c);
  r->letter[r->count] = '\0';
  return true;
}

/* Ends the sequence before this line or before the end of the file. */
static bool close_one(struct hd_lines *l, struct reading *r) {
  if (!r->open) return true;
  if (r->count == 0) return hd_lines_fail(l, "a sequence without letters ends here; at least one would be accepted");
  *(*r->have == 0 ? &r->d->width : &r->d->height) = r->count;
  r->d->sequence[(*r->have)++] = r->letter;
  r->letter = NULL;
  r->count = r->room = 0;
  r->open = false;
  return true;
}

static bool header(struct hd_lines *l, struct reading *r) {
  if (!close_one(l, r)) return false;
  if (*r->have == 2) return hd_lines_fail(l, "a third sequence; two in all would be accepted");
  r->open = true;
  return true;
}

static bool letters(struct hd_lines *l, struct reading *r) {
  const char *from = l->line + strspn(l->line, " \t"), *c = from;
  char shown[48];
  if (*c != '\0' && !r->open)
    return hd_lines_fail(l, "'%s' before the first sequence; a line '>' and its name would be accepted",
                         hd_shown(shown, c));
  while (isalpha((unsigned char)*c)) {
    if (!add(l, r, *c)) return false;
    c++;
  }
  const size_t left = strspn(c, " \t");
  if (c[left] == '\0') return true;
  return hd_lines_fail(l, "'%c' at column %zu; letters would be accepted", isprint((unsigned char)*c) ? *c : '?',
                       (size_t)(c - l->line) + 1);
}

bool hd_tiles_read_fasta(struct hd_tiles_data *d, const char *file, unsigned *have, char *err, size_t err_size) {
  struct hd_lines l;
  struct reading r = {.d = d, .have = have};
  const unsigned before = *have;
  bool good = hd_lines_open(&l, file, err, err_size);
  while (good && hd_lines_next(&l)) good = l.line[0] == '>' ? header(&l, &r) : letters(&l, &r);
  good = good && !l.failed && close_one(&l, &r);
  if (good && *have == before)
    good = hd_lines_fail_file(&l, "no sequence; FASTA, '>' and a name and then letters, would be accepted");
  hd_lines_close(&l);
  free(r.letter);
  return good;
}
