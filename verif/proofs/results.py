# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The results of proofs: as data (the JSON keys are stable), as text, and as the tables of docs/proofs.md."""
import checker
import tools
from report import aligned, num

NOTES = """\
proved: RTL and golden model do the same in every cycle from reset on, for all inputs that the contract allows.
Assumed: assertions of the RTL about its inputs, and lines ASSUME of verif/proofs/blocks. Seconds of processor.
Made with {tools}. More: docs/proofs.md."""
HEAD = ["block", "flops", "gates", "asserted", "assumed", "base", "step", "reach", "result"]


HEAD_ASSERTIONS = ["block", "flops", "assumed", "assertions", "proved", "bounded", "refuted", "open", "seconds"]
NOTES_ASSERTIONS = """\
proved: holds in every cycle from reset on, for all inputs that the assumed assertions allow. bounded: holds in some
cycles from reset (in brackets). refuted: fails in that cycle, with inputs that they allow. open: no answer in time.
Seconds of processor. Made with {tools}. More: docs/proofs.md."""


def verdict(answers):
    """Returns the result for a block, by its questions {name: answer}: `proved` needs all three."""
    found = [a["result"] for a in answers.values()]
    for result in ("refuted", "unreachable", "open", "broken", "held"):
        if result in found:
            return result
    if "bounded" in answers:
        return "bounded"
    return "proved" if {"base", "step", "reach"} <= answers.keys() else "partial"


def block(proof, answers):
    """Returns the results of a block. `asserted`: assertions of the RTL that are proved with it."""
    return {"name": proof.block, "sets": proof.sets, "flops": len(proof.gates.state), "gates": proof.gates.count(),
            "depth": proof.depth, "asserted": [a.name for a in proof.tables.own],
            "assumed": [a.name for a in proof.tables.owed],
            "assumptions": proof.assumptions(), "fault": proof.o.fault, "result": verdict(answers),
            "questions": list(answers.values())}


def data(config, blocks, lockstep):
    """Returns the results as in their JSON. A run of lockstep needs no solver."""
    cbmc, cadical = ("-", "-") if lockstep else checker.versions()
    return {"version": 1, "config": config, "tools": f"CBMC {cbmc.split()[0]}, CaDiCaL {cadical}", "blocks": blocks}


def rows(blocks):
    for b in blocks:
        seconds = {q["question"]: num(q["seconds"], 1) for q in b["questions"]}
        yield [" ".join([b["name"], *b["sets"]]), num(b["flops"]), num(b["gates"]), num(len(b["asserted"])),
               f"{len(b['assumed'])} + {b['assumptions']}",
               *(seconds.get(q, "-") for q in ("base", "step", "reach")), said(b)]


def said(b):
    """Returns the result for people, with what a counterexample violates first."""
    violated = next((q["violated"] for q in b["questions"] if "violated" in q), "")
    if b["result"] == "bounded":
        return f"no difference in {b['depth']} cycles from reset"
    if b["result"] == "held":
        return f"contract and invariant held in {b['depth']:,} cycles of lockstep"
    return b["result"] + (f": {violated}" if violated else "")


def text(report):
    table = aligned([HEAD, *rows(report["blocks"])], (0, 8))
    return f"{report['config']}\n\n{table}\n\n{NOTES.format(**report)}\n"


def page(report):
    lines = ["| " + " | ".join(HEAD) + " |", "|---|" + "---:|" * 7 + "---|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows(report["blocks"]))]) + "\n"


# ---- assertions (assertions.py) --------------------------------------------------------------------------------------

def data_assertions(config, blocks):
    version = tools.version("yosys-abc", "-q", "version").removeprefix("UC Berkeley, ").split(" (")[0]
    return {"version": 1, "config": config, "tools": version, "blocks": blocks}


def counts(block):
    """Returns how many assertions of a block have each result."""
    found = [a["result"] for a in block["assertions"]]
    return [found.count(r) for r in ("proved", "bounded", "refuted", "open")]


def rows_assertions(blocks):
    for b in blocks:
        seconds = sum(a["seconds"] for a in b["assertions"])
        yield [b["name"], num(b["flops"]), num(len(b["assumed"])), num(len(b["assertions"])), *map(num, counts(b)),
               num(seconds, 1)]
    total = [sum(c) for c in zip(*map(counts, blocks))]
    yield ["all", "", "", num(sum(len(b["assertions"]) for b in blocks)), *map(num, total), ""]


def unproved(block):
    for a in block["assertions"]:
        if a["result"] != "proved":
            depth = f" ({a['depth']})" if "depth" in a else ""
            yield f"  {block['name']}: {a['name']}: {a['result']}{depth}"


def text_assertions(report):
    table = aligned([HEAD_ASSERTIONS, *rows_assertions(report["blocks"])], (0,))
    left = [line for b in report["blocks"] for line in unproved(b)]
    return "\n".join([f"{report['config']}\n\n{table}\n", *left, *[""] * bool(left),
                      NOTES_ASSERTIONS.format(**report)]) + "\n"


def page_assertions(report):
    lines = ["| " + " | ".join(HEAD_ASSERTIONS) + " |", "|---|" + "---:|" * 8]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows_assertions(report["blocks"]))]) + "\n"
