# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""hd_top of tiny between third-party bus models: the AXI4 memory of cocotbext-axi, which stalls each channel at random
and may answer with errors, and the APB4 host of cocotbext-apb. gpu.py plays the SMXs. Run by test_cocotb.py."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.apb import ApbBus
from cocotbext.apb.apb_host import ApbHost
from cocotbext.axi import AxiBus, AxiSlave

from gpu import Gpu
from hd_pins import PARAMS, REGISTERS, Pins

LONG = bool(os.environ.get("HEDDLE_LONG"))
UNIT = 256  # unit of the addresses of regions
# Addresses of the regions, and their numbers of places.
REGIONS = {"REC": (0x10000, 64), "DEV": (0x20000, 64), "SUS": (0x30000, 64), "LIST": (0x40000, None),
           "SPILL": (0x60000, 256)}  # rings of 32
SIZE = 0x80000


class Memory:
    """The storage behind AxiSlave; an exception is answered with SLVERR. fails(address, writes): whether it raises
    one."""
    def __init__(self):
        self.bytes = bytearray(SIZE)
        self.reads = self.writes = self.errors = 0
        self.fails = lambda address, writes: False

    def touch(self, address, writes):
        if self.fails(address, writes):
            self.errors += 1
            raise OSError(f"no memory at {address:#x}")

    async def read(self, address, length):
        self.reads += 1
        self.touch(address, False)
        return bytes(self.bytes[address:address + length])

    async def write(self, address, data):
        self.writes += 1
        self.touch(address, True)
        self.bytes[address:address + len(data)] = data


class Bench:
    """The plane with its clock, its two buses and its registers by name."""
    def __init__(self, dut, seed):
        self.pins, self.rng, self.memory = Pins(dut), random.Random(seed), Memory()
        self.records = REGIONS["REC"][0]
        cocotb.packages.hd_fault_pkg.sel.value = int(os.environ.get("HEDDLE_FAULT", 0))
        self.pins.rest()
        self.pins.rst_n.value = 0
        self.apb = ApbHost(ApbBus.from_entity(self.pins), self.pins.clk)
        self.apb.return_int = True
        self.axi = AxiSlave(AxiBus.from_entity(self.pins), self.pins.clk, self.pins.rst_n, self.memory,
                            reset_active_level=False)
        for log in (dut._log, self.apb.log, self.axi.read_if.log, self.axi.write_if.log):
            log.setLevel("ERROR")
        cocotb.start_soon(Clock(self.pins.clk, 10, "ns").start())

    async def reset(self):
        await ClockCycles(self.pins.clk, 3)
        self.pins.rst_n.value = 1
        # Tables are cleared, one row in each cycle.
        await ClockCycles(self.pins.clk, 200)

    def stall(self, busy):
        """The memory is not ready, or has no answer, in this fraction of the cycles, on each channel independently."""
        def pauses(rng):
            while True:
                yield rng.random() < busy
        write, read = self.axi.write_if, self.axi.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
            channel.set_pause_generator(pauses(random.Random(self.rng.random())))

    async def access(self, offset, data=None, strb=15, error=False):
        """A write, or without data a read; the next one follows at once or some cycles later."""
        self.apb.intra_delay = self.rng.choice((0, 0, 1, 3))
        if data is None:
            return await self.apb.read(offset, error_expected=error)
        return await self.apb.write(offset, data, strb=strb, error_expected=error)

    async def read(self, name):
        return await self.access(REGISTERS[name].offset)

    async def write(self, name, data):
        await self.access(REGISTERS[name].offset, data)

    async def status(self):
        """Returns the names of the bits of STATUS that are set."""
        word = await self.read("STATUS")
        return {name for name, (_, low) in REGISTERS["STATUS"].fields.items() if word >> low & 1}

    async def counter(self, name):
        low = await self.read(name + "_LO")
        return low | await self.read(name + "_HI") << 32

    async def place_regions(self):
        for name, (address, places) in REGIONS.items():
            await self.write(name + "_BASE", address // UNIT)
            if places:
                await self.write(name + "_COUNT", places)


def field_mask(register):
    return sum((1 << high + 1) - (1 << low) for high, low in register.fields.values())


async def check_register(bench, name, register):
    """The bus shows the reset value and access of the table. For CYCLES, which counts, only the upper bits are
    compared."""
    value, mask = await bench.access(register.offset), field_mask(register)
    counts = name.startswith("CYCLES")
    assert counts or value == register.reset, (name, value)
    word = bench.rng.getrandbits(32)
    if register.access != "rw":
        await bench.access(register.offset, word, error=register.access == "ro")
        assert await bench.access(register.offset) == register.reset, name
        return
    await bench.access(register.offset, word)
    if name.endswith("_HI"):  # it shows the value latched by the last read of the low half
        await bench.access(register.offset - 4)
    value = await bench.access(register.offset)
    assert value == word & mask or counts and 0 <= value - (word & mask) < 64, (name, word, value)
    if counts:
        return
    other, strb = bench.rng.getrandbits(32), bench.rng.randrange(16)
    await bench.access(register.offset, other, strb)
    lanes = sum(255 << 8 * k for k in range(4) if strb >> k & 1)
    if name.endswith("_HI"):
        await bench.access(register.offset - 4)
    assert await bench.access(register.offset) == (word & ~lanes | other & lanes) & mask, (name, strb)


@cocotb.test()
async def registers(dut):
    """Each register of the table: reset value, access, byte strobes; no other address answers."""
    bench = Bench(dut, 1)
    await bench.reset()
    for name, register in REGISTERS.items():
        await check_register(bench, name, register)
    mapped = {r.offset for r in REGISTERS.values()}
    free = [a for a in range(0, 1 << PARAMS["ApbAddrW"], 4) if a not in mapped]
    for offset in free if LONG else bench.rng.sample(free, 40):
        await bench.access(offset, error=True)
        await bench.access(offset, bench.rng.getrandbits(32), error=True)


async def job(bench, gpu, **shape):
    """Runs a host kernel and all launches of its TBs; the counters must agree with what the SMXs saw. Returns its
    completion."""
    before = {n: await bench.counter(n) for n in ("CTAS_OUT", "CTAS_DONE", "KERNELS_DONE", "ACCEPTED")}
    done = await gpu.run(**shape)
    after = {n: await bench.counter(n) - before[n] for n in before}
    assert after == {"CTAS_OUT": gpu.out, "CTAS_DONE": gpu.out, "KERNELS_DONE": 1, "ACCEPTED": 1}, (after, gpu.out)
    return done


async def whole_job(bench, gpu, **shape):
    """The same without errors: every TB of every accepted launch runs."""
    done = await job(bench, gpu, **shape)
    refused = {"DEV_REFUSED"} if gpu.refused else set()
    assert not done["failed"] and await bench.status() == refused, (done, await bench.status())
    assert gpu.out == gpu.expected(), (gpu.out, gpu.expected())
    await bench.write("STATUS", 0xffffffff)
    assert await bench.status() == set()


@cocotb.test()
async def host_kernel(dut):
    """No TB launches: the memory is not accessed."""
    bench = Bench(dut, 2)
    await bench.reset()
    await whole_job(bench, Gpu(bench), tbs=60)
    assert bench.memory.reads == bench.memory.writes == 0


@cocotb.test()
@cocotb.parametrize(policy=range(4) if LONG else (0, 3), kind=("kernels", "groups", "both"),
                    seed=range(3) if LONG else (3,))
async def launches(dut, policy, kind, seed):
    """TBs launch kernels, groups or both, whose TBs launch as well; each channel of the memory stalls."""
    bench = Bench(dut, seed)
    bench.stall(0.5)
    await bench.reset()
    await bench.place_regions()
    await bench.write("POLICY", policy)
    await whole_job(bench, Gpu(bench), tbs=120 if LONG else 24, kind=kind, children=4, depth=2)
    assert bench.memory.reads and bench.memory.writes


@cocotb.test()
async def regions_are_locked(dut):
    """While a kernel is in the plane a region cannot be moved: pslverr, CONFIG_LOCKED, the old value."""
    bench = Bench(dut, 4)
    await bench.reset()
    await bench.place_regions()
    gpu = Gpu(bench)
    running = cocotb.start_soon(gpu.run(tbs=20, length=200))
    await ClockCycles(bench.pins.clk, 50)
    offset = REGISTERS["DEV_BASE"].offset
    await bench.access(offset, 1, error=True)
    assert await bench.access(offset) == REGIONS["DEV"][0] // UNIT and await bench.status() == {"CONFIG_LOCKED"}
    await running
    await bench.access(offset, 1)
    assert await bench.access(offset) == 1 and await bench.status() == {"CONFIG_LOCKED"}


# Accesses that the memory answers with an error: region, whether it writes, the bit of STATUS, whether the kernel
# fails.
ERRORS = {"pool_write": ("DEV", True, "MEM_POOL", False), "pool_read": ("DEV", False, "MEM_POOL", False),
          "list_write": ("LIST", True, "MEM_LIST", True), "list_read": ("LIST", False, "MEM_RECORD", True),
          "rec_read": ("REC", False, "MEM_RECORD", True)}


@cocotb.test()
@cocotb.parametrize(access=list(ERRORS), seed=range(5) if LONG else (5,))
async def bus_errors(dut, access, seed):
    """An error sets its bit of STATUS and no other, and fails the kernel or not, as docs/top.md states; the bit stays
    set until it is cleared, and the next kernel is unaffected."""
    region, writes, bit, fails = ERRORS[access]
    base, rng = REGIONS[region][0], random.Random(seed)
    bench = Bench(dut, seed)
    bench.stall(0.3)
    await bench.reset()
    await bench.place_regions()
    bench.memory.fails = lambda a, w: (w == writes and base <= a < base + 0x10000 and
                                       (not bench.memory.errors or rng.random() < 0.2))
    gpu, kind = Gpu(bench), "kernels" if region == "DEV" else "groups"
    done = await job(bench, gpu, tbs=40, kind=kind, children=6, depth=1)
    assert bench.memory.errors and done["failed"] == fails, (bench.memory.errors, done)
    expected = {bit} | ({"DEV_REFUSED"} if gpu.refused else set())
    assert await bench.status() == expected and gpu.out < gpu.expected(), (await bench.status(), gpu.out)
    bench.memory.fails = lambda a, w: False
    await bench.write("REC_BASE", REGIONS["REC"][0] // UNIT)  # records of the failed kernel belong to software again
    assert await bench.status() == expected
    await bench.write("STATUS", 1 << REGISTERS["STATUS"].fields[bit][1])
    assert await bench.status() == expected - {bit}
    await bench.write("STATUS", 0xffffffff)
    await whole_job(bench, Gpu(bench), tbs=30, kind=kind, children=4, depth=1)
