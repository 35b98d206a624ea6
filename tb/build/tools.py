# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The programs that the build calls. As many run at once as there are processors."""
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading


class Failed(Exception):
    """A message of one line, optionally followed by the first lines of a tool's output."""


slots = threading.BoundedSemaphore(os.cpu_count() or 1)


def limit_to(jobs):
    global slots
    slots = threading.BoundedSemaphore(jobs)


running = set()  # tools, each the leader of its own process group
starting = threading.RLock()  # held while a tool is started and added to `running`
stopping = threading.Event()


def stop():
    """Ends all tools with their child processes; no tool starts afterwards."""
    stopping.set()
    with starting:
        for process in running:
            os.killpg(process.pid, signal.SIGTERM)


def go_on():
    """Raises Failed after stop()."""
    if stopping.is_set():
        raise Failed("stopped")


def wait_for(condition):
    while not condition():
        stopping.wait(0.1)
        go_on()


def run(argv, cwd, log, what, more=()):
    """Runs a tool when a processor is free. Returns (its output, its processor time); the output is also appended to
    `log`. If the tool fails, the message starts with its errors. `more` is added to its environment, from which the
    variables of a calling make are removed."""
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
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # its process group exists until it is reaped
        with starting:
            running.remove(process)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        go_on()
        out.seek(0)
        output = out.read()
    with open(log, "a") as f:
        f.write(output)
    if process.returncode:
        lines = [l for l in output.splitlines() if re.search("%Warning|%Error|ERROR|error:", l)] or output.splitlines()
        raise Failed(f"{what}: {os.path.basename(argv[0])} failed ({log})\n" + "\n".join(lines[:10]))
    return output, usage.ru_utime + usage.ru_stime


@functools.lru_cache(None)
def version(*argv):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[0]
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise Failed(f"{argv[0]} is missing (tb/install/setup.sh installs it)")


@functools.lru_cache(None)
def compiler():
    """Returns HEDDLE_CXX if set, else the first available of clang 19, clang and g++. clang compiles the plane in half
    the time of g++, and the result runs 1.6 to 2 times faster; version 19 takes three quarters of the time of 14."""
    return os.environ.get("HEDDLE_CXX") or next((c for c in ("clang++-19", "clang++") if found(c)), "g++")


@functools.lru_cache(None)
def profdata():
    """Returns the program that reads profiles of that compiler; "" if it is not clang or has no profile runtime."""
    if "clang" not in compiler():
        return ""
    program = version(compiler(), "-print-prog-name=llvm-profdata")
    links = subprocess.run([compiler(), "-fprofile-instr-generate", "-xc++", "-", "-o", os.devnull],
                           input="int main() {}", capture_output=True, text=True)
    return program if found(program) and links.returncode == 0 else ""


@functools.lru_cache(None)
def processor():
    """Returns the meaning of -march=native on this machine."""
    with open("/proc/cpuinfo") as f:
        return next((line.split(":", 1)[1].strip() for line in f if line.startswith("flags")), "")


def found(program):
    return shutil.which(program) is not None


def ccache():
    return ["ccache"] if found("ccache") else []
