/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/plane_rest.h"

#include <string.h>

#include "gen/hd_regs_map.h"
#include "oracle/plane_state.h"

struct rest {
  struct hd_cfg cfg;
  uint32_t idle;                                             /* cycles since the last transfer at a client's port */
  uint32_t asks;                                             /* unanswered launches and saves */
  uint32_t kernels;                                          /* host kernels accepted and not done */
  uint8_t dev_requests[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX]; /* unanswered, by slot of the requesting TB */
  uint32_t runs[HD_MAX_NUM_SMX], saves[HD_MAX_NUM_SMX];      /* slots whose TB runs; whose TB requested its save */
  uint8_t refused;                                           /* a launch is offered and not accepted */
  uint8_t setup;                                             /* the cycle before was an APB setup phase */
  uint8_t written;                                           /* STATUS was written */
  uint8_t over;                                              /* see hd_plane_rest_over() */
  uint8_t broken;                                            /* a client broke its contract */
  struct hd_plane_oracle oracle;
};

size_t hd_plane_rest_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct rest);
}

void hd_plane_rest_init(void *o, const struct hd_cfg *cfg) {
  struct rest *r = o;
  memset(r, 0, offsetof(struct rest, oracle));
  r->cfg = *cfg;
  hd_plane_oracle_init(&r->oracle, cfg);
}

/* Returns true in a cycle with a transfer, or with an offer of the plane that no client accepts. */
static bool moves(const struct rest *r, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool any = (in->host_launch_valid && out->host_launch_ready) || out->host_answer_valid || out->kernel_done_valid ||
             out->record_done_valid || (out->awvalid && !in->awready) || (out->wvalid && !in->wready) ||
             (out->arvalid && !in->arready);
  for (unsigned s = 0; s < r->cfg.num_smx; s++)
    any |= out->dispatch_valid[s] || out->dev_answer_valid[s] ||
           (in->dev_launch_valid[s] && out->dev_launch_ready[s]) ||
           (in->cta_done_valid[s] && r->runs[s] >> in->cta_done_slot[s] & 1);
  return any;
}

static bool refuses(const struct rest *r, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool any = in->host_launch_valid && !out->host_launch_ready;
  for (unsigned s = 0; s < r->cfg.num_smx; s++) any |= in->dev_launch_valid[s] && !out->dev_launch_ready[s];
  return any;
}

/* Returns true if a TB breaks its contract: it ends while an answer to it is due, or continues after its save
 * request. */
static bool smx_breaks(const struct rest *r, unsigned s, const struct hd_top_in *in) {
  unsigned done = in->cta_done_slot[s], slot = in->dev_launch[s].slot;
  bool ends = in->cta_done_valid[s] && r->runs[s] >> done & 1;
  if (ends && (r->dev_requests[s][done] || (in->dev_launch_valid[s] && slot == done))) return true;
  return in->dev_launch_valid[s] && r->saves[s] >> slot & 1;
}

static bool breaks(const struct rest *r, const struct hd_top_in *in) {
  bool any = false;
  for (unsigned s = 0; s < r->cfg.num_smx; s++) any |= smx_breaks(r, s, in);
  return any;
}

static void follow_smx(struct rest *r, unsigned s, const struct hd_top_in *in, const struct hd_top_out *out) {
  const struct hd_devlaunch *l = &in->dev_launch[s];
  const struct hd_devanswer *a = &out->dev_answer[s];
  uint32_t done = 1u << in->cta_done_slot[s], dispatched = 1u << out->dispatch[s].slot;
  if (in->cta_done_valid[s]) r->runs[s] &= ~done, r->saves[s] &= ~done;
  if (out->dispatch_valid[s] && in->dispatch_ready[s]) r->runs[s] |= dispatched, r->saves[s] &= ~dispatched;
  if (in->dev_launch_valid[s] && out->dev_launch_ready[s]) {
    r->asks++;
    r->dev_requests[s][l->slot]++;
    if (l->kind == HD_KIND_SAVE) r->saves[s] |= 1u << l->slot;
  }
  if (out->dev_answer_valid[s] && in->dev_answer_ready[s]) {
    r->asks--;
    r->dev_requests[s][a->slot]--;
    if (a->kind == HD_KIND_SAVE && a->code != HD_CODE_ACCEPTED) r->saves[s] &= ~(1u << a->slot);
  }
}

static void follow(struct rest *r, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool answered = out->host_answer_valid && in->host_answer_ready;
  r->asks += (unsigned)(in->host_launch_valid && out->host_launch_ready) - answered;
  r->kernels += answered && out->host_answer.code == HD_CODE_ACCEPTED;
  r->kernels -= out->kernel_done_valid && in->kernel_done_ready;
  for (unsigned s = 0; s < r->cfg.num_smx; s++) follow_smx(r, s, in, out);
}

static bool all_empty(const struct rest *r) {
  uint32_t any = 0;
  for (unsigned s = 0; s < r->cfg.num_smx; s++) any |= r->runs[s];
  return !any;
}

/* Returns NULL, or the accepted work that is not complete. After a breach of contract only host kernels count. */
static const char *still_open(const struct rest *r) {
  if (!r->broken) return hd_plane_oracle_open(&r->oracle);
  return r->kernels ? "a kernel does not complete" : NULL;
}

/* Checks the rules of the end at a read of STATUS, which returns its value of the cycle before. */
static const char *status_read(struct rest *r, uint32_t status) {
  if (r->idle < HD_PLANE_REST || r->asks || !all_empty(r) || still_open(r)) return NULL;
  r->over = 1;
  return r->written || r->broken ? NULL : hd_plane_oracle_end(&r->oracle, status);
}

static const char *axi_alone(struct rest *r, const struct hd_top_in *in, const struct hd_top_out *out) {
  const struct hd_axi_response reported = {in->rdata[1], in->rdata[0], in->awready, in->wready, in->arready, in->bvalid,
                                           in->bid,      in->bresp,    in->rvalid,  in->rid,    in->rresp,   in->rlast};
  const struct hd_axi_request asked = HD_AXI_FROM(out);
  return hd_axi_check(&r->oracle.axi, &asked, &reported);
}

const char *hd_plane_rest_watch(void *o, uint64_t cycle, const void *in_, const void *out_) {
  struct rest *r = o;
  const struct hd_top_in *in = in_;
  const struct hd_top_out *out = out_;
  bool moved = moves(r, in, out);
  r->broken |= breaks(r, in);
  const char *rule = r->broken ? axi_alone(r, in, out) : hd_plane_oracle_watch(&r->oracle, cycle, in, out);
  r->idle = moved ? 0 : r->idle + 1;
  r->over &= !moved;
  r->refused = refuses(r, in, out);
  follow(r, in, out);
  if (!rule && in->psel && in->penable && r->setup && in->paddr == HD_REG_STATUS) {
    if (in->pwrite)
      r->written = 1;
    else
      rule = status_read(r, out->prdata);
  }
  r->setup = in->psel && !in->penable;
  return rule;
}

const char *hd_plane_rest_stuck(const void *o) {
  const struct rest *r = o;
  if (r->idle < HD_PLANE_PATIENCE) return NULL;
  if (r->refused) return "a launch is not accepted";
  if (r->asks) return "an answer is missing";
  return all_empty(r) ? still_open(r) : NULL;
}

bool hd_plane_rest_pair(const void *o) {
  return hd_plane_oracle_pair(&((const struct rest *)o)->oracle);
}

bool hd_plane_rest_stayed(const void *o) {
  return hd_plane_oracle_stayed(&((const struct rest *)o)->oracle);
}

bool hd_plane_rest_over(const void *o) {
  return ((const struct rest *)o)->over;
}
