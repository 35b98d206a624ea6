/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/dev_begin.h"

#include <string.h>

#include "env/common/memory.h"
#include "env/common/rings.h"
#include "gen/hd_regs_map.h"

static struct hd_dev_program random_program(struct hd_rng *rng, const struct hd_cfg *cfg, unsigned k) {
  struct hd_dev_program p = {.pc = hd_rng_bits(rng, 37) << 3 | k};
  uint32_t units = cfg->smem_units_per_smx, threads = cfg->threads_per_smx < 1024 ? cfg->threads_per_smx : 1024;
  p.threads = (uint16_t)(1 + hd_rng_below(rng, threads >> hd_rng_below(rng, 5)));
  p.cta_x = p.threads;
  p.cta_y = p.cta_z = 1;
  if (hd_rng_p(rng, 64)) { /* the plane does not multiply the dimensions */
    p.cta_x = (uint16_t)(hd_rng_p(rng, 64) ? 1024 : 1 + hd_rng_below(rng, 1024));
    p.cta_y = (uint16_t)(hd_rng_p(rng, 64) ? 1024 : 1 + hd_rng_below(rng, 1024));
    p.cta_z = (uint8_t)(1 + hd_rng_below(rng, 64));
  }
  p.smem = (uint16_t)(hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, (units >> hd_rng_below(rng, 4)) + 1));
  p.regs = (uint8_t)hd_rng_below(rng, 17);
  return p;
}

/* From a memory that answers at once to one that is slow, reorders answers, or fails. */
static struct hd_axi_profile random_memory(struct hd_rng *rng) {
  struct hd_axi_profile m = {.name = "random", .latency_min = 1, .latency_max = 1, .sink = 256, .source = 256};
  switch (hd_rng_below(rng, 4)) {
    case 0:
      break;
    case 1:
      m.latency_max = 8;
      m.reorder = true;
      m.sink = m.source = 160;
      break;
    case 2:
      m.latency_min = 20;
      m.latency_max = 120;
      m.reorder = true;
      break;
    default:
      m.latency_max = 300;
      m.reorder = true;
      m.sink = m.source = 100;
  }
  m.exokay = hd_rng_p(rng, 128) ? 0 : 32;
  if (hd_rng_p(rng, 128)) m.errors = 1u << (9 + hd_rng_below(rng, 5));
  if (hd_rng_p(rng, 24)) m.errors = 8192, m.together = true;
  return m;
}

/* Returns a size from 0 to `most`, small ones more often. */
static uint32_t random_size(struct hd_rng *rng, uint32_t most) {
  return hd_rng_below(rng, (most >> hd_rng_below(rng, 8)) + 1);
}

/* Returns the size of the region of groups that wait for their bank: usually for rings of one of the three smallest
 * sizes, so that they fill and wrap; or for rings of any size; or none, or too small for rings. */
static uint32_t random_rings(const struct hd_dev *d, struct hd_rng *rng) {
  const unsigned orders = hd_rng_p(rng, 200) ? 3 : 24;
  const uint32_t count = hd_rings_count(&d->cfg, rng, orders);
  return hd_rings_order(&d->cfg, count) >= 0 || hd_rng_p(rng, 100) ? count : hd_rings_count(&d->cfg, rng, orders);
}

/* Profiles "overflow" and "failing": almost all launches are groups, and all hash to one AGE. The memory is slow and
 * never fails ("overflow"), or fails often, on reads and writes in the same cycle ("failing"). The rings of groups that
 * wait for their bank are small. */
static void begin_collisions(struct hd_dev *d, struct hd_rng *rng, struct hd_axi_profile *memory, bool failing) {
  *memory = (struct hd_axi_profile){.name = "slow", .latency_min = 20, .latency_max = 150, .sink = 160, .source = 160};
  if (failing) *memory = (struct hd_axi_profile){.name = "failing", .latency_min = 1, .latency_max = 40};
  if (failing) memory->sink = memory->source = 256, memory->errors = 8192, memory->together = true;
  memory->reorder = true;
  d->config[1] = HD_DEV_RECORDS;
  d->config[3] = d->cfg.pool_rows;
  d->config[5] = d->cfg.num_kin;
  d->config[HD_CONFIG_SPILL_COUNT] = d->cfg.ring_queues << (d->cfg.ring_order_min + hd_rng_below(rng, 3));
  d->groups = 250;
  d->one_hwtid = 1;
  d->deepest = 4;
}

/* Makes TBs launch without ending for some time: a large AGT, or a list with fewer places than there are records, does
 * not fill otherwise; nor do large banks, beyond which groups wait in memory. */
static void random_hoard(struct hd_dev *d, struct hd_rng *rng) {
  const uint32_t places = UINT32_C(1) << d->cfg.list_pos_w;
  const bool age = d->cfg.agt_size >= 64, list = places < HD_DEV_RECORDS;
  if (!(age || list) || !hd_rng_p(rng, 96)) return;
  if (hd_rng_p(rng, 192)) d->config[HD_CONFIG_SPILL_COUNT] = d->cfg.ring_queues << d->cfg.ring_order_min;
  d->hoard = (uint16_t)(6 * (age ? d->cfg.agt_size : places));
  d->one_hwtid = 0;
  d->config[1] = HD_DEV_RECORDS;
  d->groups = 250;
  d->deepest = 4;
}

/* Sets the bases of the regions (address / 256): each at a random address in its own quarter of the address space. The
 * region of spilled groups shares a quarter with that of waiting device kernels, half each. */
static void random_regions(struct hd_dev *d, struct hd_rng *rng) {
  uint32_t quarter = hd_rng_below(rng, 4), turn = 1 + 2 * hd_rng_below(rng, 2);
  for (unsigned k = 0; k < 4; k++) d->config[2 * k] = (quarter + k * turn) % 4 << 30;
  d->config[HD_CONFIG_SPILL_BASE] = d->config[HD_CONFIG_DEV_BASE] | UINT32_C(1) << 29;
  for (unsigned k = 0; k < 5; k++) d->config[2 * k] = hd_dev_region(d, rng, 2 * k);
}

uint32_t hd_dev_region(const struct hd_dev *d, struct hd_rng *rng, unsigned n) {
  const uint32_t most[] = {HD_DEV_RECORDS, d->cfg.pool_rows, d->cfg.num_kin, 0};
  const unsigned bits = n == HD_CONFIG_DEV_BASE || n == HD_CONFIG_SPILL_BASE ? 29 : 30;
  if (n == HD_CONFIG_THROTTLE_EPOCH) return hd_rng_below(rng, 300);
  if (n == HD_CONFIG_THROTTLE_BAND) return hd_rng_below(rng, 9);
  if (n % 2 && n != HD_CONFIG_REC_COUNT && hd_rng_p(rng, 24)) return hd_huge_count(rng);
  if (n == HD_CONFIG_SPILL_COUNT) return random_rings(d, rng);
  if (n % 2) return random_size(rng, most[n / 2]); /* bases are even */
  return (d->config[n] >> bits) << bits | (uint32_t)hd_rng_below(rng, (1u << bits) - (1u << 24));
}

/* Chooses the records to use: all of the region, the first ones of 65536, or the last ones of a very large region,
 * which then takes half of its quarter. In runs that rewrite the regions, always all of the region. */
static void random_records(struct hd_dev *d, struct hd_rng *rng) {
  d->records = d->config[1];
  if (d->moves || hd_rng_p(rng, 128)) return;
  if (hd_rng_p(rng, 32)) {
    d->config[1] = 0x10000;
    return;
  }
  d->first_record = hd_rng_below(rng, (UINT32_C(1) << d->cfg.rec_w) - HD_DEV_RECORDS);
  d->config[0] &= ~(UINT32_C(1) << 29);
  d->config[1] += d->first_record;
}

/* Sets up TBs that wait for the kernels they launch. Every such TB is saved eventually, since memory makes no errors,
 * no parent is a node of a graph, and each parent record has its place in memory. */
static void random_parents(struct hd_dev *d, struct hd_rng *rng, struct hd_axi_profile *memory, bool all) {
  if (all) d->illegal_client = memory->errors = 0;
  if (d->illegal_client || memory->errors || !(all || hd_rng_p(rng, 80))) return;
  d->parents = (uint8_t)(32 + hd_rng_below(rng, 224));
  d->config[3] = d->cfg.pool_rows;
  d->config[5] = d->cfg.num_kin;
  d->deepest = (uint8_t)(1 + hd_rng_below(rng, d->cfg.max_level));
  d->groups /= 2;
  d->graphs = d->moves = 0;
  d->hoard = 0;
}

void hd_dev_begin(struct hd_dev *d, struct hd_rng *rng, const char *name) {
  struct hd_axi_profile memory = random_memory(rng);
  random_regions(d, rng);
  for (unsigned k = 0; k < HD_DEV_PROGRAMS; k++) d->program[k] = random_program(rng, &d->cfg, k);
  bool full = hd_rng_p(rng, 128);
  if (!d->polite && hd_rng_p(rng, 64)) d->illegal_client = (uint8_t)(1 + hd_rng_below(rng, HD_DEV_ILLEGAL - 1));
  d->holds.on = hd_rng_p(rng, 128);
  d->config[1] = full ? HD_DEV_RECORDS : random_size(rng, HD_DEV_RECORDS);
  d->config[3] = full ? d->cfg.pool_rows : hd_dev_region(d, rng, 3);
  d->config[5] = full ? d->cfg.num_kin : hd_dev_region(d, rng, 5);
  d->config[HD_CONFIG_SPILL_COUNT] = hd_dev_region(d, rng, HD_CONFIG_SPILL_COUNT);
  d->groups = (uint8_t)(hd_rng_p(rng, 64) ? 250 : hd_rng_below(rng, 256));
  d->one_hwtid = hd_rng_p(rng, 64);
  d->calm = (uint8_t)(2 + hd_rng_below(rng, 6));
  d->hasty = (uint8_t)hd_rng_below(rng, 3);
  d->lazy = (uint8_t)hd_rng_below(rng, 4);
  d->deepest = (uint8_t)(1 + hd_rng_below(rng, 4));
  d->moves = !strcmp(name, "regions") || hd_rng_p(rng, 64);
  d->graphs = (uint16_t)(hd_rng_p(rng, 128) ? hd_rng_below(rng, 257) : hd_rng_p(rng, 128) ? 20 : 0);
  random_hoard(d, rng);
  if (!strcmp(name, "overflow")) begin_collisions(d, rng, &memory, false);
  if (!strcmp(name, "failing")) begin_collisions(d, rng, &memory, true);
  random_parents(d, rng, &memory, !strcmp(name, "parents"));
  random_records(d, rng);
  d->mem = hd_axi_mem_new(&memory, d->cfg.mem_clients, hd_rng_next(rng));
  d->begun = 1;
}
