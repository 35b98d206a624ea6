/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: capacity. Refusals, "kept", and kernels that groups must join. */
#include "unit/oracle_script.h"

static void refused(unsigned kind, const struct hd_desc *desc, unsigned stream) {
  dev_launch(0, 0, kind, desc, 1, 0, stream);
  dev_answer(0, 0, kind, HD_CODE_REFUSED);
}

/* A host launch is refused only when its HWQ is full; launches that have begun, or were refused, do not count. */
TEST_F(host_refused_with_room) {
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    for (unsigned k = 0; k < cfg.hwq_depth; k++) host_kernel(k, 0, 1);
    if (wrong == 1) tb(0, 0, 0, 0, 0, 0); /* one has begun */
    host_launch(8, 0, 1), host_launch(9, wrong == 2, 1);
    host_answer(8, HD_CODE_REFUSED), host_answer(9, HD_CODE_REFUSED);
    if (wrong)
      breaks(1);
    else
      silent(), start_anew(), write_regions();
  }
}

/* A kernel is refused only when the pool or the parent records may be full. Without memory the pool reserves a row for
 * kernels that may run. */
TEST_F(kernels_refused_with_room) {
  parent();
  refused(HD_KIND_KERNEL, &kernels[1], 0);
  breaks(8);
  for (unsigned begun = 0; begun < 2; begun++) {
    parent();
    for (unsigned k = 0; k < cfg.pool_depth; k++) device_kernel(1 + k, 1, 0);
    if (begun) run_tb(0, 0, 1, 0), run_tb(1, 1, 0, 1);
    refused(HD_KIND_KERNEL, &kernels[8], 0);
    if (begun) breaks(8);
    silent(), start_anew(), write_regions();
  }
  for (unsigned rows = 8; rows < 16; rows++) { /* one may be counted twice */
    write_register(HD_REG_DEV_COUNT, rows);
    parent();
    for (unsigned k = 1; k < 8; k++) device_kernel(k, 1, 0);
    refused(HD_KIND_KERNEL, &kernels[8], 0);
    if (rows > 8) breaks(8);
    silent(), start_anew(), write_regions();
  }
}

TEST_F(full_records) {
  cfg.num_kin = 1;
  start_anew(), write_regions();
  for (unsigned own = 0; own < 2; own++) { /* a kernel with a child needs no other record */
    write_register(HD_REG_DEV_COUNT, 16);
    host_kernel(5, 1, 1);
    tb(1, 0, 1, 0, 0, 5);
    parent();
    dev_launch(own ? 0 : 1, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
    dev_answer(own ? 0 : 1, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
    refused(HD_KIND_KERNEL, &kernels[2], 0);
    if (own) breaks(8);
    silent(), start_anew(), write_regions();
  }
}

/* A TB is saved if its kernel has launched one, and there is room. */
TEST_F(saves_and_room) {
  const struct hd_desc ctx = {.param = 0x7000};
  parent();
  refused(HD_KIND_SAVE, &ctx, 0);
  silent();
  save(0x7000); /* without children */
  breaks(8);
  parent();
  device_kernel(1, 1, 0);
  refused(HD_KIND_SAVE, &ctx, 0);
  breaks(8);
  write_register(HD_REG_SUS_COUNT, 0);
  parent();
  device_kernel(1, 1, 0);
  refused(HD_KIND_SAVE, &ctx, 0);
  silent();
  save(0x7000);
  breaks(8);
}

/* A group is kept if and only if its AGE is in use. */
TEST_F(kept_and_ages) {
  parent();
  group(0, 1, 3, HD_CODE_KEPT);
  breaks(8);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED), hwtid = 1, group(1, 1, 4, HD_CODE_KEPT); /* another's */
  breaks(8);
  host_kernel(0, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  group(0, 1, 3, HD_CODE_ACCEPTED);
  group_tb(1, 0, 0, 0, 0, 0, 0);
  group(1, 1, 4, HD_CODE_ACCEPTED);
  breaks(8);
  host_kernel(0, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  group(0, 1, 3, HD_CODE_ACCEPTED);
  group_tb(1, 0, 0, 0, 0, 0, 0);
  group(2, 1, 5, HD_CODE_KEPT);
  done(1, 0);
  group(1, 1, 4, HD_CODE_KEPT); /* just freed: the plane may not know yet */
  silent();
  for (unsigned t = 0; t < 40; t++) cycle();
  group(3, 1, 6, HD_CODE_KEPT);
  breaks(8);
}

/* A group joins the kernel in the lowest eligible entry, if any. */
TEST_F(eligible_kernels) {
  parent();
  dev_launch(0, 0, HD_KIND_GROUP, &groups[0], 1, 0, 0);
  dev_answer(0, 0, HD_KIND_GROUP, HD_CODE_REFUSED);
  breaks(14);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED);
  out.enter_valid = 1, out.enter_kdei = 1, out.enter_param = groups[0].param, cycle();
  breaks(14);
  parent();
  groups[0].grid_x = 65536; /* no AGE has room for it */
  group(0, 1, 3, HD_CODE_ACCEPTED);
  out.enter_valid = 1, out.enter_kdei = 1, out.enter_param = groups[0].param, cycle();
  silent(), start_anew(), write_regions();
  groups[0].grid_x = 7;
  for (unsigned kernel = 0; kernel < 2; kernel++) {
    parent();
    run_tb(0, 0, 1, 0);
    host_kernel(1, 1, 1);
    tb(1, 0, 1, 0, 0, 1);
    group(0, 1, 3, HD_CODE_ACCEPTED);
    group_tb(1, 1, kernel, 0, 0, 0, kernel);
    if (kernel) breaks(14);
    silent(), start_anew(), write_regions();
  }
}

/* A group that a kernel could take is refused only when 64 others, the places of a list, may wait there. */
TEST_F(full_lists) {
  for (unsigned others = 63; others < 65; others++) {
    struct hd_desc desc = groups[0];
    write_register(HD_REG_REC_COUNT, 60);
    parent();
    for (unsigned g = 0; g <= others; g++, desc.param += 64) {
      unsigned code = g == others ? HD_CODE_REFUSED : g ? HD_CODE_KEPT : HD_CODE_ACCEPTED;
      dev_launch(0, 0, HD_KIND_GROUP, &desc, 1, g % 60, 0);
      dev_answer(0, 0, HD_KIND_GROUP, code);
    }
    if (others < 64) breaks(14);
    silent(), start_anew(), write_regions();
  }
}

/* Under a policy other than rr a group is refused if and only if its bank may be full, and has no AGE. */
TEST_F(room_in_banks) {
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 1, HD_CODE_REFUSED);
  breaks(8);
  parents(HD_POLICY_TB_PRI);
  for (unsigned g = 0; g < cfg.pq_depth; g++) banked(0, 0, g, 1, HD_CODE_ACCEPTED);
  banked(0, 0, 8, 1, HD_CODE_REFUSED);
  silent();
  bank_tb(0, 1, 1, 0, 0);
  banked(0, 0, 9, 1, HD_CODE_REFUSED);
  breaks(8);
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED);
  group_tb(0, 1, 0, 0, 0, 0, 0);
  breaks(13);
}

/* Kernel 0 with a TB on each SMX. SMX 0 has launched `more` groups beyond those that its bank holds. */
static void full_bank(unsigned count, unsigned more) {
  write_register(HD_REG_SPILL_BASE, 2000), write_register(HD_REG_SPILL_COUNT, count);
  parents(HD_POLICY_TB_PRI);
  for (unsigned g = 0; g < cfg.pq_depth + more; g++) banked(0, 0, g, 1, HD_CODE_ACCEPTED);
}

/* A group of a full bank is refused only if the ring of its bank and level has no room, or there are no rings. */
TEST_F(room_in_rings) {
  const unsigned count = cfg.ring_queues << cfg.ring_order_min;
  const unsigned room = (1u << cfg.ring_order_min) - cfg.ring_margin; /* two more may be on their way */
  for (unsigned n = 0; n <= room; n++) {
    full_bank(count, n);
    for (unsigned g = 0; g < n; g++) to_memory(0, g, g, 0);
    banked(0, 0, 15, 1, HD_CODE_REFUSED);
    if (n + 2 <= room) breaks(8);
    silent(), start_anew(), write_regions();
  }
  full_bank(count - 1, 0);
  banked(0, 0, 15, 1, HD_CODE_REFUSED);
  silent(), start_anew(), write_regions();
  full_bank(2 * count, room); /* larger rings */
  for (unsigned g = 0; g < room; g++) to_memory(0, g, g, 0);
  banked(0, 0, 15, 1, HD_CODE_REFUSED);
  breaks(8);
  full_bank(count, 0);
  for (unsigned g = 8; g < 8 + room; g++) banked(1, 0, g, 1, HD_CODE_ACCEPTED), to_memory(1, g - 8, g, 0);
  silent();
  banked(0, 0, 15, 1, HD_CODE_REFUSED); /* another bank's ring */
  breaks(8);
}

/* A launch that is judged while its ring was full may be refused, and one that was taken later may not. */
TEST_F(rings_that_fill_and_drain) {
  const unsigned count = cfg.ring_queues << cfg.ring_order_min, room = (1u << cfg.ring_order_min) - cfg.ring_margin;
  for (unsigned late = 0; late < 2; late++) {
    full_bank(count, room);
    for (unsigned g = 0; g + 2 < room; g++) to_memory(0, g, g, 0);
    if (!late) dev_launch(0, 0, HD_KIND_GROUP, &groups[15], 1, 15, 0);
    to_memory(0, room - 2, room - 2, 0);
    from_memory(0, 0, 2, 0);
    if (late) dev_launch(0, 0, HD_KIND_GROUP, &groups[15], 1, 15, 0);
    dev_answer(0, 0, HD_KIND_GROUP, HD_CODE_REFUSED);
    if (late) breaks(8);
    silent(), start_anew(), write_regions();
  }
}

/* After a loss in any ring all may be closed, until the groups have returned. */
TEST_F(refused_after_a_loss) {
  const unsigned count = cfg.ring_queues << cfg.ring_order_min;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    full_bank(count, 0);
    banked(1, 0, 8, 1, HD_CODE_ACCEPTED);
    to_memory(1, 0, 8, wrong == 1 ? 0 : 2);
    if (wrong == 2) from_memory(1, 0, 1, 0);
    for (unsigned t = 0; t < 300; t++) cycle();
    banked(0, 0, 15, 1, HD_CODE_REFUSED);
    if (wrong) breaks(8);
    silent(), start_anew(), write_regions();
  }
}

TEST_MAIN("plane_rooms", NULL, NULL)
