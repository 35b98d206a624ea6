/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory port for plane_oracle.c: rule 11, and the owners that memory errors hit. An error belongs to the client of
 * its ID and to the group, kernel or parent record at its address (layout: docs/device-launches.md):
 *   0  ovfq       a list of groups, or the record of a group
 *   1  pool       a waiting kernel
 *   2  susp       record and saved TBs of a suspended kernel
 *   3  spill      a group that waits for its bank (plane_spill.c)
 *   4  dats       the kernel with a graph that is in the KD
 *   5  dgb        the same */
#include <string.h>

#include "env/common/memory.h"
#include "env/common/over_lists.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_state.h"

enum { RECORD = 64, WAITING = 128, STOPS_WITHIN = 16, BLOCK = 256 };

static uint64_t config(const struct hd_plane_oracle *o, unsigned offset) {
  return o->config[(offset - HD_REG_REC_BASE) / 4];
}

static uint64_t base_of(const struct hd_plane_oracle *o, unsigned client) { /* requires a client before spill */
  static const uint16_t base[] = {HD_REG_REC_BASE, HD_REG_DEV_BASE, HD_REG_SUS_BASE};
  return 256 * config(o, base[client]);
}

/* Returns true if a burst of client 0 is within the lists. */
static bool in_lists(const struct hd_plane_oracle *o, uint64_t addr, unsigned beats) {
  uint64_t base = BLOCK * config(o, HD_REG_LIST_BASE);
  uint64_t size = hd_lists_bytes(&o->cfg, hd_lists_mask(&o->cfg, config(o, HD_REG_REC_COUNT)));
  return addr >= base && addr + 16 * beats <= base + size;
}

static struct hd_oracle_owner *list_at(struct hd_plane_oracle *o, uint64_t addr) {
  return &o->list[(addr / BLOCK - config(o, HD_REG_LIST_BASE)) % o->cfg.num_list];
}

/* Returns true if a burst is within the region of its client. Records are read only. */
static bool in_region(struct hd_plane_oracle *o, unsigned client, uint64_t addr, unsigned beats, bool write) {
  if (client >= HD_CLIENT_DATS) return !hd_oracle_graph_burst(o, client, addr, beats, write);
  if (client == HD_CLIENT_SPILL) return hd_oracle_spill_region(o, addr, beats);
  uint64_t rows = config(o, HD_REG_DEV_COUNT), kins = config(o, HD_REG_SUS_COUNT);
  uint64_t size = config(o, HD_REG_REC_COUNT) * RECORD;
  if (client == HD_CLIENT_OVFQ && in_lists(o, addr, beats)) return true;
  if (client == HD_CLIENT_OVFQ && write) return false;
  if (client == HD_CLIENT_POOL) size = (rows < o->cfg.pool_rows ? rows : o->cfg.pool_rows) * WAITING;
  if (client == HD_CLIENT_SUSP) size = (kins < o->cfg.num_kin ? kins : o->cfg.num_kin) * o->cfg.sus_stride;
  return addr >= base_of(o, client) && addr + 16 * beats <= base_of(o, client) + size;
}

/* The owner of an address: the waiting kernel in that row of the pool; the suspended kernel with that room of susp. */
static struct hd_oracle_owner *row_at(struct hd_plane_oracle *o, uint64_t addr) {
  uint64_t row = (addr - base_of(o, HD_CLIENT_POOL)) / WAITING;
  return &o->row[row < o->cfg.pool_rows ? row : 0];
}

static struct hd_oracle_owner *room_at(struct hd_plane_oracle *o, uint64_t addr) {
  uint64_t room = (addr - base_of(o, HD_CLIENT_SUSP)) / o->cfg.sus_stride;
  return &o->room[room < o->cfg.num_kin ? room : 0];
}

/* Returns the referenced work if it is still in the book, else 0. */
static uint32_t owner(struct hd_plane_oracle *o, const struct hd_oracle_owner *at) {
  return hd_oracle_work(o, at->work)->number == at->number ? at->work : 0;
}

static void own(struct hd_plane_oracle *o, struct hd_oracle_owner *at, uint32_t work) {
  *at = (struct hd_oracle_owner){work, hd_oracle_work(o, work)->number};
}

uint32_t hd_oracle_find_record(const struct hd_book *b, uint32_t record) {
  for (uint32_t w = 1; w < b->works; w++) {
    const struct hd_work *x = &b->work[w];
    if (x->kind == HD_BOOK_GROUP && x->record == record && x->word != HD_BOOK_TAKEN && !x->returned) return w;
  }
  return 0;
}

/* ---- errors ---- */

void hd_oracle_hit(struct hd_plane_oracle *o, uint32_t kernel, bool doomed) {
  struct hd_work *k = hd_oracle_work(o, kernel);
  if (!kernel || k->closed) return;
  for (uint32_t w = kernel; o->book.work[w].rest; w = o->book.work[w].up)
    hd_oracle_work(o, o->book.work[w].up)->hit = 1; /* a kernel fails with its rest */
  k->hit = 1;
  k->doomed |= doomed;
  o->hits++;
  o->hit = kernel;
}

/* Hits the kernel of a group, which is in the KD. It is known from the first TB of the group on; before that, every
 * kernel that the group may have joined is hit. `sure`: the kernel certainly fails, at once (after a failed read it may
 * not: the data may no longer be needed). */
static void hit_group(struct hd_plane_oracle *o, uint32_t g, bool sure) {
  struct hd_work *w = hd_oracle_work(o, g);
  uint32_t kernels[HD_MAX_NUM_KDE], n = 0;
  if (!g) return;
  for (unsigned e = 0; e < o->cfg.num_kde; e++) {
    uint32_t k = o->book.kde[e];
    if (!k || hd_oracle_work(o, k)->graph) continue;
    if (w->group ? k == w->group : hd_book_same_key(w, hd_oracle_work(o, k))) kernels[n++] = k;
  }
  for (unsigned i = 0; i < n; i++) hd_oracle_hit(o, kernels[i], sure && n == 1);
  if (sure && n == 1) hd_oracle_work(o, kernels[0])->stop_at = o->now + STOPS_WITHIN;
}

/* Hits the kernel of the group last written to a list. If that group or its kernel has ended (which may happen before
 * its pointer is written, since the next pointers of a list are on chip), or the group is torn, the owner of the list
 * is unknown: every kernel in the KD without a graph may be hit. */
static void hit_list(struct hd_plane_oracle *o, uint64_t addr, bool write) {
  const struct hd_oracle_owner *at = list_at(o, addr);
  uint32_t g = owner(o, at);
  if (hd_oracle_work(o, g)->torn) g = 0;
  if (g) hit_group(o, g, write);
  for (unsigned e = 0; !g && e < o->cfg.num_kde; e++)
    if (!hd_oracle_work(o, o->book.kde[e])->graph) hd_oracle_hit(o, o->book.kde[e], false);
}

/* Applies an error answer to a burst to the owner of its address. An error of susp fails the kernel for certain, except
 * in a read of saved TBs, which may no longer be needed. */
static void destroys(struct hd_plane_oracle *o, unsigned client, uint64_t addr, bool write) {
  bool record = client == HD_CLIENT_OVFQ && !in_lists(o, addr, 1);
  o->errors[client == HD_CLIENT_OVFQ && write ? HD_ORACLE_LIST_WRITES : client]++;
  if (client >= HD_CLIENT_DATS) {
    hd_oracle_graph_error(o);
    return;
  }
  if (client == HD_CLIENT_SPILL) return; /* hd_oracle_spill_answered, hd_oracle_spill_beat */
  const uint64_t at = addr - base_of(o, client);
  if (record) hit_group(o, hd_oracle_find_record(&o->book, (uint32_t)(at / RECORD)), false);
  if (client == HD_CLIENT_OVFQ && !record) hit_list(o, addr, write);
  uint32_t waits = client == HD_CLIENT_POOL ? owner(o, row_at(o, addr)) : 0;
  if (waits) hd_book_lose(&o->book, waits);
  if (client != HD_CLIENT_SUSP) return;
  bool doomed = write || at % o->cfg.sus_stride == 0;
  hd_oracle_hit(o, owner(o, room_at(o, addr)), doomed);
}

/* Returns the kernel that an error has hit, or 0 if none or one of several. */
static uint32_t only_hit(const struct hd_plane_oracle *o) {
  return o->hits == 1 ? o->hit : 0;
}

/* The same for an error answer to a burst. */
static uint32_t error(struct hd_plane_oracle *o, unsigned client, uint64_t addr, bool write) {
  o->hits = 0;
  destroys(o, client, addr, write);
  return only_hit(o);
}

/* The memory answers a write. */
static uint32_t answers(struct hd_plane_oracle *o, const struct hd_top_in *in, uint64_t addr) {
  const uint32_t hit = in->bresp & 2 ? error(o, in->bid, addr, true) : 0;
  if (in->bid != HD_CLIENT_SPILL) return hit;
  o->hits = 0;
  hd_oracle_spill_answered(o, in->bresp & 2);
  return only_hit(o);
}

/* A beat of a read of groups in memory arrives. */
static uint32_t spill_beat(struct hd_plane_oracle *o, const struct hd_top_in *in) {
  o->hits = 0;
  o->errors[HD_CLIENT_SPILL] += in->rresp >> 1 & 1;
  return hd_oracle_spill_beat(o, in->rresp & 2, in->rlast) ? only_hit(o) : 0;
}

/* Links two kernels that were hit by errors of one cycle. */
static void hit_both(struct hd_plane_oracle *o, uint32_t a, uint32_t b) {
  struct hd_work *x = hd_oracle_work(o, a), *y = hd_oracle_work(o, b);
  if (!a || !b || a == b) return;
  x->overlaps = b, x->other_number = y->number;
  y->overlaps = a, y->other_number = x->number;
}

/* ---- bursts ---- */

/* Returns the kernel that saves a TB with this context pointer. The save may still be unanswered. */
static uint32_t saver(const struct hd_plane_oracle *o, uint64_t ctx) {
  const struct hd_book_save *save;
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    for (unsigned n = 0; n < o->dev_n[s]; n++)
      if (o->dev[s][n].kind == HD_KIND_SAVE && o->dev[s][n].ctx == ctx) return o->dev[s][n].kernel;
  return hd_book_saver(&o->book, ctx, &save);
}

/* A pointer is written to a list. The strobes select the 4 bytes. */
static void listed(struct hd_plane_oracle *o, const struct hd_top_out *out, uint64_t addr) {
  uint64_t half = out->wstrb & 0xff ? out->wdata[0] : out->wdata[1];
  uint32_t ptr = (uint32_t)(out->wstrb & 0xf0f0 ? half >> 32 : half);
  if (!(ptr >> 31)) own(o, list_at(o, addr), hd_oracle_find_record(&o->book, ptr));
}

/* A beat of a write burst was accepted. Bursts of 8 beats are records of waiting or suspended kernels. */
static const char *written(struct hd_plane_oracle *o, const struct hd_top_out *out, unsigned client, uint64_t addr) {
  unsigned beat = o->written++;
  if (beat == 0) o->written_param = out->wdata[1];
  if (beat == HD_MEMORY_SMX / 16) o->written_smx = (uint8_t)(out->wdata[0] >> 8 * (HD_MEMORY_SMX % 8));
  if (!out->wlast) return NULL;
  o->written = 0;
  if (client == HD_CLIENT_SPILL) return hd_oracle_spill_written(o, addr, beat + 1, out->wdata[0], out->wdata[1]);
  if (beat + 1 != HD_MEMORY_KERNEL_BEATS) {
    if (client == HD_CLIENT_OVFQ) listed(o, out, addr);
    uint64_t entry = out->wstrb & 0xff ? out->wdata[0] : out->wdata[1];
    if (client == HD_CLIENT_SUSP) own(o, room_at(o, addr), saver(o, entry & ((UINT64_C(1) << o->cfg.param_w) - 1)));
    return NULL;
  }
  uint32_t w = hd_book_stopped(&o->book, hd_book_find(&o->book, o->written_param));
  own(o, client == HD_CLIENT_POOL ? row_at(o, addr) : room_at(o, addr), w);
  return w && hd_oracle_work(o, w)->smx != o->written_smx
             ? "rule 11: the record of a kernel in memory names a wrong SMX"
             : NULL;
}

/* The burst that this cycle's write data belongs to, and the address of the burst that a write answer belongs to. To be
 * called before the transfers of this cycle are recorded. */
static struct hd_axi_write open_write(const struct hd_plane_oracle *o, const struct hd_top_out *out) {
  for (uint32_t i = 0; i < o->axi.writes; i++)
    if (!o->axi.write[i].complete) return o->axi.write[i];
  return (struct hd_axi_write){.addr = out->awaddr, .id = out->awid};
}

static uint64_t answered_write(const struct hd_plane_oracle *o, unsigned id) {
  uint32_t i = 0;
  while (i < o->axi.writes && o->axi.write[i].id != id) i++;
  return i < o->axi.writes ? o->axi.write[i].addr : 0;
}

/* The oldest read of an ID ends: reads of one ID are answered in order. Returns the kernel that an error hits, or 0. */
static uint32_t read_ends(struct hd_plane_oracle *o, unsigned id) {
  struct hd_oracle_reads *r = &o->reads[id];
  uint32_t hits = r->error ? error(o, id, r->addr[r->first % HD_AXI_BURSTS], false) : 0;
  r->error = 0;
  r->first++;
  return hits;
}

static uint32_t reads(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  uint32_t hits = 0;
  if (in->rvalid && in->rid == HD_CLIENT_SPILL) {
    hits = spill_beat(o, in);
  } else if (in->rvalid && in->rid < o->cfg.mem_clients) {
    o->reads[in->rid].error |= in->rresp >> 1 & 1;
    if (in->rlast) hits = read_ends(o, in->rid);
  }
  if (!out->arvalid || !in->arready) return hits;
  struct hd_oracle_reads *r = &o->reads[out->arid];
  r->addr[r->taken++ % HD_AXI_BURSTS] = out->araddr;
  return hits;
}

const char *hd_oracle_memory(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  const struct hd_axi_response reported = {in->rdata[1], in->rdata[0], in->awready, in->wready, in->arready, in->bvalid,
                                           in->bid,      in->bresp,    in->rvalid,  in->rid,    in->rresp,   in->rlast};
  const struct hd_axi_request asked = HD_AXI_FROM(out);
  const struct hd_axi_write open = open_write(o, out);
  uint64_t answered = answered_write(o, in->bid);
  const char *rule = hd_axi_check(&o->axi, &asked, &reported);
  if (rule) return rule;
  if (out->wvalid && in->wready && (rule = written(o, out, open.id, open.addr)) != NULL) return rule;
  uint32_t hit = in->bvalid ? answers(o, in, answered) : 0;
  if ((rule = hd_oracle_graph_beat(o, in)) != NULL) return rule;
  hit_both(o, hit, reads(o, in, out));
  if ((out->awvalid && in->awready && !in_region(o, out->awid, out->awaddr, out->awlen + 1u, true)) ||
      (out->arvalid && in->arready && !in_region(o, out->arid, out->araddr, out->arlen + 1u, false)))
    return "rule 11: a burst leaves the region of its client";
  if (out->arvalid && in->arready && out->arid == HD_CLIENT_SPILL)
    rule = hd_oracle_spill_asked(o, out->araddr, out->arlen + 1u);
  hd_oracle_spill_cycle(o, in, out);
  return rule;
}
