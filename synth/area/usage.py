# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The options of a subcommand that is a Python program, and how it ends."""
import argparse
import os
import sys


class Parser(argparse.ArgumentParser):
    """Help and complaints in the form of the other subcommands."""

    def format_help(self):
        return super().format_help().replace("usage:", "Usage:", 1)

    def _print_message(self, message, file=None):  # argparse does not tell what it could not write
        (file or sys.stderr).write(message)

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\nTry `{self.prog} --help' for more information.\n")


def ended(main):
    """What main() returns, or an exit code of 2 if its results could not be printed: the reader of a pipe that has gone
    is no better than a full disk."""
    try:
        try:
            code = main()
        finally:
            sys.stdout.flush()
    except OSError as e:
        if e.filename is not None:
            raise
        print(f"heddle: standard output: {e.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return code
