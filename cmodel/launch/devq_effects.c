/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq, A3: outputs of the result of a launch to the other blocks. */
#include <string.h>

#include "launch/devq_inside.h"

/* Events for the registers, in the order of their counters. */
enum { EVENT_KERNEL, EVENT_GROUP, EVENT_KEPT, EVENT_UNMATCHED, EVENT_SAVE, EVENT_REFUSED, EVENT_BAD, EVENTS };

enum hd_code hd_devq_answer_code(const struct hd_devq *m, const struct hd_devq_in *in) {
  if (m->a3.mode != HD_DEVQ_GROUP || m->a3.code != HD_CODE_ACCEPTED) return m->a3.code;
  return in->full ? HD_CODE_REFUSED : in->kept ? HD_CODE_KEPT : HD_CODE_ACCEPTED;
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
  out->push_valid = out->birth_valid = go;
  out->push = (struct hd_devk){0};
  out->birth_kdei = go ? s->kdei : 0;
  out->birth_kin = go ? s->kin : 0;
  out->birth_new = go && s->first_child;
  if (!go) return;
  out->push.desc = s->launch.desc;
  out->push.need = s->need;
  out->push.ctas = s->launch.ctas;
  out->push.level = s->level;
  out->push.stream = s->launch.stream;
  out->push.up = s->kin;
  out->push.smx = s->smx;
}

static void show_save(const struct hd_devq_stage *s, struct hd_devq_out *out) {
  bool go = s->valid && s->mode == HD_DEVQ_SAVE && s->code == HD_CODE_ACCEPTED;
  out->save_valid = go;
  out->save_kdei = go ? s->kdei : 0;
  out->save_kin = go ? s->kin : 0;
  out->save_pos = go ? s->sav_pos : 0;
  out->save_entry = (struct hd_saved){0};
  if (!go) return;
  out->save_entry.ctx = s->launch.desc.param;
  out->save_entry.level = s->level;
}

void hd_devq_show_a3(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out) {
  const struct hd_devq_stage *s = &m->a3;
  enum hd_code code = hd_devq_answer_code(m, in);
  out->unhold_valid = s->valid && s->mode == HD_DEVQ_GROUP;
  out->unhold_kdei = s->group_kdei;
  show_kernel(s, out);
  show_save(s, out);
  memset(out->dev_event, 0, EVENTS);
  if (s->valid) out->dev_event[event(m, code)] = 1;
  out->dev_code = s->valid ? (uint8_t)code : 0;
  out->dev_kind = s->launch.kind;
}
