/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* SIMDs: each issues in every fourth cycle, round robin among its slots with instructions. A CU's load/store unit sends
 * one line per cycle, wavefront by wavefront. */
#include "sim/cus_inside.h"

static const uint64_t mine[HD_CUS_SIMDS] = {0x1111111111111111, 0x2222222222222222, 0x4444444444444444,
                                            0x8888888888888888};

void hd_cus_issue(struct hd_cus *s) {
  const uint32_t simd = (uint32_t)(s->now % HD_CUS_SIMDS);
  for (uint32_t u = 0; u < s->cfg.num_cu; u++) {
    struct hd_cus_cu *cu = &s->cu[u];
    const uint64_t can = cu->ready & mine[simd], later = can & ~((UINT64_C(2) << cu->turn[simd]) - 1);
    s->r->issue_slots++;
    if (can == 0) continue;
    const uint32_t slot = (uint32_t)__builtin_ctzll(later != 0 ? later : can);
    struct hd_cus_wave *w = &s->wave[hd_cus_number(s, u, slot)];
    cu->turn[simd] = (uint8_t)slot;
    s->r->instructions++;
    if (--w->left != 0) continue;
    cu->ready &= ~(UINT64_C(1) << slot);
    hd_cus_access(s, u, slot);
  }
}

static void send(struct hd_cus *s, uint32_t u) {
  struct hd_cus_cu *cu = &s->cu[u];
  const uint32_t slot = cu->unit.slot[cu->unit.first], number = hd_cus_number(s, u, slot);
  struct hd_cus_wave *w = &s->wave[number];
  const struct hd_cost_op *op = &w->trace.op[w->op];
  const uint32_t line = w->trace.line[op->first + w->line];
  struct hd_memsys_sends one = {.store = op->store, .free = s->now};
  if (!hd_memsys_send(s->memory, u, s->now, s->now, &line, 1, &one)) {
    cu->unit_free = one.free;
    return;
  }
  if (one.slowest > w->slowest) w->slowest = one.slowest;
  if (++w->line < op->lines) return;
  w->stored |= op->store;
  w->op++;
  hd_cus_pop(&cu->unit);
  hd_wheel_add(&s->wheel, number, w->slowest > s->now ? w->slowest : s->now + 1);
}

void hd_cus_units(struct hd_cus *s) {
  for (uint32_t u = 0; u < s->cfg.num_cu; u++)
    if (s->cu[u].unit.n > 0 && s->cu[u].unit_free <= s->now) send(s, u);
}
