# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The demonstrator behind its line: its tables, registers and memory, and the events of its trace."""
import collections

import line
from line import Failed

CONTROL, APB, MEMORY, TABLE, LAUNCHES = range(5)  # spaces of hd_demo_host.sv
OK, ERROR, TB, ANSWER, DONE, STALL = range(6)  # kinds of frames
ERRORS = {1: "a command arrived damaged", 2: "it has no such space", 3: "the plane has no register that takes this"}
CYCLE, ID = 40, 0x4844  # bits of a cycle; "HD"
PATIENCE = 200_000  # cycles for a reply

# The events. cycle: since go. A TB: kdei is the KD entry; param the low 16 bits of the parameter address, fold the xor
# of the descriptor in parts of 12 bits, level the low two bits of the nesting level.
Tb = collections.namedtuple("Tb", "cycle smx slot kdei blkid param fold level group restart")
Answer = collections.namedtuple("Answer", "cycle tag code")
Done = collections.namedtuple("Done", "cycle tag failed")
Stall = collections.namedtuple("Stall", "cycle end")  # first cycle, and the first one behind it
Status = collections.namedtuple("Status", "cycle out_of_reset go overrun stalled answered launch_bits smxs slots")


def bits(value, *widths):
    """Yields the fields of a number, the lowest first."""
    for width in widths:
        yield value & (1 << width) - 1
        value >>= width


def event(kind, data):
    """Returns the event of a frame."""
    if kind == TB:
        return Tb(*bits(data, CYCLE, 8, 8, 8, 32, 16, 12, 2, 1, 1))
    if kind == STALL:
        return Stall(*bits(data, CYCLE, CYCLE))
    cycle, _, tag, more = bits(data, CYCLE, 8, 16, 8)
    return Answer(cycle, tag, more) if kind == ANSWER else Done(cycle, tag, more)


class Board:
    """Commands are sent at once; settle() waits for their replies."""

    def __init__(self, port):
        self.port, self.frames = port, line.Frames()
        self.open = 0  # commands without a reply
        self.values = []  # of the replies
        self.events = collections.deque()
        self.status()

    def receive(self, cycles):
        """Receives at least a byte. Returns False if none arrives."""
        data = self.port.read(cycles)
        for kind, value in self.frames.add(data):
            self.open -= kind in (OK, ERROR)
            if kind == OK:
                self.values.append(value)
            elif kind == ERROR:
                raise Failed(f"the board refuses a command: {ERRORS.get(value & 0xff, value)}")
            elif kind <= STALL:
                self.events.append(event(kind, value))
            else:
                raise Failed(f"the board sends a frame of kind {kind}")
        return bool(data)

    def command(self, *args):
        self.port.write(line.command(*args))
        self.open += 1

    def settle(self):
        """Returns the replies to all commands since the last call."""
        while self.open:
            if not self.receive(PATIENCE + self.open * 10 * line.COMMAND * line.CLOCK // line.BAUD):
                raise Failed("the board does not answer")
        values, self.values = self.values, []
        return values

    def write(self, space, row, data):
        self.command(1, space, row, data)

    def read(self, space, row):
        self.command(0, space, row)
        return self.settle()[-1]

    def status(self):
        cycle, flags, answered, _, launch_bits, smxs, slots, mark = bits(self.read(CONTROL, 0), CYCLE, 8, 16, 16, 16, 8,
                                                                         8, 16)
        if mark != ID:
            raise Failed("this is no demonstrator of Heddle")
        return Status(cycle, *((flags >> k) & 1 for k in range(4)), answered, launch_bits, smxs, slots)

    def control(self, run, go=False, launches=0):
        self.write(CONTROL, 0, run | go << 1 | launches << 16)

    def next_event(self, cycles):
        """Returns the next event; None if none arrives within that many cycles."""
        while not self.events:
            if not self.receive(cycles):
                return None
        return self.events.popleft()
