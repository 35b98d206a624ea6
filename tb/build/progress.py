# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""What is said while objects are made: that one is begun and about how long it will take, and on a terminal a last line
that moves until it is there, both on standard error; and that it is there."""
import sys
import threading
import time


def moving(line):
    """The last line of a terminal on standard error, in place of the one before; elsewhere nothing. "": it is gone."""
    if sys.stderr and sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


class Progress:
    """`quiet`: nothing; `begins`: each object is told when it begins, not only when it is there."""

    def __init__(self, quiet, begins):
        self.quiet, self.begins = quiet, begins
        self.moves = sys.stderr.isatty() and not quiet
        self.under_way = {}  # {name: (when it began, its seconds of processor the last time or None)}
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
