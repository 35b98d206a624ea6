/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_state: the state and functions that the parts of the plane's oracle share. Rules are checked in:
 *   plane_launches.c  1 and 8
 *   plane_rooms.c     the parts of 8, 13 and 14 that depend on occupancy
 *   plane_tbs.c       2 to 5, 7, 10, 13, 14, 16 and 17
 *   plane_errors.c    11
 *   plane_spill.c     the part of 11 about groups that wait in memory for their bank
 *   plane_graph.c     15
 *   plane_waits.c     18
 *   plane_oracle.c    6, 7, 9, 11 (registers) and 12 */
#ifndef HD_PLANE_STATE_H
#define HD_PLANE_STATE_H

#include "env/common/clients.h"
#include "gen/hd_top_ports.h"
#include "mem/axi_check.h"
#include "oracle/dgb_state.h"
#include "oracle/plane_book.h"
#include "oracle/plane_waits.h"
#include "oracle/ring_book.h"

enum { HD_ORACLE_HOST_REQUESTS = 8, HD_ORACLE_HWQ = 8, HD_ORACLE_DEV_REQUESTS = 16 };
/* Values of AgtHash (docs/configurations.md): the hash is of hw_tid and SMX; a free list, so any free AGE. */
enum { HD_ORACLE_HASH_SMX = 1, HD_ORACLE_HASH_FREE = 2 };

struct hd_oracle_slot {
  uint8_t state; /* 0 empty, 1 offered, 2 running */
  uint8_t level;
  uint8_t node; /* it is a node of a graph that is small enough to be tracked, .. */
  uint16_t vid; /* .. with this VID */
  uint32_t kernel, group;
};

/* An unanswered launch of the host. */
struct hd_oracle_host_request {
  struct hd_launch launch;
  uint32_t work;       /* 0: it deserves an error code, or its kernel was already reported as done */
  uint8_t is_reported; /* its kernel was reported as done */
  uint8_t ahead;       /* accepted launches to its HWQ that had not begun when this one was taken */
};

/* An unanswered command of an SMX. */
struct hd_oracle_dev_request {
  uint8_t kind, lane, slot, want, level;
  uint32_t work, kernel; /* the work that it launches; the kernel of the launching TB */
  uint64_t ctx, number;
  /* Occupancy in cycle `at`, when it was taken. The plane judges launches in the order in which it takes them. */
  uint64_t at, kernel_number;
  uint32_t users, in_bank; /* upper bounds: users of its AGE; entries of its bank, with kernels entered since */
  uint32_t in_ring;        /* group: most groups of its bank and level in memory since then, as the port shows them */
  uint32_t holder;         /* the group that certainly had its AGE */
  uint64_t holder_number;
  uint8_t pool_full, no_record, list_full; /* may have been so; list: the overflowed groups of its kernel */
  uint8_t rr, bank;                        /* since then the policy was rr at some time; another one at some time */
  uint8_t closed;                          /* group: since then memory may have accepted no groups, after a loss */
  uint32_t record;
  uint8_t code[2];          /* group: the code that it deserves with a valid record number, and with an invalid one */
  uint8_t also;             /* group: another allowed code, since RecCount was written meanwhile; 0: none */
  uint8_t requested_before; /* group: the plane may reuse the search result of an earlier beat of the same command */
};

/* For a bank and level: the last group that began. */
struct hd_oracle_bank {
  uint32_t group;
  uint64_t number;
};

/* A reference to work in the book. Its place may have been reused; then the number differs. */
struct hd_oracle_owner {
  uint32_t work;
  uint64_t number;
};

/* The open reads of an AXI ID, a ring. error: a beat of the oldest was an error. */
struct hd_oracle_reads {
  uint64_t addr[HD_AXI_BURSTS];
  uint32_t first, taken;
  uint8_t error;
};

/* A group in memory: it waits for its bank. */
struct hd_oracle_spilled {
  struct hd_oracle_owner group;
  uint8_t kdei; /* KD entry of its kernel, by its record */
};

/* Groups in memory, as the port shows them: from the last beat of their write to that of their read. */
struct hd_oracle_spill {
  struct hd_ring_book book;
  struct hd_oracle_spilled group[HD_RING_ENTRIES]; /* by entry of the book */
  uint64_t youngest[HD_MAX_RING_QUEUES];           /* `number` of the last group of each queue */
  uint32_t write[HD_AXI_BURSTS];                   /* entries whose write is not answered, a ring */
  uint32_t written, answered;                      /* entries so far */
  struct {
    uint16_t queue;
    uint8_t n;           /* groups */
  } read[HD_AXI_BURSTS]; /* open reads, a ring */
  uint32_t asked, ended; /* reads so far */
  uint8_t beat, error;   /* of the oldest read: its beats so far; an error of the group whose beats arrive */
  uint64_t empty_at;     /* the last cycle in which no group was in memory */
  uint64_t closed_at;    /* cycle from which on no group is accepted, since one was lost; 0: not certain */
  uint32_t late;         /* groups written since then */
  uint8_t may_close;     /* a group was lost, and some losses may not be reported yet */
  uint32_t lost, quiet;  /* groups lost since; cycles since no group is in memory, and the port is free */
};

/* Indices of memory errors: one for each client (reads only for client 0), then the writes of client 0. */
enum { HD_ORACLE_LIST_WRITES = HD_CLIENT_DGB + 1, HD_ORACLE_ERRORS };

/* The last entered kernel with a graph, and its graph as read from memory so far. */
struct hd_oracle_graph {
  struct hd_oracle_owner kernel;     /* the kernel; stale once that is complete */
  uint64_t at;                       /* cycle in which it entered */
  uint64_t waits;                    /* consecutive cycles in which its oldest node could be granted */
  struct hd_dgbstart start;          /* contents of the descriptor */
  uint8_t asked, beats;              /* the read of the descriptor was issued; beats received */
  uint8_t wrong, error;              /* the descriptor is invalid; the memory answered with an error */
  uint8_t begun;                     /* the descriptor is valid: the DGB has the graph */
  uint8_t out[(UINT16_MAX + 1) / 8]; /* a bit for each granted TB */
  struct dgb_oracle seen;
};

struct hd_plane_oracle {
  struct hd_cfg cfg;
  struct hd_book book;
  struct hd_axi_check axi;
  struct hd_oracle_host_request host[HD_ORACLE_HOST_REQUESTS];
  unsigned host_n;
  uint32_t queue[HD_MAX_NUM_HWQ][HD_ORACLE_HWQ + 2]; /* accepted, not yet running */
  uint8_t queued[HD_MAX_NUM_HWQ];
  uint32_t hwq_runs[HD_MAX_NUM_HWQ];          /* its last kernel, until the next begins or kernel_done */
  uint64_t stream_number[HD_MAX_NUM_STREAMS]; /* `number` of its youngest kernel that began */
  struct hd_oracle_dev_request dev[HD_MAX_NUM_SMX][HD_ORACLE_DEV_REQUESTS];
  uint8_t dev_n[HD_MAX_NUM_SMX];
  uint64_t asked[HD_MAX_NUM_SMX]; /* per SMX: classes of the keys searched for by its current command */
  struct hd_oracle_bank bank[HD_MAX_NUM_BANK][HD_MAX_MAX_LEVEL];
  uint64_t banked_number[HD_MAX_NUM_SMX][HD_MAX_MAX_LEVEL]; /* `number` of the youngest begun group of SMX and level */
  uint8_t banked;                                           /* a policy other than rr was set at some time */
  uint32_t passed;                   /* rule 17: TBs of banks in a row while a native part of no bank continued */
  uint32_t open;                     /* SMXs that accepted TBs for any SMX in the cycle before */
  uint8_t policy, policy_was;        /* in this cycle, and in the one before */
  uint64_t rested_number;            /* launches up to the last look for idleness, .. */
  bool rested;                       /* .. and whether nothing was open then */
  uint64_t now;                      /* cycle */
  uint64_t age_free[HD_MAX_NUM_AGE]; /* cycle in which the last TB of the AGE's group was done */
  uint32_t age[HD_MAX_NUM_AGE];      /* the group that holds it */
  struct hd_oracle_slot slot[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX];
  uint32_t warps[HD_MAX_NUM_SMX], regs[HD_MAX_NUM_SMX], smem[HD_MAX_NUM_SMX];
  /* Offers of the cycle before that were not accepted. */
  uint8_t waits[HD_MAX_NUM_SMX], dev_waits[HD_MAX_NUM_SMX], answer_waits, done_waits, record_waits;
  struct hd_dispatch was[HD_MAX_NUM_SMX];
  struct hd_devanswer dev_was[HD_MAX_NUM_SMX];
  struct hd_answer answer_was;
  struct hd_completion done_was;
  uint32_t record_was;
  uint32_t config[HD_MAX_NUM_CONFIG]; /* as written over APB */
  uint8_t apb_setup, apb_busy;        /* the cycle before was a setup phase; a TB ran in it */
  struct hd_oracle_reads reads[HD_MAX_MEM_CLIENTS];
  struct hd_oracle_owner row[HD_MAX_POOL_ROWS],
      room[HD_MAX_NUM_KIN]; /* owner of the last record written to a row: pool, susp */
  struct hd_oracle_spill spill;
  struct hd_oracle_owner list[HD_MAX_NUM_LIST]; /* last overflowed group written to each list */
  uint32_t errors[HD_ORACLE_ERRORS];
  uint32_t hits, hit; /* number of kernels hit by the current error, and one of them */
  uint8_t
      streams_cross; /* a kernel was launched into a stream that is not above its parent's: it may wait for itself */
  uint8_t stayed;    /* set in the cycle in which the first TB of a rest is granted */
  uint8_t pair;      /* set in the cycle that reports the second of two kernels failed by errors of one cycle */
  struct hd_oracle_graph graph;
  struct hd_plane_waits waits_of;
  /* The current write burst: beats so far; SMX and parameter address if it is the record of a kernel. */
  uint8_t written, written_smx;
  uint64_t written_param;
};

static inline struct hd_work *hd_oracle_work(struct hd_plane_oracle *o, uint32_t w) {
  return &o->book.work[w];
}

/* Each checks the streams of one cycle, and returns NULL or the broken rule. */
const char *hd_oracle_host(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
const char *hd_oracle_devices(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
const char *hd_oracle_dispatches(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
void hd_oracle_completions(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);

/* Graphs (plane_graph.c). */
/* A kernel with a graph enters the KD. */
const char *hd_oracle_graph_enters(struct hd_plane_oracle *o, uint32_t kernel);
/* Marks the kernel as hit, or as doomed, if its graph as read from memory is invalid. To be called before the kernel is
 * considered complete. */
void hd_oracle_check_graph(struct hd_plane_oracle *o, uint32_t kernel);
/* A TB of the kernel with a graph is granted; a TB of another kernel is granted; a TB is done. */
const char *hd_oracle_node(struct hd_plane_oracle *o, const struct hd_dispatch *d, struct hd_oracle_slot *slot);
const char *hd_oracle_check_overlap(struct hd_plane_oracle *o, uint32_t kernel);
void hd_oracle_node_done(struct hd_plane_oracle *o, unsigned smx, const struct hd_oracle_slot *slot);
/* Client dats or dgb issues a burst: returns NULL, or why it is not allowed. */
const char *hd_oracle_graph_burst(struct hd_plane_oracle *o, unsigned client, uint64_t addr, unsigned beats,
                                  bool write);
/* To be called once per cycle, for a beat of read data. */
const char *hd_oracle_graph_beat(struct hd_plane_oracle *o, const struct hd_top_in *in);
/* The memory answered a burst of a graph with an error. */
void hd_oracle_graph_error(struct hd_plane_oracle *o);
/* To be called at the end of each cycle. */
void hd_oracle_graph_cycle(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);

const char *hd_oracle_memory(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
const char *hd_oracle_enters(struct hd_plane_oracle *o, const struct hd_top_out *out);

/* A host kernel enters the KD: it must be at the head of its HWQ, and that must be open. */
const char *hd_oracle_host_starts(struct hd_plane_oracle *o, uint32_t work);

/* A memory error hits the kernel; doomed: it certainly fails. */
void hd_oracle_hit(struct hd_plane_oracle *o, uint32_t kernel, bool doomed);

/* Groups in memory (plane_spill.c). */
/* Returns true if a burst of client spill is within the rings of its region. */
bool hd_oracle_spill_region(const struct hd_plane_oracle *o, uint64_t addr, unsigned beats);
/* The last beat of a write of client spill was accepted, of `beats` beats; lo, hi: that beat. Returns NULL or the
 * broken rule. */
const char *hd_oracle_spill_written(struct hd_plane_oracle *o, uint64_t addr, unsigned beats, uint64_t lo, uint64_t hi);
/* The oldest write is answered. Hits the kernel of its group if that is lost. */
void hd_oracle_spill_answered(struct hd_plane_oracle *o, bool error);
/* A read was accepted. Returns NULL or the broken rule. */
const char *hd_oracle_spill_asked(struct hd_plane_oracle *o, uint64_t addr, unsigned beats);
/* A beat of the oldest read arrived. Returns true if a group is lost by it; its kernel is hit. */
bool hd_oracle_spill_beat(struct hd_plane_oracle *o, bool error, bool last);
/* To be called at the end of each cycle. */
void hd_oracle_spill_cycle(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out);
/* Returns true if a group of the kernel is lost, and the plane can not know it yet: others are still in memory. */
bool hd_oracle_misses_group(const struct hd_plane_oracle *o, uint32_t kernel);
/* Returns the queue (bank and level) of a group. */
unsigned hd_oracle_spill_queue(const struct hd_plane_oracle *o, const struct hd_work *group);
/* Returns true if memory may have had no room for the group since its launch was taken. */
bool hd_oracle_spill_full(const struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a);

/* Occupancy (plane_rooms.c). */
/* A launch was taken: stores the occupancy in it, and allocates for its work (in the book, except for a save). */
void hd_oracle_update_rooms(struct hd_plane_oracle *o, unsigned smx, const struct hd_devlaunch *l,
                            struct hd_oracle_dev_request *a);
/* The policy has changed. */
void hd_oracle_policy_changed(struct hd_plane_oracle *o);
/* RecCount was written. */
void hd_oracle_records_changed(struct hd_plane_oracle *o);
/* A kernel entered the KD: frees its place in the pool, and allocates one in its bank if it uses that. */
void hd_oracle_kernel_binds(struct hd_plane_oracle *o, uint32_t kernel);
/* The answer to a launch: returns NULL or the rule that it breaks. */
const char *hd_oracle_refused(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a);
const char *hd_oracle_joined(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a, bool kept);
const char *hd_oracle_saved(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a);
/* Returns true if the group could join a kernel at all times while its launch was in flight. */
bool hd_oracle_must_join(struct hd_plane_oracle *o, uint32_t group);

/* Returns the group that holds a record (answered "kept" or not yet answered), or 0. */
uint32_t hd_oracle_find_record(const struct hd_book *b, uint32_t record);

/* Removes the group from the book if it is over: all TBs done, its launch answered, its record returned. */
void hd_oracle_forget_group(struct hd_plane_oracle *o, uint32_t group);

#endif
