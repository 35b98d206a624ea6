# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tables of runs. A table is a campaign with columns: NAME.toml lists its runs, the numbers that it takes from their
reports, and the lines that it prints (docs/campaigns.md#tables). main() makes the runs here, at once; `heddle campaign`
makes a job of each.
  columns.py FILE.toml [OPTION..]    a table without a script"""
import argparse
import gzip
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tomllib

import runs
from hdgen.output import put_text, usable
from hdgen.params import of as parameters
from plot import plottable
from usage import ended

MOST_LAUNCHES = 65536
DEBIAN = "tb/data/debian12.mtx.gz"


class Report(dict):
    """A report with its keys as attributes, for the expressions of a table."""
    __getattr__ = dict.__getitem__


class Nothing:
    """Stands for a part that a report does not have: each of its numbers is None."""

    def __getattr__(self, key):
        return None

    def __bool__(self):
        return False


ABSENT = {"device": Nothing(), "graph_buffer": Nothing()}
FUNCTIONS = {"mean": statistics.fmean, "spread": statistics.pstdev}


def over_seeds(values):
    """Returns mean and standard deviation of a number over the seeds."""
    return {"mean": statistics.fmean(values), "sd": statistics.stdev(values) if len(values) > 1 else 0.0}


REDUCED = {"values": over_seeds, "means": statistics.fmean, "most": max}  # how the numbers of the seeds become one


def plain(value):
    """Returns a number, or the mean of one that has a deviation."""
    return value["mean"] if isinstance(value, dict) and "mean" in value else value


def named(texts):
    """Returns {name: expression} of texts "NAME = EXPRESSION"; a path alone has the name of its last part."""
    return {t.partition(" = ")[0].split(".")[-1]: t.partition(" = ")[2] or t for t in texts}


def evaluated(text, names):
    return eval(text, {**FUNCTIONS, **names})


# ---- lines

class Cell:
    """A value in a line. Formats: 7.3f; 5.1% for percent; 5.1g for the gain of a ratio, in percent; each with +-6 for
    the standard deviation in 6 columns. A dash stands for no value."""

    def __init__(self, value):
        self.value = value

    def __getattr__(self, key):
        return Cell(self.value[key])

    def __format__(self, spec):
        form = re.fullmatch(r"(\d*\.(\d))([f%g])(?:\+-(\d))?", spec)
        value = plain(self.value)
        if not form:
            return format("-" if value is None else value, spec)
        size, digits, kind, deviation = form.groups()
        unit, scale = ("", 1) if kind == "f" else (" %", 100)
        if value is None:
            return "-".rjust(len(f"{0:{size}f}{unit}") + (3 + int(deviation) if deviation else 0))
        text = f"{(value - (kind == 'g')) * scale:{size}f}{unit}"
        return text + (f" +-{self.value['sd'] * scale:<{deviation}.{digits}f}" if deviation else "")


def line(template, row):
    return template.format(**{k: v if isinstance(v, str) else Cell(v) for k, v in row.items()})


def cells(values, names, form, wide=0):
    """Returns the cells of several values, each filled up to `wide` columns, on the right if negative."""
    texts = [format(Cell(values.get(n)), form) for n in names]
    return "".join(text.ljust(-wide) if wide < 0 else text.rstrip().rjust(wide) if wide else text for text in texts)


def averaged(found):
    """Returns mean, largest value and sum of a value over several rows; of nested values, each."""
    if isinstance(found[0], dict) and "mean" not in found[0]:
        return {k: averaged([f[k] for f in found]) for k in found[0]}
    numbers = [plain(v) for v in found]
    if any(n is None or isinstance(n, str) for n in numbers):
        return found[0]
    return {"mean": statistics.fmean(numbers), "most": max(numbers), "sum": sum(numbers), "count": len(numbers)}


def alike(rows, key):
    """Returns lists of the rows with the same key."""
    found = {}
    for r in rows:
        found.setdefault(key(r), []).append(r)
    return list(found.values())


def over(rows, axis):
    """Returns a row for each set of rows whose texts differ in this axis alone, with the means of the numbers."""
    def texts(row):
        return tuple(v for k, v in row.items() if k != axis and isinstance(v, str))
    return [{k: averaged([r[k] for r in of]) for k in of[0]} for of in alike(rows, texts)]


def pivoted(rows, axis, axes):
    """Returns a row for each set of rows that differ in this axis alone, with {value of the axis: number} in place of
    each number."""
    others, found = [n for n in axes if n != axis], []
    for of in alike(rows, lambda r: tuple(r[n] for n in others)):
        row = {k: of[0][k] for k in (*others, "seeds")}
        for name in of[0]:
            if name in ("cycles_compared", "differences"):
                row[name] = sum(r[name] for r in of)
            elif name == "answer_ok":
                row[name] = all(r[name] for r in of)
            elif name not in row and name != axis:
                row[name] = {r[axis]: r[name] for r in of if r[name] is not None}
        found.append(row)
    return found


# ---- runs

def make_graph(heddle, path):
    """Makes an input whose name is KIND-NODES.mtx.gz. The kind debian is the bundled graph cut to its first 8 * NODES
    vertices and the edges among them."""
    if os.path.exists(path):
        return
    kind, nodes = re.fullmatch(r"(.*)-(\d+)\.mtx\.gz", os.path.basename(path)).groups()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if kind != "debian":
        subprocess.run([heddle, "graph", kind, "--nodes", nodes, "-o", path], check=True, stdout=subprocess.DEVNULL)
        return
    with gzip.open(DEBIAN, "rt") as f:
        head, *lines = [text for text in f if text.startswith("%%") or not text.startswith("%")]
    n = 8 * int(nodes)
    edges = [text for text in lines[1:] if max(int(v) for v in text.split()[:2]) <= n]
    with gzip.open(path, "wt") as f:
        f.write(f"{head}{n} {n} {len(edges)}\n{''.join(edges)}")


def read_axis(folder, name, axis):
    """Returns an axis with all its fields: its values, and the words of heddle for one of them. With `like`, it has
    the fields that it omits from the same axis of another file."""
    axis = axis if isinstance(axis, dict) else {"values": axis}
    if "like" in axis:
        with open(os.path.join(folder, axis["like"]), "rb") as f:
            axis = {**tomllib.load(f)["axis"][name], **axis}
    words = axis.get("words", f"--{name} {{}}")
    return {"values": list(words) if isinstance(words, dict) else [], **axis, "words": words}


def chosen(p, name, axis, text):
    """Returns the values of an axis that an option lists."""
    option, values, found = axis["option"][0], axis["values"], text.split(",") if text else []
    if axis.get("one") and len(found) > 1:
        p.error(f"{option} {text}: accepted: one {name}")
    if values and isinstance(values[0], int):
        try:
            return [int(n) for n in found]
        except ValueError:
            p.error(f"{option} {text}: accepted: whole numbers separated by commas")
    for value in found:
        if value not in values and not axis.get("any"):
            p.error(f"{option} {value}: accepted: {', '.join(values)}")
    return [v for v in values if v in (axis["always"], *found)] if "always" in axis else found


def stem(script):
    """Returns the path of a script, or of the file beside it, without its ending."""
    return re.sub(r"\.(py|toml)$", "", script)


class Table:
    def __init__(self, script, words):
        """Reads the table of a script and its options. With an option --WORD and a file SCRIPT_WORD.toml, it is that
        table."""
        path = stem(script)
        path = next((f"{path}_{w[2:]}" for w in words if os.path.exists(f"{path}_{w[2:]}.toml")), path)
        with open(path + ".toml", "rb") as f:
            self.spec = tomllib.load(f)
        self.axes = {n: read_axis(os.path.dirname(script), n, axis) for n, axis in self.spec["axis"].items()}
        self.listed = {n: axis for n, axis in self.axes.items() if "option" in axis}
        p = self.parser(os.path.basename(script))
        cut = words.index("--") if "--" in words else len(words)
        self.a, others = p.parse_known_args(words[:cut])
        self.rest = others + words[cut + 1:]  # for heddle run
        self.check(p)
        self.title = {"config": self.a.config, "n": self.a.seeds, "further": "".join(" " + w for w in self.rest),
                      "of_seeds": "1 seed" if self.a.seeds == 1 else f"means of {self.a.seeds} seeds",
                      "small": ", at small sizes" if vars(self.a).get("small") else "",
                      **{n: getattr(self.a, f"axis_{n}") for n in self.listed}}

    def parser(self, prog):
        p = argparse.ArgumentParser(prog=prog, description=self.spec["about"], allow_abbrev=False,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)

        def add(option, text, **more):
            p.add_argument(option, help=text + ("" if "action" in more else " (default %(default)s)"), **more)
        add("--jobs", "runs at once", type=int, default=os.cpu_count())
        p.set_defaults(config=None, seeds=1, engine="model", plot=None)
        if "command" not in self.spec:
            add("--config", "configuration of the plane", default=self.spec.get("config", "k20c"))
            add("--seeds", "runs of each point, with seeds 1 to N of the jitter", type=int,
                default=self.spec.get("seeds", 5))
        add("--heddle", "the heddle command", default="build/heddle")
        p.add_argument("--json", nargs="?", const="-", metavar="FILE",
                       help="print all numbers as JSON, or write them to FILE in addition to the table")
        p.add_argument("--keep", metavar="DIR",
                       help="keep the report of each run in this folder, and use it instead of repeating the run")
        if "plot" in self.spec or "no_plot" in self.spec:
            p.add_argument("--plot", metavar="FILE", help=self.spec.get("plot", argparse.SUPPRESS))
        if "engine" in self.spec:
            add("--engine", "both: the first seed in lockstep; model: the golden model alone",
                choices=("both", "model"), default=self.spec["engine"])
        for name, axis in self.listed.items():
            default = ",".join(map(str, axis.get("default", axis["values"])))
            add(axis["option"][0], axis["option"][1], dest=f"axis_{name}", default=default, metavar="VALUE,..")
        if "nodes" in self.spec:
            add("--nodes", "vertices of generated graphs, a power of two", type=int, default=self.spec["nodes"])
            add("--graphs", "folder of generated graphs", default="build/papers", metavar="DIR")
        for name, text in self.spec.get("flags", {}).items():
            add(f"--{name}", text, action="store_true")
        return p

    def check(self, p):
        for path in (self.a.json, self.a.plot):
            if path and path != "-":
                usable(path)
        if self.a.seeds < 1:
            p.error(f"--seeds {self.a.seeds}: accepted: 1 or more")
        if self.a.plot and not ("plot" in self.spec and plottable(self.a.plot)):
            p.error(f"--plot {self.a.plot}: accepted: {self.spec.get('no_plot', '')}a file that ends in .svg or .png")
        for name, axis in self.listed.items():
            axis["values"] = chosen(p, name, axis, getattr(self.a, f"axis_{name}"))

    def points(self):
        """Returns the points of the rows, each {axis: value}. They are the product of all axes; or with `run`, for each
        value of the axes that it does not mention, the products that it lists."""
        entries = self.spec.get("run", [{}])
        first = [n for n in self.axes if "run" in self.spec and not any(n in e for e in entries)]
        others = [n for n in self.axes if n not in first]
        return [dict(zip((*first, *others), (*outer, *inner)))
                for outer in itertools.product(*(self.axes[n]["values"] for n in first))
                for entry in entries for inner in itertools.product(*(self.selected(n, entry) for n in others))]

    def selected(self, name, entry):
        """Returns the values of an axis in an entry of `run`; one that it omits has its first value, or None if it is
        an option."""
        values, is_option = self.axes[name]["values"], name in self.listed
        if "run" not in self.spec or entry.get(name) == "all":
            return values
        if name not in entry:
            return [None if is_option else values[0]]
        return [v for v in entry[name] if not is_option or v in values]

    def words(self, point):
        """Returns the arguments of a point for heddle, without its seed. Words in brackets apply only to launches from
        TBs."""
        texts = [self.spec.get("words", "")]
        for name, value in point.items():
            words = self.axes[name]["words"]
            if isinstance(words, dict):
                texts.append(words[value])
            elif value not in (None, False):
                texts.append(words.replace("{}", str(value)))
        more = self.spec.get("small" if vars(self.a).get("small") else "more", {})
        text = " ".join([*texts, *(more[v] for v in point.values() if v in more)])
        text = re.sub(r"\[(.*?)\]", r"\1" if re.search(r"--launch (cdp|dtbl)\b", text) else "", text)
        return [self.filled(word) for word in text.split()]

    def filled(self, word):
        """Returns a word with the path of a generated graph in place of {KIND}, and in place of {most} the largest
        number of launches that a run may have, since a list of groups may have fewer places."""
        kind = re.fullmatch(r"\{(.*)\}", word)
        if not kind:
            return word
        if kind[1] == "most":
            p = parameters(self.a.config)
            return str(min(MOST_LAUNCHES, 2 ** p["ListPosW"] - p["AgtSize"]))
        return os.path.join(self.a.graphs, f"{kind[1]}-{self.a.nodes}.mtx.gz")

    def commands(self):
        """Returns the arguments of heddle for each seed of each point. Seeds after the first run on the golden model
        alone, which lockstep has shown to agree with the RTL."""
        if "command" in self.spec:
            return [[[self.spec["command"], *self.words(p), "--json", *self.rest]] for p in self.all_points()]
        return [[["run", "--config", self.a.config, "--json", "--engine", self.a.engine,
                  *runs.effective([*self.words(p), *self.rest]), "--seed", str(seed),
                  *(["--engine", "model"] if seed > 1 else [])] for seed in range(1, self.a.seeds + 1)]
                for p in self.all_points()]

    def inputs(self):
        """Returns the generated graphs of the runs."""
        folder = vars(self.a).get("graphs")
        return sorted({w for p in self.all_points() for w in self.words(p) if os.path.dirname(w) == folder})

    # ---- numbers

    def base(self, point, rule):
        """Returns the point to which a rule compares a point. A text behind = is an expression over its values."""
        return {**point, **{n: evaluated(v[1:], point) if isinstance(v, str) and v[:1] == "=" else v
                            for n, v in rule.items()}}

    def all_points(self):
        """Returns the points of the rows, then those to which these are compared without being rows themselves."""
        found = self.points()
        for point in found:
            for name in self.spec.get("needed", []):
                base = self.base(point, self.spec["base"][name])
                found += [base] if base not in found else []
        return found

    def bases(self, point, points, values):
        """Returns {name of a rule: the value of the point to which it compares}, None if that is no point."""
        at = {name: self.base(point, rule) for name, rule in self.spec.get("base", {}).items()}
        return {name: values[points.index(b)] if b in points else None for name, b in at.items()}

    def row(self, point, points, reports):
        of, bases = reports[points.index(point)], self.bases(point, points, reports)
        row = {**point, "seeds": len(of)}
        for section, reduce in REDUCED.items():
            for name, text in named(self.spec.get(section, [])).items():
                lacks = any(b is None and re.search(rf"\b{n}\b", text) for n, b in bases.items())
                each = [None if lacks else evaluated(text, {**ABSENT, **r, **point, **bases, "seed": k})
                        for k, r in enumerate(of)]
                row[name] = None if None in each else reduce(each)
        row |= {k: sum(r[k] for r in of) for k in ("cycles_compared", "differences") if k in of[0]}
        return {**row, "answer_ok": all(r.get("answer_ok", True) for r in of)}

    def rows(self, reports, pivot=True):
        """Returns the rows; reports: for all points in their order, those of their seeds."""
        points = self.all_points()
        found = [self.row(p, points, reports) for p in points]
        for name, text in named(self.spec.get("ratios", [])).items():
            numbers = [Report({k: plain(v) for k, v in r.items()}) for r in found]
            for k, p in enumerate(points):
                try:
                    found[k][name] = evaluated(text, {**numbers[k], **self.bases(p, points, numbers)})
                except (AttributeError, TypeError, ZeroDivisionError):  # without a base, or it has no such number
                    found[k][name] = None
        found = found[:len(self.points())]
        for row in found:
            row |= {name: evaluated(text, row) for name, text in named(self.spec.get("labels", [])).items()}
        return pivoted(found, self.spec["pivot"], self.axes) if pivot and "pivot" in self.spec else found

    def show(self, rows):
        """Prints the lines that the file lists: for each value of the axis `tables` its head and its rows."""
        spec, axis, paper = self.spec, self.spec.get("tables"), self.spec.get("paper", {})
        if "title" in spec:
            print(line(spec["title"], self.title))
        for value in dict.fromkeys(r[axis] for r in rows) if axis else [None]:
            of = [r for r in rows if not axis or r[axis] == value]
            print(line(spec["head"], {**self.title, axis or "": value, "paper": paper.get(value),
                                      "searches": f"{value} searches at once" if value != 1 else "one search"}))
            for row in over(of, spec["over"]) if "over" in spec else of:
                print(line(spec["row"], row))
        if "mean" in spec:
            print(spec["mean"]["head"])
            for row in over(rows, spec["mean"]["over"]):
                print(line(spec["mean"]["row"], {**row, "paper": paper.get(row[spec["mean"]["paper"]], "-")}))

    def show_answers(self, rows):
        """Prints the last lines: whether all answers are right."""
        if "note" in self.spec:
            print(self.spec["note"])
        if "right" in self.spec:
            wrong = sum(not r["answer_ok"] for r in rows)
            what = self.spec.get("what", "rows")
            print("answers: " + (f"WRONG in {wrong} {what}" if wrong else self.spec["right"]))


def as_report(found):
    """Returns a JSON value with Reports for its objects."""
    return json.loads(json.dumps(found), object_hook=Report)


def main(script, show=Table.show, plot=None):
    """Makes the table of a script. show(table, rows) prints it, plot(path, rows) draws it. A run that fails ends it
    with its text and exit code."""
    sys.exit(ended(lambda: make(Table(script, sys.argv[1:]), show, plot), os.path.basename(script)))


def make(t, show, plot):
    for path in t.inputs():
        make_graph(t.a.heddle, path)
    commands = t.commands()
    found = {words: runs.Run(words, t.a.keep, t.a.heddle) for of in commands for words in map(tuple, of)}
    runs.run_all(found.values(), max(1, t.a.jobs), all_of_them=False)
    for r in found.values():
        if r.code:
            sys.stderr.write(r.text)
            return r.code
    if runs.stop.is_set():
        print("interrupted" + (f"; the same command continues from there (reports are in {t.a.keep})" if t.a.keep else
                               "; with --keep it would continue"), file=sys.stderr)
        return 6
    rows = t.rows([[as_report(found[tuple(words)].report) for words in of] for of in commands])
    result = {"version": 1, "config": t.a.config, "options": t.rest, "rows": rows}
    if t.a.json == "-":
        print(json.dumps(result, indent=1))
        return 0
    show(t, rows)
    t.show_answers(rows)
    if t.a.json:
        put_text(t.a.json, json.dumps(result, indent=1) + "\n")
    if t.a.plot:
        plot(t.a.plot, rows)
    return 0


if __name__ == "__main__":
    main(sys.argv.pop(1) if sys.argv[1:] else sys.exit(__doc__))
