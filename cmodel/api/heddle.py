# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The golden model of the dispatch plane in Python: the functions of heddle/dpi.h through ctypes, nothing to build.

    plane = Plane("k20c", NumSmx=4)
    plane.launch(grid=(100,), cta=(256,), regs=32, tag=7)
    while plane.kernel_done() is None:
        busy = plane.dispatches()            # outputs of this cycle ..
        plane.tick()                         # .. and the rising clock edge that ends it
        for tb in busy:
            plane.done(tb.smx, tb.slot)      # inputs of the next one

Or at a stroke: Plane("k20c").run([{"grid": (100,), "cta": (256,), "regs": 32}], lambda tb: 500).

The library is that of an installation around this file, of a checkout around it, or what the linker finds; the
environment's HEDDLE_LIBRARY names another. docs/top.md defines the ports. TBs do not launch through it.

Every number is checked before it reaches the library: OutOfRange and WrongType say what is accepted. A closed plane
raises Error. Threads may share a plane: each call is whole, but the order of their calls is theirs to arrange."""
import collections
import collections.abc
import ctypes
import ctypes.util
import heapq
import itertools
import operator
import os

Dispatch = collections.namedtuple("Dispatch", "smx slot kdei blkid pc param")
Answer = collections.namedtuple("Answer", "tag code")
Result = collections.namedtuple("Result", "cycles done dispatches")  # done: tag -> cycle


class Error(Exception):
    """A configuration that does not exist or breaks a limit, a launch that the plane refuses, a closed plane, no
    library; the base of the other two."""


class OutOfRange(Error, ValueError):
    """A number or text that is not accepted."""


class WrongType(Error, TypeError):
    """An argument of another type than is accepted; a copy of a plane."""


MAX_CTA, MAX_THREADS = (1024, 1024, 64), 1024  # threads of a TB in each dimension, and in all (heddle/api/runtime.h)
U32, U64 = 2**32 - 1, 2**64 - 1

# What each function returns, then what it takes: P plane, s text, b bit, u 32 bits, l 64 bits, U and L a place for one.
FUNCTIONS = {
    "new": "Ps", "error": "sP", "free": "-P", "has_param": "bPs", "param": "uPs", "reset": "-P",
    "launch": "uPuuuuuuuuuull", "launch_ready": "bP", "answer": "bPUU", "dispatch": "bPuUUULL", "kernel_done": "bPU",
    "answer_ready": "-Pb", "dispatch_ready": "-Pub", "kernel_done_ready": "-Pb", "cta_done": "-Puu",
    "apb": "-Pbbbuuu", "apb_read": "bPU", "tick": "-P",
}
TYPES = {"P": ctypes.c_void_p, "s": ctypes.c_char_p, "b": ctypes.c_uint8, "u": ctypes.c_uint32, "l": ctypes.c_uint64,
         "U": ctypes.POINTER(ctypes.c_uint32), "L": ctypes.POINTER(ctypes.c_uint64), "-": None}


def library():
    """The shared library, loaded, with the types of its functions."""
    here = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("HEDDLE_LIBRARY")
    places = [named] if named else [os.path.join(here, "../../../lib/libheddle.so"),
                                    os.path.join(here, "../../build/libheddle.so"), ctypes.util.find_library("heddle")]
    for place in filter(None, places):
        if os.path.exists(place) or "/" not in place:
            break
    else:
        raise Error(f"HEDDLE_LIBRARY={named}: no such file" if named else
                    "no libheddle.so: set HEDDLE_LIBRARY, or `make lib` in the checkout")
    try:
        lib = ctypes.PyDLL(place)  # not CDLL: while a call runs, no other thread reaches the plane
        for name, types in FUNCTIONS.items():
            f = getattr(lib, "hd_dpi_" + name)
            f.restype, *f.argtypes = (TYPES[t] for t in types)
        lib.hd_code_text.restype, lib.hd_code_text.argtypes = ctypes.c_char_p, [ctypes.c_uint]
    except (OSError, AttributeError) as e:
        raise Error(str(e)) from None
    return lib


def _number(name, value, least, most):
    """The value as an int from least to most."""
    try:
        number = operator.index(value)
    except TypeError:
        raise WrongType(f"{name}={value!r}: a whole number from {least} to {most} is accepted") from None
    if least <= number <= most:
        return number
    bits = number.bit_length()
    shown = number if bits <= 1000 else f"a number of {bits} bits"
    raise OutOfRange(f"{name}={shown}: {least} to {most} is accepted")


def _sizes(name, value, most, count, most_in_all):
    """One to three numbers, up to `most` each, as x, y and z; `count` names their product."""
    try:
        given = tuple(itertools.islice(value, 4))
    except TypeError:
        raise WrongType(f"{name}={value!r}: one to three numbers are accepted, as (100,)") from None
    if not 1 <= len(given) <= 3:
        raise OutOfRange(f"{name}={given}: one to three numbers are accepted")
    sizes = [_number(f"{name}.{axis}", size, 1, top) for axis, size, top in zip("xyz", given + (1, 1), most)]
    _number(count, sizes[0] * sizes[1] * sizes[2], 1, most_in_all)
    return sizes


def _no_copy(self, _protocol):
    raise WrongType("a plane can be neither copied nor pickled; make another one")


class _Handle:
    """The plane in the library, freed with the last reference: who is in a call holds one."""
    def __init__(self, lib, config):
        self._free = lib.hd_dpi_free
        self._as_parameter_ = lib.hd_dpi_new(config)
        if not self._as_parameter_:
            raise MemoryError
        why = lib.hd_dpi_error(self)
        if why:
            raise Error(why.decode(errors="replace"))

    def __del__(self):
        self._free(self)

    __reduce_ex__ = _no_copy


class Plane:
    """A plane after reset, in a named configuration with changes: Plane("k20c", NumSmx=4). `cycle` counts the ticks."""
    _lib = _handle = None

    def __init__(self, config="k20c", **parameters):
        if Plane._lib is None:
            Plane._lib = library()
        if not isinstance(config, str):
            raise WrongType(f"config={config!r}: the name of a configuration is accepted")
        text = "+".join([config, *(f"{name}={_number(name, value, 0, U32)}" for name, value in parameters.items())])
        if "\0" in text:
            raise OutOfRange(f"config={text!r}: no NUL is accepted")
        self._handle = _Handle(self._lib, text.encode(errors="backslashreplace"))
        self.smxs, self.cycle = self["NumSmx"], 0
        self._under_way, self._done = False, {}  # a run; SMX: the slot that it reported in this cycle
        self._most_tbs = [self._most("GridXW"), self._most("GridYW"), self._most("GridZW")]
        self._most_threads = [min(self._most(name), most) for name, most in zip(("CtaXW", "CtaYW", "CtaZW"), MAX_CTA)]
        self._most_in_all = self._most("CtasW"), min(self._most("ThreadsW"), MAX_THREADS)
        self._most_of = {"regs": self._most("RegsW"), "smem": self["SmemPerSmx"], "tag": self._most("TagW"),
                         "hwq": self["NumHwq"] - 1, "pc": self._most("PcW"), "param": self._most("ParamW")}

    @property
    def _plane(self):
        handle = self._handle
        if handle is None:
            raise Error("the plane is closed")
        return handle

    def close(self):
        """Gives the plane back. May be called again; all else raises Error from now on."""
        self._handle = None

    def __enter__(self):
        self._plane
        return self

    def __exit__(self, *_):
        self.close()

    __reduce_ex__ = _no_copy

    def __getitem__(self, name):
        """A parameter of the configuration."""
        plane = self._plane
        text = name.encode(errors="backslashreplace") if isinstance(name, str) and "\0" not in name else b""
        if not self._lib.hd_dpi_has_param(plane, text):
            raise KeyError(name)
        return self._lib.hd_dpi_param(plane, text)

    def _most(self, width):
        return 2**self[width] - 1

    def _smx(self, smx):
        return _number("smx", smx, 0, self["NumSmx"] - 1)

    def reset(self):
        self._lib.hd_dpi_reset(self._plane)
        self.cycle, self._under_way, self._done = 0, False, {}

    # -- Inputs of this cycle
    def launch(self, grid, cta, regs=0, smem=0, tag=0, hwq=0, pc=0, param=0):
        """Offers a launch; it is taken if launch_ready(). smem in bytes."""
        self._plane
        self._offer(self._launch(grid, cta, regs, smem, tag, hwq, pc, param))

    def _launch(self, grid, cta, regs=0, smem=0, tag=0, hwq=0, pc=0, param=0):
        """The arguments of hd_dpi_launch behind the plane."""
        most_ctas, most_threads = self._most_in_all
        sizes = (_sizes("grid", grid, self._most_tbs, "ctas", most_ctas)
                 + _sizes("cta", cta, self._most_threads, "threads", most_threads))
        given = {"regs": regs, "smem": smem, "tag": tag, "hwq": hwq, "pc": pc, "param": param}
        n = {name: _number(name, value, 0, self._most_of[name]) for name, value in given.items()}
        return (n["hwq"], n["tag"], *sizes, n["regs"], n["smem"], n["pc"], n["param"])

    def _offer(self, arguments):
        code = self._lib.hd_dpi_launch(self._plane, *arguments)
        if code:
            raise Error(f"launch refused: {self._why(code)}")

    def _why(self, code):
        return f"{self._lib.hd_code_text(code).decode()} (code {code}, docs/host/kmu.md)"

    def done(self, smx, slot):
        """The SMX reports the TB of that slot as done; one of an SMX in a cycle."""
        smx, slot = self._smx(smx), _number("slot", slot, 0, self["CtasPerSmx"] - 1)
        if self._done.setdefault(smx, slot) != slot:
            raise Error(f"slot={slot}: SMX {smx} has reported slot {self._done[smx]} as done in this cycle; one is "
                        "accepted")
        self._lib.hd_dpi_cta_done(self._plane, smx, slot)

    def answer_ready(self, ready):
        self._lib.hd_dpi_answer_ready(self._plane, bool(ready))

    def dispatch_ready(self, smx, ready):
        self._lib.hd_dpi_dispatch_ready(self._plane, self._smx(smx), bool(ready))

    def kernel_done_ready(self, ready):
        self._lib.hd_dpi_kernel_done_ready(self._plane, bool(ready))

    # -- Outputs of this cycle
    def launch_ready(self):
        return bool(self._lib.hd_dpi_launch_ready(self._plane))

    def answer(self):
        """Answer(tag, code), or None."""
        tag, code = ctypes.c_uint32(), ctypes.c_uint32()
        return Answer(tag.value, code.value) if self._lib.hd_dpi_answer(self._plane, tag, code) else None

    def kernel_done(self):
        """The tag of the kernel that is done, or None."""
        tag = ctypes.c_uint32()
        return tag.value if self._lib.hd_dpi_kernel_done(self._plane, tag) else None

    def dispatches(self):
        """What is on offer to the SMXs: a list of Dispatch."""
        out, plane = [], self._plane
        words = [ctypes.c_uint32() for _ in range(3)] + [ctypes.c_uint64() for _ in range(2)]
        for smx in range(self.smxs):
            if self._lib.hd_dpi_dispatch(plane, smx, *words):
                out.append(Dispatch(smx, *(w.value for w in words)))
        return out

    # -- The clock
    def tick(self):
        """The rising clock edge."""
        self._lib.hd_dpi_tick(self._plane)
        self.cycle += 1
        self._done.clear()

    def _apb(self, write, address, value):
        address, value = _number("address", address, 0, U32), _number("value", value, 0, U32)
        for enable in (0, 1):
            self._lib.hd_dpi_apb(self._plane, 1, enable, write, address, value, 15)
            if not enable:
                self.tick()
        word = ctypes.c_uint32()
        failed = self._lib.hd_dpi_apb_read(self._plane, word)
        self.tick()
        self._lib.hd_dpi_apb(self._plane, 0, 0, 0, 0, 0, 0)
        if failed:
            raise Error(f"no register at {address:#x} that takes this (docs/service/regs.md)")
        return word.value

    def read(self, address):
        """A register of docs/service/regs.md, over APB4: two cycles."""
        return self._apb(0, address, 0)

    def write(self, address, value):
        self._apb(1, address, value)

    def _kernels(self, kernels):
        """The arguments of hd_dpi_launch for each, by tag."""
        launches = {}
        for k, kernel in enumerate(kernels):
            try:
                if not isinstance(kernel, collections.abc.Mapping):
                    raise WrongType("the arguments of launch() as a dictionary are accepted")
                launch = self._launch(**dict({"tag": k}, **kernel))
                if launch[1] in launches:
                    raise OutOfRange(f"tag={launch[1]}: a tag that no kernel before has is accepted")
            except Error as e:
                raise type(e)(f"kernels[{k}]: {e}") from None
            launches[launch[1]] = launch
        return launches

    def run(self, kernels, hold, limit=10_000_000):
        """Launches kernels (each the arguments of launch(), its tag its place in the list unless it has one) as soon as
        the plane takes them, lets each TB run for hold(Dispatch) cycles, 1 or more, and returns a Result when all are
        done. Nothing else may be under way. Sets all ready inputs. If it raises, by hold() too, its kernels stay in the
        plane: reset() before the next run."""
        self._plane
        launches, limit = self._kernels(kernels), _number("limit", limit, 1, U64)
        if self._under_way:
            raise Error("a run has not ended: reset() first")
        self._under_way = True
        for smx in range(self.smxs):
            self.dispatch_ready(smx, True)
        self.answer_ready(True)
        self.kernel_done_ready(True)
        waiting = collections.deque(launches.values())
        running = [[] for _ in range(self.smxs)]  # (its last cycle, slot)
        first, count, done, total = self.cycle, len(waiting), {}, 0
        while len(done) < count:
            if self.cycle - first >= limit:
                raise Error(f"{count - len(done)} kernels are not done after {limit} cycles")
            answer, tag = self.answer(), self.kernel_done()
            if answer and answer.code:
                raise Error(f"kernel {answer.tag} refused: {self._why(answer.code)}")
            if tag is not None and tag not in launches:
                raise Error(f"kernel {tag} is done, which this run has not launched")
            if tag is not None:
                done[tag] = self.cycle - first
            if waiting and self.launch_ready():
                self._offer(waiting.popleft())
            for smx, tbs in enumerate(running):
                if tbs and tbs[0][0] <= self.cycle:
                    self.done(smx, heapq.heappop(tbs)[1])
            for tb in self.dispatches():
                heapq.heappush(running[tb.smx], (self.cycle + _number("hold", hold(tb), 1, U64), tb.slot))
                total += 1
            self.tick()
        self._under_way = False
        return Result(self.cycle - first, done, total)
