/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_script: a plane whose host, SMXs, registers and memory are driven by a test, cycle by cycle, and which records
 * what they observed. The including program defines engine_cycle() (one cycle of the plane, from `in` to `out`), so
 * that golden model and lockstep run the same scripts. The oracle of the plane checks every cycle. */
#ifndef HD_UNIT_DEV_SCRIPT_H
#define HD_UNIT_DEV_SCRIPT_H

#include "env/common/clients.h"
#include "gen/hd_regs_map.h"
#include "mem/axi_mem.h"
#include "oracle/plane_oracle.h"
#include "top/top.h"
#include "unit/util.h"

enum {
  SCRIPT_MOST = 4096,
  REC_BASE = 0x100,
  DEV_BASE = 0x10000,
  SUS_BASE = 0x20000,
  LIST_BASE = 0x40000,
  NEVER = 0x7fffffff
};

static struct hd_cfg cfg;
static struct hd_top_in in;
static struct hd_top_out out;
static uint64_t now; /* the next cycle; after a run, the last one */
static struct hd_axi_mem *mem;
static void *oracle;

static void engine_cycle(void);

/* Pending offers. */
static struct {
  struct hd_launch launch[SCRIPT_MOST];
  unsigned n, taken;
} host;

static struct {
  struct hd_devlaunch beat[SCRIPT_MOST];
  uint64_t taken_at[SCRIPT_MOST];
  unsigned n, taken;
  bool silent; /* this source offers nothing for now */
} port[HD_MAX_NUM_SMX];

/* Observed events, each with the cycle in which it was first offered. */
static struct logged_tb {
  uint64_t cycle;
  unsigned smx;
  struct hd_dispatch d;
} tb[SCRIPT_MOST];
static struct logged_answer {
  uint64_t cycle;
  unsigned smx;
  struct hd_devanswer a;
} answer[SCRIPT_MOST];
static struct {
  uint64_t cycle;
  struct hd_completion c;
} ended[SCRIPT_MOST];
static struct {
  uint64_t cycle;
  uint32_t number;
} returned[SCRIPT_MOST];
static unsigned tbs, answers, ended_n, returneds, dones;

/* The SMX slots. */
static struct {
  bool runs;
  uint64_t ends; /* cycle in which the TB completes */
  struct hd_dispatch d;
} slot[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX];
static uint32_t refusals;                      /* refusals that the memory counts per cycle */
static uint64_t episode;                       /* cycles a TB runs after its acceptance; NEVER: until end_tb() */
static bool hold_records, hold_tbs, hold_ends; /* not accepted for now */
static bool hold_answers[HD_MAX_NUM_SMX], hold_smx[HD_MAX_NUM_SMX]; /* hold_smx: this SMX accepts no TBs */
static bool waited_tb[HD_MAX_NUM_SMX], waited_answer[HD_MAX_NUM_SMX], waited_record, waited_end;

/* ---- a cycle ---- */

static inline void script_offers(void) {
  in.host_launch_valid = host.taken < host.n;
  memset(&in.host_launch, 0, sizeof in.host_launch);
  if (in.host_launch_valid) in.host_launch = host.launch[host.taken];
  in.host_answer_ready = 1;
  in.cycles = (uint32_t)now;
  in.dram_full += refusals;
  in.kernel_done_ready = !hold_ends;
  in.record_done_ready = !hold_records;
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    in.dispatch_ready[s] = !hold_tbs && !hold_smx[s];
    in.dev_answer_ready[s] = !hold_answers[s];
    in.dev_launch_valid[s] = !port[s].silent && port[s].taken < port[s].n;
    memset(&in.dev_launch[s], 0, sizeof in.dev_launch[s]);
    if (in.dev_launch_valid[s]) in.dev_launch[s] = port[s].beat[port[s].taken];
    in.cta_done_valid[s] = in.cta_done_slot[s] = 0;
    for (unsigned j = 0; j < cfg.ctas_per_smx && !in.cta_done_valid[s]; j++) {
      if (!slot[s][j].runs || slot[s][j].ends > now) continue;
      in.cta_done_valid[s] = 1;
      in.cta_done_slot[s] = (uint8_t)j;
      slot[s][j].runs = false;
      dones++;
    }
  }
}

static inline void script_sees_smx(unsigned s) {
  if (out.dispatch_valid[s] && !waited_tb[s]) tb[tbs++ % SCRIPT_MOST] = (struct logged_tb){now, s, out.dispatch[s]};
  waited_tb[s] = out.dispatch_valid[s] && !in.dispatch_ready[s];
  if (out.dispatch_valid[s] && in.dispatch_ready[s]) {
    slot[s][out.dispatch[s].slot].runs = true;
    slot[s][out.dispatch[s].slot].ends = now + episode;
    slot[s][out.dispatch[s].slot].d = out.dispatch[s];
  }
  if (out.dev_answer_valid[s] && !waited_answer[s])
    answer[answers++ % SCRIPT_MOST] = (struct logged_answer){now, s, out.dev_answer[s]};
  waited_answer[s] = out.dev_answer_valid[s] && !in.dev_answer_ready[s];
  if (in.dev_launch_valid[s] && out.dev_launch_ready[s]) port[s].taken_at[port[s].taken++] = now;
}

static inline void script_sees(void) {
  host.taken += in.host_launch_valid && out.host_launch_ready;
  for (unsigned s = 0; s < cfg.num_smx; s++) script_sees_smx(s);
  if (out.kernel_done_valid && !waited_end) {
    ended[ended_n].cycle = now;
    ended[ended_n++].c = out.kernel_done;
  }
  waited_end = out.kernel_done_valid && !in.kernel_done_ready;
  if (out.record_done_valid && !waited_record) {
    returned[returneds].cycle = now;
    returned[returneds++].number = out.record_done;
  }
  waited_record = out.record_done_valid && !in.record_done_ready;
}

/* Runs one cycle. */
static inline void tick(void) {
  struct hd_axi_response response;
  now++;
  script_offers();
  hd_axi_mem_drive(mem, &response);
  HD_AXI_INTO(&in, &response);
  engine_cycle();
  const struct hd_axi_request asked = HD_AXI_FROM(&out);
  const char *rule = hd_axi_mem_follow(mem, &asked);
  if (!rule) rule = hd_plane_oracle_watch(oracle, now, &in, &out);
  if (rule) fail_msg("cycle %llu: %s", (unsigned long long)now, rule);
  script_sees();
  in.psel = in.penable = in.pwrite = in.pstrb = 0;
  in.paddr = 0;
  in.pwdata = 0;
}

static inline void ticks(unsigned n) {
  while (n--) tick();
}

/* Runs until `*count` is n. */
static inline void until(const unsigned *count, unsigned n, unsigned limit) {
  for (unsigned c = 0; *count < n; c++) {
    if (c == limit) fail_msg("cycle %llu: %u of %u after %u cycles", (unsigned long long)now, *count, n, limit);
    tick();
  }
}

static inline uint32_t apb(unsigned addr, bool write, uint32_t value) {
  for (unsigned access = 0; access < 2; access++) {
    in.psel = 1;
    in.penable = (uint8_t)access;
    in.pwrite = write;
    in.paddr = (uint16_t)addr;
    in.pwdata = value;
    in.pstrb = write ? 15 : 0;
    tick();
  }
  return out.prdata;
}

/* Returns the low half of the counter of that name. */
#define COUNT(name) apb(HD_REG_##name##_LO, false, 0)
static inline uint32_t status(void) {
  return apb(HD_REG_STATUS, false, 0);
}

/* Sets the sizes of the memory regions. */
static inline void regions(uint32_t records, uint32_t kernels, uint32_t suspended) {
  const uint32_t word[] = {REC_BASE, records, DEV_BASE, kernels, SUS_BASE, suspended, LIST_BASE};
  for (unsigned k = 0; k < 7; k++) apb(HD_REG_REC_BASE + 4 * k, true, word[k]);
}

/* ---- start and end ---- */

static const struct hd_axi_profile fast = {
    .name = "fast", .latency_min = 1, .latency_max = 1, .sink = 256, .source = 256};

static inline void script_begin(struct hd_cfg c, const struct hd_axi_profile *memory) {
  cfg = c;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&host, 0, sizeof host);
  memset(port, 0, sizeof port);
  memset(slot, 0, sizeof slot);
  memset(hold_answers, 0, sizeof hold_answers);
  memset(hold_smx, 0, sizeof hold_smx);
  memset(waited_tb, 0, sizeof waited_tb);
  memset(waited_answer, 0, sizeof waited_answer);
  hold_records = hold_tbs = hold_ends = waited_record = waited_end = false;
  tbs = answers = ended_n = returneds = dones = 0;
  refusals = 0;
  episode = NEVER;
  now = 0;
  mem = hd_axi_mem_new(memory, cfg.mem_clients, 7);
  assert_non_null(mem);
  oracle = ut_new(hd_plane_oracle_size(&cfg));
  hd_plane_oracle_init(oracle, &cfg);
}

static inline void script_end(void) {
  hd_axi_mem_free(mem);
  free(oracle);
}

/* Lets all TBs finish until the plane is idle; the oracle then reports lost work. */
static inline void drain(unsigned idle) {
  episode = 1;
  for (unsigned s = 0; s < cfg.num_smx; s++)
    for (unsigned j = 0; j < cfg.ctas_per_smx; j++)
      if (slot[s][j].runs && slot[s][j].ends > now + 1) slot[s][j].ends = now + 1;
  ticks(idle);
  const char *rule = hd_plane_oracle_end(oracle, status());
  if (rule) fail_msg("%s", rule);
}

/* ---- launches ---- */

/* Kernel k is encoded in its parameter address, and k / 1000 in its program (entry PC). */
static inline struct hd_desc desc_of(unsigned k, uint32_t ctas) {
  struct hd_desc d = {.grid_x = ctas, .grid_y = 1, .grid_z = 1, .cta_x = 32, .cta_y = 1, .cta_z = 1};
  d.pc = 0x1000 + k / 1000 * 0x100;
  d.param = 0x100000 + 64 * (uint64_t)k;
  return d;
}

/* Launches kernel k with tag k; its TBs have one warp. */
static inline void host_kernel(unsigned k, unsigned hwq, uint32_t ctas) {
  struct hd_launch *l = &host.launch[host.n++];
  *l = (struct hd_launch){.threads = 32, .ctas = ctas, .hwq = (uint8_t)hwq, .tag = (uint16_t)k};
  l->desc = desc_of(k, ctas);
}

/* Offers a beat of a command. Each beat is a command of its own unless the test changes `last`. */
static inline struct hd_devlaunch *beat(unsigned smx, unsigned s, unsigned kind, unsigned k, uint32_t ctas) {
  struct hd_devlaunch *l = &port[smx].beat[port[smx].n++];
  *l = (struct hd_devlaunch){.kind = (uint8_t)kind, .last = 1, .slot = (uint8_t)s, .threads = 32, .ctas = ctas};
  l->desc = desc_of(k, ctas);
  return l;
}

static inline struct hd_devlaunch *launch_kernel(unsigned smx, unsigned s, unsigned k, uint32_t ctas, unsigned stream) {
  struct hd_devlaunch *l = beat(smx, s, HD_KIND_KERNEL, k, ctas);
  l->stream = (uint8_t)stream;
  return l;
}

/* Offers a group whose record is in memory. */
static inline struct hd_devlaunch *launch_group(unsigned smx, unsigned s, unsigned g, uint32_t ctas, unsigned record,
                                                unsigned hwtid) {
  struct hd_devlaunch *l = beat(smx, s, HD_KIND_GROUP, g, ctas);
  uint8_t b[64] = {0};
  const uint64_t word[8] = {l->desc.pc,    l->desc.param, 0, 0, ctas | (uint64_t)1 << 32 | (uint64_t)1 << 48,
                            (uint64_t)ctas};
  for (unsigned k = 0; k < 64; k++) b[k] = (uint8_t)(word[k / 8] >> 8 * (k % 8));
  b[27] = (uint8_t)(slot[smx][s].d.level + 1);
  l->record = record;
  l->hwtid = (uint16_t)hwtid;
  hd_axi_mem_write(mem, (uint64_t)REC_BASE * 256 + 64 * (uint64_t)record, b, sizeof b);
  return l;
}

static inline void launch_save(unsigned smx, unsigned s, uint64_t ctx) {
  beat(smx, s, HD_KIND_SAVE, 0, 0)->desc = (struct hd_desc){.param = ctx};
}

/* Ends the TB in the next cycle. */
static inline void end_tb(unsigned smx, unsigned s) {
  assert_true(slot[smx][s].runs);
  slot[smx][s].ends = now + 1;
}

/* Ends the n-th TB that was handed out in the next cycle. */
static inline void end_nth(unsigned n) {
  end_tb(tb[n].smx, tb[n].d.slot);
}

/* ---- checks ---- */

/* Expects the n-th TB that was handed out to be TB b of kernel or group k. */
static inline const struct logged_tb *expect_tb(unsigned n, unsigned k, uint32_t b) {
  assert_true(n < tbs);
  if (tb[n].d.desc.param != desc_of(k, 1).param || tb[n].d.blkid != b)
    fail_msg("TB %u in cycle %llu is TB %u at parameter 0x%llx, not TB %u of %u", n, (unsigned long long)tb[n].cycle,
             tb[n].d.blkid, (unsigned long long)tb[n].d.desc.param, b, k);
  return &tb[n];
}

static inline const struct logged_tb *expect_restart(unsigned n, uint64_t ctx) {
  assert_true(n < tbs);
  assert_int_equal(tb[n].d.restart, 1);
  assert_int_equal(tb[n].d.desc.param, ctx);
  return &tb[n];
}

static inline void expect_codes(const uint8_t *codes, unsigned n) {
  assert_int_equal(answers, n);
  for (unsigned k = 0; k < n; k++)
    if (answer[k].a.code != codes[k]) fail_msg("answer %u is %u, not %u", k, answer[k].a.code, codes[k]);
}

#define EXPECT_CODES(...) expect_codes((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* KdeSearchLanes = 1: 32 lanes for the kernel in the last of 32 entries. The search serves the first lane after 32
 * cycles and each other lane one cycle later, from the kept result. */
static inline void expect_a_warp_in_63_cycles(void) {
  for (unsigned k = 0; k < 32; k++) host_kernel(k == 31 ? 1000 : k, k, 1);
  until(&tbs, 32, 60);
  ticks(10);
  struct logged_tb last = tb[31];
  assert_int_equal(last.d.kdei, 31);
  for (unsigned n = 0; n < 32; n++) launch_group(last.smx, last.d.slot, 1001 + n, 1, n, n)->last = n == 31;
  until(&answers, 32, 200);
  uint64_t taken = port[last.smx].taken_at[0];
  print_message("search of a warp: %llu cycles\n", (unsigned long long)(answer[0].cycle - taken - 3));
  assert_int_equal(answer[0].cycle, taken + 32 + 3);
  for (unsigned n = 1; n < 32; n++) assert_int_equal(answer[n].cycle, answer[n - 1].cycle + 1);
}

static inline void set_policy(unsigned policy) {
  apb(HD_REG_POLICY, true, policy);
}

/* ---- scripts for both model and RTL ---- */

/* Checks a TB of the paper's example: P0 .. P7 are kernel 0, C0 and C1 are 1, C2 .. C5 are 2. */
static inline void add_name(char *row, size_t size, const struct logged_tb *t) {
  unsigned first = t->d.desc.param == desc_of(2, 1).param ? 2 : 0;
  size_t n = strlen(row);
  snprintf(row + n, size - n, " %c%u", t->d.desc.param == desc_of(0, 1).param ? 'P' : 'C', first + t->d.blkid);
}

/* Example of section IV of laperm-isca2016: 4 SMXs with one TB each, all of equal length. Of the parents P0 .. P7, P2
 * launches C0 and C1 and P4 launches C2 .. C5, as groups or as kernels. Checks which SMX runs which TB, in this order.
 * Uses the last four SMXs of k20c; the others are kept occupied. */
static inline void expect_the_papers_example(unsigned kind, unsigned policy, const char *const want[4]) {
  const unsigned others = 9, smem = 192; /* all of an SMX */
  assert_int_equal(cfg.num_smx, 13);
  set_policy(policy);
  host_kernel(1000, 1, others);
  host.launch[0].smem = (uint16_t)smem;
  until(&tbs, others, 40);
  host_kernel(0, 0, 8);
  host.launch[1].smem = (uint16_t)smem;
  episode = 200;
  for (unsigned n = others; n < others + 14; n++) {
    until(&tbs, n + 1, 300);
    bool parent = tb[n].d.desc.param == desc_of(0, 1).param, p2 = tb[n].d.blkid == 2, p4 = tb[n].d.blkid == 4;
    if (!parent || (!p2 && !p4)) continue;
    if (kind == HD_KIND_GROUP)
      launch_group(tb[n].smx, tb[n].d.slot, p2 ? 1 : 2, p2 ? 2 : 4, n, n)->smem = (uint16_t)smem;
    else
      launch_kernel(tb[n].smx, tb[n].d.slot, p2 ? 1 : 2, p2 ? 2 : 4, 0)->smem = (uint16_t)smem;
  }
  for (unsigned s = 0; s < 4; s++) {
    char row[64] = "";
    for (unsigned n = others; n < tbs; n++)
      if (tb[n].smx == others + s) add_name(row, sizeof row, &tb[n]);
    assert_string_equal(row + 1, want[s]);
  }
}

/* Rows of the paper's figures, by enum hd_policy. */
static const char *const papers_rows[][4] = {
    {"P0 P4 C0 C4", "P1 P5 C1 C5", "P2 P6 C2", "P3 P7 C3"},
    {"P0 C0 C2 P6", "P1 C1 C3 P7", "P2 P4 C4", "P3 P5 C5"},
    {"P0 P4 C2 C3 C4 C5", "P1 P5 P7", "P2 C0 C1", "P3 P6"},
    {"P0 P4 C2 C4", "P1 P5 P7 C5", "P2 C0 C1", "P3 P6 C3"},
};

#endif
