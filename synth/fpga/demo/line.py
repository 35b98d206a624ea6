# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The serial line to the demonstrator, and the frames on it (hd_demo_host.sv, hd_demo_send.sv). Its far end is a board
on a serial port, or the Verilated board in this process: both have

  write(data)       sends bytes
  read(cycles)      returns received bytes; b"" if none arrives within that many cycles of the board"""
import ctypes
import functools
import operator
import os
import select
import termios
import time

CLOCK, BAUD = 25_000_000, 1_000_000
CHECK = 0xa5  # the xor of all bytes of a frame
FIRST = 0x50  # of a frame, plus its kind
COMMAND, FRAME = 20, 18  # bytes
IDLE = 2**17  # cycles after which the board drops an incomplete command
ROW = 16  # bytes


class Failed(Exception):
    """The board cannot be used: a message of one line."""


def check(data):
    return functools.reduce(operator.xor, data, CHECK)


def command(write, space, row, data=0):
    """Returns the frame of a command."""
    body = bytes([FIRST + 8 * write + space]) + row.to_bytes(2, "little") + data.to_bytes(ROW, "little")
    return body + bytes([check(body)])


class Frames:
    """Splits received bytes into frames."""

    def __init__(self):
        self.data = b""

    def add(self, data):
        """Yields (kind, data as a number) of each frame that is complete."""
        self.data += data
        while len(self.data) >= FRAME:
            frame, self.data = self.data[:FRAME], self.data[FRAME:]
            if frame[0] & 0xf0 != FIRST or check(frame):
                raise Failed(f"a frame from the board is damaged: {frame.hex()}")
            yield frame[0] & 0xf, int.from_bytes(frame[1:-1], "little")


class Port:
    """A serial port, such as /dev/ttyUSB0."""

    def __init__(self, path):
        try:
            self.fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
            speed = termios.B1000000
            raw = [termios.IGNBRK, 0, termios.CS8 | termios.CREAD | termios.CLOCAL, 0, speed, speed, [0] * 32]
            termios.tcsetattr(self.fd, termios.TCSANOW, raw)
            self.rest()
        except (OSError, termios.error) as e:
            raise Failed(f"{path}: {e.args[-1]}") from None

    def write(self, data):
        while data:
            data = data[os.write(self.fd, data):]

    def read(self, cycles):
        ready, _, _ = select.select([self.fd], [], [], 1 + cycles / CLOCK)  # a second for the machine
        return os.read(self.fd, 4096) if ready else b""

    def rest(self):
        """Waits until the board has dropped an incomplete command, and drops what it has sent."""
        time.sleep(0.1 + IDLE / CLOCK)
        termios.tcflush(self.fd, termios.TCIFLUSH)

    def close(self):
        os.close(self.fd)


class Simulated:
    """The Verilated board (verif/fpga/demo_tb.h), from python3 tb/build tiny/ulx3s/demo."""

    def __init__(self, path, seed=1, fault=0):
        lib = self.lib = ctypes.CDLL(os.path.abspath(path))
        for name in ("open", "run", "receive"):
            getattr(lib, f"demo_{name}").restype = ctypes.c_uint64 if name != "open" else ctypes.c_void_p
        lib.demo_open.argtypes = [ctypes.c_uint64, ctypes.c_uint]
        lib.demo_run.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
        lib.demo_send.argtypes = lib.demo_receive.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        lib.demo_press.argtypes = [ctypes.c_void_p, ctypes.c_int]
        for name in ("close", "bad_bytes", "leds", "failed"):
            getattr(lib, f"demo_{name}").argtypes = [ctypes.c_void_p]
        self.tb, self.cycles = lib.demo_open(seed, fault), 0
        self.room = ctypes.create_string_buffer(4096)

    def write(self, data):
        self.lib.demo_send(self.tb, data, len(data))

    def read(self, cycles):
        self.cycles += self.lib.demo_run(self.tb, cycles)
        if self.lib.demo_failed(self.tb):
            raise Failed("an assertion of the RTL has failed (above)")
        if self.lib.demo_bad_bytes(self.tb):
            raise Failed("a byte from the board has no stop bit")
        count = self.lib.demo_receive(self.tb, self.room, len(self.room))
        return self.room.raw[:count]

    def rest(self):
        while self.read(2 * IDLE):
            pass

    def close(self):
        self.lib.demo_close(self.tb)
