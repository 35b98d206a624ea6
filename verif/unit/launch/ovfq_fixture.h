/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the ovfq tests: a memory, groups that are put, taken and handed out, a reference copy of each list, and
 * kernels that are suspended and resumed with their lists. Every group that leaves ovfq is checked: it must be the next
 * one of its list, with the content of its record. */
#ifndef HD_OVFQ_FIXTURE_H
#define HD_OVFQ_FIXTURE_H

#include "env/common/memory.h"
#include "launch/ovfq.h"
#include "unit/util.h"

enum { BASE = 0x10000, BYTES = 1 << 21, LOG = 1 << 15, BURSTS = 1 << 10, KERNELS = 4 };

static struct hd_cfg cfg;
static struct hd_ovfq *m;
static struct hd_ovfq_in in;
static struct hd_ovfq_out out;
/* A memory that accepts every request at once and answers `port.latency` cycles later. */
static struct hd_memory_bursts port;
static uint8_t bytes[BYTES];
static bool stall_requests, stall_beats, fail_write; /* fail_write: the next answer is an error */
static int fail_beat;                                /* this beat of the next read is an error; -1: none */
static bool keen, lazy;                              /* groups are taken at once; taken groups are not handed out */
static bool room[2];                                 /* room one and two cycles ago */
static unsigned now, popped_at, seen;                /* cycles; cycle of the last pop; groups handed out */
static unsigned write_fails, fetch_fails, events;
/* Words put into the list of each kernel; the places `first` .. `next` - 1 are in use. */
static struct {
  uint32_t word[LOG];
  unsigned first, next, n;
} list[KERNELS];
/* Bursts that were requested. */
static struct hd_memreq burst[BURSTS];
static unsigned bursts;

static inline uint64_t lists_size(void) {
  return (uint64_t)cfg.num_list * (m->mask + 1) * 4;
}

/* Content of record n; its level exceeds the highest level of some configurations. */
static inline void write_record(uint32_t n, uint32_t ctas) {
  uint8_t *r = bytes + lists_size() + (uint64_t)64 * n;
  for (unsigned k = 0; k < 64; k++) r[k] = (uint8_t)(n * 7 + k);
  hd_memory_put(r + 8, 8, (uint64_t)n << 6);
  hd_memory_put(r + 27, 1, n % 8);
  hd_memory_put(r + 32, 4, n * 3);
  hd_memory_put(r + 36, 2, n * 5);
  hd_memory_put(r + 38, 2, n * 11);
  hd_memory_put(r + 40, 4, ctas);
}

static inline struct hd_info info_of(uint32_t n) {
  struct hd_info i = {.param = n, .ctas = n + 1};
  i.level = (uint8_t)(n % 8 < cfg.max_level ? n % 8 : cfg.max_level);
  i.grid_x = (uint16_t)(n * 3);
  i.grid_y = (uint16_t)(n * 5);
  i.grid_z = (uint8_t)(n * 11);
  return i;
}

/* Runs one cycle, after which `mask` is up to date and the lists have records behind them. */
static inline void set_regions(uint32_t records) {
  in.regs_config.rec_count = records;
  hd_ovfq_tick(m, &in);
  in.regs_config.list_base = BASE / 256;
  in.regs_config.rec_base = (uint32_t)((BASE + lists_size()) / 256);
  assert_true(lists_size() + (uint64_t)64 * records <= BYTES);
  for (uint32_t n = 0; n < records; n++) write_record(n, n + 1);
}

/* tiny, with lists that wrap around soon. */
static inline struct hd_cfg small(void) {
  return ut_cfg_but(ut_cfg("tiny"), "ListPosW", 7);
}

static inline void start_with(struct hd_cfg c, uint32_t records) {
  cfg = c;
  m = ut_new(hd_ovfq_size(&cfg));
  hd_ovfq_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&port, 0, sizeof port);
  memset(list, 0, sizeof list);
  memset(bytes, 0xff, sizeof bytes);
  port.latency = 1;
  stall_requests = stall_beats = fail_write = lazy = false;
  keen = room[0] = room[1] = true;
  fail_beat = -1;
  now = popped_at = seen = write_fails = fetch_fails = events = bursts = 0;
  for (unsigned k = 0; k < cfg.num_kde; k++) in.kd_kin[k] = (uint16_t)(k % cfg.num_kin);
  set_regions(records);
}

static inline int setup(void **state) {
  (void)state;
  start_with(small(), 100); /* 2 kernels, 8 parent records, 4 rows, a window of 16 places, lists of 128 places */
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline void serve(void) {
  hd_memory_drive_bursts(&port, NULL, NULL, &out.mem, bytes, BASE, sizeof bytes);
  if (stall_requests) port.pins.ready = 0;
  if (stall_beats) port.pins.take = 0;
  in.mem = port.pins;
  in.mem.b_error = in.mem.b_valid && fail_write;
  if (in.mem.b_valid) fail_write = false;
  in.mem.r.error = in.mem.r_valid && fail_beat == (int)m->beat;
  if (in.mem.r.error) fail_beat = -1;
}

/* Checks that the offered group is the next one of its list. */
static inline void watch_next(void) {
  unsigned k = out.over.kdei;
  static const struct hd_info nothing;
  assert_int_equal(k, m->tag_kdei);
  assert_true(list[k].next < list[k].n);
  uint32_t word = list[k].word[list[k].next % LOG];
  assert_int_equal((uint32_t)out.over.group.self.onchip << 31 | out.over.group.self.index, word);
  struct hd_info info = word >> 31 ? nothing : info_of(word);
  assert_memory_equal(&out.over.group.info, &info, sizeof info);
}

static inline void drop(unsigned k) {
  list[k].first = list[k].next = list[k].n;
}

/* Updates the reference lists by this cycle. */
static inline void follow_lists(void) {
  unsigned tag = m->tag_kdei;
  bool stop = m->tag_valid != in.sched_sscr.valid || tag != in.sched_sscr.kdei;
  if (in.link_link.over)
    list[in.link_link.kdei].word[list[in.link_link.kdei].n++ % LOG] =
        (uint32_t)in.link_link.ptr.onchip << 31 | in.link_link.ptr.index;
  if (in.agt_over_pop) list[tag].next++, popped_at = now;
  if (in.sched_advance) list[in.sched_sscr.kdei].first++, seen++;
  for (unsigned k = 0; k < 2; k++)
    if (in.fails[k].valid) drop(in.fails[k].kdei);
  if (out.write_fail.valid) drop(out.write_fail.kdei);
  if (out.fetch_fail.valid) drop(out.fetch_fail.kdei);
  write_fails += out.write_fail.valid;
  fetch_fails += out.fetch_fail.valid;
  events += out.fetch;
  if (stop && m->tag_valid) list[tag].next = list[tag].first;
}

/* Runs one cycle; then `out` holds its outputs. A group is handed out in the cycle after it was taken. */
static inline void cycle(void) {
  unsigned tag = m->tag_kdei;
  serve();
  in.agt_over_pop = keen && hd_ovfq_over_valid(m);
  bool stays = m->tag_valid && in.sched_sscr.valid && in.sched_sscr.kdei == tag;
  in.sched_advance = !lazy && stays && list[tag].next > list[tag].first && popped_at < now;
  hd_ovfq_eval(m, &in, &out);
  if (out.over.valid) watch_next();
  if (out.mem.valid && in.mem.ready) burst[bursts++ % BURSTS] = out.mem.req;
  follow_lists();
  hd_ovfq_tick(m, &in);
  in.link_link.over = in.fails[0].valid = in.fails[1].valid = in.kd_take.valid = in.kd_entry.valid =
      in.kmu_offer.kernel.resumed = 0;
  in.link_link.kdei = in.fails[0].kdei = in.fails[1].kdei = in.kd_take.kdei = in.kd_entry.kdei = 0;
  in.link_link.ptr = (struct hd_ptr){0};
  in.kmu_offer.kernel.over = (struct hd_memlist){0};
  in.kmu_offer.kernel.kin = 0;
  room[1] = room[0];
  room[0] = out.room;
  now++;
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

/* Sets the inputs of the cycle in which a group is put. */
static inline void offer(unsigned k, bool onchip, uint32_t index) {
  assert_true(room[1]);
  in.link_link.over = 1;
  in.link_link.kdei = (uint8_t)k;
  in.link_link.ptr = (struct hd_ptr){.onchip = onchip, .index = index};
}

static inline void put(unsigned k, bool onchip, uint32_t index) {
  for (unsigned t = 0; t < 1000 && !room[1]; t++) cycle();
  offer(k, onchip, index);
  cycle();
}

/* Puts n records, starting with this one. */
static inline void put_records(unsigned k, uint32_t index, unsigned n) {
  for (unsigned j = 0; j < n; j++) put(k, false, index + j);
}

static inline void current(unsigned k) {
  in.sched_sscr.valid = 1;
  in.sched_sscr.kdei = (uint8_t)k;
}

static inline void no_current(void) {
  in.sched_sscr.valid = in.sched_sscr.kdei = 0;
}

/* Runs until `out` reports no pending reads, writes or answers. */
static inline void settle(void) {
  for (unsigned t = 0; t < 3000; t++) {
    cycle();
    bool writes = m->w_count || m->w_flight, reads = m->r_flight || m->op;
    bool pending = m->out_pending || m->in_pending;
    if (writes || reads || pending || m->at || (m->tag_valid && !m->run)) continue;
    cycle();
    return;
  }
  fail_msg("the port is never idle");
}

/* Hands out all groups of the kernel in the SSCR. */
static inline void drain(unsigned k) {
  unsigned start = now;
  while (list[k].first < list[k].n) {
    cycle();
    if (now - start > 50000) fail_msg("group %u of %u never comes", list[k].first, list[k].n);
  }
  idle(4);
  assert_int_equal(out.there[k] || out.over.valid, 0);
}

static inline struct hd_ovfq_arch *arch(void) {
  static struct hd_ovfq_arch a;
  hd_ovfq_arch(m, &a, true);
  return &a;
}

/* Address of place p of list n, as the documentation states it. */
static inline uint64_t place(unsigned n, uint32_t p) {
  uint32_t q = p & m->mask;
  return (uint64_t)256 * (BASE / 256 + cfg.num_list * (q / 64) + n) + 4 * (q % 64);
}

/* Number of bursts of that kind since `from`: 'w' writes, 'l' reads of lists, 'r' of records. */
static inline unsigned count_bursts(unsigned from, char kind) {
  unsigned n = 0;
  for (unsigned k = from; k < bursts; k++) {
    const struct hd_memreq *b = &burst[k % BURSTS];
    n += kind == (b->write ? 'w' : b->addr < BASE + lists_size() ? 'l' : 'r');
  }
  return n;
}

static inline uint32_t stored(unsigned n, uint32_t p) {
  return (uint32_t)hd_memory_get(bytes + place(n, p) - BASE, 4);
}

/* List state of the last suspended kernel. */
static uint32_t away_word[LOG];
static unsigned away_n;
static struct hd_memlist away;

/* Sets the inputs of the cycle in which the kernel is suspended. */
static inline void take(unsigned k) {
  in.kd_take.valid = 1;
  in.kd_take.kdei = (uint8_t)k;
  away_n = list[k].n - list[k].first;
  for (unsigned n = 0; n < away_n; n++) away_word[n] = list[k].word[(list[k].first + n) % LOG];
  drop(k);
}

/* Runs the cycle after it. */
static inline void watch_taken(void) {
  cycle();
  away = out.taken;
  assert_int_equal(away.count, away_n);
  cycle();
  assert_int_equal(out.taken.first || out.taken.count, 0);
}

/* Sets the inputs of the cycle in which a kernel without groups enters. */
static inline void enter(unsigned k) {
  in.kd_entry.valid = 1;
  in.kd_entry.kdei = (uint8_t)k;
}

static inline void resume(unsigned k, unsigned kin) {
  enter(k);
  in.kmu_offer.kernel.resumed = 1;
  in.kmu_offer.kernel.kin = (uint16_t)kin;
  in.kmu_offer.kernel.over = away;
  for (unsigned n = 0; n < away_n; n++) list[k].word[list[k].n++ % LOG] = away_word[n];
  in.kd_kin[k] = (uint16_t)kin;
}

#endif
