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
  memset(in->dev_event, 0, sizeof in->dev_event);
  in->dev_code = in->dev_kind = 0;
  if (hd_rng_p(rng, p->source)) {
    in->dev_event[hd_rng_below(rng, sizeof in->dev_event)] = 1;
    in->dev_code = (uint8_t)hd_rng_below(rng, HD_CODE_KEPT + 1);
    in->dev_kind = (uint8_t)hd_rng_below(rng, 4);
  }
  uint64_t r = hd_rng_next(rng);
  in->searched = r & 1;
  in->search = r >> 1 & 1;
  in->fetch = r >> 2 & 1;
  in->waiting = r >> 3 & 1;
  in->slot_wait = in->waiting && (r >> 4 & 1);
  in->spill = r >> 5 & 1;
  in->refill = r >> 6 & 1;
  in->suspend = r >> 7 & 1;
  in->resume = r >> 8 & 1;
  in->oldest_wait = r >> 9 & 1;
  in->group_spill = r >> 14 & 1;
  in->group_refill = r >> 15 & 1;
  in->inversion = r >> 16 & 1;
  in->kd_busy = (r >> 10 & 3) == 3;
  in->kin_busy = (r >> 12 & 3) == 3;
  in->record_done_valid = hd_rng_p(rng, p->source);
  in->record_done_ready = hd_rng_p(rng, p->sink);
  for (unsigned k = 0; k < sizeof in->error; k++) in->error[k] = hd_rng_p(rng, p->bad / 2);
}

/* Graphs that end, with or without an error; in some cycles the buffer reports several events. */
static void drive_graph(struct hd_rng *rng, const struct hd_profile *p, struct hd_regs_in *in) {
  memset(&in->over, 0, sizeof in->over);
  in->over_valid = hd_rng_p(rng, p->source / 4);
  if (in->over_valid && hd_rng_p(rng, 128)) {
    in->over.code = (uint8_t)hd_rng_below(rng, HD_GCODE_GRAPH + 1);
    in->over.vid = (uint16_t)hd_rng_bits(rng, 16);
  }
  const uint64_t r = hd_rng_next(rng);
  in->pub_event = r & 1;
  in->early_event = r >> 1 & 1;
  in->big_event = r >> 2 & 1;
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
  in->answer_valid = hd_rng_p(rng, p->source);
  in->answer_ready = hd_rng_p(rng, p->sink);
  memset(&in->answer, 0, sizeof in->answer);
  if (in->answer_valid) {
    in->answer.tag = (uint16_t)hd_rng_bits(rng, 16);
    in->answer.code = (uint8_t)hd_rng_below(rng, 6);
  }
  in->enter_valid = hd_rng_p(rng, p->source);
  in->enter_ready = hd_rng_p(rng, p->sink);
  in->kernel_done_valid = hd_rng_p(rng, p->source);
  in->kernel_done_ready = hd_rng_p(rng, p->sink);
  in->grant_valid = hd_rng_p(rng, p->source);
  in->blocked = hd_rng_p(rng, p->source);
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    unsigned e = hd_rng_below(rng, 256);
    in->done_ok[k] = e < p->source / 2;
    in->done_empty[k] = e >= 248;
    in->done_early[k] = e >= 240 && e < 248;
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
  hits[0] += access + in->grant_valid + (in->answer_valid && in->answer_ready);
  hits[1] += access && !in->pwrite && out->prdata;
  hits[2] += access && in->pwrite && !out->pslverr;
  hits[3] += out->pslverr;
  hits[4] += access && in->pwrite && in->paddr == HD_REG_STATUS && in->pwdata;
  hits[5] += access && in->pwrite && in->paddr >= 0x100 && !out->pslverr;
  bool config = access && in->paddr >= HD_REG_REC_BASE && in->paddr <= HD_REG_SPILL_COUNT &&
                in->paddr != HD_REG_POLICY && !out->pslverr;
  hits[6] += config && in->pwrite;
  hits[7] += config && !in->pwrite && out->prdata;
  hits[8] += in->dev_code >= HD_CODE_ZERO_DIM && in->dev_code <= HD_CODE_EMPTY_SLOT;
  hits[9] += in->dev_code == HD_CODE_REFUSED && in->dev_kind == HD_KIND_SAVE;
  for (unsigned k = 0; k < sizeof in->error; k++) hits[10] += in->error[k];
  hits[11] += in->over_valid && in->over.code != HD_GCODE_FINE;
  hits[13] += access && in->pwrite && out->pslverr && in->paddr >= HD_REG_REC_BASE && in->paddr <= HD_REG_SPILL_COUNT;
  hits[12] += access && !in->pwrite && in->paddr == HD_REG_GRAPH && out->prdata;
}

const struct hd_block_driver hd_block_driver_regs = {HD_BLOCK_DRIVER_MODEL_FIELDS(regs), HD_BLOCK_ORACLE_FIELDS(regs),
                                                     HD_BLOCK_DRIVER_STIM_FIELDS(struct stim)};
