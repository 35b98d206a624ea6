# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Expands a campaign file into independent jobs, each with a stable name and one command."""
import contextlib
import hashlib
import io
import itertools
import json
import os
import re
import sys
import tomllib

from hdgen.params import of as parameters
from hdgen.tables import BLOCKS, POLICIES, table

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../experiments"), os.path.join(HERE, "../../verif")]
import columns  # noqa: E402
from mutants import config_of  # noqa: E402

BUNDLED = os.path.join(HERE, "bundled")
PROFILES = ["turns", "free", "idle_source", "stall_sink", "random", "bad", "full", "overflow", "failing", "regions",
            "parents", "large"]
ABOUT, TIMEOUT = "about", "timeout"
HOUR = 3600


class Wrong(Exception):
    """An error in the file; the text is one line."""


def bundled():
    """Returns the names of the campaigns in tb/campaign/bundled."""
    return sorted(n.removesuffix(".toml") for n in os.listdir(BUNDLED) if n.endswith(".toml"))


def whole(least=0):
    def check(v):
        if not isinstance(v, int) or isinstance(v, bool) or not least <= v < 1 << 63:
            raise Wrong(f"{json.dumps(v)}: accepted: a whole number from {least} to 2^63 - 1")
        return v
    return check


def text(v):
    if not isinstance(v, str) or not v:
        raise Wrong(f"{json.dumps(v)}: accepted: a text")
    return v


def flag(v):
    if not isinstance(v, bool):
        raise Wrong(f"{json.dumps(v)}: accepted: true or false")
    return v


def texts(v):
    if not isinstance(v, list) or not v or not all(isinstance(t, str) for t in v):
        raise Wrong(f"{json.dumps(v)}: accepted: a list of texts")
    return v


def one_of(names):
    def check(v):
        for name in texts(v):
            if name not in names:
                raise Wrong(f'"{name}": accepted: {" ".join(names)}')
        return v
    return check


def choice(*names):
    return lambda v: one_of(names)([v])[0]


def config(v):
    return configs([text(v)])[0]


def blocks(v):
    """Expands a list of blocks: "all" adds all blocks, "-top" removes top from the blocks before it."""
    out = []
    for name in texts(v):
        stem = name.removeprefix("-")
        if name != "all" and stem not in BLOCKS:
            raise Wrong(f'"{name}": accepted: all, -BLOCK, or one of {" ".join(BLOCKS)}')
        out = BLOCKS[:] if name == "all" else [b for b in out if b != stem] + ([] if name[0] == "-" else [name])
    return out


def configs(v):
    for name in texts(v):
        base, *sets = name.split("+")
        try:
            parameters(base, sets)
        except SystemExit as e:
            raise Wrong(f'"{name}": {str(e).removeprefix("hdgen: ")}') from None
    return v


def fault(v):
    """Checks the id of a planted fault; `heddle equiv` checks that the block has it."""
    if str(v) not in {r["id"] for r in table("../verif/faults.csv")}:
        raise Wrong(f"{json.dumps(v)}: accepted: an id of verif/faults.csv")
    return v


SEEDS = 10000  # limit; each makes a job for every block and configuration


def seeds(v):
    """Expands [3, 7] or "1..20"."""
    span = re.fullmatch(r"(\d+)\.\.(\d+)", v) if isinstance(v, str) else None
    if span and int(span[2]) - int(span[1]) >= SEEDS:
        raise Wrong(f"{json.dumps(v)}: accepted: up to {SEEDS} seeds")
    if span and int(span[1]) <= int(span[2]):
        return list(range(int(span[1]), int(span[2]) + 1))
    if isinstance(v, list) and v and all(isinstance(s, int) and not isinstance(s, bool) and s >= 0 for s in v):
        return v
    raise Wrong(f'{json.dumps(v)}: accepted: [1, 2] or "1..20"')


# The fields of each kind of entry: (function that checks a value, default); default None: the field is required.
FIELDS = {
    "equiv": {"blocks": (blocks, None), "configs": (configs, None), "profiles": (one_of(PROFILES), ["turns"]),
              "seeds": (seeds, [1]), "cycles": (whole(1), None), "fault": (fault, 0),
              "variant": (choice("rtl", "netlist", "mapped", "fast"), "rtl"), "hit": (texts, [])},
    "mutants": {"blocks": (blocks, [b for b in BLOCKS if b != "top"]),
                "of": (one_of(["netlist", "model"]), ["netlist"]), "count": (whole(1), 402)},
    "faults": {"blocks": (blocks, BLOCKS), "config": (config, "tiny"), "cycles": (whole(1000), 1000000)},
    "run": {"workloads": (texts, None), "configs": (configs, None), "launches": (texts, ["flat"]),
            "policies": (one_of(POLICIES), ["rr"]), "seeds": (seeds, [1]), "options": (text, ""),
            "engine": (choice("both", "model", "rtl"), "both"), "tag": (text, "")},
    "table": {"name": (text, None), "script": (text, None), "options": (text, ""), "objects": (texts, [])},
    "command": {"name": (text, None), "run": (text, None), "json": (flag, False), "objects": (texts, [])},
}

ENTRIES = " ".join(f"[[{kind}]]" for kind in FIELDS)


def line_of(source, kind, index, field=None):
    """Returns the line number of an entry, or of one of its fields, in the file."""
    at = seen = 0
    for n, line in enumerate(source.splitlines(), 1):
        if line.strip().startswith("["):
            if at:
                return at
            if line.strip().startswith(f"[[{kind}]]"):
                seen += 1
                at = n if seen == index + 1 else at
        elif field and re.match(rf"\s*{re.escape(field)}\s*=", line) and (seen == index + 1 or kind is None):
            return n
    return at or 1


def entry(path, source, kind, index, given):
    """Returns an entry with all fields, checked, with defaults for the missing ones."""
    known = {**FIELDS[kind], TIMEOUT: (whole(1), 0)}

    def refuse(field, why):
        raise Wrong(f"{path}:{line_of(source, kind, index, field)}: {kind}: {why}")
    for field in given:
        if field not in known:
            refuse(field, f"no field '{field}'; accepted: {' '.join(known)}")
    out = {}
    for field, (check, default) in known.items():
        if field not in given and default is None:
            refuse(None, f"field '{field}' is missing")
        try:
            out[field] = check(given[field]) if field in given else default
        except Wrong as e:
            refuse(field, f"{field}: {e}")
    return out


def equiv(e):
    variant = "fault" if e["fault"] else e["variant"]
    for block, config, profile, seed in itertools.product(e["blocks"], e["configs"], e["profiles"], e["seeds"]):
        name = [block, config, profile, f"s{seed}", *([variant] if variant != "rtl" else []),
                *([str(e["fault"])] if e["fault"] else [])]
        words = ["equiv", block, "--config", config, "--seed", str(seed), "--cycles", str(e["cycles"]),
                 *(["--profile", profile] if profile != "turns" else []),
                 *(["--fault", str(e["fault"])] if e["fault"] else []),
                 *(["--variant", variant] if variant not in ("rtl", "fault") else []), "--covers", "--json"]
        yield {"name": "-".join(name), "block": block, "config": config, "profile": profile, "seed": seed,
               "cycles": e["cycles"], "variant": variant, "hit": e["hit"], "command": ["build/heddle", *words],
               "keeps": True, "json": True, "objects": [f"{config}/{block}/{variant}"]}


def faults(e):
    sets = {}
    for row in table("../verif/faults.csv"):
        for block in row["block"].split():
            sets.setdefault(block, {""}).add(row["set"] if "=" in row["set"] else "")
    for block in e["blocks"]:
        if block in sets:
            yield {"name": f"faults-{block}-{e['config']}", "block": block, "config": e["config"],
                   "command": ["build/heddle", "faults", block, "--config", e["config"], "--cycles", str(e["cycles"]),
                               "--json"], "file": True, "json": True,
                   "objects": [f"{e['config']}{'+' * bool(s)}{s}/{block}/fault" for s in sorted(sets[block])]}


def mutants(e):
    scripts = {"netlist": (["verif/mutants.py", "--jobs", "1"], ("mutants", "mutant", "miter")),
               "model": (["verif/mutants_model.py"], ("rtl",))}
    for of in e["of"]:
        script, variants = scripts[of]
        for block in e["blocks"]:
            config = config_of(block)
            yield {"name": f"mutants-{of}-{block}", "block": block, "config": config,
                   "command": ["python3", *script, block, "--count", str(e["count"]), "--json"],
                   "json": True, "objects": [f"{config}/{block}/{v}" for v in variants]}


def run(e):
    axes = (e["workloads"], e["configs"], e["launches"], e["policies"], e["seeds"])
    for workload, config, launch, policy, seed in itertools.product(*axes):
        words = ["run", workload, "--config", config, "--launch", launch, "--policy", policy,
                 "--seed", str(seed), "--engine", e["engine"], *e["options"].split(), "--json"]
        name = [workload, config, launch, policy, f"s{seed}", *([e["tag"]] if e["tag"] else [])]
        yield {"name": "-".join(name), "workload": workload, "config": config, "launch": launch, "policy": policy,
               "seed": seed, "command": ["build/heddle", *words], "json": True,
               "objects": [f"{config}/top/rtl"] if e["engine"] != "model" else []}


def described(e):
    """Returns the table that is described beside a script, or None."""
    if not os.path.exists(columns.stem(e["script"]) + ".toml"):
        return None
    with contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            return columns.Table(e["script"], e["options"].split())
        except SystemExit:
            raise Wrong(f"options: {err.getvalue().splitlines()[-1]}") from None


def script(e):
    """The runs of a table; or one job, if its script has no description. With --keep, a job keeps its report for `make
    table-..`."""
    table = described(e)
    if not table:
        yield {"name": e["name"], "command": ["python3", e["script"], "--json", *e["options"].split()], "json": True,
               "objects": e["objects"]}
        return
    keep = ["python3", "tb/experiments/runs.py", table.a.keep] if table.a.keep else []
    for k, words in enumerate(words for of in table.commands() for words in of):
        yield {"name": f"{e['name']}-{k + 1:04}", "command": [*keep, "build/heddle", *words], "json": True,
               "objects": e["objects"]}


def command(e):
    yield {"name": e["name"], "command": ["sh", "-c", e["run"]], "json": e["json"],
           "objects": e["objects"]}


JOBS = {"equiv": equiv, "mutants": mutants, "faults": faults, "run": run, "table": script, "command": command}


def read(name):
    """Returns the plan of a file or of a bundled campaign: its name, its description, its jobs."""
    path = os.path.join(BUNDLED, name + ".toml") if name in bundled() else name
    try:
        with open(path, "rb") as f:
            source = f.read().decode()
        given = tomllib.loads(source)
    except OSError as e:
        raise Wrong(f"{path}: {e.strerror}; bundled are: {' '.join(bundled())}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise Wrong(f"{path}: {e}") from None
    stem = os.path.basename(path).removesuffix(".toml")
    if "axis" in given:  # a table
        given = {ABOUT: given[ABOUT].strip(), "table": [{"name": stem, "script": path}]}
    if not re.fullmatch(r"[\w.-]+", stem):
        raise Wrong(f"{path}: '{stem}' is not a name of a folder; accepted: letters, digits, _ . -")
    for key in given:
        if key not in (ABOUT, TIMEOUT, *FIELDS):
            at = line_of(source, key, 0) if isinstance(given[key], list) else line_of(source, None, 0, key)
            raise Wrong(f"{path}:{at}: no entry '{key}'; accepted: {ABOUT} {TIMEOUT} {ENTRIES}")
    try:
        limit = whole(1)(given.get(TIMEOUT, HOUR))
        about = text(given.get(ABOUT, stem))
    except Wrong as e:
        raise Wrong(f"{path}: {ABOUT}, {TIMEOUT}: {e}") from None
    jobs, found = {}, []
    for kind, of_entry in JOBS.items():
        rows = given.get(kind, [])
        if not isinstance(rows, list) or not all(isinstance(r, dict) for r in rows):
            raise Wrong(f"{path}:{line_of(source, None, 0, kind)}: '{kind}' is not [[{kind}]]")
        for k, row in enumerate(rows):
            e = entry(path, source, kind, k, row)
            where = f"{path}:{line_of(source, kind, k)}: {kind}"
            try:
                of = list(of_entry(e))
            except Wrong as e:
                raise Wrong(f"{where}: {e}") from None
            for job in of:
                add(jobs, {"kind": kind, "timeout": e[TIMEOUT] or limit, **job}, where)
            if kind == "table" and described(e):
                found.append({**e, "jobs": [job["name"] for job in of], "inputs": described(e).inputs()})
    if not jobs:
        raise Wrong(f"{path}: nothing to run; accepted: {ENTRIES}")
    return {"version": 1, "campaign": stem, "about": about, "jobs": list(jobs.values()), "tables": found}


def rows(table, results):
    """Returns the rows of a table of the plan from {job: report}, and its configuration; no rows if one is missing."""
    t, of = described(table), iter(table["jobs"])
    if not all(isinstance(results.get(name), dict) for name in table["jobs"]):
        return [], t.a.config
    reports = [[columns.as_report(results[next(of)]) for _ in words] for words in t.commands()]
    return t.rows(reports, pivot=False), t.a.config


def add(jobs, job, where):
    name = job["name"]
    if not re.fullmatch(r"[\w.+=-]+", name):
        raise Wrong(f"{where}: '{name}' is not a name of a job; accepted: letters, digits, _ . + = -")
    if name in jobs:
        raise Wrong(f"{where}: a second job '{name}'; another seed, profile or name would be accepted")
    jobs[name] = job


def cycles(plan):
    return sum(j.get("cycles", 0) for j in plan["jobs"])


def cut(plan, total):
    """Returns the plan shortened to about `total` cycles: only the first seed of each block, configuration and profile,
    with all cycles scaled down alike."""
    first = {}
    for j in plan["jobs"]:
        first.setdefault((j["kind"], j.get("block"), j.get("config"), j.get("profile"), j.get("variant"),
                          *([] if "cycles" in j else [j["name"]])), j)
    jobs = list(first.values())
    part = min(1, total / max(1, sum(j.get("cycles", 0) for j in jobs)))
    for j in jobs:
        if "cycles" in j:
            words = j["command"]
            j["cycles"] = max(1, int(j["cycles"] * part))
            words[words.index("--cycles") + 1] = str(j["cycles"])
    return {**plan, "jobs": jobs}


def objects(plan):
    return sorted({o for j in plan["jobs"] for o in j["objects"]})


def fingerprint(plan):
    """Returns a hash of these jobs and of all sources, which names the folder of the results."""
    sha = hashlib.sha256(json.dumps(plan).encode())
    for top in ("rtl", "cmodel", "python", "tb", "synth", "verif"):
        for folder, inside, names in os.walk(top):
            inside[:] = sorted(d for d in inside if d != "__pycache__")
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not name.endswith(".pyc") and os.path.isfile(path):
                    sha.update(path.encode())
                    with open(path, "rb") as f:
                        sha.update(f.read())
    return sha.hexdigest()[:12]
