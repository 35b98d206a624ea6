/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wireframe: the example of wireframe-micro2017 section 4.2.2 (figure 7) as a run of the graph buffer, block dgb.
 *
 * The graph is the wavefront over 3 by 3 TBs that DepLinks makes, in a memory connected to the block. The LNA holds
 * four nodes, and two are loaded at once. The figure has seven steps, a to g: in each a few TBs are handed out or done,
 * or the memory responds; then the state is sampled. The paper gives no times; here most samples are taken when the
 * buffer has settled.
 *
 *     hd_wireframe_config(&cfg);
 *     struct hd_sim *sim = hd_sim_open(..block "dgb", cfg..);
 *     hd_wireframe_run(sim, &cfg, &run);                                  // samples the buffer
 *     for (n = 0; n < HD_WIREFRAME_STEPS; n++)
 *       if (!hd_wireframe_agrees(&run.step[n], n, text, sizeof text)) puts(text);
 *
 * hd_wireframe_run() samples registers of the RTL (of the model if it runs alone); the paper's values are used only for
 * comparison. */
#ifndef HD_WIREFRAME_H
#define HD_WIREFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

enum { HD_WIREFRAME_STEPS = 7, HD_WIREFRAME_NODES = 9, HD_WIREFRAME_LNA = 4, HD_WIREFRAME_PUB = 4 };

/* A place of the LNA. */
struct hd_wireframe_place {
  bool there;     /* it holds a node */
  bool waits;     /* the end of its edges is not known yet, so it may not be handed out */
  char state;     /* W waiting, R ready (no parents left), P processing, D done; ' ' without a node */
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
  uint32_t updates;               /* entries of pub[] */
};

struct hd_wireframe_run {
  enum hd_verdict verdict; /* if not PASS, the steps are incomplete */
  char text[200];
  uint64_t cycles;
  uint32_t steps;
  struct hd_wireframe_step step[HD_WIREFRAME_STEPS];
  uint32_t ran;
  uint16_t cta[HD_WIREFRAME_NODES]; /* linear TB ids, in the order in which they were handed out */
};

/* Sets the configuration: tiny with a PUB of 4. */
void hd_wireframe_config(struct hd_cfg *cfg);

/* Runs the example on an open simulation of block "dgb", from a to g and then to the end of the graph. */
void hd_wireframe_run(struct hd_sim *sim, const struct hd_cfg *cfg, struct hd_wireframe_run *run);

/* Return the event of a step, and the paper's description of its end. */
const char *hd_wireframe_event(unsigned step);
const char *hd_wireframe_paper(unsigned step);

/* Returns true if the end of a step agrees with the paper: the nodes and the tail that the paper gives, and the PUB.
 * Otherwise text names the first difference. */
bool hd_wireframe_agrees(const struct hd_wireframe_step *s, unsigned step, char *text, size_t text_size);

/* Returns true if all TBs ran, in the order of the renamed nodes. Otherwise text holds a message. */
bool hd_wireframe_order(const struct hd_wireframe_run *run, char *text, size_t text_size);

/* Write a place as text: "3 R 0", in parentheses if it waits, "-" without a node; the PUB: "4 4 5", or "-". */
void hd_wireframe_place_text(const struct hd_wireframe_place *p, char *text, size_t text_size);
void hd_wireframe_pub_text(const struct hd_wireframe_step *s, char *text, size_t text_size);

#endif
