# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A row of a block's table as traces of GTKWave: numbers in decimal, addresses and data in hex, states and codes by
name, arrays element by element as long as they are small."""
import re

from .params import leaves, shape
from .tables import BLOCKS, ENUM_OF, ENUMS, port_rows

# Addresses, names, bits: all other parameters are numbers.
HEX = {"PcW", "ParamW", "ParamUnitsW", "AddrW", "ApbAddrW", "TagW", "StatusW"}
# Last words of the names of what is no number, whatever its width.
BITS = {"hi", "lo", "strb", "data", "mask", "pwdata", "prdata", "pstrb", "wdata", "rdata", "wstrb"}
BIT, DECIMAL, HEXADECIMAL, COUNT, NAMED, ENUM = "28", "24", "22", "20000024", "2024", "100000028"
MOST = {"elements": 32, "bits": 4096}  # of an array that is shown element by element
ROWS = 1024  # of a RAM that is in a waveform (wave.py; tb/build/recipes.py; tb/engine/beside.c)
MODEL = "lockstep.model."  # where a waveform has the golden model's values


def states(r):
    """{number: name} of a register that its meaning tells so: 0 idle 1 save 2 record."""
    found = re.fullmatch(r"(?:.*: )?(0 \S+(?: [^\d]+)? 1 .+)", r["meaning"])
    return dict(re.findall(r"(\d+) ([^\d,]+?)(?= \d|,|$)", found.group(1))) if found else {}


def gen_names():
    """{name: the file that tells GTKWave what the numbers of an enum, or of a state, are called}"""
    files = {en: {r["value"]: r["name"] for r in rows} for en, rows in ENUMS.items()}
    files |= {f"{b}.{r['name']}": names for b in BLOCKS for r in port_rows(b, "state") if (names := states(r))}
    return {name: "".join(f"{k} {v.replace(' ', '_')}\n" for k, v in names.items()) for name, names in files.items()}


def names_of(r, typ, block):
    """Which of these files is about a field of that type, or about the register."""
    told = re.search(r"enum hd_(\w+)", r["meaning"])
    return (ENUM_OF.get(typ) or (told and told.group(1) in ENUMS and told.group(1))
            or (f"{block}.{r['name']}" if r["dir"] == "state" and states(r) else ""))


def radix(r, field, typ, w, block):
    """The lines that say how a trace is shown, its name follows."""
    names = names_of(r, typ, block)
    if names:
        return ["@" + NAMED, "^@" + names]
    bits = typ in HEX or field.split("_")[-1] in BITS
    return ["@" + (BIT if w == 1 else HEXADECIMAL if bits else DECIMAL)]


def group(name, lines, is_open):
    """Traces that can be folded."""
    begin, end = ("800200", "1000200") if is_open else ("c00200", "1401200")
    return ["@" + begin, "-" + name, *lines, "@" + end, "-" + name]


def beside(where, r, n, k, path, width, shown):
    """What follows the trace of what is compared: the model's value of it, under the name that reports have for it.
    where: the block, as these names begin; None: it is not compared. shown: the lines that say how."""
    index = f"[{k}]" if n > 1 else ""
    span = f"[{width - 1}:0]" if width > 1 else ""
    name = f"{MODEL}{where}{r['name']}{index}" + ("." + path if path else "")
    return [] if where is None else ["?" + line for line in [*shown, f"+{{model}} {name}{span}"]]


def beside_all(where, r, p):
    """The same where an array is one trace: its bits, or, of wider elements, only where the model's are."""
    w, n = shape(r, p)
    if where is None:
        return []
    if w > 1 or len(leaves(r["type"], p)) > 1 or not 1 < n <= MOST["bits"]:
        return [f"?~{MODEL}{where}{r['name']}"]
    (path, *_), = leaves(r["type"], p)
    bits = (beside(where, r, n, k, path, 1, [])[0].split()[1] for k in reversed(range(n)))
    return ["?@" + HEXADECIMAL, f"?#{{model[{n - 1}:0]}} " + " ".join(bits)]


def element(name, r, p, k, label, block="", where=None):
    """Element k of an array: a trace for each field, its bits one by one; the array's first bit is the highest of the
    last element. A payload within the payload is folded, behind the others."""
    w, n = shape(r, p)
    o, inner = [], {}
    for path, lsb, width, typ in leaves(r["type"], p):
        field = path.replace(".", " ")
        high = w * n - 1 - (k * w + lsb + width - 1)
        span = f"[{width - 1}:0]" if width > 1 else ""
        bits = " ".join(f"({high + b}){name}[{w * n - 1}:0]" for b in range(width))
        lines = o if "." not in path else inner.setdefault(path[:path.index(".")], [])
        shown = radix(r, path.split(".")[-1] or r["name"], typ, width, block)
        lines += [*shown, f"#{{{f'{label} {field}'.strip()}{span}}} {bits}",
                  *beside(where, r, n, k, path, width, shown)]
    return o + [line for name, lines in inner.items() for line in group(f"{label} {name}", lines, False)]


def row(name, r, p, block="", where=None):
    """The traces of a port or register: one for each field of a payload; of a small array, a folded group with each
    element; of others one number, element 0 in the low digits."""
    w, n = shape(r, p)
    span = f"[{w * n - 1}:0]" if w * n > 1 else ""
    if r["count"] != "1":
        if w == 1 or n == 1 or n > MOST["elements"] or w * n > MOST["bits"]:
            return ["@" + (HEXADECIMAL if w * n > 1 else BIT), name + span, *beside_all(where, r, p)]
        label = name[name.rindex(".") + 1:]
        return group(label, [line for k in range(n) for line in element(name, r, p, k, f"{k}", block, where)], False)
    o = []
    for path, _, width, typ in leaves(r["type"], p, name):
        span = f"[{width - 1}:0]" if width > 1 else ""
        # GTKWave shows what is behind the last point: the field alone.
        label = path[name.rindex(".") + 1:].replace(".", " ")
        shown = radix(r, path.split(".")[-1], typ, width, block)
        known = typ in ENUM_OF and path != name  # the waveform itself has the names
        o += [*(["@" + ENUM] if known else shown),
              (f"+{{{label}{span}}} " if path != name else "") + path + span,
              *beside(where, r, 1, 0, path[len(name) + 1:], width, shown)]
    return o


def occupancy(name, r, p, label):
    """How much of a table or queue is in use: the bits that are set, or the number, or each of several."""
    w, n = shape(r, p)
    span = f"[{w * n - 1}:0]" if w * n > 1 else ""
    if r["count"] == "1" or w == 1:
        return ["@" + (COUNT if w * n > 1 and w == 1 else DECIMAL), f"+{{{label}}} {name}{span}"]
    return group(label, [line for k in range(n) for line in element(name, r, p, k, f"{k}")], False)
