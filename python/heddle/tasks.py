# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Graphs of channels and kernels, executed in the order in which the aggregator dispatches wavefronts
(heddle/api/channels.h).

    class Task(ctypes.Structure):
        _fields_ = [("n", ctypes.c_uint32)]

    graph, leaves = Channels("apu8"), []
    tasks = graph.stack("tasks", Task, capacity=1024, levels=20)

    def split(wave):
        inner = [task.n for task in wave if task.n > 2]
        if inner:  # an element for each child; the wavefront yields if there is no room
            wave.put(tasks, [Task(n - k) for n in inner for k in (1, 2)], level=wave.level + 1)
        leaves.extend(task.n for task in wave if task.n <= 2)

    graph.kernel("split", tasks, split, outputs=[Output(tasks, rise=1, fan=2)])
    graph.put(tasks, [Task(16)])
    print(graph.execute(), len(leaves))

Elements are copied: changing a task that a kernel received has no effect. A kernel that yields is called again from its
beginning, so it must call put() before any side effect."""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, Optional

from .errors import U32, Error, WrongType, number
from .files import library

CFG_BYTES = 1 << 16  # larger than a struct hd_cfg, which the caller of the library owns
TEXT_BYTES = 400
# Result, then arguments of each function hd_channels_*: p pointer, s text, i int, u 32 bits, b bool.
FUNCTIONS = {
    "new": "pp", "free": "-p", "code": "ip", "text": "sp", "stack": "ipsuuuub", "kernel": "ipsipp", "output": "-piiuu",
    "check": "ip", "host": "pp", "execute": "ip", "lanes": "up", "level": "up", "deq": "ppu", "talloc": "ppiuu",
    "enq": "-pp", "tfree": "-pu"}
TYPES: dict[str, Any] = {"p": ctypes.c_void_p, "s": ctypes.c_char_p, "i": ctypes.c_int, "u": ctypes.c_uint32,
                         "b": ctypes.c_bool, "-": None}
CALLBACK = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class Counts(NamedTuple):
    """Execution counts."""
    elements: int  # dispatched; each counts once
    wavefronts: int  # dispatched; each counts once, however often it yielded
    partial: int  # wavefronts with fewer elements than lanes
    yields: int


class _Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in Counts._fields]


class Output(NamedTuple):
    """A kernel's output: for each element of level k it adds at most `fan` elements to the stack's channel of level
    k + rise."""
    stack: Stack
    rise: int = 0
    fan: int = 1


class _Yield(BaseException):
    """Raised if there is no room, to leave the kernel."""


def _functions() -> Any:
    lib = library()
    if getattr(lib, "channels_ready", False):
        return lib
    for name, types in FUNCTIONS.items():
        f = getattr(lib, "hd_channels_" + name)
        f.restype, *f.argtypes = (TYPES[t] for t in types)
    lib.hd_channels_counts.restype, lib.hd_channels_counts.argtypes = _Counts, [ctypes.c_void_p, ctypes.c_int]
    lib.hd_cfg_find.restype, lib.hd_cfg_find.argtypes = ctypes.c_bool, [ctypes.c_char_p, ctypes.c_void_p]
    changes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t]
    lib.hd_cfg_set.restype, lib.hd_cfg_set.argtypes = ctypes.c_bool, changes
    lib.hd_cfg_derive.restype, lib.hd_cfg_derive.argtypes = ctypes.c_bool, [changes[0], *changes[3:]]
    lib.channels_ready = True
    return lib


def _name(what: str, value: Any) -> bytes:
    if not isinstance(value, str) or "\0" in value:
        raise WrongType(f"{what}={value!r}: a text without NUL is accepted")
    return value.encode(errors="backslashreplace")


def _configuration(lib: Any, config: str, parameters: dict[str, int]) -> Any:
    """A struct hd_cfg."""
    cfg, why = ctypes.create_string_buffer(CFG_BYTES), ctypes.create_string_buffer(TEXT_BYTES)
    if not lib.hd_cfg_find(_name("config", config), cfg):
        raise Error(f"config={config!r}: a configuration of docs/configurations.md is accepted, such as apu8")
    good = all(lib.hd_cfg_set(cfg, _name("parameter", name), number(name, value, 0, U32), why, TEXT_BYTES)
               for name, value in parameters.items())
    if not good or not lib.hd_cfg_derive(cfg, why, TEXT_BYTES):
        raise Error(why.value.decode(errors="replace"))
    return cfg


class Stack(NamedTuple):
    """A stack of channels, made by Channels.stack()."""
    graph: Channels
    node: int
    name: str
    element: type[ctypes.Structure]


class Wave:
    """A wavefront, which a kernel gets: an iterable of copies of its elements. It is valid until the kernel returns."""

    def __init__(self, graph: Channels, pointer: int, element: type[ctypes.Structure]) -> None:
        self._graph, self._pointer, self._element = graph, pointer, element
        self.level: int = graph._lib.hd_channels_level(pointer)
        self._lanes: int = graph._lib.hd_channels_lanes(pointer)
        self._reserved: list[int] = []

    def __len__(self) -> int:
        return self._lanes

    def __getitem__(self, k: int) -> Any:
        if not -self._lanes <= k < self._lanes:
            raise IndexError(k)
        return self._graph._copy(self._live().hd_channels_deq(self._pointer, k % self._lanes), self._element)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self._lanes))

    def put(self, stack: Stack, elements: Iterable[ctypes.Structure], level: Optional[int] = None) -> None:
        """Adds elements to the stack's channel of that level (default: the wavefront's); they can be dispatched after
        the kernel returns. Yields if there is no room: the kernel ends here and is called again from its beginning. A
        wavefront allocates from shallow levels to deep ones, once per level."""
        lib, listed = self._live(), self._graph._listed(stack, elements)
        if listed:
            to = lib.hd_channels_talloc(self._pointer, stack.node, number("level", self.level if level is None
                                                                          else level, 0, U32), len(listed))
            if not to:
                raise _Yield
            self._graph._write(to, listed)
            self._reserved.append(to)

    def _live(self) -> Any:
        if not self._pointer:
            raise Error("the wavefront is over: its kernel returned")
        return self._graph._lib

    def _end(self, done: bool) -> None:
        """Publishes the new elements and frees the received ones; or, if not done, yields."""
        lib = self._live()
        if done:
            for to in self._reserved:
                lib.hd_channels_enq(self._pointer, to)
            for k in range(self._lanes):
                lib.hd_channels_tfree(self._pointer, k)
        self._pointer = 0


class Channels:
    """A graph of channels and kernels: stack(), kernel() and put(), then execute(). Keywords are parameters of the
    configuration. Every error of the library raises Error with its text."""

    def __init__(self, config: str = "apu8", **parameters: int) -> None:
        self._lib = _functions()
        self._kept: list[Any] = []  # objects that the library points to
        self._raised: Optional[BaseException] = None
        self._checked = self._running = False
        self._pointer = self._lib.hd_channels_new(_configuration(self._lib, config, parameters))
        if not self._pointer:
            raise MemoryError

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            self._lib.hd_channels_free(self._pointer)

    def __reduce_ex__(self, _protocol: Any) -> NoReturn:
        raise WrongType("a graph of channels can be neither copied nor pickled; make another one")

    def _good(self) -> None:
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        if self._lib.hd_channels_code(self._pointer):
            raise Error(f"channels: {self._lib.hd_channels_text(self._pointer).decode(errors='replace')}")

    def _copy(self, address: Optional[int], element: type[ctypes.Structure]) -> Any:
        if not address:
            self._good()
            raise Error("channels: no such element")
        return element.from_buffer_copy(ctypes.string_at(address, ctypes.sizeof(element)))

    def _listed(self, stack: Stack, elements: Iterable[ctypes.Structure]) -> Sequence[ctypes.Structure]:
        if not isinstance(stack, Stack) or stack.graph is not self:
            raise WrongType(f"stack={stack!r}: a stack of this graph is accepted")
        listed = list(elements)
        for k, one in enumerate(listed):
            if not isinstance(one, stack.element):
                raise WrongType(f"elements[{k}]={one!r}: {stack.element.__name__} is accepted")
        return listed

    def _write(self, to: int, listed: Sequence[ctypes.Structure]) -> None:
        for one in listed:
            ctypes.memmove(to, ctypes.addressof(one), ctypes.sizeof(one))
            to += ctypes.sizeof(one)

    def stack(self, name: str, element: type[ctypes.Structure], *, capacity: int, level: int = 0, levels: int = 1,
              levelized: bool = False) -> Stack:
        """Adds one channel per level, for `levels` levels from `level` on, of `capacity` elements each (a power of
        two). `levelized`: no element of a level is dispatched while a deeper level holds one."""
        if not (isinstance(element, type) and issubclass(element, ctypes.Structure) and ctypes.sizeof(element)):
            raise WrongType(f"element={element!r}: a subclass of ctypes.Structure with fields is accepted")
        text = ctypes.create_string_buffer(_name("name", name))
        self._kept.append(text)
        node = self._lib.hd_channels_stack(
            self._pointer, ctypes.cast(text, ctypes.c_char_p), ctypes.sizeof(element),
            number("capacity", capacity, 1, U32), number("level", level, 0, U32), number("levels", levels, 1, U32),
            bool(levelized))
        self._good()
        return Stack(self, node, name, element)

    def kernel(self, name: str, stack: Stack, function: Callable[[Wave], object],
               outputs: Iterable[Output] = ()) -> int:
        """Adds the kernel that consumes the elements of a stack; it is called with each wavefront. Returns its node."""
        self._listed(stack, ())

        def call(pointer: int, _: Any) -> None:
            if self._raised is not None:
                return
            wave, done = Wave(self, pointer, stack.element), False
            try:
                function(wave)
                done = True
            except _Yield:
                pass
            except BaseException as e:  # execute() raises it; an exception must not propagate through the library
                self._raised = e
            wave._end(done)
        if not callable(function):
            raise WrongType(f"function={function!r}: a function of a Wave is accepted")
        text, callback = ctypes.create_string_buffer(_name("name", name)), CALLBACK(call)
        self._kept += [text, callback]
        node: int = self._lib.hd_channels_kernel(self._pointer, ctypes.cast(text, ctypes.c_char_p), stack.node,
                                                 ctypes.cast(callback, ctypes.c_void_p), None)
        for to, rise, fan in outputs:
            self._listed(to, ())
            self._lib.hd_channels_output(self._pointer, node, to.node, number("rise", rise, 0, U32),
                                         number("fan", fan, 0, U32))
        self._good()
        return node

    def check(self) -> None:
        """Checks the graph; the Error names channels that wait for each other's room. put() and execute() call it;
        nothing can be added afterwards."""
        if not self._checked:
            self._lib.hd_channels_check(self._pointer)
            self._checked = True
        self._good()

    def put(self, stack: Stack, elements: Iterable[ctypes.Structure], level: int = 0) -> None:
        """Adds elements from the host, before execute()."""
        self.check()
        if self._running:
            raise Error("channels: a kernel puts elements in by its wavefront's put()")
        listed = self._listed(stack, elements)
        if not listed:
            return
        host = self._lib.hd_channels_host(self._pointer)
        to = self._lib.hd_channels_talloc(host, stack.node, number("level", level, 0, U32), len(listed))
        self._good()
        self._write(to, listed)
        self._lib.hd_channels_enq(host, to)
        self._good()

    def execute(self) -> Counts:
        """Executes the graph until all its channels are empty. May be called again after put(). Raises what a kernel
        raised."""
        self.check()
        if self._running:
            raise Error("channels: execute() is under way")
        self._running = True
        try:
            self._lib.hd_channels_execute(self._pointer)
        finally:
            self._running = False
        self._good()
        return self.counts()

    def counts(self, node: Optional[int] = None) -> Counts:
        """Returns the counts of a kernel, by the node that kernel() returned; default: of the whole graph."""
        node = -1 if node is None else number("node", node, 0, 2**31 - 1)
        found = self._lib.hd_channels_counts(self._pointer, node)
        return Counts(*(getattr(found, name) for name in Counts._fields))
