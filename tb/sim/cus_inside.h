/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cus_inside: declarations shared by the files cus*.c. */
#ifndef HD_CUS_INSIDE_H
#define HD_CUS_INSIDE_H

#include "api/channels_inside.h"
#include "channel/apu.h"
#include "gpu/wheel.h"
#include "mem/axi.h"
#include "sim/cus.h"

enum { HD_CUS_SIMDS = 4, HD_CUS_SLOTS = 64, HD_CUS_BURSTS = 64 };

/* Next step of a wavefront after its trace and its channel operations: call its kernel, handle the answer about room,
 * leave its slot, end. */
enum hd_cus_then { HD_CUS_CALL, HD_CUS_ROOM, HD_CUS_LEAVE, HD_CUS_END };

struct hd_cus_wave {
  uint32_t record;
  enum hd_cus_then then;
  bool stored; /* the trace has stores, which must be visible before the operations */
  struct hd_cost_trace trace;
  uint32_t op, left; /* operation of the trace; instructions left before its access */
  uint32_t line;     /* next line of the access */
  uint64_t slowest;
  struct hd_chanop *chop;
  uint32_t chops, chops_room, offered, answered;
  struct hd_chananswer answer; /* answer to the first operation; with per_lane the others are only timed */
  uint64_t since;
};

/* A queue of slots. */
struct hd_cus_queue {
  uint8_t slot[HD_CUS_SLOTS];
  uint32_t first, n;
};

struct hd_cus_cu {
  uint64_t ready; /* set of slots with instructions to issue */
  uint8_t turn[HD_CUS_SIMDS];
  uint32_t running; /* occupied slots, except those whose wavefront has ended and is not reported yet */
  struct hd_cus_queue unit, ops, ends;
  uint64_t unit_free;
};

/* State of a channel as an ideal aggregator, which takes no time, would see it. */
struct hd_cus_chan {
  uint64_t ready, live, alive;
  uint64_t runs; /* its wavefronts in slots */
};

struct hd_cus_burst {
  uint64_t address, due;
  uint8_t id, beats;
};

struct hd_cus_bursts {
  struct hd_cus_burst burst[HD_CUS_BURSTS];
  uint32_t first, n;
};

/* Either a simulation, or the model alone. */
struct hd_cus_apu {
  struct hd_sim *sim;
  struct hd_apu *model, *before;
  size_t size;
  struct hd_apu_in in; /* inputs of the last cycle */
  struct hd_apu_out out;
  uint64_t alike; /* number of cycles with the same inputs */
  bool rests;
};

struct hd_cus {
  struct hd_channels *g;
  struct hd_cfg cfg;
  struct hd_cus_opts o;
  struct hd_memsys_opts memory_opts;
  struct hd_memsys *memory;
  struct hd_cost *cost;
  struct hd_cus_apu apu;
  struct hd_wheel wheel;
  struct hd_cus_result *r;
  struct hd_apu_in in;
  uint64_t now;
  struct hd_cus_cu *cu;
  struct hd_cus_wave *wave; /* by CU and slot */
  uint64_t context;         /* address of the contexts, by record */
  struct hd_cus_chan chan[HD_MAX_NUM_CHAN];
  uint32_t running, waiting; /* wavefronts in slots; yielded ones without a slot */
  uint64_t unsent;           /* elements that were enqueued and not dispatched */
  uint64_t could;            /* hd_cus_could_go() */
  bool changed;              /* `could` must be computed again */
  uint32_t host;             /* answered operations of the host */
  /* The memory behind the apu. */
  uint8_t *bytes;
  uint64_t size, control[HD_MAX_NUM_CHAN], done[HD_MAX_NUM_CHAN];
  struct hd_cus_bursts write, filling, read;
  char *err;
  size_t err_size;
  bool failed;
};

static inline uint32_t hd_cus_number(const struct hd_cus *s, uint32_t cu, uint32_t slot) {
  return cu * s->cfg.waves_per_cu + slot;
}

/* Ends the run with a message, unless it has ended before. */
void hd_cus_fail(struct hd_cus *s, const char *text);

static inline void hd_cus_push(struct hd_cus_queue *q, uint32_t slot) {
  q->slot[(q->first + q->n++) % HD_CUS_SLOTS] = (uint8_t)slot;
}

static inline uint32_t hd_cus_pop(struct hd_cus_queue *q) {
  const uint32_t slot = q->slot[q->first];
  q->first = (q->first + 1) % HD_CUS_SLOTS;
  q->n--;
  return slot;
}

/* Returns the number of wavefronts that could be dispatched: full ones of each channel that does not wait for a deeper
 * level, and a partial one of each such channel without running producers. */
uint64_t hd_cus_could_go(const struct hd_cus *s);

/* ---- cus_wave.c: wavefronts ---- */

void hd_cus_go(struct hd_cus *s, const struct hd_chango *go);
void hd_cus_answer(struct hd_cus *s, uint32_t cu, const struct hd_chananswer *answer);
/* Continues with the next operation of the trace, or with the step after it. */
void hd_cus_go_on(struct hd_cus *s, uint32_t cu, uint32_t slot);
/* All instructions before an access are issued: starts the access. */
void hd_cus_access(struct hd_cus *s, uint32_t cu, uint32_t slot);

/* ---- cus_unit.c: SIMDs and load/store units ---- */

void hd_cus_issue(struct hd_cus *s);
void hd_cus_units(struct hd_cus *s);

/* ---- cus_apu.c: the apu ---- */

/* Returns false with a reason in err. */
bool hd_cus_apu_open(struct hd_cus *s);
void hd_cus_apu_close(struct hd_cus *s);
/* Simulates a cycle with the inputs s->in. */
enum hd_verdict hd_cus_apu_cycle(struct hd_cus *s, const struct hd_apu_out **out);
/* Returns the final verdict of a run with verdict v so far; unless it is HD_PASS, the reason is in err. */
enum hd_verdict hd_cus_apu_finish(struct hd_cus *s, enum hd_verdict v);

/* ---- cus_memory.c: the memory behind the apu ---- */

/* Assigns addresses to the channels' arrays. Returns false if out of memory. */
bool hd_cus_place(struct hd_cus *s);
void hd_cus_memory_drive(struct hd_cus *s);
void hd_cus_memory_follow(struct hd_cus *s, const struct hd_apu_out *out);
/* Returns a control entry of a channel. */
uint16_t hd_cus_control(const struct hd_cus *s, uint32_t chan, uint32_t place);

#endif
