/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/sim.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/hd_cfg.h"
#include "engine/block_driver.h"
#include "engine/fields.h"
#include "engine/objects.h"
#include "engine/replay.h"
#include "engine/rtl_api.h"
#include "engine/sim_internal.h"
#include "engine/wave_model.h"

static bool load_rtl(struct hd_sim *s, char *err, size_t err_size) {
  char path[700], variant[32];
  snprintf(variant, sizeof variant, "%s%s", s->o.variant ? s->o.variant : "rtl",
           s->o.wave || s->o.waves ? "-wave" : "");
  if (!hd_object(s->o.cfg.name, s->o.block, variant, path, sizeof path, err, err_size)) return false;
  s->lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!s->lib) {
    snprintf(err, err_size, "%s", dlerror());
    return false;
  }
  s->rtl = dlsym(s->lib, "hd_rtl");
  if (!s->rtl) {
    snprintf(err, err_size, "%s: not a Verilated block of Heddle", path);
    return false;
  }
  struct hd_cfg built;
  s->rtl->cfg(&built);
  for (unsigned i = 0; i < hd_cfg_params_n; i++) {
    uint32_t a, b;
    memcpy(&a, (const char *)&built + hd_cfg_params[i].offset, 4);
    memcpy(&b, (const char *)&s->o.cfg + hd_cfg_params[i].offset, 4);
    if (a == b) continue;
    snprintf(err, err_size, "%s: the RTL was built with %s=%u, the model has %s=%u", path, hd_cfg_params[i].name, a,
             hd_cfg_params[i].name, b);
    return false;
  }
  return true;
}

static void *zeroed(size_t n) {
  void *p = calloc(1, n + 64);
  if (!p) abort();
  return p;
}

/* Limit of lines printed by the RTL in one run: a failing assertion may fail in every cycle. */
enum { MAX_RTL_LINES = 40 };

/* Output of the RTL goes to stderr, since stdout is for results. The message of a failed assertion starts with the time
 * in ps, which is replaced by the cycle number that all reports use. */
static ssize_t rtl_write(void *cookie, const char *text, size_t n) {
  struct hd_sim *s = cookie;
  for (const char *at = text, *end = text + n; at < end && s->rtl_lines <= MAX_RTL_LINES;) {
    if (s->rtl_lines++ == MAX_RTL_LINES) {
      fprintf(stderr, "[cycle %" PRIu64 "] only the first %d lines that the RTL prints are shown\n", s->cycle,
              MAX_RTL_LINES);
      break;
    }
    const char *nl = memchr(at, '\n', (size_t)(end - at)), *next = nl != NULL ? nl + 1 : end, *p = at;
    if (*p == '[')
      for (p++; p < next && *p >= '0' && *p <= '9'; p++) continue;
    if (p > at + 1 && p < next && *p == ']') {
      fprintf(stderr, "[cycle %" PRIu64, s->cycle);
      at = p;
    }
    fwrite(at, 1, (size_t)(next - at), stderr);
    at = next;
  }
  return (ssize_t)n;
}

static bool seed_rtl(struct hd_sim *s, char *err, size_t err_size) {
  s->rtl_log = fopencookie(s, "w", (cookie_io_functions_t){.write = rtl_write});
  if (s->rtl_log == NULL || setvbuf(s->rtl_log, NULL, _IOLBF, BUFSIZ) != 0) abort();
  s->m = s->rtl->create(s->o.seed);
  if (s->o.fault && !s->rtl->fault(s->m, s->o.fault)) {
    snprintf(err, err_size, "%s of %s has no planted faults; variant fault would be accepted",
             s->o.variant != NULL ? s->o.variant : "rtl", s->o.block);
    return false;
  }
  if (s->o.wave) hd_wave_model_open(s, s->o.wave, false);
  return true;
}

enum {
  COMPARE_EVERY_CYCLE_SMXS = 4
}; /* inner outputs of a plane of up to this many SMXs are compared in every cycle */

struct hd_sim *hd_sim_open(const struct hd_sim_opts *o, char *err, size_t err_size) {
  struct hd_sim *s = zeroed(sizeof *s);
  s->o = *o;
  if (!s->o.engine) s->o.engine = HD_ENGINE_BOTH;
  if (!s->o.table_every) s->o.table_every = 256;
  if (!s->o.inner_every) s->o.inner_every = s->o.cfg.num_smx <= COMPARE_EVERY_CYCLE_SMXS ? 1 : 8;
  s->driver = hd_block_driver_find(o->block);
  s->table = hd_field_table_find(o->block);
  if (!s->driver || !s->table) {
    snprintf(err, err_size, "no block '%s'", o->block);
    free(s);
    return NULL;
  }
  s->table->fill(&s->o.cfg, &s->list);
  s->no_in = zeroed(s->table->in_size);
  s->rtl_inner = zeroed(s->table->inner_size);
  s->model_inner = zeroed(s->driver->inner_size);
  s->rtl_out = zeroed(s->table->out_size);
  s->model_out = zeroed(s->table->out_size);
  s->rtl_arch = zeroed(s->table->arch_size);
  s->model_arch = zeroed(s->table->arch_size);
  s->last_arch = zeroed(s->table->arch_size);
  s->model = zeroed(s->driver->size(&s->o.cfg));
  s->driver->init(s->model, &s->o.cfg);
  if (s->driver->still) s->last = zeroed(s->driver->last_size(&s->o.cfg));
  hd_compare_plan(s);
  if (s->o.engine & HD_ENGINE_RTL) {
    if (!load_rtl(s, err, err_size) || !seed_rtl(s, err, err_size)) {
      hd_sim_close(s);
      return NULL;
    }
  }
  if (s->o.record) s->record = hd_record_new(s->table->in_size, &s->list);
  if (s->driver->watch && (s->o.oracle || s->o.engine == HD_ENGINE_BOTH))
    s->oracle = zeroed(s->driver->oracle_size(&s->o.cfg));
  hd_sim_reset(s, 2);
  return s;
}

void hd_sim_close(struct hd_sim *s) {
  if (!s) return;
  hd_wave_model_close(s);
  if (s->m) s->rtl->destroy(s->m);
  if (s->rtl_log) fclose(s->rtl_log);
  hd_compare_free(s);
  free(s->no_in);
  free(s->rtl_inner);
  free(s->model_inner);
  free(s->rtl_out);
  free(s->model_out);
  free(s->rtl_arch);
  free(s->model_arch);
  free(s->last_arch);
  free(s->shown_arch);
  free(s->model);
  free(s->last);
  free(s->stepped);
  free(s->stepped_out);
  free(s->oracle);
  hd_record_free(s->record);
  hd_field_list_free(&s->list);
  /* The shared object stays loaded: its copy of Verilator's runtime registers destructors. */
  free(s);
}

/* Redirects the output of a call: Verilator prints to stdout, which glibc allows to be assigned. */
#define WITH_RTL_OUTPUT(call) \
  do {                        \
    FILE *const was = stdout; \
    stdout = s->rtl_log;      \
    call;                     \
    stdout = was;             \
  } while (0)

void hd_rtl_settle(const struct hd_sim *s) {
  WITH_RTL_OUTPUT(s->rtl->settle(s->m));
}

void hd_rtl_edge(const struct hd_sim *s) {
  WITH_RTL_OUTPUT(s->rtl->edge(s->m));
}

void hd_sim_reset(struct hd_sim *s, unsigned n) {
  if (s->m) WITH_RTL_OUTPUT(s->rtl->reset(s->m, n));
  s->driver->reset(s->model);
  if (s->last) memset(s->last, 0, s->driver->last_size(&s->o.cfg));
  if (s->oracle) s->driver->oracle_init(s->oracle, &s->o.cfg);
  if (s->record) hd_record_clear(s->record);
  s->after_reset = true;
}

void hd_sim_restart(struct hd_sim *s) {
  s->verdict = HD_PASS;
  s->cycle = s->compared = s->rtl_lines = 0;
  hd_sim_reset(s, 2);
}

static enum hd_verdict fail(struct hd_sim *s, enum hd_verdict v, enum hd_field_kind in) {
  s->verdict = v;
  s->fail_cycle = s->cycle;
  s->fail_in = in;
  return v;
}

void hd_sim_stuck(struct hd_sim *s, const char *what) {
  snprintf(s->rule, sizeof s->rule, "%s", what);
  fail(s, HD_STUCK, HD_FIELD_OUT);
}

/* Stores the outputs of the model, and takes its edge. */
static void step_model(const struct hd_sim *s, const void *in, void *out) {
  if (s->driver->cycle) {
    s->driver->cycle(s->model, in, out);
  } else {
    s->driver->eval(s->model, in, out);
    s->driver->tick(s->model, in);
  }
}

/* Stores the outputs of the model's inner blocks. To be called before its edge. */
static void show_inner(struct hd_sim *s, const void *in) {
  s->driver->inner(s->model, &s->o.cfg, in, s->model_inner);
}

enum hd_verdict hd_sim_cycle(struct hd_sim *s, const void *in, const void **out) {
  bool rtl = s->o.engine & HD_ENGINE_RTL, model = s->o.engine & HD_ENGINE_MODEL;
  if (s->verdict) return s->verdict;
  bool inner = rtl && model && s->driver->inner && s->cycle % s->o.inner_every == 0;
  *out = rtl ? s->rtl_out : s->model_out;
  if (s->record) hd_record_add(s->record, in);
  if (rtl) {
    s->rtl->set_in(s->m, in);
    hd_wave_model_inputs(s, in);
    hd_rtl_settle(s);
    s->rtl->get_out(s->m, s->rtl_out);
  }
  if (model) {
    if (inner) show_inner(s, in);
    step_model(s, in, s->model_out);
    s->model_leads = rtl;
    if (rtl && hd_compare_outputs(s)) return fail(s, HD_MISMATCH, HD_FIELD_OUT);
    if (inner && hd_compare_inner(s)) return fail(s, HD_MISMATCH, HD_FIELD_INNER);
  }
  if (s->oracle) {
    const char *rule = s->driver->watch(s->oracle, s->cycle, in, *out);
    const char *stuck = rule || !s->driver->stuck ? NULL : s->driver->stuck(s->oracle);
    if (rule || stuck) {
      snprintf(s->rule, sizeof s->rule, "%s", rule ? rule : stuck);
      return fail(s, rule ? HD_ORACLE : HD_STUCK, HD_FIELD_OUT);
    }
  }
  if (rtl && model) s->rtl->writes(s->m, s->written);
  if (rtl) hd_rtl_edge(s);
  s->model_leads = false;
  if (s->o.wave_cycles && s->cycle == s->o.wave_cycles) hd_wave_model_close(s);
  if (rtl && model) {
    if (hd_compare_state(s, s->cycle % s->o.table_every == s->o.table_every - 1))
      return fail(s, HD_MISMATCH, HD_FIELD_STATE);
    s->compared++;
  }
  /* An assertion may detect a planted fault first; the run continues, since the compare is being tested. */
  if (rtl && !s->o.fault && s->rtl->failed(s->m)) return fail(s, HD_ASSERT, HD_FIELD_STATE);
  s->cycle++;
  return HD_PASS;
}

const void *hd_sim_part_state(struct hd_sim *s, unsigned g) {
  bool rtl = s->o.engine & HD_ENGINE_RTL;
  if (rtl && s->rtl->netlist) return NULL;
  if (!s->shown_arch) s->shown_arch = zeroed(s->table->arch_size);
  if (rtl) /* valid bits of registers are read before these, from the same struct */
    s->rtl->get_arch(s->m, g, s->shown_arch, s->shown_arch, ~0u, 0);
  else
    s->driver->arch(s->model, g, s->shown_arch, false);
  return s->shown_arch;
}

unsigned hd_sim_part(const struct hd_sim *s, const char *name) {
  for (unsigned k = 0; k < s->list.ports; k++)
    if (s->list.port[k].kind == HD_FIELD_STATE && !strcmp(s->list.port[k].name, name)) return s->list.port[k].group;
  return 0;
}

const void *hd_sim_state(struct hd_sim *s) {
  const void *state = NULL;
  for (unsigned g = 0; g < s->list.groups; g++) state = hd_sim_part_state(s, g);
  return state;
}

enum hd_verdict hd_sim_finish(struct hd_sim *s) {
  if (s->verdict || s->o.engine != HD_ENGINE_BOTH) return s->verdict;
  if (hd_compare_state(s, true)) return fail(s, HD_MISMATCH, HD_FIELD_STATE);
  if (!s->driver->rests || !s->cycle) return HD_PASS;
  s->rtl->set_in(s->m, s->no_in);
  hd_rtl_settle(s);
  show_inner(s, s->no_in);
  return hd_compare_inner(s) ? fail(s, HD_MISMATCH, HD_FIELD_INNER) : HD_PASS;
}

void hd_sim_run_on(struct hd_sim *s, unsigned n) {
  if (s->model_leads) hd_rtl_edge(s);
  s->model_leads = false;
  s->cycle += s->verdict != HD_PASS;
  s->rtl->set_in(s->m, s->no_in);
  hd_wave_model_inputs(s, s->no_in);
  for (; n; n--, s->cycle++) {
    hd_rtl_settle(s);
    hd_rtl_edge(s);
  }
}

bool hd_sim_over(const struct hd_sim *s) {
  return s->driver->over && s->oracle && s->driver->over(s->oracle);
}

uint64_t hd_sim_cycles(const struct hd_sim *s) {
  return s->cycle;
}
uint64_t hd_sim_compared(const struct hd_sim *s) {
  return s->compared;
}

bool hd_sim_is_idle(struct hd_sim *s) {
  return s->last && s->o.engine == HD_ENGINE_MODEL && !s->record && !s->oracle && s->driver->still(s->model, s->last);
}

/* Runs the skipped cycles one by one on a copy of the model from before the skip. Returns true if the result is
 * equal. */
static bool steps_alike(const struct hd_sim *s, const void *in, uint64_t n) {
  bool alike = true;
  for (uint64_t k = 0; k < n && alike; k++) {
    s->driver->cycle(s->stepped, in, s->stepped_out);
    alike = memcmp(s->stepped_out, s->model_out, s->table->out_size) == 0;
  }
  return alike && memcmp(s->stepped, s->model, s->driver->size(&s->o.cfg)) == 0;
}

bool hd_sim_skip(struct hd_sim *s, const void *in, uint64_t n, bool check) {
  const size_t size = s->driver->size(&s->o.cfg);
  if (check && s->stepped == NULL) {
    s->stepped = zeroed(size);
    s->stepped_out = zeroed(s->table->out_size);
  }
  if (check) memcpy(s->stepped, s->model, size);
  s->driver->skip(s->model, s->last, n);
  s->cycle += n;
  return !check || steps_alike(s, in, n);
}

void hd_sim_now(struct hd_sim *s, const void *in, void *out) {
  s->driver->eval(s->model, in, out);
}
