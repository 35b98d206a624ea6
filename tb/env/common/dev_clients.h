/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dev_clients: random SMXs whose TBs launch kernels and groups, save themselves and end, with the memory and registers
 * that this needs. They keep the plane's contract, except for launches that deserve a bad code and, in one episode in
 * four, for one rule that they break (enum hd_dev_illegal):
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

enum { HD_DEV_RECORDS = 256, HD_DEV_PROGRAMS = 6, HD_DEV_REQUESTS = 16 };

/* Contract violations, in order: none; TBs end with answers outstanding; TBs continue after their save; kernels name
 * streams of their ancestors and so wait for themselves. */
enum hd_dev_illegal { HD_DEV_POLITE, HD_DEV_ENDS, HD_DEV_SAVES, HD_DEV_STREAMS, HD_DEV_ILLEGAL };

/* A running TB. */
struct hd_dev_tb {
  uint8_t runs, level, program;
  uint8_t depth;    /* of its kernel; 63: unknown */
  uint8_t commands; /* commands still to send */
  uint8_t yields;   /* saves still to request */
  uint8_t waits;    /* outstanding answers */
  uint8_t kernels;  /* it has launched kernels */
  uint8_t saved;    /* its save was accepted */
  uint8_t warp;     /* its lanes belong to this warp of the SMX */
};

/* The launch port of an SMX. */
struct hd_dev_port {
  uint8_t left; /* beats of the current command */
  uint8_t slot, lane, save, probe;
  uint8_t asks, oldest;
  struct hd_dev_request {
    uint8_t slot, kind, code_bad, probe;
    uint32_t record;
  } ask[HD_DEV_REQUESTS];
};

/* Shared by all TBs of a program: the properties in which a group must match the kernel it joins. */
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
  uint32_t serial;               /* of launches; makes parameter addresses unique */
  uint16_t tag;                  /* of the host's last launch */
  struct hd_holds holds;
  uint32_t config[HD_MAX_NUM_CONFIG]; /* values written to the registers */
  uint8_t config_step, begun;         /* config_step: APB cycles done; begun: the run after reset has begun */
  uint8_t moves;                      /* regions are rewritten at random times; the plane rejects that unless it is idle
                                       * */
  uint8_t apb_setup;                  /* an APB setup phase was in the previous cycle */
  uint8_t groups;                     /* probability (of 256) that a launch is a group */
  uint8_t one_hwtid;                  /* all launches name one thread, so that AGEs collide */
  uint8_t calm;                       /* larger: the host launches less often, leaving room for launches of TBs */
  uint8_t hasty;                      /* larger: TBs end sooner */
  uint8_t lazy;                       /* larger: fewer TBs launch */
  uint8_t deepest;                    /* TBs of this level do not launch */
  uint8_t parents;                    /* TBs wait for the kernels that they launch; probability (of 256) that a TB
                                       * launches one */
  uint16_t graphs;                    /* probability (of 256) that a launch of the host has a graph */
  uint64_t graph_at;                  /* offset of the next graph in the memory for graphs */
  uint16_t hoard;                 /* cycles in which TBs launch groups and do not end, so that AGT, a list or the banks
                                       * fill */
  uint8_t polite;                 /* clients never break the contract; survives a reset */
  uint8_t illegal_client;         /* enum hd_dev_illegal: how clients break their contract in this run */
  uint8_t did[HD_DEV_ILLEGAL];    /* violations in this cycle; element 0: a parent was saved */
  uint8_t quiet;                  /* no new launches; those in flight complete */
  uint8_t held[HD_DEV_RECORDS];   /* a record whose launch is in flight, or that was kept */
  uint32_t first_record, records; /* the records used */
};

void hd_dev_init(struct hd_dev *d, const struct hd_cfg *cfg);
void hd_dev_free(struct hd_dev *d);
/* Restores the state after reset. The regions and the memory's behaviour are chosen when the run begins. */
void hd_dev_reset(struct hd_dev *d);

/* Requires an idle plane. Writes the regions again, then launches resume. */
void hd_dev_again(struct hd_dev *d);

/* Returns true if the host offers a launch. */
bool hd_dev_host_offers(const struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p);
struct hd_launch hd_dev_host_launch(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p,
                                    uint32_t max_ctas);

/* Returns a new value for word n of the regions; each region stays in its own part of the address space. */
uint32_t hd_dev_region(const struct hd_dev *d, struct hd_rng *rng, unsigned n);

/* Sets the inputs of the next cycle, except the host's streams, from the inputs and outputs of the previous cycle.
 * Returns true once the registers are set; before that, nothing may be launched. */
bool hd_dev_drive(struct hd_dev *d, struct hd_rng *rng, const struct hd_profile *p, const struct hd_top_out *out,
                  struct hd_top_in *in);

#endif
