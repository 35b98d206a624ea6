/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/dats.h"

#include <string.h>

size_t hd_dats_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_dats);
}

void hd_dats_init(struct hd_dats *m, const struct hd_cfg *cfg) {
  (void)cfg;
  hd_dats_reset(m);
}

void hd_dats_reset(struct hd_dats *m) {
  memset(m, 0, sizeof *m);
}

void hd_dats_eval(const struct hd_dats *m, const struct hd_dats_in *in, struct hd_dats_out *out) {
  out->in_ready = !m->valid || in->out_ready;
  out->out_valid = m->valid;
  out->out_number = m->number;
}

void hd_dats_tick(struct hd_dats *m, const struct hd_dats_in *in) {
  if (m->valid && !in->out_ready) return;
  m->valid = in->in_valid;
  m->number = in->in_valid ? in->in_number : 0;
}

void hd_dats_arch(const struct hd_dats *m, struct hd_dats_arch *a, bool tables) {
  (void)tables;
  a->valid = m->valid;
  a->number = m->number;
}
