#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks a FuseSoC core file without FuseSoC (test_install.sh runs FuseSoC, too, if PyPI is reachable) and resolves it
as FuseSoC would:
  check_core.py FILE.core VERSION FOLDER
Checks the preamble, the keys, that every name and file it refers to exists and that files.f lists the files of the
fileset rtl; calls the generator of its default target as FuseSoC does, in FOLDER; then prints the macros that this sets
as +define+, its include folders as +incdir+, and the files of that target."""
import os
import re
import subprocess
import sys

import yaml

KEYS = {
    "core": {"name", "description", "filesets", "generators", "generate", "targets"},
    "fileset": {"files", "file_type", "depend"},
    "file": {"is_include_file", "include_path", "file_type"},
    "generator": {"interpreter", "command", "description", "usage"},
    "generate": {"generator", "position", "parameters"},
    "target": {"filesets", "generate", "toplevel", "description", "flow", "flow_options"},
}


def die(text):
    sys.exit("check_core: " + text)


def known(what, name, entry):
    for k in entry:
        if k not in KEYS[what]:
            die(f"{what} {name}: no key '{k}'")


def load(path):
    with open(path) as f:
        text = f.read()
    if text.split("\n")[0] != "CAPI=2:":
        die(f"{path}: the first line is not 'CAPI=2:'")
    return yaml.safe_load(text.split("\n", 1)[1])


def file_names(fileset):
    """Yields (name, attributes) of each file of a fileset."""
    return [(f, {}) if isinstance(f, str) else next(iter(f.items())) for f in fileset["files"]]


def entry(text):
    """Returns (name, whether it counts without flags) of an entry such as `name`, `flag? (name)`, `!flag? (name)`."""
    flag = re.fullmatch(r"(!?)\w+\? \((\w+)\)", text)
    return (flag[2], flag[1] == "!") if flag else (text, True)


def structure(core, root, version):
    known("core", "", core)
    if core["name"].split(":")[3:] != [version]:
        die(f"name {core['name']}: the version is {version}")
    for name, fileset in core["filesets"].items():
        known("fileset", name, fileset)
        for f, attributes in file_names(fileset):
            known("file", f, attributes)
            if not os.path.isfile(os.path.join(root, f)):
                die(f"fileset {name}: no file {f}")
    for name, g in core["generators"].items():
        known("generator", name, g)
        if not os.path.isfile(os.path.join(root, g["command"])):
            die(f"generator {name}: no file {g['command']}")
    for name, g in core["generate"].items():
        known("generate", name, g)
        if g["generator"] not in core["generators"]:
            die(f"generate {name}: no generator {g['generator']}")
    for name, t in core["targets"].items():
        known("target", name, t)
        for k, names in (("filesets", core["filesets"]), ("generate", core["generate"])):
            for n in t.get(k, []):
                if entry(n)[0] not in names:
                    die(f"target {name}: no {k} {n}")


def generate(core, root, name, folder):
    """Calls a generator. Returns the macros set by the core that it made."""
    call = core["generate"][name]
    tool = core["generators"][call["generator"]]
    order = os.path.join(folder, name + ".yml")
    with open(order, "w") as f:
        yaml.safe_dump({"gapi": "1.0", "files_root": root, "vlnv": f"heddle:gpu:heddle-{name}:0",
                        "parameters": call["parameters"]}, f)
    subprocess.run([tool["interpreter"], os.path.join(root, tool["command"]), order], cwd=folder, check=True)
    made = load(os.path.join(folder, f"heddle-{name}.core"))
    return [f"+define+{m}={made['parameters'][m]['default']}" for m in made["targets"]["default"]["parameters"]]


def main():
    path, version, folder = sys.argv[1:]
    root = os.path.dirname(os.path.abspath(path))
    core = load(path)
    structure(core, root, version)
    target = core["targets"]["default"]
    chosen = [name for name, counts in map(entry, target["generate"]) if counts]
    out = [f for g in chosen for f in generate(core, root, g, folder)]
    sources, plane = [], []
    for s in target["filesets"]:
        for f, attributes in file_names(core["filesets"][s]):
            if attributes.get("is_include_file"):
                out.append("+incdir+" + os.path.normpath(os.path.join(root, attributes["include_path"])))
            else:
                sources.append(f)
                plane += [f"rtl/{f}"] * (s == "rtl")
    with open(os.path.join(root, "files.f")) as f:
        if [l.strip() for l in f if l.startswith("rtl/")] != plane:
            die("files.f does not list its files, in that order")
    print("\n".join(out + [os.path.join(root, f) for f in sources]))


main()
