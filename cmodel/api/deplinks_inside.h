/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Internal declarations shared by the files of deplinks. Not installed. */
#ifndef HD_DEPLINKS_INSIDE_H
#define HD_DEPLINKS_INSIDE_H

#include "api/deplinks.h"

/* Name of TB `tb` for messages: "TB 5 (2, 1, 0)". */
struct hd_dep_name {
  char s[64];
};
struct hd_dim3 hd_dep_at(struct hd_dim3 grid, uint32_t tb);
struct hd_dep_name hd_dep_name(struct hd_dim3 grid, uint32_t tb);

/* Records an error, unless there already is one; `tb` may be HD_DEPLINKS_NO_TB. Returns the code of *d. */
enum hd_deplinks_code hd_dep_refuse(struct hd_deplinks *d, enum hd_deplinks_code code, uint32_t tb, const char *fmt,
                                    ...) __attribute__((format(printf, 4, 5)));

/* Allocate and free. hd_dep_take() of 0 bytes is not NULL, so NULL always means out of memory. */
void *hd_dep_take(const struct hd_deplinks_memory *m, size_t count, size_t size);
void hd_dep_release(const struct hd_deplinks_memory *m, void *p);
/* Grows an array of *room elements to at least `want`, doubling. `tb` is for the error. Returns false if out of
 * memory. */
bool hd_dep_room(struct hd_deplinks *d, uint32_t tb, void **array, size_t *room, size_t want, size_t size);

/* Makes room for `more` more edges. */
bool hd_dep_edges_room(struct hd_deplinks *d, uint32_t tb, size_t more);

void hd_dep_sets_free(struct hd_deplinks *d);

/* Both directions of the graph, by linear TB id: the parents of c are in[in_row[c]] to in[in_row[c + 1] - 1], without
 * duplicates; the children of p are in `out` in the same way, in ascending order. left: parents of each TB that a walk
 * has not visited yet. */
struct hd_dep_work {
  size_t *in_row;
  uint16_t *in;
  uint32_t *out_row;
  uint16_t *out;
  uint16_t *left;
  uint16_t *level;
  uint16_t *queue;
};

/* Finds a cycle among the TBs that have parents left, and records it as the error. Returns the code. */
enum hd_deplinks_code hd_dep_cycle(struct hd_deplinks *d, const struct hd_dep_work *w);

#endif
