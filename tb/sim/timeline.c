/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/timeline.h"

#include <inttypes.h>

bool hd_timeline_open(struct hd_timeline *t, const char *path, uint32_t num_smx, uint32_t ctas_per_smx, char *err,
                      size_t err_size) {
  const bool json = hd_out_ends_in(path, ".json") || hd_out_ends_in(path, ".json.gz");
  const bool csv = hd_out_ends_in(path, ".csv") || hd_out_ends_in(path, ".csv.gz");
  *t = (struct hd_timeline){.json = json};
  if (!json && !csv) {
    snprintf(err, err_size, "%s: a file whose name ends in .csv or .json (Chrome trace) would be accepted", path);
    return false;
  }
  if (!hd_out_open(&t->out, path, err, err_size)) return false;
  if (t->json && (t->chrome = hd_chrome_new(t->out.f, num_smx, ctas_per_smx)) == NULL) {
    snprintf(err, err_size, "%s: out of memory", path);
    hd_timeline_drop(t);
    return false;
  }
  return true;
}

void hd_timeline_names(struct hd_timeline *t, hd_kernel_name *name, const void *ctx) {
  t->name = name;
  t->named = ctx;
}

void hd_timeline_launches(struct hd_timeline *t, const struct hd_launches *l) {
  if (t->chrome != NULL) hd_chrome_launches(t->chrome, l);
}

static void begin_table(struct hd_timeline *t) {
  if (t->begun || t->json) return;
  t->begun = true;
  fprintf(t->out.f, "kernel,id,smx,slot,queued,dispatched,done,child%s\n", t->name != NULL ? ",name" : "");
}

void hd_timeline_add(struct hd_timeline *t, uint32_t smx, uint32_t slot, const struct hd_resident *r, uint64_t done) {
  if (t->tbs != NULL) hd_tbs_add(t->tbs, smx, slot, r, done);
  if (t->out.f == NULL) return;
  if (t->json) {
    hd_chrome_tb(t->chrome, smx, slot, r, t->name != NULL ? t->name(t->named, r->kernel) : "", done);
    return;
  }
  begin_table(t);
  fprintf(t->out.f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32,
          r->kernel, r->blkid, smx, slot, r->queued, r->dispatched, done, r->child);
  if (t->name != NULL) hd_out_quoted(t->out.f, t->name(t->named, r->kernel));
  fputc('\n', t->out.f);
}

void hd_timeline_kernel(struct hd_timeline *t, uint32_t kernel, uint32_t hwq, uint32_t ctas, uint64_t queued,
                        uint64_t done) {
  if (t->json && t->out.f != NULL)
    hd_chrome_kernel(t->chrome, kernel, t->name != NULL ? t->name(t->named, kernel) : "", hwq, ctas, queued, done);
}

bool hd_timeline_commit(struct hd_timeline *t, char *err, size_t err_size) {
  if (t->out.f == NULL) return true;
  begin_table(t);
  const bool whole = !t->json || hd_chrome_end(t->chrome);
  hd_chrome_free(t->chrome);
  t->chrome = NULL;
  if (!whole) {
    snprintf(err, err_size, "%s: out of memory", t->out.path);
    return false;
  }
  return hd_out_commit(&t->out, err, err_size);
}

void hd_timeline_drop(struct hd_timeline *t) {
  hd_chrome_free(t->chrome);
  t->chrome = NULL;
  hd_out_drop(&t->out);
}
