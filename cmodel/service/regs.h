/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* regs: golden model of the register file behind the APB4 port: read-only constants of the configuration, sticky status
 * bits, configuration words, performance counters. The map is rtl/service/regs/map.csv (hd_regs_map.h). All of it is
 * ours; no paper describes it.
 *
 *   0x000 ..  read-only constants      0x040  STATUS, write 1 to clear a bit      0x080 ..  configuration words
 *   0x044  GRAPH, read-only: VID and code of the last graph that ended with an error
 *   0x100 + 8 i  counter i, low word: a read latches bits 47:32      0x104 + 8 i  high word, as latched
 *
 * A transfer takes two cycles, setup (psel) and access (psel and penable), without wait states. prdata and pslverr are
 * registers that hold the result of the setup cycle in the access cycle, and are 0 otherwise. A write takes effect at
 * the end of the access cycle, by byte strobes. Counters have 48 bits and wrap; a counter that is written does not
 * count in that cycle. TBs handed out, blocked cycles and kernels that enter the KD are counted one cycle later. A
 * status bit that is set and cleared in one cycle is set. Configuration words (base and size of the regions of group
 * records, device kernels and suspended kernels in memory) are outputs to the other blocks.
 *
 * Requires paddr, pwrite, pwdata and pstrb stable from setup to access, as APB4 does.
 *
 * State: hd_regs_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_REGS_H
#define HD_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "gen/hd_regs_map.h"
#include "gen/hd_regs_ports.h"

/* Parameters; fixed by init. */
struct hd_regs_cfg {
  uint32_t num_smx;
  uint32_t constant[HD_REG_CONSTS];
  uint32_t config[HD_MAX_NUM_CONFIG]; /* after reset */
  /* Whether the words are in the map. */
  uint8_t has_config[HD_MAX_NUM_CONFIG], has_count[HD_NUM_COUNTERS], has_graph;
};

struct hd_regs {
  struct hd_regs_cfg cfg;
  uint64_t count[HD_NUM_COUNTERS]; /* 48 bits each */
  uint32_t config[HD_MAX_NUM_CONFIG];
  uint32_t prdata;
  uint16_t shadow;    /* bits 47:32 of the counter whose low word was read last */
  uint16_t graph_vid; /* of the last graph that ended with an error; 0 if none has */
  uint32_t status;
  uint8_t pslverr;
  uint8_t setup; /* the previous cycle was a setup phase */
  uint8_t graph_code;
  uint8_t granted, blocked, entered; /* in the previous cycle; counted in this one */
  uint8_t pad_[6];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_regs_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_regs_size(cfg) bytes of any content. */
void hd_regs_init(struct hd_regs *m, const struct hd_cfg *cfg);

/* Resets: configuration words as in the map, status and counters 0. */
void hd_regs_reset(struct hd_regs *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_regs_eval(const struct hd_regs *m, const struct hd_regs_in *in, struct hd_regs_out *out);

/* Returns the configured policy (enum hd_policy): a number that names none is Rr, also in `config`. */
unsigned hd_regs_policy(const struct hd_regs *m);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_regs_tick(struct hd_regs *m, const struct hd_regs_in *in);

/* Sets *a to the architectural state, with the names of rtl/service/regs/regs.csv. There are no tables. */
void hd_regs_arch(const struct hd_regs *m, struct hd_regs_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* The APB4 port in one cycle. */
struct hd_apb {
  uint8_t psel, penable, pwrite, pstrb;
  uint16_t paddr;
  uint32_t pwdata;
};

/* Events of a cycle that are counted. */
struct hd_regs_events {
  int answer; /* code of the accepted answer, or -1 */
  bool enter, kernel_done, grant, blocked;
  unsigned done_ok, done_empty, done_early; /* completions of each kind, 0 .. NumSmx */
  uint8_t dev_event;          /* event bits of a device launch that is answered, in the order of the counters */
  uint8_t dev_code, dev_kind; /* its code (0: none, or accepted) and kind */
  bool searched, search;      /* a search ended; entries were compared */
  bool fetch, waiting, slot_wait;
  bool record_done, spill, refill, suspend, resume, group_spill, group_refill, inversion;
  bool oldest_wait; /* a second kernel is marked */
  bool busy;        /* a kernel is in the KD, or a device kernel is incomplete: the regions must not change */
  bool list_error, record_error, pool_error, suspend_error, spill_error; /* memory errors */
  const struct hd_dgbend *over;           /* how the completed graph has ended, or NULL if none has completed */
  bool pub_event, early_event, big_event; /* of the graph buffer */
};

void hd_regs_step(struct hd_regs *m, const struct hd_apb *apb, const struct hd_regs_events *e);

/* Advances by n edges with the same events as the last one; before: the state before that one. */
void hd_regs_skip(struct hd_regs *m, const struct hd_regs *before, uint64_t n);

#endif
