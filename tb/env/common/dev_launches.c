/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/dev_launches.h"

#include <string.h>

#include "env/common/dev_graphs.h"

/* Returns a parameter address with unique bits 37 to 6. For kernels and saved TBs the lower bits carry the kernel's
 * depth, for the client's own use; a group must have 0 there. */
static uint64_t next_param(struct hd_dev *d, struct hd_rng *rng, unsigned depth) {
  uint32_t unique = ++d->serial * 2654435761u;
  return hd_rng_bits(rng, 2) << 38 | (uint64_t)unique << 6 | depth;
}

static uint8_t deeper(uint8_t depth) {
  return depth < HD_DEV_DEPTH_UNKNOWN ? (uint8_t)(depth + 1) : HD_DEV_DEPTH_UNKNOWN;
}

bool hd_dev_begins(const struct hd_dev *d, struct hd_rng *rng, unsigned probability) {
  if (d->quiet || hd_held(&d->holds, HD_HOLD_LAUNCHES, 0)) return false;
  return hd_rng_p(rng, probability) || hd_held(&d->holds, HD_HOLD_BURST, 0);
}

bool hd_dev_host_offers(const struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p) {
  return hd_dev_begins(d, rng, (p->source >> d->calm) + 1);
}

struct hd_launch hd_dev_host_launch(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p,
                                    uint32_t max_ctas) {
  struct hd_launch l = hd_random_launch(rng, p, &d->cfg, ++d->tag, max_ctas);
  const struct hd_dev_program *prog = &d->program[hd_rng_below(rng, HD_DEV_PROGRAMS)];
  const bool graph = hd_rng_p(rng, d->graphs);
  if (!graph) l.desc.param = next_param(d, rng, 1);
  if (graph) hd_dev_add_graph(d, rng, 30 + p->bad / 2, &l);
  if (hd_rng_p(rng, 16 + p->bad)) return l;
  l.desc.pc = prog->pc;
  l.desc.cta_x = prog->cta_x;
  l.desc.cta_y = prog->cta_y;
  l.desc.cta_z = prog->cta_z;
  l.threads = prog->threads;
  l.regs = prog->regs;
  l.smem = prog->smem;
  return l;
}

static uint32_t free_record(struct hd_dev *d, struct hd_rng *rng) {
  uint32_t n = d->records, k = hd_rng_below(rng, n ? n : 1);
  for (uint32_t looked = 0; looked < n; looked++, k = k + 1 == n ? 0 : k + 1)
    if (!d->held[k]) return d->first_record + k;
  return UINT32_MAX;
}

static void put(uint8_t *bytes, unsigned at, unsigned n, uint64_t value) {
  for (unsigned k = 0; k < n; k++) bytes[at + k] = (uint8_t)(value >> 8 * k);
}

/* Writes the record of a group as its SMX does. The field Next, which belongs to the plane, keeps arbitrary contents.
 * */
void hd_dev_write_record(struct hd_dev *d, unsigned smx, const struct hd_devlaunch *l, unsigned level) {
  uint8_t b[64];
  memset(b, 0xa5, sizeof b);
  put(b, 0, 8, l->desc.pc);
  put(b, 8, 8, l->desc.param);
  put(b, 16, 2, l->desc.cta_x);
  put(b, 18, 2, l->desc.cta_y);
  put(b, 20, 2, l->desc.cta_z);
  put(b, 22, 2, l->threads);
  put(b, 24, 2, l->smem);
  put(b, 26, 1, l->regs);
  put(b, 27, 1, level < d->cfg.max_level ? level + 1 : d->cfg.max_level);
  put(b, 28, 2, l->hwtid);
  put(b, 30, 2, smx);
  put(b, 32, 4, l->desc.grid_x);
  put(b, 36, 2, l->desc.grid_y);
  put(b, 38, 2, l->desc.grid_z);
  put(b, 40, 4, l->ctas);
  hd_axi_mem_write(d->mem, (uint64_t)d->config[0] * 256 + 64 * (uint64_t)l->record, b, sizeof b);
}

/* Returns a stream that no ancestor of the kernel is in: depths 1 to 3 have separate streams. Stream 0 if illegal
 * clients end TBs early: the slot may hold another TB of unknown depth by then. */
static uint8_t random_stream(const struct hd_dev *d, struct hd_rng *rng, unsigned depth) {
  uint32_t each = (d->cfg.num_streams - 1) / 3;
  if (d->illegal_client == HD_DEV_STREAMS) return (uint8_t)hd_rng_below(rng, d->cfg.num_streams);
  if (depth > 3 || !each || d->illegal_client == HD_DEV_ENDS || hd_rng_p(rng, 128)) return 0;
  return (uint8_t)(1 + (depth - 1) * each + hd_rng_below(rng, each));
}

/* Makes the launch invalid in one way. */
static void spoil(struct hd_dev *d, struct hd_rng *rng, struct hd_devlaunch *l) {
  switch (hd_rng_below(rng, 9)) {
    case 0:
      l->desc.grid_x = 0;
      break;
    case 1:
      l->desc.cta_z = 0;
      break;
    case 2:
      l->ctas = 0;
      break;
    case 3:
      l->desc.cta_x = (uint16_t)(1025 + hd_rng_below(rng, 1000));
      break;
    case 4:
      l->threads = (uint16_t)(1025 + hd_rng_below(rng, 1000));
      break;
    case 5:
      l->smem = (uint16_t)(d->cfg.smem_units_per_smx + 1 + hd_rng_below(rng, 8));
      break;
    case 6:
      l->stream = (uint8_t)(d->cfg.num_streams + hd_rng_below(rng, 256 - d->cfg.num_streams));
      break;
    case 7:
      if (l->kind != HD_KIND_GROUP) break;
      l->record = d->config[1] + hd_rng_below(rng, 1000);
      if (l->record >> d->cfg.rec_w) l->record = (UINT32_C(1) << d->cfg.rec_w) - 1;
      break;
    default:
      l->kind = 3;
  }
}

/* Makes the group too large for an AGE, or gives it a key that no kernel has: it becomes a device kernel. */
static void outgrow(struct hd_rng *rng, struct hd_devlaunch *l) {
  switch (hd_rng_below(rng, 4)) {
    case 0:
      l->desc.grid_x = 65536 + hd_rng_below(rng, 1000);
      break;
    case 1:
      l->desc.grid_z = (uint16_t)(256 + hd_rng_below(rng, 1000));
      break;
    case 2:
      l->desc.param |= HD_DEV_DEPTH_UNKNOWN;
      break;
    default: /* no kernel has this key */
      l->desc.pc ^= 0x80;
  }
}

/* Returns the launch of one lane. A group without a free record is launched as a kernel. */
struct hd_devlaunch hd_dev_beat(struct hd_dev *d, struct hd_rng *rng, unsigned smx, unsigned bad) {
  struct hd_dev_port *port = &d->port[smx];
  const struct hd_dev_tb *tb = &d->tb[smx][port->slot];
  bool own = hd_rng_p(rng, 200);
  const struct hd_dev_program *prog = &d->program[own ? tb->program : hd_rng_below(rng, HD_DEV_PROGRAMS)];
  struct hd_devlaunch l = {.slot = port->slot, .lane = port->lane, .last = port->left == 1};
  l.hwtid = (uint16_t)(d->one_hwtid ? 0 : 32u * tb->warp + port->lane);
  l.desc = (struct hd_desc){.pc = prog->pc, .cta_x = prog->cta_x, .cta_y = prog->cta_y, .cta_z = prog->cta_z};
  if (port->save && port->left == 1) {
    l.desc.param = next_param(d, rng, tb->depth);
    l.kind = HD_KIND_SAVE;
    return l;
  }
  l.threads = prog->threads;
  l.regs = prog->regs;
  l.smem = prog->smem;
  l.ctas = 1 + hd_rng_below(rng, 1u << hd_rng_below(rng, 4));
  if (d->parents) l.ctas = 1 + hd_rng_below(rng, tb->level ? 2 : 3 * d->cfg.sav_max);
  l.desc.grid_x = 1 + hd_rng_below(rng, 65535);
  l.desc.grid_y = (uint16_t)(1 + hd_rng_below(rng, 65535));
  l.desc.grid_z = (uint16_t)(1 + hd_rng_below(rng, 255));
  l.record = free_record(d, rng);
  l.kind = hd_rng_p(rng, d->groups) && l.record != UINT32_MAX ? HD_KIND_GROUP : HD_KIND_KERNEL;
  l.desc.param = next_param(d, rng, l.kind == HD_KIND_GROUP ? 0 : deeper(tb->depth));
  if (l.kind == HD_KIND_KERNEL) {
    l.record = 0;
    l.stream = random_stream(d, rng, tb->depth);
    if (hd_rng_p(rng, 64)) l.desc.grid_x = 1 + hd_rng_below(rng, UINT32_MAX >> 1);
    if (hd_rng_p(rng, 64)) l.desc.grid_z = (uint16_t)(1 + hd_rng_below(rng, 65535));
  }
  if (l.kind == HD_KIND_GROUP && hd_rng_p(rng, 16)) outgrow(rng, &l);
  if (hd_rng_p(rng, bad)) spoil(d, rng, &l);
  return l;
}
