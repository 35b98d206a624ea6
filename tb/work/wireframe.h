/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wireframe: the example of wireframe-micro2017 section 4.2.2 (figure 7) as a run of the graph buffer, block dgb.
 *
 * The graph is the wavefront over 3 by 3 TBs that DepLinks makes, in a memory beside the block. The LNA holds four
 * nodes, and two are loaded at once. The figure has seven steps, a to g: in each a few TBs are handed out or done, or
 * the memory answers, and then the state is looked at. The paper says nothing of times; ours are: in most steps the
 * buffer is looked at when it has come to rest.
 *
 *     hd_wireframe_config(&cfg);
 *     struct hd_sim *sim = hd_sim_open(..block "dgb", cfg..);
 *     hd_wireframe_run(sim, &cfg, &run);                                  // what the buffer does
 *     for (n = 0; n < HD_WIREFRAME_STEPS; n++)
 *       if (!hd_wireframe_agrees(&run.step[n], n, text, sizeof text)) puts(text);
 *
 * What the paper tells is only compared with: what hd_wireframe_run() fills in are registers of the RTL (or of the
 * model, if that runs alone). */
#ifndef HD_WIREFRAME_H
#define HD_WIREFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

enum { HD_WIREFRAME_STEPS = 7, HD_WIREFRAME_NODES = 9, HD_WIREFRAME_LNA = 4, HD_WIREFRAME_PUB = 4 };

/* A place of the LNA. */
struct hd_wireframe_place {
  bool there;     /* a node is in it */
  bool waits;     /* where its edges end is not known yet, and so it is not handed out */
  char state;     /* W waiting, R ready (no parents left), P processing, D done; ' ' if no node is there */
  uint8_t vid;    /* the node */
  uint16_t count; /* parents that are not done */
  uint16_t start; /* its first edge */
};

/* The buffer at the end of a step. */
struct hd_wireframe_step {
  uint64_t cycle;
  uint16_t tail, head;
  struct hd_wireframe_place place[HD_WIREFRAME_LNA];
  uint16_t pub[HD_WIREFRAME_PUB]; /* nodes, ascending */
  uint32_t updates;               /* how many */
};

struct hd_wireframe_run {
  enum hd_verdict verdict; /* not PASS: what follows is not whole */
  char text[200];
  uint64_t cycles;
  uint32_t steps;
  struct hd_wireframe_step step[HD_WIREFRAME_STEPS];
  uint32_t ran;
  uint16_t cta[HD_WIREFRAME_NODES]; /* linear TB ids, as they were handed out */
};

/* The configuration: the smallest that has all of this. */
void hd_wireframe_config(struct hd_cfg *cfg);

/* Runs the example on an open simulation of block "dgb", from a to g and then to the end of the graph. */
void hd_wireframe_run(struct hd_sim *sim, const struct hd_cfg *cfg, struct hd_wireframe_run *run);

/* What happens in a step, and what the paper tells of its end. */
const char *hd_wireframe_event(unsigned step);
const char *hd_wireframe_paper(unsigned step);

/* Whether the end of a step is as the paper tells it: the nodes and the tail that it names, and the PUB. If not, text
 * says what differs first. */
bool hd_wireframe_agrees(const struct hd_wireframe_step *s, unsigned step, char *text, size_t text_size);

/* Whether all TBs ran, in the order of the renamed nodes. If not, text says so. */
bool hd_wireframe_order(const struct hd_wireframe_run *run, char *text, size_t text_size);

/* A place as text: "3 R 0", in brackets while it waits, "-" if no node is there. And the PUB: "4 4 5", "-". */
void hd_wireframe_place_text(const struct hd_wireframe_place *p, char *text, size_t text_size);
void hd_wireframe_pub_text(const struct hd_wireframe_step *s, char *text, size_t text_size);

#endif
