/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* select: selects kernels of a file by number or by name: "3,5-9" or "gemm*,_Z4init*".
 *
 *     struct hd_select s;
 *     if (!hd_select_init(&s, "3,5-9", err, sizeof err)) ...     // NULL: all kernels
 *     for (each kernel of the file) if (hd_select_takes(&s, number, name)) ...
 *     if (!hd_select_used(&s, err, sizeof err)) ...              // a part matched no kernel
 *     hd_select_free(&s);
 *
 * Parts are separated by commas. A part of digits is the number of a kernel, or with a '-' a range of numbers; kernels
 * are numbered from 1 in the order of the file. Any other part is a pattern of the shell that the whole name must match
 * (a name that looks like a number is written with a pattern: [3]). */
#ifndef HD_SELECT_H
#define HD_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_SELECT_NAMES 400

struct hd_select_part {
  const char *pattern; /* of names; NULL: numbers first to last */
  uint32_t first, last;
  bool used;
};

struct hd_select {
  char *text; /* NULL: all */
  struct hd_select_part *part;
  uint32_t parts;
  uint32_t kernels;                  /* kernels tested so far */
  char names[HD_SELECT_NAMES], *end; /* their distinct names, as far as they fit */
  bool more;                         /* not all names fitted */
};

/* Returns false with a sentence in err; *s is then empty. */
bool hd_select_init(struct hd_select *s, const char *text, char *err, size_t err_size);
void hd_select_free(struct hd_select *s);
/* Returns true if the kernel with this number (from 1) is selected. `name` may be NULL if no part of s is a pattern. */
bool hd_select_takes(struct hd_select *s, uint32_t number, const char *name);
/* Returns true if a part is a pattern of names. */
bool hd_select_by_name(const struct hd_select *s);
/* Returns true if each part has matched a kernel. Otherwise err names a part that has not, and the kernels of the
 * file. */
bool hd_select_used(const struct hd_select *s, char *err, size_t err_size);

#endif
