/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats: golden model and cover points; the random environment is dats_neighbours, the oracle dats_oracle. */
#include "graph/dats.h"

#include "env/common/memory.h"
#include "env/common/model.h"
#include "env/graph/dats_neighbours.h"
#include "oracle/dats_oracle.h"

HD_BLOCK_DRIVER_MODEL(dats)
HD_BLOCK_DRIVER_ARCH(dats)
HD_BLOCK_DRIVER_NEIGHBOURS(dats)

/* First index of the points of each function. */
enum { EVENT, ENTER, ASK = ENTER + 5, WRONG = ASK + 9, START = WRONG + HD_DATS_WRONGS + 1, TB = START + 11 };
enum { END = TB + 10, AGE = END + 9, POINTS = AGE + 7 };

static const char *const covers[] = {
    [EVENT] = "event",
    [ENTER] = "enters_first",
    "enters_behind",
    "enters_at_once",
    "enter_waits",
    "all_marked",
    [ASK] = "ask_at_once",
    "ask_waits",
    "beat_at_once",
    "beats_in_a_row",
    "beats_apart",
    "error_first",
    "error_second",
    "error_last",
    "error_and_wrong",
    [WRONG] = "nodes_odd",
    "edges_odd",
    "ids_odd",
    "early_odd",
    "nodes_high",
    "edges_high",
    "ids_high",
    "early_high",
    "more_nodes",
    "fewer_nodes",
    "ctas_beyond",
    "policy_3",
    "policy_beyond",
    "byte_37",
    "byte_38",
    "byte_39",
    "byte_44",
    "byte_45",
    "byte_46",
    "byte_47",
    "edges_beyond",
    "several_wrong",
    [START] = "start_at_once",
    "start_waits",
    "lrr",
    "lvl",
    "lvl_bind",
    "first_addr",
    "last_addr",
    "one_node",
    "most_nodes",
    "no_edges",
    "most_edges",
    [TB] = "wants",
    "wants_none",
    "not_bound",
    "where_wanted",
    "elsewhere",
    "tb_waits",
    "tb_at_once",
    "tb_per_cycle",
    "tb_withdrawn",
    "tb_replaced",
    [END] = "fine",
    "memory",
    "starts",
    "level",
    "edge",
    "count",
    "stuck",
    "at_once",
    "no_tb",
    [AGE] = "older_unmarked",
    "marked_again",
    "older_rotates",
    "younger_rotates",
    "rotates_as_it_enters",
    "unmarked_as_it_enters",
    "all_older",
    NULL,
};

_Static_assert(sizeof covers / sizeof *covers == POINTS + 1, "each point has a name");

static void cover_enter(const struct hd_dats_neighbours *s, const struct hd_dats_in *in, uint64_t *hits) {
  const bool enters = hd_dats_neighbours_enters(in);
  const bool any = memchr(in->fcfs_marked, 1, s->cfg.num_kde) != NULL;
  hits[0] += enters && !any;
  hits[1] += enters && any;
  hits[2] += enters && s->was_out.over.valid;
  hits[3] += in->kmu_offer.valid && in->kmu_offer.kernel.graph && !in->kd_entry.valid;
  hits[4] += in->kmu_offer.valid && in->kmu_offer.kernel.graph && !memchr(in->fcfs_marked, 0, s->cfg.num_kde);
}

static void cover_requests(const struct hd_dats_neighbours *s, const struct hd_dats_in *in,
                           const struct hd_dats_out *out, uint64_t *hits) {
  const bool was_requested = s->was_out.mem.valid && s->was_in.mem.ready;
  const bool failed = out->over.valid && !s->ran && s->errors;
  hits[0] += out->mem.valid && in->mem.ready && !s->was_out.mem.valid;
  hits[1] += out->mem.valid && !in->mem.ready;
  hits[2] += in->mem.r_valid && was_requested;
  hits[3] += in->mem.r_valid && s->was_in.mem.r_valid;
  hits[4] += in->mem.r_valid && !s->was_in.mem.r_valid && s->beats < 2;
  for (unsigned k = 0; k < 3; k++) hits[5 + k] += failed && !s->wrong && s->errors == 1u << k;
  hits[8] += failed && s->wrong;
}

/* Kernels with exactly one error, and no memory error. */
static void cover_wrong(const struct hd_dats_neighbours *s, const struct hd_dats_out *out, uint64_t *hits) {
  if (!out->over.valid || s->ran || s->errors) return;
  for (unsigned k = 0; k < HD_DATS_WRONGS; k++) hits[k] += s->wrong == UINT32_C(1) << k;
  hits[HD_DATS_WRONGS] += (s->wrong & (s->wrong - 1)) != 0;
}

static void cover_start(const struct hd_dats_neighbours *s, const struct hd_dats_in *in, const struct hd_dats_out *out,
                        uint64_t *hits) {
  const struct hd_dgbstart *g = &out->start;
  const uint64_t last = hd_memory_mask(&s->cfg) & ~UINT64_C(127);
  hits[1] += out->start_valid && !in->dgb_start_ready;
  if (!out->start_valid || !in->dgb_start_ready) return;
  hits[0] += !s->was_out.start_valid;
  hits[2 + g->policy]++;
  hits[5] += !g->nodes || !g->edges || !g->ids || !g->early;
  hits[6] += g->nodes == last || g->edges == last || g->ids == last || g->early == last;
  hits[7] += g->node_count == 1;
  hits[8] += g->node_count == UINT16_MAX;
  hits[9] += !g->edge_count;
  hits[10] += g->edge_count == UINT32_MAX - 7;
}

static void cover_tb(const struct hd_dats_neighbours *s, const struct hd_dats_in *in, const struct hd_dats_out *out,
                     uint64_t *hits) {
  const bool known = in->dgb_wish.smx < s->cfg.num_smx, bind = s->bytes[36] == HD_GPOLICY_LVL_BIND;
  hits[8] += s->was_in.dgb_node_valid && !s->was_in.sched_graph_take && !in->dgb_node_valid;
  if (!out->tb.valid) return;
  hits[9] += s->was_in.dgb_node_valid && !s->was_in.sched_graph_take && in->dgb_node.index != s->was_in.dgb_node.index;
  hits[0] += bind && known;
  hits[1] += bind && !known;
  hits[2] += !bind && known;
  hits[3] += in->sched_graph_take && out->tb.wants && in->sched_grant.smx == out->tb.smx;
  hits[4] += in->sched_graph_take && out->tb.wants && in->sched_grant.smx != out->tb.smx;
  hits[5] += !in->sched_graph_take;
  hits[6] += in->sched_graph_take && (!s->was_in.dgb_node_valid || s->was_in.sched_graph_take);
  hits[7] += in->sched_graph_take && s->was_in.sched_graph_take;
}

static void cover_end(const struct hd_dats_neighbours *s, const struct hd_dats_in *in, const struct hd_dats_out *out,
                      uint64_t *hits) {
  if (!in->dgb_finish_valid || !out->finish_ready) return;
  hits[in->dgb_finish.code]++;
  hits[7] += !s->was_out.run.valid;
  hits[8] += !s->taken;
}

static void cover_age(const struct hd_dats_neighbours *s, const struct hd_dats_in *in, const struct hd_dats_out *out,
                      uint64_t *hits) {
  const bool enters = hd_dats_neighbours_enters(in);
  unsigned older = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) {
    older += out->older[k];
    hits[0] += out->older[k] && !in->fcfs_marked[k];
    hits[1] += out->busy && s->lost[k] && in->fcfs_marked[k];
    hits[5] += enters && !in->fcfs_marked[k] && s->was_in.fcfs_marked[k];
  }
  hits[2] += in->sched_give_way && out->older[in->sched_sscr.kdei];
  hits[3] += in->sched_give_way && out->busy && !out->older[in->sched_sscr.kdei];
  hits[4] += in->sched_give_way && enters;
  hits[6] += older == s->cfg.num_kde - 1;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_dats_neighbours *s = s_;
  const struct hd_dats_in *in = in_;
  const struct hd_dats_out *out = out_;
  hits[EVENT] += (unsigned)hd_dats_neighbours_enters(in) + in->sched_graph_take + out->over.valid;
  cover_enter(s, in, hits + ENTER);
  cover_requests(s, in, out, hits + ASK);
  cover_wrong(s, out, hits + WRONG);
  cover_start(s, in, out, hits + START);
  cover_tb(s, in, out, hits + TB);
  cover_end(s, in, out, hits + END);
  cover_age(s, in, out, hits + AGE);
}

const struct hd_block_driver hd_block_driver_dats = {HD_BLOCK_DRIVER_MODEL_FIELDS(dats),
                                                     HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_dats_neighbours),
                                                     HD_BLOCK_ORACLE_FIELDS(dats)};
