#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tests the pages of heddle run and heddle sweep: rejected uses, their content against the other files of the same run,
and their behaviour in a browser: no error, what the pointer shows, zooms, choices, sortable tables. Run from the top of
the checkout, after make. Ends with `N passed, N failed`."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[:0] = ["docs"]
from browser import Browser  # noqa: E402

DIR = "build/test/page"
HEDDLE = os.path.abspath("build/heddle")
GRAPH = f"{DIR}/made.mtx"
RUN = ["run", GRAPH, "--config", "tiny", "--block-size", "64", "--sources", "4", "--engine", "model"]
KEEP = os.path.abspath(f"{DIR}/runs")
SWEEP = ["sweep", "bfs", os.path.abspath(GRAPH), "--config", "tiny", "--keep", KEEP, "--set", "NumKde=2,4,16",
         "--launch", "flat,dtbl", "-j", "1"]
REST = ["--", "--block-size", "64", "--sources", "4"]
counts = [0, 0]


def note(good, name, reported=""):
    counts[bool(good)] += 1
    print(f"{'ok     ' if good else 'FAILED '} {name}" + ("" if good else f"\n        {reported}"))


def heddle(*words, env=None, cwd=None):
    return subprocess.run([HEDDLE, *words], capture_output=True, text=True, cwd=cwd, env={**os.environ, **(env or {})})


def refused(name, text, *words, env=None, cwd=None):
    """Expects exit code 2, the text in the first line on stderr, at most one hint line after it, and no file."""
    before = set(os.listdir(DIR))
    r = heddle(*words, env=env, cwd=cwd)
    lines = r.stderr.splitlines()
    good = r.returncode == 2 and text in (lines or [""])[0] and len(lines) <= 2 and set(os.listdir(DIR)) == before
    note(good and not r.stdout, name, (r.returncode, r.stdout, r.stderr, set(os.listdir(DIR)) - before))


def refusals():
    refused("a page to standard output", "ends in .html would be accepted", *RUN, "--page", "-")
    refused("a page of another kind", "ends in .html would be accepted", *RUN, "--page", f"{DIR}/p.htm")
    refused("a page in a folder that is not there", "No such file", *RUN, "--page", f"{DIR}/none/p.html")
    refused("a page and a report in one file", "is the file of two outputs", *RUN, "--page", f"{DIR}/p.html",
            f"--json={DIR}/p.html")
    refused("a page and launches in one file", "is the file of two outputs", *RUN, "--page", f"{DIR}/p.html",
            "--kernels", f"{DIR}/p.html")
    refused("a series without a file or a page", "with --series or --page", *RUN, "--smx", "gpu", "--series-every",
            "10")
    refused("a page of a run that is refused", "would be accepted", *RUN, "--page", f"{DIR}/p.html", "--ideal")
    os.symlink("/dev/full", f"{DIR}/full.html")
    refused("a page on a full disk", "No space left on device", *RUN, "--quiet", "--page", f"{DIR}/full.html")
    # Templates that need a missing library, in a checkout that is otherwise this one.
    other = f"{DIR}/other"
    os.makedirs(f"{other}/build")
    os.makedirs(f"{other}/tb")
    for name in ("python", "rtl", "synth", "build/heddle", *(f"tb/{n}" for n in os.listdir("tb") if n != "page")):
        os.symlink(os.path.abspath(name), f"{other}/{name}")
    shutil.copytree("tb/page", f"{other}/tb/page")
    for name in ("run.html", "sweep.html"):
        with open(f"tb/page/{name}") as f:
            text = f.read().replace("/usr/share/nodejs/", "/nowhere/")
        with open(f"{other}/tb/page/{name}", "w") as f:
            f.write(text)
    refused("a page without its library, by its package", "(Debian package node-d3)", *RUN, "--page", f"{DIR}/p.html",
            env={"HEDDLE_BUILD": os.path.abspath(f"{other}/build")})
    refused("a sweep to standard output", "ends in .html", *SWEEP, "--page", "-")
    refused("a sweep without its library", "(Debian package node-d3)", *SWEEP, "--page",
            os.path.abspath(f"{DIR}/p.html"), cwd=other)


def contents(page):
    """Returns the data of a page."""
    with open(page) as f:
        text = f.read()
    return text, json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])


def run_page():
    files = {name: f"{DIR}/run.{name}" for name in ("html", "json", "csv", "kernels.csv")}
    r = heddle(*RUN, "--launch", "dtbl", "--ideal", "--threshold", "8", "--quiet", "--page", files["html"],
               f"--json={files['json']}", "--timeline", files["csv"], "--kernels", files["kernels.csv"])
    note(r.returncode == 0 and not r.stderr, "run --page", r.stderr)
    with open(files["json"]) as f:
        report = json.load(f)
    text, data = contents(files["html"])
    note(data["report"] == report, "  has the report of the run")
    note(text.count("Redistributions of source code must retain") >= 1 and "Mike Bostock" in text
         and "Permission to use, copy, modify" in text, "  has the licences of its library")
    asks = re.findall(r"""(?:src|href)\s*=\s*["'][^"'#]|@import|url\((?!#)""", text.replace(d3(), ""))
    note(not asks, "  asks for nothing from elsewhere", asks)
    again = f"{DIR}/again.html"
    heddle(*RUN, "--launch", "dtbl", "--ideal", "--threshold", "8", "--quiet", "--page", again)
    of = [{k: v for k, v in contents(p)[1].items() if k != "report"} for p in (files["html"], again)]
    note(of[0] == of[1], "  is the same of the same run")
    blocks = {t["block"] for t in data["fills"]["tables"]}
    with open("rtl/pkg/views.csv") as f:
        rows = [line.split(",") for line in f if line.startswith("occupancy,")]
    # Returns the slots that the SMXs show; the entries of one bank are part of the sum over all.
    lacks = {row[1] for row in rows} - blocks - {"tbcr", "pq"}
    note(len(rows) > 10 and not lacks, "  has each table that the views of waveforms show", lacks)
    return files, report, data


def engines():
    """The RTL shows the same as the model."""
    pages = {}
    for engine in ("model", "rtl", "both"):
        page = f"{DIR}/{engine}.html"
        r = heddle("run", GRAPH, "--config", "tiny", "--block-size", "64", "--sources", "1", "--quiet", "--launch",
                   "dtbl", "--ideal", "--engine", engine, "--page", page)
        note(r.returncode == 0 and not r.stderr, f"a page with --engine {engine}", r.stderr)
        pages[engine] = {k: v for k, v in contents(page)[1].items() if k != "report"}
    note(pages["rtl"] == pages["model"] == pages["both"], "  all three are alike")


def others():
    """Other kinds of runs: their pages, and their required content."""
    small = ["--config", "tiny", "--block-size", "64", "--engine", "model", "--quiet"]
    with open(f"{DIR}/named.trace", "w") as f:
        f.write("heddle-trace 2\nkernel </script>&a 0 0 8 1 1 64 1 1 16 0 500\nkernel b 0 1 9 1 1 64 1 1 16 0 300\n")
    runs = {"graph": (0, "sor", "--nodes", "64", "--size", "64", "--cycles-per-step", "3", "--launch", "graph", *small),
            "nothing": (6, GRAPH, *small, "--max-cycles", "1"),
            "limit": (6, GRAPH, *small, "--max-cycles", "3000"),
            "gpu": (0, GRAPH, *small, "--sources", "1", "--smx", "gpu", "--series-every", "200",
                    "--series", f"{DIR}/series.csv"),
            "named": (0, "--trace", f"{DIR}/named.trace", "--config", "tiny", "--engine", "model", "--quiet")}
    pages = {}
    for name, (code, *words) in runs.items():
        pages[name] = f"{DIR}/{name}.html"
        r = heddle("run", *words, "--page", pages[name])
        note(r.returncode == code, f"a page of another run: {name}", r.stderr)
    data = contents(pages["graph"])[1]
    pub, = (t["most"] for t in data["fills"]["tables"] if t["what"] == "rows of the PUB in use")
    note(pub == data["report"]["graph_buffer"]["pub_most"] > 0, "  its PUB was as full as the report says", pub)
    return pages


def others_in_browser(pages):
    for name, page in pages.items():
        with Browser(page) as b:
            b.drawn()
            note(not b.errors and b.value({"limit": "tbs.rows > 0", "nothing": "tbs.rows === 0"}.get(
                name, "tbs.rows === report.ctas")),
                 f"a browser opens it without an error: {name}", b.errors)
            if name == "gpu":
                rows = rows_of(f"{DIR}/series.csv")
                shown = columns(b, "series", rows[0])
                note(shown == [tuple(r.values()) for r in rows] and len(rows) > 20, "  with the rows of its series")
                note("hits of the L1s" in b.value("document.body.textContent"), "  and their curves")
            if name == "named":
                note(b.value("document.getElementById('keys').textContent") == "</script>&ab",
                     "  with the names of its kernels", b.value("document.getElementById('keys').textContent"))


def d3():
    with open("/usr/share/nodejs/d3/dist/d3.min.js") as f:
        return f.read()


def rows_of(path):
    with open(path) as f:
        return [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in csv.DictReader(f)]


def columns(b, what, names):
    """Returns columns of the page as the page has read them, a row for each."""
    found = [b.value(f"Array.from({what}.{n})") for n in names]
    return [tuple(map(int, row)) for row in zip(*found)]


def place_of(b, smx, slot, cycle):
    """Returns the position in the window of a slot of an SMX in that cycle."""
    return b.value(f"""(() => {{
      const at = frame.plots[0].canvas.getBoundingClientRect(), band = d3.scaleBand(shownSmxs(), [0, at.height])
        .paddingInner({0.1 if b.value('plane.smxs') > 60 else 0.08});
      return [at.left + frame.x({cycle}) - LEFT,
              at.top + band({smx}) + ({slot} + 0.4) * band.bandwidth() / plane.slots];
    }})()""")


def in_browser(files, report, data):
    with Browser(files["html"]) as b:
        b.drawn()
        note(not b.errors, "a browser opens it without an error", b.errors)
        tbs, launches = rows_of(files["csv"]), rows_of(files["kernels.csv"])
        names = ("kernel", "child", "id", "smx", "slot", "queued", "dispatched", "done")
        shown = columns(b, "tbs", names)
        note(shown == [tuple(t[n] for n in names) for t in tbs] and len(tbs) == report["ctas"],
             f"  it has the {len(tbs)} TBs of the timeline")
        names = ("kernel", "child", "stream", "queued", "wait", "dispatched", "done", "smxs", "ctas")
        note(columns(b, "launches", names) == [tuple(w[n] for n in names) for w in launches] and
             b.value("Array.from(launches.kind, k => KIND[k]).join()") == ",".join(w["kind"] for w in launches),
             f"  and the {len(launches)} launches of --kernels")
        hover(b, tbs, launches)
        zoom(b, report)
        means(b, report)
        choices(b, tbs, launches)
        kd = next(t for t in data["fills"]["tables"] if t["block"] == "kd")
        note(b.value("document.body.innerText").count(f"kd: {kd['most']} of {kd['of']} at most") == 1 and
             0 < kd["most"] <= kd["of"], "  the occupancy of the KD is shown", kd)
        note(not b.errors, "  and no error came on the way", b.errors)


def tip(b):
    return b.value("tip.style.display === 'block' ? tip.textContent : ''")


def hover(b, tbs, launches):
    """The text of some TBs, among them TBs of a host kernel and of a child, against the CSV."""
    whole, by = "{:,}".format, {(w["kernel"], w["child"]): w for w in launches}
    long = sorted(tbs, key=lambda t: t["dispatched"] - t["done"])
    for t in [long[0], *[t for t in long if t["child"]][:2]]:
        x, y = place_of(b, t["smx"], t["slot"], (t["dispatched"] + t["done"]) / 2)
        b.mouse("Moved", x, y)
        found = tip(b)
        of = f"child {t['child']} " if t["child"] else f"kernel {t['kernel']}\n"
        right = [f"TB {t['id']} of {of}", f"SMX {t['smx']}, slot {t['slot']},",
                 f"launched in cycle {whole(t['queued'])}", f"waited {whole(t['dispatched'] - t['queued'])} cycles",
                 f"ran {whole(t['done'] - t['dispatched'])} cycles, {whole(t['dispatched'])} to {whole(t['done'])}"]
        if not t["child"]:
            right.append(f"HWQ {by[t['kernel'], 0]['stream']}")
        note(all(r in found for r in right), f"  the pointer tells TB {t['id']} of {of.strip()}", (found, right))
    b.mouse("Moved", 5, 5)
    note(tip(b) == "", "  and beside the plots nothing")


def zoom(b, report):
    cycles, middle = report["cycles"], place_of(b, 0, 0, report["cycles"] / 2)
    note(b.value("frame.range()") == [0, cycles], "  it begins with the whole run")
    b.send("Input.dispatchMouseEvent", type="mouseWheel", x=middle[0], y=middle[1], deltaX=0, deltaY=-400)
    b.wait(f"frame.range()[1] - frame.range()[0] < {cycles * 0.9}")
    b.drawn()
    low, high = b.value("frame.range()")
    note(abs((low + high) / 2 - cycles / 2) < cycles / 50 and
         b.value("document.getElementById('range').textContent") ==
         f"cycles {round(low):,} to {round(high):,}", "  the wheel zooms where the pointer is", (low, high))
    b.mouse("Pressed", *middle, button="left", clickCount=1)
    b.mouse("Moved", middle[0] + 100, middle[1], button="left", buttons=1)
    b.mouse("Released", middle[0] + 100, middle[1], button="left", clickCount=1)
    b.drawn()
    moved = b.value("frame.range()")
    note(moved[0] < low and abs((moved[1] - moved[0]) - (high - low)) < 1, "  dragging moves", moved)
    click(b, "[...document.querySelectorAll('button')].find(e => e.textContent === '+')")
    note(abs(b.value("frame.range()[1] - frame.range()[0]") - (high - low) / 2) < 1, "  + shows half as much")
    click(b, "[...document.querySelectorAll('button')].find(e => e.textContent === 'whole run')")
    note(b.value("frame.range()") == [0, cycles], "  and a button the whole run again")


def click(b, what):
    x, y = b.value(f"(() => {{ const e = {what}; e.scrollIntoView({{block: 'center'}}); "
                   "const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()")
    b.drawn()
    b.click(x, y)
    b.drawn()


def means(b, report):
    """The curve of warps against the occupancy in the report: means over the columns of all pixels."""
    mean = b.value("""(() => { const c = new Columns();
      for (let k = 0; k < tbs.rows; k++) c.add(tbs.dispatched[k], tbs.done[k], tbs.warps[k]);
      return d3.mean(c.means()) / plane.smxs / plane.warps; })()""")
    right = sum(report["occupancy"]) / len(report["occupancy"])
    note(abs(mean - right) < 1e-3, "  the curve of warps has the occupancy of the report", (mean, right))


def choices(b, tbs, launches):
    longest = max(launches, key=lambda w: w["wait"])
    note(b.value("document.querySelector('#launches td:nth-child(6)').textContent") == f"{longest['wait']:,}",
         "  the table of launches has the longest wait first")
    click(b, "document.querySelector('#launches th[data-by=ctas]')")
    note(b.value("document.querySelector('#launches td:last-child').textContent") ==
         f"{max(w['ctas'] for w in launches):,}", "  a click on TBs puts the largest launch first")
    click(b, "document.querySelector('#launches td')")
    chosen = b.value("state.launch")
    low, high = b.value("frame.range()")
    note(launches[chosen]["ctas"] == max(w["ctas"] for w in launches) and
         low <= launches[chosen]["dispatched"] and high >= launches[chosen]["done"],
         "  a click on a launch chooses it, and zooms to it", (chosen, low, high))
    grey = b.value("Array.from(state.colours).filter(c => c === GREY).length")
    note(grey == len(tbs) - launches[chosen]["ctas"], "  and its TBs alone have colours", grey)
    b.send("Input.dispatchKeyEvent", type="keyDown", key="Escape")
    note(b.value("state.launch === undefined && !state.colours.includes(GREY)"), "  Escape shows all")
    click(b, "document.querySelector('.smx')")
    note(b.value("state.smx") == 0 and b.value("document.getElementById('smx').value") == "0",
         "  a click on an SMX shows it alone")
    for way in ("kind", "launch", "wait"):
        b.value(f"(() => {{ const s = document.getElementById('by'); s.value = '{way}'; s.onchange(); }})()")
    b.drawn()
    note(b.value("document.querySelector('#keys .scale') !== null"), "  colours by waiting time have a scale")


def sweep_page():
    html, reported = f"{DIR}/sweep.html", f"{DIR}/sweep.json"
    r = heddle(*SWEEP, "--policy", "rr,tb-pri", "--page", html, "--json", reported, *REST)
    with open(reported) as f:
        result = json.load(f)
    note(r.returncode == 2 and len(result["rows"]) == 12, "sweep --page, with points that are refused", r.stderr)
    text, data = contents(html)
    note(data["rows"] == result["rows"] and data["axes"] == result["axes"], "  has the rows of the sweep")
    note("Redistributions of source code must retain" in text, "  and the licence of its library")
    r = heddle(*SWEEP, "--page", f"{GRAPH}/p.html", *REST)
    note(r.returncode == 2 and len(r.stderr.splitlines()) == 1
         and f"{GRAPH}/p.html: No such file or directory" in r.stderr,
         "  below a file it is refused", r.stderr)
    return html, result["rows"]


def sweep_in_browser(html, rows):
    good = [row for row in rows if row["verdict"] == "PASS"]
    with Browser(html) as b:
        note(not b.errors, "a browser opens it without an error", b.errors)
        note(b.value("document.querySelectorAll('#chart .point').length") == len(good) == 9,
             "  it has a mark for each point that passed")
        x, y = b.value("(() => { const r = document.querySelector('#chart .point').getBoundingClientRect(); "
                       "return [r.left + r.width / 2, r.top + r.height / 2]; })()")
        b.mouse("Moved", x, y)
        found = tip(b).splitlines()
        first = next(row for row in good if f"launch {row['launch']}" in found and f"NumKde {row['NumKde']}" in found
                     and f"policy {row['policy']}" in found)
        note(f"cycles: {first['cycles']:,}" in found and f"wait_max: {first['wait_max']:,}" in found,
             "  the pointer tells its numbers", found)
        least, most = (order(row["cycles"] for row in good) for order in (min, max))
        at = "document.querySelector('#points td:nth-child(6)').textContent"
        for value in (most, least):
            click(b, "document.querySelector('#points th[data-by=cycles]')")
            note(b.value(at) == f"{value:,}", f"  a click on cycles sorts: {value} first", b.value(at))
        b.value("(() => { const s = document.getElementById('number'); s.value = 'cycles'; s.onchange(); })()")
        note("cycles" in b.value("document.getElementById('chart').textContent"), "  another number can be plotted")
        click(b, "document.querySelector('#keys input')")
        left = b.value("document.querySelectorAll('#chart .point').length")
        note(0 < left < len(good), "  and a line be omitted", left)
        note(b.value("document.querySelectorAll('#points .bad').length") == 3, "  points that failed are in the table")
        note(not b.errors, "  and no error came on the way", b.errors)


def main():
    shutil.rmtree(DIR, ignore_errors=True)
    os.makedirs(KEEP)
    heddle("graph", "graph500", "--nodes", "1024", "-o", GRAPH)
    refusals()
    run, sweep = run_page(), sweep_page()
    engines()
    more = others()
    if shutil.which("chromium"):
        in_browser(*run)
        others_in_browser(more)
        sweep_in_browser(*sweep)
    else:
        print("skipped: pages in a browser: there is no chromium (Debian package chromium)")
    print(f"{counts[1]} passed, {counts[0]} failed")
    return counts[0] > 0


if __name__ == "__main__":
    sys.exit(main())
