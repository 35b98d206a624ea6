/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle.hpp as a simulator uses it, and as it must not be used. test_cpp.py builds and runs it. Ends with
 * `N passed, N failed`. */
#include <cstdio>
#include <functional>
#include <type_traits>

#include "heddle.hpp"

namespace {

int passed, failed;

void tell(bool good, const char *name) {
  std::printf("%-7s %s\n", good ? "ok" : "FAILED", name);
  (good ? passed : failed)++;
}

/* It throws heddle::Error with these words. */
void refused(const char *words, const std::function<void()> &call) {
  std::string text = "nothing was thrown";
  try {
    call();
  } catch (const heddle::Error &e) {
    text = e.what();
  }
  if (text.find(words) == std::string::npos) std::printf("        %s\n", text.c_str());
  tell(text.find("heddle: ") == 0 && text.find(words) != std::string::npos, words);
}

heddle::Kernel kernel(std::uint32_t tbs, std::uint32_t threads, std::uint32_t registers) {
  heddle::Kernel k;
  k.grid = heddle::Dim3(tbs);
  k.block = heddle::Dim3(threads);
  k.registers = registers;
  return k;
}

heddle::Options tiny() {
  heddle::Options o;
  o.config = "tiny";
  return o;
}

heddle::Options launching() {
  heddle::Options o = tiny();
  o.device_launches = true;
  return o;
}

/* Cycles until a TB is handed out. */
heddle::Cta first_cta(heddle::Plane &plane) {
  heddle::Cta cta = heddle::Cta();
  for (int k = 0; k < 1000 && !plane.next_cta(cta); k++) plane.cycle();
  return cta;
}

heddle::Done first_done(heddle::Plane &plane) {
  heddle::Done done = heddle::Done();
  for (int k = 0; k < 1000 && !plane.next_done(done); k++) plane.cycle();
  return done;
}

void coordinates() {
  heddle::Plane plane;
  heddle::Kernel k = kernel(1, 64, 8);
  k.grid = heddle::Dim3(2, 3, 2);
  k.user = 77;
  const std::uint32_t launch = plane.launch(k);
  bool good = true;
  std::uint32_t n = 0;
  heddle::Done done = heddle::Done();
  while (plane.busy()) {
    plane.cycle();
    for (heddle::Cta c; plane.next_cta(c); n++) {
      good = good && c.launch == launch && c.user == 77 && c.kind == heddle::Kind::host && !c.joined && c.level == 0 &&
             c.index == n && c.at.x + 2 * (c.at.y + 3 * c.at.z) == n && c.at.x < 2 && c.at.y < 3;
      plane.cta_done(c.smx, c.slot);
    }
  }
  tell(good && n == 12, "TBs have their launch, its user, and their coordinates");
  tell(plane.next_done(done) && done.launch == launch && done.user == 77 && done.code == HD_CODE_ACCEPTED &&
           !done.failed && !plane.next_done(done),
       "a kernel is reported as done, once");
}

void moves() {
  tell(!std::is_copy_constructible<heddle::Plane>::value && !std::is_copy_assignable<heddle::Plane>::value &&
           std::is_nothrow_move_constructible<heddle::Plane>::value,
       "a plane is moved, not copied");
  heddle::Plane one(tiny());
  one.launch(kernel(1, 32, 0));
  heddle::Plane two(std::move(one));
  const heddle::Cta cta = first_cta(two);
  two.cta_done(cta.smx, cta.slot);
  tell(first_done(two).code == HD_CODE_ACCEPTED, "it goes on where it was moved to");
  refused("moved away", [&] { one.cycle(); });
  one = heddle::Plane(tiny());
  one.cycle();
  tell(one.now() == 1, "and may be assigned again");
}

void full_queue() {
  heddle::Plane plane(tiny());
  std::uint32_t n = 0;
  for (; plane.can_launch() && n < 100; n++) {
    plane.launch(kernel(1, 32, 0));
    for (int k = 0; k < 8; k++) plane.cycle();
  }
  tell(n == plane.config().hwq_depth, "can_launch is false when the queue is full");
  tell(plane.can_launch(1), "and true of another queue");
  const std::uint32_t last = plane.launch(kernel(1, 32, 0));
  heddle::Done done = heddle::Done();
  std::uint32_t ends = 0, ordered = 1, before = 0;
  while (plane.busy() && plane.now() < 5000) {
    plane.cycle();
    for (heddle::Cta c; plane.next_cta(c);) plane.cta_done(c.smx, c.slot);
    for (; plane.next_done(done); ends++, before = done.launch) ordered &= ends == 0 || done.launch > before;
  }
  tell(ends == n + 1 && before == last && ordered, "what is launched all the same waits and comes in order");
}

void stalls() {
  heddle::Plane plane(tiny());
  for (std::uint32_t s = 0; s < plane.config().num_smx; s++) plane.stall(s, s != 1);
  plane.launch(kernel(6, 32, 0));
  const heddle::Cta cta = first_cta(plane);
  bool good = cta.smx == 1;
  for (int k = 0; k < 50; k++) plane.cycle();
  for (heddle::Cta c; plane.next_cta(c);) good = good && c.smx == 1;
  tell(good, "a stalled SMX takes no TB");
}

/* One plane's limits: TBs of a kernel that are resident at once on its only SMX. */
std::uint32_t resident(const heddle::Kernel &k) {
  heddle::Options o;
  o.set.push_back("NumSmx=1");
  heddle::Plane plane(o);
  plane.launch(k);
  std::uint32_t n = 0;
  for (int c = 0; c < 200; c++) plane.cycle();
  for (heddle::Cta c; plane.next_cta(c);) n++;
  return n;
}

void limits() {
  heddle::Kernel shared = kernel(100, 32, 0);
  shared.shared_bytes = 12 * 1024;
  tell(resident(kernel(100, 32, 0)) == 16, "k20c: 16 slots of an SMX");
  tell(resident(kernel(100, 1024, 0)) == 2, "2048 threads");
  tell(resident(kernel(100, 256, 64)) == 4, "65536 registers");
  tell(resident(shared) == 4, "48 KiB of shared memory");
}

void never_fits() {
  heddle::Plane plane;
  heddle::Kernel k = kernel(1, 1024, 255);
  k.user = 5;
  plane.launch(k);
  const heddle::Done d = first_done(plane);
  tell(d.code == HD_CODE_NEVER_FITS && d.failed && d.user == 5 && !plane.busy(),
       "a kernel that fits no SMX is reported as done with its code");
}

void children(heddle::Kind kind, bool join) {
  heddle::Plane plane(launching());
  heddle::Kernel parent = kernel(1, 32, 0), child = kernel(3, 32, 0);
  parent.pc = 0x100;
  child.pc = join ? parent.pc : 0x200;
  child.user = 9;
  const std::uint32_t host = plane.launch(parent);
  const heddle::Cta p = first_cta(plane);
  const heddle::Warp warp = {p.smx, p.slot, 0};
  std::vector<heddle::Call> calls(2);
  calls[0].kernel = calls[1].kernel = child;
  calls[1].lane = 31;
  std::vector<std::uint32_t> numbers;
  tell(plane.device_launch(warp, kind, calls, &numbers) == heddle::Plane::Room::ok && numbers.size() == 2,
       "a warp launches two children");
  plane.cta_done(p.smx, p.slot); /* before its answers */
  std::uint32_t tbs = 0, answers = 0, joined = 0, ends = 0;
  bool host_last = false, good = true;
  while (plane.busy() && plane.now() < 5000) {
    plane.cycle();
    for (heddle::Answer a; plane.next_answer(a); answers++)
      good = good && a.taken() && a.user == 9 && a.smx == p.smx && a.lane == answers * 31;
    for (heddle::Cta c; plane.next_cta(c); tbs++, joined += c.joined) {
      good =
          good && c.kind == kind && c.user == 9 && c.level == 1 && (c.launch == numbers[0] || c.launch == numbers[1]);
      plane.cta_done(c.smx, c.slot);
    }
    for (heddle::Done d; plane.next_done(d); ends++) host_last = d.launch == host;
  }
  tell(good && tbs == 6 && answers == 2, "their TBs and answers name them");
  tell(ends == 3 && (host_last || join), "and all are reported as done");
  tell(joined == (join ? 6u : 0u), join ? "a group joins the kernel of its own code" : "and none has joined");
  tell(!plane.busy(), "a TB that ends before its answers is reported behind them");
}

void no_room() {
  heddle::Options o = launching();
  o.pending = 2;
  heddle::Plane plane(o);
  plane.launch(kernel(1, 32, 0));
  const heddle::Cta p = first_cta(plane);
  const heddle::Warp warp = {p.smx, p.slot, 0};
  std::vector<heddle::Call> calls(3);
  for (std::uint32_t k = 0; k < 3; k++) calls[k].lane = k, calls[k].kernel = kernel(1, 32, 0);
  tell(plane.device_launch(warp, heddle::Kind::group, calls) == heddle::Plane::Room::no_buffer,
       "more launches than may be pending are not made");
  calls.pop_back();
  tell(plane.device_launch(warp, heddle::Kind::group, calls) == heddle::Plane::Room::ok, "as many are");
}

void misuse() {
  heddle::Options o;
  o.config = "k21c";
  refused("k20c, k20c-base", [&] { heddle::Plane p(o); });
  o = heddle::Options();
  o.set.push_back("NumSmx=0");
  refused("NumSmx", [&] { heddle::Plane p(o); });
  o = tiny();
  o.memory_latency = 0;
  refused("memory_latency 0: 1 or more", [&] { heddle::Plane p(o); });
  o = launching();
  o.pending = 0xffffffff;
  o.policy = HD_POLICY_TB_PRI;
  refused("pending 4294967295", [&] { heddle::Plane p(o); });

  heddle::Plane plane(launching());
  refused("SMXs 0 to", [&] { plane.cta_done(plane.config().num_smx, 0); });
  refused("with slots 0 to", [&] { plane.cta_done(0, plane.config().ctas_per_smx); });
  refused("no TB runs there", [&] { plane.cta_done(0, 0); });
  refused("SMXs 0 to", [&] { plane.stall(99, true); });
  refused("a dimension or a count is zero", [&] { plane.launch(kernel(0, 32, 0)); });
  refused("over its limit", [&] { plane.launch(kernel(1, 1025, 0)); });
  refused("would be accepted", [&] { plane.can_launch(99); });
  tell(!plane.busy() && plane.now() == 0, "and nothing has changed");

  plane.launch(kernel(1, 32, 0));
  const heddle::Cta c = first_cta(plane);
  const heddle::Warp warp = {c.smx, c.slot, 0};
  std::vector<heddle::Call> calls(1);
  calls[0].kernel = kernel(1, 32, 0);
  refused("Kind::kernel or Kind::group", [&] { plane.device_launch(warp, heddle::Kind::host, calls); });
  calls[0].lane = 32;
  refused("1 to 32 calls", [&] { plane.device_launch(warp, heddle::Kind::group, calls); });
  calls.clear();
  refused("1 to 32 calls", [&] { plane.device_launch(warp, heddle::Kind::group, calls); });
  plane.cta_done(c.smx, c.slot);
  refused("no TB runs there", [&] { plane.cta_done(c.smx, c.slot); });
  calls.resize(1);
  refused("no TB runs there", [&] { plane.device_launch(warp, heddle::Kind::group, calls); });
  heddle::Plane flat(tiny());
  refused("device_launches is false", [&] { flat.device_launch(warp, heddle::Kind::group, calls); });
}

/* More and more refusals: the throttle closes SMXs, and the plane hands no TB to them. */
void throttle() {
  heddle::Options o;
  o.set.push_back("Epoch=64");
  heddle::Plane plane(o);
  plane.write_register(HD_REG_THROTTLE, 1);
  while (plane.busy()) plane.cycle();
  tell(plane.now() == 2, "a register is written in two cycles");
  plane.launch(kernel(100000, 1024, 0));
  std::uint32_t refusals = 0, slope = 0, closed = 0, least = plane.config().num_smx;
  for (int k = 0; k < 1500; k++) {
    if (k % 64 == 0) slope += slope / 2 + 1;
    plane.contention(refusals += slope, 0);
    const std::uint32_t open = plane.open_smxs();
    plane.cycle();
    if (plane.open_smxs() < least) least = plane.open_smxs();
    for (heddle::Cta c; plane.next_cta(c); plane.cta_done(c.smx, c.slot)) closed += c.smx >= open + 2;
  }
  tell(least == 2, "the throttle closes SMXs while the memory refuses more and more");
  tell(closed == 0, "and no TB goes to those");
  plane.write_register(0xffc, 1);
  refused("register 4092: the plane refuses", [&] {
    plane.cycle();
    plane.cycle();
  });
  heddle::Cta c;
  for (int k = 0; k < 10; k++) plane.cycle();
  tell(plane.next_cta(c), "and the plane goes on");
}

} /* namespace */

int main() {
  coordinates();
  moves();
  full_queue();
  stalls();
  limits();
  never_fits();
  children(heddle::Kind::kernel, false);
  children(heddle::Kind::group, false);
  children(heddle::Kind::group, true);
  no_room();
  misuse();
  throttle();
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
