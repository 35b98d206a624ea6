// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// bind_api: the C interface of one Verilated block (contracts: rtl_api.h). Included once, at the end of each binding
// that rtl/hdgen writes. Each instance has its own Verilator context, so that a process can have several.
#pragma once

#include <cstdio>
#include <cstdlib>

#if VM_TRACE
#include "Vmodel.h"
#include "Vposition.h"
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#ifdef HD_FAULT_BUILD
#include "Vrtl_hd_fault_pkg.h"
#endif

namespace {

enum { STEP_PS = 500 };  // a cycle is two steps: 1 ns

struct instance {
  std::unique_ptr<VerilatedContext> ctx{new VerilatedContext};
  std::unique_ptr<Vrtl> top;
  bool inputs_known = false;
  alignas(8) unsigned char last_in[HD_IN_BYTES] = {};    // last inputs that were set
  alignas(8) unsigned char last_out[HD_OUT_BYTES] = {};  // wide outputs at the last get_out()
  std::unique_ptr<unsigned char[]> last_inner{new unsigned char[HD_INNER_BYTES]()};  // the same for get_inner()
  std::unique_ptr<unsigned char[]> rows{new unsigned char[HD_TABLE_BYTES]()};  // table rows at the last get_arch()
  unsigned char last[HD_GROUPS][HD_GROUP_BYTES] = {};                          // registers at the last changed()
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> wave;
  const struct hd_wave_extra *extra = nullptr;  // additional values to record, as signals of two small modules:
  std::unique_ptr<Vposition> position;          // the cycle number,
  std::unique_ptr<Vmodel> model;                // and the values of the golden model
#endif

  void step(int clk) {
    Verilated::threadContextp(ctx.get());  // Verilator records a failed assertion in the context of the thread
    top->clk_i = clk;
    top->eval();
    ctx->timeInc(STEP_PS);
#if VM_TRACE
    if (!wave) return;
    if (extra) {
      extra->look(extra->ctx);
      position->cycle = *extra->cycle;
      for (unsigned k = 0; k < extra->n; k++) model->value[k] = extra->value[k];
      position->eval();
      model->eval();
    }
    wave->dump(ctx->time());
#endif
  }
};

// Verilator takes the context for random initial values and scopes from the thread. This one replaces that of an
// instance that is destroyed.
VerilatedContext *idle_context() {
  static VerilatedContext idle;
  return &idle;
}

instance *as_instance(void *m) {
  return static_cast<instance *>(m);
}

void api_cfg(struct hd_cfg *cfg) {
  memset(cfg, 0, sizeof *cfg);
  strcpy(cfg->name, HD_CONFIG);
  HD_CFG_VALUES
}

void *api_create(uint64_t seed) {
  instance *n = new instance;
  Verilated::threadContextp(n->ctx.get());
  n->ctx->randReset(2);
  n->ctx->randSeed(static_cast<int>(seed & 0x7ffffffe) + 1);
  n->ctx->traceEverOn(true);
  n->ctx->fatalOnError(false);
  n->top.reset(new Vrtl{n->ctx.get(), HD_BLOCK});
  n->top->clk_i = 0;
  n->top->rst_ni = 1;
#if VM_TRACE
  n->position.reset(new Vposition{n->ctx.get(), "lockstep"});
  n->model.reset(new Vmodel{n->ctx.get(), "lockstep"});
#endif
  return n;
}

#if VM_TRACE
// Aborts unless the names in the build equal those of the harness, in the same order: both are generated from the
// tables, but the build may be old.
void check_names(const struct hd_wave_extra &e) {
  unsigned n = 0;
  while (n < e.n && wave_names[n] && !strcmp(wave_names[n], e.name[n])) n++;
  if (n == e.n && !wave_names[n]) return;
  fprintf(stderr, "heddle: the build of %s records %s where the harness compares %s; build the block again\n", HD_BLOCK,
          wave_names[n] ? wave_names[n] : "nothing", n < e.n ? e.name[n] : "nothing");
  abort();
}
#endif

void api_wave_beside(void *m, const struct hd_wave_extra *e) {
#if VM_TRACE
  as_instance(m)->extra = e;
#else
  (void)m;
  (void)e;
#endif
}

void api_wave_close(void *m) {
#if VM_TRACE
  instance *n = as_instance(m);
  if (n->wave) n->wave->close();
  n->wave.reset();
  n->extra = nullptr;
#else
  (void)m;
#endif
}

void api_destroy(void *m) {
  api_wave_close(m);
  instance *n = as_instance(m);
  Verilated::threadContextp(n->ctx.get());
  n->top->final();
  n->top.reset();
#if VM_TRACE
  n->position.reset();
  n->model.reset();
#endif
  Verilated::threadContextp(idle_context());
  delete n;
}

void api_reset(void *m, unsigned cycles) {
  instance *n = as_instance(m);
  n->top->rst_ni = 0;
  n->step(0);
  for (unsigned i = 0; i < cycles; i++) {
    n->step(1);
    n->step(0);
  }
  n->top->rst_ni = 1;
  n->step(0);
}

void api_set_in(void *m, const void *in) {
  instance *n = as_instance(m);
  set_in(n->top.get(), in, n->last_in, !n->inputs_known);
  n->inputs_known = true;
}
void api_settle(void *m) {
  as_instance(m)->step(0);
}
void api_edge(void *m) {
  as_instance(m)->step(1);
}
void api_get_out(void *m, void *out) {
  get_out(as_instance(m)->top.get(), out, as_instance(m)->last_out);
}

void api_get_inner(void *m, void *inner) {
  get_inner(as_instance(m)->top.get(), inner, as_instance(m)->last_inner.get());
}

void api_get_arch(void *m, unsigned group, void *arch, const void *valid, unsigned mask, int tables) {
  get_arch(as_instance(m)->top.get(), group, arch, valid, mask, tables, as_instance(m)->rows.get() + table_at[group]);
}

void api_get_row(void *m, unsigned group, unsigned row, void *arch, const void *valid) {
  get_row(as_instance(m)->top.get(), group, row, arch, valid, as_instance(m)->rows.get() + table_at[group]);
}

void api_writes(void *m, int32_t *row) {
  get_writes(as_instance(m)->top.get(), row);
}

unsigned api_changed(void *m, unsigned group) {
  return arch_changed(as_instance(m)->top.get(), group, as_instance(m)->last[group]);
}

int api_failed(void *m) {
  return as_instance(m)->ctx->gotError();
}

void api_wave_open(void *m, const char *file) {
#if VM_TRACE
  instance *n = as_instance(m);
  n->wave.reset(new VerilatedFstC);
  if (n->extra && n->extra->n) check_names(*n->extra);
  n->top->trace(n->wave.get(), 99);
  if (n->extra) n->position->trace(n->wave.get(), 99);
  if (n->extra && n->extra->n) n->model->trace(n->wave.get(), 99);  // otherwise its signals would stay 0
  n->wave->open(file);
#else
  (void)m;
  (void)file;
#endif
}

int api_fault(void *m, unsigned id) {
#ifdef HD_FAULT_BUILD
  as_instance(m)->top->rootp->__PVT__hd_fault_pkg->sel = id;
  return 1;
#else
  (void)m;
  (void)id;
  return 0;
#endif
}

int api_coverage(void *m, const char *file) {
#if VM_COVERAGE
  as_instance(m)->ctx->coveragep()->forcePerInstance(true);
  as_instance(m)->ctx->coveragep()->write(file);
  return 1;
#else
  (void)m;
  (void)file;
  return 0;
#endif
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const struct hd_rtl_api hd_rtl;
const struct hd_rtl_api hd_rtl = {HD_BLOCK,      HD_CONFIG,  HD_NETLIST,    api_cfg,        api_create, api_destroy,
                                  api_reset,     api_set_in, api_settle,    api_get_out,    api_edge,   api_changed,
                                  api_get_arch,  api_failed, api_wave_open, api_wave_close, api_fault,  api_coverage,
                                  api_get_inner, api_writes, api_get_row,   api_wave_beside};
