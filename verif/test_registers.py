#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that the SystemRDL of `rtl/hdgen rdl` and the IP-XACT of `rtl/hdgen ipxact` describe the register file of the
C headers and of the golden model. Readers from PyPI read both; every offset, field, reset value, access and named value
is compared, in k20c and tiny. Planted mistakes show that each comparison can fail.

Run from the top of the checkout, after `make all build/test/regs_probe`. The readers are Python modules from PyPI
(verif/registers.txt), installed below build/venv; without them, the tests that need them are skipped by name. Ends with
`N passed, N failed`."""
import functools
import glob
import re
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple
from xml.etree import ElementTree

sys.dont_write_bytecode = True
CONFIGS = ["k20c", "tiny"]
MODULES = "build/venv/registers/lib/python*/site-packages"
# values: {name: value} of an enum, or None. clears: writing 1 clears it. changes: by itself; None: unknown to the
# reader.
Register = namedtuple("Register", "offset meaning fields")
Field = namedtuple("Field", "high low writable clears changes reset values")
# Facts that neither the headers nor the model state: docs/service/regs.md.
VERSION = {"MINOR": (15, 0), "MAJOR": (31, 16)}
THROTTLE = {"ON": (0, 0), "UNUSED1": (31, 1)}


# ---- Reference

def text(path):
    with open(path) as f:
        return f.read()


def enum(name):
    """Returns {name: value} of an enum of hd_types.h."""
    body = re.search(rf"enum hd_{name} {{(.*?)}};", text("build/gen/hd_types.h"), re.S).group(1)
    return {n: int(v) for n, v in re.findall(rf"HD_{name.upper()}_(\w+) = (\d+)", body)}


@functools.cache
class Facts:
    """The content of hd_regs_map.h, and the behaviour of the model in a configuration."""
    def __init__(self, config):
        header = text("build/gen/hd_regs_map.h")
        self.offsets = {n: int(v, 16) for n, v in re.findall(r"#define HD_REG_(\w+) (0x\w+)$", header, re.M)}
        self.status = {n: int(v) for n, v in re.findall(r"#define HD_STATUS_(\w+) \(1u << (\d+)\)", header)}
        values = re.search(r"HD_REG_CONST_VALUES\(c\) {(.*)}", header).group(1).split(", ")
        self.packed = {}  # {constant: the fields in its value, (c)->a | (c)->b << 16}
        for name, value in zip(self.offsets, values):
            terms = re.findall(r"\(c\)->(\w+)(?: << (\d+))?", re.sub(r"\(c\)->has_\w+ \* ", "", value))
            ends = [int(low) for _, low in terms[1:]] + [32]
            if len(terms) > 1:
                self.packed[name] = {n.upper(): (end - 1, int(low or 0)) for (n, low), end in zip(terms, ends)}
        probe = subprocess.run(["build/test/regs_probe", config], check=True, capture_output=True, text=True).stdout
        lines = [(w, *map(int, n)) for w, *n in map(str.split, probe.splitlines())]
        self.constants = [value for word, _, *value in lines if word == "const"]
        self.words = {at: rest for word, at, *rest in lines if word == "word"}
        self.events, = (value for word, value, *_ in lines if word == "status")
        self.cleared = [(bit, *value) for word, bit, *value in lines if word == "clears"]
        self.graphs = [rest for word, *rest in lines if word == "graph"]

    def fields(self, name):
        """Returns {field: (high, low)} of a register."""
        policy = re.search(r"HD_POLICY_MASK (\d+)u", text("build/gen/hd_policies.h"))
        top = int(policy.group(1)).bit_length()
        known = {**self.packed, "STATUS": {n: (bit, bit) for n, bit in self.status.items()}, "VERSION": VERSION,
                 "THROTTLE": THROTTLE, "POLICY": {"POLICY": (top - 1, 0), f"UNUSED{top}": (31, top)},
                 "GRAPH": {"VID": (15, 0), "CODE": (18, 16)}}
        return known.get(name, {"VALUE": (15 if name.endswith("_HI") else 31, 0)})


def bits(f):
    return (1 << f.high + 1) - (1 << f.low)


def part(f, value):
    return value >> f.low & bits(f) >> f.low


def of_model(name, r, facts):
    """Returns the differences between the model and a register's description."""
    unmapped, refused, reset, ones, zeros = facts.words[r.offset]
    covered, fields = sum(bits(f) for f in r.fields.values()), list(r.fields.values())
    if unmapped:
        yield "the model has nothing there"
    if sum(f.reset << f.low for f in fields) != reset:
        yield f"reset {[f.reset for f in fields]}, in the model {reset:#x}"
    if any(f.writable == refused for f in fields):
        yield "access: a write " + ("is an error" if refused else "is accepted") + " in the model"
    if name != "STATUS" and not refused and covered != ones & ~zeros:
        yield f"bits {covered:#x}, in the model {ones & ~zeros:#x} keep what is written"
    if name == "STATUS" and covered != facts.events:
        yield f"bits {covered:#x}, in the model events set {facts.events:#x}"
    for bit, cleared in facts.cleared if name == "STATUS" else []:
        if sum(bits(f) for f in fields if f.clears and f.low == bit) != cleared:
            yield f"bit {bit}: writing 1 clears {cleared:#x} in the model"
    for code, vid, value in facts.graphs if name == "GRAPH" else []:
        if {n: part(f, value) for n, f in r.fields.items()} != {"VID": vid, "CODE": code}:
            yield f"the model shows {value:#x} for code {code}, VID {vid:#x}"


def differences(found, config):
    """Returns the differences between {name: Register} and headers and model, as texts that begin with the name."""
    facts, out = Facts(config), []
    changing = {n for n, offset in facts.offsets.items() if n in ("STATUS", "GRAPH") or n.endswith(("_LO", "_HI"))}
    values = {("POLICY", "POLICY"): enum("policy"), ("GRAPH", "CODE"): enum("gcode")}
    out += [f"{n}: not described" for n in facts.offsets if n not in found]
    out += [f"{n}: the header does not have it" for n in found if n not in facts.offsets]
    mapped = {offset for offset, (unmapped, *_) in facts.words.items() if not unmapped}
    out += [f"{offset:#x}: only the model has it" for offset in mapped - set(facts.offsets.values())]
    constants = [value for name, (value,) in zip(facts.offsets, facts.constants)
                 if value != facts.words[facts.offsets[name]][2]]
    out += [f"{value:#x}: a constant of the header that the model does not have" for value in constants]
    for name, r in ((n, r) for n, r in found.items() if n in facts.offsets):
        if r.offset != facts.offsets[name]:
            out.append(f"{name}: offset {r.offset:#x}, in the header {facts.offsets[name]:#x}")
            continue
        out += [f"{name}: {what}" for what in of_model(name, r, facts)]
        ranges = {n: (f.high, f.low) for n, f in r.fields.items()}
        if ranges != facts.fields(name):
            out.append(f"{name}: fields {ranges}, in the header {facts.fields(name)}")
        for n, f in r.fields.items():
            if f.values != values.get((name, n)):
                out.append(f"{name}: {n}: names {f.values}, in the header {values.get((name, n))}")
            if f.clears != (name == "STATUS"):
                out.append(f"{name}: {n}: a 1 that is written " + ("clears it" if f.clears else "does not clear it"))
            if f.changes not in (None, name in changing):
                out.append(f"{name}: {n}: " + ("changes" if f.changes else "does not change") + " by itself")
    return out


# ---- The readers

def generated(what, config, path):
    subprocess.run([sys.executable, "rtl/hdgen", what, "--config", config, "-o", path], check=True)
    return path


@functools.cache
def modules():
    """Returns why the modules cannot be used; "" if they can, and then they are first in the path."""
    done = subprocess.run(["tb/install/venv.sh", "build/venv/registers", "verif/registers.txt"],
                          capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    sys.path[:0] = glob.glob(MODULES)
    return ""


def of_compiler(root, reports_changes):
    """Returns the registers of an elaborated design of systemrdl-compiler."""
    from systemrdl.node import RegNode
    from systemrdl.rdltypes import OnWriteType

    def field(f):
        values = f.get_property("encode")
        return Field(f.high, f.low, f.is_sw_writable, f.get_property("onwrite") == OnWriteType.woclr,
                     f.is_volatile if reports_changes else None, f.get_property("reset"),
                     values and {m.name: m.value for m in values})
    return {r.inst_name: Register(r.absolute_address, r.get_property("desc"),
                                  {f.inst_name: field(f) for f in r.fields()})
            for r in root.top.descendants() if isinstance(r, RegNode)}


def read_rdl(path):
    """Reads with systemrdl-compiler, which raises RDLCompileError if the file is invalid."""
    from systemrdl import RDLCompiler
    compiler = RDLCompiler()
    compiler.compile_file(path)
    return of_compiler(compiler.elaborate(), True)


def import_ipxact(path):
    """Reads with peakrdl-ipxact."""
    from peakrdl_ipxact import IPXACTImporter
    from systemrdl import RDLCompiler
    compiler = RDLCompiler()
    IPXACTImporter(compiler).import_file(path)
    return of_compiler(compiler.elaborate(), False)


SPACE = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}


def read_xml(path):
    """Reads with Python's own ElementTree."""
    def output(e, name):
        return e.findtext(f"x:{name}", None, SPACE)

    def number(e, name):
        value = output(e, name)
        return int(value[2:], 16) if value.startswith("'h") else int(value)

    def named(e, path, make):
        return {output(i, "name"): make(i) for i in e.iterfind(path, SPACE)}

    def field(e):
        low = number(e, "bitOffset")
        return Field(low + number(e, "bitWidth") - 1, low, output(e, "access") == "read-write",
                     output(e, "modifiedWriteValue") == "oneToClear", output(e, "volatile") == "true",
                     number(e, "resets/x:reset/x:value"),
                     named(e, ".//x:enumeratedValue", lambda v: number(v, "value")) or None)
    return named(ElementTree.parse(path), ".//x:register", lambda r: Register(
        number(r, "addressOffset"), output(r, "description"), named(r, "x:field", field)))


# ---- The tests

class Files(unittest.TestCase):
    def setUp(self):
        tmp = tempfile.TemporaryDirectory()
        self.addCleanup(tmp.cleanup)
        self.path = tmp.name + "/regs"

    def changed(self, what, mistake):
        """Returns the file for tiny with a mistake: (pattern of its start, text replaced after that, replacement)."""
        begin, old, new = mistake
        before = text(generated(what, "tiny", self.path))
        start = re.search(begin, before).end()
        after = before[:start] + before[start:].replace(old, new, 1)
        self.assertNotEqual(before, after, mistake)
        with open(self.path, "w") as f:
            f.write(after)
        return self.path

    def right(self, what, read):
        """Both configurations agree with headers and model, and the meanings with the page."""
        page = text("docs/service/regs.md")
        meanings = dict(re.findall(r"^\| 0x\w{3} \| `(\w+)` \| \w+ \| 0x\w{8} \| (.*) \|$", page, re.M))
        for config in CONFIGS:
            with self.subTest(config):
                found = read(generated(what, config, self.path))
                self.assertEqual(differences(found, config), [])
                self.assertEqual({n: r.meaning for n, r in found.items()}, meanings)

    def seen(self, what, read, mistakes):
        """Each mistake is detected, and only in the register that has it."""
        for register, mistake in mistakes:
            with self.subTest(mistake):
                self.assertEqual({d.split(":")[0] for d in differences(read(self.changed(what, mistake)), "tiny")},
                                 {register})


# In tiny: register, mistake.
RDL_MISTAKES = [
    ("SMXS", ("^", "} SMXS @ 0x008", "} SMXS @ 0x024")),
    ("ID", ("^", "32'h4844444c", "32'h4844444d")),
    ("THROTTLE_EPOCH", ("minimum cycles between two samples", "32'h40", "32'h41")),
    ("AGT", ("^", "OVF_SLOTS[31:16] = 16'h5", "OVF_SLOTS[30:16] = 15'h5")),
    ("GRAPH", ("^", "VID[15:0] = 16'h0", "VID[14:0] = 15'h0")),
    ("STATUS", ("^", "DONE_EMPTY[5:5]", "DONE_EMPTY[23:23]")),
    ("STATUS", ("a graph ended: no node could run any more\"", "onwrite = woclr;", "")),
    ("POLICY", ("^", "SMX_BIND = 2", "SMX_BOUND = 2")),
    ("POLICY", ("encode = policy;", "sw = rw", "sw = r")),
    ("CYCLES_HI", ("^", "CYCLES_HI @ 0x104", "CYCLES_HI @ 0x240")),
    ("REFUSED_HI", ("^", "VALUE[15:0] = 16'h0;\n  } REFUSED_HI", "VALUE[31:0] = 32'h0;\n  } REFUSED_HI")),
    ("REC_BASE", ("records of groups", "hw = r", "hw = rw")),
]
XML_MISTAKES = [
    ("SMXS", ("<ipxact:name>SMXS<", "'h008", "'h024")),
    ("ID", ("<ipxact:name>ID<", "'h4844444c", "'h4844444d")),
    ("THROTTLE_EPOCH", ("<ipxact:name>THROTTLE_EPOCH<", "'h40<", "'h41<")),
    ("AGT", ("<ipxact:name>OVF_SLOTS<", "bitWidth>16<", "bitWidth>15<")),
    ("GRAPH", ("<ipxact:name>GRAPH<", "bitWidth>16<", "bitWidth>15<")),
    ("STATUS", ("<ipxact:name>DONE_EMPTY<", "bitOffset>5<", "bitOffset>23<")),
    ("STATUS", ("<ipxact:name>GRAPH_STUCK<", "oneToClear", "oneToSet")),
    ("POLICY", ("^", "name>SMX_BIND<", "name>SMX_BOUND<")),
    ("POLICY", ("<ipxact:name>POLICY<(.|\n)*<ipxact:name>POLICY<", "read-write", "read-only")),
]


class Plain(Files):
    """Tests without the modules."""
    def test_ipxact_by_python(self):
        self.right("ipxact", read_xml)

    def test_mistakes_in_ipxact_by_python(self):
        self.seen("ipxact", read_xml, [*XML_MISTAKES, ("REC_BASE", (
            "<ipxact:name>REC_BASE<(.|\n)*?<ipxact:name>VALUE<", "volatile>false<", "volatile>true<"))])

    def test_a_register_that_is_missing(self):
        found = read_xml(generated("ipxact", "tiny", self.path))
        del found["GRAPH"]
        self.assertEqual(differences(found, "tiny"), ["GRAPH: not described"])

    def test_another_configuration(self):
        """The resets are those of the configuration, changed parameters included."""
        self.assertNotEqual(differences(read_xml(generated("ipxact", "k20c", self.path)), "tiny"), [])
        subprocess.run([sys.executable, "rtl/hdgen", "ipxact", "--set", "NumSmx=3", "-o", self.path], check=True)
        self.assertEqual(read_xml(self.path)["SMXS"].fields["NUM_SMX"].reset, 3)


class Modules(Files):
    """Tests with the modules of verif/registers.txt."""
    def setUp(self):
        super().setUp()
        why = modules()
        if why:
            self.skipTest(why)

    def test_systemrdl(self):
        self.right("rdl", read_rdl)

    def test_mistakes_in_systemrdl(self):
        self.seen("rdl", read_rdl, RDL_MISTAKES)

    def test_ipxact_by_peakrdl(self):
        self.right("ipxact", import_ipxact)

    def test_mistakes_in_ipxact_by_peakrdl(self):
        self.seen("ipxact", import_ipxact, XML_MISTAKES)

    def schema(self):
        from lxml import etree
        path, = glob.glob(f"{MODULES}/pyEDAA/IPXACT/Schema/ieee-1685-2014/index.xsd")
        return etree.XMLSchema(etree.parse(path)), etree.parse

    def test_schema(self):
        schema, parse = self.schema()
        for config in CONFIGS:
            schema.assertValid(parse(generated("ipxact", config, self.path)))

    def test_mistakes_against_the_schema(self):
        schema, parse = self.schema()
        for mistake in (("<ipxact:register>", "<ipxact:size>32</ipxact:size>", ""), ("^", "read-only", "ro"),
                        ("^", "<ipxact:bitWidth>32</ipxact:bitWidth>", "")):
            with self.subTest(mistake):
                self.assertFalse(schema.validate(parse(self.changed("ipxact", mistake))))


if __name__ == "__main__":
    suite = unittest.TestLoader().loadTestsFromNames(sys.argv[1:] or ["Plain", "Modules"], sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    for test, why in result.skipped:
        print(f"skipped: {test.id().removeprefix('__main__.')}: {why}")
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    sys.exit(failed > 0)
