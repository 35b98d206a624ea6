/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/plane_oracle.h"

#include <string.h>

#include "gen/hd_policies.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_state.h"

/* The rules:
 *  1  Answers to the host come in the order of its launches, with the code that the launch deserves; "refused" only
 *     when as many launches to its HWQ as that holds had not begun when it was taken.
 *  2  An accepted kernel or group hands out TBs 0, 1, .. ctas - 1, each once: a kernel with its own descriptor, a group
 *     with that of the kernel that it joined but for dimensions and parameter address. A saved TB is handed out once
 *     more, with its context pointer.
 *  3  Kernels of a HWQ, and those of a device stream, run one after the other, in the order of launch.
 *  4  A native part is handed out in one piece. Of one kernel: saved TBs, then the native part, then the groups in the
 *     order in which they were launched. What may come from a bank is not bound to that.
 *  5  At most one TB is handed out per cycle, to a slot that is empty, within the SMX's warps, registers and shared
 *     memory. Groups in execution have AGEs of their own.
 *  6  What is offered stays unchanged until it is taken.
 *  7  kernel_done comes once for each kernel of the host, and not before its last TB and all kernels launched by it,
 *     directly or not, are done. It tells a failure only if an error of the memory has hit the kernel, and always if
 *     that has stopped it for certain: then it hands out nothing more, and is not resumed.
 *  8  Answers to an SMX come in the order of its launches, with the code that the launch deserves. "Refused": a kernel
 *     only when the pool, its stream or the parent records may be full, a group only when it need not join and is so a
 *     kernel, or when its bank may be full, a save only when its kernel may have no parent record, may have failed, or
 *     has no room. A save is accepted only if its kernel has launched one and there is room. "Kept": if and only if the
 *     AGE of its hash is in use.
 *  9  The record of a group comes back once, after the last TB, if and only if the answer was "kept".
 * 10  No TB of a kernel between the save of one of its TBs and its resumption; it is resumed when no TB of it runs and
 *     all kernels that it launched are complete.
 * 11  The memory port keeps AXI4, and to the regions that it was told; while a TB runs they are not told anew. The
 *     record of a kernel that goes to memory names the SMX that launched it.
 * 12  In the end nothing is lost; what the memory's errors destroyed is shown in the status.
 * 13  A group without an AGE comes from the bank of the SMX that launched it (of its cluster): only after another
 * policy than rr was set, in the order of launch within its SMX and level, never "kept", and under smx-bind on that
 * SMX. Without rr no group gets an AGE. 14  A group that fits an AGE joins the kernel in the lowest entry that it can
 * join, if one can be joined as long as its launch is under way.
 * 15  A kernel with a graph hands out each of its nodes once, by the linear id of its TB, of level 0, and none before
 *     all its parents are done or further above the oldest than its policy allows. One at a time: the next enters when
 *     all its TBs are done, or it has failed. It hands out nothing while the native part of a kernel goes on that was
 *     marked before it; while a node of it could be handed out no kernel does that has entered behind it. No group
 * joins it, no TB of it is saved. It fails if and only if its descriptor or what memory tells of the graph is wrong, or
 * the memory answers with an error.
 * 16  While it throttles, a TB that may go to any SMX goes to one of the first, as many as were told in the cycle
 *     before. Which do for certain: of queue 0 those of level 0, of a group with an AGE, saved ones; all, as long as no
 *     policy but rr was set.
 * 17  With FairEvery k, while a native part goes on that comes from no bank, an SMX that takes TBs which may go to any
 *     gets none of a bank once k of them were handed out in a row.
 * 18  The plane acts within 256 + 16 x n cycles in which no client withholds anything, where n is the largest number
 *     of kernels and groups that were open at once, and of SMXs and entries of the KD: it takes and answers a launch; a
 * kernel that is next in its HWQ or stream, and a suspended kernel whose children are complete, enters the KD if that
 * has room; a complete kernel is reported; the record of a group that is over comes back; a TB is handed out while an
 * open SMX is empty and a kernel in the KD has one for any SMX; and while all SMXs are empty and anything is open,
 * something happens. */

size_t hd_plane_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_plane_oracle);
}

void hd_plane_oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct hd_plane_oracle *o = o_;
  hd_book_init(&o->book, cfg->smx_per_cluster);
  memset(&o->axi, 0, sizeof *o - offsetof(struct hd_plane_oracle, axi));
  o->cfg = *cfg;
  o->axi.clients = cfg->mem_clients;
  o->open = cfg->num_smx;
}

/* ---- kernels and records that come back ---- */

static uint32_t find_told(const struct hd_book *b, uint16_t tag) {
  uint32_t w = 1;
  while (w < b->works && !(b->work[w].kind == HD_BOOK_HOST && b->work[w].tag == tag)) w++;
  return w < b->works ? w : 0;
}

/* The kernel has failed; another one may have been hit in the same cycle. */
static void told_beside(struct hd_plane_oracle *o, const struct hd_work *k) {
  struct hd_work *other = hd_oracle_work(o, k->beside);
  o->pair = k->beside_told;
  if (k->beside && other->number == k->beside_number) other->beside_told = 1;
}

static const char *kernel_told(struct hd_plane_oracle *o, const struct hd_completion *told) {
  uint32_t w = find_told(&o->book, told->tag);
  struct hd_work *k = hd_oracle_work(o, w);
  if (!w) return "rule 7: kernel_done of a kernel that was not launched, or a second time";
  if (!k->started) return "rule 7: kernel_done of a kernel that has not begun";
  hd_oracle_judge_graph(o, w);
  if (!hd_book_close(&o->book, w)) return "rule 7: kernel_done of a kernel that is not complete";
  if (told->failed && !hd_book_fail(&o->book, w))
    return "rule 7: a failure of a kernel that no error of the memory has hit";
  if ((k->failed || k->doomed) && !told->failed) return "rule 7: kernel_done does not tell that the kernel has failed";
  for (unsigned n = 0; n < o->host_n; n++) /* the answer to its launch may still wait for the host */
    if (o->host[n].work == w) o->host[n] = (struct hd_oracle_host_ask){.launch = o->host[n].launch, .is_told = 1};
  if (o->hwq_runs[k->hwq] == w) o->hwq_runs[k->hwq] = 0;
  if (k->failed) told_beside(o, k);
  hd_book_drop(&o->book, w);
  return NULL;
}

static const char *kernels(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  if (o->done_waits && (!out->kernel_done_valid || memcmp(&o->done_was, &out->kernel_done, sizeof o->done_was)))
    return "rule 6: an offered kernel_done changed before it was taken";
  o->done_waits = out->kernel_done_valid && !in->kernel_done_ready;
  o->done_was = out->kernel_done;
  return out->kernel_done_valid && in->kernel_done_ready ? kernel_told(o, &out->kernel_done) : NULL;
}

static const char *records(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  if (o->record_waits && (!out->record_done_valid || o->record_was != out->record_done))
    return "rule 6: an offered record changed before it was taken";
  o->record_waits = out->record_done_valid && !in->record_done_ready;
  o->record_was = out->record_done;
  if (!out->record_done_valid || !in->record_done_ready) return NULL;
  uint32_t w = hd_oracle_find_record(&o->book, out->record_done);
  struct hd_work *g = hd_oracle_work(o, w);
  if (!w) return "rule 9: a record came back that the plane does not hold";
  if (g->next < g->ctas || g->running) return "rule 9: a record came back before the last TB of its group was done";
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
  return moved ? "rule 11: a region is told anew while a TB runs" : NULL;
}

static uint64_t config(const struct hd_plane_oracle *o, unsigned offset) {
  return o->config[(offset - HD_REG_REC_BASE) / 4];
}

/* Now and then: nothing is open beside torn groups, nor was when it was last looked, nor was launched since; no record
 * is offered. */
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

/* Each bit tells of the errors of a client, or of its writes; that a list, a record or saved TBs could not be read may
 * not matter any more. */
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
    return "rule 12: the status tells of an error of the memory that was none";
  for (unsigned c = 0; c < sizeof bit / sizeof *bit; c++) {
    if (c == HD_CLIENT_DATS || c == HD_CLIENT_DGB) continue; /* the first error of a graph is told */
    if (!o->errors[c] && status & bit[c]) return "rule 12: the status tells of an error of the memory that was none";
    if (o->errors[c] && !(status & bit[c]) &&
        (c == HD_ORACLE_LIST_WRITES || c == HD_CLIENT_POOL || c == HD_CLIENT_SPILL))
      return "rule 12: the status does not tell of an error of the memory";
  }
  return o->book.failed && !(status & kernel) ? "rule 12: a kernel failed, and the status does not tell" : NULL;
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
