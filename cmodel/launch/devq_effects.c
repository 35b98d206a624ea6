/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq, A3: outputs of the result of a launch to the other blocks. */
#include <string.h>

#include "launch/devq_inside.h"

/* Events for the registers, in the order of their counters. */
enum { EVENT_KERNEL, EVENT_GROUP, EVENT_KEPT, EVENT_UNMATCHED, EVENT_SAVE, EVENT_REFUSED, EVENT_BAD, EVENTS };

enum hd_code hd_devq_answer_code(const struct hd_devq *m, const struct hd_devq_in *in) {
  if (m->a3.mode != HD_DEVQ_GROUP || m->a3.code != HD_CODE_ACCEPTED) return m->a3.code;
  return in->laperm_full || in->link_refused ? HD_CODE_REFUSED : in->link_kept ? HD_CODE_KEPT : HD_CODE_ACCEPTED;
}

static unsigned event(const struct hd_devq *m, enum hd_code code) {
  if (code == HD_CODE_KEPT) return EVENT_KEPT;
  if (code == HD_CODE_REFUSED) return EVENT_REFUSED;
  if (code != HD_CODE_ACCEPTED) return EVENT_BAD;
  if (m->a3.mode == HD_DEVQ_GROUP) return EVENT_GROUP;
  if (m->a3.mode == HD_DEVQ_SAVE) return EVENT_SAVE;
  return m->a3.launch.kind == HD_KIND_GROUP ? EVENT_UNMATCHED : EVENT_KERNEL;
}

static void show_kernel(const struct hd_devq_stage *s, struct hd_devq_out *out) {
  bool go = s->valid && s->mode == HD_DEVQ_KERNEL && s->code == HD_CODE_ACCEPTED;
  out->push.valid = out->birth.valid = go;
  out->push.kernel = (struct hd_devk){0};
  out->birth.kdei = go ? s->kdei : 0;
  out->birth.kin = go ? s->kin : 0;
  out->birth.alloc = go && s->first_child;
  if (!go) return;
  out->push.kernel.desc = s->launch.desc;
  out->push.kernel.need = s->need;
  out->push.kernel.ctas = s->launch.ctas;
  out->push.kernel.level = s->level;
  out->push.kernel.stream = s->launch.stream;
  out->push.kernel.up = s->kin;
  out->push.kernel.smx = s->smx;
}

static void show_save(const struct hd_devq_stage *s, struct hd_devq_out *out) {
  bool go = s->valid && s->mode == HD_DEVQ_SAVE && s->code == HD_CODE_ACCEPTED;
  out->save.valid = go;
  out->save.kdei = go ? s->kdei : 0;
  out->save.kin = go ? s->kin : 0;
  out->save.pos = go ? s->sav_pos : 0;
  out->save.tb = (struct hd_saved){0};
  if (!go) return;
  out->save.tb.ctx = s->launch.desc.param;
  out->save.tb.level = s->level;
}

void hd_devq_show_a3(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out) {
  const struct hd_devq_stage *s = &m->a3;
  enum hd_code code = hd_devq_answer_code(m, in);
  out->unhold.valid = s->valid && s->mode == HD_DEVQ_GROUP;
  out->unhold.kdei = s->group_kdei;
  show_kernel(s, out);
  show_save(s, out);
  memset(out->event, 0, EVENTS);
  if (s->valid) out->event[event(m, code)] = 1;
  out->code = s->valid ? (uint8_t)code : 0;
  out->kind = s->launch.kind;
}
