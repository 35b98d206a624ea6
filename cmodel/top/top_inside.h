/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* top_inside: the wires between the blocks in one cycle, and who fills them in. Shared by the files of top, not
 * installed.
 *
 *   hd_top_cycle (top.c):  hd_top_settle  -->  wires  -->  show, hd_top_step
 *                          top_settle.c, top_graph.c, top_service.c    top.c, top_step.c, ..
 *
 * Of the blocks of device launches most have nothing to do most of the time. Such a block is passed over: its outputs
 * are those of a block at rest, its edge changes nothing. The port structs of the wires are filled in only for those
 * awake, and of vectors only the elements that are looked at. */
#ifndef HD_TOP_INSIDE_H
#define HD_TOP_INSIDE_H

#include "top/top.h"

/* Each block by its place in the state. Who asks for it steps it. */
#define OF(b)                                               \
  static inline struct hd_##b *b##_of(struct hd_top *m) {   \
    m->edges[HD_TOP_NUMBER_##b]++;                          \
    return (struct hd_##b *)(void *)(m->block + m->b##_at); \
  }
HD_TOP_BLOCKS(OF)
#undef OF

/* Clients of the memory port. */
enum { MEM_OVFQ, MEM_POOL, MEM_SUSP, MEM_SPILL, MEM_DATS, MEM_DGB };

/* On the stack of who makes a cycle, and uninitialized until hd_top_settle(). */
struct hd_top_wires {
  /* What the blocks are told. hd_top_settle() fills in what their outputs depend on, hd_top_step() the rest. */
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
  /* What blocks that are awake show. */
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
  struct hd_dats_out dats_out; /* node_ready and node_smx aside */
  struct hd_dgb_out dgb_out;
  struct hd_memarb_out mem_out;
  /* What any block shows: one of the above, or the outputs of a block at rest. */
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
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)]; /* HWQs whose kernel has come to its end, as KD and kin tell */
  struct hd_kmu_edge kmu;
  int enter_kdei;  /* the entry of the kernel that goes from KMU to KD, or -1 */
  int marked_kdei; /* the same, if it is marked: it has no graph, and something for the SSCR */
  bool kernel_ready;
  unsigned policy;
  struct hd_laperm_memory memory;  /* what spill shows LaPerm's block */
  struct hd_laperm_kernel offered; /* the kernel that the KMU offers, and what becomes of it */
  struct hd_laperm_entry enter;
  struct hd_progress enter_progress; /* as the SSCR sees it */
  /* The scheduler's choice, and what it looks at. */
  struct hd_sched_source bound[HD_MAX_NUM_SMX], spare[HD_MAX_NUM_SMX];
  struct hd_sched_front front[HD_MAX_NUM_BANK];
  uint64_t open[HD_SMX_WORDS]; /* where some SMX is closed */
  struct hd_sched_node node;
  bool node_valid;
  struct hd_sched_env env;
  struct hd_sched_choice choice;
};

/* The block is not passed over in this cycle: what it shows is its own. */
#define HD_AWAKE(w, b) ((w)->b == &(w)->b##_out)

/* What every block shows in this cycle, each after those that it depends on. */
void hd_top_settle(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in);

/* The edge of every block. w: what hd_top_settle() found in this state with these inputs. */
void hd_top_step(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in);

/* The part of these that concerns the service blocks: the memory port, after all that ask for a burst; registers. busy:
 * a kernel is in the KD, or a device kernel incomplete. */
void hd_top_settle_memory(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in);
void hd_top_step_regs(struct hd_top *m, const struct hd_top_wires *w, const struct hd_top_in *in, bool busy);

/* The part of these that concerns a kernel with a graph. */
void hd_top_settle_graph(const struct hd_top *m, struct hd_top_wires *w);
void hd_top_step_graph(struct hd_top *m, struct hd_top_wires *w);

/* The part of these that concerns the throttle: before the choice of the scheduler; before registers and scheduler. */
void hd_top_settle_throttle(const struct hd_top *m, struct hd_top_wires *w);
void hd_top_step_throttle(struct hd_top *m, const struct hd_top_in *in);

/* What makes a kernel fail, as link, agt and the KD are told. */
static inline void hd_top_fail_events(const struct hd_top_wires *w, uint8_t valid[HD_MAX_NUM_FAIL],
                                      uint8_t kdei[HD_MAX_NUM_FAIL]) {
  valid[0] = w->ovfq->write_fail_valid;
  valid[1] = w->ovfq->fetch_fail_valid;
  valid[2] = w->susp->chunk_fail_valid;
  kdei[0] = w->ovfq->write_fail_kdei;
  kdei[1] = w->ovfq->fetch_fail_kdei;
  kdei[2] = w->susp->chunk_fail_kdei;
  valid[3] = w->spill->lost_valid;
  kdei[3] = w->spill->lost_kdei;
}

/* A kernel's groups: those of its chain, and behind them those of its list in memory. */
static inline bool hd_top_pending(const struct hd_top *m, unsigned kdei) {
  return hd_link_pending(&hd_top_link(m)->list[kdei], hd_ovfq_there(hd_top_ovfq(m), kdei));
}

#endif
