/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The core loop of a trace-driven GPU simulator, with the plane as its thread-block scheduler; names as in GPGPU-Sim.
 * An SMX here holds a TB for the cycles that the trace states. docs/simulators.md explains it.
 *     simulator FILE      a trace of version 1 with fixed durations (docs/trace.md); prints a row for each TB as it
 *     ends */
#include <cstdio>
#include <fstream>
#include <heddle/heddle.hpp>
#include <sstream>

struct TraceKernel {
  std::uint64_t arrival, cycles;
  heddle::Kernel info;
};

/* Counterpart of shader_core_ctx: an SMX and its TBs. */
class Core {
 public:
  void issue_block2core(const heddle::Cta &cta, std::uint64_t cycles) {
    const Running r = {cta, cycles};
    running_.push_back(r);
  }
  /* A simulator issues instructions of the TBs' warps here. */
  void cycle(heddle::Plane &plane) {
    for (std::size_t k = 0; k < running_.size();)
      if (--running_[k].left == 0)
        register_cta_exit(plane, k);
      else
        k++;
  }

 private:
  struct Running {
    heddle::Cta cta;
    std::uint64_t left;
  };
  /* Work of register_cta_thread_exit() when the last thread of a TB has left. */
  void register_cta_exit(heddle::Plane &plane, std::size_t k) {
    const heddle::Cta &c = running_[k].cta;
    plane.cta_done(c.smx, c.slot);
    std::printf("%u,%u,%u,%u,%llu,%llu\n", static_cast<unsigned>(c.user), c.index, c.smx, c.slot,
                static_cast<unsigned long long>(c.cycle), static_cast<unsigned long long>(plane.now()));
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  std::vector<Running> running_; /* in order of arrival */
};

/* Counterpart of gpgpu_sim. */
class Gpu {
 public:
  explicit Gpu(const std::vector<TraceKernel> &trace) : trace_(trace), core_(plane_.config().num_smx), next_(0) {}
  bool active() const { return next_ < trace_.size() || plane_.busy(); }
  void cycle() {
    for (Core &c : core_) c.cycle(plane_);
    launch();
    plane_.cycle();
    issue_block2core();
    for (heddle::Done d; plane_.next_done(d);) set_kernel_done(d);
  }

 private:
  /* In place of can_start_kernel() and launch(). */
  void launch() {
    while (next_ < trace_.size() && trace_[next_].arrival <= plane_.now() &&
           plane_.can_launch(trace_[next_].info.stream))
      plane_.launch(trace_[next_++].info);
  }
  /* In place of select_kernel(), can_issue_1block() and the clusters' round robin. */
  void issue_block2core() {
    for (heddle::Cta cta; plane_.next_cta(cta);) core_[cta.smx].issue_block2core(cta, trace_[cta.user].cycles);
  }
  void set_kernel_done(const heddle::Done &d) {
    if (d.code != HD_CODE_ACCEPTED)
      std::fprintf(stderr, "kernel %u: %s\n", static_cast<unsigned>(d.user), hd_code_text(d.code));
  }

  const std::vector<TraceKernel> &trace_;
  heddle::Plane plane_;
  std::vector<Core> core_;
  std::size_t next_;
};

static bool read(const char *name, std::vector<TraceKernel> &trace) {
  std::ifstream file(name);
  std::string line;
  if (!std::getline(file, line) || line != "heddle-trace 1") return false;
  while (std::getline(file, line)) {
    TraceKernel k;
    heddle::Kernel &i = k.info;
    std::istringstream fields(line.substr(0, line.find('#')));
    fields >> k.arrival >> i.stream >> i.grid.x >> i.grid.y >> i.grid.z >> i.block.x >> i.block.y >> i.block.z >>
        i.registers >> i.shared_bytes >> k.cycles;
    if (!fields || k.cycles == 0) return false;
    i.user = trace.size();
    trace.push_back(k);
  }
  return true;
}

int main(int argc, char **argv) {
  std::vector<TraceKernel> trace;
  if (argc != 2 || !read(argv[1], trace)) {
    std::fprintf(stderr, "usage: simulator FILE, a trace of version 1 with fixed durations\n");
    return 2;
  }
  for (Gpu gpu(trace); gpu.active();) gpu.cycle();
  return 0;
}
