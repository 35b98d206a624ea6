/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: what it excuses after a memory error, and what it does not. */
#include "unit/oracle_script.h"

/* Kernel 0 with a group in memory behind one on chip, and kernel 5 of another program. Both have handed out all their
 * native TBs. */
static void two_programs(void) {
  kernels[5].pc ^= 0x80;
  parent();
  group(1, 1, 4, HD_CODE_ACCEPTED), group(0, 2, 3, HD_CODE_KEPT);
  parent_ends();
  host_kernel(5, 1, 1);
  run_tb(1, 0, 0, 5);
  kernels[5].pc ^= 0x80;
}

/* A group that cannot be put into its list stops the kernel that it has joined, and no other. */
TEST_F(a_failure_needs_an_error) {
  two_programs();
  list_error(3);
  kernel_done(0, true), kernel_done(5, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, HD_STATUS_MEM_LIST));
  const uint32_t wrong[] = {0, HD_STATUS_MEM_RECORD, HD_STATUS_MEM_LIST | HD_STATUS_MEM_POOL};
  for (unsigned k = 0; k < 3; k++) {
    const char *rule = hd_plane_oracle_end(oracle, wrong[k]);
    assert_non_null(rule);
    assert_memory_equal(rule, "rule 12: ", 9);
  }
  for (unsigned k = 0; k < 3; k++) {
    start_anew(), write_regions();
    two_programs();
    if (k != 1) list_error(3);
    if (k == 0) kernel_done(5, true);  /* the other kernel */
    if (k == 1) kernel_done(0, true);  /* no error */
    if (k == 2) kernel_done(0, false); /* not reported */
    breaks(7);
  }
  /* A pointer that is written after its group, handed out from the chip, has ended: the owner of its list is
     unknown. */
  start_anew(), write_regions();
  two_programs();
  list_error(5);
  kernel_done(0, true), kernel_done(5, false);
  silent();
}

/* A stopped kernel hands out no more TBs, except those begun in the next few cycles. */
TEST_F(stopped_kernels) {
  two_programs();
  list_error(3);
  group_tb(0, 0, 0, 0, 0, 1, 0);
  done(0, 0);
  silent();
  for (unsigned t = 0; t < 20; t++) cycle();
  group_tb(0, 0, 0, cfg.agt_size, 0, 0, 0);
  breaks(7);
}

/* A kernel that is lost on its way to or from memory counts as complete, and no other does. */
TEST_F(lost_in_the_pool) {
  for (unsigned how = 0; how < 4; how++) {
    write_register(HD_REG_DEV_BASE, 2), write_register(HD_REG_DEV_COUNT, 4);
    parent();
    device_kernel(1, 1, 0), device_kernel(2, 1, 0);
    parent_ends();
    write_kernel_at(HD_CLIENT_POOL, 512, 1, 0, how == 0 ? 2 : 0), write_kernel_at(HD_CLIENT_POOL, 640, 2, 0, 0);
    if (how) read_error(HD_CLIENT_POOL, how == 2 ? 640 : 512);
    if (how == 3) run_tb(1, 1, 0, 1); /* the one that is lost */
    if (how == 3) breaks(7);
    run_tb(1, 1, 0, how == 2 ? 1 : 2);
    kernel_done(0, false);
    if (how == 3) breaks(2);
    silent();
    if (how < 3) assert_null(hd_plane_oracle_end(oracle, HD_STATUS_MEM_POOL));
    start_anew(), write_regions();
  }
  write_register(HD_REG_DEV_BASE, 2), write_register(HD_REG_DEV_COUNT, 4);
  parent();
  device_kernel(1, 1, 0), device_kernel(2, 1, 0);
  parent_ends();
  write_kernel_at(HD_CLIENT_POOL, 512, 1, 0, 2);
  kernel_done(0, false); /* the other has not run */
  breaks(7);
}

/* A lost kernel keeps its place: those behind it begin when those before it are complete. */
TEST_F(streams_of_lost_kernels) {
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    write_register(HD_REG_DEV_BASE, 2), write_register(HD_REG_DEV_COUNT, 16);
    parent();
    for (unsigned k = 1; k < 5; k++) device_kernel(k, 1, 1);
    parent_ends();
    write_kernel_at(HD_CLIENT_POOL, 512, wrong == 2 ? 4 : 2, 0, 2);
    tb(0, 0, 0, 1, 0, 1);
    if (!wrong) done(0, 0);
    tb(0, 1, 1, 1, 0, wrong == 2 ? 2 : 3);
    if (wrong) breaks(3);
    silent(), start_anew(), write_regions();
  }
}

/* The record of a suspended kernel cannot be written: the kernel is not resumed, and ends as failed. */
TEST_F(lost_while_suspended) {
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    parent();
    device_kernel(1, 1, 0);
    save(0x7000);
    done(0, 0);
    run_tb(1, 1, 0, 1);
    write_kernel_at(HD_CLIENT_SUSP, 100 * 256, 0, 0, wrong ? 2 : 0);
    if (!wrong) read_error(HD_CLIENT_SUSP, 100 * 256);
    if (wrong == 1) restart_tb(0, 0, 0, 0x7000, 0);
    if (wrong != 1) kernel_done(0, !wrong);
    if (wrong) breaks(7);
    silent(), start_anew(), write_regions();
  }
}

/* A kernel that an error has stopped before its save was answered ends in the KD: it is not suspended and resumed
 * first. */
TEST_F(stopped_before_its_suspension) {
  for (unsigned resumed = 0; resumed < 2; resumed++) {
    parent();
    device_kernel(1, 1, 0);
    group(1, 1, 4, HD_CODE_ACCEPTED), group(0, 2, 3, HD_CODE_KEPT);
    list_error(3);
    save(0x7000);
    done(0, 0);
    run_tb(1, 1, 0, 1);
    if (resumed) restart_tb(0, 0, 0, 0x7000, 0);
    if (resumed) breaks(7);
    if (!resumed) kernel_done(0, true);
    silent(), start_anew(), write_regions();
  }
}

/* Kernel 0 with two groups (the second waits in memory) and kernel 5 of another program, all its TBs done. */
static void second_waits(unsigned resp) {
  write_register(HD_REG_POLICY, HD_POLICY_TB_PRI);
  write_rings();
  parent();
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED), banked(0, 0, 1, 1, HD_CODE_ACCEPTED);
  bank_tb(1, 1, 1, 0, 0);
  done(1, 1);
  to_memory(0, 0, 1, resp);
  parent_ends();
  kernels[5].pc ^= 0x80;
  host_kernel(5, 1, 1);
  run_tb(1, 0, 0, 5);
  kernels[5].pc ^= 0x80;
}

/* A group that memory loses on its way to a bank fails its kernel, which is reported, and no other. */
TEST_F(lost_on_the_way_to_a_bank) {
  for (unsigned bad = 0; bad < 4; bad++) { /* the write, or a beat, or both beats */
    second_waits(bad ? 0 : 2);
    from_memory(0, 0, 1, bad);
    kernel_done(0, true), kernel_done(5, false);
    silent();
    assert_null(hd_plane_oracle_end(oracle, HD_STATUS_MEM_SPILL));
    const char *rule = hd_plane_oracle_end(oracle, 0);
    assert_non_null(rule);
    assert_memory_equal(rule, "rule 12: ", 9);
    start_anew(), write_regions();
  }
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    second_waits(wrong ? 2 : 0);
    from_memory(0, 0, 1, 0);
    if (wrong == 0) kernel_done(0, true);  /* no error */
    if (wrong == 1) kernel_done(0, false); /* not reported */
    if (wrong == 2) kernel_done(5, true);  /* the other one */
    breaks(7);
  }
  second_waits(0);
  kernel_done(0, false), kernel_done(5, false); /* without an error the group has to run */
  assert_non_null(hd_plane_oracle_end(oracle, 0));
  start_anew(), write_regions();
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    second_waits(wrong == 2 ? 2 : 0);
    if (wrong != 1) from_memory(0, 0, 1, 0);
    bank_tb(1, 1, 1, 0, 1);
    if (wrong) {
      breaks(13); /* it is still in memory, or was lost */
      continue;
    }
    done(1, 1);
    kernel_done(0, false), kernel_done(5, false);
    silent();
    assert_null(hd_plane_oracle_end(oracle, 0));
    start_anew(), write_regions();
  }
}

/* A loss is found when all groups have returned: not before that does its kernel end. */
TEST_F(losses_are_found_late) {
  for (unsigned others = 0; others < 2; others++) {
    for (unsigned read = 0; read < 2; read++) {
      write_register(HD_REG_POLICY, HD_POLICY_TB_PRI);
      write_rings();
      parent();
      for (unsigned g = 0; g < 3; g++) banked(0, 0, g, 1, HD_CODE_ACCEPTED);
      to_memory(0, 0, 0, read ? 0 : 2), to_memory(0, 1, 1, 0);
      if (others) to_memory(0, 2, 2, 0);
      from_memory(0, 0, 2, read);
      for (unsigned g = 1; g < 3; g++) {
        if (g == 2 && others) continue;
        bank_tb(1, 1, 1, 0, g);
        done(1, 1);
      }
      parent_ends();
      silent();
      kernel_done(0, true);
      if (others)
        breaks(11);
      else
        silent(), start_anew(), write_regions();
    }
  }
  write_register(HD_REG_POLICY, HD_POLICY_TB_PRI); /* an entry that another kernel gets shows it as well */
  write_rings();
  parent();
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED);
  to_memory(0, 0, 0, 2);
  parent_ends();
  kernels[5].pc ^= 0x80;
  host_kernel(5, 1, 1);
  tb(1, 1, 0, 0, 0, 5);
  kernels[5].pc ^= 0x80;
  breaks(11);
}

/* Kernel 0 with ten groups in a bank or on their way to memory. */
static void many_groups(void) {
  write_register(HD_REG_POLICY, HD_POLICY_TB_PRI);
  write_rings();
  parents(HD_POLICY_TB_PRI);
  for (unsigned g = 0; g < 10; g++) banked(0, 0, g, 1, HD_CODE_ACCEPTED);
}

/* After a loss only groups that were on their way go to memory, until all have returned. */
TEST_F(closed_after_a_loss) {
  many_groups();
  to_memory(0, 0, 0, 2);
  for (unsigned t = 0; t < 20; t++) cycle();
  for (unsigned g = 1; g <= cfg.ring_late; g++) to_memory(0, g, g, 0);
  silent();
  to_memory(0, cfg.ring_late + 1, cfg.ring_late + 1, 0);
  breaks(11);
  many_groups();
  to_memory(0, 0, 0, 2);
  for (unsigned t = 0; t < 20; t++) cycle();
  from_memory(0, 0, 1, 0);
  for (unsigned g = 1; g < 10; g++) to_memory(0, g, g, 0);
  silent();
}

/* Each group is written behind those of its bank and level, with its kernel, and read as the oldest, once. */
TEST_F(records_of_groups) {
  for (unsigned wrong = 0; wrong < 7; wrong++) {
    many_groups();
    to_memory(0, 0, 0, 0);
    if (wrong == 0) write_group(0, 1, groups[1].param, 0);
    if (wrong == 1) write_group(0, 1, groups[1].param, 1);  /* an entry without a kernel */
    if (wrong == 2) write_group(0, 2, groups[1].param, 0);  /* a place is left free */
    if (wrong == 3) write_group(1, 0, groups[1].param, 0);  /* the ring of another bank */
    if (wrong == 4) write_group(0, 1, groups[12].param, 0); /* it was not launched */
    if (wrong == 5) write_group(0, 1, 0x12340, 0);
    if (wrong == 6) to_memory(0, 1, 2, 0), write_group(0, 2, groups[1].param, 0); /* launched before the last one */
    if (wrong) breaks(11);
    silent(), start_anew(), write_regions();
  }
  for (unsigned wrong = 0; wrong < 6; wrong++) {
    many_groups();
    for (unsigned g = 0; g < 5; g++) to_memory(0, g, g, 0);
    from_memory(0, 0, 2, 0);
    if (wrong == 0) from_memory(0, 2, 2, 0);
    if (wrong == 1) from_memory(0, 0, 1, 0);                          /* twice */
    if (wrong == 2) from_memory(0, 3, 1, 0);                          /* not the oldest */
    if (wrong == 3) from_memory(0, 2, 3, 0);                          /* more than a line */
    if (wrong == 4) from_memory(0, 2, 1, 0), from_memory(0, 3, 2, 0); /* of two lines */
    if (wrong == 5) from_memory(0, 2, 2, 0), from_memory(0, 4, 2, 0); /* more than are there */
    if (wrong) breaks(11);
    silent(), start_anew(), write_regions();
  }
}

/* A place is written again once its group has returned. */
TEST_F(places_of_groups) {
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    const unsigned places = 1u << cfg.ring_order_min;
    write_register(HD_REG_POLICY, HD_POLICY_TB_PRI);
    write_rings();
    parents(HD_POLICY_TB_PRI);
    for (unsigned g = 0; g < places; g++) banked(0, 0, g, 1, HD_CODE_ACCEPTED), to_memory(0, g, g, 0);
    if (!wrong) from_memory(0, 0, 1, 0);
    groups[0].param += 0x1000;
    banked(0, 0, 0, 1, HD_CODE_ACCEPTED), to_memory(0, 0, 0, 0);
    groups[0].param -= 0x1000;
    if (wrong) breaks(11);
    silent(), start_anew(), write_regions();
  }
}

/* A group that an error has detached from its kernel frees its AGE when the TBs are done, even if the kernel's
 * completion is not taken. Once another group has the AGE, the kernel hands out no more TBs. */
TEST_F(ages_of_torn_groups) {
  for (unsigned goes_on = 0; goes_on < 2; goes_on++) {
    parent();
    group(1, 2, 4, HD_CODE_ACCEPTED), group(0, 2, 3, HD_CODE_KEPT);
    parent_ends();
    group_tb(0, 0, 0, 0, 0, 1, 0);
    read_error(HD_CLIENT_OVFQ, 256 + 64 * 3);
    done(0, 0);
    kernels[5].pc ^= 0x80, groups[2].pc ^= 0x80;
    host_kernel(5, 1, 1);
    tb(0, 0, 1, 0, 0, 5);
    group(2, 1, 5, HD_CODE_ACCEPTED);
    group_tb(0, 1, 1, 0, 0, 2, 5);
    silent();
    if (goes_on) group_tb(1, 0, 0, 0, 1, 1, 0);
    if (goes_on) breaks(7);
    kernels[5].pc ^= 0x80, groups[2].pc ^= 0x80;
    start_anew(), write_regions();
  }
}

/* The plane accepts a write to a region register when no kernel is in it. The completion of a failed kernel may still
 * wait for the host; the records of its groups belong to software even so. Without that write they do not. */
TEST_F(records_of_a_failed_kernel) {
  for (unsigned written = 0; written < 2; written++) {
    parent();
    group(1, 1, 4, HD_CODE_ACCEPTED), group(0, 2, 3, HD_CODE_KEPT);
    parent_ends();
    list_error(3);
    if (written) write_register(HD_REG_REC_COUNT, 16);
    kernel_done(0, true);
    host_kernel(5, 1, 1);
    tb(0, 0, 1, 0, 0, 5);
    group(2, 1, 3, HD_CODE_KEPT);
    group_tb(1, 1, 1, cfg.agt_size, 0, 2, 5);
    done(1, 1);
    record_done(3);
    if (!written) breaks(9);
    silent();
  }
  done(0, 0);
  kernel_done(5, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, HD_STATUS_MEM_LIST));
}

TEST_MAIN("plane_errors", NULL, NULL)
