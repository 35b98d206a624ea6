/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/warp.h"

#include <string.h>

size_t hd_warp_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_warp);
}

void hd_warp_init(struct hd_warp *m, const struct hd_cfg *cfg) {
  (void)cfg;
  hd_warp_reset(m);
}

void hd_warp_reset(struct hd_warp *m) {
  memset(m, 0, sizeof *m);
}

void hd_warp_eval(const struct hd_warp *m, const struct hd_warp_in *in, struct hd_warp_out *out) {
  out->in_ready = !m->valid || in->out_ready;
  out->out_valid = m->valid;
  out->out_number = m->number;
}

void hd_warp_tick(struct hd_warp *m, const struct hd_warp_in *in) {
  if (m->valid && !in->out_ready) return;
  m->valid = in->in_valid;
  m->number = in->in_valid ? in->in_number : 0;
}

void hd_warp_arch(const struct hd_warp *m, struct hd_warp_arch *a, bool tables) {
  (void)tables;
  a->valid = m->valid;
  a->number = m->number;
}
