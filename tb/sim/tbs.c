/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/tbs.h"

#include <inttypes.h>

void hd_tbs_add(struct hd_tbs *t, uint32_t smx, uint32_t slot, const struct hd_resident *r, uint64_t done) {
  hd_pack_add(&t->kernel, r->kernel);
  hd_pack_add(&t->child, r->child);
  hd_pack_add(&t->id, r->blkid);
  hd_pack_add(&t->smx, smx);
  hd_pack_add(&t->slot, slot);
  hd_pack_add(&t->warps, r->warps);
  hd_pack_add(&t->queued, r->queued);
  hd_pack_add(&t->dispatched, r->dispatched);
  hd_pack_add(&t->done, done);
  t->n++;
}

static bool put(const char *name, bool first, const struct hd_pack *p, FILE *f) {
  fprintf(f, "%s\"%s\":\"", first ? "" : ",\n", name);
  const bool good = hd_pack_write(p, f);
  fputc('"', f);
  return good;
}

bool hd_tbs_json(const struct hd_tbs *t, FILE *f) {
  bool good = true;
  fprintf(f, "{\"rows\":%" PRIu64 ",\"columns\":{", t->n);
#define PUT(name) good = put(#name, &t->name == &t->kernel, &t->name, f) && good;
  HD_TBS_COLUMNS(PUT)
#undef PUT
  fputs("}}", f);
  return good;
}

void hd_tbs_free(struct hd_tbs *t) {
#define FREE(name) hd_pack_free(&t->name);
  HD_TBS_COLUMNS(FREE)
#undef FREE
  t->n = 0;
}
