/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/series.h"

#include <inttypes.h>

/* All counters in the order of their columns, with their source. */
#define COLUMNS(X)      \
  X(gpu, instructions)  \
  X(gpu, loads)         \
  X(gpu, load_lines)    \
  X(gpu, load_wait)     \
  X(gpu, stores)        \
  X(gpu, store_lines)   \
  X(memory, l1_hits)    \
  X(memory, l1_merged)  \
  X(memory, l2_loads)   \
  X(memory, l2_hits)    \
  X(memory, l2_merged)  \
  X(memory, dram_reads) \
  X(memory, dram_writes)

static const char *const names[] = {"cycle", "tbs", "warps",
#define NAME(from, counter) #counter,
                                    COLUMNS(NAME)
#undef NAME
};
_Static_assert(sizeof names / sizeof *names == HD_SERIES_COLUMNS, "one name per column");

bool hd_series_open(struct hd_series *s, const char *path, uint64_t every, bool packed, char *err, size_t err_size) {
  *s = (struct hd_series){.every = every, .next = every - 1, .packed = packed};
  if (path == NULL) return true;
  if (!hd_out_ends_in(path, ".csv") && !hd_out_ends_in(path, ".csv.gz")) {
    snprintf(err, err_size, "%s: a file whose name ends in .csv or .csv.gz would be accepted", path);
    return false;
  }
  if (!hd_out_open(&s->out, path, err, err_size)) return false;
  for (unsigned k = 0; k < HD_SERIES_COLUMNS; k++) fprintf(s->out.f, "%s%s", k != 0 ? "," : "", names[k]);
  fprintf(s->out.f, "\n");
  return true;
}

void hd_series_add(struct hd_series *s, uint64_t now, uint32_t tbs, uint32_t warps, struct hd_gpu *gpu_) {
  const struct hd_gpu_counts gpu = hd_gpu_counts(gpu_);
  const struct hd_memsys_counts memory = hd_gpu_memory(gpu_);
#define DIFFERENCE(from, counter) from.counter - s->from.counter,
  const uint64_t value[] = {now, tbs, warps, COLUMNS(DIFFERENCE)};
#undef DIFFERENCE
  for (unsigned k = 0; s->out.f != NULL && k < HD_SERIES_COLUMNS; k++)
    fprintf(s->out.f, "%s%" PRIu64, k != 0 ? "," : "", value[k]);
  if (s->out.f != NULL) fprintf(s->out.f, "\n");
  for (unsigned k = 0; s->packed && k < HD_SERIES_COLUMNS; k++) hd_pack_add(&s->column[k], value[k]);
  s->rows++;
  s->gpu = gpu;
  s->memory = memory;
  s->next = now + s->every;
}

bool hd_series_commit(struct hd_series *s, char *err, size_t err_size) {
  return s->out.f == NULL || hd_out_commit(&s->out, err, err_size);
}

bool hd_series_json(const struct hd_series *s, FILE *f) {
  bool good = true;
  fprintf(f, "{\"every\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"columns\":{", s->every, s->rows);
  for (unsigned k = 0; k < HD_SERIES_COLUMNS; k++) {
    fprintf(f, "%s\"%s\":\"", k != 0 ? ",\n" : "", names[k]);
    good = hd_pack_write(&s->column[k], f) && good;
    fputc('"', f);
  }
  fputs("}}", f);
  return good;
}

void hd_series_drop(struct hd_series *s) {
  hd_out_drop(&s->out);
  for (unsigned k = 0; k < HD_SERIES_COLUMNS; k++) hd_pack_free(&s->column[k]);
}
