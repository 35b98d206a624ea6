/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "@b@.h"

#include <string.h>

size_t hd_@b@_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_@b@);
}

void hd_@b@_init(struct hd_@b@ *m, const struct hd_cfg *cfg) {
  (void)cfg;
  hd_@b@_reset(m);
}

void hd_@b@_reset(struct hd_@b@ *m) {
  memset(m, 0, sizeof *m);
}

void hd_@b@_eval(const struct hd_@b@ *m, const struct hd_@b@_in *in, struct hd_@b@_out *out) {
  out->in_ready = !m->valid || in->out_ready;
  out->out_valid = m->valid;
  out->out_number = m->number;
}

void hd_@b@_tick(struct hd_@b@ *m, const struct hd_@b@_in *in) {
  if (m->valid && !in->out_ready) return;
  m->valid = in->in_valid;
  m->number = in->in_valid ? in->in_number : 0;
}

void hd_@b@_arch(const struct hd_@b@ *m, struct hd_@b@_arch *a, bool tables) {
  (void)tables;
  a->valid = m->valid;
  a->number = m->number;
}
