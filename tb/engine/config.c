/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/config.h"

#include <stdio.h>
#include <string.h>

#include "common/hd_cfg.h"

static bool unknown(const char *name, char *err, size_t err_size) {
  const char *later = hd_cfg_later(name);
  size_t n = 0;
  if (later)
    n += (size_t)snprintf(err, err_size, "configuration '%s' is not available before %s; there are:", name, later);
  else
    n += (size_t)snprintf(err, err_size, "no configuration '%s'; there are:", name);
  for (unsigned k = 0; k < hd_cfg_table_n && n < err_size; k++)
    n += (size_t)snprintf(err + n, err_size - n, " %s", hd_cfg_table[k].name);
  return false;
}

bool hd_config_parse(const char *text, struct hd_cfg *cfg, char *err, size_t err_size) {
  char copy[256], *save, *word;
  if (strlen(text) >= sizeof cfg->name) {
    snprintf(err, err_size, "configuration '%s': its name is longer than %zu characters", text, sizeof cfg->name - 1);
    return false;
  }
  snprintf(copy, sizeof copy, "%s", text);
  word = strtok_r(copy, "+", &save);
  if (!word || !hd_cfg_find(word, cfg)) return unknown(text, err, err_size);
  while ((word = strtok_r(NULL, "+", &save)))
    if (!hd_cfg_assign(cfg, word, err, err_size)) return false;
  snprintf(cfg->name, sizeof cfg->name, "%s", text);
  return hd_cfg_derive(cfg, err, err_size);
}
