# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A row of a block's table as traces of GTKWave: numbers in decimal, addresses and data in hex, states and codes by
name, arrays element by element as long as they are small."""
import re

from .params import leaves, shape
from .tables import BLOCKS, ENUM_OF, ENUMS, port_rows

# Widths of addresses, tags and bit vectors, shown in hex; all others are numbers.
HEX = {"PcW", "ParamW", "ParamUnitsW", "AddrW", "ApbAddrW", "TagW", "StatusW"}
# Last words of the names of fields that are bit vectors, whatever their width.
BITS = {"hi", "lo", "strb", "data", "mask", "pwdata", "prdata", "pstrb", "wdata", "rdata", "wstrb"}
BIT, DECIMAL, HEXADECIMAL, COUNT, NAMED, ENUM = "28", "24", "22", "20000024", "2024", "100000028"
MOST = {"elements": 32, "bits": 4096}  # limits for showing an array element by element
ROWS = 1024  # most rows of a RAM in a waveform (wave.py; tb/build/recipes.py; tb/engine/wave_model.c)
MODEL = "lockstep.model."  # scope of the golden model's values in a waveform


def states(r):
    """{number: name} of a register whose meaning lists its values: 0 idle 1 save 2 record."""
    found = re.fullmatch(r"(?:.*: )?(0 \S+(?: [^\d]+)? 1 .+)", r["meaning"])
    return dict(re.findall(r"(\d+) ([^\d,]+?)(?= \d|,|$)", found.group(1))) if found else {}


def gen_names():
    """{name: the GTKWave file that names the values of an enum or of a state}"""
    files = {en: {r["value"]: r["name"] for r in rows} for en, rows in ENUMS.items()}
    files |= {f"{b}.{r['name']}": names for b in BLOCKS for r in port_rows(b, "state") if (names := states(r))}
    return {name: "".join(f"{k} {v.replace(' ', '_')}\n" for k, v in names.items()) for name, names in files.items()}


def names_of(r, typ, block):
    """The name of the file for a field of that type, or for the register; or ''."""
    told = re.search(r"enum hd_(\w+)", r["meaning"])
    return (ENUM_OF.get(typ) or (told and told.group(1) in ENUMS and told.group(1))
            or (f"{block}.{r['name']}" if r["dir"] == "state" and states(r) else ""))


def radix(r, field, typ, w, block):
    """The format lines of a trace, which precede its name."""
    names = names_of(r, typ, block)
    if names:
        return ["@" + NAMED, "^@" + names]
    bits = typ in HEX or field.split("_")[-1] in BITS
    return ["@" + (BIT if w == 1 else HEXADECIMAL if bits else DECIMAL)]


def group(name, lines, is_open):
    """A group of traces that can be folded."""
    begin, end = ("800200", "1000200") if is_open else ("c00200", "1401200")
    return ["@" + begin, "-" + name, *lines, "@" + end, "-" + name]


def beside(where, r, n, k, path, width, shown):
    """The trace of the model's value, under its name in reports; it follows the RTL's trace. where: the prefix of these
    names for the block; None: not compared. shown: the format lines."""
    index = f"[{k}]" if n > 1 else ""
    span = f"[{width - 1}:0]" if width > 1 else ""
    name = f"{MODEL}{where}{r['name']}{index}" + ("." + path if path else "")
    return [] if where is None else ["?" + line for line in [*shown, f"+{{model}} {name}{span}"]]


def beside_all(where, r, p):
    """The same for an array that is shown as one trace: its bits or, for wider elements, only the scope of the model's
    values."""
    w, n = shape(r, p)
    if where is None:
        return []
    if w > 1 or len(leaves(r["type"], p)) > 1 or not 1 < n <= MOST["bits"]:
        return [f"?~{MODEL}{where}{r['name']}"]
    (path, *_), = leaves(r["type"], p)
    bits = (beside(where, r, n, k, path, 1, [])[0].split()[1] for k in reversed(range(n)))
    return ["?@" + HEXADECIMAL, f"?#{{model[{n - 1}:0]}} " + " ".join(bits)]


def element(name, r, p, k, label, block="", where=None):
    """Element k of an array: a trace per field, bit by bit; the array's first bit is the highest bit of the last
    element. A nested payload is folded and follows the other fields."""
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
    """The traces of a port or register: one per field of a payload; a small array is a folded group of its elements;
    any other array is one number, element 0 in the low digits."""
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
        # GTKWave shows only the text after the last point, the field.
        label = path[name.rindex(".") + 1:].replace(".", " ")
        shown = radix(r, path.split(".")[-1], typ, width, block)
        known = typ in ENUM_OF and path != name  # the waveform itself has the names of the values
        o += [*(["@" + ENUM] if known else shown),
              (f"+{{{label}{span}}} " if path != name else "") + path + span,
              *beside(where, r, 1, 0, path[len(name) + 1:], width, shown)]
    return o


def occupancy(name, r, p, label):
    """The trace of how much of a table or queue is in use: number of set bits, a number, or several numbers."""
    w, n = shape(r, p)
    span = f"[{w * n - 1}:0]" if w * n > 1 else ""
    if r["count"] == "1" or w == 1:
        return ["@" + (COUNT if w * n > 1 and w == 1 else DECIMAL), f"+{{{label}}} {name}{span}"]
    return group(label, [line for k in range(n) for line in element(name, r, p, k, f"{k}")], False)
