/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A trace through heddle.hpp as `heddle run` has it, TB by TB: test_cpp.py compares the two. Reads numbers, not the
 * trace itself, so that no reader is shared:
 *   cpp_trace CONFIG POLICY KIND IDEAL TAKE_EVERY PENDING < numbers     KIND: 0 flat, 1 kernels, 2 groups
 *   kernels; for each: arrival hwq grid(3) block(3) registers shared, a duration for each TB,
 *     calls; for each: first last step before threads grid block(3) registers shared duration
 * Prints `tb kernel id smx slot dispatched done child` and `kernel number done`. */
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "heddle.hpp"

namespace {

typedef std::uint64_t Cycle;
enum { kPc = 0x2000, kChildPc = 0x3000, kLanes = 32 };

Cycle number() {
  Cycle n;
  if (std::scanf("%" SCNu64, &n) != 1) std::exit(2);
  return n;
}

std::uint32_t word() {
  return static_cast<std::uint32_t>(number());
}

heddle::Dim3 dim3() {
  heddle::Dim3 d;
  d.x = word(), d.y = word(), d.z = word();
  return d;
}

struct WarpCall {
  std::uint32_t first, last, step, threads;
  Cycle before, duration;
  heddle::Kernel child;
  bool of(std::uint32_t tb) const { return tb >= first && tb <= last && (tb - first) % step == 0; }
};

struct Kernel {
  Cycle arrival;
  heddle::Kernel launch;
  std::vector<Cycle> duration;
  std::vector<WarpCall> calls;
};

/* A TB in its slot, or between its last warp's answer and its end. */
struct Tb {
  heddle::Cta cta;
  std::uint32_t kernel, child; /* child 0: none; else its number from 1 on */
  Cycle order, end;
  std::size_t left;                            /* warps that launch and are not answered */
  std::vector<std::uint32_t> hw;               /* hardware warps */
  std::map<std::uint32_t, std::uint32_t> open; /* by warp: outstanding answers */
  std::map<std::uint32_t, Cycle> alone;        /* by warp: work of its threads that could not launch */
};

struct Child {
  std::uint32_t number, kernel, warp;
  Cycle duration, tbs;
  std::size_t place; /* of the TB that launched it */
};

struct Due {
  Cycle cycle, order;
  std::size_t place;
  std::uint32_t warp;
  const WarpCall *call;
  bool operator<(const Due &o) const { return cycle != o.cycle ? cycle < o.cycle : order < o.order; }
};

struct End {
  Cycle cycle, order;
  std::size_t place;
  bool operator<(const End &o) const { return cycle != o.cycle ? cycle < o.cycle : order < o.order; }
};

class Run {
 public:
  Run(const heddle::Options &o, heddle::Kind kind, bool ideal, Cycle take_every)
      : plane_(o),
        kind_(kind),
        ideal_(ideal),
        take_every_(take_every),
        order_(0),
        children_(0),
        launched_(0),
        calls_(0) {
    tbs_.resize(plane_.config().num_smx * plane_.config().ctas_per_smx);
    reports_.resize(plane_.config().num_smx);
    busy_.resize(plane_.config().num_smx);
  }

  void read() {
    kernels_.resize(number());
    for (Kernel &k : kernels_) {
      k.arrival = number();
      k.launch.stream = word();
      k.launch.grid = dim3();
      k.launch.block = dim3();
      k.launch.registers = word();
      k.launch.shared_bytes = word();
      k.launch.pc = kPc;
      k.duration.resize(std::size_t(k.launch.grid.x) * k.launch.grid.y * k.launch.grid.z);
      for (Cycle &d : k.duration) d = number();
      k.calls.resize(number());
      for (WarpCall &c : k.calls) {
        c.first = word(), c.last = word(), c.step = word();
        c.before = number();
        c.threads = word();
        c.child.grid.x = word();
        c.child.block = dim3();
        c.child.registers = word();
        c.child.shared_bytes = word();
        c.child.pc = kChildPc;
        c.duration = number();
      }
    }
  }

  void run() {
    while (launched_ < kernels_.size() || plane_.busy()) {
      launch();
      end_tbs();
      call();
      if (take_every_ > 1)
        for (std::uint32_t s = 0; s < plane_.config().num_smx; s++)
          plane_.stall(s, (plane_.now() + s) % take_every_ != 0);
      const Cycle now = plane_.now();
      plane_.cycle();
      see_reports(now);
      see_done();
      for (heddle::Cta cta; plane_.next_cta(cta);) take(cta);
      for (heddle::Answer answer; plane_.next_answer(answer);) see(answer);
    }
  }

 private:
  std::size_t place_of(std::uint32_t smx, std::uint32_t slot) const {
    return std::size_t(smx) * plane_.config().ctas_per_smx + slot;
  }

  void launch() {
    for (; launched_ < kernels_.size() && kernels_[launched_].arrival <= plane_.now(); launched_++)
      host_[plane_.launch(kernels_[launched_].launch)] = static_cast<std::uint32_t>(launched_);
  }

  void end_tbs() {
    while (!ends_.empty() && ends_.begin()->cycle <= plane_.now()) {
      const heddle::Cta &c = tbs_[ends_.begin()->place].cta;
      plane_.cta_done(c.smx, c.slot);
      reports_[c.smx].push_back(ends_.begin()->place);
      ends_.erase(ends_.begin());
    }
  }

  /* The adapter reports one TB of an SMX in a cycle, in the order in which they ended. */
  void see_reports(Cycle now) {
    for (std::deque<std::size_t> &q : reports_) {
      if (q.empty()) continue;
      Tb &t = tbs_[q.front()];
      q.pop_front();
      for (std::uint32_t w : t.hw) busy_[t.cta.smx] &= ~(Cycle(1) << w);
      std::printf("tb %u %u %u %u %" PRIu64 " %" PRIu64 " %u\n", t.kernel, t.cta.index, t.cta.smx, t.cta.slot,
                  t.cta.cycle, now, t.child);
    }
  }

  void see_done() {
    for (heddle::Done d; plane_.next_done(d);) {
      if (d.failed) std::exit(3);
      if (d.kind != heddle::Kind::host) continue;
      std::printf("kernel %u %" PRIu64 "\n", host_.at(d.launch), d.cycle);
    }
  }

  void take(const heddle::Cta &cta) {
    const std::size_t place = place_of(cta.smx, cta.slot);
    Tb &t = tbs_[place];
    t = Tb();
    t.cta = cta;
    t.order = order_++;
    Cycle duration;
    heddle::Dim3 block;
    if (cta.kind == heddle::Kind::host) {
      const Kernel &k = kernels_[host_.at(cta.launch)];
      t.kernel = host_.at(cta.launch);
      duration = k.duration[cta.index];
      block = k.launch.block;
    } else {
      const Child &c = child_.at(cta.launch);
      t.kernel = c.kernel;
      t.child = c.number;
      duration = c.duration;
      block = child_block_.at(cta.launch);
    }
    const std::uint32_t warps = (block.x * block.y * block.z + kLanes - 1) / kLanes;
    for (std::uint32_t w = 0; t.hw.size() < warps; w++) {
      if (busy_[cta.smx] >> w & 1) continue;
      busy_[cta.smx] |= Cycle(1) << w;
      t.hw.push_back(w);
    }
    t.end = cta.cycle + duration;
    if (cta.kind == heddle::Kind::host)
      for (const WarpCall &c : kernels_[t.kernel].calls) {
        if (!c.of(cta.index)) continue;
        const Cycle runtime = ideal_ ? 0 : plane_.device_cycles(kind_, c.threads);
        const Cycle later = std::max<Cycle>(1, c.before + runtime);
        const Due due = {cta.cycle + later, calls_++, place, static_cast<std::uint32_t>(t.left++), &c};
        due_.insert(due);
      }
    if (t.left == 0) finish(place);
  }

  void finish(std::size_t place) {
    const End e = {tbs_[place].end, tbs_[place].order, place};
    ends_.insert(e);
  }

  /* The warp continues in cycle `now`, with `after` cycles of work. */
  void answered(std::size_t place, Cycle now, Cycle after) {
    Tb &t = tbs_[place];
    t.end = std::max(t.end, now + std::max<Cycle>(1, after));
    if (--t.left == 0) finish(place);
  }

  void call() {
    while (!due_.empty() && due_.begin()->cycle <= plane_.now()) {
      const Due d = *due_.begin();
      due_.erase(due_.begin());
      Tb &t = tbs_[d.place];
      std::vector<heddle::Call> calls(d.call->threads);
      for (std::uint32_t lane = 0; lane < d.call->threads; lane++) {
        calls[lane].lane = lane;
        calls[lane].kernel = d.call->child;
        calls[lane].kernel.user = d.place;
      }
      std::vector<std::uint32_t> numbers;
      const heddle::Warp warp = {t.cta.smx, t.cta.slot, t.hw[d.warp] * kLanes};
      if (plane_.device_launch(warp, kind_, calls, &numbers) != heddle::Plane::Room::ok) {
        answered(d.place, plane_.now(), d.call->duration * d.call->child.grid.x);
        continue;
      }
      t.open[d.warp] = d.call->threads;
      for (std::uint32_t n : numbers) {
        const Child c = {++children_, t.kernel, d.warp, d.call->duration, d.call->child.grid.x, d.place};
        child_[n] = c;
        child_block_[n] = d.call->child.block;
      }
    }
  }

  void see(const heddle::Answer &a) {
    const Child &c = child_.at(a.launch);
    Tb &t = tbs_[c.place];
    if (!a.taken()) t.alone[c.warp] = std::max(t.alone[c.warp], c.duration * c.tbs);
    if (--t.open[c.warp] == 0) answered(c.place, a.cycle, t.alone[c.warp]);
  }

  heddle::Plane plane_;
  heddle::Kind kind_;
  bool ideal_;
  Cycle take_every_, order_;
  std::uint32_t children_;
  std::size_t launched_;
  Cycle calls_;
  std::vector<Kernel> kernels_;
  std::map<std::uint32_t, std::uint32_t> host_; /* the trace's number of a launch */
  std::map<std::uint32_t, Child> child_;
  std::map<std::uint32_t, heddle::Dim3> child_block_;
  std::vector<Tb> tbs_; /* by place */
  std::set<End> ends_;
  std::set<Due> due_;
  std::vector<std::deque<std::size_t>> reports_;
  std::vector<Cycle> busy_; /* by SMX: hardware warps that are taken */
};

/* "tiny+NumSmx=3": a configuration and changes to it. */
heddle::Options options(const std::string &name) {
  heddle::Options o;
  std::size_t from = name.find('+');
  o.config = name.substr(0, from);
  while (from != std::string::npos) {
    const std::size_t to = name.find('+', from + 1);
    o.set.push_back(name.substr(from + 1, to == std::string::npos ? to : to - from - 1));
    from = to;
  }
  return o;
}

} /* namespace */

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  const int kind = std::atoi(argv[3]);
  heddle::Options o = options(argv[1]);
  o.policy = static_cast<hd_policy>(std::atoi(argv[2]));
  o.device_launches = kind != 0;
  o.pending = static_cast<std::uint32_t>(std::atoi(argv[6]));
  Run run(o, kind == 1 ? heddle::Kind::kernel : heddle::Kind::group, std::atoi(argv[4]) != 0,
          static_cast<Cycle>(std::atoi(argv[5])));
  run.read();
  run.run();
  return 0;
}
