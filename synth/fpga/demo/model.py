# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The golden model of the demonstrator: the model of the plane, with launches, timers and the order of events as
hd_demo.sv, hd_demo_launches.sv and hd_demo_smx.sv describe them. It computes every event from the work and from the
stalls that the board reports."""
import board
import heddle

LATENCY = 20  # of the memory: MemoryLatency of hd_demo.sv
COUNTERS = 0x100  # offset of the first
LEAST = 3  # cycles of a TB
REFUSED = 1  # enum hd_code
FOLD = 12


class Model:
    def __init__(self, pins, config, policy, work):
        self.pins, self.work = pins, work
        self.plane = heddle.Plane(config, policy=policy, memory_latency=LATENCY)
        self.due = [{} for _ in range(self.plane.smxs)]  # of each SMX: {slot: cycle in which its TB is due}
        self.next, self.offer_from = 0, 1  # the next launch, and the first cycle in which it may be offered
        self.answer_to = None  # the launch that waits for its answer
        self.full = False  # the launch waits for a kernel to end
        self.done = set()  # tags
        self.kernels = 0  # accepted and not done
        self.stall = None

    def settings(self):
        """Returns {offset: value} of the registers that the model's plane was configured with."""
        found = {}
        for register in self.pins["REGISTERS"].values():
            if register.access == "rw" and register.offset < COUNTERS:
                value = self.plane.read(register.offset)
                if value != register.reset:
                    found[register.offset] = value
        return found

    def begin(self):
        """The next cycle is cycle 0."""
        self.zero = self.plane.cycle

    @property
    def cycle(self):
        return self.plane.cycle - self.zero

    @property
    def finished(self):
        return self.next == len(self.work.launches) and self.answer_to is None and not self.kernels

    def next_event(self, last):
        """Returns the next event; None if none arrives up to cycle `last`."""
        while self.cycle <= last:
            found = self.step()
            if found is not None:
                return found
        return None

    def step(self):
        """Runs a cycle and returns its event, or None."""
        plane, cycle = self.plane, self.cycle
        stalled = self.stall is not None and self.stall.cycle <= cycle < self.stall.end
        tbs, answer, tag = plane.dispatches(), plane.answer(), plane.kernel_done()
        found = None
        if not stalled:
            if tbs:
                found = self.taken(tbs[0], cycle)
            elif answer:
                found = board.Answer(cycle, answer.tag, answer.code)
            elif tag is not None:
                found = board.Done(cycle, tag, int(plane.kernel_failed()))
        for tb in tbs:
            plane.dispatch_ready(tb.smx, found is not None and tb is tbs[0])
        plane.answer_ready(isinstance(found, board.Answer))
        plane.kernel_done_ready(isinstance(found, board.Done))
        self.launch(cycle)
        self.follow(found, cycle)
        for smx, due in enumerate(self.due):
            slot = min((s for s, at in due.items() if at <= cycle), default=None)
            if slot is not None:
                plane.done(smx, slot)
                del due[slot]
        plane.tick()
        return found

    def taken(self, tb, cycle):
        self.due[tb.smx][tb.slot] = cycle + max(LEAST, self.work.duration(tb.pc, tb.blkid))
        desc = self.pins["pack"]("desc", {
            "pc": tb.pc, "param": tb.param, **{f"grid_{x}": n for x, n in zip("xyz", tb.grid)},
            **{f"cta_{x}": n for x, n in zip("xyz", tb.cta)}})
        fold = 0
        while desc:
            fold ^= desc & (1 << FOLD) - 1
            desc >>= FOLD
        return board.Tb(cycle, tb.smx, tb.slot, tb.kdei, tb.blkid, tb.param & 0xffff, fold, tb.level & 3,
                        int(tb.group), int(tb.restart))

    def launch(self, cycle):
        """Offers the next launch, if it is its time."""
        if self.next == len(self.work.launches) or self.answer_to is not None or self.full:
            return
        launch = self.work.launches[self.next]
        if cycle < max(self.offer_from, launch.first) or not (launch.after is None or launch.after in self.done):
            return
        self.plane.launch(**launch.arguments)
        if self.plane.launch_ready():
            self.answer_to = self.next

    def follow(self, found, cycle):
        """The host's reaction to an event."""
        if isinstance(found, board.Answer):
            self.answer_to = None
            self.full = found.code == REFUSED
            if not self.full:
                self.next += 1
                self.offer_from = cycle + 2
                self.kernels += found.code == 0
        elif isinstance(found, board.Done):
            self.done.add(found.tag)
            self.kernels -= 1
            if self.full:
                self.full, self.offer_from = False, cycle + 1
