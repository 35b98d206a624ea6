/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "hd_cfg.h"

#include <stdio.h>
#include <string.h>

uint32_t hd_clog2(uint32_t n) {
  uint32_t bits = 1;
  while (bits < 32 && (n - 1) >> bits) bits++;
  return bits;
}

bool hd_cfg_find(const char *name, struct hd_cfg *out) {
  for (unsigned i = 0; i < hd_cfg_table_n; i++) {
    if (strcmp(hd_cfg_table[i].name, name) == 0) {
      *out = hd_cfg_table[i];
      hd_cfg_derive_raw(out);
      return true;
    }
  }
  return false;
}

const char *hd_cfg_later(const char *name) {
  if (strcmp(name, "gtx480ws") == 0) return "the warp scheduler";
  if (strcmp(name, "apu8") == 0) return "channels";
  return NULL;
}

/* Appends to a text of which *at bytes are written; what does not fit is cut off. */
static void append(char *err, size_t err_size, size_t *at, const char *text) {
  size_t n = strlen(text);
  if (*at + 1 >= err_size) return;
  if (n > err_size - 1 - *at) n = err_size - 1 - *at;
  memcpy(err + *at, text, n);
  *at += n;
  err[*at] = 0;
}

static bool refuse_name(const char *name, const char *value, char *err, size_t err_size) {
  size_t at = 0;
  append(err, err_size, &at, name);
  append(err, err_size, &at, "=");
  append(err, err_size, &at, value);
  append(err, err_size, &at, ": no such parameter; there are:");
  for (unsigned i = 0; i < hd_cfg_params_n; i++) {
    append(err, err_size, &at, i ? ", " : " ");
    append(err, err_size, &at, hd_cfg_params[i].name);
  }
  return false;
}

static uint32_t *find_param(struct hd_cfg *c, const char *name, size_t length) {
  for (unsigned i = 0; i < hd_cfg_params_n; i++) {
    const struct hd_cfg_param *p = &hd_cfg_params[i];
    if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) {
      return (uint32_t *)(void *)((char *)c + p->offset);
    }
  }
  return NULL;
}

bool hd_cfg_set(struct hd_cfg *c, const char *name, uint32_t value, char *err, size_t err_size) {
  uint32_t *p = find_param(c, name, strlen(name));
  if (!p) {
    char text[16];
    snprintf(text, sizeof text, "%lu", (unsigned long)value);
    return refuse_name(name, text, err, err_size);
  }
  *p = value;
  return true;
}

/* A decimal number that fills the whole text and fits 32 bits. */
static bool parse_number(const char *text, uint32_t *value) {
  uint64_t v = 0;
  if (!*text) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    v = v * 10 + (uint64_t)(*text - '0');
    if (v > UINT32_MAX) return false;
  }
  *value = (uint32_t)v;
  return true;
}

bool hd_cfg_assign(struct hd_cfg *c, const char *text, char *err, size_t err_size) {
  const char *eq = strchr(text, '=');
  if (!eq) {
    snprintf(err, err_size, "%s: NAME=VALUE is wanted, like NumSmx=4", text);
    return false;
  }
  uint32_t *p = find_param(c, text, (size_t)(eq - text));
  if (!p) {
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)(eq - text), text);
    return refuse_name(name, eq + 1, err, err_size);
  }
  if (!parse_number(eq + 1, p)) {
    snprintf(err, err_size, "%s: a whole number from 0 to 4294967295 is wanted", text);
    return false;
  }
  return true;
}

/* A parameter must lie in min .. max and be a multiple of step. */
struct range {
  const char *name;
  uint32_t value, min, max, step;
};

static bool in_ranges(const struct range *r, size_t n, char *err, size_t err_size) {
  for (size_t i = 0; i < n; i++, r++) {
    if (r->value >= r->min && r->value <= r->max && r->value % r->step == 0) continue;
    if (r->step > 1) {
      snprintf(err, err_size, "%s=%lu: a multiple of %lu from %lu to %lu is accepted", r->name, (unsigned long)r->value,
               (unsigned long)r->step, (unsigned long)r->min, (unsigned long)r->max);
    } else {
      snprintf(err, err_size, "%s=%lu: %lu to %lu is accepted", r->name, (unsigned long)r->value, (unsigned long)r->min,
               (unsigned long)r->max);
    }
    return false;
  }
  return true;
}

/* The widest value that the C type of a port with that largest width holds. */
static uint32_t type_bits(uint32_t max_width) {
  return max_width <= 8 ? 8 : max_width <= 16 ? 16 : max_width <= 32 ? 32 : 64;
}

/* Limits of the parameters by themselves: without them nothing can be derived. */
static bool check_sizes(const struct hd_cfg *c, char *err, size_t err_size) {
  const struct range r[] = {
      {"NumSmx", c->num_smx, 1, 132, 1},
      {"CtasPerSmx", c->ctas_per_smx, 1, 32, 1},
      {"ThreadsPerSmx", c->threads_per_smx, 32, 2048, 32},
      {"NumKde", c->num_kde, 1, 128, 1},
      {"NumHwq", c->num_hwq, 1, 128, 1},
      {"Visit", c->visit, 0, 1, 1},
      {"DoneSlack", c->done_slack, 1, 32, 1},
      {"MemClients", c->mem_clients, 1, HD_MAX_MEM_CLIENTS, 1},
      {"AgtHash", c->agt_hash, 0, 2, 1},
      {"OvfSlots", c->ovf_slots, 2, HD_MAX_OVF_SLOTS, 1},
      {"KdeSearchLanes", c->kde_search_lanes, 1, 128, 1},
      {"PrefetchDepth", c->prefetch_depth, 0, 1, 1},
      {"MaxLevel", c->max_level, 1, HD_MAX_MAX_LEVEL, 1},
      {"PqDepth", c->pq_depth, 2, HD_MAX_PQ_DEPTH, 1},
      {"NumKin", c->num_kin, 1, HD_MAX_NUM_KIN, 1},
      {"NumStreams", c->num_streams, 2, HD_MAX_NUM_STREAMS, 1},
      {"PoolDepth", c->pool_depth, 2, HD_MAX_POOL_DEPTH, 1},
      {"PoolRows", c->pool_rows, 2, HD_MAX_POOL_ROWS, 1},
      {"NextDepth", c->next_depth, 4, HD_MAX_NEXT_DEPTH, 1},
      {"AnsDepth", c->ans_depth, 4, HD_MAX_ANS_DEPTH, 1},
  };
  if (!in_ranges(r, sizeof r / sizeof *r, err, err_size)) return false;
  if (c->reg_unit != 64 && c->reg_unit != 256) {
    snprintf(err, err_size, "RegUnit=%lu: 64 or 256 is accepted", (unsigned long)c->reg_unit);
    return false;
  }
  if (c->agt_size < 2 || c->agt_size > HD_MAX_AGT_SIZE || (c->agt_size & (c->agt_size - 1))) {
    snprintf(err, err_size, "AgtSize=%lu: a power of two from 2 to %d is accepted", (unsigned long)c->agt_size,
             HD_MAX_AGT_SIZE);
    return false;
  }
  if (c->hwq_depth != 2 && c->hwq_depth != 4 && c->hwq_depth != 8) {
    snprintf(err, err_size, "HwqDepth=%lu: 2, 4 or 8 is accepted", (unsigned long)c->hwq_depth);
    return false;
  }
  return true;
}

/* Limits of the fields: each width must fit the C type that the ports have for it. */
static bool check_widths(const struct hd_cfg *c, char *err, size_t err_size) {
  const struct range r[] = {
      {"PcW", c->pc_w, 1, type_bits(HD_MAX_PC_W), 1},
      {"ParamW", c->param_w, 1, type_bits(HD_MAX_PARAM_W), 1},
      {"GridXW", c->grid_xw, 1, type_bits(HD_MAX_GRID_XW), 1},
      {"GridYW", c->grid_yw, 1, type_bits(HD_MAX_GRID_YW), 1},
      {"GridZW", c->grid_zw, 1, type_bits(HD_MAX_GRID_ZW), 1},
      {"CtaXW", c->cta_xw, 1, type_bits(HD_MAX_CTA_XW), 1},
      {"CtaYW", c->cta_yw, 1, type_bits(HD_MAX_CTA_YW), 1},
      {"CtaZW", c->cta_zw, 1, type_bits(HD_MAX_CTA_ZW), 1},
      {"ThreadsW", c->threads_w, 1, type_bits(HD_MAX_THREADS_W), 1},
      {"RegsW", c->regs_w, 1, type_bits(HD_MAX_REGS_W), 1},
      {"SmemW", c->smem_w, 1, type_bits(HD_MAX_SMEM_W), 1},
      {"HwqIdW", c->hwq_id_w, 1, type_bits(HD_MAX_HWQ_ID_W), 1},
      {"CtasW", c->ctas_w, 1, type_bits(HD_MAX_CTAS_W), 1},
      {"TagW", c->tag_w, 1, type_bits(HD_MAX_TAG_W), 1},
      {"ExeW", c->exe_w, 1, type_bits(HD_MAX_EXE_W), 1},
      {"AddrW", c->addr_w, 1, type_bits(HD_MAX_ADDR_W), 1},
      {"RecW", c->rec_w, 1, type_bits(HD_MAX_REC_W), 1},
      {"StreamIdW", c->stream_id_w, 1, type_bits(HD_MAX_STREAM_ID_W), 1},
      {"LaneW", c->lane_w, 1, type_bits(HD_MAX_LANE_W), 1},
      {"LevelW", c->level_w, 1, type_bits(HD_MAX_LEVEL_W), 1},
      {"ArrivalW", c->arrival_w, 2, type_bits(HD_MAX_ARRIVAL_W), 1},
      {"GroupXW", c->group_xw, 1, type_bits(HD_MAX_GROUP_XW), 1},
      {"GroupYW", c->group_yw, 1, type_bits(HD_MAX_GROUP_YW), 1},
      {"GroupZW", c->group_zw, 1, type_bits(HD_MAX_GROUP_ZW), 1},
      {"TicketW", c->ticket_w, 1, type_bits(HD_MAX_TICKET_W), 1},
  };
  return in_ranges(r, sizeof r / sizeof *r, err, err_size);
}

/* Limits that tie parameters together, and those of the arrays in the port structs. */
static bool check_sums(const struct hd_cfg *c, char *err, size_t err_size) {
  const uint32_t max_regs = ((UINT32_C(1) << type_bits(HD_MAX_REG_UNITS_W)) - 1) * c->reg_unit;
  const uint32_t max_smem = ((UINT32_C(1) << c->smem_w) - 1) * 256;
  const uint32_t max_depth = HD_MAX_NUM_HWQ * HD_MAX_HWQ_DEPTH / c->num_hwq;
  const struct range r[] = {
      {"RegsPerSmx", c->regs_per_smx, c->reg_unit, max_regs, c->reg_unit},
      {"SmemPerSmx", c->smem_per_smx, 0, max_smem, 256},
      {"HwqDepth", c->hwq_depth, 2, max_depth < 8 ? max_depth : 8, 1},
      {"DoneSlack", c->done_slack, 1, HD_MAX_DONE_DEPTH - c->ctas_per_smx, 1},
  };
  if (!in_ranges(r, sizeof r / sizeof *r, err, err_size)) return false;
  uint32_t most = c->num_smx * (c->ctas_per_smx + c->done_slack) + 1; /* and one on its way to the KD */
  if (most >> c->exe_w) {
    snprintf(err, err_size, "ExeW=%lu: %lu is accepted, since a kernel may have %lu TBs in execution",
             (unsigned long)c->exe_w, (unsigned long)hd_clog2(most + 1), (unsigned long)most);
    return false;
  }
  return true;
}

bool hd_cfg_derive(struct hd_cfg *c, char *err, size_t err_size) {
  if (!check_sizes(c, err, err_size) || !check_widths(c, err, err_size) || !check_sums(c, err, err_size)) return false;
  hd_cfg_derive_raw(c);
  return true;
}
