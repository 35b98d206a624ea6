/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "service/regs.h"

#include <string.h>

#include "gen/hd_policies.h"

#define COUNTER_MASK ((UINT64_C(1) << 48) - 1)
#define COUNTER_BASE HD_REG_CYCLES_LO
#define CONFIG_BASE HD_REG_REC_BASE
#define STATUS_MASK ((1u << HD_STATUS_W) - 1)

/* Contents of an address. */
struct word {
  enum { UNMAPPED, CONSTANT, STATUS, GRAPH, CONFIG, COUNTER_LOW, COUNTER_HIGH } kind;
  unsigned index; /* of the constant, configuration word or counter */
};

static struct word decode(const struct hd_regs_cfg *cfg, unsigned addr) {
  if (addr % 4 != 0) return (struct word){UNMAPPED, 0};
  if (addr / 4 < HD_REG_CONSTS) return (struct word){CONSTANT, addr / 4};
  if (addr == HD_REG_STATUS) return (struct word){STATUS, 0};
  if (addr == HD_REG_GRAPH) return (struct word){cfg->has_graph ? GRAPH : UNMAPPED, 0};
  const unsigned config = (addr - CONFIG_BASE) / 4, counter = (addr - COUNTER_BASE) / 8;
  if (addr >= CONFIG_BASE && config < HD_MAX_NUM_CONFIG)
    return (struct word){cfg->has_config[config] ? CONFIG : UNMAPPED, config};
  if (addr < COUNTER_BASE || counter >= HD_NUM_COUNTERS || !cfg->has_count[counter]) return (struct word){UNMAPPED, 0};
  return (struct word){addr % 8 ? COUNTER_HIGH : COUNTER_LOW, counter};
}

size_t hd_regs_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_regs);
}

void hd_regs_init(struct hd_regs *m, const struct hd_cfg *cfg) {
  const uint32_t constant[] = HD_REG_CONST_VALUES(cfg), config[] = HD_REG_CONFIG_VALUES(cfg);
  const uint8_t has_config[] = HD_REG_CONFIG_HAS(cfg), has_count[] = HD_REG_COUNTER_HAS(cfg);
  memset(m, 0, sizeof *m);
  m->cfg.num_smx = cfg->num_smx;
  memcpy(m->cfg.constant, constant, sizeof constant);
  memcpy(m->cfg.config, config, sizeof config);
  memcpy(m->cfg.has_config, has_config, sizeof has_config);
  memcpy(m->cfg.has_count, has_count, sizeof has_count);
  m->cfg.has_graph = cfg->has_graph != 0;
  hd_regs_reset(m);
}

void hd_regs_reset(struct hd_regs *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  memcpy(m->config, m->cfg.config, sizeof m->config);
}

unsigned hd_regs_policy(const struct hd_regs *m) {
  return HD_POLICY_OF(m->config[HD_CONFIG_POLICY]);
}

void hd_regs_eval(const struct hd_regs *m, const struct hd_regs_in *in, struct hd_regs_out *out) {
  (void)in; /* all outputs are registered */
  out->pready = 1;
  out->prdata = m->prdata;
  out->pslverr = m->pslverr;
#define SHOW(field, word) out->config.field = m->config[HD_CONFIG_##word];
  HD_CONFIG_WORDS(SHOW)
#undef SHOW
  out->config.policy = (uint8_t)hd_regs_policy(m);
  out->config.throttle = m->config[HD_CONFIG_THROTTLE] & 1;
}

static uint32_t read_word(const struct hd_regs *m, struct word w) {
  switch (w.kind) {
    case CONSTANT:
      return m->cfg.constant[w.index];
    case STATUS:
      return m->status;
    case GRAPH:
      return (uint32_t)m->graph_code << 16 | m->graph_vid;
    case CONFIG:
      return m->config[w.index];
    case COUNTER_LOW:
      return (uint32_t)m->count[w.index];
    case COUNTER_HIGH:
      return m->shadow;
    default:
      return 0;
  }
}

/* The strobed bytes of pwdata as a mask. */
static uint32_t byte_mask(unsigned pstrb) {
  uint32_t mask = 0;
  for (unsigned b = 0; b < 4; b++) mask |= (pstrb >> b & 1) ? UINT32_C(0xff) << (8 * b) : 0;
  return mask;
}

/* Returns true if a write is refused. A region must not move while a kernel may use it. */
static bool locked(struct word w, bool busy) {
  return w.kind == CONSTANT || w.kind == GRAPH || (w.kind == CONFIG && w.index != HD_CONFIG_POLICY && busy);
}

static void setup_phase(struct hd_regs *m, const struct hd_apb *apb, bool busy) {
  struct word w = decode(&m->cfg, apb->paddr);
  m->setup = 1;
  m->pslverr = w.kind == UNMAPPED || (apb->pwrite && locked(w, busy));
  m->prdata = apb->pwrite ? 0 : read_word(m, w);
  if (!apb->pwrite && w.kind == COUNTER_LOW) m->shadow = (uint16_t)(m->count[w.index] >> 32);
}

/* Writes a counter; `was` is its value before this cycle's event, which is not counted. */
static void write_counter(struct hd_regs *m, const struct hd_apb *apb, struct word w, uint64_t was) {
  unsigned shift = w.kind == COUNTER_HIGH ? 32 : 0;
  uint64_t mask = (uint64_t)byte_mask(apb->pstrb) << shift;
  m->count[w.index] = ((was & ~mask) | ((uint64_t)apb->pwdata << shift & mask)) & COUNTER_MASK;
}

static void add(struct hd_regs *m, unsigned counter, unsigned n) {
  m->count[counter] = (m->count[counter] + n) & COUNTER_MASK;
}

static void count_device_events(struct hd_regs *m, const struct hd_regs_events *e) {
  for (unsigned c = HD_COUNT_DEV_KERNELS; c <= HD_COUNT_DEV_BAD; c++)
    add(m, c, e->dev_event >> (c - HD_COUNT_DEV_KERNELS) & 1);
  add(m, HD_COUNT_SEARCHES, e->searched);
  add(m, HD_COUNT_SEARCH_CYCLES, e->search);
  add(m, HD_COUNT_FETCHES, e->fetch);
  add(m, HD_COUNT_FETCH_WAIT, e->waiting);
  add(m, HD_COUNT_SLOT_WAIT, e->slot_wait);
  add(m, HD_COUNT_RECORDS_DONE, e->record_done);
  add(m, HD_COUNT_SPILLS, e->spill);
  add(m, HD_COUNT_REFILLS, e->refill);
  add(m, HD_COUNT_SUSPENDS, e->suspend);
  add(m, HD_COUNT_RESUMES, e->resume);
  add(m, HD_COUNT_OLDEST_WAIT, e->oldest_wait);
  add(m, HD_COUNT_GROUP_SPILLS, e->group_spill);
  add(m, HD_COUNT_GROUP_REFILLS, e->group_refill);
  add(m, HD_COUNT_INVERSIONS, e->inversion);
}

static void count_events(struct hd_regs *m, const struct hd_regs_events *e) {
  add(m, HD_COUNT_CYCLES, 1);
  if (e->answer >= 0 && e->answer <= HD_CODE_UNKNOWN_HWQ) add(m, HD_COUNT_ACCEPTED + (unsigned)e->answer, 1);
  add(m, HD_COUNT_KERNELS_IN, m->entered);
  add(m, HD_COUNT_KERNELS_DONE, e->kernel_done);
  add(m, HD_COUNT_CTAS_OUT, m->granted);
  add(m, HD_COUNT_CTAS_DONE, e->done_ok);
  add(m, HD_COUNT_DONE_EMPTY, e->done_empty);
  add(m, HD_COUNT_DONE_EARLY, e->done_early);
  add(m, HD_COUNT_BLOCKED, m->blocked);
  add(m, HD_COUNT_GRAPHS, e->over != NULL);
  add(m, HD_COUNT_GRAPH_PUB, e->pub_event);
  add(m, HD_COUNT_GRAPH_EARLY, e->early_event);
  add(m, HD_COUNT_GRAPH_BIG, e->big_event);
  count_device_events(m, e);
}

/* Codes from `refused` on have one bit each, in order. */
static unsigned code_bit(unsigned code) {
  return code >= HD_CODE_REFUSED && code <= HD_CODE_UNKNOWN_HWQ ? 1u << (code - HD_CODE_REFUSED) : 0;
}

/* Returns the status bit of a device launch's code: the host's where it exists. */
static unsigned device_code_bit(unsigned code, unsigned kind) {
  if (code == HD_CODE_REFUSED) return kind == HD_KIND_SAVE ? HD_STATUS_SAVE_REFUSED : HD_STATUS_DEV_REFUSED;
  if (code == HD_CODE_EMPTY_SLOT) return HD_STATUS_EMPTY_SLOT;
  return code_bit(code);
}

/* Returns true if a graph has ended with an error. */
static bool failed(const struct hd_regs_events *e) {
  return e->over && e->over->code != HD_GCODE_FINE;
}

/* Returns the status bits set in this cycle. Codes of graphs have one bit each, in order. */
static uint32_t status_events(const struct hd_regs_events *e) {
  unsigned set = device_code_bit(e->dev_code, e->dev_kind);
  if (e->answer >= 0) set |= code_bit((unsigned)e->answer);
  if (e->done_empty) set |= HD_STATUS_DONE_EMPTY;
  if (e->done_early) set |= HD_STATUS_DONE_EARLY;
  if (e->list_error) set |= HD_STATUS_MEM_LIST;
  if (e->record_error) set |= HD_STATUS_MEM_RECORD;
  if (e->pool_error) set |= HD_STATUS_MEM_POOL;
  if (e->suspend_error) set |= HD_STATUS_MEM_SUSPEND;
  if (e->spill_error) set |= HD_STATUS_MEM_SPILL;
  if (failed(e)) set |= HD_STATUS_GRAPH_MEMORY << (e->over->code - HD_GCODE_MEMORY);
  return set;
}

static void access_phase(struct hd_regs *m, const struct hd_apb *apb, const struct hd_regs_events *e) {
  struct word w = decode(&m->cfg, apb->paddr);
  bool counter = w.kind == COUNTER_LOW || w.kind == COUNTER_HIGH;
  uint64_t was = counter ? m->count[w.index] : 0;
  count_events(m, e);
  if (counter) write_counter(m, apb, w, was);
  uint32_t mask = byte_mask(apb->pstrb);
  if (w.kind == STATUS) m->status &= ~(apb->pwdata & mask);
  if (w.kind == CONFIG) m->config[w.index] = (m->config[w.index] & ~mask) | (apb->pwdata & mask);
}

void hd_regs_step(struct hd_regs *m, const struct hd_apb *apb, const struct hd_regs_events *e) {
  bool access = apb->psel && apb->penable && m->setup && apb->pwrite, write = access && !m->pslverr;
  bool stays = access && m->pslverr && decode(&m->cfg, apb->paddr).kind == CONFIG;
  m->setup = m->pslverr = 0;
  m->prdata = 0;
  if (apb->psel && !apb->penable) setup_phase(m, apb, e->busy);
  if (write) {
    access_phase(m, apb, e);
  } else {
    count_events(m, e);
  }
  m->granted = e->grant;
  m->blocked = e->blocked;
  m->entered = e->enter;
  m->status = (m->status | status_events(e) | (stays ? HD_STATUS_CONFIG_LOCKED : 0)) & STATUS_MASK;
  if (!failed(e)) return;
  m->graph_code = e->over->code;
  m->graph_vid = e->over->vid;
}

void hd_regs_skip(struct hd_regs *m, const struct hd_regs *before, uint64_t n) {
  for (unsigned k = 0; k < HD_NUM_COUNTERS; k++)
    m->count[k] = (m->count[k] + n * (m->count[k] - before->count[k])) & COUNTER_MASK;
}

void hd_regs_tick(struct hd_regs *m, const struct hd_regs_in *in) {
  uint64_t ok[HD_WORDS(HD_MAX_NUM_SMX)], empty[HD_WORDS(HD_MAX_NUM_SMX)], early[HD_WORDS(HD_MAX_NUM_SMX)];
  unsigned words = HD_WORDS(m->cfg.num_smx);
  hd_bits_from_bytes(ok, in->sched_done_ok, m->cfg.num_smx);
  hd_bits_from_bytes(empty, in->sched_done_empty, m->cfg.num_smx);
  hd_bits_from_bytes(early, in->sched_done_early, m->cfg.num_smx);
  const struct hd_apb apb = {in->psel, in->penable, in->pwrite, in->pstrb, in->paddr, in->pwdata};
  struct hd_regs_events e = {
      .answer = in->host_answer_valid && in->host_answer_ready ? in->host_answer.code : -1,
      .enter = in->kd_entry.valid,
      .kernel_done = in->kernel_done_valid && in->kernel_done_ready,
      .grant = in->sched_grant.valid || in->sched_take.valid || in->sched_graph_take,
      .blocked = in->sched_events.blocked,
      .done_ok = hd_bits_count(ok, words),
      .done_empty = hd_bits_count(empty, words),
      .done_early = hd_bits_count(early, words),
      .dev_code = in->devq_code,
      .dev_kind = in->devq_kind,
      .searched = in->match_events.searched,
      .search = in->match_events.compared,
      .fetch = in->ovfq_fetch,
      .waiting = in->sched_events.waiting,
      .slot_wait = in->sched_events.slot_wait,
      .record_done = in->record_done_valid && in->record_done_ready,
      .spill = in->pool_events.spill,
      .refill = in->pool_events.refill,
      .suspend = in->susp_events.suspend,
      .resume = in->susp_events.resume,
      .group_spill = in->laperm_put.valid,
      .group_refill = in->spill_back.valid && in->laperm_back_ready,
      .inversion = in->laperm_inversion,
      .oldest_wait = in->fcfs_next.valid,
      .busy = in->kd_busy || in->kin_busy,
      .list_error = in->ovfq_write_fail.valid,
      .record_error = in->ovfq_fetch_fail.valid,
      .pool_error = in->pool_events.error,
      .suspend_error = in->susp_events.error,
      .spill_error = in->spill_lost.valid,
      .over = in->dats_over.valid ? &in->dats_over.result : NULL,
      .pub_event = in->dgb_events.pub,
      .early_event = in->dgb_events.early,
      .big_event = in->dgb_events.big,
  };
  for (unsigned k = 0; k < sizeof in->devq_event; k++) e.dev_event |= (uint8_t)(in->devq_event[k] << k);
  hd_regs_step(m, &apb, &e);
}

void hd_regs_arch(const struct hd_regs *m, struct hd_regs_arch *a, bool tables) {
  (void)tables;
  a->status = m->status;
  memcpy(a->count, m->count, sizeof a->count);
  a->shadow = m->shadow;
  a->graph_code = m->graph_code;
  a->graph_vid = m->graph_vid;
  a->granted = m->granted;
  a->blocked = m->blocked;
  a->entered = m->entered;
  memcpy(a->config, m->config, sizeof a->config);
}
