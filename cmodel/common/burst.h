/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* burst: golden model of a client's side of the memory port: one burst at a time, of up to 8 beats of 16 bytes, written
 * from or read into a buffer. Used by the blocks that move kernel records to and from memory (dtbl-isca2015 section 4.3
 * keeps waiting kernels in memory; the port and the records are ours).
 *
 * A burst may be started while the engine is idle. Its request is valid from the next cycle on until it is accepted;
 * then the beats of a write are accepted one by one. The burst ends with the answer of a write or the last beat of a
 * read; in the next cycle the engine is idle again. */
#ifndef HD_BURST_H
#define HD_BURST_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

#define HD_BURST_BEATS 8

enum hd_burst_state { HD_BURST_IDLE, HD_BURST_REQ, HD_BURST_DATA, HD_BURST_WAIT_B, HD_BURST_WAIT_R };

struct hd_burst {
  uint64_t word[2 * HD_BURST_BEATS]; /* the buffer: bytes 7 to 0 and 15 to 8 of each beat */
  uint64_t addr;
  uint16_t strb;
  uint8_t state; /* enum hd_burst_state */
  uint8_t write;
  uint8_t len;   /* beats less one */
  uint8_t beat;  /* the next beat */
  uint8_t error; /* a read beat had an error */
  uint8_t pad_;
};

enum hd_burst_end { HD_BURST_CONTINUES, HD_BURST_DONE, HD_BURST_FAILED };

/* Returns true if a burst may be started in this cycle. */
static inline bool hd_burst_idle(const struct hd_burst *b) {
  return b->state == HD_BURST_IDLE;
}

/* Starts a burst. Requires an idle engine and beats from 1 to HD_BURST_BEATS; a write takes its data from b->word. */
void hd_burst_start(struct hd_burst *b, bool write, uint64_t addr, unsigned beats, uint16_t strb);

/* Sets *req to this cycle's request. Returns false, with *req all 0, if there is none. */
bool hd_burst_req(const struct hd_burst *b, struct hd_memreq *req);

/* Returns the next beat of a write; all 0 if there is none. */
struct hd_membeat hd_burst_wbeat(const struct hd_burst *b);

/* The edge that ends a cycle with these inputs. Returns whether the burst ended in it; after a read, b->word holds the
 * data until the next burst starts. */
enum hd_burst_end hd_burst_step(struct hd_burst *b, const struct hd_memdown *pins);

#endif
