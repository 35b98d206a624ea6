/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The service blocks in one cycle of the plane: the arbiter of the memory port, and the registers with their
 * counters. */
#include <string.h>

#include "top/top_inside.h"

static const struct hd_memarb_out mem_idle_out;

void hd_top_settle_memory(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  struct hd_memarb_in *i = &w->mem_in;
  w->mem = &mem_idle_out;
  i->mem[MEM_OVFQ] = w->ovfq->mem;
  i->mem[MEM_POOL] = w->pool->mem;
  i->mem[MEM_SUSP] = w->susp->mem;
  i->mem[MEM_SPILL] = w->spill->mem;
  i->mem[MEM_DATS] = w->dats->mem;
  i->mem[MEM_DGB] = w->dgb->mem;
  bool asked = false;
  for (unsigned c = 0; c < MEM_CLIENTS; c++) asked |= i->mem[c].valid;
  if (hd_memarb_quiet(hd_top_memarb(m)) && !asked && !in->bvalid && !in->rvalid) return;
  i->awready = in->awready;
  i->wready = in->wready;
  i->bvalid = in->bvalid;
  i->bid = in->bid;
  i->bresp = in->bresp;
  i->arready = in->arready;
  i->rvalid = in->rvalid;
  i->rid = in->rid;
  i->rdata[0] = in->rdata[0];
  i->rdata[1] = in->rdata[1];
  i->rresp = in->rresp;
  i->rlast = in->rlast;
  hd_memarb_eval(hd_top_memarb(m), i, &w->mem_out);
  w->mem = &w->mem_out;
}

void hd_top_step_regs(struct hd_top *m, const struct hd_top_wires *w, const struct hd_top_in *in, bool busy) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_apb apb = {in->psel, in->penable, in->pwrite, in->pstrb, in->paddr, in->pwdata};
  uint8_t dev_event = 0;
  for (unsigned k = 0; k < sizeof w->devq->event; k++) dev_event |= (uint8_t)(w->devq->event[k] << k);
  const struct hd_regs_events e = {
      .answer = kmu->answer_count > 0 && in->host_answer_ready ? kmu->answer[0].code : -1,
      .enter = w->enter_kdei >= 0,
      .kernel_done = w->kin->kernel_done_valid && in->kernel_done_ready,
      .grant = w->choice.grant_smx >= 0,
      .blocked = w->choice.blocked,
      .done_ok = hd_bits_count(s->done_ok, s->cfg.smx_words),
      .done_empty = hd_bits_count(s->done_empty, s->cfg.smx_words),
      .done_early = hd_bits_count(s->done_early, s->cfg.smx_words),
      .dev_event = dev_event,
      .dev_code = w->devq->code,
      .dev_kind = w->devq->kind,
      .searched = w->match->events.searched,
      .search = w->match->events.compared,
      .fetch = w->ovfq->fetch,
      .waiting = hd_sscr_waiting(&s->sscr),
      .slot_wait = hd_sscr_slot_wait(&s->sscr, &w->env.sscr),
      .record_done = w->agc->record_done_valid && in->record_done_ready,
      .spill = w->pool->events.spill,
      .refill = w->pool->events.refill,
      .suspend = w->susp->events.suspend,
      .resume = w->susp->events.resume,
      .oldest_wait = hd_top_fcfs(m)->count > 1,
      .busy = busy,
      .list_error = w->ovfq->write_fail.valid,
      .record_error = w->ovfq->fetch_fail.valid,
      .pool_error = w->pool->events.error,
      .suspend_error = w->susp->events.error,
      .spill_error = w->spill->lost.valid,
      .over = w->dats->over.valid ? &w->dats->over.result : NULL,
      .pub_event = w->dgb->events.pub,
      .early_event = w->dgb->events.early,
      .big_event = w->dgb->events.big,
      .group_spill = hd_laperm_puts(hd_top_laperm(m)),
      .group_refill = hd_laperm_takes_back(hd_top_laperm(m), &w->memory),
      .inversion = hd_laperm_inversion(hd_top_laperm(m), &w->memory),
  };
  hd_regs_step(regs_of(m), &apb, &e);
}
