/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/pkglist.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "graph/lines.h"

/* Decompresses archives that zlib cannot read: apt stores its lists as lz4, xz or others. */
static const char helper[] = "/usr/lib/apt/apt-helper";

/* Returns true if this is the list of component main of a suite, like
 * ..._dists_bookworm_main_binary-amd64_Packages.lz4. A suite with a dash in its name is an addition to another one
 * (bookworm-updates, bookworm-security) and does not count. */
static bool is_main_list(const char *file, const char *arch, char *suite, size_t suite_size) {
  char tail[96];
  const char *dists = strstr(file, "_dists_");
  if (dists == NULL) return false;
  dists += strlen("_dists_");
  size_t n = strcspn(dists, "_-");
  if (n == 0 || n >= suite_size) return false;
  snprintf(tail, sizeof tail, "_main_binary-%s_Packages", arch);
  if (strncmp(dists + n, tail, strlen(tail)) != 0) return false;
  const char *rest = dists + n + strlen(tail);
  if (*rest != '\0' && *rest != '.') return false;
  memcpy(suite, dists, n);
  suite[n] = '\0';
  return true;
}

bool hd_pkglist_find(const char *folder, const char *suite, const char *arch, char *path, size_t path_size, char *found,
                     size_t found_size, char *err, size_t err_size) {
  char name[64], best[256] = "";
  DIR *dir = opendir(folder);
  if (dir == NULL) {
    snprintf(err, err_size, "%s: %s; a folder of Debian package lists is needed", folder, strerror(errno));
    return false;
  }
  bool several = false;
  for (struct dirent *e; (e = readdir(dir)) != NULL;) {
    if (!is_main_list(e->d_name, arch, name, sizeof name)) continue;
    if (suite != NULL && strcmp(suite, name) != 0) continue;
    if (best[0] != '\0' && strcmp(found, name) != 0) several = true;
    /* Two mirrors of one suite are equal: take the first by name, independent of the order in the folder. */
    if (best[0] != '\0' && strcmp(best, e->d_name) <= 0) continue;
    snprintf(best, sizeof best, "%s", e->d_name);
    snprintf(found, found_size, "%s", name);
  }
  closedir(dir);
  if (several) {
    snprintf(err, err_size, "%s: lists of several suites, %s one of them; choose with --suite", folder, found);
    return false;
  }
  if (best[0] == '\0') {
    snprintf(err, err_size, "%s: no list of %s main for %s; 'apt-get update' on a Debian machine makes one", folder,
             suite != NULL ? suite : "a suite's", arch);
    return false;
  }
  snprintf(path, path_size, "%s/%s", folder, best);
  return true;
}

/* Starts the helper. Returns the read end of a pipe with its output, or -1. */
static int start_helper(const char *path, pid_t *child) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  *child = fork();
  if (*child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(helper, helper, "cat-file", path, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  if (*child > 0) return ends[0];
  close(ends[0]);
  return -1;
}

static bool append(char **to, const char *separator, const char *text) {
  size_t have = *to != NULL ? strlen(*to) : 0, n = strlen(text);
  char *grown = realloc(*to, have + strlen(separator) + n + 1);
  if (grown == NULL) return false;
  memcpy(grown + have, separator, strlen(separator));
  memcpy(grown + have + strlen(separator), text, n + 1);
  *to = grown;
  return true;
}

static bool add_package(struct hd_packages *out, const char *name) {
  if (out->n == out->cap) {
    size_t cap = out->cap != 0 ? out->cap * 2 : 4096;
    struct hd_package *grown = realloc(out->p, cap * sizeof *grown);
    if (grown == NULL) return false;
    out->p = grown;
    out->cap = cap;
  }
  struct hd_package *p = &out->p[out->n];
  *p = (struct hd_package){strdup(name), calloc(1, 1), calloc(1, 1), (uint32_t)out->n};
  out->n++;
  return p->name != NULL && p->provides != NULL && p->needs != NULL;
}

/* Stores a field of the stanza. Package is the first field of each stanza. */
static bool take_field(struct hd_packages *out, const char *key, const char *value) {
  static const char *const needs[] = {"Depends", "Pre-Depends", "Recommends", "Suggests"};
  if (strcmp(key, "Package") == 0) return add_package(out, value);
  if (out->n == 0) return true;
  struct hd_package *p = &out->p[out->n - 1];
  if (strcmp(key, "Provides") == 0) return append(&p->provides, ",", value);
  for (unsigned i = 0; i < 4; i++)
    if (strcmp(key, needs[i]) == 0) return append(&p->needs, ",", value);
  return true;
}

static bool parse_list(struct hd_lines *l, struct hd_packages *out) {
  while (hd_lines_next(l)) {
    char *colon = strchr(l->line, ':');
    /* Continuation lines begin with a blank; none of the fields needed here has any in a package list. */
    if (colon == NULL || l->line[0] == ' ') continue;
    *colon = '\0';
    char *value = colon + 1;
    while (*value == ' ') value++;
    if (!take_field(out, l->line, value)) return hd_lines_fail_file(l, "out of memory");
  }
  return !l->failed;
}

bool hd_pkglist_read(const char *path, struct hd_packages *out, char *err, size_t err_size) {
  *out = (struct hd_packages){0};
  struct hd_lines l;
  pid_t child = 0;
  size_t n = strlen(path);
  bool plain = strcmp(path + n - strlen("Packages"), "Packages") == 0 || strcmp(path + n - 3, ".gz") == 0;
  bool good;
  if (plain) {
    good = hd_lines_open(&l, path, err, err_size);
  } else {
    int fd = start_helper(path, &child);
    if (fd < 0) {
      snprintf(err, err_size, "%s: %s", helper, strerror(errno));
      return false;
    }
    good = hd_lines_open_fd(&l, fd, path, err, err_size);
  }
  good = good && parse_list(&l, out);
  hd_lines_close(&l);
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child && status != 0 && good) {
    snprintf(err, err_size, "%s: '%s cat-file' could not read it", path, helper);
    good = false;
  }
  if (good && out->n == 0) {
    snprintf(err, err_size, "%s: no package in the list", path);
    good = false;
  }
  if (!good) hd_packages_free(out);
  return good;
}

void hd_pkglist_release(const char *list_path, char *out, size_t out_size) {
  char path[4400], err[256], version[48] = "", date[64] = "";
  struct hd_lines l;
  out[0] = '\0';
  const char *main_part = strstr(list_path, "_main_binary-");
  if (main_part == NULL) return;
  snprintf(path, sizeof path, "%.*s_InRelease", (int)(main_part - list_path), list_path);
  if (!hd_lines_open(&l, path, err, sizeof err)) return;
  while (hd_lines_next(&l)) {
    if (strncmp(l.line, "Version: ", 9) == 0) snprintf(version, sizeof version, "%.40s", l.line + 9);
    if (strncmp(l.line, "Date: ", 6) == 0) snprintf(date, sizeof date, "%.60s", l.line + 6);
  }
  hd_lines_close(&l);
  snprintf(out, out_size, "%s%s%s", version, version[0] != '\0' ? " of " : "", date);
}

void hd_packages_free(struct hd_packages *p) {
  for (size_t i = 0; i < p->n; i++) {
    free(p->p[i].name);
    free(p->p[i].provides);
    free(p->p[i].needs);
  }
  free(p->p);
  *p = (struct hd_packages){0};
}

char *hd_relation_next(char **p) {
  char *s = *p;
  while (*s == ',' || *s == '|' || *s == ' ') s++;
  if (*s == '\0') return NULL;
  char *name = s;
  /* A name ends at its version "(>= 1)", architecture ":any" or "[amd64]", or profile "<!nocheck>". */
  s += strcspn(s, " ,|(:[<");
  char *end = s;
  s += strcspn(s, ",|");
  *p = s + (*s != '\0');
  *end = '\0';
  return name;
}
