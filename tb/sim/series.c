/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/series.h"

#include <inttypes.h>

/* Every counter, in the order of its column, with where it comes from. */
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

bool hd_series_open(struct hd_series *s, const char *path, uint64_t every, char *err, size_t err_size) {
  *s = (struct hd_series){.every = every, .next = every - 1};
  if (!hd_out_ends_in(path, ".csv") && !hd_out_ends_in(path, ".csv.gz")) {
    snprintf(err, err_size, "%s: a series' name ends in .csv or in .csv.gz", path);
    return false;
  }
  if (!hd_out_open(&s->out, path, err, err_size)) return false;
  fprintf(s->out.f, "cycle,tbs,warps");
#define NAME(from, counter) fprintf(s->out.f, "," #counter);
  COLUMNS(NAME)
#undef NAME
  fprintf(s->out.f, "\n");
  return true;
}

void hd_series_add(struct hd_series *s, uint64_t now, uint32_t tbs, uint32_t warps, struct hd_gpu *gpu_) {
  const struct hd_gpu_counts gpu = hd_gpu_counts(gpu_);
  const struct hd_memsys_counts memory = hd_gpu_memory(gpu_);
  fprintf(s->out.f, "%" PRIu64 ",%" PRIu32 ",%" PRIu32, now, tbs, warps);
#define DIFFERENCE(from, counter) fprintf(s->out.f, ",%" PRIu64, from.counter - s->from.counter);
  COLUMNS(DIFFERENCE)
#undef DIFFERENCE
  fprintf(s->out.f, "\n");
  s->gpu = gpu;
  s->memory = memory;
  s->next = now + s->every;
}

bool hd_series_commit(struct hd_series *s, char *err, size_t err_size) {
  return s->out.f == NULL || hd_out_commit(&s->out, err, err_size);
}

void hd_series_drop(struct hd_series *s) {
  hd_out_drop(&s->out);
}
