# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Progress messages of a build. Standard error: the start of each object with its estimated time and, on a terminal, a
status line that is updated until the object is complete. Standard output: each complete object."""
import sys
import threading
import time


def moving(line):
    """Replaces the status line if standard error is a terminal; "" removes it."""
    if sys.stderr and sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


class Progress:
    """`quiet` prints nothing; `begins` prints a line at the start of each object, not only at its end."""

    def __init__(self, quiet, begins):
        self.quiet, self.begins = quiet, begins
        self.moves = sys.stderr.isatty() and not quiet
        self.under_way = {}  # {name: (start time, processor seconds of the last build or None)}
        self.lock = threading.Lock()
        self.wake = threading.Event()

    def say(self, word, name, rest=""):
        if not self.quiet:
            with self.lock:
                self.show("")
                print(f"  {word:6} {name}{rest}", flush=True)

    def show(self, line):
        if self.moves:
            moving(line)

    def begin(self, name, before):
        before = None if before is None else max(1, round(before))
        if self.begins and not self.moves and not self.quiet:
            about = f"  about {before} s of processor" if before else ""
            print(f"  making {name}{about}", file=sys.stderr, flush=True)
        self.under_way[name] = time.time(), before

    def end(self, name):
        self.under_way.pop(name, None)

    def line(self):
        now = time.time()
        return ", ".join(f"{name} {now - began:.0f} s" + (f" of about {before}" if before else "")
                         for name, (began, before) in sorted(self.under_way.items()))[:100]

    def move(self):
        while not self.wake.wait(1):
            with self.lock:
                self.show(f"  making {self.line()}" if self.under_way else "")

    def __enter__(self):
        if self.moves:
            threading.Thread(target=self.move, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.wake.set()
        with self.lock:
            self.show("")
