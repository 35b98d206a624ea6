/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* oracle_script: the plane's oracle for scripted unit tests. The test plays the plane: most calls below are one cycle
 * of its streams. silent() requires that no rule was reported, breaks() a certain one; breaks() then starts again from
 * reset. */
#ifndef ORACLE_SCRIPT_H
#define ORACLE_SCRIPT_H

#include "env/common/clients.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_oracle.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static void *oracle;
static struct hd_top_in in;
static struct hd_top_out out;
static const char *broken;  /* the first rule reported */
static uint8_t entered[16]; /* kernels: 1 in the KD, 2 to be suspended */
static struct hd_desc kernels[16], groups[16];
static uint16_t hwtid; /* of the launching thread */

static inline void cycle(void) {
  out.awsize = out.arsize = 4;
  out.awburst = out.arburst = out.bready = out.rready = 1;
  const char *rule = hd_plane_oracle_watch(oracle, 0, &in, &out);
  if (!broken) broken = rule;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
}

static inline void start_anew(void) {
  hd_plane_oracle_init(oracle, &cfg);
  memset(entered, 0, sizeof entered);
  hwtid = 0;
}

static inline void write_register(unsigned addr, uint32_t value) {
  for (unsigned access = 0; access < 2; access++) {
    in.psel = in.pwrite = 1;
    in.penable = (uint8_t)access;
    in.paddr = (uint16_t)addr;
    in.pwdata = value;
    in.pstrb = 15;
    cycle();
  }
}

static inline void write_regions(void) {
  write_register(HD_REG_REC_BASE, 1);
  write_register(HD_REG_REC_COUNT, 16);
  write_register(HD_REG_SUS_BASE, 100);
  write_register(HD_REG_SUS_COUNT, cfg.num_kin);
  write_register(HD_REG_LIST_BASE, 1000);
}

static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg_hashed("tiny");
  oracle = ut_new(hd_plane_oracle_size(&cfg));
  start_anew();
  broken = NULL;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  write_regions();
  for (unsigned k = 0; k < 16; k++) {
    struct hd_launch l = ut_launch(0, k);
    kernels[k] = groups[k] = l.desc;
    kernels[k].param = 0x10000 + k;
    groups[k].param = 0x20000 + 64 * k;
    groups[k].grid_x = 7;
  }
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(oracle);
  return 0;
}

/* ---- one cycle each ---- */

static inline void host_launch(unsigned k, unsigned hwq, uint32_t ctas) {
  in.host_launch = ut_launch(hwq, k);
  in.host_launch.desc = kernels[k];
  in.host_launch.ctas = ctas;
  in.host_launch_valid = out.host_launch_ready = 1;
  cycle();
}

static inline void host_answer(unsigned k, unsigned code) {
  out.host_answer = (struct hd_answer){.tag = (uint16_t)k, .code = (uint8_t)code};
  out.host_answer_valid = in.host_answer_ready = 1;
  cycle();
}

/* A host kernel, accepted. */
static inline void host_kernel(unsigned k, unsigned hwq, uint32_t ctas) {
  host_launch(k, hwq, ctas);
  host_answer(k, HD_CODE_ACCEPTED);
}

/* The kernel is in entry kdei when its TBs are handed out. */
static inline void enter(unsigned kdei, unsigned k) {
  if (entered[k]) return;
  entered[k] = 1;
  out.enter_valid = 1;
  out.enter_kdei = (uint8_t)kdei;
  out.enter_param = kernels[k].param;
}

/* Offers the TB; take() takes the offered one. */
static inline struct hd_dispatch *offer(unsigned smx, unsigned slot, unsigned kdei, unsigned level, uint32_t blkid,
                                        const struct hd_desc *desc) {
  struct hd_dispatch *d = &out.dispatch[smx];
  *d = (struct hd_dispatch){.slot = (uint8_t)slot, .kdei = (uint8_t)kdei, .level = (uint8_t)level, .blkid = blkid};
  d->desc = *desc;
  out.dispatch_valid[smx] = 1;
  if (desc->param - kernels[0].param < 16) enter(kdei, (unsigned)(desc->param - kernels[0].param));
  return d;
}

static inline void take(unsigned smx) {
  in.dispatch_ready[smx] = 1;
  cycle();
}

static inline void tb(unsigned smx, unsigned slot, unsigned kdei, unsigned level, uint32_t blkid, unsigned k) {
  offer(smx, slot, kdei, level, blkid, &kernels[k]);
  take(smx);
}

/* A TB of a group that has joined kernel k. */
static inline void group_tb(unsigned smx, unsigned slot, unsigned kdei, unsigned agei, uint32_t blkid, unsigned g,
                            unsigned k) {
  struct hd_desc desc = kernels[k];
  desc.grid_x = groups[g].grid_x;
  desc.param = groups[g].param;
  struct hd_dispatch *d = offer(smx, slot, kdei, 1, blkid, &desc);
  d->group = d->age_valid = 1;
  d->agei = (uint16_t)agei;
  take(smx);
}

/* The same from a bank: it has no AGE. */
static inline void bank_tb(unsigned smx, unsigned slot, unsigned level, uint32_t blkid, unsigned g) {
  struct hd_desc desc = kernels[0];
  desc.grid_x = groups[g].grid_x;
  desc.param = groups[g].param;
  offer(smx, slot, 0, level, blkid, &desc)->group = 1;
  take(smx);
}

static inline void restart_tb(unsigned smx, unsigned slot, unsigned kdei, uint64_t ctx, unsigned k) {
  struct hd_desc desc = kernels[k];
  desc.param = ctx;
  offer(smx, slot, kdei, 0, 0, &desc)->restart = 1;
  if (entered[k] == 2) entered[k] = 0;
  enter(kdei, k);
  take(smx);
}

static inline void done(unsigned smx, unsigned slot) {
  in.cta_done_valid[smx] = 1;
  in.cta_done_slot[smx] = (uint8_t)slot;
  cycle();
}

static inline void run_tb(unsigned kdei, unsigned level, uint32_t blkid, unsigned k) {
  tb(1, 1, kdei, level, blkid, k);
  done(1, 1);
}

static inline void dev_launch(unsigned smx, unsigned slot, unsigned kind, const struct hd_desc *desc, uint32_t ctas,
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

static inline void dev_answer(unsigned smx, unsigned slot, unsigned kind, unsigned code) {
  out.dev_answer[smx] = (struct hd_devanswer){.kind = (uint8_t)kind, .slot = (uint8_t)slot, .code = (uint8_t)code};
  out.dev_answer_valid[smx] = in.dev_answer_ready[smx] = 1;
  cycle();
}

/* Accepted launches of the TB in slot 0 of SMX 0. */
static inline void device_kernel(unsigned k, uint32_t ctas, unsigned stream) {
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[k], ctas, 0, stream);
  dev_answer(0, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
}

static inline void group(unsigned g, uint32_t ctas, unsigned record, unsigned code) {
  dev_launch(0, 0, HD_KIND_GROUP, &groups[g], ctas, record, 0);
  dev_answer(0, 0, HD_KIND_GROUP, code);
}

static inline void save(uint64_t ctx) {
  struct hd_desc desc = {.param = ctx};
  dev_launch(0, 0, HD_KIND_SAVE, &desc, 0, 0, 0);
  dev_answer(0, 0, HD_KIND_SAVE, HD_CODE_ACCEPTED);
  entered[0] = 2;
}

static inline void kernel_done(unsigned k, bool failed) {
  out.kernel_done = (struct hd_completion){.tag = (uint16_t)k, .failed = failed};
  out.kernel_done_valid = in.kernel_done_ready = 1;
  cycle();
}

static inline void record_done(uint32_t record) {
  out.record_done = record;
  out.record_done_valid = in.record_done_ready = 1;
  cycle();
}

/* The group of a record is put into the first list, and the write fails. */
static inline void list_error(unsigned record) {
  out.awvalid = in.awready = 1;
  out.awaddr = 256 * 1000;
  cycle();
  out.wvalid = out.wlast = in.wready = 1;
  out.wdata[0] = record;
  out.wstrb = 0xf;
  cycle();
  in.bvalid = 1;
  in.bresp = 2;
  cycle();
}

/* The record of a kernel goes to memory. */
static inline void write_kernel_at(unsigned client, uint64_t addr, unsigned k, unsigned smx, unsigned resp) {
  for (unsigned beat = 0; beat < 8; beat++) {
    out.awvalid = in.awready = beat == 0;
    out.awid = (uint8_t)client;
    out.awlen = 7;
    out.awaddr = addr;
    out.wvalid = in.wready = 1;
    out.wlast = beat == 7;
    if (beat == 0) out.wdata[1] = kernels[k].param;
    if (beat == 4) out.wdata[0] = (uint64_t)smx << 48;
    cycle();
  }
  in.bvalid = 1;
  in.bid = (uint8_t)client;
  in.bresp = (uint8_t)resp;
  cycle();
}

static inline void write_kernel(unsigned k, unsigned smx) {
  write_kernel_at(HD_CLIENT_POOL, 512, k, smx, 0);
}

/* The read of a record of 8 beats fails. */
static inline void read_error(unsigned client, uint64_t addr) {
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

/* ---- groups that wait in memory for their bank ---- */

/* Sets a region whose rings have 16 places each. Requires that no TB runs. */
static inline void write_rings(void) {
  write_register(HD_REG_SPILL_BASE, 2000);
  write_register(HD_REG_SPILL_COUNT, cfg.ring_queues << cfg.ring_order_min);
}

static inline uint64_t place_at(unsigned queue, unsigned place) {
  return 2000 * 256 + 32 * ((queue << cfg.ring_order_min) + place);
}

/* A group of level 1 that was launched on that SMX, for the kernel in entry kdei, is written to that place of its
 * ring. */
static inline void write_group(unsigned smx, unsigned place, uint64_t param, unsigned kdei) {
  for (unsigned beat = 0; beat < 2; beat++) {
    out.awvalid = in.awready = beat == 0;
    out.awid = HD_CLIENT_SPILL;
    out.awlen = 1;
    out.awaddr = place_at(smx * cfg.max_level, place);
    out.wvalid = in.wready = 1;
    out.wlast = beat == 1;
    if (beat == 1) out.wdata[0] = param / 64, out.wdata[1] = kdei;
    cycle();
  }
}

static inline void group_written(unsigned resp) {
  in.bvalid = 1;
  in.bid = HD_CLIENT_SPILL;
  in.bresp = (uint8_t)resp;
  cycle();
}

/* The same, of kernel 0, answered. */
static inline void to_memory(unsigned smx, unsigned place, unsigned g, unsigned resp) {
  write_group(smx, place, groups[g].param, 0);
  group_written(resp);
}

/* n groups of level 1 are read back. bad: set of the beats that are errors. */
static inline void from_memory(unsigned smx, unsigned place, unsigned n, unsigned bad) {
  out.arvalid = in.arready = 1;
  out.arid = HD_CLIENT_SPILL;
  out.araddr = place_at(smx * cfg.max_level, place);
  out.arlen = (uint8_t)(2 * n - 1);
  cycle();
  for (unsigned beat = 0; beat < 2 * n; beat++) {
    in.rvalid = 1;
    in.rlast = beat == 2 * n - 1;
    in.rid = HD_CLIENT_SPILL;
    in.rresp = 2 * (bad >> beat & 1);
    cycle();
  }
}

/* Kernel 0 of 2 TBs in entry 0: its first TB runs in slot 0 of SMX 0. */
static inline void parent(void) {
  host_kernel(0, 0, 2);
  tb(0, 0, 0, 0, 0, 0);
}

/* Runs the rest of it. */
static inline void parent_ends(void) {
  done(0, 0);
  run_tb(0, 0, 1, 0);
}

static inline void silent(void) {
  if (broken) fail_msg("the oracle names '%s'", broken);
}

static inline void breaks(unsigned rule) {
  char want[16];
  snprintf(want, sizeof want, "rule %u: ", rule);
  if (!broken || strncmp(broken, want, strlen(want)) != 0)
    fail_msg("the oracle should name rule %u, and names '%s'", rule, broken ? broken : "none");
  start_anew();
  broken = NULL;
  write_regions();
}

/* Kernel 0 of 2 TBs, both running: one on each SMX. */
static inline void parents(unsigned policy) {
  write_register(HD_REG_POLICY, policy);
  parent();
  tb(1, 0, 0, 0, 1, 0);
}

/* A group of the TB in slot `slot` of an SMX is launched and answered. */
static inline void banked(unsigned smx, unsigned slot, unsigned g, uint32_t ctas, unsigned code) {
  dev_launch(smx, slot, HD_KIND_GROUP, &groups[g], ctas, g, 0);
  dev_answer(smx, slot, HD_KIND_GROUP, code);
}

#endif
