/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads grey images (PGM). Raw data have no lines, so this reader works on bytes and counts the lines of the text
 * parts. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "work/tiles_read.h"

enum { SIDE_MOST = 1 << 16, GREY_MOST = 65535, DIGITS_MOST = 8 };
#define PIXELS_MOST ((uint64_t)1 << 28)

struct pgm {
  const char *name;
  gzFile gz;
  uint64_t line, most_line; /* current line; line of the largest grey value */
  int next;                 /* next byte, or -1 */
  char *err;
  size_t err_size;
};

static bool refuse(struct pgm *p, bool with_line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static bool refuse(struct pgm *p, bool with_line, const char *fmt, ...) {
  va_list ap;
  char line[24] = "";
  if (with_line) snprintf(line, sizeof line, "%" PRIu64 ":", p->line);
  const int n = snprintf(p->err, p->err_size, "%s:%s", p->name, line);
  va_start(ap, fmt);
  if (n > 0 && (size_t)n < p->err_size) vsnprintf(p->err + n, p->err_size - (size_t)n, fmt, ap);
  va_end(ap);
  return false;
}

static void step(struct pgm *p) {
  if (p->next == '\n') p->line++;
  p->next = gzgetc(p->gz);
}

static bool blank(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips blanks and comments before a number. */
static void skip_blanks(struct pgm *p) {
  while (blank(p->next) || p->next == '#')
    if (p->next == '#')
      while (p->next != '\n' && p->next >= 0) step(p);
    else
      step(p);
}

/* Refuses a file that ends early, also one of damaged or truncated gzip data. */
static bool ends_early(struct pgm *p, const char *what) {
  int code = Z_OK;
  const char *why = gzerror(p->gz, &code);
  if (code == Z_ERRNO) return refuse(p, false, " %s", strerror(errno));
  if (code != Z_OK && code != Z_STREAM_END) return refuse(p, false, " damaged or truncated compressed data (%s)", why);
  return refuse(p, true, " the file ends, and %s would be accepted", what);
}

static bool number(struct pgm *p, const char *what, uint32_t least, uint32_t most, uint32_t *value) {
  char text[DIGITS_MOST + 2];
  unsigned n = 0;
  skip_blanks(p);
  if (p->next < 0) return ends_early(p, what);
  while (p->next >= 0 && !blank(p->next) && p->next != '#' && n <= DIGITS_MOST) {
    text[n++] = (char)(p->next >= ' ' && p->next <= '~' ? p->next : '?');
    step(p);
  }
  text[n] = '\0';
  *value = (uint32_t)strtoul(text, NULL, 10);
  if (n <= DIGITS_MOST && strspn(text, "0123456789") == n && *value >= least && *value <= most) return true;
  return refuse(p, true, " %s is '%s'; a whole number from %" PRIu32 " to %" PRIu32 " would be accepted", what, text,
                least, most);
}

/* Reads width, height, the largest grey value, and one blank. */
static bool header(struct pgm *p, struct hd_tiles_data *d, bool *raw) {
  uint32_t most = 0;
  const int first = p->next;
  step(p);
  if (first != 'P' || (p->next != '2' && p->next != '5'))
    return refuse(p, true, " it does not begin with P2 or P5; a grey image in PGM would be accepted");
  *raw = p->next == '5';
  step(p);
  if (!blank(p->next) && p->next != '#')
    return refuse(p, true, " other characters after P2 or P5; a blank or a line end would be accepted");
  if (!number(p, "the width", 1, SIDE_MOST, &d->width) || !number(p, "the height", 1, SIDE_MOST, &d->height))
    return false;
  if ((uint64_t)d->width * d->height > PIXELS_MOST)
    return refuse(p, true, " %" PRIu32 " x %" PRIu32 " pixels; %" PRIu64 " would be accepted", d->width, d->height,
                  PIXELS_MOST);
  if (!number(p, "the largest grey value", 1, GREY_MOST, &most)) return false;
  p->most_line = p->line;
  d->grey_most = (uint16_t)most;
  return blank(p->next) || refuse(p, true, " no blank after the largest grey value; one would be accepted");
}

static bool plain_pixel(struct pgm *p, uint32_t most, uint32_t *value) {
  return number(p, "a pixel", 0, most, value);
}

/* Reads one or two bytes, the high one first. */
static bool raw_pixel(struct pgm *p, uint32_t most, uint32_t *value) {
  *value = 0;
  for (unsigned k = 0; k < (most > 255 ? 2u : 1u); k++) {
    const int byte = gzgetc(p->gz);
    if (byte < 0) return false;
    *value = *value << 8 | (uint32_t)byte;
  }
  return true;
}

static bool raw_fault(struct pgm *p, const struct hd_tiles_data *d, size_t k, uint32_t value) {
  int code = Z_OK;
  gzerror(p->gz, &code);
  if (value > d->grey_most)
    return refuse(p, false,
                  " pixel %zu is %" PRIu32 ", and line %" PRIu64
                  " sets the maximum to %u; values up to that would be accepted",
                  k, value, p->most_line, d->grey_most);
  if (code != Z_OK && code != Z_STREAM_END) return refuse(p, false, " damaged or truncated compressed data");
  return refuse(p, false, " the data end after %zu pixels; %" PRIu32 " x %" PRIu32 " would be accepted", k, d->width,
                d->height);
}

static bool pixels(struct pgm *p, struct hd_tiles_data *d, bool raw) {
  const size_t n = (size_t)d->width * d->height;
  d->grey = malloc(n * sizeof *d->grey);
  if (d->grey == NULL) return refuse(p, false, " out of memory");
  for (size_t k = 0; k < n; k++) {
    uint32_t value = 0;
    if (raw && (!raw_pixel(p, d->grey_most, &value) || value > d->grey_most)) return raw_fault(p, d, k, value);
    if (!raw && !plain_pixel(p, d->grey_most, &value)) return false;
    d->grey[k] = (uint16_t)value;
  }
  if (raw) p->next = gzgetc(p->gz);
  if (!raw) skip_blanks(p);
  return p->next < 0 || refuse(p, !raw, " more data after the %" PRIu32 " x %" PRIu32 " pixels; none would be accepted",
                               d->width, d->height);
}

bool hd_tiles_read_pgm(struct hd_tiles_data *d, const char *file, char *err, size_t err_size) {
  struct pgm p = {.name = file, .line = 1, .err = err, .err_size = err_size};
  bool raw = false;
  errno = 0;
  p.gz = gzopen(file, "rb");
  if (p.gz == NULL) return refuse(&p, false, " %s", errno != 0 ? strerror(errno) : "out of memory");
  gzbuffer(p.gz, 1 << 17);
  p.next = gzgetc(p.gz);
  const bool good = header(&p, d, &raw) && pixels(&p, d, raw);
  gzclose(p.gz);
  return good;
}
