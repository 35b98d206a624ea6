# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The programs that the build calls: which they are, and running as many at once as there are processors."""
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading


class Failed(Exception):
    """A message of one line, perhaps with the first lines of what a tool said."""


slots = threading.BoundedSemaphore(os.cpu_count() or 1)


def limit_to(jobs):
    global slots
    slots = threading.BoundedSemaphore(jobs)


running = set()  # tools, each the leader of a process group of its own
starting = threading.RLock()  # held while one is started and entered in `running`
stopping = threading.Event()


def stop():
    """Ends all tools, with what they have started, and lets none begin."""
    stopping.set()
    with starting:
        for process in running:
            os.killpg(process.pid, signal.SIGTERM)


def go_on():
    """Fails after stop()."""
    if stopping.is_set():
        raise Failed("stopped")


def wait_for(condition):
    while not condition():
        stopping.wait(0.1)
        go_on()


def run(argv, cwd, log, what, more=()):
    """Runs a tool when a processor is free: (what it said, its processor time). Its output goes to the end of a
    file, too; if it fails, what it complained of comes first. `more` is added to its environment, which has nothing
    of a make around us."""
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")} | dict(more)
    with slots, tempfile.TemporaryFile("w+", errors="replace") as out:
        try:
            with starting:
                go_on()
                process = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                           stderr=subprocess.STDOUT, start_new_session=True)
                running.add(process)
        except FileNotFoundError:
            raise Failed(f"{what}: {argv[0]} is missing (tb/install/setup.sh installs it)")
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # until it is reaped, its group can be named
        with starting:
            running.remove(process)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        go_on()
        out.seek(0)
        said = out.read()
    with open(log, "a") as f:
        f.write(said)
    if process.returncode:
        lines = [l for l in said.splitlines() if re.search("%Warning|%Error|ERROR|error:", l)] or said.splitlines()
        raise Failed(f"{what}: {os.path.basename(argv[0])} failed ({log})\n" + "\n".join(lines[:10]))
    return said, usage.ru_utime + usage.ru_stime


@functools.lru_cache(None)
def version(*argv):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[0]
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise Failed(f"{argv[0]} is missing (tb/install/setup.sh installs it)")


@functools.lru_cache(None)
def compiler():
    """What HEDDLE_CXX names; else clang 19 where it is there, else what is: clang compiles the plane in half of g++'s
    time, and what it makes runs 1.6 to 2 times faster; 19 takes three quarters of the time of 14."""
    return os.environ.get("HEDDLE_CXX") or next((c for c in ("clang++-19", "clang++") if found(c)), "g++")


@functools.lru_cache(None)
def profdata():
    """The program that reads profiles of that compiler; "" if it is no clang, or lacks its part for them."""
    if "clang" not in compiler():
        return ""
    program = version(compiler(), "-print-prog-name=llvm-profdata")
    links = subprocess.run([compiler(), "-fprofile-instr-generate", "-xc++", "-", "-o", os.devnull],
                           input="int main() {}", capture_output=True, text=True)
    return program if found(program) and links.returncode == 0 else ""


@functools.lru_cache(None)
def processor():
    """What -march=native stands for here."""
    with open("/proc/cpuinfo") as f:
        return next((line.split(":", 1)[1].strip() for line in f if line.startswith("flags")), "")


def found(program):
    return shutil.which(program) is not None


def ccache():
    return ["ccache"] if found("ccache") else []
