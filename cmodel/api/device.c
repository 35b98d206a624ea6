/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "api/device.h"

#include <string.h>

enum { REGION = 256, KERNEL_BYTES = 128, SPILLED_BYTES = 32, LIST_PLACE_BYTES = 4, LINK_STAGES = 3 };

/* State of a record or a buffer. RETURNED: the plane has returned the record, but its answer was not processed yet. */
enum holder { FREE, TAKEN, KEPT, RETURNED };

/* ---- Latencies ---- */

struct hd_device_latency hd_device_latency_k20c(void) {
  return (struct hd_device_latency){
      .stream = 7165, .buffer = 8023, .buffer_thread = 129, .launch = 12187, .launch_thread = 1592, .dispatch = 283};
}

static uint64_t buffer_cycles(const struct hd_device_latency *t, uint32_t x) {
  return t->buffer + (uint64_t)t->buffer_thread * x;
}

uint64_t hd_device_kernel_cycles(const struct hd_device_latency *t, uint32_t x) {
  return t->stream + buffer_cycles(t, x) + t->launch + (uint64_t)t->launch_thread * x + t->dispatch;
}

uint32_t hd_device_link_cycles(const struct hd_cfg *cfg, uint32_t x) {
  uint32_t sweep = (cfg->num_kde + cfg->kde_search_lanes - 1) / cfg->kde_search_lanes;
  /* The first group is accepted, searched for in a sweep, and passes two more stages; each further one follows one
   * cycle later. */
  return LINK_STAGES + sweep + x - 1;
}

uint64_t hd_device_group_cycles(const struct hd_cfg *cfg, const struct hd_device_latency *t, uint32_t x) {
  uint64_t buffer = buffer_cycles(t, x), link = hd_device_link_cycles(cfg, x);
  return buffer > link ? buffer - link : 0;
}

/* ---- Memory ---- */

static uint64_t round_up(uint64_t n, uint64_t unit) {
  return (n + unit - 1) / unit * unit;
}

/* Beyond all addresses; its double does not wrap. */
#define TOO_FAR (UINT64_C(1) << 62)

/* Allocates bytes from *end on; count and bytes have 32 bits. */
static uint64_t place(uint64_t *end, uint64_t count, uint64_t bytes) {
  uint64_t at = *end, n = count * bytes;
  *end = at >= TOO_FAR || n >= TOO_FAR ? TOO_FAR : round_up(at + n, REGION);
  return at;
}

/* Size of a list of overflowed groups: pointers for all records and AGEs that exist, a power of two. */
static uint32_t list_bytes(const struct hd_cfg *cfg, uint32_t records) {
  uint32_t places = REGION / LIST_PLACE_BYTES;
  while (places < UINT32_C(1) << cfg->list_pos_w && places < (uint64_t)records + cfg->agt_size) places *= 2;
  return places * LIST_PLACE_BYTES;
}

uint32_t hd_device_list_records(const struct hd_cfg *cfg) {
  return (UINT32_C(1) << cfg->list_pos_w) - cfg->agt_size;
}

uint32_t hd_device_spilled(const struct hd_cfg *cfg, uint32_t groups) {
  uint32_t order = cfg->ring_order_min;
  if (groups == 0 || !cfg->has_banks) return 0;
  while (order < cfg->ring_pos_w && UINT64_C(1) << order < (uint64_t)groups + cfg->ring_margin - 1) order++;
  return cfg->ring_queues << order;
}

uint32_t hd_device_addr_bits(const struct hd_cfg *cfg) {
  const uint32_t base = 32 + 8; /* a base register: 32 bits of address / REGION */
  const uint32_t bits = cfg->param_w < cfg->addr_w ? cfg->param_w : cfg->addr_w;
  return bits < base ? bits : base;
}

uint64_t hd_device_place(const struct hd_cfg *cfg, uint64_t base, const struct hd_device_sizes *n,
                         struct hd_device_regions *at) {
  uint64_t end = base >= TOO_FAR ? TOO_FAR : round_up(base, REGION);
  uint32_t bits = hd_device_addr_bits(cfg);
  *at = (struct hd_device_regions){0};
  if (n->records > UINT32_C(1) << cfg->rec_w || n->kernels == 1 ||
      n->buffer_bytes > UINT32_MAX - HD_DEVICE_BUFFER_BYTES)
    return 0;
  at->n = *n;
  at->policy = HD_POLICY_RR;
  at->n.buffer_bytes =
      n->buffer_bytes != 0 ? (uint32_t)round_up(n->buffer_bytes, HD_DEVICE_BUFFER_BYTES) : HD_DEVICE_BUFFER_BYTES;
  at->records = place(&end, n->records, HD_DEVICE_RECORD_BYTES);
  at->lists = place(&end, cfg->num_list, list_bytes(cfg, n->records));
  at->kernels = place(&end, n->kernels, KERNEL_BYTES);
  at->suspended = place(&end, n->suspended, cfg->sus_stride);
  at->spilled = place(&end, n->spilled, SPILLED_BYTES);
  at->buffers = place(&end, n->buffers, at->n.buffer_bytes);
  if (end >> bits == 0) return end;
  *at = (struct hd_device_regions){0};
  return 0;
}

bool hd_device_apb(const struct hd_device_regions *at, uint32_t step, struct hd_apb *pins) {
  const struct {
    uint16_t addr;
    uint32_t value;
  } word[] = {
      {HD_REG_REC_BASE, (uint32_t)(at->records / REGION)},
      {HD_REG_REC_COUNT, at->n.records},
      {HD_REG_DEV_BASE, (uint32_t)(at->kernels / REGION)},
      {HD_REG_DEV_COUNT, at->n.kernels},
      {HD_REG_SUS_BASE, (uint32_t)(at->suspended / REGION)},
      {HD_REG_SUS_COUNT, at->n.suspended},
      {HD_REG_LIST_BASE, (uint32_t)(at->lists / REGION)},
      {HD_REG_SPILL_BASE, (uint32_t)(at->spilled / REGION)},
      {HD_REG_SPILL_COUNT, at->n.spilled},
      {HD_REG_POLICY, at->policy},
  };
  /* Registers used only by the other policies are written only under those. */
  const uint32_t words = sizeof word / sizeof *word - (at->policy == HD_POLICY_RR ? 3 : 0);
  *pins = (struct hd_apb){0};
  if (step / 2 >= words) return false;
  pins->psel = 1;
  pins->penable = step % 2; /* a setup and an access phase per word */
  pins->pwrite = 1;
  pins->pstrb = 0xf;
  pins->paddr = word[step / 2].addr;
  pins->pwdata = word[step / 2].value;
  return true;
}

/* ---- Free numbers ---- */

static uint32_t *ring_of(struct hd_device *d, const struct hd_device_free *f) {
  return d->number + (f == &d->records ? 0 : d->records.size);
}

static uint32_t *holder_of(struct hd_device *d, const struct hd_device_free *f) {
  return ring_of(d, f) + d->records.size + d->buffers.size;
}

static uint32_t get_number(struct hd_device *d, struct hd_device_free *f) {
  uint32_t number = ring_of(d, f)[f->first];
  f->first = f->first + 1 == f->size ? 0 : f->first + 1;
  f->count--;
  holder_of(d, f)[number] = TAKEN;
  return number;
}

static void put_number(struct hd_device *d, struct hd_device_free *f, uint32_t number) {
  uint64_t at = (uint64_t)f->first + f->count++;
  ring_of(d, f)[at < f->size ? at : at - f->size] = number;
  holder_of(d, f)[number] = FREE;
}

size_t hd_device_size(const struct hd_device_regions *at) {
  return sizeof(struct hd_device) + ((size_t)at->n.records + at->n.buffers) * 2 * sizeof(uint32_t);
}

void hd_device_init(struct hd_device *d, const struct hd_cfg *cfg, const struct hd_device_regions *at) {
  memset(d, 0, hd_device_size(at));
  d->cfg = *cfg;
  d->at = *at;
  d->records.size = at->n.records;
  d->buffers.size = at->n.buffers;
  for (uint32_t i = 0; i < at->n.records; i++) put_number(d, &d->records, i);
  for (uint32_t i = 0; i < at->n.buffers; i++) put_number(d, &d->buffers, i);
}

enum hd_device_code hd_device_get_buffers(struct hd_device *d, uint32_t n, uint64_t *addr) {
  if (n > d->buffers.count) return HD_DEVICE_NO_BUFFER;
  for (uint32_t k = 0; k < n; k++)
    addr[k] = d->at.buffers + (uint64_t)d->at.n.buffer_bytes * get_number(d, &d->buffers);
  return HD_DEVICE_OK;
}

enum hd_device_code hd_device_put_buffer(struct hd_device *d, uint64_t addr) {
  if (d->buffers.size == 0) return HD_DEVICE_BAD_BUFFER;
  uint64_t number = (addr - d->at.buffers) / d->at.n.buffer_bytes;
  if (addr < d->at.buffers || (addr - d->at.buffers) % d->at.n.buffer_bytes || number >= d->buffers.size)
    return HD_DEVICE_BAD_BUFFER;
  if (holder_of(d, &d->buffers)[number] == FREE) return HD_DEVICE_BAD_BUFFER;
  put_number(d, &d->buffers, (uint32_t)number);
  return HD_DEVICE_OK;
}

/* ---- Commands ---- */

static enum hd_device_code check_warp(const struct hd_cfg *c, const struct hd_device_warp *w, uint32_t lane) {
  bool good = w->smx < c->num_smx && w->slot < c->ctas_per_smx && w->level <= c->max_level &&
              w->hwtid < c->threads_per_smx && w->hwtid + lane < c->threads_per_smx;
  return good ? HD_DEVICE_OK : HD_DEVICE_BAD_WARP;
}

static enum hd_device_code check_lanes(const struct hd_device_call *call, uint32_t n) {
  if (n == 0 || n > HD_DEVICE_LANES || call[n - 1].lane >= HD_DEVICE_LANES) return HD_DEVICE_BAD_LANE;
  for (uint32_t k = 1; k < n; k++)
    if (call[k].lane <= call[k - 1].lane) return HD_DEVICE_BAD_LANE;
  return HD_DEVICE_OK;
}

static enum hd_device_code of_launch(enum hd_code code) {
  switch (code) {
    case HD_CODE_ACCEPTED:
      return HD_DEVICE_OK;
    case HD_CODE_ZERO_DIM:
      return HD_DEVICE_ZERO_DIM;
    case HD_CODE_NEVER_FITS:
      return HD_DEVICE_NEVER_FITS;
    default:
      return HD_DEVICE_OVER_LIMIT;
  }
}

static enum hd_device_code make_beat(const struct hd_cfg *c, const struct hd_device_warp *w,
                                     const struct hd_device_call *call, enum hd_kind kind, struct hd_devlaunch *beat) {
  const struct hd_launch_args a = {.grid = call->grid,
                                   .cta = call->cta,
                                   .regs = call->regs,
                                   .smem_bytes = call->smem_bytes,
                                   .pc = call->pc,
                                   .param = call->param};
  struct hd_launch l;
  enum hd_code code = hd_launch_make(c, &a, &l);
  memset(beat, 0, sizeof *beat);
  if (code != HD_CODE_ACCEPTED) return of_launch(code);
  if (call->stream >= c->num_streams) return HD_DEVICE_BAD_STREAM;
  beat->kind = (uint8_t)kind;
  beat->lane = (uint8_t)call->lane;
  beat->slot = (uint8_t)w->slot;
  beat->hwtid = (uint16_t)(w->hwtid + call->lane);
  beat->stream = kind == HD_KIND_KERNEL ? (uint8_t)call->stream : 0;
  beat->desc = l.desc;
  beat->threads = l.threads;
  beat->regs = l.regs;
  beat->smem = l.smem;
  beat->ctas = l.ctas;
  return HD_DEVICE_OK;
}

static enum hd_device_code make_beats(const struct hd_cfg *c, const struct hd_device_warp *w,
                                      const struct hd_device_call *call, uint32_t n, enum hd_kind kind,
                                      struct hd_devlaunch *beat) {
  enum hd_device_code code = check_lanes(call, n);
  if (code == HD_DEVICE_OK) code = check_warp(c, w, call[n - 1].lane);
  for (uint32_t k = 0; k < n && code == HD_DEVICE_OK; k++) code = make_beat(c, w, &call[k], kind, &beat[k]);
  if (code == HD_DEVICE_OK) beat[n - 1].last = 1;
  return code;
}

enum hd_device_code hd_device_kernels(const struct hd_device *d, const struct hd_device_warp *w,
                                      const struct hd_device_call *call, uint32_t n, struct hd_devlaunch *beat) {
  return make_beats(&d->cfg, w, call, n, HD_KIND_KERNEL, beat);
}

static uint8_t *put(uint8_t *at, uint64_t value, unsigned bytes) {
  for (unsigned k = 0; k < bytes; k++) at[k] = (uint8_t)(value >> 8 * k);
  return at + bytes;
}

/* Little endian, 16 bytes per line. The plane reads parameter address, dimensions, count, level and Next, and writes
 * Next; the other fields are for debuggers. */
static void fill_record(const struct hd_cfg *c, const struct hd_device_warp *w, const struct hd_devlaunch *b,
                        uint8_t *bytes) {
  uint32_t level = w->level + 1 < c->max_level ? w->level + 1 : c->max_level;
  memset(bytes, 0, HD_DEVICE_RECORD_BYTES);
  uint8_t *at = put(put(bytes, b->desc.pc, 8), b->desc.param, 8);
  at = put(put(put(at, b->desc.cta_x, 2), b->desc.cta_y, 2), b->desc.cta_z, 2);
  at = put(put(put(at, b->threads, 2), b->smem, 2), b->regs, 1);
  at = put(put(put(at, level, 1), b->hwtid, 2), w->smx, 2);
  at = put(put(put(at, b->desc.grid_x, 4), b->desc.grid_y, 2), b->desc.grid_z, 2);
  put(at, b->ctas, 4);
}

enum hd_device_code hd_device_groups(struct hd_device *d, const struct hd_device_warp *w,
                                     const struct hd_device_call *call, uint32_t n, struct hd_devlaunch *beat,
                                     struct hd_device_record *record) {
  enum hd_device_code code = make_beats(&d->cfg, w, call, n, HD_KIND_GROUP, beat);
  if (code != HD_DEVICE_OK) return code;
  if (n > d->records.count) return HD_DEVICE_NO_RECORD;
  for (uint32_t k = 0; k < n; k++) {
    beat[k].record = get_number(d, &d->records);
    record[k].addr = d->at.records + (uint64_t)HD_DEVICE_RECORD_BYTES * beat[k].record;
    fill_record(&d->cfg, w, &beat[k], record[k].bytes);
  }
  if (hd_device_records_out(d) > d->records_most) d->records_most = hd_device_records_out(d);
  return HD_DEVICE_OK;
}

enum hd_device_code hd_device_save(const struct hd_device *d, const struct hd_device_warp *w, uint64_t context,
                                   struct hd_devlaunch *beat) {
  memset(beat, 0, sizeof *beat);
  enum hd_device_code code = check_warp(&d->cfg, w, 0);
  if (code != HD_DEVICE_OK) return code;
  if (d->cfg.param_w < 64 && context >> d->cfg.param_w != 0) return HD_DEVICE_OVER_LIMIT;
  beat->kind = HD_KIND_SAVE;
  beat->last = 1;
  beat->slot = (uint8_t)w->slot;
  beat->hwtid = (uint16_t)w->hwtid;
  beat->desc.param = context;
  return HD_DEVICE_OK;
}

/* ---- Answers ---- */

enum hd_device_code hd_device_answered(struct hd_device *d, const struct hd_devlaunch *beat,
                                       const struct hd_devanswer *a) {
  if (a->kind != beat->kind || a->lane != beat->lane || a->slot != beat->slot) return HD_DEVICE_BAD_ANSWER;
  if (beat->kind != HD_KIND_GROUP) return a->code == HD_CODE_KEPT ? HD_DEVICE_BAD_ANSWER : HD_DEVICE_OK;
  if (beat->record >= d->records.size) return HD_DEVICE_BAD_RECORD;
  uint32_t *holder = &holder_of(d, &d->records)[beat->record];
  if (*holder != TAKEN && *holder != RETURNED) return HD_DEVICE_BAD_RECORD;
  if (a->code == HD_CODE_KEPT && *holder == TAKEN) {
    *holder = KEPT;
  } else {
    if ((a->code == HD_CODE_KEPT) != (*holder == RETURNED)) return HD_DEVICE_BAD_ANSWER;
    put_number(d, &d->records, beat->record);
  }
  return HD_DEVICE_OK;
}

enum hd_device_code hd_device_record_done(struct hd_device *d, uint32_t record) {
  if (record >= d->records.size) return HD_DEVICE_BAD_RECORD;
  uint32_t *holder = &holder_of(d, &d->records)[record];
  if (*holder != KEPT && *holder != TAKEN) return HD_DEVICE_BAD_RECORD;
  if (*holder == TAKEN)
    *holder = RETURNED;
  else
    put_number(d, &d->records, record);
  return HD_DEVICE_OK;
}

uint32_t hd_device_idle(struct hd_device *d) {
  const uint32_t *holder = holder_of(d, &d->records);
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->records.size; i++) {
    if (holder[i] != KEPT) continue;
    put_number(d, &d->records, i);
    n++;
  }
  return n;
}

uint32_t hd_device_stream(const struct hd_cfg *cfg, uint32_t depth, uint32_t k) {
  uint32_t share = cfg->num_streams / cfg->max_level;
  if (depth >= cfg->max_level || share == 0) return 0;
  if (depth > 0) return depth * share + k % share;
  return share > 1 ? 1 + k % (share - 1) : 0; /* number 0 means no stream */
}

uint32_t hd_device_records_out(const struct hd_device *d) {
  return d->records.size - d->records.count;
}

const char *hd_device_text(unsigned code) {
  static const char *const text[] = {
      [HD_DEVICE_OK] = "good",
      [HD_DEVICE_NO_RECORD] = "no group record is free",
      [HD_DEVICE_NO_BUFFER] = "no parameter buffer is free",
      [HD_DEVICE_BAD_WARP] = "no such SMX, TB slot, hardware thread or level",
      [HD_DEVICE_BAD_LANE] = "1 to 32 calls with ascending lanes would be accepted",
      [HD_DEVICE_BAD_STREAM] = "no such device stream",
      [HD_DEVICE_ZERO_DIM] = "a dimension is zero",
      [HD_DEVICE_OVER_LIMIT] = "a dimension, a size or an address is over its limit",
      [HD_DEVICE_NEVER_FITS] = "one TB needs more than an empty SMX has",
      [HD_DEVICE_BAD_BUFFER] = "not the address of a parameter buffer in use",
      [HD_DEVICE_BAD_RECORD] = "the plane does not own that record",
      [HD_DEVICE_BAD_ANSWER] = "the answer does not match that launch",
  };
  return code < sizeof text / sizeof *text ? text[code] : "unknown code";
}
