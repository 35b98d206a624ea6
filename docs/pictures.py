#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Draws the pictures of waveforms, of a timeline, of a sweep and of pages for the documentation. Each PNG file contains
a digest of its source: of the visible part of the view, of the view and steps of an example, of the timeline, or of the
template and data of the page. So a picture whose block has changed its ports or registers, or whose run has changed, is
detected without drawing it again. The plot of the sweep is drawn and compared. Each picture in docs/img is shown by a
page, and drawn by this program, by plane.py, by verif/python/test_wheel.py --write (python-*.png), or by a command with
--plot that a page names.

  pictures.py [NAME]..          draws them; needs the tools of `heddle wave --picture` and docs/viewer.py; pages need
                                Chromium
  pictures.py --check           lists stale pictures, and fails if there is one
Run from the top of the checkout, after make."""
import base64
import filecmp
import glob
import hashlib
import html
import json
import os
import re
import struct
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True
sys.path[:0] = ["rtl", "docs"]
import plane  # noqa: E402
from browser import Browser  # noqa: E402
from hdgen.views import gen_gtkw  # noqa: E402

WAVE = "build/wave/plane.fst"
RUN = f"run bfs --config tiny --block-size 32 --sources 20 --engine rtl --quiet --wave {WAVE} --wave-cycles 200"
FAILS = "equiv kd --config tiny --fault 10 --out build/wave"
# Block, configuration, and the commands that draw the picture; one that fails on purpose ends with 1.
PICTURES = {
    "wave-fcfs": ("fcfs", "tiny", ["wave fcfs --config tiny --cycles 60 --to 40 --picture {}"]),
    "wave-tbcr": ("tbcr", "tiny", ["wave tbcr --config tiny --cycles 60 --to 40 --picture {}"]),
    "wave-mismatch": ("kd", "tiny", [FAILS, "wave build/wave/kd-tiny-random-1.replay.fst --picture {}"]),
    "wave-plane": ("top", "tiny", [RUN, f"wave {WAVE} --from 2 --to 34 --picture " + "{}"]),
}
# Runs of heddle example, each with its own view, docs/img/NAME.gtkw.
EXAMPLES = {"wave-wireframe": "wireframe", "wave-channels": "channels"}
TIMELINE = "timeline"  # drawn by docs/viewer.py
GRAPH, TRACE = "build/wave/graph.mtx", "build/wave/timeline.json"
TIMES = ["--from", "0", "--to", "2200"]
TIMED = [f"graph graph500 --nodes 512 --degree 4 -o {GRAPH}",
         f"run bfs {GRAPH} --config tiny --block-size 32 --sources 4 --engine model --launch dtbl --ideal "
         f"--threshold 20 --timeline {TRACE}"]
SWEEP = "sweep"  # the plot of docs/sweep.md
SWEPT = ["graph graph500 --nodes 8192 -o build/wave/g.mtx",
         "sweep bfs build/wave/g.mtx --set NumKde=16,32,64,128 --launch cdp,dtbl --keep build/wave/runs --plot {} -- "
         "--sources 64"]
PAGE = "build/wave/{}.html"
SMALL = "build/wave/page.mtx"
MADE = f"graph graph500 --nodes 8192 -o {SMALL}"
# For each page: the commands that make it, the files of its template, and the number of pixel lines shown.
PAGES = {
    "page": ([MADE, f"run bfs {SMALL} --engine model --launch dtbl --sources 8 --quiet --page " + PAGE.format("page")],
             ["page.css", "page.js", "run.html", "run.js", "run_data.js", "run_plots.js"], 1384),
    "page-sweep": ([MADE, f"sweep bfs {SMALL} --set NumKde=16,32,64,128 --launch cdp,dtbl --keep build/wave/runs "
                    "--page " + PAGE.format("page-sweep") + " -- --sources 8"],
                   ["page.css", "page.js", "sweep.html", "sweep.js"], 900),
}
# The first screens of the README and of the help, as a browser and a terminal show them: (height in pixels, lines).
SCREENS = {"screen-readme": (1160, 60), "screen-help": (510, 48)}
SCREEN = """<!doctype html><meta charset="utf-8"><style>
body {{ font: 15px/1.45 sans-serif; max-width: 1180px; margin: 24px auto; padding: 0 24px; color: #1f2328 }}
h1, h2 {{ border-bottom: 1px solid #d1d9e0; padding-bottom: 6px }}
img {{ max-width: 760px; display: block; margin: auto }}
table {{ border-collapse: collapse; font-size: 13px }} td, th {{ border: 1px solid #d1d9e0; padding: 3px 8px }}
pre {{ background: #1c1c1c; color: #e4e4e4; padding: 16px 20px; font: 15px/1.3 monospace }} a {{ color: #0969da }}
</style><body data-ready="1">{}</body>
"""
VENV = "build/venv/pictures"  # has the module that turns the README into HTML
SHOWN = 120  # maximum number of lines of a view in a picture, three per signal
KEY = b"Heddle-view\0"
HEAD = 8 + 25  # of a PNG file: its signature and its first chunk


def path_of(name):
    return f"docs/img/{name}.{'svg' if name == SWEEP else 'png'}"


def view_of(name):
    return f"docs/img/{name}.gtkw"


def heddle(command):
    os.makedirs("build/wave", exist_ok=True)
    done = subprocess.run(["build/heddle", *command.split()], capture_output=True)
    if done.returncode > 1:
        sys.exit(f"pictures.py: heddle {command}: exit code {done.returncode}")
    return done.stdout


def visible(line):
    """Returns the visible text of a line: the label, or the name without its hierarchy."""
    label = re.match(r"[+#]\{([^}]*)\}", line)
    return label.group(1) if label else line.rpartition(".")[2]


def unpacked(data):
    """Returns the data of a page without the parts that differ in every build; columns as bytes, decompressed."""
    if isinstance(data, dict):
        return {k: zlib.decompress(base64.b64decode(v)).hex() if k == "column" else
                {n: zlib.decompress(base64.b64decode(c)).hex() for n, c in v.items()} if k == "columns" else unpacked(v)
                for k, v in data.items() if k not in ("commit", "heddle", "seconds")}
    return [unpacked(v) for v in data] if isinstance(data, list) else data


def page_digest(name):
    commands, template, _ = PAGES[name]
    for command in commands:
        heddle(command)
    with open(PAGE.format(name)) as f:
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', f.read(), re.S)[1]
    of = hashlib.sha256(json.dumps(unpacked(json.loads(data))).encode())
    for file in template:
        with open(f"tb/page/{file}", "rb") as f:
            of.update(f.read())
    return of.hexdigest()[:16].encode()


def screen_text(name):
    """The text that a first screen shows."""
    if name == "screen-help":
        text = "$ heddle --help\n" + heddle("--help").decode()
    else:
        with open("README.md", encoding="utf-8") as f:
            text = f.read()
    return "\n".join(text.split("\n")[:SCREENS[name][1]])


def screen(name):
    """Draws a first screen."""
    text, path = screen_text(name), os.path.abspath(PAGE.format(name))
    if name == "screen-help":
        body = f"<pre>{html.escape(text)}</pre>"
    else:
        subprocess.run(["tb/install/venv.sh", VENV, "docs/pictures.txt"], check=True)
        made = subprocess.run([f"{VENV}/bin/python", "-m", "markdown", "-x", "tables"], input=text, check=True,
                              capture_output=True, text=True).stdout
        body = made.replace('src="docs/', f'src="{os.path.abspath("docs")}/')
    with open(path, "w", encoding="utf-8") as f:
        f.write(SCREEN.format(body))
    with Browser(path) as b:
        b.picture(path_of(name), SCREENS[name][0])


def digest(name):
    if name in SCREENS:
        return hashlib.sha256(screen_text(name).encode()).hexdigest()[:16].encode()
    if name in PAGES:
        return page_digest(name)
    if name == TIMELINE:
        for command in TIMED:
            heddle(command)
        with open(TRACE, "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()[:16].encode()
    if name in EXAMPLES:
        with open(view_of(name), "rb") as f:
            view = f.read()
        steps = json.loads(heddle(f"example {EXAMPLES[name]} --engine model --json"))["steps"]
        return hashlib.sha256(view + json.dumps(steps).encode()).hexdigest()[:16].encode()
    block, config, _ = PICTURES[name]
    lines = [line for line in gen_gtkw(config, [], block).splitlines() if line[:1] not in ("?", "!")][:SHOWN]
    lines = [visible(line) for line in lines]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16].encode()


def marked(png, text):
    """Returns the picture with the text in a separate chunk."""
    body = b"tEXt" + KEY + text
    return png[:HEAD] + struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body)) + png[HEAD:]


def swept(path):
    for command in SWEPT:
        heddle(command.format(path))


def gnuplot_of(svg):
    with open(svg, encoding="utf-8") as f:
        return re.search(r"GNUPLOT [\w.]+", f.read())[0]


def is_stale(name):
    if name == SWEEP:
        swept("build/wave/sweep.svg")
        here, there = (gnuplot_of(path) for path in ("build/wave/sweep.svg", path_of(name)))
        if here != there:
            print(f"{path_of(name)} is not compared: {here} draws differently than {there}")
            return False
        return not filecmp.cmp("build/wave/sweep.svg", path_of(name), shallow=False)
    with open(path_of(name), "rb") as f:
        return KEY + digest(name) not in f.read()


def without(every):
    """Returns messages about pictures that no page shows, or that no program draws."""
    pages = ""
    for path in ("README.md", *glob.glob("docs/**/*.md", recursive=True), *glob.glob("results/*.txt")):
        with open(path, encoding="utf-8") as f:
            pages += f.read()
    drawn = {path_of(name) for name in every} | {view_of(name) for name in EXAMPLES} | {plane.DRAWING}
    with open("verif/python/test_wheel.py", encoding="utf-8") as f:
        drawn |= {f"docs/img/{name}" for name in re.findall(r'"(python-\w+\.png)"', f.read())}
    drawn |= set(re.findall(r"--plot\s+(docs/img/[\w-]+\.svg)", pages))
    there = {f"docs/img/{name}" for name in os.listdir("docs/img")}
    return sorted([f"{path}: no page shows it" for path in there if f"img/{os.path.basename(path)}" not in
                   re.sub(r"--plot\s+docs/img/", "", pages)]
                  + [f"{path}: nothing draws it" for path in there - drawn])


def draw(name):
    if name == SWEEP:
        swept(path_of(name))
        print(f"drawn {path_of(name)}")
        return
    mark = digest(name)
    if name == TIMELINE:
        subprocess.run(["docs/viewer.py", TRACE, "--picture", path_of(name), *TIMES], check=True)
    elif name in SCREENS:
        screen(name)
    elif name in PAGES:
        with Browser(PAGE.format(name)) as b:
            b.drawn()
            b.picture(path_of(name), PAGES[name][2])
    elif name in EXAMPLES:
        fst = f"build/wave/{EXAMPLES[name]}.fst"
        heddle(f"example {EXAMPLES[name]} --wave={fst}")
        subprocess.run(["sh", "tb/cmd/wave_picture.sh", fst, view_of(name), path_of(name)], check=True)
    else:
        for command in PICTURES[name][2]:
            heddle(command.format(path_of(name)))
    with open(path_of(name), "rb") as f:
        png = f.read()
    with open(path_of(name), "wb") as f:
        f.write(marked(png, mark))
    print(f"drawn {path_of(name)}")


def main():
    every = [*PICTURES, *EXAMPLES, *PAGES, *SCREENS, TIMELINE, SWEEP]
    if sys.argv[1:] == ["--check"]:
        stale = [name for name in every if is_stale(name)]
        for name in stale:
            print(f"{path_of(name)} is stale; docs/pictures.py {name} draws it")
        lost = without(every)
        print("".join(f"{line}\n" for line in lost), end="")
        failed = len(stale) + bool(lost)
        print(f"{len(every) + 1 - failed} passed, {failed} failed")
        return failed > 0
    unknown = [name for name in sys.argv[1:] if name not in every]
    if unknown:
        sys.exit(f"pictures.py: no picture '{unknown[0]}'; there are: {' '.join(every)}")
    for name in sys.argv[1:] or every:
        draw(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
