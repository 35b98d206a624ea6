/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* throttle: golden model of the contention throttle: how many SMXs accept unbound TBs.
 *
 *   counters --sample--> stalls / span --verdict, 63 cycles later--> against the last degree --> n --> SMX < n: open
 *
 * A sample is taken in a cycle in which an unbound TB waits, at least an epoch after the previous one. The changes of
 * the counters since then give the degree of contention: stalls of the DRAM queues and of the interconnect, per cycle.
 * If it exceeds the last degree by more than 1/2^band of it: n - 1, down to 2; else n + 1, up to all SMXs (EqualHolds:
 * no change if it exceeds it by exactly that). With Recovers, a degree without stalls opens all SMXs, and so does a
 * second epoch in which no TB waits; the next TB that waits begins a new epoch, without a sample. In
 * cooperative-warp-tb-scheduling-2017, section 4, algorithm 2 decrements in both branches; its text increments in the
 * second, and this model follows the text. The epoch, the band, the recovery, the wait of 63 cycles (time for a serial
 * comparison) and the switch are ours.
 *
 * - All decisions use the state at the start of the cycle and this cycle's inputs.
 * - Outputs are registered.
 * - Degrees are compared as in the paper, by division, but exactly: degree.h.
 *
 * State: hd_throttle_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp
 * is equality. */
#ifndef HD_THROTTLE_H
#define HD_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hd_cfg.h"
#include "dispatch/degree.h"
#include "gen/hd_throttle_ports.h"

/* n is at least LEAST; a verdict follows VERDICT cycles after its sample; an epoch has EPOCH_LEAST to EPOCH_MOST
 * cycles, a band is at most BAND_MOST: other configuration values are clamped. */
enum {
  HD_THROTTLE_LEAST = 2,
  HD_THROTTLE_VERDICT = 63,
  HD_THROTTLE_EPOCH_LEAST = 64,
  HD_THROTTLE_EPOCH_MOST = 65535,
  HD_THROTTLE_BAND_MOST = 7
};

/* Parameters; fixed by init. */
struct hd_throttle_cfg {
  uint32_t num_smx;
  uint8_t equal_holds;
  uint8_t recovers;
  uint8_t pad_[2];
};

struct hd_throttle {
  struct hd_throttle_cfg cfg;
  struct hd_degree degree; /* while busy; else 0 */
  struct hd_degree last;   /* its span is never 0 */
  uint32_t cycles, dram_full, icnt2sm;
  uint32_t since; /* cycles since the last sample, at most two epochs */
  uint8_t busy;   /* the degree waits for its verdict */
  uint8_t band;   /* of its sample, while busy; else 0 */
  uint8_t n;      /* number of open SMXs */
  uint8_t pad_[5];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_throttle_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_throttle_size(cfg) bytes of any content. */
void hd_throttle_init(struct hd_throttle *m, const struct hd_cfg *cfg);

/* Resets: every SMX is open, the last degree is 0. */
void hd_throttle_reset(struct hd_throttle *m);

/* Sets *out to this cycle's outputs, which depend on no input. */
void hd_throttle_eval(const struct hd_throttle *m, const struct hd_throttle_in *in, struct hd_throttle_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_throttle_tick(struct hd_throttle *m, const struct hd_throttle_in *in);

/* Sets *a to the architectural state, with the names of rtl/dispatch/throttle/throttle.csv. There are no tables. */
void hd_throttle_arch(const struct hd_throttle *m, struct hd_throttle_arch *a, bool tables);

#endif
