/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/dev_clients.h"

#include <string.h>

#include "env/common/dev_begin.h"
#include "env/common/dev_launches.h"
#include "gen/hd_regs_map.h"

void hd_dev_init(struct hd_dev *d, const struct hd_cfg *cfg) {
  memset(d, 0, sizeof *d);
  d->cfg = *cfg;
}

void hd_dev_free(struct hd_dev *d) {
  hd_axi_mem_free(d->mem);
  d->mem = NULL;
}

void hd_dev_reset(struct hd_dev *d) {
  struct hd_dev was = *d;
  hd_axi_mem_free(was.mem);
  memset(d, 0, sizeof *d);
  d->cfg = was.cfg;
  d->serial = was.serial;
  d->tag = was.tag;
  d->quiet = was.quiet;
  d->polite = was.polite;
}

/* ---- the regions ---- */

/* Keeps the regions as last written and not rejected. */
static void follow_regions(struct hd_dev *d, const struct hd_top_out *out, const struct hd_top_in *in) {
  unsigned n = (in->paddr - HD_REG_REC_BASE) / 4;
  bool write = in->psel && in->penable && in->pwrite && d->apb_setup && !out->pslverr;
  if (write && in->paddr >= HD_REG_REC_BASE && in->paddr % 4 == 0 && n < d->cfg.num_config && n != HD_CONFIG_POLICY &&
      in->pstrb == 15) {
    d->config[n] = in->pwdata;
    if (!out->record_done_valid) memset(d->held, 0, sizeof d->held); /* the plane is idle */
    if (d->moves) d->records = d->config[1];
  }
  d->apb_setup = in->psel && !in->penable;
}

void hd_dev_again(struct hd_dev *d) {
  d->config_step = 0;
}

/* Writes the regions, two APB cycles per word. Returns false once all are written. */
static bool write_regions(struct hd_dev *d, struct hd_top_in *in) {
  unsigned word = d->config_step / 2;
  in->psel = in->penable = in->pwrite = in->pstrb = 0;
  in->paddr = 0;
  in->pwdata = 0;
  if (word == d->cfg.num_config) return false;
  in->psel = in->pwrite = 1;
  in->penable = d->config_step++ % 2;
  in->pstrb = 15;
  in->paddr = (uint16_t)(HD_REG_REC_BASE + 4 * word);
  in->pwdata = d->config[word];
  return true;
}

/* ---- the ports of the SMXs ---- */

/* Returns true for a TB that waits for a kernel and is not saved: it requests the save once its answers have arrived.
 * */
static bool wants_save(const struct hd_dev *d, const struct hd_dev_tb *tb) {
  return d->parents && tb->runs && tb->kernels && !tb->saved && !tb->commands && !tb->waits;
}

/* Returns a slot with a running TB that has something to launch, searching from a random slot; -1: none. */
static int launching_slot(const struct hd_dev *d, struct hd_rng *rng, unsigned smx) {
  unsigned n = d->cfg.ctas_per_smx, at = hd_rng_below(rng, n);
  for (unsigned k = 0; k < n; k++, at = at + 1 == n ? 0 : at + 1) {
    const struct hd_dev_tb *tb = &d->tb[smx][at];
    if (tb->runs && !tb->saved && !d->quiet && (tb->commands || (tb->yields && !tb->waits))) return (int)at;
    if (wants_save(d, tb)) return (int)at;
    if (tb->runs && tb->saved && d->illegal_client == HD_DEV_SAVES && hd_rng_p(rng, 64)) return (int)at;
  }
  return -1;
}

/* Begins a command. A save follows launches in the same command, or is alone. */
static void begin_command(struct hd_dev *d, struct hd_rng *rng, unsigned smx, unsigned bad) {
  struct hd_dev_port *port = &d->port[smx];
  unsigned empty = hd_rng_below(rng, d->cfg.ctas_per_smx);
  int slot = launching_slot(d, rng, smx);
  port->lane = (uint8_t)hd_rng_below(rng, 32);
  port->save = port->probe = 0;
  if (hd_rng_p(rng, bad / 4) && !d->tb[smx][empty].runs) {
    port->slot = (uint8_t)empty;
    port->left = port->probe = 1;
    return;
  }
  if (slot < 0) return;
  struct hd_dev_tb *tb = &d->tb[smx][slot];
  port->slot = (uint8_t)slot;
  d->did[HD_DEV_SAVES] |= tb->saved;
  d->did[HD_DEV_STREAMS] |= d->illegal_client == HD_DEV_STREAMS;
  if (tb->commands || (tb->saved && hd_rng_p(rng, 128))) {
    tb->commands -= tb->commands > 0 && !d->hoard;
    port->left = (uint8_t)(1 + hd_rng_below(rng, hd_rng_p(rng, 40) ? 32 : 4));
    port->save = port->left > 1 && !tb->commands && tb->yields && hd_rng_p(rng, 40);
    if (d->parents) port->left = 1, port->save = 0;
  } else {
    port->left = port->save = 1;
  }
  if (port->save) tb->yields -= tb->yields > 0;
}

static void offer(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p, unsigned smx,
                  struct hd_top_in *in) {
  struct hd_dev_port *port = &d->port[smx];
  struct hd_devlaunch *l = &in->dev_launch[smx];
  in->dev_launch_valid[smx] = 0;
  memset(l, 0, sizeof *l);
  if (!port->left && (hd_dev_begins(d, rng, p->source / 4 + 1) || (d->parents && d->quiet)))
    begin_command(d, rng, smx, d->quiet ? 0 : p->bad);
  if (!port->left || hd_rng_p(rng, p->bad / 4)) return; /* an SMX may pause within a command */
  *l = hd_dev_beat(d, rng, smx, p->bad / 4);
  in->dev_launch_valid[smx] = 1;
  if (l->kind != HD_KIND_GROUP || l->record - d->first_record >= d->records) return;
  hd_dev_write_record(d, smx, l, d->tb[smx][port->slot].level);
  d->held[l->record - d->first_record] = 1;
}

static void beat_taken(struct hd_dev *d, unsigned smx, const struct hd_devlaunch *l) {
  struct hd_dev_port *port = &d->port[smx];
  struct hd_dev_request *a = &port->ask[(port->oldest + port->asks++) % HD_DEV_REQUESTS];
  *a = (struct hd_dev_request){.slot = l->slot, .kind = l->kind, .probe = port->probe, .record = l->record};
  if (!port->probe) d->tb[smx][l->slot].waits++;
  port->left--;
  port->lane = (uint8_t)(port->lane + 1) % 32;
}

static void release_record(struct hd_dev *d, uint32_t record) {
  uint32_t k = record - d->first_record;
  if (k < HD_DEV_RECORDS) d->held[k] = 0;
}

static void answer_taken(struct hd_dev *d, unsigned smx, const struct hd_devanswer *answer) {
  struct hd_dev_port *port = &d->port[smx];
  if (!port->asks) return; /* the oracle reports it */
  struct hd_dev_request a = port->ask[port->oldest];
  struct hd_dev_tb *tb = &d->tb[smx][a.slot];
  port->oldest = (uint8_t)(port->oldest + 1) % HD_DEV_REQUESTS;
  port->asks--;
  if (a.kind == HD_KIND_GROUP && answer->code != HD_CODE_KEPT) release_record(d, a.record);
  if (a.probe || !tb->waits) return; /* that TB has ended already */
  tb->waits--;
  tb->kernels |= a.kind == HD_KIND_KERNEL && answer->code == HD_CODE_ACCEPTED;
  tb->saved |= a.kind == HD_KIND_SAVE && answer->code == HD_CODE_ACCEPTED;
  d->did[HD_DEV_POLITE] |= d->parents && tb->saved;
}

/* ---- TBs ---- */

/* A kernel enters the KD, possibly after being suspended. A group that became a kernel does not carry its depth. */
static void kernel_enters(struct hd_dev *d, unsigned kdei, uint64_t param) {
  d->depth[kdei] = param & 63 ? (uint8_t)(param & 63) : HD_DEV_DEPTH_UNKNOWN;
}

static void tb_begins(struct hd_dev *d, struct hd_rng *rng, unsigned smx, const struct hd_dispatch *t) {
  static const uint8_t launches[] = {128, 64, 32, 16};
  struct hd_dev_tb *tb = &d->tb[smx][t->slot];
  *tb = (struct hd_dev_tb){.runs = 1, .level = t->level, .program = (uint8_t)(t->desc.pc & 7)};
  if (tb->program >= HD_DEV_PROGRAMS) tb->program = 0;
  tb->depth = d->depth[t->kdei];
  tb->warp = (uint8_t)hd_rng_below(rng, d->cfg.warps_per_smx);
  if (t->level < d->deepest && (d->hoard || hd_rng_p(rng, launches[t->level] >> (t->restart ? 2 : d->lazy))))
    tb->commands = (uint8_t)(1 + hd_rng_below(rng, 2));
  tb->yields = tb->commands ? hd_rng_p(rng, 100) : hd_rng_p(rng, 4);
  if (!d->parents) return;
  tb->commands = t->level < d->deepest && hd_rng_p(rng, t->restart ? d->parents / 8 : d->parents);
  tb->yields = 0;
}

/* Returns true if no launch of the TB is in flight and it has nothing left to do, or if the SMX breaks that rule. */
static bool may_end(const struct hd_dev *d, unsigned smx, unsigned slot, bool illegal_client) {
  const struct hd_dev_tb *tb = &d->tb[smx][slot];
  const struct hd_dev_port *port = &d->port[smx];
  if (tb->runs && illegal_client) return true;
  if (!tb->runs || tb->waits || (port->left && port->slot == slot)) return false;
  if (d->parents && tb->kernels) return tb->saved;
  return tb->saved || d->quiet || (!tb->commands && !tb->yields);
}

/* At most one TB of an SMX ends per cycle; an illegal SMX also names empty slots. */
static void drive_done(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p, unsigned smx,
                       struct hd_top_in *in) {
  uint64_t r = hd_rng_next(rng);
  unsigned n = d->cfg.ctas_per_smx, at = (unsigned)((r >> 32) % n);
  in->cta_done_valid[smx] = in->cta_done_slot[smx] = 0;
  if (d->hoard || hd_held(&d->holds, HD_HOLD_TB_ENDS, smx)) return;
  bool wrong = (r & 1023) < p->bad && !d->tb[smx][at].runs,
       illegal_client = d->illegal_client == HD_DEV_ENDS && (r >> 20 & 15) == 0;
  if (!wrong) {
    if ((r >> 10 & 1023) >= p->source << d->hasty) return;
    for (unsigned k = 0; k < n && !may_end(d, smx, at, illegal_client); k++) at = at + 1 == n ? 0 : at + 1;
    if (!may_end(d, smx, at, illegal_client)) return;
  }
  d->did[HD_DEV_ENDS] |= d->tb[smx][at].runs && !may_end(d, smx, at, false) && d->tb[smx][at].waits;
  in->cta_done_valid[smx] = 1;
  in->cta_done_slot[smx] = (uint8_t)at;
  d->tb[smx][at].runs = 0;
}

/* While a launch from an empty slot is in flight, no TB may be dispatched to that slot. */
static bool ready(const struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p, unsigned smx,
                  const struct hd_top_out *out, const struct hd_top_in *was) {
  const struct hd_dev_port *port = &d->port[smx];
  bool known = out->dispatch_valid[smx] && !was->dispatch_ready[smx];
  if (!hd_rng_p(rng, p->sink) || hd_held(&d->holds, HD_HOLD_DISPATCH, smx)) return false;
  if (port->left && port->probe && (!known || out->dispatch[smx].slot == port->slot)) return false;
  for (unsigned k = 0; k < port->asks; k++) {
    const struct hd_dev_request *a = &port->ask[(port->oldest + k) % HD_DEV_REQUESTS];
    if (a->probe && (!known || out->dispatch[smx].slot == a->slot)) return false;
  }
  return true;
}

/* ---- one cycle ---- */

static void follow(struct hd_dev *d, struct hd_rng *rng, const struct hd_top_out *out, const struct hd_top_in *in) {
  struct hd_axi_request asked = HD_AXI_FROM(out);
  hd_axi_mem_follow(d->mem, &asked);
  follow_regions(d, out, in);
  if (out->enter_valid) kernel_enters(d, out->enter_kdei, out->enter_param);
  if (out->record_done_valid && in->record_done_ready) release_record(d, out->record_done);
  for (unsigned s = 0; s < d->cfg.num_smx; s++) {
    if (out->dev_answer_valid[s] && in->dev_answer_ready[s]) answer_taken(d, s, &out->dev_answer[s]);
    if (out->dispatch_valid[s] && in->dispatch_ready[s]) tb_begins(d, rng, s, &out->dispatch[s]);
    if (in->dev_launch_valid[s] && out->dev_launch_ready[s]) beat_taken(d, s, &in->dev_launch[s]);
  }
}

static void hold_memory(struct hd_dev *d) {
  unsigned channels = 0;
  for (unsigned k = HD_HOLD_AW; k <= HD_HOLD_B; k++) channels |= (unsigned)hd_held(&d->holds, k, 0) << (k - HD_HOLD_AW);
  hd_axi_mem_hold(d->mem, channels);
}

bool hd_dev_drive(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p, const struct hd_top_out *out,
                  struct hd_top_in *in) {
  struct hd_axi_response reported;
  memset(d->did, 0, sizeof d->did);
  if (d->begun)
    follow(d, rng, out, in);
  else
    hd_dev_begin(d, rng, p->name);
  d->hoard = d->quiet ? 0 : (uint16_t)(d->hoard - (d->hoard > 0));
  hd_holds_step(&d->holds, rng, d->cfg.num_smx, d->quiet);
  hold_memory(d);
  hd_axi_mem_drive(d->mem, &reported);
  HD_AXI_INTO(in, &reported);
  in->record_done_ready = hd_rng_p(rng, p->sink) && !hd_held(&d->holds, HD_HOLD_RECORD_DONE, 0);
  bool wrote_regions = !write_regions(d, in);
  for (unsigned s = 0; s < d->cfg.num_smx; s++) {
    if (wrote_regions && (!in->dev_launch_valid[s] || out->dev_launch_ready[s])) offer(d, rng, p, s, in);
    in->dev_answer_ready[s] = hd_rng_p(rng, p->sink) && !hd_held(&d->holds, HD_HOLD_DEV_ANSWER, s);
    in->dispatch_ready[s] = ready(d, rng, p, s, out, in);
    drive_done(d, rng, p, s, in);
  }
  return wrote_regions;
}
