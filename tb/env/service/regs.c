/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* regs: golden model, random environment and cover points. The environment is an APB master and a plane with events in
 * almost every cycle. */
#include "service/regs.h"

#include "env/common/clients.h"
#include "env/common/model.h"
#include "gen/hd_regs_map.h"
#include "oracle/regs_oracle.h"

HD_BLOCK_DRIVER_MODEL(regs)
HD_BLOCK_DRIVER_ARCH(regs)

struct stim {
  struct hd_cfg cfg;
  struct hd_apb_master apb;
  struct hd_apb_pins pins;
};

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
}

static void stim_reset(void *s_) {
  struct stim *s = s_;
  memset(&s->apb, 0, sizeof s->apb);
  memset(&s->pins, 0, sizeof s->pins);
}

/* Events of the blocks for device launches; an answer has one kind and one code. */
static void drive_device(struct hd_rng *rng, const struct hd_profile *p, struct hd_regs_in *in) {
  memset(in->devq_event, 0, sizeof in->devq_event);
  in->devq_code = in->devq_kind = 0;
  if (hd_rng_p(rng, p->source)) {
    in->devq_event[hd_rng_below(rng, sizeof in->devq_event)] = 1;
    in->devq_code = (uint8_t)hd_rng_below(rng, HD_CODE_KEPT + 1);
    in->devq_kind = (uint8_t)hd_rng_below(rng, 4);
  }
  uint64_t r = hd_rng_next(rng);
  in->match_events.searched = r & 1;
  in->match_events.compared = r >> 1 & 1;
  in->ovfq_fetch = r >> 2 & 1;
  in->sched_events.waiting = r >> 3 & 1;
  in->sched_events.slot_wait = in->sched_events.waiting && (r >> 4 & 1);
  in->pool_events.spill = r >> 5 & 1;
  in->pool_events.refill = r >> 6 & 1;
  in->susp_events.suspend = r >> 7 & 1;
  in->susp_events.resume = r >> 8 & 1;
  in->fcfs_next.valid = r >> 9 & 1;
  in->laperm_put.valid = r >> 14 & 1;
  in->spill_back.valid = r >> 15 & 1;
  in->laperm_back_ready = r >> 17 & 1;
  in->laperm_inversion = r >> 16 & 1;
  in->kd_busy = (r >> 10 & 3) == 3;
  in->kin_busy = (r >> 12 & 3) == 3;
  in->record_done_valid = hd_rng_p(rng, p->source);
  in->record_done_ready = hd_rng_p(rng, p->sink);
  in->ovfq_write_fail.valid = hd_rng_p(rng, p->bad / 2);
  in->ovfq_fetch_fail.valid = hd_rng_p(rng, p->bad / 2);
  in->pool_events.error = hd_rng_p(rng, p->bad / 2);
  in->susp_events.error = hd_rng_p(rng, p->bad / 2);
  in->spill_lost.valid = hd_rng_p(rng, p->bad / 2);
}

/* Graphs that end, with or without an error; in some cycles the buffer reports several events. */
static void drive_graph(struct hd_rng *rng, const struct hd_profile *p, struct hd_regs_in *in) {
  memset(&in->dats_over.result, 0, sizeof in->dats_over.result);
  in->dats_over.valid = hd_rng_p(rng, p->source / 4);
  if (in->dats_over.valid && hd_rng_p(rng, 128)) {
    in->dats_over.result.code = (uint8_t)hd_rng_below(rng, HD_GCODE_GRAPH + 1);
    in->dats_over.result.vid = (uint16_t)hd_rng_bits(rng, 16);
  }
  const uint64_t r = hd_rng_next(rng);
  in->dgb_events.pub = r & 1;
  in->dgb_events.early = r >> 1 & 1;
  in->dgb_events.big = r >> 2 & 1;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_regs_in *in = in_;
  (void)out;
  (void)now;
  hd_random_apb(&s->apb, rng, p, &s->pins);
  in->psel = s->pins.psel;
  in->penable = s->pins.penable;
  in->pwrite = s->pins.pwrite;
  in->paddr = s->pins.paddr;
  in->pwdata = s->pins.pwdata;
  in->pstrb = s->pins.pstrb;
  in->host_answer_valid = hd_rng_p(rng, p->source);
  in->host_answer_ready = hd_rng_p(rng, p->sink);
  memset(&in->host_answer, 0, sizeof in->host_answer);
  if (in->host_answer_valid) {
    in->host_answer.tag = (uint16_t)hd_rng_bits(rng, 16);
    in->host_answer.code = (uint8_t)hd_rng_below(rng, 6);
  }
  in->kd_entry.valid = hd_rng_p(rng, p->source) && hd_rng_p(rng, p->sink);
  in->kernel_done_valid = hd_rng_p(rng, p->source);
  in->kernel_done_ready = hd_rng_p(rng, p->sink);
  const unsigned from = hd_rng_below(rng, 3);
  const bool grant = hd_rng_p(rng, p->source);
  in->sched_grant.valid = grant && from == 0;
  in->sched_take.valid = grant && from == 1;
  in->sched_graph_take = grant && from == 2;
  in->sched_events.blocked = hd_rng_p(rng, p->source);
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    unsigned e = hd_rng_below(rng, 256);
    in->sched_done_ok[k] = e < p->source / 2;
    in->sched_done_empty[k] = e >= 248;
    in->sched_done_early[k] = e >= 240 && e < 248;
  }
  drive_device(rng, p, in);
  drive_graph(rng, p, in);
}

static const char *const covers[] = {
    "event",           "read",           "write",       "error",         "status_cleared",
    "counter_written", "config_written", "config_read", "dev_bad",       "save_refused",
    "memory_error",    "graph_failed",   "graph_read",  "config_locked", NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_regs_in *in = in_;
  const struct hd_regs_out *out = out_;
  (void)s_;
  bool access = in->psel && in->penable;
  hits[0] += access + in->sched_grant.valid + in->sched_take.valid + in->sched_graph_take +
             (in->host_answer_valid && in->host_answer_ready);
  hits[1] += access && !in->pwrite && out->prdata;
  hits[2] += access && in->pwrite && !out->pslverr;
  hits[3] += out->pslverr;
  hits[4] += access && in->pwrite && in->paddr == HD_REG_STATUS && in->pwdata;
  hits[5] += access && in->pwrite && in->paddr >= 0x100 && !out->pslverr;
  bool config = access && in->paddr >= HD_REG_REC_BASE && in->paddr <= HD_REG_SPILL_COUNT &&
                in->paddr != HD_REG_POLICY && !out->pslverr;
  hits[6] += config && in->pwrite;
  hits[7] += config && !in->pwrite && out->prdata;
  hits[8] += in->devq_code >= HD_CODE_ZERO_DIM && in->devq_code <= HD_CODE_EMPTY_SLOT;
  hits[9] += in->devq_code == HD_CODE_REFUSED && in->devq_kind == HD_KIND_SAVE;
  hits[10] += in->ovfq_write_fail.valid + in->ovfq_fetch_fail.valid + in->pool_events.error + in->susp_events.error +
              in->spill_lost.valid;
  hits[11] += in->dats_over.valid && in->dats_over.result.code != HD_GCODE_FINE;
  hits[13] += access && in->pwrite && out->pslverr && in->paddr >= HD_REG_REC_BASE && in->paddr <= HD_REG_SPILL_COUNT;
  hits[12] += access && !in->pwrite && in->paddr == HD_REG_GRAPH && out->prdata;
}

const struct hd_block_driver hd_block_driver_regs = {HD_BLOCK_DRIVER_MODEL_FIELDS(regs), HD_BLOCK_ORACLE_FIELDS(regs),
                                                     HD_BLOCK_DRIVER_STIM_FIELDS(struct stim)};
