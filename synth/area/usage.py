# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The options of a subcommand that is a Python program, and how it ends."""
import argparse
import os
import signal
import sys

SIGNALS = signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM


class Parser(argparse.ArgumentParser):
    """Help and complaints in the form of the other subcommands."""

    def format_help(self):
        return super().format_help().replace("usage:", "Usage:", 1)

    def _print_message(self, message, file=None):  # argparse does not tell what it could not write
        (file or sys.stderr).write(message)

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\nTry `{self.prog} --help' for more information.\n")


def end_at_signals():
    """SIGHUP, SIGQUIT and SIGTERM end the program as an exception does: what it runs is ended, and half-written files
    are removed. Those that were ignored when it began (nohup) stay ignored."""
    def end(number, _):
        sys.exit(128 + number)
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def ended(main, prog):
    """What main() returns; an exit code of 2, and a line, if a file could not be read or written, or if the results
    could not be printed: the reader of a pipe that has gone is no better than a full disk."""
    if sys.stderr is None:  # closed; print() would write to stdout
        sys.stderr = open(os.devnull, "w")
    if sys.stdout is None:  # and the next file that is opened would be it
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
