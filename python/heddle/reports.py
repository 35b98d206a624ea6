# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""run(): runs a workload on the plane with the heddle command, and returns its Report."""
from __future__ import annotations

import csv
import html
import json
import math
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, Union

from .errors import Error, OutOfRange, WrongType
from .files import program
from .frames import frame

VERDICTS = {0: "PASS", 1: "MISMATCH", 2: "CONFIG", 3: "ASSERT", 4: "ORACLE", 5: "STUCK", 6: "LIMIT", 7: "INTERNAL"}
# Columns of a sweep: their keys in a report of heddle run.
COLUMNS = ("cycles", "wait_mean", "wait_max", "occupancy", "kernels", "ctas", "device.ctas", "device.wait_mean")
# Fields of a report that a notebook shows.
SHOWN = ("workload", "program", "input", "config", "engine", "launch", "policy", "kernels", "ctas", "cycles",
         "wait_mean", "wait_max", "answer")
OWN = "json", "kernels", "quiet", "timeline"  # options that are set here
Path = Union[str, "os.PathLike[str]"]


def number_at(report: Any, key: str) -> Any:
    """Returns a number of a report; the key has a dot for each nested object. For a list of numbers, such as occupancy,
    returns the mean. None if there is no such number."""
    for part in key.split("."):
        report = report.get(part) if isinstance(report, dict) else None
    if isinstance(report, list) and report and all(isinstance(n, (int, float)) for n in report):
        return math.fsum(report) / len(report)  # sum() differs among versions of Python
    return report if isinstance(report, (int, float)) and not isinstance(report, bool) else None


def last_words(err: str, command: str) -> str:
    """Returns the error line, without the name of the command."""
    told = [line for line in err.splitlines() if line.strip() and not line.startswith("Try `")]
    last = told[-1] if told else ""
    return last[len(command) + 2:] if last.startswith(command + ": ") else last


def outcome(code: int, out: str, err: str, command: str) -> tuple[int, dict[str, Any], str]:
    """Returns the exit code of an ended run (7 if it is not a known one, or the report is missing), its report, and the
    reason why it did not pass ("" if it did)."""
    try:
        report = json.loads(out) if out else {}
    except ValueError:
        report = {}
    found = code if code in VERDICTS and (code or report) else 7
    return found, report, report.get("reason", last_words(err, command) or f"ended with {code}") if found else ""


class Section(Mapping[str, Any]):
    """A part of a report, with its entries also as attributes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def __getitem__(self, key: str) -> Any:
        found = self.data[key]
        return Section(found) if isinstance(found, dict) else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "data" or name not in self.data:
            raise AttributeError(f"{name}: the report has {', '.join(self.data) if name != 'data' else 'nothing'}")
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.data]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({json.dumps(self.data, indent=1)})"


class Report(Section):
    """The JSON report of a run (docs/run.md), whose entries are attributes (report.cycles,
    report.device.wait_mean), with its lists as frames. report["kernels"] is their number."""

    def __init__(self, data: Mapping[str, Any], verdict: str, reason: str, rows: Sequence[dict[str, Any]] = (),
                 tb_rows: Optional[Sequence[dict[str, Any]]] = None, command: Sequence[str] = ()) -> None:
        super().__init__(data)
        self.verdict, self.reason, self.command = verdict, reason, list(command)
        self._rows, self._tb_rows = rows, tb_rows

    @property
    def passed(self) -> bool:
        """True if the verdict is PASS."""
        return self.verdict == "PASS"

    @property
    def kernels(self) -> Any:
        """One row per launch, by the host or by TBs: when it was queued, how long it waited, when its first TB was
        handed out and its last one done."""
        return frame(self._rows)

    @property
    def tbs(self) -> Any:
        """One row per TB; requires a run with tbs=True."""
        if self._tb_rows is None:
            raise Error("tbs: a run with tbs=True is accepted")
        return frame(self._tb_rows)

    @property
    def smxs(self) -> Any:
        """One row per SMX: its occupancy, the share of its TB slots, resources or warps in use."""
        return frame({"smx": k, "occupancy": share} for k, share in enumerate(self.data.get("occupancy", [])))

    @property
    def streams(self) -> Any:
        """One row per kind of launch and stream: how long launches waited."""
        return frame(self.data.get("streams", []))

    @property
    def longest(self) -> Any:
        """The launches that waited longest."""
        return frame(self.data.get("longest", []))

    def __repr__(self) -> str:
        what = " ".join(self._shown(key) for key in ("workload", "input", "config", "launch", "policy")
                        if key in self.data)
        return f"<heddle.Report {what}: {self.verdict}, {self.data.get('cycles', 0)} cycles>"

    def _shown(self, key: str) -> str:
        return os.path.basename(str(self.data[key])) if key == "input" else str(self.data[key])

    def _repr_html_(self) -> str:
        rows = [("verdict", self.verdict)] + [(key, self._shown(key)) for key in SHOWN if key in self.data]
        return "<table>" + "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>"
                                   for k, v in rows) + "</table>"


def words(option: str, value: Any) -> list[str]:
    """Returns the command words of an option of heddle run, given by its Python name: block_size=64, ideal=True,
    input=("a", "b"); a capitalized name is a parameter: NumKde=64. None and False give no word."""
    if not option.isidentifier() or option.startswith("_") or option in OWN:
        raise OutOfRange(f"{option}: an option of `heddle run --help` with _ in place of -, or a parameter, is "
                         "accepted")
    if value is None or value is False:
        return []
    if isinstance(value, (list, tuple)):
        return [word for one in value for word in words(option, one)]
    if not isinstance(value, (str, int, float, os.PathLike)):
        raise WrongType(f"{option}={value!r}: a number, a text, a path, True or False is accepted")
    if option[0].isupper():
        return ["--set", f"{option}={plain(option, value)}"]
    name = "--" + option.replace("_", "-")
    return [name] if value is True else [f"{name}={plain(option, value)}"]


def plain(option: str, value: Any) -> str:
    """Returns a value as a word of a command."""
    text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    if "\0" in text:
        raise OutOfRange(f"{option}={text!r}: no NUL is accepted")
    return text


def command(workload: Optional[str], graph: Optional[Path], options: Mapping[str, Any]) -> list[str]:
    """Returns the arguments of heddle run."""
    found = [word for option, value in options.items() for word in words(option, value)]
    named = []
    for name, value in ("workload", workload), ("graph", graph):
        if value is None:
            continue
        if not isinstance(value, (str, os.PathLike)):
            raise WrongType(f"{name}={value!r}: a text is accepted")
        named.append(plain(name, value))
    return [*found, "--", *named]


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def _rows(path: str) -> list[dict[str, Any]]:
    if not os.path.exists(path):
        return []
    with open(path, newline="") as f:
        return [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(f)]


def execute(workload: Optional[str], graph: Optional[Path], options: Mapping[str, Any], tables: bool,
            tbs: bool) -> Report:
    """Runs heddle run and returns its Report, whatever the verdict."""
    with tempfile.TemporaryDirectory(prefix="heddle-") as folder:
        listed, timeline = os.path.join(folder, "kernels.csv"), os.path.join(folder, "tbs.csv")
        files = ([f"--kernels={listed}"] if tables else []) + ([f"--timeline={timeline}"] if tbs else [])
        given = command(workload, graph, options)
        done = subprocess.run([program(), "run", "--json", *files, *given], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace")
        code, report, reason = outcome(done.returncode, done.stdout, done.stderr, "heddle run")
        return Report(report, VERDICTS[code], reason, _rows(listed), _rows(timeline) if tbs else None,
                      ["heddle", "run", *given])


def run(workload: Optional[str] = "bfs", graph: Optional[Path] = None, *, config: str = "k20c",
        engine: str = "model", policy: Optional[str] = None, launch: Optional[str] = None,
        set: Optional[Mapping[str, int]] = None, check: bool = True, tbs: bool = False, **options: Any) -> Report:
    """Runs a workload on the plane (docs/run.md) and returns its Report.

    workload: bfs, sssp, sw, .., or None with trace=FILE. graph: a file that replaces the bundled graph. engine:
    model, or both (in a checkout with the objects built). set, or capitalized keywords: parameters of the
    configuration. Any other keyword is an option of `heddle run`, with _ for -: block_size=64, ideal=True, sources=8.

    check: a run that does not pass raises Error with its verdict and reason; with check=False the report has them as
    `verdict` and `reason`. tbs: also record one row per TB."""
    report = execute(workload, graph, {"config": config, "engine": engine, "policy": policy, "launch": launch,
                                       **_parameters(set), **options}, True, tbs)
    if check and not report.passed:
        raise Error(f"{report.verdict}: {report.reason}")
    return report


def _parameters(given: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the parameters of `set`, whose names are capitalized."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise WrongType(f"set={given!r}: a dictionary of parameters is accepted, as {{'NumKde': 64}}")
    for name in given:
        if not isinstance(name, str) or not name[:1].isupper():
            raise OutOfRange(f"set: {name!r}: the name of a parameter is accepted, as 'NumKde'")
    return dict(given)


def channels(name: str = "fib", *, config: str = "apu8", cus: Optional[int] = None,
             set: Optional[Mapping[str, int]] = None, check: bool = True, **options: Any) -> Report:
    """Runs a Cilk program (fib, queens, sort, strassen) on channels, with `heddle channels` (docs/channels.md):
    untimed, or with `cus` CUs around the APU. Keywords as for run(): size=16, width=1024, padded=True."""
    given = command(name, None, {"config": config, "cus": cus, **_parameters(set), **options})
    done = subprocess.run([program(), "channels", "--json", *given], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace")
    code, report, reason = outcome(done.returncode, done.stdout, done.stderr, "heddle channels")
    if check and code:
        raise Error(f"{VERDICTS[code]}: {reason}")
    return Report(report, VERDICTS[code], reason, command=["heddle", "channels", *given])
