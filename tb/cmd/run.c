/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle run: runs a workload on the plane and SMX array in a closed loop and reports the results. */
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmds.h"
#include "cmd/fault_list.h"
#include "cmd/page.h"
#include "cmd/report.h"
#include "cmd/run_args.h"
#include "cmd/run_rounds.h"
#include "cmd/run_tiles.h"
#include "cmd/signals.h"
#include "engine/diagnose.h"
#include "engine/outfile.h"
#include "engine/save_failure.h"
#include "engine/view.h"
#include "sim/fit.h"
#include "sim/loop.h"
#include "work/cilk.h"
#include "work/trace.h"

struct run {
  struct hd_run_args args;
  struct hd_cfg cfg;
  char input[PATH_MAX];
  struct hd_run_rounds rounds;
  struct hd_trace trace;
  struct hd_run_tiles tiles;
  struct hd_kernels *kernels;
  struct hd_work work;
  struct hd_timeline timeline;
  struct hd_series series;
  struct hd_launches *launches;
  struct hd_page page;
  struct hd_report report;
  struct hd_out wave; /* the waveform; the simulation opens its temporary name itself */
  const volatile int *stop;
};

static int refuse(const char *text) {
  fprintf(stderr, "heddle run: %s\n", text);
  return HD_CONFIG;
}

/* Returns true if a TB of this many threads fits an SMX. Otherwise err names an `option` that may help. */
static bool fits(const struct run *r, uint32_t threads, uint32_t regs, const char *option, char *err, size_t err_size) {
  char text[256];
  uint32_t most;
  if (hd_fit_cta(&r->cfg, threads, regs, (r->args.smem + 255) / 256, &most, text, sizeof text)) return true;
  if (most != 0)
    snprintf(err, err_size, "%s; %s %" PRIu32 " or less fits", text, option, most);
  else if (r->args.smem > r->cfg.smem_per_smx)
    snprintf(err, err_size, "%s; --smem %" PRIu32 " or less would be accepted, or --set SmemPerSmx=%" PRIu32, text,
             r->cfg.smem_per_smx, (r->args.smem + 255) / 256 * 256);
  else
    snprintf(err, err_size, "%s; no %s fits; fewer --regs may fit", text, option);
  return false;
}

/* Returns true if the workload's TBs fit an SMX. Without --block-size, lowers the default of 256 threads to fit. */
static bool block_fits(struct run *r, uint32_t regs, char *err, size_t err_size) {
  char text[256];
  uint32_t most, *size = &r->args.block_size;
  if (!hd_run_has_option(&r->args, "block-size") &&
      !hd_fit_cta(&r->cfg, *size, regs, (r->args.smem + 255) / 256, &most, text, sizeof text) && most != 0) {
    fprintf(stderr, "heddle run: --block-size is %" PRIu32 ", but %s has room for only %" PRIu32 "; using that\n",
            *size, r->cfg.name, most);
    *size = most;
  }
  return fits(r, *size, regs, "--block-size", err, err_size);
}

/* Returns true if a kernel's list has a place for every pending group. Without --pending, lowers the limit to fit. */
static bool pending_fits(struct run *r, char *err, size_t err_size) {
  struct hd_run_args *a = &r->args;
  const uint32_t most = hd_device_list_records(&r->cfg);
  if (strcmp(a->launch, "dtbl") != 0 || hd_run_policy(a->policy) != HD_POLICY_RR || a->pending <= most) return true;
  snprintf(err, err_size,
           "--pending is %" PRIu32 ", but a list of groups has places for %" PRIu32 " (2^ListPosW - AgtSize)",
           a->pending, most);
  if (hd_run_has_option(a, "pending")) return false;
  fprintf(stderr, "heddle run: %s; using that limit\n", err);
  a->pending = most;
  return true;
}

static int prepare_rounds(struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  const uint32_t regs = a->regs < 0 ? hd_fit_regs(&r->cfg) : (uint32_t)a->regs;
  if (!block_fits(r, regs, err, err_size)) return refuse(err);
  if (a->device && !fits(r, a->rounds.child_size, regs, "--child-size", err, err_size)) return refuse(err);
  if (!hd_run_rounds_make(&r->rounds, a, &r->cfg, regs, &r->report, r->input, sizeof r->input, err, err_size))
    return refuse(err);
  r->work = hd_rounds_work(r->rounds.rounds);
  r->report.regs = regs;
  return HD_PASS;
}

static int prepare_tiles(struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  const uint32_t regs = a->regs < 0 ? hd_fit_regs(&r->cfg) : (uint32_t)a->regs;
  if (!block_fits(r, regs, err, err_size)) return refuse(err);
  if (!hd_run_tiles_make(&r->tiles, a, regs, &r->report, r->input, sizeof r->input, err, err_size)) return refuse(err);
  r->work = hd_tiles_work(r->tiles.tiles);
  return HD_PASS;
}

static int prepare_kernel(struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  const struct hd_kernels_opts o = {
      .regs = a->regs < 0 ? hd_fit_regs(&r->cfg) : (uint32_t)a->regs, .seed = a->seed, .jitter = a->jitter};
  uint32_t most;
  if (!hd_fit_cta(&r->cfg, a->kernel->warps * HD_WARP_LANES, o.regs, a->kernel->smem, &most, err, err_size))
    return refuse(err);
  r->kernels = hd_kernels_new(a->kernel, &o);
  if (r->kernels == NULL) return refuse("out of memory");
  snprintf(r->input, sizeof r->input, "synthetic warps");
  r->work = hd_kernels_work(r->kernels);
  return HD_PASS;
}

static int prepare_trace(struct run *r, char *err, size_t err_size) {
  snprintf(r->input, sizeof r->input, "%s", r->args.trace);
  if (!hd_trace_read(r->input, r->args.only, &r->trace, err, err_size)) return refuse(err);
  if (!hd_trace_fits(&r->trace, r->input, &r->cfg, err, err_size)) return refuse(err);
  if (r->args.device != hd_trace_launches(&r->trace)) {
    snprintf(err, err_size, "%s: %s", r->input,
             r->args.device
                 ? "its TBs have no launches; --launch flat with --policy rr, or 'launch' lines (version 2), "
                   "would be accepted"
                 : "its TBs launch; --launch cdp or dtbl would be accepted");
    return refuse(err);
  }
  if (r->args.gpu.on && !hd_trace_has_instructions(&r->trace, r->input, err, err_size)) return refuse(err);
  r->trace.seed = r->args.seed;
  r->trace.latency = r->args.launch_latency;
  r->work = hd_trace_work(&r->trace);
  if (r->args.gpu.on) r->work.warps = hd_trace_source();
  return HD_PASS;
}

static void describe(struct run *r) {
  const struct hd_run_args *a = &r->args;
  struct hd_report *p = &r->report;
  p->trace = a->trace != NULL ? &r->trace : NULL;
  p->workload = a->trace != NULL ? "trace" : a->workload;
  p->only = a->only;
  p->input = r->input;
  if (a->trace != NULL) hd_file_sha256(r->input, p->sha256);
  p->cfg = &r->cfg;
  p->launch = a->launch;
  p->policy = a->policy;
  p->engine = hd_engine_name(a->engine);
  p->seed = a->seed;
  p->block_size = a->block_size;
  p->overhead = a->overhead;
  p->cycles_per_edge = a->cycles_per_edge;
  p->jitter = a->seed != 0 ? a->jitter : 0;
  p->smem_bytes = a->smem;
  p->take_every = a->take_every;
  p->launches = a->device;
  p->ideal = a->ideal;
  p->pending = a->pending;
  p->spill_limited = hd_run_has_option(a, "spill");
  p->spill = a->spill;
  p->memory_latency = a->memory_latency;
  p->waits = strcmp(a->launch, "cdp") == 0 && (a->kind != NULL || a->rounds.sync);
  p->spin = a->spin;
  p->context_cycles = a->context_cycles;
  p->gpu = a->gpu.on ? &a->gpu.opts : NULL;
  p->warp = a->gpu.warp;
  p->one_list = a->gpu.warps.one_list;
  p->throttle = a->gpu.throttle;
  p->throttle_epoch = a->gpu.rule.epoch != 0 ? a->gpu.rule.epoch : p->cfg->epoch;
  p->launched = r->launches;
  p->longest = a->longest;
  p->throttle_band = a->gpu.rule.banded ? a->gpu.rule.band : p->cfg->dead_band;
}

/* Stand-ins compute no answer: checks that all TBs ran and that their warps issued all their instructions. */
static void judge_kernel(struct run *r) {
  struct hd_report *p = &r->report;
  p->answer_ok = hd_kernels_done(r->kernels) == r->args.kernel->ctas &&
                 p->run.gpu.instructions == hd_kernels_instructions(r->kernels);
  snprintf(p->answer, sizeof p->answer, "%s",
           p->answer_ok ? "none is computed; every instruction of every TB was issued"
                        : "WRONG: not all TBs or instructions were run");
  if (!p->answer_ok) p->run.verdict = HD_ORACLE;
}

/* A trace is right if every kernel and TB completed and its warps issued all their instructions. */
static void judge_trace(struct run *r) {
  struct hd_report *p = &r->report;
  p->answer_ok = !r->args.gpu.on || p->run.gpu.instructions == hd_trace_instructions(&r->trace);
  snprintf(p->answer, sizeof p->answer, "%s",
           !p->answer_ok    ? "WRONG: the instructions issued differ from those of the trace"
           : r->args.gpu.on ? "right: every instruction of every TB of the trace was issued, every kernel was reported"
                            : "right: every TB of the trace ran once, every kernel was reported");
  if (!p->answer_ok) p->run.verdict = HD_ORACLE;
}

static void judge_answer(struct run *r) {
  struct hd_report *p = &r->report;
  if (p->run.verdict != HD_PASS) {
    snprintf(p->answer, sizeof p->answer, "none: the run did not complete");
  } else if (r->kernels != NULL) {
    judge_kernel(r);
  } else if (r->tiles.tiles != NULL) {
    hd_run_tiles_check(&r->tiles, p);
  } else if (r->rounds.rounds != NULL) {
    hd_run_rounds_check(&r->rounds, p);
  } else {
    judge_trace(r);
  }
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints the one-screen report on stderr; replay and waveform go next to the report, or into build/fail. */
static void explain_failure(struct run *r, struct hd_sim *sim) {
  const char *report = r->args.report;
  const char *slash = report != NULL ? strrchr(report, '/') : NULL;
  char dir[500], path[700];
  struct hd_failure f = hd_sim_failure(sim);
  if (report == NULL)
    snprintf(dir, sizeof dir, "build/fail");
  else
    snprintf(dir, sizeof dir, "%.*s", slash != NULL ? (int)(slash - report) : 1, slash != NULL ? report : ".");
  hd_save_failure(sim, dir, 0, stderr, path, sizeof path);
  snprintf(r->report.run.text, sizeof r->report.run.text, "cycle %" PRIu64 ": %s%s%s", f.cycle, f.label,
           path[0] != '\0' ? "; replay: " : "", path);
}

/* The page also shows the series if the SMXs record one. */
static bool has_series(const struct hd_run_args *a) {
  return a->gpu.series != NULL || (a->gpu.on && a->page != NULL);
}

static int simulate(struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  /* The record, from which a failure is explained, holds only changes: 8 bytes per cycle, and 16 bytes for each 8 bytes
   * of inputs that changed. With TBs of 100 cycles or more that is about 10 bytes per cycle, a gigabyte in 100 million
   * cycles. */
  const struct hd_sim_opts o = {.block = "top",
                                .variant = a->fault != 0 ? "fault" : NULL,
                                .fault = a->fault,
                                .record = a->engine != HD_ENGINE_MODEL,
                                .cfg = r->cfg,
                                .engine = a->engine,
                                .seed = a->seed,
                                .test = "run",
                                .wave = r->wave.temporary,
                                .wave_cycles = a->wave_cycles};
  struct hd_sim *sim = hd_sim_open(&o, err, err_size);
  if (sim == NULL) return refuse(err);
  struct hd_launcher_opts launcher = {.cfg = &r->cfg,
                                      .kind = strcmp(a->launch, "cdp") == 0 ? HD_KIND_KERNEL : HD_KIND_GROUP,
                                      .policy = hd_run_policy(a->policy),
                                      .memory_latency = a->memory_latency,
                                      .records = a->pending,
                                      .buffers = a->pending,
                                      .spill_limited = hd_run_has_option(a, "spill"),
                                      .spill = a->spill,
                                      .spin = a->spin,
                                      .context_cycles = a->context_cycles};
  if (!a->ideal) launcher.latency = hd_device_latency_k20c();
  if (a->kind != NULL) launcher.latency.stream = 0; /* all waves use the default stream of the launching TB */
  r->report.tiles.call = (uint32_t)hd_device_kernel_cycles(&launcher.latency, 1);
  const struct hd_loop_opts l = {.cfg = &r->cfg,
                                 .timeline = &r->timeline,
                                 .series = has_series(a) ? &r->series : NULL,
                                 .launches = r->launches,
                                 .fills = a->page != NULL ? &r->page.fills : NULL,
                                 .max_cycles = a->max_cycles,
                                 .patience = a->patience,
                                 .skip = a->skip,
                                 .take_every = a->take_every,
                                 .progress = !a->quiet && isatty(STDERR_FILENO),
                                 .stop = r->stop,
                                 .launcher = r->report.launches || r->work.graph != NULL ? &launcher : NULL,
                                 .gpu = r->report.gpu,
                                 .warps = a->gpu.warp != NULL ? &a->gpu.warps : NULL,
                                 .throttle = a->gpu.throttle,
                                 .rule = a->gpu.rule,
                                 .taken = r->tiles.tiles != NULL ? hd_tiles_taken : NULL,
                                 .watcher = r->tiles.tiles};
  double start = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  struct hd_loop_result *result = &r->report.run;
  *result = hd_loop_run(sim, &r->work, &l);
  if (result->verdict == HD_PASS) result->verdict = hd_sim_finish(sim);
  r->report.seconds = seconds(CLOCK_MONOTONIC) - start;
  r->report.cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  r->report.cycles_compared = hd_sim_compared(sim);
  r->report.differences = hd_sim_failure(sim).verdict == HD_MISMATCH;
  if (hd_sim_failure(sim).verdict != HD_PASS) explain_failure(r, sim);
  hd_sim_close(sim);
  return HD_PASS;
}

/* Returns true if the kernels of the trace have names. */
static bool named(const struct run *r) {
  return r->trace.n != 0 && r->trace.kernel[0].name[0] != '\0';
}

static int write_files(struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  struct hd_out out;
  if (!hd_timeline_commit(&r->timeline, err, err_size)) return refuse(err);
  if (!hd_series_commit(&r->series, err, err_size)) return refuse(err);
  if (!hd_page_commit(&r->page, &r->report, has_series(a) ? &r->series : NULL, err, err_size)) return refuse(err);
  if (a->kernels != NULL) {
    if (!hd_out_open(&out, a->kernels, err, err_size)) return refuse(err);
    hd_launches_csv(r->launches, named(r) ? hd_trace_name : NULL, &r->trace, out.f);
    if (!hd_out_commit(&out, err, err_size)) return refuse(err);
  }
  if (a->wave != NULL) {
    if (!hd_out_commit(&r->wave, err, err_size)) return refuse(err);
    hd_view_of_wave("heddle run", "top", r->cfg.name, a->wave, NULL);
  }
  if (a->json.file != NULL) {
    if (!hd_out_open(&out, a->json.file, err, err_size)) return refuse(err);
    hd_report_json(&r->report, out.f);
    if (!hd_out_commit(&out, err, err_size)) return refuse(err);
  }
  if (a->report != NULL) {
    if (!hd_out_open(&out, a->report, err, err_size)) return refuse(err);
    hd_report_text(&r->report, false, out.f);
    if (!hd_out_commit(&out, err, err_size)) return refuse(err);
  }
  return HD_PASS;
}

/* Tests every output path before the run starts, and opens the files that are written during the run. */
static int open_files(struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  if (a->kernels != NULL && !hd_out_try(a->kernels, err, err_size)) return refuse(err);
  if (a->report != NULL && !hd_out_try(a->report, err, err_size)) return refuse(err);
  if (a->timeline != NULL &&
      !hd_timeline_open(&r->timeline, a->timeline, r->cfg.num_smx, r->cfg.ctas_per_smx, err, err_size))
    return refuse(err);
  if (a->timeline != NULL && named(r)) hd_timeline_names(&r->timeline, hd_trace_name, &r->trace);
  if ((r->launches = hd_launches_new(r->cfg.num_smx)) == NULL) return refuse("out of memory");
  hd_timeline_launches(&r->timeline, r->launches);
  if (has_series(a) && !hd_series_open(&r->series, a->gpu.series, a->gpu.series_every, a->page != NULL, err, err_size))
    return refuse(err);
  if (a->page != NULL && !hd_page_open(&r->page, a->page, &r->cfg, err, err_size)) return refuse(err);
  if (a->page != NULL) r->timeline.tbs = &r->page.tbs;
  if (a->wave == NULL) return HD_PASS;
  return hd_out_open_file(&r->wave, a->wave, err, err_size) ? HD_PASS : refuse(err);
}

/* Colours and UTF-8 bars: only on a terminal that supports both. */
static bool colour(void) {
  const char *no = getenv("NO_COLOR");
  setlocale(LC_CTYPE, "");
  return isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0') && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Returns true if the plane is built with the blocks that the options need. */
static bool is_built(const struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  const struct {
    bool needed;
    uint32_t has;
    const char *option, *value, *parameter;
  } parts[] = {
      {hd_run_policy(a->policy) != HD_POLICY_RR, r->cfg.has_banks, "policy ", a->policy, "HasBanks"},
      {strcmp(a->launch, "cdp") == 0, r->cfg.has_launch, "launch ", "cdp", "HasLaunch"},
      {strcmp(a->launch, "dtbl") == 0, r->cfg.has_groups, "launch ", "dtbl", "HasGroups"},
      {a->trace != NULL && r->trace.calls > 0, r->cfg.has_launch, "trace ", "with launches of TBs", "HasLaunch"},
      {a->gpu.throttle, r->cfg.has_throttle, "throttle", "", "HasThrottle"},
      {a->kind != NULL && hd_tiles_launch_has_graph(r->report.tiles.opts.launch), r->cfg.has_graph, "launch ",
       a->launch, "HasGraph"},
  };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    if (!parts[k].needed || parts[k].has) continue;
    snprintf(err, err_size, "--%s%s with %s=0; %s=1 would be accepted", parts[k].option, parts[k].value,
             parts[k].parameter, parts[k].parameter);
    return false;
  }
  return true;
}

static int run(struct run *r, char *err, size_t err_size) {
  const struct hd_run_args *a = &r->args;
  if (!hd_config_args_done(&a->config, &r->cfg)) return HD_CONFIG;
  if (a->fault != 0 && !hd_fault_accepted(a->fault, "top", err, err_size)) return refuse(err);
  if (a->gpu.on && !hd_gpu_check(&a->gpu.opts, r->cfg.warps_per_smx, err, err_size)) return refuse(err);
  if (!pending_fits(r, err, err_size)) return refuse(err);
  int code = a->trace != NULL    ? prepare_trace(r, err, err_size)
             : a->kind != NULL   ? prepare_tiles(r, err, err_size)
             : a->kernel != NULL ? prepare_kernel(r, err, err_size)
                                 : prepare_rounds(r, err, err_size);
  if (code == HD_PASS && !is_built(r, err, err_size)) return refuse(err);
  if (code == HD_PASS) code = open_files(r, err, err_size);
  if (code != HD_PASS) return code;
  describe(r);
  code = simulate(r, err, err_size);
  if (code != HD_PASS) return code;
  judge_answer(r);
  if (a->rounds.kind != NULL) a->rounds.kind->found(hd_rounds_state(r->rounds.rounds), &r->report.found);
  code = write_files(r, err, err_size);
  if (a->json.print)
    hd_report_json(&r->report, stdout);
  else if (!a->quiet)
    hd_report_text(&r->report, colour(), stdout);
  if (r->report.run.verdict != HD_PASS && (a->quiet || hd_json_wanted(&a->json)))
    fprintf(stderr, "heddle run: %s: %s\n", hd_verdict_name(r->report.run.verdict), r->report.run.text);
  return code != HD_PASS ? code : (int)r->report.run.verdict;
}

int hd_cmd_run(int argc, char **argv) {
  static struct run r; /* too large for some stacks */
  static char err[5000];
  if (argc > 1 && hd_cilk_program(argv[1]) != NULL) return hd_cmd_channels(argc, argv);
  memset(&r, 0, sizeof r);
  hd_run_args_parse(&r.args, argc, argv);
  r.stop = hd_signals_stop();
  int code = run(&r, err, sizeof err);
  hd_timeline_drop(&r.timeline);
  hd_series_drop(&r.series);
  hd_page_drop(&r.page);
  hd_launches_free(r.launches);
  hd_out_drop(&r.wave);
  hd_run_rounds_free(&r.rounds);
  hd_trace_free(&r.trace);
  hd_run_tiles_free(&r.tiles);
  hd_kernels_free(r.kernels);
  return code;
}
