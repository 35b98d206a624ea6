/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/cilk.h"

#include <stdio.h>
#include <string.h>

const struct hd_cilk_program *hd_cilk_program(const char *name) {
  static const struct hd_cilk_program *const all[] = {&hd_cilk_fib, &hd_cilk_queens, &hd_cilk_sort, &hd_cilk_multiply};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    if (strcmp(name, all[k]->name) == 0) return all[k];
  return NULL;
}

static struct hd_channels_counts sum(const struct hd_channels *g, uint64_t nodes) {
  struct hd_channels_counts n = {0};
  for (int k = 0; k < HD_CHANNELS_NODES; k++) {
    if ((nodes >> k & 1) == 0) continue;
    const struct hd_channels_counts c = hd_channels_counts(g, k);
    n.elements += c.elements;
    n.wavefronts += c.wavefronts;
    n.partial += c.partial;
    n.yields += c.yields;
  }
  return n;
}

bool hd_cilk_finish(struct hd_channels *g, uint64_t spawned, uint64_t joined, const struct hd_cilk_opts *o,
                    struct hd_cilk_run *r, char *err, size_t err_size) {
  if (o->timed && hd_channels_code(g) == HD_CHANNELS_OK) {
    r->verdict = hd_cus_execute(g, o->cfg, &o->cus, o->cost, &r->cus, err, err_size);
  } else {
    r->verdict = hd_channels_execute(g) == HD_CHANNELS_OK ? HD_PASS : HD_CONFIG;
    if (r->verdict != HD_PASS) snprintf(err, err_size, "%s", hd_channels_text(g));
  }
  r->all = hd_channels_counts(g, -1);
  r->spawned = sum(g, spawned);
  r->joined = sum(g, joined);
  hd_channels_free(g);
  return r->verdict == HD_PASS;
}
