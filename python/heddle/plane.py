# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The golden model of the dispatch plane, by cycle or in whole runs: the functions of heddle/dpi.h.

Three ways to use it, from the simplest to the most detailed:

    Plane("k20c").run([{"grid": (100,), "cta": (256,), "regs": 32}], lambda tb: 500)

    with Plane("k20c", policy="smx-bind") as plane:          # follows each hand-out
        for tb in plane.handouts([{"grid": (100,), "cta": (256,), "regs": 32}]):
            if tb.level == 0:
                plane.launch_group(tb, grid=(4,))
            plane.hold(tb, 500)

    plane.launch(grid=(100,), cta=(256,), regs=32, tag=7)   # the ports
    while plane.kernel_done() is None:
        busy = plane.dispatches()            # outputs of this cycle ..
        plane.tick()                         # .. and the rising clock edge that ends it
        for tb in busy:
            plane.done(tb.smx, tb.slot)      # inputs of the next one

docs/top.md defines the ports. Every number is checked before it reaches the library: OutOfRange and WrongType say what
is accepted. A closed plane raises Error. Threads may share a plane: each call is atomic, but the threads must order
their calls themselves."""
from __future__ import annotations

import collections
import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, Optional, Union

from .errors import U32, U64, Error, OutOfRange, WrongType, number, sizes, word
from .files import library
from .graphs import Graph, build
from .timing import Schedule

MAX_CTA, MAX_THREADS = (1024, 1024, 64), 1024  # threads of a TB per dimension, and in total (heddle/api/runtime.h)
KINDS = "kernel", "group", "save"  # enum hd_kind
LANES = 32
Dim = Iterable[int]


class Dispatch(NamedTuple):
    """A TB that is offered to an SMX, or handed out."""
    smx: int
    slot: int  # TB slot of the SMX
    kdei: int  # entry of the Kernel Distributor
    blkid: int  # linear TB id; x varies fastest
    pc: int
    param: int  # parameter address; for a saved TB its context pointer
    level: int = 0  # nesting level; 0: launched by the host
    group: bool = False  # a TB of a group
    restart: bool = False  # a saved TB that resumes
    grid: tuple[int, int, int] = (1, 1, 1)  # dimensions of its kernel, or of its group, in TBs
    cta: tuple[int, int, int] = (1, 1, 1)  # its own, in threads


class Answer(NamedTuple):
    """The answer to a host launch; code 0: accepted (enum hd_code)."""
    tag: int
    code: int


class DeviceAnswer(NamedTuple):
    """The answer to a launch of a TB, or to a save."""
    smx: int
    slot: int
    kind: str  # kernel, group or save
    lane: int
    code: int  # 0 accepted, 7 kept: the group waits in memory; others: refused (enum hd_code)

    @property
    def accepted(self) -> bool:
        """True if the plane has accepted the launch."""
        return self.code in (0, 7)


class Result(NamedTuple):
    """The result of a run."""
    cycles: int
    done: dict[int, int]  # tag: cycle in which the kernel was done
    dispatches: int  # TBs handed out
    launched: int = 0  # accepted launches from TBs
    refused: int = 0  # refused launches from TBs


class Work(NamedTuple):
    """The work of a TB in a run: it holds its slot for `cycles`, and launches groups and kernels, one warp command of
    up to 32 each; each launch is a dictionary of the arguments of launch_group(). A refused launch costs `refused`
    extra cycles."""
    cycles: int
    groups: Any = ()
    kernels: Any = ()
    after: int = 1  # cycles from the hand-out to the launches
    refused: int = 0


class State(NamedTuple):
    """Occupancy of the tables of the plane; the fields are those of enum hd_dpi_table (heddle/api/dpi.h)."""
    resident: int  # TBs in the slots of all SMXs
    kernels: int  # KD entries that hold a kernel
    host: int  # launches that wait in HWQs
    pool: int  # device kernels that wait on chip
    parents: int  # parent records in use
    suspended: int  # suspended kernels
    banks: int  # entries of the banks of priority queues
    overflowed: int  # groups in lists in memory
    records: int  # group records that the plane owns
    open_smxs: int  # SMXs that accept unbound TBs


def _no_copy(self: Any, _protocol: Any) -> NoReturn:
    raise WrongType("a plane can be neither copied nor pickled; make another one")


class _Handle:
    """The plane in the library, freed with the last reference; a running call holds one."""
    def __init__(self, lib: Any, config: bytes) -> None:
        self._free = lib.hd_dpi_free
        self._as_parameter_ = lib.hd_dpi_new(config)
        if not self._as_parameter_:
            raise MemoryError
        why = lib.hd_dpi_error(self)
        if why:
            raise Error(why.decode(errors="replace"))

    def __del__(self) -> None:
        self._free(self)

    __reduce_ex__ = _no_copy


def policies() -> tuple[str, ...]:
    """Returns the names of the policies of the SMX scheduler."""
    lib = library()
    found: list[str] = []
    while lib.hd_dpi_policy(len(found)):
        found.append(lib.hd_dpi_policy(len(found)).decode())
    return tuple(found)


class Plane:
    """A plane after reset, in a named configuration with changes: Plane("k20c", NumSmx=4), with an attached memory.

    `policy`: policy of the SMX scheduler, one of heddle.policies(). `memory_latency`: cycles from the address of a
    burst to its answer. Any other keyword is a parameter of docs/configurations.md; plane["NumSmx"] is its value.
    `cycle` counts the ticks since reset, without those that write the region registers."""
    _lib: Any = None
    _handle: Optional[_Handle] = None

    def __init__(self, config: str = "k20c", *, policy: str = "rr", memory_latency: int = 120,
                 **parameters: int) -> None:
        self._lib = library()
        if not isinstance(config, str):
            raise WrongType(f"config={config!r}: the name of a configuration is accepted")
        text = "+".join([config, *(f"{name}={number(name, value, 0, U32)}" for name, value in parameters.items())])
        if "\0" in text:
            raise OutOfRange(f"config={text!r}: no NUL is accepted")
        self._device = number("memory_latency", memory_latency, 1, 2**20), word("policy", policy, policies())
        self._handle = _Handle(self._lib, text.encode(errors="backslashreplace"))
        self.config, self.policy = text, policy
        self.smxs: int = self["NumSmx"]
        self._slots: int = self["CtasPerSmx"]
        self._most_tbs = [self._most("GridXW"), self._most("GridYW"), self._most("GridZW")]
        self._most_threads = [min(self._most(name), most) for name, most in zip(("CtaXW", "CtaYW", "CtaZW"), MAX_CTA)]
        self._most_in_all = self._most("CtasW"), min(self._most("ThreadsW"), MAX_THREADS)
        self._most_of = {"regs": self._most("RegsW"), "smem": self["SmemPerSmx"], "tag": self._most("TagW"),
                         "hwq": self["NumHwq"] - 1, "pc": self._most("PcW"), "param": self._most("ParamW"),
                         "stream": self["NumStreams"] - 1}
        self.reset()

    @property
    def _plane(self) -> _Handle:
        handle = self._handle
        if handle is None:
            raise Error("the plane is closed")
        return handle

    def close(self) -> None:
        """Frees the plane. May be called again; every other call raises Error afterwards."""
        self._handle = None

    def __enter__(self) -> Plane:
        self._plane
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    __reduce_ex__ = _no_copy

    def __repr__(self) -> str:
        return f"<heddle.Plane {self.config} {self.policy}, cycle {self.cycle}>" if self._handle else "<heddle.Plane>"

    def __getitem__(self, name: str) -> int:
        """Returns a parameter of the configuration."""
        plane = self._plane
        text = name.encode(errors="backslashreplace") if isinstance(name, str) and "\0" not in name else b""
        if not self._lib.hd_dpi_has_param(plane, text):
            raise KeyError(name)
        found: int = self._lib.hd_dpi_param(plane, text)
        return found

    def _most(self, width: str) -> int:
        return int(2**self[width] - 1)

    def _smx(self, smx: int) -> int:
        return number("smx", smx, 0, self["NumSmx"] - 1)

    def reset(self) -> None:
        """Resets the plane to cycle 0; its graphs become invalid."""
        if not self._lib.hd_dpi_device(self._plane, *self._device):
            raise Error("the regions of what TBs launch do not fit the addresses of this configuration (AddrW, ParamW)")
        self.cycle, self._under_way = 0, False
        self._done: dict[int, int] = {}  # SMX: slot reported in this cycle
        self._schedule = Schedule()
        self._waiting: collections.deque[DeviceAnswer] = collections.deque()
        self._graphs: set[Graph] = set()  # graphs that may be launched
        self._launched = self._refused = 0

    @property
    def state(self) -> State:
        """Occupancy of the tables in this cycle."""
        plane = self._plane
        return State(*(self._lib.hd_dpi_state(plane, k) for k in range(len(State._fields))))

    # -- Inputs of this cycle
    def launch(self, grid: Dim, cta: Dim, regs: int = 0, smem: int = 0, tag: int = 0, hwq: int = 0, pc: int = 0,
               param: int = 0, graph: Optional[Graph] = None) -> None:
        """Offers a host launch; it is accepted if launch_ready(). grid in TBs, cta in threads, smem in bytes.
        `graph`: from graph(), with the same grid; it replaces `param` and can be launched once."""
        self._plane
        self._offer(self._launch(grid, cta, regs, smem, tag, hwq, pc, param, graph))

    def _launch(self, grid: Dim, cta: Dim, regs: int = 0, smem: int = 0, tag: int = 0, hwq: int = 0, pc: int = 0,
                param: int = 0, graph: Optional[Graph] = None) -> tuple[Any, ...]:
        """Returns the graph, then the arguments of hd_dpi_launch after the plane."""
        most_ctas, most_threads = self._most_in_all
        shape = (sizes("grid", grid, self._most_tbs, "ctas", most_ctas)
                 + sizes("cta", cta, self._most_threads, "threads", most_threads))
        n = self._numbers(regs=regs, smem=smem, tag=tag, hwq=hwq, pc=pc, param=param)
        if graph is not None:
            if not isinstance(graph, Graph):
                raise WrongType(f"graph={graph!r}: what graph() returned is accepted")
            if graph not in self._graphs:
                raise Error("graph: one of this plane, made since its reset and not launched yet, is accepted")
            if tuple(shape[:3]) != graph.grid:
                raise OutOfRange(f"grid={tuple(shape[:3])}: that of the graph, {graph.grid}, is accepted")
            if n["param"]:
                raise OutOfRange(f"param={n['param']}: 0 is accepted with a graph, which takes its place")
            n["param"] = graph.param
        return (graph, n["hwq"], n["tag"], *shape, n["regs"], n["smem"], n["pc"], n["param"])

    def _numbers(self, **given: Any) -> dict[str, int]:
        return {name: number(name, value, 0, self._most_of[name]) for name, value in given.items()}

    def _offer(self, launch: tuple[Any, ...]) -> None:
        graph, *arguments = launch
        offer = self._lib.hd_dpi_launch if graph is None else self._lib.hd_dpi_launch_graph
        code = offer(self._plane, *arguments)
        if code:
            raise Error(f"launch refused: {self._why(code)}")
        self._graphs.discard(graph)

    def _why(self, code: int) -> str:
        return f"{self._lib.hd_code_text(code).decode()} (code {code}, docs/host/kmu.md)"

    def graph(self, grid: Dim, edges: Iterable[tuple[int, int]] = (), *, pattern: Optional[str] = None,
              parents: Optional[Callable[[int, int, int], Iterable[Dim]]] = None, order: str = "lrr", bound: int = 3,
              degree: int = 2, seed: int = 1) -> Graph:
        """Makes a dependency graph of the TBs of a grid, in memory, for one launch. A TB starts when its parents are
        done.

        edges: (parent, child), linear ids. pattern: one of heddle.PATTERNS (layered: `degree` parents per TB, chosen by
        `seed`). parents: function of the coordinates of a TB that returns those of its parents; parents outside the
        grid are ignored. order: lrr, lvl or lvl-bind, the last two with a bound in levels (docs/deplinks.md)."""
        plane = self._plane
        made = build(self._lib, plane, sizes("grid", grid, self._most_tbs, "ctas", 65535), edges, pattern, parents,
                     order, bound, degree, seed)
        self._graphs.add(made)
        return made

    def done(self, smx: int, slot: int) -> None:
        """Reports the TB of that slot as done; at most one per SMX and cycle."""
        smx, slot = self._smx(smx), number("slot", slot, 0, self._slots - 1)
        if self._done.setdefault(smx, slot) != slot:
            raise Error(f"slot={slot}: SMX {smx} has reported slot {self._done[smx]} as done in this cycle; one is "
                        "accepted")
        self._lib.hd_dpi_cta_done(self._plane, smx, slot)

    def answer_ready(self, ready: Any) -> None:
        """Sets whether the host accepts answers."""
        self._lib.hd_dpi_answer_ready(self._plane, bool(ready))

    def dispatch_ready(self, smx: int, ready: Any) -> None:
        """Sets whether the SMX accepts TBs."""
        self._lib.hd_dpi_dispatch_ready(self._plane, self._smx(smx), bool(ready))

    def kernel_done_ready(self, ready: Any) -> None:
        """Sets whether the host accepts completions."""
        self._lib.hd_dpi_kernel_done_ready(self._plane, bool(ready))

    # -- Actions of TBs
    def hold(self, tb: Dispatch, cycles: int, refused: int = 0) -> None:
        """Ends the TB `cycles` (1 or more) after this one, but not before its launches are answered and its SMX has no
        other TB to report. Each refused launch adds `refused` cycles."""
        self._tb(tb)
        cycles, refused = number("hold", cycles, 1, U64), number("refused", refused, 0, U32)
        self._schedule.hold(tb.smx, tb.slot, self.cycle + cycles, refused)

    def _tb(self, tb: Dispatch) -> None:
        self._plane
        if not isinstance(tb, Dispatch):
            raise WrongType(f"tb={tb!r}: a Dispatch of this plane is accepted")
        number("smx", tb.smx, 0, self.smxs - 1)
        number("slot", tb.slot, 0, self._slots - 1)

    def launch_group(self, tb: Dispatch, grid: Dim, **child: Any) -> None:
        """A thread of the TB launches an aggregated group (DTBL): device_launch() of one child."""
        self.device_launch(tb, "group", {"grid": grid, **child})

    def launch_kernel(self, tb: Dispatch, grid: Dim, **child: Any) -> None:
        """A thread of the TB launches a kernel (CDP): device_launch() of one child."""
        self.device_launch(tb, "kernel", {"grid": grid, **child})

    def device_launch(self, tb: Dispatch, kind: str, children: Union[Mapping[str, Any], Iterable[Mapping[str, Any]]],
                      after: int = 1) -> None:
        """Threads of a warp of the TB launch 1 to 32 groups or kernels, `after` cycles from now (1: as soon as it
        runs). Each child has: grid; cta, pc (default: those of the TB); regs, smem, param, stream (default 0). A group
        joins a kernel of the same pc, cta and smem; without such a kernel it becomes a kernel. launch_cycles() returns
        how long the runtime of a K20c takes. device_answers() returns the answers."""
        self._tb(tb)
        which = word("kind", kind, KINDS[:2])
        listed = [children] if isinstance(children, Mapping) else list(children)
        if not 1 <= len(listed) <= LANES:
            raise OutOfRange(f"children: 1 to {LANES} are accepted, a warp's; these are {len(listed)}")
        beats = []
        for lane, child in enumerate(listed):
            try:
                beats.append((lane, int(lane == len(listed) - 1), *self._child(tb, **child)))
            except Error as e:
                raise type(e)(f"children[{lane}]: {e}") from None
        after = number("after", after, 1, U64)
        self._schedule.launch(tb.smx, tb.slot, self.cycle + after, which, beats)

    def _child(self, tb: Dispatch, grid: Dim, cta: Optional[Dim] = None, regs: int = 0, smem: int = 0,
               pc: Optional[int] = None, param: int = 0, stream: int = 0) -> tuple[int, ...]:
        """Returns the arguments of hd_dpi_dev_launch from the stream on."""
        most_ctas, most_threads = self._most_in_all
        shape = (sizes("grid", grid, self._most_tbs, "ctas", most_ctas)
                 + sizes("cta", tb.cta if cta is None else cta, self._most_threads, "threads", most_threads))
        n = self._numbers(regs=regs, smem=smem, pc=tb.pc if pc is None else pc, param=param, stream=stream)
        return (n["stream"], *shape, n["regs"], n["smem"], n["pc"], n["param"])

    def save(self, tb: Dispatch, context: int, after: int = 1) -> None:
        """The TB requests to leave its slot until the children of its kernel are complete; it then resumes with
        `restart` and `context` as param. If the answer is accepted, the TB must be reported as done."""
        self._tb(tb)
        context = number("context", context, 0, self._most_of["param"])
        after = number("after", after, 1, U64)
        self._schedule.launch(tb.smx, tb.slot, self.cycle + after, 2, [(0, 1, 0, *[1] * 6, 0, 0, 0, context)])

    def launch_cycles(self, kind: str, threads: int) -> int:
        """Returns the cycles that the device runtime of a K20c takes before a warp with that many launching threads
        offers its command (dtbl-isca2015 table 3); for `after`."""
        which, threads = word("kind", kind, KINDS[:2]), number("threads", threads, 1, LANES)
        return int(self._lib.hd_dpi_launch_cycles(self._plane, which, threads))

    def device_answers(self) -> list[DeviceAnswer]:
        """Returns the answers to launches of TBs since the last call, in order of arrival."""
        self._plane
        found = list(self._waiting)
        self._waiting.clear()
        return found

    # -- Outputs of this cycle
    def launch_ready(self) -> bool:
        """Returns True if a host launch is accepted in this cycle."""
        return bool(self._lib.hd_dpi_launch_ready(self._plane))

    def answer(self) -> Optional[Answer]:
        """Returns Answer(tag, code), or None."""
        tag, code = ctypes.c_uint32(), ctypes.c_uint32()
        return Answer(tag.value, code.value) if self._lib.hd_dpi_answer(self._plane, tag, code) else None

    def kernel_done(self) -> Optional[int]:
        """Returns the tag of the kernel that is done, or None."""
        tag = ctypes.c_uint32()
        return tag.value if self._lib.hd_dpi_kernel_done(self._plane, tag) else None

    def kernel_failed(self) -> bool:
        """Returns True if the kernel that is done failed: an invalid graph, or a memory error."""
        return bool(self._lib.hd_dpi_kernel_failed(self._plane))

    def dispatches(self) -> list[Dispatch]:
        """Returns the TBs offered to the SMXs."""
        out, plane, lib = [], self._plane, self._lib
        words = [ctypes.c_uint32() for _ in range(3)] + [ctypes.c_uint64() for _ in range(2)]
        more = [ctypes.c_uint32() for _ in range(9)]
        smx = lib.hd_dpi_dispatch_next(plane, 0)
        while smx < self.smxs:
            lib.hd_dpi_dispatch(plane, smx, *words)
            lib.hd_dpi_dispatch_more(plane, smx, *more)
            group, level, restart, *shape = (w.value for w in more)
            slot, kdei, blkid, pc, param = (w.value for w in words)
            out.append(Dispatch(smx, slot, kdei, blkid, pc, param, level, bool(group), bool(restart),
                                (shape[0], shape[1], shape[2]), (shape[3], shape[4], shape[5])))
            smx = lib.hd_dpi_dispatch_next(plane, smx + 1)
        return out

    # -- The clock
    def tick(self) -> None:
        """The rising clock edge."""
        self._ticks(1)

    def _ticks(self, most: int) -> None:
        """Ticks until an output or a scheduled action needs attention, but at most `most` times."""
        plane = self._plane
        for smx, slot, which, beats in self._schedule.launches(self.cycle):
            for lane, last, *child in beats:
                code = self._lib.hd_dpi_dev_launch(plane, smx, slot, which, lane, last, *child)
                if code:
                    raise Error(f"launch of SMX {smx}, slot {slot}: {self._lib.hd_device_text(code).decode()}")
        for smx, slot in self._schedule.ends(self.cycle):
            if smx not in self._done:
                self.done(smx, slot)
                self._schedule.ended(smx)
        due = self._schedule.next(self.cycle)
        if most == 1:
            self._lib.hd_dpi_tick(plane)
            self.cycle += 1
        else:
            self.cycle += self._lib.hd_dpi_run(plane, most if due is None else min(most, due - self.cycle))
        self._done.clear()
        self._take_answers(plane)

    def _take_answers(self, plane: _Handle) -> None:
        words = [ctypes.c_uint32() for _ in range(5)]
        while self._lib.hd_dpi_dev_answer(plane, *words):
            smx, slot, kind, lane, code = (w.value for w in words)
            answer = DeviceAnswer(smx, slot, KINDS[kind], lane, code)
            self._waiting.append(answer)
            self._launched += answer.accepted
            self._refused += not answer.accepted
            self._schedule.answered(smx, slot, self.cycle, answer.accepted)

    def _apb(self, write: int, address: int, value: int) -> int:
        address, value = number("address", address, 0, U32), number("value", value, 0, U32)
        for enable in (0, 1):
            self._lib.hd_dpi_apb(self._plane, 1, enable, write, address, value, 15)
            if not enable:
                self.tick()
        found = ctypes.c_uint32()
        failed = self._lib.hd_dpi_apb_read(self._plane, found)
        self.tick()
        self._lib.hd_dpi_apb(self._plane, 0, 0, 0, 0, 0, 0)
        if failed:
            raise Error(f"no register at {address:#x} that takes this (docs/service/regs.md)")
        return found.value

    def read(self, address: int) -> int:
        """Reads a register of docs/service/regs.md over APB4: two cycles."""
        return self._apb(0, address, 0)

    def write(self, address: int, value: int) -> None:
        """Writes a register of docs/service/regs.md over APB4: two cycles."""
        self._apb(1, address, value)

    # -- Whole runs
    def _kernels(self, kernels: Iterable[Mapping[str, Any]]) -> dict[int, tuple[Any, ...]]:
        """Returns the arguments of _offer() for each kernel, by tag."""
        launches: dict[int, tuple[Any, ...]] = {}
        for k, kernel in enumerate(kernels):
            try:
                if not isinstance(kernel, Mapping):
                    raise WrongType("the arguments of launch() as a dictionary are accepted")
                launch = self._launch(**{"tag": k, **kernel})
                if launch[2] in launches:
                    raise OutOfRange(f"tag={launch[2]}: a tag that no kernel before has is accepted")
            except Error as e:
                raise type(e)(f"kernels[{k}]: {e}") from None
            launches[launch[2]] = launch
        return launches

    def handouts(self, kernels: Iterable[Mapping[str, Any]], limit: int = 10_000_000,
                 done: Optional[dict[int, int]] = None) -> Iterator[Dispatch]:
        """Launches kernels (each the arguments of launch(); default tag: its index in the list) as soon as the plane
        accepts them, and yields each TB in the cycle in which it is handed out, `cycle`; call hold(), and launch its
        children, before the next TB is fetched. Ends when all kernels and their children are done; `done` then has the
        cycle of each kernel by tag. Sets all ready inputs. Requires that no other run is in progress; if the loop is
        left early the kernels stay in the plane: call reset() before the next run."""
        self._plane
        launches, limit = self._kernels(kernels), number("limit", limit, 1, U64)
        return self._handouts(launches, limit, {} if done is None else done)

    def _handouts(self, launches: dict[int, tuple[Any, ...]], limit: int, done: dict[int, int]) -> Iterator[Dispatch]:
        if self._under_way:
            raise Error("a run has not ended: reset() first")
        self._under_way = True
        for smx in range(self.smxs):
            self.dispatch_ready(smx, True)
        self.answer_ready(True)
        self.kernel_done_ready(True)
        waiting = collections.deque(launches.values())
        first, count = self.cycle, len(waiting)
        while len(done) < count:
            if self.cycle - first >= limit:
                raise Error(f"{count - len(done)} kernels are not done after {limit} cycles")
            answer, tag = self.answer(), self.kernel_done()
            if answer and answer.code:
                raise Error(f"kernel {answer.tag} refused: {self._why(answer.code)}")
            if tag is not None and tag not in launches:
                raise Error(f"kernel {tag} is done, which this run has not launched")
            if tag is not None and self.kernel_failed():
                raise Error(f"kernel {tag} failed: its graph is wrong, or the memory answered with an error")
            if tag is not None:
                done[tag] = self.cycle - first
            if waiting and self.launch_ready():
                self._offer(waiting.popleft())
            yield from self.dispatches()
            self._ticks(1 if waiting or len(done) == count else limit - (self.cycle - first))
        self._under_way = False

    def run(self, kernels: Iterable[Mapping[str, Any]], hold: Callable[[Dispatch], Union[int, Work]],
            limit: int = 10_000_000) -> Result:
        """Like handouts(), with each TB running for hold(Dispatch) cycles, 1 or more, or doing the Work that hold()
        returns. Returns a Result when all kernels are done. If it raises, also from hold(), its kernels stay in the
        plane: call reset() before the next run."""
        done: dict[int, int] = {}
        taken = self.handouts(kernels, limit, done)
        first, total, launched, refused = self.cycle, 0, self._launched, self._refused
        for tb in taken:
            work = hold(tb)
            if isinstance(work, Work):
                for kind in "group", "kernel":
                    children = work.groups if kind == "group" else work.kernels
                    if children:
                        self.device_launch(tb, kind, children, work.after)
                self.hold(tb, work.cycles, work.refused)
            else:
                self.hold(tb, work)
            total += 1
        return Result(self.cycle - first, done, total, self._launched - launched, self._refused - refused)
