# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The programs that the build calls: which they are, and running as many at once as there are processors."""
import functools
import os
import re
import shutil
import subprocess
import threading


class Failed(Exception):
    """A message of one line, perhaps with the first lines of what a tool said."""


slots = threading.BoundedSemaphore(os.cpu_count() or 1)


def limit_to(jobs):
    global slots
    slots = threading.BoundedSemaphore(jobs)


def environment():
    """Without what a make around us would tell the makes and tools below."""
    return {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}


def run(argv, cwd, log, what):
    """Runs a tool when a processor is free; its output goes to the end of a file. What it complained of comes first."""
    with slots:
        try:
            done = subprocess.run(argv, cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace")
        except FileNotFoundError:
            raise Failed(f"{what}: {argv[0]} is missing (tb/setup.sh installs it)")
    with open(log, "a") as f:
        f.write(done.stdout)
    if done.returncode:
        lines = [l for l in done.stdout.splitlines() if re.search("%Warning|%Error|ERROR|error:", l)] or done.stdout.splitlines()
        raise Failed(f"{what}: {os.path.basename(argv[0])} failed ({log})\n" + "\n".join(lines[:10]))
    return done.stdout


@functools.lru_cache(None)
def version(*argv):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[0]
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise Failed(f"{argv[0]} is missing (tb/setup.sh installs it)")


@functools.lru_cache(None)
def compiler():
    """clang where there is one: it compiles the plane in half of g++'s time, and what it makes runs 1.6 to 2 times faster."""
    return "clang++" if shutil.which("clang++") else "g++"


@functools.lru_cache(None)
def processor():
    """What -march=native stands for here."""
    with open("/proc/cpuinfo") as f:
        return next((line.split(":", 1)[1].strip() for line in f if line.startswith("flags")), "")


@functools.lru_cache(None)
def ccache():
    return ["ccache"] if shutil.which("ccache") else []
