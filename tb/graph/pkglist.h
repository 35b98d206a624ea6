/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pkglist: finds the Debian package lists of this machine and reads their packages. */
#ifndef HD_PKGLIST_H
#define HD_PKGLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One package's stanza: the fields that make edges. Strings are never NULL. */
struct hd_package {
  char *name;
  char *provides;
  char *needs;    /* Depends, Pre-Depends, Recommends and Suggests, joined by commas */
  uint32_t order; /* index in the list */
};

struct hd_packages {
  struct hd_package *p;
  size_t n, cap;
};

/* Finds the list of component main of a suite (NULL: the only one) in a folder. Writes its path and the suite's name.
 * Returns false with a reason in err. */
bool hd_pkglist_find(const char *folder, const char *suite, const char *arch, char *path, size_t path_size, char *found,
                     size_t found_size, char *err, size_t err_size);
/* Reads a list, in any compression that zlib or apt's helper supports. */
bool hd_pkglist_read(const char *path, struct hd_packages *out, char *err, size_t err_size);
/* Writes version and date from the release file next to a list, "12.15 of Sat, 11 Jul 2026 09:06:11 UTC"; "" if there
 * is none. */
void hd_pkglist_release(const char *list_path, char *out, size_t out_size);
void hd_packages_free(struct hd_packages *p);

/* Cuts the next package name out of a relation field (in place). Returns NULL at the end. */
char *hd_relation_next(char **p);

#endif
