/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* top_covers: the cover points of the plane's environment. */
#ifndef HD_TOP_COVERS_H
#define HD_TOP_COVERS_H

#include "gen/hd_policies.h"
#include "gen/hd_top_ports.h"

/* Length of a long stall, in cycles: an offer is not accepted, or an expected event does not happen. */
enum { HD_LONG_STALL = 200 };
enum hd_stall {
  HD_STALL_HOST_ANSWER,
  HD_STALL_KERNEL_DONE,
  HD_STALL_RECORD_DONE,
  HD_STALL_AW,
  HD_STALL_W,
  HD_STALL_AR,
  HD_STALL_R,
  HD_STALL_B,
  HD_STALLS
};

/* Number of launches with a graph that are remembered until their kernels enter the KD. */
enum { HD_TOP_GRAPHS = 256 };

/* Groups of banks in memory, as the memory port shows them. */
struct hd_top_rings {
  uint32_t base, count;                /* of their region, as written over APB */
  uint32_t waits[HD_MAX_RING_QUEUES];  /* of the queue: groups that are not being read */
  uint32_t at[HD_MAX_RING_QUEUES];     /* 1 + place in the ring of the last one written; 0: none */
  uint8_t groups[HD_MAX_SPILL_FLIGHT]; /* of the open reads, oldest first */
  uint32_t reads, away;                /* open reads; groups in memory or being read */
  uint8_t closes, empty;               /* a group was lost; since then all others have returned */
};

/* State of the cover points, counted from reset on. */
struct hd_top_history {
  struct hd_cfg cfg;
  uint8_t policy;
  uint32_t reads, writes; /* unanswered bursts */
  struct hd_top_rings rings;
  uint8_t bad[HD_MAX_MEM_CLIENTS]; /* beats with an error in the current read */
  uint16_t stall[HD_STALLS];
  uint16_t dispatch[HD_MAX_NUM_SMX], dev_answer[HD_MAX_NUM_SMX], tb[HD_MAX_NUM_SMX]; /* stall lengths per SMX */
  uint32_t runs[HD_MAX_NUM_SMX];                                                     /* slots with a running TB */
  uint64_t graph[HD_TOP_GRAPHS]; /* parameter addresses of the latest launches with a graph, a ring */
  uint32_t graphs;
  uint8_t has_graph[HD_MAX_NUM_KDE]; /* the kernel in that KD entry has a graph */
  uint32_t node[HD_MAX_NUM_SMX];     /* slots whose TB belongs to a graph */
};

extern const char *const hd_top_covers[];
/* Cover points hit by the environment itself: it is being drained; a client breaks the contract. And one hit by the
 * oracle: two kernels failed by errors in the same cycle. */
enum {
  HD_COVER_BANKS = 33,
  HD_COVER_DRAIN = HD_COVER_BANKS + HD_NUM_POLICY,
  HD_COVER_ILLEGAL = HD_COVER_DRAIN + 17,
  HD_COVER_TWO_FAIL = HD_COVER_DRAIN + 24,
  HD_COVER_PARENTS = HD_COVER_DRAIN + 34, /* two points */
  HD_COVER_RINGS = HD_COVER_DRAIN + 36,   /* the last ones */
};

void hd_top_history_init(struct hd_top_history *s, const struct hd_cfg *cfg);
void hd_top_cover(struct hd_top_history *s, const struct hd_top_in *in, const struct hd_top_out *out, uint64_t *hits);

#endif
