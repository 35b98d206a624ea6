/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channels, inside: what its files share. Not installed. */
#ifndef HD_CHANNELS_INSIDE_H
#define HD_CHANNELS_INSIDE_H

#include <stddef.h>

#include "api/channels.h"

#define HD_CHN_NONE (~UINT32_C(0))

struct hd_chn_output {
  int to;
  uint32_t rise, fan;
};

struct hd_chn_node {
  const char *name;
  struct hd_channels_counts counts;
  bool is_kernel;
  /* Of a channel node. */
  uint32_t bytes, capacity, level, levels;
  bool levelized;
  int kernel; /* -1: none */
  /* Of a kernel node. */
  hd_channels_function *function;
  void *ctx;
  int from;
  uint32_t outputs;
  struct hd_chn_output output[HD_CHANNELS_OUTPUTS];
};

/* Positions count all elements that ever were; a place is a position modulo the capacity. */
struct hd_chn_channel {
  int node;
  uint32_t level;
  uint8_t *data;
  bool *done;                     /* by place */
  uint32_t *control;              /* 2 * capacity places, in the order of publication */
  uint64_t head, tail;            /* positions: the first that is not free, the next to be reserved */
  uint64_t published, sent;       /* control places, ever */
  uint64_t live, alive;           /* elements reserved and not done; its wavefronts that have not ended */
  uint64_t active;                /* .. those that run, or were given what they waited for */
  uint32_t first_wait, last_wait; /* wavefronts that wait for room: records */
};

struct hd_chn_grant {
  uint32_t chan, n;
  uint64_t place;
  bool enqueued;
  uint32_t turn; /* of all that the wavefront enqueued */
};

struct hd_channels_wave {
  struct hd_channels *g;
  uint32_t own, count; /* HD_CHN_NONE: the host */
  uint64_t start;      /* its first control place, ever */
  uint32_t cu, next;   /* next: of a list of records */
  uint32_t granted, asked;
  struct hd_chn_grant grant[HD_CHANNELS_GRANTS];
  uint32_t wants, wants_n; /* a channel without room, or HD_CHN_NONE */
  uint32_t freed, turns;
  bool *lane_freed; /* by lane */
};

struct hd_chn_list {
  uint32_t first, last;
};

struct hd_channels {
  struct hd_cfg cfg;
  enum hd_channels_code code;
  char text[400];
  struct hd_channels_counts counts;
  int nodes;
  struct hd_chn_node node[HD_CHANNELS_NODES];
  uint32_t chans;              /* 0: not checked yet */
  struct hd_chn_channel *chan; /* by level */
  struct hd_channels_wave host;
  const struct hd_channels_wave *called; /* its kernel runs */
  struct hd_channels_wave *wave;         /* a record each */
  bool *lane;                            /* of all waves */
  uint32_t free_wave, free_waves;
  struct hd_chn_list running;
  uint32_t *slots; /* by CU: how many are free */
  uint32_t *back;  /* by CU: who was given room and waits for a slot, or HD_CHN_NONE */
  uint32_t next_cu, next_back, next_chan;
  bool driven; /* from outside: places, room and order are told */
};

/* Enters a refusal, unless there is one. */
void hd_chn_refuse(struct hd_channels *g, enum hd_channels_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The channel of a node at a level, or HD_CHN_NONE. */
uint32_t hd_chn_find(const struct hd_channels *g, int node, uint32_t level);

/* A channel as texts have it: "tasks", or "tasks[3]" in a stack. */
struct hd_chn_name {
  char s[80];
};
struct hd_chn_name hd_chn_name(const struct hd_channels *g, uint32_t chan);

/* Grants n elements of a channel to a wavefront, which has no more than HD_CHANNELS_GRANTS; false: there is no room. */
bool hd_chn_grant(struct hd_channels *g, struct hd_channels_wave *w, uint32_t chan, uint32_t n);

/* Counts a wavefront of so many elements; one that yields. */
void hd_chn_count(struct hd_channels *g, uint32_t chan, uint32_t elements);
void hd_chn_count_yield(struct hd_channels *g, uint32_t record);

/* Calls the wavefront's kernel. */
void hd_chn_run(struct hd_channels *g, struct hd_channels_wave *w);

/* A wavefront that returned has freed and enqueued all; false: refused. */
bool hd_chn_over(struct hd_channels *g, uint32_t record);

/* ---- Driven from outside, by who times it ---- */

/* From now on kernels are called by hd_chn_call() alone, and all room comes from hd_chn_give(). */
void hd_chn_drive(struct hd_channels *g);

/* A wavefront begins, whose elements lie at these places of its channel. Its record, or HD_CHN_NONE: none is left. */
uint32_t hd_chn_begin(struct hd_channels *g, uint32_t chan, uint32_t start, uint32_t count, const uint16_t *place);

/* Calls its kernel. True: it is through, has freed its elements and enqueued what it reserved, in the order of `turn`.
 * False: it wants room (wants, wants_n), or broke a rule (the graph's code). */
bool hd_chn_call(struct hd_channels *g, uint32_t record);

/* It has what it wants, from this place on. */
void hd_chn_give(struct hd_channels *g, uint32_t record, uint32_t place);

/* It is over: its record is free. */
void hd_chn_end(struct hd_channels *g, uint32_t record);

/* The place of its element k. */
uint32_t hd_chn_place(const struct hd_channels_wave *w, uint32_t k);

#endif
