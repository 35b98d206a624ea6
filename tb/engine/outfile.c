/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static ssize_t gz_write(void *cookie, const char *data, size_t n) {
  int done = gzwrite(cookie, data, (unsigned)n);
  return done > 0 ? done : -1;
}

static bool ends_in_gz(const char *path) {
  size_t n = strlen(path);
  return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

static bool refuse(struct hd_out *o, const char *path, char *err, size_t err_size) {
  snprintf(err, err_size, "%s: %s", path, strerror(errno));
  hd_out_drop(o);
  return false;
}

/* The file that mkstemp makes is the user's alone; a result file has the permissions that any new file gets. */
static void give_usual_mode(int fd) {
  mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, 0666 & ~mask);
}

bool hd_out_open(struct hd_out *o, const char *path, char *err, size_t err_size) {
  *o = (struct hd_out){0};
  errno = ENOMEM;
  if ((o->path = strdup(path)) == NULL || asprintf(&o->temporary, "%s.XXXXXX", path) < 0) {
    free(o->path);
    *o = (struct hd_out){0};
    snprintf(err, err_size, "%s: out of memory", path);
    return false;
  }
  int fd = mkstemp(o->temporary);
  if (fd < 0) {
    free(o->temporary);
    o->temporary = NULL; /* there is nothing to remove */
    return refuse(o, path, err, err_size);
  }
  give_usual_mode(fd);
  if (!ends_in_gz(path)) {
    o->f = fdopen(fd, "w");
  } else if ((o->gz = gzdopen(fd, "wb9")) != NULL) {
    o->f = fopencookie(o->gz, "w", (cookie_io_functions_t){.write = gz_write});
  }
  if (o->f != NULL) return true;
  if (o->gz == NULL) close(fd);
  return refuse(o, path, err, err_size);
}

bool hd_out_commit(struct hd_out *o, char *err, size_t err_size) {
  errno = 0;
  bool good = !ferror(o->f);
  good = fclose(o->f) == 0 && good;
  o->f = NULL;
  if (o->gz != NULL) good = gzclose(o->gz) == Z_OK && good;
  o->gz = NULL;
  if (good) good = rename(o->temporary, o->path) == 0;
  if (!good) {
    if (errno == 0) errno = EIO;
    return refuse(o, o->path, err, err_size);
  }
  free(o->temporary);
  free(o->path);
  *o = (struct hd_out){0};
  return true;
}

void hd_out_drop(struct hd_out *o) {
  if (o->f != NULL) fclose(o->f);
  if (o->gz != NULL) gzclose(o->gz);
  if (o->temporary != NULL) unlink(o->temporary);
  free(o->temporary);
  free(o->path);
  *o = (struct hd_out){0};
}
