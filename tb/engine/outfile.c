/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* All open results, for hd_out_abandon(). */
static struct hd_out *opened;

static void remember(struct hd_out *o) {
  o->next = opened;
  opened = o;
}

static void forget(const struct hd_out *o) {
  struct hd_out **p = &opened;
  while (*p != NULL && *p != o) p = &(*p)->next;
  if (*p == o) *p = o->next;
}

static ssize_t gz_write(void *cookie, const char *data, size_t n) {
  int done = gzwrite(cookie, data, (unsigned)n);
  return done > 0 ? done : -1;
}

bool hd_out_ends_in(const char *path, const char *end) {
  const size_t n = strlen(path), m = strlen(end);
  return n > m && strcasecmp(path + n - m, end) == 0;
}

static bool refuse(struct hd_out *o, const char *path, char *err, size_t err_size) {
  snprintf(err, err_size, "%s: %s", path, strerror(errno));
  hd_out_drop(o);
  return false;
}

/* mkstemp creates a private file; a result file gets the default permissions of new files. */
static void give_usual_mode(int fd) {
  mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, 0666 & ~mask);
}

/* Returns the type of an existing file that renaming cannot replace, or 0 for a missing or regular file. */
static mode_t stands(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && !S_ISREG(s.st_mode) ? s.st_mode & S_IFMT : 0;
}

/* Returns the target of a symbolic link, even if it does not exist; otherwise the path itself, also for a link to no
 * regular file (the link /dev/fd/63 to a pipe of the shell has no target name). NULL: out of memory. */
static char *followed(const char *path) {
  char to[PATH_MAX];
  if (stands(path)) return strdup(path);
  char *real = realpath(path, NULL);
  if (real != NULL) return real;
  const ssize_t n = readlink(path, to, sizeof to - 1);
  if (n <= 0) return strdup(path);
  to[n] = '\0';
  const char *slash = to[0] == '/' ? NULL : strrchr(path, '/');
  return asprintf(&real, "%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, to) < 0 ? NULL : real;
}

/* Opens the file to write. Returns its descriptor, or -1 with errno set. */
static int open_target(struct hd_out *o) {
  if (stands(o->path)) return open(o->path, O_WRONLY | O_NOCTTY);
  if (asprintf(&o->temporary, "%s.XXXXXX", o->path) < 0) {
    o->temporary = NULL;
    errno = ENOMEM;
    return -1;
  }
  const int fd = mkstemp(o->temporary);
  if (fd >= 0) {
    give_usual_mode(fd);
    return fd;
  }
  free(o->temporary);
  o->temporary = NULL; /* no file to remove */
  return -1;
}

bool hd_out_open(struct hd_out *o, const char *path, char *err, size_t err_size) {
  *o = (struct hd_out){.path = followed(path)};
  errno = ENOMEM;
  const int fd = o->path != NULL ? open_target(o) : -1;
  if (fd < 0) return refuse(o, path, err, err_size);
  if (!hd_out_ends_in(o->path, ".gz")) {
    o->f = fdopen(fd, "w");
  } else if ((o->gz = gzdopen(fd, "wb9")) != NULL) {
    o->f = fopencookie(o->gz, "w", (cookie_io_functions_t){.write = gz_write});
  }
  if (o->f != NULL) {
    remember(o);
    return true;
  }
  if (o->gz == NULL) close(fd);
  return refuse(o, path, err, err_size);
}

bool hd_out_open_file(struct hd_out *o, const char *path, char *err, size_t err_size) {
  if (!hd_out_open(o, path, err, err_size)) return false;
  if (o->temporary != NULL) return true;
  hd_out_drop(o);
  snprintf(err, err_size, "%s: not a regular file, which a waveform requires", path);
  return false;
}

bool hd_out_try(const char *path, char *err, size_t err_size) {
  struct hd_out o = {.path = followed(path)};
  errno = ENOMEM;
  if (o.path == NULL) return refuse(&o, path, err, err_size);
  const mode_t kind = stands(o.path);
  const bool pipe = kind == S_IFIFO; /* its reader would take a test for the whole output */
  const int fd = pipe ? -1 : kind != 0 ? open(o.path, O_WRONLY | O_NOCTTY | O_NONBLOCK) : open_target(&o);
  const bool good = pipe ? access(o.path, W_OK) == 0 : fd >= 0;
  if (!good) return refuse(&o, path, err, err_size);
  if (fd >= 0) close(fd);
  hd_out_drop(&o);
  return true;
}

bool hd_out_commit(struct hd_out *o, char *err, size_t err_size) {
  errno = 0;
  bool good = !ferror(o->f);
  if (!good && fputc('\n', o->f) != EOF) fflush(o->f); /* fails again, and so tells the reason */
  good = fclose(o->f) == 0 && good;
  o->f = NULL;
  if (o->gz != NULL) good = gzclose(o->gz) == Z_OK && good;
  o->gz = NULL;
  if (good && o->temporary != NULL) good = rename(o->temporary, o->path) == 0;
  if (!good) {
    if (errno == 0) errno = EIO;
    return refuse(o, o->path, err, err_size);
  }
  forget(o);
  free(o->temporary);
  free(o->path);
  *o = (struct hd_out){0};
  return true;
}

void hd_out_drop(struct hd_out *o) {
  forget(o);
  if (o->f != NULL) fclose(o->f);
  if (o->gz != NULL) gzclose(o->gz);
  if (o->temporary != NULL) unlink(o->temporary);
  free(o->temporary);
  free(o->path);
  *o = (struct hd_out){0};
}

void hd_out_abandon(void) {
  for (const struct hd_out *o = opened; o != NULL; o = o->next) {
    char hier[PATH_MAX];
    if (o->temporary == NULL) continue;
    const size_t n = strlen(o->temporary);
    unlink(o->temporary);
    if (n + sizeof ".hier" > sizeof hier) continue;
    memcpy(hier, o->temporary, n);
    memcpy(hier + n, ".hier", sizeof ".hier");
    unlink(hier);
  }
}

void hd_out_quoted(FILE *f, const char *text) {
  fputs(",\"", f);
  for (; *text != '\0'; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  fputc('"', f);
}
