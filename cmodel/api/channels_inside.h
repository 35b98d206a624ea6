/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Internal declarations shared by the files of channels. Not installed. */
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
  /* Channel nodes. */
  uint32_t bytes, capacity, level, levels;
  bool levelized;
  int kernel; /* -1: none */
  /* Kernel nodes. */
  hd_channels_function *function;
  void *ctx;
  int from;
  uint32_t outputs;
  struct hd_chn_output output[HD_CHANNELS_OUTPUTS];
};

/* Positions count all elements since the start; a place is a position modulo the capacity. */
struct hd_chn_channel {
  int node;
  uint32_t level;
  uint8_t *data;
  bool *done;                     /* by place */
  uint32_t *control;              /* 2 * capacity places, in order of publication */
  uint64_t head, tail;            /* positions: the oldest that is not free, the next to allocate */
  uint64_t published, sent;       /* control places, counted since the start */
  uint64_t live, alive;           /* elements allocated and not freed; wavefronts that have not ended */
  uint64_t active;                /* wavefronts that run, or have received the room they waited for */
  uint32_t first_wait, last_wait; /* list of records: wavefronts that wait for room */
};

struct hd_chn_grant {
  uint32_t chan, n;
  uint64_t place;
  bool enqueued;
  uint32_t turn; /* order among the enqueues of this wavefront */
};

struct hd_channels_wave {
  struct hd_channels *g;
  uint32_t own, count; /* HD_CHN_NONE: the host */
  uint64_t start;      /* its first control place, counted since the start */
  uint32_t cu, next;   /* next: link in a list of records */
  uint32_t granted, asked;
  struct hd_chn_grant grant[HD_CHANNELS_GRANTS];
  uint32_t wants, wants_n; /* channel without room that it waits for, or HD_CHN_NONE */
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
  const struct hd_channels_wave *called; /* the wavefront whose kernel runs */
  struct hd_channels_wave *wave;         /* one per record */
  bool *lane;                            /* lane_freed of all waves */
  uint32_t free_wave, free_waves;
  struct hd_chn_list running;
  uint32_t *slots; /* by CU: free slots */
  uint32_t *back;  /* by CU: record that has received room and waits for a slot, or HD_CHN_NONE */
  uint32_t next_cu, next_back, next_chan;
  bool driven; /* driven externally: places, room and order are inputs */
};

/* Records an error, unless there already is one. */
void hd_chn_refuse(struct hd_channels *g, enum hd_channels_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the channel of a node at a level, or HD_CHN_NONE. */
uint32_t hd_chn_find(const struct hd_channels *g, int node, uint32_t level);

/* Name of a channel for messages: "tasks", or "tasks[3]" in a stack. */
struct hd_chn_name {
  char s[80];
};
struct hd_chn_name hd_chn_name(const struct hd_channels *g, uint32_t chan);

/* Grants n elements of a channel to a wavefront that has fewer than HD_CHANNELS_GRANTS grants. Returns false if there
 * is no room. */
bool hd_chn_grant(struct hd_channels *g, struct hd_channels_wave *w, uint32_t chan, uint32_t n);

/* Count a dispatched wavefront of that many elements, and a yield. */
void hd_chn_count(struct hd_channels *g, uint32_t chan, uint32_t elements);
void hd_chn_count_yield(struct hd_channels *g, uint32_t record);

/* Calls the wavefront's kernel. */
void hd_chn_run(struct hd_channels *g, struct hd_channels_wave *w);

/* Checks that a wavefront that returned has freed and enqueued everything. Returns false after recording the error. */
bool hd_chn_over(struct hd_channels *g, uint32_t record);

/* ---- Driven externally, by a model with timing ---- */

/* Afterwards kernels are called only by hd_chn_call(), and room comes only from hd_chn_deliver(). */
void hd_chn_drive(struct hd_channels *g);

/* Begins a wavefront whose elements are in these places of its channel. Returns its record, or HD_CHN_NONE if none is
 * left. */
uint32_t hd_chn_begin(struct hd_channels *g, uint32_t chan, uint32_t start, uint32_t count, const uint16_t *place);

/* Calls the kernel of a record. Returns true if it finished: it has freed its elements and enqueued its allocations, in
 * the order of `turn`. Returns false if it waits for room (wants, wants_n) or broke a rule (the graph's code). */
bool hd_chn_call(struct hd_channels *g, uint32_t record);

/* Gives a waiting wavefront the room it wants, starting at this place. */
void hd_chn_deliver(struct hd_channels *g, uint32_t record, uint32_t place);

/* Ends a wavefront: frees its record. */
void hd_chn_end(struct hd_channels *g, uint32_t record);

/* Returns the place of element k. */
uint32_t hd_chn_place(const struct hd_channels_wave *w, uint32_t k);

#endif
