/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* temp: a temporary folder of one test program, removed at its end. Included after cmocka.h. */
#ifndef HD_TEST_TEMP_H
#define HD_TEST_TEMP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char temp_dir[] = "/tmp/heddle-test-XXXXXX";
static char temp_path[512];

static int temp_setup(void **state) {
  (void)state;
  return mkdtemp(temp_dir) == NULL;
}

static int temp_teardown(void **state) {
  (void)state;
  DIR *d = opendir(temp_dir);
  for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
    if (e->d_name[0] != '.') unlinkat(dirfd(d), e->d_name, 0);
  if (d != NULL) closedir(d);
  return rmdir(temp_dir);
}

/* Writes n bytes to a file of that name in the folder. Returns its path, valid until the next call. */
static const char *temp_bytes(const char *name, const void *data, size_t n) {
  snprintf(temp_path, sizeof temp_path, "%s/%s", temp_dir, name);
  FILE *f = fopen(temp_path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
  return temp_path;
}

static inline const char *temp_text(const char *name, const char *text) {
  return temp_bytes(name, text, strlen(text));
}

#endif
