/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/save_failure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/diagnose.h"
#include "engine/fields.h"
#include "engine/shrink.h"
#include "engine/sim_internal.h"

/* Creates dir and missing folders above it. Errors appear when the file is written. */
static void make_folders(const char *dir) {
  char part[600];
  for (const char *p = dir; *p; p++)
    if (p[1] == '/' || !p[1]) {
      snprintf(part, sizeof part, "%.*s", (int)(p + 1 - dir), dir);
      mkdir(part, 0777);
    }
}

/* Tests with a uniquely named folder in the deepest existing folder, since other runs may create and use dir and the
 * folders above it at the same time. */
bool hd_save_folder(const char *dir, char *err, size_t err_size) {
  char part[600], trial[620];
  struct stat st;
  snprintf(part, sizeof part, "%s", dir);
  while (lstat(part, &st) != 0 && errno == ENOENT && strcmp(part, ".") != 0) {
    char *slash = strrchr(part, '/');
    if (slash == NULL)
      strcpy(part, ".");
    else
      slash[slash == part] = 0;
  }
  snprintf(trial, sizeof trial, "%s/.heddle.XXXXXX", part);
  const bool ok = mkdtemp(trial) != NULL;
  if (ok)
    rmdir(trial);
  else
    snprintf(err, err_size, "%s: %s", dir, strerror(errno));
  return ok;
}

static void describe(const struct hd_sim *s, struct hd_replay *p) {
  const struct hd_sim_opts *o = &s->o;
  *p = (struct hd_replay){.seed = o->seed, .fault = o->fault, .cfg = o->cfg, .in_size = s->table->in_size};
  snprintf(p->block, sizeof p->block, "%s", o->block);
  snprintf(p->config, sizeof p->config, "%s", o->cfg.name);
  snprintf(p->test, sizeof p->test, "%s", o->test ? o->test : "random");
  snprintf(p->variant, sizeof p->variant, "%s", o->variant ? o->variant : "");
}

bool hd_save_failure(struct hd_sim *s, const char *dir, double shrink, FILE *report, char *path, size_t path_size) {
  struct hd_replay p;
  char err[700];
  uint64_t cycles = hd_record_cycles(s->record);
  path[0] = 0;
  describe(s, &p);
  if (cycles * p.in_size > HD_REPLAY_BYTES) {
    fprintf(stderr, "heddle: no replay file: the %" PRIu64 " cycles since the last reset are too many\n", cycles);
    return false;
  }
  p.cycles = cycles;
  p.in = hd_record_expand(s->record);
  if (shrink > 0) hd_shrink(&p, shrink);
  struct hd_failure f = hd_replay_run(&p, err, sizeof err);
  snprintf(p.expect, sizeof p.expect, "%s %" PRIu64 " %s", hd_verdict_name(f.verdict), f.cycle,
           f.label[0] ? f.label : "-");
  make_folders(dir);
  snprintf(path, path_size, "%s/%s-%s-%s-%" PRIx64 ".replay", dir, p.block, p.config, p.test, p.seed);
  bool ok = hd_replay_write(path, &p, err, sizeof err);
  if (!ok) {
    fprintf(stderr, "heddle: %s\n", err);
    path[0] = 0;
  } else if (report) {
    hd_diagnose(&p, path, true, report);
  }
  hd_replay_free(&p);
  return ok;
}
