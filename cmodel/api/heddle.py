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
environment's HEDDLE_LIBRARY names another. What the ports mean is told in docs/top.md. TBs do not launch through it."""
import collections
import ctypes
import ctypes.util
import heapq
import os

Dispatch = collections.namedtuple("Dispatch", "smx slot kdei blkid pc param")
Answer = collections.namedtuple("Answer", "tag code")
Result = collections.namedtuple("Result", "cycles done dispatches")  # done: tag -> cycle


class Error(Exception):
    """A configuration that does not exist or breaks a limit, a launch that the runtime refuses, no library."""


# What each function returns, then what it takes: P plane, s text, b bit, u 32 bits, l 64 bits, U and L a place for one.
FUNCTIONS = {
    "new": "Ps", "error": "sP", "free": "-P", "param": "uPs", "reset": "-P", "launch": "uPuuuuuuuuuull",
    "launch_ready": "bP", "answer": "bPUU", "dispatch": "bPuUUULL", "kernel_done": "bPU", "answer_ready": "-Pb",
    "dispatch_ready": "-Pub", "kernel_done_ready": "-Pb", "cta_done": "-Puu", "apb": "-Pbbbuuu", "apb_read": "bPU",
    "tick": "-P",
}
TYPES = {"P": ctypes.c_void_p, "s": ctypes.c_char_p, "b": ctypes.c_uint8, "u": ctypes.c_uint32, "l": ctypes.c_uint64,
         "U": ctypes.POINTER(ctypes.c_uint32), "L": ctypes.POINTER(ctypes.c_uint64), "-": None}


def library():
    """The shared library, loaded, with the types of its functions."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("HEDDLE_LIBRARY"), os.path.join(here, "../../../lib/libheddle.so"),
              os.path.join(here, "../../build/libheddle.so"), ctypes.util.find_library("heddle")]
    for place in filter(None, places):
        if os.path.exists(place) or "/" not in place:
            break
    else:
        raise Error("no libheddle.so: set HEDDLE_LIBRARY, or `make lib` in the checkout")
    try:
        lib = ctypes.CDLL(place)
        for name, types in FUNCTIONS.items():
            f = getattr(lib, "hd_dpi_" + name)
            f.restype, *f.argtypes = (TYPES[t] for t in types)
    except (OSError, AttributeError) as e:
        raise Error(str(e)) from None
    return lib


class Plane:
    """A plane after reset, in a named configuration with changes: Plane("k20c", NumSmx=4). `cycle` counts the ticks."""
    _lib = None

    def __init__(self, config="k20c", **parameters):
        if Plane._lib is None:
            Plane._lib = library()
        text = "+".join([config, *(f"{name}={value}" for name, value in parameters.items())])
        self._plane = self._lib.hd_dpi_new(text.encode())
        if not self._plane:
            raise MemoryError
        why = self._lib.hd_dpi_error(self._plane).decode()
        if why:
            self.close()
            raise Error(why)
        self.smxs, self.cycle = self["NumSmx"], 0

    def close(self):
        if getattr(self, "_plane", None):
            self._lib.hd_dpi_free(self._plane)
            self._plane = None

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __getitem__(self, name):
        """A parameter of the configuration."""
        value = self._lib.hd_dpi_param(self._plane, name.encode())
        if value == 0:
            raise KeyError(name)
        return value

    def reset(self):
        self._lib.hd_dpi_reset(self._plane)
        self.cycle = 0

    # -- Inputs of this cycle
    def launch(self, grid, cta, regs=0, smem=0, tag=0, hwq=0, pc=0, param=0):
        """Offers a launch; it is taken if launch_ready(). smem in bytes."""
        sizes = [*(tuple(grid) + (1, 1))[:3], *(tuple(cta) + (1, 1))[:3]]
        code = self._lib.hd_dpi_launch(self._plane, hwq, tag, *sizes, regs, smem, pc, param)
        if code:
            raise Error(f"launch refused with code {code} (docs/host/kmu.md)")

    def done(self, smx, slot):
        """The SMX reports the TB of that slot as done; one of an SMX in a cycle."""
        self._lib.hd_dpi_cta_done(self._plane, smx, slot)

    def answer_ready(self, ready):
        self._lib.hd_dpi_answer_ready(self._plane, ready)

    def dispatch_ready(self, smx, ready):
        self._lib.hd_dpi_dispatch_ready(self._plane, smx, ready)

    def kernel_done_ready(self, ready):
        self._lib.hd_dpi_kernel_done_ready(self._plane, ready)

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
        out = []
        words = [ctypes.c_uint32() for _ in range(3)] + [ctypes.c_uint64() for _ in range(2)]
        for smx in range(self.smxs):
            if self._lib.hd_dpi_dispatch(self._plane, smx, *words):
                out.append(Dispatch(smx, *(w.value for w in words)))
        return out

    # -- The clock
    def tick(self):
        """The rising clock edge."""
        self._lib.hd_dpi_tick(self._plane)
        self.cycle += 1

    def _apb(self, write, address, value):
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

    def run(self, kernels, hold, limit=10_000_000):
        """Launches kernels (each the arguments of launch(), its tag its place in the list unless it has one) as soon as
        the plane takes them, lets each TB run for hold(Dispatch) cycles, at least 1, and returns a Result when all are
        done. Nothing else may be under way."""
        waiting = collections.deque(dict({"tag": k}, **kernel) for k, kernel in enumerate(kernels))
        running = [[] for _ in range(self.smxs)]  # (its last cycle, slot)
        first, count, done, total = self.cycle, len(waiting), {}, 0
        while len(done) < count:
            if self.cycle - first >= limit:
                raise Error(f"{count - len(done)} kernels are not done after {limit} cycles")
            answer, tag = self.answer(), self.kernel_done()
            if answer and answer.code:
                raise Error(f"kernel {answer.tag} refused with code {answer.code} (docs/host/kmu.md)")
            if tag is not None:
                done[tag] = self.cycle - first
            if waiting and self.launch_ready():
                self.launch(**waiting.popleft())
            for smx, tbs in enumerate(running):
                if tbs and tbs[0][0] <= self.cycle:
                    self.done(smx, heapq.heappop(tbs)[1])
            for tb in self.dispatches():
                heapq.heappush(running[tb.smx], (self.cycle + max(1, hold(tb)), tb.slot))
                total += 1
            self.tick()
        return Result(self.cycle - first, done, total)
