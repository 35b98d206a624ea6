# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Options and exit of a subcommand that is a Python program."""
import argparse
import os
import signal
import sys

SIGNALS = signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM


class Parser(argparse.ArgumentParser):
    """Help and errors in the form of the other subcommands."""

    def format_help(self):
        return super().format_help().replace("usage:", "Usage:", 1)

    def _print_message(self, message, file=None):  # argparse ignores write errors
        (file or sys.stderr).write(message)

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\nTry `{self.prog} --help' for more information.\n")


def end_at_signals():
    """Makes SIGHUP, SIGQUIT and SIGTERM end the program like an exception: child processes are ended, and half-written
    files are removed. Signals ignored at the start (nohup) stay ignored."""
    def end(number, _):
        sys.exit(128 + number)
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def ended(main, prog):
    """Returns the result of main(); or prints a line and returns 2, if a file could not be read or written, or the
    results could not be printed: a closed pipe is treated like a full disk."""
    if sys.stderr is None:  # closed; print() would write to stdout
        sys.stderr = open(os.devnull, "w")
    if sys.stdout is None:  # the next opened file would take its place
        print("heddle: standard output: it is closed", file=sys.stderr)
        return 2
    end_at_signals()
    try:
        try:
            code = main()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except OSError as e:
        if e.filename is not None:
            print(f"{prog}: {e.filename}: {e.strerror}", file=sys.stderr)
            return 2
        print(f"heddle: standard output: {e.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return code
