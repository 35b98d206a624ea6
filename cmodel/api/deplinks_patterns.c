/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Predefined graphs, built with the public functions. */
#include "api/deplinks.h"
#include "api/deplinks_inside.h"

struct random {
  uint64_t state;
  uint32_t degree;
};

/* splitmix64: returns 0 .. n - 1; for n up to 2^16 the bias is negligible. */
static uint32_t below(struct random *r, uint32_t n) {
  uint64_t x = r->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((x >> 32) * n >> 32);
}

static void wavefront(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_parent(d, (struct hd_dim3){b.x - 1, b.y, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y - 1, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y, b.z - 1});
}

static void stencil(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y, b.z - 1});
  hd_deplinks_parent(d, (struct hd_dim3){b.x - 1, b.y, b.z - 1});
  hd_deplinks_parent(d, (struct hd_dim3){b.x + 1, b.y, b.z - 1});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y - 1, b.z - 1});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y + 1, b.z - 1});
}

static void layered(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  struct random *r = ctx;
  if (b.y == 0) return;
  for (uint32_t k = 0; k < r->degree; k++) hd_deplinks_parent(d, (struct hd_dim3){below(r, d->grid.x), b.y - 1, b.z});
}

static enum hd_deplinks_code star(struct hd_deplinks *d, bool inward) {
  for (uint32_t k = 1; k < d->nodes && d->code == HD_DEPLINKS_OK; k++)
    hd_deplinks_add(d, inward ? k - 1 : 0, inward ? d->nodes - 1 : k);
  return d->code;
}

enum hd_deplinks_code hd_deplinks_add_pattern(struct hd_deplinks *d, enum hd_deplinks_pattern pattern, uint32_t degree,
                                              uint64_t seed) {
  struct random r = {seed, degree};
  switch (pattern) {
    case HD_DEPLINKS_WAVEFRONT:
      return hd_deplinks_each(d, wavefront, NULL);
    case HD_DEPLINKS_STENCIL:
      return hd_deplinks_each(d, stencil, NULL);
    case HD_DEPLINKS_BARRIER:
      return hd_deplinks_phases(d, d->grid.x, d->grid.x);
    case HD_DEPLINKS_CHAIN:
      return hd_deplinks_phases(d, 1, 1);
    case HD_DEPLINKS_STAR:
      return star(d, false);
    case HD_DEPLINKS_STAR_IN:
      return star(d, true);
    case HD_DEPLINKS_LAYERED:
      return hd_deplinks_each(d, layered, &r);
  }
  return hd_dep_refuse(d, HD_DEPLINKS_BAD_KIND, HD_DEPLINKS_NO_TB, "pattern %u does not exist", (unsigned)pattern);
}
