/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/select.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses digits up to the end or a '-'. Returns 0 if they are not a number from 1. */
static uint32_t number_of(const char *text, char **end) {
  const unsigned long long v = strtoull(text, end, 10);
  return v >= 1 && v <= UINT32_MAX ? (uint32_t)v : 0;
}

static bool parse_part(char *text, struct hd_select_part *part) {
  char *end = text;
  if (text[strspn(text, "0123456789-")] != '\0') {
    *part = (struct hd_select_part){.pattern = text};
    return true;
  }
  if (text[0] == '\0' || text[0] == '-') return false;
  part->first = part->last = number_of(text, &end);
  if (*end == '-' && end[1] != '-' && end[1] != '\0') part->last = number_of(end + 1, &end);
  return *end == '\0' && part->first != 0 && part->last >= part->first;
}

bool hd_select_init(struct hd_select *s, const char *text, char *err, size_t err_size) {
  *s = (struct hd_select){.end = NULL};
  if (text == NULL) return true;
  uint32_t n = 1;
  for (const char *c = text; *c != '\0'; c++) n += *c == ',';
  s->text = strdup(text);
  s->part = calloc(n, sizeof *s->part);
  if (s->text == NULL || s->part == NULL) {
    hd_select_free(s);
    snprintf(err, err_size, "out of memory");
    return false;
  }
  for (char *at = s->text, *comma; at != NULL; at = comma) {
    comma = strchr(at, ',');
    if (comma != NULL) *comma++ = '\0';
    if (parse_part(at, &s->part[s->parts++])) continue;
    snprintf(err, err_size, "'%s' selects no kernel; numbers from 1, as 3,5-9, or patterns of names would be accepted",
             at);
    hd_select_free(s);
    return false;
  }
  return true;
}

void hd_select_free(struct hd_select *s) {
  free(s->text);
  free(s->part);
  *s = (struct hd_select){.end = NULL};
}

/* Stores a name for hd_select_used(), each once, as " a, b". */
static void keep_name(struct hd_select *s, const char *name) {
  const size_t n = strlen(name), used = s->end == NULL ? 0 : (size_t)(s->end - s->names);
  for (const char *at = s->names; used != 0 && (at = strstr(at, name)) != NULL; at += n)
    if (at[-1] == ' ' && (at[n] == ',' || at[n] == '\0')) return;
  if (n == 0) return;
  if (used + n + 3 > sizeof s->names) {
    s->more = true;
    return;
  }
  s->end = s->names + used;
  s->end += sprintf(s->end, "%s %s", used == 0 ? "" : ",", name);
}

bool hd_select_takes(struct hd_select *s, uint32_t number, const char *name) {
  bool takes = s->text == NULL;
  s->kernels++;
  if (name != NULL) keep_name(s, name);
  for (uint32_t i = 0; i < s->parts; i++) {
    struct hd_select_part *p = &s->part[i];
    const bool fits = p->pattern == NULL ? number >= p->first && number <= p->last
                                         : name != NULL && fnmatch(p->pattern, name, 0) == 0;
    p->used |= fits;
    takes |= fits;
  }
  return takes;
}

bool hd_select_by_name(const struct hd_select *s) {
  for (uint32_t i = 0; i < s->parts; i++)
    if (s->part[i].pattern != NULL) return true;
  return false;
}

bool hd_select_used(const struct hd_select *s, char *err, size_t err_size) {
  for (uint32_t i = 0; i < s->parts; i++) {
    const struct hd_select_part *p = &s->part[i];
    if (p->used) continue;
    char range[32] = "";
    if (p->first != p->last) snprintf(range, sizeof range, "-%" PRIu32, p->last);
    int n = p->pattern != NULL ? snprintf(err, err_size, "no kernel is called '%s'", p->pattern)
                               : snprintf(err, err_size, "no kernel is number %" PRIu32 "%s", p->first, range);
    if (n >= 0 && (size_t)n < err_size)
      snprintf(err + n, err_size - (size_t)n, "; 1 to %" PRIu32 "%s%s%s would be accepted", s->kernels,
               s->end == NULL ? "" : ", or of the names", s->end == NULL ? "" : s->names, s->more ? " and others" : "");
    return false;
  }
  return true;
}
