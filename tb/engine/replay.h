/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* replay: the inputs of a run, cycle by cycle, in memory and as a text file.
 *
 * A replay file starts in the state after reset:
 *
 *     heddle-replay 1
 *     block kmu
 *     config tiny
 *     seed 0x5eed
 *     test random
 *     variant netlist          (optional: which build of the RTL; "rtl" if the line is missing)
 *     fault 0                  (optional: a planted fault to switch on)
 *     expect MISMATCH 17 host_answer.code      (optional: how the run ended when it was written)
 *     @0 host_launch_valid=1 host_launch.tag=0x12 ..
 *     @3 host_launch_valid=0
 *     end 18
 *
 * A line @n holds the inputs that change in cycle n (all are 0 before the first line), by the names of the ports;
 * element i of an array is name[i] (for a struct: dispatch[2].slot). `end n` tells how many cycles there are. Blank
 * lines and lines that start with # are skipped. */
#ifndef HD_REPLAY_H
#define HD_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

struct hd_field_list;
struct hd_record;

/* Empty, for inputs of that size and the ports of a configuration: elements that it does not have are taken as 0. */
struct hd_record *hd_record_new(size_t in_size, const struct hd_field_list *l);
void hd_record_free(struct hd_record *r);
void hd_record_clear(struct hd_record *r);
void hd_record_add(struct hd_record *r, const void *in);
uint64_t hd_record_cycles(const struct hd_record *r);
/* The inputs of the next cycle, written over those of the cycle before in `in`; *at is 0 at the start and moves on. */
void hd_record_play(const struct hd_record *r, size_t *at, void *in);
/* All inputs as an array of cycles x in_size bytes (malloc'ed, the caller frees it). */
unsigned char *hd_record_expand(const struct hd_record *r);

/* The most bytes of inputs that a replay may have. */
#define HD_REPLAY_BYTES ((uint64_t)4 << 30)

/* A replay as read from a file. */
struct hd_replay {
  char block[32], config[128], test[64], variant[16];
  uint64_t seed;
  unsigned fault;
  char expect[320]; /* the rest of the line `expect`, or empty */
  struct hd_cfg cfg;
  size_t in_size;
  uint64_t cycles;
  unsigned char *in; /* cycles x in_size */
};

/* Writes a replay through a temporary name. False: err says why. */
bool hd_replay_write(const char *path, const struct hd_replay *r, char *err, size_t err_size);
/* Reads one. A malformed line is refused as FILE:LINE: field: what is wrong; what is accepted. */
bool hd_replay_read(const char *path, struct hd_replay *r, char *err, size_t err_size);
void hd_replay_free(struct hd_replay *r);

#endif
