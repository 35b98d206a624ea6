/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "plane_rest.h"

#include <string.h>

#include "hd_regs_map.h"
#include "plane_state.h"

struct rest {
  struct hd_cfg cfg;
  uint32_t idle;   /* cycles since the last transfer at a client's port */
  uint8_t refused; /* a launch is offered to the plane and not taken */
  uint8_t setup;   /* of an APB transfer, in the cycle before */
  uint8_t written; /* STATUS was */
  uint8_t over;
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

/* A transfer, or something that the plane offers and nobody takes. */
static bool moves(const struct rest *r, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool any = (in->host_launch_valid && out->host_launch_ready) || out->host_answer_valid || out->kernel_done_valid ||
             out->record_done_valid || (out->awvalid && !in->awready) || (out->wvalid && !in->wready) ||
             (out->arvalid && !in->arready);
  for (unsigned s = 0; s < r->cfg.num_smx; s++)
    any |= out->dispatch_valid[s] || out->dev_answer_valid[s] ||
           (in->dev_launch_valid[s] && out->dev_launch_ready[s]) ||
           (in->cta_done_valid[s] && r->oracle.slot[s][in->cta_done_slot[s]].state == 2);
  return any;
}

static bool refuses(const struct rest *r, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool any = in->host_launch_valid && !out->host_launch_ready;
  for (unsigned s = 0; s < r->cfg.num_smx; s++) any |= in->dev_launch_valid[s] && !out->dev_launch_ready[s];
  return any;
}

/* A read of STATUS shows it as it was in the cycle before. */
static const char *status_read(struct rest *r, uint32_t status) {
  if (r->idle < HD_PLANE_REST || hd_plane_oracle_open(&r->oracle)) return NULL;
  r->over = 1;
  return r->written ? NULL : hd_plane_oracle_end(&r->oracle, status);
}

const char *hd_plane_rest_watch(void *o, uint64_t cycle, const void *in_, const void *out_) {
  struct rest *r = o;
  const struct hd_top_in *in = in_;
  const struct hd_top_out *out = out_;
  bool moved = moves(r, in, out); /* by the slots as they are before the oracle sees the cycle */
  const char *rule = hd_plane_oracle_watch(&r->oracle, cycle, in, out);
  r->idle = moved ? 0 : r->idle + 1;
  r->over &= !moved;
  r->refused = refuses(r, in, out);
  if (!rule && in->psel && in->penable && r->setup && in->paddr == HD_REG_STATUS) {
    if (in->pwrite)
      r->written = 1;
    else
      rule = status_read(r, out->prdata);
  }
  r->setup = in->psel && !in->penable;
  return rule;
}

static bool all_empty(const struct hd_plane_oracle *o) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    for (unsigned j = 0; j < o->cfg.ctas_per_smx; j++)
      if (o->slot[s][j].state) return false;
  return true;
}

const char *hd_plane_rest_stuck(const void *o) {
  const struct rest *r = o;
  if (r->idle < HD_PLANE_PATIENCE) return NULL;
  if (r->refused) return "a launch is not taken";
  if (r->oracle.host_n) return "an answer to the host does not come";
  for (unsigned s = 0; s < r->cfg.num_smx; s++)
    if (r->oracle.dev_n[s]) return "an answer to an SMX does not come";
  return all_empty(&r->oracle) ? hd_plane_oracle_open(&r->oracle) : NULL;
}

bool hd_plane_rest_over(const void *o) {
  return ((const struct rest *)o)->over;
}
