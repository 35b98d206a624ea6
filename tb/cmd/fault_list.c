/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/fault_list.h"

#include <stdio.h>
#include <string.h>

#include "common/hd_cfg.h"
#include "engine/fields.h"
#include "engine/objects.h"

bool hd_fault_parse(const char *line, struct hd_fault *f) {
  f->set[0] = 0;
  return sscanf(line, "%u,%127[^,],%255[^,],\"%255[^\"]\",%*[^,\n],%63s", &f->id, f->blocks, f->signal, f->what,
                f->set) >= 4;
}

static bool among(const char *blocks, const char *block) {
  char copy[sizeof((struct hd_fault *)0)->blocks], *save;
  snprintf(copy, sizeof copy, "%s", blocks);
  for (char *b = strtok_r(copy, " ", &save); b != NULL; b = strtok_r(NULL, " ", &save))
    if (strcmp(b, block) == 0) return true;
  return false;
}

/* Returns true if one of `blocks` is inside `block`: inner signals have names such as "sched.tbcr.valid". */
static bool inside(const char *blocks, const char *block) {
  const struct hd_field_table *table = hd_field_table_find(block);
  struct hd_field_list l = {0};
  struct hd_cfg cfg;
  bool found = false;
  if (table == NULL || !hd_cfg_find("tiny", &cfg)) return false;
  table->fill(&cfg, &l);
  for (unsigned k = 0; k < l.fields && !found; k++) {
    char copy[256], *save;
    if (l.field[k].kind != HD_FIELD_INNER) continue;
    snprintf(copy, sizeof copy, "%s", l.field[k].name);
    for (char *part = strtok_r(copy, ".", &save); part != NULL && !found; part = strtok_r(NULL, ".", &save))
      found = among(blocks, part);
  }
  hd_field_list_free(&l);
  return found;
}

bool hd_fault_accepted(unsigned id, const char *block, char *err, size_t err_size) {
  char line[1024], dir[400], path[450];
  struct hd_fault f = {0};
  unsigned last = 0;
  hd_build_dir(dir, sizeof dir);
  snprintf(path, sizeof path, "%s/../" HD_FAULT_LIST, dir);
  FILE *list = fopen(path, "r");
  if (list == NULL) return true;
  bool found = false;
  while (!found && fgets(line, sizeof line, list) != NULL) {
    if (!hd_fault_parse(line, &f)) continue;
    found = f.id == id;
    if (f.id > last) last = f.id;
  }
  fclose(list);
  if (found && (among(f.blocks, block) || inside(f.blocks, block))) return true;
  if (found)
    snprintf(err, err_size, "fault %u is in %s, not in %s", id, f.blocks, block);
  else
    snprintf(err, err_size, "no fault %u; %s lists them, the last is %u", id, HD_FAULT_LIST, last);
  return false;
}
