# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The page of a run: one file that loads nothing else and shows everything without a mouse, also when printed."""
import base64
import html as markup
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../verif"))
from mutants import argued, share, with_needs  # noqa: E402

STYLE = """
body { font: 15px/1.45 sans-serif; color: #1a1a1a; background: #fff; max-width: 72em; margin: 1.5em auto;
       padding: 0 1em }
h1 { font-size: 1.6em; margin: 0 } h2 { font-size: 1.15em; margin: 1.8em 0 .4em; border-bottom: 1px solid #999 }
table { border-collapse: collapse; margin: .4em 0 } caption { text-align: left; font-weight: bold; padding: .3em 0 }
th, td { border: 1px solid #bbb; padding: .15em .55em; text-align: left; vertical-align: top }
th { background: #eee } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
.bad { background: #fbd5d0; font-weight: bold } .ok { background: #e2f3e2 }
pre { background: #f4f4f4; border: 1px solid #ccc; padding: .6em; white-space: pre-wrap; font-size: 12px }
.verdict { font-size: 1.3em; padding: .3em .6em; display: inline-block; border: 2px solid #333; margin: .5em 0 }
img, svg { max-width: 100% } section.failure { break-inside: avoid-page }
.many { font-size: 11px } .many th, .many td { padding: .1em .25em }
@media print { body { max-width: none; margin: 0; font-size: 11px } tr { break-inside: avoid } }
"""


def esc(value):
    return markup.escape(str(value))


def number(value):
    """Formats a number for a reader, with separators of thousands; of a mean with a deviation, the mean."""
    if isinstance(value, dict) and "mean" in value:
        return number(value["mean"])
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "-" if value is None else str(value)


def cell(value, style=""):
    is_number = isinstance(value, (int, float, dict)) and not isinstance(value, bool)
    kinds = " ".join(k for k in ("n" if is_number else "", style) if k)
    return f"<td{attribute(kinds)}>{esc(number(value))}</td>"


def attribute(kinds):
    return f' class="{kinds}"' if kinds else ""


def table(head, rows, caption=""):
    """Rows are lists of values, or of (value, style)."""
    title = f"<caption>{esc(caption)}</caption>" if caption else ""
    body = "".join("<tr>" + "".join(cell(*v) if isinstance(v, tuple) else cell(v) for v in row) + "</tr>\n"
                   for row in rows)
    kind = attribute("many" if len(head) > 9 else "")
    names = "".join(f"<th>{esc(h.replace('_', ' '))}</th>" for h in head)
    return f"<table{kind}>{title}<thead><tr>{names}</tr></thead><tbody>\n{body}</tbody></table>\n"


def day(seconds):
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def verdict(s):
    """Returns the verdict of the whole run in one line, and its style."""
    if s["failures"] or s["lost"]:
        return f"FAILED: {s['failed']} of {s['jobs']} jobs failed, {len(s['lost'])} lost", "bad"
    return f"PASSED: all {s['jobs']} jobs", "ok"


def facts(s):
    rows = [["commit", s["commit"] or "unknown (not a git checkout)"], ["run", s["run"]],
            ["begun", day(s["began"]) + " UTC"],
            ["jobs", f"{s['passed']} passed, {s['failed']} failed, {len(s['lost'])} lost"],
            ["cycles in lockstep", s["cycles"]], ["CPU seconds", s["processor"]],
            [f"CPU seconds of Snakemake, for {s['engine']['jobs']} jobs", s["engine"]["processor"]],
            ["hosts", " ".join(s["hosts"])], *([t, v] for t, v in s["tools"].items())]
    return table(["run", ""], rows)


def image(run, path):
    with open(os.path.join(run, path), "rb") as f:
        data = base64.b64encode(f.read()).decode()
    return f'<img alt="waveform of the last cycles" src="data:image/png;base64,{data}">\n'


def failure(run, s, f, folder):
    """Returns a failure on one screen: its jobs, its report, how to reproduce it, a picture."""
    more = f" and {len(f['jobs']) - 1} more" if len(f["jobs"]) > 1 else ""
    where = " ".join(w for w in (f["verdict"], f["block"] or "", f["field"]) if w)
    out = f'<section class="failure"><h3>{esc(where)}</h3>\n'
    out += f'<p>{esc(f["jobs"][0])}{more}: <code>{esc(f["command"])}</code></p>\n'
    out += f"<pre>{esc(f['report'])}</pre>\n"
    if f["replay"]:
        replay = os.path.join(folder, s["run"], f["replay"])
        look = f"\nheddle wave {replay}.fst" if f["wave"] else ""
        out += f"<p>To reproduce:</p><pre>{esc('heddle replay ' + replay + look)}</pre>\n"
    return out + (image(run, f["picture"]) if f.get("picture") else "") + "</section>\n"


def failures(run, s, folder):
    rows = [[(f["verdict"], "bad"), f["block"] or "-", f["field"] or "-", f["at"], f["stimulus"] or "-", len(f["jobs"]),
             " ".join(f["jobs"][:6]) + (" .." if len(f["jobs"]) > 6 else "")] for f in s["failures"]]
    out = table(["verdict", "block", "field", "cycle", "stimulus", "jobs", "which"], rows) if rows else ""
    out += "".join(failure(run, s, f, folder) for f in s["failures"])
    if s["lost"]:
        out += table(["job without a result", "its tries"],
                     [[(g["job"], "bad"), "; ".join(g["tries"]) or "not started"] for g in s["lost"]])
    return out


def matrix(s):
    """Returns a table for each configuration: blocks by profiles."""
    out = ""
    for config in sorted({c for of in s["matrix"].values() for c in of}):
        blocks = {b: of[config] for b, of in s["matrix"].items() if config in of}
        names = list(dict.fromkeys(p for of in blocks.values() for p in of))
        rows = []
        for block, of in blocks.items():
            hit = s["covers"].get(block, {}).get(config, [0, 0])
            rows.append([block, *[one_cell(of.get(p)) for p in names], sum(c["cycles"] for c in of.values()),
                         f"{hit[0]}/{hit[1]}"])
        out += table(["block", *names, "cycles", "covers"], rows, config)
    return out


def one_cell(c):
    if not c:
        return ""
    return (f"{c['verdict']} {c['cycles']:,}", "ok" if c["verdict"] == "PASS" else "bad")


def missed(s):
    """Cover points that no job hit."""
    rows = [[b, c, " ".join(v[2])] for b, of in s["covers"].items() for c, v in of.items() if v[2]]
    return table(["block", "configuration", "points without a hit"], rows)


def faults(s):
    caught = sum(f["caught"] for f in s["faults"])
    rows = [[f["fault"], f["block"], (f["caught_by"], "ok" if f["caught"] else "bad"), f["cycle"], f["signal"][:60],
             f["what"]] for f in s["faults"]]
    return table(["fault", "block", "caught by", "cycle", "signal", "what"], rows,
                 f"{caught} of {len(rows)} caught")


def mutants(s):
    """Scores of mutants, and the survivors with their lines."""
    rows, left = [], []
    for m in s["mutants"]:
        survivors = with_needs(m["of"], m["block"], m["survivors"])
        survive, nothing_shows, killed = len(survivors), argued(survivors), sum(m["killed"].values())
        rows.append([m["of"], m["block"], m["mutants"], m.get("equivalent"), killed,
                     ", ".join(f"{by} {n}" for by, n in m["killed"].items()),
                     (survive, "bad" if survive > nothing_shows else "ok"), nothing_shows, share(killed, survive),
                     share(killed, survive - nothing_shows)])
        left += [[m["of"], m["block"], *survivor] for survivor in survivors]
    return (table(["of", "block", "mutants", "equivalent", "killed", "by", "survive", "argued", "score",
                   "of those that differ"], rows)
            + table(["of", "block", "survivor", "proof", "what it needs"], left))


def bars(names, values):
    """A plot with one bar per name."""
    top, wide = max(values) or 1, 420
    rows = "".join(
        f'<text x="196" y="{18 * k + 13}" text-anchor="end">{esc(n)}</text>'
        f'<rect x="202" y="{18 * k + 3}" width="{v / top * wide:.1f}" height="12" fill="#47a"/>'
        f'<text x="{206 + v / top * wide:.1f}" y="{18 * k + 13}">{esc(number(v))}</text>'
        for k, (n, v) in enumerate(zip(names, values)))
    return (f'<svg role="img" aria-label="plot" width="720" height="{18 * len(values) + 4}" font-size="11" '
            f'font-family="sans-serif">{rows}</svg>\n')


def flat(value):
    return not isinstance(value, (list, dict)) or (isinstance(value, dict) and "mean" in value)


def workloads(s):
    out = ""
    if s["runs"]:
        out += table(["run", "verdict", "cycles", "TBs", "TBs per cycle", "mean wait", "differences"],
                     [[r["job"], (r["verdict"], "ok" if r["verdict"] == "PASS" else "bad"), r["cycles"], r["ctas"],
                       r["ctas_per_cycle"], r["wait_mean"], r["differences"]] for r in s["runs"]])
        out += "<p>Cycles of each:</p>" + bars([r["job"] for r in s["runs"]], [r["cycles"] or 0 for r in s["runs"]])
    for t in s["tables"]:
        rows = [r for r in t["rows"] or [] if isinstance(r, dict)]
        keys = [k for k in dict.fromkeys(k for r in rows for k in r) if all(flat(r.get(k)) for r in rows)]
        out += table(keys, [[r.get(k) for k in keys] for r in rows], f"{t['job']}, {t['config']}")
        cycles = [r.get("cycles") for r in rows]
        if rows and all(isinstance(c, dict) and "mean" in c for c in cycles):
            names = [" ".join(str(r[k]) for k in keys if isinstance(r.get(k), str))[:34] for r in rows]
            out += bars(names, [c["mean"] for c in cycles])
    return out


def trend(runs):
    rows = [[day(r["began"]), (r["commit"] or r["run"])[:60], r["cycles"], r["processor"],
             round(r["cycles"] / r["processor"]) if r["processor"] else None, r["passed"],
             (r["failed"], "bad" if r["failed"] else "ok"), (len(r["lost"]), "bad" if r["lost"] else "ok")]
            for r in runs]
    out = table(["begun", "commit", "cycles", "CPU seconds", "cycles per second", "passed", "failed", "lost"],
                rows)
    speeds = [r["cycles"] / r["processor"] if r["processor"] else 0 for r in runs]
    return out + (f"<p>Cycles per CPU second:</p>{bars([day(r['began']) for r in runs], speeds)}"
                  if any(speeds) else "")


def slowest(s):
    top = sorted(s["all"], key=lambda r: -r["seconds"])[:10]
    return table(["slowest jobs", "seconds", "tries"], [[r["job"], r["seconds"], r["tries"]] for r in top])


def html(run, s, runs, folder):
    """Returns the page of a run as text."""
    line, style = verdict(s)
    parts = [("Failures", failures(run, s, folder)), ("Run", facts(s) + slowest(s)),
             ("Verdicts and cycles", matrix(s) if s["matrix"] else ""),
             ("Cover points", missed(s) if s["covers"] else ""),
             ("Planted faults", faults(s) if s["faults"] else ""),
             ("Mutants", mutants(s) if s.get("mutants") else ""), ("Workloads", workloads(s)),
             ("Trend", trend(runs))]
    body = "".join(f"<h2>{esc(name)}</h2>\n{text}" for name, text in parts if text)
    title = f"{esc(s['campaign'])}: {esc(line)}"
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body>'
            f'<h1>Campaign {esc(s["campaign"])}</h1><p>{esc(s["about"])}</p>\n'
            f'<p class="verdict {style}">{esc(line)}</p>\n{body}</body></html>\n')
