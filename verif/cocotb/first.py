# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.apb import ApbBus
from cocotbext.apb.apb_host import ApbHost
from cocotbext.axi import AxiBus, AxiRam

from hd_pins import REGISTERS, Pins


@cocotb.test()
async def first(dut):
    pins = Pins(dut)  # the ports without _i and _o: pins.psel, pins.wdata
    pins.rest()  # all inputs are 0
    apb = ApbHost(ApbBus.from_entity(pins), pins.clk)
    AxiRam(AxiBus.from_entity(pins), pins.clk, pins.rst_n, reset_active_level=False, size=1 << 20)
    pins.rst_n.value = 0
    cocotb.start_soon(Clock(pins.clk, 10, "ns").start())
    await ClockCycles(pins.clk, 3)
    pins.rst_n.value = 1
    assert await apb.read(REGISTERS["ID"].offset) == b"LDDH"  # the lowest byte first

    launch = {"desc": {"pc": 0x100, "grid_x": 6, "grid_y": 1, "grid_z": 1, "cta_x": 32, "cta_y": 1, "cta_z": 1},
              "threads": 32, "regs": 8, "ctas": 6, "tag": 7}
    pins.put("host_launch", launch)
    for name in ("host_launch_valid", "host_answer_ready", "kernel_done_ready"):
        pins.put(name, 1)
    pins.put("dispatch_ready", [1] * len(pins.get("dispatch_ready")))
    tbs = 0
    while not pins.get("kernel_done_valid"):
        await RisingEdge(pins.clk)  # a payload that is valid and ready here is transferred
        if pins.get("host_launch_ready"):
            pins.put("host_launch_valid", 0)
        valid, dispatch = pins.get("dispatch_valid"), pins.get("dispatch")
        for smx, tb in enumerate(dispatch):
            if valid[smx]:
                dut._log.info("TB %d to SMX %d, slot %d", tb["blkid"], smx, tb["slot"])
        tbs += sum(valid)
        pins.put("cta_done_valid", valid)  # each TB ends a cycle later
        pins.put("cta_done_slot", [tb["slot"] for tb in dispatch])
    assert tbs == 6 and pins.get("kernel_done") == {"tag": 7, "failed": 0}
