# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The work of a run: launches and the durations of their TBs, from a run of `heddle run` on the golden model. Arrival
and shape of the kernels of a trace come from its file."""
import collections

import heddle
from line import Failed

PLACES = 4096  # of the table of durations
LAUNCHES = 256
EACH = 1 << 16  # bit of the PC: all TBs of the kernel have the same duration
LONGEST = 2**24 - 1
FIRST, AFTER = 296, 336  # bits of these fields in a row of launches

Launch = collections.namedtuple("Launch", "arguments first after")  # after: tag of a kernel that must be done, or None


class Work:
    """`kernels`: (arguments of a launch without pc, param and tag; first cycle; index of a kernel or None; durations
    of its TBs)."""

    def __init__(self, kernels):
        self.table, self.launches = [], []
        if len(kernels) > LAUNCHES:
            raise Failed(f"{len(kernels)} kernels; the board takes up to {LAUNCHES}")
        for tag, (arguments, first, after, durations) in enumerate(kernels):
            same = len(set(durations)) == 1
            pc = len(self.table) + (EACH if same else 0)
            self.table += durations[:1] if same else durations
            self.launches.append(Launch({**arguments, "pc": pc, "param": 64 * tag, "tag": tag}, first, after))
        if len(self.table) > PLACES:
            raise Failed(f"{len(self.table)} durations; the board takes up to {PLACES}")
        if max(self.table) > LONGEST:
            raise Failed(f"a TB of {max(self.table)} cycles; the board takes up to {LONGEST}")

    def duration(self, pc, blkid):
        return self.table[pc % EACH + (0 if pc & EACH else blkid)]

    def rows(self):
        """Returns the rows of the table of durations."""
        return [sum(d << 32 * k for k, d in enumerate(self.table[at:at + 4])) for at in range(0, len(self.table), 4)]

    def launch_rows(self, pins):
        """Returns the three rows of each launch."""
        for launch in self.launches:
            a = launch.arguments
            shape = {f"{what}_{x}": n for what in ("grid", "cta") for x, n in zip("xyz", a[what])}
            row = pins["pack"]("launch", {
                "desc": {"pc": a["pc"], "param": a["param"], **shape}, "threads": product(a["cta"]),
                "regs": a["regs"], "smem": -(-a["smem"] // 256), "hwq": a["hwq"], "ctas": product(a["grid"]),
                "tag": a["tag"]})
            row |= launch.first << FIRST | (0 if launch.after is None else launch.after + 1) << AFTER
            yield [row >> 128 * k & (1 << 128) - 1 for k in range(3)]


def product(shape):
    x, y, z = shape
    return x * y * z


def durations(report):
    """Returns the durations of the TBs of each kernel of a report, in the order of their ids."""
    found = collections.defaultdict(dict)
    for tb in records(report.tbs):
        if tb["child"]:
            raise Failed("TBs of this work launch, which those of the board do not")
        found[tb["kernel"]][tb["id"]] = tb["done"] - tb["dispatched"]
    return [[tbs[k] for k in sorted(tbs)] for _, tbs in sorted(found.items())]


def records(table):
    """Returns the rows of a frame, which pandas may have made."""
    return table.to_dict("records") if hasattr(table, "to_dict") else list(table)


def of_trace(path, config, **options):
    """Returns the Work of a trace (docs/trace.md): its kernels, each after one other at most, in the order in which
    heddle run launches them."""
    report = heddle.run(None, trace=path, config=config, tbs=True, **options)
    with open(path) as f:
        lines = [words for words in (line.partition("#")[0].split() for line in f) if words]
    if lines[0][1] == "1":
        lines[1:] = [["kernel", f"line {n}", *words] for n, words in enumerate(lines[1:])]
    kernels = {}  # name: [arguments, first cycle, name of the kernel before it]
    for words in lines[1:]:
        if words[0] == "kernel" and words[1] not in kernels:
            arrival, hwq, *n, regs, smem = map(int, words[2:12])
            kernels[words[1]] = [{"grid": n[:3], "cta": n[3:], "regs": regs, "smem": smem, "hwq": hwq}, arrival, None]
        elif words[0] == "after" and len(words) == 2:
            kernels[[*kernels][-1]][2] = words[1]
        else:
            raise Failed(f"{path}: '{' '.join(words)}': kernels of different names, and `after` with one name, are "
                         "accepted")
    if lines[0][1] == "1":
        order = sorted(kernels, key=lambda name: kernels[name][1])
    else:
        order = [row["name"] for row in records(report.kernels)]
    return Work([(*kernels[name][:2], order.index(kernels[name][2]) if kernels[name][2] else None, times)
                 for name, times in zip(order, durations(report))])


def of_rounds(name, graph, config, block, regs, **options):
    """Returns the Work of a workload in rounds, such as bfs: each kernel after the one before it in its HWQ."""
    report = heddle.run(name, graph, config=config, block_size=block, regs=regs, tbs=True, **options)
    kernels, last = [], {}
    for at, (row, times) in enumerate(zip(records(report.kernels), durations(report))):
        hwq = row["stream"]
        kernels.append(({"grid": (len(times), 1, 1), "cta": (block, 1, 1), "regs": regs, "smem": 0, "hwq": hwq}, 0,
                        last.get(hwq), times))
        last[hwq] = at
    return Work(kernels)
