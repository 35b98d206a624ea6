// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
#include <cstring>
#include <deque>
#include <memory>

#include "Vrtl.h"
#include "Vrtl___024root.h"
#include "Vrtl_hd_fault_pkg.h"
#include "verilated.h"

#pragma GCC visibility push(default)
extern "C" {
#include "demo_tb.h"
}
#pragma GCC visibility pop

namespace {

constexpr unsigned BIT = 25;  // cycles: 25 MHz, 1 Mbit/s

// One direction of the serial line: ten bits of BIT cycles each, a start bit 0, eight of data, a stop bit 1.
struct wire {
  std::deque<uint8_t> bytes;
  unsigned bits = 0, left = 0, cycles = 0;  // the byte under way: its bits, how many are left, cycles of this one
};

struct instance {
  std::unique_ptr<VerilatedContext> ctx{new VerilatedContext};
  std::unique_ptr<Vrtl> top;
  wire to, from;
  unsigned bad = 0;
};

instance *as_instance(void *tb) {
  return static_cast<instance *>(tb);
}

const instance *as_instance(const void *tb) {
  return static_cast<const instance *>(tb);
}

// Returns the bit that the host drives in this cycle.
unsigned sent(wire &w) {
  if (w.left == 0) {
    if (w.bytes.empty()) return 1;
    w.bits = 1u << 9 | static_cast<unsigned>(w.bytes.front()) << 1;
    w.bytes.pop_front();
    w.left = 10;
    w.cycles = 0;
  }
  const unsigned bit = w.bits & 1;
  if (++w.cycles == BIT) {
    w.cycles = 0;
    w.bits >>= 1;
    w.left--;
  }
  return bit;
}

// Samples the bit that the board drives, in the middle of each. Returns true if a byte is complete.
bool received(instance *n, unsigned bit) {
  wire &w = n->from;
  if (w.left == 0) {
    if (bit) return false;
    w.left = 10;
    w.bits = w.cycles = 0;
  }
  if (++w.cycles == BIT / 2) w.bits |= bit << (10 - w.left);
  if (w.cycles < BIT) return false;
  w.cycles = 0;
  if (--w.left > 0) return false;
  n->bad += (w.bits >> 9) == 0;
  w.bytes.push_back(static_cast<uint8_t>(w.bits >> 1));
  return true;
}

void edge(instance *n, int level) {
  n->top->clk_25mhz = level;
  n->top->eval();
  n->ctx->timeInc(1);
}

}  // namespace

void *demo_open(uint64_t seed, unsigned fault) {
  instance *n = new instance;
  n->ctx->randReset(2);
  n->ctx->randSeed(static_cast<int>(seed & 0x7ffffffe) + 1);
  n->ctx->fatalOnError(false);
  Verilated::threadContextp(n->ctx.get());
  n->top.reset(new Vrtl{n->ctx.get()});
  n->top->rootp->__PVT__hd_fault_pkg->sel = fault;
  n->top->btn0 = 1;
  n->top->ftdi_txd = 1;
  edge(n, 0);
  return n;
}

void demo_close(void *tb) {
  Verilated::threadContextp(as_instance(tb)->ctx.get());
  as_instance(tb)->top->final();
  delete as_instance(tb);
}

void demo_send(void *tb, const uint8_t *bytes, size_t n) {
  wire &w = as_instance(tb)->to;
  w.bytes.insert(w.bytes.end(), bytes, bytes + n);
}

uint64_t demo_run(void *tb, uint64_t most) {
  instance *n = as_instance(tb);
  Verilated::threadContextp(n->ctx.get());  // a failed assertion is recorded on the thread's context
  for (uint64_t cycles = 1; cycles <= most; cycles++) {
    n->top->ftdi_txd = static_cast<uint8_t>(sent(n->to));
    edge(n, 1);
    edge(n, 0);
    if (received(n, n->top->ftdi_rxd)) return cycles;
  }
  return most;
}

size_t demo_receive(void *tb, uint8_t *bytes, size_t room) {
  std::deque<uint8_t> &from = as_instance(tb)->from.bytes;
  size_t count = 0;
  for (; count < room && !from.empty(); count++) {
    bytes[count] = from.front();
    from.pop_front();
  }
  return count;
}

unsigned demo_bad_bytes(const void *tb) {
  return as_instance(tb)->bad;
}

void demo_press(void *tb, int pressed) {
  as_instance(tb)->top->btn0 = !pressed;
}

unsigned demo_leds(const void *tb) {
  return as_instance(tb)->top->led;
}

int demo_failed(const void *tb) {
  return as_instance(tb)->ctx->gotError();
}
