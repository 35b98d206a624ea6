// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
#include <memory>

#include "Vrtl.h"
#include "verilated.h"

#pragma GCC visibility push(default)
extern "C" {
#include "common_tb.h"
}
#pragma GCC visibility pop

namespace {

struct instance {
  std::unique_ptr<VerilatedContext> ctx{new VerilatedContext};
  std::unique_ptr<Vrtl> top;
};

instance *as_instance(void *tb) {
  return static_cast<instance *>(tb);
}

void clock(instance *n, int level) {
  Verilated::threadContextp(n->ctx.get());  // a failed assertion is recorded on the thread's context
  n->top->clk_i = level;
  n->top->eval();
  n->ctx->timeInc(1);
}

}  // namespace

void *common_open(uint64_t seed) {
  instance *n = new instance;
  n->ctx->randReset(2);
  n->ctx->randSeed(static_cast<int>(seed & 0x7ffffffe) + 1);
  n->ctx->fatalOnError(false);
  n->top.reset(new Vrtl{n->ctx.get()});
  n->top->in_i = 0;
  n->top->rst_ni = 0;
  clock(n, 0);
  clock(n, 1);
  clock(n, 0);
  n->top->rst_ni = 1;
  clock(n, 0);
  return n;
}

void common_close(void *tb) {
  // Destroying a model removes its scopes from the thread's context, so make its own context current; otherwise the
  // scopes would be removed from that of the instance that ran last.
  Verilated::threadContextp(as_instance(tb)->ctx.get());
  as_instance(tb)->top->final();
  delete as_instance(tb);
}

uint64_t common_eval(void *tb, unsigned slot, uint64_t in) {
  instance *n = as_instance(tb);
  n->top->slot_i = static_cast<uint8_t>(slot);
  n->top->in_i = in;
  clock(n, 0);
  return n->top->out_o;
}

void common_edge(void *tb) {
  clock(as_instance(tb), 1);
}

int common_failed(void *tb) {
  return as_instance(tb)->ctx->gotError();
}
