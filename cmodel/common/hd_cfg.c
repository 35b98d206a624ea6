/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "common/hd_cfg.h"

#include <stdio.h>
#include <string.h>

uint32_t hd_clog2(uint32_t n) {
  uint32_t bits = 1;
  while (bits < 32 && (n - 1) >> bits) bits++;
  return bits;
}

bool hd_cfg_find(const char *name, struct hd_cfg *out) {
  for (unsigned i = 0; i < hd_cfg_table_n; i++) {
    if (strcmp(hd_cfg_table[i].name, name) == 0) {
      *out = hd_cfg_table[i];
      hd_cfg_derive_raw(out);
      return true;
    }
  }
  return false;
}

const char *hd_cfg_later(const char *name) {
  if (strcmp(name, "proof") == 0) return "the proofs";
  return NULL;
}

/* Appends to a text with *at bytes written; truncates what does not fit. */
static void append(char *err, size_t err_size, size_t *at, const char *text) {
  size_t n = strlen(text);
  if (*at + 1 >= err_size) return;
  if (n > err_size - 1 - *at) n = err_size - 1 - *at;
  memcpy(err + *at, text, n);
  *at += n;
  err[*at] = 0;
}

static bool refuse_name(const char *name, const char *value, char *err, size_t err_size) {
  size_t at = 0;
  append(err, err_size, &at, name);
  append(err, err_size, &at, "=");
  append(err, err_size, &at, value);
  append(err, err_size, &at, ": no such parameter; these would be accepted:");
  for (unsigned i = 0; i < hd_cfg_params_n; i++) {
    append(err, err_size, &at, i ? ", " : " ");
    append(err, err_size, &at, hd_cfg_params[i].name);
  }
  return false;
}

static uint32_t *find_param(struct hd_cfg *c, const char *name, size_t length) {
  for (unsigned i = 0; i < hd_cfg_params_n; i++) {
    const struct hd_cfg_param *p = &hd_cfg_params[i];
    if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) {
      return (uint32_t *)(void *)((char *)c + p->offset);
    }
  }
  return NULL;
}

bool hd_cfg_set(struct hd_cfg *c, const char *name, uint32_t value, char *err, size_t err_size) {
  uint32_t *p = find_param(c, name, strlen(name));
  if (!p) {
    char text[16];
    snprintf(text, sizeof text, "%lu", (unsigned long)value);
    return refuse_name(name, text, err, err_size);
  }
  *p = value;
  return true;
}

/* Parses a decimal number that is the whole text and fits 32 bits. */
static bool parse_number(const char *text, uint32_t *value) {
  uint64_t v = 0;
  if (!*text) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    v = v * 10 + (uint64_t)(*text - '0');
    if (v > UINT32_MAX) return false;
  }
  *value = (uint32_t)v;
  return true;
}

bool hd_cfg_assign(struct hd_cfg *c, const char *text, char *err, size_t err_size) {
  const char *eq = strchr(text, '=');
  if (!eq) {
    snprintf(err, err_size, "%s: NAME=VALUE would be accepted, such as NumSmx=4", text);
    return false;
  }
  uint32_t *p = find_param(c, text, (size_t)(eq - text));
  if (!p) {
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)(eq - text), text);
    return refuse_name(name, eq + 1, err, err_size);
  }
  if (!parse_number(eq + 1, p)) {
    snprintf(err, err_size, "%s: a whole number from 0 to 4294967295 would be accepted", text);
    return false;
  }
  return true;
}

bool hd_cfg_derive(struct hd_cfg *c, char *err, size_t err_size) {
  if (!hd_cfg_sizes(c, err, err_size)) return false;
  hd_cfg_derive_raw(c);
  return hd_cfg_relations(c, err, err_size);
}
