/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/top/top_covers.h"

#include <stdbool.h>
#include <string.h>

#include "env/common/clients.h"
#include "env/common/memory.h"
#include "env/common/rings.h"
#include "gen/hd_regs_map.h"
#include "mem/axi.h"

#define BANK(name, word) "bank_" #name,
const char *const hd_top_covers[] = {"event",
                                     "launch_stalled",
                                     "refused",
                                     "zero_dim",
                                     "over_limit",
                                     "never_fits",
                                     "unknown_hwq",
                                     "accepted",
                                     "tb_taken",
                                     "tb_stalled",
                                     "two_done",
                                     "kernel_done",
                                     "done_stalled",
                                     "answer_stalled",
                                     "apb_read",
                                     "apb_error",
                                     "launch_in_answer_stall",
                                     "dev_kernel",
                                     "dev_group",
                                     "dev_kept",
                                     "dev_refused",
                                     "dev_bad",
                                     "dev_empty_slot",
                                     "dev_answer_stalled",
                                     "save",
                                     "restart",
                                     "group_tb",
                                     "overflow_tb",
                                     "record_done",
                                     "record_stalled",
                                     "memory_error",
                                     "kernel_failed",
                                     "policy_written",
                                     HD_POLICIES(BANK) "drain_cycle",
                                     "long_host_answer",
                                     "long_kernel_done",
                                     "long_record_done",
                                     "long_aw",
                                     "long_w",
                                     "long_ar",
                                     "long_r",
                                     "long_b",
                                     "long_dispatch",
                                     "long_dev_answer",
                                     "long_tb",
                                     "one_bad_beat",
                                     "exokay",
                                     "upper_ages",
                                     "region_written",
                                     "region_refused",
                                     "rude",
                                     "rare_read_and_write_fail",
                                     "group_to_memory",
                                     "group_from_memory",
                                     "group_not_written",
                                     "group_not_read",
                                     "policy_changed_over_groups_in_memory",
                                     "rare_two_kernels_fail",
                                     "graph_launched",
                                     "graph_enters",
                                     "graph_tb",
                                     "graph_tb_beside_group_tb",
                                     "descriptor_not_read",
                                     "graph_not_read",
                                     "early_update",
                                     "graph_launches",
                                     "rare_smx_closed",
                                     "rare_parent_saved",
                                     "rare_rest_hands_out",
                                     "groups_read_at_once",
                                     "ring_without_room",
                                     "ring_wraps",
                                     "refused_without_rings",
                                     "room_again_after_a_loss",
                                     NULL};

static bool was_launched(const struct hd_top_history *s, uint64_t param) {
  for (unsigned k = 0; k < HD_TOP_GRAPHS && k < s->graphs; k++)
    if (s->graph[k] == param) return true;
  return false;
}

/* Kernels with a graph: hits from "graph_launched" on. */
static void cover_graphs(struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out,
                         uint64_t *hits) {
  bool node = false, group = false;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    const bool tb = out->dispatch_valid[k], of_graph = tb && s->has_graph[out->dispatch[k].kdei];
    node |= of_graph;
    group |= tb && out->dispatch[k].group;
    hits[2] += of_graph && in->dispatch_ready[k];
    hits[7] += in->dev_launch_valid[k] && out->dev_launch_ready[k] && s->node[k] >> in->dev_launch[k].slot & 1;
    if (tb && in->dispatch_ready[k]) {
      s->node[k] &= ~(1u << out->dispatch[k].slot);
      s->node[k] |= (uint32_t)of_graph << out->dispatch[k].slot;
    }
  }
  hits[3] += node && group;
  hits[4] += in->rvalid && in->rresp & 2 && in->rid == HD_CLIENT_DATS;
  hits[5] += in->rvalid && in->rresp & 2 && in->rid == HD_CLIENT_DGB;
  hits[6] += out->awvalid && in->awready && out->awid == HD_CLIENT_DGB && !out->awlen;
  if (out->enter_valid) s->has_graph[out->enter_kdei] = was_launched(s, out->enter_param);
  hits[1] += out->enter_valid && s->has_graph[out->enter_kdei];
  if (!in->host_launch_valid || !out->host_launch_ready || !in->host_launch.graph) return;
  hits[0]++;
  s->graph[s->graphs++ % HD_TOP_GRAPHS] = in->host_launch.desc.param;
}

/* Launches of TBs: hits from "dev_kernel" on. */
static void cover_devices(const struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out,
                          uint64_t *hits) {
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    const struct hd_dispatch *d = &out->dispatch[k];
    unsigned kind = out->dev_answer[k].kind, code = out->dev_answer[k].code;
    bool tb = out->dispatch_valid[k] && in->dispatch_ready[k];
    hits[6] += out->dev_answer_valid[k] && !in->dev_answer_ready[k];
    hits[8] += tb && d->restart;
    hits[9] += tb && d->age_valid && d->agei < s->cfg.agt_size;
    hits[10] += tb && d->age_valid && d->agei >= s->cfg.agt_size;
    if (!out->dev_answer_valid[k] || !in->dev_answer_ready[k]) continue;
    hits[0] += kind == HD_KIND_KERNEL && code == HD_CODE_ACCEPTED;
    hits[1] += kind == HD_KIND_GROUP && code == HD_CODE_ACCEPTED;
    hits[2] += code == HD_CODE_KEPT;
    hits[3] += code == HD_CODE_REFUSED;
    hits[4] += code >= HD_CODE_ZERO_DIM && code <= HD_CODE_UNKNOWN_HWQ;
    hits[5] += code == HD_CODE_EMPTY_SLOT;
    hits[7] += kind == HD_KIND_SAVE && code == HD_CODE_ACCEPTED;
  }
  hits[11] += out->record_done_valid && in->record_done_ready;
  hits[12] += out->record_done_valid && !in->record_done_ready;
  hits[13] += (in->rvalid && in->rresp & 2) + (in->bvalid && in->bresp & 2);
  hits[14] += out->kernel_done_valid && in->kernel_done_ready && out->kernel_done.failed;
}

static bool writes_policy(const struct hd_top_in *in) {
  return in->psel && in->penable && in->pwrite && in->paddr == HD_REG_POLICY && in->pstrb & 1;
}

/* Rewrites of the region registers, accepted or rejected: hits from "region_written" on. */
static void cover_regions(const struct hd_top_in *in, const struct hd_top_out *out, uint64_t *hits) {
  bool region = in->paddr >= HD_REG_REC_BASE && in->paddr <= HD_REG_SPILL_COUNT && in->paddr != HD_REG_POLICY &&
                in->paddr % 4 == 0;
  hits[out->pslverr ? 1 : 0] += in->psel && in->penable && in->pwrite && region;
}

/* Counts a cycle of a stall, or clears the count. Returns true in the cycle in which the stall becomes long. */
static bool grows(uint16_t *stall, bool waits) {
  *stall = waits ? (uint16_t)(*stall + (*stall < UINT16_MAX)) : 0;
  return *stall == HD_LONG_STALL;
}

/* Per SMX: stalled dispatch, stalled answer, no TB ends although some run. */
static void cover_smx_stalls(struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out,
                             uint64_t *hits) {
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    hits[0] += grows(&s->dispatch[k], out->dispatch_valid[k] && !in->dispatch_ready[k]);
    hits[1] += grows(&s->dev_answer[k], out->dev_answer_valid[k] && !in->dev_answer_ready[k]);
    hits[2] += grows(&s->tb[k], s->runs[k] && !in->cta_done_valid[k]);
    if (in->cta_done_valid[k]) s->runs[k] &= ~(1u << in->cta_done_slot[k]);
    if (out->dispatch_valid[k] && in->dispatch_ready[k]) s->runs[k] |= 1u << out->dispatch[k].slot;
  }
}

static void cover_stalls(struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out,
                         uint64_t *hits) {
  const bool waits[HD_STALLS] = {
      [HD_STALL_HOST_ANSWER] = out->host_answer_valid && !in->host_answer_ready,
      [HD_STALL_KERNEL_DONE] = out->kernel_done_valid && !in->kernel_done_ready,
      [HD_STALL_RECORD_DONE] = out->record_done_valid && !in->record_done_ready,
      [HD_STALL_AW] = out->awvalid && !in->awready,
      [HD_STALL_W] = out->wvalid && !in->wready,
      [HD_STALL_AR] = out->arvalid && !in->arready,
      [HD_STALL_R] = s->reads && !in->rvalid,
      [HD_STALL_B] = s->writes && !in->bvalid,
  };
  for (unsigned k = 0; k < HD_STALLS; k++) hits[k] += grows(&s->stall[k], waits[k]);
  s->reads += (unsigned)(out->arvalid && in->arready) - (in->rvalid && in->rlast);
  s->writes += (unsigned)(out->wvalid && in->wready && out->wlast) - in->bvalid;
  cover_smx_stalls(s, in, out, hits + HD_STALLS);
}

/* Read bursts with an error in exactly one beat, not the last one; EXOKAY responses. */
static void cover_answers(struct hd_top_history *s, const struct hd_top_in *in, uint64_t *hits) {
  if (in->rvalid) {
    uint8_t *bad = &s->bad[in->rid];
    hits[0] += in->rlast && *bad == 1 && !(in->rresp & 2);
    *bad = in->rlast ? 0 : (uint8_t)(*bad + (in->rresp >> 1 & 1));
  }
  hits[1] += (in->rvalid && in->rresp == HD_AXI_EXOKAY) + (in->bvalid && in->bresp == HD_AXI_EXOKAY);
}

/* Groups of a bank that are spilled to memory, and policy changes while such groups exist (too rare with deep banks, so
 * it counts as hit if pq_depth > 16). */
static void cover_spill(const struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out,
                        uint64_t *hits) {
  hits[0] += out->awvalid && in->awready && out->awid == HD_CLIENT_SPILL;
  hits[1] += in->rvalid && in->rlast && in->rid == HD_CLIENT_SPILL;
  hits[2] += in->bvalid && in->bresp & 2 && in->bid == HD_CLIENT_SPILL;
  hits[3] += in->rvalid && in->rresp & 2 && in->rid == HD_CLIENT_SPILL;
  const bool changes = writes_policy(in) && HD_POLICY_OF(in->pwdata) != s->policy;
  hits[4] += s->cfg.pq_depth > 16 || (s->rings.away && changes);
}

/* ---- rings of groups that wait for their bank ---- */

/* Keeps base and size of the region as last written and not rejected. */
static void follow_region(struct hd_top_rings *r, const struct hd_top_in *in, const struct hd_top_out *out) {
  const bool write = in->psel && in->penable && in->pwrite && !out->pslverr;
  uint32_t *word = in->paddr == HD_REG_SPILL_BASE ? &r->base : in->paddr == HD_REG_SPILL_COUNT ? &r->count : NULL;
  for (unsigned b = 0; write && word && b < 4; b++)
    if (in->pstrb >> b & 1) *word = (*word & ~(0xffu << 8 * b)) | (in->pwdata & 0xffu << 8 * b);
  if (write && word) memset(r->at, 0, sizeof r->at);
}

/* Returns the place of an address in the region, in groups, or -1 if no ring has it. */
static int64_t place_of(const struct hd_top_history *s, uint64_t addr) {
  const int order = hd_rings_order(&s->cfg, s->rings.count);
  const uint64_t place = ((addr - (uint64_t)s->rings.base * 256) & hd_memory_mask(&s->cfg)) / HD_RING_BYTES;
  return order >= 0 && place >> order < s->cfg.ring_queues ? (int64_t)place : -1;
}

/* A group is written: hits the wrap of a ring. */
static void follow_write(struct hd_top_history *s, uint64_t addr, uint64_t *hits) {
  struct hd_top_rings *r = &s->rings;
  const int64_t place = place_of(s, addr);
  if (place < 0) return;
  const int order = hd_rings_order(&s->cfg, r->count);
  const uint32_t q = (uint32_t)(place >> order), at = (uint32_t)place & ((UINT32_C(1) << order) - 1);
  hits[2] += r->at[q] > at + 1;
  r->at[q] = at + 1;
  r->waits[q]++;
  r->away++;
}

static void follow_read(struct hd_top_history *s, uint64_t addr, unsigned groups) {
  struct hd_top_rings *r = &s->rings;
  const int64_t place = place_of(s, addr);
  if (place < 0 || r->reads == HD_MAX_SPILL_FLIGHT) return;
  uint32_t *waits = &r->waits[place >> hd_rings_order(&s->cfg, r->count)];
  *waits -= *waits < groups ? *waits : groups;
  r->groups[r->reads++] = (uint8_t)groups;
}

static void end_read(struct hd_top_rings *r) {
  if (!r->reads) return;
  r->away -= r->away < r->groups[0] ? r->away : r->groups[0];
  memmove(r->groups, r->groups + 1, --r->reads);
}

/* Returns true if a group is refused under a policy other than rr. */
static bool refuses_a_group(const struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool any = false;
  for (unsigned k = 0; k < s->cfg.num_smx; k++)
    any |= out->dev_answer_valid[k] && in->dev_answer_ready[k] && out->dev_answer[k].kind == HD_KIND_GROUP &&
           out->dev_answer[k].code == HD_CODE_REFUSED;
  return any && s->policy != HD_POLICY_RR;
}

/* Rings that fill and wrap: too rare with deep banks, so they count as hit there, as do lines of one group. */
static void cover_rings(struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out,
                        uint64_t *hits) {
  struct hd_top_rings *r = &s->rings;
  const bool deep = s->cfg.pq_depth > 16, write = out->awvalid && in->awready && out->awid == HD_CLIENT_SPILL;
  const bool read = out->arvalid && in->arready && out->arid == HD_CLIENT_SPILL;
  const int order = hd_rings_order(&s->cfg, r->count);
  const unsigned groups = (out->arlen + 1u) / HD_RING_BEATS;
  follow_region(r, in, out);
  hits[0] += s->cfg.spill_line == 1 || (read && groups > 1);
  hits[2] += deep;
  if (write) follow_write(s, out->awaddr, hits);
  if (read) follow_read(s, out->araddr, groups);
  if (in->rvalid && in->rlast && in->rid == HD_CLIENT_SPILL) end_read(r);
  const int64_t place = write ? place_of(s, out->awaddr) : -1;
  hits[1] += deep || (place >= 0 && r->waits[place >> order] > hd_rings_room(&s->cfg, r->count));
  hits[3] += deep || (order < 0 && refuses_a_group(s, in, out));
  const bool lost = (in->bvalid && in->bresp & 2 && in->bid == HD_CLIENT_SPILL) ||
                    (in->rvalid && in->rresp & 2 && in->rid == HD_CLIENT_SPILL);
  r->closes |= lost;
  r->empty |= r->closes && !r->away;
  hits[4] += deep || (write && r->empty);
  if (write && r->empty) r->closes = r->empty = 0;
}

void hd_top_history_init(struct hd_top_history *s, const struct hd_cfg *cfg) {
  struct hd_cfg own = *cfg;
  memset(s, 0, sizeof *s);
  s->cfg = own;
}

/* Returns true for a TB of a group in the upper half of the AGT. */
static bool upper_half(const struct hd_top_history *s, const struct hd_dispatch *d) {
  return d->age_valid && d->agei < s->cfg.agt_size && d->agei >= s->cfg.agt_size / 2;
}

void hd_top_cover(struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out, uint64_t *hits) {
  static const uint8_t at[] = {7, 2, 3, 4, 5, 6};
  bool launch = in->host_launch_valid && out->host_launch_ready,
       answer = out->host_answer_valid && in->host_answer_ready;
  unsigned taken = 0, done = 0;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    taken += out->dispatch_valid[k] && in->dispatch_ready[k];
    done += in->cta_done_valid[k];
    hits[9] += out->dispatch_valid[k] && !in->dispatch_ready[k];
  }
  hits[0] += (unsigned)launch + answer + taken + done;
  hits[1] += in->host_launch_valid && !out->host_launch_ready;
  if (answer && out->host_answer.code < sizeof at) hits[at[out->host_answer.code]]++;
  hits[8] += taken;
  hits[10] += done >= 2;
  hits[11] += out->kernel_done_valid && in->kernel_done_ready;
  hits[12] += out->kernel_done_valid && !in->kernel_done_ready;
  hits[13] += out->host_answer_valid && !in->host_answer_ready;
  hits[14] += in->psel && in->penable && !in->pwrite && out->prdata;
  hits[15] += out->pslverr;
  hits[16] += launch && out->host_answer_valid && !in->host_answer_ready;
  cover_devices(s, in, out, hits + 17);
  hits[32] += writes_policy(in);
  for (unsigned k = 0; k < s->cfg.num_smx; k++)
    hits[HD_COVER_BANKS + s->policy] += out->dispatch_valid[k] && out->dispatch[k].group && !out->dispatch[k].age_valid;
  cover_spill(s, in, out, hits + HD_COVER_DRAIN + 19);
  cover_rings(s, in, out, hits + HD_COVER_RINGS);
  if (writes_policy(in)) s->policy = HD_POLICY_OF(in->pwdata);
  cover_stalls(s, in, out, hits + HD_COVER_DRAIN + 1);
  cover_answers(s, in, hits + HD_COVER_DRAIN + 12);
  cover_regions(in, out, hits + HD_COVER_DRAIN + 15);
  cover_graphs(s, in, out, hits + HD_COVER_DRAIN + 25);
  hits[HD_COVER_DRAIN + 33] += out->open_count < s->cfg.num_smx;
  hits[HD_COVER_DRAIN + 18] += in->rvalid && in->rlast && in->rresp & 2 && in->bvalid && in->bresp & 2;
  for (unsigned k = 0; k < s->cfg.num_smx; k++)
    hits[HD_COVER_DRAIN + 14] += out->dispatch_valid[k] && in->dispatch_ready[k] && upper_half(s, &out->dispatch[k]);
}
