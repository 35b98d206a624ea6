/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memarb: golden model of the memory-port arbiter: MemClients clients share one AXI4 manager.
 *
 *   mem (one memup per client) --> round robin --> [AR]  [AW]  [write data FIFO, 2 beats] --> AXI4
 *   mem (one memdown per client) <-- [B] [R] <-- AXI4
 *
 * At most one burst of up to 8 beats of 16 bytes is accepted per cycle, and only while no address waits for the memory
 * and no write burst has beats left to fetch. A client's write beats are fetched one per cycle. The client's number is
 * the AXI ID. B and R are always ready: a client requests only data that it has room for. dtbl-isca2015 sections 4.2
 * and 4.3 describe the plane's data in memory; the port itself is ours.
 *
 * All outputs are registered, except ready, which depends on valid of the clients ahead in the rotation, never
 * on the client's own request. Answers with an ID of no client are ignored. Payloads are 0 while not valid.
 *
 * State: hd_memarb_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_MEMARB_H
#define HD_MEMARB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "gen/hd_memarb_ports.h"

#define HD_MEMARB_BEATS 2 /* places of the write data FIFO */

/* An address channel's register. */
struct hd_memarb_addr {
  uint64_t addr;
  uint8_t valid, id, len;
  uint8_t pad_[5];
};

/* A beat in the write data FIFO. */
struct hd_memarb_beat {
  uint64_t hi, lo;
  uint16_t strb;
  uint8_t last;
  uint8_t pad_[5];
};

struct hd_memarb {
  uint32_t clients; /* MemClients; fixed by init */
  uint8_t ptr;
  uint8_t w_busy, w_client, w_left; /* the write burst whose beats are being fetched */
  struct hd_memarb_addr ar, aw;
  struct hd_memarb_beat beat[HD_MEMARB_BEATS]; /* oldest first */
  struct hd_memdata r;
  uint8_t beats;
  uint8_t b_valid, b_client, b_error;
  uint8_t r_valid, r_client;
  uint8_t pad_[2];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_memarb_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_memarb_size(cfg) bytes of any content. */
void hd_memarb_init(struct hd_memarb *m, const struct hd_cfg *cfg);

/* Resets: nothing in flight, pointer 0. */
void hd_memarb_reset(struct hd_memarb *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_memarb_eval(const struct hd_memarb *m, const struct hd_memarb_in *in, struct hd_memarb_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_memarb_tick(struct hd_memarb *m, const struct hd_memarb_in *in);

/* Sets *a to the architectural state, with the names of rtl/service/memarb/memarb.csv. There are no tables. */
void hd_memarb_arch(const struct hd_memarb *m, struct hd_memarb_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* Returns true if nothing is in flight: then a cycle without a request and without an input from the memory changes
 * nothing; all outputs but the constant ones and the clients' ready are 0. */
static inline bool hd_memarb_quiet(const struct hd_memarb *m) {
  return !m->ar.valid && !m->aw.valid && !m->w_busy && !m->beats && !m->b_valid && !m->r_valid;
}

#endif
