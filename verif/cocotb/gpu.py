# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The host and the SMXs of a GPU connected to the plane, one clock edge at a time: payloads that are valid and ready at
the rising edge are transferred. Accepts TBs, lets them launch, and reports them as done, each after a random time."""
from cocotb.triggers import RisingEdge

from hd_pins import PARAMS, PORTS, Code, Kind

SMXS = PARAMS["NumSmx"]
# All kernels and groups have the same TBs, so every group may join every kernel.
SHAPE = {"pc": 0x100, "grid_y": 1, "grid_z": 1, "cta_x": 32, "cta_y": 1, "cta_z": 1}
NEEDS = {"threads": 32, "regs": 8}
CHILD_TBS = 2
KINDS = {"kernels": [Kind.KERNEL], "groups": [Kind.GROUP], "both": [Kind.KERNEL, Kind.GROUP]}
RECORD = 64  # bytes
LIMIT = 50000  # limit of a job, in cycles
# Streams that the GPU receives.
TAKEN = ("host_answer", "kernel_done", "record_done", "dispatch", "dev_answer")


class Tb:
    """A TB in its slot. launches: number of launches still to make; waits: for an answer; ends: not before that
    cycle."""
    def __init__(self, slot, level, launches, ends):
        self.slot, self.level, self.launches, self.ends, self.waits = slot, level, launches, ends, False


class Gpu:
    def __init__(self, bench):
        self.bench, self.pins, self.rng = bench, bench.pins, bench.rng
        self.free_records = list(range(64))
        self.reset_counts()

    def reset_counts(self):
        self.cycle = self.out = self.refused = self.tbs = self.accepted = 0
        self.running = [[] for _ in range(SMXS)]
        self.offers = [None] * SMXS  # (Tb, beat, record or None) that waits for dev_launch_ready
        self.asked = [[] for _ in range(SMXS)]  # (Tb, record or None) whose answers are pending, in order
        self.held, self.launch, self.answer, self.done = {}, None, None, None

    def expected(self):
        """Number of TBs of all accepted launches."""
        return self.tbs + CHILD_TBS * self.accepted

    async def run(self, tbs, kind="kernels", children=0, depth=1, length=20):
        """Launches a kernel and runs until it is done. Its TBs on a level below depth launch up to that many children
        each."""
        self.reset_counts()
        self.tbs, self.kind, self.children, self.depth, self.length = tbs, kind, children, depth, length
        self.launch = {"desc": {**SHAPE, "grid_x": tbs}, **NEEDS, "ctas": tbs, "tag": self.rng.randrange(1 << 16)}
        tag = self.launch["tag"]
        self.drive()
        while self.done is None:
            await RisingEdge(self.pins.clk)
            self.cycle += 1
            assert self.cycle < LIMIT, f"the kernel is not done; {self.out} TBs of {self.expected()}"
            self.transfers()
            self.drive()
        assert self.answer == {"tag": tag, "code": Code.ACCEPTED} and self.done["tag"] == tag
        return self.done

    # ---- Transfers at the clock edge

    def taken(self, stream):
        """Returns the transferred elements of a stream from the plane: [(SMX, payload)]."""
        valid, ready = self.pins.get(stream + "_valid"), self.held[stream + "_ready"]
        if not any(valid):
            return []
        payloads = self.pins.get(stream)
        return [(s, payloads[s]) for s in range(SMXS) if valid[s] and ready[s]]

    def took(self, stream):
        """The same for a stream that is no array: the payload, or None."""
        return self.pins.get(stream) if self.pins.get(stream + "_valid") and self.held[stream + "_ready"] else None

    def transfers(self):
        if self.launch and self.pins.get("host_launch_ready"):
            self.launch = None
        self.answer = self.took("host_answer") or self.answer
        self.done = self.took("kernel_done") or self.done
        record = self.took("record_done")
        if record is not None:
            self.free_records.append(record)
        for s, tb in self.taken("dispatch"):
            launches = self.rng.randint(0, self.children) if tb["level"] < self.depth else 0
            self.running[s].append(Tb(tb["slot"], tb["level"], launches, self.cycle + self.rng.randint(1, self.length)))
            self.out += 1
        ready = self.pins.get("dev_launch_ready")
        for s in range(SMXS):
            if self.offers[s] and ready[s]:
                tb, _, record = self.offers[s]
                self.asked[s].append((tb, record))
                self.offers[s] = None
        for s, answer in self.taken("dev_answer"):
            self.answered(*self.asked[s].pop(0), answer)

    def answered(self, tb, record, answer):
        assert answer["slot"] == tb.slot and answer["code"] in (Code.ACCEPTED, Code.REFUSED, Code.KEPT), answer
        tb.waits, tb.ends = False, self.cycle + self.rng.randint(1, self.length)
        self.accepted += answer["code"] != Code.REFUSED
        self.refused += answer["code"] == Code.REFUSED
        if record is not None and answer["code"] != Code.KEPT:
            self.free_records.append(record)

    # ---- Offers of the next cycle

    def drive(self):
        for name in (stream + "_ready" for stream in TAKEN):
            bits = [int(self.rng.random() < 0.75) for _ in range(PORTS[name].count or 1)]
            self.held[name] = bits if PORTS[name].count else bits[0]
            self.pins.put(name, self.held[name])
        self.pins.put("host_launch_valid", int(self.launch is not None))
        self.pins.put("host_launch", self.launch or {})
        ended = [self.end_of(s) for s in range(SMXS)]
        self.pins.put("cta_done_valid", [int(slot is not None) for slot in ended])
        self.pins.put("cta_done_slot", [slot or 0 for slot in ended])
        for s in range(SMXS):
            self.offers[s] = self.offers[s] or self.offer_of(s)
        self.pins.put("dev_launch_valid", [int(offer is not None) for offer in self.offers])
        self.pins.put("dev_launch", [offer[1] if offer else {} for offer in self.offers])

    def end_of(self, s):
        """Returns the slot of a TB of the SMX that ends."""
        for tb in self.running[s]:
            if not tb.launches and not tb.waits and tb.ends <= self.cycle:
                self.running[s].remove(tb)
                return tb.slot
        return None

    def offer_of(self, s):
        """Returns (Tb, beat, record or None) of a TB of the SMX that launches."""
        for tb in self.running[s]:
            if tb.launches and not tb.waits and tb.ends <= self.cycle:
                kind = self.rng.choice(KINDS[self.kind])
                if kind == Kind.GROUP and not self.free_records:
                    tb.launches = 0  # records return when TBs have run: a waiting one could block all of them
                    continue
                tb.launches, tb.waits = tb.launches - 1, True
                record = self.write_record(tb) if kind == Kind.GROUP else None
                return tb, {"kind": kind, "last": 1, "slot": tb.slot, "record": record or 0, "hwtid": tb.slot * 32,
                            "desc": {**SHAPE, "grid_x": CHILD_TBS}, **NEEDS, "ctas": CHILD_TBS}, record
        return None

    def write_record(self, tb):
        """Writes the record of a group to memory, in the layout of docs/device-launches.md; returns its number."""
        n = self.free_records.pop(0)
        fields = ((0, SHAPE["pc"], 8), (16, 32, 2), (18, 1, 2), (20, 1, 2), (22, NEEDS["threads"], 2),
                  (26, NEEDS["regs"], 1), (27, tb.level + 1, 1), (32, CHILD_TBS, 4), (36, 1, 2), (38, 1, 2),
                  (40, CHILD_TBS, 4))
        at = self.bench.records + RECORD * n
        for offset, value, size in fields:
            self.bench.memory.bytes[at + offset:at + offset + size] = value.to_bytes(size, "little")
        return n
