/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/throttle.h"

#include <string.h>

size_t hd_throttle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_throttle);
}

void hd_throttle_init(struct hd_throttle *m, const struct hd_cfg *cfg) {
  (void)cfg;
  hd_throttle_reset(m);
}

void hd_throttle_reset(struct hd_throttle *m) {
  memset(m, 0, sizeof *m);
}

void hd_throttle_eval(const struct hd_throttle *m, const struct hd_throttle_in *in, struct hd_throttle_out *out) {
  out->in_ready = !m->valid || in->out_ready;
  out->out_valid = m->valid;
  out->out_number = m->number;
}

void hd_throttle_tick(struct hd_throttle *m, const struct hd_throttle_in *in) {
  if (m->valid && !in->out_ready) return;
  m->valid = in->in_valid;
  m->number = in->in_valid ? in->in_number : 0;
}

void hd_throttle_arch(const struct hd_throttle *m, struct hd_throttle_arch *a, bool tables) {
  (void)tables;
  a->valid = m->valid;
  a->number = m->number;
}
