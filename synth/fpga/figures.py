# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The figures of the routed blocks: as data (the JSON keys are stable), as text and as CSV."""
import csv
import io
import statistics

import ecp5
import yowasp
from report import aligned, num

NOTES = """\
Device: {device} (ECP5), grade {grade}, {package}: {luts:,} LUTs, {flops:,} flops, {block_rams} block RAMs, \
{multipliers} multipliers.
The wrapper of each block is subtracted. MHz: after routing, {seeds}.
Path: the longest of the best seed, from a clock edge to the next, with its wires.
Made with {tools}. More: docs/fpga.md."""
COLUMNS = ["config", "device", "block", *ecp5.BELS, "wrapper_luts", "wrapper_flops",
           *(f"share_{part}" for part in ecp5.PARTS), "seeds", "mhz_median", "mhz_best", "ns", "wire_ns", "from", "to"]


def block(name, added, routed, device):
    """Returns the figures of a block: its parts and path are those of the best seed."""
    best = max(routed, key=lambda r: r["mhz"])
    parts = {part: best[part] for part in ecp5.BELS}
    return {"name": name, **parts, "share": ecp5.share(parts, device),
            "wrapper": {part: added[part] for part in ("luts", "flops")},
            "mhz": {"median": round(statistics.median(r["mhz"] for r in routed), 1), "best": round(best["mhz"], 1),
                    "by_seed": [round(r["mhz"], 1) for r in routed]},
            "ns": best["ns"], "wire_ns": best["wire_ns"], "from": best["from"], "to": best["to"]}


def data(design, device, seeds, blocks):
    """Returns the report as in its JSON."""
    return {"version": 1, "config": design.name, "device": device, "grade": ecp5.GRADE, "seeds": seeds,
            "tools": yowasp.versions(), "blocks": blocks}


def text(report):
    rows = [["block", "LUTs", "flops", "block RAMs", "LUT RAMs", "mult.", "share", "MHz", "best", "ns", "wires",
             "longest path"]]
    for b in report["blocks"]:
        rows.append([b["name"], *(num(b[part]) for part in ecp5.BELS),
                     f"{max(b['share'].values()):.1f} %", num(b["mhz"]["median"], 1), num(b["mhz"]["best"], 1),
                     num(b["ns"], 1), num(b["wire_ns"], 1), f"{b['from']} -> {b['to']}"])
    seeds = f"the median and the best of {report['seeds']} seeds" if report["seeds"] > 1 else "with one seed"
    notes = NOTES.format(**{**report, **ecp5.DEVICES[report["device"]], "package": ecp5.PACKAGE, "seeds": seeds,
                            "device": ecp5.name(report["device"])})
    return f"{report['config']}\n\n{aligned(rows, (0, 11))}\n\n{notes}\n"


def csv_text(report):
    out = io.StringIO()
    w = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
    w.writeheader()
    for b in report["blocks"]:
        w.writerow({**report, **b, "block": b["name"],
                    **{f"{what}_{part}": v for what in ("share", "wrapper", "mhz") for part, v in b[what].items()}})
    return out.getvalue()
