/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/timeline.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char *path, const char *extension) {
  size_t n = strlen(path), m = strlen(extension);
  if (n > 3 && strcasecmp(path + n - 3, ".gz") == 0) n -= 3;
  return n > m && strncasecmp(path + n - m, extension, m) == 0;
}

static void name_rows(FILE *f, uint32_t num_smx, uint32_t ctas_per_smx) {
  for (uint32_t smx = 0; smx < num_smx; smx++) {
    fprintf(f, "%s{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"args\":{\"name\":\"SMX %" PRIu32 "\"}}",
            smx != 0 ? ",\n" : "", smx, smx);
    fprintf(f,
            ",\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"args\":{\"sort_index\":%" PRIu32
            "}}",
            smx, smx);
    for (uint32_t slot = 0; slot < ctas_per_smx; slot++)
      fprintf(f,
              ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
              ",\"args\":{\"name\":\"slot %" PRIu32 "\"}}",
              smx, slot, slot);
  }
}

bool hd_timeline_open(struct hd_timeline *t, const char *path, uint32_t num_smx, uint32_t ctas_per_smx, char *err,
                      size_t err_size) {
  *t = (struct hd_timeline){.json = ends_in(path, ".json")};
  if (!t->json && !ends_in(path, ".csv")) {
    snprintf(err, err_size, "%s: a timeline's name ends in .csv or in .json (Chrome trace)", path);
    return false;
  }
  if (!hd_out_open(&t->out, path, err, err_size)) return false;
  if (t->json) {
    fprintf(t->out.f, "{\"otherData\":{\"unit\":\"1 us = 1 cycle\"},\"traceEvents\":[\n");
    name_rows(t->out.f, num_smx, ctas_per_smx);
  } else {
    fprintf(t->out.f, "kernel,id,smx,slot,queued,dispatched,done,child\n");
  }
  return true;
}

void hd_timeline_add(struct hd_timeline *t, uint32_t smx, uint32_t slot, const struct hd_resident *r, uint64_t done) {
  if (t->out.f == NULL) return;
  t->rows++;
  if (t->json) {
    fprintf(t->out.f,
            ",\n{\"name\":\"kernel %" PRIu32 "%s TB %" PRIu32 "\",\"cat\":\"TB\",\"ph\":\"X\",\"ts\":%" PRIu64
            ",\"dur\":%" PRIu64 ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"args\":{\"kernel\":%" PRIu32
            ",\"child\":%" PRIu32 ",\"id\":%" PRIu32 ",\"queued\":%" PRIu64 "}}",
            r->kernel, r->child != 0 ? " child" : "", r->blkid, r->dispatched, done - r->dispatched, smx, slot,
            r->kernel, r->child, r->blkid, r->queued);
    return;
  }
  fprintf(t->out.f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 "\n",
          r->kernel, r->blkid, smx, slot, r->queued, r->dispatched, done, r->child);
}

bool hd_timeline_commit(struct hd_timeline *t, char *err, size_t err_size) {
  if (t->out.f == NULL) return true;
  if (t->json) fprintf(t->out.f, "\n]}\n");
  return hd_out_commit(&t->out, err, err_size);
}

void hd_timeline_drop(struct hd_timeline *t) {
  hd_out_drop(&t->out);
}
