/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/lines.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

enum { FIRST_CAP = 1 << 16 };

static bool start(struct hd_lines *l, gzFile gz, const char *name, char *err, size_t err_size) {
  *l = (struct hd_lines){.name = name, .gz = gz, .err = err, .err_size = err_size, .cap = FIRST_CAP};
  if (gz == NULL) return hd_lines_fail_file(l, "%s", errno != 0 ? strerror(errno) : "out of memory");
  gzbuffer(gz, 1 << 17);
  l->buf = malloc(l->cap + 1);
  return l->buf != NULL || hd_lines_fail_file(l, "out of memory");
}

/* Compression formats that zlib does not read: first bytes of the file, and the program that decompresses it. */
static const struct packer {
  const char *magic, *program;
} packers[] = {{"\xfd"
                "7zXZ",
                "xz"},
               {"BZh", "bzip2"},
               {"\x28\xb5\x2f\xfd", "zstd"},
               {"PK\x03\x04", NULL}};

static const struct packer *packer_of(const char *first, size_t n) {
  for (unsigned k = 0; k < sizeof packers / sizeof *packers; k++) {
    const size_t m = strlen(packers[k].magic);
    if (n >= m && memcmp(first, packers[k].magic, m) == 0) return &packers[k];
  }
  return NULL;
}

/* Starts `program -dc` on the file. Returns the read end of a pipe with its output; -1 with the reason in errno. */
static int unpack(int fd, const char *program, pid_t *child) {
  static char flags[] = "-dc";
  int ends[2];
  posix_spawn_file_actions_t act;
  char name[8];
  snprintf(name, sizeof name, "%s", program);
  char *argv[] = {name, flags, NULL};
  extern char **environ;
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_init(&act);
  posix_spawn_file_actions_adddup2(&act, fd, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&act, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&act, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  errno = posix_spawnp(child, name, &act, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&act);
  close(ends[1]);
  if (errno == 0) return ends[0];
  close(ends[0]);
  return -1;
}

bool hd_lines_open(struct hd_lines *l, const char *name, char *err, size_t err_size) {
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return start(l, NULL, name, err, err_size);
  return hd_lines_open_fd(l, fd, name, err, err_size);
}

bool hd_lines_open_fd(struct hd_lines *l, int fd, const char *name, char *err, size_t err_size) {
  char first[8];
  const ssize_t n = pread(fd, first, sizeof first, 0); /* fails on a pipe: there refill() checks the first bytes */
  const struct packer *by = n > 0 ? packer_of(first, (size_t)n) : NULL;
  pid_t child = 0;
  if (by != NULL && by->program != NULL) {
    const int from = unpack(fd, by->program, &child);
    const int why = errno;
    close(fd);
    if (from < 0) {
      errno = 0;
      start(l, NULL, name, err, err_size);
      return hd_lines_fail_file(l, "compressed by %s, which cannot be started: %s", by->program, strerror(why));
    }
    fd = from;
  }
  errno = 0;
  gzFile gz = gzdopen(fd, "rb");
  if (gz == NULL) close(fd);
  const bool good = start(l, gz, name, err, err_size);
  l->child = child;
  l->unpacker = by != NULL ? by->program : NULL;
  return good;
}

/* Waits for the program that decompresses. Returns false if it failed. */
static bool reap(struct hd_lines *l) {
  int status = 0;
  if (l->child == 0) return true;
  while (waitpid(l->child, &status, 0) < 0 && errno == EINTR) {
  }
  l->child = 0;
  return status == 0;
}

void hd_lines_close(struct hd_lines *l) {
  if (l->gz != NULL) gzclose(l->gz); /* before reap(): ends a program that still writes */
  if (l->buf != NULL) reap(l);
  free(l->buf);
  l->gz = NULL;
  l->buf = NULL;
}

void hd_lines_back(struct hd_lines *l) {
  l->again = true;
}

bool hd_lines_fail(struct hd_lines *l, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = snprintf(l->err, l->err_size, "%s:%llu: ", l->name, (unsigned long long)l->number);
  if (n > 0 && (size_t)n < l->err_size) vsnprintf(l->err + n, l->err_size - (size_t)n, fmt, ap);
  va_end(ap);
  l->failed = true;
  return false;
}

bool hd_lines_fail_file(struct hd_lines *l, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = snprintf(l->err, l->err_size, "%s: ", l->name);
  if (n > 0 && (size_t)n < l->err_size) vsnprintf(l->err + n, l->err_size - (size_t)n, fmt, ap);
  va_end(ap);
  l->failed = true;
  return false;
}

/* Moves the remaining bytes to the front of the buffer and reads more; grows the buffer if one line fills it. */
static bool refill(struct hd_lines *l) {
  memmove(l->buf, l->buf + l->pos, l->len - l->pos);
  l->len -= l->pos;
  l->pos = 0;
  if (l->len == l->cap) {
    if (l->cap >= HD_LINE_MAX) {
      l->number++;
      return hd_lines_fail(l, "the line is longer than %zu bytes; a text file's lines are shorter", HD_LINE_MAX);
    }
    char *grown = realloc(l->buf, l->cap * 2 + 1);
    if (grown == NULL) return hd_lines_fail_file(l, "out of memory");
    l->buf = grown;
    l->cap *= 2;
  }
  errno = 0;
  int n = gzread(l->gz, l->buf + l->len, (unsigned)(l->cap - l->len));
  if (n > 0) {
    const struct packer *by = l->number == 0 && l->len == 0 ? packer_of(l->buf, (size_t)n) : NULL;
    if (by != NULL && by->program == NULL)
      return hd_lines_fail_file(l, "a zip archive; the file in it (unzip) would be accepted");
    if (by != NULL)
      return hd_lines_fail_file(l, "compressed by %s; the output of '%s -dc' would be accepted", by->program,
                                by->program);
    l->len += (size_t)n;
    return true;
  }
  int code = Z_OK;
  const char *why = gzerror(l->gz, &code);
  if (code == Z_ERRNO) return hd_lines_fail_file(l, "%s", strerror(errno));
  if (code == Z_BUF_ERROR) return hd_lines_fail_file(l, "the compressed data end early; the file is truncated");
  if (n < 0) return hd_lines_fail_file(l, "damaged compressed data (%s)", why);
  l->at_end = true;
  return reap(l) || hd_lines_fail_file(l, "damaged or truncated data; '%s -t' gives details", l->unpacker);
}

/* Refuses a file that is not text; names the kind if it is known. */
static bool refuse_nul(struct hd_lines *l) {
  enum { MARK = 257 }; /* offset of the magic of a tar archive */
  const char *line = l->line;
  if (l->number == 1 && (size_t)(l->buf + l->len - line) > MARK + 5 && memcmp(line + MARK, "ustar", 5) == 0)
    return hd_lines_fail_file(l, "a tar archive; one of the files in it (tar -x) would be accepted");
  return hd_lines_fail(l, "a NUL byte; a text file would be accepted, not a binary one (Galois' .gr, GAP's .sg)");
}

/* Skips the LF of a CRLF whose CR ended the previous line; it may not have been read before. */
static bool skip_lf(struct hd_lines *l) {
  while (l->after_cr && l->pos == l->len && !l->at_end)
    if (!refill(l)) return false;
  if (l->after_cr && l->pos < l->len && l->buf[l->pos] == '\n') l->pos++;
  l->after_cr = false;
  return true;
}

/* Returns the first LF or CR, or NULL. Speed: one pass for both, since a file may contain only one of them, and a
 * search for the other would go to its end in each line. */
static char *line_end(char *s, size_t n) {
  for (char *behind = s + n; s < behind; s++)
    if (*s == '\n' || *s == '\r') return s;
  return NULL;
}

bool hd_lines_next(struct hd_lines *l) {
  if (l->failed) return false;
  if (l->again) {
    l->again = false;
    return true;
  }
  if (!skip_lf(l)) return false;
  size_t looked = 0; /* bytes after pos that contain no line end */
  char *end;
  while ((end = line_end(l->buf + l->pos + looked, l->len - l->pos - looked)) == NULL && !l->at_end) {
    looked = l->len - l->pos;
    if (!refill(l)) return false;
  }
  if (end == NULL && l->pos == l->len) return false;
  size_t n = end != NULL ? (size_t)(end - (l->buf + l->pos)) : l->len - l->pos;
  l->line = l->buf + l->pos;
  l->after_cr = end != NULL && *end == '\r';
  l->pos += n + (end != NULL);
  l->number++;
  l->line[n] = '\0'; /* the buffer has one byte more than its capacity */
  if (memchr(l->line, '\0', n) != NULL) return refuse_nul(l);
  if (l->number == 1 && strncmp(l->line, "\xef\xbb\xbf", 3) == 0) l->line += 3;
  return true;
}

static bool parts(char c) {
  return c == ',' || c == ';' || isspace((unsigned char)c);
}

char *hd_field(char **p) {
  char *s = *p;
  while (parts(*s)) s++;
  if (*s == '\0') return NULL;
  char *begin = s;
  while (*s != '\0' && !parts(*s)) s++;
  *p = s + (*s != '\0');
  bool quoted = s - begin >= 2 && (*begin == '"' || *begin == '\'') && s[-1] == *begin;
  *s = '\0';
  if (quoted) {
    s[-1] = '\0';
    begin++;
  }
  return begin;
}

const char *hd_shown(char *out, const char *field) {
  size_t n = 0;
  for (; field[n] != '\0' && n < 40; n++) out[n] = isprint((unsigned char)field[n]) ? field[n] : '?';
  if (field[n] != '\0') memcpy(out + n - 3, "...", 3);
  out[n] = '\0';
  return out;
}

bool hd_whole(const char *field, uint64_t *value) {
  uint64_t v = 0;
  if (field == NULL || *field == '\0') return false;
  for (const char *s = field; *s != '\0'; s++) {
    unsigned d = (unsigned)*s - '0';
    if (d > 9 || v > (UINT64_MAX - d) / 10) return false;
    v = v * 10 + d;
  }
  *value = v;
  return true;
}

bool hd_field_range(struct hd_lines *l, const char *field, const char *what, uint64_t min, uint64_t max,
                    uint64_t *value) {
  char shown[48];
  uint64_t v;
  if (hd_whole(field, &v) && v >= min && v <= max) {
    *value = v;
    return true;
  }
  if (field == NULL)
    return hd_lines_fail(l, "%s is missing; a whole number from %llu to %llu would be accepted", what,
                         (unsigned long long)min, (unsigned long long)max);
  return hd_lines_fail(l, "%s is '%s'; a whole number from %llu to %llu would be accepted", what,
                       hd_shown(shown, field), (unsigned long long)min, (unsigned long long)max);
}

bool hd_field_u64(struct hd_lines *l, const char *field, const char *what, uint64_t max, uint64_t *value) {
  return hd_field_range(l, field, what, 0, max, value);
}

bool hd_field_real(struct hd_lines *l, const char *field, const char *what, double *value) {
  char shown[48];
  char *end;
  *value = strtod(field, &end);
  if (end != field && *end == '\0' && isfinite(*value)) return true;
  return hd_lines_fail(l, "%s is '%s'; a number would be accepted", what, hd_shown(shown, field));
}
