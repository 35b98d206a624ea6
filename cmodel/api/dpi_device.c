/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdlib.h>
#include <string.h>

#include "api/device.h"
#include "api/dpi_inside.h"
#include "gen/hd_policies.h"

/* Beats of an SMX's commands, oldest first: those accepted by the plane and not answered, then those that wait. */
struct queue {
  struct hd_devlaunch *beat;
  uint32_t room, first, sent, count; /* first: the oldest; sent: how many of `count` are accepted */
};

/* The command of a warp being assembled. */
struct command {
  struct hd_device_call call[HD_DEVICE_LANES];
  uint32_t n, kind, slot;
};

struct answer {
  uint32_t smx;
  struct hd_devanswer answer;
};

struct hd_dpi_device {
  struct hd_device *runtime;
  struct hd_dpi_memory *memory;
  struct hd_deplinks graph;
  uint64_t end;                                       /* first free address in memory */
  uint8_t level[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX]; /* level of the last TB handed out to each slot */
  struct queue queue[HD_MAX_NUM_SMX];
  struct command command[HD_MAX_NUM_SMX];
  struct answer *answer; /* a ring */
  uint32_t answer_room, first_answer, answers;
  uint32_t offers; /* SMXs with waiting beats */
};

/* ---- Setup ---- */

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

void hd_dpi_device_free(struct hd_dpi_device *d) {
  if (d == NULL) return;
  for (uint32_t s = 0; s < HD_MAX_NUM_SMX; s++) free(d->queue[s].beat);
  hd_deplinks_free(&d->graph);
  hd_dpi_memory_free(d->memory);
  free(d->runtime);
  free(d->answer);
  free(d);
}

static struct hd_dpi_device *device_new(const struct hd_cfg *cfg, uint32_t latency, uint32_t policy,
                                        struct hd_device_regions *at) {
  const struct hd_device_sizes n = {.records = least(hd_device_list_records(cfg), UINT32_C(1) << cfg->rec_w),
                                    .kernels = cfg->pool_rows,
                                    .suspended = cfg->num_kin,
                                    .spilled = hd_device_spilled(cfg, HD_DEVICE_WAITING)};
  const uint64_t end = hd_device_place(cfg, UINT64_C(1) << (hd_device_addr_bits(cfg) - 1), &n, at);
  struct hd_dpi_device *d = end != 0 ? calloc(1, sizeof *d) : NULL;
  if (d == NULL) return NULL;
  at->policy = (uint8_t)policy;
  d->end = end;
  d->runtime = malloc(hd_device_size(at));
  d->memory = hd_dpi_memory_new(latency);
  if (d->runtime != NULL && d->memory != NULL) {
    hd_device_init(d->runtime, cfg, at);
    return d;
  }
  hd_dpi_device_free(d);
  return NULL;
}

uint32_t hd_dpi_device(void *plane, uint32_t latency, uint32_t policy) {
  struct hd_dpi *p = hd_dpi_at(plane);
  struct hd_device_regions at;
  struct hd_apb pins;
  if (p == NULL || latency == 0 || policy >= HD_NUM_POLICY) return 0;
  hd_dpi_reset(plane);
  p->device = device_new(&p->cfg, latency, policy, &at);
  if (p->device == NULL) return 0;
  uint32_t cycles = 0;
  for (; hd_device_apb(&at, cycles, &pins); cycles++) {
    hd_dpi_apb(plane, pins.psel, pins.penable, pins.pwrite, pins.paddr, pins.pwdata, pins.pstrb);
    hd_dpi_tick(plane);
  }
  hd_dpi_apb(plane, 0, 0, 0, 0, 0, 0);
  return cycles;
}

const char *hd_dpi_policy(uint32_t number) {
#define WORD(name, word) word,
  static const char *const words[] = {HD_POLICIES(WORD)};
#undef WORD
  return number < sizeof words / sizeof *words ? words[number] : "";
}

uint64_t hd_dpi_launch_cycles(const void *plane, uint32_t kind, uint32_t threads) {
  const struct hd_dpi *p = hd_dpi_at(plane);
  const struct hd_device_latency t = hd_device_latency_k20c();
  if (p == NULL || threads == 0 || threads > HD_DEVICE_LANES) return 0;
  return kind == HD_KIND_GROUP    ? hd_device_group_cycles(&p->cfg, &t, threads)
         : kind == HD_KIND_KERNEL ? hd_device_kernel_cycles(&t, threads)
                                  : 0;
}

/* ---- Commands ---- */

/* Appends the beats of a command to the queue of its SMX. */
static bool enqueue(struct hd_dpi_device *d, uint32_t smx, const struct hd_devlaunch *beat, uint32_t n) {
  struct queue *q = &d->queue[smx];
  if (q->first > 0 && q->first + q->count + n > q->room) {
    memmove(q->beat, q->beat + q->first, q->count * sizeof *q->beat);
    q->first = 0;
  }
  if (q->count + n > q->room) {
    const uint32_t room = 2 * (q->count + n);
    struct hd_devlaunch *more = realloc(q->beat, room * sizeof *more);
    if (more == NULL) return false;
    q->beat = more;
    q->room = room;
  }
  d->offers += q->sent == q->count;
  memcpy(q->beat + q->first + q->count, beat, n * sizeof *beat);
  q->count += n;
  return true;
}

static enum hd_device_code end_command(struct hd_dpi *p, uint32_t smx) {
  struct hd_dpi_device *d = p->device;
  struct command *c = &d->command[smx];
  struct hd_devlaunch beat[HD_DEVICE_LANES];
  struct hd_device_record record[HD_DEVICE_LANES];
  const uint32_t threads = p->cfg.threads_per_smx / p->cfg.ctas_per_smx;
  const struct hd_device_warp warp = {smx, c->slot, c->slot * (threads / HD_DEVICE_LANES * HD_DEVICE_LANES),
                                      d->level[smx][c->slot]};
  enum hd_device_code code;
  if (c->kind == HD_KIND_GROUP)
    code = hd_device_groups(d->runtime, &warp, c->call, c->n, beat, record);
  else if (c->kind == HD_KIND_KERNEL)
    code = hd_device_kernels(d->runtime, &warp, c->call, c->n, beat);
  else
    code = hd_device_save(d->runtime, &warp, c->call[0].param, beat);
  bool good = code == HD_DEVICE_OK;
  for (uint32_t k = 0; good && c->kind == HD_KIND_GROUP && k < c->n; k++)
    good = hd_dpi_memory_put(d->memory, record[k].addr, record[k].bytes, sizeof record[k].bytes);
  good = good && enqueue(d, smx, beat, c->n);
  c->n = 0;
  return code != HD_DEVICE_OK || good ? code : HD_DEVICE_NO_BUFFER;
}

uint32_t hd_dpi_dev_launch(void *plane, uint32_t smx, uint32_t slot, uint32_t kind, uint32_t lane, uint8_t last,
                           uint32_t stream, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t cta_x,
                           uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc, uint64_t param) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL || p->device == NULL || smx >= p->cfg.num_smx || slot >= p->cfg.ctas_per_smx || kind > HD_KIND_SAVE)
    return HD_DEVICE_BAD_WARP;
  struct command *c = &p->device->command[smx];
  const bool joins = c->n == 0 || (c->kind == kind && c->slot == slot && kind != HD_KIND_SAVE);
  if (!joins || c->n == HD_DEVICE_LANES) {
    c->n = 0;
    return HD_DEVICE_BAD_LANE;
  }
  c->kind = kind;
  c->slot = slot;
  c->call[c->n++] = (struct hd_device_call){.lane = lane,
                                            .grid = {grid_x, grid_y, grid_z},
                                            .cta = {cta_x, cta_y, cta_z},
                                            .regs = regs,
                                            .smem_bytes = smem,
                                            .pc = pc,
                                            .param = param,
                                            .stream = stream};
  return last || kind == HD_KIND_SAVE ? end_command(p, smx) : HD_DEVICE_OK;
}

uint8_t hd_dpi_dev_answer(void *plane, uint32_t *smx, uint32_t *slot, uint32_t *kind, uint32_t *lane, uint32_t *code) {
  struct hd_dpi *p = hd_dpi_at(plane);
  struct hd_dpi_device *d = p != NULL ? p->device : NULL;
  *smx = *slot = *kind = *lane = *code = 0;
  if (d == NULL || d->answers == 0) return 0;
  const struct answer *a = &d->answer[d->first_answer];
  *smx = a->smx;
  *slot = a->answer.slot;
  *kind = a->answer.kind;
  *lane = a->answer.lane;
  *code = a->answer.code;
  d->first_answer = (d->first_answer + 1) % d->answer_room;
  d->answers--;
  return 1;
}

/* ---- A cycle ---- */

bool hd_dpi_device_drive(struct hd_dpi *p) {
  struct hd_dpi_device *d = p->device;
  hd_dpi_memory_drive(d->memory, &p->in);
  p->in.record_done_ready = 1;
  for (uint32_t s = 0; s < p->cfg.num_smx; s++) {
    const struct queue *q = &d->queue[s];
    const bool waits = q->sent < q->count;
    p->in.dev_answer_ready[s] = d->answers + p->cfg.num_smx <= d->answer_room;
    if (!waits && !p->in.dev_launch_valid[s]) continue;
    p->in.dev_launch_valid[s] = waits;
    if (waits)
      p->in.dev_launch[s] = q->beat[q->first + q->sent];
    else
      memset(&p->in.dev_launch[s], 0, sizeof p->in.dev_launch[s]);
  }
  return d->offers > 0;
}

/* Makes room for one more answer per SMX; if out of memory, the SMXs accept no answer. */
static void answer_room(struct hd_dpi_device *d, uint32_t smxs) {
  if (d->answers + smxs <= d->answer_room) return;
  const uint32_t room = 2 * (d->answers + smxs);
  struct answer *more = malloc(room * sizeof *more);
  if (more == NULL) return;
  for (uint32_t k = 0; k < d->answers; k++) more[k] = d->answer[(d->first_answer + k) % d->answer_room];
  free(d->answer);
  d->answer = more;
  d->answer_room = room;
  d->first_answer = 0;
}

void hd_dpi_device_follow(struct hd_dpi *p) {
  struct hd_dpi_device *d = p->device;
  p->moved = hd_dpi_memory_follow(d->memory, &p->in, &p->out);
  answer_room(d, p->cfg.num_smx);
  for (uint32_t s = 0; s < p->cfg.num_smx; s++) {
    struct queue *q = &d->queue[s];
    if (p->out.dispatch_valid[s] && p->in.dispatch_ready[s])
      d->level[s][p->out.dispatch[s].slot] = p->out.dispatch[s].level;
    if (p->in.dev_launch_valid[s] && p->out.dev_launch_ready[s]) {
      q->sent++;
      d->offers -= q->sent == q->count;
      p->moved = true;
    }
    if (p->out.dev_answer_valid[s] && p->in.dev_answer_ready[s]) {
      hd_device_answered(d->runtime, &q->beat[q->first], &p->out.dev_answer[s]);
      q->first++;
      q->sent--;
      q->count--;
      d->answer[(d->first_answer + d->answers++) % d->answer_room] = (struct answer){s, p->out.dev_answer[s]};
      p->moved = true;
    }
  }
  if (p->out.record_done_valid) {
    hd_device_record_done(d->runtime, p->out.record_done);
    p->moved = true;
  }
}

bool hd_dpi_device_has_answer(const struct hd_dpi_device *d) {
  return d->answers > 0;
}

bool hd_dpi_device_offers(const struct hd_dpi_device *d) {
  return d->offers > 0;
}

struct hd_dpi_memory *hd_dpi_device_memory(struct hd_dpi_device *d) {
  return d->memory;
}

uint32_t hd_dpi_device_records(const struct hd_dpi_device *d) {
  return hd_device_records_out(d->runtime);
}

uint64_t *hd_dpi_device_end(struct hd_dpi_device *d) {
  return &d->end;
}

struct hd_deplinks *hd_dpi_device_graph(struct hd_dpi_device *d) {
  return &d->graph;
}
