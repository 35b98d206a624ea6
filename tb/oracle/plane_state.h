/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_state: what the parts of the plane's oracle share. plane_launches.c: rules 1 and 8; plane_rooms.c: what 8, 13
 * and 14 say of room; plane_tbs.c: 2 to 5, 10 and 17; plane_errors.c: 11; plane_graph.c: 15; plane_waits.c: 18;
 * plane_oracle.c: the others. */
#ifndef HD_PLANE_STATE_H
#define HD_PLANE_STATE_H

#include "env/common/clients.h"
#include "gen/hd_top_ports.h"
#include "mem/axi_check.h"
#include "oracle/dgb_state.h"
#include "oracle/plane_book.h"
#include "oracle/plane_waits.h"

enum { HD_ORACLE_HOST_ASKS = 8, HD_ORACLE_HWQ = 8, HD_ORACLE_DEV_ASKS = 16 };
/* AgtHash (docs/configurations.md): hw_tid and SMX together; any free AGE. */
enum { HD_ORACLE_HASH_SMX = 1, HD_ORACLE_HASH_FREE = 2 };

struct hd_oracle_slot {
  uint8_t state; /* 0 empty, 1 offered, 2 running */
  uint8_t level;
  uint8_t node; /* its kernel has a graph, of which it is .. */
  uint16_t vid; /* .. this node, if it is small enough to be known */
  uint32_t kernel, group;
};

/* A launch of the host without an answer. */
struct hd_oracle_host_ask {
  struct hd_launch launch;
  uint32_t work;   /* 0: it deserves no more than a code, or is complete already */
  uint8_t is_told; /* its kernel was reported */
  uint8_t ahead;   /* launches to its HWQ that had not begun when it was taken, refused ones aside */
};

/* A command of an SMX without an answer. */
struct hd_oracle_dev_ask {
  uint8_t kind, lane, slot, want, level;
  uint32_t work, kernel; /* what it launches, from a TB of which kernel */
  uint64_t ctx, number;
  /* What was occupied when it was taken; what was launched before it is judged before it. */
  uint64_t at, kernel_number;
  uint32_t users, in_bank; /* of its AGE; of its bank, with kernels that have entered since */
  uint32_t in_banks;       /* of all banks */
  uint32_t holder;         /* the group that had its AGE for certain */
  uint64_t holder_number;
  uint8_t pool_full, no_record, list_full; /* may have been so; list: of overflowed groups of its kernel */
  uint8_t rr, bank;                        /* the policy was rr, another, at some time since */
  uint32_t record;
  uint8_t code[2]; /* a group: what it deserves if software has such a record, and if not .. */
  uint8_t also;    /* .. by the RecCount that was written since: it counted, or the one before; 0: there was none */
  uint8_t asked_before; /* a group: what the search found for a beat before it in its command may be kept */
};

/* Of the groups that a cluster of SMXs launched and that went into its bank, of one level: the one that began last. */
struct hd_oracle_bank {
  uint32_t group;
  uint64_t number;
};

/* Work by its place in the book, which may be given to other work: then the number is another. */
struct hd_oracle_owner {
  uint32_t work;
  uint64_t number;
};

/* The reads of an ID that are under way, a ring; error: of the oldest. */
struct hd_oracle_reads {
  uint64_t addr[HD_AXI_BURSTS];
  uint32_t first, taken;
  uint8_t error;
};

/* Errors of the memory: of each client (of client 0: of what it reads), and of what client 0 writes. */
enum { HD_ORACLE_LIST_WRITES = HD_CLIENT_DGB + 1, HD_ORACLE_ERRORS };

/* The kernel with a graph that entered last, and what memory has told of the graph. */
struct hd_oracle_graph {
  struct hd_oracle_owner kernel;     /* none: there was none, or it is complete */
  uint64_t at;                       /* cycle in which it entered */
  uint64_t waits;                    /* cycles in which nothing has kept its next node from being handed out */
  struct hd_dgbstart start;          /* as the descriptor tells */
  uint8_t asked, beats;              /* the descriptor was asked for; beats of it that came */
  uint8_t wrong, error;              /* it is wrong; the memory answered with an error */
  uint8_t begun;                     /* it is right: the buffer has the graph */
  uint8_t out[(UINT16_MAX + 1) / 8]; /* TBs that were handed out, a bit each */
  struct dgb_oracle seen;
};

struct hd_plane_oracle {
  struct hd_cfg cfg;
  struct hd_book book;
  struct hd_axi_check axi;
  struct hd_oracle_host_ask host[HD_ORACLE_HOST_ASKS];
  unsigned host_n;
  uint32_t queue[HD_MAX_NUM_HWQ][HD_ORACLE_HWQ + 2]; /* accepted, not yet running */
  uint8_t queued[HD_MAX_NUM_HWQ];
  uint32_t hwq_runs[HD_MAX_NUM_HWQ];          /* its kernel, until the next one begins or it is reported */
  uint64_t stream_number[HD_MAX_NUM_STREAMS]; /* of the youngest kernel that began */
  struct hd_oracle_dev_ask dev[HD_MAX_NUM_SMX][HD_ORACLE_DEV_ASKS];
  uint8_t dev_n[HD_MAX_NUM_SMX];
  uint64_t asked[HD_MAX_NUM_SMX]; /* classes of the keys that its command under way has searched for */
  struct hd_oracle_bank bank[HD_MAX_NUM_BANK][HD_MAX_MAX_LEVEL];
  uint64_t banked_number[HD_MAX_NUM_SMX][HD_MAX_MAX_LEVEL]; /* of the youngest that the SMX launched and that began */
  uint8_t banked;                                           /* the policy was another than rr at some time */
  uint32_t passed;                   /* TBs of banks in a row while a native part went on that comes from none */
  uint32_t open;                     /* SMXs that took, in the cycle before, TBs which may go to any */
  uint8_t policy, policy_was;        /* of this cycle, and of the one before */
  uint64_t rested_number;            /* launches, when it was last looked whether .. */
  bool rested;                       /* .. nothing was open */
  uint64_t now;                      /* cycle */
  uint64_t age_free[HD_MAX_NUM_AGE]; /* in which the last TB of its group was done */
  uint32_t age[HD_MAX_NUM_AGE];      /* the group that has it */
  struct hd_oracle_slot slot[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX];
  uint32_t warps[HD_MAX_NUM_SMX], regs[HD_MAX_NUM_SMX], smem[HD_MAX_NUM_SMX];
  /* What was offered and not taken in the cycle before. */
  uint8_t waits[HD_MAX_NUM_SMX], dev_waits[HD_MAX_NUM_SMX], answer_waits, done_waits, record_waits;
  struct hd_dispatch was[HD_MAX_NUM_SMX];
  struct hd_devanswer dev_was[HD_MAX_NUM_SMX];
  struct hd_answer answer_was;
  struct hd_completion done_was;
  uint32_t record_was;
  uint32_t config[HD_MAX_NUM_CONFIG]; /* as written over APB */
  uint8_t apb_setup, apb_busy;        /* the cycle before was a setup phase; in it some TB ran */
  struct hd_oracle_reads reads[HD_MAX_MEM_CLIENTS];
  struct hd_oracle_owner row[HD_MAX_POOL_ROWS],
      room[HD_MAX_NUM_KIN];                          /* whose record was written there last: pool, susp */
  struct hd_oracle_owner spilled[HD_MAX_SPILL_ROWS]; /* group whose place it was last */
  struct hd_oracle_owner list[HD_MAX_NUM_LIST];      /* the last group that overflowed and was put there */
  uint32_t errors[HD_ORACLE_ERRORS];
  uint32_t hits, hit; /* kernels that an error of this cycle has hit, and one of them */
  uint8_t
      streams_cross; /* a kernel was launched into a stream that is not above its parent's: it may wait for itself */
  uint8_t stayed;    /* in this cycle the first TB of a rest was handed out */
  uint8_t pair;      /* in this cycle the second ended of two kernels that errors of one cycle made fail */
  struct hd_oracle_graph graph;
  struct hd_plane_waits waits_of;
  /* Of the write burst whose data is coming: beats, and what it says if it is a record of a kernel. */
  uint8_t written, written_smx;
  uint64_t written_param;
};

static inline struct hd_work *hd_oracle_work(struct hd_plane_oracle *o, uint32_t w) {
  return &o->book.work[w];
}

/* Each takes the streams of a cycle; NULL, or the rule that was broken. */
const char *hd_oracle_host(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
const char *hd_oracle_devices(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
const char *hd_oracle_dispatches(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
void hd_oracle_completions(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);

/* Graphs (plane_graph.c). A kernel with one enters. What the memory has told of it makes the kernel fail, or may: to be
 * asked before the kernel is taken for complete. A TB of it, or of another kernel, is handed out; is done. A burst of a
 * client of graphs is asked for; what the memory answers; a cycle has gone by. */
const char *hd_oracle_graph_enters(struct hd_plane_oracle *o, uint32_t kernel);
void hd_oracle_judge_graph(struct hd_plane_oracle *o, uint32_t kernel);
const char *hd_oracle_node(struct hd_plane_oracle *o, const struct hd_dispatch *d, struct hd_oracle_slot *slot);
const char *hd_oracle_beside_graph(struct hd_plane_oracle *o, uint32_t kernel);
void hd_oracle_node_done(struct hd_plane_oracle *o, unsigned smx, const struct hd_oracle_slot *slot);
const char *hd_oracle_graph_burst(struct hd_plane_oracle *o, unsigned client, uint64_t addr, unsigned beats,
                                  bool write);
const char *hd_oracle_graph_beat(struct hd_plane_oracle *o, const struct hd_top_in *in);
void hd_oracle_graph_error(struct hd_plane_oracle *o);
void hd_oracle_graph_cycle(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);

const char *hd_oracle_memory(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
const char *hd_oracle_enters(struct hd_plane_oracle *o, const struct hd_top_out *out);

/* A kernel of the host begins: its HWQ must be open, and it the first. */
const char *hd_oracle_host_starts(struct hd_plane_oracle *o, uint32_t work);

/* What is occupied (plane_rooms.c). A launch was taken, whose work, if it brings some into the world, is in the book;
 * the policy is another; a kernel goes on in the KD. */
/* Places for groups that wait in memory for their bank. */
uint32_t hd_oracle_spill_places(const struct hd_plane_oracle *o);

void hd_oracle_look_at_rooms(struct hd_plane_oracle *o, unsigned smx, const struct hd_devlaunch *l,
                             struct hd_oracle_dev_ask *a);
void hd_oracle_policy_changed(struct hd_plane_oracle *o);
/* RecCount was written. */
void hd_oracle_records_changed(struct hd_plane_oracle *o);
void hd_oracle_kernel_binds(struct hd_plane_oracle *o, uint32_t kernel);
/* Its answer: NULL, or the rule that it breaks. */
const char *hd_oracle_refused(struct hd_plane_oracle *o, const struct hd_oracle_dev_ask *a);
const char *hd_oracle_joined(struct hd_plane_oracle *o, const struct hd_oracle_dev_ask *a, bool kept);
const char *hd_oracle_saved(struct hd_plane_oracle *o, const struct hd_oracle_dev_ask *a);
/* Was there, as long as its launch was under way, a kernel that the group could join? */
bool hd_oracle_must_join(struct hd_plane_oracle *o, uint32_t group);

/* The group that holds a record, kept or not yet answered; 0: none. */
uint32_t hd_oracle_find_record(const struct hd_book *b, uint32_t record);

/* Forgets a group that is over: all TBs done, its answer known, its record back. */
void hd_oracle_forget_group(struct hd_plane_oracle *o, uint32_t group);

#endif
