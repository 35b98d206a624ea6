/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* top_inside: the wires between the blocks in one cycle, and the functions that set them. Shared by the files of top,
 * not installed.
 *
 *   hd_top_cycle (top.c):  hd_top_settle  -->  wires  -->  show, hd_top_step
 *                          top_settle.c, top_graph.c, top_service.c    top.c, top_step.c, ..
 *
 * sim speed: most blocks of device launches are idle most of the time. An idle block is skipped: its outputs are those
 * at rest, its edge changes nothing. The port structs of the wires are filled in only for active blocks, and vectors
 * only in the elements that are read. */
#ifndef HD_TOP_INSIDE_H
#define HD_TOP_INSIDE_H

#include "top/top.h"

/* Returns a block of the state and counts an edge of it: a caller that takes the pointer steps the block. */
#define OF(b)                                               \
  static inline struct hd_##b *b##_of(struct hd_top *m) {   \
    m->edges[HD_TOP_NUMBER_##b]++;                          \
    return (struct hd_##b *)(void *)(m->block + m->b##_at); \
  }
HD_TOP_BLOCKS(OF)
#undef OF

/* Clients of the memory port. */
enum { MEM_OVFQ, MEM_POOL, MEM_SUSP, MEM_SPILL, MEM_DATS, MEM_DGB, MEM_CLIENTS };

/* On the stack of the function that makes a cycle; uninitialized until hd_top_settle(). */
struct hd_top_wires {
  /* Inputs of the blocks. hd_top_settle() sets those that outputs depend on, hd_top_step() the rest. */
  struct hd_devq_in devq_in;
  struct hd_match_in match_in;
  struct hd_link_in link_in;
  struct hd_ovfq_in ovfq_in;
  struct hd_agt_in agt_in;
  struct hd_agc_in agc_in;
  struct hd_kin_in kin_in;
  struct hd_pool_in pool_in;
  struct hd_susp_in susp_in;
  struct hd_spill_in spill_in;
  struct hd_dats_in dats_in;
  struct hd_dgb_in dgb_in;
  struct hd_memarb_in mem_in;
  /* Outputs of active blocks. */
  struct hd_devq_out devq_out;
  struct hd_match_out match_out;
  struct hd_link_out link_out;
  struct hd_ovfq_out ovfq_out;
  struct hd_agt_out agt_out;
  struct hd_agc_out agc_out;
  struct hd_kin_out kin_out;
  struct hd_pool_out pool_out;
  struct hd_susp_out susp_out;
  struct hd_spill_out spill_out;
  struct hd_dats_out dats_out; /* without node_ready and node_smx */
  struct hd_dgb_out dgb_out;
  struct hd_memarb_out mem_out;
  /* Outputs of every block: one of the above, or the outputs at rest. */
  const struct hd_devq_out *devq;
  const struct hd_match_out *match;
  const struct hd_link_out *link;
  const struct hd_ovfq_out *ovfq;
  const struct hd_agt_out *agt;
  const struct hd_agc_out *agc;
  const struct hd_kin_out *kin;
  const struct hd_pool_out *pool;
  const struct hd_susp_out *susp;
  const struct hd_spill_out *spill;
  const struct hd_dats_out *dats;
  const struct hd_dgb_out *dgb;
  const struct hd_memarb_out *mem;
  /* From the KMU into the KD. */
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)]; /* HWQs whose kernel has completed, from KD and kin */
  struct hd_kmu_edge kmu;
  int enter_kdei;  /* entry of the kernel that moves from KMU to KD, or -1 */
  int marked_kdei; /* the same if it is marked: it has no graph, and TBs for the SSCR */
  bool kernel_ready;
  unsigned policy;
  struct hd_laperm_memory memory;  /* outputs of spill to LaPerm */
  struct hd_laperm_kernel offered; /* the kernel that the KMU offers, and the decision about it */
  struct hd_laperm_entry enter;
  struct hd_progress enter_progress; /* as the SSCR sees it */
  /* The scheduler's choice, and its inputs. */
  struct hd_sched_source bound[HD_MAX_NUM_SMX], spare[HD_MAX_NUM_SMX];
  struct hd_sched_front front[HD_MAX_NUM_BANK];
  uint64_t open[HD_SMX_WORDS]; /* valid if some SMX is closed */
  struct hd_sched_node node;
  bool node_valid;
  struct hd_sched_env env;
  struct hd_sched_choice choice;
};

/* True if the block is active in this cycle: its outputs are its own. */
#define HD_AWAKE(w, b) ((w)->b == &(w)->b##_out)

/* Sets all outputs of this cycle, each block after those that it depends on. */
void hd_top_settle(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in);

/* The edge of every block. w: result of hd_top_settle() for this state and these inputs. */
void hd_top_step(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in);

/* The service blocks: the memory port, after all that request a burst; registers. busy: a kernel is in the KD, or a
 * device kernel is incomplete. */
void hd_top_settle_memory(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in);
void hd_top_step_regs(struct hd_top *m, const struct hd_top_wires *w, const struct hd_top_in *in, bool busy);

/* A kernel with a graph. */
void hd_top_settle_graph(const struct hd_top *m, struct hd_top_wires *w);
void hd_top_step_graph(struct hd_top *m, struct hd_top_wires *w);

/* The throttle: before the scheduler's choice; before the edge of registers and scheduler. */
void hd_top_settle_throttle(const struct hd_top *m, struct hd_top_wires *w);
void hd_top_step_throttle(struct hd_top *m, const struct hd_top_in *in);

/* Events that make a kernel fail, as inputs of link, agt and the KD. */
static inline void hd_top_fail_events(const struct hd_top_wires *w, struct hd_entry fails[HD_MAX_NUM_FAIL]) {
  fails[0] = w->ovfq->write_fail;
  fails[1] = w->ovfq->fetch_fail;
  fails[2] = w->susp->chunk_fail;
  fails[3] = w->spill->lost;
}

/* Returns whether a kernel has groups: in its chain, or after them in its list in memory. */
static inline bool hd_top_pending(const struct hd_top *m, unsigned kdei) {
  return hd_link_pending(&hd_top_link(m)->list[kdei], hd_ovfq_there(hd_top_ovfq(m), kdei));
}

#endif
