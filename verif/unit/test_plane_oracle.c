/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: for each of its rules a story without a breach, at which it is silent, and the same story with
 * one, which it names. The plane is played by the test: each call below is one cycle of its streams. */
#include "hd_regs_map.h"
#include "plane_oracle.h"
#include "util.h"

static struct hd_cfg cfg;
static void *oracle;
static struct hd_top_in in;
static struct hd_top_out out;
static const char *broken;  /* the first rule */
static uint8_t entered[16]; /* kernels: 1 in the KD, 2 to be suspended */
static struct hd_desc kernels[16], groups[16];
static uint16_t hwtid; /* of the thread that launches */

static void cycle(void) {
  out.awsize = out.arsize = 4;
  out.awburst = out.arburst = out.bready = out.rready = 1;
  const char *rule = hd_plane_oracle_watch(oracle, 0, &in, &out);
  if (!broken) broken = rule;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
}

static void start_anew(void) {
  hd_plane_oracle_init(oracle, &cfg);
  memset(entered, 0, sizeof entered);
  hwtid = 0;
}

static void write_register(unsigned addr, uint32_t value) {
  for (unsigned access = 0; access < 2; access++) {
    in.psel = in.pwrite = 1;
    in.penable = (uint8_t)access;
    in.paddr = (uint16_t)addr;
    in.pwdata = value;
    in.pstrb = 15;
    cycle();
  }
}

static void tell_regions(void) {
  write_register(HD_REG_REC_BASE, 1);
  write_register(HD_REG_REC_COUNT, 16);
  write_register(HD_REG_SUS_BASE, 100);
  write_register(HD_REG_SUS_COUNT, cfg.num_kin);
}

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  oracle = ut_new(hd_plane_oracle_size(&cfg));
  start_anew();
  broken = NULL;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  tell_regions();
  for (unsigned k = 0; k < 16; k++) {
    struct hd_launch l = ut_launch(0, k);
    kernels[k] = groups[k] = l.desc;
    kernels[k].param = 0x10000 + k;
    groups[k].param = 0x20000 + 64 * k;
    groups[k].grid_x = 7;
  }
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(oracle);
  return 0;
}

/* ---- one cycle each ---- */

static void host_launch(unsigned k, unsigned hwq, uint32_t ctas) {
  in.host_launch = ut_launch(hwq, k);
  in.host_launch.desc = kernels[k];
  in.host_launch.ctas = ctas;
  in.host_launch_valid = out.host_launch_ready = 1;
  cycle();
}

static void host_answer(unsigned k, unsigned code) {
  out.host_answer = (struct hd_answer){.tag = (uint16_t)k, .code = (uint8_t)code};
  out.host_answer_valid = in.host_answer_ready = 1;
  cycle();
}

/* A kernel of the host, accepted. */
static void host_kernel(unsigned k, unsigned hwq, uint32_t ctas) {
  host_launch(k, hwq, ctas);
  host_answer(k, HD_CODE_ACCEPTED);
}

/* The kernel is in entry kdei when its TBs are handed out. */
static void enter(unsigned kdei, unsigned k) {
  if (entered[k]) return;
  entered[k] = 1;
  out.enter_valid = 1;
  out.enter_kdei = (uint8_t)kdei;
  out.enter_param = kernels[k].param;
}

/* The TB is offered; take() takes what is offered. */
static struct hd_dispatch *offer(unsigned smx, unsigned slot, unsigned kdei, unsigned level, uint32_t blkid,
                                 const struct hd_desc *desc) {
  struct hd_dispatch *d = &out.dispatch[smx];
  *d = (struct hd_dispatch){.slot = (uint8_t)slot, .kdei = (uint8_t)kdei, .level = (uint8_t)level, .blkid = blkid};
  d->desc = *desc;
  out.dispatch_valid[smx] = 1;
  if (desc->param - kernels[0].param < 16) enter(kdei, (unsigned)(desc->param - kernels[0].param));
  return d;
}

static void take(unsigned smx) {
  in.dispatch_ready[smx] = 1;
  cycle();
}

static void tb(unsigned smx, unsigned slot, unsigned kdei, unsigned level, uint32_t blkid, unsigned k) {
  offer(smx, slot, kdei, level, blkid, &kernels[k]);
  take(smx);
}

/* A TB of a group that has joined kernel k. */
static void group_tb(unsigned smx, unsigned slot, unsigned kdei, unsigned agei, uint32_t blkid, unsigned g,
                     unsigned k) {
  struct hd_desc desc = kernels[k];
  desc.grid_x = groups[g].grid_x;
  desc.param = groups[g].param;
  struct hd_dispatch *d = offer(smx, slot, kdei, 1, blkid, &desc);
  d->group = d->age_valid = 1;
  d->agei = (uint16_t)agei;
  take(smx);
}

/* The same out of a bank: it has no AGE. */
static void bank_tb(unsigned smx, unsigned slot, unsigned level, uint32_t blkid, unsigned g) {
  struct hd_desc desc = kernels[0];
  desc.grid_x = groups[g].grid_x;
  desc.param = groups[g].param;
  offer(smx, slot, 0, level, blkid, &desc)->group = 1;
  take(smx);
}

static void restart_tb(unsigned smx, unsigned slot, unsigned kdei, uint64_t ctx, unsigned k) {
  struct hd_desc desc = kernels[k];
  desc.param = ctx;
  offer(smx, slot, kdei, 0, 0, &desc)->restart = 1;
  if (entered[k] == 2) entered[k] = 0;
  enter(kdei, k);
  take(smx);
}

static void done(unsigned smx, unsigned slot) {
  in.cta_done_valid[smx] = 1;
  in.cta_done_slot[smx] = (uint8_t)slot;
  cycle();
}

static void run_tb(unsigned kdei, unsigned level, uint32_t blkid, unsigned k) {
  tb(1, 1, kdei, level, blkid, k);
  done(1, 1);
}

static void dev_launch(unsigned smx, unsigned slot, unsigned kind, const struct hd_desc *desc, uint32_t ctas,
                       unsigned record, unsigned stream) {
  struct hd_devlaunch *l = &in.dev_launch[smx];
  struct hd_launch like = ut_launch(0, 0);
  *l = (struct hd_devlaunch){.kind = (uint8_t)kind, .last = 1, .slot = (uint8_t)slot, .record = record};
  l->stream = (uint8_t)stream;
  l->hwtid = hwtid;
  l->desc = *desc;
  l->threads = like.threads;
  l->regs = like.regs;
  l->smem = like.smem;
  l->ctas = ctas;
  in.dev_launch_valid[smx] = out.dev_launch_ready[smx] = 1;
  cycle();
}

static void dev_answer(unsigned smx, unsigned slot, unsigned kind, unsigned code) {
  out.dev_answer[smx] = (struct hd_devanswer){.kind = (uint8_t)kind, .slot = (uint8_t)slot, .code = (uint8_t)code};
  out.dev_answer_valid[smx] = in.dev_answer_ready[smx] = 1;
  cycle();
}

/* Accepted launches of the TB in slot 0 of SMX 0. */
static void device_kernel(unsigned k, uint32_t ctas, unsigned stream) {
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[k], ctas, 0, stream);
  dev_answer(0, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
}

static void group(unsigned g, uint32_t ctas, unsigned record, unsigned code) {
  dev_launch(0, 0, HD_KIND_GROUP, &groups[g], ctas, record, 0);
  dev_answer(0, 0, HD_KIND_GROUP, code);
}

static void save(uint64_t ctx) {
  struct hd_desc desc = {.param = ctx};
  dev_launch(0, 0, HD_KIND_SAVE, &desc, 0, 0, 0);
  dev_answer(0, 0, HD_KIND_SAVE, HD_CODE_ACCEPTED);
  entered[0] = 2;
}

static void kernel_done(unsigned k, bool failed) {
  out.kernel_done = (struct hd_completion){.tag = (uint16_t)k, .failed = failed};
  out.kernel_done_valid = in.kernel_done_ready = 1;
  cycle();
}

static void record_done(uint32_t record) {
  out.record_done = record;
  out.record_done_valid = in.record_done_ready = 1;
  cycle();
}

/* The Next of a record is written, and that fails. */
static void next_error(unsigned record) {
  out.awvalid = in.awready = 1;
  out.awaddr = 256 + 64 * record + 48;
  cycle();
  out.wvalid = out.wlast = in.wready = 1;
  cycle();
  in.bvalid = 1;
  in.bresp = 2;
  cycle();
}

/* The record of a kernel goes to memory. */
static void write_kernel_at(unsigned client, uint64_t addr, unsigned k, unsigned smx, unsigned resp) {
  for (unsigned beat = 0; beat < 8; beat++) {
    out.awvalid = in.awready = beat == 0;
    out.awid = (uint8_t)client;
    out.awlen = 7;
    out.awaddr = addr;
    out.wvalid = in.wready = 1;
    out.wlast = beat == 7;
    if (beat == 0) out.wdata_hi = kernels[k].param;
    if (beat == 4) out.wdata_lo = (uint64_t)smx << 48;
    cycle();
  }
  in.bvalid = 1;
  in.bid = (uint8_t)client;
  in.bresp = (uint8_t)resp;
  cycle();
}

static void write_kernel(unsigned k, unsigned smx) {
  write_kernel_at(2, 512, k, smx, 0);
}

/* The read of a record of 8 beats fails. */
static void read_error(unsigned client, uint64_t addr) {
  out.arvalid = in.arready = 1;
  out.arid = (uint8_t)client;
  out.araddr = addr;
  out.arlen = 7;
  cycle();
  in.rvalid = in.rlast = 1;
  in.rid = (uint8_t)client;
  in.rresp = 2;
  cycle();
}

/* Kernel 0 of 2 TBs in entry 0: its first TB runs in slot 0 of SMX 0. */
static void parent(void) {
  host_kernel(0, 0, 2);
  tb(0, 0, 0, 0, 0, 0);
}

/* What is left of it. */
static void parent_ends(void) {
  done(0, 0);
  run_tb(0, 0, 1, 0);
}

static void silent(void) {
  if (broken) fail_msg("the oracle names '%s'", broken);
}

static void breaks(unsigned rule) {
  char want[16];
  snprintf(want, sizeof want, "rule %u: ", rule);
  if (!broken || strncmp(broken, want, strlen(want)) != 0)
    fail_msg("the oracle should name rule %u, and names '%s'", rule, broken ? broken : "none");
  start_anew();
  broken = NULL;
  tell_regions();
}

/* ---- the rules ---- */

static void a_whole_story(void **state) {
  (void)state;
  parent();
  device_kernel(1, 1, 1);
  hwtid = 2;
  group(0, 2, 3, HD_CODE_ACCEPTED);
  group(1, 1, 4, HD_CODE_KEPT);
  save(0x7000);
  done(0, 0);
  run_tb(1, 1, 0, 1);
  restart_tb(0, 0, 1, 0x7000, 0);
  done(0, 0);
  run_tb(1, 0, 1, 0);
  for (unsigned b = 0; b < 2; b++) group_tb(0, b, 1, 2, b, 0, 0);
  group_tb(1, 0, 1, cfg.agt_size, 0, 1, 0);
  done(0, 1), done(0, 0), done(1, 0);
  record_done(4);
  kernel_done(0, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, 0));
}

static void answers_to_the_host(void **state) {
  (void)state;
  host_launch(0, 0, 0);
  host_answer(0, HD_CODE_ACCEPTED); /* no TBs */
  breaks(1);
  host_launch(0, 0, 1), host_launch(1, 0, 1);
  host_answer(1, HD_CODE_ACCEPTED); /* out of order */
  breaks(1);
}

static void tbs_of_a_kernel(void **state) {
  (void)state;
  host_kernel(0, 0, 2);
  run_tb(0, 0, 0, 0), run_tb(0, 0, 0, 0); /* one twice */
  breaks(2);
  host_kernel(0, 0, 2);
  run_tb(0, 0, 0, 0), run_tb(0, 0, 1, 0), run_tb(0, 0, 2, 0); /* one too many */
  breaks(2);
  host_kernel(0, 0, 2);
  run_tb(0, 0, 0, 1); /* another's descriptor */
  breaks(2);
  host_kernel(0, 0, 2);
  run_tb(0, 1, 0, 0); /* level */
  breaks(2);
}

static void tbs_of_a_group(void **state) {
  (void)state;
  parent();
  group(0, 2, 3, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 0, 1, 0, 0); /* not from TB 0 on */
  breaks(2);
  parent();
  group(0, 2, 3, HD_CODE_ACCEPTED);
  parent_ends();
  kernels[0].cta_y = 5;
  group_tb(0, 0, 0, 0, 0, 0, 0); /* not the kernel's descriptor */
  kernels[0].cta_y = 1;
  breaks(2);
  parent();
  group(1, 1, 4, HD_CODE_ACCEPTED);
  group(0, 1, 3, HD_CODE_KEPT);
  parent_ends();
  offer(0, 0, 1, 1, 0, &groups[0]);
  take(0); /* kept, and runs as a kernel */
  breaks(2);
}

static void saved_tbs(void **state) {
  (void)state;
  parent();
  device_kernel(9, 1, 0);
  save(0x7000);
  done(0, 0);
  run_tb(1, 1, 0, 9);
  restart_tb(0, 0, 1, 0x7000, 0), done(0, 0);
  silent();
  restart_tb(0, 0, 1, 0x7000, 0); /* one twice */
  breaks(2);
}

static void kernels_of_a_queue(void **state) {
  (void)state;
  host_kernel(0, 0, 1), host_kernel(1, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  tb(0, 1, 1, 0, 0, 1); /* the first still runs */
  breaks(3);
  host_kernel(0, 0, 1), host_kernel(1, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  device_kernel(2, 1, 0);
  done(0, 0);
  tb(0, 1, 1, 0, 0, 1); /* a child of the first has not run */
  breaks(3);
  host_kernel(0, 0, 1), host_kernel(1, 0, 1);
  tb(0, 0, 0, 0, 0, 1); /* the second first */
  breaks(3);
}

static void kernels_of_a_stream(void **state) {
  (void)state;
  parent();
  device_kernel(1, 1, 1), device_kernel(2, 1, 1), device_kernel(3, 1, 2);
  parent_ends();
  tb(1, 0, 1, 1, 0, 1);
  tb(0, 0, 0, 1, 0, 3); /* another stream */
  silent();
  tb(0, 1, 0, 1, 0, 2); /* the one ahead still runs */
  breaks(3);
  parent();
  device_kernel(1, 1, 1), device_kernel(2, 1, 1);
  parent_ends();
  tb(1, 0, 1, 1, 0, 2); /* overtaken */
  breaks(3);
}

static void order_of_tbs(void **state) {
  (void)state;
  parent();
  host_kernel(1, 1, 2);
  tb(0, 1, 1, 0, 0, 1); /* in the middle of the native part of another */
  breaks(4);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED);
  group_tb(0, 1, 0, 0, 0, 0, 0); /* before the end of the native part */
  breaks(4);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED), hwtid = 1, group(1, 1, 4, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 1, 0, 1, 0);
  group_tb(0, 1, 0, 0, 0, 0, 0); /* older group last */
  breaks(4);
  parent();
  group(0, 2, 3, HD_CODE_ACCEPTED), hwtid = 1, group(1, 1, 4, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 0, 0, 0, 0);
  group_tb(0, 1, 0, 1, 0, 1, 0); /* before the end of the first */
  breaks(4);
}

/* Two TBs saved: the younger first; the native part first. */
static void order_of_saved_tbs(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    host_kernel(0, 0, 3);
    tb(0, 0, 0, 0, 0, 0);
    tb(1, 1, 0, 0, 1, 0);
    device_kernel(9, 1, 0);
    save(0x7000);
    struct hd_desc ctx = {.param = 0x7100};
    dev_launch(1, 1, HD_KIND_SAVE, &ctx, 0, 0, 0), dev_answer(1, 1, HD_KIND_SAVE, HD_CODE_ACCEPTED);
    done(0, 0), done(1, 1);
    run_tb(1, 1, 0, 9);
    restart_tb(0, 0, 0, wrong == 1 ? 0x7100 : 0x7000, 0);
    if (wrong == 2) tb(0, 1, 0, 0, 2, 0);
    if (wrong)
      breaks(4);
    else
      silent(), start_anew(), tell_regions();
  }
}

static void slots_and_resources(void **state) {
  (void)state;
  host_kernel(0, 0, 4);
  offer(0, 0, 0, 0, 0, &kernels[0]), offer(1, 0, 0, 0, 1, &kernels[0]);
  in.dispatch_ready[0] = 1;
  take(1); /* two in a cycle */
  breaks(5);
  host_kernel(0, 0, 4);
  tb(0, 0, 0, 0, 0, 0), tb(0, 0, 0, 0, 1, 0); /* a slot that is taken */
  breaks(5);
  host_launch(0, 0, 4);
  host_answer(0, HD_CODE_ACCEPTED);
  cfg.threads_per_smx = 32;
  hd_plane_oracle_init(oracle, &cfg);
  host_kernel(0, 0, 4);
  tb(0, 0, 0, 0, 0, 0), tb(0, 1, 0, 0, 1, 0); /* more threads than there are */
  breaks(5);
}

static void ages(void **state) {
  (void)state;
  parent();
  hwtid = 2;
  group(0, 1, 3, HD_CODE_ACCEPTED), group(1, 1, 4, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 2, 0, 0, 0);
  group_tb(0, 1, 0, 2, 0, 1, 0); /* the first still runs */
  breaks(5);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, cfg.agt_size, 0, 0, 0); /* not kept, and an overflow slot */
  breaks(8);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 1, 0, 0, 0); /* not that of its thread */
  breaks(5);
}

static void offers_stay(void **state) {
  (void)state;
  host_kernel(0, 0, 4);
  offer(0, 0, 0, 0, 0, &kernels[0]), cycle();
  offer(0, 1, 0, 0, 0, &kernels[0]), cycle(); /* another slot */
  breaks(6);
  out.record_done_valid = 1, out.record_done = 3, cycle();
  out.record_done_valid = 1, out.record_done = 4, cycle();
  breaks(6);
  out.kernel_done_valid = 1, cycle();
  cycle(); /* withdrawn */
  breaks(6);
  out.dev_answer_valid[1] = 1, cycle();
  out.dev_answer_valid[1] = 1, out.dev_answer[1].lane = 1, cycle();
  breaks(6);
}

static void kernel_done_in_time(void **state) {
  (void)state;
  parent();
  kernel_done(0, false); /* a TB runs, one was never handed out */
  breaks(7);
  parent();
  device_kernel(1, 1, 0);
  parent_ends();
  kernel_done(0, false); /* a child was never run */
  breaks(7);
  parent();
  parent_ends();
  kernel_done(0, false);
  silent();
  kernel_done(0, false); /* twice */
  breaks(7);
  parent();
  parent_ends();
  kernel_done(0, true); /* without an error of the memory */
  breaks(7);
}

/* A grandchild counts too; and what has been taken for complete runs no more. */
static void kernel_done_of_families(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    parent();
    device_kernel(1, 1, 0);
    parent_ends();
    tb(0, 0, 1, 1, 0, 1);
    device_kernel(2, 1, 0);
    done(0, 0);
    if (wrong != 1) run_tb(0, 2, 0, 2);
    kernel_done(0, false);
    if (wrong == 2) run_tb(1, 2, 0, 2);
    if (wrong == 1)
      breaks(7);
    else if (wrong == 2)
      breaks(2);
    else
      silent(), start_anew(), tell_regions();
  }
}

/* Kernel 0 with a group in memory behind one on chip; kernel 5 of another program beside it. Both have handed out all
 * their native TBs. */
static void two_programs(void) {
  kernels[5].pc ^= 0x80;
  parent();
  group(1, 1, 4, HD_CODE_ACCEPTED), group(0, 2, 3, HD_CODE_KEPT);
  parent_ends();
  host_kernel(5, 1, 1);
  run_tb(1, 0, 0, 5);
  kernels[5].pc ^= 0x80;
}

/* The Next write of a group's record stops the kernel that the group has joined, and no other. */
static void a_failure_needs_an_error(void **state) {
  (void)state;
  two_programs();
  next_error(3);
  kernel_done(0, true), kernel_done(5, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, HD_STATUS_MEM_NEXT));
  const uint32_t wrong[] = {0, HD_STATUS_MEM_RECORD, HD_STATUS_MEM_NEXT | HD_STATUS_MEM_POOL};
  for (unsigned k = 0; k < 3; k++) {
    const char *rule = hd_plane_oracle_end(oracle, wrong[k]);
    assert_non_null(rule);
    assert_memory_equal(rule, "rule 12: ", 9);
  }
  for (unsigned k = 0; k < 4; k++) {
    start_anew(), tell_regions();
    two_programs();
    if (k != 1) next_error(k == 3 ? 5 : 3); /* no error; that of a record which no group holds */
    if (k == 0) kernel_done(5, true);       /* the other kernel */
    if (k == 2) kernel_done(0, false);      /* it is not told */
    if (k == 1 || k == 3) kernel_done(0, true);
    breaks(7);
  }
}

/* What has been stopped hands out nothing more, but what it has begun in the next few cycles. */
static void stopped_kernels(void **state) {
  (void)state;
  two_programs();
  next_error(3);
  group_tb(0, 0, 0, 0, 0, 1, 0);
  done(0, 0);
  silent();
  for (unsigned t = 0; t < 20; t++) cycle();
  group_tb(0, 0, 0, cfg.agt_size, 0, 0, 0);
  breaks(7);
}

/* A kernel that is lost on its way to memory, or from there, counts as complete, and no other does. */
static void lost_in_the_pool(void **state) {
  (void)state;
  for (unsigned how = 0; how < 4; how++) {
    write_register(HD_REG_DEV_BASE, 2), write_register(HD_REG_DEV_COUNT, 4);
    parent();
    device_kernel(1, 1, 0), device_kernel(2, 1, 0);
    parent_ends();
    write_kernel_at(2, 512, 1, 0, how == 0 ? 2 : 0), write_kernel_at(2, 640, 2, 0, 0);
    if (how) read_error(2, how == 2 ? 640 : 512);
    if (how == 3) run_tb(1, 1, 0, 1); /* the one that is lost */
    if (how == 3) breaks(7);
    run_tb(1, 1, 0, how == 2 ? 1 : 2);
    kernel_done(0, false);
    if (how == 3) breaks(2);
    silent();
    if (how < 3) assert_null(hd_plane_oracle_end(oracle, HD_STATUS_MEM_POOL));
    start_anew(), tell_regions();
  }
  write_register(HD_REG_DEV_BASE, 2), write_register(HD_REG_DEV_COUNT, 4);
  parent();
  device_kernel(1, 1, 0), device_kernel(2, 1, 0);
  parent_ends();
  write_kernel_at(2, 512, 1, 0, 2);
  kernel_done(0, false); /* the other has not run */
  breaks(7);
}

/* A lost kernel lets one more of its stream run beside those before it, and no other stream is out of order. */
static void streams_of_lost_kernels(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    write_register(HD_REG_DEV_BASE, 2), write_register(HD_REG_DEV_COUNT, 16);
    parent();
    for (unsigned k = 1; k < 5; k++) device_kernel(k, 1, 1 + (wrong == 1 && k != 4));
    parent_ends();
    write_kernel_at(2, 512, 4, 0, 2);
    tb(0, 0, 0, 1, 0, 1), tb(0, 1, 1, 1, 0, 2);
    if (wrong == 2) silent(), tb(1, 0, 0, 1, 0, 3);
    if (wrong) breaks(3);
    silent(), start_anew(), tell_regions();
  }
}

/* The record of a suspended kernel can not be written: it does not come back, and ends as failed. */
static void lost_while_suspended(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    parent();
    device_kernel(1, 1, 0);
    save(0x7000);
    done(0, 0);
    run_tb(1, 1, 0, 1);
    write_kernel_at(3, 100 * 256, 0, 0, wrong ? 2 : 0);
    if (!wrong) read_error(3, 100 * 256);
    if (wrong == 1) restart_tb(0, 0, 0, 0x7000, 0);
    if (wrong != 1) kernel_done(0, !wrong);
    if (wrong) breaks(7);
    silent(), start_anew(), tell_regions();
  }
}

static void answers_to_an_smx(void **state) {
  (void)state;
  parent();
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 0, 0, 0); /* no TBs */
  dev_answer(0, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
  breaks(8);
  parent();
  dev_launch(0, 1, HD_KIND_KERNEL, &kernels[1], 1, 0, 0); /* an empty slot */
  dev_answer(0, 1, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
  breaks(8);
  parent();
  group(0, 1, 16, HD_CODE_ACCEPTED); /* no such record */
  breaks(8);
  parent();
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
  dev_answer(0, 0, HD_KIND_GROUP, HD_CODE_ACCEPTED); /* to something else */
  breaks(8);
  host_kernel(0, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
  tb(1, 0, 1, 1, 0, 1);
  dev_answer(0, 0, HD_KIND_KERNEL, HD_CODE_REFUSED); /* it runs */
  breaks(8);
}

static void records(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 5; wrong++) {
    parent();
    if (wrong != 1) group(1, 1, 4, HD_CODE_ACCEPTED);
    group(0, 1, 3, wrong == 1 ? HD_CODE_ACCEPTED : HD_CODE_KEPT);
    parent_ends();
    group_tb(0, 0, 0, wrong == 1 ? 0 : cfg.agt_size, 0, 0, 0);
    if (wrong == 2) record_done(3); /* it runs */
    done(0, 0);
    if (wrong != 2) record_done(wrong == 3 ? 5 : 3);
    if (wrong == 4) record_done(3);
    if (wrong)
      breaks(9);
    else
      silent(), start_anew(), tell_regions();
  }
}

static void suspension(void **state) {
  (void)state;
  parent();
  device_kernel(1, 1, 0);
  save(0x7000);
  done(0, 0);
  tb(0, 0, 0, 0, 1, 0); /* not resumed */
  breaks(10);
  parent();
  device_kernel(1, 1, 0);
  save(0x7000);
  done(0, 0);
  restart_tb(0, 0, 1, 0x7000, 0); /* the child has not run */
  breaks(10);
  host_kernel(0, 0, 2);
  tb(0, 0, 0, 0, 0, 0), tb(1, 0, 0, 0, 1, 0);
  device_kernel(1, 1, 0);
  run_tb(1, 1, 0, 1);
  save(0x7000);
  done(0, 0);
  restart_tb(0, 0, 1, 0x7000, 0); /* the other TB runs */
  breaks(10);
}

static void memory_port(void **state) {
  (void)state;
  out.arvalid = in.arready = 1, out.arid = 1, out.araddr = 256 + 64 * 15, out.arlen = 3;
  cycle();
  silent();
  out.arvalid = in.arready = 1, out.arid = 1, out.araddr = 256 + 64 * 16, out.arlen = 3;
  cycle(); /* behind the records */
  breaks(11);
  out.arvalid = in.arready = 1, out.arid = 2, out.araddr = 256;
  cycle(); /* the pool has no region */
  breaks(11);
}

/* A kernel in memory names the SMX that launched it; one of the host names none. */
static void kernels_in_memory(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    write_register(HD_REG_DEV_BASE, 2);
    write_register(HD_REG_DEV_COUNT, 4);
    host_kernel(0, 0, 1);
    tb(1, 0, 0, 0, 0, 0);
    dev_launch(1, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
    dev_answer(1, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
    write_kernel(1, wrong != 1);
    write_kernel(0, wrong == 2);
    if (wrong)
      breaks(11);
    else
      silent(), start_anew(), tell_regions();
  }
}

/* Kernel 0 of 2 TBs, both running: one on each SMX. */
static void parents(unsigned policy) {
  write_register(HD_REG_POLICY, policy);
  parent();
  tb(1, 0, 0, 0, 1, 0);
}

/* A group of the TB in slot `slot` of an SMX is launched and answered. */
static void banked(unsigned smx, unsigned slot, unsigned g, uint32_t ctas, unsigned code) {
  dev_launch(smx, slot, HD_KIND_GROUP, &groups[g], ctas, g, 0);
  dev_answer(smx, slot, HD_KIND_GROUP, code);
}

/* Groups out of banks, each SMX and each level by itself, and what the SMX is bound to on that SMX; those of a kernel
 * that has left do not count any more. */
static void groups_in_banks(void **state) {
  (void)state;
  parents(HD_POLICY_SMX_BIND);
  banked(1, 0, 0, 1, HD_CODE_ACCEPTED), banked(0, 0, 1, 2, HD_CODE_ACCEPTED), banked(0, 0, 2, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 1);
  banked(0, 1, 3, 1, HD_CODE_ACCEPTED); /* of level 2 */
  done(0, 1);
  bank_tb(0, 1, 2, 0, 3);
  bank_tb(1, 1, 1, 0, 0); /* the oldest, of another SMX */
  done(0, 1);
  bank_tb(0, 1, 1, 1, 1);
  done(0, 1), done(1, 1);
  write_register(HD_REG_POLICY, HD_POLICY_RR);
  cycle();
  bank_tb(1, 1, 1, 0, 2); /* what another policy left behind, to any SMX */
  done(1, 1), done(0, 0), done(1, 0);
  kernel_done(0, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, 0));
}

/* Without another policy than rr no group is without an AGE. */
static void groups_in_banks_under_rr(void **state) {
  (void)state;
  parents(HD_POLICY_RR);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 0);
  breaks(13);
}

static void order_in_a_bank(void **state) {
  (void)state;
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED), banked(0, 0, 1, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 1);
  silent();
  bank_tb(1, 1, 1, 0, 0); /* the older one last */
  breaks(13);
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED), banked(0, 0, 1, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 0);
  silent();
  bank_tb(1, 1, 1, 0, 1); /* before the end of the first */
  breaks(13);
}

/* What is in a bank is not in its record any more. */
static void kept_in_a_bank(void **state) {
  (void)state;
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 1, HD_CODE_KEPT);
  bank_tb(0, 1, 1, 0, 0);
  breaks(13);
  parents(HD_POLICY_TB_PRI);
  dev_launch(0, 0, HD_KIND_GROUP, &groups[0], 1, 0, 0);
  bank_tb(0, 1, 1, 0, 0);
  silent();
  dev_answer(0, 0, HD_KIND_GROUP, HD_CODE_KEPT); /* it runs without an AGE */
  breaks(13);
}

/* Under smx-bind another SMX must not have it; under the other policies it may, and in the cycle after a change, whose
 * TBs were chosen under the policy before. */
static void bound_to_an_smx(void **state) {
  (void)state;
  parents(HD_POLICY_SMX_BIND);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED);
  bank_tb(1, 1, 1, 0, 0);
  breaks(13);
  parents(HD_POLICY_ADAPTIVE_BIND);
  banked(0, 0, 0, 3, HD_CODE_ACCEPTED);
  bank_tb(1, 1, 1, 0, 0);
  done(1, 1);
  write_register(HD_REG_POLICY, HD_POLICY_SMX_BIND);
  bank_tb(1, 1, 1, 1, 0);
  done(1, 1);
  silent();
  bank_tb(1, 1, 1, 2, 0);
  breaks(13);
}

/* A kernel of which an entry was begun and not handed out to its end is not complete. TBs out of banks are in order,
 * and of their level. */
static void a_bank_keeps_its_kernel(void **state) {
  (void)state;
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 0);
  done(0, 1), done(0, 0), done(1, 0);
  kernel_done(0, false);
  breaks(7);
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 1, 0); /* not from TB 0 on */
  breaks(2);
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 2, 0, 0); /* of a wrong level */
  breaks(2);
}

/* A device kernel may hand out from a bank in the middle of the native part of another kernel; one of the host may not,
 * whatever the policy is. */
static void native_parts_in_banks(void **state) {
  (void)state;
  for (unsigned policy = HD_POLICY_RR; policy <= HD_POLICY_ADAPTIVE_BIND; policy++) {
    write_register(HD_REG_POLICY, policy);
    parent(); /* one of its TBs is left */
    device_kernel(1, 2, 0);
    run_tb(1, 1, 0, 1);
    if (policy == HD_POLICY_RR) {
      breaks(4);
      continue;
    }
    run_tb(1, 1, 1, 1);
    host_kernel(2, 1, 1);
    silent();
    run_tb(1, 0, 0, 2);
    breaks(4);
  }
}

/* ---- room ---- */

static void refused(unsigned kind, const struct hd_desc *desc, unsigned stream) {
  dev_launch(0, 0, kind, desc, 1, 0, stream);
  dev_answer(0, 0, kind, HD_CODE_REFUSED);
}

/* A launch of the host is refused only when so many are ahead of it as its HWQ holds; those that have begun, or were
 * refused, do not count. */
static void host_refused_with_room(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    for (unsigned k = 0; k < cfg.hwq_depth; k++) host_kernel(k, 0, 1);
    if (wrong == 1) tb(0, 0, 0, 0, 0, 0); /* one has begun */
    host_launch(8, 0, 1), host_launch(9, wrong == 2, 1);
    host_answer(8, HD_CODE_REFUSED), host_answer(9, HD_CODE_REFUSED);
    if (wrong)
      breaks(1);
    else
      silent(), start_anew(), tell_regions();
  }
}

/* A kernel is refused only when the pool, its stream or the parent records may be full. */
static void kernels_refused_with_room(void **state) {
  (void)state;
  parent();
  refused(HD_KIND_KERNEL, &kernels[1], 0);
  breaks(8);
  for (unsigned begun = 0; begun < 2; begun++) {
    parent();
    for (unsigned k = 0; k < cfg.pool_depth; k++) device_kernel(1 + k, 1, 0);
    if (begun) run_tb(0, 0, 1, 0), run_tb(1, 1, 0, 1);
    refused(HD_KIND_KERNEL, &kernels[8], 0);
    if (begun) breaks(8);
    silent(), start_anew(), tell_regions();
  }
  for (unsigned rows = 8; rows < 16; rows++) { /* one of which stays empty */
    write_register(HD_REG_DEV_COUNT, rows);
    parent();
    for (unsigned k = 1; k < 8; k++) device_kernel(k, 1, 0);
    refused(HD_KIND_KERNEL, &kernels[8], 0);
    if (rows > 8) breaks(8);
    silent(), start_anew(), tell_regions();
  }
}

static void full_streams_and_records(void **state) {
  (void)state;
  cfg.ticket_w = 2;
  start_anew(), tell_regions();
  for (unsigned stream = 1; stream < 3; stream++) {
    write_register(HD_REG_DEV_COUNT, 16);
    parent();
    device_kernel(1, 1, 1), device_kernel(2, 1, 1);
    refused(HD_KIND_KERNEL, &kernels[3], stream);
    if (stream == 2) breaks(8);
    silent(), start_anew(), tell_regions();
  }
  cfg.num_kin = 1;
  start_anew(), tell_regions();
  for (unsigned own = 0; own < 2; own++) { /* a kernel with a child needs no other record */
    write_register(HD_REG_DEV_COUNT, 16);
    host_kernel(5, 1, 1);
    tb(1, 0, 1, 0, 0, 5);
    parent();
    dev_launch(own ? 0 : 1, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
    dev_answer(own ? 0 : 1, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
    refused(HD_KIND_KERNEL, &kernels[2], 0);
    if (own) breaks(8);
    silent(), start_anew(), tell_regions();
  }
}

/* A TB is saved if its kernel has launched one, and there is room. */
static void saves_and_room(void **state) {
  (void)state;
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
static void kept_and_ages(void **state) {
  (void)state;
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
  group(1, 1, 4, HD_CODE_KEPT); /* just free: the plane may not know yet */
  silent();
  for (unsigned t = 0; t < 40; t++) cycle();
  group(3, 1, 6, HD_CODE_KEPT);
  breaks(8);
}

/* A group joins the kernel in the lowest entry that it can join, if there is one. */
static void eligible_kernels(void **state) {
  (void)state;
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
  silent(), start_anew(), tell_regions();
  groups[0].grid_x = 7;
  for (unsigned kernel = 0; kernel < 2; kernel++) {
    parent();
    run_tb(0, 0, 1, 0);
    host_kernel(1, 1, 1);
    tb(1, 0, 1, 0, 0, 1);
    group(0, 1, 3, HD_CODE_ACCEPTED);
    group_tb(1, 1, kernel, 0, 0, 0, kernel);
    if (kernel) breaks(14);
    silent(), start_anew(), tell_regions();
  }
}

/* Under another policy than rr a group is refused if and only if its bank may be full, and has no AGE. */
static void room_in_banks(void **state) {
  (void)state;
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

static void nothing_is_lost(void **state) {
  (void)state;
  host_launch(0, 0, 1);
  assert_non_null(hd_plane_oracle_end(oracle, 0)); /* an answer */
  host_answer(0, HD_CODE_ACCEPTED);
  assert_non_null(hd_plane_oracle_end(oracle, 0)); /* a kernel */
  tb(0, 0, 0, 0, 0, 0);
  group(0, 1, 3, HD_CODE_ACCEPTED);
  done(0, 0);
  kernel_done(0, false);
  assert_string_equal(hd_plane_oracle_end(oracle, 0), "rule 12: a group or its record was lost");
  silent();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_whole_story),
      TEST(answers_to_the_host),
      TEST(tbs_of_a_kernel),
      TEST(tbs_of_a_group),
      TEST(saved_tbs),
      TEST(kernels_of_a_queue),
      TEST(kernels_of_a_stream),
      TEST(order_of_tbs),
      TEST(order_of_saved_tbs),
      TEST(slots_and_resources),
      TEST(ages),
      TEST(offers_stay),
      TEST(kernel_done_in_time),
      TEST(kernel_done_of_families),
      TEST(a_failure_needs_an_error),
      TEST(stopped_kernels),
      TEST(lost_in_the_pool),
      TEST(streams_of_lost_kernels),
      TEST(lost_while_suspended),
      TEST(answers_to_an_smx),
      TEST(records),
      TEST(suspension),
      TEST(memory_port),
      TEST(kernels_in_memory),
      TEST(groups_in_banks),
      TEST(groups_in_banks_under_rr),
      TEST(order_in_a_bank),
      TEST(kept_in_a_bank),
      TEST(bound_to_an_smx),
      TEST(a_bank_keeps_its_kernel),
      TEST(native_parts_in_banks),
      TEST(host_refused_with_room),
      TEST(kernels_refused_with_room),
      TEST(full_streams_and_records),
      TEST(saves_and_room),
      TEST(kept_and_ages),
      TEST(eligible_kernels),
      TEST(room_in_banks),
      TEST(nothing_is_lost),
  };
  return cmocka_run_group_tests_name("plane_oracle", tests, NULL, NULL);
}
