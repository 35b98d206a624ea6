/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/regs_oracle.h"

#include "gen/hd_policies.h"
#include "gen/hd_regs_map.h"
#include "gen/hd_regs_ports.h"

/* The rules, from the register map and docs/service/regs.md:
 *  1  A read returns the word as it was in its setup phase; prdata is 0 outside the access phase. A transfer is
 *     answered with an error and has no effect if its address has no register, if it writes a constant, or if it writes
 *     a configuration word other than POLICY while a kernel is in the KD or a device kernel is incomplete.
 *  2  Constants contain the configuration.
 *  3  A configuration word is the last written value, byte by byte, initially its reset value.
 *  4  A bit of STATUS is set from its event until a 1 is written to it; an event in the cycle of the write wins.
 *  5  A counter is its last written value plus the events since, without those in the cycle of the write. CYCLES counts
 *     all cycles. Granted TBs, blocked cycles and entering kernels count one cycle later.
 *  6  The high half of a counter reads as it was at the last read of a low half.
 *  7  GRAPH contains VID and code of the last graph that ended with an error. */

enum { HALVES = 2 * HD_NUM_COUNTERS };

struct oracle {
  struct hd_cfg cfg;
  uint64_t count[HD_NUM_COUNTERS];
  uint32_t config[HD_MAX_NUM_CONFIG];
  uint32_t status, data; /* data: prdata that is due in the access phase */
  uint32_t graph;
  uint16_t high;
  uint8_t setup, error;
  uint8_t granted, blocked, entered; /* in the cycle before */
};

size_t hd_regs_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

void hd_regs_oracle_init(void *o_, const struct hd_cfg *cfg) {
  const uint32_t config[] = HD_REG_CONFIG_VALUES(cfg);
  struct oracle *o = o_;
  *o = (struct oracle){.cfg = *cfg};
  memcpy(o->config, config, sizeof config);
}

/* Returns the index of the word at an address among `words` words from `base` on, or -1. */
static int word_in(unsigned addr, unsigned base, unsigned words) {
  return addr % 4 == 0 && addr >= base && addr < base + 4 * words ? (int)((addr - base) / 4) : -1;
}

static uint32_t read_word(struct oracle *o, unsigned addr) {
  const uint32_t constant[] = HD_REG_CONST_VALUES(&o->cfg);
  int half = word_in(addr, HD_REG_CYCLES_LO, HALVES);
  if (word_in(addr, HD_REG_ID, HD_REG_CONSTS) >= 0) return constant[addr / 4];
  if (addr == HD_REG_STATUS) return o->status;
  if (addr == HD_REG_GRAPH) return o->graph;
  if (half < 0) return o->config[word_in(addr, HD_REG_REC_BASE, HD_MAX_NUM_CONFIG)];
  if (half % 2) return o->high;
  o->high = (uint16_t)(o->count[half / 2] >> 32);
  return (uint32_t)o->count[half / 2];
}

/* Returns true if a configuration word is at an address. */
static bool at_config(const struct oracle *o, unsigned addr) {
  const uint8_t has[] = HD_REG_CONFIG_HAS(&o->cfg);
  const int word = word_in(addr, HD_REG_REC_BASE, HD_MAX_NUM_CONFIG);
  return word >= 0 && has[word];
}

static bool is_wrong(const struct oracle *o, const struct hd_regs_in *in) {
  const uint8_t has[] = HD_REG_COUNTER_HAS(&o->cfg);
  const unsigned addr = in->paddr;
  const int half = word_in(addr, HD_REG_CYCLES_LO, HALVES);
  if (addr == HD_REG_GRAPH) return !o->cfg.has_graph || in->pwrite;
  if (word_in(addr, HD_REG_ID, HD_REG_CONSTS) >= 0) return in->pwrite;
  if (at_config(o, addr)) return in->pwrite && addr != HD_REG_POLICY && (in->kd_busy || in->kin_busy);
  return addr != HD_REG_STATUS && (half < 0 || !has[half / 2]);
}

/* ---- events ---- */

static void count(struct oracle *o, const struct hd_regs_in *in) {
  uint64_t *n = o->count;
  n[HD_COUNT_CYCLES]++;
  if (in->host_answer_valid && in->host_answer_ready && in->host_answer.code <= HD_CODE_UNKNOWN_HWQ)
    n[HD_COUNT_ACCEPTED + in->host_answer.code]++;
  n[HD_COUNT_KERNELS_IN] += o->entered;
  n[HD_COUNT_KERNELS_DONE] += in->kernel_done_valid && in->kernel_done_ready;
  n[HD_COUNT_CTAS_OUT] += o->granted;
  n[HD_COUNT_BLOCKED] += o->blocked;
  o->granted = in->sched_grant.valid || in->sched_take.valid || in->sched_graph_take;
  o->blocked = in->sched_events.blocked;
  o->entered = in->kd_entry.valid;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    n[HD_COUNT_CTAS_DONE] += in->sched_done_ok[s];
    n[HD_COUNT_DONE_EMPTY] += in->sched_done_empty[s];
    n[HD_COUNT_DONE_EARLY] += in->sched_done_early[s];
  }
  for (unsigned k = 0; k < sizeof in->devq_event; k++) n[HD_COUNT_DEV_KERNELS + k] += in->devq_event[k];
  const struct {
    unsigned counter;
    bool event;
  } single[] = {{HD_COUNT_SEARCHES, in->match_events.searched},
                {HD_COUNT_SEARCH_CYCLES, in->match_events.compared},
                {HD_COUNT_FETCHES, in->ovfq_fetch},
                {HD_COUNT_FETCH_WAIT, in->sched_events.waiting},
                {HD_COUNT_SLOT_WAIT, in->sched_events.slot_wait},
                {HD_COUNT_RECORDS_DONE, in->record_done_valid && in->record_done_ready},
                {HD_COUNT_SPILLS, in->pool_events.spill},
                {HD_COUNT_REFILLS, in->pool_events.refill},
                {HD_COUNT_SUSPENDS, in->susp_events.suspend},
                {HD_COUNT_RESUMES, in->susp_events.resume},
                {HD_COUNT_OLDEST_WAIT, in->fcfs_next.valid},
                {HD_COUNT_GROUP_SPILLS, in->laperm_put.valid},
                {HD_COUNT_GROUP_REFILLS, in->spill_back.valid && in->laperm_back_ready},
                {HD_COUNT_INVERSIONS, in->laperm_inversion},
                {HD_COUNT_GRAPHS, in->dats_over.valid},
                {HD_COUNT_GRAPH_PUB, in->dgb_events.pub},
                {HD_COUNT_GRAPH_EARLY, in->dgb_events.early},
                {HD_COUNT_GRAPH_BIG, in->dgb_events.big}};
  for (unsigned k = 0; k < sizeof single / sizeof *single; k++) n[single[k].counter] += single[k].event;
  for (unsigned k = 0; k < HD_NUM_COUNTERS; k++) n[k] &= (UINT64_C(1) << 48) - 1;
}

/* Returns the STATUS bits set by the answers to launches. */
static uint32_t code_events(const struct hd_regs_in *in) {
  static const uint32_t bit[] = {
      [HD_CODE_ZERO_DIM] = HD_STATUS_ZERO_DIM,     [HD_CODE_OVER_LIMIT] = HD_STATUS_OVER_LIMIT,
      [HD_CODE_NEVER_FITS] = HD_STATUS_NEVER_FITS, [HD_CODE_UNKNOWN_HWQ] = HD_STATUS_UNKNOWN_HWQ,
      [HD_CODE_EMPTY_SLOT] = HD_STATUS_EMPTY_SLOT, [HD_CODE_KEPT] = 0};
  uint32_t set = in->devq_code <= HD_CODE_KEPT ? bit[in->devq_code] : 0;
  if (in->devq_code == HD_CODE_REFUSED)
    set |= in->devq_kind == HD_KIND_SAVE ? HD_STATUS_SAVE_REFUSED : HD_STATUS_DEV_REFUSED;
  if (!in->host_answer_valid || !in->host_answer_ready) return set;
  if (in->host_answer.code == HD_CODE_REFUSED) set |= HD_STATUS_REFUSED;
  return set | (in->host_answer.code <= HD_CODE_UNKNOWN_HWQ ? bit[in->host_answer.code] : 0);
}

static uint32_t status_events(const struct oracle *o, const struct hd_regs_in *in) {
  uint32_t set = code_events(in);
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (in->sched_done_empty[s]) set |= HD_STATUS_DONE_EMPTY;
    if (in->sched_done_early[s]) set |= HD_STATUS_DONE_EARLY;
  }
  if (in->ovfq_write_fail.valid) set |= HD_STATUS_MEM_LIST;
  if (in->ovfq_fetch_fail.valid) set |= HD_STATUS_MEM_RECORD;
  if (in->pool_events.error) set |= HD_STATUS_MEM_POOL;
  if (in->susp_events.error) set |= HD_STATUS_MEM_SUSPEND;
  if (in->spill_lost.valid) set |= HD_STATUS_MEM_SPILL;
  static const uint32_t graph[] = {
      0,
      HD_STATUS_GRAPH_MEMORY,
      HD_STATUS_GRAPH_STARTS,
      HD_STATUS_GRAPH_LEVEL,
      HD_STATUS_GRAPH_EDGE,
      HD_STATUS_GRAPH_COUNT,
      HD_STATUS_GRAPH_STUCK,
      HD_STATUS_GRAPH_DESC,
  };
  return set | (in->dats_over.valid ? graph[in->dats_over.result.code] : 0);
}

/* ---- a cycle ---- */

static uint32_t with_bytes(uint32_t was, const struct hd_regs_in *in) {
  for (unsigned b = 0; b < 4; b++) {
    uint32_t byte = UINT32_C(0xff) << 8 * b;
    if (in->pstrb >> b & 1) was = (was & ~byte) | (in->pwdata & byte);
  }
  return was;
}

/* Applies the write of this access phase. was: the counters before the events of this cycle. */
static void take_write(struct oracle *o, const struct hd_regs_in *in, const uint64_t *was) {
  int half = word_in(in->paddr, HD_REG_CYCLES_LO, HALVES);
  int word = word_in(in->paddr, HD_REG_REC_BASE, HD_MAX_NUM_CONFIG);
  if (in->paddr == HD_REG_STATUS) o->status &= ~with_bytes(0, in);
  if (word >= 0) o->config[word] = with_bytes(o->config[word], in);
  if (half < 0) return;
  uint32_t low = (uint32_t)was[half / 2], high = (uint32_t)(was[half / 2] >> 32);
  *(half % 2 ? &high : &low) = with_bytes(half % 2 ? high : low, in);
  o->count[half / 2] = (uint64_t)(high & 0xffff) << 32 | low;
}

static const char *shown(const struct oracle *o, const struct hd_regs_out *out) {
  if (!out->pready) return "rule 1: pready is 0";
  if (out->pslverr != (o->setup && o->error))
    return "rule 1: pslverr is set where no error is due, or clear where one is";
  if (out->prdata != o->data) return "rules 1 to 7: prdata is not the word that is due";
  struct hd_settings config = {0};
#define SET(field, word) config.field = o->config[HD_CONFIG_##word];
  HD_CONFIG_WORDS(SET)
#undef SET
  const uint32_t policy = o->config[HD_CONFIG_POLICY] & HD_POLICY_MASK;
  config.policy = (uint8_t)(policy < HD_NUM_POLICY ? policy : HD_POLICY_RR);
  config.throttle = o->config[HD_CONFIG_THROTTLE] & 1;
  return memcmp(&out->config, &config, sizeof config) ? "rule 3: a configuration word differs from the written one"
                                                      : NULL;
}

const char *hd_regs_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_regs_in *in = in_;
  const char *rule = shown(o, out_);
  uint64_t was[HD_NUM_COUNTERS];
  (void)cycle;
  bool setup = in->psel && !in->penable, access = in->psel && in->penable && in->pwrite && o->setup;
  bool write = access && !o->error;
  bool stays = access && o->error && at_config(o, in->paddr);
  memcpy(was, o->count, sizeof was);
  o->data = 0;
  o->setup = setup;
  o->error = setup && is_wrong(o, in);
  if (setup && !in->pwrite && !o->error) o->data = read_word(o, in->paddr);
  count(o, in);
  if (write) take_write(o, in, was);
  o->status |= status_events(o, in) | (stays ? HD_STATUS_CONFIG_LOCKED : 0);
  if (in->dats_over.valid && in->dats_over.result.code)
    o->graph = (uint32_t)in->dats_over.result.code << 16 | in->dats_over.result.vid;
  return rule;
}
