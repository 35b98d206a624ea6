/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/dgb_inside.h"

/* Returns number i of the eight 16-bit numbers of a beat. */
static uint16_t number(const struct hd_memdata *beat, unsigned i) {
  return (uint16_t)((i < 4 ? beat->lo : beat->hi) >> 16 * (i % 4));
}

/* Returns the node of number i of a beat of the chunk, or -1. Chunks smaller than a beat are adjacent in one beat. */
static int node_of(const struct hd_dgb *m, const struct hd_dgb_regs *was, unsigned i) {
  unsigned chunk = m->cfg.chunk, node = was->here + (unsigned)HD_DGB_BEAT * was->port.beat + i;
  if (chunk < HD_DGB_BEAT) {
    unsigned first = was->here % HD_DGB_BEAT;
    if (i < first) return -1;
    node = was->here + i - first;
  }
  return node < was->here + chunk && node < was->start.node_count ? (int)node : -1;
}

static void beat_ids(struct hd_dgb *m, const struct hd_memdata *beat, const struct hd_dgb_regs *was) {
  for (unsigned i = 0; i < HD_DGB_BEAT; i++) {
    int node = node_of(m, was, i);
    if (node < 0) continue;
    hd_dgb_put(m, HD_DGB_IDS, hd_dgb_ids_row(m, hd_dgb_place(m, (unsigned)node)), number(beat, i));
  }
}

/* Edge starts never decrease, and stay within the edges. */
static bool start_is_good(const struct hd_dgb_regs *was, unsigned node, uint32_t before, uint32_t start) {
  uint32_t edges = was->start.edge_count;
  if (node == 0 && start) return false;
  if (node + 1 == was->start.node_count && (uint32_t)(edges - start) > UINT16_MAX) return false;
  return (uint32_t)(start - before) <= UINT16_MAX && start <= edges;
}

static bool level_is_good(unsigned node, unsigned before, unsigned level) {
  return node ? level == before || level == before + 1 : !level;
}

static void load_node(struct hd_dgb *m, unsigned node, uint64_t entry, uint16_t level_before) {
  unsigned place = hd_dgb_place(m, node);
  uint16_t level = (uint16_t)(entry >> 48);
  struct hd_dgb_place *p = &m->place[place];
  p->edge_start = (uint16_t)entry;
  p->parents = (uint16_t)(entry >> 32);
  p->step = node && level != level_before;
  p->last_smx = (uint8_t)m->cfg.num_smx;
  hd_dgb_put(m, HD_DGB_LEVELS, hd_dgb_level_row(m, place), level);
}

static void beat_nodes(struct hd_dgb *m, const struct hd_memdata *beat, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  for (unsigned i = 0; i < 2; i++) {
    unsigned node = was->here + 2u * was->port.beat + i;
    uint64_t entry = i ? beat->hi : beat->lo;
    uint32_t start = (uint32_t)entry, start_before = m->r.prev_start;
    uint16_t level = (uint16_t)(entry >> 48), level_before = m->r.prev_level;
    if (node >= was->start.node_count) continue;
    if (!start_is_good(was, node, start_before, start)) hd_dgb_fail(s, HD_GCODE_STARTS, node);
    if (!level_is_good(node, level_before, level)) hd_dgb_fail(s, HD_GCODE_LEVEL, node);
    load_node(m, node, entry, level_before);
    m->r.prev_start = start;
    m->r.prev_level = level;
  }
}

/* Updates that arrived before the node was requested. */
static void beat_early(struct hd_dgb *m, const struct hd_memdata *beat, struct hd_dgb_step *s) {
  for (unsigned i = 0; i < HD_DGB_BEAT; i++) {
    int node = node_of(m, s->was, i);
    if (node < 0) continue;
    unsigned place = hd_dgb_place(m, (unsigned)node), updates = number(beat, i);
    if (s->place[place].parents < updates) hd_dgb_fail(s, HD_GCODE_COUNT, s->was->here);
    m->place[place].parents = (uint16_t)(m->place[place].parents - updates);
  }
}

static void beat_edges(struct hd_dgb *m, const struct hd_memdata *beat, const struct hd_dgb_regs *was) {
  for (unsigned i = 0; i < HD_DGB_BEAT; i++) {
    hd_dgb_put(m, HD_DGB_LEA, hd_dgb_lea_row(m, HD_DGB_BEAT * was->rows_here + i), number(beat, i));
  }
  m->r.rows_here = (was->rows_here + 1) & 0x1fff;
}

static void beat_update(struct hd_dgb *m, const struct hd_memdata *beat, const struct hd_dgb_regs *was) {
  for (unsigned i = 0; i < HD_DGB_BEAT; i++)
    m->r.early_value[i] = (uint16_t)(number(beat, i) + (was->early_mask >> i & 1));
  m->r.early_state = HD_DGB_TO_WRITE;
}

void hd_dgb_beat(struct hd_dgb *m, const struct hd_memdata *beat, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  unsigned kind = m->read_row[was->port.first_read], here = was->here + m->cfg.chunk;
  switch (kind) {
    case HD_GREAD_IDS:
      beat_ids(m, beat, was);
      break;
    case HD_GREAD_EARLY:
      beat_early(m, beat, s);
      break;
    case HD_GREAD_EDGES:
      beat_edges(m, beat, was);
      break;
    case HD_GREAD_UPDATE:
      beat_update(m, beat, was);
      break;
    default:
      beat_nodes(m, beat, s);
  }
  bool last = beat->last && (kind == HD_GREAD_NODES_LAST || kind == HD_GREAD_EARLY);
  if (last) m->r.here = (uint16_t)(here < was->start.node_count ? here : was->start.node_count);
}
