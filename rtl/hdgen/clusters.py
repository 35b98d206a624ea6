# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The wiring of the plane in SystemVerilog: the cluster modules (rtl/host/hd_host.sv, ..), and the wires and clusters
of hd_top.sv.

A wire has one name everywhere: that of the block that drives it, then that of its output. A pin of the plane has its
own name, without _i or _o. A port of a cluster has the name of its wire. An element of a vector is named after the
driver and the reader: memarb_pool is the element of memarb's output that pool reads."""
import os
import re
import textwrap

from . import nets
from .expressions import camel
from .tables import CLUSTER, RTL, TYPES, die, port_rows, rtl_name, subs

HAS = {r["type"]: r["has"] for r in subs("top")}
CLUSTERS = list(dict.fromkeys(CLUSTER[b] for b in nets.PLANE))
PINS = {r["name"]: rtl_name(r) for r in port_rows("top", "in", "out")}
CLOCK = {"clk_i": "clk_i", "rst_ni": "rst_ni"}
BEGIN = "  // ---- Wires and clusters: made by `python3 rtl/hdgen rtl`, do not edit ----\n"
END = "  // ---- end ----\n"


def inside(cluster):
    return [b for b in nets.PLANE if CLUSTER[b] == cluster]


def in_package(expression):
    return re.sub(r"\b([A-Z]\w*)", r"hd_pkg::\1", expression)


def declared(row, element=False):
    """The type of a port of the tables, or of one element of a vector, in SystemVerilog."""
    width, count = row["type"], "1" if element else row["count"]
    if width in TYPES and count == "1":
        return f"hd_pkg::{width}_t"
    if width in TYPES:
        width = camel(width) + "W"
    if width.isdigit() and count.isdigit():
        bits = int(width) * int(count)
        return f"logic [{bits - 1}:0]" if bits > 1 else "logic"
    return f"logic [{in_package('*'.join(f for f in (count, width) if f != '1'))}-1:0]"


def output(block, port):
    """The name of the wire that an output of a block drives."""
    return port if port in PINS else f"{block}_{port}"


class Wires:
    """driver: {wire: the block that drives it}, without the plane's inputs; type: {wire: its type in
    SystemVerilog}; readers: {wire: the blocks that read it}; values: {(block, input): what it is connected to};
    split: {vector: {element: (wire, width)}}, if blocks read single elements."""

    def __init__(self):
        self.driver, self.type, self.readers, self.values, self.split = {}, {}, {}, {}, {}
        for b in nets.PLANE:
            for r in port_rows(b, "out"):
                self.add(output(b, r["name"]), b, declared(r))
        for b, row, found in nets.wires():
            names = [self.wire(s, b) for s in found]
            for name in names:
                self.readers.setdefault(name, []).append(b)
            self.values[b, row["name"]] = names[0] if len(names) == 1 else "{" + ", ".join(reversed(names)) + "}"

    def add(self, name, driver, kind):
        self.driver[name], self.type[name] = driver, kind

    def wire(self, source, reader):
        if source.owner == "top":
            self.type[source.port] = declared(source.row)
            return source.port
        whole = output(source.owner, source.port)
        if source.element is None:
            return whole
        name = f"{source.owner}_{reader}"
        self.add(name, source.owner, declared(source.row, element=True))
        self.split.setdefault(whole, {})[source.element] = (name, f"hd_pkg::{camel(source.row['type'])}W")
        return name

    def is_read(self, wire):
        """Whether a block or a pin of the plane reads a wire, or elements of it."""
        return wire in PINS or wire in self.readers or wire in self.split

    def read(self, block, port):
        """The wire that an output drives; empty if nothing reads it."""
        wire = output(block, port)
        return wire if self.is_read(wire) else ""

    def cluster_of(self, wire):
        return CLUSTER[self.driver[wire]] if wire in self.driver else "top"

    def read_in(self, cluster):
        return [w for w, blocks in self.readers.items() if cluster in {CLUSTER[b] for b in blocks}]

    def inputs(self, cluster):
        return [w for w in self.read_in(cluster) if self.cluster_of(w) != cluster]

    def outputs(self, cluster):
        beyond = {w for c in CLUSTERS if c != cluster for w in self.read_in(c)} | set(PINS)
        return [w for w in self.driver if self.cluster_of(w) == cluster and w in beyond]


def declarations(wires, names):
    """Lines that declare wires; those of one type in one declaration."""
    of_type = {}
    for w in names:
        of_type.setdefault(wires.type[w], []).append(w)
    return [line for kind, same in of_type.items() for line in wrapped(f"{kind} {', '.join(same)};", "  ", "    ")]


def wrapped(text, first, rest):
    return textwrap.wrap(text, 100, initial_indent=first, subsequent_indent=rest, break_long_words=False)


def groups(wires, cluster):
    """[(heading, direction, wires)]: inputs under the cluster that drives them, outputs under the block."""
    out = {"The plane's inputs": ("input", [])}
    for c in CLUSTERS:
        out[f"From u_{c}"] = ("input", [])
    for w in wires.inputs(cluster):
        owner = wires.cluster_of(w)
        out["The plane's inputs" if owner == "top" else f"From u_{owner}"][1].append(w)
    for w in wires.outputs(cluster):
        out.setdefault(f"Driven by u_{wires.driver[w]}", ("output", []))[1].append(w)
    return [(heading, *group) for heading, group in out.items() if group[1]]


def ports(wires, cluster):
    rows = [("", "input  logic", ["clk_i", "rst_ni"])]
    for heading, way, names in groups(wires, cluster):
        rows += [(heading, f"{way:6} {wires.type[w]}", [w]) for w in names]
    column = max(len(kind) for _, kind, _ in rows) + 1
    lines, last = [], ""
    for heading, kind, names in rows:
        lines += [f"  // {heading}"] * (heading != last) + [f"  {kind.ljust(column)}{w}," for w in names]
        last = heading
    lines[-1] = lines[-1][:-1]
    return lines


def connections(wires, block, rows):
    """{port of the RTL: its wire}"""
    return {rtl_name(r): wires.values[block, r["name"]] if r["dir"] == "in" else wires.read(block, r["name"])
            for r in rows}


def instance_of(module, name, pins):
    column = max(map(len, pins))
    lines = [f"    .{port.ljust(column)}({value})" for port, value in pins.items()]
    return [f"  {module} {name} (", *",\n".join(lines).splitlines(), "  );"]


def instance(wires, block):
    pins = {**CLOCK, **connections(wires, block, port_rows(block, "in", "out"))}
    lines = instance_of(f"hd_{block}", f"u_{block}", pins)
    return ["", *(optional(wires, block, lines) if HAS[block] else lines)]


def optional(wires, block, lines):
    """The instance of a block that a plane may be without, and what its outputs are then."""
    o = [f"  if (hd_pkg::{HAS[block]} != 0) begin : g_{block}", *("  " + line for line in lines),
         f"  end else begin : g_no_{block}"]
    module = [r for r in port_rows(block, "in", "out") if r.get("absent", "").startswith("hd_")]
    if module:
        pins = {**CLOCK, **connections(wires, block, module)}
        o += ["  " + line for line in instance_of(module[0]["absent"], f"u_{block}", pins)]
    for r in (r for r in port_rows(block, "out") if r not in module and wires.read(block, r["name"])):
        value = r.get("absent", "")
        if not value.startswith("{"):
            value = {"": "'0", "ones": "'1"}.get(value) or f"{in_package(r['type'])}'({in_package(value)})"
        o.append(f"    assign {wires.read(block, r['name'])} = {value};")
    return [*o, "  end"]


def module(wires, cluster):
    beyond = {*wires.inputs(cluster), *wires.outputs(cluster)}
    own = [w for w in wires.driver if wires.cluster_of(w) == cluster and w not in beyond and wires.is_read(w)]
    lines = [f"module hd_{cluster} (", *ports(wires, cluster), ");", "", *declarations(wires, own)]
    for whole in (w for w in own if w in wires.split):
        lines.append("")
        for k, (part, width) in sorted(wires.split[whole].items()):
            lines.append(f"  assign {part} = {whole}[{k}*{width}+:{width}];")
    for b in inside(cluster):
        lines += instance(wires, b)
    return "\n".join([*lines, "", "endmodule", ""])


def top(wires):
    lines = []
    for c in CLUSTERS:
        lines += [f"  // Driven by u_{c}", *declarations(wires, [w for w in wires.outputs(c) if w not in PINS]), ""]
    for c in CLUSTERS:
        lines += [f"  hd_{c} u_{c} (", "    .clk_i, .rst_ni,"]
        for heading, _, names in groups(wires, c):
            pins = (f".{w}({PINS[w]})" if w in PINS else f".{w}" for w in names)
            lines += [f"    // {heading}"] + wrapped(", ".join(pins) + ",", "    ", "    ")
        lines[-1] = lines[-1][:-1]
        lines += ["  );", ""]
    return "\n".join(lines[:-1]) + "\n"


def gen_doc(cluster):
    """The ports of a cluster as a table in Markdown."""
    wires = Wires()
    whole = {part: vector for vector, found in wires.split.items() for part, _ in found.values()}
    meaning = {output(b, r["name"]): r["meaning"] for b in nets.PLANE for r in port_rows(b, "out")}
    meaning.update((r["name"], r["meaning"]) for r in port_rows("top", "in"))
    o = ["| wire | type | read by | meaning |", "|---|---|---|---|"]
    for heading, way, names in groups(wires, cluster):
        o.append(f"| **{heading}** | | | |")
        for w in names:
            users = [b for b in wires.readers.get(w, []) if (CLUSTER[b] == cluster) == (way == "input")]
            read = ", ".join([*users, *["the plane's output"] * (way == "output" and w in PINS)])
            o.append(f"| `{w}` | `{wires.type[w].replace('hd_pkg::', '')}` | {read} | {meaning[whole.get(w, w)]} |")
    return "\n".join(o) + "\n"


def parts(path, before, behind):
    """The text of a file up to the line that starts with `before`, and from the one that starts with `behind` on."""
    with open(os.path.join(RTL, path)) as f:
        text = f.read()
    at = text.find("\n" + before) + 1
    end = text.find("\n" + behind, at) + 1
    if not at or not end:
        die(f"rtl/{path}: no line '{(before if not at else behind).strip()}'")
    return text[:at], text[end:]


def gen_clusters():
    """{path below rtl: text} of the modules. The header of a cluster's module is kept, and in hd_top.sv all but the
    marked lines."""
    wires = Wires()
    out = {}
    for c in CLUSTERS:
        path = f"{c}/hd_{c}.sv"
        out[path] = parts(path, f"module hd_{c} (", "endmodule")[0] + module(wires, c)
    before, behind = parts("top/hd_top.sv", BEGIN.rstrip("\n"), END.rstrip("\n"))
    out["top/hd_top.sv"] = before + BEGIN + top(wires) + behind
    return out
