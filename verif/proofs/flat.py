# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A block as flat gates of one bit, with its assertions, as JSON of Yosys."""
import re

import faults
import recipes
from hdgen.params import inside, of
from hdgen.tables import port_rows

# The kinds of assertions as Yosys has them: `assume` for those about the inputs, `assert` for all others. A label in a
# generate loop is an error for Yosys, so a cell is known by its line (labels()). Parameters are checked elsewhere.
ASSERTIONS = """`define HD_ASSERT_ON
`define HD_ASSERT_PARAM(label, cond, text)
`define HD_ASSERT(label, cond, text) assert (cond);
`define HD_ASSERT_IN(label, cond, text) assume (cond);
`define HD_COVER(label, prop)
"""
PROPERTY = re.compile(r'`HD_ASSERT_PROP(_IN)?\(\w+,\s*((?:[^"])*?),\s*"[^"]*"\)', re.S)
BELOW = re.compile(r'`HD_ASSERT(?:_IN)?\((\w+),[^"`]*?\bu_\w+\.[^"`]*"[^"]*"\)', re.S)  # names a signal of an instance
LABEL = re.compile(r"`HD_ASSERT(?:_IN|_PROP|_PROP_IN)?\((\w+),")
# A row that is read while it is written gives any value, not one of the simulator's choice.
CONFLICT = ("~mem_q[raddr_i]", "conflict")
CONFLICT_WIRE = ("  logic re;", "  (* anyseq *) logic [Width-1:0] conflict; logic re;")


def statement(found):
    """A property as a statement, which Yosys reads: `a |-> b`, or `a |=> b` about the cycle before. Lines stay."""
    kind, body = "assume" if found[1] else "assert", " ".join(found[2].split())
    before, arrow, after = re.fullmatch(r"(.*?)(\|->|\|=>)(.*)|.*", body).groups()
    if arrow == "|=>":
        when, what = "rst_ni && $past(rst_ni)", f"!$past({before}) || ({after})"
    else:
        when, what = "rst_ni", f"!({before}) || ({after})" if arrow else body
    return f"always @(posedge clk_i) if ({when}) {kind} ({what});" + "\n" * found[0].count("\n")


def labels(files):
    """Returns {(file, line): label} of the assertions."""
    return {(path, text.count("\n", 0, m.start()) + 1): m[1]
            for path, text in files.items() if path.startswith("rtl/") for m in LABEL.finditer(text)}


def compared(block, p, path=""):
    """Returns the registers that lockstep compares, of the block and of those inside, by their names in the RTL."""
    names = {path + r["rtl"] for r in port_rows(block, "state")}
    return names.union(*(compared(r["type"], q, f"{path}{name}.") for r, _, name, q in inside(block, p)))


class Flat(recipes.Yosys):
    """The result is the netlist in JSON. `wires` are kept beside the registers, also rows `NAME[i]` of a memory with
    all bits; x becomes 0 if `defined`; `fault` is the number of a planted fault, or 0."""
    SCRIPT = """read_verilog -sv -formal -Irtl {inputs}
hierarchy -check -top {top}
proc
flatten
setattr -set keep 1 w:*_q {keep}
opt_expr; opt_clean
wreduce; peepopt; opt_clean
memory_map
{rows}opt_expr; opt_clean
techmap
simplemap
opt -nodffe -nosdff
{defined}
opt_clean
write_json flat.json
"""
    DEFINED = "setundef -zero\nopt -nodffe -nosdff"

    def __init__(self, config, block, wires, defined, fault):
        super().__init__(config, block, "proof" + f"-fault-{fault}" * bool(fault))
        self.wires, self.defined, self.fault = wires, defined, fault

    def prepare(self, build):
        inputs = self.add_sources()
        if self.fault:
            inputs.insert(0, self.plant())
            self.files[faults.PACKAGE] = f"package hd_fault_pkg;\n  localparam int sel = {self.fault};\nendpackage\n"
        self.labels = labels(self.files)
        self.files.update((p, BELOW.sub(lambda m: ";" + "\n" * m[0].count("\n"), PROPERTY.sub(statement, text)))
                          for p, text in self.files.items() if p.startswith("rtl/"))
        for path in self.files.keys() & set(recipes.Miter.UNCHECKED):
            self.files[path] = self.files[path].replace("`ifdef HD_ASSERT_ON", "`ifdef HD_NEVER")
        if recipes.RAM in self.files:
            self.files[recipes.RAM] = self.files[recipes.RAM].replace(*CONFLICT).replace(*CONFLICT_WIRE)
        self.files["rtl/common/hd_assert.svh"] = ASSERTIONS
        self.named = compared(self.block, of(self.base, self.sets)) | set(self.wires)
        keep = " ".join(f"w:{n}" for n in sorted(self.named) if "[" not in n)
        rows = "".join("setattr -set keep 1 w:" + n.replace("[", r"\[") + "\n" for n in self.wires if "[" in n)
        self.prepare_script(self.SCRIPT.format(inputs=" ".join(inputs), top=self.top, keep=keep, rows=rows,
                                               defined=self.DEFINED * self.defined))

    def make(self):
        self.run_script()
        return f"{self.cwd}/flat.json"
