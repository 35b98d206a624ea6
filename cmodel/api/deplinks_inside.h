/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* deplinks, inside: what its files share. Not installed. */
#ifndef HD_DEPLINKS_INSIDE_H
#define HD_DEPLINKS_INSIDE_H

#include "api/deplinks.h"

/* TB `tb` as texts have it: "TB 5 (2, 1, 0)". */
struct hd_dep_name {
  char s[64];
};
struct hd_dim3 hd_dep_at(struct hd_dim3 grid, uint32_t tb);
struct hd_dep_name hd_dep_name(struct hd_dim3 grid, uint32_t tb);

/* Enters a refusal, unless there is one; `tb` may be HD_DEPLINKS_NO_TB. The code that *d has then. */
enum hd_deplinks_code hd_dep_refuse(struct hd_deplinks *d, enum hd_deplinks_code code, uint32_t tb, const char *fmt,
                                    ...) __attribute__((format(printf, 4, 5)));

/* Memory. Of 0 bytes there is one, so that NULL means that none is left. */
void *hd_dep_take(const struct hd_deplinks_memory *m, size_t count, size_t size);
void hd_dep_give(const struct hd_deplinks_memory *m, void *p);
/* Room for `want` elements of that size in an array that has *room; it doubles. `tb`: for the refusal. */
bool hd_dep_room(struct hd_deplinks *d, uint32_t tb, void **array, size_t *room, size_t want, size_t size);

/* Room for so many edges more. */
bool hd_dep_edges_room(struct hd_deplinks *d, uint32_t tb, size_t more);

void hd_dep_sets_free(struct hd_deplinks *d);

/* Both directions of the graph, by linear TB id: the parents of c are in[in_row[c]] to in[in_row[c + 1] - 1], each
 * once; the children of p likewise in out, in ascending order. left: what a walk leaves over of the parents of each. */
struct hd_dep_work {
  size_t *in_row;
  uint16_t *in;
  uint32_t *out_row;
  uint16_t *out;
  uint16_t *left;
  uint16_t *level;
  uint16_t *queue;
};

/* Finds a cycle among the TBs that have parents left, and refuses it. Returns the refusal. */
enum hd_deplinks_code hd_dep_cycle(struct hd_deplinks *d, const struct hd_dep_work *w);

#endif
