/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/launch/ovfq_parts.h"

/* Contents of an unwritten place if no old lists exist: mostly the number of no valid record. */
enum { UNWRITTEN = 0xa5a5a5a5u & 0x7fffffff };

/* ---- Regions ---- */

/* Returns true if no list holds a group and no group or request is in flight. */
static bool is_quiet(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_out *now) {
  bool quiet = !s->live && !now->mem.valid && !s->port.reads && !s->port.writes;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) quiet = quiet && !now->unanswered[k] && !now->there[k];
  return quiet;
}

/* Often few records; otherwise the last of very many, or a part of more than there are numbers. */
static void set_records(struct hd_ovfq_neighbours *s, struct hd_rng *rng) {
  const uint32_t all = 1u << s->cfg.list_pos_w, agt = s->cfg.agt_size;
  const uint32_t counts[] = {0,   3,   20,  64 - agt % 64, 65 - agt % 64,     60, 100, all - agt,
                             all, 300, 400, 5000,          hd_huge_count(rng)};
  s->rec_count = counts[hd_rng_below(rng, sizeof counts / sizeof *counts)];
  s->records = s->rec_count < all - agt ? s->rec_count : all - agt;
  if (s->records > HD_OVFQ_RECORDS) s->records = HD_OVFQ_RECORDS;
  s->first_record = 0;
  if (hd_rng_p(rng, 128)) return;
  s->records = HD_OVFQ_RECORDS;
  s->first_record = hd_rng_below(rng, (UINT32_C(1) << s->cfg.rec_w) - HD_OVFQ_RECORDS);
  s->rec_count = s->first_record + HD_OVFQ_RECORDS;
  if (hd_rng_p(rng, 192)) return;
  s->rec_count = hd_rng_p(rng, 128) ? UINT32_MAX : UINT32_C(1) << 31 | (uint32_t)hd_rng_bits(rng, 31);
}

/* Returns the address of the first record in use. */
static uint64_t records_at(const struct hd_ovfq_neighbours *s) {
  return (uint64_t)s->rec_base * 256 + (uint64_t)s->first_record * 64;
}

/* Chooses regions of any address and size whose used parts do not overlap. They may wrap around the end of the address
 * space. */
void hd_ovfq_set_regions(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now) {
  if (s->started && !(s->settle && is_quiet(s, now))) return;
  s->started = 1;
  s->settle = 0;
  set_records(s, rng);
  s->mask = hd_lists_mask(&s->cfg, s->rec_count);
  s->ages = s->cfg.agt_size < HD_OVFQ_AGES ? s->cfg.agt_size : HD_OVFQ_AGES;
  uint64_t mask = hd_memory_mask(&s->cfg), list_size = hd_lists_bytes(&s->cfg, s->mask), rec_size, apart;
  do {
    s->list_base = (uint32_t)hd_rng_bits(rng, 32);
    s->rec_base = (uint32_t)hd_rng_bits(rng, 32);
    rec_size = (uint64_t)s->records * 64;
    apart = (records_at(s) - (uint64_t)s->list_base * 256) & mask;
  } while (apart < list_size || mask - apart < rec_size);
}

/* ---- Memory ---- */

static uint64_t record_half(const struct hd_ovfq_neighbours *s, uint32_t number, unsigned half) {
  struct hd_rng hash = {(uint64_t)s->seed[number] << 32 | number << 8 | half};
  uint64_t v = hd_rng_next(&hash);
  if (half == 3 && v >> 60) v &= ~(UINT64_C(0xf0) << 24); /* most levels are not above 15 */
  if (half == 3 && v >> 62) v &= ~(UINT64_C(0x0c) << 24);
  if (half == 5 && s->hollow[number]) v &= ~UINT64_C(0xffffffff);
  if (half == 5 && !s->hollow[number]) v |= !(uint32_t)v;
  return v;
}

/* Returns the pointer in a place: the one written there, or one that might have been written before the reset. */
static uint32_t read_place(const struct hd_ovfq_neighbours *s, uint32_t n, uint32_t q) {
  struct hd_rng hash = {(uint64_t)s->salt << 32 | n << HD_MAX_LIST_POS_W | q};
  uint64_t v = hd_rng_next(&hash);
  if (s->at[n][q % HD_OVFQ_KEPT] == q + 1) return s->word[n][q % HD_OVFQ_KEPT];
  if (!s->salt) return UNWRITTEN;
  if (!s->records || v % 3 == 0) return UINT32_C(1) << 31 | (uint32_t)(v >> 32) % s->ages;
  return s->first_record + (uint32_t)(v >> 32) % s->records;
}

static void read_half(const struct hd_ovfq_neighbours *s, uint64_t addr, uint64_t *half) {
  uint64_t at = (addr - records_at(s)) & hd_memory_mask(&s->cfg);
  uint32_t n, q;
  if (hd_lists_find(&s->cfg, addr, s->list_base, s->mask, &n, &q)) {
    *half = (uint64_t)read_place(s, n, q + 1) << 32 | read_place(s, n, q);
  } else if (at < s->records * UINT64_C(64)) {
    *half = record_half(s, (uint32_t)(at / 64), at % 64 / 8);
  }
}

static void write_beat(struct hd_ovfq_neighbours *s, uint64_t addr, const struct hd_membeat *b) {
  uint32_t n, q;
  if (!hd_lists_find(&s->cfg, addr, s->list_base, s->mask, &n, &q)) return;
  for (unsigned k = 0; k < 4; k++, q++) {
    if (!(b->strb >> 4 * k & 1)) continue;
    s->word[n][q % HD_OVFQ_KEPT] = (uint32_t)((k < 2 ? b->lo : b->hi) >> 32 * (k % 2));
    s->at[n][q % HD_OVFQ_KEPT] = q + 1;
  }
}

/* The port is that of a memory without bytes; the contents are kept here, by list and record. An error beat often
 * carries other data. */
void hd_ovfq_drive_memory(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_ovfq_out *out, struct hd_ovfq_in *in) {
  struct hd_memory_bursts *m = &s->port;
  unsigned youngest = (m->first_write + m->writes + HD_MEMORY_FLIGHT - 1u) % HD_MEMORY_FLIGHT, oldest = m->first_read;
  if (m->pins.take) write_beat(s, m->write[youngest].addr, &out->mem.wbeat);
  m->holds_reads = s->drips > 0;
  hd_memory_drive_bursts(m, rng, p, &out->mem, NULL, 0, 0);
  if (m->pins.r_valid && !(m->pins.r.error && hd_rng_p(rng, 128))) {
    uint64_t addr = m->read[oldest].addr - 16;
    read_half(s, addr, &m->pins.r.lo);
    read_half(s, addr + 8, &m->pins.r.hi);
  }
  in->mem = m->pins;
}
