/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/array.h"

#include <stdlib.h>
#include <string.h>

#include "sim/heap.h"

struct smx {
  uint32_t first, waiting; /* ring of slots whose TB has ended but is not reported yet */
  uint32_t residents, warps;
  uint64_t warp_cycles, since; /* resident warps summed over the cycles before `since` */
  bool listed;                 /* in the list `offering` */
};

struct hd_array {
  uint32_t num_smx, ctas_per_smx, warps, residents;
  uint64_t taken;
  struct smx *smx;
  struct hd_resident *resident; /* by place */
  bool *full;                   /* by place */
  uint8_t *ring;                /* by SMX, ctas_per_smx slots each */
  uint64_t *order;              /* by place: number of TBs handed out before */
  struct hd_heap ends;          /* scheduled ends, by place */
  uint32_t *offering;           /* SMXs with a completion in this cycle */
  uint32_t offers;
};

struct hd_array *hd_array_new(uint32_t num_smx, uint32_t ctas_per_smx, uint32_t warps) {
  struct hd_array *a = calloc(1, sizeof *a);
  size_t places = (size_t)num_smx * ctas_per_smx;
  if (a == NULL) return NULL;
  *a = (struct hd_array){.num_smx = num_smx,
                         .ctas_per_smx = ctas_per_smx,
                         .warps = warps,
                         .smx = calloc(num_smx, sizeof *a->smx),
                         .resident = calloc(places, sizeof *a->resident),
                         .full = calloc(places, sizeof *a->full),
                         .ring = calloc(places, sizeof *a->ring),
                         .order = calloc(places, sizeof *a->order),
                         .offering = calloc(num_smx, sizeof *a->offering)};
  if (a->smx != NULL && a->resident != NULL && a->full != NULL && a->ring != NULL && a->order != NULL &&
      a->offering != NULL)
    return a;
  hd_array_free(a);
  return NULL;
}

void hd_array_free(struct hd_array *a) {
  if (a == NULL) return;
  free(a->smx);
  free(a->resident);
  free(a->full);
  free(a->ring);
  free(a->order);
  hd_heap_free(&a->ends);
  free(a->offering);
  free(a);
}

/* Updates the sum of resident warps to the start of cycle `now`, before their number changes. */
static void settle(struct smx *s, uint64_t now) {
  s->warp_cycles += s->warps * (now - s->since);
  s->since = now;
}

bool hd_array_take(struct hd_array *a, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_resident *r,
                   uint64_t duration) {
  if (smx >= a->num_smx || slot >= a->ctas_per_smx) return false;
  uint32_t place = smx * a->ctas_per_smx + slot;
  if (a->full[place]) return false;
  a->full[place] = true;
  a->resident[place] = *r;
  struct smx *s = &a->smx[smx];
  settle(s, now);
  s->warps += r->warps;
  s->residents++;
  a->residents++;
  a->order[place] = a->taken++;
  return duration == HD_ARRAY_OPEN || hd_array_end(a, smx, slot, now + duration);
}

bool hd_array_end(struct hd_array *a, uint32_t smx, uint32_t slot, uint64_t cycle) {
  uint32_t place = smx * a->ctas_per_smx + slot;
  return hd_heap_push(&a->ends, (struct hd_event){.cycle = cycle, .order = a->order[place], .what = place});
}

void hd_array_offer(struct hd_array *a, uint64_t now, uint8_t *valid, uint8_t *slot) {
  while (hd_heap_due(&a->ends, now)) {
    uint32_t place = hd_heap_pop(&a->ends).what, smx = place / a->ctas_per_smx;
    struct smx *s = &a->smx[smx];
    a->ring[smx * a->ctas_per_smx + (s->first + s->waiting++) % a->ctas_per_smx] = (uint8_t)(place % a->ctas_per_smx);
    if (!s->listed) a->offering[a->offers++] = smx;
    s->listed = true;
  }
  /* SMXs of the previous cycle that have nothing more to report leave the list. */
  uint32_t kept = 0;
  for (uint32_t i = 0; i < a->offers; i++) {
    uint32_t smx = a->offering[i];
    struct smx *s = &a->smx[smx];
    s->listed = s->waiting > 0;
    valid[smx] = s->listed;
    slot[smx] = s->listed ? a->ring[smx * a->ctas_per_smx + s->first] : 0;
    if (s->listed) a->offering[kept++] = smx;
  }
  a->offers = kept;
}

void hd_array_done(struct hd_array *a, uint64_t now, uint32_t smx, struct hd_resident *r) {
  struct smx *s = &a->smx[smx];
  uint32_t place = smx * a->ctas_per_smx + a->ring[smx * a->ctas_per_smx + s->first];
  s->first = (s->first + 1) % a->ctas_per_smx;
  s->waiting--;
  *r = a->resident[place];
  a->full[place] = false;
  settle(s, now);
  s->warps -= r->warps;
  s->residents--;
  a->residents--;
}

uint32_t hd_array_offering(const struct hd_array *a, const uint32_t **smx) {
  *smx = a->offering;
  return a->offers;
}

bool hd_array_full(const struct hd_array *a, uint32_t smx, uint32_t slot) {
  return a->full[smx * a->ctas_per_smx + slot];
}

uint32_t hd_array_residents(const struct hd_array *a) {
  return a->residents;
}

uint32_t hd_array_residents_of(const struct hd_array *a, uint32_t smx) {
  return a->smx[smx].residents;
}

uint32_t hd_array_resident_warps(const struct hd_array *a) {
  uint32_t warps = 0;
  for (uint32_t s = 0; s < a->num_smx; s++) warps += a->smx[s].warps;
  return warps;
}

bool hd_array_next_end(const struct hd_array *a, uint64_t *cycle) {
  if (a->ends.n > 0) *cycle = a->ends.event[0].cycle;
  return a->ends.n > 0;
}

double hd_array_occupancy(const struct hd_array *a, uint32_t smx, uint64_t now) {
  const struct smx *s = &a->smx[smx];
  if (now == 0 || a->warps == 0) return 0;
  return (double)(s->warp_cycles + s->warps * (now - s->since)) / ((double)now * a->warps);
}
