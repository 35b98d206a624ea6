/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle.hpp: the whole plane as the thread-block scheduler of a GPU simulator, for C++11 and newer. A single header on
 * top of the library; docs/simulators.md shows where each call belongs in GPGPU-Sim, Accel-Sim and MGPUSim.
 *
 *     heddle::Plane plane;                                // k20c; heddle::Options select others
 *     for (each cycle of the simulator) {
 *       if (a kernel is due && plane.can_launch()) plane.launch(kernel);
 *       for (each TB that has ended) plane.cta_done(smx, slot);
 *       plane.cycle();
 *       for (heddle::Cta cta; plane.next_cta(cta);) core[cta.smx].run(cta);        // TBs handed out in this cycle
 *       for (heddle::Done done; plane.next_done(done);) ...                        // launches that are complete
 *     }
 *
 * Calls between two calls of cycle() are the inputs of the next one, in any order; the results of cycle() wait in
 * queues until they are fetched. So a TB that is handed out in cycle t and runs for d cycles is reported with
 * cta_done() before cycle t + d.
 *
 * The same launches, completions and stalls put the same TB into the same slot of the same SMX in the same cycle as
 * `heddle run` does, with its golden model or its RTL (verif/unit/api/test_cpp.sh).
 *
 * Errors. A full table is not an error: can_launch() reports it in advance, and a launch from the device returns the
 * missing resource or is answered. Misuse throws heddle::Error, whose text says what would be accepted: a
 * configuration, SMX or slot that does not exist, the completion of a TB that does not run, a launch whose fields do
 * not fit. Nothing is changed then. Every call may throw std::bad_alloc; afterwards the plane can only be destroyed.
 *
 * A Plane owns its memory, can be moved but not copied, and is independent of others: planes may run in parallel in
 * threads. Every call on a plane that was moved from throws. */
#ifndef HD_HEDDLE_HPP
#define HD_HEDDLE_HPP

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#if defined(__GNUC__) /* the library's headers are C: flexible arrays, functions with the name of a struct */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include "heddle.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace heddle {

/* Misuse by the caller. */
class Error : public std::logic_error {
 public:
  explicit Error(const std::string &text) : std::logic_error("heddle: " + text) {}
};

struct Options {
  std::string config;           /* a named configuration, "k20c" */
  std::vector<std::string> set; /* changes to it, such as "NumSmx=8", applied in this order */
  hd_policy policy;             /* policy of the SMX scheduler (default HD_POLICY_RR) */
  /* TBs may launch (default false); the plane then writes its region registers before it accepts the first host
   * launch, which takes some cycles */
  bool device_launches;
  std::uint32_t pending; /* maximum number of unfinished launches from the device (default 2048) */
  /* cycles of a burst of the plane's own memory traffic, 1 or more (default 120) */
  std::uint32_t memory_latency;
  Options() : config("k20c"), policy(HD_POLICY_RR), device_launches(false), pending(2048), memory_latency(120) {}
};

struct Dim3 {
  std::uint32_t x, y, z;
  Dim3(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
};

/* A kernel, or a group of TBs, as a program launches it. */
struct Kernel {
  Dim3 grid, block;           /* in TBs; in threads of a TB. Limits: struct hd_launch_args of api/runtime.h */
  std::uint32_t registers;    /* per thread, 0 .. 255 */
  std::uint32_t shared_bytes; /* per TB */
  /* entry PC, or any other identifier of the function, 40 bits: a group joins a kernel with its own PC, TB size and
   * shared memory */
  std::uint64_t pc;
  /* host: hardware queue, 0 .. NumHwq - 1, whose kernels run one after the other. Kernel from the device: its device
   * stream, 0: none. Group: ignored */
  std::uint32_t stream;
  std::uint64_t user; /* for the caller; returned with every report about the launch */
  Kernel() : registers(0), shared_bytes(0), pc(0), stream(0), user(0) {}
};

enum class Kind { host, kernel, group }; /* launched by the host; by a TB (CDP); by a TB as a group (DTBL) */

/* A TB that was handed out. */
struct Cta {
  std::uint32_t smx, slot;
  std::uint64_t cycle;  /* in which its SMX took it */
  std::uint32_t launch; /* number returned by launch() or device_launch() */
  Kind kind;            /* of that launch */
  std::uint64_t user;
  std::uint32_t index; /* linear id in its grid */
  Dim3 at;             /* the same as blockIdx */
  std::uint32_t level; /* nesting depth: 0 for the host's kernels, at most MaxLevel */
  bool joined;         /* TB of a group that joined an existing kernel */
};

/* A launch that is complete: one of the host when the plane reports it, together with all kernels that its TBs have
 * launched; one from the device when its last TB has ended. */
struct Done {
  std::uint32_t launch;
  Kind kind;
  std::uint64_t user;
  std::uint64_t cycle;
  hd_code code; /* HD_CODE_ACCEPTED; another code is why the plane did not accept this kernel of the host */
  bool failed;  /* it did not run to its end */
};

/* The plane's answer to a launch from the device. */
struct Answer {
  std::uint32_t launch;
  Kind kind;
  std::uint64_t user;
  std::uint32_t smx, slot, lane; /* the thread that launched */
  std::uint64_t cycle;
  hd_code code; /* HD_CODE_REFUSED: the table that would hold it is full */
  /* If false, this is the end of the launch. */
  bool taken() const { return code == HD_CODE_ACCEPTED || code == HD_CODE_KEPT; }
};

/* The warp of a TB whose threads launch. */
struct Warp {
  std::uint32_t smx, slot;
  std::uint32_t thread; /* hardware thread of its lane 0, 0 .. ThreadsPerSmx - 1 */
};

/* The launch of one thread. */
struct Call {
  std::uint32_t lane; /* 0 .. 31 */
  Kernel kernel;
};

namespace detail {

/* The memory behind the plane's AXI4 port: pages allocated on first access, a fixed latency, every channel ready, one
 * read beat and one write answer per cycle, in order. */
class Memory {
 public:
  explicit Memory(std::uint32_t latency) : latency_(latency), now_(0) {}

  void write(std::uint64_t addr, const std::uint8_t *bytes, std::size_t n) {
    for (std::size_t k = 0; k < n; k++) *at(addr + k) = bytes[k];
  }

  /* Before the plane's cycle, and after it. */
  void drive(hd_top_in &in) {
    in.rvalid = !reads_.empty() && reads_.front().due <= now_;
    in.rid = in.rlast = 0;
    in.rdata[0] = in.rdata[1] = 0;
    if (in.rvalid) give(in);
    in.bvalid = !writes_.empty() && writes_.front().due <= now_;
    in.bid = in.bvalid ? writes_.front().id : 0;
    if (in.bvalid) {
      store(writes_.front());
      writes_.pop_front();
    }
    in.awready = in.wready = writes_.size() + open_.size() + data_.size() < kBursts - 1;
    in.arready = reads_.size() < kBursts;
  }

  void follow(const hd_top_in &in, const hd_top_out &out) {
    if (out.awvalid && in.awready) open_.push_back(Burst(out.awaddr, out.awid));
    if (out.wvalid && in.wready) take(out);
    while (!open_.empty() && !data_.empty() && data_.front().whole) {
      data_.front().addr = open_.front().addr;
      data_.front().id = open_.front().id;
      data_.front().due = now_ + latency_;
      writes_.push_back(data_.front());
      open_.pop_front();
      data_.pop_front();
    }
    if (out.arvalid && in.arready) {
      Burst b(out.araddr, out.arid);
      for (unsigned k = 0; k < (out.arlen + 1u) * kBeat; k++) b.bytes.push_back(*at(b.addr + k));
      b.due = now_ + latency_;
      reads_.push_back(b);
    }
    now_++;
  }

 private:
  enum { kBeat = 16, kPage = 4096, kBursts = 128 }; /* kBursts: maximum in flight, per direction */

  struct Burst {
    std::uint64_t addr, due;
    std::uint8_t id;
    bool whole;        /* all of its data has arrived */
    unsigned reported; /* beats of a read already returned */
    std::vector<std::uint8_t> bytes;
    std::vector<bool> strobe; /* of a write */
    Burst(std::uint64_t addr_, std::uint8_t id_) : addr(addr_), due(0), id(id_), whole(false), reported(0) {}
  };

  std::uint8_t *at(std::uint64_t addr) {
    std::vector<std::uint8_t> &page = pages_[addr / kPage];
    if (page.empty()) page.resize(kPage);
    return &page[addr % kPage];
  }

  void give(hd_top_in &in) {
    Burst &b = reads_.front();
    in.rid = b.id;
    for (unsigned k = 0; k < kBeat; k++)
      in.rdata[k / 8] |= static_cast<std::uint64_t>(b.bytes[b.reported * kBeat + k]) << 8 * (k % 8);
    in.rlast = ++b.reported * kBeat == b.bytes.size();
    if (in.rlast) reads_.pop_front();
  }

  void take(const hd_top_out &out) {
    if (data_.empty() || data_.back().whole) data_.push_back(Burst(0, 0));
    Burst &b = data_.back();
    for (unsigned k = 0; k < kBeat; k++) {
      b.bytes.push_back(static_cast<std::uint8_t>(out.wdata[k / 8] >> 8 * (k % 8)));
      b.strobe.push_back(out.wstrb >> k & 1);
    }
    b.whole = out.wlast;
  }

  void store(const Burst &b) {
    for (std::size_t k = 0; k < b.bytes.size(); k++)
      if (b.strobe[k]) *at(b.addr + k) = b.bytes[k];
  }

  std::uint32_t latency_;
  std::uint64_t now_;
  std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> pages_;
  std::deque<Burst> reads_, writes_; /* in flight */
  std::deque<Burst> open_, data_;    /* writes whose data, or address, is incomplete */
};

struct Free {
  void operator()(void *p) const { std::free(p); }
};

} /* namespace detail */

class Plane {
 public:
  /* A plane after reset. Throws Error for a configuration that does not exist or violates a limit. */
  explicit Plane(const Options &options = Options());

  /* The configuration: config().num_smx, .ctas_per_smx, .. */
  const hd_cfg &config() const { return my().cfg; }
  /* The cycle that the next cycle() runs; starts at 0. */
  std::uint64_t now() const { return my().now; }

  /* ---- The host ---- */

  /* Returns true if a kernel launched now on this hardware queue is certain to find room in it, and need not wait for
   * an earlier kernel to be offered. A simulator checks this before it lets a stream launch. */
  bool can_launch(std::uint32_t stream = 0) const;
  /* Launches a kernel and returns its number, which identifies it in all reports. May be called at any time: kernels
   * that the plane cannot accept yet wait here, in order. Numbers ascend, shared with device_launch(). */
  std::uint32_t launch(const Kernel &kernel);

  /* ---- SMXs ---- */

  /* The TB in that slot has ended. Each SMX reports at most one TB per cycle, in the order of the calls. A TB with an
   * unanswered launch from the device is reported in the cycle after the answer. */
  void cta_done(std::uint32_t smx, std::uint32_t slot);
  /* Makes that SMX refuse TBs (true) or accept them again (false). */
  void stall(std::uint32_t smx, bool stalled);

  /* ---- Launches from the device: Options::device_launches ---- */

  enum class Room { ok, no_record, no_buffer };
  /* Threads of a warp launch, as kernels or as groups: the command is offered from the next cycle on, after earlier
   * ones of its SMX. Requires 1 to 32 calls with ascending lanes. Appends the numbers of the launches to *launched. If
   * the result is not ok, `pending` launches are unfinished, and nothing was launched; try again later, or let the
   * thread do the work. The caller waits for device_cycles(), the time of the device runtime, beforehand. */
  Room device_launch(const Warp &warp, Kind kind, const std::vector<Call> &calls,
                     std::vector<std::uint32_t> *launched = nullptr);
  /* Returns the cycles from the first call of the runtime until the command of that many threads is offered, as
   * measured on a K20c (api/device.h). */
  std::uint64_t device_cycles(Kind kind, std::uint32_t threads) const;

  /* ---- Registers, the throttle ---- */

  /* Writes a register by APB4, after earlier writes; for example HD_REG_THROTTLE (gen/hd_regs_map.h). If the plane
   * rejects the write, the cycle() that performs it throws. */
  void write_register(std::uint16_t addr, std::uint32_t value);
  /* Sets the simulator's contention counters for the throttle: refusals by memory queues, and by the interconnect to
   * the SMXs. */
  void contention(std::uint32_t dram_full, std::uint32_t icnt_to_smx);
  /* Returns the number of SMXs, lowest numbers first, that accepted unbound TBs in the last cycle. */
  std::uint32_t open_smxs() const { return my().now == 0 ? my().cfg.num_smx : my().out.open_count; }

  /* ---- Cycles ---- */

  /* One cycle of the plane. */
  void cycle();
  /* Return the next TB, completion or answer of past cycles; false if none is left. */
  bool next_cta(Cta &cta) { return next(my().ctas, cta); }
  bool next_done(Done &done) { return next(my().dones, done); }
  bool next_answer(Answer &answer) { return next(my().answers, answer); }
  /* Returns true if a launch is incomplete, or a register is not written yet. */
  bool busy() const;

 private:
  struct Launch {
    Kernel kernel;
    Kind kind;
    hd_launch offer;     /* of the host */
    std::uint32_t left;  /* from the device: TBs that have not ended */
    std::uint64_t param; /* from the device: its parameter buffer */
  };

  struct Queue { /* of the host */
    std::deque<std::uint32_t> waiting;
    std::uint32_t unanswered, outstanding;
    bool full; /* the last answer was Refused, and no kernel has completed since */
    Queue() : unanswered(0), outstanding(0), full(false) {}
  };

  struct Slot {
    bool taken, ended;
    std::uint32_t launch, level, open; /* open: its unanswered launches */
    Slot() : taken(false), ended(false), launch(0), level(0), open(0) {}
  };

  struct Beat {
    hd_devlaunch wires;
    std::uint32_t launch;
  };

  struct Smx {
    std::vector<Slot> slot;
    std::deque<std::uint32_t> ended;    /* slots to report */
    std::deque<Beat> beats, unanswered; /* to be offered; accepted, waiting for their answer */
  };

  struct State {
    hd_cfg cfg;
    hd_top_in in;
    hd_top_out out;
    std::unique_ptr<hd_top, detail::Free> top;
    std::unique_ptr<hd_device, detail::Free> device; /* none: the plane needs no setup */
    hd_device_regions regions;
    detail::Memory memory;
    std::uint64_t now;
    std::uint32_t apb_step;
    bool ready; /* the host may launch */
    bool launches_on, contended;
    bool access; /* in the access cycle of writes.front() */
    std::deque<std::pair<std::uint16_t, std::uint32_t>> writes;
    std::uint32_t next_launch, next_tag, tags, waiting;
    bool offered; /* `offer` is on the wires */
    std::uint32_t offer;
    std::unordered_map<std::uint32_t, Launch> launches;
    std::unordered_map<std::uint32_t, std::uint32_t> of_tag;    /* host launches: offered and not complete */
    std::unordered_map<std::uint64_t, std::uint32_t> of_buffer; /* launches from the device */
    std::vector<Queue> queues;
    std::vector<Smx> smxs;
    std::deque<Cta> ctas;
    std::deque<Done> dones;
    std::deque<Answer> answers;
    explicit State(std::uint32_t latency)
        : cfg(),
          in(),
          out(),
          regions(),
          memory(latency),
          now(0),
          apb_step(0),
          ready(true),
          launches_on(false),
          contended(false),
          access(false),
          next_launch(0),
          next_tag(0),
          tags(0),
          waiting(0),
          offered(false),
          offer(0) {}
  };

  State &my() const {
    if (!state_) throw Error("the plane was moved away");
    return *state_;
  }
  Slot &slot_of(std::uint32_t smx, std::uint32_t slot) const;
  bool may_offer(const Queue &q) const {
    return !q.full && (q.unanswered == 0 || q.outstanding + q.unanswered < state_->cfg.hwq_depth);
  }
  void place_regions(const Options &options);
  void offer_launch();
  void drive_apb();
  void drive_smxs();
  void see_ended();
  void see_kernel_done();
  void see_ctas();
  void see_answers();
  void see_host();
  void end(std::uint32_t launch, hd_code code, bool failed, bool tell);

  template <typename T>
  static bool next(std::deque<T> &queue, T &to) {
    if (queue.empty()) return false;
    to = queue.front();
    queue.pop_front();
    return true;
  }

  std::unique_ptr<State> state_;
};

/* ---- Implementation ---- */

namespace detail {

inline hd_launch_args arguments(const Kernel &k) {
  hd_launch_args a = hd_launch_args();
  a.grid.x = k.grid.x, a.grid.y = k.grid.y, a.grid.z = k.grid.z;
  a.cta.x = k.block.x, a.cta.y = k.block.y, a.cta.z = k.block.z;
  a.regs = k.registers;
  a.smem_bytes = k.shared_bytes;
  a.pc = k.pc;
  a.hwq = k.stream;
  return a;
}

inline hd_device_call arguments(const Call &c, std::uint64_t param, bool stream) {
  const hd_launch_args a = arguments(c.kernel);
  hd_device_call d = hd_device_call();
  d.lane = c.lane;
  d.grid = a.grid;
  d.cta = a.cta;
  d.regs = a.regs;
  d.smem_bytes = a.smem_bytes;
  d.pc = a.pc;
  d.param = param;
  d.stream = stream ? c.kernel.stream : 0;
  return d;
}

inline hd_cfg configuration(const Options &o) {
  hd_cfg cfg = hd_cfg();
  char text[400];
  if (!hd_cfg_find(o.config.c_str(), &cfg)) {
    std::string names;
    for (unsigned k = 0; k < hd_cfg_table_n; k++) names += (k != 0 ? ", " : "") + std::string(hd_cfg_table[k].name);
    throw Error("configuration '" + o.config + "': " + names + " would be accepted");
  }
  for (std::size_t k = 0; k < o.set.size(); k++)
    if (!hd_cfg_assign(&cfg, o.set[k].c_str(), text, sizeof text)) throw Error(text);
  if (!o.set.empty() && !hd_cfg_derive(&cfg, text, sizeof text)) throw Error(text);
  return cfg;
}

template <typename T>
T *allocate(std::size_t bytes) {
  void *p = std::calloc(1, bytes);
  if (p == nullptr) throw std::bad_alloc();
  return static_cast<T *>(p);
}

} /* namespace detail */

inline Plane::Plane(const Options &options) {
  if (options.memory_latency == 0) throw Error("memory_latency 0: 1 or more would be accepted");
  if (options.policy < HD_POLICY_RR || options.policy > HD_POLICY_ADAPTIVE_BIND)
    throw Error("policy: HD_POLICY_RR, _TB_PRI, _SMX_BIND or _ADAPTIVE_BIND would be accepted");
  const hd_cfg cfg = detail::configuration(options);
  state_.reset(new State(options.memory_latency));
  State &s = *state_;
  s.cfg = cfg;
  s.tags = cfg.tag_w >= 16 ? 1u << 16 : 1u << cfg.tag_w;
  s.queues.resize(cfg.num_hwq);
  s.smxs.resize(cfg.num_smx);
  for (std::uint32_t k = 0; k < cfg.num_smx; k++) s.smxs[k].slot.resize(cfg.ctas_per_smx);
  s.top.reset(detail::allocate<hd_top>(hd_top_size(&cfg)));
  hd_top_init(s.top.get(), &cfg);
  s.in.host_answer_ready = s.in.kernel_done_ready = s.in.record_done_ready = 1;
  s.in.awready = s.in.wready = s.in.arready = 1;
  std::memset(s.in.dispatch_ready, 1, cfg.num_smx);
  std::memset(s.in.dev_answer_ready, 1, cfg.num_smx);
  s.launches_on = options.device_launches;
  if (options.device_launches || options.policy != HD_POLICY_RR) place_regions(options);
}

inline void Plane::place_regions(const Options &options) {
  State &s = *state_;
  hd_device_sizes n = hd_device_sizes();
  if (options.device_launches) {
    const std::uint32_t most = hd_device_list_records(&s.cfg);
    n.records = options.policy == HD_POLICY_RR && options.pending > most ? most : options.pending;
    n.kernels = s.cfg.pool_rows;
    n.suspended = s.cfg.num_kin;
    n.spilled = hd_device_spilled(&s.cfg, options.pending); /* none is refused for lack of it */
    n.buffers = options.pending;
  }
  /* The upper half of the addresses: in the lower half, a host kernel's parameter address is made from its tag. */
  const std::uint64_t base = std::uint64_t(1) << (hd_device_addr_bits(&s.cfg) - 1);
  if (hd_device_place(&s.cfg, base, &n, &s.regions) == 0)
    throw Error("pending " + std::to_string(options.pending) + ": a smaller number would fit the address width of " +
                std::string(s.cfg.name));
  s.regions.policy = static_cast<std::uint8_t>(options.policy);
  s.device.reset(detail::allocate<hd_device>(hd_device_size(&s.regions)));
  hd_device_init(s.device.get(), &s.cfg, &s.regions);
  s.ready = false;
}

/* ---- The host ---- */

inline bool Plane::can_launch(std::uint32_t stream) const {
  const State &s = my();
  if (stream >= s.cfg.num_hwq)
    throw Error("stream " + std::to_string(stream) + ": 0 to " + std::to_string(s.cfg.num_hwq - 1) +
                " would be accepted");
  const Queue &q = s.queues[stream];
  return q.waiting.empty() && !q.full && q.outstanding + q.unanswered < s.cfg.hwq_depth;
}

inline std::uint32_t Plane::launch(const Kernel &kernel) {
  State &s = my();
  const hd_launch_args a = detail::arguments(kernel);
  Launch l = Launch();
  const hd_code code = hd_launch_make(&s.cfg, &a, &l.offer);
  if (code != HD_CODE_ACCEPTED) throw Error(std::string("launch: ") + hd_code_text(code));
  l.kernel = kernel;
  l.kind = Kind::host;
  const std::uint32_t number = s.next_launch++;
  s.launches[number] = l;
  s.queues[kernel.stream].waiting.push_back(number);
  s.waiting++;
  return number;
}

/* Offers the kernel that was launched first, among the queues that may offer. */
inline void Plane::offer_launch() {
  State &s = *state_;
  if (s.offered || !s.ready || s.waiting == 0 || s.of_tag.size() == s.tags) return;
  Queue *first = nullptr;
  for (std::size_t k = 0; k < s.queues.size(); k++) {
    Queue &q = s.queues[k];
    if (!q.waiting.empty() && may_offer(q) && (first == nullptr || q.waiting.front() < first->waiting.front()))
      first = &q;
  }
  if (first == nullptr) return;
  while (s.of_tag.count(s.next_tag) != 0) s.next_tag = (s.next_tag + 1) % s.tags;
  s.offer = first->waiting.front();
  s.of_tag[s.next_tag] = s.offer;
  first->waiting.pop_front();
  first->unanswered++;
  s.waiting--;
  s.offered = true;
  hd_launch &l = s.launches[s.offer].offer;
  l.tag = static_cast<std::uint16_t>(s.next_tag);
  l.desc.param = std::uint64_t(s.next_tag) * HD_DEVICE_BUFFER_BYTES;
  s.next_tag = (s.next_tag + 1) % s.tags;
  s.in.host_launch = l;
}

inline void Plane::end(std::uint32_t launch, hd_code code, bool failed, bool tell) {
  State &s = *state_;
  const Launch &l = s.launches[launch];
  if (tell) {
    const Done d = {launch, l.kind, l.kernel.user, s.now, code, failed};
    s.dones.push_back(d);
  }
  s.launches.erase(launch);
}

inline void Plane::see_kernel_done() {
  State &s = *state_;
  if (!s.out.kernel_done_valid) return;
  const std::uint32_t launch = s.of_tag[s.out.kernel_done.tag];
  Queue &q = s.queues[s.launches[launch].kernel.stream];
  q.outstanding--;
  q.full = false;
  s.of_tag.erase(s.out.kernel_done.tag);
  end(launch, HD_CODE_ACCEPTED, s.out.kernel_done.failed != 0, true);
}

inline void Plane::see_host() {
  State &s = *state_;
  if (s.out.host_answer_valid) {
    const std::uint32_t tag = s.out.host_answer.tag, launch = s.of_tag[tag];
    const hd_code code = static_cast<hd_code>(s.out.host_answer.code);
    Queue &q = s.queues[s.launches[launch].kernel.stream];
    q.unanswered--;
    if (code == HD_CODE_ACCEPTED) {
      q.outstanding++;
    } else {
      s.of_tag.erase(tag);
      if (code == HD_CODE_REFUSED) {
        q.waiting.push_front(launch);
        q.full = true;
        s.waiting++;
      } else {
        end(launch, code, true, true);
      }
    }
  }
  if (s.offered && s.out.host_launch_ready) s.offered = false;
}

/* ---- SMXs ---- */

inline Plane::Slot &Plane::slot_of(std::uint32_t smx, std::uint32_t slot) const {
  State &s = my();
  if (smx >= s.cfg.num_smx || slot >= s.cfg.ctas_per_smx)
    throw Error("SMX " + std::to_string(smx) + ", slot " + std::to_string(slot) + ": SMXs 0 to " +
                std::to_string(s.cfg.num_smx - 1) + " with slots 0 to " + std::to_string(s.cfg.ctas_per_smx - 1) +
                " would be accepted");
  return s.smxs[smx].slot[slot];
}

inline void Plane::cta_done(std::uint32_t smx, std::uint32_t slot) {
  Slot &t = slot_of(smx, slot);
  if (!t.taken || t.ended)
    throw Error("SMX " + std::to_string(smx) + ", slot " + std::to_string(slot) + ": no TB runs there");
  if (t.open == 0) state_->smxs[smx].ended.push_back(slot);
  t.ended = true;
}

inline void Plane::stall(std::uint32_t smx, bool stalled) {
  slot_of(smx, 0);
  state_->in.dispatch_ready[smx] = !stalled;
}

inline void Plane::see_ended() {
  State &s = *state_;
  for (std::uint32_t k = 0; k < s.cfg.num_smx; k++) {
    if (!s.in.cta_done_valid[k]) continue;
    Slot &t = s.smxs[k].slot[s.smxs[k].ended.front()];
    s.smxs[k].ended.pop_front();
    const std::uint32_t launch = t.launch;
    t = Slot();
    Launch &l = s.launches[launch];
    if (l.kind == Kind::host || --l.left != 0) continue;
    s.of_buffer.erase(l.param);
    hd_device_put_buffer(s.device.get(), l.param);
    end(launch, HD_CODE_ACCEPTED, false, true);
  }
}

inline void Plane::see_ctas() {
  State &s = *state_;
  for (std::uint32_t k = 0; k < s.cfg.num_smx; k++) {
    if (!s.out.dispatch_valid[k] || !s.in.dispatch_ready[k]) continue;
    const hd_dispatch &t = s.out.dispatch[k];
    const bool child = s.launches_on && t.desc.param >= s.regions.buffers;
    const std::uint32_t launch =
        child ? s.of_buffer[t.desc.param] : s.of_tag[static_cast<std::uint32_t>(t.desc.param / HD_DEVICE_BUFFER_BYTES)];
    const Launch &l = s.launches[launch];
    hd_dim3 at = hd_dim3();
    hd_blkid_decode(&t.desc, t.blkid, &at);
    Slot &slot = s.smxs[k].slot[t.slot];
    slot.taken = true;
    slot.launch = launch;
    slot.level = t.level;
    const Cta c = {k,       t.slot,      s.now, launch, l.kind, l.kernel.user, t.blkid, Dim3(at.x, at.y, at.z),
                   t.level, t.group != 0};
    s.ctas.push_back(c);
  }
}

/* ---- Launches from the device ---- */

inline std::uint64_t Plane::device_cycles(Kind kind, std::uint32_t threads) const {
  const hd_device_latency t = hd_device_latency_k20c();
  return kind == Kind::kernel ? hd_device_kernel_cycles(&t, threads) : hd_device_group_cycles(&my().cfg, &t, threads);
}

inline Plane::Room Plane::device_launch(const Warp &warp, Kind kind, const std::vector<Call> &calls,
                                        std::vector<std::uint32_t> *launched) {
  State &s = my();
  Slot &slot = slot_of(warp.smx, warp.slot);
  if (!s.launches_on) throw Error("device_launch: Options::device_launches is false");
  if (kind == Kind::host) throw Error("device_launch: Kind::kernel or Kind::group would be accepted");
  if (!slot.taken || slot.ended)
    throw Error("SMX " + std::to_string(warp.smx) + ", slot " + std::to_string(warp.slot) + ": no TB runs there");
  const std::uint32_t n = static_cast<std::uint32_t>(calls.size());
  if (n == 0 || calls.size() > HD_DEVICE_LANES) throw Error(hd_device_text(HD_DEVICE_BAD_LANE));
  std::uint64_t buffer[HD_DEVICE_LANES];
  hd_device_call call[HD_DEVICE_LANES];
  hd_devlaunch beat[HD_DEVICE_LANES];
  hd_device_record record[HD_DEVICE_LANES];
  if (hd_device_get_buffers(s.device.get(), n, buffer) != HD_DEVICE_OK) return Room::no_buffer;
  for (std::uint32_t k = 0; k < n; k++) call[k] = detail::arguments(calls[k], buffer[k], kind == Kind::kernel);
  const hd_device_warp w = {warp.smx, warp.slot, warp.thread, slot.level};
  const hd_device_code code = kind == Kind::kernel ? hd_device_kernels(s.device.get(), &w, call, n, beat)
                                                   : hd_device_groups(s.device.get(), &w, call, n, beat, record);
  if (code != HD_DEVICE_OK) {
    for (std::uint32_t k = 0; k < n; k++) hd_device_put_buffer(s.device.get(), buffer[k]);
    if (code == HD_DEVICE_NO_RECORD) return Room::no_record;
    throw Error(std::string("device_launch: ") + hd_device_text(code));
  }
  for (std::uint32_t k = 0; k < n; k++) {
    const std::uint32_t number = s.next_launch++;
    Launch l = Launch();
    l.kernel = calls[k].kernel;
    l.kind = kind;
    l.left = beat[k].ctas;
    l.param = buffer[k];
    s.launches[number] = l;
    s.of_buffer[buffer[k]] = number;
    if (kind == Kind::group) s.memory.write(record[k].addr, record[k].bytes, sizeof record[k].bytes);
    const Beat b = {beat[k], number};
    s.smxs[warp.smx].beats.push_back(b);
    if (launched != nullptr) launched->push_back(number);
  }
  slot.open += n;
  return Room::ok;
}

inline void Plane::see_answers() {
  State &s = *state_;
  if (s.out.record_done_valid) hd_device_record_done(s.device.get(), s.out.record_done);
  for (std::uint32_t k = 0; k < s.cfg.num_smx; k++) {
    Smx &x = s.smxs[k];
    if (s.out.dev_answer_valid[k]) {
      const Beat b = x.unanswered.front();
      x.unanswered.pop_front();
      const hd_devanswer &a = s.out.dev_answer[k];
      hd_device_answered(s.device.get(), &b.wires, &a);
      const Launch &l = s.launches[b.launch];
      const Answer reported = {b.launch, l.kind, l.kernel.user, k, a.slot, a.lane, s.now, static_cast<hd_code>(a.code)};
      s.answers.push_back(reported);
      if (!reported.taken()) {
        s.of_buffer.erase(l.param);
        hd_device_put_buffer(s.device.get(), l.param);
        end(b.launch, reported.code, false, false);
      }
      Slot &slot = x.slot[a.slot];
      if (--slot.open == 0 && slot.ended) x.ended.push_back(a.slot);
    }
    if (s.in.dev_launch_valid[k] && s.out.dev_launch_ready[k]) {
      x.unanswered.push_back(x.beats.front());
      x.beats.pop_front();
    }
  }
}

/* ---- Registers ---- */

inline void Plane::write_register(std::uint16_t addr, std::uint32_t value) {
  my().writes.push_back(std::make_pair(addr, value));
}

inline void Plane::contention(std::uint32_t dram_full, std::uint32_t icnt_to_smx) {
  State &s = my();
  s.contended = true;
  s.in.dram_full = dram_full;
  s.in.icnt2sm = icnt_to_smx;
}

/* The region registers and the policy, then the caller's writes: two cycles per word. */
inline void Plane::drive_apb() {
  State &s = *state_;
  hd_apb pins = hd_apb();
  if (!s.ready) {
    s.ready = !hd_device_apb(&s.regions, s.apb_step++, &pins);
  } else if (!s.writes.empty()) {
    pins.psel = pins.pwrite = 1;
    pins.penable = s.access;
    pins.pstrb = 0xf;
    pins.paddr = s.writes.front().first;
    pins.pwdata = s.writes.front().second;
  }
  s.in.psel = pins.psel;
  s.in.penable = pins.penable;
  s.in.pwrite = pins.pwrite;
  s.in.pstrb = pins.pstrb;
  s.in.paddr = pins.paddr;
  s.in.pwdata = pins.pwdata;
}

/* ---- Cycles ---- */

inline void Plane::drive_smxs() {
  State &s = *state_;
  for (std::uint32_t k = 0; k < s.cfg.num_smx; k++) {
    const Smx &x = s.smxs[k];
    s.in.cta_done_valid[k] = !x.ended.empty();
    s.in.cta_done_slot[k] = static_cast<std::uint8_t>(x.ended.empty() ? 0 : x.ended.front());
    s.in.dev_launch_valid[k] = !x.beats.empty();
    if (!x.beats.empty()) s.in.dev_launch[k] = x.beats.front().wires;
  }
}

inline void Plane::cycle() {
  State &s = my();
  const bool writes = s.ready && !s.writes.empty();
  offer_launch();
  s.in.host_launch_valid = s.offered;
  drive_apb();
  drive_smxs();
  if (s.device) s.memory.drive(s.in);
  if (s.contended) s.in.cycles = static_cast<std::uint32_t>(s.now);
  hd_top_cycle(s.top.get(), &s.in, &s.out);
  see_ended();
  see_kernel_done();
  see_ctas();
  if (s.device) {
    s.memory.follow(s.in, s.out);
    see_answers();
  }
  see_host();
  s.now++;
  if (!writes) return;
  s.access = !s.access;
  if (s.access) return;
  const std::uint16_t addr = s.writes.front().first;
  s.writes.pop_front();
  if (s.out.pslverr)
    throw Error("register " + std::to_string(addr) +
                ": the plane refuses this write, always or while it holds a kernel");
}

inline bool Plane::busy() const {
  const State &s = my();
  return !s.launches.empty() || !s.writes.empty() || (s.device && hd_device_records_out(s.device.get()) != 0);
}

} /* namespace heddle */

#endif
