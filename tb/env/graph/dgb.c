/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb: golden model and cover points; the random environment is dgb_neighbours, the oracle dgb_oracle. */
#include "graph/dgb.h"

#include "env/common/model.h"
#include "env/graph/dgb_neighbours.h"
#include "oracle/dgb_oracle.h"

HD_BLOCK_DRIVER_MODEL(dgb)
HD_BLOCK_DRIVER_ROWS(dgb)
HD_BLOCK_DRIVER_NEIGHBOURS(dgb)

static const char *const covers[] = {"event",
                                     "fine",
                                     "memory",
                                     "starts",
                                     "level",
                                     "edge",
                                     "count",
                                     "stuck",
                                     "pub",
                                     "early",
                                     "big",
                                     "big_done",
                                     "merged",
                                     "zeros",
                                     "early_read",
                                     "early_in_a_row",
                                     "edges_wrap",
                                     "nodes_wrap",
                                     "one_node",
                                     "no_edges",
                                     "same_again",
                                     "offered_ahead",
                                     "done_together",
                                     "done_at_once",
                                     "done_and_taken",
                                     "parent_smx",
                                     "lvl_waits",
                                     "node_waits",
                                     "wide_in",
                                     "wide_out",
                                     "read_error",
                                     "write_error",
                                     "answer_and_beat",
                                     "request_stalled",
                                     "beat_stalled",
                                     "reads_full",
                                     "writes_under_way",
                                     "yields",
                                     NULL};

/* Returns true for a write of early updates that has set bits; false for one that clears. */
static bool is_update(const struct hd_membeat *b) {
  return b->lo || b->hi;
}

static unsigned strobes(const struct hd_membeat *b) {
  return (unsigned)__builtin_popcount(b->strb) / 2;
}

static bool is_early(const struct hd_dgb_neighbours *s, uint64_t addr) {
  return addr - s->start.early < 2u * s->graph.nodes;
}

static void cover_end(const struct hd_dgb_neighbours *s, const struct hd_dgb_in *in, const struct hd_dgb_out *out,
                      uint64_t *hits) {
  bool end = out->finish_valid && in->dats_finish_ready, fine = end && out->finish.code == HD_GCODE_FINE;
  const struct hd_dgb_graph *g = &s->graph;
  for (unsigned code = 0; code <= HD_GCODE_STUCK; code++) hits[1 + code] += end && out->finish.code == code;
  hits[11] += fine && s->widest_out > s->cfg.lea;
  hits[16] += fine && g->edges > 2 * s->cfg.lea;
  hits[17] += fine && g->nodes > 2 * s->cfg.lna;
  hits[18] += fine && g->nodes == 1;
  hits[19] += fine && g->nodes > 1 && !g->edges;
  hits[20] += fine && s->again;
  hits[21] += end && in->dats_start_valid;
  hits[28] += fine && s->widest_in > s->cfg.lna;
  hits[29] += fine && s->widest_out == s->cfg.lea;
}

static void cover_mem(const struct hd_dgb_neighbours *s, const struct hd_dgb_in *in, const struct hd_dgb_out *out,
                      uint64_t *hits) {
  const struct hd_memory_bursts *m = &s->port;
  bool data = in->mem.take;
  hits[12] += data && is_update(&out->mem.wbeat) && strobes(&out->mem.wbeat) > 1;
  hits[13] += data && !is_update(&out->mem.wbeat);
  hits[14] += out->mem.valid && in->mem.ready && !out->mem.req.write && is_early(s, out->mem.req.addr);
  hits[15] += out->events.early && s->early_before;
  hits[30] += in->mem.r_valid && in->mem.r.error;
  hits[31] += in->mem.b_valid && in->mem.b_error;
  hits[32] += in->mem.b_valid && in->mem.r_valid;
  hits[33] += out->mem.valid && !in->mem.ready;
  hits[34] += out->mem.wbeat.strb && !in->mem.take && !out->mem.valid;
  hits[35] += m->reads >= s->cfg.dgb_flight || m->reads > 8;
  hits[36] += m->writes > 1;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_dgb_neighbours *s = s_;
  const struct hd_dgb_in *in = in_;
  const struct hd_dgb_out *out = out_;
  unsigned done = 0;
  bool taken = out->node_valid && in->dats_node_ready;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) done += in->sched_node_done[k];
  hits[0] += taken + done;
  hits[8] += out->events.pub;
  hits[9] += out->events.early;
  hits[10] += out->events.big;
  hits[22] += done > 1;
  hits[23] += done && s->before_smx < s->cfg.num_smx && in->sched_node_done[s->before_smx] &&
              in->sched_node_place[s->before_smx] == s->before_index;
  hits[24] += done && taken;
  hits[25] += taken && out->wish.smx < s->cfg.num_smx;
  hits[26] += taken && s->start.policy && s->unoffered > 20;
  hits[27] += out->node_valid && !in->dats_node_ready;
  hits[37] += out->node_valid && s->stood && out->node.index != s->stood_index;
  cover_end(s, in, out, hits);
  cover_mem(s, in, out, hits);
}

static void stim_free(void *s) {
  hd_dgb_neighbours_free(s);
}

const struct hd_block_driver hd_block_driver_dgb = {.stim_free = stim_free,
                                                    HD_BLOCK_DRIVER_MODEL_FIELDS(dgb),
                                                    HD_BLOCK_DRIVER_ROWS_FIELDS(dgb),
                                                    HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_dgb_neighbours),
                                                    HD_BLOCK_ORACLE_FIELDS(dgb)};
