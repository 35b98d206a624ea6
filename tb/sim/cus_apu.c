/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The apu: its model alone, or a simulation with its RTL. sim speed: the model is skipped while it is idle: if a cycle
 * changed nothing in it, further cycles with the same inputs change nothing either. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cus_inside.h"

enum { CHECK_EVERY = 32 }; /* interval, in cycles with the same inputs, of tests whether it is idle */

bool hd_cus_apu_open(struct hd_cus *s) {
  struct hd_cus_apu *a = &s->apu;
  const struct hd_sim_opts o = {
      .block = "apu", .cfg = s->cfg, .engine = s->o.engine, .test = "channels", .out_dir = "build/fail"};
  if (s->o.engine != HD_ENGINE_MODEL) {
    a->sim = hd_sim_open(&o, s->err, s->err_size);
    return a->sim != NULL;
  }
  a->size = hd_apu_size(&s->cfg);
  a->model = calloc(1, a->size);
  a->before = calloc(1, a->size);
  if (a->model == NULL || a->before == NULL) {
    snprintf(s->err, s->err_size, "out of memory");
    return false;
  }
  hd_apu_init(a->model, &s->cfg);
  return true;
}

void hd_cus_apu_close(struct hd_cus *s) {
  if (s->apu.sim != NULL) hd_sim_close(s->apu.sim);
  free(s->apu.model);
  free(s->apu.before);
}

static void cycle(struct hd_cus_apu *a, const struct hd_apu_in *in) {
  const bool same = memcmp(in, &a->in, sizeof *in) == 0;
  if (same && a->rests) return;
  a->alike = same ? a->alike + 1 : 0;
  a->in = *in;
  const bool looks = a->alike % CHECK_EVERY == CHECK_EVERY - 1;
  if (looks) memcpy(a->before, a->model, a->size);
  hd_apu_eval(a->model, in, &a->out);
  hd_apu_tick(a->model, in);
  a->rests = looks && memcmp(a->before, a->model, a->size) == 0;
}

enum hd_verdict hd_cus_apu_cycle(struct hd_cus *s, const struct hd_apu_out **out) {
  struct hd_cus_apu *a = &s->apu;
  const void *seen = &a->out;
  enum hd_verdict v = HD_PASS;
  if (a->sim != NULL)
    v = hd_sim_cycle(a->sim, &s->in, &seen);
  else
    cycle(a, &s->in);
  *out = seen;
  return v;
}

enum hd_verdict hd_cus_apu_finish(struct hd_cus *s, enum hd_verdict v) {
  if (s->apu.sim == NULL) return v;
  if (v == HD_PASS) v = hd_sim_finish(s->apu.sim);
  s->r->compared = hd_sim_compared(s->apu.sim);
  if (v != HD_PASS)
    snprintf(s->err, s->err_size, "%s in cycle %llu: %s", hd_verdict_name(v), (unsigned long long)s->now,
             hd_sim_failure(s->apu.sim).label);
  return v;
}
