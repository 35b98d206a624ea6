#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs test programs (cmocka, or scripts that end with `N passed, N failed`), N at a time (by default as many as there
are processors), and sums up.

  run_tests.py [-j N] 'PROGRAM [ARG..]'..     run from the top of the checkout; exit code 1 if anything failed

Prints a line for each program that ends, with its wall time and processor time; its output is in build/test/<name>.log,
and shown if it failed. On a terminal the last line lists the running programs. The programs that took longest the last
time (build/test/times.json) start first. A program that dies, or that ran no test, has failed with any counts, unless
it says `skipped: ..`. Ends with `N passed, N failed`.
"""
import json
import os
import re
import subprocess
import sys
import time

DIR = "build/test"
TIMES = f"{DIR}/times.json"
PASSED = re.compile(r"^\[  PASSED  \] (\d+) test|^(\d+) passed, \d+ failed$", re.M)
FAILED = re.compile(r"^\[  FAILED  \] [^:]*: (\d+) test|^\d+ passed, (\d+) failed$", re.M)


def name_of(command):
    """Returns a short name for the log: `build/heddle faults` is faults, `synth/lint.sh --selftest` is lint-selftest;
    for several commands the name of the last one."""
    program, *args = command.split("&&")[-1].split()
    stem = os.path.basename(program).split(".")[0]
    words = [a.strip("-") for a in args if re.fullmatch(r"-*[a-z]+", a)]
    return "-".join(words if stem == "heddle" and words else [stem] + words)


def count(pattern, text):
    return sum(int(a or b) for a, b in pattern.findall(text))


class Test:
    def __init__(self, command):
        self.command, self.name = command, name_of(command)
        self.log = f"{DIR}/{self.name}.log"

    def start(self):
        self.began = time.monotonic()
        with open(self.log, "w") as out:
            self.process = subprocess.Popen(["sh", "-c", self.command], stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=out)
        return self

    def end(self, status, usage):
        """Records its counts and times, and prints its line."""
        self.process.returncode = code = os.waitstatus_to_exitcode(status)
        self.wall, self.cpu = time.monotonic() - self.began, usage.ru_utime + usage.ru_stime
        text = open(self.log, errors="replace").read()
        self.passed, self.failed = count(PASSED, text), count(FAILED, text)
        skipped = re.search(r"^skipped: ", text, re.M)
        if not self.failed and (code or not (self.passed or skipped)):
            self.failed = 1
        word = "FAILED" if self.failed else "ok" if self.passed else "skipped"
        line = (f"{word:7} {self.name:22} {self.passed:4} passed {self.failed:3} failed  {self.wall:4.0f} s  "
                f"{self.cpu:5.0f} s of processor")
        if self.failed:
            line += f"\n---- {self.log}\n" + "\n".join(text.splitlines()[-40:]) + "\n----"
        return line


def progress(done, total, running, last):
    """Prints the running programs, each with its time in the last run."""
    now = time.monotonic()
    tests = ", ".join(f"{t.name} {now - t.began:.0f} s" + (f" of {last[t.name]:.0f}" if t.name in last else "")
                      for t in running)
    return f"{done} of {total} done; {tests}"


def main():
    commands, jobs = sys.argv[1:], os.cpu_count() or 1
    if commands[:1] == ["-j"] and commands[1:]:
        jobs, commands = int(commands[1]), commands[2:]
    if not commands or commands[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if commands else 2
    os.makedirs(DIR, exist_ok=True)
    try:
        last = json.load(open(TIMES))
    except (OSError, ValueError):
        last = {}
    waiting = sorted((Test(c) for c in commands), key=lambda t: -last.get(t.name, 1e9))
    running, ended = [], []
    terminal = sys.stdout.isatty()
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append(waiting.pop(0).start())
        pid, status, usage = os.wait4(-1, os.WNOHANG if terminal else 0)
        if not pid:
            line = progress(len(ended), len(commands), running, last)
            print("\r\033[K" + line[:os.get_terminal_size().columns - 1], end="", flush=True)
            time.sleep(0.2)
            continue
        test = next(t for t in running if t.process.pid == pid)
        running.remove(test)
        ended.append(test)
        print(("\r\033[K" if terminal else "") + test.end(status, usage), flush=True)
    last.update((t.name, round(t.wall, 1)) for t in ended)
    with open(TIMES + ".new", "w") as f:
        json.dump(last, f, indent=1, sort_keys=True)
    os.replace(TIMES + ".new", TIMES)
    slow = sorted(ended, key=lambda t: -t.wall)[:5]
    print("longest: " + ", ".join(f"{t.name} {t.wall:.0f} s" for t in slow)
          + f"; processor time {sum(t.cpu for t in ended):.0f} s")
    passed, failed = sum(t.passed for t in ended), sum(t.failed for t in ended)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
