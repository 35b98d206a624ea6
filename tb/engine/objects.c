/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void hd_build_dir(char *buf, size_t size) {
  const char *env = getenv("HEDDLE_BUILD");
  ssize_t n = env ? -1 : readlink("/proc/self/exe", buf, size - 1);
  if (env || n < 0) {
    snprintf(buf, size, "%s", env ? env : "build");
    return;
  }
  buf[n] = 0;
  char *slash = strrchr(buf, '/');
  if (slash) *slash = 0;
  size_t len = strlen(buf); /* test binaries are in build/test */
  if (len > 5 && !strcmp(buf + len - 5, "/test")) buf[len - 5] = 0;
  if (len > 4 && !strcmp(buf + len - 4, "/san")) buf[len - 4] = 0; /* and the sanitized command in build/san */
  if (len > 4 && !strcmp(buf + len - 4, "/bin"))
    snprintf(buf + len - 4, size - (len - 4), "/lib/heddle"); /* installed */
}

bool hd_variant_exists(const char *name) {
  static const char all[] = HD_VARIANTS;
  size_t n = strlen(name);
  for (const char *p = all; (p = strstr(p, name)); p += n)
    if (n && (p == all || p[-1] == ' ') && (p[n] == ',' || !p[n])) return true;
  return false;
}

static bool newer(const struct stat *a, const struct stat *b) {
  return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
                                                : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Returns true if the object exists and is newer than all files in its list (tb/build writes it next to the object). */
static bool after_reset(const char *root, const char *object) {
  char path[900], line[400];
  struct stat list, source;
  size_t stem = strlen(object) - strlen(".so");
  snprintf(path, sizeof path, "%.*s.inputs", (int)stem, object);
  FILE *f = access(object, R_OK) ? NULL : fopen(path, "r");
  bool ok = f && !fstat(fileno(f), &list);
  while (ok && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    snprintf(path, sizeof path, "%s/%s", root, line);
    ok = !stat(path, &source) && !newer(&source, &list);
  }
  if (f) fclose(f);
  return ok;
}

/* Calls the build program of the checkout; its output goes to standard error. */
static bool make(const char *root, const char *target) {
  pid_t pid = fork();
  if (pid == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (!chdir(root)) execlp("python3", "python3", "tb/build", target, (char *)NULL);
    perror("heddle: python3 tb/build");
    _exit(127);
  }
  int status;
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool hd_object(const char *config, const char *block, const char *variant, char *path, size_t path_size, char *err,
               size_t err_size) {
  char dir[400], root[420], program[450], target[200];
  hd_build_dir(dir, sizeof dir);
  snprintf(root, sizeof root, "%s/..", dir);
  snprintf(program, sizeof program, "%s/tb/build/__main__.py", root);
  snprintf(target, sizeof target, "%s/%s/%s", config, block, variant);
  snprintf(path, path_size, "%s/%s.so", dir, target);
  bool checkout = !access(program, R_OK);
  if (checkout && !after_reset(root, path) && !make(root, target)) {
    snprintf(err, err_size, "%s could not be built (python3 tb/build %s)", target, target);
    return false;
  }
  if (!access(path, R_OK)) return true;
  snprintf(err, err_size,
           "block '%s' of configuration '%s' (%s) is not built: no file %s; a checkout builds it, "
           "and heddle run --engine model does not need it",
           block, config, variant, path);
  return false;
}
