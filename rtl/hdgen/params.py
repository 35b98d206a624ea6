# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The parameters of a configuration, and the values that follow for the tables: widths, counts, blocks inside."""
import functools
import re

from .expressions import evaluate
from .limits import RELATIONS, SIZES, check
from .tables import BLOCKS, CONFIGS, DERIVED, MAP, NAMES, TYPES, die, subs

LATER = {"proof": "the proofs"}
COUNTED = {"NumCounters": "counter", "StatusW": "bit"}  # parameters whose value is a number of rows of the register map


def base_params(config):
    if config in LATER:
        die(f"configuration '{config}' is not available before {LATER[config]}; there are: {', '.join(NAMES)}")
    if config not in NAMES:
        die(f"no configuration '{config}'; there are: {', '.join(NAMES)}")
    return {r["param"]: int(r[config] or r["k20c"]) for r in CONFIGS}


def derive(p):
    """Adds the derived parameters."""
    for d in DERIVED:
        p[d["param"]] = evaluate(d["expression"], p)
    p.update((name, len(MAP[kind])) for name, kind in COUNTED.items())
    return p


def of(config, sets=()):
    """All parameters of a configuration by name, including derived ones; sets: a list of changes PARAM=VALUE."""
    p = base_params(config)
    for s in sets:
        name, _, value = s.partition("=")
        if name not in p:
            die(f"--set {s}: no parameter '{name}'; there are: {', '.join(p)}")
        if not re.fullmatch(r"\d+", value):
            die(f"--set {s}: '{value}' is not a whole number")
        p[name] = int(value)
    check(p, SIZES)
    derive(p)
    check(p, RELATIONS)
    if p["NumConfig"] != len(MAP["config"]):
        die("NumConfig (rtl/pkg/derived.csv) is not the number of rows of kind config in rtl/service/regs/map.csv")
    return p


ALL = {n: of(n) for n in NAMES}
# Parameters whose range exceeds the named configurations: the C structs have room for the whole range.
ROOM = {"MaxLevel": 16, "AgtHash": 2, "SpillDepth": 16, "SpillFlight": 64, "Lna": 4096, "Lea": 16384, "Pub": 256,
        "DgbFlight": 64, "NumCu": 32, "DoneGrain": 4, "DoneRows": 64, "ChanLines": 8, "ChanRuns": 32, "ChanFlight": 64}
LARGEST = [derive({**p, **ROOM}) for p in ALL.values()]


def seen_by(row, p):
    """The parameters as seen by a block inside another. A row `sub` may say A=B: parameters that the block's tables
    call A.. then take the values of B.., so that one block can have several sizes in the plane."""
    own, _, here = row["valid"].partition("=")
    return {**p, **{own + n.removeprefix(here): v for n, v in p.items() if here and n.startswith(here)}}


def largest(expr, configurations):
    subs_as = [r for b in BLOCKS for r in subs(b) if "=" in r["valid"]]
    return max(evaluate(expr, q) for p in configurations for q in (p, *(seen_by(r, p) for r in subs_as)))


@functools.cache
def max_over(expr):
    """The largest value of an expression in any configuration and in any instance of a block."""
    return largest(expr, LARGEST)


FITTED = []  # the configuration that the arrays in C have room for; none: all


def room_for(expr):
    """The number of elements that an array in C has."""
    return max(1, largest(expr, FITTED)) if FITTED else max_over(expr)


def leaf_types(typ, path=""):
    """(path, type) of each leaf field, highest bits first; a type that is no payload is its own leaf."""
    if typ not in TYPES:
        return [(path, typ)]
    return [leaf for f in TYPES[typ] for leaf in leaf_types(f["width"], (path + "." if path else "") + f["field"])]


def width_of(typ, p):
    return sum(evaluate(leaf, p) for _, leaf in leaf_types(typ))


def leaves(typ, p, path=""):
    """(path, lsb, width, type) of each leaf field, highest bits first."""
    out, at = [], width_of(typ, p)
    for name, leaf in leaf_types(typ, path):
        width = evaluate(leaf, p)
        at -= width
        out.append((name, at, width, leaf))
    return out


def shape(r, p):
    """Width of an element and number of elements of a port, a register or a table."""
    return width_of(r["type"], p), evaluate(r["count"], p)


def has(row, p):
    """Whether a block or a register is in a plane with the parameters p: column `has` of its row."""
    return bool(evaluate(row["has"] or "1", p))


def inside(block, p, all_of_them=False):
    """(row, number, name of the instance, its parameters) of each block inside a block, without those that are left
    out, or with them: they have no name."""
    return [(r, i, r["rtl"].replace("[]", f"[{i}]") if is_in else None, seen_by(r, p))
            for r in subs(block) for is_in in [has(r, p)] if is_in or all_of_them
            for i in range(evaluate(r["count"], p))]
