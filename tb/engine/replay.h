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
 * element i of an array is name[i] (for a struct: dispatch[2].slot). `end n` gives the number of cycles. Blank
 * lines and lines that start with # are skipped. */
#ifndef HD_REPLAY_H
#define HD_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

struct hd_field_list;
struct hd_record;

/* Returns an empty record for inputs of in_size bytes. Array elements that the configuration lacks are stored as 0. */
struct hd_record *hd_record_new(size_t in_size, const struct hd_field_list *l);
void hd_record_free(struct hd_record *r);
void hd_record_clear(struct hd_record *r);
void hd_record_add(struct hd_record *r, const void *in);
uint64_t hd_record_cycles(const struct hd_record *r);
/* Updates `in` from the inputs of one cycle to those of the next; *at is the position, initially 0. */
void hd_record_play(const struct hd_record *r, size_t *at, void *in);
/* Returns all inputs as an array of cycles x in_size bytes; the caller frees it. */
unsigned char *hd_record_expand(const struct hd_record *r);

/* Maximum size of the inputs of a replay, in bytes. */
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

/* Writes a replay under a temporary name, then renames it. Returns false on failure; err says why. */
bool hd_replay_write(const char *path, const struct hd_replay *r, char *err, size_t err_size);
/* Reads a replay. Returns false on a malformed line, with err as FILE:LINE: field: what is wrong; what is accepted. */
bool hd_replay_read(const char *path, struct hd_replay *r, char *err, size_t err_size);
void hd_replay_free(struct hd_replay *r);

#endif
