/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* apu: golden model and cover points; the environment is apu_neighbours, the oracle apu_oracle. */
#include "channel/apu.h"

#include "env/channel/apu_neighbours.h"
#include "env/common/model.h"
#include "oracle/apu_oracle.h"

HD_BLOCK_DRIVER_MODEL(apu)

enum part { PART_CHAN = 1, PART_DCOUNT, PART_AGG, PART_YREC, PART_MEMARB };

static void apu_arch(const void *m_, unsigned group, void *arch, bool tables) {
  const struct hd_apu *m = m_;
  struct hd_apu_arch *a = arch;
  if (group == PART_CHAN) hd_chan_arch(&m->chan, &a->chan, tables);
  if (group == PART_DCOUNT) hd_dcount_arch(&m->dcount, &a->dcount, tables);
  if (group == PART_AGG) hd_agg_arch(&m->agg, &a->agg, tables);
  if (group == PART_YREC) hd_yrec_arch(&m->yrec, &a->yrec, tables);
  if (group == PART_MEMARB) hd_memarb_arch(&m->memarb, &a->memarb, tables);
}

static const struct hd_wrote *apu_wrote(const void *m_, unsigned group) {
  const struct hd_apu *m = m_;
  const struct hd_wrote *const wrote[] = {NULL, m->chan.wrote, m->dcount.wrote, m->agg.wrote, m->yrec.wrote, NULL};
  return wrote[group];
}

static void apu_row(const void *m_, unsigned group, unsigned row, void *arch) {
  const struct hd_apu *m = m_;
  struct hd_apu_arch *a = arch;
  if (group == PART_CHAN) hd_chan_arch_row(&m->chan, row, &a->chan);
  if (group == PART_DCOUNT) hd_dcount_arch_row(&m->dcount, row, &a->dcount);
  if (group == PART_AGG) hd_agg_arch_row(&m->agg, row, &a->agg);
  if (group == PART_YREC) hd_yrec_arch_row(&m->yrec, row, &a->yrec);
}

static void apu_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_apu_show_inner(m, in, inner);
}

HD_BLOCK_DRIVER_NEIGHBOURS(apu)

static const char *const covers[] = {"event",  "begins", "goes_on", "ok",    "no_room", "write_error", "read_error",
                                     "narrow", "slow",   "partial", "wraps", "crowd",   "beside",      NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_apu_in *in = in_;
  const struct hd_apu_out *out = out_;
  const struct hd_apu_neighbours *s = s_;
  const bool any = memchr(out->answer_valid, 1, s->cfg.num_cu) != NULL;
  unsigned runs = 0;
  for (unsigned k = 0; k < s->cfg.chan_slots; k++) runs += s->wave[k].step != HD_APU_NONE;
  hits[0] += out->go_valid;
  hits[1] += out->go_valid && !out->go.restart;
  hits[2] += out->go_valid && out->go.restart;
  hits[3] += any && out->answer.code == HD_CHCODE_OK;
  hits[4] += any && out->answer.code == HD_CHCODE_NO_ROOM;
  hits[5] += in->bvalid && in->bresp;
  hits[6] += in->rvalid && in->rresp;
  hits[7] += s->narrow && out->go_valid;
  hits[8] += s->slow && out->go_valid;
  hits[9] += out->go_valid && out->go.count == 1;
  hits[10] += out->go_valid && out->go.start + out->go.count > 2u << s->cap[out->go.own];
  hits[11] += s->cycles == HD_APU_SPAN && s->starts >= HD_APU_SPAN / 8;
  hits[12] += out->go_valid && !out->go.restart && out->go.count < s->threshold[out->go.own] && runs > 1;
}

const struct hd_block_driver hd_block_driver_apu = {HD_BLOCK_DRIVER_MODEL_FIELDS(apu),
                                                    HD_BLOCK_DRIVER_ROWS_FIELDS(apu),
                                                    .inner_size = sizeof(struct hd_apu_inner),
                                                    .inner = apu_inner,
                                                    HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_apu_neighbours),
                                                    HD_BLOCK_ORACLE_FIELDS(apu)};
