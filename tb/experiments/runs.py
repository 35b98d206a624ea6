#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs of heddle in parallel, whose reports are kept: for tables, for heddle sweep and for the jobs of their campaigns.
  runs.py KEEP HEDDLE ARGUMENT..    one run: prints its report and keeps it in the folder KEEP"""
import concurrent.futures
import contextlib
import functools
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

sys.path[:0] = ["rtl", "synth/area", "tb/build", "python"]
from hdgen.output import put_text  # noqa: E402
from heddle.reports import outcome  # noqa: E402
from progress import moving  # noqa: E402

# Options of `heddle run` with a value that apply only to launches from TBs.
ABOUT_CHILDREN = ("--threshold", "--child-size", "--pending", "--memory-latency")
stop = threading.Event()


@functools.lru_cache(None)
def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def effective(words):
    """Returns the options that have an effect: omits those about launches from the device if there are none."""
    if "cdp" in words or "dtbl" in words:
        return words
    found, values = [], iter(words)
    for word in values:
        if word in ABOUT_CHILDREN:
            next(values)
        elif word != "--ideal":
            found.append(word)
    return found


class Run:
    """A run: its command and its result (code None: not run yet). Its report is kept in the folder `keep`, under a hash
    of the command itself, its arguments and the files that they name; a run with a report does not run again."""

    def __init__(self, words, keep, heddle="build/heddle"):
        self.words = [heddle, *words]
        self.code, self.report, self.reason, self.text, self.process, self.path = None, {}, "", "", None, None
        if keep:
            os.makedirs(keep, exist_ok=True)
            files = [digest(word) for word in self.words if os.path.isfile(word)]
            name = hashlib.sha256(json.dumps([*words, *files]).encode()).hexdigest()
            self.path = os.path.join(keep, name[:32] + ".json")
            with contextlib.suppress(OSError, ValueError), open(self.path) as f:
                self.report, self.code = json.load(f), 0

    def run(self, apart=True):
        """`apart`: in its own session, since Ctrl-C ends the caller, which ends its runs; a run that received Ctrl-C
        itself would report a result. A job of a campaign ends with its session, so it is not apart."""
        if stop.is_set():
            return
        self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, start_new_session=apart)
        if stop.is_set():
            self.process.terminate()
        out, err = self.process.communicate()
        if stop.is_set():
            return
        self.code, self.report, self.reason = outcome(self.process.returncode, out, err, f"heddle {self.words[1]}")
        self.text = err or out
        if self.code == 0 and self.path:
            put_text(self.path, out)


def progress(found, kept, begun, last=False):
    done = sum(r.code is not None for r in found)
    bad = sum(bool(r.code) for r in found)
    took = time.monotonic() - begun
    left = took / (done - kept) * (len(found) - done) if done > kept else None
    text = f"{done} of {len(found)} points, {kept} kept from before, {bad} failed, {took:.0f} s"
    moving("" if last else text + (f", about {left:.0f} s left" if left is not None else ""))


def run_all(found, jobs, all_of_them=True):
    """Runs those without a report, `jobs` at once, until a signal interrupts them; or until one fails, unless
    `all_of_them`."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: stop.set())
    begun, kept = time.monotonic(), sum(r.code is not None for r in found)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(r.run) for r in found if r.code is None}
        while waiting:
            done, waiting = concurrent.futures.wait(waiting, 0.2, concurrent.futures.FIRST_COMPLETED)
            for f in done:
                if not f.cancelled():
                    f.result()
            if not all_of_them and any(r.code for r in found):
                stop.set()
            if stop.is_set():
                for f in waiting:
                    f.cancel()
                for r in found:
                    if r.process is not None and r.process.poll() is None:
                        r.process.terminate()
            progress(found, kept, begun)
    progress(found, kept, begun, last=True)


def main(keep, heddle, *words):
    r = Run(words, keep, heddle)
    if r.code is None:
        r.run(apart=False)
    if r.code:
        sys.stderr.write(r.text)
    if r.report:
        print(json.dumps(r.report))
    return r.code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
