/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The part of the report about SMXs that run warps. */
#include <inttypes.h>

#include "cmd/gpu_args.h"
#include "cmd/report.h"

static double part(double of, double all) {
  return all != 0 ? of / all : 0;
}

static double per(uint64_t x, uint64_t y) {
  return part((double)x, (double)y);
}

/* Returns the share of the schedulers' issue slots that were used. */
static double issued(const struct hd_report *r) {
  double slots = (double)r->run.cycles * r->cfg->num_smx * r->gpu->schedulers;
  return part((double)r->run.gpu.instructions, slots);
}

static double dram_bytes(const struct hd_report *r) {
  return HD_LINE_BYTES * (double)(r->run.gpu_memory.dram_reads + r->run.gpu_memory.dram_writes);
}

static double dram_used(const struct hd_report *r) {
  return part(r->run.gpu_memory.dram_busy, (double)r->run.cycles * r->gpu->memory.l2_parts);
}

/* Per second of CPU time, so that other programs on the machine do not count. */
static double operations_per_second(const struct hd_report *r) {
  return part((double)r->run.gpu.operations, r->cpu_seconds);
}

void hd_report_gpu_speed(const struct hd_report *r, FILE *f) {
  fprintf(f, "                  %.1f million operations of warps/s\n", 1e-6 * operations_per_second(r));
}

void hd_report_gpu_speed_json(const struct hd_report *r, cJSON *to) {
  cJSON_AddNumberToObject(to, "operations_per_second", operations_per_second(r));
}

static void print_footprint(const struct hd_footprint_shares *s, FILE *f) {
  fprintf(f,
          "  footprints      %.1f %% of the lines that children touch are also touched by the parent (%" PRIu64
          " parents);\n                  a child TB touches %.1f %% of the lines that its siblings touch (%" PRIu64
          " TBs)\n",
          100 * s->parent_child, s->families, 100 * s->siblings, s->children);
}

static void add_footprint(const struct hd_footprint_shares *s, cJSON *to) {
  cJSON *n = cJSON_AddObjectToObject(to, "footprint");
  cJSON_AddNumberToObject(n, "parent_child", s->parent_child);
  cJSON_AddNumberToObject(n, "siblings", s->siblings);
  hd_report_count(n, "parents", s->families);
  hd_report_count(n, "child_ctas", s->children);
}

/* Shares of the cycles in which a scheduler had warps, over all schedulers. */
static void print_warps(const struct hd_report *r, FILE *f) {
  const struct hd_gpu_stalls *s = &r->run.gpu.stalls;
  const double all = (double)(r->run.gpu.instructions + s->control + s->raw + s->pipe + s->choice);
  fprintf(f,
          "  warps, %-3s      schedulers with warps wait for data in %.1f %% of cycles, for a unit in %.1f %%, for a "
          "launch in\n                  %.1f %%, for the choice of a new warp in %.1f %%; %" PRIu64
          " warps went first after a long wait\n",
          r->warp, 100 * part((double)s->raw, all), 100 * part((double)s->pipe, all),
          100 * part((double)s->control, all), 100 * part((double)s->choice, all), r->run.starved);
}

static void print_throttle(const struct hd_report *r, FILE *f) {
  const struct hd_loop_throttle *t = &r->run.throttle;
  fprintf(f,
          "  throttle        %.2f SMXs open on average, at least %" PRIu32 "; closed %" PRIu64 " times, opened %" PRIu64
          "; %" PRIu64 " TBs were bound to a closed SMX\n",
          per(t->open_sum, r->run.cycles), t->least, t->closes, t->opens, t->bound);
}

static void add_warps(const struct hd_report *r, cJSON *to) {
  const struct hd_gpu_stalls *s = &r->run.gpu.stalls;
  cJSON *n = cJSON_AddObjectToObject(to, "warps");
  hd_report_count(n, "stalls_raw", s->raw);
  hd_report_count(n, "stalls_pipe", s->pipe);
  hd_report_count(n, "stalls_control", s->control);
  hd_report_count(n, "stalls_choice", s->choice);
  hd_report_count(n, "warps_raw", s->warps_raw);
  hd_report_count(n, "warps_pipe", s->warps_pipe);
  hd_report_count(n, "warps_control", s->warps_control);
  hd_report_count(n, "starved", r->run.starved);
  hd_report_count(n, "cycles_compared", r->run.warps_compared);
  hd_report_count(n, "differences", r->run.warps_differ);
}

static void add_throttle(const struct hd_report *r, cJSON *to) {
  const struct hd_loop_throttle *t = &r->run.throttle;
  cJSON *n = cJSON_AddObjectToObject(to, "throttle");
  cJSON_AddNumberToObject(n, "open_mean", per(t->open_sum, r->run.cycles));
  cJSON_AddNumberToObject(n, "open_least", t->least);
  hd_report_count(n, "closes", t->closes);
  hd_report_count(n, "opens", t->opens);
  hd_report_count(n, "bound", t->bound);
}

void hd_report_gpu_text(const struct hd_report *r, FILE *f) {
  const struct hd_gpu_counts *g = &r->run.gpu;
  const struct hd_memsys_counts *m = &r->run.gpu_memory;
  fprintf(f, "  instructions    %" PRIu64 ", %.3f per cycle: %.1f %% of the issue slots; %.1f of 32 threads active\n",
          g->instructions, per(g->instructions, r->run.cycles), 100 * issued(r), per(g->lanes, g->instructions));
  fprintf(
      f,
      "  loads           %" PRIu64 " of %.2f lines, %.1f cycles to the last line; stores %" PRIu64 " of %.2f lines\n",
      g->loads, per(g->load_lines, g->loads), per(g->load_wait, g->loads), g->stores, per(g->store_lines, g->stores));
  fprintf(f, "  L1              %.2f %% hits, %.2f %% wait for a line in flight\n", 100 * per(m->l1_hits, m->loads),
          100 * per(m->l1_merged, m->loads));
  fprintf(f, "  L2              %.2f %% hits, %.2f %% wait for a line in flight\n", 100 * per(m->l2_hits, m->l2_loads),
          100 * per(m->l2_merged, m->l2_loads));
  fprintf(f, "  DRAM            %.0f bytes, %.1f per cycle: %.1f %% of its bandwidth, %.1f %% while it has work\n",
          dram_bytes(r), part(dram_bytes(r), (double)r->run.cycles), 100 * dram_used(r),
          100 * part(m->dram_busy, m->dram_active));
  if (g->delays != 0 || g->barriers != 0)
    fprintf(f,
            "  other units     %" PRIu64 " instructions; %" PRIu64 " warps reached a barrier and waited %.1f cycles\n",
            g->delays, g->barriers, per(g->barrier_wait, g->barriers));
  if (r->warp != NULL) print_warps(r, f);
  if (r->throttle) print_throttle(r, f);
  if (r->gpu->footprint) print_footprint(&r->run.footprint, f);
}

void hd_report_gpu_parameters(const struct hd_report *r, cJSON *to) {
  cJSON_AddStringToObject(to, "smx", r->gpu != NULL ? "gpu" : "timer");
  if (r->gpu == NULL) return;
  hd_gpu_args_json(r->gpu, to);
  cJSON_AddStringToObject(to, "warp", r->warp != NULL ? r->warp : "");
  cJSON_AddBoolToObject(to, "one_list", r->one_list);
  cJSON_AddBoolToObject(to, "throttle", r->throttle);
  if (!r->throttle) return;
  cJSON_AddNumberToObject(to, "throttle_epoch", r->throttle_epoch);
  cJSON_AddNumberToObject(to, "throttle_band", r->throttle_band);
}

static void add_memory(const struct hd_report *r, cJSON *to) {
  const struct hd_memsys_counts *m = &r->run.gpu_memory;
  cJSON_AddNumberToObject(to, "l1_hit_rate", per(m->l1_hits, m->loads));
  cJSON_AddNumberToObject(to, "l1_merge_rate", per(m->l1_merged, m->loads));
  cJSON_AddNumberToObject(to, "l2_hit_rate", per(m->l2_hits, m->l2_loads));
  cJSON_AddNumberToObject(to, "l2_merge_rate", per(m->l2_merged, m->l2_loads));
  hd_report_count(to, "l2_loads", m->l2_loads);
  hd_report_count(to, "dram_reads", m->dram_reads);
  hd_report_count(to, "dram_writes", m->dram_writes);
  cJSON_AddNumberToObject(to, "dram_bytes", dram_bytes(r));
  cJSON_AddNumberToObject(to, "dram_utilisation", dram_used(r));
  cJSON_AddNumberToObject(to, "dram_efficiency", part(m->dram_busy, m->dram_active));
  hd_report_count(to, "dram_full", m->dram_full);
  hd_report_count(to, "icnt2sm", m->icnt2sm);
  hd_report_count(to, "no_mshr", m->no_mshr);
  hd_report_count(to, "no_way", m->no_way);
  hd_report_count(to, "no_merge", m->no_merge);
  hd_report_count(to, "store_waits", m->store_waits);
}

void hd_report_gpu_json(const struct hd_report *r, cJSON *to) {
  const struct hd_gpu_counts *g = &r->run.gpu;
  cJSON *n = cJSON_AddObjectToObject(to, "gpu");
  hd_report_count(n, "instructions", g->instructions);
  cJSON_AddNumberToObject(n, "ipc", per(g->instructions, r->run.cycles));
  cJSON_AddNumberToObject(n, "issue_share", issued(r));
  cJSON_AddNumberToObject(n, "active_threads", part(per(g->lanes, g->instructions), HD_WARP_LANES));
  hd_report_count(n, "operations", g->operations);
  hd_report_count(n, "loads", g->loads);
  hd_report_count(n, "load_lines", g->load_lines);
  cJSON_AddNumberToObject(n, "load_wait_mean", per(g->load_wait, g->loads));
  hd_report_count(n, "stores", g->stores);
  hd_report_count(n, "store_lines", g->store_lines);
  hd_report_count(n, "delays", g->delays);
  hd_report_count(n, "barriers", g->barriers);
  cJSON_AddNumberToObject(n, "barrier_wait_mean", per(g->barrier_wait, g->barriers));
  hd_report_count(n, "unit_waits", g->unit_waits);
  hd_report_count(n, "events", g->events);
  add_memory(r, n);
  if (r->warp != NULL) add_warps(r, n);
  if (r->throttle) add_throttle(r, n);
  if (r->gpu->footprint) add_footprint(&r->run.footprint, n);
}
