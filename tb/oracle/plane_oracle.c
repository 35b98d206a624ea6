/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/plane_oracle.h"

#include <string.h>

#include "gen/hd_policies.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_state.h"

/* The rules:
 *  1  Answers to the host arrive in the order of its launches, each with the code that the launch deserves. "Refused"
 *     is allowed only if, when the launch was accepted, as many launches to its HWQ as the HWQ holds had not begun.
 *  2  An accepted kernel or group grants TBs 0, 1, .. ctas - 1, each once: a kernel with its own descriptor, a group
 *     with the descriptor of the kernel that it joined, except for dimensions and parameter address. A saved TB is
 *     granted once more, with its context pointer.
 *  3  Kernels of one HWQ, and those of one device stream, run one after the other in the order of launch.
 *  4  A native part is granted without interruption. Within a kernel the order is: saved TBs, native part, groups in
 *     the order of their launches. TBs that may come from a bank are exempt.
 *  5  At most one TB is granted per cycle, to an empty slot, within the warps, registers and shared memory of the SMX.
 *     Groups in execution have distinct AGEs.
 *  6  An offer stays unchanged until it is accepted.
 *  7  kernel_done is reported once for each host kernel, not before its last TB and all its descendants (kernels that
 *     it launched, directly or not) are done. It reports a failure only if a memory error has hit the kernel, and
 *     always if the error has certainly stopped it: the kernel then grants no more TBs and is not resumed.
 *  8  Answers to an SMX arrive in the order of its launches, each with the code that the launch deserves. "Refused":
 *     - a kernel only when the pool, its stream or the parent records may be full;
 *     - a group only when it need not join and a kernel in its place would be refused, when its bank may be full and
 *       the ring of its bank and level in memory may be too (or memory may accept none after a loss), or when as many
 *       groups may wait as the list of its kernel has places;
 *     - a save only when its kernel may have no parent record, may have failed, or has no room.
 *     A save is accepted only if its kernel has launched a kernel and there is room. "Kept": if and only if the AGE of
 *     its hash is in use.
 *  9  The record of a group is returned once, after its last TB, if and only if the answer was "kept".
 * 10  A kernel grants no TB between the save of one of its TBs and its resumption; it is resumed when none of its TBs
 *     runs and all kernels that it launched are complete.
 * 11  The memory port follows AXI4, reads no address with an unanswered write, and stays within the configured regions;
 *     these do not change while a TB runs. The record of a kernel that is written to memory names the SMX that launched
 *     it. Each bank and level has a ring for the groups that wait in memory: they are written and read in the order of
 *     their launches, and their records name their kernels. A group is lost if its write, or a beat of its read, ends
 *     with an error: it hands out no TB. After a loss no group goes to memory until all have returned; a kernel that
 *     has lost one does not end before that.
 * 12  At the end nothing is lost; STATUS shows the losses by memory errors.
 * 13  A group without an AGE comes from the bank of the SMX that launched it (or of its cluster): only after a policy
 *     other than rr was set, in launch order within its SMX and level, never "kept", and under smx-bind on that SMX.
 *     Under any policy but rr no group gets an AGE.
 * 14  A group that fits an AGE joins the kernel in the lowest entry that it can join, if an entry can be joined for as
 *     long as its launch is in flight.
 * 15  A kernel with a graph grants each of its nodes once, by the linear id of its TB, at level 0; no node before all
 *     its parents are done, nor further above the oldest level than its policy allows. Graphs run one at a time: the
 *     next enters when all TBs of the last are done or it has failed. The graph grants nothing while the native part of
 *     a kernel marked before it continues; while one of its nodes could be granted, no kernel that entered after it
 *     grants any. No group joins it and no TB of it is saved. It fails if and only if its descriptor or its graph in
 *     memory is wrong, or the memory answers with an error.
 * 16  With throttling enabled, a TB that may go to any SMX goes to one of the first n, where n is open_count of the
 *     cycle before. TBs that certainly may go to any SMX: native TBs of level 0, TBs of groups with an AGE, and saved
 *     TBs; all TBs as long as only the policy rr was set.
 * 17  With FairEvery = k, while a native part that comes from no bank continues, an SMX that accepts TBs for any SMX
 *     gets no TB of a bank once k TBs of banks were granted in a row.
 * 18  The plane acts within 256 + 16 x n cycles in which no client withholds anything, where n is the largest number of
 *     kernels and groups that were open at once, plus the numbers of SMXs and KD entries:
 *     - it accepts and answers a launch;
 *     - a kernel that is next in its HWQ or stream, or a suspended kernel whose children are complete, enters the KD if
 *       that has room;
 *     - a complete kernel is reported, and the record of a completed group is returned;
 *     - a TB is granted while an open SMX is empty and a kernel in the KD has a TB for any SMX;
 *     - while all SMXs are empty and any work is open, the plane makes progress. */

size_t hd_plane_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_plane_oracle);
}

void hd_plane_oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct hd_plane_oracle *o = o_;
  hd_book_init(&o->book, cfg->smx_per_cluster);
  memset(&o->axi, 0, sizeof *o - offsetof(struct hd_plane_oracle, axi));
  o->cfg = *cfg;
  o->spill.book.cfg = *cfg;
  o->axi.clients = cfg->mem_clients;
  o->open = cfg->num_smx;
}

/* ---- completed kernels and returned records ---- */

static uint32_t find_told(const struct hd_book *b, uint16_t tag) {
  uint32_t w = 1;
  while (w < b->works && !(b->work[w].kind == HD_BOOK_HOST && b->work[w].tag == tag)) w++;
  return w < b->works ? w : 0;
}

/* The kernel was reported as failed. Another one may have been hit in the same cycle as this one. */
static void told_beside(struct hd_plane_oracle *o, const struct hd_work *k) {
  struct hd_work *other = hd_oracle_work(o, k->overlaps);
  o->pair = k->other_failed;
  if (k->overlaps && other->number == k->other_number) other->other_failed = 1;
}

static const char *kernel_told(struct hd_plane_oracle *o, const struct hd_completion *reported) {
  uint32_t w = find_told(&o->book, reported->tag);
  struct hd_work *k = hd_oracle_work(o, w);
  if (!w) return "rule 7: kernel_done reports a kernel that was not launched, or a kernel twice";
  if (!k->started) return "rule 7: kernel_done reports a kernel that has not begun";
  if (hd_oracle_misses_group(o, w))
    return "rule 11: a kernel ended before the groups in memory had returned and shown "
           "its loss";
  hd_oracle_check_graph(o, w);
  if (!hd_book_close(&o->book, w)) return "rule 7: kernel_done reports a kernel that is not complete";
  if (reported->failed && !hd_book_fail(&o->book, w))
    return "rule 7: a kernel was reported as failed that no error of the memory has hit";
  if ((k->failed || k->doomed) && !reported->failed)
    return "rule 7: kernel_done does not report the failure of its kernel";
  for (unsigned n = 0; n < o->host_n; n++) /* the answer to its launch may still wait for the host */
    if (o->host[n].work == w)
      o->host[n] = (struct hd_oracle_host_request){.launch = o->host[n].launch, .is_reported = 1};
  if (o->hwq_runs[k->hwq] == w) o->hwq_runs[k->hwq] = 0;
  if (k->failed) told_beside(o, k);
  hd_book_drop(&o->book, w);
  return NULL;
}

static const char *kernels(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  if (o->done_waits && (!out->kernel_done_valid || memcmp(&o->done_was, &out->kernel_done, sizeof o->done_was)))
    return "rule 6: an offered kernel_done changed before it was accepted";
  o->done_waits = out->kernel_done_valid && !in->kernel_done_ready;
  o->done_was = out->kernel_done;
  return out->kernel_done_valid && in->kernel_done_ready ? kernel_told(o, &out->kernel_done) : NULL;
}

static const char *records(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  if (o->record_waits && (!out->record_done_valid || o->record_was != out->record_done))
    return "rule 6: an offered record changed before it was accepted";
  o->record_waits = out->record_done_valid && !in->record_done_ready;
  o->record_was = out->record_done;
  if (!out->record_done_valid || !in->record_done_ready) return NULL;
  uint32_t w = hd_oracle_find_record(&o->book, out->record_done);
  struct hd_work *g = hd_oracle_work(o, w);
  if (!w) return "rule 9: a record was returned that the plane does not hold";
  if (g->next < g->ctas || g->running) return "rule 9: a record was returned before the last TB of its group was done";
  g->returned = 1;
  hd_oracle_forget_group(o, w);
  return NULL;
}

/* ---- registers and memory ---- */

static bool some_tb_runs(const struct hd_plane_oracle *o) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    for (unsigned k = 0; k < o->cfg.ctas_per_smx; k++)
      if (o->slot[s][k].state == 2) return true;
  return false;
}

static const char *registers(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  unsigned n = (in->paddr - HD_REG_REC_BASE) / 4;
  bool write = in->psel && in->penable && o->apb_setup && in->pwrite && !out->pslverr && in->paddr >= HD_REG_REC_BASE &&
               in->paddr % 4 == 0 && n < o->cfg.num_config;
  for (unsigned k = 0; write && k < 4; k++)
    if (in->pstrb >> k & 1) {
      o->config[n] &= ~(0xffu << 8 * k);
      o->config[n] |= in->pwdata & 0xffu << 8 * k;
    }
  if (write) hd_oracle_records_changed(o);
  bool region = write && n != HD_CONFIG_POLICY, moved = region && o->apb_busy;
  if (region && !out->record_done_valid) hd_book_records_free(&o->book);
  o->apb_setup = in->psel && !in->penable;
  if (o->apb_setup) o->apb_busy = some_tb_runs(o);
  return moved ? "rule 11: a region register was written while a TB ran" : NULL;
}

static uint64_t config(const struct hd_plane_oracle *o, unsigned offset) {
  return o->config[(offset - HD_REG_REC_BASE) / 4];
}

/* Checks in every 64th cycle whether the plane is idle. Drops the torn groups if nothing else was open in this check
 * and in the one before, nothing was launched between them, and no record is offered. */
static void look_for_rest(struct hd_plane_oracle *o, const struct hd_top_out *out) {
  enum { EVERY = 64 };
  if (o->now % EVERY) return;
  bool rests = !hd_plane_oracle_open(o) && !out->record_done_valid;
  if (rests && o->rested && o->rested_number == o->book.number) hd_book_drop_torn(&o->book);
  o->rested = rests;
  o->rested_number = o->book.number;
}

const char *hd_plane_oracle_watch(void *o_, uint64_t cycle, const void *in, const void *out_) {
  struct hd_plane_oracle *o = o_;
  const struct hd_top_out *out = out_;
  const bool throttles = config(o, HD_REG_THROTTLE) & 1;
  (void)cycle;
  o->now++;
  o->pair = o->stayed = 0;
  const char *rule = hd_oracle_memory(o, in, out);
  if (!rule) rule = kernels(o, in, out);
  if (!rule) rule = records(o, in, out);
  if (!rule) rule = hd_oracle_enters(o, out);
  if (!rule) rule = hd_oracle_dispatches(o, in, out);
  if (!rule) hd_oracle_completions(o, in, out);
  if (!rule) rule = hd_oracle_devices(o, in, out);
  if (!rule) rule = hd_oracle_host(o, in, out);
  if (!rule) rule = registers(o, in, out);
  o->open = throttles ? out->open_count : o->cfg.num_smx;
  o->policy_was = o->policy;
  o->policy = HD_POLICY_OF(config(o, HD_REG_POLICY));
  o->banked |= o->policy != HD_POLICY_RR;
  if (o->policy != o->policy_was) hd_oracle_policy_changed(o);
  hd_oracle_graph_cycle(o, in, out);
  look_for_rest(o, out);
  if (!rule) rule = hd_oracle_waits(o, in, out);
  return rule;
}

bool hd_plane_oracle_stayed(const void *o) {
  return ((const struct hd_plane_oracle *)o)->stayed;
}

bool hd_plane_oracle_pair(const void *o) {
  return ((const struct hd_plane_oracle *)o)->pair;
}

/* ---- the end ---- */

/* Each bit reports the errors of one client, or of its writes. The bit of a failed read of a list, a record or saved
 * TBs need not be set, since the data may no longer be needed. */
static const char *end_of_status(const struct hd_plane_oracle *o, uint32_t status) {
  static const uint32_t bit[] = {[HD_ORACLE_LIST_WRITES] = HD_STATUS_MEM_LIST,
                                 [HD_CLIENT_OVFQ] = HD_STATUS_MEM_RECORD,
                                 [HD_CLIENT_POOL] = HD_STATUS_MEM_POOL,
                                 [HD_CLIENT_SUSP] = HD_STATUS_MEM_SUSPEND,
                                 [HD_CLIENT_SPILL] = HD_STATUS_MEM_SPILL};
  const uint32_t graph = HD_STATUS_GRAPH_MEMORY | HD_STATUS_GRAPH_STARTS | HD_STATUS_GRAPH_LEVEL |
                         HD_STATUS_GRAPH_EDGE | HD_STATUS_GRAPH_COUNT | HD_STATUS_GRAPH_STUCK | HD_STATUS_GRAPH_DESC;
  const uint32_t kernel =
      bit[HD_ORACLE_LIST_WRITES] | bit[HD_CLIENT_OVFQ] | bit[HD_CLIENT_SUSP] | bit[HD_CLIENT_SPILL] | graph;
  if (status & HD_STATUS_GRAPH_MEMORY && !o->errors[HD_CLIENT_DATS] && !o->errors[HD_CLIENT_DGB])
    return "rule 12: STATUS shows an error of the memory that did not occur";
  for (unsigned c = 0; c < sizeof bit / sizeof *bit; c++) {
    if (c == HD_CLIENT_DATS || c == HD_CLIENT_DGB) continue; /* only the first error of a graph is reported */
    if (!o->errors[c] && status & bit[c]) return "rule 12: STATUS shows an error of the memory that did not occur";
    if (o->errors[c] && !(status & bit[c]) &&
        (c == HD_ORACLE_LIST_WRITES || c == HD_CLIENT_POOL || c == HD_CLIENT_SPILL))
      return "rule 12: STATUS does not show an error of the memory";
  }
  return o->book.failed && !(status & kernel) ? "rule 12: a kernel failed, and STATUS shows no error" : NULL;
}

const char *hd_plane_oracle_open(const void *o_) {
  const struct hd_plane_oracle *o = o_;
  if (o->host_n) return "rule 12: an answer to the host was lost";
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    if (o->dev_n[s]) return "rule 12: an answer to an SMX was lost";
  for (uint32_t w = 1; w < o->book.works; w++) {
    const struct hd_work *x = &o->book.work[w];
    if (x->kind == HD_BOOK_HOST || x->kind == HD_BOOK_KERNEL) return "rule 12: a kernel was lost";
    if (x->kind == HD_BOOK_GROUP && !x->torn) return "rule 12: a group or its record was lost";
  }
  return NULL;
}

const char *hd_plane_oracle_end(const void *o_, uint32_t status) {
  const struct hd_plane_oracle *o = o_;
  const char *rule = hd_plane_oracle_open(o);
  return rule ? rule : end_of_status(o, status);
}
