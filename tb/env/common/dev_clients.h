/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_clients: random SMXs whose TBs launch kernels and groups, save themselves and end, with the memory and registers
 * that this needs. They keep the plane's contract, except for launches that deserve a bad code and, in one episode in
 * four, for one rule that they break (enum hd_dev_rude):
 *   - a TB launches only between the acceptance of its dispatch and its end, and ends after its answers have arrived;
 *   - save is its last command, and it ends once that was accepted;
 *   - the record of a group is written before the launch is offered; its number is reused only after an answer other
 *     than "kept", or after the record was returned;
 *   - in some runs TBs act as parents: one that has launched a kernel waits for it, and so must be saved; it retries
 *     until the save succeeds, and ends only then, even if nothing new is launched any more;
 *   - the regions are set before the first launch; a stream is used at one nesting depth of kernels only (a level is
 *     not enough: a group may join a kernel that is deeper than itself); nesting and launches per TB are limited, so
 *     that every run ends. */
#ifndef HD_DEV_CLIENTS_H
#define HD_DEV_CLIENTS_H

#include "env/common/clients.h"
#include "env/common/holds.h"
#include "gen/hd_top_ports.h"
#include "mem/axi_mem.h"

enum { HD_DEV_RECORDS = 256, HD_DEV_PROGRAMS = 6, HD_DEV_ASKS = 16 };

/* TBs end with answers outstanding; go on after their save; kernels name streams of their ancestors, and wait for
 * themselves. */
enum hd_dev_rude { HD_DEV_POLITE, HD_DEV_ENDS, HD_DEV_SAVES, HD_DEV_STREAMS, HD_DEV_RUDE };

/* A running TB. */
struct hd_dev_tb {
  uint8_t runs, level, program;
  uint8_t depth;    /* of its kernel; 63: not known */
  uint8_t commands; /* that it will still give */
  uint8_t yields;   /* saves that it will still ask for */
  uint8_t waits;    /* answers */
  uint8_t kernels;  /* it has launched some */
  uint8_t saved;    /* its save was accepted */
  uint8_t warp;     /* its lanes are those of this warp of the SMX */
};

/* The launch port of an SMX. */
struct hd_dev_port {
  uint8_t left; /* beats of the command that is under way */
  uint8_t slot, lane, save, probe;
  uint8_t asks, oldest;
  struct hd_dev_ask {
    uint8_t slot, kind, code_bad, probe;
    uint32_t record;
  } ask[HD_DEV_ASKS];
};

/* The same for all TBs that run a program: what a group must share with the kernel that it joins. */
struct hd_dev_program {
  uint64_t pc;
  uint16_t cta_x, cta_y, threads, smem;
  uint8_t cta_z, regs;
};

struct hd_dev {
  struct hd_cfg cfg;
  struct hd_axi_mem *mem;
  struct hd_dev_program program[HD_DEV_PROGRAMS];
  struct hd_dev_tb tb[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX];
  struct hd_dev_port port[HD_MAX_NUM_SMX];
  uint8_t depth[HD_MAX_NUM_KDE]; /* of the kernel in that entry */
  uint32_t serial;               /* of launches; no two have the same parameter address */
  uint16_t tag;                  /* of the host's last launch */
  struct hd_holds holds;
  uint32_t config[HD_MAX_NUM_CONFIG]; /* what the registers are told */
  uint8_t config_step, begun;         /* APB cycles done; the run has begun after reset */
  uint8_t moves;                      /* the regions are told anew at any time; the plane refuses that but when idle */
  uint8_t apb_setup;                  /* of an APB transfer, in the cycle before */
  uint8_t groups;                     /* of 256 launches so many are groups */
  uint8_t one_hwtid;                  /* all launches name one thread: AGEs collide */
  uint8_t calm;                       /* the host launches seldom: what TBs launch has more of the plane */
  uint8_t hasty;                      /* TBs end sooner */
  uint8_t lazy;                       /* fewer TBs launch */
  uint8_t deepest;                    /* TBs of this level launch nothing */
  uint8_t parents;                    /* TBs wait for kernels that they have launched; of 256 so many launch one */
  uint16_t graphs;                    /* of 256 launches of the host so many have a graph */
  uint64_t graph_at;                  /* where the next one lies, within the part of memory for them */
  uint16_t hoard;                     /* so many cycles TBs launch groups and do not end: AGT or a list fills */
  uint8_t polite;                     /* clients never are rude; stays over a reset */
  uint8_t rude;                       /* enum hd_dev_rude: how clients break their contract in this life */
  uint8_t did[HD_DEV_RUDE];           /* .. and in this cycle they did; element 0: a parent was saved */
  uint8_t quiet;                      /* no new launches: what was begun comes to its end */
  uint8_t held[HD_DEV_RECORDS];       /* a record: its launch is under way, or it was kept */
  uint32_t first_record, records;     /* those that are used */
};

void hd_dev_init(struct hd_dev *d, const struct hd_cfg *cfg);
void hd_dev_free(struct hd_dev *d);
/* To the state after reset; what the regions are, and how the memory behaves, is thrown anew when the run begins. */
void hd_dev_reset(struct hd_dev *d);

/* The plane is idle: the regions are told once more, launches begin anew. */
void hd_dev_again(struct hd_dev *d);

/* Does the host offer a launch? It runs one of the programs. */
bool hd_dev_host_offers(const struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p);
struct hd_launch hd_dev_host_launch(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p,
                                    uint32_t max_ctas);

/* A word of the regions, told anew: each region stays in its own part of all addresses. n: its number. */
uint32_t hd_dev_region(const struct hd_dev *d, struct hd_rng *rng, unsigned n);

/* The inputs of the next cycle from those of the cycle before and its outputs: all but the host's streams. True as soon
 * as the registers are told; before, nothing may be launched. */
bool hd_dev_drive(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p, const struct hd_top_out *out,
                  struct hd_top_in *in);

#endif
