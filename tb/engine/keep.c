/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/keep.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/diagnose.h"
#include "engine/fields.h"
#include "engine/shrink.h"
#include "engine/sim_internal.h"

/* dir and the folders above it, as far as they are missing. What goes wrong shows when the file is written. Returns how
 * much of dir was there before. */
static size_t make_folders(const char *dir) {
  char part[600];
  size_t old = strlen(dir);
  for (const char *p = dir; *p; p++)
    if (p[1] == '/' || !p[1]) {
      const size_t here = (size_t)(p + 1 - dir);
      snprintf(part, sizeof part, "%.*s", (int)here, dir);
      if (mkdir(part, 0777) == 0 && here <= old) old = here - 1;
    }
  return old;
}

static void remove_folders(const char *dir, size_t old) {
  char part[600];
  for (size_t here = strlen(dir); here > old; here--)
    if (dir[here] == '/' || !dir[here]) {
      snprintf(part, sizeof part, "%.*s", (int)here, dir);
      rmdir(part);
    }
}

bool hd_keep_folder(const char *dir, char *err, size_t err_size) {
  const size_t old = make_folders(dir);
  errno = 0;
  struct stat st;
  if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode)) errno = ENOTDIR;
  const bool ok = errno == 0 && access(dir, W_OK | X_OK) == 0;
  if (!ok) snprintf(err, err_size, "%s: %s", dir, strerror(errno));
  remove_folders(dir, old);
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

bool hd_keep_failure(struct hd_sim *s, const char *dir, double shrink, FILE *report, char *path, size_t path_size) {
  struct hd_replay p;
  char err[700];
  uint64_t cycles = hd_record_cycles(s->record);
  path[0] = 0;
  describe(s, &p);
  if (cycles * p.in_size > HD_REPLAY_BYTES) {
    fprintf(stderr, "heddle: no replay file: %" PRIu64 " cycles since the last reset are too many for one\n", cycles);
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
